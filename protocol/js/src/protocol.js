// The types of the wire, like `protocol/src/message.rs` and `event.rs`, with the wire's names. What
// the messages mean is in `protocol/README.md`.
// @ts-check

import { CODE_LENGTH, CODE_LETTERS } from "./generated/constants.js";

/**
 * @template T
 * @typedef {{x: T, o: T}} ByMark one of something for each mark
 */

/** @typedef {"x" | "o"} Mark */
/** @typedef {{width: number, height: number, line: number}} BoardSpec */
/** @typedef {"minimax" | "heuristic" | "perfect" | "rules"} Strategy */
/**
 * @typedef {"very_weak" | "level_2" | "weak" | "level_4" | "average" | "level_6" | "strong" | "level_8"
 *   | "very_strong"} Strength
 */
/** @typedef {{strategy: Strategy, strength: Strength}} Computer */
/** @typedef {"alternate" | "x" | "o" | "random" | "loser"} FirstMove */
/** @typedef {"free" | "swap2"} Opening */
/** @typedef {"paused" | "slow" | "normal" | "fast"} Pace how fast two computers play */
/** @typedef {{first_to: number | null}} Series how many wins decide it; `null` for an open one */
/**
 * @typedef {import("./generated/variants.js").Variant} Variant the rules of a game
 */

/**
 * @typedef {object} RoomSettings
 * @property {BoardSpec} board
 * @property {Variant} [variant] the rules of the game; left out for `line`
 * @property {boolean} [majority] of `ultimate`: whether more boards win where no three are in a row
 * @property {FirstMove} first who moves first in each game
 * @property {Opening} opening
 * @property {number | null} move_time_ms milliseconds for each move; `null` for no limit
 * @property {boolean} listed whether the lobby shows the room
 * @property {boolean} spectators whether spectators are admitted
 * @property {boolean | null} early_draw
 * @property {boolean | null} [hints] null: unless two people play
 * @property {boolean} evaluation whether spectators see who is winning
 * @property {ChatMode} [chat] what may be said; left out by an older server
 * @property {boolean} [adapts] whether the computer becomes stronger or weaker with its opponent
 * @property {boolean} [comments] whether the computer says why it makes a move
 * @property {PartyTable | null} [party] the table of a party that the room belongs to
 */

/** @typedef {{party: string, pairing: number, table: number, game: number}} PartyTable */
/** @typedef {"text" | "emotes" | "off"} ChatMode */
/**
 * @typedef {"hello" | "good_luck" | "well_played" | "good_game" | "thanks" | "wow" | "oops"
 *   | "thinking"} Emote
 */
/** @typedef {{text: string} | {emote: Emote}} Said */

/**
 * @typedef {object} ChatLine
 * @property {number} n its number in the room
 * @property {string} player
 * @property {string} name
 * @property {Face | null} [face]
 * @property {Mark | null} [seat] left out for a spectator
 * @property {Said} said
 */

/** @typedef {"you" | "open" | {computer: Computer}} SeatRequest */

/** @typedef {{animal: string, colour: string}} Face the drawn animal beside a name, and its colour */
/** @typedef {{kind: "human", player: string, name: string, face?: Face | null}} HumanSeat */
/** @typedef {{kind: "computer"} & Computer} ComputerSeat */
/** @typedef {{kind: "open"} | HumanSeat | ComputerSeat} Seat */
/** @typedef {{x: number, o: number, draws: number}} Score */

/**
 * @typedef {{state: "connected"} | {state: "away", claim_in_ms: number}
 *   | {state: "gone"}} SeatPresence
 */

/**
 * The connected people. It is always told whole and has no version.
 *
 * @typedef {object} Presence
 * @property {SeatPresence | null} x `null` for an open seat and for a computer
 * @property {SeatPresence | null} o
 * @property {number} spectators
 * @property {Mark | null} rematch the seat whose player offers a rematch
 * @property {Series | null} [series] the new series that the offer asks for
 * @property {RoomRatings | null} [ratings] in a room whose games may be rated
 * @property {Mark | null} [take_back] the seat whose player asks to take back a move
 * @property {ByMark<number> | null} [hints] how many each of two people has taken in the game
 */

