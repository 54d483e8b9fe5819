// The drawings of the variants: where cells stand, lines between layers, which boards are lit and struck
// through, pictures and notes.
// @ts-check

import { VARIANTS as ALL } from "../../server/web/js/client/generated/variants.js";
import { fieldsOf } from "../../server/web/js/choices.js";
import { html, render } from "../../server/web/js/html.js";
import { loadPart } from "../../server/web/js/later.js";
import { FORMS, VARIANTS } from "../../server/web/js/parts.js";
import { BARE, Board } from "../../server/web/js/room/board.js";
import { ZoomableBoard } from "../../server/web/js/room/zoomable-board.js";
import { flat } from "../../server/web/js/room/layout.js";
import { landingIn } from "../../server/web/js/variants/drawings.js";
import { MOST_TURN, cubeOf, layoutOf } from "../../server/web/js/variants/layouts.js";
import { TileBoard } from "../../server/web/js/screen/board.js";
import { VariantNotes } from "../../server/web/js/variants/notes.js";
import { VariantPicture } from "../../server/web/js/variants/picture.js";
import { Field } from "../../server/web/js/views/fields.js";
import { Invite } from "../../server/web/js/views/invite.js";
import { addStrings, strings } from "../../server/web/js/strings.js";
import { equal, some, test } from "./runner.js";
import { InPage, all, inElement, inWindow, one } from "./sheet.js";
import { golden, inRoom } from "./test-client.js";

/** @typedef {import("../../server/web/js/client/protocol.js").Variant} Variant */

const NEW = /** @type {Variant[]} */ (Object.keys(ALL)).filter((variant) => variant !== "line");

/** @param {number} width @param {number} height @param {number} line */
const board = (width, height, line) => ({ width, height, line });

/** A position without marks. @param {Variant} variant @param {number} cells @param {object} [change] @returns {any} */
const position = (variant, cells, change) =>
  ({ ...BARE, marks: new Array(cells).fill(null), ghost: "x", variant, seed: "KQRZX 1", ...change });

/** Draws a board. @param {import("../../server/web/js/client/protocol.js").BoardSpec} spec @param {any} shown */
function draw(spec, shown) {
  const root = document.createElement("div");
  const layout = layoutOf(shown.variant, spec) ?? flat(spec);
  render(html`<${Board} board=${spec} layout=${layout} position=${shown} selected=${null} choose=${() => {}} />`, root);
  return root;
}

/** The middle of a cell in the drawing. @param {import("../../server/web/js/room/layout.js").Layout} layout @param {number} cell */
function middleOf(layout, cell) {
  const { a, b, c, d, e, f } = new DOMMatrix(`matrix(${(layout.transform(cell).match(/-?[\d.]+/g) ?? []).join()})`);
  return { x: e + (a + c) / 2, y: f + (b + d) / 2 };
}

test("boards and layers stand apart, and each cell has a place of its own", () => {
  const ultimate = board(9, 9, 3);
  const four = board(4, 16, 4);
  const three = board(3, 9, 3);
  for (const [name, spec, layout, panels] of /** @type {[string, any, any, number][]} */ ([
    ["ultimate", ultimate, layoutOf("ultimate", ultimate), 9],
    ["two boards", board(6, 3, 3), layoutOf("notakto", board(6, 3, 3)), 2],
    ["five boards", board(15, 3, 3), layoutOf("notakto", board(15, 3, 3)), 5],
    ["layers", four, layoutOf("qubic", four), 4],
    ...[-MOST_TURN, 0, 0.3].map((turn) => [`a cube turned by ${turn}`, three, cubeOf(three, turn), 3]),
  ])) {
    equal(layout.apart.panels.length, panels, name);
    const middles = Array.from({ length: spec.width * spec.height }, (_, cell) => middleOf(layout, cell));
    for (const [cell, { x, y }] of middles.entries()) {
      some(x > 0 && x < layout.width && y > 0 && y < layout.height, `${name}: ${cell} is inside`);
      equal(middles.filter((one) => Math.hypot(one.x - x, one.y - y) < 0.5).length, 1, `${name}: ${cell} lies alone`);
    }
  }
  equal(layoutOf("notakto", board(3, 3, 3)), null, "one board is a rectangle");
});

