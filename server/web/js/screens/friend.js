// Making a room: for a friend on another device, or for two on this screen.
// @ts-check

import { friendRoom, savedChoices } from "../choices.js";
import { h, toggle } from "../dom.js";
import { normalizeName } from "../identity.js";
import { MAX_NAME_CHARS } from "../protocol.js";
import { form, twoColumns, more, radios, textField, checkbox } from "./fields.js";
import { boardField, firstField, markField, openingField, timeField } from "./game-fields.js";

/** @typedef {import("../strings.js").Strings} Strings */

/** @param {import("../main.js").Context} ctx */
export function create({ store, send, strings, choose, person }) {
  const saved = savedChoices(store.getState().prefs, "friend", { nameX: person.name(), nameO: "" });
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
  const names = { nameX: sharedName(strings, "x", saved.nameX), nameO: sharedName(strings, "o", saved.nameO) };
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
        [board.element, opening.element, more(strings("form.more"), ...options)],
      ),
    ],
    valid: board.valid,
    start(values) {
      choose("friend", values);
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
 * What one of two who share this screen is called.
 *
 * @param {Strings} strings @param {"x" | "o"} mark @param {string} value
 */
function sharedName(strings, mark, value) {
  // A character may be two units long.
  const maxLength = MAX_NAME_CHARS * 2;
  const label = strings("device.name", { mark: strings(`mark.${mark}`) });
  return textField({ label, value, placeholder: strings(`mark.${mark}`), maxLength, normalize: normalizeName });
}
