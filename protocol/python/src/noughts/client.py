"""The client: a connection that comes back by itself, and intents that one awaits.

What messages mean is in `session`; nothing else here uses a socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, WebSocketException

from . import wire
from .checks import sentence
from .constants import (
    FINAL_CLOSE_CODES,
    FIRST_DELAY_MS,
    LONGEST_DELAY_AT_FIRST_MS,
    LONGEST_DELAY_MS,
    MAX_RETRIES,
    PASSING_REFUSALS,
    PING_ID,
    PROTOCOL_VERSION,
    RETRY_MS,
)
from .session import Answer, Happening, Reconnect, Refused, Send, Session, printable
from .store import FileStore, MemoryStore, Store, StoreError

if TYPE_CHECKING:
    from .party import Party
    from .room import Room
    from .session import Message, Output

# So many attempts with the short delays take about 15 s.
FIRST_ATTEMPTS = 20

# An attempt fails after this time.
CONNECT_MS = 10_000

# The pause before a ping, and how long the answer may take before the connection counts as dead. A
# room of a cluster may be silent for up to 9 s.
PING_MS = 5_000
PONG_MS = 10_000

# A connection that ends sooner than this counts as a failed attempt: the delays keep growing.
SHORT_LIVED_MS = 1_000

# The largest frame of a server.
MAX_FRAME = 163_840

# The happenings that wait to be read; the oldest ones go first, and the state is whole without them.
MAX_HAPPENINGS = 1_024


class Closed(ConnectionError):
    """The connection has ended for good."""

    def __init__(self, code: int | None, reason: str) -> None:
        self.code = code
        self.reason = printable(reason)
        super().__init__(self.reason or "the connection has ended")


def connect(
    url: str,
    *,
    name: str = "Python",
    store: Store | str | os.PathLike[str] | None = None,
    password: str | None = None,
    face: wire.Face | None = None,
) -> Client:
    """A client of the server at an address as a browser has it: `async with connect(…) as client`.

    `store` keeps who one is: a file, an object with `load` and `save`, or nothing, and then one is
    somebody new each time.
    """
    if store is None:
        store = MemoryStore()
    elif isinstance(store, (str, os.PathLike)):
        store = FileStore(store, url, name)
    hello = {"type": "hello", "protocol": PROTOCOL_VERSION, "name": name}
    optional = {"password": password, "face": face}
    hello.update({key: value for key, value in optional.items() if value is not None})
    return Client(socket_url(url), hello, store)


def socket_url(url: str) -> str:
    """The address of the WebSocket of a server: `http://HOST:7333/` becomes `ws://HOST:7333/ws`."""
    parts = urlsplit(url if "//" in url else f"http://{url}")
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    if scheme not in ("ws", "wss") or not parts.hostname:
        raise ValueError(f"{url} is no address of a server, such as http://localhost:7333")
    path = parts.path.rstrip("/")
    return f"{scheme}://{parts.netloc}{path if path.endswith('/ws') else path + '/ws'}"


def board_from(text: str) -> wire.BoardSpec:
    """A board from `7x6x4`: width, height, and the marks in a row that win."""
    try:
        width, height, line = map(int, text.split("x"))
    except ValueError:
        form = "width, height and the marks in a row that win, such as 7x7x4"
        raise ValueError(f"{text!r} is no board: it has {form}") from None
    return {"width": width, "height": height, "line": line}


def delay_ms(attempt: int, chance: float) -> float:
    """The wait before an attempt, 0 for the first after a break; `chance` is 0 to 1."""
    longest = LONGEST_DELAY_AT_FIRST_MS if attempt < FIRST_ATTEMPTS else LONGEST_DELAY_MS
    full = min(longest, FIRST_DELAY_MS << min(attempt, 10))
    return full * (0.5 + chance / 2)


@contextlib.contextmanager
def keeping() -> Iterator[None]:
    """Turns what the system says about a file into an error that no connection has."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"the store does not work: {error}") from error


def now_ms() -> float:
    return time.monotonic() * 1000


