//! The view, fed with typed lines and a server's messages.

use noughts_client::session::{ConnectionEvent, Input};
use noughts_protocol::{
    Cell, Event, Features, Mark, OpeningChoice, OpeningPhase, RefusalCode, Role, RoomCode,
    RoomIntent, RoomSettings, Score, Seat, SeatPresence, Series, ServerMessage, Snapshot, Standing,
};

use super::*;
use crate::fixture::{
    OTHER, against_computer, announcement, applied, away, code, evaluation, event, from_server,
    game_started, here, hint, human, moves, offered, opening, presence, refused, resigned, review,
    shown, snapshot, switched, waiting, watched, welcome,
};

mod phases;

struct ViewDriver {
    view: PlainView,
}

impl ViewDriver {
    fn new(action: Action, scripted: bool) -> Self {
        let view = PlainView::new(action, ServerAddress::default(), 0, scripted);
        let mut driver = Self { view };
        driver.feed(welcome());
        driver
    }

    fn in_room(snapshot: Snapshot, scripted: bool) -> Self {
        let mut driver = Self::new(Action::join(code(), Role::Player), scripted);
        let join = driver.view.console.take_messages().remove(0);
        driver.feed(applied(&join));
        driver.feed(shown(snapshot));
        driver.view.console.take_text();
        driver
    }

    fn feed(&mut self, incoming: ConnectionEvent) {
        let happenings = self.view.console.update(Input::Connection(incoming));
        self.view.happened(happenings);
    }

    fn feed_all(&mut self, incoming: Vec<ConnectionEvent>) {
        incoming.into_iter().for_each(|incoming| self.feed(incoming));
    }

    /// Types a line and returns the text that follows at once.
    fn type_line(&mut self, line: &str) -> String {
        self.view.line(line.to_owned());
        self.view.console.take_text()
    }

    fn sent(&mut self) -> Vec<ClientMessage> {
        self.view.console.take_messages()
    }

    /// The intents for the room that were sent.
    fn intents(&mut self) -> Vec<RoomIntent> {
        let intent = |message| match message {
            ClientMessage::Room { intent, .. } => intent,
            other => panic!("{other:?}"),
        };
        self.sent().into_iter().map(intent).collect()
    }
}

#[test]
fn who_asks_to_play_is_accepted_by_a_word() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]), false);
    assert_eq!(driver.type_line("accept"), "nobody asks you to play now\n");
    let room = RoomCode::from_number(7);
    driver.feed(from_server(ServerMessage::Challenged {
        room,
        player: OTHER,
        name: "Bob".parse().unwrap(),
        settings: RoomSettings::default(),
        expires_in_ms: 60_000,
    }));
    assert!(driver.view.console.take_text().contains("type accept"));
    driver.type_line("accept");
    let join = driver.sent().remove(0);
    let accepts = LobbyIntent::Join { room, role: Role::Player };
    assert!(matches!(&join, ClientMessage::Lobby { intent, .. } if *intent == accepts), "{join:?}");
    driver.feed(refused(&join, RefusalCode::SeatsTaken, "too late"));
    assert_eq!(driver.view.console.take_text(), "too late\n");
    assert_eq!(driver.view.exit(), None, "the room of before is still there");
}

#[test]
fn wrong_input_says_what_is_right() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[0, 4]), false);
    assert!(driver.type_line("10").contains("type a number from 1 to 9"));
    assert!(driver.type_line("\u{1b}[2J").contains("that is not a cell"));
    assert_eq!(driver.type_line("5"), "cell 5 is taken by O: choose an empty one\n");
    assert!(driver.type_line("rematch").contains("offer a rematch when your game is over"));
    assert!(driver.type_line("series 3").contains("begin a new series"));
    assert!(driver.type_line("claim").contains("nothing to claim"));
    assert!(driver.type_line("help").contains("resign"));
    assert!(driver.sent().is_empty());
    driver.type_line("b3");
    assert_eq!(
        driver.intents(),
        [RoomIntent::Play { game: 1, ply: 2, cell: Cell(7), placed: None }]
    );
    let gravity = crate::fixture::variant(Variant::Gravity, "7x6x4", &[]);
    let mut driver = ViewDriver::in_room(gravity, false);
    driver.type_line("d");
    assert!(matches!(driver.intents()[..], [RoomIntent::Play { cell: Cell(38), .. }]));
}

