// The quick match: the form, then the wait for an opponent.
// @ts-check

import { computerRoom, FALLBACKS, quickMatch, savedChoices } from "../choices.js";
import { focusOn, h, setText, toggle } from "../dom.js";
import { form, select } from "./fields.js";
import { boardField } from "./game-fields.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../view.js").Page} Context */

/** @param {Context} ctx */
export function createQuickScreen(ctx) {
  const { store, send, strings, saveChoices } = ctx;
  const saved = savedChoices(store.getState().prefs, "quick");
  const board = boardField(strings, saved.board);
  const options = FALLBACKS.map((value) => ({ value, label: strings(`fallback.${value || "never"}`) }));
  const fallback = select({ label: strings("field.fallback"), options, value: saved.fallback });
  const view = form({
    title: strings("quick.title"),
    lead: strings("quick.lead"),
    go: strings("quick.go"),
    fields: { board, fallback },
    body: [board.element, fallback.element],
    valid: board.valid,
    start(values) {
      saveChoices("quick", values);
      send(quickMatch(values));
    },
  });
  const wait = createWait(ctx);
  const element = h("div", null, view.element, wait.element);

  /** @param {State} state @param {State} before */
  function update(state, before) {
    const waits = state.matching !== null;
    const turned = waits !== !wait.element.hidden;
    toggle(view.element, !waits);
    toggle(wait.element, waits);
    wait.update(state);
    // The focused element is hidden now.
    if (turned && state.route === before.route && state.route.screen === "quick") {
      focusOn(/** @type {HTMLElement} */ ((waits ? wait.element : view.element).querySelector("h1")));
    }
  }

  return { element, update, destroy: wait.destroy };
}

/** @param {Context} ctx */
function createWait({ store, send, strings }) {
  const time = h("p", { class: "elapsed", role: "timer" });
  const then = h("p", { class: "lead" });
  const cancel = h("button", { type: "button", class: "button-quiet", onclick: stop });
  cancel.append(strings("quick.cancel"));
  const computer = h("button", { type: "button", class: "button-quiet", onclick: playComputer });
  computer.append(strings("quick.computer"));
  const element = h(
    "div",
    { class: "screen waiting", hidden: true },
    h("div", { class: "pulse", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
    h("h1", null, strings("quick.waiting")),
    time,
    then,
    h("div", { class: "buttons" }, computer, cancel),
  );
  /** @type {number | undefined} */
  let timer;

  function stop() {
    send({ type: "cancel_match" });
  }

  function playComputer() {
    const { matching, prefs } = store.getState();
    const board = matching?.message.board;
    const size = board ? `${board.width}x${board.height}x${board.line}` : "3x3x3";
    send({ type: "cancel_match" });
    send(computerRoom({ ...savedChoices(prefs, "computer"), board: size, opening: "free" }));
  }

  function tick() {
    const { matching } = store.getState();
    if (!matching) {
      return;
    }
    const passed = performance.now() - matching.since;
    setText(time, clock(passed));
    const after = matching.message.computer?.after_ms;
    const left = Math.max(0, Math.ceil(((after ?? 0) - passed) / 1_000));
    setText(then, after ? strings("quick.then", { count: left }) : strings("quick.stay"));
  }

  /** @param {State} state */
  function update({ matching }) {
    if (matching && timer === undefined) {
      timer = setInterval(tick, 250);
    } else if (!matching) {
      destroy();
    }
    tick();
  }

  function destroy() {
    clearInterval(timer);
    timer = undefined;
  }

  return { element, update, destroy };
}

/** @param {number} ms @returns {string} minutes and seconds */
function clock(ms) {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
