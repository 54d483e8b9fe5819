// The page's reducer: `reduce` takes an action and returns the next state, with the commands for the
// runner. The session is the core's; this adds what only the page has: its route, its notices, what it
// asks for by itself, what the device stores. Pure.
// @ts-check

import { NO_WEBSOCKET } from "../client/connection.js";
import { WATCHING, error, mayWatch, told } from "./happenings.js";
import { isKnown, roomsAfter } from "./rooms.js";
import { CHALLENGE_MS } from "../client/generated/constants.js";
import { update } from "../client/session.js";
import { AFTER_ROOM, followsLink, isSameRoute, roomView } from "./state.js";
import { isMyTurn } from "../client/rules.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Route} Route */
/** @typedef {import("../client/protocol.js").Intent} Intent */
/** @typedef {import("../client/session.js").Input} Input */

/**
 * Everything that can happen to the page: what happens to the session, and what the player does. `heard`: an
 * announcement goes.
 *
 * @typedef {Input
 *   | {type: "route", route: Route}
 *   | {type: "begin", intent: Intent, cell: number}
 *   | {type: "challenge", player: string, name: string, settings?: import("../client/protocol.js").Challenged["settings"]}
 *   | {type: "watch", room: string}
 *   | {type: "notice", notice: import("./state.js").Notice}
 *   | {type: "dismiss"}
 *   | {type: "heard", key: number}
 *   | {type: "prefs", prefs: Partial<import("./state.js").Prefs>}} Action
 */

/**
 * A command for the runner. `prefs` and `rooms` are stored.
 *
 * @typedef {import("../client/session.js").Output & {type: "send" | "reconnect"}
 *   | {type: "prefs", prefs: import("./state.js").Prefs}
 *   | {type: "rooms", rooms: State["rooms"]}
 *   | {type: "welcomed", name: string, token: string}
 *   | {type: "forget"}} Command `forget`: this device forgets its player and connects as somebody new
 */

/**
 * @typedef {object} Page one action at work
 * @property {State} state
 * @property {Command[]} commands
 * @property {number} at
 */

/** Intents that leave the notice on the screen: the page asks by itself. After others the player has read it. */
const KEEPS_NOTICE = new Set([
  "join", "sync", "join_party", "sync_party", "watch_lobby", "unwatch_lobby", "history", "game", "profile", "leaderboard", "here", "decline",
]);

/** How long a player waits for a connection before there are words for it, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * @param {State} before
 * @param {Action} action
 * @param {number} at the time of `performance.now()`
 * @returns {[State, Command[]]} the same state where nothing changed
 */
export function reduce(before, action, at) {
  /** @type {Page} */
  const page = { state: before, commands: [], at };
  act(page, action);
  askForRoute(page);
  const { prefs, rooms } = page.state;
  if (prefs !== before.prefs) {
    page.commands.push({ type: "prefs", prefs });
  }
  if (rooms !== before.rooms) {
    page.commands.push({ type: "rooms", rooms });
  }
  return [page.state, page.commands];
}

/** @param {Page} page @param {Action} action */
function act(page, action) {
  const { state } = page;
  switch (action.type) {
    case "asked":
      return ask(page, action.intent);
    case "begin":
      return begin(page, action);
    case "challenge":
      return challenge(page, action);
    case "route":
      return goTo(page, action.route);
    case "watch":
      return set(page, { watching: action.room });
    case "notice":
      return set(page, { notice: action.notice });
    case "dismiss":
      return set(page, { notice: null });
    case "heard":
      return set(page, { announcements: state.announcements.filter(({ key }) => key !== action.key) });
    case "prefs":
      return set(page, { prefs: { ...state.prefs, ...action.prefs } });
    default:
      return feed(page, action);
  }
}

/** @param {Page} page @param {Partial<State>} change */
function set(page, change) {
  const keys = /** @type {(keyof State)[]} */ (Object.keys(change));
  if (keys.some((key) => change[key] !== page.state[key])) {
    page.state = { ...page.state, ...change };
  }
}

