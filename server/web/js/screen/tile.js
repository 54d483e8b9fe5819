// The tables of a party as live tiles: the two names, the board, the ready check, the result.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";
import { sharesMarks } from "../variant-text.js";
import { isOpen, lettersOf, marksIn, nameOf, streakOf } from "./followed.js";
import { Name } from "./lists.js";
import { MarkIcon } from "../room/board-svg.js";
import { roomSeed } from "../room/pen.js";
import { MARKS } from "../client/rules.js";
import { TileBoard } from "./board.js";
import { secondsTo } from "./timing.js";
import { longestWord } from "./words.js";

/** @typedef {import("./followed.js").Followed} Followed */
/** @typedef {import("./followed.js").Pairing} Pairing */
/** @typedef {import("./memory.js").Memory} Memory */
/** @typedef {{party: Followed, pairing: Pairing, moment: import("./memory.js").Moment | undefined, at: number, isSmall: boolean}} TileProps */

/** The columns of so many tiles. @param {number} count */
const columnsFor = (count) => (count <= 1 ? 1 : count <= 4 ? 2 : count <= 6 || count === 9 ? 3 : 4);

/** @param {{party: Followed, tables: readonly Pairing[], memory: Memory, at: number}} props */
export function Tables({ party, tables, memory, at }) {
  const columns = columnsFor(tables.length);
  const rows = Math.ceil(tables.length / columns);
  return html`<ul class="big-tables" style=${{ "--columns": columns, "--rows": rows }} data-columns=${columns} data-rows=${rows}>
    ${tables.map((pairing) => html`<${Tile}
      key=${pairing.table} party=${party} pairing=${pairing} moment=${memory.moments[pairing.table]} at=${at} isSmall=${tables.length > SMALL_TILES}
    />`)}
  </ul>`;
}

/** @param {TileProps} props */
function Tile({ party, pairing: now, moment, at, isSmall }) {
  // The result stays until the next pairing of the table has begun.
  const shown = moment && moment.until > at && !(now.number !== moment.pairing.number && now.game) ? moment : null;
  const pairing = shown && shown.pairing.number !== now.number ? shown.pairing : now;
  const { state, boards, presence } = party;
  const told = boards[pairing.number] ?? (shown?.pairing.number === pairing.number ? shown.board : null);
  const played = told && pairing.game && told.game === pairing.game ? told : pairing.outcome ? told : null;
  const check = presence.checks.find((one) => one.pairing === pairing.number);
  const waits = isOpen(pairing) && (!pairing.room || state.clocksStopped);
  // A game that ended while this screen had no connection: its last moves are not known.
  const isUnknown = pairing.outcome?.how === "game" && !played?.result;
  const seed = roomSeed(state.code, pairing.number * 4 + pairing.game);
  return html`<li class="big-tile" data-state=${stateOf(pairing, Boolean(shown))}>
    <div class="big-tile-parts" key=${pairing.number}>
      <${Names} party=${party} pairing=${pairing} played=${played} />
      <div class="big-tile-middle">
        ${!isUnknown && html`<${TileBoard} board=${state.settings.board} variant=${state.settings.variant} played=${played} seed=${seed} />`}
      </div>
      ${waits && html`<${Waiting} party=${party} pairing=${pairing} check=${check} at=${at} />`}
      ${pairing.outcome && html`<${Verdict} ...${verdict(state, pairing, played, isSmall)} />`}
      ${isOpen(pairing) && played?.result && !winnerOf(played) && html`<${Verdict} text=${strings("big.again")} />`}
      ${pairing.stage
        ? html`<p class="big-table-number is-stage">${strings(`big.${pairing.stage}`)}</p>`
        : html`<p class="big-table-number"><span>${strings("big.table")} </span>${pairing.table}</p>`}
    </div>
  </li>`;
}

/** The mark beside a name, the tick and the gaps, in letters. */
const MARK_LETTERS = 4;

/** A text of more letters is smaller. */
const LONG = 14;

/** A text of more letters would cover the board of a small tile. */
const LONGEST = 28;

/** So many tiles are small. */
const SMALL_TILES = 4;

/** @typedef {{text: string, mark?: import("../client/rules.js").Mark | null, name?: string}} Said a mark stands for a name */

