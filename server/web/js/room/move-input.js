// Moves: whether a cell is playable, the text for one that is not, and the digit keys.
// @ts-check

import * as rules from "../rules.js";
import { cellName, markLetter } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").Room} Room */

/**
 * @param {object} options
 * @param {Strings} options.strings
 * @param {() => import("../state.js").State} options.state as it is now
 * @param {() => boolean} options.stepping whether the player steps through a finished game
 * @param {(text: string) => void} options.tell shows a text to the player; "" removes it
 * @param {(about: import("./handlers.js").GameIntent) => void} options.inGame
 */
export function createMoveInput({ strings, state: now, stepping, tell, inGame }) {
  /** @param {number} cell @returns {boolean} if false, `tell` has shown the reason */
  function mayPlay(cell) {
    const { room } = now();
    if (!room || stepping()) return false;
    const why = rules.whyNot(now(), cell);
    if (!why) return true;
    const spec = room.settings.board;
    const mark = rules.marksAfter(spec, room.game)[cell];
    const params = {
      cell: cellName(strings, spec, cell),
      mark: mark ? markLetter(mark) : "",
      number: cell + 1,
      last: rules.cellCount(spec),
    };
    tell(strings(`room.why.${why}`, params));
    return false;
  }

  /** @param {number} cell */
  function play(cell) {
    const game = now().room?.game;
    if (!game) return;
    tell("");
    inGame({ type: "play", ply: game.moves.length, cell });
  }

  /**
   * A digit key plays the cell with that number, unless the focus is outside `screen`.
   * @param {KeyboardEvent} event
   * @param {Element} screen
   */
  function digit(event, screen) {
    const { room } = now();
    const target = event.target instanceof Element ? event.target : document.body;
    const elsewhere = target !== document.body && !screen.contains(target);
    const typing = target.closest("input, textarea, select, dialog") !== null;
    if (elsewhere || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!room?.game || !/^[0-9]$/.test(event.key)) return;
    if (!rules.isNumbered(room.settings.board)) return;
    const cell = Number(event.key) - 1;
    if (mayPlay(cell)) play(cell);
  }

  return { mayPlay, play, digit };
}
