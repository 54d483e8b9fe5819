//! The full screen's state, fed with keys and messages.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_protocol::{
    ClientMessage, Event, Mark, OpeningChoice, OpeningPhase, RefusalCode, Role, Seat, SeatRequest,
    Snapshot,
};

use super::*;
use crate::args::Args;
use crate::fixture::{
    OTHER, applied, code, event, human, moves, opening, refused, shown, snapshot, waiting, welcome,
};
use crate::layout;

/// An app of a command line, fed as a terminal and a server would.
pub(crate) struct Bench {
    pub(crate) app: App,
    pub(crate) now: Instant,
}

impl Bench {
    pub(crate) fn start(line: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().to_str().unwrap();
        let line = format!("{line} --name Ada --config-dir {folder}");
        let args = <Args as clap::Parser>::try_parse_from(line.split_whitespace()).unwrap();
        let mut start = Start::new(&args).unwrap();
        start.color = true;
        Self::of(&start)
    }

    /// An app that begins with what was put together.
    pub(crate) fn of(start: &Start) -> Self {
        let now = Instant::now();
        let size = Size { width: 80, height: 24 };
        let mut app = App::new(start, IntentIds::starting_at(0), size, now);
        app.take_effects();
        Self { app, now }
    }

    /// An app in the room of a snapshot.
    pub(crate) fn in_room(snapshot: Snapshot) -> Self {
        let mut bench = Self::start("noughts play KQRZX --server host");
        let sent = bench.feed(welcome());
        let [Effect::Send(join)] = &sent[..] else { panic!("{sent:?}") };
        bench.feed(applied(join));
        bench.feed(shown(snapshot));
        bench
    }

    pub(crate) fn feed(&mut self, incoming: Incoming) -> Vec<Effect> {
        self.app.update(AppEvent::Incoming(Box::new(incoming)), self.now)
    }

    pub(crate) fn press(&mut self, code: KeyCode) -> Vec<Effect> {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        self.app.update(AppEvent::Key(key), self.now)
    }

    pub(crate) fn types(&mut self, text: &str) -> Vec<Effect> {
        text.chars().flat_map(|c| self.press(KeyCode::Char(c))).collect()
    }

    fn interrupt(&mut self) -> Vec<Effect> {
        let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        self.app.update(AppEvent::Key(key), self.now)
    }

    #[track_caller]
    fn message(&self) -> &str {
        &self.app.message.as_ref().unwrap().text
    }
}

#[track_caller]
fn sent(effects: &[Effect]) -> &ClientMessage {
    let [Effect::Send(intent)] = effects else { panic!("{effects:?}") };
    intent
}

#[track_caller]
fn cell_of(effects: &[Effect]) -> u16 {
    let ClientMessage::Play { cell, .. } = sent(effects) else { panic!("{effects:?}") };
    cell.0
}

#[test]
fn digits_arrows_letters_and_clicks_play() {
    let room = || Bench::in_room(snapshot("3x3x3", &[]));
    assert_eq!(cell_of(&room().types("1")), 0);
    assert_eq!(cell_of(&room().types("kh ")), 0);
    let mut bench = room();
    bench.press(KeyCode::Down);
    bench.press(KeyCode::Down);
    bench.press(KeyCode::Right);
    assert_eq!(cell_of(&bench.press(KeyCode::Enter)), 8);
    let mut bench = room();
    let body = layout::chrome(bench.app.size).unwrap().body;
    let rect = layout::game(body, Default::default(), Cell(0)).rect(Cell(5)).unwrap();
    let click = AppEvent::Click(rect.as_position());
    assert_eq!(cell_of(&bench.app.update(click, bench.now)), 5);
}

#[test]
fn a_move_that_cannot_be_is_not_sent() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[0, 4]));
    assert_eq!(bench.types("5"), []);
    assert_eq!(bench.message(), "cell 5 is taken by O: choose an empty one");
    assert_eq!(bench.types("0"), []);
    assert_eq!(bench.message(), "there is no cell 0: type 1 to 9");
    bench.types("2");
    assert_eq!(bench.types("3"), [], "one move at a time");
}