/// Without the question one wrong word loses the game.
#[test]
fn a_person_is_asked_before_a_game_is_given_up() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[0, 4]), false);
    assert_eq!(driver.type_line("resign"), "Type resign again to resign.\n");
    assert!(driver.type_line("quit").starts_with("Type quit again"), "another word begins anew");
    assert!(driver.type_line("board").contains("Your turn"));
    assert!(driver.type_line("quit").starts_with("Type quit again"));
    assert!(driver.sent().is_empty() && !driver.view.leaving);
    driver.type_line("quit");
    assert_eq!(driver.intents(), [RoomIntent::Leave]);
}

#[test]
fn who_listens_hears_moves_without_boards() {
    let start = snapshot("3x3x3", &[0, 4]);
    let mut driver = ViewDriver::in_room(start.clone(), false);
    assert!(!driver.type_line("board off").contains('|'));
    driver.feed_all(moves(&start, &[8]));
    let told = driver.view.console.take_text();
    assert_eq!(told, "You play 9 with X.\nBob's turn (O).\n");
    assert_eq!(driver.type_line("board"), "X: 1, 9. O: 5.\nBob's turn (O).\n");
    driver.type_line("board on");
    assert!(driver.type_line("board").contains('|'));
}

#[test]
fn who_comes_back_is_told_the_last_move() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[0]), false);
    driver.feed(shown(snapshot("3x3x3", &[0, 4])));
    assert!(driver.view.console.take_text().starts_with("Last move: O on 5.\n"));
}

#[test]
fn a_script_waits_for_its_turn() {
    let start = against_computer(&[]);
    let mut driver = ViewDriver::in_room(start.clone(), true);
    driver.type_line("5");
    let play = driver.sent().remove(0);
    driver.type_line("1");
    assert!(driver.sent().is_empty() && !driver.view.wants_line(), "no line is read ahead");
    let events = moves(&start, &[4, 8]);
    let mut events = events.into_iter();
    driver.feed(events.next().unwrap());
    driver.feed(applied(&play));
    assert!(driver.sent().is_empty(), "the computer is to move");
    driver.feed(events.next().unwrap());
    assert!(matches!(driver.intents()[..], [RoomIntent::Play { ply: 2, .. }]));
    assert!(driver.view.wants_line());
}

#[test]
fn moves_after_the_end_are_answered_and_rematch_is_waited_for() {
    let start = snapshot("3x3x3", &[0, 3, 1, 4]);
    let mut driver = ViewDriver::in_room(start.clone(), true);
    driver.type_line("3");
    let play = driver.sent().remove(0);
    driver.type_line("rematch");
    driver.feed_all(moves(&start, &[2]));
    driver.feed(applied(&play));
    let board = " X | X | X \n---+---+---\n O | O | 6 \n---+---+---\n 7 | 8 | 9 \n";
    let end = "You win with row 1.\nScore: You 1, Bob 0, draws 0.\n\
               Type rematch to play again, or type quit.\n";
    assert_eq!(driver.view.console.take_text(), format!("You play 3 with X.\n{board}{end}"));
    let rematch = driver.sent().remove(0);
    driver.type_line("5");
    driver.feed(presence(offered(Some(Mark::X))));
    driver.feed(applied(&rematch));
    assert!(driver.sent().is_empty(), "the next game has not begun");
    let score = Score { x: 1, ..Score::default() };
    driver.feed(event(12, game_started(2, Mark::X, score)));
    assert!(matches!(driver.intents()[..], [RoomIntent::Play { game: 2, .. }]));
}

