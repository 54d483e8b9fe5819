//! Mouse clicks in the smallest terminal and a usual one.

use crossterm::event::KeyCode;
use noughts_protocol::{ClientMessage, LobbyIntent, Role, RoomIntent, RoomSummary, ServerMessage};
use ratatui::layout::{Position, Size};

use crate::app::tests::AppDriver;
use crate::app::{AppEvent, Effect, Overlay, Question, Screen};
use crate::client::Exit;
use crate::core::ConnectionEvent;
use crate::fixture::{code, human, snapshot, to_room, welcome};
use crate::layout;

const SIZES: [Size; 2] = [Size { width: 80, height: 24 }, Size { width: 24, height: 10 }];

/// The main menu in a terminal of some size.
fn menu(size: Size) -> AppDriver {
    let mut driver = AppDriver::start("noughts --server host");
    driver.feed(welcome());
    driver.app.update(AppEvent::Resize(size), driver.now);
    driver
}

fn click(driver: &mut AppDriver, x: u16, y: u16) -> Vec<Effect> {
    driver.app.update(AppEvent::Click(Position::new(x, y)), driver.now)
}

/// Clicks on the row of the list that contains a text.
#[track_caller]
fn click_row(driver: &mut AppDriver, text: &str) -> Vec<Effect> {
    let listing = driver.app.listing().unwrap();
    let row = listing.shown().find(|(_, _, row)| row.contains(text));
    let (place, ..) = row.unwrap_or_else(|| panic!("no {text:?} in {listing:?}"));
    click(driver, place.x + 3, place.y)
}

/// Clicks on a key in the key bar.
#[track_caller]
fn click_key(driver: &mut AppDriver, key: &str) -> Vec<Effect> {
    let shown = format!(" {}", driver.app.key_bar().join(" | "));
    let column = shown.find(key).unwrap_or_else(|| panic!("no {key:?} in {shown:?}"));
    click(driver, u16::try_from(column).unwrap(), driver.app.size.height - 1)
}

#[test]
fn an_item_of_the_menu_is_chosen() {
    for size in SIZES {
        let mut driver = menu(size);
        click_row(&mut driver, "Join by code");
        assert!(matches!(driver.app.screen, Screen::Code(_)));
        let mut driver = menu(size);
        click(&mut driver, 5, 1);
        assert!(matches!(driver.app.screen, Screen::Menu { .. }), "the title is no item");
    }
    assert_eq!(click_row(&mut menu(SIZES[0]), "Quit"), [Effect::Quit(Exit::Done)]);
}

#[test]
fn a_choice_is_selected_then_turned_and_the_game_started_below() {
    for size in SIZES {
        let mut driver = menu(size);
        click_row(&mut driver, "Play a friend");
        let at = |driver: &AppDriver| {
            let Screen::Setup(setup) = &driver.app.screen else { panic!() };
            let (label, value) = setup.fields().nth(setup.selected).unwrap();
            (label, value.to_owned())
        };
        click_row(&mut driver, "Your mark");
        assert_eq!(at(&driver), ("Your mark", "X".to_owned()));
        click_row(&mut driver, "Your mark");
        assert_eq!(at(&driver), ("Your mark", "O".to_owned()));
        let sent = click_key(&mut driver, "Enter start");
        let [Effect::Send(ClientMessage::Lobby { intent, .. })] = &sent[..] else {
            panic!("{sent:?}")
        };
        assert!(matches!(intent, LobbyIntent::Create { .. }), "{sent:?}");
    }
}

#[test]
fn a_server_and_a_field_of_the_form_are_chosen() {
    let mut driver = AppDriver::start("noughts");
    assert!(matches!(&driver.app.screen, Screen::Form(form) if !form.at_name));
    click_row(&mut driver, "Name:");
    assert!(matches!(&driver.app.screen, Screen::Form(form) if form.at_name));
    assert_eq!(click_key(&mut driver, "Enter next"), [Effect::Connect]);
}

#[test]
fn a_room_of_the_lobby_is_selected_then_entered() {
    let mut driver = menu(SIZES[0]);
    click_row(&mut driver, "Watch a game");
    let state = snapshot("3x3x3", &[]);
    let summary = |room: &str| RoomSummary {
        room: room.parse().unwrap(),
        settings: state.settings,
        seats: noughts_protocol::ByMark {
            x: human(crate::fixture::ME, "Ada"),
            o: human(crate::fixture::OTHER, "Bob"),
        },
        score: Default::default(),
        game: Some(1),
        spectators: 0,
    };
    let playing = vec![summary("BCDFG"), summary("KQRZX")];
    let lobby = ServerMessage::Lobby { waiting: Vec::new(), playing, more: 0 };
    driver.feed(ConnectionEvent::Message(lobby));
    assert_eq!(click_row(&mut driver, "KQRZX"), [], "it is selected");
    let sent = click_row(&mut driver, "KQRZX");
    let [Effect::Send(ClientMessage::Lobby { intent, .. })] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!(*intent, LobbyIntent::Join { room: code(), role: Role::Spectator });
}

#[test]
fn answers_and_keys_are_clicked_in_a_room() {
    for size in SIZES {
        let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
        driver.app.update(AppEvent::Resize(size), driver.now);
        driver.type_text("R");
        let body = layout::chrome(size).unwrap().body;
        let (_, text) = Question::Resign.title_and_text();
        let answers = layout::question(body, &text).answers;
        click(&mut driver, answers.x + 9, answers.y);
        assert_eq!(driver.app.overlay, None, "no");
        driver.type_text("R");
        let resign = click(&mut driver, answers.x, answers.y);
        let expected = to_room(1, RoomIntent::Resign { game: 1 });
        assert_eq!(resign, [Effect::Send(expected)]);
        click_key(&mut driver, "? help");
        assert_eq!(driver.app.overlay, Some(Overlay::Help { page: 0 }));
        click_key(&mut driver, "Esc close");
        assert_eq!(driver.app.overlay, None);
    }
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    click_key(&mut driver, "q leave");
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Leave)));
    click_key(&mut driver, "n no");
    driver.press(KeyCode::Char('?'));
    click(&mut driver, 40, 12);
    assert_eq!(driver.app.overlay, None, "a click turns the page, as any key");
}
