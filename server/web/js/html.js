// Templates of elements: Preact 11.2.0 and htm 3.1.1 as they are published. The only module that
// imports them. Text stays text, and no policy for trusted types is needed.
// @ts-check

import { default as htm } from "./vendor/htm.mjs";
import { Component, createContext, createRef, h, render } from "./vendor/preact.mjs";

/** @typedef {import("./vendor/preact.mjs").ComponentChildren} Children */

/** @type {(strings: TemplateStringsArray, ...values: any[]) => import("./vendor/preact.mjs").VNode} */
export const html = /** @type {any} */ (htm.bind(h));

export { Component, createContext, createRef, render };
