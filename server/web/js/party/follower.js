// A view that follows a party. A refusal that passes, of a server that is busy, is no end: it asks again.
// @ts-check

import { partyOf } from "../client/party-view.js";
import { Component } from "../html.js";

/** @typedef {import("../core/state.js").Notice | null} Refusal the notice with which the server has refused the party; null before */

/**
 * So long after a refusal the party is asked for again, in milliseconds. An address that has guessed too many codes has
 * a new try every 2.4 s, and stays refused if it asks more often.
 */
const AGAIN_MS = 5_000;

/** Whether the server knows no such party, or lets the player in no more. @param {Refusal} refusal */
export const isFinal = (refusal) => refusal?.key === "refused.no_such_party" || refusal?.key === "refused.banned";

/**
 * @template [P={}] @template [S={}]
 * @extends {Component<P & import("../view.js").Props, S>}
 */
// @ts-expect-error Each class that extends it draws.
export class Follower extends Component {
  /** @type {Refusal} */
  refusal = null;
  #asked = false;
  #again = 0;

  componentWillUnmount() {
    clearTimeout(this.#again);
  }

  /** Asks for a party, after each update until it is there. A tab that was a big screen comes back as a person. @param {string} code @param {"spectator" | "screen"} role */
  follow(code, role) {
    const { page, state } = this.props;
    const party = partyOf(state, code);
    const follows = party && (party.role === "screen") === (role === "screen");
    if (follows || state.connection.phase !== "open" || state.following || this.#again || isFinal(this.refusal)) return;
    if (!this.#asked) {
      this.#asked = true;
      return page.send({ type: "join_party", party: code, role });
    }
    this.refusal = state.notice;
    this.forceUpdate();
    if (isFinal(this.refusal)) return;
    page.dispatch({ type: "dismiss" });
    this.#again = setTimeout(() => {
      this.#again = 0;
      this.#asked = false;
      this.follow(code, role);
    }, AGAIN_MS);
  }
}
