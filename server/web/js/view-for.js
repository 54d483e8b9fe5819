// The screen that belongs to a state. Pure. `view.js` draws it.
// @ts-check

/** @typedef {import("./core/state.js").State} State */

/** The feature of the server that a screen is about. @type {Partial<Record<string, keyof State["features"]>>} */
const NEEDS = { quick: "quick_match", leaders: "ratings" };

/**
 * The name of the screen. It is the route's name, but the address of a room may show the invitation
 * (a seat is open), the form for the code (the room refused us) or the wait for the snapshot. A screen that
 * the server's host has switched off says so.
 *
 * @param {State} state
 * @returns {import("./core/state.js").Route["screen"] | "invite" | "entering" | "off"}
 */
export function viewFor({ route, room, failed, watching, features }) {
  if (route.screen !== "room") {
    const need = NEEDS[route.screen];
    return need && !features[need] ? "off" : route.screen;
  }
  const { code } = route;
  if (room?.code === code) {
    const open = room.seats.x.kind === "open" || room.seats.o.kind === "open";
    const isVisitor = room.you.length === 0 && watching !== code && !room.closed;
    return open && isVisitor ? "invite" : "room";
  }
  if (failed?.room === code) {
    return failed.code === "no_spectators" ? "invite" : "join";
  }
  return "entering";
}
