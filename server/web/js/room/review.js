// Stepping through a finished game: the buttons, the keys, the list of moves and the review's verdicts.
// The room screen knows which move is shown.
// @ts-check

import { h, replace, setAttr, setText, toggle, uniqueId } from "../dom.js";
import { label, markAt } from "../rules.js";
import { markLetter } from "./room-text.js";

/** @typedef {import("../strings.js").Strings} Strings */
/** @typedef {import("../state.js").Room} Room */
/** @typedef {import("../protocol.js").Mark} Mark */
/** @typedef {import("../protocol.js").ReviewedMove} ReviewedMove */

/**
 * @param {{strings: Strings, go: (ply: number) => void, close: () => void}} options `go`
 *   shows the position after a number of moves
 */
export function createReview({ strings, go, close }) {
  let [ply, plies] = [0, 0];
  const move = (/** @type {number} */ to) => go(Math.min(Math.max(to, 0), plies));
  const headingId = uniqueId();
  const place = h("p", { class: "review-place" });
  const verdict = h("p", { class: "review-verdict" });
  const summary = h("p", { class: "review-summary" });
  const steps = createSteps(strings, {
    first: () => move(0),
    previous: () => move(ply - 1),
    next: () => move(ply + 1),
    last: () => move(plies),
  });
  const list = createMoves(strings, move);
  const element = h(
    "section",
    { class: "review", "aria-labelledby": headingId },
    h("h2", { id: headingId, class: "visually-hidden" }, strings("review.title")),
    steps.element,
    h("div", { role: "status" }, place, verdict),
    list.element,
    summary,
    h("p", { class: "review-keys" }, strings("review.keys")),
    h("button", { type: "button", class: "button-quiet", onclick: close }, strings("review.close")),
  );
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: plies }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  });

  return {
    element,
    /**
     * Focuses the first useful step button.
     * @param {Element} board scrolled to the top if the buttons are out of sight
     */
    focus(board) {
      const step = ply > 0 ? steps.previous : steps.next;
      step.focus({ preventScroll: true });
      if (step.getBoundingClientRect().bottom > innerHeight) board.scrollIntoView();
    },
    /**
     * @param {Room} room
     * @param {number | null} shown the number of shown moves; null without stepping
     */
    update(room, shown) {
      toggle(element, shown !== null);
      if (shown === null || !room.game) return;
      [ply, plies] = [shown, room.game.moves.length];
      setText(place, strings(ply === 0 ? "review.start" : "review.at", { ply, plies }));
      const review = reviewOf(room);
      const made = review && ply > 0 ? review.moves[ply - 1] : null;
      setText(verdict, made ? sentence(strings, room, made) : review ? "" : strings("review.asking"));
      setAttr(verdict, "data-verdict", made?.verdict);
      setText(summary, review ? conclusion(strings, review) : "");
      steps.update(ply, plies);
      list.update(room, ply);
    },
  };
}

/** @typedef {"first" | "previous" | "next" | "last"} Step */

/**
 * @param {Strings} strings
 * @param {Record<Step, () => void>} handlers
 */
function createSteps(strings, handlers) {
  const step = (/** @type {Step} */ name, /** @type {string} */ sign) => {
    const [label, icon] = [strings(`review.${name}`), h("span", { "aria-hidden": "true" }, sign)];
    const props = { type: "button", class: "button-quiet review-step", onclick: handlers[name] };
    return h("button", { ...props, "aria-label": label, title: label }, icon);
  };
  const [first, previous] = [step("first", "«"), step("previous", "‹")];
  const [next, last] = [step("next", "›"), step("last", "»")];
  const named = { class: "review-steps", role: "group", "aria-label": strings("review.moves") };
  return {
    element: h("div", named, first, previous, next, last),
    previous,
    next,
    /** @param {number} ply @param {number} plies */
    update(ply, plies) {
      // A disabled button would lose the focus, so it only gets `aria-disabled`.
      for (const back of [first, previous]) setAttr(back, "aria-disabled", ply === 0);
      for (const on of [next, last]) setAttr(on, "aria-disabled", ply === plies);
    },
  };
}

/**
 * The list of moves. Each is a button that shows its position.
 * @param {Strings} strings
 * @param {(ply: number) => void} move
 */
function createMoves(strings, move) {
  const element = h("ol", { class: "review-moves", "aria-label": strings("review.moves") });
  /** @type {Room["review"] | undefined} */
  let listed;
  let listedGame = 0;

  /** @param {Room} room @param {number} cell @param {number} at @param {Mark} first */
  function item(room, cell, at, first) {
    const made = reviewOf(room)?.moves[at];
    const verdict =
      made && h("span", { class: "visually-hidden" }, `, ${strings(`review.${made.verdict}`)}`);
    const name = `${markLetter(markAt(first, at))} ${label(room.settings.board, cell)}`;
    const props = { type: "button", class: "review-move", onclick: () => move(at + 1) };
    const button = h("button", props, name, verdict);
    setAttr(button, "data-verdict", made?.verdict);
    return h("li", null, button);
  }

  return {
    element,
    /** @param {Room} room @param {number} ply */
    update(room, ply) {
      const { game, review } = room;
      if (game && (listed !== review || listedGame !== game.number)) {
        [listed, listedGame] = [review, game.number];
        replace(element, game.moves.map((cell, at) => item(room, cell, at, game.first)));
      }
      [...element.children].forEach((one, at) => {
        setAttr(one.children[0], "aria-current", at + 1 === ply ? "step" : null);
      });
      const current = element.children[ply - 1];
      if (current instanceof HTMLElement)
        element.scrollTop = current.offsetTop - element.clientHeight / 2;
    },
  };
}

/**
 * The review of the current game, if it has arrived.
 * @param {Room} room
 */
export const reviewOf = (room) => (room.review?.game === room.game?.number ? room.review : null);

/**
 * @param {Strings} strings
 * @param {Room} room
 * @param {ReviewedMove} made
 */
function sentence(strings, room, made) {
  const mark = markLetter(markAt(room.review?.first ?? "x", made.ply));
  if (made.verdict === "opening") return strings("review.placed", { mark });
  const value = (/** @type {string} */ worth) => strings(`review.worth.${worth}`);
  return strings(made.before === made.after ? "review.unchanged" : "review.changed", {
    verdict: strings(`review.${made.verdict}`),
    mark,
    before: value(made.before),
    after: value(made.after),
  });
}

/**
 * The summary of a review.
 * @param {Strings} strings
 * @param {NonNullable<Room["review"]>} review
 */
function conclusion(strings, review) {
  const count = review.moves.filter((made) => made.verdict === "mistake").length;
  const key = count > 1 ? "review.mistakes" : `review.mistakes.${count}`;
  const mistakes = strings(key, { count });
  return strings(review.proven ? "review.proven" : "review.estimated", { mistakes });
}