#[test]
fn a_game_is_won_and_played_again() {
    let start = snapshot("3x3x3", &[]);
    let mut bench = Bench::in_room(start.clone());
    for incoming in moves(&start, &[0, 3, 1, 4, 2]) {
        bench.feed(incoming);
    }
    assert_eq!(bench.message(), "You win with row 1.");
    let offer = bench.types("r");
    assert!(matches!(sent(&offer), ClientMessage::Rematch { game: 1, offer: true, .. }));
    bench.feed(event(17, Event::Rematch { mark: Mark::X, offered: true }));
    let back = bench.types("r");
    assert!(matches!(sent(&back), ClientMessage::Rematch { offer: false, .. }));
}

#[test]
fn giving_up_asks_first() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[]));
    assert_eq!(bench.types("R"), []);
    assert_eq!(bench.types("n"), []);
    assert_eq!(bench.app.overlay, None);
    let resign = bench.types("Ry");
    assert!(matches!(sent(&resign), ClientMessage::Resign { game: 1, .. }));
    let leave = bench.types("qy");
    assert!(matches!(sent(&leave), ClientMessage::Leave { .. }));
    assert!(matches!(bench.app.screen, Screen::Menu { .. }));
    assert_eq!(bench.types("q"), [Effect::Quit(Exit::Done)]);
}

#[test]
fn control_c_asks_once_during_a_game() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[]));
    assert_eq!(bench.interrupt(), []);
    assert_eq!(bench.interrupt(), [Effect::Quit(Exit::Done)]);
    let mut bench = Bench::in_room(waiting());
    assert_eq!(bench.interrupt(), [Effect::Quit(Exit::Done)]);
}

#[test]
fn a_question_about_a_game_goes_with_the_game() {
    let start = snapshot("3x3x3", &[0, 3, 1, 4]);
    let mut bench = Bench::in_room(start.clone());
    bench.types("R");
    for incoming in moves(&start, &[2]) {
        bench.feed(incoming);
    }
    assert_eq!(bench.app.overlay, None);
}

#[test]
fn taken_seats_lead_to_watching() {
    let mut bench = Bench::start("noughts play KQRZX --server host");
    let effects = bench.feed(welcome());
    bench.feed(refused(sent(&effects), RefusalCode::SeatsTaken, "both seats are taken"));
    assert_eq!(bench.app.overlay, Some(Overlay::Question(Question::Watch(code()))));
    let watch = bench.types("y");
    assert!(matches!(sent(&watch), ClientMessage::Join { role: Role::Spectator, .. }));
}

#[test]
fn an_unknown_code_is_there_to_be_mended() {
    let mut bench = Bench::start("noughts play KQRZX --server host");
    let effects = bench.feed(welcome());
    bench.feed(refused(sent(&effects), RefusalCode::NoSuchRoom, "there is no such room"));
    assert!(matches!(bench.app.screen, Screen::Code(_)));
    assert_eq!(bench.message(), "there is no such room");
}

#[test]
fn the_menu_leads_everywhere_and_back() {
    let mut bench = Bench::start("noughts --server host");
    bench.feed(welcome());
    for digit in ["1", "2", "3", "4", "6", "7"] {
        bench.types(digit);
        assert!(!matches!(bench.app.screen, Screen::Menu { .. }), "{digit}");
        bench.press(KeyCode::Esc);
        assert!(matches!(bench.app.screen, Screen::Menu { .. }), "{digit}");
    }
    assert!(matches!(sent(&bench.types("5")), ClientMessage::WatchLobby { .. }));
    bench.press(KeyCode::Esc);
    bench.types("4");
    let create = bench.press(KeyCode::Enter);
    let ClientMessage::Create { seats, .. } = sent(&create) else { panic!() };
    assert!(matches!(seats.o, SeatRequest::Computer(_)));
}

