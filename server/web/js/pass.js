// The pass of a link: a single-use code in the address. Another device of the player made it, or the host of
// a party for a place.
// @ts-check

/**
 * Takes the single-use pass out of the address, so that it is not stored in the history or shared.
 *
 * @param {"pass" | "place"} [kind]
 * @returns {string | null}
 */
export function takePass(kind = "pass") {
  const pass = new URLSearchParams(location.hash.slice(1)).get(kind);
  if (pass !== null) {
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return pass;
}
