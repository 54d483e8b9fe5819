// A party before it starts: how others come in, who is there, and the button that starts it.
// @ts-check

import { isFull } from "../client/party-view.js";
import { Component, html } from "../html.js";
import { strings } from "../strings.js";
import { rules } from "../views/summary.js";
import { NameField } from "../views/name-field.js";
import { Files } from "./files.js";
import { ComeIn, Entrants, Head, Invitation, PlayToo, Withdraw } from "./head.js";
import { Host } from "./host.js";
import { partyRules } from "./rules.js";
import { fullText, leaderName } from "./text.js";

/** As few can play a party. */
const LEAST = 2;

/** @param {import("./head.js").Props} props */
export function Gathering(props) {
  const { party, page, state } = props;
  const { me, isHost } = party;
  const { entrants, settings } = party.state;
  const there = entrants.filter(({ left }) => !left).length;
  const few = there < LEAST && !settings.fill;
  const starting = state.unanswered.some(({ type }) => type === "start_party");
  const plays = me && !me.left;
  return html`<div class="screen form party">
    <${Head} ...${props} />
    <p class="note">${rulesOf(party.state)}</p>
    <div class="two-columns">
      <div>
        ${plays
          ? html`<div class="party-card" role="status">
              <h2>${strings("party.you.in.headline")}</h2>
              <p>${strings(isHost ? "party.host.start" : "party.you.in", { name: leaderName(party.state) })}</p>
              ${state.prefs.sound !== "off" && html`<p class="note">${strings("vibrate" in navigator ? "party.calls.vibrate" : "party.calls")}</p>`}
              ${!me.fixed_name && html`<${OwnName} ...${props} />`}
            </div>`
          : me?.set_aside
            ? html`<div class="party-card" role="status">
                <h2>${strings("party.gone.headline")}</h2>
                <p>${strings("party.aside", { name: leaderName(party.state) })}</p>
              </div>`
            : !isHost && (!me && fullText(party.state)
              ? html`<div class="party-card" role="status">
                  <h2>${strings("party.visitor.headline")}</h2>
                  <p>${fullText(party.state)}</p>
                </div>`
              : html`<${ComeIn} ...${props} />`)}
        <${Invitation} ...${props} title=${strings("party.bring")} />
        ${isHost && !plays && !me?.set_aside && (me || !isFull(party.state)) && html`<${PlayToo} ...${props} />`}
      </div>
      <div>
        <section class="group">
          <h2>${strings("party.who", { count: there })}</h2>
          ${entrants.length > 0 ? html`<${Entrants} party=${party} state=${state} />` : html`<p class="empty">${strings("party.nobody")}</p>`}
        </section>
        ${(party.state.playedBefore ?? 0) > 0 && html`<${Files} party=${party} />`}
        ${isHost && html`<${Host} ...${props} />`}
        ${plays && html`<div><${Withdraw} party=${party} /></div>`}
      </div>
    </div>
    ${isHost && html`<div class="go">
      ${few && html`<p id="party-few" class="note">${strings("party.host.few")}</p>`}
      <button
        type="button"
        class="button-primary wide"
        aria-describedby="party-few"
        aria-disabled=${few || starting}
        onclick=${() => !few && !starting && page.send({ type: "start_party", party: party.state.code })}
      >
        ${strings("party.start")}
      </button>
    </div>`}
  </div>`;
}

/**
 * The name of somebody who is in. An entrant who changes it comes in again with the new one.
 *
 * @extends {Component<import("./head.js").Props>}
 */
class OwnName extends Component {
  #name = this.props.page.player.name();

  componentDidUpdate() {
    const { page, party, state } = this.props;
    const name = page.player.name();
    if (name === this.#name || state.connection.phase !== "open" || state.following) return;
    this.#name = name;
    page.send({ type: "join_party", party: party.state.code, role: "player" });
  }

  render() {
    return html`<${NameField} player=${this.props.page.player} />`;
  }
}

/** How the party is played. @param {import("./model.js").PartyState} party */
function rulesOf({ settings }) {
  const { format } = settings;
  const chosen = [rules(/** @type {any} */ (settings)), ...partyRules(settings)].join(", ");
  return `${strings(`format.${format}`)}: ${strings(`format.${format}.note`)} ${chosen}.`;
}
