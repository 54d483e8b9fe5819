"""The session lives the stories of `protocol/tests/golden/series`, as the page and the terminal do."""

from __future__ import annotations

import json
import unittest
from dataclasses import asdict
from pathlib import Path
from typing import Any

from noughts.checks import sent_move, sentence
from noughts.party import Party
from noughts.session import Happening, Reconnect, Send, Session

SERIES = Path(__file__).resolve().parents[2] / "tests" / "golden" / "series"


def take(session: Session, done: Any, at: float) -> list[Any]:
    if done == "broke":
        return session.broke(at)
    if done == "ended":
        return session.ended(at)
    if done == "time":
        return session.time(at)
    [(kind, message)] = done.items()
    if kind == "welcome":
        return session.welcome(message, at)
    return session.asked(message, at) if kind == "asked" else session.told(message, at)


def shown_party(party: Party) -> dict[str, Any]:
    """Entrants and pairings are short lists in the stories."""
    state = party.state
    return {
        "party": state.code,
        "v": state.v,
        "role": party.role,
        "phase": state.phase,
        "played_before": state.played_before,
        "paused": "clocks" if state.clocks_stopped else state.paused,
        "round": state.round,
        "me": party.me and party.me.number,
        "is_host": party.is_host,
        "past": state.past,
        **({"past_decisions": state.past_decisions} if state.past_decisions else {}),
        "queue": state.queue,
        "entrants": [
            [one.number, one.left, one.points, one.wins, one.draws, one.losses]
            for one in state.entrants
        ],
        "pairings": [
            [
                *(one.number, one.table, one.first, one.second or 0, one.game, one.room or ""),
                (one.outcome.get("winner") or 0) if one.outcome else 0,
                one.outcome["how"] if one.outcome else "",
            ]
            for one in state.pairings
        ],
        "places": [[place["place"], place["entrant"]] for place in state.places],
        "standings": [one.number for one in state.standings()],
    }


def shown(session: Session) -> dict[str, Any]:
    """What a story calls its state."""
    room = session.room
    presence = room and room.presence
    party = session.party
    move = sent_move(session)
    entering = session.entering
    following = session.following
    shows: dict[str, Any] = {
        "phase": session.phase,
        "entering": entering and (entering.room or True),
        "queued": session.queue is not None,
        "unanswered": [message["id"] for message in session.unanswered],
        "lobby": session.lobby and len(session.lobby["waiting"] + session.lobby["playing"]),
        "analysis": session.analysis and session.analysis[0]["type"],
        "deadline": session.deadline,
        "mine": room.mine if room else [],
        "may_pace": room is not None and room.may_pace,
        "sent_move": move and move.get("cell", move.get("choice")),
        "questions": {
            kind: one.found["kind"] if one.found else one.refusal.code if one.refusal else "asked"
            for kind, one in session.questions.items()
        },
        "following": following and (following.party or True),
        "party": party and shown_party(party),
        "party_presence": party and {
            **asdict(party.presence),
            "checks": [list(check) for check in party.presence.checks.items()],
        },
        "boards": party and [
            [number, board["game"], len(board["moves"])] for number, board in party.boards.items()
        ],
    }
    if room and presence:
        shows["room"] = {
            "room": room.code,
            "v": room.v,
            "settings": room.settings,
            "maker": room.maker,
            "seats": room.seats,
            "score": room.score,
            "series": room.series if room.series and room.series.get("first_to") else None,
            "pace": None if room.pace == "normal" else room.pace,
            "game": room.game and asdict(room.game),
        }
        seats = {"x": presence.x, "o": presence.o}
        states = {mark: seat and seat.state for mark, seat in seats.items()}
        shows["presence"] = {**asdict(presence), **states, "ratings": None}
        shows["claim_from"] = {mark: room.claim_at(mark) for mark in seats}
        stands = room.stands_at
        shows["move_ends"] = room.move_deadline if stands is None else {"stands_at": stands}
        shows["hint"] = position(room.hint)
        shows["evaluation"] = position(room.evaluation)
        shows["review"] = room.review and room.review["game"]
        shows["chat"] = {"lines": [one["n"] for one in room.chat.lines], "muted": room.chat.muted}
    return shows


def position(message: Any) -> Any:
    return message and {"game": message["game"], "ply": message["ply"]}


def plain(value: Any) -> Any:
    """A value as it comes from JSON, without what is null: the wire leaves it out or not."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if one is not None}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


class Stories(unittest.TestCase):
    maxDiff = None

    def test_every_story_is_lived_as_it_is_told(self) -> None:
        count = 0
        for path in sorted(SERIES.glob("*.json")):
            for story in json.loads(path.read_text()):
                count += 1
                with self.subTest(path.name, story=story["story"]):
                    self.live(story)
        self.assertGreater(count, 150)
        print(f"{count} stories")

    def live(self, story: dict[str, Any]) -> None:
        session = Session(story["next_id"])
        due: dict[str, Any] = {}
        for number, step in enumerate(story["steps"], 1):
            outputs = take(session, step["do"], step["at"])
            due.update(step.get("shows", {}))
            told = {key: step.get(key, none) for key, none in EMPTY.items()}
            lived = {
                "sent": [one.message for one in outputs if isinstance(one, Send)],
                "happened": [one.kind for one in outputs if isinstance(one, Happening)],
                "reconnects": any(isinstance(one, Reconnect) for one in outputs),
            }
            for one in outputs:
                if isinstance(one, Happening) and one.kind == "blocked":
                    self.assertTrue(sentence(one.text), f"{one.text} has a sentence")
            where = f"step {number}: {step['do']}"
            self.assertEqual(plain({**shown(session), **lived}), plain({**due, **told}), where)


    def test_what_is_not_possible_is_refused_with_the_servers_code(self) -> None:
        def why(kind: str, name: str = "snapshot", **change: Any) -> list[str]:
            session = Session(1)
            session.welcome(message("welcome"), 0)
            session.asked({"type": "join", "room": "KQRZX", "role": "player"}, 0)
            session.told({"type": "ok", "id": 1}, 0)
            session.told({**message(name), **change}, 0)
            outputs = session.asked({"type": kind, "room": "KQRZX", "game": 1}, 0)
            return [one.text for one in outputs if isinstance(one, Happening)]

        foe = {"kind": "computer", "strategy": "minimax", "strength": "weak"}
        me, other = message("snapshot")["seats"].values()
        self.assertEqual(why("hint", seats={"x": foe, "o": me}), ["not_your_turn"])
        self.assertEqual(why("claim"), ["too_early"])
        self.assertEqual(why("resign", seats={"x": foe, "o": other}), ["not_seated"])
        self.assertEqual(why("claim", "snapshot.over"), ["game_over"])
        self.assertEqual(why("resign", game=None), ["not_now"])
        self.assertEqual(why("rematch"), ["not_now"])


def message(name: str) -> Any:
    """A message of the server from the golden files."""
    return json.loads((SERIES.parent / f"server.{name}.json").read_text())


EMPTY: dict[str, Any] = {"sent": [], "happened": [], "reconnects": False}

if __name__ == "__main__":
    unittest.main()
