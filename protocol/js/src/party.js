// The part of the core for the party that the player follows: its state, its presence, the boards
// of a big screen, and what must be repeated after a break. It loads with the first party. Pure.
// @ts-check

import { ask, happen, isUnanswered, withId } from "./step.js";
import { applyFact, entrantsOf, leadingPlayer, openPairingOf, pairingOf, stateFromSnapshot } from "./party-state.js";

/** @typedef {import("./step.js").Step} Step */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./session.js").Moment} Moment */
/** @typedef {import("./party-state.js").PartyState} PartyState */
/** @typedef {import("./protocol.js").ClientMessage} ClientMessage */
/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {"player" | "spectator" | "screen"} PartyRole */

/**
 * @typedef {object} PartyPresence
 * @property {readonly number[]} away entrants without a connection
 * @property {readonly number[]} ready entrants who are ready for their pairing
 * @property {readonly {pairing: number, until: Moment}[]} checks the ready checks that run
 * @property {Moment | null} nextAt when the next round is paired
 * @property {number} spectators
 */

/**
 * @typedef {object} Party the party that we follow
 * @property {PartyRole} role
 * @property {PartyState} state
 * @property {PartyPresence} presence
 * @property {Readonly<Record<number, import("./protocol.js").TableBoard>>} boards by pairing; for a screen
 * @property {import("./party-state.js").Entrant | null} me the entrant who we are
 * @property {string | null} leading the player who leads the party
 * @property {boolean} isHost whether we do
 */

/** @typedef {{id: number, party: string | null, role: PartyRole}} Following */
/** @typedef {typeof PARTY_CORE} PartyCore */

/** The hooks of the core. */
export const PARTY_CORE = Object.freeze({ owns, isResync, whyBlocked, begin, applied, refused, tell, pong, wake, resume });

/** Whether a message is about parties. @param {ClientMessage} message */
function owns(message) {
  return "party" in message || message.type === "create_party";
}

/** Whether a message asks for the snapshot of the party that we follow. @param {Session} session @param {ClientMessage} message */
function isResync(session, message) {
  return message.type === "sync_party" || isReturn(session, message);
}

/** @param {Session} session @param {ClientMessage} message */
function isReturn({ party, following }, message) {
  return message.type === "join_party" && message.party === party?.state.code && message.id !== following?.id;
}

/** @param {Session} session @returns {boolean} */
const isResyncing = (session) => session.unanswered.some((message) => isResync(session, message));

/** Intents that only the host may have. */
const OF_HOST = new Set(["start_party", "pause_party", "add_time", "skip", "remove", "rename", "place_pass", "decide", "end_party", "again"]);

/**
 * Why an intent is not possible now, or null.
 *
 * @param {Session} session @param {import("./protocol.js").Intent} intent
 * @returns {string | null}
 */
function whyBlocked({ party }, intent) {
  if (!("party" in intent) || intent.type === "join_party") {
    return null;
  }
  if (party?.state.code !== intent.party) {
    return "not_in_party";
  }
  const { state, me } = party;
  if (OF_HOST.has(intent.type)) {
    return party.isHost ? null : "not_host";
  }
  if (intent.type === "ready") {
    return me && openPairingOf(state, me.number)?.number === intent.pairing ? null : "not_now";
  }
  return intent.type === "withdraw" && (!me || me.left) ? "not_now" : null;
}

/**
 * The change that an intent makes before its answer.
 *
 * @param {Step} step @param {ClientMessage} message
 */
function begin(step, message) {
  const { session } = step;
  if (message.type === "create_party") {
    session.following = { id: message.id, party: null, role: message.plays === false ? "spectator" : "player" };
  } else if (message.type === "join_party") {
    session.following = { id: message.id, party: message.party, role: message.role };
  } else if (message.type === "leave_party") {
    forgetParty(session);
  }
}

/** @param {Session} session */
function forgetParty(session) {
  session.unanswered = session.unanswered.filter((message) => !isResync(session, message));
  Object.assign(session, { party: null, following: null });
}

