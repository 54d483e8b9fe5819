//! The keys as one table: each means one thing in a place, and does what the last row says.

use std::time::Instant;

use crossterm::event::KeyModifiers;
use noughts_protocol::{Cell, Features, GameKind, Mark, OpeningPhase, ServerMessage, Snapshot};
use ratatui::layout::Position;

use super::*;
use crate::choices::Choices;
use crate::fixture::{
    away, offered, opening, presence, review, snapshot, waiting, watched, welcome,
};
use crate::net::servers::{KnownServer, Origin};
use crate::session::ConnectionEvent;
use crate::tui::app::tests::{AppDriver, rooms};
use crate::tui::app::{AppEvent, Question, TextField};

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
    for binding in KEYMAP {
        for name in binding.names() {
            assert!(keys().any(|key| is_named(name, key)), "{name:?} is no key");
        }
        for (context, key) in binding.contexts.iter().flat_map(|c| keys().map(move |k| (*c, k))) {
            let here = in_contexts(vec![context]).filter(|other| other.has(key));
            let meanings = here.map(|other| (other.names, other.action)).collect::<Vec<_>>();
            assert!(meanings.len() < 2, "{key:?} in {context:?}: {meanings:?}");
        }
    }
}

/// An app on a screen before a game.
fn on(screen: Screen) -> AppDriver {
    let mut driver = AppDriver::start("noughts --server host");
    driver.feed(welcome());
    driver.app.client.choice.candidates =
        vec![KnownServer::new(driver.app.client.choice.server.clone(), Origin::Used)];
    driver.app.show(screen);
    driver
}

fn in_lobby() -> AppDriver {
    let mut driver = on(Screen::Menu);
    driver.type_text("5");
    let (waiting, playing) = (rooms(1), rooms(2));
    driver.feed(ConnectionEvent::Message(Box::new(ServerMessage::Lobby {
        waiting,
        playing,
        more: 0,
    })));
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
const PLACES: [fn() -> AppDriver; 23] = [
    || AppDriver::start("noughts"),
    || on(Screen::Servers),
    || on(Screen::Password(TextField::filled("sesame".to_owned()))),
    || on(Screen::Connecting),
    || on(Screen::Menu),
    || on(Screen::Setup(Choices::new(GameKind::Friend, Features::default()))),
    || on(Screen::Code(TextField::filled("KQRZX".to_owned()))),
    in_lobby,
    || on(Screen::Quick { since: Instant::now() }),
    || crate::tui::app::tests::archive::in_games(2),
    || room(waiting(), vec![], ""),
    || room(snapshot("3x3x3", &[]), vec![], ""),
    || room(snapshot("15x15x5", &[]), vec![], ""),
    || room(snapshot("15x15x5", &[]), vec![], "b2"),
    || room(snapshot("3x3x3", &[]), vec![], "R"),
    || room(snapshot("3x3x3", &[]), vec![], "?"),
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
        for (text, _) in &bar.0 {
            let (mut pressed, mut clicked) = (place(), place());
            let before = format!("{:?}", pressed.app);
            let name = text.split(' ').next().unwrap();
            let name = if name == "arrows" { "l" } else { name };
            let key = keys().find(|key| is_named(name, *key)).unwrap();
            let effects = pressed.app.update(AppEvent::Key(key), pressed.now);
            let changed = before != format!("{:?}", pressed.app) || !effects.is_empty();
            let refused = pressed.app.message.as_ref().filter(|message| message.error);
            assert!(changed && refused.is_none(), "{text:?}: {refused:?}");
            let column = bar.text().find(text).unwrap() + 1;
            let at = Position::new(u16::try_from(column).unwrap(), clicked.app.size.height - 1);
            assert_eq!(clicked.app.update(AppEvent::Click(at), clicked.now), effects, "{text:?}");
            assert_eq!(clicked.app.context(), pressed.app.context(), "{text:?}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn an_opening_has_no_hints() {
    let placing = OpeningPhase::Placing { by: Mark::X, until_ply: 3 };
    let mut rooms = [snapshot("15x15x5", &[]), opening(placing, &[])];
    rooms.iter_mut().for_each(|snapshot| snapshot.settings.hints = true);
    let bars = rooms.map(|snapshot| room(snapshot, vec![], "").app.key_bar().text());
    assert_eq!(bars.map(|bar| bar.contains("i hint")), [true, false]);
}

#[test]
fn capital_letters_do_what_small_ones_do_unless_they_mean_something_else() {
    let mut driver = room(snapshot("3x3x3", &[0, 4]), vec![], "JL");
    assert_eq!(driver.app.cursor, Cell(8));
    driver.type_text("Q");
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Leave)));
    driver.type_text("NR");
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Resign)));
}

#[test]
fn the_readme_names_the_keys_of_a_room() {
    let readme = include_str!("../../../../README.md");
    let keys = readme.split("### Keys").nth(1).unwrap().split("###").next().unwrap();
    for binding in in_contexts(ROOM.to_vec()) {
        for name in binding.names() {
            let is_there =
                keys.contains(&format!("`{name}`")) || (name.len() > 1 && keys.contains(name));
            assert!(is_there, "{name:?} is not in\n{keys}");
        }
    }
}
