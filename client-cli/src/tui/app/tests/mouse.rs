//! Mouse clicks in the smallest terminal and a usual one.

use crossterm::event::KeyCode;
use noughts_protocol::{LobbyIntent, Role, RoomIntent, ServerMessage};
use ratatui::layout::{Position, Size};

use crate::client::Exit;
use crate::fixture::{from_server, snapshot};
use crate::tui::app::AppEvent;
use crate::tui::app::tests::{AppDriver, rooms, sent_to_lobby, sent_to_room};
use crate::tui::overlay::{Overlay, Question};
use crate::tui::screen::Screen;
use crate::tui::shell::Effect;
use crate::tui::ui::tests::{draw, rows};

const SIZES: [Size; 2] = [Size { width: 80, height: 24 }, Size { width: 24, height: 10 }];

/// The main menu in a terminal of some size.
fn menu(size: Size) -> AppDriver {
    let mut driver = AppDriver::in_menu();
    driver.resize(size.width, size.height);
    driver
}

fn click(driver: &mut AppDriver, x: u16, y: u16) -> Vec<Effect> {
    driver.app.update(AppEvent::Click(Position::new(x, y)), driver.now)
}

/// Clicks on the last text of the screen that is this one.
#[track_caller]
fn click_text(driver: &mut AppDriver, text: &str) -> Vec<Effect> {
    let Size { width, height } = driver.app.shell.size;
    let rows = rows(&draw(&mut driver.app, width, height));
    let found = rows
        .iter()
        .enumerate()
        .rev()
        .find_map(|(row, shown)| Some((shown.split_once(text)?.0.chars().count(), row)));
    let (x, y) = found.unwrap_or_else(|| panic!("no {text:?} in {rows:#?}"));
    click(driver, u16::try_from(x).unwrap(), u16::try_from(y).unwrap())
}

#[test]
fn an_item_of_the_menu_is_chosen() {
    for size in SIZES {
        let mut driver = menu(size);
        click_text(&mut driver, "Join by code");
        assert!(matches!(driver.app.screen, Screen::Field(_)));
        let mut driver = menu(size);
        click(&mut driver, 5, 1);
        assert!(matches!(driver.app.screen, Screen::Menu), "the title is no item");
    }
    assert_eq!(click_text(&mut menu(SIZES[0]), "Quit"), [Effect::Quit(Exit::Done)]);
}

#[test]
fn a_choice_is_selected_then_turned_and_the_game_started_below() {
    for size in SIZES {
        let mut driver = menu(size);
        click_text(&mut driver, "Play a friend");
        let at = |driver: &AppDriver| {
            let Screen::Setup(setup) = &driver.app.screen else { panic!() };
            let (label, value) = setup.0.fields().nth(driver.app.shell.selected()).unwrap();
            (label, value)
        };
        click_text(&mut driver, "Your mark");
        assert_eq!(at(&driver), ("Your mark", "X".to_owned()));
        click_text(&mut driver, "Your mark");
        assert_eq!(at(&driver), ("Your mark", "O".to_owned()));
        let sent = click_text(&mut driver, "Enter start");
        assert!(matches!(sent_to_lobby(&sent), LobbyIntent::Create { .. }), "{sent:?}");
    }
}

#[test]
fn a_server_and_a_field_of_the_form_are_chosen() {
    let mut driver = AppDriver::start("noughts");
    assert!(matches!(&driver.app.screen, Screen::Form(_) if driver.app.shell.selected() == 0));
    click_text(&mut driver, "Name:");
    assert!(matches!(&driver.app.screen, Screen::Form(_) if driver.app.shell.selected() == 1));
    assert_eq!(click_text(&mut driver, "Enter next"), [Effect::Connect]);
}

#[test]
fn a_room_of_the_lobby_is_selected_then_entered() {
    let mut driver = menu(SIZES[0]);
    click_text(&mut driver, "Watch a game");
    let lobby = ServerMessage::Lobby { waiting: Vec::new(), playing: rooms(30), more: 0 };
    driver.feed(from_server(lobby));
    let enter = |driver: &mut AppDriver, place: usize| {
        let room = rooms(30)[place].room;
        click_text(driver, &room.to_string());
        assert_eq!(driver.app.shell.selected(), place, "it is selected");
        let sent = click_text(driver, &room.to_string());
        assert_eq!(*sent_to_lobby(&sent), LobbyIntent::Join { room, role: Role::Spectator });
    };
    enter(&mut driver, 1);
    // The list is longer than the terminal: it scrolls with the selection, round its end too.
    for (key, place) in [(KeyCode::Up, 0), (KeyCode::Up, 29), (KeyCode::Up, 28)] {
        driver.press(key);
        assert_eq!(driver.app.shell.selected(), place);
    }
    enter(&mut driver, 28);
    enter(&mut driver, 20);
}

#[test]
fn answers_and_keys_are_clicked_in_a_room() {
    for size in SIZES {
        let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
        driver.resize(size.width, size.height);
        driver.type_text("R");
        let answers = driver.app.window().unwrap().last_row();
        click(&mut driver, answers.x + 9, answers.y);
        assert_eq!(driver.app.overlay, None, "no");
        driver.type_text("R");
        let resign = click(&mut driver, answers.x, answers.y);
        assert_eq!(*sent_to_room(&resign), RoomIntent::Resign { game: 1 });
        click_text(&mut driver, "? help");
        assert_eq!(driver.app.overlay, Some(Overlay::Help { page: 0 }));
        click_text(&mut driver, "Esc close");
        assert_eq!(driver.app.overlay, None);
    }
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    click_text(&mut driver, "q leave");
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Leave)));
    click_text(&mut driver, "n no");
    driver.press(KeyCode::Char('?'));
    click(&mut driver, 40, 12);
    assert_eq!(driver.app.overlay, None, "a click turns the page, as any key");
}
