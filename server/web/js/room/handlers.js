// What the buttons of a room send. Each intent is about the room's current game. The player confirms
// what cannot be undone.
// @ts-check

import { isRunning } from "../rules.js";
import { leaveQuestion, resignQuestion } from "./actions.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").Room} Room */
/** @typedef {import("../protocol.js").Intent} Intent */
/** @typedef {import("../protocol.js").OpeningChoice} OpeningChoice */

/**
 * An intent without the room's code and the game's number.
 *
 * @typedef {{type: "claim", result: "win" | "draw"} | {type: "choose", choice: OpeningChoice}
 *   | {type: "resign"} | {type: "rematch", offer: boolean} | {type: "hint"} | {type: "review"}
 *   | {type: "play", ply: number, cell: number}} GameIntent
 */

/**
 * @param {object} options
 * @param {Strings} options.strings
 * @param {() => Room | null} options.room as it is now
 * @param {(intent: Intent) => void} options.send
 * @param {(route: import("../state.js").Route) => void} options.navigate
 * @param {ReturnType<typeof import("./confirm.js").createConfirm>} options.confirm
 */
export function createHandlers({ strings, room: now, send, navigate, confirm }) {
  /** @param {GameIntent} about */
  function inGame(about) {
    const room = now();
    if (room?.game) send({ ...about, room: room.code, game: room.game.number });
  }

  function resign() {
    const room = now();
    const onConfirm = () => inGame({ type: "resign" });
    if (room) confirm.ask({ ...resignQuestion(strings, room), onConfirm });
  }

  function sit() {
    const room = now();
    if (room) send({ type: "join", room: room.code, role: "player" });
  }

  function leave() {
    const room = now();
    if (!room || room.closed) return navigate({ screen: "welcome" });
    const onConfirm = () => send({ type: "leave", room: room.code });
    const costly = room.you.length > 0 && isRunning(room);
    return costly ? confirm.ask({ ...leaveQuestion(strings), onConfirm }) : onConfirm();
  }

  return {
    inGame,
    resign,
    sit,
    leave,
    hint: () => inGame({ type: "hint" }),
    rematch: (/** @type {boolean} */ offer) => inGame({ type: "rematch", offer }),
    claim: (/** @type {"win" | "draw"} */ result) => inGame({ type: "claim", result }),
    choose: (/** @type {OpeningChoice} */ choice) => inGame({ type: "choose", choice }),
  };
}