test("a line through the layers of a cube is straight from the side, and goes from cell to cell beside", () => {
  const spec = board(4, 16, 4);
  const strokes = (/** @type {any} */ layout, /** @type {number[]} */ cells) =>
    layout.apart.stroke({ kind: "cube", cells }, 0.3, "KQRZX 1").split("C").length - 1;
  for (const turn of [-MOST_TURN, 0, 0.4]) equal(strokes(cubeOf(spec, turn), [0, 21, 42, 63]), 1);
  equal(strokes(layoutOf("qubic", spec), [0, 21, 42, 63]), 3);
  equal(strokes(layoutOf("qubic", spec), [0, 5, 10, 15]), 1, "within a layer");
});

test("the boards to play in are lit, and a decided one is struck through", async () => {
  await loadPart(VARIANTS);
  const decided = [{ board: 4, winner: "o", cells: [30, 40, 50] }, { board: 8, winner: null }];
  const root = draw(board(9, 9, 3), position("ultimate", 81, { playable: [0, 1, 10], decided }));
  equal(root.querySelectorAll(".panel-lit").length, 1);
  equal([...root.querySelectorAll(".panel-won")].map((one) => one.getAttribute("class")), ["panel-won mark-o"]);
  equal([...root.querySelectorAll(".is-closed")].length, 18);
  const name = (/** @type {number} */ cell) => root.querySelector(`[data-cell="${cell}"]`)?.getAttribute("aria-label");
  equal([name(0), name(2), name(40)], ["a1, board 1, cell 1, empty, can be played", "c1, board 1, cell 3, empty", "e5, board 5, cell 5, empty"]);
  const dead = draw(board(6, 3, 3), position("notakto", 18, { decided: [{ board: 0, winner: null, cells: [0, 7, 14] }] }));
  equal(dead.querySelectorAll(".panel-dead").length, 1);
});

test("a tile shows where may be played next, and which mark goes", () => {
  const tile = (/** @type {any} */ props) => {
    const root = document.createElement("div");
    render(html`<${TileBoard} seed="KQRZX 1" ...${props} />`, root);
    return root;
  };
  const ultimate = tile({ board: board(9, 9, 3), variant: "ultimate", played: { moves: [40], playable: { cells: [30, 31, 32] } } });
  equal(ultimate.querySelectorAll(".panel-lit").length, 1);
  const vanish = tile({ board: board(3, 3, 3), variant: "vanish", played: { moves: [0, 1, 2, 3, 4, 5], playable: { leaving: 0 } } });
  equal(vanish.querySelectorAll(".big-mark.is-pale").length, 1);
});

test("a mark that goes is pale before, and fades where it stood", () => {
  const marks = ["x", null, "o", "x", null, "o", "x", "o", null];
  const root = draw(board(3, 3, 3), position("vanish", 9, { marks, last: 6, leaving: 2, removed: 4 }));
  equal([...root.querySelectorAll(".is-leaving")].map((one) => one.getAttribute("data-cell")), ["2"]);
  equal(root.querySelector("[data-cell='4']")?.getAttribute("data-gone"), "x");
});

test("a pointer anywhere in a column points to where the mark lands", () => {
  const shown = position("gravity", 42, { playable: [35, 36, 30, 38, 39, 40, 41] });
  equal([2, 9, 30].map((cell) => landingIn(board(7, 6, 4), shown, cell)), [30, 30, 30]);
  equal(landingIn(board(7, 6, 4), { ...shown, variant: "line" }, 2), 2);
});

