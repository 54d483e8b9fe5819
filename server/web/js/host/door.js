// The host's door: questions and answers over HTTP, and a watch that asks again and again. It knows no elements.
// @ts-check

/** @typedef {import("../client/protocol.js").RoomSummary} RoomSummary */
/** @typedef {import("../client/protocol.js").Features} Features */
/** @typedef {import("../client/protocol.js").RoomSettings} RoomSettings */
/** @typedef {{player: string} | {network: string}} Who */
/** @typedef {{type: string, [field: string]: unknown}} Question */
/** @typedef {RoomSummary & {age_s?: number, idle_s?: number}} HostRoom */
/** @typedef {{party: string, entrants: number, empty: boolean, name?: string, phase?: string, host?: string}} HostParty */
/**
 * @typedef {{player: string, name: string, address: string, since_s: number, room: string | null,
 *   party?: string | null, waits_for?: Pick<RoomSettings, "board" | "variant"> | null}} HostPerson
 */
/** @typedef {{what: string, who: string, count: number}} HostLimit */
/** @typedef {{ban: number, who: Who, until: number | null, reason: string}} Ban */
/** @typedef {{type: string, [field: string]: any}} Deed */
/** @typedef {{act: number, at: number, by: string, deed: Deed}} Act */
/**
 * @typedef {{type: "status", name?: string, version: string, up_s: number, connections: number, playing: number, rooms: number,
 *   parties: number, waiting: number, bans: number, closed: boolean, features?: Features, memory_bytes?: number,
 *   store_bytes?: number, store_fails?: boolean, cluster?: {others: string[]} | null}} Status
 */
/** @typedef {{type: "room", snapshot: import("../client/protocol.js").Snapshot, chat: import("../client/protocol.js").ChatLine[]}} RoomView */

/**
 * @typedef {Status | RoomView
 *   | {type: "rooms", rooms: HostRoom[], asleep: number, total?: number}
 *   | {type: "parties", parties: HostParty[]}
 *   | {type: "connections", connections: HostPerson[], total?: number}
 *   | {type: "limits", limited: HostLimit[]}
 *   | {type: "bans", bans: Ban[]}
 *   | {type: "acts", acts: Act[]}
 *   | {type: "done" | "refused", message: string}} Answer
 */

/** @typedef {"token" | "limited" | "away"} Trouble the token is wrong, too many were, or nobody answers */

/** How long an answer may take, in milliseconds. */
const PATIENCE = 10_000;

/** How long a watch rests after an answer, in milliseconds. */
const REST = 1_000;

/** The longest rest, after failures. */
const LONGEST_REST = 15_000;

/** Why there is no answer. */
class NoAnswer extends Error {
  /** @param {Trouble} trouble */
  constructor(trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

/** Whether a text can be a token: a header takes no other characters. @param {string} text */
export const isToken = (text) => /^[\x21-\x7e]+$/.test(text);

/**
 * Asks one question.
 *
 * @param {string} token
 * @param {Question} question
 * @returns {Promise<Answer>} fails with `NoAnswer`
 */
export async function ask(token, question) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(PATIENCE);
  const request = { method: "POST", headers, body: JSON.stringify(question), signal };
  try {
    const response = await fetch("api/admin", request);
    if (response.ok) return await response.json();
    throw new NoAnswer(response.status === 401 ? "token" : response.status === 429 ? "limited" : "away");
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer("away");
  }
}

/** Looks again and again while the tab is in sight, and more rarely while nobody answers. */
export class Watch {
  #look;
  #told;
  /** @type {number | undefined} */
  #timer;
  #round = 0;
  #failures = 0;

  /**
   * @param {() => Promise<Answer[]>} look
   * @param {(seen: Answer[] | Trouble) => void} told
   */
  constructor(look, told) {
    this.#look = look;
    this.#told = told;
    document.addEventListener("visibilitychange", this.now);
  }

  /** Looks now. The answer to an earlier look counts no more. */
  now = () => {
    clearTimeout(this.#timer);
    this.#round += 1;
    if (!document.hidden) void this.#once(this.#round);
  };

  stop() {
    clearTimeout(this.#timer);
    this.#round += 1;
    document.removeEventListener("visibilitychange", this.now);
  }

  /** @param {number} round */
  async #once(round) {
    /** @type {Answer[] | Trouble} */
    const seen = await this.#look().catch((error) => (error instanceof NoAnswer ? error.trouble : Promise.reject(error)));
    if (round !== this.#round) return;
    this.#failures = typeof seen === "string" ? this.#failures + 1 : 0;
    this.#told(seen);
    if (round !== this.#round) return;
    this.#timer = setTimeout(this.now, Math.min(REST * 2 ** this.#failures, LONGEST_REST));
  }
}
