//! Whole series of a room, drawn at random among everything that may happen: after every fact the room
//! could be a snapshot, and the snapshot stands for all facts before it.

use noughts_protocol::{
    AfterMove, Cell, CloseReason, Computer, Event, GameEnd, GameResult, Mark, Move, NumberedGame,
    Opening, OpeningChoice, OpeningPhase, Presence, RoomCode, RoomSettings, RoomState, Score, Seat,
    Series, Snapshot,
};
use proptest::prelude::*;

use super::room::human;

/// The next fact of a room, by a number drawn at random.
fn next(room: &RoomState, pick: u16) -> Event {
    match room.running() {
        Some(running) => in_game(room, running, pick),
        None => between_games(room, pick),
    }
}

fn between_games(room: &RoomState, pick: u16) -> Event {
    if let Some(mark) = Mark::BOTH.into_iter().find(|mark| room.seats[*mark] == Seat::Open) {
        let player = u64::from(pick % 4);
        let seat = match player {
            0 => Seat::Computer(Computer::default()),
            player => human(player, "Ada"),
        };
        return Event::Seated { mark, seat };
    }
    if pick.is_multiple_of(5) {
        let mark = if pick.is_multiple_of(2) { Mark::X } else { Mark::O };
        return Event::Seated { mark, seat: Seat::Open };
    }
    let first = if pick.is_multiple_of(3) { Mark::O } else { Mark::X };
    let game = room.game.as_ref().map_or(1, |last| last.number + 1);
    let score = if pick.is_multiple_of(7) { Score::default() } else { room.score };
    // A new series begins at zero, also after one that is decided.
    let anew = Series { first_to: Some(1 + u8::from(pick.is_multiple_of(2))) };
    let series = if score == Score::default() { anew } else { room.series };
    let decided = room.series.winner(score).is_some();
    let score = if decided { Score::default() } else { score };
    let opening = (room.settings.opening == Opening::Swap2).then(|| OpeningPhase::first(first));
    Event::GameStarted {
        game,
        first: if opening.is_some() { Mark::X } else { first },
        score,
        opening,
        series,
    }
}

fn in_game(room: &RoomState, running: &NumberedGame, pick: u16) -> Event {
    let game = running.number;
    let winner = if pick.is_multiple_of(2) { Mark::X } else { Mark::O };
    let without_a_move = match pick % 50 {
        0 => Some(GameResult::Resignation { winner }),
        1 => Some(GameResult::Time { winner }),
        2 => Some(GameResult::Absence { winner: None, party: None }),
        _ => None,
    };
    let end = |result: GameResult| GameEnd { score: room.score.with(&result), result, id: None };
    if let Some(result) = without_a_move {
        return Event::GameOver { game, end: end(result) };
    }
    if let (3, Some(player)) = (pick % 50, room.seats[winner].player()) {
        return Event::Seated { mark: winner, seat: human(player.0, "Ada L.") };
    }
    if let Some(phase @ OpeningPhase::Choosing { .. }) = running.opening {
        let choices = [OpeningChoice::X, OpeningChoice::O, OpeningChoice::Add];
        let mut possible = choices.into_iter().cycle().skip(usize::from(pick % 3));
        let (choice, after) = possible
            .find_map(|choice| Some((choice, phase.after_choice(choice)?)))
            .expect("a side can be chosen");
        let seats = if after.swaps { room.seats.exchanged() } else { room.seats.clone() };
        let score = if after.swaps { room.score.exchanged() } else { room.score };
        return Event::Chosen { game, choice, opening: after.opening, seats, score };
    }
    let ply = running.game.ply();
    let mark = running.game.to_move();
    let empty: Vec<Cell> = running.game.board().empty_cells().collect();
    let from = usize::from(pick) % empty.len();
    let (before, after) = empty.split_at(from);
    let decided = after.iter().chain(before).find_map(|&cell| {
        let after = running.decide(Move { ply, mark, cell }).ok()?;
        Some((cell, after))
    });
    let (cell, AfterMove { result, opening }) = decided.expect("some move is legal");
    Event::Moved { game, ply, mark, cell, over: result.map(end), opening }
}

/// A snapshot as it is after the wire.
fn over_the_wire(room: &RoomState) -> Snapshot {
    let json = serde_json::to_string(&room.to_snapshot(Presence::default(), None));
    serde_json::from_str(&json.expect("a snapshot is JSON")).expect("a snapshot is read")
}

fn any_settings() -> impl Strategy<Value = RoomSettings> {
    let boards = vec!["3x3x3", "4x3x3", "13x13x3", "13x15x5"];
    (prop::sample::select(boards), any::<bool>(), any::<bool>()).prop_map(
        |(board, opens, early)| {
            let board: noughts_protocol::BoardSpec = board.parse().expect("a board");
            let swap2 = opens && board.admits_swap2();
            let opening = if swap2 { Opening::Swap2 } else { Opening::Free };
            RoomSettings { board, opening, early_draw: Some(early), ..RoomSettings::default() }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_fact_leaves_a_room_that_could_be_a_snapshot(
        settings in any_settings(),
        picks in prop::collection::vec(any::<u16>(), 0..120),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut room = RoomState::new(RoomCode::from_number(7), settings);
        let cut = cut.index(picks.len() + 1) as u64;
        let mut resumed = None;
        for (v, &pick) in (1..).zip(&picks) {
            if v == cut {
                resumed = RoomState::from_snapshot(&over_the_wire(&room)).ok();
            }
            let event = next(&room, pick);
            let mut advanced = room.clone();
            advanced.advance(&event);
            prop_assert_eq!(room.apply(v, &event), Ok(()), "{:?}", event);
            prop_assert_eq!(&advanced, &room, "the same with and without a check");
            prop_assert_eq!(RoomState::from_snapshot(&over_the_wire(&room)), Ok(room.clone()));
            prop_assert_eq!(room.v, v, "the version is the number of facts");
            if let Some(resumed) = &mut resumed {
                prop_assert_eq!(resumed.apply(v, &event), Ok(()));
            }
        }
        if let Some(resumed) = &mut resumed {
            prop_assert_eq!(&*resumed, &room);
        }
        let closed = Event::Closed { reason: CloseReason::Left };
        prop_assert_eq!(room.apply(room.v + 1, &closed), Ok(()));
        prop_assert!(room.closed);
    }
}
