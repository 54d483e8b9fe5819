//! Events that contradict a room's state, and snapshots that no room has: one case a line.

use noughts_protocol::{
    BoardSpec, ByMark, Cell, CloseReason, Computer, Contradiction, Event, GameRecord, GameResult,
    IllegalMove, Mark, OpeningPhase, OutOfStep, PartyCode, PartyTable, Presence, RoomCode,
    RoomSettings, RoomState, Score, Seat, Snapshot,
};
use serde_json::{Value, json};

use super::room::{apply_all, check_refused, human, moved, running, two_players};

const ZERO: Score = Score { x: 0, o: 0, draws: 0 };

fn event(value: Value) -> Event {
    serde_json::from_value(value).expect("an event that the test made up")
}

/// The event is refused as the next one, for this reason.
fn check(room: &RoomState, value: Value, expected: Contradiction) {
    check_refused(room, room.v + 1, &event(value), OutOfStep::Contradiction(expected));
}

fn check_fits(room: &RoomState, value: Value) -> RoomState {
    let mut room = room.clone();
    let event = event(value);
    room.apply(room.v + 1, &event).unwrap_or_else(|e| panic!("{event:?}: {e}"));
    room
}

fn ada() -> Value {
    json!(human(1, "Ada"))
}

fn eve() -> Value {
    json!(human(3, "Eve"))
}

fn score(x: u32, o: u32, draws: u32) -> Value {
    json!({"x": x, "o": o, "draws": draws})
}

/// X has the cells 0 and 1, O has 3 and 4, and X is to move.
fn before_a_row() -> RoomState {
    let mut events = two_players(None);
    for (ply, cell) in [(0, 0), (1, 3), (2, 1), (3, 4)] {
        events.push(moved(ply, [Mark::X, Mark::O][usize::from(ply % 2)], cell));
    }
    apply_all(RoomSettings::default(), &events)
}

/// Three marks are on the board, and O chooses.
fn before_a_choice() -> RoomState {
    let settings = json!({"board": {"width": 15, "height": 15, "line": 5}, "opening": "swap2"});
    let settings = serde_json::from_value(settings).expect("settings that the test made up");
    let mut events = two_players(Some(OpeningPhase::first(Mark::X)));
    events.extend([moved(0, Mark::X, 112), moved(1, Mark::O, 113)]);
    let room = apply_all(settings, &events);
    check_fits(&room, placed(2, "x", 114, &json!({"state":"choosing","by":"o","may_add":true})))
}

fn placed(ply: u16, mark: &str, cell: u16, opening: &Value) -> Value {
    json!({"kind":"moved","game":1,"ply":ply,"mark":mark,"cell":cell,"opening":opening})
}

#[test]
fn a_move_tells_the_result_that_the_rules_give() {
    use Contradiction::{Opening, Result, Score};
    let row =
        json!({"how":"line","winner":"x","lines":[{"kind":"row","number":1,"cells":[0,1,2]}]});
    let play = |cell: u16, over: Value| json!({"kind":"moved","game":1,"ply":4,"mark":"x","cell":cell,"over":over});
    let over = |result: &Value, score| json!({"result": result, "score": score});
    let room = before_a_row();
    let won = check_fits(&room, play(2, over(&row, score(1, 0, 0))));
    assert_eq!((won.turn(), won.is_running(), won.score.x), (None, false, 1));
    check_fits(&room, play(8, json!(null)));
    check(&room, play(2, json!(null)), Result);
    check(&room, play(8, over(&row, score(1, 0, 0))), Result);
    check(&room, play(2, over(&json!({"how":"board_full"}), score(0, 0, 1))), Result);
    check(&room, play(2, over(&json!({"how":"time","winner":"x"}), score(1, 0, 0))), Result);
    let column =
        json!({"how":"line","winner":"x","lines":[{"kind":"column","number":1,"cells":[0,3,6]}]});
    check(&room, play(2, over(&column, score(1, 0, 0))), Result);
    check(&room, play(2, over(&row, score(0, 0, 0))), Score);
    check(&room, play(2, over(&row, score(0, 1, 0))), Score);
    check(&room, placed(4, "x", 8, &json!({"state":"choosing","by":"o","may_add":true})), Opening);
}

