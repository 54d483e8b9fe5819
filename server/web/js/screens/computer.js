// Playing the computer: everything is chosen already, so that one tap begins the game.
// @ts-check

import { computerRoom, remembered } from "../choices.js";
import { form, halves, more, yesNo } from "./fields.js";
import { boardField, firstField, markField, openingField } from "./game-fields.js";
import { strategyField, strengthField, timeField } from "./game-fields.js";

/** @param {import("../main.js").Context} ctx */
export function create({ store, send, t, choose }) {
  const was = remembered(store.getState().prefs, "computer");
  const strength = strengthField(t, t("field.strength"), was.strength);
  const strategy = strategyField(t, t("field.strategy"), was.strategy, () =>
    strength.fit(strategy.value()),
  );
  const opening = openingField(t, was.opening);
  const board = boardField(t, was.board, opening.fit);
  const fields = {
    strength,
    mark: markField(t, was.mark),
    board,
    opening,
    first: firstField(t, was.first),
    strategy,
    time: timeField(t, was.time),
    listed: yesNo({ label: t("field.listed"), value: was.listed }),
    hints: yesNo({ label: t("field.hints"), value: was.hints }),
  };
  const { mark, first, time, listed, hints } = fields;
  const options = [strategy, first, time, listed, hints].map((field) => field.element);
  const view = form({
    title: t("computer.title"),
    go: t("computer.go"),
    fields,
    body: [
      halves(
        [strength.element],
        [mark.element, board.element, opening.element, more(t("form.more"), ...options)],
      ),
    ],
    valid: board.valid,
    start(values) {
      choose("computer", values);
      send(computerRoom({ ...was, ...values }));
    },
  });
  strength.fit(strategy.value());
  return {
    element: view.element,
    /** @param {import("../state.js").State} state */
    update: (state) => view.wait(state.entering !== null, t("form.starting")),
  };
}
