"""Talk: the lines of a room and the people whom the player has muted. Pure.

A muted person is muted here at once, whatever the server says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from .constants import CHAT_LINES, MAX_MUTED, MAX_UNANSWERED
from .room import Chat

if TYPE_CHECKING:
    from . import wire
    from .session import Session


def may_say(session: Session, said: str) -> bool:
    """Whether the room lets people say a `text` or an `emote`."""
    mode = session.room.settings.get("chat", "text") if session.room else "text"
    is_said = mode == "text" or (mode == "emotes" and said == "emote")
    return is_said and session.features.get("chat") is not False


def mute(session: Session, player: str, muted: bool) -> None:
    """Hides what somebody says, or lets it be heard again."""
    room = session.room
    if room:
        others = tuple(one for one in room.chat.muted if one != player)
        all_muted = (*others, player) if muted else others
        lines = audible(room.chat.lines, all_muted)
        session.room = replace(room, chat=replace(room.chat, muted=all_muted, lines=lines))


def audible(
    lines: Iterable[wire.ChatLine], muted: tuple[str, ...]
) -> tuple[wire.ChatLine, ...]:
    return tuple(line for line in lines if line["player"] not in muted)


def heard(session: Session, message: wire.ChatMessage) -> None:
    room = session.room
    if not room or room.code != message["room"]:
        return
    chat = room.chat
    told = message["lines"]
    muted_told = message.get("muted")
    muted = chat.muted if muted_told is None else muted_after(session, chat, muted_told)
    known = {line["n"] for line in chat.lines}
    by_number = {line["n"]: line for line in (*told, *chat.lines)}
    lines = audible((by_number[n] for n in sorted(by_number)), muted)
    seated = [line for line in lines if line.get("seat")]
    others = [line for line in lines if not line.get("seat")]
    last = (*seated[-CHAT_LINES:], *others[-CHAT_LINES:])
    kept = tuple(sorted(last, key=lambda line: line["n"]))
    was_told = chat.told or muted_told is not None
    session.room = replace(room, chat=Chat(kept, muted, was_told))
    forgotten = [line["player"] for line in told if line["player"] in muted]
    if muted_told is not None and not chat.told:
        forgotten = [one for one in muted if one not in muted_told] + forgotten
    mute_again(session, room.code, forgotten)
    fresh = [line for line in kept if line["n"] not in known]
    if fresh or (muted_told is not None and muted != chat.muted):
        session.happen("chat", lines=fresh)


def is_pending(session: Session, player: str) -> bool:
    """Whether a `mute` is unanswered."""
    return any(
        one["type"] == "mute" and session.is_here(one["room"]) and one["player"] == player
        for one in session.unanswered
    )


def muted_after(session: Session, chat: Chat, told: list[str]) -> tuple[str, ...]:
    """Whom the player has muted, after the server's list.

    The first list after a welcome may be of a server that has forgotten some; a later one is right
    but for what is on its way.
    """
    stay = [
        player
        for player in chat.muted
        if not chat.told or player in told or is_pending(session, player)
    ]
    join = [
        player
        for player in told
        if player not in chat.muted and not is_pending(session, player)
    ]
    return tuple((stay + join)[:MAX_MUTED])


def mute_again(session: Session, room: str, players: list[str]) -> None:
    """A list without a muted person, or a line of one, shows that the server has forgotten it."""
    for player in players:
        if not is_pending(session, player) and len(session.unanswered) < MAX_UNANSWERED:
            session.ask({"type": "mute", "room": room, "player": player, "mute": True})