/** @param {Said} props */
function Verdict({ text, mark = null, name = "" }) {
  const isLong = text.length > LONG;
  const word = longestWord([text]);
  return html`<p class="big-verdict" data-long=${isLong} style=${{ "--word": word, "--line": isLong ? word : text.length }}>
    ${mark && html`<${MarkIcon} mark=${mark} /><span class="visually-hidden">${name}</span> `}${text}
  </p>`;
}

/** @param {import("./followed.js").TableBoard} played */
const winnerOf = ({ result }) => (result && "winner" in result ? result.winner : null);

/** @param {Pairing} pairing @param {boolean} fresh */
const stateOf = (pairing, fresh) => (isOpen(pairing) ? (pairing.room ? "playing" : "waiting") : fresh ? "fresh" : "over");

/** Whether a mark tells whose it is: the opening may swap the sides, and both may place the same marks. @param {Followed["state"]} state */
const hasMarks = ({ settings: { opening, variant } }) => opening !== "swap2" && !sharesMarks(variant);

/**
 * The winner, and what the board does not show: a win on time or by resignation. On a small tile the mark
 * stands for a long name, as beside the name above, and the news below say how.
 *
 * @param {Followed["state"]} state @param {Pairing} pairing @param {import("./followed.js").TableBoard | null} played @param {boolean} isSmall
 * @returns {Said}
 */
function verdict(state, pairing, played, isSmall) {
  const { outcome } = pairing;
  const winner = outcome?.winner;
  if (!winner) return { text: strings("big.noWinner") };
  const how = outcome.how === "game" ? played?.result?.how : null;
  const key = how === "time" || how === "resignation" ? `big.wins.${how}` : "big.wins";
  const name = nameOf(state, winner);
  const text = strings(key, { name });
  if (!isSmall || text.length <= LONGEST || !hasMarks(state)) return { text };
  return { text: strings("big.wins", { name: "" }).trim(), mark: marksIn(pairing).x === winner ? "x" : "o", name };
}

/**
 * X above O, as in the running game.
 *
 * @param {{party: Followed, pairing: Pairing, played: import("./followed.js").TableBoard | null}} props
 */
function Names({ party, pairing, played }) {
  const { state, presence } = party;
  const marks = marksIn(pairing);
  const swaps = state.settings.opening === "swap2";
  const turn = pairing.room && isOpen(pairing) && !played?.result ? MARKS[(played?.moves.length ?? 0) % 2] : null;
  const { outcome } = pairing;
  const isChecked = isOpen(pairing) && !pairing.room;
  return html`<div class="big-names">
    ${MARKS.map((mark) => {
      const number = marks[mark];
      const streak = state.settings.format === "winner_stays" && !outcome ? streakOf(state, number) : 0;
      const place = outcome ? (outcome.winner === number ? "won" : "lost") : "open";
      return html`<p class="big-name" key=${mark} style=${{ "--letters": lettersOf(state, number) + MARK_LETTERS }} data-place=${place} data-turn=${turn === mark && !swaps} data-away=${presence.away.includes(number)}>
        ${hasMarks(state) && html`<${MarkIcon} mark=${mark} />`}
        <span class="big-two"><${Name} state=${state} number=${number} /></span>
        ${isChecked && presence.ready.includes(number) && html`<span role="img" aria-label=${strings("big.ready")}>✓</span>`}
        ${streak > 1 && html`<span class="big-streak">${strings("big.streak", { count: streak })}</span>`}
      </p>`;
    })}
  </div>`;
}

/**
 * The awaited players, and the seconds of the ready check if each table has its own.
 * @param {{party: Followed, pairing: Pairing, check: {until: number} | undefined,
 *   at: number}} props
 */
function Waiting({ party, pairing, check, at }) {
  const { presence, state } = party;
  const awaited = [pairing.first, pairing.second ?? 0].filter((number) => !presence.ready.includes(number));
  const name = awaited.length === 1 ? nameOf(state, awaited[0]) : "";
  // The tables of a round have the same seconds: they stand once, beside the tables.
  const isShared = presence.checks.every((one) => secondsTo(one.until, at) === secondsTo(check?.until ?? 0, at));
  const text = check && awaited.length > 0 ? strings(name ? "big.awaited" : "big.awaited.both", { name }) : strings(state.paused ? "big.paused" : "big.soon");
  return html`<div class="big-waiting" key=${text}>
    <p class="big-awaited" style=${{ "--letters": Math.max(1, name.length) }}>${text}</p>
    ${check && !isShared && html`<p class="big-seconds">${secondsTo(check.until, at)}</p>`}
  </div>`;
}