/**
 * @typedef {{rating: number, provisional?: boolean | null, before?: number | null}} SeatRating
 *   `before`: what the last game has changed
 */
/** @typedef {{rated: boolean} & ByMark<SeatRating | null>} RoomRatings */

/**
 * @typedef {{kind: "row" | "column", number: number, cells: number[]}
 *   | {kind: "main_diagonal" | "counter_diagonal", cells: number[]}
 *   | {kind: "stretch", direction: "across" | "down" | "falling" | "rising",
 *      from: number, to: number, cells: number[]}
 *   | {kind: "boards", boards: number[], cells: number[]}
 *   | {kind: "cube", from: number, to: number, cells: number[]}} WinningLine
 */

/**
 * @typedef {{how: "line", winner: Mark, lines: WinningLine[]}
 *   | {how: "board_full" | "no_line_left" | "repetition" | "too_long"}
 *   | {how: "resignation" | "time" | "more_boards" | "prevented", winner: Mark}
 *   | {how: "absence", winner: Mark | null, party?: "decided" | "ended" | null}} GameResult
 */

/**
 * @typedef {{state: "placing", by: Mark, until_ply: number}
 *   | {state: "choosing", by: Mark, may_add: boolean}} OpeningPhase
 */

/** @typedef {{board: number, winner: Mark | null, cells?: number[]}} DecidedBoard `board` counts from 0 */

/** @typedef {{removed?: number | null, decided?: DecidedBoard | null}} Effect what a move led to beside its mark */
/** @typedef {Effect & {ply: number}} PlyEffect the effect of the move that was made at `ply` */

/**
 * The allowed next moves.
 *
 * @typedef {object} Playable
 * @property {number[] | null} [cells] left out where it is every empty one
 * @property {Mark[] | null} [marks] the marks to choose from; left out where it is the own one
 * @property {number | null} [leaving] the cell whose mark goes with the next move
 */

/**
 * @typedef {object} GameRecord
 * @property {number} number 1 for the room's first game
 * @property {Mark} first who moved first
 * @property {number[]} moves the cells played, in order
 * @property {Mark[] | null} [placed] the mark of each move; left out where each is its player's own
 * @property {PlyEffect[] | null} [effects]
 * @property {Playable | null} [playable] left out where each empty cell may be played, by the own mark
 * @property {GameResult | null} result
 * @property {OpeningPhase | null} [opening] while a swap2 opening lasts
 * @property {string | null} [id] the id of a game that is over and kept
 */

/** @typedef {"x" | "o" | "add"} OpeningChoice */

/** @typedef {{result: GameResult, score: Score, id?: string | null}} GameEnd `id`: of a kept game */

/**
 * A fact of a room. After each of them the room could be a snapshot.
 *
 * @typedef {{kind: "seated", mark: Mark, seat: Seat}
 *   | {kind: "game_started", game: number, first: Mark, score: Score,
 *      opening?: OpeningPhase | null, series?: Series | null, playable?: Playable | null}
 *   | {kind: "moved", game: number, ply: number, mark: Mark, cell: number, placed?: Mark | null,
 *      effect?: Effect | null, playable?: Playable | null, over?: GameEnd | null,
 *      opening?: OpeningPhase | null, reason?: HintReason | null}
 *   | {kind: "chosen", game: number, choice: OpeningChoice, opening?: OpeningPhase | null,
 *      seats: ByMark<Seat>, score: Score}
 *   | ({kind: "game_over", game: number} & GameEnd)
 *   | {kind: "taken_back", game: number, mark: Mark, ply: number, playable?: Playable | null}
 *   | {kind: "paced", pace: Pace}
 *   | {kind: "clock", game: number, move_ms_left: number, stopped?: boolean}
 *   | {kind: "closed", reason: CloseReason}} RoomEvent
 */

/** @typedef {"left" | "idle" | "host"} CloseReason */

/**
 * @typedef {object} Snapshot
 * @property {"snapshot"} type
 * @property {string} room
 * @property {number} v
 * @property {RoomSettings} settings
 * @property {string | null} [maker] the player who made the room
 * @property {ByMark<Seat>} seats
 * @property {Score} score
 * @property {Series | null} [series] left out while it is open
 * @property {Pace | null} [pace] left out while it is normal
 * @property {GameRecord | null} game
 * @property {Presence} presence
 * @property {number | null} move_ms_left
 * @property {boolean} [clock_stopped] whether the host of the party has stopped the clock
 */

