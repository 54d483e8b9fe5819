"""The client of `/api/v1`, before a server that answers as each test says."""

from __future__ import annotations

import base64
import contextlib
import json
import threading
import unittest
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import noughts


Answer = tuple[int, dict[str, str], str]


class Handler(BaseHTTPRequestHandler):
    """Gives the next answer: a status, headers, a body."""

    answers: ClassVar[list[Answer]] = []
    asked: ClassVar[list[tuple[str, dict[str, str]]]] = []

    def do_GET(self) -> None:
        self.asked.append((self.path, dict(self.headers)))
        status, headers, body = self.answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def served(*answers: Answer) -> Iterator[noughts.Server]:
    Handler.answers = list(answers)
    Handler.asked = []
    with HTTPServer(("127.0.0.1", 0), Handler) as serving:
        thread = threading.Thread(target=serving.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield noughts.Server(f"http://127.0.0.1:{serving.server_port}/base/", password="é")
        finally:
            serving.shutdown()
            thread.join()


class Http(unittest.TestCase):
    def test_an_answer_comes_from_below_the_address_with_the_password(self) -> None:
        rooms = {"waiting": [], "playing": [], "more": 0}
        with served((200, {}, json.dumps(rooms))) as server:
            self.assertEqual(server.rooms(), rooms)
        [(path, headers)] = Handler.asked
        self.assertEqual(path, "/base/api/v1/rooms")
        proof = base64.b64decode(headers["Authorization"].removeprefix("Basic "))
        self.assertEqual(proof.decode(), "noughts:é")

    def test_games_come_page_by_page(self) -> None:
        link = {"Link": '<games?before=e4da3b7fbbce2345>; rel="next"'}
        with served((200, link, '{"n": 1}\n{"n": 2}\n'), (200, {}, '{"n": 3}\n')) as server:
            games = [dict(game) for game in server.games("8f14e45fceea167a")]
        self.assertEqual(games, [{"n": 1}, {"n": 2}, {"n": 3}])
        self.assertEqual(Handler.asked[1][0].split("games")[1], "?before=e4da3b7fbbce2345")

    def test_a_refusal_is_raised_and_a_busy_server_asked_again(self) -> None:
        missing = {"code": "no_such_game", "message": "no game has this id"}
        busy = {"code": "rate_limited", "message": "wait a second"}
        later = (429, {"Retry-After": "0"}, json.dumps(busy))
        never: Answer = (404, {}, json.dumps(missing))
        with served(later, never) as server, self.assertRaises(noughts.Refused) as refusal:
            server.game("1679091c5a880faf")
        self.assertEqual(refusal.exception.code, "no_such_game")
        with served((502, {}, "<html>")) as server, self.assertRaises(noughts.Refused) as refusal:
            server.leaders("five", "ever")
        self.assertEqual(refusal.exception.code, "http_502")
        self.assertTrue(Handler.asked[0][0].endswith("/leaders?class=five&period=ever"))

    def test_a_stream_tells_one_thing_after_the_other(self) -> None:
        first = 'event: snapshot\nid: 3\ndata: {"v": 3}\n\n'
        stream = first + ': still here\n\nid: 4\ndata: {"v": 4}\n\n'
        with served((200, {}, stream)) as server:
            told = [dict(message) for message in server.watch_room("kq-rzx", after=2)]
        self.assertEqual(told, [{"v": 3}, {"v": 4}])
        path, headers = Handler.asked[0]
        self.assertTrue(path.endswith("/rooms/KQRZX/events"))
        self.assertEqual(headers["Last-Event-Id"], "2")


if __name__ == "__main__":
    unittest.main()
