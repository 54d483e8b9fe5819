"""How a room follows from its snapshot and its events, and its presence from what is told. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .room import MARKS, Connected, Game, Presence, Room, other, player_of

if TYPE_CHECKING:
    from . import wire


def room_from(snapshot: wire.SnapshotMessage, at: float, me: str | None) -> Room | None:
    """The room of a snapshot that comes at a time; None where its moves are impossible."""
    left = snapshot.get("move_ms_left")
    record = snapshot.get("game")
    room = Room(
        code=snapshot["room"],
        v=snapshot["v"],
        settings=snapshot["settings"],
        seats=snapshot["seats"],
        score=snapshot["score"],
        presence=presence_from(snapshot["presence"], at),
        me=me,
        game=game_from(record) if record else None,
        maker=snapshot.get("maker"),
        series=snapshot.get("series"),
        pace=snapshot.get("pace") or "normal",
        **clock(left, snapshot.get("clock_stopped") or False, at),
    )
    return room if is_possible(room) else None


def is_possible(room: Room) -> bool:
    """Whether each move of the game went to an empty cell."""
    game = room.game
    if game is None:
        return True
    for ply, cell in enumerate(game.moves):
        before = replace(game, moves=game.moves[:ply], playable=None)
        if replace(room, game=before).illegal(cell):
            return False
    return True


def game_from(record: wire.GameRecord) -> Game:
    placed = record.get("placed")
    effects = record.get("effects")
    result = record.get("result")
    return Game(
        number=record["number"],
        first=record["first"],
        moves=tuple(record["moves"]),
        placed=None if placed is None else tuple(placed),
        effects=None if effects is None else tuple(effects),
        playable=record.get("playable"),
        result=result,
        opening=None if result else record.get("opening"),
        id=record.get("id"),
    )


def after(room: Room, event: wire.Event, at: float) -> Room | None:
    """The room with one more event; None where the event is impossible."""
    changed = change(room, event, at)
    return None if changed is None else replace(room, **changed, v=room.v + 1)


def change(room: Room, event: wire.Event, at: float) -> dict[str, Any] | None:
    """The fields that an event changes."""
    if event["kind"] == "seated":
        # TypedDicts have no way to replace one of two keys that a type checker follows.
        seats: Any = {**room.seats, event["mark"]: event["seat"]}
        return seated(room, seats)
    if event["kind"] == "game_started":
        return started(room, event, at)
    if event["kind"] == "moved":
        return moved(room, event, at)
    if event["kind"] == "taken_back":
        return taken_back(room, event, at)
    if event["kind"] == "chosen":
        game = running(room, event["game"])
        if game is None:
            return None
        own = {"game": replace(game, opening=event.get("opening")), "score": event["score"]}
        return {**own, **seated(room, event["seats"]), "move_deadline": move_deadline(room, at)}
    if event["kind"] == "game_over":
        game = running(room, event["game"])
        return {**ended(game, event), **new_position(room)} if game else None
    if event["kind"] == "paced":
        paced = replace(room, pace=event["pace"])
        deadline = move_deadline(paced, at) if room.is_running else None
        return {"pace": event["pace"], "move_deadline": deadline}
    if event["kind"] == "clock":
        stopped = event.get("stopped") or False
        return clock(event["move_ms_left"], stopped, at) if running(room, event["game"]) else None
    if event["kind"] == "closed":
        return {"move_deadline": None, "stands_at": None}
    # A newer server may send a kind that nobody here knows. It only counts as a version.
    return {}


def seated(room: Room, seats: wire.ByMarkSeat) -> dict[str, Any]:
    return {"seats": seats, "presence": with_seats(room.presence, room.seats, seats)}


def started(room: Room, event: wire.GameStartedEvent, at: float) -> dict[str, Any]:
    game = Game(
        number=event["game"],
        first=event["first"],
        playable=event.get("playable"),
        opening=event.get("opening"),
    )
    presence = replace(
        room.presence,
        rematch=None,
        series=None,
        hints=None,
        take_back=None,
        ratings=at_start(room.presence.ratings),
    )
    return {
        **NEW_POSITION,
        "game": game,
        "score": event["score"],
        "series": event.get("series"),
        "presence": presence,
        "move_deadline": move_deadline(room, at),
    }


def moved(room: Room, event: wire.MovedEvent, at: float) -> dict[str, Any] | None:
    game = running(room, event["game"])
    ply = event["ply"]
    if game is None or ply != len(game.moves) or event["mark"] != game.side_at(ply):
        return None
    if room.illegal(event["cell"]):
        return None
    playable = event.get("playable")
    placed = event.get("placed")
    effect = event.get("effect")
    # Where some mark is not its side's own, a record has all of them.
    has_marks = any("marks" in (one or {}) for one in (game.playable, playable))
    all_placed = None
    if game.placed or placed or has_marks:
        before = tuple(game.mark_placed(one) for one in range(ply))
        all_placed = (*before, placed or event["mark"])
    effects = game.effects
    if effect:
        told: Any = {"ply": ply, **effect}
        effects = (*(effects or ()), told)
    game = replace(
        game,
        moves=(*game.moves, event["cell"]),
        placed=all_placed,
        effects=effects,
        playable=playable,
        opening=event.get("opening") or game.opening,
    )
    over = event.get("over")
    end = ended(game, over) if over else {"game": game, "move_deadline": move_deadline(room, at)}
    return {**end, **new_position(room)}


def taken_back(room: Room, event: wire.TakenBackEvent, at: float) -> dict[str, Any] | None:
    game = running(room, event["game"])
    ply = event["ply"]
    if game is None or ply >= len(game.moves):
        return None
    effects = game.effects
    before = replace(
        game,
        moves=game.moves[:ply],
        placed=game.placed and game.placed[:ply],
        effects=effects and tuple(effect for effect in effects if effect["ply"] < ply),
        playable=event.get("playable"),
    )
    return {**new_position(room), "game": before, "move_deadline": move_deadline(room, at)}


def ended(game: Game, end: wire.GameEnd | wire.GameOverEvent) -> dict[str, Any]:
    over = replace(game, playable=None, result=end["result"], opening=None, id=end.get("id"))
    return {"game": over, "score": end["score"], "move_deadline": None, "stands_at": None}


# Answers about the previous position.
NEW_POSITION = {"hint": None, "evaluation": None}


def new_position(room: Room) -> dict[str, Any]:
    return {**NEW_POSITION, "presence": replace(room.presence, take_back=None)}


def running(room: Room, number: int) -> Game | None:
    """The running game, if it has the number."""
    game = room.game
    return game if game and game.number == number and not game.result else None


def is_at(room: Room, number: int, ply: int) -> bool:
    """Whether a message is about the position on the board."""
    game = running(room, number)
    return game is not None and len(game.moves) == ply


def move_deadline(room: Room, at: float) -> float | None:
    limit = room.settings.get("move_time_ms")
    # Paused computers have no clock.
    return None if limit is None or room.pace == "paused" else at + limit


def clock(left: float | None, stopped: bool, at: float) -> dict[str, Any]:
    """A clock that runs, or stands with so many milliseconds."""
    deadline = None if stopped or left is None else at + left
    return {"move_deadline": deadline, "stands_at": left if stopped else None}


def presence_from(told: wire.Presence | wire.PresenceMessage, at: float) -> Presence:
    return Presence(
        x=connected(told.get("x"), at),
        o=connected(told.get("o"), at),
        spectators=told["spectators"],
        rematch=told.get("rematch"),
        series=told.get("series"),
        ratings=told.get("ratings"),
        take_back=told.get("take_back"),
        hints=told.get("hints"),
    )


def connected(seat: wire.SeatPresence | None, at: float) -> Connected | None:
    if not seat:
        return None
    if seat["state"] == "connected":
        return Connected("connected", None)
    left = seat["claim_in_ms"] if seat["state"] == "away" else 0
    return Connected(seat["state"], at + left)


def with_seats(presence: Presence, before: wire.ByMarkSeat, seats: wire.ByMarkSeat) -> Presence:
    """The presence after players have taken, left or exchanged seats: it goes with the player."""

    def previous(mark: wire.Mark) -> wire.Mark | None:
        player = player_of(seats[mark])
        places = (mark, other(mark))
        return next((one for one in places if player and player_of(before[one]) == player), None)

    was_x = previous("x")
    was_o = previous("o")
    offer = presence.rematch
    rematch = next((mark for mark in MARKS if offer and previous(mark) == offer), None)
    ratings = presence.ratings
    if ratings:
        x = ratings.get(was_x) if was_x else None
        o = ratings.get(was_o) if was_o else None
        ratings = {**ratings, "x": x, "o": o}
    return replace(
        presence,
        x=presence.of(was_x) if was_x else None,
        o=presence.of(was_o) if was_o else None,
        rematch=rematch,
        series=presence.series if rematch else None,
        ratings=ratings,
        take_back=None,
    )


def at_start(ratings: wire.RoomRatings | None) -> wire.RoomRatings | None:
    """The ratings when the next game begins."""
    if ratings is None:
        return None

    def unchanged(rating: wire.SeatRating | None) -> wire.SeatRating | None:
        return {**rating, "before": None} if rating else None

    return {**ratings, "x": unchanged(ratings.get("x")), "o": unchanged(ratings.get("o"))}


def is_news(before: Presence, now: Presence) -> bool:
    """Whether people are told: somebody went or came back, offers, took a hint, has another rating."""

    def first_to(presence: Presence) -> object:
        # An open series is another one than none.
        return presence.series.get("first_to") if presence.series else "none"

    def hints(presence: Presence, mark: wire.Mark) -> int:
        return presence.hints[mark] if presence.hints else 0

    def differs(mark: wire.Mark) -> bool:
        was = before.of(mark)
        seat = now.of(mark)
        return seat is not None and seat.state != (was.state if was else "connected")

    return (
        before.rematch != now.rematch
        or before.take_back != now.take_back
        or first_to(before) != first_to(now)
        or (now.ratings is not None and before.ratings != now.ratings)
        or any(hints(now, mark) > hints(before, mark) for mark in MARKS)
        or any(differs(mark) for mark in MARKS)
    )