/**
 * @typedef {object} HintReason
 * @property {string} code `wins`, `blocks`, `double_threat`, `only_move`, `prevents`, `threatens`, `best`, or a new one
 * @property {WinningLine[]} [lines] with `blocks`
 */

/**
 * @typedef {{type: "hint", room: string, game: number, ply: number, cells: number[],
 *   placed?: Mark | null, reason: HintReason, message: string}} Hint `placed` is left out for the own mark
 */
/** @typedef {"won" | "drawn" | "lost" | "unclear"} Worth */
/**
 * @typedef {{ply: number, cell: number, verdict: "best" | "fine" | "mistake" | "opening",
 *   before: Worth, after: Worth, best?: number | null, best_placed?: Mark | null}} ReviewedMove
 */
/**
 * @typedef {{type: "review", room: string, game: number, first: Mark, proven: boolean,
 *   moves: ReviewedMove[]}} Review
 */
/**
 * @typedef {{type: "evaluation", room: string, game: number, ply: number,
 *   worth: "x_wins" | "o_wins" | "drawn" | "unclear"}} Evaluation
 */

/**
 * @typedef {object} RoomSummary a room as the lobby shows it
 * @property {string} room
 * @property {RoomSettings} settings
 * @property {ByMark<Seat>} seats
 * @property {Score} score
 * @property {number | null} game
 * @property {number} spectators
 */

/**
 * @typedef {object} Limits
 * @property {number} frame_bytes
 * @property {number} intent_burst
 * @property {number} intents_per_second
 * @property {number} waiting_rooms
 * @property {number} [rooms]
 * @property {number} [rooms_per_minute]
 * @property {number} absence_ms
 */

/** @typedef {{name: string, version: string, url?: string | null, public?: boolean, nodes?: string[]}} ServerInfo */

/**
 * The features that the server's host allows.
 *
 * @typedef {{spectators: boolean, listing: boolean, quick_match: boolean, chat: boolean,
 *   history: boolean, ratings: boolean, parties: boolean}} Features
 */

/** @typedef {{kind: "human", player: string, name: string, face?: Face | null}} Person */
/** @typedef {Person | {kind: "somebody"} | ComputerSeat} Participant `somebody` is forgotten */

/**
 * @typedef {object} GameSummary a kept game without its moves
 * @property {string} id
 * @property {number} ended_at milliseconds since 1970
 * @property {ByMark<Participant>} players
 * @property {BoardSpec} board
 * @property {Variant} [variant] left out for `line`
 * @property {GameResult} result
 * @property {number} plies
 * @property {boolean} rated
 * @property {boolean} public
 */

/**
 * @typedef {object} ArchivedGame a kept game
 * @property {GameSummary} summary
 * @property {RoomSettings} settings
 * @property {Mark} first
 * @property {number} started_at milliseconds since 1970
 * @property {number[]} moves
 * @property {Mark[] | null} [placed] as in a `GameRecord`
 * @property {PlyEffect[] | null} [effects]
 * @property {number[]} times_ms for each move the milliseconds since the game began
 */

/** @typedef {{wins: number, losses: number, draws: number}} Tally */
/** @typedef {"three" | "four" | "five" | "ultimate" | "gravity" | "other"} BoardClass by the variant; those of `line` by the marks in a row that win */
/** @typedef {{class: BoardClass, rating: number, deviation: number, games: number}} Rating */
/** @typedef {{opponent: Participant, tally: Tally}} OpponentTally */

/**
 * @typedef {object} Profile
 * @property {string} player
 * @property {string} name
 * @property {Face | null} [face]
 * @property {number | null} first_at when the first game ended, in milliseconds since 1970
 * @property {number | null} last_at
 * @property {Tally} tally
 * @property {number} streak
 * @property {number} best_streak
 * @property {{board: BoardSpec, variant?: Variant, tally: Tally}[]} boards
 * @property {OpponentTally[]} computers
 * @property {OpponentTally[]} opponents told to the player alone
 * @property {Tally | null} you the results of the one who asks against this player
 * @property {Rating[]} ratings
 * @property {GameSummary[]} recent
 */

