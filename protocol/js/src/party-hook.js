// Where the core of parties comes in once it is loaded: a first visit has none, and who has not loaded
// it follows no party. The part of the page that shows parties loads it before it asks for one.
// @ts-check

/** @type {{core: import("./party.js").PartyCore | null}} */
export const hook = { core: null };

/** @param {import("./party.js").PartyCore} core */
export function useParty(core) {
  hook.core = core;
}
