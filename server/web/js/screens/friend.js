// Making a room: for a friend on another device, or for two on this screen.
// @ts-check

import { friendRoom, remembered } from "../choices.js";
import { h, toggle } from "../dom.js";
import { tidyName } from "../identity.js";
import { MAX_NAME_CHARS } from "../protocol.js";
import { form, halves, more, radios, textField, yesNo } from "./fields.js";
import { boardField, firstField, markField, openingField, timeField } from "./game-fields.js";

/** @param {import("../main.js").Context} ctx */
export function create({ store, send, t, choose, person }) {
  const was = remembered(store.getState().prefs, "friend", { nameX: person.name(), nameO: "" });
  const device = radios({
    legend: t("field.device"),
    options: ["two", "one"].map((value) => ({
      value,
      label: t(`device.${value}`),
      note: t(`device.${value}.note`),
    })),
    value: was.device,
    look: "rows",
    onchange: fit,
  });
  const opening = openingField(t, was.opening);
  const board = boardField(t, was.board, opening.fit);
  const names = { nameX: sharedName(t, "x", was.nameX), nameO: sharedName(t, "o", was.nameO) };
  const pair = h("div", { class: "pair names" }, names.nameX.element, names.nameO.element);
  const fields = {
    device,
    ...names,
    board,
    opening,
    mark: markField(t, was.mark),
    first: firstField(t, was.first),
    time: timeField(t, was.time),
    listed: yesNo({ label: t("field.listed"), value: was.listed }),
    spectators: yesNo({ label: t("field.spectators"), value: was.spectators }),
    hints: yesNo({ label: t("field.hints"), value: was.hints }),
    evaluation: yesNo({ label: t("field.evaluation"), value: was.evaluation }),
  };
  const { mark, first, time, listed, spectators, hints, evaluation } = fields;
  const options = [first, time, listed, spectators, hints, evaluation].map((field) => field.element);
  const view = form({
    title: t("friend.title"),
    lead: t("friend.lead"),
    go: t("friend.go"),
    fields,
    body: [
      halves(
        [device.element, pair, mark.element],
        [board.element, opening.element, more(t("form.more"), ...options)],
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
      view.wait(entering !== null, t("form.starting"));
      toggle(listed.element, features.listing);
      toggle(spectators.element, features.spectators);
      toggle(evaluation.element, features.spectators);
    },
  };
}

/**
 * What one of two who share this screen is called.
 *
 * @param {import("./game-fields.js").T} t @param {"x" | "o"} mark @param {string} value
 */
function sharedName(t, mark, value) {
  // A character may be two units long.
  const maxLength = MAX_NAME_CHARS * 2;
  const label = t("device.name", { mark: t(`mark.${mark}`) });
  return textField({ label, value, placeholder: t(`mark.${mark}`), maxLength, tidy: tidyName });
}
