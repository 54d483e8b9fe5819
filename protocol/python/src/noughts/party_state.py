"""The state of a party after each of its facts, like `protocol/src/party/state.rs`. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from .constants import KEPT_DECISIONS, KEPT_PAIRINGS, MAX_ENTRANTS

if TYPE_CHECKING:
    from . import wire

# Half points of a win and of a bye.
WIN = 2

# The id in place of a host's who asked to be forgotten.
NOBODY = "0" * 16


@dataclass(frozen=True)
class Entrant:
    """Somebody who plays in a party. Points are half points."""

    number: int
    name: str
    player: str | None = None
    fixed_name: bool = False
    computer: wire.Computer | None = None
    left: bool = False
    # Whether only the host brings them back.
    set_aside: bool = False
    # Whether the host keeps somebody out who had this place.
    removed: bool = False
    points: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    face: wire.Face | None = None


@dataclass(frozen=True)
class Pairing:
    """Two entrants who play each other; `second` is None for a bye."""

    number: int
    table: int
    # The entrant who begins the first game, with X.
    first: int
    second: int | None
    stage: wire.Stage | None = None
    # The running or last game; 0 before both were ready.
    game: int = 0
    room: str | None = None
    outcome: wire.PairingOutcome | None = None

    @property
    def entrants(self) -> list[int]:
        return [self.first, self.second] if self.second else [self.first]


@dataclass(frozen=True)
class PartyState:
    """A party after one of its facts."""

    code: str
    # The number of its facts so far.
    v: int
    name: str
    settings: wire.PartySettings
    # The player who made it, and the entrant who leads it in the host's place.
    host: str
    leader: int | None
    phase: wire.PartyPhase
    paused: bool
    # Whether the clocks of running games stand still meanwhile.
    clocks_stopped: bool
    # Pairings before the party began again: the first one has the next number.
    played_before: int
    # By number, from 1.
    entrants: tuple[Entrant, ...]
    # 0 before the first.
    round: int
    # Of this round; in "winner stays on" those that run and the last.
    pairings: tuple[Pairing, ...]
    # The earlier rounds.
    past: tuple[tuple[wire.PastPairing, ...], ...]
    # The results of earlier rounds that the host decided, the latest one last.
    past_decisions: tuple[wire.PastDecision, ...]
    # In "winner stays on" those who wait, the next one first.
    queue: tuple[int, ...]
    # After the last round, or the final ones.
    places: tuple[wire.Place, ...]

    def entrant(self, number: int) -> Entrant | None:
        return self.entrants[number - 1] if 1 <= number <= len(self.entrants) else None

    def pairing(self, number: int) -> Pairing | None:
        """A pairing of this round."""
        return next((one for one in self.pairings if one.number == number), None)

    def open_pairing(self, entrant: int) -> Pairing | None:
        """The pairing of an entrant that is not over."""
        mine = (one for one in self.pairings if not one.outcome and entrant in one.entrants)
        return next(mine, None)

    @property
    def leading_player(self) -> str | None:
        """Who leads the party: the host, or the entrant who does it in the host's place."""
        if self.leader:
            entrant = self.entrant(self.leader)
            return entrant.player if entrant else None
        return None if self.host == NOBODY else self.host

    def standings(self) -> list[Entrant]:
        """Everybody by half points, in "winner stays on" by wins, then by the last tiebreak and places.

        After the end the places decide alone.
        """
        told = {place["entrant"]: order for order, place in enumerate(self.places)}
        ties = {place["entrant"]: place.get("tiebreak") or 0 for place in self.places}
        by_wins = self.settings["format"] == "winner_stays"

        def key(entrant: Entrant) -> tuple[int, int, int]:
            score = entrant.wins if by_wins else entrant.points
            order = told.get(entrant.number, len(self.entrants) + entrant.number)
            if self.phase == "over":
                return (0, 0, order)
            return (-score, -ties.get(entrant.number, 0), order)

        return sorted(self.entrants, key=key)


def entrant_from(told: wire.Entrant) -> Entrant:
    return Entrant(
        number=told["number"],
        name=told["name"],
        player=told.get("player"),
        fixed_name=told.get("fixed_name") or False,
        computer=told.get("computer"),
        left=told.get("left") or False,
        set_aside=told.get("set_aside") or False,
        removed=told.get("removed") or False,
        points=told.get("points") or 0,
        wins=told.get("wins") or 0,
        draws=told.get("draws") or 0,
        losses=told.get("losses") or 0,
        face=told.get("face"),
    )


