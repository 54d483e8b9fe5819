// The invitation for a friend: the code, the link, a QR code, a copy button and, where the device has
// one, the share sheet.
// @ts-check

import { h, setText, toggle, uniqueId } from "../dom.js";
import { copyField } from "./copy-field.js";
import { showQrCode } from "./qr-code.js";

/** @typedef {import("../strings.js").Strings} Strings */

/**
 * @param {{strings: Strings, title: string, text?: string}} options
 */
export function createShare({ strings, title, text }) {
  const [headingId, linkId] = [uniqueId(), uniqueId()];
  const code = h("output", { class: "share-code", "aria-label": strings("share.code") });
  const link = h("input", { id: linkId, class: "share-link", type: "text", readOnly: true });
  link.addEventListener("focus", () => link.select());
  const drawing = h("div", { class: "share-qr" });
  const copy = h(
    "button",
    { type: "button", class: "button-primary", onclick: copyLink },
    strings("share.copy"),
  );
  const sheet = h(
    "button",
    { type: "button", class: "button-quiet", onclick: openSheet },
    strings("share.sheet"),
  );
  const status = h("p", { class: "share-told", role: "status" });
  const element = h(
    "section",
    { class: "share", "aria-labelledby": headingId },
    h("h2", { id: headingId }, title),
    text ? h("p", { class: "share-text" }, text) : null,
    code,
    drawing,
    h("label", { for: linkId, class: "visually-hidden" }, strings("share.link")),
    link,
    h("div", { class: "buttons" }, copy, sheet),
    status,
  );

  async function copyLink() {
    setText(status, "");
    const copied = await copyField(link);
    setText(status, strings(copied ? "share.copied" : "share.copy.hand"));
  }

  async function openSheet() {
    try {
      await navigator.share({ text: strings("share.invitation"), url: link.value });
    } catch {
      // The player closed the sheet.
    }
  }

  return {
    element,
    /** @param {string} room @param {string} url */
    update(room, url) {
      setText(code, room);
      toggle(sheet, typeof navigator.share === "function");
      if (link.value === url) return;
      link.value = url;
      showQrCode(drawing, url, strings("share.qr", { code: room }));
    },
  };
}
