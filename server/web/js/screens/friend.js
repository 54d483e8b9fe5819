// Making a room: for a friend on another device, or for two on this screen.
// @ts-check

import { friendRoom, remembered } from "../choices.js";
import { toggle } from "../dom.js";
import { form, more, radios, yesNo } from "./fields.js";
import { boardField, firstField, markField, openingField, timeField } from "./game-fields.js";

/** @param {import("../main.js").Context} ctx */
export function create({ store, send, t, choose }) {
  const was = remembered(store.getState().prefs, "friend");
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
  const fields = {
    device,
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
      device.element,
      board.element,
      opening.element,
      mark.element,
      more(t("form.more"), ...options),
    ],
    valid: board.valid,
    start(values) {
      choose("friend", values);
      send(friendRoom(store.getState().features.listing ? values : { ...values, listed: "no" }));
    },
  });

  function fit() {
    toggle(fields.mark.element, device.value() === "two");
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
