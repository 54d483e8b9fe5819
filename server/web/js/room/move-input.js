// Placing a mark: whether a cell may be played, the words where it may not, and the digits that
// play the cell of their number.
// @ts-check

import * as rules from "../rules.js";
import { cellName, markLetter } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").Room} Room */

/**
 * @param {object} options
 * @param {Strings} options.strings
 * @param {() => Room | null} options.room as it is now
 * @param {() => boolean} options.stepping whether another position than that of now is shown
 * @param {(text: string) => void} options.tell says something to the viewer; "" takes it back
 * @param {(about: import("./handlers.js").GameIntent) => void} options.inGame
 */
export function createMoveInput({ strings, room: now, stepping, tell, inGame }) {
  /** @param {number} cell @returns {boolean} whether it may be played; if not, that was said */
  function mayPlay(cell) {
    const room = now();
    if (!room || stepping()) return false;
    const why = rules.whyNot(room, cell);
    if (!why) return true;
    const spec = room.settings.board;
    const mark = rules.marksAfter(spec, room.game)[cell];
    const words = {
      cell: cellName(strings, spec, cell),
      mark: mark ? markLetter(mark) : "",
      number: cell + 1,
      last: rules.cellCount(spec),
    };
    tell(strings(`room.why.${why}`, words));
    return false;
  }

  /** @param {number} cell */
  function play(cell) {
    const game = now()?.game;
    if (!game) return;
    tell("");
    inGame({ type: "play", ply: game.moves.length, cell });
  }

  /**
   * A digit plays the cell of that number, unless something outside `screen` has the focus.
   * @param {KeyboardEvent} event
   * @param {Element} screen
   */
  function digit(event, screen) {
    const room = now();
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
