// The state of the page, in one immutable value. Only `reduce.js` makes the next one. Unchanged
// parts stay the same objects, so that views can compare with `===`.
// @ts-check

/** @typedef {import("./protocol.js").Mark} Mark */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("./protocol.js").RoomSummary} RoomSummary */

/** The most pending intents. The server's burst is 20, so all of them can be sent again. */
export const MAX_PENDING = 12;

/**
 * A time in milliseconds of the clock of `performance.now()`.
 *
 * @typedef {number} Moment
 */

/**
 * @typedef {object} Connection
 * @property {"connecting" | "open" | "lost" | "ended"} phase `connecting` until the first welcome,
 *   `lost` while the page reconnects, `ended` when the server forbids to reconnect
 * @property {number | null} code the last close code
 * @property {string} reason the server's text for that code
 */

/**
 * Which screen the player is on. The address bar follows it.
 *
 * @typedef {{screen: "welcome" | "quick" | "friend" | "computer" | "computers" | "lobby"}
 *   | {screen: "join", typed?: string} | {screen: "room", code: string}} Route `typed` is the
 *   text of a link that has no valid code
 */

/**
 * @typedef {object} Game
 * @property {number} number 1 for the room's first game
 * @property {Mark} first who moved first
 * @property {readonly number[]} moves the cells played, in order; marks alternate from `first`
 * @property {import("./protocol.js").GameResult | null} result
 * @property {import("./protocol.js").OpeningPhase | null} opening the phase of a swap2 opening
 */

/**
 * @typedef {object} SeatPresence
 * @property {"connected" | "away" | "gone"} state
 * @property {Moment | null} claimAt from when the opponent may claim the game; `null` while the
 *   player is connected
 */

/**
 * What passes in a room.
 *
 * @typedef {object} Presence
 * @property {SeatPresence | null} x `null` for an open seat and for a computer
 * @property {SeatPresence | null} o
 * @property {number} spectators
 * @property {Mark | null} rematch the seat whose player offers a rematch
 */

/**
 * @typedef {object} Room
 * @property {string} code
 * @property {number} v the number of facts so far
 * @property {import("./protocol.js").RoomSettings} settings
 * @property {import("./protocol.js").ByMark<import("./protocol.js").Seat>} seats
 * @property {import("./protocol.js").Score} score
 * @property {Game | null} game the running game or the last one
 * @property {Presence} presence
 * @property {readonly Mark[]} you the marks we play: none for a spectator, both at one screen
 * @property {import("./protocol.js").ByMark<string> | null} names the names of two players at
 *   one screen, "" for no name; only this device knows them
 * @property {Moment | null} moveDeadline when the time for the move ends
 * @property {import("./protocol.js").Hint | null} hint for the position on the board
 * @property {import("./protocol.js").Evaluation | null} evaluation of the position on the board
 * @property {import("./protocol.js").Review | null} review the last review
 * @property {{game: number, ply: number, cell: number} | null} sent our move without an answer
 * @property {{game: number, choice: import("./protocol.js").OpeningChoice} | null} chosen our
 *   choice without an answer
 * @property {"left" | "idle" | null} closed why the room is closed
 * @property {"no" | "behind" | "outside" | "unreadable"} desynced whether our copy is out of date:
 *   `behind` sends `sync`, `outside` joins again, `unreadable` joins again later because the server
 *   could not read the room
 */

/**
 * A room whose snapshot has not arrived yet.
 *
 * @typedef {object} Entering
 * @property {number} id of the intent that enters the room
 * @property {string | null} room its code; `null` until the server answers
 * @property {"player" | "spectator"} role
 * @property {boolean} byLink the player followed a link and has not chosen a role yet
 */

/**
 * @typedef {object} Matching a place in the queue of the quick match
 * @property {ClientMessage & {type: "quick_match"}} message the sent message
 * @property {Moment} since
 */

/**
 * A message for the player. Its text is `strings(key, params)`, or the server's `text` where there
 * is no such key.
 *
 * @typedef {object} Notice
 * @property {"error" | "info"} kind
 * @property {string} key
 * @property {Record<string, string | number>} params
 * @property {string} text
 */

/**
 * Preferences, stored on this device.
 *
 * @typedef {object} Prefs
 * @property {string} lang `""` for the browser's language
 * @property {boolean} sound whether a sound announces the player's turn
 * @property {boolean} vibrate
 * @property {Record<string, Record<string, string>>} forms the last choices, by form and field
 */

/**
 * @typedef {object} State
 * @property {Connection} connection
 * @property {{player: string, name: string} | null} me
 * @property {import("./protocol.js").ServerInfo | null} server
 * @property {import("./protocol.js").Limits | null} limits
 * @property {import("./protocol.js").Features} features
 * @property {Room | null} room
 * @property {Entering | null} entering
 * @property {string | null} lastRoom a room in which we may have a seat, maybe of an earlier visit
 * @property {{room: string, code: string, text: string} | null} failed the room that refused us,
 *   with the refusal's code
 * @property {string | null} watching the room that the player chose to watch
 * @property {{waiting: RoomSummary[], playing: RoomSummary[], more: number} | null} lobby
 * @property {Matching | null} matching
 * @property {readonly {message: ClientMessage, role?: "player" | "spectator"}[]} pending intents
 *   without an answer, in order; `role` is our role in a room that we leave
 * @property {{code: string, until: Moment} | null} pass that links another device
 * @property {Notice | null} notice
 * @property {Route} route
 * @property {Prefs} prefs
 */

/** @type {import("./protocol.js").Features} */
export const ALL_ON = Object.freeze({ spectators: true, listing: true, quick_match: true });

/** @type {Prefs} */
export const DEFAULT_PREFS = Object.freeze({ lang: "", sound: false, vibrate: false, forms: {} });

/**
 * @param {Route} [route]
 * @param {Prefs} [prefs]
 * @param {string | null} [lastRoom]
 * @returns {State}
 */
export function initialState(route = { screen: "welcome" }, prefs = DEFAULT_PREFS, lastRoom = null) {
  return {
    connection: { phase: "connecting", code: null, reason: "" },
    me: null,
    server: null,
    limits: null,
    features: ALL_ON,
    room: null,
    entering: null,
    lastRoom,
    failed: null,
    watching: null,
    lobby: null,
    matching: null,
    pending: [],
    pass: null,
    notice: null,
    route,
    prefs,
  };
}
