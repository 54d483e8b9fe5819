//! Presence, as the session takes it in: an exchange of seats, answers to offers, and odd presence.

use noughts_protocol::{GameEnd, GameResult, PING_ID, Presence, SeatPresence, ServerMessage};

use super::*;
use crate::fixture::offered;

/// A pong of the room with a version and a presence.
fn pong(v: u64, presence: Presence) -> ConnectionEvent {
    let id = PING_ID;
    let room = Some(code());
    let v = Some(v);
    let presence = Some(presence);
    from_server(ServerMessage::Pong { id, room, v, party_v: None, presence })
}

/// The end of an opening at its first choice, in which the players exchange their seats.
fn exchange(snapshot: &Snapshot) -> Event {
    let seats = snapshot.seats.exchanged();
    let choice = OpeningChoice::X;
    let score = snapshot.score.exchanged();
    Event::Chosen { game: 1, choice, opening: None, seats, score }
}

#[test]
fn an_exchange_of_seats_takes_score_offers_and_absence_along() {
    let phase = OpeningPhase::Choosing { by: Mark::O, may_add: true };
    let mut snapshot = opening(phase, &[84, 98, 60]);
    snapshot.score = Score { x: 2, o: 1, draws: 4 };
    snapshot.presence = Presence { rematch: Some(Mark::X), ..away(42) };
    let mut driver = SessionDriver::in_room(snapshot.clone());
    let now = driver.now;
    assert_eq!(driver.view().away_opponent(), Some((Mark::O, after(now, 42))));

    driver.now = after(now, 5);
    driver.feed(event(11, exchange(&snapshot)));
    let view = driver.view();
    assert_eq!(view.mine, [Mark::O]);
    assert_eq!(view.my_turn(), Some(Mark::O));
    assert_eq!(view.state.score, Score { x: 1, o: 2, draws: 4 });
    assert!(view.offered_by_me() && view.offered_by_opponent().is_none());
    assert_eq!(
        view.away_opponent(),
        Some((Mark::X, after(now, 42))),
        "Bob is as long away as before"
    );
    assert_eq!(view.claim_from(Mark::O), None);
    // The server tells the same by the new marks: nothing that people read.
    let mut told = here();
    (told.rematch, told.seats.x) = (Some(Mark::O), Some(SeatPresence::Away { claim_in_ms: 9 }));
    assert!(driver.feed(presence(told)).is_empty());
}

#[test]
fn a_request_that_the_opponent_declines_is_not_one_that_is_withdrawn() {
    let mut driver = SessionDriver::in_room(snapshot("3x3x3", &[0, 3]));
    let asks = || presence(Presence { take_back: Some(Mark::X), ..here() });
    driver.feed(asks());
    let happened = driver.feed(presence(here()));
    let [Happening::Presence(changes)] = &happened[..] else { panic!("{happened:?}") };
    assert_eq!(changes[..], [PresenceChange::Declined(Mark::O)]);
    driver.feed(asks());
    driver.ask(driver.session.take_back()).unwrap();
    let happened = driver.feed(presence(here()));
    let [Happening::Presence(changes)] = &happened[..] else { panic!("{happened:?}") };
    assert_eq!(changes[..], [PresenceChange::TakeBack { mark: Mark::X, asks: false }]);
}

#[test]
fn an_offer_that_the_opponent_declines_is_not_one_that_is_withdrawn_or_answered_by_another() {
    let changes = |after: Presence, withdraws: bool| {
        let mut driver = SessionDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
        driver.feed(presence(offered(Some(Mark::X))));
        if withdraws {
            driver.ask(driver.session.rematch()).unwrap();
        }
        match &driver.feed(presence(after))[..] {
            [Happening::Presence(changes)] => changes.clone(),
            other => panic!("{other:?}"),
        }
    };
    let ended = PresenceChange::Rematch { mark: Mark::X, offered: false, series: None };
    assert_eq!(changes(here(), false), [PresenceChange::Declined(Mark::O)]);
    assert_eq!(changes(here(), true), [ended]);
    let countered = PresenceChange::Rematch { mark: Mark::O, offered: true, series: None };
    assert_eq!(changes(offered(Some(Mark::O)), false), [countered]);
}

#[test]
fn presence_that_cannot_be_harms_nothing() {
    let greatest = SeatPresence::Away { claim_in_ms: u32::MAX };
    let mut odd = Presence { spectators: u32::MAX, rematch: Some(Mark::O), ..Presence::default() };
    (odd.seats.x, odd.seats.o) = (Some(greatest), Some(greatest));
    let end = GameEnd { result: GameResult::NoLineLeft, score: Score::default(), id: None };
    for room in [waiting(), against_computer(&[]), snapshot("3x3x3", &[]), snapshot("19x19x5", &[])]
    {
        let opponent = room.seats.o.player();
        let mut driver = SessionDriver::in_room(room);
        driver.feed(presence(odd));
        driver.feed(pong(10, odd));
        let view = driver.view();
        assert_eq!(view.away_opponent().is_some(), opponent.is_some(), "only people go away");
        driver.feed(event(11, Event::GameOver { game: 1, end: end.clone() }));
        driver.feed(presence(Presence::default()));
        assert!(driver.view().away_opponent().is_none());
    }
}
