"""The client, before a server that answers as each test says."""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
import unittest
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast
from unittest import mock

from websockets.asyncio.server import ServerConnection, serve

import noughts
from noughts.client import board_from, code_from, delay_ms, socket_url
from noughts.following import room_from
from noughts.room import Game

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"

# A test that waits for longer has failed.
DEADLINE = 20

Handler = Callable[["Peer"], Awaitable[None]]


def golden(name: str, **changed: Any) -> dict[str, Any]:
    """A golden message, with some fields changed."""
    return {**json.loads((GOLDEN / f"server.{name}.json").read_text()), **changed}


class Peer:
    """The server's end of a connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def heard(self, type: str) -> dict[str, Any]:
        """The next message, but for pings."""
        while True:
            message: dict[str, Any] = json.loads(await self.socket.recv())
            if message["type"] != "ping":
                assert message["type"] == type, message
                return message

    async def tell(self, *messages: dict[str, Any]) -> None:
        for message in messages:
            await self.socket.send(json.dumps(message))


@contextlib.asynccontextmanager
async def server(*connections: Handler) -> AsyncIterator[str]:
    """A server that serves one connection after the other; gives its address."""
    waiting = list(connections)

    async def handle(socket: ServerConnection) -> None:
        await waiting.pop(0)(Peer(socket))

    async with serve(handle, "127.0.0.1", 0) as serving:
        port = next(iter(serving.sockets)).getsockname()[1]
        yield f"http://127.0.0.1:{port}"


class Clients(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.welcome = golden("welcome")
        # Ada plays X, and it is her turn.
        self.snapshot = golden("snapshot", v=3, move_ms_left=None)
        self.snapshot["game"].update(moves=[], first="x", result=None)
        self.code = self.snapshot["room"]

    async def enter(self, peer: Peer) -> dict[str, Any]:
        """Welcomes somebody and lets them in; gives the `hello`."""
        hello = await peer.heard("hello")
        await peer.tell(self.welcome)
        join = await peer.heard("join")
        await peer.tell({"type": "ok", "id": join["id"], "room": self.code}, self.snapshot)
        return hello

    async def test_a_move_survives_a_break_and_is_made_once(self) -> None:
        moves = []

        async def first(peer: Peer) -> None:
            hello = await self.enter(peer)
            self.assertNotIn("token", hello)
            moves.append(await peer.heard("play"))
            await peer.socket.close(1012)

        async def second(peer: Peer) -> None:
            hello = await self.enter(peer)
            self.assertEqual(hello["token"], self.welcome["token"])
            moves.append(await peer.heard("play"))
            event = {"kind": "moved", "game": 1, "ply": 0, "mark": "x", "cell": 4}
            moved = {"type": "event", "room": self.code, "v": 4, "event": event}
            await peer.tell(moved, {"type": "ok", "id": moves[0]["id"], "room": self.code})
            await peer.socket.wait_closed()

        async with server(first, second) as url, noughts.connect(url, name="Ada") as ada:
            room = await ada.join(self.code)
            self.assertTrue(room.is_my_turn)
            await asyncio.wait_for(ada.play(4), DEADLINE)
            self.assertEqual(moves[0], moves[1])
            assert ada.room and ada.room.game
            self.assertEqual(ada.room.game.moves, (4,))
            self.assertEqual(room.v, 3, "what was given stays as it was")

    async def test_a_refusal_is_raised_and_a_final_close_ends_all(self) -> None:
        async def only(peer: Peer) -> None:
            await self.enter(peer)
            asked = await peer.heard("say")
            await peer.socket.send("no message")
            refused = {"type": "refused", "code": "chat_off", "message": "keep\x1b[2J quiet"}
            await peer.tell({**refused, "id": asked["id"]})
            await peer.heard("say")
            await peer.socket.close(4006, "the host has ended the connection")

        async with server(only) as url, noughts.connect(url) as ada:
            await ada.join(self.code)
            with self.assertRaises(noughts.Refused) as refusal:
                await asyncio.wait_for(ada.say("Hello"), DEADLINE)
            self.assertEqual(str(refusal.exception), "keep [2J quiet (chat_off)")
            with self.assertRaises(noughts.Closed) as closed:
                await asyncio.wait_for(ada.say("Hello"), DEADLINE)
            self.assertEqual(closed.exception.code, 4006)
            told = [happening.kind async for happening in ada.events()]
            self.assertEqual(told[-1], "ended")
            with self.assertRaises(noughts.Closed):
                await ada.say("Hello")

    async def test_what_comes_too_fast_is_asked_again(self) -> None:
        asked = []

        async def only(peer: Peer) -> None:
            await self.enter(peer)
            for _ in range(2):
                asked.append(dict(await peer.heard("say")))
                refused = golden("refused", id=asked[-1]["id"], code="rate_limited")
                await peer.tell(refused)
            last = await peer.heard("say")
            await peer.tell({"type": "ok", "id": last["id"], "room": self.code})
            await peer.socket.wait_closed()

        async with server(only) as url, noughts.connect(url) as ada:
            await ada.join(self.code)
            with mock.patch("noughts.client.RETRY_MS", 0):
                await asyncio.wait_for(ada.say("Hello"), DEADLINE)
        first, second = [one.pop("id") for one in asked]
        self.assertNotEqual(first, second)
        self.assertEqual(asked[0], asked[1])

    async def test_what_is_not_possible_is_not_sent(self) -> None:
        async def only(peer: Peer) -> None:
            await self.enter(peer)
            asked = await peer.heard("say")
            await peer.tell({"type": "ok", "id": asked["id"], "room": self.code})
            await peer.socket.wait_closed()
            self.assertEqual(peer.socket.close_code, 1000)

        async with server(only) as url, noughts.connect(url) as ada:
            with self.assertRaises(noughts.Refused) as refusal:
                await ada.play(0)
            self.assertEqual(refusal.exception.code, "not_in_room")
            await ada.join(self.code)
            with self.assertRaises(noughts.Refused) as refusal:
                await ada.play(9)
            self.assertEqual(str(refusal.exception), "the board has no such cell (no_such_cell)")
            with self.assertRaisesRegex(TypeError, "'listd'"):
                await ada.create(listd=True)
            with self.assertRaises(TypeError):
                await ada.say("Hello", emote="wow")
            await asyncio.wait_for(ada.say("Hello"), DEADLINE)

    async def test_a_quick_match_that_the_host_ends_is_raised(self) -> None:
        async def only(peer: Peer) -> None:
            await self.enter(peer)
            asked = await peer.heard("quick_match")
            await peer.tell({"type": "ok", "id": asked["id"]}, golden("features", features={"quick_match": False}))
            cancelled = await peer.heard("cancel_match")
            await peer.tell({"type": "ok", "id": cancelled["id"]})
            await peer.socket.wait_closed()

        async with server(only) as url, noughts.connect(url) as ada:
            await ada.join(self.code)
            with self.assertRaises(noughts.Refused) as refusal:
                await asyncio.wait_for(ada.quick_match(), DEADLINE)
            self.assertEqual(refusal.exception.code, "dropped")

    # Catches: any room that is entered, or any refusal of before, is taken for that of the match.
    async def test_a_quick_match_waits_for_its_own_room_and_tells_its_own_refusal(self) -> None:
        async def only(peer: Peer) -> None:
            await peer.heard("hello")
            await peer.tell(self.welcome)
            asked = await peer.heard("create")
            await peer.tell(golden("refused", id=asked["id"], code="bad_settings"))
            asked = await peer.heard("quick_match")
            await peer.tell({"type": "ok", "id": asked["id"]})
            asked = await peer.heard("create")
            await peer.tell({"type": "ok", "id": asked["id"], "room": self.code}, self.snapshot)
            asked = await peer.heard("quick_match")
            over = golden("refused", id=asked["id"], code="not_now")
            await peer.tell({"type": "ok", "id": asked["id"]}, over)
            await peer.socket.wait_closed()

        async with server(only) as url, noughts.connect(url) as ada:
            with self.assertRaises(noughts.Refused):
                await ada.create()
            asking = asyncio.gather(ada.quick_match(), ada.create(), return_exceptions=True)
            match, room = cast("Any", await asyncio.wait_for(asking, DEADLINE))
            self.assertEqual([match.code, room.code], ["dropped", self.code])
            with self.assertRaises(noughts.Refused) as refusal:
                await asyncio.wait_for(ada.quick_match(), DEADLINE)
            self.assertEqual(refusal.exception.code, "not_now")

    async def test_a_hello_that_is_refused_is_raised(self) -> None:
        async def only(peer: Peer) -> None:
            await peer.heard("hello")
            await peer.tell(golden("refused.no_id.password_required"))
            await peer.socket.wait_closed()

        async with server(only) as url:
            with self.assertRaises(noughts.Refused) as refusal:
                async with noughts.connect(url):
                    self.fail("nobody is welcome")
            self.assertEqual(refusal.exception.code, "password_required")


    async def test_a_store_that_cannot_be_written_is_raised(self) -> None:
        async def only(peer: Peer) -> None:
            await peer.heard("hello")
            await peer.tell(self.welcome)
            await peer.socket.wait_closed()

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "missing" / "ada.json"
            async with server(only) as url:
                with self.assertRaisesRegex(noughts.StoreError, str(path)):
                    async with noughts.connect(url, store=path):
                        self.fail("nobody can be kept")

    async def test_a_store_that_fails_later_ends_the_client(self) -> None:
        class Full(noughts.MemoryStore):
            def save(self, token: str | None) -> None:
                if self.token:
                    raise OSError("no space left")
                self.token = token

        async def first(peer: Peer) -> None:
            await self.enter(peer)
            await peer.heard("play")
            await peer.socket.close(1012)

        async def second(peer: Peer) -> None:
            await peer.heard("hello")
            await peer.tell({**self.welcome, "token": "another.token"})
            await peer.socket.wait_closed()

        async with server(first, second) as url, noughts.connect(url, store=Full()) as ada:
            await ada.join(self.code)
            with self.assertRaisesRegex(noughts.StoreError, "no space left"):
                await asyncio.wait_for(ada.play(4), DEADLINE)
            with self.assertRaises(noughts.StoreError):
                async for _ in ada.events():
                    pass


    async def test_where_nothing_answers_the_reason_is_told(self) -> None:
        async def refuse(peer: Peer) -> None:
            await peer.socket.close(1011, "no place")

        refusals = [refuse] * DEADLINE
        with mock.patch("noughts.client.CONNECT_MS", 500):
            async with server(*refusals) as url:
                with self.assertRaisesRegex(ConnectionError, "does not answer: no place"):
                    async with noughts.connect(url):
                        pass


class Parts(unittest.TestCase):
    def test_a_board_has_three_numbers(self) -> None:
        self.assertEqual(board_from("7x6x4"), {"width": 7, "height": 6, "line": 4})
        self.assertRaisesRegex(ValueError, "'7x7' is no board: .* 7x7x4", board_from, "7x7")

    def test_a_file_keeps_the_token_for_its_owner(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "monty.json"
            store = noughts.FileStore(path, "http://localhost:7333", "Monty")
            self.assertIsNone(store.load())
            store.save("a.token")
            self.assertEqual(noughts.FileStore(path).load(), "a.token")
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
            store.save(None)
            self.assertIsNone(store.load())
            path.write_text("[]")
            with self.assertRaisesRegex(noughts.StoreError, f"{path} is no .* remove it"):
                store.load()

    def test_an_address_is_one_that_a_browser_has_or_a_socket(self) -> None:
        addresses = {
            "localhost:7333": "ws://localhost:7333/ws",
            "http://[::1]:7333/": "ws://[::1]:7333/ws",
            "https://play.example/noughts/": "wss://play.example/noughts/ws",
            "ws://192.168.1.20:7333/ws": "ws://192.168.1.20:7333/ws",
        }
        for address, url in addresses.items():
            self.assertEqual(socket_url(address), url)
        self.assertRaises(ValueError, socket_url, "ftp://play.example")

    def test_delays_grow_to_a_second_and_later_to_five(self) -> None:
        delays = [delay_ms(attempt, 1) for attempt in (0, 1, 2, 3, 19, 20)]
        self.assertEqual(delays, [200, 400, 800, 1000, 1000, 5000])
        self.assertEqual(delay_ms(0, 0), 100)

    def test_a_ping_of_ones_own_is_answered(self) -> None:
        session = noughts.Session(7)
        session.welcome(cast("Any", golden("welcome")), 0)
        session.asked({"type": "ping"}, 1)
        [answer] = session.told(golden("pong.no_room", id=7), 2)
        self.assertEqual(cast("Any", answer).told["type"], "pong")
        self.assertEqual(session.unanswered, [])

    def test_the_address_that_was_given_is_tried_after_a_failover_too(self) -> None:
        client = noughts.connect("balancer:1")
        client._urls = ["ws://node:2/ws"]
        client._welcomed(cast("Any", golden("welcome")))
        self.assertEqual(client._urls, ["ws://balancer:1/ws", "ws://node:2/ws"])

    # Catches: an effect that cannot be ends the task that reads the events.
    def test_a_mark_that_is_not_there_is_not_taken_away(self) -> None:
        game = Game(number=1, first="x", moves=(0, 1), effects=({"ply": 1, "removed": 5},))
        self.assertEqual(game.marks(), {0: "x", 1: "o"})

    # Catches: a bot asks for a rematch at the table of a party, and is refused again and again.
    def test_a_rematch_is_offered_outside_parties_alone(self) -> None:
        over = cast("Any", golden("snapshot.over"))
        over["presence"]["rematch"] = None
        rooms = [over, {**over, "settings": golden("snapshot.party")["settings"]}]
        may = [cast("Any", room_from(cast("Any", room), 0, over["seats"]["x"]["player"])).may_offer for room in rooms]
        self.assertEqual(may, [True, False])

    def test_a_code_may_be_typed_as_people_do(self) -> None:
        self.assertEqual(code_from(" kq-r zx"), "KQRZX")


if __name__ == "__main__":
    unittest.main()
