// A client without a socket: the page's reducer, as the runner drives it. It records what the runner
// would do. The test plays the server, with the golden messages.
// @ts-check

import { reduce } from "../../server/web/js/core/page.js";
import { initialState } from "../../server/web/js/core/state.js";
import { some } from "./runner.js";

/** @typedef {import("../../server/web/js/client/protocol.js").ServerMessage} ServerMessage */
/** @typedef {import("../../server/web/js/client/protocol.js").Intent} Intent */
/** @typedef {import("../../server/web/js/core/state.js").Route} Route */
/** @typedef {import("../../server/web/js/core/page.js").Action} Action */
/** @typedef {import("../../server/web/js/core/page.js").Command} Command */

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
  state;
  /** The commands for the runner, since the last `take`. @type {Command[]} */
  #commands = [];
  #at = 0;

  /** @param {string[]} codes of the rooms that it remembers */
  constructor(...codes) {
    this.state = initialState(undefined, undefined, codes.map((code) => ({ code })));
  }

  /** @param {Action} action */
  act(action) {
    const before = this.state;
    const text = JSON.stringify(before);
    this.#at += 1;
    const [state, commands] = reduce(before, action, this.#at);
    if (JSON.stringify(before) !== text) {
      throw new Error(`${action.type} changed the old state`);
    }
    this.state = state;
    this.#commands.push(...commands);
    return this;
  }

  /** @param {ServerMessage} message */
  receive(message) {
    return this.act(message.type === "welcome" ? { type: "welcome", message } : { type: "told", message });
  }

  /** @param {Intent} intent @returns {number} its id */
  send(intent) {
    const id = this.state.session.nextId;
    this.act({ type: "asked", intent });
    return id;
  }

  /** @param {Route} route */
  goTo(route) {
    return this.act({ type: "route", route });
  }

  /** Time passes. @param {number} ms */
  wait(ms) {
    this.#at += ms;
    return this;
  }

  /** The connection breaks. */
  lose() {
    return this.act({ type: "broke", code: 1006, reason: "" });
  }

  /** @returns {Command[]} the commands since the last call */
  take() {
    return this.#commands.splice(0);
  }

  /** @returns {Intent[]} the messages since the last call, without their ids */
  sent() {
    const sends = this.take().flatMap((one) => (one.type === "send" ? [one.message] : []));
    return sends.map(({ id: _, ...message }) => /** @type {Intent} */ (message));
  }

  /** The codes of the remembered rooms. */
  get rooms() {
    return this.state.rooms.map(({ code }) => code);
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
  const id = client.send({ type: "join", room: ROOM, role });
  client.receive({ type: "ok", id, room: ROOM }).receive(snapshot);
  client.take();
  return client;
}
