//! The conversation in lines, with a server's messages fed in.

use noughts_protocol::{
    Event, Mark, OpeningChoice, OpeningPhase, RefusalCode, Role, Seat, ServerMessage, Snapshot,
    Standing,
};

use super::*;
use crate::fixture::{
    OTHER, against_computer, applied, code, evaluation, event, hint, human, moves, opening,
    refused, review, shown, snapshot, waiting, welcome,
};

struct Bench {
    game: Game,
    now: Instant,
}

impl Bench {
    fn new(goal: Goal, patient: bool) -> Self {
        let ids = IntentIds::starting_at(0);
        let game = Game::new(goal, ServerAddress::default(), ids, patient);
        let mut bench = Self { game, now: Instant::now() };
        bench.feed(welcome());
        bench
    }

    fn in_room(snapshot: Snapshot, patient: bool) -> Self {
        let mut bench = Self::new(Goal::Join { room: code(), role: Role::Player }, patient);
        let join = bench.game.take_intents().remove(0);
        bench.feed(applied(&join));
        bench.feed(shown(snapshot));
        bench.game.take_text();
        bench
    }

    fn feed(&mut self, incoming: Incoming) {
        self.game.receive(incoming, self.now);
    }

    /// Types a line; gives what is said at once.
    fn say(&mut self, line: &str) -> String {
        self.game.line(line.to_owned());
        self.game.take_text()
    }

    fn sent(&mut self) -> Vec<ClientMessage> {
        self.game.take_intents()
    }
}

#[test]
fn wrong_input_says_what_is_right() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[0, 4]), false);
    assert!(bench.say("10").contains("type a number from 1 to 9"));
    assert!(bench.say("\u{1b}[2J").contains("that is not a cell"));
    assert_eq!(bench.say("5"), "cell 5 is taken by O: choose an empty one\n");
    assert!(bench.say("rematch").contains("is over"));
    assert!(bench.say("claim").contains("nothing to claim"));
    assert!(bench.say("help").contains("resign"));
    assert!(bench.sent().is_empty());
    bench.say("b3");
    assert!(matches!(bench.sent()[..], [ClientMessage::Play { cell, .. }] if cell.0 == 7));
}

#[test]
fn a_script_waits_for_its_turn() {
    let start = against_computer(&[]);
    let mut bench = Bench::in_room(start.clone(), true);
    bench.say("5");
    let play = bench.sent().remove(0);
    bench.say("1");
    assert!(bench.sent().is_empty() && !bench.game.wants_line(), "no line is read ahead");
    bench.feed(applied(&play));
    let events = moves(&start, &[4, 8]);
    let mut events = events.into_iter();
    bench.feed(events.next().unwrap());
    assert!(bench.sent().is_empty(), "the computer is to move");
    bench.feed(events.next().unwrap());
    assert!(matches!(bench.sent()[..], [ClientMessage::Play { ply: 2, .. }]));
    assert!(bench.game.wants_line());
}

#[test]
fn a_person_is_told_at_once_that_it_is_early() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[0]), false);
    assert_eq!(bench.say("5"), "it is O's turn: wait for their move\n");
    assert!(bench.game.wants_line());
}

#[test]
fn moves_after_the_end_are_answered_and_rematch_is_waited_for() {
    let start = snapshot("3x3x3", &[0, 3, 1, 4]);
    let mut bench = Bench::in_room(start.clone(), true);
    bench.say("3");
    let play = bench.sent().remove(0);
    bench.feed(applied(&play));
    bench.say("rematch");
    for incoming in moves(&start, &[2]) {
        bench.feed(incoming);
    }
    let text = bench.game.take_text();
    assert!(text.contains("You win with row 1.\nScore: You 1, Bob 0, draws 0."), "{text}");
    let rematch = bench.sent().remove(0);
    bench.say("5");
    bench.feed(applied(&rematch));
    assert!(bench.sent().is_empty(), "the next game has not begun");
    let score = noughts_protocol::Score { x: 1, ..Default::default() };
    bench.feed(event(13, Event::GameStarted { game: 2, first: Mark::X, score }));
    assert!(matches!(bench.sent()[..], [ClientMessage::Play { game: 2, .. }]));
}

