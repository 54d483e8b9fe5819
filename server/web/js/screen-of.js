// Which screen the state shows. Pure; making and changing screens is `main.js`'s.
// @ts-check

/** @typedef {import("./state.js").State} State */

/**
 * The screen's name: that of the route, but a room's address may lead elsewhere: to an invitation
 * while its seat is open to a visitor, to where its code is retried, to waiting.
 *
 * @param {State} state
 * @returns {import("./state.js").Route["screen"] | "invite" | "entering"}
 */
export function screenOf({ route, room, failed, watching }) {
  if (route.screen !== "room") {
    return route.screen;
  }
  const { code } = route;
  if (room?.code === code) {
    const open = room.seats.x.kind === "open" || room.seats.o.kind === "open";
    const visits = room.you.length === 0 && watching !== code && !room.closed;
    return open && visits ? "invite" : "room";
  }
  if (failed?.room === code) {
    return failed.code === "no_spectators" ? "invite" : "join";
  }
  return "entering";
}
