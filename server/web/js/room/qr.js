// A link as a QR code, drawn as one SVG path: dark on light in every colour scheme, because
// that is what cameras read. The encoder is in ../vendor.
// @ts-check

import { svg } from "../dom.js";
import { encode } from "../vendor/uqr.mjs";

/** The quiet zone around a code that its standard asks for, in modules. */
const BORDER = 4;

/**
 * The drawing of a text as a QR code, with `name` for who cannot see it.
 * @param {string} text
 * @param {string} name
 */
export function qrCode(text, name) {
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
  const attributes = { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": name, class: "qr" };
  return svg("svg", attributes, svg("path", { d, "shape-rendering": "crispEdges" }));
}