#[test]
fn a_code_is_typed_in_any_way() {
    let mut bench = Bench::start("noughts --server host");
    bench.feed(welcome());
    bench.types("2");
    bench.types("kq");
    assert_eq!(bench.press(KeyCode::Enter), []);
    assert!(bench.message().contains("five consonants"));
    bench.types("-rzx");
    let join = bench.press(KeyCode::Enter);
    assert!(matches!(sent(&join), ClientMessage::Join { room, .. } if *room == code()));
}

#[test]
fn the_queue_is_left_by_asking() {
    let mut bench = Bench::start("noughts quick --server host");
    let quick = bench.feed(welcome());
    bench.feed(applied(sent(&quick)));
    assert!(matches!(bench.app.screen, Screen::Quick { .. }));
    let cancel = bench.press(KeyCode::Esc);
    bench.feed(applied(sent(&cancel)));
    assert!(matches!(bench.app.screen, Screen::Menu { .. }));
}

#[test]
fn the_form_asks_until_it_can_connect() {
    let mut bench = Bench::start("noughts");
    assert!(matches!(bench.app.screen, Screen::Form(_)));
    bench.types("ftp://x");
    bench.press(KeyCode::Enter);
    assert_eq!(bench.press(KeyCode::Enter), []);
    assert!(bench.message().contains("ws://"));
    bench.press(KeyCode::Tab);
    for _ in 0..20 {
        bench.press(KeyCode::Backspace);
    }
    bench.types("host");
    bench.press(KeyCode::Enter);
    assert_eq!(bench.press(KeyCode::Enter), [Effect::Connect]);
    assert_eq!(bench.app.server.to_string(), "host");
    assert_eq!(bench.feed(Incoming::Ended("nobody there".into())), []);
    assert!(matches!(bench.app.screen, Screen::Form(_)));
    assert_eq!(bench.message(), "nobody there");
}

#[test]
fn a_lost_connection_ends_what_was_started_directly() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[]));
    let effects = bench.feed(Incoming::Ended("gone".into()));
    assert_eq!(effects, [Effect::Quit(Exit::Lost("gone".to_owned()))]);
}

#[test]
fn the_opponent_comes_and_the_game_begins() {
    let mut bench = Bench::in_room(waiting());
    let seat: Seat = human(OTHER, "Bob");
    bench.feed(event(11, Event::Seated { mark: Mark::O, seat }));
    assert_eq!(bench.message(), "Bob joins as O.");
    let started = Event::GameStarted { game: 1, first: Mark::X, score: Default::default() };
    bench.feed(event(12, started));
    assert_eq!(bench.message(), "Game 1 begins: you (X) move first.");
}

#[test]
fn letters_choose_in_an_opening_and_resign_after_it() {
    let phase = OpeningPhase::Choosing { by: Mark::X, may_add: true };
    let mut bench = Bench::in_room(opening(phase, &[112, 113, 150]));
    let effects = bench.press(KeyCode::Char('x'));
    assert!(matches!(sent(&effects), ClientMessage::Choose { choice: OpeningChoice::X, .. }));
    assert!(bench.press(KeyCode::Char('a')).is_empty(), "one choice is on its way");
    assert!(bench.message().contains("on its way"));
    let phase = OpeningPhase::Done;
    bench.feed(event(11, Event::Opening { game: 1, phase, swapped: false }));
    bench.press(KeyCode::Char('x'));
    assert_eq!(bench.app.overlay, Some(Overlay::Question(Question::Resign)));
}

#[test]
fn control_l_draws_on_an_empty_screen() {
    let mut bench = Bench::in_room(snapshot("3x3x3", &[]));
    let key = KeyEvent::new(KeyCode::Char('l'), KeyModifiers::CONTROL);
    assert_eq!(bench.app.update(AppEvent::Key(key), bench.now), [Effect::Redraw]);
}