#[test]
fn a_game_that_ends_without_a_move_shows_no_board_again() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[0]), false);
    driver.feed(resigned(11, 1, Mark::X, Score::default()));
    let expected = "You win: the opponent resigned.\nScore: You 1, Bob 0, draws 0.\n\
                    Type rematch to play again, or type quit.\n";
    assert_eq!(driver.view.console.take_text(), expected);
    let series = Series { first_to: Some(1) };
    let mut driver = ViewDriver::in_room(Snapshot { series, ..snapshot("3x3x3", &[0]) }, false);
    driver.feed(resigned(11, 1, Mark::X, Score::default()));
    let text = driver.view.console.take_text();
    let decided = "You win the series.\nType rematch for the next series, or type quit.\n";
    assert!(text.ends_with(decided), "{text}");
}

#[test]
fn the_end_of_input_waits_for_the_answer_then_goes() {
    let start = snapshot("3x3x3", &[]);
    let mut driver = ViewDriver::in_room(start.clone(), true);
    driver.type_line("5");
    let play = driver.sent().remove(0);
    driver.view.end_of_input();
    assert_eq!(driver.view.exit(), None);
    driver.feed(moves(&start, &[4]).remove(0));
    assert_eq!(driver.view.exit(), None, "the move is not answered yet");
    driver.feed(applied(&play));
    assert_eq!(driver.view.exit(), Some(Exit::Done));
    assert!(driver.sent().is_empty(), "the seat is kept");
}

#[test]
fn the_list_of_rooms_is_told_after_the_end_of_input_too() {
    let mut driver = ViewDriver::new(Action::Lobby, true);
    driver.view.end_of_input();
    let watch = driver.sent().remove(0);
    driver.feed(applied(&watch));
    assert_eq!(driver.view.exit(), None, "the list is still to come");
    let lobby = ServerMessage::Lobby { waiting: Vec::new(), playing: Vec::new(), more: 0 };
    driver.feed(from_server(lobby));
    assert!(driver.view.console.take_text().contains("no public rooms at the moment.\n"));
    assert_eq!(driver.view.exit(), Some(Exit::Done));
}

#[test]
fn the_link_of_another_server_leads_to_no_room_of_this_one() {
    let mut driver = ViewDriver::new(Action::Lobby, false);
    let watch = driver.sent().remove(0);
    driver.feed(applied(&watch));
    let lobby = ServerMessage::Lobby { waiting: Vec::new(), playing: Vec::new(), more: 0 };
    driver.feed(from_server(lobby));
    driver.type_line("http://elsewhere.example/r/KQRZX");
    assert!(driver.sent().is_empty());
    driver.type_line("KQRZX");
    assert_eq!(driver.sent().len(), 1);
}

#[test]
fn back_leads_from_the_list_of_rooms_to_the_menu() {
    let mut driver = ViewDriver::new(Action::Lobby, true);
    let watch = driver.sent().remove(0);
    driver.feed(applied(&watch));
    let lobby = ServerMessage::Lobby { waiting: Vec::new(), playing: Vec::new(), more: 0 };
    driver.feed(from_server(lobby));
    driver.type_line("Back");
    assert_eq!(driver.view.exit(), Some(Exit::Done));
}

#[test]
fn a_spectator_continues_after_the_end_of_input() {
    let watched = watched(snapshot("3x3x3", &[]));
    let mut driver = ViewDriver::in_room(watched, true);
    driver.view.end_of_input();
    assert_eq!(driver.view.exit(), None);
    let reason = noughts_protocol::CloseReason::Left;
    driver.feed(event(11, Event::Closed { reason }));
    assert_eq!(driver.view.exit(), Some(Exit::Done));
}

#[test]
fn quitting_leaves_the_seat() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[]), true);
    driver.type_line("quit");
    let leave = driver.sent().remove(0);
    assert!(matches!(leave, ClientMessage::Room { intent: RoomIntent::Leave, .. }));
    assert_eq!(driver.view.exit(), None);
    driver.feed(applied(&leave));
    assert_eq!(driver.view.exit(), Some(Exit::Done));
}

#[test]
fn a_room_says_how_to_join_it() {
    let mut driver = ViewDriver::new(Action::join(code(), Role::Player), true);
    driver.feed(shown(waiting()));
    let text = driver.view.console.take_text();
    assert!(text.contains("noughts play KQRZX --server localhost"), "{text}");
    let seat: Seat = human(OTHER, "Bob");
    driver.feed(event(11, Event::Seated { mark: Mark::O, seat }));
    assert_eq!(driver.view.console.take_text(), "Bob joins as O.\n");
}

