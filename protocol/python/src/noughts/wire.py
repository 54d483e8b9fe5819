"""The messages of the wire. `tests/wire_types.py` writes this file from `protocol/schema.json`.

The README of the protocol says what they mean; what a client makes of them is in `session`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias


class AbsenceGameResult(TypedDict):
    # The loser was away for too long, and the opponent claimed the win, or a draw without a winner. A
    # party ends a game in the same way, and then says so in `party`.
    how: Literal["absence"]
    party: NotRequired[PartyRuling | None]
    winner: NotRequired[Mark | None]


class Acquaintance(TypedDict):
    # Somebody whom the player has played.
    face: NotRequired[Face | None]
    name: PlayerName
    player: PlayerId


class AddTimeIntent(TypedDict):
    # Gives more time for the move of a running game, or for the ready check of a pairing. Only the
    # host may.
    id: IntentId
    ms: int
    pairing: int
    party: PartyCode
    type: Literal["add_time"]


class AgainIntent(TypedDict):
    # Begins a party that is over again, with those who are there. Only the host may.
    id: IntentId
    party: PartyCode
    settings: NotRequired[PartySettings | None]
    type: Literal["again"]


class AgainPartyEvent(TypedDict):
    # The party that was over begins again with the same code: it gathers, and nobody has a point. Its
    # pairings go on with the next number.
    entrants: list[Entrant]
    kind: Literal["again"]
    leader: NotRequired[int | None]
    settings: PartySettings


class AnnouncementMessage(TypedDict):
    # The host of the server says something to everybody, or to a room or a party. It is never stored,
    # and changes no version.
    party: NotRequired[PartyCode | None]
    room: NotRequired[RoomCode | None]
    text: AnnouncementText
    type: Literal["announcement"]


class ArchivedGame(TypedDict):
    # A kept game.
    effects: NotRequired[list[PlyEffect] | None]
    first: Mark
    moves: list[Cell]
    placed: NotRequired[list[Mark] | None]
    settings: RoomSettings
    started_at: int
    summary: GameSummary
    times_ms: list[int]


class AwaySeatPresence(TypedDict):
    # No connection. The opponent may claim the game when the time is over.
    claim_in_ms: int
    state: Literal["away"]


class BestHintReason(TypedDict):
    # It is the best that was found.
    code: Literal["best"]


class BlocksHintReason(TypedDict):
    # It takes the cell on which the opponent would complete these lines.
    code: Literal["blocks"]
    lines: list[WinningLine]


class BoardFullGameResult(TypedDict):
    # A draw: the board is full.
    how: Literal["board_full"]


class BoardSpec(TypedDict):
    # A board; `line` is at most the longer side.
    height: int
    line: int
    width: int


class BoardTally(TypedDict):
    # The results of a player in one variant on one board.
    board: BoardSpec
    tally: Tally
    variant: NotRequired[Variant | None]


class BoardsMessage(TypedDict):
    # Boards of the party, for its big screens: all that are played when a screen joins, then those
    # that have changed, four times a second at most.
    boards: list[TableBoard]
    party: PartyCode
    type: Literal["boards"]


class BoardsWinningLine(TypedDict):
    # Three small boards in a row, on a board of nine.
    boards: list[int]
    cells: list[Cell]
    kind: Literal["boards"]


class ByMarkParticipant(TypedDict):
    # One value for each mark.
    o: Participant
    x: Participant


class ByMarkSeat(TypedDict):
    # One value for each mark.
    o: Seat
    x: Seat


class ByMarkSeatRequest(TypedDict):
    # One value for each mark.
    o: SeatRequest
    x: SeatRequest


class ByMarkUint16(TypedDict):
    # One value for each mark.
    o: int
    x: int


class CancelMatchIntent(TypedDict):
    # Stops waiting for a quick match.
    id: IntentId
    type: Literal["cancel_match"]


class ChallengeIntent(TypedDict):
    # Makes a room, as `create` does with its seats drawn by lot, and asks somebody whom the player
    # has played and who is connected to come.
    id: IntentId
    player: PlayerId
    settings: NotRequired[RoomSettings | None]
    type: Literal["challenge"]


class ChallengedMessage(TypedDict):
    # Somebody whom the player has played asks them to play, in a room with an open seat: `join` it,
    # or `decline`.
    expires_in_ms: int
    face: NotRequired[Face | None]
    name: PlayerName
    player: PlayerId
    room: RoomCode
    settings: RoomSettings
    type: Literal["challenged"]


class ChatLine(TypedDict):
    # A line of talk in a room.
    face: NotRequired[Face | None]
    n: int
    name: PlayerName
    player: PlayerId
    said: Said
    seat: NotRequired[Mark | None]


class ChatMessage(TypedDict):
    # The talk in the room. A client keeps each line once, by its number, in the order of the numbers.
    lines: list[ChatLine]
    muted: NotRequired[list[PlayerId] | None]
    room: RoomCode
    type: Literal["chat"]


class ChooseIntent(TypedDict):
    # Chooses a side in a swap2 opening, or adds two marks. A repeat of a choice that was made is `ok`
    # and changes nothing.
    choice: OpeningChoice
    game: int
    id: IntentId
    room: RoomCode
    type: Literal["choose"]


class ChoosingOpeningPhase(TypedDict):
    # One player chooses a side.
    by: Mark
    may_add: bool
    state: Literal["choosing"]


class ChosenEvent(TypedDict):
    # A player made a choice in a swap2 opening. The move clock restarts.
    choice: OpeningChoice
    game: int
    kind: Literal["chosen"]
    opening: NotRequired[OpeningPhase | None]
    score: Score
    seats: ByMarkSeat


class ClaimIntent(TypedDict):
    # Ends a game whose opponent has been away too long.
    game: int
    id: IntentId
    result: ClaimedResult
    room: RoomCode
    type: Literal["claim"]


class ClockEvent(TypedDict):
    # The host of the party has stopped the clock of the move, let it run on, or given more time.
    game: int
    kind: Literal["clock"]
    move_ms_left: int
    stopped: NotRequired[bool | None]


class ClosedEvent(TypedDict):
    # The room has ended. No event comes after this one.
    kind: Literal["closed"]
    reason: CloseReason


class ColumnWinningLine(TypedDict):
    # A whole column, numbered from 1 at the left.
    cells: list[Cell]
    kind: Literal["column"]
    number: int


class Computer(TypedDict):
    # A computer player.
    strategy: NotRequired[Strategy | None]
    strength: NotRequired[Strength | None]


class ComputerFallback(TypedDict):
    # The computer opponent of a quick match that finds nobody.
    after_ms: int
    strategy: NotRequired[Strategy | None]
    strength: NotRequired[Strength | None]


class ComputerSeatRequest(TypedDict):
    # A computer. On both seats: an exhibition.
    computer: Computer


class ConnectedSeatPresence(TypedDict):
    # At least one connection.
    state: Literal["connected"]


class CounterDiagonalWinningLine(TypedDict):
    # The diagonal of a square board from its bottom left to its top right corner.
    cells: list[Cell]
    kind: Literal["counter_diagonal"]


class CreateIntent(TypedDict):
    # Makes a room and enters it. A repeat with the same id enters the same room.
    id: IntentId
    seats: NotRequired[ByMarkSeatRequest | None]
    settings: NotRequired[RoomSettings | None]
    shuffle: NotRequired[bool | None]
    type: Literal["create"]


class CreatePartyIntent(TypedDict):
    # Makes a party and follows it. A repeat with the same id leads to the same party.
    id: IntentId
    name: PlayerName
    plays: NotRequired[bool | None]
    settings: NotRequired[PartySettings | None]
    type: Literal["create_party"]


# A line through the layers of a cube, or within one.
CubeWinningLine = TypedDict('CubeWinningLine', {
    'cells': 'list[Cell]',
    'from': 'Cell',
    'kind': 'Literal["cube"]',
    'to': 'Cell',
})


class DailyPuzzle(TypedDict):
    # The puzzle of a day: X is to move, and wins in as many moves as there are `answers`. A client
    # needs no rules: after each of the `answers`, but for the last, O plays the reply in the same
    # place.
    answers: list[list[Cell]]
    board: BoardSpec
    date: Date
    number: int
    o: list[Cell]
    replies: list[Cell]
    x: list[Cell]


class DecideIntent(TypedDict):
    # Decides a pairing, or changes how it ended. Only the host may.
    id: IntentId
    note: NotRequired[ChatText | None]
    pairing: int
    party: PartyCode
    type: Literal["decide"]
    winner: NotRequired[int | None]


class DecidedBoard(TypedDict):
    # A small board on which nothing is played any more.
    board: int
    cells: NotRequired[list[Cell] | None]
    winner: NotRequired[Mark | None]


class DecidedPartyEvent(TypedDict):
    # A pairing ended, or the host changed how it had ended.
    kind: Literal["decided"]
    outcome: PairingOutcome
    pairing: int


class DeclineIntent(TypedDict):
    # Answers a challenge with "not now". The one who asked does not ask again for ten minutes.
    # Without a challenge it changes nothing.
    id: IntentId
    player: PlayerId
    type: Literal["decline"]


class DeclinedMessage(TypedDict):
    # Somebody has answered the player's challenge with "not now".
    face: NotRequired[Face | None]
    name: PlayerName
    player: PlayerId
    type: Literal["declined"]


class DoubleThreatHintReason(TypedDict):
    # It leaves two cells on which a line can be completed, and the opponent has one move.
    code: Literal["double_threat"]


class Effect(TypedDict):
    # What a move does besides placing its mark.
    decided: NotRequired[DecidedBoard | None]
    removed: NotRequired[Cell | None]


class EmoteSaid(TypedDict):
    # A picture with a fixed meaning.
    emote: Emote


class EndPartyIntent(TypedDict):
    # Ends the party: the places are those of now. Only the host may.
    id: IntentId
    party: PartyCode
    type: Literal["end_party"]


class EndedPartyEvent(TypedDict):
    # The party is over. Only changed results, with their places, entrants who asked to be forgotten,
    # who leads, and [`PartyEvent::Again`] come after this one.
    kind: Literal["ended"]
    places: list[Place]


class Entrant(TypedDict):
    # Somebody who plays in a party. Points and counts follow from the facts.
    computer: NotRequired[Computer | None]
    draws: NotRequired[int | None]
    face: NotRequired[Face | None]
    fixed_name: NotRequired[bool | None]
    left: NotRequired[bool | None]
    losses: NotRequired[int | None]
    name: PlayerName
    number: int
    player: NotRequired[PlayerId | None]
    points: NotRequired[int | None]
    removed: NotRequired[bool | None]
    set_aside: NotRequired[bool | None]
    wins: NotRequired[int | None]


class Evaluation(TypedDict):
    # How a game stands, for spectators.
    game: int
    ply: int
    room: RoomCode
    worth: Standing


class EventMessage(TypedDict):
    # A fact of the room.
    event: Event
    room: RoomCode
    type: Literal["event"]
    v: int


class ExportFound(TypedDict):
    # A piece of a file of games.
    kind: Literal["export"]
    next: NotRequired[GameId | None]
    text: str


class ExportIntent(TypedDict):
    # Asks for the player's own games as the text of a file, piece by piece. It is answered by
    # `found`.
    before: NotRequired[GameId | None]
    format: ExportFormat
    id: IntentId
    type: Literal["export"]


class Face(TypedDict):
    # The face of a person. As text it is the two names: `fox blue`.
    animal: Animal
    colour: Colour


class Features(TypedDict):
    # Features that a host may switch off, so that clients do not offer them. A missing field means
    # on.
    chat: NotRequired[bool | None]
    history: NotRequired[bool | None]
    listing: NotRequired[bool | None]
    parties: NotRequired[bool | None]
    quick_match: NotRequired[bool | None]
    ratings: NotRequired[bool | None]
    spectators: NotRequired[bool | None]


class FeaturesMessage(TypedDict):
    # The host has switched features off or on: from now on these are in the place of those of
    # `welcome`.
    features: Features
    type: Literal["features"]


class ForgetIntent(TypedDict):
    # Removes the player's profile, and the player's name from all kept games. After `ok` the token is
    # worthless: the client connects again without it, as somebody new.
    id: IntentId
    type: Literal["forget"]


class FoundMessage(TypedDict):
    # The answer to `history`, `game`, `review_game`, `profile`, `leaderboard`, `puzzle`, `here` or
    # `export`.
    found: Found
    id: IntentId
    type: Literal["found"]


class GameEnd(TypedDict):
    # The end of a game.
    id: NotRequired[GameId | None]
    result: GameResult
    score: Score


class GameFound(TypedDict):
    # A kept game.
    game: ArchivedGame
    kind: Literal["game"]


class GameIntent(TypedDict):
    # Asks for a kept game. It is answered by `found`.
    game: GameId
    id: IntentId
    type: Literal["game"]


class GameOverEvent(TypedDict):
    # The game ended without a move: by resignation, time or absence.
    game: int
    id: NotRequired[GameId | None]
    kind: Literal["game_over"]
    result: GameResult
    score: Score


class GameRecord(TypedDict):
    # A game and all its moves.
    effects: NotRequired[list[PlyEffect] | None]
    first: Mark
    id: NotRequired[GameId | None]
    moves: list[Cell]
    number: int
    opening: NotRequired[OpeningPhase | None]
    placed: NotRequired[list[Mark] | None]
    playable: NotRequired[Playable | None]
    result: NotRequired[GameResult | None]


class GameStartedEvent(TypedDict):
    # A game began on an empty board. A rematch offer ends, and the move clock starts.
    first: Mark
    game: int
    kind: Literal["game_started"]
    opening: NotRequired[OpeningPhase | None]
    playable: NotRequired[Playable | None]
    score: Score
    series: NotRequired[Series | None]


class GameSummary(TypedDict):
    # A kept game without its moves.
    board: BoardSpec
    ended_at: int
    id: GameId
    players: ByMarkParticipant
    plies: int
    public: bool
    rated: bool
    result: GameResult
    variant: NotRequired[Variant | None]


class GoneSeatPresence(TypedDict):
    # Away for longer than that. The opponent may claim a running game now.
    state: Literal["gone"]


# The first message of a client.
HelloIntent = TypedDict('HelloIntent', {
    'face': 'NotRequired[Face | None]',
    'name': 'PlayerName',
    'pass': 'NotRequired[PassCode | None]',
    'password': 'NotRequired[JoinPassword | None]',
    'protocol': 'int',
    'token': 'NotRequired[PlayerToken | None]',
    'type': 'Literal["hello"]',
})


class HereFound(TypedDict):
    # People whom the player has played and who are connected now.
    hidden: bool
    kind: Literal["here"]
    people: list[Acquaintance]


class HereIntent(TypedDict):
    # Asks whom of the people that the player has played is connected now. It is answered by `found`.
    hide: NotRequired[bool | None]
    id: IntentId
    type: Literal["here"]


class Hint(TypedDict):
    # The best moves in a position, with the reason.
    cells: list[Cell]
    game: int
    message: DisplayText
    placed: NotRequired[Mark | None]
    ply: int
    reason: HintReason
    room: RoomCode


class HintIntent(TypedDict):
    # Asks for the best move, when it is the player's turn.
    game: int
    id: IntentId
    room: RoomCode
    type: Literal["hint"]


class HistoryFound(TypedDict):
    # A page of a history.
    games: list[GameSummary]
    kind: Literal["history"]
    more: bool


class HistoryIntent(TypedDict):
    # Asks for the player's own games, the newest first. It is answered by `found`.
    before: NotRequired[GameId | None]
    board: NotRequired[BoardSpec | None]
    id: IntentId
    opponent: NotRequired[OpponentFilter | None]
    outcome: NotRequired[Outcome | None]
    type: Literal["history"]
    variant: NotRequired[Variant | None]


class HumanParticipant(TypedDict):
    # A person.
    face: NotRequired[Face | None]
    kind: Literal["human"]
    name: PlayerName
    player: PlayerId


class HumanSeat(TypedDict):
    # A person.
    face: NotRequired[Face | None]
    kind: Literal["human"]
    name: PlayerName
    player: PlayerId


class JoinIntent(TypedDict):
    # Enters a room. The connection leaves the view of its previous room; the player keeps their seat
    # there.
    id: IntentId
    role: NotRequired[Role | None]
    room: RoomCode
    type: Literal["join"]


class JoinPartyIntent(TypedDict):
    # Follows a party, and plays in it if the role says so. A connection follows one party at most,
    # beside the room that it is in. An entrant whose game runs is led into its room.
    id: IntentId
    party: PartyCode
    role: NotRequired[PartyRole | None]
    type: Literal["join_party"]


class JoinedPartyEvent(TypedDict):
    # Somebody came in, or an entrant has another name or is another player now. A new entrant has the
    # next number.
    entrant: Entrant
    kind: Literal["joined"]


class Leader(TypedDict):
    # A row of a leaderboard.
    face: NotRequired[Face | None]
    games_in_period: int
    name: PlayerName
    player: PlayerId
    rating: Rating


# The strongest players of a class of games in a period.
Leaderboard = TypedDict('Leaderboard', {
    'class': 'BoardClass',
    'least_games': 'int',
    'period': 'Period',
    'rows': 'list[Leader]',
})


class LeaderboardFound(TypedDict):
    # A leaderboard.
    kind: Literal["leaderboard"]
    leaderboard: Leaderboard


# Asks for the strongest players. It is answered by `found`.
LeaderboardIntent = TypedDict('LeaderboardIntent', {
    'class': 'NotRequired[BoardClass | None]',
    'id': 'IntentId',
    'period': 'NotRequired[Period | None]',
    'type': 'Literal["leaderboard"]',
})


class LeaveIntent(TypedDict):
    # Gives up the seat, which resigns a running game, or stops watching.
    id: IntentId
    room: RoomCode
    type: Literal["leave"]


class LeavePartyIntent(TypedDict):
    # Stops following the party. The entrant stays one.
    id: IntentId
    party: PartyCode
    type: Literal["leave_party"]


class LedPartyEvent(TypedDict):
    # Somebody leads the party in place of its host, or the host leads it again.
    entrant: NotRequired[int | None]
    forgotten: NotRequired[bool | None]
    kind: Literal["led"]


class LeftPartyEvent(TypedDict):
    # An entrant left, was set aside by the host, or did not come twice in a row.
    entrant: int
    host: NotRequired[bool | None]
    kind: Literal["left"]
    removed: NotRequired[bool | None]


class Limits(TypedDict):
    # The limits of a server, so that clients can stay below them.
    absence_ms: int
    frame_bytes: int
    intent_burst: int
    intents_per_second: int
    rooms: NotRequired[int | None]
    rooms_per_minute: NotRequired[int | None]
    waiting_rooms: int


class LineGameResult(TypedDict):
    # A line was completed. One move can complete up to four, more in a cube.
    how: Literal["line"]
    lines: list[WinningLine]
    winner: Mark


class LobbyMessage(TypedDict):
    # The listed rooms. The lists are complete and replace earlier ones.
    more: int
    playing: list[RoomSummary]
    type: Literal["lobby"]
    waiting: list[RoomSummary]


class MainDiagonalWinningLine(TypedDict):
    # The diagonal of a square board from its top left to its bottom right corner.
    cells: list[Cell]
    kind: Literal["main_diagonal"]


class MoreBoardsGameResult(TypedDict):
    # Nobody has three boards in a row, and the winner has more boards than the loser.
    how: Literal["more_boards"]
    winner: Mark


class MovedEvent(TypedDict):
    # A mark was placed. The move clock restarts.
    cell: Cell
    effect: NotRequired[Effect | None]
    game: int
    kind: Literal["moved"]
    mark: Mark
    opening: NotRequired[OpeningPhase | None]
    over: NotRequired[GameEnd | None]
    placed: NotRequired[Mark | None]
    playable: NotRequired[Playable | None]
    ply: int
    reason: NotRequired[HintReason | None]


class MuteIntent(TypedDict):
    # Hides what somebody says in this room, or shows it again. A repeat changes nothing.
    id: IntentId
    mute: NotRequired[bool | None]
    player: PlayerId
    room: RoomCode
    type: Literal["mute"]


class NoLineLeftGameResult(TypedDict):
    # A draw: nobody can win any more.
    how: Literal["no_line_left"]


class OkMessage(TypedDict):
    # The intent was applied.
    id: IntentId
    party: NotRequired[PartyCode | None]
    room: NotRequired[RoomCode | None]
    type: Literal["ok"]


class OnlyMoveHintReason(TypedDict):
    # Every other move loses.
    code: Literal["only_move"]


class OpenSeat(TypedDict):
    # Nobody: the next player who joins gets the seat.
    kind: Literal["open"]


class OpenedPartyEvent(TypedDict):
    # Both were ready: a game begins in its own room.
    game: int
    kind: Literal["opened"]
    pairing: int
    room: RoomCode


class OpponentTally(TypedDict):
    # The results of a player against one opponent.
    opponent: Participant
    tally: Tally


class PaceIntent(TypedDict):
    # Sets how fast two computers play. Only the maker of their room may.
    id: IntentId
    pace: Pace
    room: RoomCode
    type: Literal["pace"]


class PacedEvent(TypedDict):
    # The maker of the room chose how fast the two computers play.
    kind: Literal["paced"]
    pace: Pace


class PairedPartyEvent(TypedDict):
    # Entrants were paired. In a new round all pairings of it; in the same round, or in "winner stays
    # on", some more. A pairing with a known number replaces it: a bye that has an opponent now.
    kind: Literal["paired"]
    pairings: list[Pairing]
    round: int


class Pairing(TypedDict):
    # Two entrants who meet, or one who has a bye.
    first: int
    game: NotRequired[int | None]
    number: int
    outcome: NotRequired[PairingOutcome | None]
    room: NotRequired[RoomCode | None]
    second: NotRequired[int | None]
    stage: NotRequired[Stage | None]
    table: int


class PairingOutcome(TypedDict):
    # How a pairing ended.
    how: DecidedBy
    note: NotRequired[ChatText | None]
    winner: NotRequired[int | None]


class PartyEventsMessage(TypedDict):
    # Facts of the party that were stored together. There is at least one.
    events: list[PartyEvent]
    party: PartyCode
    type: Literal["party_events"]
    v: int


class PartyPresence(TypedDict):
    # The presence of a party. It is always told whole. It has no version and is never stored.
    away: list[int]
    checks: list[ReadyCheck]
    next_ms: NotRequired[int | None]
    ready: list[int]
    spectators: NotRequired[int | None]


class PartyPresenceMessage(TypedDict):
    # The presence of the party, whole. It has no version, and is told twice a second at most.
    away: list[int]
    checks: list[ReadyCheck]
    next_ms: NotRequired[int | None]
    party: PartyCode
    ready: list[int]
    spectators: NotRequired[int | None]
    type: Literal["party_presence"]


class PartySettings(TypedDict):
    # The settings of a party. They never change.
    board: NotRequired[BoardSpec | None]
    chat: NotRequired[ChatMode | None]
    fill: NotRequired[Computer | None]
    first_to: NotRequired[int | None]
    format: NotRequired[PartyFormat | None]
    move_time_ms: NotRequired[int | None]
    opening: NotRequired[Opening | None]
    rounds: NotRequired[int | None]
    tables: NotRequired[int | None]
    variant: NotRequired[Variant | None]


class PartySnapshot(TypedDict):
    # The whole state of a party, the same for everybody in it.
    clocks_stopped: NotRequired[bool | None]
    entrants: list[Entrant]
    host: PlayerId
    leader: NotRequired[int | None]
    name: PlayerName
    pairings: list[Pairing]
    party: PartyCode
    past: NotRequired[list[list[PastPairing]] | None]
    past_decisions: NotRequired[list[PastDecision] | None]
    paused: NotRequired[bool | None]
    phase: PartyPhase
    places: NotRequired[list[Place] | None]
    played_before: NotRequired[int | None]
    presence: PartyPresence
    queue: NotRequired[list[int] | None]
    round: int
    settings: PartySettings
    v: int


class PartyTable(TypedDict):
    # The tag of a room that belongs to a party. The room knows no more of the party.
    game: int
    pairing: int
    party: PartyCode
    table: int


class PassIntent(TypedDict):
    # Asks for a pass, which lets another device be the same player. Only the last pass is valid.
    id: IntentId
    type: Literal["pass"]


class PassMessage(TypedDict):
    # The pass that this connection asked for. It is told again, with no time left, when another
    # device has used it.
    code: PassCode
    expires_in_ms: int
    type: Literal["pass"]


class PastDecision(TypedDict):
    # How the host has decided a pairing of an earlier round.
    outcome: PairingOutcome
    pairing: int


class PausePartyIntent(TypedDict):
    # Pauses the party, or lets it go on: nothing is paired and no ready check runs meanwhile, and
    # running games are played to their end, or stand still too. Only the host may.
    clocks: NotRequired[bool | None]
    id: IntentId
    party: PartyCode
    pause: NotRequired[bool | None]
    type: Literal["pause_party"]


class PausedPartyEvent(TypedDict):
    # The host paused the party, or let it go on.
    clocks: NotRequired[bool | None]
    kind: Literal["paused"]
    paused: bool


class PingIntent(TypedDict):
    # Asks whether the server answers, and for the room's version and presence.
    id: IntentId
    type: Literal["ping"]


class Place(TypedDict):
    # The place of an entrant. Entrants may share a place.
    entrant: int
    place: int
    tiebreak: NotRequired[int | None]


class PlacePassIntent(TypedDict):
    # Asks for a pass for the place of an entrant. Only the host may. Only the last pass of an entrant
    # is valid.
    entrant: int
    id: IntentId
    party: PartyCode
    type: Literal["place_pass"]


class PlacePassMessage(TypedDict):
    # The pass for the place of an entrant that this connection asked for.
    code: PassCode
    entrant: int
    expires_in_ms: int
    party: PartyCode
    type: Literal["place_pass"]


class PlacingOpeningPhase(TypedDict):
    # One player places marks of both kinds.
    by: Mark
    state: Literal["placing"]
    until_ply: int


class PlayIntent(TypedDict):
    # Makes a move. A repeat of a move that was made is `ok` and changes nothing.
    cell: Cell
    game: int
    id: IntentId
    placed: NotRequired[Mark | None]
    ply: int
    room: RoomCode
    type: Literal["play"]


class Playable(TypedDict):
    # What may be played next, where that is not the own mark in any empty cell.
    cells: NotRequired[list[Cell] | None]
    leaving: NotRequired[Cell | None]
    marks: NotRequired[list[Mark] | None]


class PlayerOpponentFilter(TypedDict):
    # This person.
    player: PlayerId


class PlyEffect(TypedDict):
    # An [`Effect`] and its move.
    decided: NotRequired[DecidedBoard | None]
    ply: int
    removed: NotRequired[Cell | None]


class PongMessage(TypedDict):
    # The answer to `ping`.
    id: IntentId
    party_v: NotRequired[int | None]
    presence: NotRequired[Presence | None]
    room: NotRequired[RoomCode | None]
    type: Literal["pong"]
    v: NotRequired[int | None]


class Presence(TypedDict):
    # The ephemeral state of a room: who is connected, how many watch, who offers a rematch. It is
    # always told whole. It has no version and is never stored, so a restart forgets it.
    hints: NotRequired[ByMarkUint16 | None]
    o: NotRequired[SeatPresence | None]
    ratings: NotRequired[RoomRatings | None]
    rematch: NotRequired[Mark | None]
    series: NotRequired[Series | None]
    spectators: int
    take_back: NotRequired[Mark | None]
    x: NotRequired[SeatPresence | None]


class PresenceMessage(TypedDict):
    # The presence of the room, whole. It has no version. A change of the number of spectators alone
    # may be told a little later.
    hints: NotRequired[ByMarkUint16 | None]
    o: NotRequired[SeatPresence | None]
    ratings: NotRequired[RoomRatings | None]
    rematch: NotRequired[Mark | None]
    room: RoomCode
    series: NotRequired[Series | None]
    spectators: int
    take_back: NotRequired[Mark | None]
    type: Literal["presence"]
    x: NotRequired[SeatPresence | None]


class PreventedGameResult(TypedDict):
    # No line can be made any more, which is what the winner was after.
    how: Literal["prevented"]
    winner: Mark


class PreventsHintReason(TypedDict):
    # It leaves the opponent no cell for a double threat.
    code: Literal["prevents"]


class Profile(TypedDict):
    # Everything that the server tells about a player.
    best_streak: int
    boards: list[BoardTally]
    computers: list[OpponentTally]
    face: NotRequired[Face | None]
    first_at: NotRequired[int | None]
    last_at: NotRequired[int | None]
    name: PlayerName
    opponents: list[OpponentTally]
    player: PlayerId
    ratings: list[Rating]
    recent: list[GameSummary]
    streak: int
    tally: Tally
    you: NotRequired[Tally | None]


class ProfileFound(TypedDict):
    # A profile.
    kind: Literal["profile"]
    profile: Profile


class ProfileIntent(TypedDict):
    # Asks for a profile. It is answered by `found`.
    id: IntentId
    player: NotRequired[PlayerId | None]
    type: Literal["profile"]


class PuzzleFound(TypedDict):
    # The puzzle of a day.
    kind: Literal["puzzle"]
    puzzle: DailyPuzzle


class PuzzleIntent(TypedDict):
    # Asks for the puzzle of a day, today's or one that has been. It is answered by `found`.
    date: NotRequired[Date | None]
    id: IntentId
    type: Literal["puzzle"]


class QuickMatchIntent(TypedDict):
    # Waits for an opponent with the same board, variant and move time. Marks are drawn at random. The
    # room's snapshot comes when an opponent is found.
    board: NotRequired[BoardSpec | None]
    computer: NotRequired[ComputerFallback | None]
    id: IntentId
    move_time_ms: NotRequired[int | None]
    type: Literal["quick_match"]
    variant: NotRequired[Variant | None]


class RankedPartyEvent(TypedDict):
    # The places after a round.
    kind: Literal["ranked"]
    places: list[Place]


# A player's rating in a class of games, by Glicko-2.
Rating = TypedDict('Rating', {
    'class': 'BoardClass',
    'deviation': 'int',
    'games': 'int',
    'rating': 'int',
})


class ReadyCheck(TypedDict):
    # A ready check that runs.
    ms_left: int
    pairing: int


class ReadyIntent(TypedDict):
    # Says that the entrant is there and wants to play the pairing. A repeat is `ok`.
    id: IntentId
    pairing: int
    party: PartyCode
    type: Literal["ready"]


class RefusedMessage(TypedDict):
    # The intent was not applied.
    code: RefusalCode
    id: NotRequired[IntentId | None]
    message: DisplayText
    type: Literal["refused"]


class RematchIntent(TypedDict):
    # Offers or accepts another game, takes the offer back, or declines the opponent's.
    game: int
    id: IntentId
    offer: NotRequired[bool | None]
    room: RoomCode
    series: NotRequired[Series | None]
    type: Literal["rematch"]


class RemoveIntent(TypedDict):
    # Removes an entrant's player, who leaves and does not come in any more, or lets them in again.
    # Only the host may.
    entrant: int
    id: IntentId
    party: PartyCode
    remove: NotRequired[bool | None]
    type: Literal["remove"]


class RenameIntent(TypedDict):
    # Gives an entrant another name. Only the host may.
    entrant: int
    id: IntentId
    name: PlayerName
    party: PartyCode
    type: Literal["rename"]


class RepetitionGameResult(TypedDict):
    # A draw: the position is there for the third time.
    how: Literal["repetition"]


class ResignIntent(TypedDict):
    # Resigns the game.
    game: int
    id: IntentId
    room: RoomCode
    type: Literal["resign"]


class ResignationGameResult(TypedDict):
    # The loser resigned or left.
    how: Literal["resignation"]
    winner: Mark


class ReturnedPartyEvent(TypedDict):
    # An entrant who had left is back.
    entrant: int
    kind: Literal["returned"]


class Review(TypedDict):
    # A game that is over, move by move.
    first: Mark
    game: int
    moves: list[ReviewedMove]
    proven: bool
    room: RoomCode


class ReviewFound(TypedDict):
    # The review of a kept game.
    first: Mark
    game: GameId
    kind: Literal["review"]
    moves: list[ReviewedMove]
    proven: bool


class ReviewGameIntent(TypedDict):
    # Asks for the review of a kept game. It is answered by `found`.
    game: GameId
    id: IntentId
    type: Literal["review_game"]


class ReviewIntent(TypedDict):
    # Asks for the review of a game that is over: the last one or the one before.
    game: int
    id: IntentId
    room: RoomCode
    type: Literal["review"]


class ReviewedMove(TypedDict):
    # A move of a reviewed game.
    after: Worth
    before: Worth
    best: NotRequired[Cell | None]
    best_placed: NotRequired[Mark | None]
    cell: Cell
    ply: int
    verdict: Verdict


class RoomRatings(TypedDict):
    # The ratings of the players of a quick match.
    o: NotRequired[SeatRating | None]
    rated: bool
    x: NotRequired[SeatRating | None]


class RoomSettings(TypedDict):
    # The settings of a room. They never change.
    adapts: NotRequired[bool | None]
    board: NotRequired[BoardSpec | None]
    chat: NotRequired[ChatMode | None]
    comments: NotRequired[bool | None]
    early_draw: NotRequired[bool | None]
    evaluation: NotRequired[bool | None]
    first: NotRequired[FirstMove | None]
    hints: NotRequired[bool | None]
    listed: NotRequired[bool | None]
    majority: NotRequired[bool | None]
    move_time_ms: NotRequired[int | None]
    opening: NotRequired[Opening | None]
    party: NotRequired[PartyTable | None]
    spectators: NotRequired[bool | None]
    variant: NotRequired[Variant | None]


class RoomSummary(TypedDict):
    # A room as the lobby shows it.
    game: NotRequired[int | None]
    room: RoomCode
    score: Score
    seats: ByMarkSeat
    settings: RoomSettings
    spectators: int


class RowWinningLine(TypedDict):
    # A whole row, numbered from 1 at the top.
    cells: list[Cell]
    kind: Literal["row"]
    number: int


class SayIntent(TypedDict):
    # Says something to the people in the room. It is told as `chat`. Spectators are heard by
    # spectators, and by the players when no game is running.
    id: IntentId
    room: RoomCode
    said: Said
    type: Literal["say"]


class Score(TypedDict):
    # Games won and drawn since these two opponents began.
    draws: int
    o: int
    x: int


class SeatRating(TypedDict):
    # A player's rating in the class of the room's board.
    before: NotRequired[int | None]
    provisional: NotRequired[bool | None]
    rating: int


class SeatedEvent(TypedDict):
    # A seat was taken or given up, its player has another name now, or its computer another strength.
    kind: Literal["seated"]
    mark: Mark
    seat: Seat


class Series(TypedDict):
    # How many wins decide a series. When it is decided, the next game begins a new one.
    first_to: NotRequired[int | None]


class ServerInfo(TypedDict):
    # Which server this is.
    name: DisplayText
    nodes: NotRequired[list[DisplayText] | None]
    public: NotRequired[bool | None]
    url: NotRequired[DisplayText | None]
    version: DisplayText


class SkipIntent(TypedDict):
    # Sets an entrant aside, who loses a running pairing and is not paired, or brings them back. Only
    # the host may.
    entrant: int
    id: IntentId
    party: PartyCode
    skip: NotRequired[bool | None]
    type: Literal["skip"]


class Snapshot(TypedDict):
    # The whole state of a room, the same for every viewer. The seats and the viewer's id tell which
    # marks the viewer plays.
    clock_stopped: NotRequired[bool | None]
    game: NotRequired[GameRecord | None]
    maker: NotRequired[PlayerId | None]
    move_ms_left: NotRequired[int | None]
    pace: NotRequired[Pace | None]
    presence: Presence
    room: RoomCode
    score: Score
    seats: ByMarkSeat
    series: NotRequired[Series | None]
    settings: RoomSettings
    v: int


class SomebodyParticipant(TypedDict):
    # A person who asked to be forgotten. Clients write "Somebody".
    kind: Literal["somebody"]


class StartPartyIntent(TypedDict):
    # Starts the party. Only the host may.
    id: IntentId
    party: PartyCode
    type: Literal["start_party"]


class StartedPartyEvent(TypedDict):
    # The host started the party.
    kind: Literal["started"]


class StepIntent(TypedDict):
    # While the computers are paused: lets one of them make the next move, or begins the next game. A
    # repeat of a step that was made is `ok` and changes nothing.
    game: int
    id: IntentId
    ply: int
    room: RoomCode
    type: Literal["step"]


class StrengthIntent(TypedDict):
    # Sets how well the computer plays from its next move on. Only the person who plays against it
    # may, and not in a party. A strength that [`Strength::offered`] does not name becomes the one
    # with a name that is next below.
    id: IntentId
    room: RoomCode
    strength: Strength
    type: Literal["strength"]


# A line that does not span its board.
StretchWinningLine = TypedDict('StretchWinningLine', {
    'cells': 'list[Cell]',
    'direction': 'Direction',
    'from': 'Cell',
    'kind': 'Literal["stretch"]',
    'to': 'Cell',
})


class SyncIntent(TypedDict):
    # Asks for the snapshot again.
    id: IntentId
    room: RoomCode
    type: Literal["sync"]


class SyncPartyIntent(TypedDict):
    # Asks for the party's snapshot again.
    id: IntentId
    party: PartyCode
    type: Literal["sync_party"]


class TableBoard(TypedDict):
    # A board of a party, for big screens. X begins.
    effects: NotRequired[list[PlyEffect] | None]
    game: int
    moves: list[Cell]
    pairing: int
    placed: NotRequired[list[Mark] | None]
    playable: NotRequired[Playable | None]
    result: NotRequired[GameResult | None]


class TakeBackIntent(TypedDict):
    # Takes back the player's last move, and the answer to it: at once against a computer and for one
    # player on both seats, else when the opponent asks for the same or accepts it so.
    game: int
    id: IntentId
    offer: NotRequired[bool | None]
    ply: int
    room: RoomCode
    type: Literal["take_back"]


# Takes the place of an entrant with a pass of the host: its number, its name, its points and its
# running game. The player who had it looks on. A repeat is `ok`.
TakePlaceIntent = TypedDict('TakePlaceIntent', {
    'id': 'IntentId',
    'party': 'PartyCode',
    'pass': 'PassCode',
    'type': 'Literal["take_place"]',
})


class TakenBackEvent(TypedDict):
    # A player has taken back their last move, and the answer to it. The move clock restarts.
    game: int
    kind: Literal["taken_back"]
    mark: Mark
    playable: NotRequired[Playable | None]
    ply: int


class Tally(TypedDict):
    # Won, lost and drawn games of a player.
    draws: int
    losses: int
    wins: int


class TextSaid(TypedDict):
    # A short text.
    text: ChatText


class ThreatensHintReason(TypedDict):
    # The next mark would complete a line or make a double threat.
    code: Literal["threatens"]


class TimeGameResult(TypedDict):
    # The loser's time for a move ran out.
    how: Literal["time"]
    winner: Mark


class TooLongGameResult(TypedDict):
    # A draw: the game has had [`MAX_PLIES`] moves.
    how: Literal["too_long"]


class UnwatchLobbyIntent(TypedDict):
    # Stops the lobby's lists.
    id: IntentId
    type: Literal["unwatch_lobby"]


class WatchLobbyIntent(TypedDict):
    # Asks for the lobby's lists now and after each change.
    id: IntentId
    type: Literal["watch_lobby"]


class WelcomeMessage(TypedDict):
    # The answer to `hello`.
    face: NotRequired[Face | None]
    features: NotRequired[Features | None]
    limits: Limits
    name: PlayerName
    player: PlayerId
    protocol: int
    server: ServerInfo
    token: PlayerToken
    type: Literal["welcome"]


class WinsHintReason(TypedDict):
    # It completes a line.
    code: Literal["wins"]


class WithdrawIntent(TypedDict):
    # Leaves the party as an entrant, for good or until the player joins it again. A running pairing
    # is lost. The connection goes on following.
    id: IntentId
    party: PartyCode
    type: Literal["withdraw"]


class ComputerParticipant(Computer):
    # A computer player.
    kind: Literal["computer"]


class ComputerSeat(Computer):
    # A computer player.
    kind: Literal["computer"]


class EvaluationMessage(Evaluation):
    # An evaluation of the running game, for spectators.
    type: Literal["evaluation"]


class HintMessage(Hint):
    # The best moves, for the connection that asked.
    type: Literal["hint"]


class PartyMessage(PartySnapshot):
    # Everything about the party that the connection follows.
    type: Literal["party"]


class ReviewMessage(Review):
    # A game move by move, for the connection that asked.
    type: Literal["review"]


class SnapshotMessage(Snapshot):
    # Everything about the room the connection is in.
    type: Literal["snapshot"]


Animal: TypeAlias = 'str'
AnnouncementText: TypeAlias = 'str'
BoardClass: TypeAlias = 'Literal["three", "four", "five", "ultimate", "gravity", "other"]'
Cell: TypeAlias = 'int'
ChatMode: TypeAlias = 'Literal["off", "emotes", "text"]'
ChatText: TypeAlias = 'str'
ClaimedResult: TypeAlias = 'Literal["win", "draw"]'
ClientMessage: TypeAlias = 'HelloIntent | PlayIntent | ChooseIntent | ResignIntent | TakeBackIntent | RematchIntent | PaceIntent | StrengthIntent | StepIntent | ClaimIntent | HintIntent | ReviewIntent | SayIntent | MuteIntent | LeaveIntent | SyncIntent | ReadyIntent | WithdrawIntent | LeavePartyIntent | SyncPartyIntent | StartPartyIntent | PausePartyIntent | AddTimeIntent | SkipIntent | RemoveIntent | RenameIntent | PlacePassIntent | TakePlaceIntent | DecideIntent | EndPartyIntent | AgainIntent | CreateIntent | QuickMatchIntent | CancelMatchIntent | JoinIntent | CreatePartyIntent | JoinPartyIntent | WatchLobbyIntent | UnwatchLobbyIntent | PassIntent | HistoryIntent | GameIntent | ReviewGameIntent | ProfileIntent | LeaderboardIntent | PuzzleIntent | ExportIntent | HereIntent | ChallengeIntent | DeclineIntent | ForgetIntent | PingIntent'
CloseReason: TypeAlias = 'Literal["left", "idle", "host"]'
Colour: TypeAlias = 'str'
Date: TypeAlias = 'str'
DecidedBy: TypeAlias = 'Literal["game", "draw_odds", "forfeit", "bye", "host"]'
Direction: TypeAlias = 'Literal["across", "down", "falling", "rising"]'
DisplayText: TypeAlias = 'str'
Emote: TypeAlias = 'Literal["hello", "good_luck", "well_played", "good_game", "thanks", "wow", "oops", "thinking"]'
Event: TypeAlias = 'SeatedEvent | GameStartedEvent | MovedEvent | TakenBackEvent | ChosenEvent | GameOverEvent | PacedEvent | ClockEvent | ClosedEvent'
ExportFormat: TypeAlias = 'Literal["json_lines", "sgf"]'
FirstMove: TypeAlias = 'Literal["alternate", "x", "o", "random", "loser"]'
Found: TypeAlias = 'HistoryFound | GameFound | ReviewFound | ProfileFound | LeaderboardFound | PuzzleFound | HereFound | ExportFound'
GameId: TypeAlias = 'str'
GameResult: TypeAlias = 'LineGameResult | BoardFullGameResult | NoLineLeftGameResult | MoreBoardsGameResult | PreventedGameResult | RepetitionGameResult | TooLongGameResult | ResignationGameResult | TimeGameResult | AbsenceGameResult'
HintReason: TypeAlias = 'WinsHintReason | BlocksHintReason | DoubleThreatHintReason | OnlyMoveHintReason | PreventsHintReason | ThreatensHintReason | BestHintReason'
IntentId: TypeAlias = 'int'
JoinPassword: TypeAlias = 'str'
Mark: TypeAlias = 'Literal["x", "o"]'
Opening: TypeAlias = 'Literal["free", "swap2"]'
OpeningChoice: TypeAlias = 'Literal["x", "o", "add"]'
OpeningPhase: TypeAlias = 'PlacingOpeningPhase | ChoosingOpeningPhase'
OpponentFilter: TypeAlias = 'Literal["computer", "human"] | PlayerOpponentFilter'
Outcome: TypeAlias = 'Literal["won", "lost", "drawn"]'
Pace: TypeAlias = 'Literal["paused", "slow", "normal", "fast"]'
Participant: TypeAlias = 'HumanParticipant | SomebodyParticipant | ComputerParticipant'
PartyCode: TypeAlias = 'str'
PartyEvent: TypeAlias = 'JoinedPartyEvent | LeftPartyEvent | ReturnedPartyEvent | StartedPartyEvent | PairedPartyEvent | OpenedPartyEvent | DecidedPartyEvent | RankedPartyEvent | PausedPartyEvent | LedPartyEvent | EndedPartyEvent | AgainPartyEvent'
PartyFormat: TypeAlias = 'Literal["winner_stays", "knockout", "round_robin", "swiss"]'
PartyPhase: TypeAlias = 'Literal["gathering", "playing", "over"]'
PartyRole: TypeAlias = 'Literal["player", "spectator", "screen"]'
PartyRuling: TypeAlias = 'Literal["decided", "ended"]'
PassCode: TypeAlias = 'str'
PastPairing: TypeAlias = 'tuple[int, int, int, int]'
Period: TypeAlias = 'Literal["tonight", "week", "ever"]'
PlayerId: TypeAlias = 'str'
PlayerName: TypeAlias = 'str'
PlayerToken: TypeAlias = 'str'
RefusalCode: TypeAlias = 'Literal["bad_message", "hello_first", "already_greeted", "bad_name", "bad_pass", "password_required", "wrong_password", "banned", "switched_off", "rate_limited", "no_such_room", "not_in_room", "seats_taken", "no_spectators", "not_seated", "no_such_cell", "cell_taken", "not_playable", "wrong_mark", "not_your_turn", "stale", "game_over", "not_now", "too_early", "hints_off", "chat_off", "no_such_game", "no_such_player", "no_such_party", "party_code", "not_in_party", "not_host", "bad_settings", "too_many_rooms", "full", "not_stored", "stopping"]'
Role: TypeAlias = 'Literal["player", "spectator"]'
RoomCode: TypeAlias = 'str'
Said: TypeAlias = 'TextSaid | EmoteSaid'
Seat: TypeAlias = 'OpenSeat | HumanSeat | ComputerSeat'
SeatPresence: TypeAlias = 'ConnectedSeatPresence | AwaySeatPresence | GoneSeatPresence'
SeatRequest: TypeAlias = 'Literal["you", "open"] | ComputerSeatRequest'
ServerMessage: TypeAlias = 'WelcomeMessage | OkMessage | RefusedMessage | SnapshotMessage | EventMessage | PresenceMessage | HintMessage | ReviewMessage | EvaluationMessage | LobbyMessage | PassMessage | ChatMessage | PartyMessage | PartyEventsMessage | PartyPresenceMessage | BoardsMessage | PlacePassMessage | AnnouncementMessage | FeaturesMessage | ChallengedMessage | DeclinedMessage | FoundMessage | PongMessage'
Stage: TypeAlias = 'Literal["final", "third"]'
Standing: TypeAlias = 'Literal["x_wins", "drawn", "o_wins", "unclear"]'
Strategy: TypeAlias = 'Literal["minimax", "heuristic", "perfect", "rules"]'
Strength: TypeAlias = 'Literal["very_weak", "level_2", "weak", "level_4", "average", "level_6", "strong", "level_8", "very_strong"]'
Variant: TypeAlias = 'Literal["line", "ultimate", "misere", "wild", "wild_misere", "notakto", "gravity", "vanish", "qubic", "exact", "order"]'
Verdict: TypeAlias = 'Literal["best", "fine", "mistake", "opening"]'
WinningLine: TypeAlias = 'RowWinningLine | ColumnWinningLine | MainDiagonalWinningLine | CounterDiagonalWinningLine | StretchWinningLine | BoardsWinningLine | CubeWinningLine'
Worth: TypeAlias = 'Literal["won", "drawn", "lost", "unclear"]'

# What the codes of refusals say.
REFUSALS: dict[str, str] = {
    "bad_message": "the frame was not a message of this protocol",
    "hello_first": "the first message must be `hello`",
    "already_greeted": "`hello` was sent already",
    "bad_name": "the name cannot be used",
    "bad_pass": "the pass was used, has expired, or never existed",
    "password_required": "the server asks for a password: send `hello` again with it",
    "wrong_password": "the password is wrong",
    "banned": "the host keeps the player, or their address, out",
    "switched_off": "the host has switched this off",
    "rate_limited": "too many intents in a short time: the intent was not read, send it again later",
    "no_such_room": "no room has this code (any more)",
    "not_in_room": "the connection is not in that room: `join` it first",
    "seats_taken": "both seats are taken: join as a spectator",
    "no_spectators": "this room does not admit spectators",
    "not_seated": "the player needs a seat in the room for this",
    "no_such_cell": "the board has no such cell",
    "cell_taken": "the cell has a mark already",
    "not_playable": "the cell is empty, and the variant forbids it for now",
    "wrong_mark": "the player may not place this mark",
    "not_your_turn": "the opponent is to move",
    "stale": "the intent was meant for another ply or game: look at the board again",
    "game_over": "the game has ended",
    "not_now": "no game has begun, or the game must have ended first, or its opening does not allow this now",
    "too_early": "it is too soon: the opponent is not away for long enough, the puzzle has not come, or the person was just asked",
    "hints_off": "this room gives no hints",
    "chat_off": "nothing, or no text, may be said in this room",
    "no_such_game": "no kept game has this id",
    "no_such_player": "no profile has this id: nobody with it has finished a game, or they are forgotten",
    "no_such_party": "no party has this code (any more)",
    "party_code": "this is the code of a party: `join_party`",
    "not_in_party": "the connection does not follow that party: `join_party` first",
    "not_host": "only the host of the party may do this",
    "bad_settings": "the settings contradict each other or are out of range",
    "too_many_rooms": "the player or their address has as many rooms as allowed, or has just made as many",
    "full": "the server has as many rooms, or the room as many people, as it can hold",
    "not_stored": "the server could not store it, for example because its disk is full: nothing has changed, try again",
    "stopping": "the server is stopping",
}
