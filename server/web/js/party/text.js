// Sentences about a party. Pure.
// @ts-check

import { entrantOf, hasHost, leaderOf } from "../client/party-state.js";
import { isFull, mostIn, orderIn, pointsText } from "../client/party-view.js";
import { strings } from "../strings.js";
import { isolated, joinList } from "../room/room-text.js";
import { foeOf, nameOf, remaining, roundKind, rounds } from "./model.js";

/** @typedef {import("./model.js").PartyState} PartyState */
/** @typedef {import("./model.js").Pairing} Pairing */
/** @typedef {import("./model.js").Met} Met */

/** @param {PartyState} party @param {number | null | undefined} number */
export const name = (party, number) => isolated(nameOf(party, number));

/** The sentence that nobody new can play; "" if somebody can. @param {PartyState} party */
export const fullText = (party) => (isFull(party) ? strings("party.full", { count: mostIn(party) }) : "");

/** "Swiss · Round 2 of 5". @param {PartyState} party */
export function factsOf(party) {
  const { settings, round, phase, entrants } = party;
  const { format, first_to: wins } = settings;
  const facts = [strings(`format.${format}`)];
  if (phase === "over") return [...facts, strings("party.over")].join(" · ");
  if (format === "winner_stays") facts.push(...(wins ? [strings("rules.firstTo", { count: wins })] : []));
  else if (round > 0) facts.push(roundText(party, round));
  const there = (format === "knockout" && round > 0 && remaining(party)) || entrants.filter(({ left }) => !left).length;
  // One is left when the final is over.
  if (there > 1 || phase === "gathering") facts.push(strings(phase === "gathering" ? "party.in" : "party.play", { count: there }));
  return facts.join(" · ");
}

/** "Round 2 of 5", "Semi-finals". @param {PartyState} party @param {number} round */
export function roundText(party, round) {
  const met = party.settings.format === "knockout" && rounds(party).find((one) => one.round === round)?.met;
  if (met) return roundTitle(party, met, round);
  const count = roundsOf(party);
  return strings(count ? "party.roundOf" : "party.round", { round, rounds: count });
}

/** The heading of a list of pairings. @param {PartyState} party @param {Met[]} met the pairings of the round @param {number} round */
export function roundTitle(party, met, round) {
  const kind = roundKind(party, met);
  return strings(`party.${kind}`, { round, count: 2 * met.length });
}

/**
 * How a pairing ended for everybody: "Ada won: Bob was not there."
 *
 * @param {PartyState} party @param {Pick<Met, "first" | "second" | "outcome">} pairing
 * @returns {string} "" for what the names say already
 */
export function howText(party, { first, second, outcome }) {
  if (!outcome) return "";
  const { winner, how, note } = outcome;
  const loser = winner === first ? second : first;
  const params = { name: name(party, winner), loser: name(party, loser) };
  const key = how === "game" && winner ? "" : `party.how.${how}${winner ? "" : ".none"}`;
  const text = key ? strings(key, params) : "";
  return note ? `${text} ${strings("party.note", { note: isolated(note) })}` : text;
}

/**
 * How a pairing ended for one of its entrants: a headline and a sentence.
 *
 * @param {PartyState} party @param {Pairing} pairing @param {number} me
 * @returns {[string, string]}
 */
export function ownResult(party, pairing, me) {
  const { outcome } = pairing;
  if (!pairing.second) return [strings("party.bye.headline"), ""];
  const foe = name(party, foeOf(pairing, me));
  if (!outcome) return ["", ""];
  const side = outcome.winner === me ? "won" : outcome.winner ? "lost" : outcome.how === "forfeit" ? "nobody" : "drawn";
  const known = ["forfeit", "draw_odds", "host"].includes(outcome.how) && strings.has(`party.you.${outcome.how}.${side}`);
  const why = known ? strings(`party.you.${outcome.how}.${side}`, { name: foe }) : "";
  const note = outcome.note ? strings("party.note", { note: isolated(outcome.note) }) : "";
  return [strings(`party.you.${side}`, { name: foe }), [why, note].filter(Boolean).join(" ")];
}