#[test]
fn taken_seats_and_unknown_codes_end_with_advice() {
    for (code, says) in
        [(RefusalCode::SeatsTaken, "noughts watch"), (RefusalCode::NoSuchRoom, "no room")]
    {
        let action = Action::join(crate::fixture::code(), Role::Player);
        let mut driver = ViewDriver::new(action, true);
        let join = driver.sent().remove(0);
        driver.feed(refused(&join, code, "no room for you"));
        let Some(Exit::Refused(why)) = driver.view.exit() else { panic!() };
        assert!(why.contains(says), "{why}");
    }
}

#[test]
fn control_c_asks_once_during_a_game() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[]), false);
    assert!(!driver.view.interrupt());
    assert!(driver.view.interrupt());
}

#[test]
fn a_script_waits_for_its_hint() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[4, 0]), true);
    driver.type_line("hint");
    let ask = driver.sent().remove(0);
    let expected = RoomIntent::Hint { game: 1 };
    assert!(matches!(&ask, ClientMessage::Room { intent, .. } if *intent == expected));
    driver.type_line("2");
    driver.feed(applied(&ask));
    assert!(driver.sent().is_empty(), "the next line waits for the hint");
    driver.feed(hint(2, &[1, 2], "keeps the draw"));
    assert_eq!(driver.view.console.take_text(), "Hint: 2 (keeps the draw). Bob is told.\n");
    assert!(matches!(driver.intents()[..], [RoomIntent::Play { .. }]));
}

#[test]
fn a_refused_hint_holds_nothing_up() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[]), true);
    driver.type_line("hint");
    let ask = driver.sent().remove(0);
    driver.feed(refused(&ask, RefusalCode::HintsOff, "this room gives no hints"));
    assert_eq!(driver.view.console.take_text(), "this room gives no hints\n");
    driver.type_line("1");
    assert!(matches!(driver.intents()[..], [RoomIntent::Play { .. }]));
}

#[test]
fn a_review_lists_every_move() {
    let cells = [0, 3, 1, 4, 2];
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &cells), false);
    driver.type_line("review");
    let ask = driver.sent().remove(0);
    driver.feed(applied(&ask));
    driver.view.end_of_input();
    assert!(driver.view.exit().is_none(), "the review is still to come");
    driver.feed(review(&cells));
    let text = driver.view.console.take_text();
    assert!(text.starts_with("Review of game 1:\n  1. X 1  best (won)\n"), "{text}");
    assert!(text.contains("  2. O 4  mistake: drawn -> lost; 5 was better\n"), "{text}");
    assert!(text.ends_with("1 mistake, proven.\n"), "{text}");
    assert!(driver.view.exit().is_some());
}

#[test]
fn a_review_that_is_too_early_holds_nothing_up() {
    for early in ["review", "rematch"] {
        let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[4, 0]), true);
        assert!(driver.type_line(early).contains("over") || early == "review");
        driver.type_line("2");
        assert!(matches!(driver.intents()[..], [RoomIntent::Play { .. }]), "{early}");
        let mut driver = ViewDriver::in_room(waiting(), true);
        assert!(!driver.type_line(early).is_empty());
        driver.type_line("quit");
        assert!(matches!(driver.intents()[..], [RoomIntent::Leave]), "{early}");
    }
    // The opponent's move may be the last one.
    let start = snapshot("3x3x3", &[0, 3, 1, 4, 8]);
    let mut driver = ViewDriver::in_room(start.clone(), true);
    assert_eq!(driver.type_line("review"), "");
    driver.feed_all(moves(&start, &[5]));
    assert!(matches!(driver.intents()[..], [RoomIntent::Review { game: 1, .. }]));
}

#[test]
fn a_review_of_impossible_moves_is_printed() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]), false);
    let ConnectionEvent::Message(message) = review(&[0]) else { panic!() };
    let ServerMessage::Review(mut lie) = *message else { panic!() };
    lie.moves[0].ply = u16::MAX;
    lie.moves[0].cell = noughts_protocol::Cell(u16::MAX);
    driver.feed(from_server(ServerMessage::Review(lie)));
    assert!(driver.view.console.take_text().contains("65536. O"));
}

