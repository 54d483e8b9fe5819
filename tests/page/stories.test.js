// The stories of the common core, `protocol/tests/golden/series`: what a client is told and asked, and
// what it must send, tell its views and show after each step. The terminal's core runs the same ones.
// @ts-check

import { claimAt, mayPace, sentMove } from "../../server/web/js/client/rules.js";
import { PARTY_CORE } from "../../server/web/js/client/party.js";
import { useParty } from "../../server/web/js/client/party-hook.js";
import { standings } from "../../server/web/js/client/party-view.js";
import { deadline, initialSession, update } from "../../server/web/js/client/session.js";
import { test, written } from "./runner.js";

/** @typedef {import("../../server/web/js/client/session.js").Session} Session */
/** @typedef {import("../../server/web/js/client/session.js").Input} Input */

/**
 * @typedef {object} Step
 * @property {number} at
 * @property {any} do
 * @property {object[]} [sent]
 * @property {string[]} [happened]
 * @property {boolean} [reconnects]
 * @property {Record<string, any>} [shows] what has changed since the step before
 */

useParty(PARTY_CORE);

/** @typedef {{story: string, next_id: number, steps: Step[]}} Story */

/** The names of the files. @type {string[]} */
const FILES = await (await fetch("/series.json")).json();

/** @param {any} done @returns {Input} */
function inputOf(done) {
  switch (done) {
    case "broke":
    case "ended":
      return { type: done, code: null, reason: "" };
    case "time":
      return { type: "time" };
    default:
  }
  const [[type, what]] = Object.entries(done);
  return /** @type {any} */ (type === "asked" ? { type, intent: what } : { type, message: what });
}

/** @param {{game: number, ply: number} | null | undefined} analysis */
const position = (analysis) => analysis && { game: analysis.game, ply: analysis.ply };

/** @param {Session} session @returns {Record<string, any>} the party: entrants and pairings as short lists */
function shownParty({ party, following }) {
  const { state, presence, boards } = party ?? {};
  return {
    following: following && (following.party ?? true),
    party: party && state && {
      party: state.code, v: state.v, role: party.role, phase: state.phase, played_before: state.playedBefore ?? 0, paused: state.clocksStopped ? "clocks" : state.paused, round: state.round,
      me: party.me?.number, is_host: party.isHost, past: state.past, queue: state.queue,
      ...(state.pastDecisions.length > 0 && { past_decisions: state.pastDecisions }),
      entrants: state.entrants.map(({ number, left, points, wins, draws, losses }) =>
        [number, left, points, wins, draws, losses]),
      pairings: state.pairings.map(({ number, table, first, second, game, room, outcome }) =>
        [number, table, first, second ?? 0, game, room ?? "", outcome?.winner ?? 0, outcome?.how ?? ""]),
      places: state.places.map(({ place, entrant }) => [place, entrant]),
      standings: standings(state).map(({ entrant }) => entrant.number),
    },
    party_presence: presence && {
      away: presence.away, ready: presence.ready, next_at: presence.nextAt, spectators: presence.spectators,
      checks: presence.checks.map(({ pairing, until }) => [pairing, until]),
    },
    boards: boards && Object.values(boards).map(({ pairing, game, moves }) => [pairing, game, moves.length]),
  };
}

/** @param {Session} session @returns {Record<string, any>} what a story calls its state */
function shown(session) {
  const { phase, room, entering, queue, unanswered, lobby, analysis, questions } = session;
  const { code, v, settings, maker, seats, score, game, presence, you, moveDeadline, standsAt, chat } = room ?? {};
  const series = room?.series.first_to ? room.series : null;
  const pace = room?.pace === "normal" ? null : room?.pace;
  const moves = sentMove(session);
  return {
    ...shownParty(session),
    phase,
    entering: entering && (entering.room ?? true),
    queued: queue !== null,
    unanswered: unanswered.map(({ id }) => id),
    lobby: lobby && lobby.waiting.length + lobby.playing.length,
    analysis: analysis && analysis.message.type,
    deadline: deadline(session),
    room: room && { room: code, v, settings, maker, seats, score, series, pace, game },
    mine: you ?? [],
    may_pace: mayPace(session),
    presence: presence && { ...presence, takeBack: null, take_back: presence.takeBack, x: presence.x?.state, o: presence.o?.state },
    claim_from: room && { x: claimAt(room, "x"), o: claimAt(room, "o") },
    move_ends: typeof standsAt === "number" ? { stands_at: standsAt } : moveDeadline,
    hint: position(room?.hint),
    evaluation: position(room?.evaluation),
    review: room?.review?.game,
    chat: chat && { lines: chat.lines.map(({ n }) => n), muted: chat.muted },
    questions: Object.fromEntries(Object.entries(questions).map(([kind, { found, refusal }]) =>
      [kind, found?.kind ?? refusal?.code ?? "asked"])),
    sent_move: moves && ("cell" in moves ? moves.cell : moves.choice),
  };
}

/**
 * A value without what is null: the wire leaves it out or not.
 *
 * @param {any} value
 * @returns {any}
 */
function plain(value) {
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (value === null || typeof value !== "object") {
    return value ?? undefined;
  }
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [key, plain(one)]));
}

/** @param {Record<string, any>} is @param {Record<string, any>} due @returns {string[]} */
function differences(is, due) {
  const keys = [...new Set([...Object.keys(is), ...Object.keys(due)])];
  const texts = keys.map((key) => [key, written(plain(is[key])), written(plain(due[key]))]);
  return texts.flatMap(([key, one, another]) =>
    one === another ? [] : [`${key} is  ${one}\n${key} not ${another}`],
  );
}

/** @param {Story} story @returns {void} throws at the first step that is wrong */
function run({ next_id: nextId, steps }) {
  let session = initialSession(nextId);
  let due = {};
  steps.forEach((step, place) => {
    const [next, outputs] = update(session, inputOf(step.do), step.at);
    session = next;
    due = { ...due, ...step.shows };
    const happened = outputs.map(({ type }) => type);
    const is = {
      ...shown(session),
      sent: outputs.flatMap((one) => (one.type === "send" ? [one.message] : [])),
      happened: happened.filter((type) => !["send", "reconnect", "applied"].includes(type)),
      reconnects: happened.includes("reconnect"),
    };
    const { sent = [], happened: told = [], reconnects = false } = step;
    const wrong = differences(is, { ...due, sent, happened: told, reconnects });
    if (wrong.length > 0) {
      throw new Error(`step ${place + 1}, at ${step.at}: ${written(step.do)}\n${wrong.join("\n")}`);
    }
  });
}

for (const file of FILES) {
  const stories = await (await fetch(`/protocol/tests/golden/series/${file}`)).json();
  for (const story of stories) {
    test(`${file}: ${story.story}`, () => run(story));
  }
}