/** @param {Step} step @param {ClientMessage} intent @param {string | null} code the party that it led to */
function applied({ session }, intent, code) {
  const { following, party } = session;
  if (following?.id === intent.id) {
    session.following = { ...following, party: code ?? following.party };
  } else if (intent.type === "ready" && party?.me && party.state.code === intent.party) {
    // The presence is told twice a second only.
    const ready = [...party.presence.ready.filter((one) => one !== party.me?.number), party.me.number];
    session.party = { ...party, presence: { ...party.presence, ready } };
  }
}

/**
 * @param {Step} step @param {ClientMessage} intent @param {import("./session.js").Refusal} refusal
 * @returns {boolean} whether nothing else is to be told of it
 */
function refused(step, intent, refusal) {
  const { session } = step;
  if (session.following?.id === intent.id) {
    session.following = null;
    return false;
  }
  if (isReturn(session, intent)) {
    if (refusal.code === "not_stored" || refusal.code === "stopping") {
      // The next pong shows again that we do not follow it.
      happen(step, { type: "unreadable", refusal });
    } else {
      const party = session.party?.state.code ?? "";
      forgetParty(session);
      happen(step, { type: "party_lost", party, refusal });
    }
    return true;
  }
  if (intent.type === "sync_party" && refusal.code === "not_in_party") {
    sendReturn(step);
  }
  return intent.type === "sync_party" || intent.type === "leave_party";
}

/** @param {Step} step @param {ServerMessage} message */
function tell(step, message) {
  switch (message.type) {
    case "party":
      return snapshot(step, message);
    case "party_events":
      return events(step, message);
    case "party_presence":
      return presence(step, message);
    case "boards":
      return boards(step, message);
    default:
  }
}

/** @param {Step} step @param {import("./protocol.js").PartySnapshot} message */
function snapshot(step, message) {
  const { session, at } = step;
  const { following, party: old } = session;
  const isHere = old?.state.code === message.party;
  const awaited = following && (following.party ? following.party === message.party : !isHere);
  if (!isHere && !awaited) {
    return;
  }
  const state = stateFromSnapshot(message);
  if (!state) {
    return happen(step, { type: "impossible" });
  }
  const role = awaited ? following.role : old?.role ?? "spectator";
  const boards = isHere && old ? old.boards : {};
  session.party = seen(session, { role, presence: presenceFrom(message.presence, at), boards }, state);
  if (awaited) {
    session.following = null;
  }
  happen(step, { type: "party" });
}

/**
 * The party as the player sees it.
 *
 * @param {Session} session @param {Pick<Party, "role" | "presence" | "boards">} party
 * @param {PartyState} state
 * @returns {Party}
 */
function seen({ player }, { role, presence, boards }, state) {
  const me = player === null ? null : state.entrants.find((one) => one.player === player) ?? null;
  const numbers = new Set(state.pairings.map(({ number }) => String(number)));
  const played = Object.fromEntries(Object.entries(boards).filter(([number]) => numbers.has(number)));
  const leading = leadingPlayer(state);
  return { role, state, presence, boards: played, me, leading, isHost: player !== null && leading === player };
}

/** @param {Step} step @param {ServerMessage & {type: "party_events"}} message */
function events(step, { party: code, v, events }) {
  const { party } = step.session;
  // A snapshot may have overtaken the facts.
  if (party?.state.code !== code || v <= party.state.v) {
    return;
  }
  const isNext = v === party.state.v + events.length;
  if (!isNext || !events.every((event) => fact(step, event))) {
    sync(step, code);
  }
}

/**
 * @param {Step} step @param {import("./protocol.js").PartyEvent} event
 * @returns {boolean} whether it can follow
 */
function fact(step, event) {
  const { session } = step;
  const { party } = session;
  const state = party && applyFact(party.state, event);
  if (!state) {
    return false;
  }
  session.party = seen(session, { ...party, presence: after(party.presence, event, state) }, state);
  if (event.kind === "left" && event.removed && event.entrant === party.me?.number) {
    // The server refuses it, and says why.
    sendReturn(step);
  } else {
    happen(step, { type: "party_event", event });
  }
  return true;
}

/**
 * The presence after a fact. The server tells it a moment later.
 *
 * @param {PartyPresence} presence @param {import("./protocol.js").PartyEvent} event
 * @param {PartyState} state
 * @returns {PartyPresence}
 */
