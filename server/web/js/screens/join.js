// Entering a room by its code. What is wrong with a code is said next to it.
// @ts-check

import { h, setAttr, setText, toggle, uniqueId } from "../dom.js";
import { parseCode } from "../protocol.js";
import { has } from "../words.js";

/** @param {import("../main.js").Context} ctx */
export function create({ send, t, store }) {
  const [id, noteId, faultId] = [uniqueId(), uniqueId(), uniqueId()];
  const { route, failed, lastRoom } = store.getState();
  const input = h("input", {
    id,
    class: "input code-input",
    type: "text",
    value: failed?.room ?? (route.screen === "room" ? route.code : (lastRoom ?? "")),
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: false,
    maxLength: 16,
    enterKeyHint: "go",
    "aria-describedby": `${noteId} ${faultId}`,
    oninput: () => say(""),
  });
  const fault = h("p", { id: faultId, class: "fault", role: "alert" });
  const go = h("button", { type: "submit", class: "button-primary" }, t("join.go"));
  const watch = h("button", { type: "button", class: "button-quiet", onclick: () => enter("spectator") });
  watch.append(t("join.watch"));
  const element = h(
    "form",
    { class: "screen form", noValidate: true, onsubmit: submit },
    h("header", null, h("h1", null, t("join.title")), h("p", { class: "lead" }, t("join.lead"))),
    h(
      "div",
      { class: "field" },
      h("label", { for: id, class: "label" }, t("join.code")),
      input,
      h("p", { id: noteId, class: "note" }, t("join.note")),
      fault,
    ),
    h("div", { class: "buttons" }, go, watch),
  );

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    enter("player");
  }

  /** @param {"player" | "spectator"} role */
  function enter(role) {
    const room = parseCode(input.value);
    if (room) {
      say("");
      send({ type: "join", room, role });
    } else {
      say(t(input.value.trim() === "" ? "join.empty" : "join.fault"));
      input.focus();
    }
  }

  /** @param {string} words */
  function say(words) {
    setText(fault, words);
    toggle(fault, words !== "");
    setAttr(input, "aria-invalid", words !== "");
  }

  /** @type {import("../state.js").State["failed"]} */
  let told = null;

  /** @param {import("../state.js").State} state */
  function update(state) {
    setAttr(go, "aria-disabled", state.entering !== null);
    toggle(watch, state.features.spectators);
    if (state.failed !== told) {
      told = state.failed;
      say(told ? reason(t, told) : "");
    }
  }

  say("");
  return { element, update };
}

/**
 * Why a room could not be entered, for people.
 *
 * @param {import("./game-fields.js").T} t
 * @param {{room: string, code: string, text: string}} failed
 * @returns {string}
 */
export function reason(t, { room, code, text }) {
  const key = [`failed.${code}`, `refused.${code}`].find(has);
  return key ? t(key, { room }) : text;
}
