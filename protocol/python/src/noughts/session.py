"""The machine of a client: what has happened goes in, what to send and what views are told comes out.

It is the same machine as that of the page and of the terminal, and lives the stories of
`protocol/tests/golden/series` as they do. Pure: no socket, no clock, no chance. Times are
milliseconds of any clock. The room's part is in `following`, that of parties in `party`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, cast

from . import chat, checks, party
from .constants import ANSWER_MS, MAX_UNANSWERED, REJOIN_MS
from .following import after, is_at, is_news, presence_from, room_from
from .room import Room

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    from . import wire

    Message: TypeAlias = Mapping[str, Any]

ALL_ON: wire.Features = {
    "spectators": True,
    "listing": True,
    "quick_match": True,
    "chat": True,
    "history": True,
    "ratings": True,
    "parties": True,
}

# Of each of these the last question is kept, with its answer; a newer one replaces it.
QUESTIONS = frozenset(
    ("history", "game", "review_game", "profile", "leaderboard", "puzzle", "export", "here")
)


def printable(text: str) -> str:
    """A text of the server that a terminal may show: without what controls it."""
    return "".join(one if one.isprintable() else " " for one in text)


class Refused(Exception):
    """The server refused an intent: act on the `code`, show the `message`."""

    def __init__(self, code: str, message: str) -> None:
        self.code = printable(code)
        self.message = printable(message)
        super().__init__(f"{self.message} ({self.code})")


@dataclass(frozen=True)
class Send:
    """A message for the server."""

    message: Message


@dataclass(frozen=True)
class Reconnect:
    """The connection is dead: open another one."""


@dataclass(frozen=True)
class Answer:
    """The answer to an intent: the `ok` or the `found`, or a refusal."""

    intent: Message
    told: Message | None = None
    refusal: Refused | None = None


@dataclass(frozen=True)
class Happening:
    """Something has happened: `kind` says what, and what it is about stands beside it."""

    kind: str
    # A fact of the room for `event`, of the party for `party_event`.
    event: wire.Event | wire.PartyEvent | None = None
    # The server's message, for the kinds that have one of their own.
    message: Message | None = None
    # For `refused`, `room_lost`, `party_lost`, `unreadable` and `server_error`.
    refusal: Refused | None = None
    intent: Message | None = None
    # The last state of a room that is `closed`.
    room: Room | None = None
    # The new lines of a `chat`.
    lines: Sequence[wire.ChatLine] = ()
    # Why an intent is `blocked`; the reason of `closed`, `lost` and `ended`; the text of an announcement.
    text: str = ""
    # The close code for `lost` and `ended`, if there is one.
    code: int | None = None


if TYPE_CHECKING:
    Output: TypeAlias = "Send | Reconnect | Answer | Happening"


@dataclass(frozen=True)
class Entering:
    """The `create` or `join` whose snapshot has not come; `room` is None until the server names it."""

    id: int
    room: str | None
    role: str


@dataclass(frozen=True)
class Question:
    """A question about kept games and people, without an answer until one of the last two is set."""

    message: Message
    found: wire.Found | None = None
    refusal: Refused | None = None


class Session:
    """What a client knows. Its values are replaced and never changed: keep them as you like."""

    def __init__(self, next_id: int) -> None:
        """Begins with the id of the first message: a random number, so that none is used twice."""
        self.next_id = next_id
        self.outputs: list[Output] = []
        # Now, while the session takes something.
        self.at = 0.0
        self.reset()

    def reset(self) -> None:
        """Forgets everything but the ids."""
        # `lost` while the client reconnects, `ended` when the server forbids to.
        self.phase: Literal["connecting", "open", "lost", "ended"] = "connecting"
        self.player: str | None = None
        self.features: wire.Features = ALL_ON
        self.room: Room | None = None
        self.entering: Entering | None = None
        # The quick match that was asked for and has found nobody yet.
        self.queue: Message | None = None
        self.party: party.Party | None = None
        self.following: party.Following | None = None
        self.watches_lobby = False
        self.lobby: wire.LobbyMessage | None = None
        # In order.
        self.unanswered: list[Message] = []
        # The hint or review that was asked for and has not come, and the ply of that moment.
        self.analysis: tuple[Message, int] | None = None
        self.questions: dict[str, Question] = {}
        # When the connection counts as dead.
        self.answer_due: float | None = None
        # When to ask again for a room that the server could not read.
        self.rejoin_at: float | None = None
        self.was_answered = False

    @property
    def deadline(self) -> float | None:
        """When to call `time`, unless something else happens before."""
        times = [at for at in (self.answer_due, self.rejoin_at) if at is not None]
        return min(times, default=None)

    # The inputs. Each gives the messages to send and the events to tell.

    def welcome(self, message: wire.WelcomeMessage, at: float) -> list[Output]:
        """The server has answered our `hello`."""
        self.begin(at)
        self.phase = "open"
        self.player = message["player"]
        self.features = {**ALL_ON, **(message.get("features") or {})}
        if self.room:
            # The player may have been forgotten, and is somebody new.
            self.room = replace(self.room, me=self.player)
        self.happen("welcome", message=cast("Message", message))
        self.resume()
        return self.end()

    def told(self, message: Message, at: float) -> list[Output]:
        """Any other message has come."""
        self.begin(at)
        if not self.answer(message):
            self.tell(cast("wire.ServerMessage", message))
        return self.end()

    def broke(self, at: float, code: int | None = None, reason: str = "") -> list[Output]:
        """The connection is lost, and another one will be opened."""
        self.begin(at)
        self.phase = "lost"
        self.rejoin_at = None
        # The board may change before the player is back, so nobody waits for a hint.
        self.unanswered = [one for one in self.unanswered if one["type"] != "hint"]
        if self.analysis and self.analysis[0]["type"] == "hint":
            self.analysis = None
        if self.room:
            self.room = replace(self.room, chat=replace(self.room.chat, told=False))
        self.happen("lost", code=code, text=reason)
        return self.end()

    def ended(self, at: float, code: int | None = None, reason: str = "") -> list[Output]:
        """The server has ended the connection and forbids to reconnect."""
        self.begin(at)
        self.phase = "ended"
        self.rejoin_at = None
        self.happen("ended", code=code, text=reason)
        return self.end()

    def asked(self, intent: Message, at: float) -> list[Output]:
        """The player wants something: an intent without its id."""
        self.begin(at)
        own = [one for one in self.unanswered if not self.is_resync(one)]
        blocked = checks.why_blocked(self, intent) or party.why_blocked(self, intent)
        if len(own) >= MAX_UNANSWERED:
            self.happen("busy")
        elif blocked:
            self.happen("blocked", text=blocked)
        else:
            self.anticipate(self.ask(intent))
        return self.end()

    def time(self, at: float) -> list[Output]:
        """The deadline is there."""
        self.begin(at)
        if self.answer_due is not None and at >= self.answer_due:
            self.answer_due = None
            self.outputs.append(Reconnect())
        if self.rejoin_at is not None and at >= self.rejoin_at:
            self.rejoin_at = None
            if self.phase == "open" and not self.is_resyncing:
                self.send_return()
        return self.end()

    # The frame of one step.

    def begin(self, at: float) -> None:
        self.at = at
        self.outputs = []
        self.was_answered = not self.unanswered

    def end(self) -> list[Output]:
        outputs = self.outputs
        if any(isinstance(one, Happening) and one.kind == "forgotten" for one in outputs):
            self.reset()
        if self.is_past:
            self.analysis = None
        if self.phase != "open" or not self.unanswered:
            self.answer_due = None
        elif self.was_answered:
            self.answer_due = self.at + ANSWER_MS
        return outputs

    @property
    def is_past(self) -> bool:
        """Whether we wait for a hint for an earlier position."""
        if not self.analysis or self.analysis[0]["type"] != "hint":
            return False
        asked = self.analysis[0]["game"]
        return self.room is None or not is_at(self.room, asked, self.analysis[1])

    def happen(self, kind: str, **about: Any) -> None:
        self.outputs.append(Happening(kind, **about))

    def send(self, message: Message) -> None:
        self.outputs.append(Send(message))

    # Intents.

    def with_id(self, intent: Message) -> Message:
        message = {**intent, "id": self.next_id}
        self.next_id += 1
        return message

    def ask(self, intent: Message) -> Message:
        """Sends an intent whose answer matters. Without a connection the resume sends it."""
        message = self.with_id(intent)
        self.unanswered.append(message)
        if self.phase == "open":
            self.send(message)
        return message

    def anticipate(self, message: Message) -> None:
        """The change that an intent makes before its answer."""
        kind = message["type"]
        if kind in ("create", "challenge"):
            self.entering = Entering(message["id"], None, "player")
        elif kind == "join" and not self.is_here(message["room"]):
            self.entering = Entering(message["id"], message["room"], message["role"])
        elif kind == "leave":
            if self.is_here(message["room"]):
                self.forget_room()
            else:
                self.entering = None
        elif kind == "quick_match":
            self.queue = message
        elif kind == "watch_lobby":
            self.watches_lobby = True
        elif kind == "unwatch_lobby":
            self.watches_lobby = False
            self.lobby = None
        elif kind in ("hint", "review"):
            game = self.room.game if self.room else None
            self.analysis = (message, len(game.moves) if game else 0)
        elif kind == "mute":
            chat.mute(self, message["player"], message.get("mute", True))
        elif kind in QUESTIONS:
            old = self.questions.get(kind)
            self.unanswered = [one for one in self.unanswered if not old or one is not old.message]
            self.questions = {**self.questions, kind: Question(message)}
        else:
            party.anticipate(self, message)

    def is_here(self, room: str | None) -> bool:
        return self.room is not None and self.room.code == room

    def is_unanswered(self, id: int) -> bool:
        return any(message["id"] == id for message in self.unanswered)

    def is_return(self, message: Message) -> bool:
        """Whether a message goes back to our room.

        A *return* is a `join` as spectator: a player gets the seat back, and one who has lost it
        takes none.
        """
        joins = message["type"] == "join" and message["role"] == "spectator"
        return joins and self.is_here(message["room"])

    def is_room_resync(self, message: Message) -> bool:
        return message["type"] == "sync" or self.is_return(message)

    def is_resync(self, message: Message) -> bool:
        """Whether a message asks for the snapshot of our room or our party."""
        return self.is_room_resync(message) or party.is_resync(self, message)

    @property
    def is_resyncing(self) -> bool:
        """Whether a new snapshot of the room is on its way."""
        return any(map(self.is_room_resync, self.unanswered))

    def send_return(self) -> None:
        if self.room:
            self.ask({"type": "join", "room": self.room.code, "role": "spectator"})

    def sync(self, room: str) -> None:
        if not self.is_resyncing:
            self.ask({"type": "sync", "room": room})

    def end_wait(self) -> None:
        """Ends the wait for a quick match, unless another one was asked for since."""
        if self.queue and not self.is_unanswered(self.queue["id"]):
            self.queue = None

    def forget_room(self) -> None:
        self.unanswered = [one for one in self.unanswered if not self.is_room_resync(one)]
        self.room = None
        self.analysis = None
        self.rejoin_at = None

    # After each welcome: what the break has cut off.

    def resume(self) -> None:
        self.was_answered = True
        waiting = [one for one in self.unanswered if not self.is_resync(one)]
        self.unanswered = list(waiting)
        of_parties = [one for one in waiting if party.owns(one)]
        repeated = [one for one in waiting if not party.owns(one)]
        left = self.repeat_leaves(repeated)
        self.send_return()
        if self.watches_lobby and all(one["type"] != "watch_lobby" for one in repeated):
            self.ask({"type": "watch_lobby"})
        if self.queue and not self.is_unanswered(self.queue["id"]):
            self.send(self.queue)
        for message in repeated[left:]:
            self.send(message)
        entering = self.entering
        if entering and entering.room and not self.is_unanswered(entering.id):
            join = {"type": "join", "room": entering.room, "role": entering.role}
            self.entering = replace(entering, id=self.ask(join)["id"])
        if self.analysis and not self.is_unanswered(self.analysis[0]["id"]):
            review = {key: value for key, value in self.analysis[0].items() if key != "id"}
            self.analysis = (self.ask(review), self.analysis[1])
        # After the room: the server leads a player whose game runs out of another one.
        party.resume(self, of_parties)

    def repeat_leaves(self, messages: list[Message]) -> int:
        """Sends all up to the last `leave`; gives their number.

        Only a member of a room can leave it, or do there what was asked for before.
        """
        done = 0
        for place, message in enumerate(messages):
            if message["type"] == "leave":
                join = {"type": "join", "room": message["room"], "role": "spectator"}
                self.send(self.with_id(join))
                for one in messages[done : place + 1]:
                    self.send(one)
                done = place + 1
        return done

    # Answers: the server answers each intent once.

    def answer(self, message: Message) -> bool:
        """Takes an answer; says whether it is one."""
        kind = message["type"]
        if kind == "ok":
            self.applied(message)
        elif kind == "refused":
            self.refused(message)
        elif kind == "found":
            intent = self.answered(message["id"])
            if intent:
                self.outputs.append(Answer(intent, message))
                self.answer_question(intent, found=message["found"])
        else:
            # Each pong tells the version of the room too, mostly for the pings of the connection.
            intent = self.answered(message["id"]) if kind == "pong" else None
            if intent:
                self.outputs.append(Answer(intent, message))
            return False
        return True

    def answered(self, id: int | None) -> Message | None:
        """The intent with an id, which is answered now."""
        intent = next((one for one in self.unanswered if one["id"] == id), None)
        if intent:
            self.unanswered = [one for one in self.unanswered if one is not intent]
            self.was_answered = True
        return intent

    def applied(self, message: Message) -> None:
        room = message.get("room")
        intent = self.answered(message["id"])
        if not intent:
            return
        self.outputs.append(Answer(intent, message))
        if intent["type"] == "forget":
            return self.happen("forgotten")
        if self.entering and self.entering.id == intent["id"]:
            self.entering = replace(self.entering, room=room or self.entering.room)
        elif intent["type"] == "cancel_match" or (intent["type"] == "quick_match" and room):
            self.end_wait()
            if room:
                self.entering = Entering(intent["id"], room, "player")
        party.applied(self, intent, message.get("party"))

    def refused(self, message: Message) -> None:
        refusal = Refused(message["code"], message["message"])
        id = message.get("id")
        if id is None:
            if refusal.code != "already_greeted":
                self.happen("server_error", refusal=refusal)
            return
        intent = self.answered(id)
        if not intent and self.queue and self.queue["id"] == id:
            # After a break the queue is asked for again although its first answer was `ok`.
            intent = self.queue
        if not intent:
            return
        self.outputs.append(Answer(intent, refusal=refusal))
        kind = intent["type"]
        if self.answer_question(intent, refusal=refusal) or party.refused(self, intent, refusal):
            return
        if self.entering and self.entering.id == id:
            self.entering = None
        elif self.queue and self.queue["id"] == id:
            self.queue = None
        elif self.is_return(intent):
            return self.return_refused(refusal)
        elif kind == "sync":
            # After another refusal the next pong shows again that we are behind.
            is_out = refusal.code == "not_in_room" and self.is_here(intent["room"])
            if is_out and not self.entering:
                self.send_return()
            return
        elif kind == "leave" and refusal.code == "not_in_room":
            return
        elif self.analysis and self.analysis[0]["id"] == id:
            self.analysis = None
        if refusal.code == "party_code" and kind == "join":
            self.happen("is_party", intent=intent)
        else:
            self.happen("refused", intent=intent, refusal=refusal)

    def return_refused(self, refusal: Refused) -> None:
        if refusal.code in ("not_stored", "stopping"):
            self.rejoin_at = self.at + REJOIN_MS
            return self.happen("unreadable", refusal=refusal)
        room = self.room
        self.forget_room()
        self.happen("room_lost", room=room, refusal=refusal)

    def answer_question(self, intent: Message, **answer: Any) -> bool:
        """Keeps an answer; says whether the intent is a question."""
        kind = intent["type"]
        if kind not in QUESTIONS:
            return False
        question = self.questions.get(kind)
        if question and question.message is intent:
            self.questions = {**self.questions, kind: replace(question, **answer)}
            self.happen("answered", intent=intent)
        return True

    # The server's messages that are no answers, and those after its answers.

    def tell(self, message: wire.ServerMessage) -> None:
        if message["type"] == "snapshot":
            self.snapshot(message)
        elif message["type"] == "event":
            self.event(message)
        elif message["type"] == "presence":
            self.presence(message["room"], message)
        elif message["type"] == "pong":
            self.pong(message)
        elif message["type"] in ("hint", "evaluation", "review"):
            self.analysed(cast("Message", message))
        elif message["type"] == "lobby":
            if self.watches_lobby:
                self.lobby = message
                self.happen("lobby")
        elif message["type"] == "chat":
            chat.heard(self, message)
        elif message["type"] == "announcement":
            self.announcement(message)
        elif message["type"] in ("challenged", "declined"):
            self.happen(message["type"], message=message)
        elif message["type"] == "features":
            self.switched(message["features"])
        else:
            party.tell(self, message)

    def announcement(self, message: wire.AnnouncementMessage) -> None:
        """One for a place where we are not is dropped."""
        room = message.get("room")
        code = message.get("party")
        here = self.party.state.code if self.party else None
        if (not room or self.is_here(room)) and (not code or code == here):
            self.happen("announcement", text=message["text"])

    def snapshot(self, message: wire.SnapshotMessage) -> None:
        code = message["room"]
        table = message["settings"].get("party")
        # The resume comes back to a room to leave it, and its snapshot comes first.
        is_left = any(
            one["type"] == "leave" and one["room"] == code for one in self.unanswered
        )
        awaited = not is_left and self.is_awaited(code, table is not None)
        # The server leads us to the table of our game.
        here = self.party.state.code if self.party else None
        is_led = not is_left and table is not None and table["party"] == here
        old = self.room if self.is_here(code) else None
        if not (old or awaited or is_led):
            return
        room = room_from(message, self.at, self.player)
        if not room:
            return self.happen("impossible")
        if old:
            room = with_analysis(room, old)
        else:
            self.forget_room()
        self.room = room
        if awaited:
            self.entering = None
        if old and not awaited:
            return self.happen("refreshed")
        # The server ends the wait of whoever enters a room.
        self.end_wait()
        self.happen("entered")

    def is_awaited(self, code: str, is_table: bool) -> bool:
        entering = self.entering
        if entering and entering.room == code:
            return True
        unknown = self.queue is not None or (entering is not None and entering.room is None)
        return unknown and not self.is_here(code) and not is_table

    def event(self, message: wire.EventMessage) -> None:
        room = self.room
        v = message["v"]
        # A snapshot may have overtaken the event.
        if not room or room.code != message["room"] or v <= room.v:
            return
        event = message["event"]
        changed = after(room, event, self.at) if v == room.v + 1 else None
        if not changed:
            return self.sync(room.code)
        if event["kind"] == "closed":
            self.forget_room()
            return self.happen("closed", text=event["reason"], room=changed)
        self.room = changed
        self.happen("event", event=event)

    def presence(self, code: str, told: wire.Presence | wire.PresenceMessage) -> None:
        room = self.room
        if not room or room.code != code:
            return
        now = presence_from(told, self.at)
        self.room = replace(room, presence=now)
        if is_news(room.presence, now):
            self.happen("presence")

    def pong(self, message: wire.PongMessage) -> None:
        """Compares the server's version of the room with ours. Only this finds a lost last event."""
        party.pong(self, message.get("party_v"))
        room = message.get("room")
        if self.entering:
            arrived = self.entering.room is not None and self.entering.room == room
            if room and arrived and not self.is_unanswered(self.entering.id):
                self.sync(room)
            return
        if not self.room:
            return
        if room != self.room.code:
            if not self.is_resyncing:
                self.send_return()
            return
        if message.get("v") != self.room.v:
            return self.sync(room)
        presence = message.get("presence")
        if presence:
            self.presence(room, presence)

    def analysed(self, message: Message) -> None:
        room = self.room
        kind = message["type"]
        if not room or room.code != message["room"]:
            return
        if kind != "review" and not is_at(room, message["game"], message["ply"]):
            return
        analysis: dict[str, Any] = {kind: message}
        self.room = replace(room, **analysis)
        if self.analysis and self.analysis[0]["type"] == kind:
            self.analysis = None
        self.happen(kind, message=message)

    def switched(self, told: Mapping[str, Any]) -> None:
        """What is off ends at once, and the list of rooms that is back is asked for again."""
        before = self.features
        self.features = cast("wire.Features", {**ALL_ON, **told})
        if not self.features["listing"]:
            self.lobby = None
        elif not before["listing"] and self.watches_lobby:
            self.ask({"type": "watch_lobby"})
        if not self.features["quick_match"] and before["quick_match"] and self.queue:
            self.ask({"type": "cancel_match"})
        self.happen("features")


def with_analysis(room: Room, old: Room) -> Room:
    """Keeps the talk, and the analyses that are still about the board."""
    hint = old.hint
    evaluation = old.evaluation
    return replace(
        room,
        hint=hint if hint and is_at(room, hint["game"], hint["ply"]) else None,
        evaluation=evaluation
        if evaluation and is_at(room, evaluation["game"], evaluation["ply"])
        else None,
        review=old.review,
        chat=old.chat,
    )
