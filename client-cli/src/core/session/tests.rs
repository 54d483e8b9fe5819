//! What messages mean for the session, and which intents it makes.

use noughts_protocol::{
    Cell, ClaimedResult, Event, GameEnd, GameResult, Mark, OpeningChoice, OpeningPhase,
    RefusalCode, Role, RoomIntent, Score, Seat,
};

use super::*;
use crate::core::Action;
use crate::fixture::{
    ME, OTHER, after, against_computer, applied, away, code, event, here, human, moves, offered,
    opening, presence, refused, shown, snapshot, to_room, waiting, watched, welcome,
};

mod golden;
mod presence;
mod series;

/// A session in the room of a snapshot, and the time at which that came.
fn in_room(snapshot: noughts_protocol::Snapshot) -> (Session, Instant) {
    let now = Instant::now();
    let mut session = Session::new(IntentIds::starting_at(0));
    session.receive(welcome(), now);
    let action = Action::join(code(), Role::Player);
    let join = session.begin(&action).unwrap();
    session.receive(applied(&join), now);
    let (session_event, _) = session.receive(shown(snapshot), now);
    assert!(matches!(session_event, Some(SessionEvent::Entered)));
    (session, now)
}

/// An event that fits any room.
fn renamed() -> Event {
    Event::Seated { mark: Mark::O, seat: human(OTHER, "Rob") }
}

fn is_sync(message: Option<&ClientMessage>) -> bool {
    matches!(message, Some(ClientMessage::Room { intent: RoomIntent::Sync, .. }))
}

/// A pong of the room, or of none, with a version and what passes.
fn pong(session: &Session, v: Option<u64>, presence: Option<Presence>) -> ConnectionEvent {
    let (id, room) = (session.ids().next(), v.map(|_| code()));
    ConnectionEvent::Message(ServerMessage::Pong { id, room, v, presence })
}

#[test]
fn a_gap_is_healed_by_one_sync() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let (session_event, sync) = session.receive(event(12, renamed()), now);
    assert!(session_event.is_none() && is_sync(sync.as_ref()));
    assert_eq!(session.receive(event(13, renamed()), now).1, None, "one sync is enough");
    let mut fresh = snapshot("3x3x3", &[4]);
    fresh.v = 13;
    assert!(matches!(session.receive(shown(fresh), now).0, Some(SessionEvent::Refreshed)));
    assert_eq!(session.room().unwrap().state.v, 13);
}

#[test]
fn an_event_that_is_known_already_is_nothing_new() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    assert!(matches!(session.receive(event(10, renamed()), now), (None, None)));
}

#[test]
fn a_pong_shows_what_was_lost() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let mut heal = |v| session.receive(pong(&session, v, None), now).1;
    assert_eq!(heal(Some(10)), None);
    assert!(is_sync(heal(Some(11)).as_ref()));
    let join = heal(None);
    let back = LobbyIntent::Join { room: code(), role: Role::Spectator };
    assert!(matches!(join, Some(ClientMessage::Lobby { ref intent, .. }) if *intent == back));
}

#[test]
fn a_snapshot_that_was_lost_is_asked_for_again() {
    let heal =
        |session: &mut Session| session.receive(pong(session, Some(11), None), Instant::now()).1;
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let sync = heal(&mut session).unwrap();
    assert_eq!(heal(&mut session), None, "it is on its way");
    session.receive(applied(&sync), now);
    assert!(is_sync(heal(&mut session).as_ref()));

    let mut session = Session::new(IntentIds::starting_at(0));
    session.receive(welcome(), now);
    let join = session.begin(&Action::join(code(), Role::Player)).unwrap();
    assert_eq!(heal(&mut session), None, "the answer is on its way");
    session.receive(applied(&join), now);
    assert!(is_sync(heal(&mut session).as_ref()));
    session.receive(shown(snapshot("3x3x3", &[])), now);
    assert!(session.room().is_some());
}

