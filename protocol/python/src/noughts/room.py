"""A room as a client sees it, and what one asks of it: whose turn it is, what may be played.

It knows no rules: what a move leads to is told. `following` has what snapshots and events change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .constants import LONG_MOVE_MS

if TYPE_CHECKING:
    from . import wire

MARKS: tuple[wire.Mark, wire.Mark] = ("x", "o")


def other(mark: wire.Mark) -> wire.Mark:
    return "o" if mark == "x" else "x"


def player_of(seat: wire.Seat) -> str | None:
    """The id of the player on a seat; None for an open seat and for a computer."""
    return seat["player"] if seat["kind"] == "human" else None


@dataclass(frozen=True)
class Game:
    """The running game of a room, or its last one."""

    number: int
    first: wire.Mark
    # The cells played, in order: sides alternate from `first`.
    moves: tuple[int, ...] = ()
    # The mark of each move; None where each is its side's own.
    placed: tuple[wire.Mark, ...] | None = None
    # The effects of moves beside their marks.
    effects: tuple[wire.PlyEffect, ...] | None = None
    # The allowed next moves; None for the own mark in any empty cell.
    playable: wire.Playable | None = None
    result: wire.GameResult | None = None
    # The phase of a swap2 opening.
    opening: wire.OpeningPhase | None = None
    # The id of a game that is over and kept.
    id: str | None = None

    @property
    def winner(self) -> wire.Mark | None:
        """The side that won; None for a draw and for a running game."""
        result: Mapping[str, Any] = self.result or {}
        return result.get("winner")

    @property
    def next_mark(self) -> wire.Mark:
        """The side of the next move. In an opening the other seat may have to act: see `Room.turn`."""
        return self.side_at(len(self.moves))

    def side_at(self, ply: int) -> wire.Mark:
        return self.first if ply % 2 == 0 else other(self.first)

    def mark_placed(self, ply: int) -> wire.Mark:
        return self.placed[ply] if self.placed else self.side_at(ply)

    def marks(self) -> dict[int, wire.Mark]:
        """What is on the cells that are not empty."""
        removed = {effect["ply"]: effect.get("removed") for effect in self.effects or ()}
        marks: dict[int, wire.Mark] = {}
        for ply, cell in enumerate(self.moves):
            gone = removed.get(ply)
            if gone is not None:
                marks.pop(gone, None)
            marks[cell] = self.mark_placed(ply)
        return marks


@dataclass(frozen=True)
class Connected:
    """Whether the player of a seat is connected."""

    state: str
    # From when the opponent may claim the game; None while the player is connected.
    claim_at: float | None


@dataclass(frozen=True)
class Presence:
    """Who is connected, how many watch, who offers a rematch. It comes whole."""

    # None for an open seat and for a computer.
    x: Connected | None
    o: Connected | None
    spectators: int
    # The seat whose player offers a rematch, and the new series that the offer asks for.
    rematch: wire.Mark | None = None
    series: wire.Series | None = None
    # In a room whose games may be rated.
    ratings: wire.RoomRatings | None = None
    # The seat whose player asks to take back a move.
    take_back: wire.Mark | None = None
    # How many hints each of two people has taken in the game.
    hints: wire.ByMarkUint16 | None = None

    def of(self, mark: wire.Mark) -> Connected | None:
        return self.x if mark == "x" else self.o


@dataclass(frozen=True)
class Chat:
    """What is said in a room, by the numbers of the lines, without what muted people say."""

    lines: tuple[wire.ChatLine, ...] = ()
    # Ids of players.
    muted: tuple[str, ...] = ()
    # Whether the server has told who is muted since the last welcome.
    told: bool = False


@dataclass(frozen=True)
class Room:
    """A room after one of its events. Times are milliseconds of the clock of who asks."""

    code: str
    # The number of its facts so far.
    v: int
    settings: wire.RoomSettings
    seats: wire.ByMarkSeat
    score: wire.Score
    presence: Presence
    # Our player id.
    me: str | None
    game: Game | None = None
    # The player who made the room.
    maker: str | None = None
    series: wire.Series | None = None
    # How fast two computers play.
    pace: wire.Pace = "normal"
    # When the time for the move ends.
    move_deadline: float | None = None
    # The milliseconds on a clock that the host of the party has stopped.
    stands_at: float | None = None
    # For the position on the board.
    hint: wire.HintMessage | None = None
    evaluation: wire.EvaluationMessage | None = None
    # The last review.
    review: wire.ReviewMessage | None = None
    chat: Chat = Chat()

    @property
    def board(self) -> wire.BoardSpec:
        return self.settings.get("board") or {"width": 3, "height": 3, "line": 3}

    @property
    def mine(self) -> list[wire.Mark]:
        """The marks that we play: none for a spectator, both at one screen."""
        return [mark for mark in MARKS if self.me and player_of(self.seats[mark]) == self.me]

    @property
    def is_running(self) -> bool:
        return self.game is not None and self.game.result is None

    @property
    def is_over(self) -> bool:
        """Whether there is a game, and it is over."""
        return self.game is not None and self.game.result is not None

    @property
    def turn(self) -> wire.Mark | None:
        """The seat that has to act, also in an opening; None while no game runs."""
        if self.game is None or self.game.result:
            return None
        return self.game.opening["by"] if self.game.opening else self.game.next_mark

    @property
    def is_my_turn(self) -> bool:
        return self.turn in self.mine

    @property
    def opponent(self) -> wire.Mark | None:
        """The other's mark, if we have one seat."""
        return other(self.mine[0]) if len(self.mine) == 1 else None

    @property
    def may_offer(self) -> bool:
        """Whether a rematch is ours to offer or to accept, and we do not offer it yet."""
        is_full = all(self.seats[mark]["kind"] != "open" for mark in MARKS)
        is_offering = self.presence.rematch in self.mine
        # A party pairs the next game itself.
        pairs_itself = bool(self.settings.get("party"))
        return bool(self.mine) and self.is_over and is_full and not is_offering and not pairs_itself

    @property
    def may_pace(self) -> bool:
        """Whether we decide how fast two computers play."""
        computers = all(self.seats[mark]["kind"] == "computer" for mark in MARKS)
        return computers and self.me is not None and self.maker == self.me

    @property
    def choice(self) -> wire.ChoosingOpeningPhase | None:
        """The choice of a side that we have to make in an opening."""
        opening = self.game.opening if self.game and self.is_running else None
        if opening is None or opening["state"] != "choosing":
            return None
        return opening if opening["by"] in self.mine else None

    def cells(self) -> list[int]:
        """The cells that may be played next, in order; empty while no game runs."""
        if self.game is None or self.game.result:
            return []
        return [cell for cell in range(self.size) if self.illegal(cell) is None]

    @property
    def size(self) -> int:
        return self.board["width"] * self.board["height"]

    def illegal(self, cell: int) -> str | None:
        """Why nobody may play a cell, as a refusal code."""
        if not 0 <= cell < self.size:
            return "no_such_cell"
        if self.game is None:
            return None
        if cell in self.game.marks():
            return "cell_taken"
        playable = (self.game.playable or {}).get("cells")
        return "not_playable" if playable is not None and cell not in playable else None

    def claim_at(self, mark: wire.Mark) -> float | None:
        """From when an opponent may claim the game of a player who is away; None for others.

        Where a move may take long, that is never before the clock has ended it: a move since the
        presence was told has set it anew.
        """
        if self.is_over and self.settings.get("party"):
            # The players have gone on to their next game of the party.
            return None
        seat = self.presence.of(mark)
        if seat is None or seat.claim_at is None:
            return None
        is_long = (self.settings.get("move_time_ms") or 0) >= LONG_MOVE_MS
        if seat.state == "away" and is_long and self.move_deadline is not None:
            return max(seat.claim_at, self.move_deadline)
        return seat.claim_at
