//! Rooms and messages for the tests of this crate.

use std::time::{Duration, Instant};

use noughts_protocol::{
    ByMark, Cell, ClientMessage, Computer, Evaluation, Event, Features, Game, GameEnd, GameRecord,
    GameValue, Hint, HintReason, Limits, Mark, Move, Opening, OpeningPhase, PlayerId, Presence,
    RefusalCode, Review, ReviewedMove, RoomCode, RoomIntent, RoomSettings, Rules, Seat,
    SeatPresence, ServerInfo, ServerMessage, Snapshot, Standing, Variant, Verdict,
};

use crate::session::{ConnectionEvent, Welcome};

pub(crate) mod party;

/// This player, and the opponent.
pub(crate) const ME: PlayerId = PlayerId(1);
pub(crate) const OTHER: PlayerId = PlayerId(2);

pub(crate) fn code() -> RoomCode {
    "KQRZX".parse().unwrap()
}

pub(crate) fn human(player: PlayerId, name: &str) -> Seat {
    Seat::Human { player, name: name.parse().unwrap() }
}

pub(crate) fn welcome() -> ConnectionEvent {
    ConnectionEvent::Welcome(Box::new(Welcome {
        player: ME,
        name: "Ada".parse().unwrap(),
        is_given: false,
        token: "token".parse().unwrap(),
        server: ServerInfo {
            name: "test".into(),
            version: "0".into(),
            url: None,
            public: false,
            nodes: Vec::new(),
        },
        limits: Limits {
            frame_bytes: 4096,
            intent_burst: 20,
            intents_per_second: 10,
            waiting_rooms: 4,
            rooms: 32,
            rooms_per_minute: 20,
            absence_ms: 60_000,
        },
        features: Features::default(),
    }))
}

/// A room at version 10 in which this player, Ada, is X against Bob, after these moves.
pub(crate) fn snapshot(board: &str, moves: &[u16]) -> Snapshot {
    let moves: Vec<(u16, Option<Mark>)> = moves.iter().map(|cell| (*cell, None)).collect();
    variant(Variant::Line, board, &moves)
}

/// The same room with a game of a variant, after moves with these marks.
pub(crate) fn variant(variant: Variant, board: &str, moves: &[(u16, Option<Mark>)]) -> Snapshot {
    let board = board.parse().unwrap();
    let settings = RoomSettings { variant, board, hints: Some(true), ..RoomSettings::default() };
    let mut game = Game::new(Rules::of(&settings), Mark::X);
    for &(cell, placed) in moves {
        let ply = game.ply();
        let mark = game.to_move();
        game.apply(Move { ply, mark, cell: Cell(cell), placed }).unwrap();
    }
    Snapshot {
        room: code(),
        v: 10,
        settings,
        maker: Some(ME),
        seats: ByMark { x: human(ME, "Ada"), o: human(OTHER, "Bob") },
        score: Default::default(),
        series: Default::default(),
        pace: Default::default(),
        game: Some(GameRecord {
            number: 1,
            first: Mark::X,
            moves: game.moves().to_vec(),
            placed: game.placed().to_vec(),
            effects: game.effects().to_vec(),
            playable: game.playable(),
            result: game.result().cloned(),
            opening: None,
            id: None,
        }),
        presence: here(),
        move_ms_left: None,
        clock_stopped: false,
    }
}

/// Both players are connected, and nobody watches.
pub(crate) fn here() -> Presence {
    let connected = Some(SeatPresence::Connected);
    Presence { seats: ByMark { x: connected, o: connected }, ..Presence::default() }
}

/// Bob is away, and the game may be claimed after so many seconds.
pub(crate) fn away(seconds: u32) -> Presence {
    let mut presence = here();
    presence.seats.o = Some(SeatPresence::Away { claim_in_ms: seconds * 1_000 });
    presence
}

/// A player offers a rematch, or nobody does.
pub(crate) fn offered(rematch: Option<Mark>) -> Presence {
    Presence { rematch, ..here() }
}

/// The room as a spectator sees it: another Ada plays.
pub(crate) fn watched(mut snapshot: Snapshot) -> Snapshot {
    snapshot.seats.x = human(PlayerId(3), "Ada");
    snapshot
}

/// A room with a swap2 opening in this phase.
pub(crate) fn opening(phase: OpeningPhase, moves: &[u16]) -> Snapshot {
    let mut snapshot = snapshot("15x15x5", moves);
    snapshot.settings.opening = Opening::Swap2;
    if let Some(record) = &mut snapshot.game {
        record.opening = Some(phase);
    }
    snapshot
}

/// The room before a second player came.
pub(crate) fn waiting() -> Snapshot {
    let mut snapshot = snapshot("3x3x3", &[]);
    snapshot.game = None;
    snapshot.seats.o = Seat::Open;
    snapshot.presence.seats.o = None;
    snapshot
}

/// The room with a computer in Bob's place.
pub(crate) fn against_computer(moves: &[u16]) -> Snapshot {
    let mut snapshot = snapshot("3x3x3", moves);
    snapshot.seats.o = Seat::Computer(Computer::default());
    snapshot.presence.seats.o = None;
    snapshot
}

pub(crate) fn shown(snapshot: Snapshot) -> ConnectionEvent {
    ConnectionEvent::Message(Box::new(ServerMessage::Snapshot(snapshot)))
}