/**
 * The pass that links another device. It is told again, with no time left, when it has been used; that
 * says nothing about a newer one.
 *
 * @param {State["pass"]} before
 * @param {{code: string, expires_in_ms: number}} told
 * @param {import("../client/session.js").Moment} at
 */
function passFrom(before, { code, expires_in_ms: left }, at) {
  if (left > 0) return { code, until: at + left, used: false };
  return before?.code === code ? { ...before, used: true } : before;
}

/** @param {Page} page @param {Input} input */
function feed(page, input) {
  const before = page.state;
  const [session, outputs] = update(before.session, input, page.at);
  set(page, { ...session, session, ...shown(before, session, page.at) });
  set(page, { rooms: roomsAfter(before.rooms, session.room, before.session.room) });
  if (input.type === "told" && (input.message.type === "pass" || input.message.type === "place_pass")) {
    set(page, { pass: passFrom(page.state.pass, input.message, page.at) });
  }
  for (const output of outputs) {
    if (output.type === "send" || output.type === "reconnect") {
      page.commands.push(output);
      continue;
    }
    set(page, told(page.state, output, before));
    if (output.type === "lost") {
      tellOffline(page);
    }
    if (output.type === "welcome") {
      const { offline, notice } = page.state;
      set(page, { offline: null, notice: notice?.key === offline?.told ? null : notice });
      const { name, token } = output.message;
      page.commands.push({ type: "welcomed", name, token });
    }
    if (output.type === "forgotten") {
      page.commands.push({ type: "forget" });
    }
    const room = output.type === "refused" && mayWatch(before, output);
    if (room) {
      ask(page, { type: "join", room, role: "spectator" });
    }
  }
  if (input.type === "told" && input.message.type === "declined") {
    hearNo(page, input.message.player);
  }
  const { firstMove } = page.state;
  if (firstMove && !session.entering) {
    set(page, { firstMove: null });
    const move = outputs.some(({ type }) => type === "entered") && opening(page.state, firstMove.cell);
    if (move) {
      ask(page, move);
    }
  }
}

/**
 * Says that there is no connection to a player who has waited for one: once after each thing that they do.
 *
 * @param {Page} page
 */
function tellOffline(page) {
  const { connection, me, session } = page.state;
  const offline = page.state.offline ?? { since: page.at, told: "" };
  set(page, { offline });
  const { route } = page.state;
  const waits = (me === null && route.screen !== "here") || session.entering || session.following || session.queue;
  const key = connection.code === NO_WEBSOCKET ? "notice.proxy" : "notice.offline";
  if (waits && offline.told !== key && page.at - offline.since >= PATIENCE_MS) {
    set(page, { offline: { ...offline, told: key }, notice: error(key) });
  }
}

/**
 * Begins a game with its first move. The move waits until the room is there, and a second one is nothing:
 * the player has tapped twice.
 *
 * @param {Page} page @param {Action & {type: "begin"}} action
 */
function begin(page, { intent, cell }) {
  const { entering, connection } = page.state;
  if (entering || connection.phase === "ended") {
    return;
  }
  ask(page, intent);
  set(page, { firstMove: page.state.entering && { cell } });
}

/**
 * Asks somebody to play, who is named in the room where the player waits.
 *
 * @param {Page} page @param {Action & {type: "challenge"}} action
 */
function challenge(page, { name, ...intent }) {
  const before = page.state.entering;
  ask(page, intent);
  if (page.state.entering !== before) {
    const { player } = intent;
    set(page, { asked: { player, name, until: page.at + CHALLENGE_MS } });
  }
}

/** Leaves the room that waits for the one who has said no. @param {Page} page @param {string} player */
function hearNo(page, player) {
  const { asked, room, notice } = page.state;
  if (asked?.player !== player) return;
  if (room && !room.game) ask(page, { type: "leave", room: room.code });
  set(page, { asked: null, notice });
}

/**
 * The first move of the game in a new room, if we make it.
 *
 * @param {State} state @param {number} cell
 * @returns {Intent | null}
 */
function opening({ room }, cell) {
  if (!room?.game || room.game.moves.length > 0 || !isMyTurn(room)) {
    return null;
  }
  return { type: "play", room: room.code, game: room.game.number, ply: 0, cell };
}

