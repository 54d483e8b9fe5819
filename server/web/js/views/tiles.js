// The ways to play as tiles, in three sizes by their weight. A game that anybody may watch lives on one of them.
// @ts-check

import { Timed, html } from "../html.js";
import { later } from "../later.js";
import { Link } from "../link.js";
import { LIVE, PUZZLE } from "../parts.js";
import { MarkIcon } from "../room/board-svg.js";
import { BASE, routeOf } from "../router.js";
import { read } from "../storage.js";
import { strings } from "../strings.js";

/** @typedef {import("../core/state.js").State} State */
/** @typedef {import("../core/state.js").Route} Route */

/**
 * The drawings, in a square of 24.
 *
 * @type {Record<string, string>}
 */
const DRAWINGS = {
  computer: "M5 8.5c4-.6 10-.6 14 0 .6 3.5.6 7 0 10.5-4 .6-10 .6-14 0-.6-3.5-.6-7 0-10.5M12 8.3V4.5m-1-.8h2M9 12.5v1.5m6-1.5v1.5M9.5 16.7c1.5.6 3.5.6 5 0",
  party: "M3.5 20.5v-6h5.5m0 6v-10.5h6v10.5m0-8h5.5v8M2.5 20.6c6 .3 13 .2 19-.1M12 2.5l1 2.1 2.3.3-1.7 1.6.4 2.3-2-1.1-2 1.1.4-2.3-1.7-1.6 2.3-.3z",
  puzzle: "M8.7 3.5c.2 6 .1 11-.1 17M15.3 3.5c-.2 6-.1 11 .1 17M3.5 8.7c6 .2 11 .1 17-.1M3.5 15.3c6-.2 11-.1 17 .1M4.5 4.5l2.5 2.5m0-2.5L4.5 7M11 11l2.2 2.2m0-2.2L11 13.2",
  quick: "M12 3.5c-4.5 5-4.5 12 0 17M12 3.5c4.5 5 4.5 12 0 17M3.7 12c6-.2 11-.2 16.6 0M12 3.5c6 .1 8.5 4.2 8.5 8.5s-3 8.5-8.5 8.5-8.5-4-8.5-8.5 3-8.6 8.8-8.5",
  watch: "M2.5 12.2c5-7.5 14-7.5 19 0-5 7-14 7-19 0M12 9c4 .1 4 6.3 0 6.3S8 9.1 12.2 9",
  here: "M8 2.7c3-.3 5.5-.3 8.3 0 .5 6 .5 12.5 0 18.6-3 .3-5.5.3-8.3 0-.5-6-.5-12.5 0-18.6M7.7 12c3-.2 6-.2 8.8 0M10.5 6l3 3m0-3l-3 3M12 15c2.2.1 2.2 3.5 0 3.5s-2.2-3.4.2-3.5",
  profile: "M12 4c5.2.1 5.2 8 0 8s-5.2-8 .2-8M4 20.5c1-8 15-8 16 0",
};

/** @param {{name: string}} props */
export const Drawing = ({ name }) => html`
  <svg class="tile-drawing" viewBox="0 0 24 24" aria-hidden="true"><path d=${DRAWINGS[name]} pathLength="1" /></svg>
`;

/** @param {{size: "large" | "middle" | "small", name: string, to: Route, title: string, note?: any, picture?: any}} props */
export const Tile = ({ size, name, to, title, note, picture = html`<${Drawing} name=${name} />` }) => html`
  <${Link} to=${to} class=${`tile tile-${size} tile-${name}`}>
    ${name === "friend"
      ? html`<span class="tile-marks"><${MarkIcon} mark="x" seed="friend" /><${MarkIcon} mark="o" seed="friend" /></span>`
      : picture}
    <span class="tile-title">${strings(title)}</span>
    ${note && html`<span class="tile-note">${note}</span>`}
  <//>
`;

/** Whether the page has lost its connection, or never had one. @param {State} state */
export const isOffline = ({ connection: { phase } }) =>
  phase === "lost" || (phase === "connecting" && !navigator.onLine);

/** Whether this page has the puzzle of the day. */
const HAS_PUZZLE = routeOf(`${BASE.pathname}puzzle`).screen !== "nowhere";

/** Whether the puzzle of today has been tried, by what `puzzle/memory.js` stores. */
const hasTriedPuzzle = () => new Date().toISOString().slice(0, 10) in (read(() => localStorage, "noughts.puzzles") ?? {});

const NewPuzzle = () => strings("tile.puzzle.note");
const PuzzleNote = later(PUZZLE, "PuzzleNote", NewPuzzle);

/** The two ways that most take. Without a connection the computer is the small one of this device. @param {{state: State}} props */
export const FirstTiles = ({ state }) => html`
  <${Tile} size="large" name="friend" to=${{ screen: "friend" }} title="menu.friend" note=${strings("tile.friend")} />
  <${Tile} size="large" name="computer" to=${isOffline(state) ? { screen: "here", against: "computer" } : { screen: "computer" }} title="menu.computer" note=${strings("tile.computer")} />
`;

/** @param {{state: State}} props */
export const MoreTiles = ({ state }) => {
  const { features } = state;
  return html`
    ${features.parties &&
    html`<${Tile} size="middle" name="party" to=${{ screen: "party" }} title="menu.party" note=${strings("tile.party")} />`}
    ${HAS_PUZZLE &&
    html`<${Tile} size="middle" name="puzzle" to=${{ screen: "puzzle" }} title="tile.puzzle"
      note=${hasTriedPuzzle() ? html`<${PuzzleNote} />` : html`<${NewPuzzle} />`} />`}
    ${features.listing && html`<${WatchTile} state=${state} />`}
    <${Tile} size="small" name="here" to=${{ screen: "here", against: "people" }} title="tile.here" />
    ${features.quick_match && html`<${Tile} size="small" name="quick" to=${{ screen: "quick" }} title="tile.quick" />`}
    ${features.history && html`<${Tile} size="small" name="profile" to=${{ screen: "profile", player: null }} title="menu.profile" />`}
  `;
};

/** So long after the menu came the tile asks for the public games: who taps at once needs none, in milliseconds. */
const CALM_MS = 1_000;

const NoGame = () => html`<${Tile} size="middle" name="watch" to=${{ screen: "lobby" }} title="tile.watch" note=${strings("tile.watch.none")} />`;
const LiveTile = later(LIVE, "LiveTile", NoGame);

/**
 * The public games. The tile has one size, whether there is a game or not.
 *
 * @extends {Timed<{state: State}>}
 */
class WatchTile extends Timed {
  componentDidMount() {
    this.timer = setTimeout(() => {
      const { connection, features, session } = this.props.state;
      const asks = connection.phase === "open" && features.spectators && !session.watchesLobby;
      if (asks) this.context.send({ type: "watch_lobby" });
    }, CALM_MS);
  }

  render() {
    const { features, lobby, connection } = this.props.state;
    const has = features.spectators && lobby?.playing.length;
    return has ? html`<${LiveTile} playing=${lobby.playing} isOpen=${connection.phase === "open"} />` : html`<${NoGame} />`;
  }
}
