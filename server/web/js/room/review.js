// A game that is over, move by move: the buttons and keys that step through it, and what its
// review says of the move that is shown. Which move that is, is the room's (room.js).
// @ts-check

import { h, replace, setAttr, setText, toggle, uniqueId } from "../dom.js";
import { label, markAt } from "../rules.js";
import { letter } from "./say.js";

/** @typedef {import("../state.js").Room} Room */
/** @typedef {import("../protocol.js").ReviewedMove} ReviewedMove */

/**
 * @param {{t: import("./say.js").T, go: (ply: number) => void, close: () => void}} options `go`
 *   shows the position after so many moves
 */
export function createReview({ t, go, close }) {
  const headingId = uniqueId();
  const place = h("p", { class: "review-place" });
  const verdict = h("p", { class: "review-verdict" });
  const summary = h("p", { class: "review-summary" });
  const steps = {
    first: step("first", "«", () => 0),
    previous: step("previous", "‹", () => ply - 1),
    next: step("next", "›", () => ply + 1),
    last: step("last", "»", () => plies),
  };
  const list = h("ol", { class: "review-moves", "aria-label": t("review.moves") });
  const element = h(
    "section",
    { class: "review", "aria-labelledby": headingId },
    h("h2", { id: headingId, class: "visually-hidden" }, t("review.title")),
    h(
      "div",
      { class: "review-steps", role: "group", "aria-label": t("review.moves") },
      Object.values(steps),
    ),
    h("div", { role: "status" }, place, verdict),
    list,
    summary,
    h("p", { class: "review-keys" }, t("review.keys")),
    h("button", { type: "button", class: "button-quiet", onclick: close }, t("review.close")),
  );
  let [ply, plies] = [0, 0];
  /** @type {Room["review"] | undefined} */
  let listed;
  let listedGame = 0;

  /** @param {string} name @param {string} sign @param {() => number} to */
  function step(name, sign, to) {
    const icon = h("span", { "aria-hidden": "true" }, sign);
    const props = { type: "button", class: "button-quiet review-step", onclick: () => move(to()) };
    return h(
      "button",
      { ...props, "aria-label": t(`review.${name}`), title: t(`review.${name}`) },
      icon,
    );
  }

  /** @param {number} to */
  const move = (to) => go(Math.min(Math.max(to, 0), plies));

  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: plies }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  });

  /** @param {Room} room */
  function showList(room) {
    const game = room.game;
    if (!game || (listed === room.review && listedGame === game.number)) return;
    [listed, listedGame] = [room.review, game.number];
    const reviewed = reviewOf(room);
    replace(
      list,
      game.moves.map((cell, at) => {
        const made = reviewed?.moves[at];
        const verdict =
          made && h("span", { class: "visually-hidden" }, `, ${t(`review.${made.verdict}`)}`);
        const name = `${letter(markAt(game.first, at))} ${label(room.settings.board, cell)}`;
        const button = h(
          "button",
          { type: "button", class: "review-move", onclick: () => move(at + 1) },
          name,
          verdict,
        );
        setAttr(button, "data-verdict", made?.verdict);
        return h("li", null, button);
      }),
    );
  }

  return {
    element,
    /**
     * Puts the focus where stepping begins.
     * @param {Element} board is brought to the top where the steps are out of sight
     */
    focus(board) {
      const step = ply > 0 ? steps.previous : steps.next;
      step.focus({ preventScroll: true });
      if (step.getBoundingClientRect().bottom > innerHeight) board.scrollIntoView();
    },
    /**
     * @param {Room} room
     * @param {number | null} shown how many moves are on the board; null while none is stepped
     */
    update(room, shown) {
      toggle(element, shown !== null);
      if (shown === null || !room.game) return;
      [ply, plies] = [shown, room.game.moves.length];
      setText(place, t(ply === 0 ? "review.start" : "review.at", { ply, plies }));
      const review = reviewOf(room);
      const made = review && ply > 0 ? review.moves[ply - 1] : null;
      setText(verdict, made ? sentence(t, room, made) : review ? "" : t("review.asking"));
      setAttr(verdict, "data-verdict", made?.verdict);
      setText(summary, review ? conclusion(t, review) : "");
      // A button that had the focus keeps it: it is only marked as leading nowhere.
      for (const back of [steps.first, steps.previous]) setAttr(back, "aria-disabled", ply === 0);
      for (const on of [steps.next, steps.last]) setAttr(on, "aria-disabled", ply === plies);
      showList(room);
      [...list.children].forEach((item, at) => {
        setAttr(item.children[0], "aria-current", at + 1 === ply ? "step" : null);
      });
      const current = list.children[ply - 1];
      if (current instanceof HTMLElement)
        list.scrollTop = current.offsetTop - list.clientHeight / 2;
    },
  };
}

/**
 * The review of the game that is shown, when it has come.
 * @param {Room} room
 */
export const reviewOf = (room) => (room.review?.game === room.game?.number ? room.review : null);

/**
 * @param {import("./say.js").T} t
 * @param {Room} room
 * @param {ReviewedMove} made
 */
function sentence(t, room, made) {
  const mark = letter(markAt(room.review?.first ?? "x", made.ply));
  const worth = (/** @type {string} */ of) => t(`review.worth.${of}`);
  return t(made.before === made.after ? "review.said" : "review.changed", {
    verdict: t(`review.${made.verdict}`),
    mark,
    before: worth(made.before),
    after: worth(made.after),
  });
}

/**
 * What a whole review comes to.
 * @param {import("./say.js").T} t
 * @param {NonNullable<Room["review"]>} review
 */
function conclusion(t, review) {
  const count = review.moves.filter((made) => made.verdict === "mistake").length;
  const key = count > 1 ? "review.mistakes" : `review.mistakes.${count}`;
  return t(review.proven ? "review.proven" : "review.estimated", { mistakes: t(key, { count }) });
}