#[test]
fn events_name_the_running_game() {
    let over = |game: u32| {
        let result = json!({"how":"resignation","winner":"x"});
        json!({"kind":"game_over","game":game,"result":result,"score":score(1, 0, 0)})
    };
    let play = |game: u32| json!({"kind":"moved","game":game,"ply":1,"mark":"o","cell":0});
    let choose = |game: u32| json!({"kind":"chosen","game":game,"choice":"o","score":ZERO,"seats":running().seats});
    let ended = check_fits(&running(), over(1));
    let empty = RoomState::new(RoomCode::from_number(7), RoomSettings::default());
    for (room, game) in [(&running(), 0), (&running(), 2), (&ended, 1), (&ended, 2), (&empty, 1)] {
        for value in [play(game), over(game), choose(game)] {
            check(room, value, Contradiction::Game);
        }
    }
}

#[test]
fn a_game_ends_without_a_move_only_by_resignation_time_or_absence() {
    let over =
        |result: Value, score| json!({"kind":"game_over","game":1,"result":result,"score":score});
    let room = running();
    for how in ["resignation", "time", "absence"] {
        check_fits(&room, over(json!({"how":how,"winner":"o"}), score(0, 1, 0)));
        check(&room, over(json!({"how":how,"winner":"o"}), score(1, 0, 0)), Contradiction::Score);
    }
    check_fits(&room, over(json!({"how":"absence","winner":null}), score(0, 0, 1)));
    let line = json!({"how":"line","winner":"o","lines":[]});
    for (result, score) in [
        (line, score(0, 1, 0)),
        (json!({"how":"board_full"}), score(0, 0, 1)),
        (json!({"how":"no_line_left"}), score(0, 0, 1)),
    ] {
        check(&room, over(result, score), Contradiction::Result);
    }
}

#[test]
fn a_seat_is_given_up_before_another_takes_it_and_never_in_a_game() {
    use Contradiction::Seat as Refused;
    let seated = |mark: &str, seat: Value| json!({"kind":"seated","mark":mark,"seat":seat});
    let open = json!(Seat::Open);
    let computer = json!(Seat::Computer(Computer::default()));
    let waiting = apply_all(RoomSettings::default(), &two_players(None)[..1]);
    for seat in [ada(), eve(), computer.clone()] {
        check_fits(&waiting, seated("o", seat));
    }
    check_fits(&waiting, seated("x", open.clone()));
    check(&waiting, seated("x", eve()), Refused);
    check(&waiting, seated("x", computer.clone()), Refused);
    for seat in [open, eve(), computer] {
        check(&running(), seated("x", seat), Refused);
    }
    let renamed = check_fits(&running(), seated("x", json!(human(1, "Ada L."))));
    assert_eq!(renamed.seats.x.label(), "Ada L.");
}

/// A party gives an entrant's place, and with it the seat, to another player.
#[test]
fn at_a_table_of_a_party_a_seat_goes_to_another_player_in_a_game() {
    let seated = |seat: Value| json!({"kind":"seated","mark":"x","seat":seat});
    let table =
        PartyTable { party: PartyCode(RoomCode::from_number(1)), pairing: 1, table: 1, game: 1 };
    let settings = RoomSettings { party: Some(table), ..RoomSettings::default() };
    let running = apply_all(settings, &two_players(None));
    assert_eq!(check_fits(&running, seated(eve())).seats.x.label(), "Eve");
    for seat in [json!(Seat::Open), json!(Seat::Computer(Computer::default()))] {
        check(&running, seated(seat), Contradiction::Seat);
    }
}