pub(crate) fn event(v: u64, event: Event) -> ConnectionEvent {
    ConnectionEvent::Message(Box::new(ServerMessage::Event { room: code(), v, event }))
}

pub(crate) fn presence(presence: Presence) -> ConnectionEvent {
    ConnectionEvent::Message(Box::new(ServerMessage::Presence { room: code(), presence }))
}

/// The host says something to everybody.
pub(crate) fn announcement(text: &str) -> ConnectionEvent {
    let text = text.parse().unwrap();
    ConnectionEvent::Message(Box::new(ServerMessage::Announcement {
        text,
        room: None,
        party: None,
    }))
}

/// The host has left only these features on.
pub(crate) fn switched(features: Features) -> ConnectionEvent {
    ConnectionEvent::Message(Box::new(ServerMessage::Features { features }))
}

/// An intent for the room, as the client sends it with this id.
pub(crate) fn to_room(id: u64, intent: RoomIntent) -> ClientMessage {
    ClientMessage::Room { intent, id: id.try_into().unwrap(), room: code() }
}

/// The event of a move with this mark, after a snapshot.
pub(crate) fn made(snapshot: &Snapshot, (cell, placed): (u16, Option<Mark>)) -> Event {
    let record = snapshot.game.as_ref().unwrap();
    let rules = Rules::of(&snapshot.settings);
    let mut game = Game::replay(rules, record.first, &record.moves, &record.placed).unwrap();
    let ply = game.ply();
    let mark = game.to_move();
    let cell = Cell(cell);
    let chosen = Move { ply, mark, cell, placed };
    let placement = game.placement(chosen);
    let effect = game.effect(placement);
    let result = game.apply(chosen).unwrap().cloned();
    let over =
        result.map(|result| GameEnd { score: snapshot.score.with(&result), result, id: None });
    Event::Moved {
        game: record.number,
        ply,
        mark,
        cell,
        placed: Some(placement.mark).filter(|placed| *placed != mark),
        effect,
        playable: game.playable(),
        over,
        opening: None,
        reason: None,
    }
}

/// The events of moves, the last of which may end the game.
pub(crate) fn moves(snapshot: &Snapshot, cells: &[u16]) -> Vec<ConnectionEvent> {
    let record = snapshot.game.as_ref().unwrap();
    let rules = Rules::of(&snapshot.settings);
    let mut game = Game::replay(rules, record.first, &record.moves, &record.placed).unwrap();
    let made = |(v, &cell): (u64, &u16)| {
        let ply = game.ply();
        let mark = game.to_move();
        let cell = Cell(cell);
        let result = game.apply(Move { ply, mark, cell, placed: None }).unwrap().cloned();
        let over =
            result.map(|result| GameEnd { score: snapshot.score.with(&result), result, id: None });
        let opening = record.opening.and_then(|phase| phase.after_mark(ply + 1));
        event(
            v,
            Event::Moved {
                game: record.number,
                ply,
                mark,
                cell,
                placed: None,
                effect: None,
                playable: None,
                over,
                opening,
                reason: None,
            },
        )
    };
    (snapshot.v + 1..).zip(cells).map(made).collect()
}

pub(crate) fn applied(intent: &ClientMessage) -> ConnectionEvent {
    let id = intent.id().unwrap();
    let room = Some(code());
    ConnectionEvent::Message(Box::new(ServerMessage::Ok { id, room, party: None }))
}

pub(crate) fn refused(intent: &ClientMessage, code: RefusalCode, message: &str) -> ConnectionEvent {
    let id = intent.id();
    let message = message.into();
    ConnectionEvent::Message(Box::new(ServerMessage::Refused { id, code, message }))
}

/// A hint for the room's first game.
pub(crate) fn hint(ply: u16, cells: &[u16], message: &str) -> ConnectionEvent {
    let cells = cells.iter().copied().map(Cell).collect();
    let room = code();
    let reason = HintReason::Best;
    let hint = Hint { room, game: 1, ply, cells, placed: None, reason, message: message.into() };
    ConnectionEvent::Message(Box::new(ServerMessage::Hint(hint)))
}

/// A review of the room's first game, in which the second move is a mistake.
pub(crate) fn review(cells: &[u16]) -> ConnectionEvent {
    let made = |(ply, &cell): (usize, &u16)| {
        let (verdict, before, after) = match ply {
            1 => (Verdict::Mistake, GameValue::Drawn, GameValue::Lost),
            _ => (Verdict::Best, GameValue::Won, GameValue::Won),
        };
        let best = (ply == 1).then_some(Cell(4));
        ReviewedMove {
            ply: ply as u16,
            cell: Cell(cell),
            verdict,
            before,
            after,
            best,
            best_placed: None,
        }
    };
    let moves = cells.iter().enumerate().map(made).collect();
    let review = Review { room: code(), game: 1, first: Mark::X, proven: true, moves };
    ConnectionEvent::Message(Box::new(ServerMessage::Review(review)))
}

/// An evaluation of the room's first game.
pub(crate) fn evaluation(ply: u16, worth: Standing) -> ConnectionEvent {
    let evaluation = Evaluation { room: code(), game: 1, ply, worth };
    ConnectionEvent::Message(Box::new(ServerMessage::Evaluation(evaluation)))
}

/// A moment some seconds after `start`.
pub(crate) fn after(start: Instant, seconds: u64) -> Instant {
    start + Duration::from_secs(seconds)
}
