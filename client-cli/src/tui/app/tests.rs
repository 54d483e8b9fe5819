//! The app, fed with keys and messages.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_client::session::{ConnectionEvent, Input, Output};
use noughts_protocol::{
    Cell, ClientMessage, CloseReason, Event, Found, LobbyIntent, Mark, OpeningChoice, OpeningPhase,
    Presence, RefusalCode, Role, RoomIntent, RoomSummary, Score, SeatRequest, ServerMessage,
    Snapshot,
};

use super::*;
use crate::args::Args;
use crate::boards::Boards;
use crate::config::Change;
use crate::fixture::{
    OTHER, applied, away, code, event, from_server, human, moves, offered, opening, presence,
    refused, shown, snapshot, waiting, welcome,
};
use crate::tui::colors::{ColorDepth, TerminalColors};
use crate::tui::farewell;

pub(crate) mod archive;
mod host;
mod menu;
mod mouse;
mod outside;
pub(crate) mod party;
mod people;
pub(crate) mod talk;
mod waits;
mod windows;

/// The client of a command line, with a folder of its own.
pub(crate) fn client(line: &str) -> Client {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("{line} --config-dir {}", folder.path().display());
    Client::new(&Args::read(line.split_whitespace()).unwrap()).unwrap().0
}

/// An app, fed with a terminal's and a server's events.
pub(crate) struct AppDriver {
    pub(crate) app: App,
    pub(crate) now: Instant,
    /// The changes of the player's file.
    saved: Vec<Effect>,
}

impl AppDriver {
    pub(crate) fn start(line: &str) -> Self {
        let mut client = client(&format!("{line} --name Ada"));
        client.options.colors = TerminalColors { depth: ColorDepth::Indexed, background: None };
        Self::of(client)
    }

    /// An app that begins with this client.
    pub(crate) fn of(client: Client) -> Self {
        let now = Instant::now();
        let size = Size { width: 80, height: 24 };
        let mut app = App::new(client, 0, size, now);
        app.take_effects();
        Self { app, now, saved: Vec::new() }
    }

    /// An app in the menu of a server.
    pub(crate) fn in_menu() -> Self {
        let mut driver = Self::start("noughts --server host");
        driver.feed(welcome());
        driver
    }

    /// An app in the room of a snapshot.
    pub(crate) fn in_room(snapshot: Snapshot) -> Self {
        let mut driver = Self::start("noughts play KQRZX --server host");
        let sent = driver.feed(welcome());
        let [Effect::Send(join)] = &sent[..] else { panic!("{sent:?}") };
        driver.feed(applied(join));
        driver.feed(shown(snapshot));
        driver
    }

    pub(crate) fn feed(&mut self, incoming: ConnectionEvent) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut happenings = Vec::new();
        for output in self.app.shell.session.update(Input::Connection(incoming), self.now) {
            match output {
                Output::Send(message) => effects.push(Effect::Send(message)),
                Output::Happened(happening) => happenings.push(happening),
                Output::Reconnect | Output::Forget => {}
            }
        }
        effects.extend(self.app.update(AppEvent::Happened(happenings), self.now));
        self.saved.extend(effects.extract_if(.., |effect| matches!(effect, Effect::Save(_))));
        effects
    }

    pub(crate) fn feed_all(&mut self, incoming: Vec<ConnectionEvent>) -> Vec<Effect> {
        incoming.into_iter().flat_map(|incoming| self.feed(incoming)).collect()
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.app.update(AppEvent::Resize(Size { width, height }), self.now);
    }

    pub(crate) fn press(&mut self, code: KeyCode) -> Vec<Effect> {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        self.app.update(AppEvent::Key(key), self.now)
    }

    pub(crate) fn control(&mut self, letter: char) -> Vec<Effect> {
        let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        self.app.update(AppEvent::Key(key), self.now)
    }

    pub(crate) fn type_text(&mut self, text: &str) -> Vec<Effect> {
        text.chars().flat_map(|c| self.press(KeyCode::Char(c))).collect()
    }

    /// The line that is typed in the room, and the column of the caret.
    fn talk_prompt(&self) -> Option<(String, u16)> {
        let (line, caret, _) = self.app.prompt().filter(|(.., talk)| *talk)?;
        Some((line, caret))
    }

    #[track_caller]
    pub(crate) fn message(&self) -> &str {
        &self.app.shell.message.as_ref().unwrap().text
    }
}

