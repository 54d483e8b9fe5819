// The pass of a link that another device of the player made: a single-use code in the address.
// @ts-check

/**
 * Takes the single-use pass out of the address, so that it is not stored in the history or shared.
 *
 * @returns {string | null}
 */
export function takePass() {
  const pass = new URLSearchParams(location.hash.slice(1)).get("pass");
  if (pass !== null) {
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return pass;
}