#[test]
fn other_rooms_do_not_matter() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let mut other = snapshot("3x3x3", &[0, 1]);
    other.room = "BBBBB".parse().unwrap();
    assert!(matches!(session.receive(shown(other), now), (None, None)));
    let room = "BBBBB".parse().unwrap();
    for message in [
        ServerMessage::Event { room, v: 11, event: renamed() },
        ServerMessage::Presence { room, presence: away(42) },
    ] {
        let message = ConnectionEvent::Message(message);
        assert!(matches!(session.receive(message, now), (None, None)));
    }
    session.intent(RoomIntent::Leave).unwrap();
    assert!(matches!(session.receive(shown(snapshot("3x3x3", &[])), now), (None, None)));
    assert!(session.room().is_none());
}

#[test]
fn a_move_is_checked_here_first() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[0, 4]));
    let why = session.play(Cell(4)).unwrap_err().to_string();
    assert_eq!(why, "cell 5 is taken by O: choose an empty one");
    let play = session.play(Cell(1)).unwrap();
    assert_eq!(play, to_room(1, RoomIntent::Play { game: 1, ply: 2, cell: Cell(1) }));
    assert_eq!(session.play(Cell(2)), Err(IntentError::Unconfirmed));
    session.receive(refused(&play, RefusalCode::Stale, "look again"), now);
    assert!(session.play(Cell(2)).is_ok());
}

#[test]
fn the_answer_and_the_event_come_in_either_order() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let play = session.play(Cell(4)).unwrap();
    session.receive(applied(&play), now);
    assert!(session.is_settled() && session.has_unconfirmed_move());
    for message in moves(&snapshot("3x3x3", &[]), &[4, 0]) {
        session.receive(message, now);
    }
    assert!(!session.has_unconfirmed_move());
    assert!(session.play(Cell(1)).is_ok());
}

#[test]
fn who_watches_cannot_play() {
    let (mut session, _) = in_room(watched(snapshot("3x3x3", &[])));
    assert_eq!(session.play(Cell(0)), Err(IntentError::Watching));
    for intent in [RoomIntent::Resign { game: 1 }, session.rematch(), RoomIntent::Hint { game: 1 }]
    {
        assert!(matches!(session.intent(intent), Err(IntentError::NotNow(_))));
    }
}

#[test]
fn outside_a_room_there_is_nothing_to_do_in_it() {
    let mut session = Session::new(IntentIds::starting_at(0));
    let (game, result) = (0, ClaimedResult::Win);
    for intent in [
        session.move_to(Cell(0)),
        RoomIntent::Choose { game, choice: OpeningChoice::X },
        RoomIntent::Resign { game },
        RoomIntent::Claim { game, result },
        RoomIntent::Hint { game },
        RoomIntent::Leave,
        RoomIntent::Sync,
        session.review(),
        session.rematch(),
    ] {
        assert_eq!(session.intent(intent), Err(IntentError::NoRoom));
    }
    assert!(session.is_settled(), "nothing was counted");
}

#[test]
fn a_seat_that_is_taken_begins_the_game() {
    let (mut session, now) = in_room(waiting());
    assert_eq!(session.play(Cell(0)), Err(IntentError::NoGame));
    let seat = human(OTHER, "Bob");
    session.receive(event(11, Event::Seated { mark: Mark::O, seat }), now);
    let first = Mark::X;
    let score = Score::default();
    let started = Event::GameStarted { game: 1, first, score, opening: None };
    session.receive(event(12, started), now);
    assert_eq!(session.room().unwrap().my_turn(), Some(Mark::X));
    let (result, score) = (GameResult::Resignation { winner: Mark::O }, Score { o: 1, ..score });
    let end = GameEnd { result, score };
    session.receive(event(13, Event::GameOver { game: 1, end }), now);
    session.receive(event(14, Event::Seated { mark: Mark::X, seat: Seat::Open }), now);
    assert!(session.room().unwrap().is_watching(), "a seat that is given up is no longer ours");
    session.receive(event(15, Event::Seated { mark: Mark::X, seat: human(ME, "Ada") }), now);
    assert_eq!(session.room().unwrap().mine, [Mark::X]);
}

