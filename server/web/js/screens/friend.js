// The form for a game with a friend: on another device or at this screen.
// @ts-check

import { friendRoom, savedChoices } from "../choices.js";
import { h, toggle } from "../dom.js";
import { normalizeName } from "../identity.js";
import { MAX_NAME_CHARS } from "../generated/constants.js";
import { checkbox, form, moreOptions, radios, textField, twoColumns } from "./fields.js";
import { boardField, firstField, markField, openingField, timeField } from "./game-fields.js";

/** @typedef {import("../strings.js").Strings} Strings */

/** @param {import("../view.js").Page} ctx */
export function createFriendScreen({ store, send, strings, saveChoices, player }) {
  const saved = savedChoices(store.getState().prefs, "friend", { nameX: player.name(), nameO: "" });
  const device = radios({
    legend: strings("field.device"),
    options: ["two", "one"].map((value) => ({
      value,
      label: strings(`device.${value}`),
      note: strings(`device.${value}.note`),
    })),
    value: saved.device,
    layout: "rows",
    onchange: fit,
  });
  const opening = openingField(strings, saved.opening);
  const board = boardField(strings, saved.board, opening.fit);
  const names = {
    nameX: sharedName(strings, "x", saved.nameX),
    nameO: sharedName(strings, "o", saved.nameO),
  };
  const pair = h("div", { class: "pair names" }, names.nameX.element, names.nameO.element);
  const fields = {
    device,
    ...names,
    board,
    opening,
    mark: markField(strings, saved.mark),
    first: firstField(strings, saved.first),
    time: timeField(strings, saved.time),
    listed: checkbox({ label: strings("field.listed"), value: saved.listed }),
    spectators: checkbox({ label: strings("field.spectators"), value: saved.spectators }),
    hints: checkbox({ label: strings("field.hints"), value: saved.hints }),
    evaluation: checkbox({ label: strings("field.evaluation"), value: saved.evaluation }),
  };
  const { mark, first, time, listed, spectators, hints, evaluation } = fields;
  const options = [first, time, listed, spectators, hints, evaluation].map((field) => field.element);
  const view = form({
    title: strings("friend.title"),
    lead: strings("friend.lead"),
    go: strings("friend.go"),
    fields,
    body: [
      twoColumns(
        [device.element, pair, mark.element],
        [board.element, opening.element, moreOptions(strings("form.more"), ...options)],
      ),
    ],
    valid: board.valid,
    start(values) {
      saveChoices("friend", values);
      send(friendRoom(store.getState().features.listing ? values : { ...values, listed: "no" }));
    },
  });

  function fit() {
    toggle(fields.mark.element, device.value() === "two");
    toggle(pair, device.value() === "one");
  }

  fit();
  return {
    element: view.element,
    /** @param {import("../state.js").State} state */
    update({ entering, features }) {
      view.wait(entering !== null, strings("form.starting"));
      toggle(listed.element, features.listing);
      toggle(spectators.element, features.spectators);
      toggle(evaluation.element, features.spectators);
    },
  };
}

/**
 * The name of one of two players at this screen.
 *
 * @param {Strings} strings @param {"x" | "o"} mark @param {string} value
 */
function sharedName(strings, mark, value) {
  // A character has up to two UTF-16 units.
  const maxLength = MAX_NAME_CHARS * 2;
  const label = strings("device.name", { mark: strings(`mark.${mark}`) });
  const placeholder = strings(`mark.${mark}`);
  return textField({ label, value, placeholder, maxLength, normalize: normalizeName });
}
