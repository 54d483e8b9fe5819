// Parties, loaded when one of their screens is shown, and with the first room of a party.
// @ts-check

import { partyOf } from "../client/party-view.js";
import { PARTY_CORE } from "../client/party.js";
import { useParty } from "../client/party-hook.js";
import { Ask } from "../dialog.js";
import { html } from "../html.js";
import { Link } from "../link.js";
import { takePass } from "../pass.js";
import { textOf } from "../shell.js";
import { strings } from "../strings.js";
import { WaitingPen } from "../views/entering.js";
import { callable, follow, forgetParty } from "./calls.js";
import { PartyForm } from "./form.js";
import { readGames } from "./files.js";
import { Follower, isFinal } from "./follower.js";
import { Gathering } from "./gathering.js";
import { Over } from "./over.js";
import { Playing } from "./playing.js";
import { RoomLine } from "./room-line.js";
import { name } from "./text.js";

export { RoomLine };

useParty(PARTY_CORE);

/** @typedef {import("../view.js").Props} Props */

/** The archive gets the last game so long after the party has ended, in milliseconds. */
const ARCHIVE_MS = 1_000;

/** @param {Props} props */
export const Party = ({ page, state }) => {
  const { route } = state;
  return "code" in route
    ? html`<${Joined} page=${page} state=${state} code=${route.code} />`
    : html`<${PartyForm} page=${page} state=${state} />`;
};

/**
 * A party by its address. A visitor looks on; an entrant comes back as one. A visitor with the
 * host's pass is asked whether they take the place.
 *
 * @extends {Follower<{code: string}, {pass: string | null, games: import("./files.js").Games}>}
 */
class Joined extends Follower {
  state = { pass: takePass("place"), games: {} };

  /** Reads the games. */
  #timer = 0;

  /** A link to this party may come where the party is shown already. */
  #link = () => this.setState(({ pass }) => ({ pass: takePass("place") ?? pass }));

  componentDidMount() {
    follow(this.props.page);
    addEventListener("hashchange", this.#link);
    this.componentDidUpdate();
  }

  componentWillUnmount() {
    removeEventListener("hashchange", this.#link);
    clearTimeout(this.#timer);
    super.componentWillUnmount();
  }

  /** Reads the games of a party once it is over. It may begin again. */
  #readGames() {
    const { code, state } = this.props;
    if (partyOf(state, code)?.state.phase !== "over") this.#timer = 0;
    else if (state.features.history) {
      this.#timer ||= setTimeout(() => readGames(code).then((games) => this.setState({ games }), () => {}), ARCHIVE_MS);
    }
  }

  /** @param {Props & {code: string}} [before] */
  componentDidUpdate(before) {
    const { page, code, state } = this.props;
    if (before && placeIn(before.state, code) !== placeIn(state, code)) scrollTo(0, 0);
    this.#readGames();
    this.follow(code, "spectator");
    if (partyOf(state, code) || !isFinal(this.refusal)) return;
    forgetParty(page, code);
    // The screen says it, and the notice would cover its heading.
    if (state.notice?.key?.startsWith("refused.")) page.dispatch({ type: "dismiss" });
  }

  /** @param {Props & {code: string}} props @param {{pass: string | null, games: import("./files.js").Games}} now */
  render({ page, state, code }, { pass, games }) {
    const { refusal } = this;
    const party = partyOf(state, code);
    if (!party && isFinal(refusal)) return html`<${Missing} code=${code} removed=${refusal?.key === "refused.banned"} />`;
    if (!party && state.connection.phase === "ended") {
      return html`<div class="screen"><h1>${strings("party.entering.not", { code })}</h1></div>`;
    }
    if (!party) {
      return html`<div class="screen waiting" data-waits="true"><${WaitingPen} /><h1>${strings("party.entering", { code })}</h1><p class="lead" role="status">${refusal && textOf(refusal)}</p></div>`;
    }
    const Shown = { gathering: Gathering, playing: Playing, over: Over }[party.state.phase];
    return html`<${Shown} page=${page} state=${state} party=${party} games=${games} />
      ${pass && html`<${Ask}
        title=${strings("place.take.title", { name: name(party.state, ofPass(pass)) })}
        text=${strings("place.take.text")}
        yes=${strings("place.take")}
        no=${strings("party.no")}
        danger=${false}
        accept=${() => {
          callable(page, state.prefs);
          page.send({ type: "take_place", party: code, pass });
        }}
        onclose=${() => this.setState({ pass: null })}
      />`}`;
  }
}

/** The entrant whose place a pass gives. @param {string} pass */
const ofPass = (pass) => Number.parseInt(pass, 10);

/**
 * The key of the screen: the phase, and whether the viewer plays.
 * @param {import("../core/state.js").State} state
 * @param {string} code
 */
function placeIn(state, code) {
  const party = partyOf(state, code);
  return party && `${party.state.phase} ${party.me ? party.me.left : null}`;
}

/** @param {{code: string, removed: boolean}} props */
const Missing = ({ code, removed }) => html`<div class="screen">
  <header>
    <h1>${strings(removed ? "party.out.removed" : "party.missing")}</h1>
    <p class="lead" role="status">${strings(removed ? "party.out.removed.text" : "party.missing.text", { code })}</p>
  </header>
  <div class="buttons">
    <${Link} class="button-primary" to=${{ screen: "welcome" }}>${strings("room.closed.menu")}<//>
    <${Link} class="button-quiet" to=${{ screen: "party" }}>${strings("menu.party")}<//>
  </div>
</div>`;
