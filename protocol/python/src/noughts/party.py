"""The party that the player follows, beside the room: its presence, boards, and what a break cuts off.

Its state is in `party_state`. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .party_state import Entrant, PartyState, after_fact, state_from

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    from . import wire
    from .session import Refused, Session

    Message: TypeAlias = Mapping[str, Any]

# Intents that only the host may have.
OF_HOST = frozenset(
    "start_party pause_party add_time skip remove rename place_pass decide end_party again".split()
)


@dataclass(frozen=True)
class PartyPresence:
    """Who is away or ready, by the numbers of entrants. It comes whole."""

    away: tuple[int, ...]
    ready: tuple[int, ...]
    # For each pairing that waits, until when.
    checks: dict[int, float]
    # When the next round is paired.
    next_at: float | None
    spectators: int


@dataclass(frozen=True)
class Party:
    """A party as a player sees it."""

    role: wire.PartyRole
    state: PartyState
    presence: PartyPresence
    # Our player id.
    player: str | None
    # By the number of the pairing; told to a big screen.
    boards: Mapping[int, wire.TableBoard]

    @property
    def me(self) -> Entrant | None:
        """The entrant who we are."""
        mine = (one for one in self.state.entrants if self.player and one.player == self.player)
        return next(mine, None)

    @property
    def is_host(self) -> bool:
        return self.player is not None and self.state.leading_player == self.player


@dataclass(frozen=True)
class Following:
    """The `create_party` or `join_party` whose snapshot has not come.

    `party` is None until the server names it.
    """

    id: int
    party: str | None
    role: wire.PartyRole


def owns(message: Message) -> bool:
    """Whether a message is about parties."""
    return "party" in message or message["type"] == "create_party"


def is_resync(session: Session, message: Message) -> bool:
    """Whether a message asks for the snapshot of the party that we follow."""
    return message["type"] == "sync_party" or is_return(session, message)


def is_return(session: Session, message: Message) -> bool:
    following = session.following
    if message["type"] != "join_party" or not session.party:
        return False
    is_first = following is not None and message["id"] == following.id
    return bool(message["party"] == session.party.state.code) and not is_first


def is_resyncing(session: Session) -> bool:
    return any(is_resync(session, message) for message in session.unanswered)


def why_blocked(session: Session, intent: Message) -> str | None:
    """Why an intent is not possible now, mostly as a refusal code."""
    kind = intent["type"]
    party = session.party
    if "party" not in intent or kind == "join_party":
        return None
    if not party or party.state.code != intent["party"]:
        return "not_in_party"
    me = party.me
    if kind in OF_HOST:
        return None if party.is_host else "not_host"
    if kind == "ready":
        pairing = party.state.open_pairing(me.number) if me else None
        return None if pairing and pairing.number == intent["pairing"] else "not_now"
    if kind == "withdraw":
        return None if me and not me.left else "not_now"
    return None


def anticipate(session: Session, message: Message) -> None:
    """The change that an intent makes before its answer."""
    kind = message["type"]
    if kind == "create_party":
        role: wire.PartyRole = "spectator" if message.get("plays") is False else "player"
        session.following = Following(message["id"], None, role)
    elif kind == "join_party":
        session.following = Following(message["id"], message["party"], message["role"])
    elif kind == "leave_party":
        forget(session)


def forget(session: Session) -> None:
    session.unanswered = [one for one in session.unanswered if not is_resync(session, one)]
    session.party = None
    session.following = None


def applied(session: Session, intent: Message, code: str | None) -> None:
    """An intent was applied, and led to a party."""
    following = session.following
    party = session.party
    if following and following.id == intent["id"]:
        session.following = replace(following, party=code or following.party)
    elif intent["type"] == "ready" and party and party.state.code == intent["party"]:
        if party.me:
            # The presence is told twice a second only.
            number = party.me.number
            others = (one for one in party.presence.ready if one != number)
            presence = replace(party.presence, ready=(*others, number))
            session.party = replace(party, presence=presence)


def refused(session: Session, intent: Message, refusal: Refused) -> bool:
    """Takes a refusal; says whether nothing else is to be told of it."""
    kind = intent["type"]
    if session.following and session.following.id == intent["id"]:
        session.following = None
        return False
    if is_return(session, intent):
        party = session.party
        if refusal.code in ("not_stored", "stopping"):
            # The next pong shows again that we do not follow it.
            session.happen("unreadable", refusal=refusal)
        elif party:
            forget(session)
            session.happen("party_lost", text=party.state.code, refusal=refusal)
        return True
    if kind == "sync_party" and refusal.code == "not_in_party":
        send_return(session)
    return kind in ("sync_party", "leave_party")


def tell(session: Session, message: wire.ServerMessage) -> None:
    if message["type"] == "party":
        snapshot(session, message)
    elif message["type"] == "party_events":
        events(session, message)
    elif message["type"] == "party_presence":
        party = session.party
        if party and party.state.code == message["party"]:
            session.party = replace(party, presence=presence_from(message, session.at))
            session.happen("party_presence")
    elif message["type"] == "boards":
        boards(session, message)


def snapshot(session: Session, message: wire.PartyMessage) -> None:
    following = session.following
    old = session.party
    is_here = old is not None and old.state.code == message["party"]
    awaited = following
    if following and (following.party != message["party"] if following.party else is_here):
        awaited = None
    if not is_here and not awaited:
        return
    state = state_from(message)
    if not state:
        return session.happen("impossible")
    role: wire.PartyRole = "spectator"
    if awaited:
        role = awaited.role
        session.following = None
    elif old:
        role = old.role
    kept = old.boards if old and is_here else {}
    presence = presence_from(message["presence"], session.at)
    session.party = Party(role, state, presence, session.player, played(kept, state))
    session.happen("party")


def played(
    boards: Mapping[int, wire.TableBoard], state: PartyState
) -> dict[int, wire.TableBoard]:
    """The boards of this round."""
    numbers = {one.number for one in state.pairings}
    return {number: board for number, board in boards.items() if number in numbers}


def events(session: Session, message: wire.PartyEventsMessage) -> None:
    party = session.party
    told = message["events"]
    # A snapshot may have overtaken the facts.
    if not party or party.state.code != message["party"] or message["v"] <= party.state.v:
        return
    is_next = message["v"] == party.state.v + len(told)
    if not is_next or not all(fact(session, event) for event in told):
        sync(session, party.state.code)


def fact(session: Session, event: wire.PartyEvent) -> bool:
    """Takes a fact; says whether it can follow."""
    party = session.party
    state = after_fact(party.state, event) if party else None
    if not party or not state:
        return False
    me = party.me
    presence = presence_after(party.presence, event, state)
    kept = played(party.boards, state)
    session.party = replace(party, state=state, presence=presence, boards=kept)
    if event["kind"] == "left" and event.get("removed") and me and event["entrant"] == me.number:
        # The server refuses it, and says why.
        send_return(session)
    else:
        session.happen("party_event", event=event)
    return True


def presence_after(
    presence: PartyPresence, event: wire.PartyEvent, state: PartyState
) -> PartyPresence:
    """The presence after a fact. The server tells it a moment later."""
    if event["kind"] == "paired":
        return replace(presence, next_at=None)
    pairing = None
    if event["kind"] == "opened" or event["kind"] == "decided":
        pairing = state.pairing(event["pairing"])
    if not pairing:
        return presence
    checks = {number: at for number, at in presence.checks.items() if number != pairing.number}
    ready = tuple(one for one in presence.ready if one not in pairing.entrants)
    return replace(presence, checks=checks, ready=ready)


def presence_from(
    told: wire.PartyPresence | wire.PartyPresenceMessage, at: float
) -> PartyPresence:
    next_ms = told.get("next_ms")
    return PartyPresence(
        away=tuple(told["away"]),
        ready=tuple(told["ready"]),
        checks={check["pairing"]: at + check["ms_left"] for check in told["checks"]},
        next_at=None if next_ms is None else at + next_ms,
        spectators=told.get("spectators") or 0,
    )


def boards(session: Session, message: wire.BoardsMessage) -> None:
    party = session.party
    if party and party.state.code == message["party"]:
        told = {board["pairing"]: board for board in message["boards"]}
        kept = played({**party.boards, **told}, party.state)
        session.party = replace(party, boards=dict(sorted(kept.items())))
        session.happen("boards")


def pong(session: Session, v: int | None) -> None:
    """Compares the server's version of the party with ours."""
    party = session.party
    following = session.following
    if following:
        if following.party and v is not None and not session.is_unanswered(following.id):
            sync(session, following.party)
    elif party and v is None:
        send_return(session)
    elif party and v != party.state.v:
        sync(session, party.state.code)


