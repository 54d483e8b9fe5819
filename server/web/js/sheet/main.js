// The sheet of a party, to be printed: how people come in. It looks on as a big screen does, because those are led
// nowhere.
// @ts-check

import { PARTY_CORE } from "../client/party.js";
import { useParty } from "../client/party-hook.js";
import { html } from "../html.js";
import { Link } from "../link.js";
import { Follower, isFinal } from "../party/follower.js";
import { QrCode } from "../room/qr-code.js";
import { hereOnlyText, linkTo } from "../room/room-link.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").State} State */

/** @param {State} state */
const codeOf = ({ route }) => /** @type {{code: string}} */ (route).code;

export class Sheet extends Follower {
  componentDidMount() {
    useParty(PARTY_CORE);
    this.componentDidUpdate();
  }

  componentDidUpdate() {
    this.follow(codeOf(this.props.state), "screen");
  }

  /** @param {import("../view.js").Props} props */
  render({ state }) {
    const code = codeOf(state);
    const party = state.party?.state.code === code ? state.party.state : null;
    if (!party) return html`<div class="screen"><h1>${strings(isFinal(this.refusal) ? "sheet.unknown" : "sheet.opening", { code })}</h1></div>`;
    const link = linkTo({ screen: "party", code }, state.server);
    const warning = hereOnlyText(link);
    const { host, pathname } = new URL(linkTo({ screen: "welcome" }, state.server));
    return html`<div class="screen sheet">
      <h1><bdi>${party.name}</bdi></h1>
      <${QrCode} text=${link} name=${strings("share.qr", { code })} />
      <p class="sheet-address">${host}<wbr />${pathname === "/" ? "" : pathname}</p>
      ${warning && html`<p class="note">${warning}</p>`}
      <p class="sheet-code" aria-label=${strings("share.code")}>${code}</p>
      <ol class="sheet-steps">
        ${["scan", "name", "ready"].map((step) => html`<li key=${step}>${strings(`sheet.${step}`)}</li>`)}
      </ol>
      <div class="buttons">
        <button type="button" class="button-primary" onclick=${() => print()}>${strings("sheet.print")}</button>
        <${Link} class="button-quiet" to=${{ screen: "party", code }}>${strings("sheet.party")}<//>
      </div>
    </div>`;
  }
}
