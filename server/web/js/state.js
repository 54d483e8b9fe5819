// All that the page knows, in one value. It is made anew, never changed: `reduce.js` alone makes
// the next one, and what did not change stays the same object, so that views compare with `===`.
// @ts-check

/** @typedef {import("./protocol.js").Mark} Mark */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("./protocol.js").RoomSummary} RoomSummary */

/** The most intents without an answer. Below the server's burst of 20, so that all may be repeated. */
export const MAX_PENDING = 12;

/**
 * A moment: milliseconds of the clock by which every action says its `at` (`performance.now()`).
 *
 * @typedef {number} Moment
 */

/**
 * @typedef {object} Connection
 * @property {"connecting" | "open" | "lost" | "ended"} phase `connecting` until the first welcome,
 *   `lost` while it is made again, `ended` when the server wants no more of it
 * @property {number | null} code the close code that ended or broke it
 * @property {string} reason what the server said with that, for people
 */

/**
 * Where the person is; the address bar follows it.
 *
 * @typedef {{screen: "welcome" | "quick" | "friend" | "computer" | "computers" | "lobby"}
 *   | {screen: "join", typed?: string} | {screen: "room", code: string}} Route `typed` is what stood
 *   in a link in place of a code
 */

/**
 * @typedef {object} Game
 * @property {number} number 1 for the room's first game
 * @property {Mark} first who moved first
 * @property {readonly number[]} moves the cells played, in order; marks alternate from `first`
 * @property {import("./protocol.js").GameResult | null} result
 * @property {import("./protocol.js").OpeningPhase | null} opening where its swap2 opening stands
 * @property {boolean} settling the last mark ended the game, and the result is on its way:
 *   it is nobody's turn
 */

/**
 * @typedef {object} Room
 * @property {string} code
 * @property {number} v how many events there have been
 * @property {import("./protocol.js").RoomSettings} settings
 * @property {import("./protocol.js").ByMark<import("./protocol.js").Seat>} seats
 * @property {import("./protocol.js").Score} score
 * @property {Game | null} game the one that runs or was played last
 * @property {import("./protocol.js").ByMark<boolean>} offers who wants a rematch
 * @property {readonly Mark[]} you the marks we play: none when we watch, both on one screen
 * @property {import("./protocol.js").ByMark<string> | null} names what the two are called who play
 *   on this screen, "" for one who gave no name; known on this device alone
 * @property {number} spectators
 * @property {Moment | null} moveDeadline when the time for the move is over
 * @property {import("./protocol.js").ByMark<Moment | null>} claimAt from when the absence of a
 *   seat's player may be claimed; `null` while they are here
 * @property {import("./protocol.js").Hint | null} hint for the position on the board
 * @property {import("./protocol.js").Evaluation | null} evaluation of the position on the board
 * @property {import("./protocol.js").Review | null} review of the last game that was reviewed
 * @property {{game: number, ply: number, cell: number} | null} sent our move that is on its way
 * @property {{game: number, choice: "x" | "o" | "add"} | null} chosen our choice on its way
 * @property {import("./protocol.js").RoomEvent | null} last the event that made this version;
 *   `null` after a snapshot
 * @property {"left" | "idle" | null} closed why the room has ended; nothing can be sent then
 * @property {"no" | "behind" | "outside" | "unreadable"} desynced whether our view needs repair: `behind`
 *   asks for a snapshot, `outside` enters the room again, `unreadable` does so in a while, since the
 *   server could not read the room
 */

/**
 * The room whose snapshot is on its way.
 *
 * @typedef {object} Entering
 * @property {number} id of the intent that leads there
 * @property {string | null} room its code; `null` until the server has said it
 * @property {"player" | "spectator"} role
 * @property {boolean} byLink the person followed a link and was not asked for the role yet
 */

/**
 * @typedef {object} Matching a place in the queue of the quick match
 * @property {ClientMessage & {type: "quick_match"}} message as it was sent
 * @property {Moment} since
 */

/**
 * What the person is told once. Its words are `key` with `params`; where there is no such word,
 * `text`, which the server wrote.
 *
 * @typedef {object} Notice
 * @property {"error" | "info"} kind
 * @property {string} key
 * @property {Record<string, string | number>} params
 * @property {string} text
 */

/**
 * Kept on this device from visit to visit.
 *
 * @typedef {object} Prefs
 * @property {string} lang `""` for the browser's choice
 * @property {boolean} sound whether "your turn" is heard
 * @property {boolean} vibrate
 * @property {Record<string, Record<string, string>>} forms what was chosen last, by form and field
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
 * @property {string | null} lastRoom a room in which we may have a seat, also from an earlier visit
 * @property {{room: string, code: string, text: string} | null} failed the room that could not be
 *   entered, with the refusal's code
 * @property {string | null} watching the room that the person has chosen to watch
 * @property {{waiting: RoomSummary[], playing: RoomSummary[], more: number} | null} lobby
 * @property {Matching | null} matching
 * @property {readonly {message: ClientMessage, role?: "player" | "spectator"}[]} pending intents
 *   without an answer, in their order; a `leave` says what we were in the room
 * @property {{code: string, until: Moment} | null} pass by which another device takes the seat
 * @property {Notice | null} notice
 * @property {Route} route
 * @property {Prefs} prefs
 */

/** @type {import("./protocol.js").Features} */
export const ALL_ON = Object.freeze({ spectators: true, listing: true, quick_match: true });

/** @type {Prefs} */
export const DEFAULT_PREFS = Object.freeze({ lang: "", sound: false, vibrate: false, forms: {} });

/**
 * The state before anything has happened.
 *
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