#[test]
fn the_end_of_input_waits_for_the_answer_then_goes() {
    let start = snapshot("3x3x3", &[]);
    let mut bench = Bench::in_room(start.clone(), true);
    bench.say("5");
    let play = bench.sent().remove(0);
    bench.game.end_of_input();
    assert_eq!(bench.game.exit(), None);
    bench.feed(applied(&play));
    assert_eq!(bench.game.exit(), None, "the move is not on the board yet");
    bench.feed(moves(&start, &[4]).remove(0));
    assert_eq!(bench.game.exit(), Some(Exit::Done));
    assert!(bench.sent().is_empty(), "the seat is kept");
}

#[test]
fn who_watches_goes_on_after_the_end_of_input() {
    let mut watched = snapshot("3x3x3", &[]);
    watched.you.clear();
    let mut bench = Bench::in_room(watched, true);
    bench.game.end_of_input();
    assert_eq!(bench.game.exit(), None);
    let reason = noughts_protocol::CloseReason::Left;
    bench.feed(event(11, Event::Closed { reason }));
    assert_eq!(bench.game.exit(), Some(Exit::Done));
}

#[test]
fn quitting_leaves_the_seat() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[]), false);
    bench.say("quit");
    let leave = bench.sent().remove(0);
    assert!(matches!(leave, ClientMessage::Leave { .. }));
    assert_eq!(bench.game.exit(), None);
    bench.feed(applied(&leave));
    assert_eq!(bench.game.exit(), Some(Exit::Done));
}

#[test]
fn a_room_says_how_to_join_it() {
    let mut bench = Bench::new(Goal::Join { room: code(), role: Role::Player }, true);
    bench.feed(shown(waiting()));
    let text = bench.game.take_text();
    assert!(text.contains("noughts play KQRZX --server localhost"), "{text}");
    let seat: Seat = human(OTHER, "Bob");
    bench.feed(event(11, Event::Seated { mark: Mark::O, seat }));
    assert_eq!(bench.game.take_text(), "Bob joins as O.\n");
}

#[test]
fn taken_seats_and_unknown_codes_end_with_advice() {
    for (code, says) in
        [(RefusalCode::SeatsTaken, "noughts watch"), (RefusalCode::NoSuchRoom, "no room")]
    {
        let goal = Goal::Join { room: crate::fixture::code(), role: Role::Player };
        let mut bench = Bench::new(goal, true);
        let join = bench.sent().remove(0);
        bench.feed(refused(&join, code, "no room for you"));
        let Some(Exit::Refused(why)) = bench.game.exit() else { panic!() };
        assert!(why.contains(says), "{why}");
    }
}

#[test]
fn control_c_asks_once_during_a_game() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[]), false);
    bench.game.interrupt();
    assert_eq!(bench.game.exit(), None);
    bench.game.interrupt();
    assert_eq!(bench.game.exit(), Some(Exit::Done));
}

#[test]
fn a_script_waits_for_its_lesson() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[4, 0]), true);
    bench.say("hint");
    let ask = bench.sent().remove(0);
    assert!(matches!(ask, ClientMessage::Hint { game: 1, .. }));
    bench.say("2");
    bench.feed(applied(&ask));
    assert!(bench.sent().is_empty(), "the next line waits for the hint");
    bench.feed(hint(2, &[1, 2], "keeps the draw"));
    assert_eq!(bench.game.take_text(), "Hint: 2 or 3 (keeps the draw).\n");
    assert!(matches!(bench.sent()[..], [ClientMessage::Play { .. }]));
}

#[test]
fn a_refused_lesson_holds_nothing_up() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[]), true);
    bench.say("hint");
    let ask = bench.sent().remove(0);
    bench.feed(refused(&ask, RefusalCode::HintsOff, "this room gives no hints"));
    assert_eq!(bench.game.take_text(), "this room gives no hints\n");
    bench.say("1");
    assert!(matches!(bench.sent()[..], [ClientMessage::Play { .. }]));
}

#[test]
fn a_review_is_told_move_by_move() {
    let cells = [0, 3, 1, 4, 2];
    let mut bench = Bench::in_room(snapshot("3x3x3", &cells), false);
    bench.say("review");
    let ask = bench.sent().remove(0);
    bench.feed(applied(&ask));
    bench.game.end_of_input();
    assert!(bench.game.exit().is_none(), "the review is still to come");
    bench.feed(review(&cells));
    let text = bench.game.take_text();
    assert!(text.starts_with("Review of game 1:\n  1. X 1  best (won)\n"), "{text}");
    assert!(text.contains("  2. O 4  mistake: drawn -> lost\n"), "{text}");
    assert!(text.ends_with("1 mistake, proven.\n"), "{text}");
    assert!(bench.game.exit().is_some());
}