#[test]
fn a_spectator_reads_the_evaluation() {
    let watched = watched(snapshot("3x3x3", &[0, 1]));
    let mut driver = ViewDriver::in_room(watched, false);
    driver.feed(evaluation(2, Standing::XWins));
    assert_eq!(driver.view.console.take_text(), "Best play: X wins.\n");
    assert!(driver.type_line("hint").contains("hints are for players"));
}

#[test]
fn a_script_waits_for_its_part_of_an_opening() {
    let placing = OpeningPhase::Placing { by: Mark::O, until_ply: 3 };
    let start = opening(placing, &[112, 113]);
    let mut driver = ViewDriver::in_room(start.clone(), true);
    driver.type_line("choose x");
    driver.feed_all(moves(&start, &[150]));
    let choose = driver.sent().remove(0);
    let choice = OpeningChoice::X;
    let expected = RoomIntent::Choose { game: 1, choice: OpeningChoice::X };
    assert!(matches!(&choose, ClientMessage::Room { intent, .. } if *intent == expected));
    let text = driver.view.console.take_text();
    assert!(text.starts_with("Bob places X on a11.\n"), "{text}");
    assert!(text.ends_with("Type choose x, choose o or choose add.\n"), "{text}");
    driver.type_line("h9");
    assert!(driver.sent().is_empty(), "the choice is not made yet");
    let seats = start.seats;
    let score = Score::default();
    driver.feed(event(12, Event::Chosen { game: 1, choice, opening: None, seats, score }));
    driver.feed(applied(&choose));
    assert!(driver.sent().is_empty(), "O moves");
    let text = driver.view.console.take_text();
    assert!(text.starts_with("The sides are chosen. You play X, Bob plays O.\n"), "{text}");
    assert!(text.ends_with("Bob's turn (O).\n"), "{text}");
}

#[test]
fn what_passes_is_printed_with_what_to_type() {
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[]), false);
    let mut told = |what| {
        driver.feed(presence(what));
        driver.view.console.take_text()
    };
    let advice = "type claim, or claim draw.";
    let claim = |when| format!("You may claim the game {when}: {advice}\n");
    assert_eq!(told(away(42)), format!("Bob is away.\n{}", claim("in 0:42")));
    assert_eq!(told(away(41)), "");
    let mut gone = here();
    gone.seats.o = Some(SeatPresence::Gone);
    assert_eq!(told(gone), format!("Bob has been away for too long.\n{}", claim("now")));
    assert_eq!(told(here()), "Bob is back.\n");
    let mut timed = snapshot("3x3x3", &[]);
    timed.move_ms_left = Some(30_000);
    let mut driver = ViewDriver::in_room(timed, false);
    driver.feed(presence(away(42)));
    let text = driver.view.console.take_text();
    assert_eq!(text, "Bob is away.\nThe clock of the move runs on.\n");
    let mut driver = ViewDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]), true);
    driver.feed(presence(offered(Some(Mark::O))));
    let text = driver.view.console.take_text();
    assert_eq!(text, "Bob offers a rematch.\nType rematch to accept, or rematch no.\n");
    driver.feed(presence(away(42)));
    let text = driver.view.console.take_text();
    assert_eq!(text, "Bob is away.\nThe offer of a rematch has ended.\n");
}

#[test]
fn what_the_host_says_and_switches_is_told() {
    let quick = Action::quick_match(Variant::Line, "3x3x3".parse().unwrap(), None);
    let mut driver = ViewDriver::new(quick, false);
    driver.view.console.take_text();
    driver.feed(announcement("Be kind."));
    assert_eq!(driver.view.console.take_text(), "The host says: Be kind.\n");
    driver.sent();
    driver.feed(switched(Features { quick_match: false, ..Features::ALL_ON }));
    let text = driver.view.console.take_text();
    assert_eq!(text, "The host has switched quick matches off.\n");
    let [ClientMessage::Lobby { intent: LobbyIntent::CancelMatch, .. }] = driver.sent()[..] else {
        panic!()
    };
    assert!(driver.view.leaving);
}
