// Whether the server would refuse an intent, as far as this side knows. Pure.
// @ts-check

import { MAX_MUTED } from "./generated/constants.js";
import { maySay } from "./chat.js";
import * as rules from "./rules.js";

/**
 * Why an intent is not possible now, or null.
 *
 * @param {import("./session.js").Session} session
 * @param {import("./protocol.js").Intent} intent
 * @returns {string | null}
 */
export function whyBlocked(session, intent) {
  const { room, entering } = session;
  if (!("room" in intent) || intent.type === "join") {
    return null;
  }
  if (intent.type === "leave" && intent.room === entering?.room) {
    return null;
  }
  if (room?.code !== intent.room) {
    return "not_in_room";
  }
  if (intent.type === "say") {
    return maySay(session, "text" in intent.said ? "text" : "emote") ? null : "chat_off";
  }
  return intent.type === "play"
    ? rules.whyNot(session, intent.cell) ?? (room.game?.moves.length === intent.ply ? null : "stale")
    : isPossible(session, room, intent) ? null : refusalOf(session, room, intent.type);
}

/**
 * The code with which the server refuses what is not possible now.
 *
 * @param {import("./session.js").Session} session
 * @param {import("./room.js").Room} room
 * @param {string} type the intent's
 * @returns {string}
 */
function refusalOf(session, room, type) {
  const { game, you } = room;
  if (type === "review" || type === "mute" || rules.mayPace(session)) return "not_now";
  if (you.length === 0) return "not_seated";
  if (!game) return "not_now";
  if (game.result && ["choose", "claim", "hint", "resign"].includes(type)) return "game_over";
  if (type === "hint" && !game.opening) return "not_your_turn";
  return type === "claim" && !rules.isStopped(room) ? "too_early" : "not_now";
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("./room.js").Room} room
 * @param {import("./protocol.js").Intent} intent
 * @returns {boolean}
 */
function isPossible(session, room, intent) {
  const seated = room.you.length > 0;
  switch (intent.type) {
    case "choose": {
      const choice = rules.myChoice(room);
      return choice !== null && !rules.isStopped(room) && (choice.mayAdd || intent.choice !== "add") && !rules.isSending(session);
    }
    case "resign":
      return seated && rules.isRunning(room);
    case "rematch":
      return seated && rules.isOver(room) && !rules.hasGoneOn(room);
    case "pace":
      return rules.mayPace(session);
    case "strength": {
      const foe = rules.opponent(room);
      return foe !== null && room.seats[foe].kind === "computer" && !room.settings.party;
    }
    case "step":
      return rules.mayPace(session) && room.pace === "paused";
    case "hint":
      return rules.isMyTurn(room);
    case "review":
      return rules.isOver(room) || (room.game?.number ?? 0) > 1;
    case "claim": {
      const others = rules.MARKS.filter((mark) => !room.you.includes(mark));
      return seated && rules.isRunning(room) && !rules.isStopped(room) && others.some((mark) => rules.isAway(room, mark));
    }
    case "mute": {
      const { muted } = room.chat;
      return intent.player !== session.player && (muted.includes(intent.player) || muted.length < MAX_MUTED);
    }
    default:
      return true;
  }
}