#[test]
fn a_review_that_is_too_early_holds_nothing_up() {
    for early in ["review", "rematch"] {
        let mut bench = Bench::in_room(snapshot("3x3x3", &[4, 0]), true);
        assert!(bench.say(early).contains("over") || early == "review");
        bench.say("2");
        assert!(matches!(bench.sent()[..], [ClientMessage::Play { .. }]), "{early}");
        let mut bench = Bench::in_room(waiting(), true);
        assert!(!bench.say(early).is_empty());
        bench.say("quit");
        assert!(matches!(bench.sent()[..], [ClientMessage::Leave { .. }]), "{early}");
    }
    // The opponent's move may be the last one.
    let start = snapshot("3x3x3", &[0, 3, 1, 4, 8]);
    let mut bench = Bench::in_room(start.clone(), true);
    assert_eq!(bench.say("review"), "");
    for incoming in moves(&start, &[5]) {
        bench.feed(incoming);
    }
    assert!(matches!(bench.sent()[..], [ClientMessage::Review { game: 1, .. }]));
}

#[test]
fn a_review_of_moves_that_cannot_be_is_told_all_the_same() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]), false);
    let Incoming::Message(ServerMessage::Review(mut lie)) = review(&[0]) else { panic!() };
    lie.moves[0].ply = u16::MAX;
    lie.moves[0].cell = noughts_protocol::Cell(u16::MAX);
    bench.feed(Incoming::Message(ServerMessage::Review(lie)));
    assert!(bench.game.take_text().contains("65536. O"));
}

#[test]
fn who_watches_hears_how_the_game_stands() {
    let mut watched = snapshot("3x3x3", &[0, 1]);
    watched.you.clear();
    let mut bench = Bench::in_room(watched, false);
    bench.feed(evaluation(2, Standing::XWins));
    assert_eq!(bench.game.take_text(), "Best play: X wins.\n");
    assert!(bench.say("hint").contains("your turn"));
}

#[test]
fn a_script_waits_for_its_part_of_an_opening() {
    let placing = OpeningPhase::Placing { by: Mark::O, until_ply: 3 };
    let start = opening(placing, &[112, 113]);
    let mut bench = Bench::in_room(start.clone(), true);
    bench.say("choose x");
    for incoming in moves(&start, &[150]) {
        bench.feed(incoming);
    }
    assert!(bench.sent().is_empty(), "the mark is there, the choice is not due yet");
    assert!(!bench.game.take_text().contains("turn"), "what is next comes with the next event");
    let phase = OpeningPhase::Choosing { by: Mark::X, may_add: true };
    bench.feed(event(12, Event::Opening { game: 1, phase, swapped: false }));
    let choose = bench.sent().remove(0);
    assert!(matches!(choose, ClientMessage::Choose { choice: OpeningChoice::X, .. }));
    assert!(bench.game.take_text().contains("Type choose x, choose o or choose add."));
    bench.say("h9");
    bench.feed(applied(&choose));
    assert!(bench.sent().is_empty(), "the choice is not made yet");
    let phase = OpeningPhase::Done;
    bench.feed(event(13, Event::Opening { game: 1, phase, swapped: false }));
    assert!(bench.sent().is_empty(), "O moves");
    assert!(bench.game.take_text().contains("The sides are chosen. You play X, Bob plays O."));
}

#[test]
fn what_is_not_due_in_an_opening_is_said() {
    let choosing = OpeningPhase::Choosing { by: Mark::X, may_add: false };
    let mut bench = Bench::in_room(opening(choosing, &[112, 113, 150, 151, 7]), true);
    assert_eq!(bench.say("h9"), "choose a side first\n");
    assert!(bench.say("choose add").contains("choose x or o"));
    let placing = OpeningPhase::Placing { by: Mark::X, until_ply: 3 };
    let mut bench = Bench::in_room(opening(placing, &[112]), true);
    assert!(bench.say("choose x").contains("nothing for you to choose"));
    assert!(bench.sent().is_empty());
}
