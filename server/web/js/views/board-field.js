// The choice of the board: the usual ones of the variant as drawn grids, the rest behind a button, and
// where it may be any board, another one by its three numbers.
// @ts-check

import { boardsOf, parseBoard, takesAnyBoard } from "../choices.js";
import { MAX_SIDE, MIN_SIDE } from "../client/generated/constants.js";
import { Component, createRef, html } from "../html.js";
import { strings } from "../strings.js";
import { lineText, sizeText } from "../variant-text.js";
import { BoardPicture } from "./board-picture.js";
import { Chips } from "./chips.js";

/** The offered boards that stand behind the button. */
const RARE = ["13x13x5", "19x19x5"];

/** The second click of a double click on the button would choose the board that came there. @param {MouseEvent} event */
const once = (event) => event.detail > 1 && event.preventDefault();

/** @extends {Component<import("./fields.js").Props, {isOther: boolean, all: boolean}>} */
export class BoardField extends Component {
  #row = /** @type {{current: HTMLElement | null}} */ (createRef());

  /** @param {import("./fields.js").Props} props */
  constructor(props) {
    super(props);
    const { board } = props.values;
    const isOther = !boardsOf(props.setting, props.values).includes(board);
    this.state = { isOther, all: isOther || RARE.includes(board) };
  }

  /** @param {string} board */
  #choose = (board) => {
    this.setState({ isOther: board === "other" });
    if (board !== "other") this.props.set("board", board);
  };

  /** Shows all boards. The focus goes to the first one that was hidden. */
  #showAll = () => {
    const first = () => /** @type {HTMLElement | null | undefined} */ (
      this.#row.current?.querySelector(`[value="${RARE[0]}"]`) ?? this.#row.current?.querySelector('[value="other"]'));
    this.setState({ all: true }, () => first()?.focus());
  };

  /** @param {import("./fields.js").Props} props @param {{isOther: boolean, all: boolean}} state */
  render({ setting, values }, { isOther, all }) {
    const boards = boardsOf(setting, values);
    const isFree = takesAnyBoard(values);
    if (boards.length === 1 && !isFree) return null;
    const chip = (/** @type {string} */ board) => boardChip(board, /** @type {any} */ (values.variant));
    const shown = boards.filter((board) => all || !RARE.includes(board));
    const chips = shown.map(chip);
    if (all && isFree) chips.push({ value: "other", label: strings("board.other") });
    const hides = !all && (isFree || shown.length < boards.length);
    const isWrong = parseBoard(values.board) === null;
    const more = html`<button type="button" class="option" onclick=${this.#showAll}>${strings("board.more")}</button>`;
    const numbers = ["width", "height", "line"];
    return html`
      <div ref=${this.#row} onclickcapture=${once}>
        <${Chips}
          name="board"
          title=${strings("field.board")}
          chips=${chips}
          value=${isOther ? "other" : values.board}
          choose=${this.#choose}
          layout="board-group"
          extra=${hides && more}
        >
          ${isOther && html`<div class="sizes">${numbers.map((name, at) => this.#number(name, at, isWrong))}</div>`}
          <p class="error" role="alert" id="board-error" hidden=${!isWrong}>
            ${isWrong ? strings("board.error", { min: MIN_SIDE, max: MAX_SIDE }) : ""}
          </p>
        <//>
      </div>
    `;
  }

  /** @param {string} name @param {number} at its place in the text of a board @param {boolean} isWrong */
  #number(name, at, isWrong) {
    const { values, set } = this.props;
    const numbers = values.board.split("x");
    const change = (/** @type {import("./fields.js").InputEvent} */ { currentTarget }) =>
      set("board", numbers.with(at, currentTarget.value).join("x"));
    return html`
      <div class="field" key=${name}>
        <label for=${name} class="label">${strings(`board.${name}`)}</label>
        <input
          id=${name}
          class="input"
          type="number"
          inputmode="numeric"
          min=${MIN_SIDE}
          max=${MAX_SIDE}
          aria-invalid=${isWrong}
          aria-describedby=${isWrong ? "board-error" : null}
          value=${numbers[at]}
          oninput=${change}
        />
      </div>
    `;
  }
}

/** @param {string} text @param {import("../client/protocol.js").Variant} [variant] @returns {import("./chips.js").Chip} */
function boardChip(text, variant = "line") {
  const board = /** @type {import("../client/protocol.js").BoardSpec} */ (parseBoard(text));
  const note = variant === "line" ? strings("board.wins", { line: board.line }) : lineText(board, variant);
  // A cube is drawn as one of its layers.
  const drawn = variant === "qubic" ? { ...board, height: board.width } : board;
  return { value: text, label: sizeText(board, variant), note, drawing: html`<${BoardPicture} board=${drawn} />` };
}
