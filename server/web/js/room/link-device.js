// The dialog that links another device to the player's seat: a link and a QR code with a pass, valid
// once and for a short time. The server makes the pass.
// @ts-check

import { h, setText, toggle, uniqueId } from "../dom.js";
import { copyField } from "./copy-field.js";
import { roomLink } from "./room-link.js";
import { showQrCode } from "./qr-code.js";
import { formatTime } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").State} State */

/**
 * @param {Strings} strings
 * @param {{renew: () => void, copyLink: () => void}} handlers of the buttons
 */
function createDialog(strings, { renew, copyLink }) {
  const [titleId, linkId] = [uniqueId(), uniqueId()];
  const drawing = h("div", { class: "share-qr" });
  const link = h("input", { id: linkId, class: "share-link", type: "text", readOnly: true });
  link.addEventListener("focus", () => link.select());
  const left = h("p", { class: "pass-left", role: "status" });
  /** @param {string} kind @param {string} key @param {() => void} onclick */
  const button = (kind, key, onclick) =>
    h("button", { type: "button", class: kind, onclick }, strings(key));
  const again = button("button-primary", "pass.again", renew);
  const copy = button("button-quiet", "share.copy", copyLink);
  const done = button("button-quiet", "pass.close", () => element.close());
  const body = h("div", { class: "pass-body" }, drawing);
  body.append(h("label", { for: linkId, class: "visually-hidden" }, strings("share.link")), link);
  const element = h(
    "dialog",
    { class: "dialog", "aria-labelledby": titleId },
    h("h2", { id: titleId }, strings("pass.title")),
    h("p", null, strings("pass.text")),
    body,
    left,
    h("div", { class: "buttons" }, again, copy, done),
  );
  return { element, drawing, link, left, again, copy, done, body };
}

/**
 * Shows how long the pass is valid.
 * @param {Strings} strings
 * @param {ReturnType<typeof createDialog>} dialog
 * @param {State["pass"]} pass
 * @param {number} now
 * @returns {boolean} whether the countdown runs
 */
function showTime(strings, { body, copy, again, left }, pass, now) {
  const valid = pass !== null && pass.until > now;
  toggle(body, valid);
  toggle(copy, valid);
  toggle(again, pass !== null && !valid);
  // Screen readers read the start and the end, not every second.
  left.setAttribute("aria-live", valid ? "off" : "polite");
  if (!pass) setText(left, strings("pass.wait"));
  else if (valid) setText(left, strings("pass.left", { time: formatTime(pass.until - now) }));
  else setText(left, strings("pass.over"));
  return valid;
}

/**
 * @param {{strings: Strings, ask: () => void}} options `ask` asks the server for a pass
 */
export function createLinkDevice({ strings, ask }) {
  const dialog = createDialog(strings, { renew, copyLink });
  const { element, link, left } = dialog;
  /** The pass before the dialog asked for a new one. @type {State["pass"]} */
  let stale = null;
  /** The notice when the dialog asked for a pass. @type {State["notice"]} */
  let oldNotice = null;
  /** @type {State | null} */
  let state = null;
  let shown = "";

  function renew() {
    stale = state?.pass ?? null;
    oldNotice = state?.notice ?? null;
    ask();
    show();
  }

  async function copyLink() {
    const copied = await copyField(link);
    setText(left, strings(copied ? "share.copied" : "share.copy.hand"));
  }

  const fresh = () => (state?.pass && state.pass !== stale ? state.pass : null);

  function show() {
    const pass = fresh();
    const url = pass && state?.room ? roomLink(state.room.code, state.server, pass.code) : "";
    if (url !== shown) {
      shown = url;
      link.value = url;
      showQrCode(dialog.drawing, url, strings("pass.qr"));
    }
    tick(performance.now());
  }

  /**
   * @param {number} now
   * @returns {boolean} whether the countdown runs
   */
  const tick = (now) => element.open && showTime(strings, dialog, fresh(), now);

  return {
    element,
    /** Opens the dialog and asks for a pass. */
    open() {
      element.showModal();
      renew();
      dialog.done.focus();
    },
    /** @param {State} now */
    update(now) {
      state = now;
      if (!element.open) return;
      // The page shows a refusal behind the dialog, so the dialog closes.
      const refused = !fresh() && now.notice?.kind === "error" && now.notice !== oldNotice;
      if (refused) element.close();
      else show();
    },
    tick,
    /** Closes the dialog because the player has lost the seat. */
    dismiss() {
      if (element.open) element.close();
    },
  };
}
