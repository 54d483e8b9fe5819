// The small picture of a variant in a form. It is drawn once the part with the drawings is there.
// @ts-check

import { html } from "../html.js";
import { later } from "../later.js";
import { VARIANTS } from "../parts.js";

const VariantPicture = later(VARIANTS, "VariantPicture");

/** Its place is kept until it is there. @param {import("../client/protocol.js").Variant} variant */
export const variantPicture = (variant) => html`<span class="variant-picture" aria-hidden="true"><${VariantPicture} variant=${variant} /></span>`;
