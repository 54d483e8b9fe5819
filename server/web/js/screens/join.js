// The form for a room code.
// @ts-check

import { h, setAttr, setText, toggle, uniqueId } from "../dom.js";
import { parseCode } from "../protocol.js";

/** @typedef {import("../strings.js").Strings} Strings */

/** @param {import("../main.js").Context} ctx */
export function createJoinScreen({ send, strings, store }) {
  const { route, failed, lastRoom } = store.getState();
  const typed = route.screen === "join" ? route.typed : undefined;
  const named = route.screen === "room" ? route.code : (lastRoom ?? "");
  const code = createCodeField(strings, failed?.room ?? typed ?? named);
  // The link had a wrong code.
  if (typed) code.read();
  const go = h("button", { type: "submit", class: "button-primary" }, strings("join.go"));
  const onclick = () => enter("spectator");
  const watch = h("button", { type: "button", class: "button-quiet", onclick });
  watch.append(strings("join.watch"));
  const lead = h("p", { class: "lead" }, strings("join.lead"));
  const element = h(
    "form",
    { class: "screen form", noValidate: true, onsubmit: submit },
    h("header", null, h("h1", null, strings("join.title")), lead),
    code.element,
    h("div", { class: "buttons" }, go, watch),
  );

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    enter("player");
  }

  /** @param {"player" | "spectator"} role */
  function enter(role) {
    const room = code.read();
    if (room) send({ type: "join", room, role });
  }

  /** @type {import("../state.js").State["failed"]} */
  let shown = null;

  /** @param {import("../state.js").State} state */
  function update(state) {
    setAttr(go, "aria-disabled", state.entering !== null);
    toggle(watch, state.features.spectators);
    if (state.failed !== shown) {
      shown = state.failed;
      code.showError(shown ? failureText(strings, shown) : "");
    }
  }

  return { element, update };
}

/**
 * The field for the code and its error.
 *
 * @param {Strings} strings
 * @param {string} value the first value
 */
function createCodeField(strings, value) {
  const [id, noteId, errorId] = [uniqueId(), uniqueId(), uniqueId()];
  const input = h("input", {
    id,
    class: "input code-input",
    type: "text",
    value,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: false,
    maxLength: 16,
    enterKeyHint: "go",
    "aria-describedby": `${noteId} ${errorId}`,
    oninput: () => showError(""),
  });
  const error = h("p", { id: errorId, class: "error", role: "alert" });
  const label = h("label", { for: id, class: "label" }, strings("join.code"));
  const note = h("p", { id: noteId, class: "note" }, strings("join.note"));
  const element = h("div", { class: "field" }, label, input, note, error);

  /** @param {string} text */
  function showError(text) {
    setText(error, text);
    toggle(error, text !== "");
    setAttr(input, "aria-invalid", text !== "");
  }

  /** @returns {string | null} the code; if null, the field shows the error */
  function read() {
    const room = parseCode(input.value);
    showError(room ? "" : strings(input.value.trim() === "" ? "join.empty" : "join.error"));
    if (!room) input.focus();
    return room;
  }

  showError("");
  return { element, showError, read };
}

/**
 * Why the player could not enter a room.
 *
 * @param {Strings} strings
 * @param {{room: string, code: string, text: string}} failed
 * @returns {string}
 */
export function failureText(strings, { room, code, text }) {
  const key = [`failed.${code}`, `refused.${code}`].find(strings.has);
  return key ? strings(key, { room }) : text;
}