/** @typedef {"tonight" | "week" | "ever"} Period */
/** @typedef {{player: string, name: string, face?: Face | null}} Acquaintance */
/**
 * @typedef {{type: "challenged", room: string, player: string, name: string, face?: Face | null, settings: RoomSettings,
 *   expires_in_ms: number}} Challenged somebody asks us to play
 */
/** @typedef {{player: string, name: string, face?: Face | null, rating: Rating, games_in_period: number}} Leader */
/**
 * The puzzle of a day: X is to move.
 *
 * @typedef {{date: string, number: number, board: BoardSpec, x: number[], o: number[],
 *   answers: number[][], replies: number[]}} DailyPuzzle `answers` for each move of X: one cell, or some at the end
 */

/**
 * @typedef {{class: BoardClass, period: Period, least_games: number, rows: Leader[]}} Leaderboard
 */

/** @typedef {"won" | "lost" | "drawn"} Outcome */
/** @typedef {"computer" | "human" | {player: string}} OpponentFilter */

/**
 * The answer to a question about kept games and people.
 *
 * @typedef {{kind: "history", games: GameSummary[], more: boolean}
 *   | {kind: "game", game: ArchivedGame}
 *   | {kind: "review", game: string, first: Mark, proven: boolean, moves: ReviewedMove[]}
 *   | {kind: "profile", profile: Profile}
 *   | {kind: "leaderboard", leaderboard: Leaderboard}
 *   | {kind: "puzzle", puzzle: DailyPuzzle}
 *   | {kind: "here", people: Acquaintance[], hidden: boolean}
 *   | {kind: "export", text: string, next: string | null}} Found
 */

/** @typedef {import("./protocol-party.js").PartySettings} PartySettings */
/** @typedef {import("./protocol-party.js").Entrant} Entrant */
/** @typedef {import("./protocol-party.js").Pairing} Pairing */
/** @typedef {import("./protocol-party.js").PairingOutcome} PairingOutcome */
/** @typedef {import("./protocol-party.js").PastDecision} PastDecision */
/** @typedef {import("./protocol-party.js").PastPairing} PastPairing */
/** @typedef {import("./protocol-party.js").Place} Place */
/** @typedef {import("./protocol-party.js").PartyPresence} PartyPresence */
/** @typedef {import("./protocol-party.js").PartySnapshot} PartySnapshot */
/** @typedef {import("./protocol-party.js").PartyEvent} PartyEvent */
/** @typedef {import("./protocol-party.js").TableBoard} TableBoard */
/** @typedef {import("./protocol-party.js").PartyFormat} PartyFormat */
/** @typedef {import("./protocol-party.js").DecidedBy} DecidedBy */

/**
 * @typedef {{type: "welcome", protocol: number, player: string, name: string, face?: Face | null, token: string,
 *     server: ServerInfo, limits: Limits, features?: Partial<Features>}
 *   | {type: "ok", id: number, room?: string | null, party?: string | null}
 *   | {type: "refused", id: number | null, code: string, message: string}
 *   | Snapshot
 *   | {type: "event", room: string, v: number, event: RoomEvent}
 *   | ({type: "presence", room: string} & Presence)
 *   | Hint | Review | Evaluation
 *   | {type: "lobby", waiting: RoomSummary[], playing: RoomSummary[], more: number}
 *   | {type: "pass", code: string, expires_in_ms: number}
 *   | {type: "place_pass", party: string, entrant: number, code: string, expires_in_ms: number}
 *   | {type: "chat", room: string, lines: ChatLine[], muted?: string[] | null}
 *   | {type: "announcement", text: string, room?: string | null, party?: string | null}
 *   | {type: "features", features: Partial<Features>}
 *   | Challenged | {type: "declined", player: string, name: string, face?: Face | null}
 *   | {type: "found", id: number, found: Found}
 *   | PartySnapshot
 *   | {type: "party_events", party: string, v: number, events: PartyEvent[]}
 *   | ({type: "party_presence", party: string} & PartyPresence)
 *   | {type: "boards", party: string, boards: TableBoard[]}
 *   | {type: "pong", id: number, room: string | null, v: number | null, party_v?: number | null,
 *      presence: Presence | null}} ServerMessage
 */

