// A visit without a socket: the page's own reducer and effects, wired as `main.js` wires them, with
// what it would send written down. The test plays the server, with the golden messages to start from.
// @ts-check

import { effects } from "../../server/web/js/effects.js";
import { reduce } from "../../server/web/js/reduce.js";
import { initialState } from "../../server/web/js/state.js";
import { some } from "./runner.js";

/** @typedef {import("../../server/web/js/protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("../../server/web/js/protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("../../server/web/js/protocol.js").Intent} Intent */
/** @typedef {import("../../server/web/js/reduce.js").Action} Action */

/** Every golden message of a server, by the name of its file. @type {Record<string, any>} */
export const GOLDEN = await (await fetch("/golden.json")).json();

/** @param {string} name @returns {any} a copy of a golden message, to be changed at will */
export const golden = (name) => structuredClone(some(GOLDEN[`server.${name}`], name));

/** The room of the golden messages. */
export const ROOM = "KQRZX";

/** One visit. */
export class Visit {
  state = initialState();
  /** Everything that would have gone over the wire since `take` was called. @type {ClientMessage[]} */
  #sent = [];
  #lastId = 0;
  #at = 0;

  /** @param {Action} action */
  act(action) {
    const before = this.state;
    const text = JSON.stringify(before);
    this.state = reduce(before, action);
    if (JSON.stringify(before) !== text) {
      throw new Error(`${action.type} changed the state, which is to be made anew`);
    }
    for (const { message, tracked } of effects(before, this.state, action)) {
      if (tracked) {
        this.send(message);
      } else {
        this.#sent.push("id" in message ? message : { ...message, id: (this.#lastId += 1) });
      }
    }
    return this;
  }

  /** @param {ServerMessage} message */
  hear(message) {
    this.#at += 1;
    return this.act({ type: "server", message, at: this.#at });
  }

  /** @param {Intent} intent @returns {ClientMessage} as it was sent */
  send(intent) {
    const message = { ...intent, id: (this.#lastId += 1) };
    this.#sent.push(message);
    this.act({ type: "sent", message, at: this.#at });
    return message;
  }

  /** The connection breaks. */
  lose() {
    return this.act({ type: "connection", phase: "lost", code: 1006, reason: "" });
  }

  /** @returns {ClientMessage[]} what was sent since the last time */
  take() {
    return this.#sent.splice(0);
  }

  /** @returns {object[]} the same without the ids, which are chosen anew each time */
  takeWithoutIds() {
    return this.take().map(({ id: _, ...message }) => message);
  }

  /** The room that the visitor is in. */
  get room() {
    return some(this.state.room, "a room");
  }
}

/**
 * A visitor in the golden room.
 *
 * @param {any} [snapshot]
 * @param {"player" | "spectator"} [role]
 */
export function inRoom(snapshot = golden("snapshot"), role = "player") {
  const visit = new Visit().hear(golden("welcome"));
  const { id } = visit.send({ type: "join", room: ROOM, role });
  visit.hear({ type: "ok", id, room: ROOM }).hear(snapshot);
  visit.take();
  return visit;
}