function after(presence, event, state) {
  if (event.kind === "paired") {
    return { ...presence, nextAt: null };
  }
  const pairing = event.kind === "opened" || event.kind === "decided" ? pairingOf(state, event.pairing) : null;
  if (!pairing) {
    return presence;
  }
  const play = entrantsOf(pairing);
  return {
    ...presence,
    checks: presence.checks.filter((check) => check.pairing !== pairing.number),
    ready: presence.ready.filter((one) => !play.includes(one)),
  };
}

/** @param {import("./protocol.js").PartyPresence} told @param {Moment} at @returns {PartyPresence} */
function presenceFrom({ away, ready, checks, next_ms: next, spectators }, at) {
  return {
    away,
    ready,
    checks: checks.map(({ pairing, ms_left: left }) => ({ pairing, until: at + left })),
    nextAt: typeof next === "number" ? at + next : null,
    spectators: spectators ?? 0,
  };
}

/** @param {Step} step @param {ServerMessage & {type: "party_presence"}} message */
function presence(step, message) {
  const { session, at } = step;
  const { party } = session;
  if (party?.state.code === message.party) {
    session.party = { ...party, presence: presenceFrom(message, at) };
    happen(step, { type: "party_presence" });
  }
}

/** @param {Step} step @param {ServerMessage & {type: "boards"}} message */
function boards(step, { party: code, boards: told }) {
  const { session } = step;
  const { party } = session;
  if (party?.state.code === code) {
    const boards = { ...party.boards, ...Object.fromEntries(told.map((one) => [one.pairing, one])) };
    session.party = seen(session, { ...party, boards }, party.state);
    happen(step, { type: "boards" });
  }
}

/**
 * Compares the server's version of the party with ours.
 *
 * @param {Step} step @param {number | null} v
 */
function pong(step, v) {
  const { session } = step;
  const { party, following } = session;
  if (following) {
    const arrived = following.party !== null && v !== null && !isUnanswered(session, following.id);
    return arrived ? sync(step, following.party ?? "") : undefined;
  }
  if (!party || v === party.state.v) {
    return;
  }
  return v === null ? sendReturn(step) : sync(step, party.state.code);
}

/** @param {Step} step */
function wake(step) {
  const { party } = step.session;
  if (party && (party.presence.nextAt !== null || party.presence.checks.length > 0)) {
    sync(step, party.state.code);
  }
}

/** @param {Step} step @param {string} party */
function sync(step, party) {
  if (!isResyncing(step.session)) {
    ask(step, { type: "sync_party", party });
  }
}

/** Follows the party again. A player who has left comes back by asking only. @param {Step} step */
function sendReturn(step) {
  const { session } = step;
  const { party } = session;
  if (party && session.phase === "open" && !isResyncing(session)) {
    const role = party.me?.left && party.role === "player" ? "spectator" : party.role;
    ask(step, { type: "join_party", party: party.state.code, role });
  }
}

/**
 * Sends after a welcome what the break has cut off.
 *
 * @param {Step} step @param {readonly ClientMessage[]} repeated the unanswered messages about parties
 */
function resume(step, repeated) {
  const { session } = step;
  if (session.party) {
    // The player may have been forgotten, and is somebody new.
    session.party = seen(session, session.party, session.party.state);
  }
  const left = repeated.map(({ type }) => type).lastIndexOf("leave_party") + 1;
  let from = 0;
  repeated.slice(0, left).forEach((message, place) => {
    if (message.type === "leave_party") {
      // Only a follower can ask for something in a party. Nothing depends on this answer.
      const join = withId(step, { type: "join_party", party: message.party, role: "spectator" });
      [join, ...repeated.slice(from, place + 1)].forEach((one) => happen(step, { type: "send", message: one }));
      from = place + 1;
    }
  });
  sendReturn(step);
  repeated.slice(left).forEach((message) => happen(step, { type: "send", message }));
  const { following } = session;
  if (following?.party && !isUnanswered(session, following.id)) {
    const { id } = ask(step, { type: "join_party", party: following.party, role: following.role });
    session.following = { ...following, id };
  }
}