/// Some public games.
pub(crate) fn rooms(count: u8) -> Vec<RoomSummary> {
    let letters = "BCDFGHJKLMNPQRSTVWXZ".chars().collect::<Vec<_>>();
    let state = snapshot("3x3x3", &[]);
    let room = |number: u8| {
        let high = usize::from(number / 20);
        let low = usize::from(number % 20);
        RoomSummary {
            room: format!("BCD{}{}", letters[high], letters[low]).parse().unwrap(),
            settings: state.settings,
            seats: state.seats.clone(),
            score: Score::default(),
            game: Some(1),
            spectators: 0,
        }
    };
    (0..count).map(room).collect()
}

/// The answer to a question.
fn found(question: &[Effect], found: Found) -> ConnectionEvent {
    let id = sent(question).id().unwrap();
    from_server(ServerMessage::Found { id, found })
}

#[track_caller]
fn sent(effects: &[Effect]) -> &ClientMessage {
    let [Effect::Send(intent)] = effects else { panic!("{effects:?}") };
    intent
}

#[track_caller]
pub(crate) fn sent_to_room(effects: &[Effect]) -> &RoomIntent {
    let ClientMessage::Room { intent, .. } = sent(effects) else { panic!("{effects:?}") };
    intent
}

#[track_caller]
fn sent_to_lobby(effects: &[Effect]) -> &LobbyIntent {
    let ClientMessage::Lobby { intent, .. } = sent(effects) else { panic!("{effects:?}") };
    intent
}

#[track_caller]
pub(crate) fn cell_of(effects: &[Effect]) -> u16 {
    let RoomIntent::Play { cell, .. } = sent_to_room(effects) else { panic!("{effects:?}") };
    cell.0
}

#[test]
fn digits_arrows_letters_and_clicks_play() {
    let room = || AppDriver::in_room(snapshot("3x3x3", &[]));
    assert_eq!(cell_of(&room().type_text("1")), 0);
    assert_eq!(cell_of(&room().type_text("kh ")), 0);
    let mut driver = room();
    driver.press(KeyCode::Down);
    driver.press(KeyCode::Down);
    driver.press(KeyCode::Right);
    assert_eq!(cell_of(&driver.press(KeyCode::Enter)), 8);
    let mut driver = room();
    let body = layout::chrome(driver.app.shell.size).unwrap().body;
    let boards = Boards::of_room(driver.app.shell.session.room().unwrap());
    let rect = layout::game(body, boards, Cell(0)).rect(Cell(5)).unwrap();
    let click = AppEvent::Click(rect.as_position());
    assert_eq!(cell_of(&driver.app.update(click, driver.now)), 5);
}

#[test]
fn a_game_is_won_and_played_again() {
    let start = snapshot("3x3x3", &[]);
    let mut driver = AppDriver::in_room(start.clone());
    driver.feed_all(moves(&start, &[0, 3, 1, 4, 2]));
    assert_eq!(driver.message(), "You play 3 with X.", "the panel says that it won");
    let offer = driver.type_text("r");
    assert_eq!(*sent_to_room(&offer), RoomIntent::Rematch { game: 1, offer: true, series: None });
    driver.feed(presence(offered(Some(Mark::X))));
    assert_eq!(driver.message(), "You offer a rematch: waiting for the answer.");
    let back = driver.type_text("r");
    assert_eq!(*sent_to_room(&back), RoomIntent::Rematch { game: 1, offer: false, series: None });
    driver.feed(presence(Presence { rematch: Some(Mark::O), ..away(42) }));
    let told = "Bob is away. Bob offers a rematch.";
    assert_eq!(driver.message(), told);
    driver.feed(presence(Presence { spectators: 3, rematch: Some(Mark::O), ..away(41) }));
    assert_eq!(driver.message(), told, "nothing to tell");
}