def sync(session: Session, party: str) -> None:
    if not is_resyncing(session):
        session.ask({"type": "sync_party", "party": party})


def send_return(session: Session) -> None:
    """Follows the party again. Who has left comes back by asking only, not by a break."""
    party = session.party
    if party and session.phase == "open" and not is_resyncing(session):
        has_left = party.me and party.me.left and party.role == "player"
        role = "spectator" if has_left else party.role
        session.ask({"type": "join_party", "party": party.state.code, "role": role})


def resume(session: Session, repeated: list[Message]) -> None:
    """Sends after a welcome the unanswered messages about parties."""
    if session.party:
        # The player may have been forgotten, and is somebody new.
        session.party = replace(session.party, player=session.player)
    done = 0
    for place, message in enumerate(repeated):
        if message["type"] == "leave_party":
            # Only a follower can ask for something in a party. Nothing depends on this answer.
            join = {"type": "join_party", "party": message["party"], "role": "spectator"}
            for one in (session.with_id(join), *repeated[done : place + 1]):
                session.send(one)
            done = place + 1
    send_return(session)
    for message in repeated[done:]:
        session.send(message)
    following = session.following
    if following and following.party and not session.is_unanswered(following.id):
        again = {"type": "join_party", "party": following.party, "role": following.role}
        session.following = replace(following, id=session.ask(again)["id"])
