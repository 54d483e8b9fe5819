//! What messages mean for the session, and which intents it makes.

use noughts_protocol::{
    ByMark, Cell, Event, Mark, OpeningPhase, Presence, RefusalCode, Role, Score, Seat,
};

use super::*;
use crate::core::Action;
use crate::fixture::{
    ME, OTHER, after, against_computer, applied, code, event, human, moves, opening, refused,
    shown, snapshot, waiting, welcome,
};

/// A session in the room of a snapshot, and the time at which that came.
fn in_room(snapshot: noughts_protocol::Snapshot) -> (Session, Instant) {
    let now = Instant::now();
    let mut session = Session::new(IntentIds::starting_at(0));
    session.receive(welcome(), now);
    let action = Action::Join { room: code(), role: Role::Player };
    let join = session.begin(&action).unwrap();
    session.receive(applied(&join), now);
    let (session_event, _) = session.receive(shown(snapshot), now);
    assert!(matches!(session_event, Some(SessionEvent::Entered)));
    (session, now)
}

#[test]
fn a_gap_is_healed_by_one_sync() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let offer = Event::Rematch { mark: Mark::O, offered: true };
    let (session_event, sync) = session.receive(event(12, offer.clone()), now);
    assert!(session_event.is_none() && matches!(sync, Some(ClientMessage::Sync { .. })));
    assert_eq!(session.receive(event(13, offer), now).1, None, "one sync is enough");
    let mut fresh = snapshot("3x3x3", &[4]);
    fresh.v = 13;
    assert!(matches!(session.receive(shown(fresh), now).0, Some(SessionEvent::Refreshed)));
    assert_eq!(session.room().unwrap().state.v, 13);
}

#[test]
fn an_event_that_is_known_already_is_nothing_new() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let offer = Event::Rematch { mark: Mark::O, offered: true };
    assert!(matches!(session.receive(event(10, offer), now), (None, None)));
}

#[test]
fn a_pong_shows_what_was_lost() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let mut pong = |room, v| {
        let id = session.ids().next();
        session.receive(ConnectionEvent::Message(ServerMessage::Pong { id, room, v }), now).1
    };
    assert_eq!(pong(Some(code()), Some(10)), None);
    assert!(matches!(pong(Some(code()), Some(11)), Some(ClientMessage::Sync { .. })));
    let join = pong(None, None);
    assert!(matches!(join, Some(ClientMessage::Join { role: Role::Player, .. })), "{join:?}");
}

#[test]
fn a_snapshot_that_was_lost_is_asked_for_again() {
    let pong = |session: &mut Session, v| {
        let (id, room) = (session.ids().next(), Some(code()));
        let pong = ServerMessage::Pong { id, room, v: Some(v) };
        session.receive(ConnectionEvent::Message(pong), Instant::now()).1
    };
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let sync = pong(&mut session, 11).unwrap();
    assert_eq!(pong(&mut session, 11), None, "it is on its way");
    session.receive(applied(&sync), now);
    assert!(matches!(pong(&mut session, 11), Some(ClientMessage::Sync { .. })));

    let mut session = Session::new(IntentIds::starting_at(0));
    session.receive(welcome(), now);
    let join = session.join(code(), Role::Player);
    assert_eq!(pong(&mut session, 11), None, "the answer is on its way");
    session.receive(applied(&join), now);
    assert!(matches!(pong(&mut session, 11), Some(ClientMessage::Sync { .. })));
    session.receive(shown(snapshot("3x3x3", &[])), now);
    assert!(session.room().is_some());
}

#[test]
fn other_rooms_do_not_matter() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    let mut other = snapshot("3x3x3", &[0, 1]);
    other.room = "BBBBB".parse().unwrap();
    assert!(matches!(session.receive(shown(other), now), (None, None)));
    let event = Event::Rematch { mark: Mark::O, offered: true };
    let room = "BBBBB".parse().unwrap();
    let message = ConnectionEvent::Message(ServerMessage::Event { room, v: 11, event });
    assert!(matches!(session.receive(message, now), (None, None)));
    session.leave().unwrap();
    assert!(matches!(session.receive(shown(snapshot("3x3x3", &[])), now), (None, None)));
    assert!(session.room().is_none());
}

#[test]
fn a_move_is_checked_here_first() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[0, 4]));
    let why = session.play(Cell(4)).unwrap_err().to_string();
    assert_eq!(why, "cell 5 is taken by O: choose an empty one");
    let play = session.play(Cell(1)).unwrap();
    assert!(matches!(play, ClientMessage::Play { game: 1, ply: 2, cell: Cell(1), .. }));
    assert_eq!(session.play(Cell(2)), Err(MoveError::Unconfirmed));
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
    let mut watched = snapshot("3x3x3", &[]);
    watched.you.clear();
    let (mut session, _) = in_room(watched);
    assert_eq!(session.play(Cell(0)), Err(MoveError::Watching));
    assert_eq!(session.resign(), None);
    assert_eq!(session.rematch(), None);
}

