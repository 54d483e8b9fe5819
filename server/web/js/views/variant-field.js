// The choice of the variant: the usual ones as drawings, the rest behind a button.
// @ts-check

import { valueOf } from "../choices.js";
import { Component, createRef, html } from "../html.js";
import { variantPicture } from "../room/variant-picture.js";
import { strings } from "../strings.js";
import { variantName } from "../variant-text.js";
import { Chips } from "./chips.js";

/** The variants that are always in sight. */
const USUAL = ["line", "ultimate", "gravity"];

/** @extends {Component<import("./fields.js").Props, {all: boolean}>} */
export class VariantField extends Component {
  state = { all: !USUAL.includes(valueOf(this.props.setting, this.props.values)) };
  #row = /** @type {{current: HTMLElement | null}} */ (createRef());

  /** Shows all variants. The focus goes to the first one that was hidden. */
  #showAll = () => {
    const first = () => /** @type {HTMLElement | null | undefined} */ (this.#row.current?.querySelector(`input:not(${USUAL.map((one) => `[value="${one}"]`).join()})`));
    this.setState({ all: true }, () => first()?.focus());
  };

  /** @param {import("./fields.js").Props} props @param {{all: boolean}} state */
  render({ setting, values, set }, { all }) {
    const { name, values: offered } = setting;
    const rest = all ? offered.filter((one) => !USUAL.includes(one)) : [];
    const shown = [...USUAL.filter((one) => offered.includes(one)), ...rest];
    const chips = shown.map((/** @type {any} */ value) => (
      { value, label: variantName(value), note: strings(`variant.${value}.note`), drawing: variantPicture(value) }
    ));
    const more = html`<button type="button" class="option" onclick=${this.#showAll}>${strings("variant.more")}</button>`;
    return html`<div ref=${this.#row}>
      <${Chips}
        name=${name}
        title=${strings(`field.${name}`)}
        chips=${chips}
        value=${valueOf(setting, values)}
        choose=${(/** @type {string} */ value) => set(name, value)}
        layout="variant-group"
        extra=${!all && offered.length > shown.length && more}
      />
    </div>`;
  }
}