#[test]
fn each_move_has_its_full_time() {
    let mut timed = snapshot("3x3x3", &[]);
    timed.settings.move_time_ms = Some(30_000);
    timed.move_ms_left = Some(7_000);
    let (mut session, now) = in_room(timed.clone());
    assert_eq!(session.room().unwrap().move_ends, Some(after(now, 7)));
    for message in moves(&timed, &[4]) {
        session.receive(message, after(now, 5));
    }
    assert_eq!(session.room().unwrap().move_ends, Some(after(now, 35)));
    for message in moves(&timed, &[4, 0, 3, 1, 5]).into_iter().skip(1) {
        session.receive(message, now);
    }
    assert_eq!(session.room().unwrap().move_ends, None, "a game that is over has no clock");
}

#[test]
fn a_move_that_ends_the_game_is_one_event() {
    let start = snapshot("3x3x3", &[0, 3, 1, 4]);
    let (mut session, now) = in_room(start.clone());
    let play = session.play(Cell(2)).unwrap();
    let told: Vec<_> = moves(&start, &[2]).into_iter().map(|m| session.receive(m, now)).collect();
    assert!(matches!(told[..], [(Some(SessionEvent::Event { .. }), None)]), "{told:?}");
    let view = session.room().unwrap();
    assert_eq!(view.state.score, Score { x: 1, o: 0, draws: 0 });
    assert_eq!(view.state.v, 11);
    assert!(view.may_rematch() && view.last_finished() == Some(1));
    assert!(!session.has_unconfirmed_move());
    session.receive(applied(&play), now);
    assert!(session.is_settled());
}

#[test]
fn a_quick_match_leads_to_a_room_by_itself() {
    let now = Instant::now();
    let mut session = Session::new(IntentIds::starting_at(0));
    let board = Default::default();
    let quick =
        session.lobby(LobbyIntent::QuickMatch { board, move_time_ms: None, computer: None });
    session.receive(ConnectionEvent::Answered { intent: quick, answer: Ok(None) }, now);
    let (session_event, _) = session.receive(shown(against_computer(&[])), now);
    assert!(matches!(session_event, Some(SessionEvent::Entered)));
}

#[test]
fn an_impossible_account_is_refused() {
    let now = Instant::now();
    let mut session = Session::new(IntentIds::starting_at(0));
    session.begin(&Action::join(code(), Role::Spectator));
    let mut impossible = snapshot("3x3x3", &[0]);
    impossible.game.as_mut().unwrap().moves = vec![Cell(0), Cell(0), Cell(900)];
    let (session_event, _) = session.receive(shown(impossible), now);
    assert!(matches!(session_event, Some(SessionEvent::ServerError(_))));
    assert!(session.room().is_none());
}

#[test]
fn a_game_zero_is_no_reason_to_fail() {
    let mut lie = snapshot("3x3x3", &[]);
    lie.game.as_mut().unwrap().number = 0;
    let (session, _) = in_room(lie);
    assert_eq!(session.room().unwrap().last_finished(), None);
}

#[test]
fn a_choice_is_confirmed_by_its_event() {
    let phase = OpeningPhase::Choosing { by: Mark::X, may_add: true };
    let snapshot = opening(phase, &[84, 98, 60]);
    let (mut session, now) = in_room(snapshot.clone());
    let choose = |choice| RoomIntent::Choose { game: 1, choice };
    session.intent(choose(OpeningChoice::Add)).unwrap();
    assert!(session.has_unconfirmed_move());
    assert_eq!(session.intent(choose(OpeningChoice::X)), Err(IntentError::Unconfirmed));
    let next = Some(OpeningPhase::Placing { by: Mark::X, until_ply: 5 });
    let (seats, score, choice) = (snapshot.seats.clone(), snapshot.score, OpeningChoice::Add);
    session.receive(event(11, Event::Chosen { game: 1, choice, opening: next, seats, score }), now);
    assert!(!session.has_unconfirmed_move());
    assert!(session.play(Cell(7)).is_ok(), "the ply is the same, the phase is not");
}