class Client:
    """One player on one server, through all its connections. Intents raise `Refused`."""

    def __init__(self, url: str, hello: Mapping[str, Any], store: Store) -> None:
        self.session = Session(random.getrandbits(48))
        # The server's own description, after the last welcome.
        self.welcome: wire.WelcomeMessage | None = None
        # The address that was given, and those to try, the next one first.
        self._url = url
        self._urls = [url]
        self._hello = hello
        self._store = store
        self._outbox: asyncio.Queue[Message] | None = None
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._happenings: deque[Happening] = deque(maxlen=MAX_HAPPENINGS)
        # The last refusal of what the session has repeated by itself.
        self._late: Answer | None = None
        # The last room that was named by the answer to an intent.
        self._named: str | None = None
        # Why the last connection broke, or was not made.
        self._break = ""
        self._changed = asyncio.Event()
        self._welcomed_at: float | None = None
        self._end: Exception | None = None
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Client:
        self._running = asyncio.create_task(self._run())
        try:
            welcomed = self._until(lambda: self.welcome is not None)
            await asyncio.wait_for(welcomed, CONNECT_MS / 1000)
        except BaseException as error:
            await self.close()
            if isinstance(error, asyncio.TimeoutError):
                why = f": {self._break}" if self._break else ""
                raise ConnectionError(f"{self._urls[0]} does not answer{why}") from error
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection. The seats stay; `leave` gives one up."""
        if self._running:
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running
        self._finish(Closed(1000, "closed here"))

    # The state now. Each value stays as it is: the next one replaces it.

    @property
    def room(self) -> Room | None:
        return self.session.room

    @property
    def party(self) -> Party | None:
        return self.session.party

    @property
    def lobby(self) -> wire.LobbyMessage | None:
        return self.session.lobby

    @property
    def player(self) -> str | None:
        """Our public player id."""
        return self.session.player

    async def events(self) -> AsyncIterator[Happening]:
        """What happens from now on, and what nobody has read yet. It ends with the connection.

        It raises what else has ended the client. Let one task read them: two would share them.
        """
        while True:
            changed = self._changed
            while self._happenings:
                yield self._happenings.popleft()
            if isinstance(self._end, Closed):
                return
            self._check()
            await changed.wait()

    # Intents. Each survives a break: it is sent again, and applied once.

    async def ask(self, type: str, **fields: Any) -> Message:
        """Sends any intent of the protocol and waits for its answer: the `ok`, `found` or `pong`."""
        for _ in range(MAX_RETRIES):
            try:
                return await self._ask_once({"type": type, **fields})
            except Refused as refusal:
                if refusal.code != "rate_limited":
                    raise
            await asyncio.sleep(RETRY_MS / 1000)
        return await self._ask_once({"type": type, **fields})

    async def _ask_once(self, intent: Message) -> Message:
        self._check()
        known = self.session.next_id
        outputs = self.session.asked(intent, now_ms())
        if not self.session.is_unanswered(known):
            blocked = next((one.text for one in outputs if isinstance(one, Happening)), "")
            code = blocked or "busy"
            raise Refused(code, sentence(code))
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[known] = answer
        self._take(outputs)
        return await answer

    async def create(
        self,
        board: str | wire.BoardSpec = "3x3x3",
        seats: wire.ByMarkSeatRequest | None = None,
        shuffle: bool = False,
        **settings: Any,
    ) -> Room:
        """Makes a room and enters it; without `seats` you are X, and somebody else may come.

        The settings are those of `wire.RoomSettings`. Raises TypeError for another one.
        """
        for name in settings.keys() - wire.RoomSettings.__annotations__.keys():
            raise TypeError(f"create() has no setting {name!r}")
        spec = board_from(board) if isinstance(board, str) else board
        seats = seats or {"x": "you", "o": "open"}
        settings = {"board": spec, **settings}
        made = await self.ask("create", settings=settings, seats=seats, shuffle=shuffle)
        return await self._entered(made["room"])

    async def join(self, code: str, role: wire.Role = "player") -> Room:
        """Enters a room by its code. The code of a party is refused as `party_code`."""
        code = code_from(code)
        await self.ask("join", room=code, role=role)
        return await self._entered(code)

    async def quick_match(self, **wanted: Any) -> Room:
        """Waits until somebody else wants the same game. Raises Refused if the wait ends without one."""
        session = self.session
        before = self.room and self.room.code
        answer = await self.ask("quick_match", **wanted)
        if answer.get("room"):
            return await self._entered(answer["room"])
        await self._until(lambda: session.entering is None and session.queue is None)
        room = self.room
        # It may be a room that another task has entered, or a table to which a party leads.
        if not room or room.code in (before, self._named) or room.settings.get("party"):
            raise self._why(id=answer["id"])
        return room

    async def leave(self) -> None:
        """Gives the seat up, which resigns a running game."""
        await self.ask("leave", room=self._here().code)

    async def play(self, cell: int, placed: wire.Mark | None = None) -> None:
        """Puts a mark on a cell; in some variants the player chooses which."""
        room = self._here()
        ply = len(room.game.moves) if room.game else 0
        mark = {"placed": placed} if placed else {}
        await self._play("play", ply=ply, cell=cell, **mark)

    async def choose(self, choice: wire.OpeningChoice) -> None:
        """Chooses a side in a swap2 opening."""
        await self._play("choose", choice=choice)

    async def resign(self) -> None:
        await self._play("resign")

    async def rematch(self, offer: bool = True, series: wire.Series | None = None) -> None:
        """Offers another game, or accepts what the opponent offers, a new series too. Without `offer` it takes the
        offer back, or declines the opponent's."""
        new = {"series": series} if series else {}
        await self._play("rematch", offer=offer, **new)

    async def take_back(self, offer: bool = True) -> None:
        """Asks to take the last move back, or lets the opponent do so."""
        game = self._here().game
        await self._play("take_back", ply=len(game.moves) if game else 0, offer=offer)

    async def claim(self, result: wire.ClaimedResult = "win") -> None:
        """Ends a game whose opponent has been away for too long."""
        await self._play("claim", result=result)

    async def hint(self) -> wire.HintMessage | None:
        """The best move; None if the game moved on before it came."""
        await self._play("hint")
        await self._until(lambda: self.session.analysis is None)
        return self.room.hint if self.room else None

    async def review(self, game: int | None = None) -> wire.ReviewMessage | None:
        """The review of a game that is over, by default of the last one."""
        await self._play("review", **({} if game is None else {"game": game}))
        await self._until(lambda: self.session.analysis is None)
        return self.room.review if self.room else None

    async def say(self, text: str | None = None, emote: wire.Emote | None = None) -> None:
        """Says a text or an emote to the people in the room."""
        if (text is None) == (emote is None):
            raise TypeError("say() takes a text or an emote")
        said: Message = {"text": text} if emote is None else {"emote": emote}
        await self.ask("say", room=self._here().code, said=said)

    async def watch_lobby(self) -> None:
        """Keeps `lobby` up to date, with a happening `lobby` for each change."""
        await self.ask("watch_lobby")

    async def join_party(self, code: str, role: wire.PartyRole = "player") -> Party:
        code = code_from(code)
        await self.ask("join_party", party=code, role=role)
        await self._until(lambda: self.session.following is None)
        if not self.party or self.party.state.code != code:
            raise self._why(type="join_party", party=code)
        return self.party

    async def ready(self, pairing: int) -> None:
        """Says that we are there for a pairing of the party."""
        if not self.party:
            raise Refused("not_in_party", "you follow no party")
        await self.ask("ready", party=self.party.state.code, pairing=pairing)

    async def found(self, type: str, **fields: Any) -> wire.Found:
        """The answer to a question about kept games and people, such as `profile` or `history`."""
        return cast("wire.Found", (await self.ask(type, **fields))["found"])

    def _here(self) -> Room:
        room = self.room
        if not room:
            raise Refused("not_in_room", "you are in no room")
        return room

    async def _play(self, type: str, **fields: Any) -> None:
        room = self._here()
        about = {"room": room.code, "game": room.game.number if room.game else 0}
        await self.ask(type, **{**about, **fields})

    async def _entered(self, code: str) -> Room:
        session = self.session
        await self._until(lambda: session.entering is None or session.entering.room != code)
        if not session.room or session.room.code != code:
            raise self._why(type="join", room=code)
        return session.room

    def _why(self, **asked: Any) -> Refused:
        """Why something does not come any more: the refusal of its repeat, if there is one."""
        late = self._late
        if late and late.refusal and asked.items() <= late.intent.items():
            return late.refusal
        return Refused("dropped", "this is not waited for any more")

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._check()
            await self._changed.wait()

    def _check(self) -> None:
        if self._end:
            raise self._end

    # The outputs of the session.

    def _take(self, outputs: list[Output]) -> bool:
        """Sends, answers and tells; says whether the connection is to be given up."""
        for output in outputs:
            if isinstance(output, Send) and self._outbox:
                self._outbox.put_nowait(output.message)
            elif isinstance(output, Answer):
                self._answer(output)
            elif isinstance(output, Happening):
                self._happenings.append(output)
                if output.kind == "forgotten":
                    with keeping():
                        self._store.save(None)
        self._drop_unasked()
        self._tell()
        return any(isinstance(output, Reconnect) for output in outputs)

    def _answer(self, answer: Answer) -> None:
        future = self._answers.pop(answer.intent["id"], None)
        kind, refusal = answer.intent["type"], answer.refusal
        if not future and refusal:
            self._late = answer
        if kind in ("create", "join", "challenge") and answer.told:
            self._named = answer.told.get("room")
        if not future or future.done():
            return
        # A client that is not in the room any more has left.
        has_left = kind == "leave_party" or (kind == "leave" and refusal and refusal.code == "not_in_room")
        if refusal and not has_left:
            future.set_exception(refusal)
        else:
            future.set_result(answer.told or {})

    def _drop_unasked(self) -> None:
        """Ends the waiting for what the session asks no more: a hint after a break, an old question."""
        for id in list(self._answers):
            if not self.session.is_unanswered(id):
                future = self._answers.pop(id)
                if not future.done():
                    future.set_exception(Refused("dropped", "the moment has passed: ask again"))

    def _tell(self) -> None:
        """Wakes everybody who waits for a change."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _finish(self, end: Exception) -> None:
        self._end = self._end or end
        for future in self._answers.values():
            if not future.done():
                future.set_exception(self._end)
                # Nobody may wait for it any more.
                future.exception()
        self._answers = {}
        self._tell()

    # The connections.

    async def _run(self) -> None:
        try:
            await self._come_back()
        except Exception as error:
            self._finish(error)

    async def _come_back(self) -> None:
        """Connects again and again, until the server forbids it."""
        attempt = 0
        while True:
            code = None
            reason = ""
            try:
                await self._connect()
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                reason = closed.rcvd.reason if closed.rcvd else ""
            except (OSError, asyncio.TimeoutError, WebSocketException) as error:
                reason = str(error)
            self._break = reason
            self._outbox = None
            if code in FINAL_CLOSE_CODES:
                self._take(self.session.ended(now_ms(), code, reason))
                raise Closed(code, reason)
            lived = 0.0 if self._welcomed_at is None else now_ms() - self._welcomed_at
            if self._welcomed_at is None or code is None:
                # It does not answer: the next one comes first.
                self._urls.append(self._urls.pop(0))
            self._welcomed_at = None
            if lived > SHORT_LIVED_MS:
                attempt = 0
            self._take(self.session.broke(now_ms(), code, reason))
            await asyncio.sleep(delay_ms(attempt, random.random()) / 1000)
            attempt += 1

    async def _connect(self) -> None:
        with keeping():
            token = self._store.load()
        async with open_socket(
            self._urls[0],
            compression=None,
            max_size=MAX_FRAME,
            open_timeout=CONNECT_MS / 1000,
            close_timeout=1,
            # The session pings by itself, in messages: only they tell the version of the room.
            ping_interval=None,
        ) as socket:
            hello = {**self._hello, "token": token} if token else self._hello
            await socket.send(json.dumps(hello))
            outbox: asyncio.Queue[Message] = asyncio.Queue()
            writing = asyncio.create_task(self._write(socket, outbox))
            try:
                await self._read(socket, outbox, token)
            except asyncio.CancelledError:
                # Without this the close would say that we have failed.
                await socket.close()
                raise
            finally:
                writing.cancel()

    async def _read(
        self, socket: ClientConnection, outbox: asyncio.Queue[Message], token: str | None
    ) -> None:
        due = now_ms() + CONNECT_MS
        pinged = True
        while True:
            deadline = self.session.deadline
            wake = due if deadline is None else min(due, deadline)
            try:
                text = await asyncio.wait_for(socket.recv(), max(0.0, wake - now_ms()) / 1000)
            except asyncio.TimeoutError:
                if self._take(self.session.time(now_ms())) or (pinged and now_ms() >= due):
                    raise OSError("the server does not answer") from None
                if now_ms() >= due:
                    outbox.put_nowait({"type": "ping", "id": PING_ID})
                    pinged = True
                    due = now_ms() + PONG_MS
                continue
            if pinged:
                pinged = False
                due = now_ms() + PING_MS
            message = parse(text)
            if message is None:
                continue
            if message["type"] == "welcome":
                if message["token"] != token:
                    with keeping():
                        self._store.save(message["token"])
                self._outbox = outbox
                self._welcomed(message)
            elif message["type"] == "refused" and self._welcomed_at is None:
                refusal = Refused(message["code"], message["message"])
                raise OSError(refusal.message) if refusal.code in PASSING_REFUSALS else refusal
            elif self._take(self.session.told(message, now_ms())):
                raise OSError("the server does not answer")

    def _welcomed(self, message: wire.WelcomeMessage) -> None:
        self._welcomed_at = now_ms()
        self.welcome = message
        nodes = [socket_url(node) for node in message["server"].get("nodes") or ()]
        # A connection that began encrypted stays encrypted.
        secure = self._url.startswith("wss:")
        nodes = [node for node in nodes if node.startswith("wss:") or not secure]
        self._urls = list(dict.fromkeys((self._url, self._urls[0], *nodes)))
        self._take(self.session.welcome(message, now_ms()))

    async def _write(self, socket: ClientConnection, outbox: asyncio.Queue[Message]) -> None:
        while True:
            message = await outbox.get()
            with contextlib.suppress(ConnectionClosed):
                await socket.send(json.dumps(message))


def parse(text: str | bytes) -> Any:
    """A message; None for what is none, which a newer server may send."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_message = isinstance(message, dict) and isinstance(message.get("type"), str)
    return message if is_message else None


def code_from(text: str) -> str:
    """A code as the server tells it: case, spaces and dashes do not count."""
    return "".join(text.split()).replace("-", "").upper()
