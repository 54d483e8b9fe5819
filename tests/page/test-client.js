// A client without a socket: the page's reducer and effects, connected as in `main.js`. It records what
// it would send. The test plays the server, with the golden messages.
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

/** @param {string} name @returns {any} a copy of a golden message */
export const golden = (name) => structuredClone(some(GOLDEN[`server.${name}`], name));

/** The room of the golden messages, the ids of its two people, and another id. */
export const ROOM = "KQRZX";
export const ADA = "8f14e45fceea167a";
export const BEN = "c9f0f895fb98ab91";
export const VISITOR = "d3d9446802a44259";

/** @param {object} [change] @returns {any} both people connected, two spectators, no rematch offered */
export const presence = (change) => ({
  x: { state: "connected" },
  o: { state: "connected" },
  spectators: 2,
  rematch: null,
  ...change,
});

export class TestClient {
  state = initialState();
  /** The messages since the last `take`. @type {ClientMessage[]} */
  #sent = [];
  #lastId = 0;
  #at = 0;

  /** @param {Action} action */
  act(action) {
    const before = this.state;
    const text = JSON.stringify(before);
    this.state = reduce(before, action);
    if (JSON.stringify(before) !== text) {
      throw new Error(`${action.type} changed the old state`);
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
  receive(message) {
    this.#at += 1;
    return this.act({ type: "server", message, at: this.#at });
  }

  /** @param {Intent} intent @returns {ClientMessage} the sent message */
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

  /** @returns {ClientMessage[]} the messages since the last call */
  take() {
    return this.#sent.splice(0);
  }

  /** @returns {object[]} the same without the ids, which are random */
  takeWithoutIds() {
    return this.take().map(({ id: _, ...message }) => message);
  }

  get room() {
    return some(this.state.room, "a room");
  }
}

/**
 * A client in the golden room.
 *
 * @param {any} [snapshot]
 * @param {"player" | "spectator"} [role]
 * @param {string} [player] the client's id
 */
export function inRoom(snapshot = golden("snapshot"), role = "player", player = ADA) {
  const client = new TestClient().receive({ ...golden("welcome"), player });
  const { id } = client.send({ type: "join", room: ROOM, role });
  client.receive({ type: "ok", id, room: ROOM }).receive(snapshot);
  client.take();
  return client;
}