#[test]
fn a_game_begins_when_both_seats_are_taken_and_no_game_is_running() {
    use Contradiction::{Opening, Score, Start};
    let starts = |game: u32, score, opening: Value| json!({"kind":"game_started","game":game,"first":"x","score":score,"opening":opening});
    let none = || json!(null);
    let placing = || json!({"state":"placing","by":"o","until_ply":3});
    let events = two_players(None);
    let settings = RoomSettings::default();
    let ready = apply_all(settings, &events[..2]);
    check_fits(&ready, starts(1, score(0, 0, 0), none()));
    check(&ready, starts(0, score(0, 0, 0), none()), Start);
    check(&ready, starts(2, score(0, 0, 0), none()), Start);
    check(&ready, starts(1, score(1, 0, 0), none()), Score);
    check(&ready, starts(1, score(0, 0, 0), placing()), Opening);
    check(&apply_all(settings, &events[..1]), starts(1, score(0, 0, 0), none()), Start);
    check(&running(), starts(2, score(0, 0, 0), none()), Start);
    let result = json!({"how":"time","winner":"x"});
    let over = json!({"kind":"game_over","game":1,"result":result,"score":score(1, 0, 0)});
    let ended = check_fits(&running(), over);
    check_fits(&ended, starts(2, score(1, 0, 0), none()));
    check_fits(&ended, starts(2, score(0, 0, 0), none()));
    check(&ended, starts(2, score(2, 0, 0), none()), Score);
    check(&ended, starts(1, score(1, 0, 0), none()), Start);
    let swap2 = RoomSettings { opening: noughts_protocol::Opening::Swap2, ..settings };
    let ready = apply_all(swap2, &events[..2]);
    check_fits(&ready, starts(1, score(0, 0, 0), placing()));
    check(&ready, starts(1, score(0, 0, 0), none()), Opening);
    let later = json!({"state":"placing","by":"o","until_ply":5});
    check(&ready, starts(1, score(0, 0, 0), later), Opening);
    let mut o_first = starts(1, score(0, 0, 0), placing());
    o_first["first"] = json!("o");
    check(&ready, o_first, Opening);
}

#[test]
fn a_phase_ends_when_its_marks_are_placed() {
    let settings = before_a_choice().settings;
    let mut events = two_players(Some(OpeningPhase::first(Mark::X)));
    events.push(moved(0, Mark::X, 112));
    let room = apply_all(settings, &events);
    let choosing = |by, may_add| json!({"state":"choosing","by":by,"may_add":may_add});
    check(&room, placed(1, "o", 113, &choosing("o", true)), Contradiction::Opening);
    let room = check_fits(&room, placed(1, "o", 113, &json!(null)));
    check(&room, placed(2, "x", 114, &json!(null)), Contradiction::Opening);
    check(&room, placed(2, "x", 114, &choosing("x", true)), Contradiction::Opening);
    check(&room, placed(2, "x", 114, &choosing("o", false)), Contradiction::Opening);
    let room = check_fits(&room, placed(2, "x", 114, &choosing("o", true)));
    let first = Contradiction::Move(IllegalMove::ChoiceFirst);
    check(&room, placed(3, "o", 115, &json!(null)), first);
}

#[test]
fn a_choice_leads_to_its_seats_score_and_phase() {
    use Contradiction::{Choice, Opening, Score};
    let room = before_a_choice();
    let ByMark { x: ada, o: ben } = room.seats.clone();
    let same = json!({"x": ada, "o": ben});
    let exchanged = json!({"x": ben, "o": ada});
    let choose = |choice: &str, seats: &Value, score: &Value, opening: &Value| {
        json!({"kind":"chosen","game":1,"choice":choice,"opening":opening,"seats":seats,
               "score":score})
    };
    let none = json!(null);
    let zero = score(0, 0, 0);
    let placing = json!({"state":"placing","by":"o","until_ply":5});
    check_fits(&room, choose("o", &same, &zero, &none));
    check_fits(&room, choose("x", &exchanged, &zero, &none));
    check(&room, choose("o", &exchanged, &zero, &none), Choice);
    check(&room, choose("x", &same, &zero, &none), Choice);
    check(&room, choose("x", &json!({"x": ben, "o": eve()}), &zero, &none), Choice);
    check(&room, choose("o", &same, &score(1, 0, 0), &none), Score);
    check(&room, choose("o", &same, &zero, &placing), Opening);
    check(&room, choose("add", &same, &zero, &none), Opening);
    check(&room, choose("add", &exchanged, &zero, &placing), Choice);
    let mut scored = room.clone();
    scored.score.x = 2;
    check_fits(&scored, choose("x", &exchanged, &score(0, 2, 0), &none));
    check(&scored, choose("x", &exchanged, &score(2, 0, 0), &none), Score);
    let adding = check_fits(&room, choose("add", &same, &zero, &placing));
    check(&adding, choose("o", &same, &zero, &none), Opening);
    let chosen = check_fits(&room, choose("o", &same, &zero, &none));
    check(&chosen, choose("o", &same, &zero, &none), Opening);
}

#[test]
fn nothing_happens_in_a_closed_room() {
    let closed = check_fits(&running(), json!({"kind":"closed","reason":"idle"}));
    for value in [
        json!({"kind":"closed","reason":"idle"}),
        json!({"kind":"moved","game":1,"ply":1,"mark":"o","cell":0}),
        json!({"kind":"seated","mark":"x","seat":ada()}),
    ] {
        check(&closed, value, Contradiction::Closed);
    }
    assert!(closed.closed && CloseReason::Idle != CloseReason::Left);
}