def pairing_from(told: wire.Pairing) -> Pairing:
    return Pairing(
        number=told["number"],
        table=told["table"],
        first=told["first"],
        second=told.get("second"),
        stage=told.get("stage"),
        game=told.get("game") or 0,
        room=told.get("room"),
        outcome=told.get("outcome"),
    )


def state_from(snapshot: wire.PartyMessage) -> PartyState | None:
    """The state of a snapshot; None where no party has such a one."""
    state = PartyState(
        code=snapshot["party"],
        v=snapshot["v"],
        name=snapshot["name"],
        settings=snapshot["settings"],
        host=snapshot["host"],
        leader=snapshot.get("leader"),
        phase=snapshot["phase"],
        paused=snapshot.get("paused") or False,
        clocks_stopped=snapshot.get("clocks_stopped") or False,
        played_before=snapshot.get("played_before") or 0,
        entrants=tuple(map(entrant_from, snapshot["entrants"])),
        round=snapshot["round"],
        pairings=tuple(map(pairing_from, snapshot["pairings"])),
        past=tuple(map(tuple, snapshot.get("past") or ())),
        past_decisions=tuple(snapshot.get("past_decisions") or ()),
        queue=tuple(snapshot.get("queue") or ()),
        places=tuple(snapshot.get("places") or ()),
    )
    paired = chain.from_iterable(one.entrants for one in state.pairings)
    leader = [] if state.leader is None else [state.leader]
    named = all(state.entrant(number) for number in (*paired, *state.queue, *leader))
    return state if named and are_numbered(state.entrants) else None


def are_numbered(entrants: Iterable[Entrant]) -> bool:
    return all(entrant.number == place for place, entrant in enumerate(entrants, 1))


def after_fact(state: PartyState, event: wire.PartyEvent) -> PartyState | None:
    """The state with one more fact; None where the fact cannot follow."""
    if not can_follow(state, event):
        return None
    return replace(state, **change(state, event), v=state.v + 1)


def can_follow(state: PartyState, event: wire.PartyEvent) -> bool:
    def known(number: int | None) -> bool:
        return number is not None and state.entrant(number) is not None

    if event["kind"] == "joined":
        count = len(state.entrants)
        number = event["entrant"]["number"]
        is_new = number == count + 1 and count < MAX_ENTRANTS and state.phase != "over"
        return is_new or known(number)
    if event["kind"] == "left" or event["kind"] == "returned":
        return known(event["entrant"])
    if event["kind"] == "started":
        return state.phase == "gathering"
    if event["kind"] == "paired":
        paired = [number for one in event["pairings"] for number in pairing_from(one).entrants]
        return state.phase == "playing" and all(map(known, paired))
    if event["kind"] == "opened":
        pairing = state.pairing(event["pairing"])
        return pairing is not None and pairing.outcome is None
    if event["kind"] == "decided":
        played = remembered(state, event["pairing"])
        winner = event["outcome"].get("winner")
        return played is not None and (winner is None or winner in played.entrants)
    if event["kind"] == "led":
        leader = event.get("entrant")
        return leader is None or known(leader)
    if event["kind"] == "ranked" or event["kind"] == "ended":
        return all(known(place["entrant"]) for place in event["places"])
    if event["kind"] == "again":
        entrants = list(map(entrant_from, event["entrants"]))
        is_led = (event.get("leader") or 0) <= len(entrants)
        return state.phase == "over" and are_numbered(entrants) and is_led
    return True


