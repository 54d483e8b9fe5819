// Requests as promises: each is settled by the answer of the server, after a break too, because the
// session repeats a message with its id. Pure.
// @ts-check

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./session.js").Output} Output */
/** @typedef {import("./protocol.js").Intent} Intent */
/** @typedef {"room" | "party" | "hint" | "review"} Awaited what follows an `ok` */

/** Why the server, or this side, did not do what was asked for. */
export class RefusedError extends Error {
  /** @param {string} code as in the protocol, or `busy`, `dropped`, `store`, `closed` @param {string} message */
  constructor(code, message) {
    super(message);
    this.name = "RefusedError";
    /** One of the protocol's refusal codes, or `busy`, `dropped`, `store`, `closed`. */
    this.code = code;
  }
}

/** The end of the intents that an `ok` does not end. @type {Record<string, Awaited>} */
const LEADS_TO = {
  create: "room", join: "room", quick_match: "room", challenge: "room",
  create_party: "party", join_party: "party", take_place: "party",
  hint: "hint", review: "review",
};

/** The events with which it has come. @type {Record<Awaited, Output["type"]>} */
const COMES_WITH = { room: "entered", party: "party", hint: "hint", review: "review" };

/**
 * @typedef {object} Asked
 * @property {Intent["type"]} type
 * @property {Awaited | null} awaits after the `ok`
 * @property {string | null} room that the `ok` has named: null for a quick match that waits
 * @property {(value: any) => void} resolve
 * @property {(error: RefusedError) => void} reject
 */

/** The open ones, as many as a session has unanswered, and those that wait for a room. */
export class Promises {
  /** @type {Map<number, Asked>} */ #open = new Map();

  /** @param {number} id @param {Intent["type"]} type @returns {Promise<any>} */
  add(id, type) {
    return new Promise((resolve, reject) => this.#open.set(id, { type, awaits: null, room: null, resolve, reject }));
  }

  /** @param {string} code @param {string} message */
  rejectAll(code, message) {
    for (const id of this.#open.keys()) this.#reject(id, code, message);
  }

  /** Takes an answer. @param {import("./protocol.js").ServerMessage} message @param {Session} session after it */
  answer(message, session) {
    if (message.type === "ok") {
      const asked = this.#open.get(message.id);
      if (!asked) return;
      asked.room = message.room ?? null;
      const isThere = asked.room === session.room?.code;
      asked.awaits = LEADS_TO[asked.type] !== "room" ? awaited(session, message.id) : isThere ? null : "room";
      if (!asked.awaits) this.#resolve(message.id, valueOf(session, LEADS_TO[asked.type]));
    } else if (message.type === "refused" && message.id !== null) {
      this.#reject(message.id, message.code, message.message);
    } else if (message.type === "found") {
      this.#resolve(message.id, message.found);
    } else if (message.type === "pong") {
      this.#resolve(message.id, message);
    }
  }

  /** Settles what has come, and what nobody answers any more. @param {readonly Output[]} outputs @param {Session} session */
  settle(outputs, session) {
    const here = session.room?.code;
    const isNamed = [...this.#open.values()].some(({ room }) => room === here);
    for (const [id, { awaits, room }] of this.#open) {
      // A room that no `ok` has named is that of the quick match, or a table to which a party leads.
      const isOther = awaits === "room" && (room ? room !== here : isNamed || Boolean(session.room?.settings.party));
      if (awaits && !isOther && outputs.some(({ type }) => type === COMES_WITH[awaits])) {
        this.#resolve(id, valueOf(session, awaits));
      } else if (awaits ? !isAwaited(session, awaits, room) : !isKnown(session, id)) {
        this.#reject(id, "dropped", "this is not waited for any more");
      }
    }
  }

  /** @param {number} id @param {unknown} value */
  #resolve(id, value) {
    this.#open.get(id)?.resolve(value);
    this.#open.delete(id);
  }

  /** @param {number} id @param {string} code @param {string} message */
  #reject(id, code, message) {
    this.#open.get(id)?.reject(new RefusedError(code, message));
    this.#open.delete(id);
  }
}

/** The end after an `ok`. @param {Session} session @param {number} id @returns {Awaited | null} */
function awaited({ following, analysis }, id) {
  if (following?.id === id) return "party";
  return analysis?.message.id === id ? analysis.message.type : null;
}

/** @param {Session} session @param {Awaited} what @param {string | null} room */
function isAwaited({ entering, queue, following, analysis }, what, room) {
  if (what === "room") return room ? entering?.room === room : entering !== null || queue !== null;
  return what === "party" ? following !== null : analysis?.message.type === what;
}

/** @param {Session} session @param {number} id */
const isKnown = ({ unanswered, queue }, id) => queue?.id === id || unanswered.some((message) => message.id === id);

/** @param {Session} session @param {Awaited | undefined} what */
function valueOf({ room, party }, what) {
  if (what === "room") return room;
  return what === "party" ? party : what && room?.[what];
}