test("each variant has a name, a sentence, a picture of its own and three notes", () => {
  const pictures = ["line", ...NEW].map((variant) => {
    const root = document.createElement("div");
    render(html`<${VariantPicture} variant=${variant} />`, root);
    return root.innerHTML;
  });
  equal(new Set(pictures).size, NEW.length + 1);
  for (const variant of NEW) {
    const notes = [1, 2, 3].map((at) => `notes.${variant}.${at}`);
    for (const key of [`variant.${variant}`, `variant.${variant}.note`, ...notes]) some(strings.has(key), key);
  }
});

test("on a phone the buttons of a selected cell stand beside those of a cube, and move nothing", async () => {
  await Promise.all([loadPart(VARIANTS), addStrings("room")]);
  await inWindow(360, 740, (root) => {
    const shown = position("qubic", 64);
    let select = () => {};
    // A finger selects a cell. An event of this window is none of the frame's.
    class Selectable extends ZoomableBoard {
      componentDidMount() {
        super.componentDidMount();
        select = () => this.setState({ selected: 0 });
      }
    }
    // The page draws at once what a press has changed.
    const show = () => render(html`<section class="room" style="--w: 4; --h: 16"><div class="room-table"><div class="room-board">
      <${Selectable} board=${board(4, 16, 4)} position=${shown} ply=${0} play=${() => {}} mayPlay=${() => true} />
    </div></div></section>`, root);
    show();
    show();
    const tools = () => one(root, ".board-tools").getBoundingClientRect();
    if (!root.querySelector(".is-cube")) one(root, ".board-tools > button").click();
    show();
    const before = tools().height;
    equal(all(root, ".is-cube").length, 1);
    const view = all(root, ".board-tools > button").at(-1);
    view?.click();
    show();
    equal([all(root, ".is-cube").length, all(root, ".board-tools > button").at(-1) === view], [0, true], "the other view keeps the focus");
    view?.click();
    show();
    select();
    show();
    equal(all(root, ".board-tools > button").slice(0, 2).map(({ textContent }) => textContent?.trim()), ["Play X on a1", "Cancel"]);
    equal(tools().height, before, "their height");
    some(all(root, ".board-tools > button").every((button) => button.getBoundingClientRect().right <= tools().right), "inside of their row");
    render(null, root);
  });
});

test("the notes of a variant stand before its board, whole on the smallest phones", async () => {
  await loadPart(VARIANTS);
  const settings = /** @type {any} */ ({ variant: "ultimate", board: board(9, 9, 3) });
  for (const [width, height] of [[360, 640], [568, 320]]) {
    await inWindow(width, height, (root) => {
      render(html`<${InPage} page=${{ dispatch() {} }}><${VariantNotes} prefs=${{ putAway: [] }} settings=${settings} again=${false} onclose=${() => {}} /><//>`, root);
      const notes = one(root, "dialog:modal");
      equal(all(notes, "li").length, 3);
      some(notes.scrollHeight <= notes.clientHeight, `all in sight at ${width}`);
      render(null, root);
    });
  }
});

test("notes are there until they are read on this device, and again where somebody asks", () => inElement((root) => {
  const shown = (/** @type {string} */ variant, again = false) => {
    const prefs = { putAway: ["vanish"] };
    render(html`<${InPage} page=${{ dispatch() {} }}><${VariantNotes} key=${`${variant} ${again}`} prefs=${prefs} settings=${{ variant, board: board(3, 3, 3) }} again=${again} onclose=${() => {}} /><//>`, root);
    return root.querySelector("dialog") !== null;
  };
  equal([shown("line"), shown("gravity"), shown("vanish"), shown("vanish", true)], [false, true, false, true]);
}));

test("an invitation names the variant and says how it goes", async () => {
  await Promise.all([loadPart(VARIANTS), addStrings("room")]);
  const state = inRoom(golden("snapshot.waiting")).state;
  const room = some(state.room, "a room");
  const player = { name: () => "Ben", face: () => null, isRenamed: () => false, id: () => "", keep() {} };
  const shown = { ...state, room: { ...room, settings: { ...room.settings, variant: "misere" } } };
  const root = document.createElement("div");
  render(html`<${Invite} page=${{ player }} state=${shown} />`, root);
  equal(one(root, ".lead").textContent?.replace(/\s/g, " "), "Misère, 3 × 3, 3 in a row: who completes a line loses.");
  render(null, root);
});

