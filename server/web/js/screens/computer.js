// The form for a game against the computer. Its defaults start a game with one tap.
// @ts-check

import { computerRoom, savedChoices } from "../choices.js";
import { checkbox, form, moreOptions, twoColumns } from "./fields.js";
import { boardField, firstField, markField, openingField } from "./game-fields.js";
import { strategyField, strengthField, timeField } from "./game-fields.js";

/** @param {import("../view.js").Page} ctx */
export function createComputerScreen({ store, send, strings, saveChoices }) {
  const saved = savedChoices(store.getState().prefs, "computer");
  const strength = strengthField(strings, strings("field.strength"), saved.strength);
  const strategy = strategyField(strings, strings("field.strategy"), saved.strategy, () =>
    strength.fit(strategy.value()),
  );
  const opening = openingField(strings, saved.opening);
  const board = boardField(strings, saved.board, opening.fit);
  const fields = {
    strength,
    mark: markField(strings, saved.mark),
    board,
    opening,
    first: firstField(strings, saved.first),
    strategy,
    time: timeField(strings, saved.time),
    listed: checkbox({ label: strings("field.listed"), value: saved.listed }),
    hints: checkbox({ label: strings("field.hints"), value: saved.hints }),
  };
  const { mark, first, time, listed, hints } = fields;
  const options = [strategy, first, time, listed, hints].map((field) => field.element);
  const view = form({
    title: strings("computer.title"),
    go: strings("computer.go"),
    fields,
    body: [
      twoColumns(
        [strength.element],
        [mark.element, board.element, opening.element, moreOptions(strings("form.more"), ...options)],
      ),
    ],
    valid: board.valid,
    start(values) {
      saveChoices("computer", values);
      send(computerRoom({ ...saved, ...values }));
    },
  });
  strength.fit(strategy.value());
  return {
    element: view.element,
    /** @param {import("../state.js").State} state */
    update: (state) => view.wait(state.entering !== null, strings("form.starting")),
  };
}
