// A runner for tests of the page's modules: each file registers tests by name, and `runAll` runs
// them one after the other in the tab that has loaded them. `e2e/page/modules.rs` reads the result.
// @ts-check

/** @typedef {{name: string, error: string | null}} Result */

/** @type {{name: string, run: () => unknown}[]} */
const tests = [];

/** @param {string} name @param {() => unknown} run throws or rejects if the test fails */
export function test(name, run) {
  tests.push({ name, run });
}

/**
 * Runs the tests in the order of registration.
 *
 * @param {Result[]} results gets the outcome of each
 */
export async function runAll(results) {
  for (const { name, run } of tests) {
    let error = null;
    try {
      await run();
    } catch (thrown) {
      // Not every browser's stack begins with the message.
      error = thrown instanceof Error ? `${thrown.message}\n${thrown.stack}` : String(thrown);
    }
    results.push({ name, error });
  }
}

/** @param {unknown} value @returns {string} the same text for equal values */
export function written(value) {
  const sorted = (/** @type {string} */ _, /** @type {any} */ one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one;
  return JSON.stringify(value, sorted, 1) ?? String(value);
}

/**
 * Fails unless two values are equal as JSON.
 *
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {string} [what]
 */
export function equal(actual, expected, what = "") {
  const one = written(actual);
  const other = written(expected);
  if (one !== other) {
    throw new Error(`${what}\nis       ${one}\nnot      ${other}`);
  }
}

/**
 * @template T
 * @param {T} value fails if it is falsy
 * @param {string} what
 * @returns {NonNullable<T>}
 */
export function some(value, what) {
  if (!value) {
    throw new Error(`${what}: ${value}`);
  }
  return value;
}
