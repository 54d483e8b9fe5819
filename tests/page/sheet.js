// Places for a test to draw in: an element of the test's page, and a window of its own size for a layout, in a frame
// with the page's styles. Lengths of the window and its queries are those of the frame.
// @ts-check

import { Component, render } from "../../server/web/js/html.js";

/** The styles of the page, and those of its parties, in their order. */
const STYLES = ["base", "shell", "views", "forms", "options", "room", "room-panels", "board", "players", "party", "party-room", "sheet", "screen", "screen-games", "screen-podium", "tile-board", "variants"];

/** The frame, and its element for a test. It is made once: the styles are long. @type {Promise<{frame: HTMLIFrameElement, root: HTMLElement}> | null} */
let made = null;

async function make() {
  const texts = await Promise.all(STYLES.map(async (name) => (await fetch(`../../server/web/css/${name}.css`)).text()));
  // A font would come at its own time, in the middle of a test.
  const styles = texts.map((text) => text.replace(/@font-face\s*\{[^}]*\}/g, ""));
  const frame = document.createElement("iframe");
  Object.assign(frame.style, { position: "fixed", inset: "0", border: "0" });
  document.body.append(frame);
  const inner = /** @type {Document} */ (frame.contentDocument);
  inner.open();
  inner.write('<!doctype html><html lang="en"><head><style></style></head><body><main id="app"></main></body></html>');
  inner.close();
  // All is still: a test measures the places of the end of a motion.
  const still = "*, ::before, ::after { animation: none !important; transition: none !important; }";
  /** @type {HTMLElement} */ (inner.querySelector("style")).textContent = [...styles, still].join("\n");
  return { frame, root: /** @type {HTMLElement} */ (inner.querySelector("#app")) };
}

/**
 * Runs a test in a frame of so many pixels.
 *
 * @param {number} width
 * @param {number} height
 * @param {(root: HTMLElement) => void} run leaves the element empty
 */
export async function inWindow(width, height, run) {
  const { frame, root } = await (made ??= make());
  Object.assign(frame.style, { display: "block", width: `${width}px`, height: `${height}px` });
  try {
    run(root);
  } finally {
    frame.style.display = "none";
  }
}

/**
 * Runs a test in an element of its own on the test's page, which is taken away at the end.
 *
 * @template T @param {(root: HTMLElement) => T | Promise<T>} run
 */
export async function inElement(run) {
  const root = document.body.appendChild(document.createElement("div"));
  try {
    return await run(root);
  } finally {
    render(null, root);
    root.remove();
  }
}

/** Gives components what they ask of the page. @extends {Component<{page: object, children?: any}>} */
export class InPage extends Component {
  getChildContext = () => this.props.page;
  render = () => this.props.children;
}

/** @template {Element} T @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const all = (root, selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement} */
export function one(root, selector) {
  const [found] = all(root, selector);
  if (!found) throw new Error(`there is no ${selector}`);
  return found;
}

/** @param {Element} element */
export const styleOf = (element) => /** @type {Window} */ (element.ownerDocument.defaultView).getComputedStyle(element);

/** The size of an element's letters, in pixels. @param {Element} element */
export const letters = (element) => Number.parseFloat(styleOf(element).fontSize);

/** Whether all of a text is seen. @param {HTMLElement} element */
export const isWhole = (element) =>
  element.scrollWidth <= element.clientWidth + 1 && element.scrollHeight <= element.clientHeight + 1;

/** The lines on which a part of a page stands. @param {Range} range */
const linesIn = (range) => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;

/** Whether a cut text has room for letters as high as those of Noto Sans, whatever font is here. @param {HTMLElement} element */
export const hasTails = (element) => {
  // WebKit lays lines out in whole pixels.
  const line = Math.floor(Number.parseFloat(styleOf(element).lineHeight));
  return element.clientHeight - (linesOf(element) - 1) * line + 1 >= 1.362 * letters(element);
};

/** The lines of a text. @param {HTMLElement} element */
export const linesOf = (element) => {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  return linesIn(range);
};

/** The words of a text that are broken in their middle. @param {HTMLElement} element @returns {string[]} */
export const brokenWords = (element) => {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { 0: word, index } of node.nodeValue?.matchAll(/\S+/g) ?? []) {
      const range = element.ownerDocument.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (linesIn(range) > 1) broken.push(word);
    }
  }
  return broken;
};
