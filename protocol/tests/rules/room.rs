//! The fold over a room's facts: gaps, and the snapshot that stands for it.

use noughts_protocol::{
    ByMark, Cell, Computer, Event, GameEnd, GameResult, Mark, OpeningChoice, OpeningPhase,
    OutOfStep, PlayerId, Presence, RoomCode, RoomRatings, RoomSettings, RoomState, Score, Seat,
    SeatPresence, SeatRating, Series,
};

pub(super) fn human(player: u64, name: &str) -> Seat {
    let name = name.parse().expect("a name that the test made up");
    Seat::Human { player: PlayerId(player), name }
}

pub(super) fn started(game: u32, score: Score, opening: Option<OpeningPhase>) -> Event {
    Event::GameStarted {
        game,
        first: Mark::X,
        score,
        opening,
        series: Series::default(),
        playable: None,
    }
}

pub(crate) fn moved(ply: u16, mark: Mark, cell: u16) -> Event {
    moved_in_opening(ply, mark, cell, None)
}

pub(super) fn moved_in_opening(
    ply: u16,
    mark: Mark,
    cell: u16,
    opening: Option<OpeningPhase>,
) -> Event {
    Event::Moved {
        game: 1,
        ply,
        mark,
        cell: Cell(cell),
        placed: None,
        effect: None,
        playable: None,
        over: None,
        opening,
        reason: None,
    }
}

/// Ada takes X, Ben takes O, and their first game begins.
pub(super) fn two_players(opening: Option<OpeningPhase>) -> Vec<Event> {
    vec![
        Event::Seated { mark: Mark::X, seat: human(1, "Ada") },
        Event::Seated { mark: Mark::O, seat: human(2, "Ben") },
        started(1, Score::default(), opening),
    ]
}

/// A room with these settings in which `events` happened.
pub(super) fn apply_all(settings: RoomSettings, events: &[Event]) -> RoomState {
    let mut room = RoomState::new(RoomCode::from_number(7), settings);
    for (v, event) in (1..).zip(events) {
        room.apply(v, event).unwrap_or_else(|e| panic!("{event:?}: {e}"));
    }
    room
}

/// X has taken the centre.
pub(super) fn running() -> RoomState {
    let mut events = two_players(None);
    events.push(moved(0, Mark::X, 4));
    apply_all(RoomSettings::default(), &events)
}

/// The state is unchanged by an event that is refused for this reason.
pub(super) fn check_refused(room: &RoomState, v: u64, event: &Event, expected: OutOfStep) {
    let mut changed = room.clone();
    assert_eq!(changed.apply(v, event), Err(expected), "{event:?}");
    assert_eq!(&changed, room, "a refused event leaves no trace");
}

#[test]
fn seats_and_a_players_id_say_which_marks_are_theirs() {
    let marks = |room: &RoomState, player| room.marks_of(PlayerId(player)).collect::<Vec<_>>();
    let room = running();
    assert_eq!(marks(&room, 1), [Mark::X]);
    assert_eq!(marks(&room, 2), [Mark::O]);
    assert_eq!(marks(&room, 3), []);
    let alone = Mark::BOTH.map(|mark| Event::Seated { mark, seat: human(1, "Ada") });
    assert_eq!(marks(&apply_all(RoomSettings::default(), &alone), 1), Mark::BOTH);
}

#[test]
fn a_missing_or_repeated_event_is_a_gap() {
    for got in [0, 3, 4, 6, u64::MAX] {
        let gap = OutOfStep::Gap { expected: 5, got };
        check_refused(&running(), got, &moved(1, Mark::O, 0), gap);
    }
}

#[test]
fn the_greatest_numbers_of_a_broken_server_do_no_harm() {
    let mut snapshot = running().to_snapshot(Presence::default(), None);
    snapshot.v = u64::MAX;
    snapshot.score = Score { x: u32::MAX, o: u32::MAX, draws: u32::MAX };
    if let Some(game) = &mut snapshot.game {
        game.number = u32::MAX;
    }
    let mut room = RoomState::from_snapshot(&snapshot).unwrap();
    let gap = OutOfStep::Gap { expected: u64::MAX, got: 0 };
    check_refused(&room, 0, &moved(1, Mark::O, 0), gap);
    let result = GameResult::Time { winner: Mark::X };
    let score = room.score.with(&result);
    assert_eq!(score, room.score);
    let over = Event::GameOver { game: u32::MAX, end: GameEnd { result, score, id: None } };
    assert_eq!(room.apply(u64::MAX, &over), Ok(()));
    assert!(room.apply(u64::MAX, &started(0, score, None)).is_err());
    assert!(room.apply(u64::MAX, &started(u32::MAX, score, None)).is_err());
}

#[test]
fn what_passes_goes_with_the_player() {
    use Mark::{O, X};
    let here = Some(SeatPresence::Connected);
    let gone = Some(SeatPresence::Gone);
    let series = Some(Series { first_to: Some(3) });
    // The last game has changed the ratings of these players.
    let rating = |seat: Option<SeatPresence>| {
        let rating = SeatRating { rating: 1523, provisional: true, before: Some(1515) };
        (seat == here).then_some(rating)
    };
    let told = |x, o, rematch: Option<Mark>| Presence {
        seats: ByMark { x, o },
        spectators: 2,
        rematch,
        series: series.filter(|_| rematch.is_some()),
        ratings: Some(RoomRatings { rated: true, seats: ByMark { x: rating(x), o: rating(o) } }),
        take_back: None,
        hints: None,
    };
    let seats = ByMark { x: human(1, "Ada"), o: human(2, "Ben") };
    let check = |before: Presence, event: &Event, after: Presence| {
        assert_eq!(before.after(event, &seats), after, "{event:?}");
    };
    let seated = |mark, seat| Event::Seated { mark, seat };
    let chosen = |seats| {
        let choice = OpeningChoice::X;
        let score = Score::default();
        Event::Chosen { game: 1, choice, opening: None, seats, score }
    };
    let before = told(here, gone, Some(O));
    check(before, &seated(X, human(1, "Ada L.")), before);
    check(before, &seated(X, human(3, "Eve")), told(None, gone, Some(O)));
    check(before, &seated(X, Seat::Open), told(None, gone, Some(O)));
    check(before, &seated(O, Seat::Open), told(here, None, None));
    check(told(here, gone, None), &seated(O, Seat::Open), told(here, None, None));
    check(before, &seated(O, Seat::Computer(Computer::default())), told(here, None, None));
    check(before, &seated(O, human(1, "Ada")), told(here, here, None));
    check(before, &chosen(seats.clone()), before);
    check(before, &chosen(seats.exchanged()), told(gone, here, Some(X)));
    check(told(here, gone, None), &chosen(seats.exchanged()), told(gone, here, None));
    let without_change = RoomRatings::at_start;
    let started_now = told(here, gone, None);
    let started_now = Presence { ratings: started_now.ratings.map(without_change), ..started_now };
    check(before, &started(2, Score::default(), None), started_now);
    assert_eq!(started_now.ratings.unwrap().seats.x.unwrap().change(), None);
    assert_eq!(before.ratings.unwrap().seats.x.unwrap().change(), Some(8));
    check(before, &moved(0, X, 4), before);
}

#[test]
fn seats_have_names_for_people() {
    assert_eq!(Seat::Open.label(), "(open seat)");
    assert_eq!(human(1, "Ada").label(), "Ada");
    assert_eq!(Seat::Computer(Computer::default()).label(), "computer (minimax, average)");
}