/** How many rounds there are, as far as one can tell; 0 if nobody knows. @param {PartyState} party */
function roundsOf({ settings: { format, rounds }, round, entrants }) {
  if (format === "swiss") return rounds;
  if (format !== "round_robin") return 0;
  const there = entrants.filter(({ left }) => !left).length;
  return Math.max(round, there % 2 === 0 ? there - 1 : there);
}

/** Whether no round follows, as far as one can tell. @param {PartyState} party */
function isLastRound(party) {
  const { settings: { format }, round, pairings } = party;
  if (format === "knockout") return pairings.some(({ stage }) => stage === "final");
  return format !== "winner_stays" && round >= roundsOf(party);
}

/** The words about the party's wait. @param {PartyState} party @param {number[]} tables */
export function waitText(party, tables) {
  const last = isLastRound(party);
  const round = party.round + 1;
  // The rounds of a knockout have names.
  const named = party.settings.format === "knockout" ? ".next" : "";
  if (party.round === 0) return strings("party.wait.first");
  if (tables.length === 0) return strings(last ? "party.wait.end" : `party.wait.soon${named}`, { round });
  const list = tables.slice(0, 3).join(", ");
  const key = tables.length === 1 ? "one" : tables.length <= 3 ? "few" : "many";
  const then = strings(last ? "party.wait.then.end" : `party.wait.then${named}`, { round });
  return strings(`party.wait.${key}`, { then, table: list, count: tables.length });
}

/**
 * The words for one entrant about the beginner of a game.
 * @param {PartyState} party
 * @param {Pairing} pairing
 * @param {number} game
 * @param {number | undefined} me
 */
export function beginsText(party, pairing, game, me) {
  const first = orderIn(pairing, game).x;
  return first === me ? strings("party.begins.you") : strings("party.begins", { name: name(party, first) });
}

/** "5½ points", "3 wins"; "" where the format counts neither. @param {PartyState} party @param {import("./model.js").Entrant} entrant */
export function scoreText({ settings: { format } }, { points, wins }) {
  if (format === "knockout") return "";
  return format === "winner_stays" ? strings("party.score.wins", { count: wins }) : strings("party.score.points", { points: pointsText(points), count: points / 2 });
}

/** "Ada – Bob". @param {PartyState} party @param {Pick<Met, "first" | "second">} met */
export const pairText = (party, { first, second }) =>
  second ? `${name(party, first)} – ${name(party, second)}` : name(party, first);

/**
 * An entrant's notes: "host, away".
 * @param {PartyState} party
 * @param {number} number
 * @param {readonly number[]} away
 */
export function entrantNote(party, number, away) {
  const entrant = entrantOf(party, number);
  if (!entrant) return "";
  const key = entrant.removed && !entrant.player ? "party.removed" : entrant.left ? "party.left" : entrant.computer ? "seat.computer" : away.includes(number) ? "party.away" : "";
  return [number === leaderOf(party) ? "party.mark" : "", key].filter(Boolean).map((one) => strings(one)).join(", ");
}

/** So many who have left are named. */
const MOST_LEFT = 3;

/** "Ben and Cleo have left."; "" while all are there. @param {PartyState} party */
export function leftText(party) {
  const left = party.entrants.filter((entrant) => entrant.left);
  if (left.length === 0) return "";
  const names = left.length > MOST_LEFT ? "" : joinList(left.map(({ number }) => name(party, number)));
  return strings("party.haveLeft", { names, count: left.length });
}

/** The leader's name; "the host" where nobody leads. @param {PartyState} party */
export function leaderName(party) {
  const leader = leaderOf(party);
  return leader ? name(party, leader) : strings("party.theHost");
}

/** "Ada is away: Bob leads the party."; "" where nobody has a name. @param {PartyState} party */
export function ledText(party) {
  const leader = leaderOf(party);
  if (!leader) return "";
  if (!party.leader) return strings("party.led.host", { name: name(party, leader) });
  const host = party.entrants.find(({ player }) => player === party.host);
  return strings(hasHost(party) ? "party.led.away" : "party.led", {
    name: name(party, leader), host: host ? isolated(host.name) : strings("party.theHost"),
  });
}
