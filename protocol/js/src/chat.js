// The part of the core for talk: the lines of the room and the people whom the player has muted. A
// muted person is muted here at once, whatever the server says. Pure.
// @ts-check

import { CHAT_LINES, MAX_MUTED, MAX_UNANSWERED } from "./generated/constants.js";
import { ask, happen } from "./step.js";

/** @typedef {import("./step.js").Step} Step */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./protocol.js").ChatLine} ChatLine */

/**
 * @typedef {object} Chat
 * @property {readonly ChatLine[]} lines in the order of their numbers, without those of muted people; the
 *   last ones of the players and the last ones of the spectators
 * @property {readonly string[]} muted player ids
 * @property {boolean} told whether the server has told who is muted since the last welcome
 */

/** @type {Chat} */
export const SILENCE = Object.freeze({ lines: [], muted: [], told: false });

/** Whether the room lets people say a text or an emote. @param {Session} session @param {"text" | "emote"} kind */
export function maySay({ room, features }, kind) {
  const mode = room?.settings.chat ?? "text";
  return features.chat && (mode === "text" || (mode === "emotes" && kind === "emote"));
}

/** @param {Session} session @param {string} player @returns {boolean} whether a `mute` is unanswered */
const isPending = ({ room, unanswered }, player) => unanswered.some((message) =>
  message.type === "mute" && message.room === room?.code && message.player === player);

/** Hides what somebody says, or lets it be heard again. @param {Step} step @param {string} player @param {boolean} mute */
export function mutes({ session }, player, mute) {
  const { room } = session;
  if (room) {
    const others = room.chat.muted.filter((one) => one !== player);
    const muted = mute ? [...others, player] : others;
    session.room = { ...room, chat: { ...room.chat, muted, lines: audible(room.chat.lines, muted) } };
  }
}

/** @param {readonly ChatLine[]} lines @param {readonly string[]} muted */
const audible = (lines, muted) => lines.filter(({ player }) => !muted.includes(player));

/** @param {Step} step @param {import("./protocol.js").ServerMessage & {type: "chat"}} message */
export function heard(step, { room: code, lines: told, muted: list = null }) {
  const { session } = step;
  const { room } = session;
  if (room?.code !== code) {
    return;
  }
  const { chat } = room;
  const muted = list ? mutedAfter(session, chat, list) : chat.muted;
  const known = new Set(chat.lines.map(({ n }) => n));
  const unknown = [...new Map(told.map((line) => [line.n, line])).values()].filter(({ n }) => !known.has(n));
  const all = audible([...chat.lines, ...unknown], muted).sort((one, other) => one.n - other.n);
  const lines = [...last(all.filter(({ seat }) => seat)), ...last(all.filter(({ seat }) => !seat))]
    .sort((one, other) => one.n - other.n);
  session.room = { ...room, chat: { lines, muted, told: chat.told || list !== null } };
  muteAgain(step, room.code, [
    ...(list && !chat.told ? muted.filter((player) => !list.includes(player)) : []),
    ...told.map(({ player }) => player).filter((player) => muted.includes(player)),
  ]);
  const fresh = lines.filter(({ n }) => !known.has(n));
  if (fresh.length > 0 || (list && muted.join() !== chat.muted.join())) {
    happen(step, { type: "chat", lines: fresh });
  }
}

/** @param {readonly ChatLine[]} lines */
const last = (lines) => lines.slice(-CHAT_LINES);

/**
 * Whom the player has muted, after the server's list. The first list after a welcome may be of a server
 * that has forgotten some; a later one is right but for what is on its way.
 *
 * @param {Session} session @param {Chat} chat @param {readonly string[]} list
 */
function mutedAfter(session, { muted, told }, list) {
  const stay = muted.filter((player) => !told || list.includes(player) || isPending(session, player));
  const join = list.filter((player) => !muted.includes(player) && !isPending(session, player));
  return [...stay, ...join].slice(0, MAX_MUTED);
}

/**
 * A list without a muted person, or a line of one, shows that the server has forgotten it.
 *
 * @param {Step} step @param {string} room @param {readonly string[]} players
 */
function muteAgain(step, room, players) {
  for (const player of players) {
    if (!isPending(step.session, player) && step.session.unanswered.length < MAX_UNANSWERED) {
      ask(step, { type: "mute", room, player, mute: true });
    }
  }
}