#[test]
fn giving_up_asks_first() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    assert_eq!(driver.type_text("R"), []);
    assert_eq!(driver.type_text("n"), []);
    assert_eq!(driver.app.overlay, None);
    let resign = driver.type_text("Ry");
    assert_eq!(*sent_to_room(&resign), RoomIntent::Resign { game: 1 });
    let leave = driver.type_text("qy");
    assert_eq!(*sent_to_room(&leave), RoomIntent::Leave);
    assert!(matches!(driver.app.screen, Screen::Menu));
    assert_eq!(driver.type_text("q"), [Effect::Quit(Exit::Done)]);
}

#[test]
fn control_c_asks_once_during_a_game() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    assert_eq!(driver.control('c'), []);
    assert_eq!(driver.control('c'), [Effect::Quit(Exit::Done)]);
    let mut driver = AppDriver::in_room(waiting());
    assert_eq!(driver.control('c'), [Effect::Quit(Exit::Done)]);
    let way_back = "Your seat in room KQRZX is kept for a while. To return: noughts play KQRZX";
    assert_eq!(farewell(&driver.app), [way_back], "nobody is asked, and a friend may still come");
}

#[test]
fn taken_seats_lead_to_watching() {
    let mut driver = AppDriver::start("noughts play KQRZX --server host");
    let effects = driver.feed(welcome());
    driver.feed(refused(sent(&effects), RefusalCode::SeatsTaken, "both seats are taken"));
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Watch(code()))));
    let watch = driver.type_text("y");
    let watching = LobbyIntent::Join { room: code(), role: Role::Spectator };
    assert_eq!(*sent_to_lobby(&watch), watching);
}

#[test]
fn an_unknown_code_is_there_to_be_mended() {
    let mut driver = AppDriver::start("noughts play KQRZX --server host");
    let effects = driver.feed(welcome());
    driver.feed(refused(sent(&effects), RefusalCode::NoSuchRoom, "there is no such room"));
    assert!(matches!(driver.app.screen, Screen::Field(_)));
    assert_eq!(driver.message(), "there is no such room");
}

#[test]
fn the_menu_leads_everywhere_and_back() {
    let mut driver = AppDriver::in_menu();
    for digit in ["1", "2", "3", "4", "6", "7"] {
        driver.type_text(digit);
        assert!(!matches!(driver.app.screen, Screen::Menu), "{digit}");
        driver.press(KeyCode::Esc);
        assert!(matches!(driver.app.screen, Screen::Menu), "{digit}");
    }
    assert_eq!(driver.press(KeyCode::Esc), [], "once too often");
    assert_eq!(driver.message(), "Press q to quit.");
    assert_eq!(*sent_to_lobby(&driver.type_text("5")), LobbyIntent::WatchLobby);
    driver.press(KeyCode::Esc);
    driver.type_text("4");
    let create = driver.press(KeyCode::Enter);
    let LobbyIntent::Create { seats, .. } = sent_to_lobby(&create) else { panic!() };
    assert!(matches!(seats.o, SeatRequest::Computer(_)));
}

#[test]
fn a_code_is_typed_in_any_way() {
    let mut driver = AppDriver::in_menu();
    driver.type_text("2");
    // The next letter replaces what is no code, and goes on with the beginning of one.
    for wrong in ["aeiou", "kq-"] {
        driver.type_text(wrong);
        assert_eq!(driver.press(KeyCode::Enter), []);
        assert!(driver.message().contains("five consonants"));
    }
    driver.type_text("rzx");
    let join = driver.press(KeyCode::Enter);
    assert_eq!(*sent_to_lobby(&join), LobbyIntent::Join { room: code(), role: Role::Player });
    let mut driver = AppDriver::in_menu();
    driver.type_text("2");
    driver.type_text("noughts play KQRZX --server host");
    let join = driver.press(KeyCode::Enter);
    assert_eq!(*sent_to_lobby(&join), LobbyIntent::Join { room: code(), role: Role::Player });
}

