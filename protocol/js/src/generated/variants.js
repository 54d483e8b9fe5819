// The variants of `protocol/src/rules.rs`. A test of `protocol` writes this file.
// @ts-check

/** @typedef {"line" | "ultimate" | "misere" | "wild" | "wild_misere" | "notakto" | "gravity" | "vanish" | "qubic" | "exact" | "order"} Variant */

/** The boards of each variant that a form offers, the default first, and whether it takes any other.
 * @type {Readonly<Record<string, {boards: readonly string[], any?: true}>>} */
export const VARIANTS = Object.freeze({"exact":{"boards":["15x15x5","13x13x5","19x19x5","9x9x5"]},"gravity":{"boards":["7x6x4","4x4x4","5x5x4","6x6x4","8x7x4","9x7x5","10x10x5"]},"line":{"any":true,"boards":["3x3x3","4x4x4","5x5x4","6x6x4","7x6x4","9x9x5","13x13x5","15x15x5","19x19x5"]},"misere":{"any":true,"boards":["3x3x3","4x4x4","5x5x4"]},"notakto":{"boards":["3x3x3","6x3x3","9x3x3","12x3x3","15x3x3"]},"order":{"boards":["6x6x5"]},"qubic":{"boards":["4x16x4","3x9x3"]},"ultimate":{"boards":["9x9x3"]},"vanish":{"boards":["3x3x3","4x4x4","5x5x5"]},"wild":{"boards":["3x3x3","4x4x4","5x5x4","6x6x5"]},"wild_misere":{"boards":["3x3x3","4x4x4","5x5x4","6x6x5"]}});