test("a form says which ends the nine strengths of a large board have", async () => {
  await loadPart(FORMS);
  const setting = some(fieldsOf("computer").find(({ name }) => name === "strength"), "the strength");
  const legend = (/** @type {string} */ board, /** @type {object | null} */ rating = null) => {
    const root = document.createElement("div");
    const values = { board, variant: "line", strategy: "minimax", strength: "weak" };
    render(html`<${Field} setting=${setting} values=${values} set=${() => {}} rating=${rating} />`, root);
    const text = one(root, "legend").textContent;
    render(null, root);
    return text;
  };
  equal([legend("3x3x3"), legend("15x15x5")], ["Strength", "Strength 1: very weak, 9: very strong"]);
  some(legend("15x15x5", { rating: 1500, deviation: 90 })?.startsWith("Strength about yours: "), "a rating says more");
});

/** Catches a strength that jumps in silence, and one that is heard again though the player chose it. */
test("a strength that another board or strategy changes is heard once, and one that is chosen is not", () => inElement(async (root) => {
  await loadPart(FORMS);
  const setting = some(fieldsOf("computer").find(({ name }) => name === "strength"), "the strength");
  let values = { board: "15x15x5", variant: "line", strategy: "minimax", strength: "level_4" };
  const heard = async (/** @type {object} */ change) => {
    values = { ...values, ...change };
    render(html`<${Field} setting=${setting} values=${values} set=${() => {}} />`, root);
    await Promise.resolve();
    return one(root, "[role=status]").textContent;
  };
  equal([await heard({}), await heard({ board: "3x3x3" }), await heard({ strength: "strong" })], ["", "Strength: Weak", ""]);
  equal([await heard({ board: "15x15x5" }), await heard({ strength: "level_4" })], ["", ""], "all boards have it");
  equal([await heard({ board: "3x3x3" }), await heard({ board: "15x15x5" })], ["Strength: Weak", "Strength: 4"]);
  equal(await heard({ strategy: "perfect" }), "The strategy Perfect has only one strength.");
}));

test("a form says which side of a variant a mark is", async () => {
  await Promise.all([loadPart(VARIANTS), loadPart(FORMS)]);
  const setting = some(fieldsOf("friend").find(({ name }) => name === "mark"), "the mark");
  const shown = (/** @type {object} */ values) => {
    const root = document.createElement("div");
    render(html`<${Field} setting=${setting} values=${{ mark: "o", first: "alternate", ...values }} set=${() => {}} />`, root);
    const texts = all(root, "legend, .option-text, .options-note").map(({ textContent }) => textContent);
    render(null, root);
    return texts;
  };
  equal(shown({ variant: "line" }), ["Your mark", "X", "O", "Random"]);
  equal(shown({ variant: "order" }), ["Your mark", "X", "O", "Random", "O: You are Chaos: you want no five in a row."]);
  equal(shown({ variant: "notakto" }), ["You move", "First", "Second", "Random"]);
  equal(shown({ variant: "wild" }), ["You move", "First", "Second", "Random"]);
  const swap2 = (/** @type {string} */ one) => shown({ variant: "line", opening: "swap2", board: one })[0];
  equal([swap2("15x15x5"), swap2("3x3x3")], ["You move", "Your mark"], "who chooses a side in the opening has none before");
  await inWindow(360, 740, (root) => {
    const values = { variant: "notakto", mark: "x" };
    render(html`<${Field} setting=${setting} values=${values} set=${() => {}} />`, root);
    some(all(root, ".option-text").every((text) => text.offsetWidth > 20), "its chips have no drawing, but a text");
    render(null, root);
  });
  equal(shown({ variant: "notakto", first: "random" }), ["Your mark", "X", "O", "Random"], "a first move by chance");
});