def change(state: PartyState, event: wire.PartyEvent) -> dict[str, Any]:
    """The fields that a fact changes."""
    if event["kind"] == "joined":
        return joined(state, entrant_from(event["entrant"]))
    if event["kind"] == "left":
        aside = {"set_aside": True} if event.get("host") else {}
        gone = {"player": None, "removed": True} if event.get("removed") else {}
        entrants = changed(state.entrants, event["entrant"], left=True, **aside, **gone)
        queue = tuple(one for one in state.queue if one != event["entrant"])
        return {"entrants": entrants, "queue": queue}
    if event["kind"] == "returned":
        entrants = changed(state.entrants, event["entrant"], left=False, set_aside=False)
        queue = queued(replace(state, entrants=entrants), event["entrant"])
        return {"entrants": entrants, "queue": queue}
    if event["kind"] == "started":
        return {"phase": "playing"}
    if event["kind"] == "paired":
        return paired(state, event["round"], tuple(map(pairing_from, event["pairings"])))
    if event["kind"] == "opened":
        opened = {"game": event["game"], "room": event["room"]}
        return {"pairings": changed(state.pairings, event["pairing"], **opened)}
    if event["kind"] == "decided":
        return decided(state, event["pairing"], event["outcome"])
    if event["kind"] == "ranked":
        return {"places": tuple(event["places"])}
    if event["kind"] == "paused":
        stopped = event["paused"] and (event.get("clocks") or False)
        return {"paused": event["paused"], "clocks_stopped": stopped}
    if event["kind"] == "led":
        host = NOBODY if event.get("forgotten") else state.host
        return {"leader": event.get("entrant"), "host": host}
    if event["kind"] == "ended":
        return {"phase": "over", "places": tuple(event["places"])}
    if event["kind"] == "again":
        return again(state, event)
    # A newer server may send a kind that nobody here knows. It only counts as a version.
    return {}


def again(state: PartyState, event: wire.AgainPartyEvent) -> dict[str, Any]:
    entrants = tuple(map(entrant_from, event["entrants"]))
    stays = event["settings"]["format"] == "winner_stays"
    here = (one.number for one in entrants if not one.left)
    return {
        "settings": event["settings"],
        "entrants": entrants,
        "queue": tuple(here) if stays else (),
        "played_before": max([one.number for one in state.pairings] + [state.played_before]),
        "leader": event.get("leader"),
        "phase": "gathering",
        "paused": False,
        "clocks_stopped": False,
        "round": 0,
        "pairings": (),
        "past": (),
        "past_decisions": (),
        "places": (),
    }


Numbered = TypeVar("Numbered", Entrant, Pairing)


def changed(all: Sequence[Numbered], number: int, **change: Any) -> tuple[Numbered, ...]:
    return tuple(replace(one, **change) if one.number == number else one for one in all)


def joined(state: PartyState, entrant: Entrant) -> dict[str, Any]:
    if state.entrant(entrant.number):
        told = {
            "name": entrant.name,
            "player": entrant.player,
            "fixed_name": entrant.fixed_name,
            "set_aside": entrant.set_aside,
            "removed": entrant.removed,
        }
        return {"entrants": changed(state.entrants, entrant.number, **told)}
    entrants = (*state.entrants, entrant)
    queue = queued(replace(state, entrants=entrants), entrant.number)
    return {"entrants": entrants, "queue": queue}


def queued(state: PartyState, number: int) -> tuple[int, ...]:
    """The queue with an entrant who can play at its end."""
    entrant = state.entrant(number)
    stays = state.settings["format"] == "winner_stays"
    can_play = entrant is not None and not entrant.left and not state.open_pairing(number)
    waits = stays and can_play and number not in state.queue
    return (*state.queue, number) if waits else state.queue


def paired(state: PartyState, round: int, fresh: tuple[Pairing, ...]) -> dict[str, Any]:
    stays = state.settings["format"] == "winner_stays"
    is_next = round != state.round and not stays and state.round > 0
    past = state.past
    decisions = state.past_decisions
    if is_next:
        past = (*past, tuple(past_from(one) for one in state.pairings))
        for one in state.pairings:
            decisions = with_decision(decisions, one.number, one.outcome)
    news = {one.number: replace(one, outcome=None) for one in fresh}
    known = () if is_next else state.pairings
    pairings = [news.pop(one.number, one) for one in known] + list(news.values())
    while stays and len(pairings) > KEPT_PAIRINGS:
        over = next((one for one in pairings if one.outcome), None)
        if over is None:
            break
        pairings.remove(over)
    play = {number for one in fresh for number in one.entrants}
    queue = tuple(one for one in state.queue if one not in play)
    return {
        "round": round,
        "past": past,
        "past_decisions": decisions,
        "pairings": tuple(pairings),
        "queue": queue,
    }


