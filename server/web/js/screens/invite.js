// The screen behind the link to a room with an open seat: who is there, and the button Play. A room
// that admits no spectators also shows it; then only the room's code is known.
// @ts-check

import { h, setAttr, setText } from "../dom.js";
import { failureText } from "./join.js";
import { createNameField } from "./name-field.js";
import { rules, seatName } from "./summary.js";

/** @typedef {import("../state.js").State} State */

/** @param {import("../main.js").Context} ctx */
export function createInviteScreen(ctx) {
  const { strings, send, store } = ctx;
  const name = createNameField(ctx);
  const title = h("h1");
  const what = h("p", { class: "lead" });
  const play = h("button", { type: "button", class: "button-primary", onclick: joinAsPlayer });
  play.append(strings("invite.play"));
  const watch = h("button", { type: "button", class: "button-quiet", onclick: watchRoom });
  watch.append(strings("invite.watch"));
  const element = h(
    "div",
    { class: "screen" },
    h("header", null, title, what),
    name.element,
    h("div", { class: "buttons" }, play, watch),
  );

  function code() {
    const { route } = store.getState();
    return route.screen === "room" ? route.code : "";
  }

  function joinAsPlayer() {
    name.save();
    send({ type: "join", room: code(), role: "player" });
  }

  function watchRoom() {
    store.dispatch({ type: "watch", room: code() });
  }

  /** @param {State} state */
  function update(state) {
    name.update();
    const { room, failed } = state;
    const here = room?.code === code() ? room : null;
    const taken = here && (here.seats.x.kind === "open" ? here.seats.o : here.seats.x);
    const host = taken && taken.kind !== "open" ? seatName(strings, taken) : null;
    const invitation = host && strings("invite.title", { name: host });
    setText(title, invitation || strings("invite.room", { room: code() }));
    const why = failed ? failureText(strings, failed) : "";
    setText(what, here ? strings("invite.rules", { rules: rules(strings, here.settings) }) : why);
    watch.hidden = !here;
    const joining = state.pending.some(({ message }) => message.type === "join");
    setAttr(play, "aria-disabled", joining);
  }

  return { element, update };
}
