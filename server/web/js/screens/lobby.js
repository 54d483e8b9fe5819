// The public rooms: those with an open seat and those to watch.
// @ts-check

import { focusOn, h, setText, toggle } from "../dom.js";
import { rules, seatName } from "./summary.js";

/** @typedef {import("../protocol.js").RoomSummary} RoomSummary */
/** @typedef {import("../main.js").Context} Context */

/** @param {Context} ctx */
export function createLobbyScreen(ctx) {
  const { strings, navigate } = ctx;
  const heading = h("h1", null, strings("lobby.title"));
  const waiting = createList(ctx, "waiting", "player", heading);
  const playing = createList(ctx, "playing", "spectator", heading);
  const more = h("p", { class: "note" });
  const lead = h("p", { class: "lead" });
  const buttons = {
    friend: routeButton("friend", strings("lobby.make")),
    quick: routeButton("quick", strings("menu.quick")),
    join: routeButton("join", strings("menu.join")),
  };
  const element = h(
    "div",
    { class: "screen" },
    h("header", null, heading, lead),
    waiting.element,
    playing.element,
    more,
    h("div", { class: "buttons" }, Object.values(buttons)),
  );

  /** @param {"friend" | "quick" | "join"} screen @param {string} label */
  function routeButton(screen, label) {
    const go = () => navigate({ screen });
    return h("button", { type: "button", class: "button-quiet", onclick: go }, label);
  }

  /** @param {import("../state.js").State} state */
  function update({ lobby, features }) {
    const { spectators, listing, quick_match } = features;
    setText(lead, strings(listing ? "lobby.lead" : "lobby.off"));
    toggle(waiting.element, listing);
    toggle(playing.element, listing && spectators);
    toggle(buttons.friend, listing);
    toggle(buttons.quick, quick_match);
    toggle(buttons.join, !listing);
    waiting.update(lobby?.waiting ?? null);
    playing.update(lobby?.playing ?? null);
    toggle(more, Boolean(lobby?.more));
    setText(more, strings("lobby.more", { count: lobby?.more ?? 0 }));
  }

  return { element, update };
}

/**
 * One of the two lists. A room keeps its row element while it is listed.
 *
 * @param {Context} ctx @param {"waiting" | "playing"} name @param {"player" | "spectator"} role
 * @param {HTMLElement} heading gets the focus of a removed row
 */
function createList(ctx, name, role, heading) {
  const { strings } = ctx;
  const list = h("ul", { class: "rooms" });
  const empty = h("p", { class: "empty" });
  const element = h("section", { class: "group" }, h("h2", null, strings(`lobby.${name}`)), list, empty);
  /** @type {Map<string, ReturnType<typeof createRow>>} */
  const rows = new Map();

  /** @param {RoomSummary[] | null} rooms */
  function update(rooms) {
    setText(empty, strings(rooms ? `lobby.${name}.none` : "lobby.loading"));
    toggle(empty, !rooms?.length);
    const codes = new Set(rooms?.map(({ room }) => room));
    for (const [code, row] of rows) {
      if (!codes.has(code)) {
        drop(code, row.element);
      }
    }
    rooms?.forEach((room, place) => {
      const row = rows.get(room.room) ?? createRow(ctx, room.room, role);
      rows.set(room.room, row);
      row.update(room);
      if (list.children[place] !== row.element) {
        list.insertBefore(row.element, list.children[place] ?? null);
      }
    });
  }

  /** @param {string} code @param {HTMLElement} row */
  function drop(code, row) {
    const focused = row.contains(document.activeElement);
    row.remove();
    rows.delete(code);
    if (focused) {
      focusOn(heading);
    }
  }

  return { element, update };
}

/** @param {Context} ctx @param {string} code @param {"player" | "spectator"} role */
function createRow({ strings, send }, code, role) {
  const who = h("strong");
  const what = h("p", { class: "note" });
  const button = h("button", {
    type: "button",
    class: role === "player" ? "button-primary" : "button-quiet",
    onclick: () => send({ type: "join", room: code, role }),
  });
  button.append(strings(role === "player" ? "lobby.play" : "lobby.watch"));
  const element = h("li", { class: "room-row" }, h("div", null, who, what), button);

  /** @param {RoomSummary} room */
  function update({ settings, seats, score, game, spectators }) {
    const [x, o] = [seatName(strings, seats.x), seatName(strings, seats.o)];
    setText(who, strings("lobby.pair", { x, o }));
    const parts = [rules(strings, settings)];
    if (game !== null || score.x + score.o + score.draws > 0) {
      parts.push(strings("lobby.score", { x: score.x, o: score.o, draws: score.draws }));
    }
    if (spectators > 0) {
      parts.push(strings("lobby.watching", { count: spectators }));
    }
    setText(what, [code, ...parts].join(" · "));
    const name = role === "player" ? "lobby.play.name" : "lobby.watch.name";
    button.setAttribute("aria-label", strings(name, { x, o }));
  }

  return { element, update };
}
