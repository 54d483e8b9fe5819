// How a friend gets in: the code and the link, large, a QR code of it, a button that copies it
// and, where the device has one, its own way of sharing.
// @ts-check

import { h, setText, toggle, uniqueId } from "../dom.js";
import { copyFrom } from "./copy.js";
import { showQr } from "./qr.js";

/**
 * @param {{t: import("./say.js").T, title: string, text?: string}} options
 */
export function createShare({ t, title, text }) {
  const [headingId, linkId] = [uniqueId(), uniqueId()];
  const code = h("output", { class: "share-code", "aria-label": t("share.code") });
  const link = h("input", { id: linkId, class: "share-link", type: "text", readOnly: true });
  link.addEventListener("focus", () => link.select());
  const drawing = h("div", { class: "share-qr" });
  const copy = h(
    "button",
    { type: "button", class: "button-primary", onclick: copyLink },
    t("share.copy"),
  );
  const sheet = h(
    "button",
    { type: "button", class: "button-quiet", onclick: openSheet },
    t("share.sheet"),
  );
  const told = h("p", { class: "share-told", role: "status" });
  const element = h(
    "section",
    { class: "share", "aria-labelledby": headingId },
    h("h2", { id: headingId }, title),
    text ? h("p", { class: "share-text" }, text) : null,
    code,
    drawing,
    h("label", { for: linkId, class: "visually-hidden" }, t("share.link")),
    link,
    h("div", { class: "buttons" }, copy, sheet),
    told,
  );

  async function copyLink() {
    setText(told, "");
    const copied = await copyFrom(link);
    setText(told, t(copied ? "share.copied" : "share.copy.hand"));
  }

  async function openSheet() {
    try {
      await navigator.share({ text: t("share.invitation"), url: link.value });
    } catch {
      // Whoever closes the sheet has changed their mind: there is nothing to say.
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
      showQr(drawing, url, t("share.qr", { code: room }));
    },
  };
}