/**
 * The parts of a session that views see in another form.
 *
 * @param {State} before @param {State["session"]} session @param {number} at
 * @returns {Pick<State, "notice" | "watching" | "room" | "matching">}
 */
function shown(before, session, at) {
  const { queue, room } = session;
  const same = before.matching?.message === (queue ?? undefined);
  const isFull = room && room.seats.x.kind !== "open" && room.seats.o.kind !== "open";
  const { code } = room ?? {};
  const wasInvited = before.room?.code === code && before.watching !== code && room?.you.length === 0;
  return {
    notice: isFull && wasInvited ? WATCHING : before.notice,
    // A spectator who has seen the board keeps it when a player leaves.
    watching: isFull ? room.code : before.watching,
    room: room === before.session.room ? before.room : room && roomView(room, before.prefs, before.room),
    matching: same ? before.matching : queue && { message: queue, since: at },
  };
}

/** @param {Page} page @param {Intent} intent */
function ask(page, intent) {
  const before = page.state;
  feed(page, { type: "asked", intent });
  const { session, notice, failed } = page.state;
  if (session.nextId === before.session.nextId) {
    return;
  }
  if (!KEEPS_NOTICE.has(intent.type)) {
    set(page, { notice: null });
  }
  if (session.entering !== before.entering && session.entering) {
    // The refusal stays until the room is entered: the screen may have nothing else to show.
    const { room } = session.entering;
    const keeps = followsLink(page.state) || notice?.kind === "info";
    set(page, { asked: null, firstMove: null, failed: failed?.room === room ? failed : null, notice: keeps ? notice : null });
  }
  if (page.state.offline && !KEEPS_NOTICE.has(intent.type)) {
    set(page, { offline: { ...page.state.offline, told: "" } });
    tellOffline(page);
  }
  if (intent.type === "leave") {
    const { route } = page.state;
    const here = isSameRoute(route, { screen: "room", code: intent.room });
    set(page, { watching: null, route: here ? AFTER_ROOM : route });
  }
}

/** @param {Page} page @param {Route} route */
function goTo(page, route) {
  const before = page.state;
  if (isSameRoute(before.route, route)) {
    return;
  }
  const { room, entering, matching, unanswered } = before;
  const closed = room?.closed && !isSameRoute(route, { screen: "room", code: room.code });
  const next = closed && route.screen === "welcome" ? AFTER_ROOM : route;
  set(page, { route: next, notice: null, failed: null, watching: null, room: closed ? null : room });
  const cancelled = unanswered.some(({ type }) => type === "cancel_match");
  if (before.route.screen === "quick" && matching && !cancelled) {
    ask(page, { type: "cancel_match" });
  }
  // In the room of an earlier visit the player may have a seat, which `leave` would give up.
  if (entering?.room && followsLink(before) && !isKnown(before.rooms, entering.room)) {
    ask(page, { type: "leave", room: entering.room });
  }
}

/**
 * Asks for what the route shows: the lobby's lists, the room of the address; on the start page the last room
 * in which we may have a seat, so that the others see us there. A spectator who goes to another screen leaves the room.
 *
 * @param {Page} page
 */
function askForRoute(page) {
  const { session, route, room, rooms, failed } = page.state;
  if (session.phase !== "open") {
    return;
  }
  const isLobby = route.screen === "lobby";
  if (isLobby && !session.watchesLobby) ask(page, { type: "watch_lobby" });
  // The menu may watch it too: it asks by itself.
  if (!isLobby && route.screen !== "welcome" && session.watchesLobby) ask(page, { type: "unwatch_lobby" });
  const code = route.screen === "room" ? route.code : null;
  const seat = route.screen === "welcome" && !session.following && !session.party ? (rooms[0]?.code ?? null) : null;
  if (session.room?.you.length === 0 && session.room.code !== code) {
    ask(page, { type: "leave", room: session.room.code });
  }
  const wanted = code ?? (room ? null : seat);
  if (wanted && !session.entering && wanted !== room?.code && wanted !== failed?.room) {
    // A player with a seat gets it back although the role is `spectator`.
    ask(page, { type: "join", room: wanted, role: "spectator" });
  }
}
