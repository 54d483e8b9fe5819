// The shared parts of a party's screens: the heading with the switch of the sounds, the list of who is in, the
// invitation.
// @ts-check

import { Ask } from "../dialog.js";
import { Component, html } from "../html.js";
import { Link } from "../link.js";
import { SoundButton } from "../room/alerts.js";
import { linkTo } from "../room/room-link.js";
import { isolated } from "../room/room-text.js";
import { Share } from "../room/share.js";
import { keepAwake } from "../room/wake-lock.js";
import { NameField } from "../views/name-field.js";
import { strings } from "../strings.js";
import { callable } from "./calls.js";
import { EntrantName } from "./entrant-menu.js";
import { entrantNote, factsOf, ledText } from "./text.js";

/** @typedef {import("./model.js").Party} Party */
/** @typedef {import("../view.js").Props & {party: Party}} Props what the screens of a party get */

/**
 * The party's name, its format and round. The device stays awake: a phone that sleeps misses its game.
 *
 * @extends {Component<Props>}
 */
export class Head extends Component {
  #release = () => {};

  componentDidMount() {
    if (this.props.party.state.phase === "playing") this.#release = keepAwake();
  }

  componentWillUnmount() {
    this.#release();
  }

  /** @param {Props} props */
  render({ party, state }) {
    return html`<header class="party-head">
      <div>
        <h1><bdi>${party.state.name}</bdi></h1>
        <p class="note">${factsOf(party.state)}</p>
        <p class="note" role="status">${ledText(party.state)}</p>
        <p class="note" role="status">${party.me?.fixed_name && strings("party.named", { name: isolated(party.me.name) })}</p>
      </div>
      <${SoundButton} prefs=${state.prefs} />
    </header>`;
  }
}

/**
 * Everybody who plays, as names on the paper.
 *
 * @param {{party: Party, state: import("../core/state.js").State}} props
 */
export function Entrants({ party, state: page }) {
  const { state, presence, me } = party;
  return html`<ul class="party-entrants" role="list">
    ${state.entrants.map(({ number, left }) => {
      const note = entrantNote(state, number, presence.away);
      return html`<li key=${number} class=${left ? "is-left" : number === me?.number ? "is-me" : null}>
        <${EntrantName} party=${party} state=${page} number=${number} />${note && html` <small>(${note})</small>`}
      </li>`;
    })}
  </ul>`;
}

/** The code and the ways to bring others in. @param {Props & {title: string}} props */
export function Invitation({ party, state, title }) {
  const route = { screen: /** @type {const} */ ("party"), code: party.state.code };
  return html`<div class="party-share">
    <${Share} title=${title} code=${party.state.code} link=${linkTo(route, state.server)} />
    <p><${Link} to=${{ screen: "screen", code: party.state.code }} target="_blank">${strings("party.screen")}<//></p>
    ${party.isHost && html`<p><${Link} to=${{ screen: "sheet", code: party.state.code }} target="_blank">${strings("party.printed")}<//></p>`}
  </div>`;
}

/**
 * The name and the button with which one comes in, or comes back. A server that lets nobody in says nothing:
 * then this does.
 *
 * @extends {Component<Props & {back?: boolean}, {pressed: boolean}>}
 */
export class ComeIn extends Component {
  state = { pressed: false };

  /** @param {Event & {currentTarget: HTMLElement}} event */
  #join = ({ currentTarget }) => {
    const { page, party } = this.props;
    // A typed name is saved when its field loses the focus. A tap does not always take it.
    currentTarget.focus();
    page.player.keep();
    this.setState({ pressed: true });
    if (!this.props.back) callable(this.context, this.props.state.prefs);
    page.send({ type: "join_party", party: party.state.code, role: "player" });
  };

  /** @param {Props & {back?: boolean}} props @param {{pressed: boolean}} now */
  render({ page, party, state, back = false }, { pressed }) {
    const { me, state: { phase } } = party;
    const joining = state.unanswered.some(({ type }) => type === "join_party");
    const refused = pressed && !joining && state.connection.phase === "open";
    return html`<div class="party-come">
      ${!back && html`<${NameField} player=${page.player} />`}
      <button type="button" class="button-primary wide party-big" aria-disabled=${joining} onclick=${this.#join}>
        ${strings(back ? "party.comeBack" : "party.join")}
      </button>
      <p class="note" role="status">${refused ? strings(me || phase === "gathering" ? "party.comeBack.not" : "party.join.not") : ""}</p>
    </div>`;
  }
}

/** A host who only leads comes in too. @param {Props} props */
export const PlayToo = (props) => html`<details class="more">
  <summary>${strings("party.plays.too")}</summary>
  <div><${ComeIn} ...${props} /></div>
</details>`;

/**
 * Leaves the party as an entrant, after a question.
 *
 * @extends {Component<{party: Party}, {asks: boolean}>}
 */
export class Withdraw extends Component {
  state = { asks: false };

  /** @param {{party: Party}} props @param {{asks: boolean}} state */
  render({ party }, { asks }) {
    const { phase, settings } = party.state;
    const kind = phase !== "playing" ? "text" : settings.format === "knockout" ? "knockout" : "playing";
    const withdraw = () => this.context.send({ type: "withdraw", party: party.state.code });
    return html`<button type="button" class="button-bare" onclick=${() => this.setState({ asks: true })}>
        ${strings("party.withdraw")}
      </button>
      ${asks && html`<${Ask}
        title=${strings("party.withdraw.title")}
        text=${strings(`party.withdraw.${kind}`)}
        yes=${strings("party.withdraw")}
        no=${strings("party.no")}
        accept=${withdraw}
        onclose=${() => this.setState({ asks: false })}
      />`}`;
  }
}
