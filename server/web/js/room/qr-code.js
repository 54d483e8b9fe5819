// A link as a QR code, drawn as one SVG path: dark on light in every colour scheme, because
// that is what cameras read. The encoder is in ../vendor.
// @ts-check

import { replace, svg } from "../dom.js";

/** The quiet zone around a code that its standard asks for, in modules. */
const BORDER = 4;

/** The text that each place shows: a slower drawing of an earlier one is dropped. */
const shown = new WeakMap();

/**
 * Draws a text as a QR code into a place, with `name` for who cannot see it; "" clears it. The
 * encoder is fetched for the first one; where that fails, the link beside the code still serves.
 * @param {Element} place
 * @param {string} text
 * @param {string} name
 */
export async function showQrCode(place, text, name) {
  shown.set(place, text);
  replace(place);
  if (text === "") return;
  const encoder = await import("../vendor/uqr.mjs").catch(() => null);
  if (encoder && shown.get(place) === text) replace(place, drawing(encoder.encode, text, name));
}

/**
 * @param {typeof import("../vendor/uqr.mjs").encode} encode
 * @param {string} text
 * @param {string} name
 */
function drawing(encode, text, name) {
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  let d = "";
  data.forEach((/** @type {boolean[]} */ row, /** @type {number} */ y) => {
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      d += `M${from} ${y}h${x + 1 - from}v1h-${x + 1 - from}z`;
    }
  });
  const attributes = {
    viewBox: `0 0 ${size} ${size}`,
    role: "img",
    "aria-label": name,
    class: "qr",
  };
  return svg("svg", attributes, svg("path", { d, "shape-rendering": "crispEdges" }));
}
