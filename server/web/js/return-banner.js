// A banner with a button to the room where the player has a seat, on every other screen. The menu
// also offers the room of an earlier visit.
// @ts-check

import { h, setText, toggle } from "./dom.js";

/** Screens without the banner. */
const ROOM_SCREENS = ["room", "invite", "entering"];

/** @param {import("./main.js").Context} ctx */
export function createReturnBanner({ strings, navigate }) {
  let code = "";
  const text = h("p");
  const button = h("button", { type: "button", class: "button-quiet", onclick: go });
  button.append(strings("return.go"));
  const label = strings("return.label");
  const box = h("section", { class: "return-banner", "aria-label": label }, text, button);
  const element = h("div", { role: "status" }, box);

  function go() {
    navigate({ screen: "room", code });
  }

  /** @param {import("./state.js").State} state @param {string} screen */
  function update({ room, lastRoom }, screen) {
    const here = room && !room.closed && room.you.length > 0 ? room.code : null;
    code = here ?? (screen === "welcome" ? lastRoom : null) ?? "";
    const wanted = code !== "" && !ROOM_SCREENS.includes(screen);
    toggle(box, wanted);
    if (wanted) setText(text, strings(here ? "return.here" : "return.earlier", { room: code }));
  }

  return { element, update };
}