/**
 * @typedef {{type: "hello", protocol: number, name: string, face?: Face | null, token: string | null,
 *   pass?: string | null, password?: string}} Hello
 */

/**
 * An intent without an id. `send` adds the id.
 *
 * @typedef {{type: "create", settings?: Partial<RoomSettings>, seats?: ByMark<SeatRequest>,
 *     shuffle?: boolean}
 *   | {type: "quick_match", board?: BoardSpec, variant?: Variant, move_time_ms?: number | null,
 *      computer?: ({after_ms: number} & Computer) | null}
 *   | {type: "cancel_match"}
 *   | {type: "join", room: string, role: "player" | "spectator"}
 *   | {type: "leave", room: string}
 *   | {type: "play", room: string, game: number, ply: number, cell: number, placed?: Mark}
 *   | {type: "choose", room: string, game: number, choice: OpeningChoice}
 *   | {type: "resign", room: string, game: number}
 *   | {type: "take_back", room: string, game: number, ply: number, offer: boolean}
 *   | {type: "rematch", room: string, game: number, offer: boolean, series?: Series | null}
 *   | {type: "pace", room: string, pace: Pace}
 *   | {type: "strength", room: string, strength: Strength}
 *   | {type: "step", room: string, game: number, ply: number}
 *   | {type: "claim", room: string, game: number, result: "win" | "draw"}
 *   | {type: "hint", room: string, game: number}
 *   | {type: "review", room: string, game: number}
 *   | {type: "say", room: string, said: Said}
 *   | {type: "mute", room: string, player: string, mute?: boolean}
 *   | {type: "create_party", name: string, settings?: Partial<PartySettings>, plays?: boolean}
 *   | {type: "join_party", party: string, role: "player" | "spectator" | "screen"}
 *   | {type: "ready", party: string, pairing: number}
 *   | {type: "withdraw" | "leave_party" | "sync_party" | "start_party" | "end_party", party: string}
 *   | {type: "pause_party", party: string, pause?: boolean, clocks?: boolean}
 *   | {type: "add_time", party: string, pairing: number, ms: number}
 *   | {type: "skip", party: string, entrant: number, skip?: boolean}
 *   | {type: "remove", party: string, entrant: number, remove?: boolean}
   | {type: "rename", party: string, entrant: number, name: string}
 *   | {type: "place_pass", party: string, entrant: number}
 *   | {type: "take_place", party: string, pass: string}
 *   | {type: "again", party: string, settings?: PartySettings | null}
 *   | {type: "decide", party: string, pairing: number, winner: number | null, note?: string | null}
 *   | {type: "history", opponent?: OpponentFilter | null, board?: BoardSpec | null, variant?: Variant | null,
 *      outcome?: Outcome | null, before?: string | null}
 *   | {type: "game" | "review_game", game: string}
 *   | {type: "profile", player?: string | null}
 *   | {type: "leaderboard", class?: BoardClass, period?: Period}
 *   | {type: "puzzle", date?: string}
 *   | {type: "here", hide?: boolean}
 *   | {type: "challenge", player: string, settings?: Partial<RoomSettings>}
 *   | {type: "decline", player: string}
 *   | {type: "export", format: "json_lines" | "sgf", before?: string | null}
 *   | {type: "forget"}
 *   | {type: "watch_lobby"} | {type: "unwatch_lobby"}
 *   | {type: "sync", room: string}
 *   | {type: "pass"}
 *   | {type: "ping"}} Intent
 */

/** @typedef {Intent & {id: number}} ClientMessage an intent with its id */

/** The part of a room's link that has its code. */
const LINK = /\/(?:r|party)\/([a-z]+)/i;

/**
 * Reads a room code, alone or in a room's link. Case, spaces and dashes do not matter.
 *
 * @param {string} text
 * @returns {string | null} `null` where the text is no code
 */
export function parseCode(text) {
  const letters = (text.match(LINK)?.[1] ?? text).replace(/[\s-]/g, "").toUpperCase();
  const legal = letters.length === CODE_LENGTH && [...letters].every((l) => CODE_LETTERS.includes(l));
  return legal ? letters : null;
}
