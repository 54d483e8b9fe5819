// Whole series, as the protocol's golden files tell them: after each message the core shows the same
// room as a core that begins there.
// @ts-check

import { roomFromSnapshot } from "../../server/web/js/core/room.js";
import { update } from "../../server/web/js/core/session.js";
import { equal, test } from "./runner.js";
import { ADA, BEN, VISITOR, inRoom } from "./test-client.js";

/** @typedef {{message: any, snapshot: any}} Step a message, and the room after it */

/** @param {string} name @returns {Promise<Step[]>} */
const series = async (name) =>
  (await fetch(`/protocol/tests/golden/series/${name}.json`)).json();

/** When every message arrives: no time passes in a series. */
const AT = 7;

for (const name of ["tic_tac_toe", "swap2"]) {
  const [{ snapshot: first }, ...steps] = await series(name);
  for (const [who, player] of [["Ada", ADA], ["Ben", BEN], ["a visitor", VISITOR]]) {
    test(`after each message of ${name} the room could be a snapshot, for ${who}`, () => {
      let { session } = inRoom(first, "spectator", player).state;
      for (const { message, snapshot } of steps) {
        [session] = update(session, { type: "told", message }, AT);
        const what = `${message.event?.kind ?? message.type}, version ${snapshot.v}`;
        equal(session.room, roomFromSnapshot(snapshot, AT, player), what);
      }
      equal(steps.length > 30, true, "the series was found");
    });
  }
}
