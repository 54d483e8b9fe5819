//! The keys as one table: each means one thing in a place, and does what the last row says.

use std::time::Instant;

use crossterm::event::KeyModifiers;
use noughts_client::session::ConnectionEvent;
use noughts_protocol::{Cell, Features, GameKind, Mark, OpeningPhase, ServerMessage, Snapshot};
use ratatui::layout::Position;

use super::*;
use crate::choices::Choices;
use crate::fixture::{
    away, from_server, offered, opening, presence, review, snapshot, waiting, watched,
};
use crate::net::servers::{KnownServer, Origin};
use crate::tui::app::tests::{AppDriver, rooms};
use crate::tui::app::{App, AppEvent};
use crate::tui::connect::{Servers, Wait};
use crate::tui::field_form::FieldForm;
use crate::tui::overlay::{Overlay, Question};
use crate::tui::screen::Screen;
use crate::tui::settings::Settings;
use crate::tui::setup::Setup;

/// All keys that a name can mean.
fn keys() -> impl Iterator<Item = KeyEvent> {
    use KeyCode::{
        BackTab, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
    };
    let named = [BackTab, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up];
    let codes = named.into_iter().chain((' '..='~').map(Char));
    codes.flat_map(|code| {
        [KeyModifiers::NONE, KeyModifiers::CONTROL].map(|held| KeyEvent::new(code, held))
    })
}

#[test]
fn every_name_is_a_key_and_no_key_means_two_things_in_a_place() {
    for app in PLACES.map(|place| place().app) {
        let all = app.keys();
        for name in all.iter().flat_map(Key::names) {
            assert!(keys().any(|key| is_named(name, key)), "{name:?} is no key");
        }
        for typed in keys() {
            let here = all.iter().filter(|key| key.has(typed));
            let meanings = here.map(|key| (key.names, key.action)).collect::<Vec<_>>();
            assert!(meanings.len() < 2, "{typed:?} in {:?}: {meanings:?}", app.screen);
        }
    }
}

/// An app on a screen before a game.
fn on(screen: Screen) -> AppDriver {
    let mut driver = AppDriver::in_menu();
    driver.app.shell.client.choice.candidates =
        vec![KnownServer::new(driver.app.shell.client.choice.server.clone(), Origin::Used)];
    driver.app.show(screen);
    driver
}

fn in_lobby() -> AppDriver {
    let mut driver = on(Screen::Menu);
    driver.type_text("5");
    let waiting = rooms(1);
    let playing = rooms(2);
    driver.feed(from_server(ServerMessage::Lobby { waiting, playing, more: 0 }));
    driver
}

/// An app in a room, after events and keys.
fn room(start: Snapshot, events: Vec<ConnectionEvent>, keys: &str) -> AppDriver {
    let mut driver = AppDriver::in_room(start);
    for event in events {
        driver.feed(event);
    }
    driver.type_text(keys);
    driver
}

/// Apps on every screen and in every phase of a room.
const PLACES: [fn() -> AppDriver; 27] = [
    || AppDriver::start("noughts"),
    || on(Screen::Servers(Servers)),
    || {
        let mut driver = on(FieldForm::password());
        driver.type_text("sesame");
        driver
    },
    || on(Screen::Wait(Wait::Server)),
    || on(Screen::Menu),
    || on(Screen::Settings(Settings)),
    || on(Screen::Setup(Setup(Choices::new(GameKind::Friend, Features::default())))),
    || on(FieldForm::code("KQRZX".parse().ok())),
    in_lobby,
    || on(Screen::Wait(Wait::Match(Instant::now()))),
    || crate::tui::app::tests::archive::in_games(2),
    || room(waiting(), vec![], ""),
    || room(snapshot("3x3x3", &[]), vec![], ""),
    || room(snapshot("15x15x5", &[]), vec![], ""),
    || room(snapshot("15x15x5", &[]), vec![], "b2"),
    || room(snapshot("3x3x3", &[]), vec![], "R"),
    || room(snapshot("3x3x3", &[]), vec![], "?"),
    || room(snapshot("3x3x3", &[]), vec![], "t"),
    || room(snapshot("3x3x3", &[]), vec![], ":"),
    || crate::tui::app::tests::party::in_party(crate::fixture::party::gathering()),
    || room(snapshot("3x3x3", &[0]), vec![presence(away(0))], ""),
    || room(opening(CHOOSING, &[112, 113, 150]), vec![], ""),
    || room(over(), vec![], ""),
    || room(over(), vec![presence(offered(Some(Mark::O)))], ""),
    || room(over(), vec![presence(offered(Some(Mark::X)))], ""),
    || room(watched(over()), vec![], ""),
    || room(over(), vec![review(&[0, 3, 1, 4, 2])], "h"),
];

