// Watching two computers play each other.
// @ts-check

import { computersRoom, hasStrengths, remembered, STRATEGIES, STRENGTHS } from "../choices.js";
import { computerNote } from "../computer.js";
import { h, setText, toggle } from "../dom.js";
import { form, halves, more, select, yesNo } from "./fields.js";
import { boardField, firstField, openingField } from "./game-fields.js";

/** @typedef {import("./game-fields.js").T} T */

/** @param {import("../main.js").Context} ctx */
export function create({ store, send, t, choose }) {
  const was = remembered(store.getState().prefs, "computers", { evaluation: "yes" });
  const x = player(t, "x", was.strategyX, was.strengthX);
  const o = player(t, "o", was.strategyO, was.strengthO);
  const opening = openingField(t, was.opening);
  const board = boardField(t, was.board, opening.fit);
  const fields = {
    strategyX: x.strategy,
    strengthX: x.strength,
    strategyO: o.strategy,
    strengthO: o.strength,
    board,
    opening,
    first: firstField(t, was.first),
    listed: yesNo({ label: t("field.listed"), value: was.listed }),
    evaluation: yesNo({ label: t("field.evaluation"), value: was.evaluation }),
  };
  const { first, listed, evaluation } = fields;
  const options = [first, listed, evaluation].map((field) => field.element);
  const view = form({
    title: t("computers.title"),
    go: t("computers.go"),
    fields,
    body: [
      halves(
        [h("div", { class: "pair" }, x.element, o.element)],
        [board.element, opening.element, more(t("form.more"), ...options)],
      ),
    ],
    valid: board.valid,
    start(values) {
      choose("computers", values);
      const listed = store.getState().features.listing ? values.listed : "no";
      send(computersRoom({ ...was, ...values, listed }));
    },
  });
  return {
    element: view.element,
    /** @param {import("../state.js").State} state */
    update({ entering, features }) {
      view.wait(entering !== null, t("form.starting"));
      toggle(fields.listed.element, features.listing);
    },
  };
}

/**
 * One of the two: how it chooses, how well, and what that means.
 *
 * @param {T} t @param {"x" | "o"} mark @param {string} strategyWas @param {string} strengthWas
 */
function player(t, mark, strategyWas, strengthWas) {
  const note = h("p", { class: "note" });
  const strength = select({
    label: t("field.strength"),
    options: STRENGTHS.map((value) => ({ value, label: t(`strength.${value}`) })),
    value: strengthWas,
    onchange: show,
  });
  const strategy = select({
    label: t("field.strategy"),
    options: STRATEGIES.map((value) => ({ value, label: t(`strategy.${value}`) })),
    value: strategyWas,
    onchange: show,
  });
  const element = h(
    "fieldset",
    { class: "side" },
    h("legend", null, t(`computers.${mark}`)),
    strength.element,
    strategy.element,
    note,
  );

  function show() {
    const how = strategy.value();
    toggle(strength.element, hasStrengths(how));
    setText(note, computerNote(t, how, strength.value()));
  }

  show();
  return { element, strategy, strength };
}
