// When a connection counts as dead, by a clock of the test. A device that sleeps is in sleep.test.js.
// @ts-check

import { Connection } from "../../server/web/js/client/connection.js";
import { equal, test } from "./runner.js";

/**
 * A server that answers pings until a moment. Returns the milliseconds from there until the connection counts as
 * dead, or `null` if it lives for ten minutes, and the number of pings.
 *
 * @param {number} answersFor
 * @returns {[number | null, number]}
 */
function live(answersFor) {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  /** @type {Map<number, {act: () => void, at: number}>} */
  const timers = new Map();
  let now = 0;
  let last = 0;
  let pings = 0;
  /** @type {number | null} */
  let lost = null;
  /** @param {() => void} act @param {number} ms */
  const later = (act, ms) => {
    timers.set(++last, { act, at: now + ms });
    return last;
  };
  const socket = {
    readyState: 1,
    /** @type {((event: {data: string}) => void) | null} */
    onmessage: null,
    close() {},
    /** @param {string} text */
    send(text) {
      if (JSON.parse(text).type !== "ping") return;
      pings += 1;
      // An answer after nine seconds still counts.
      later(() => now < answersFor && receive({ type: "pong" }), 9_000);
    },
  };
  /** @param {object} message */
  const receive = (message) => socket.onmessage?.({ data: JSON.stringify(message) });
  const connection = new Connection({
    base: "http://server",
    greeting: () => ({ name: "Ada", face: null, token: null, pass: null }),
    onHelloRefused: () => "tell",
    report: ({ type }) => {
      if (type === "broke") lost ??= now;
    },
    early: () => /** @type {any} */ (socket),
  });
  try {
    Object.assign(globalThis, {
      setTimeout: later,
      clearTimeout: (/** @type {number} */ id) => timers.delete(id),
    });
    connection.open();
    receive({ type: "welcome", server: {} });
    while (lost === null && now < 600_000) {
      const [[id, next]] = [...timers].sort(([, a], [, b]) => a.at - b.at);
      timers.delete(id);
      now = next.at;
      next.act();
    }
  } finally {
    Object.assign(globalThis, real);
  }
  return [lost === null ? null : lost - answersFor, pings];
}

test("a device that wakes up asks nobody again while the password is typed", () => {
  let opened = 0;
  let refused = 0;
  const socket = { readyState: 0, onmessage: /** @type {any} */ (null), close() {} };
  const connection = new Connection({
    base: "http://server",
    greeting: () => ({ name: "Ada", face: null, token: null, pass: null }),
    onHelloRefused: () => {
      refused += 1;
      return "wait";
    },
    report() {},
    early: () => {
      opened += 1;
      return /** @type {any} */ (socket);
    },
  });
  connection.open();
  socket.onmessage({ data: JSON.stringify({ type: "refused", id: null, code: "password_required", message: "no" }) });
  connection.wake();
  equal([opened, refused], [1, 1]);
  connection.open();
  equal(opened, 2, "with the password");
  connection.close();
});

test("who only waits sees a lost network within fifteen seconds", () => {
  for (let answers = 4_001; answers < 24_000; answers += 997) {
    const [after] = live(answers);
    equal(after !== null && after <= 15_000, true, `${after} ms after ${answers} ms`);
  }
  const [after, pings] = live(1e9);
  equal([after, pings < 70], [null, true], `a slow connection is not dead: ${pings} pings in ten minutes`);
});
