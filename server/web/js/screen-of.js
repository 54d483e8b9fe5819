// The screen that belongs to a state. Pure. `view.js` draws it.
// @ts-check

/** @typedef {import("./core/state.js").State} State */

/**
 * The name of the screen. It is the route's name, but the address of a room may show the invitation
 * (a seat is open), the form for the code (the room refused us) or the wait for the snapshot.
 *
 * @param {State} state
 * @returns {import("./core/state.js").Route["screen"] | "invite" | "entering"}
 */
export function screenOf({ route, room, failed, watching }) {
  if (route.screen !== "room") {
    return route.screen;
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
