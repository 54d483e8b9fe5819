"""What a server shows to everybody by HTTP, for notebooks and scripts: synchronous, by urllib alone.

`/api/v1` only reads; it needs no token. To play, use `connect`.
"""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any, TypedDict, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from .client import code_from
from .session import Refused

if TYPE_CHECKING:
    from . import wire

# A server that is asked too fast says so. So often the request is repeated, after the time it asks for.
REPEATS = 3

# The pause in seconds that is waited for at most.
LONGEST_PAUSE = 60

# A stream that is silent for so many seconds is dead: the server lets it be heard more often.
SILENCE = 60

NOTHING: Mapping[str, str] = {}


class Rooms(TypedDict):
    """The listed rooms: those with an open seat, those to watch, and how many more there are."""

    waiting: list[wire.RoomSummary]
    playing: list[wire.RoomSummary]
    more: int


class Server:
    """A server by its address, as a browser has it."""

    def __init__(self, url: str, *, password: str | None = None, timeout: float = 10) -> None:
        """`timeout` is in seconds, for each answer."""
        self.url = (url if "//" in url else f"http://{url}").rstrip("/")
        self.timeout = timeout
        self._headers = {"Accept": "application/json"}
        if password is not None:
            # Any name will do.
            proof = base64.b64encode(f"noughts:{password}".encode()).decode()
            self._headers["Authorization"] = f"Basic {proof}"

    def rooms(self) -> Rooms:
        """The rooms of the lobby."""
        return cast("Rooms", self._json("rooms"))

    def game(self, id: str) -> wire.ArchivedGame:
        """A kept game with its moves."""
        return cast("wire.ArchivedGame", self._json(f"games/{quote(id)}"))

    def player(self, id: str) -> wire.Profile:
        """What is told about a player to everybody."""
        return cast("wire.Profile", self._json(f"players/{quote(id)}"))

    def games(self, player: str) -> Iterator[wire.ArchivedGame]:
        """The public games of a player, the newest first, page by page as they are asked for."""
        before: str | None = None
        while True:
            with self._open(f"players/{quote(player)}/games", {"before": before}) as answer:
                for line in answer:
                    yield json.loads(line)
                link = answer.headers.get("Link") or ""
            following = re.search(r"before=([0-9a-f]+)", link)
            if not following:
                return
            before = following[1]

    def leaders(
        self, of: wire.BoardClass = "three", period: wire.Period = "week"
    ) -> wire.Leaderboard:
        """The strongest players of a class of games in a period."""
        query = {"class": of, "period": period}
        return cast("wire.Leaderboard", self._json("leaders", query))

    def party(self, code: str) -> wire.PartySnapshot:
        """A party as it is now."""
        return cast("wire.PartySnapshot", self._json(f"parties/{quote(code_from(code))}"))

    def puzzle(self, date: str | None = None) -> wire.DailyPuzzle:
        """The puzzle of a day, such as `2026-11-27`; of today without one."""
        return cast("wire.DailyPuzzle", self._json("puzzle", {"date": date}))

    def watch_room(self, code: str, after: int | None = None) -> Iterator[wire.ServerMessage]:
        """What a spectator of a room is told, as it happens, until the room or the connection ends.

        It begins with a snapshot, or goes on `after` the version `v` of the last message.
        """
        return self._events(f"rooms/{quote(code_from(code))}/events", after)

    def watch_party(self, code: str, after: int | None = None) -> Iterator[wire.ServerMessage]:
        """The same of a party."""
        return self._events(f"parties/{quote(code_from(code))}/events", after)

    def _events(self, path: str, after: int | None) -> Iterator[wire.ServerMessage]:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        with self._open(path, headers=headers, timeout=SILENCE) as stream:
            for line in stream:
                # Names and versions of events stand in the message too.
                name, _, value = line.partition(b":")
                if name == b"data":
                    yield json.loads(value)

    def _json(self, path: str, query: Mapping[str, str | None] = NOTHING) -> Any:
        with self._open(path, query) as answer:
            return json.load(answer)

    def _open(
        self,
        path: str,
        query: Mapping[str, str | None] = NOTHING,
        headers: Mapping[str, str] = NOTHING,
        timeout: float | None = None,
    ) -> HTTPResponse:
        """Asks; raises `Refused` where the server refuses, and OSError where it does not answer."""
        wanted = urlencode({key: value for key, value in query.items() if value is not None})
        url = f"{self.url}/api/v1/{path}" + (f"?{wanted}" if wanted else "")
        request = Request(url, headers={**self._headers, **headers})
        for again in range(REPEATS, -1, -1):
            try:
                return cast("HTTPResponse", urlopen(request, timeout=timeout or self.timeout))
            except HTTPError as error:
                with error:
                    refusal = refusal_from(error)
                pause = error.headers.get("Retry-After") or ""
                if not again or refusal.code != "rate_limited" or not pause.isdigit():
                    raise refusal from None
                time.sleep(min(int(pause), LONGEST_PAUSE))
        raise AssertionError("the last attempt returns or raises")


def refusal_from(error: HTTPError) -> Refused:
    """The refusal of an answer, in the words of the protocol where it has them."""
    try:
        told = json.load(error)
        return Refused(told["code"], told["message"])
    except (ValueError, KeyError, TypeError):
        return Refused(f"http_{error.code}", str(error))
