// The settings of a party in words, for the party and its big screen. Pure.
// @ts-check

import { strengthName } from "../computer-text.js";
import { strings } from "../strings.js";

/**
 * The settings of a party, without its format and its games: "5 rounds", "the host ends it".
 *
 * @param {import("../client/protocol.js").PartySettings} settings
 * @returns {string[]}
 */
export function partyRules({ format, rounds, tables, first_to: wins, fill, board, variant }) {
  const stays = format === "winner_stays";
  return [
    format === "swiss" ? strings("rules.rounds", { count: rounds }) : "",
    stays && Number(tables) > 1 ? strings("rules.tables", { count: tables }) : "",
    stays ? strings(wins ? "rules.firstTo" : "rules.hostEnds", { count: wins ?? 0 }) : "",
    fill ? strings("rules.fill", { strength: strengthName(/** @type {any} */ (fill), { board: board ?? null, variant }) }) : "",
  ].filter(Boolean);
}
