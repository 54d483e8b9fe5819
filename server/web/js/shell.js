// What surrounds each screen: the buttons Back and Home, the connection status, the notice, and the
// foot with the language and the guest button.
// @ts-check

import { focusOn, h, setAttr, setText, toggle } from "./dom.js";
import { createReturnBanner } from "./return-banner.js";
import { LANGUAGES, language, strings } from "./strings.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./main.js").Context} Context */

/** How long a notice of kind `info` stays, in milliseconds. */
const INFO_MS = 8_000;

/** @param {Context} ctx */
export function createShell(ctx) {
  const { strings, navigate, back } = ctx;
  const backButton = h("button", { type: "button", class: "button-bare", onclick: back });
  backButton.append(arrow(), strings("shell.back"));
  const home = h("button", {
    type: "button",
    class: "button-bare",
    onclick: () => navigate({ screen: "welcome" }),
  });
  home.append(strings("shell.home"));
  const connection = createConnectionStatus(ctx);
  const buttons = h("div", { class: "bar-side" }, backButton, home);
  const bar = h("div", { class: "bar" }, buttons, connection.element);
  const slot = h("div", { class: "slot" });
  const notice = createNotice(ctx, () => slot.querySelector("h1"));
  const seat = createReturnBanner(ctx);
  const foot = createFoot(ctx);
  const element = h("div", { class: "shell" }, bar, notice.element, seat.element, slot, foot.element);

  /** @param {State} state @param {string} screen */
  function update(state, screen) {
    toggle(backButton, screen !== "welcome");
    toggle(home, screen !== "welcome");
    toggle(foot.element, screen !== "room");
    connection.update(state);
    notice.update(state);
    seat.update(state, screen);
    foot.update(state);
  }

  return { element, slot, update, focusLanguage: foot.focus };
}

/** @returns {HTMLElement} an arrow that screen readers skip */
function arrow() {
  return h("span", { "aria-hidden": "true" }, "←");
}

/** @param {Context} ctx */
function createConnectionStatus({ strings }) {
  const text = h("span");
  const dot = h("span", { class: "connection-status", role: "status" }, text);
  const again = h("button", { type: "button", class: "button-quiet", onclick: () => location.reload() });
  again.append(strings("connection.reload"));
  const element = h("div", { class: "bar-side" }, dot, again);

  /** @param {State} state */
  function update({ connection: { phase } }) {
    setAttr(dot, "data-phase", phase);
    setText(text, strings(`connection.${phase}`));
    toggle(again, phase === "ended");
  }

  return { element, update };
}

/**
 * The notice. It stays until the player closes it or does something else. A notice of kind `info`
 * closes by itself.
 *
 * @param {Context} ctx @param {() => HTMLElement | null} heading takes the focus afterwards
 */
function createNotice({ strings, store }, heading) {
  const text = h("p");
  const close = h("button", { type: "button", class: "button-bare", onclick: dismiss });
  setAttr(close, "aria-label", strings("notice.dismiss"));
  close.append(h("span", { "aria-hidden": "true" }, "✕"));
  const box = h("div", { class: "notice", hidden: true }, text, close);
  const element = h("div", { "aria-live": "polite" }, box);
  /** @type {unknown} */
  let shown = null;
  let timer = 0;

  /** While the focus is in the notice, it stays. */
  function expire() {
    if (box.contains(document.activeElement)) {
      timer = setTimeout(expire, INFO_MS);
    } else if (shown === store.getState().notice) {
      store.dispatch({ type: "dismiss" });
    }
  }

  function dismiss() {
    const next = heading();
    store.dispatch({ type: "dismiss" });
    if (next) {
      focusOn(next);
    }
  }

  /** @param {State} state */
  function update({ notice, connection }) {
    const ended = connection.phase === "ended" ? endOf(connection) : null;
    const told = ended ?? notice;
    if (shown === (ended ? connection : notice)) {
      return;
    }
    shown = ended ? connection : notice;
    clearTimeout(timer);
    if (told?.kind === "info") {
      timer = setTimeout(expire, INFO_MS);
    }
    toggle(box, told !== null);
    toggle(close, ended === null);
    setAttr(box, "data-kind", told?.kind);
    const known = told && strings.has(told.key);
    setText(text, known ? strings(told.key, told.params) : (told?.text ?? ""));
  }

  return { element, update };
}

/**
 * Why the connection has ended.
 *
 * @param {State["connection"]} connection
 * @returns {import("./state.js").Notice}
 */
function endOf({ code, reason }) {
  const key = strings.has(`ended.${code}`) ? `ended.${code}` : "ended.other";
  return { kind: "error", key, params: { reason }, text: reason };
}

/** @param {Context} ctx */
function createFoot({ strings, player, changeLanguage }) {
  const languages = h("select", { class: "select", onchange: change });
  for (const [tag, name] of Object.entries(LANGUAGES)) {
    languages.append(h("option", { value: tag, lang: tag }, name));
  }
  languages.value = language();
  const server = h("span", { class: "spacer" });
  const other = h("button", { type: "button", class: "button-bare", onclick: player.change });
  other.append(strings(player.guest ? "foot.before" : "foot.someoneElse"));
  const element = h(
    "footer",
    { class: "foot" },
    h("label", { class: "language" }, strings("foot.language"), languages),
    other,
    server,
  );

  /** If the language fails to load, the list shows the old one again. */
  async function change() {
    await changeLanguage(languages.value);
    languages.value = language();
  }

  /** @param {State} state */
  function update({ server: info }) {
    const key = info?.name === "Noughts" ? "foot.version" : "foot.server";
    setText(server, info ? strings(key, { name: info.name, version: info.version }) : "");
  }

  return { element, update, focus: () => languages.focus() };
}
