// The constants of the protocol. A test of `protocol` writes this file.
// @ts-check

/** The version of the wire contract. */
export const PROTOCOL_VERSION = 2;

/** After these close codes nobody reconnects. */
export const FINAL_CLOSE_CODES = Object.freeze([1000,1003,1009,4001,4004,4005,4006,4007]);

/** The id of every ping; no intent has it. */
export const PING_ID = 9007199254740991;

/** The most unanswered intents of the player. */
export const MAX_UNANSWERED = 12;

/** Without any answer for so long: connect again. */
export const ANSWER_MS = 10000;

/** The wait for a room that could not be read. */
export const REJOIN_MS = 1000;

/** The wait before the first reconnect. */
export const FIRST_DELAY_MS = 200;

/** The longest wait in the first 15 s. */
export const LONGEST_DELAY_AT_FIRST_MS = 1000;

/** The longest wait after that. */
export const LONGEST_DELAY_MS = 5000;

/** The longest name, in characters. */
export const MAX_NAME_CHARS = 24;

/** The longest text of a line, in characters. */
export const MAX_CHAT_CHARS = 140;

/** The bytes of a character, on average at most. */
export const BYTES_PER_CHAR = 4;

/** The lines of players, and of spectators, that are kept. */
export const CHAT_LINES = 30;

/** The lines that a player may say in a row. */
export const CHAT_BURST = 5;

/** After so long they may say as many again. */
export const CHAT_WINDOW_MS = 10000;

/** The most people whom a player may mute. */
export const MAX_MUTED = 100;

/** So long somebody who is asked to play has to come. */
export const CHALLENGE_MS = 60000;

/** With so long for a move, or longer, nobody claims before the clock ends. */
export const LONG_MOVE_MS = 3600000;

/** The letters of room codes. */
export const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** The length of a room code. */
export const CODE_LENGTH = 5;

/** The shortest side of a board, and line. */
export const MIN_SIDE = 3;

/** The longest side of a board. */
export const MAX_SIDE = 19;

/** The shortest side of a board for swap2. */
export const MIN_SWAP2_SIDE = 13;
