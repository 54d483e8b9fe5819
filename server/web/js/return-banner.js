// The way back into the room where the person still has a seat, on every screen that is not the
// room; on the menu also into that of an earlier visit.
// @ts-check

import { h, setText, toggle } from "./dom.js";

/** What shows a room already, or leads there. */
const ON_THE_WAY = ["room", "invite", "entering"];

/** @param {import("./main.js").Context} ctx */
export function createReturnBanner({ strings, navigate }) {
  let code = "";
  const words = h("p");
  const button = h("button", { type: "button", class: "button-quiet", onclick: go });
  button.append(strings("return.go"));
  const box = h("section", { class: "return-banner", "aria-label": strings("return.label") }, words, button);
  const element = h("div", { role: "status" }, box);

  function go() {
    navigate({ screen: "room", code });
  }

  /** @param {import("./state.js").State} state @param {string} screen */
  function update({ room, lastRoom }, screen) {
    const here = room && !room.closed && room.you.length > 0 ? room.code : null;
    code = here ?? (screen === "welcome" ? lastRoom : null) ?? "";
    const wanted = code !== "" && !ON_THE_WAY.includes(screen);
    toggle(box, wanted);
    if (wanted) setText(words, strings(here ? "return.here" : "return.earlier", { room: code }));
  }

  return { element, update };
}