#[test]
fn the_form_asks_until_it_can_connect() {
    let mut driver = AppDriver::start("noughts");
    assert!(matches!(driver.app.screen, Screen::Form(_)));
    driver.type_text("ftp://x");
    driver.press(KeyCode::Enter);
    assert_eq!(driver.press(KeyCode::Enter), []);
    assert!(driver.message().contains("ws://"));
    assert_eq!(driver.app.shell.selected(), 0, "the caret is in the field to correct");
    for _ in 0..20 {
        driver.press(KeyCode::Backspace);
    }
    driver.type_text("host");
    driver.press(KeyCode::Enter);
    assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
    assert_eq!(driver.app.shell.client.choice.server.to_string(), "host");
    assert_eq!(driver.feed(ConnectionEvent::Ended("nobody there".into())), []);
    assert!(matches!(driver.app.screen, Screen::Form(_)));
    assert_eq!(driver.message(), "nobody there");
}

#[test]
fn a_lost_connection_ends_what_was_started_directly() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    let effects = driver.feed(ConnectionEvent::Ended("gone".into()));
    assert_eq!(effects, [Effect::Quit(Exit::Lost("gone".to_owned()))]);
    let way_back = "Your seat in room KQRZX is kept for a while. To return: noughts play KQRZX";
    assert_eq!(farewell(&driver.app), [way_back]);
}

#[test]
fn letters_choose_in_an_opening_and_resign_after_it() {
    let phase = OpeningPhase::Choosing { by: Mark::X, may_add: true };
    let mut driver = AppDriver::in_room(opening(phase, &[112, 113, 150]));
    assert!(driver.press(KeyCode::Enter).is_empty(), "no mark before the choice");
    assert!(driver.app.shell.message.as_ref().is_some_and(|message| message.error));
    let effects = driver.press(KeyCode::Char('x'));
    let choice = OpeningChoice::X;
    assert_eq!(*sent_to_room(&effects), RoomIntent::Choose { game: 1, choice });
    assert!(driver.press(KeyCode::Char('a')).is_empty(), "one choice is on its way");
    assert!(driver.message().contains("on its way"));
    let seats = opening(phase, &[]).seats;
    let score = Score::default();
    driver.feed(event(11, Event::Chosen { game: 1, choice, opening: None, seats, score }));
    driver.press(KeyCode::Char('x'));
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Resign)));
}

#[test]
fn a_cell_that_is_typed_gives_way_to_a_choice() {
    let placing = opening(OpeningPhase::Placing { by: Mark::O, until_ply: 3 }, &[112, 113]);
    let third = moves(&placing, &[150]).remove(0);
    let mut driver = AppDriver::in_room(placing);
    driver.press(KeyCode::Char('a'));
    assert_eq!(driver.app.room.cell.typed.as_deref(), Some("a"));
    driver.feed(third);
    driver.now += Duration::from_millis(501);
    let choice = OpeningChoice::Add;
    let chosen = driver.press(KeyCode::Char('a'));
    assert_eq!(*sent_to_room(&chosen), RoomIntent::Choose { game: 1, choice });
}

#[test]
fn control_l_draws_on_an_empty_screen() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    assert_eq!(driver.control('l'), [Effect::Redraw]);
}

#[test]
fn the_token_and_the_seat_are_kept_until_the_player_leaves() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    assert!(matches!(driver.saved[0], Effect::Save(Change::Welcomed { .. })));
    assert_eq!(driver.saved.last(), Some(&Effect::Save(Change::Seat(code()))));
    assert_eq!(driver.app.shell.client.profile.saved.room, Some(code()));
    driver.feed(event(11, Event::Closed { reason: CloseReason::Idle }));
    assert_eq!(driver.saved.last(), Some(&Effect::Save(Change::NoSeat(code()))));
}

#[test]
fn a_player_who_asks_too_much_stays_where_they_are() {
    let mut driver = AppDriver::in_menu();
    for _ in 0..6 {
        driver.type_text("5");
        driver.press(KeyCode::Esc);
    }
    assert_eq!(driver.type_text("5"), [], "twelve intents are unanswered");
    assert!(matches!(driver.app.screen, Screen::Menu));
    assert!(driver.message().contains("has not answered yet"));
}
