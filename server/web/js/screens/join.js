// Entering a room by its code. What is wrong with a code is said next to it.
// @ts-check

import { h, setAttr, setText, toggle, uniqueId } from "../dom.js";
import { parseCode } from "../protocol.js";

/** @typedef {import("../strings.js").Strings} Strings */

/** @param {import("../main.js").Context} ctx */
export function create({ send, strings, store }) {
  const { route, failed, lastRoom } = store.getState();
  const typed = route.screen === "join" ? route.typed : undefined;
  const named = route.screen === "room" ? route.code : (lastRoom ?? "");
  const code = createCodeField(strings, failed?.room ?? typed ?? named);
  // A link brought what is none.
  if (typed) code.read();
  const go = h("button", { type: "submit", class: "button-primary" }, strings("join.go"));
  const watch = h("button", { type: "button", class: "button-quiet", onclick: () => enter("spectator") });
  watch.append(strings("join.watch"));
  const element = h(
    "form",
    { class: "screen form", noValidate: true, onsubmit: submit },
    h("header", null, h("h1", null, strings("join.title")), h("p", { class: "lead" }, strings("join.lead"))),
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
  let told = null;

  /** @param {import("../state.js").State} state */
  function update(state) {
    setAttr(go, "aria-disabled", state.entering !== null);
    toggle(watch, state.features.spectators);
    if (state.failed !== told) {
      told = state.failed;
      code.say(told ? reason(strings, told) : "");
    }
  }

  return { element, update };
}

/**
 * The field of the code, which says below it what is wrong with that.
 *
 * @param {Strings} strings
 * @param {string} value what stands in it at first
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
    oninput: () => say(""),
  });
  const error = h("p", { id: errorId, class: "error", role: "alert" });
  const label = h("label", { for: id, class: "label" }, strings("join.code"));
  const note = h("p", { id: noteId, class: "note" }, strings("join.note"));
  const element = h("div", { class: "field" }, label, input, note, error);

  /** @param {string} words */
  function say(words) {
    setText(error, words);
    toggle(error, words !== "");
    setAttr(input, "aria-invalid", words !== "");
  }

  /** @returns {string | null} the code; where there is none, that was said */
  function read() {
    const room = parseCode(input.value);
    say(room ? "" : strings(input.value.trim() === "" ? "join.empty" : "join.error"));
    if (!room) input.focus();
    return room;
  }

  say("");
  return { element, say, read };
}

/**
 * Why a room could not be entered, for people.
 *
 * @param {Strings} strings
 * @param {{room: string, code: string, text: string}} failed
 * @returns {string}
 */
export function reason(strings, { room, code, text }) {
  const key = [`failed.${code}`, `refused.${code}`].find(strings.has);
  return key ? strings(key, { room }) : text;
}
