"""Whether the server would refuse an intent, as far as this side knows. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .chat import may_say
from .constants import MAX_MUTED
from .room import MARKS, Room
from .wire import REFUSALS

if TYPE_CHECKING:
    from .session import Session


# The codes that only this side has. The others are the protocol's, with its words.
OWN = {
    "busy": "too much waits for its answer: await one first",
    "choose_first": "choose first: x, o or, where the opening lets you, add",
    "sending": "your last move or choice is on its way",
}


def sentence(code: str) -> str:
    """What people read where this side refuses something itself."""
    return OWN.get(code) or REFUSALS[code]


def why_blocked(session: Session, intent: Mapping[str, Any]) -> str | None:
    """Why an intent is not possible now, mostly as a refusal code."""
    kind = intent["type"]
    entering = session.entering
    room = session.room
    if "room" not in intent or kind == "join":
        return None
    if kind == "leave" and entering and intent["room"] == entering.room:
        return None
    if not room or room.code != intent["room"]:
        return "not_in_room"
    if kind == "say":
        said = "text" if "text" in intent["said"] else "emote"
        return None if may_say(session, said) else "chat_off"
    if kind == "play":
        return why_not(session, room, intent["cell"], intent["ply"])
    return None if is_possible(session, room, intent) else refusal_of(room, kind)


def refusal_of(room: Room, kind: str) -> str:
    """The code with which the server refuses what is not possible now."""
    game = room.game
    if kind in ("review", "mute") or room.may_pace:
        return "not_now"
    if not room.mine:
        return "not_seated"
    if not game:
        return "not_now"
    if game.result and kind in ("choose", "claim", "hint", "resign"):
        return "game_over"
    if kind == "hint" and not game.opening:
        return "not_your_turn"
    return "too_early" if kind == "claim" and room.stands_at is None else "not_now"


def why_not(session: Session, room: Room, cell: int, ply: int) -> str | None:
    """Why a cell cannot be played now."""
    if not room.mine:
        return "not_seated"
    if not room.game:
        return "not_now"
    if room.game.result:
        return "game_over"
    illegal = room.illegal(cell)
    if illegal == "no_such_cell":
        return illegal
    if not room.is_my_turn:
        return "not_your_turn"
    if room.stands_at is not None:
        return "not_now"
    if room.choice:
        return "choose_first"
    if sent_move(session):
        return "sending"
    return illegal or (None if len(room.game.moves) == ply else "stale")


def sent_move(session: Session) -> Mapping[str, Any] | None:
    """The move or choice that is on its way to the board."""
    room = session.room
    game = room.game if room else None
    if not room or not game or game.result:
        return None
    for message in session.unanswered:
        if message.get("room") != room.code or message.get("game") != game.number:
            continue
        if message["type"] == "play" and message["ply"] == len(game.moves):
            return message
        if message["type"] == "choose" and game.opening and game.opening["state"] == "choosing":
            return message
    return None


def is_possible(session: Session, room: Room, intent: Mapping[str, Any]) -> bool:
    kind = intent["type"]
    is_stopped = room.stands_at is not None
    if kind == "choose":
        choice = room.choice
        if choice is None or is_stopped or sent_move(session):
            return False
        return choice["may_add"] or intent["choice"] != "add"
    if kind == "resign":
        return bool(room.mine) and room.is_running
    if kind == "rematch":
        return bool(room.mine) and room.is_over and not room.settings.get("party")
    if kind == "pace":
        return room.may_pace
    if kind == "strength":
        foe = room.opponent
        is_computer = foe is not None and room.seats[foe]["kind"] == "computer"
        return is_computer and not room.settings.get("party")
    if kind == "step":
        return room.may_pace and room.pace == "paused"
    if kind == "hint":
        return room.is_my_turn
    if kind == "review":
        return room.is_over or (room.game is not None and room.game.number > 1)
    if kind == "claim":
        others = [mark for mark in MARKS if mark not in room.mine]
        is_away = any(room.claim_at(mark) is not None for mark in others)
        return bool(room.mine) and room.is_running and not is_stopped and is_away
    if kind == "mute":
        muted = room.chat.muted
        has_place = intent["player"] in muted or len(muted) < MAX_MUTED
        return intent["player"] != session.player and has_place
    return True
