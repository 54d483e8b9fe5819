// Watching two computers play each other.
// @ts-check

import { computersRoom, hasStrengths, savedChoices, STRATEGIES, STRENGTHS } from "../choices.js";
import { computerNote } from "../computer-text.js";
import { h, setText, toggle } from "../dom.js";
import { form, twoColumns, more, select, checkbox } from "./fields.js";
import { boardField, firstField, openingField } from "./game-fields.js";

/** @typedef {import("../strings.js").Strings} Strings */

/** @param {import("../main.js").Context} ctx */
export function create({ store, send, strings, choose }) {
  const saved = savedChoices(store.getState().prefs, "computers", { evaluation: "yes" });
  const x = player(strings, "x", saved.strategyX, saved.strengthX);
  const o = player(strings, "o", saved.strategyO, saved.strengthO);
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
        [board.element, opening.element, more(strings("form.more"), ...options)],
      ),
    ],
    valid: board.valid,
    start(values) {
      choose("computers", values);
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
 * One of the two: how it chooses, how well, and what that means.
 *
 * @param {Strings} strings @param {"x" | "o"} mark @param {string} strategyWas @param {string} strengthWas
 */
function player(strings, mark, strategyWas, strengthWas) {
  const note = h("p", { class: "note" });
  const strength = select({
    label: strings("field.strength"),
    options: STRENGTHS.map((value) => ({ value, label: strings(`strength.${value}`) })),
    value: strengthWas,
    onchange: show,
  });
  const strategy = select({
    label: strings("field.strategy"),
    options: STRATEGIES.map((value) => ({ value, label: strings(`strategy.${value}`) })),
    value: strategyWas,
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
