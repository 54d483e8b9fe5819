// The form for a game between two computers.
// @ts-check

import { computersRoom, hasStrengths, savedChoices, STRATEGIES, STRENGTHS } from "../choices.js";
import { computerNote } from "../computer-text.js";
import { h, setText, toggle } from "../dom.js";
import { checkbox, form, moreOptions, select, twoColumns } from "./fields.js";
import { boardField, firstField, openingField } from "./game-fields.js";

/** @typedef {import("../strings.js").Strings} Strings */

/** @param {import("../view.js").Page} ctx */
export function createComputersScreen({ store, send, strings, saveChoices }) {
  const saved = savedChoices(store.getState().prefs, "computers", { evaluation: "yes" });
  const x = computerFields(strings, "x", saved.strategyX, saved.strengthX);
  const o = computerFields(strings, "o", saved.strategyO, saved.strengthO);
  const opening = openingField(strings, saved.opening);
  const board = boardField(strings, saved.board, opening.fit);
  const fields = {
    strategyX: x.strategy,
    strengthX: x.strength,
    strategyO: o.strategy,
    strengthO: o.strength,
    board,
    opening,
    first: firstField(strings, saved.first),
    listed: checkbox({ label: strings("field.listed"), value: saved.listed }),
    evaluation: checkbox({ label: strings("field.evaluation"), value: saved.evaluation }),
  };
  const { first, listed, evaluation } = fields;
  const options = [first, listed, evaluation].map((field) => field.element);
  const view = form({
    title: strings("computers.title"),
    go: strings("computers.go"),
    fields,
    body: [
      twoColumns(
        [h("div", { class: "pair" }, x.element, o.element)],
        [board.element, opening.element, moreOptions(strings("form.more"), ...options)],
      ),
    ],
    valid: board.valid,
    start(values) {
      saveChoices("computers", values);
      const listed = store.getState().features.listing ? values.listed : "no";
      send(computersRoom({ ...saved, ...values, listed }));
    },
  });
  return {
    element: view.element,
    /** @param {import("../state.js").State} state */
    update({ entering, features }) {
      view.wait(entering !== null, strings("form.starting"));
      toggle(fields.listed.element, features.listing);
    },
  };
}

/**
 * The fields of one computer and a note about it.
 *
 * @param {Strings} strings @param {"x" | "o"} mark @param {string} savedStrategy
 * @param {string} savedStrength
 */
function computerFields(strings, mark, savedStrategy, savedStrength) {
  const note = h("p", { class: "note" });
  const strength = select({
    label: strings("field.strength"),
    options: STRENGTHS.map((value) => ({ value, label: strings(`strength.${value}`) })),
    value: savedStrength,
    onchange: show,
  });
  const strategy = select({
    label: strings("field.strategy"),
    options: STRATEGIES.map((value) => ({ value, label: strings(`strategy.${value}`) })),
    value: savedStrategy,
    onchange: show,
  });
  const element = h(
    "fieldset",
    { class: "side" },
    h("legend", null, strings(`computers.${mark}`)),
    strength.element,
    strategy.element,
    note,
  );

  function show() {
    const how = strategy.value();
    toggle(strength.element, hasStrengths(how));
    setText(note, computerNote(strings, how, strength.value()));
  }

  show();
  return { element, strategy, strength };
}