def with_decision(
    decisions: tuple[wire.PastDecision, ...], number: int, outcome: wire.PairingOutcome | None
) -> tuple[wire.PastDecision, ...]:
    """Adds the outcome of a pairing to the decisions of earlier rounds, if the host decided it."""
    if not outcome or outcome["how"] != "host":
        return decisions
    others = (one for one in decisions if one["pairing"] != number)
    decided: wire.PastDecision = {"pairing": number, "outcome": outcome}
    return (*others, decided)[-KEPT_DECISIONS:]


def past_from(pairing: Pairing) -> wire.PastPairing:
    points = points_of(pairing.outcome, pairing.first) if pairing.outcome else (0, 0)
    return (pairing.first, pairing.second or 0, *points)


def points_of(outcome: wire.PairingOutcome, first: int) -> tuple[int, int]:
    """The half points of the entrant who began the first game, and of the other one."""
    winner = outcome.get("winner")
    if winner:
        return (WIN, 0) if winner == first else (0, WIN)
    return (0, 0) if outcome["how"] in ("forfeit", "bye") else (WIN // 2, WIN // 2)


@dataclass(frozen=True)
class Remembered:
    """A pairing of any round, with its half points if it is over."""

    first: int
    second: int | None
    points: tuple[int, int] | None

    @property
    def entrants(self) -> list[int]:
        return [self.first, self.second] if self.second else [self.first]


def remembered(state: PartyState, number: int) -> Remembered | None:
    pairing = state.pairing(number)
    if pairing:
        outcome = pairing.outcome
        points = points_of(outcome, pairing.first) if outcome else None
        return Remembered(pairing.first, pairing.second, points)
    earlier = list(chain.from_iterable(state.past))
    place = number - state.played_before - 1
    if not 0 <= place < len(earlier):
        return None
    first, second, own, others = earlier[place]
    return Remembered(first, second or None, (own, others))


def decided(state: PartyState, number: int, outcome: wire.PairingOutcome) -> dict[str, Any]:
    before = remembered(state, number)
    if before is None:
        return {}
    now = points_of(outcome, before.first)
    entrants = []
    for entrant in state.entrants:
        if entrant.number in before.entrants:
            side = before.entrants.index(entrant.number)
            if before.points:
                entrant = counted(entrant, before.points[side], before, -1)
            entrant = counted(entrant, now[side], before, 1)
        entrants.append(entrant)
    state = replace(state, entrants=tuple(entrants), **with_outcome(state, number, outcome, now))
    return {
        "entrants": state.entrants,
        "pairings": state.pairings,
        "past": state.past,
        "past_decisions": state.past_decisions,
        "queue": state.queue if before.points else requeued(state, before, outcome),
    }


def with_outcome(
    state: PartyState, number: int, outcome: wire.PairingOutcome, points: tuple[int, int]
) -> dict[str, Any]:
    if state.pairing(number):
        return {"pairings": changed(state.pairings, number, outcome=outcome)}
    rounds = []
    place = state.played_before
    for round in state.past:
        ended = []
        for one in round:
            place += 1
            ended.append((one[0], one[1], *points) if place == number else one)
        rounds.append(tuple(ended))
    decisions = with_decision(state.past_decisions, number, outcome)
    return {"past": tuple(rounds), "past_decisions": decisions}


def counted(entrant: Entrant, points: int, pairing: Remembered, by: int) -> Entrant:
    """An entrant with a result more, or without it where `by` is -1. A bye is no game."""
    entrant = replace(entrant, points=max(0, entrant.points + by * points))
    if pairing.second is None:
        return entrant
    count = {WIN: "wins", 0: "losses"}.get(points, "draws")
    changed = {count: max(0, getattr(entrant, count) + by)}
    return replace(entrant, **changed)


def requeued(
    state: PartyState, pairing: Remembered, outcome: wire.PairingOutcome
) -> tuple[int, ...]:
    """ "Winner stays on": the winner is the next to play, the loser the last; else both are last."""
    for number in pairing.entrants:
        state = replace(state, queue=queued(state, number))
    winner = outcome.get("winner")
    if not winner or winner not in state.queue:
        return state.queue
    return (winner, *(one for one in state.queue if one != winner))
