// A device that sleeps while its page stays visible.
// @ts-check

import { sleepDetector } from "../../server/web/js/client/sleep.js";
import { equal, test } from "./runner.js";

test("a page notices that its clock stood still while the device's went on", () => {
  const { now } = Date;
  const clock = { steady: 5_000, wall: 1_700_000_000_000 };
  try {
    performance.now = () => clock.steady;
    Date.now = () => clock.wall;
    const hasSlept = sleepDetector();
    /** @param {number} awake @param {number} asleep */
    const after = (awake, asleep) => {
      clock.steady += awake;
      clock.wall += awake + asleep;
      return hasSlept();
    };
    equal([after(60_000, 0), after(5_000, 25_000), after(5_000, 0)], [false, true, false]);
    equal([after(5_000, 900), after(0, -90_000)], [false, false], "the device's clock was set");
    equal(after(5_000, 2_000), true);
  } finally {
    delete (/** @type {any} */ (performance).now);
    Date.now = now;
  }
});