/// The snapshot of a room whose game has this record instead.
fn with_record(room: &RoomState, change: impl FnOnce(&mut GameRecord)) -> Snapshot {
    let mut snapshot = room.to_snapshot(Presence::default(), None);
    change(snapshot.game.as_mut().expect("a game"));
    snapshot
}

#[test]
fn a_snapshot_is_of_a_room_that_can_be() {
    let refused = |snapshot: &Snapshot, expected| {
        let read = RoomState::from_snapshot(snapshot);
        assert_eq!(read, Err(OutOfStep::Contradiction(expected)), "{snapshot:?}");
    };
    let cells = |numbers: &[u16]| numbers.iter().copied().map(Cell).collect::<Vec<_>>();
    let spec = BoardSpec::TIC_TAC_TOE;
    let row = before_a_row();
    let taken = IllegalMove::CellTaken { cell: Cell(4), by: Mark::X, spec };
    refused(&with_record(&row, |game| game.moves = cells(&[4, 4])), Contradiction::Move(taken));
    let late = Contradiction::Move(IllegalMove::GameOver);
    refused(&with_record(&row, |game| game.moves = cells(&[0, 3, 1, 4, 2, 8])), late);
    let won = cells(&[0, 3, 1, 4, 2]);
    refused(&with_record(&row, |game| game.moves = won.clone()), Contradiction::Result);
    let time = GameResult::Time { winner: Mark::O };
    let told = with_record(&row, |game| (game.moves, game.result) = (won, Some(time.clone())));
    refused(&told, Contradiction::Result);
    let full = with_record(&row, |game| game.result = Some(GameResult::BoardFull));
    refused(&full, Contradiction::Result);
    let timed = with_record(&row, |game| game.result = Some(time.clone()));
    assert_eq!(RoomState::from_snapshot(&timed).map(|room| room.turn()), Ok(None));
    let opened = with_record(&row, |game| game.opening = Some(OpeningPhase::first(Mark::X)));
    refused(&opened, Contradiction::Opening);

    let choice = before_a_choice();
    assert!(RoomState::from_snapshot(&with_record(&choice, |_| ())).is_ok());
    refused(&with_record(&choice, |game| game.result = Some(time)), Contradiction::Opening);
    let placing = |until_ply| Some(OpeningPhase::Placing { by: Mark::X, until_ply });
    let choosing = |may_add| Some(OpeningPhase::Choosing { by: Mark::X, may_add });
    for (ply, phase, fits) in [
        (2, None, false),
        (2, placing(3), true),
        (2, placing(5), false),
        (2, choosing(true), false),
        (3, None, true),
        (3, placing(3), false),
        (3, placing(4), false),
        (3, placing(5), true),
        (3, choosing(false), false),
        (3, choosing(true), true),
    ] {
        let record = |game: &mut GameRecord| {
            game.moves.truncate(ply);
            game.opening = phase;
        };
        let read = RoomState::from_snapshot(&with_record(&choice, record));
        assert_eq!(read.is_ok(), fits, "{phase:?} with {ply} marks");
    }
}

#[test]
fn every_contradiction_is_told_to_people() {
    let why = OutOfStep::Contradiction(Contradiction::Move(IllegalMove::GameOver)).to_string();
    assert!(why.contains("contradict") && why.contains("this game is over"), "{why}");
}

#[test]
fn a_clock_is_set_where_one_runs_and_no_move_is_made_while_it_stands() {
    let clock = |game: u32| json!({"kind":"clock","game":game,"move_ms_left":5000,"stopped":true});
    let play = json!({"kind":"moved","game":1,"ply":0,"mark":"x","cell":4});
    check(&running(), clock(1), Contradiction::Clock);
    let settings = RoomSettings { move_time_ms: Some(10_000), ..RoomSettings::default() };
    let timed = apply_all(settings, &two_players(None));
    check(&timed, clock(2), Contradiction::Game);
    let stopped = check_fits(&timed, clock(1));
    check(&stopped, play.clone(), Contradiction::Clock);
    assert_eq!(stopped.move_limit(), None);
    check_fits(&check_fits(&stopped, json!({"kind":"clock","game":1,"move_ms_left":5000})), play);
}
