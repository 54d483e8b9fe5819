// The types of a party on the wire, like `protocol/src/party.rs` and its folder. `protocol.js` has them
// too.
// @ts-check

/** @typedef {import("./protocol.js").BoardSpec} BoardSpec */
/** @typedef {import("./protocol.js").ChatMode} ChatMode */
/** @typedef {import("./protocol.js").Computer} Computer */
/** @typedef {import("./protocol.js").GameResult} GameResult */
/** @typedef {import("./protocol.js").Opening} Opening */

/** @typedef {"winner_stays" | "knockout" | "round_robin" | "swiss"} PartyFormat */

/**
 * @typedef {object} PartySettings
 * @property {BoardSpec} board
 * @property {import("./protocol.js").Variant} [variant] left out for `line`
 * @property {boolean} [majority]
 * @property {PartyFormat} format
 * @property {number} move_time_ms
 * @property {Opening} opening
 * @property {number} rounds of a Swiss
 * @property {number} tables boards of "winner stays on" at once
 * @property {number | null} first_to the wins that end "winner stays on"; `null` if the host ends it
 * @property {ChatMode} chat
 * @property {Computer | null} fill the computer that takes empty places when the party starts
 */

/**
 * @typedef {object} Entrant somebody who plays in a party
 * @property {number} number from 1
 * @property {string} name
 * @property {import("./protocol.js").Face | null} [face]
 * @property {string | null} [player]
 * @property {boolean} [fixed_name] whether the name stays, whatever name the player comes with
 * @property {Computer | null} [computer]
 * @property {boolean} [left]
 * @property {boolean} [set_aside] whether only the host brings them back
 * @property {boolean} [removed] whether the host keeps somebody out who had this place
 * @property {number} [points] half points
 * @property {number} [wins]
 * @property {number} [draws]
 * @property {number} [losses]
 */

/** @typedef {"game" | "draw_odds" | "forfeit" | "bye" | "host"} DecidedBy */
/** @typedef {{winner?: number | null, how: DecidedBy, note?: string | null}} PairingOutcome */

/**
 * @typedef {object} Pairing
 * @property {number} number from 1
 * @property {number} table from 1; 0 for a bye
 * @property {number} first the entrant who begins the first game, with X
 * @property {number | null} second `null` for a bye
 * @property {"final" | "third" | null} [stage]
 * @property {number} [game] the running or last game; 0 before both were ready
 * @property {string | null} [room] the room of that game
 * @property {PairingOutcome | null} [outcome]
 */

/**
 * A pairing of an earlier round: both entrants (0: a bye) and their half points.
 *
 * @typedef {readonly [number, number, number, number]} PastPairing
 */

/** @typedef {{pairing: number, outcome: PairingOutcome}} PastDecision how the host has decided a pairing of an earlier round */

/** @typedef {{place: number, entrant: number, tiebreak?: number}} Place */

/**
 * @typedef {object} PartyPresence who is away or ready; it is always told whole
 * @property {number[]} away
 * @property {number[]} ready
 * @property {{pairing: number, ms_left: number}[]} checks
 * @property {number | null} [next_ms]
 * @property {number} spectators
 */

/**
 * @typedef {object} PartySnapshot
 * @property {"party"} type
 * @property {string} party
 * @property {number} v
 * @property {string} name
 * @property {PartySettings} settings
 * @property {string} host
 * @property {number | null} [leader]
 * @property {"gathering" | "playing" | "over"} phase
 * @property {boolean} [paused]
 * @property {boolean} [clocks_stopped] whether the clocks of running games stand still meanwhile
 * @property {number} [played_before] pairings before the party began again
 * @property {Entrant[]} entrants
 * @property {number} round
 * @property {Pairing[]} pairings
 * @property {PastPairing[][]} [past]
 * @property {PastDecision[]} [past_decisions] the last decision last
 * @property {number[]} [queue]
 * @property {Place[]} [places]
 * @property {PartyPresence} presence
 */

/**
 * A fact of a party.
 *
 * @typedef {{kind: "joined", entrant: Entrant}
 *   | {kind: "left" | "returned", entrant: number, host?: boolean, removed?: boolean}
 *   | {kind: "started"}
 *   | {kind: "paired", round: number, pairings: Pairing[]}
 *   | {kind: "opened", pairing: number, game: number, room: string}
 *   | {kind: "decided", pairing: number, outcome: PairingOutcome}
 *   | {kind: "ranked" | "ended", places: Place[]}
 *   | {kind: "paused", paused: boolean, clocks?: boolean}
 *   | {kind: "again", settings: PartySettings, entrants: Entrant[], leader?: number | null}
 *   | {kind: "led", entrant?: number | null, forgotten?: boolean}} PartyEvent
 */

/**
 * @typedef {{pairing: number, game: number, moves: number[], result?: GameResult | null,
 *   placed?: import("./protocol.js").Mark[] | null, effects?: import("./protocol.js").PlyEffect[] | null,
 *   playable?: import("./protocol.js").Playable | null}} TableBoard `placed`, `effects` and `playable` as in a `GameRecord`
 */

export {};
