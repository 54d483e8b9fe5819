// The actions on the own identity: take it to another device by a pass or a file, and be forgotten.
// @ts-check

import { Dialog, closeDialog, closing } from "../dialog.js";
import { Component, createRef, html } from "../html.js";
import { later, loadPart } from "../later.js";
import { FACES } from "../parts.js";
import { LinkDevice } from "../room/link-device.js";
import { BASE } from "../router.js";
import { NameField } from "../views/name-field.js";
import { strings } from "../strings.js";
import { saveFile } from "../save-file.js";
import { MAX_FILE_BYTES, fileName, fileText, parseFile } from "./identity-file.js";
import { isKnown } from "./known-identity.js";

const FaceChooser = later(FACES, "FaceChooser");
const HideSwitch = later(FACES, "HideSwitch");

/** @typedef {import("../view.js").Props} Props */
/** @typedef {import("./identity-file.js").Kept} Kept */
/**
 * `open`: the dialog, or the file that was read; `wrong`: whether `told` is an error; `ready`: whether the faces are
 * there, or cannot be
 * @typedef {{open: "device" | "forget" | Kept | null, told: string, wrong: boolean, ready: boolean}} Shown
 */

/** @extends {Component<Props, Shown>} */
export class IdentityPanel extends Component {
  /** @type {Shown} */
  state = { open: null, told: "", wrong: false, ready: FACES.module !== null };
  #input = /** @type {{current: HTMLInputElement | null}} */ (createRef());

  componentDidMount() {
    const show = () => this.setState({ ready: true });
    loadPart(FACES).then(show, show);
  }

  #save = () => {
    const { player } = this.props.page;
    const { name, token } = player.secret();
    if (!token) return;
    const file = { server: BASE.href, name, token };
    saveFile(fileName(name), new Blob([fileText(file)], { type: "application/json" }));
    this.setState({ told: strings("identity.saved", { name: fileName(name) }), wrong: false });
  };

  #choose = () => this.#input.current?.click();

  #read = async () => {
    const input = this.#input.current;
    const file = input?.files?.[0];
    if (!input || !file) return;
    const text = file.size > MAX_FILE_BYTES ? "" : await file.text();
    input.value = "";
    const kept = parseFile(text);
    this.setState(kept ? { open: kept, told: "" } : { open: null, told: strings("identity.wrong"), wrong: true });
  };

  /** The player of this browser stays if the server does not know the one of the file. @param {Kept} kept */
  async #become(kept) {
    const { page, state } = this.props;
    const known = await isKnown(kept);
    if (known) return page.player.become(kept);
    const key = known === false ? "identity.unknown" : "identity.unanswered";
    this.setState({ told: strings(key, { now: state.me?.name ?? "" }), wrong: true });
  }

  #close = () => this.setState({ open: null });

  /** @param {Props} props @param {Shown} shown */
  render({ page, state }, { told, wrong, ready }) {
    if (!ready) return html`<div data-waits="true"></div>`;
    const button = (/** @type {string} */ key, /** @type {() => void} */ act) => html`
      <button type="button" class="button-quiet" onclick=${act}>${strings(key)}</button>
    `;
    const open = (/** @type {"device" | "forget"} */ dialog) => () => this.setState({ open: dialog, told: "" });
    return html`
      <section class="group identity">
        <h2>${strings("identity.title")}</h2>
        <${NameField} player=${page.player} />
        <${FaceChooser} player=${page.player} face=${page.player.face()} />
        <${HideSwitch} page=${page} state=${state} />
        <p>${strings("identity.text")}</p>
        <div class="buttons">
          ${button("identity.save", this.#save)} ${button("identity.read", this.#choose)}
          ${button("identity.device", open("device"))}
        </div>
        <input ref=${this.#input} type="file" accept=".json,application/json" hidden onchange=${this.#read} />
        <p class="share-told" role="status" data-kind=${wrong ? "error" : null}>${told}</p>
      </section>
      <section class="group identity">
        <h2>${strings("forget.title")}</h2>
        <p>${strings("forget.text")}</p>
        <div class="buttons">
          <button type="button" class="button-danger" onclick=${open("forget")}>${strings("forget.ask")}</button>
        </div>
      </section>
      ${this.#dialog()}
    `;
  }

  #dialog() {
    const { state } = this.props;
    const { open } = this.state;
    if (open === "device") return html`<${LinkDevice} state=${state} room=${null} onclose=${this.#close} />`;
    if (open === "forget") {
      const forget = () => this.context.send({ type: "forget" });
      return html`<${Question} name="forget" danger=${true} go=${forget} onclose=${this.#close} />`;
    }
    if (!open) return null;
    const elsewhere = open.server !== "" && open.server !== BASE.href;
    const params = { name: open.name, now: state.me?.name ?? "", server: open.server };
    return html`<${Question} name="identity" params=${params} go=${() => this.#become(open)} onclose=${this.#close}>
      ${elsewhere && html`<p class="error">${strings("identity.elsewhere", params)}</p>`}
    <//>`;
  }
}

/**
 * A question before what cannot be undone.
 *
 * @param {{name: string, params?: Record<string, string>, danger?: boolean, go: () => void,
 *   onclose: () => void, children?: import("../html.js").Children}} props
 */
const Question = ({ name, params, danger, go, onclose, children }) => html`<${Dialog}
  aria-labelledby="question-title"
  aria-describedby="question-text"
  onclose=${onclose}
>
  <h2 id="question-title">${strings(`${name}.question`, params)}</h2>
  <p id="question-text">${strings(`${name}.warning`, params)}</p>
  ${children}
  <div class="buttons">
    <button type="button" class=${danger ? "button-danger" : "button-primary"} onclick=${closing(go)}>${strings(`${name}.go`, params)}</button>
    <button type="button" class="button-quiet" autofocus onclick=${closeDialog}>${strings("board.cancel")}</button>
  </div>
<//>`;