const CHOOSING: OpeningPhase = OpeningPhase::Choosing { by: Mark::X, may_add: true };

fn over() -> Snapshot {
    snapshot("3x3x3", &[0, 3, 1, 4, 2])
}

#[test]
fn the_last_row_names_keys_that_work_and_can_be_clicked() {
    let mut seen = 0;
    for place in PLACES {
        let bar = place().app.key_bar();
        // A click on the emotes' keys does not say which one.
        for (text, _) in bar.0.iter().filter(|(text, _)| !text.starts_with("1-8")) {
            let mut pressed = place();
            let mut clicked = place();
            let before = format!("{:?}", pressed.app);
            let name = text.split(' ').next().unwrap();
            let name = if name == "arrows" { "j" } else { name };
            let key = keys().find(|key| is_named(name, *key)).unwrap();
            let effects = pressed.app.update(AppEvent::Key(key), pressed.now);
            let changed = before != format!("{:?}", pressed.app) || !effects.is_empty();
            let refused = pressed.app.shell.message.as_ref().filter(|message| message.error);
            assert!(changed && refused.is_none(), "{text:?}: {refused:?}");
            let column = bar.text().find(text).unwrap() + 1;
            let at =
                Position::new(u16::try_from(column).unwrap(), clicked.app.shell.size.height - 1);
            assert_eq!(clicked.app.update(AppEvent::Click(at), clicked.now), effects, "{text:?}");
            let names = |app: &App| app.keys().iter().map(|key| key.names).collect::<Vec<_>>();
            assert_eq!(names(&clicked.app), names(&pressed.app), "{text:?}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn an_opening_has_no_hints() {
    let placing = OpeningPhase::Placing { by: Mark::X, until_ply: 3 };
    let mut rooms = [snapshot("15x15x5", &[]), opening(placing, &[])];
    rooms.iter_mut().for_each(|snapshot| snapshot.settings.hints = Some(true));
    let bars = rooms.map(|snapshot| room(snapshot, vec![], "").app.key_bar().text());
    assert_eq!(bars.map(|bar| bar.contains("i hint")), [true, false]);
}

#[test]
fn capital_letters_do_what_small_ones_do_unless_they_mean_something_else() {
    let mut driver = room(snapshot("3x3x3", &[0, 4]), vec![], "JL");
    assert_eq!(driver.app.room.cursor, Cell(8));
    driver.type_text("Q");
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Leave)));
    driver.type_text("NR");
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Resign)));
}

#[test]
fn the_readme_names_the_keys_of_a_room() {
    let readme = include_str!("../../../README.md");
    let keys = readme.split("### Keys").nth(1).unwrap().split("###").next().unwrap();
    let places = [snapshot("3x3x3", &[]), opening(CHOOSING, &[112, 113, 150])];
    for key in places.into_iter().flat_map(|place| room(place, vec![], "").app.keys()) {
        for name in key.names().filter(|_| !key.help.is_empty()) {
            let is_there =
                keys.contains(&format!("`{name}`")) || (name.len() > 1 && keys.contains(name));
            assert!(is_there, "{name:?} is not in\n{keys}");
        }
    }
}
