// The line in a room of a party: which party and round, and after a draw who begins.
// @ts-check

import { partyOf } from "../client/party-view.js";
import { html } from "../html.js";
import { Link } from "../link.js";
import { isOver, winner } from "../client/rules.js";
import { strings } from "../strings.js";
import { follow } from "./calls.js";
import { rounds } from "./model.js";
import { CallBar } from "./call-bar.js";
import { Follower } from "./follower.js";
import { beginsText, roundText } from "./text.js";

/** The most games of a pairing. */
const MOST_GAMES = 3;

/** @typedef {{page: import("../view.js").Page, state: import("../core/state.js").State & {room: import("../core/state.js").Room}}} Props */

/** @extends {Follower<Props>} */
export class RoomLine extends Follower {
  componentDidMount() {
    follow(this.props.page);
    this.componentDidUpdate();
  }

  /** A reload in a room follows the party again. */
  componentDidUpdate() {
    const { party } = this.props.state.room.settings;
    if (party) this.follow(party.party, "spectator");
  }

  /** @param {Props} props */
  render({ state }) {
    const { room } = state;
    const tag = room.settings.party;
    if (!tag) return null;
    const party = partyOf(state, tag.party);
    const { game } = tag;
    const facts = [];
    const pairing = party?.state.pairings.find(({ number }) => number === tag.pairing);
    if (pairing?.stage === "third") facts.push(strings("party.stage.third"));
    else if (party && party.state.settings.format !== "winner_stays") facts.push(roundText(party.state, roundOf(party, tag.pairing)));
    // The line about the next game after a draw stands in the place of the rest: the board keeps its place.
    const again = againText(party, room);
    const elsewhere = party && (room.you.length === 0 || isOver(room));
    return html`<p class="party-line">
        ${!again && html`<span><${Link} to=${{ screen: "party", code: tag.party }}><bdi>${party?.state.name ?? tag.party}</bdi><//>${facts.map((fact) => ` · ${fact}`)}</span>`}
        <span role="status">${again || (game > 1 ? strings("party.game", { game }) : "")}</span>
      </p>
      ${elsewhere && html`<${CallBar} party=${party} state=${state} send=${this.context.send} />`}`;
  }
}

/** The round of a pairing. @param {import("./model.js").Party} party @param {number} pairing */
const roundOf = ({ state }, pairing) =>
  rounds(state).find(({ met }) => met.some(({ number }) => number === pairing))?.round ?? state.round;

/** A drawn game is played again, and the other one begins. @param {import("./model.js").Party | null} party @param {import("../core/state.js").Room} room */
function againText(party, room) {
  const tag = room.settings.party;
  const pairing = party?.state.pairings.find(({ number }) => number === tag?.pairing);
  if (!party || !tag || !pairing || pairing.outcome || party.state.phase === "over") return "";
  const drawn = isOver(room) && !winner(room.game);
  if (drawn && tag.game < MOST_GAMES) {
    return `${strings("party.again")} ${beginsText(party.state, pairing, tag.game + 1, party.me?.number)}`;
  }
  return tag.game > 1 && !isOver(room) ? `${strings("party.game", { game: tag.game })}. ${beginsText(party.state, pairing, tag.game, party.me?.number)}` : "";
}