#[test]
fn a_seat_that_is_taken_begins_the_game() {
    let (mut session, now) = in_room(waiting());
    assert_eq!(session.play(Cell(0)), Err(MoveError::NoGame));
    let seat = human(OTHER, "Bob");
    session.receive(event(11, Event::Seated { mark: Mark::O, seat }), now);
    let first = Mark::X;
    let started = Event::GameStarted { game: 1, first, score: Default::default() };
    session.receive(event(12, started), now);
    assert_eq!(session.room().unwrap().my_turn(), Some(Mark::X));
    session.receive(event(13, Event::Seated { mark: Mark::X, seat: Seat::Open }), now);
    assert!(session.room().unwrap().is_watching(), "a seat that is given up is no longer ours");
    session.receive(event(14, Event::Seated { mark: Mark::X, seat: human(ME, "Ada") }), now);
    assert_eq!(session.room().unwrap().mine, [Mark::X]);
}

#[test]
fn absence_counts_from_when_it_was_told() {
    let (mut session, now) = in_room(snapshot("3x3x3", &[]));
    assert_eq!(session.claim(noughts_protocol::ClaimedResult::Win), None);
    let presence = Presence::Away { claim_in_ms: 42_000 };
    session.receive(event(11, Event::Presence { mark: Mark::O, presence }), now);
    assert_eq!(session.room().unwrap().away_opponent(), Some((Mark::O, after(now, 42))));
    assert!(session.claim(noughts_protocol::ClaimedResult::Draw).is_some());
    let presence = Presence::Connected;
    session.receive(event(12, Event::Presence { mark: Mark::O, presence }), now);
    assert_eq!(session.room().unwrap().away_opponent(), None);
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
fn a_rematch_is_offered_and_taken_back() {
    let over = snapshot("3x3x3", &[0, 3, 1, 4, 2]);
    let (mut session, now) = in_room(over);
    assert!(matches!(session.rematch(), Some(ClientMessage::Rematch { offer: true, .. })));
    session.receive(event(11, Event::Rematch { mark: Mark::X, offered: true }), now);
    assert!(matches!(session.rematch(), Some(ClientMessage::Rematch { offer: false, .. })));
}

#[test]
fn a_quick_match_leads_to_a_room_by_itself() {
    let now = Instant::now();
    let mut session = Session::new(IntentIds::starting_at(0));
    let action = Action::Quick { board: Default::default(), computer: None };
    let quick = session.begin(&action).unwrap();
    session.receive(ConnectionEvent::Answered { intent: quick, answer: Ok(None) }, now);
    let (session_event, _) = session.receive(shown(against_computer(&[])), now);
    assert!(matches!(session_event, Some(SessionEvent::Entered)));
}

#[test]
fn an_impossible_account_is_refused() {
    let now = Instant::now();
    let mut session = Session::new(IntentIds::starting_at(0));
    session.join(code(), Role::Spectator);
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
fn an_exchange_of_seats_takes_score_offers_and_absence_along() {
    let phase = OpeningPhase::Choosing { by: Mark::O, may_add: true };
    let mut snapshot = opening(phase, &[84, 98, 60]);
    snapshot.score = Score { x: 2, o: 1, draws: 4 };
    snapshot.offers.x = true;
    let presence = Presence::Away { claim_in_ms: 42_000 };
    snapshot.seats.o = Seat::Human { player: OTHER, name: "Bob".parse().unwrap(), presence };
    let (mut session, now) = in_room(snapshot);
    assert_eq!(session.room().unwrap().away_opponent(), Some((Mark::O, after(now, 42))));

    let exchange = Event::Opening { game: 1, phase: OpeningPhase::Done, swapped: true };
    session.receive(event(11, exchange), after(now, 5));
    let view = session.room().unwrap();
    assert_eq!(view.mine, [Mark::O]);
    assert_eq!(view.state.score, Score { x: 1, o: 2, draws: 4 });
    assert_eq!(view.state.offers, ByMark { x: false, o: true });
    assert!(view.offered_by_me() && !view.offered_by_opponent());
    assert_eq!(
        view.away_opponent(),
        Some((Mark::X, after(now, 42))),
        "Bob is as long away as before"
    );
    assert_eq!(view.claim_from(Mark::O), None);
}
