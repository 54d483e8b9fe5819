//! Tests of typed cells and other keys in a room, and of the keys of a maker of two computers.

use crossterm::event::KeyCode;
use noughts_protocol::{Cell, Computer, Event, Mark, Pace, RoomIntent, Seat, Snapshot, Strength};

use crate::fixture::{ME, against_computer, event, hint, moves, snapshot};
use crate::tui::app::tests::{AppDriver, cell_of, sent_to_room};
use crate::tui::shell::Effect;
use crate::tui::ui::tests::screen;

fn large() -> AppDriver {
    AppDriver::in_room(snapshot("15x15x5", &[]))
}

#[test]
fn a_typed_cell_is_seen_and_played() {
    for keys in ["b2", "gb2", "gq2\u{8}b2"] {
        let mut driver = large();
        for key in keys.chars() {
            let key = if key == '\u{8}' { KeyCode::Backspace } else { KeyCode::Char(key) };
            assert_eq!(driver.press(key), [], "{keys}");
        }
        let (prompt, caret) = driver.app.prompt().map(|(text, caret, _)| (text, caret)).unwrap();
        assert_eq!(prompt, " Cell: b2_  Enter plays, Esc clears");
        assert_eq!(caret, 9);
        assert_eq!(driver.app.room.cursor, Cell(16));
        assert_eq!(cell_of(&driver.press(KeyCode::Enter)), 16);
        assert_eq!(driver.app.room.cell.typed, None);
    }
}

#[test]
fn a_key_that_means_something_keeps_its_meaning() {
    let mut driver = large();
    let asked = driver.type_text("i");
    assert!(matches!(&asked[..], [Effect::Send(_)]), "a hint");
    driver.feed(hint(0, &[112], "best"));
    driver.type_text("b");
    driver.press(KeyCode::Left);
    assert_eq!(
        (driver.app.room.cursor, &driver.app.room.cell.typed),
        (Cell(111), &None),
        "an arrow moves"
    );
    driver.type_text("b2");
    driver.press(KeyCode::Esc);
    assert_eq!(
        (&driver.app.room.cell.typed, driver.app.overlay),
        (&None, None),
        "nothing was left"
    );
    driver.press(KeyCode::Esc);
    assert!(driver.app.overlay.is_some(), "leave?");
}

/// The cell that is played by keys and one Enter, on a board of 15 x 15 with the cursor on h8.
fn played(keys: &str) -> Option<u16> {
    let mut driver = large();
    driver.type_text(keys);
    let effects = driver.press(KeyCode::Enter);
    (!effects.is_empty()).then(|| cell_of(&effects))
}

#[test]
fn enter_plays_no_other_cell_than_the_typed_one() {
    for (keys, cell) in [("d4", 48), ("c3", 32), ("l3", 41), ("j10", 144), ("h1", 7), ("D4", 48)] {
        assert_eq!(played(keys), Some(cell), "{keys}");
    }
    for keys in ["z3", "e55", "4", "d", "r3", "e0", "v4"] {
        assert_eq!(played(keys), None, "{keys}");
    }
}

#[test]
fn after_a_refused_key_enter_asks_before_it_plays() {
    for keys in ["z", "4", "z3", "r3"] {
        let mut driver = large();
        driver.type_text(keys);
        assert_eq!(driver.press(KeyCode::Enter), [], "{keys}");
        assert_eq!(driver.message(), "Enter again plays h8.");
        assert_eq!(cell_of(&driver.press(KeyCode::Enter)), 112, "{keys}");
    }
    let mut driver = large();
    driver.type_text("z");
    driver.press(KeyCode::Right);
    assert_eq!(driver.app.shell.message, None);
    assert_eq!(cell_of(&driver.press(KeyCode::Enter)), 113, "the cursor was moved since");
}

#[test]
fn the_cursor_goes_back_from_a_name_that_is_not_played() {
    let mut driver = AppDriver::in_room(snapshot("15x15x5", &[0, 1]));
    driver.type_text("b2");
    assert_eq!(driver.app.room.cursor, Cell(16));
    driver.press(KeyCode::Esc);
    assert_eq!(driver.app.room.cursor, Cell(112), "cleared");
    driver.type_text("b2c");
    assert_eq!(driver.app.room.cursor, Cell(112), "another name is begun");
    driver.press(KeyCode::Backspace);
    driver.type_text("b1");
    assert_eq!(driver.press(KeyCode::Enter), [], "taken");
    assert_eq!(driver.app.room.cursor, Cell(112));
    assert_eq!(driver.press(KeyCode::Enter), []);
    assert_eq!(driver.message(), "Enter again plays h8.");
}

#[test]
fn a_name_that_is_no_cell_is_explained_and_not_sent() {
    let mut driver = large();
    driver.type_text("b19");
    assert_eq!(driver.press(KeyCode::Enter), []);
    assert_eq!(driver.message(), "a cell is a letter and a number, from a1 to o15");
}

#[test]
fn a_key_without_a_meaning_says_so() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.type_text("z");
    let expected = "z means nothing here: 1 to 9 place a mark, ? shows the keys.";
    assert_eq!(driver.message(), expected);
    assert!(!driver.app.shell.message.as_ref().unwrap().error, "a warning, not an error");
    let mut driver = large();
    driver.type_text("z");
    let expected = "z means nothing here: g types a cell, ? shows the keys.";
    assert_eq!(driver.message(), expected);
    driver.type_text("7");
    let expected = "a cell is a letter and a number here, such as h8: g types one";
    assert_eq!(driver.message(), expected);
    driver.type_text("~");
    assert!(driver.message().starts_with("~ means nothing"));
    let mut waits = AppDriver::in_room(crate::fixture::waiting());
    for key in ["r", "N", "R"] {
        waits.type_text(key);
        assert_eq!(waits.message(), format!("{key} means nothing here: ? shows the keys."));
    }
}

#[test]
fn the_end_of_the_game_ends_the_name() {
    let start = snapshot("6x6x4", &[0, 6, 1, 7, 2, 8]);
    let mut driver = AppDriver::in_room(start.clone());
    driver.type_text("b2");
    driver.feed_all(moves(&start, &[3]));
    assert_eq!(driver.app.room.cell.typed, None);
    let played = driver.type_text("b2");
    assert!(!played.iter().any(|effect| format!("{effect:?}").contains("Play")));
}

fn two_computers(pace: Pace) -> Snapshot {
    let mut snapshot = snapshot("3x3x3", &[0]);
    for seat in [&mut snapshot.seats.x, &mut snapshot.seats.o] {
        *seat = Seat::Computer(Computer::default());
    }
    (snapshot.presence.seats.x, snapshot.presence.seats.o) = (None, None);
    Snapshot { maker: Some(ME), pace, ..snapshot }
}

#[test]
fn the_maker_pauses_steps_and_changes_the_pace() {
    let mut driver = AppDriver::in_room(two_computers(Pace::Fast));
    let bar = |driver: &AppDriver| driver.app.key_bar().text();
    assert!(bar(&driver).starts_with("space pause | - slower | "), "{}", bar(&driver));
    let paused = RoomIntent::Pace { pace: Pace::Paused };
    assert_eq!(*sent_to_room(&driver.type_text("p")), paused);
    driver.feed(event(11, Event::Paced { pace: Pace::Paused }));
    assert_eq!(driver.message(), "The computers are paused.");
    assert!(bar(&driver).starts_with("space play on | n step | "), "{}", bar(&driver));
    assert_eq!(*sent_to_room(&driver.type_text("n")), RoomIntent::Step { game: 1, ply: 1 });
    assert_eq!(*sent_to_room(&driver.type_text(".")), RoomIntent::Step { game: 1, ply: 1 });
    assert_eq!(driver.type_text("+"), [], "paused");
    // As fast as before.
    let fast = RoomIntent::Pace { pace: Pace::Fast };
    assert_eq!(*sent_to_room(&driver.type_text(" ")), fast);
    driver.feed(event(12, Event::Paced { pace: Pace::Fast }));
    assert_eq!(driver.message(), "The computers play on, fast.");
    assert_eq!(driver.type_text("+"), [], "the end of the scale");
    let normal = RoomIntent::Pace { pace: Pace::Normal };
    assert_eq!(*sent_to_room(&driver.type_text("-")), normal);
}

#[test]
fn a_player_makes_the_computer_stronger_and_weaker() {
    let mut driver = AppDriver::in_room(against_computer(&[]));
    let strength = |strength| RoomIntent::Strength { strength };
    assert_eq!(*sent_to_room(&driver.type_text("+")), strength(Strength::Strong));
    assert_eq!(*sent_to_room(&driver.type_text("-")), strength(Strength::Weak));
    let computer = Computer { strength: Strength::VeryStrong, ..Computer::default() };
    driver.feed(event(11, Event::Seated { mark: Mark::O, seat: Seat::Computer(computer) }));
    let message = driver.app.shell.message.as_ref().unwrap();
    assert_eq!(message.text, "The computer plays very strong now.");
    assert_eq!(driver.type_text("+"), [], "the end of the scale");
    assert!(driver.app.shell.has_error());
}

#[test]
fn after_a_game_the_panel_says_how_it_becomes_easier_or_harder() {
    let check = |moves: &[u16], expected: &str| {
        let mut driver = AppDriver::in_room(against_computer(moves));
        let shown = screen(&mut driver, 80, 24);
        assert!(shown.contains(expected), "{shown}");
    };
    check(&[0, 3, 1, 4, 2], "r plays again, + makes it harder");
    check(&[0, 3, 1, 4, 8, 5], "r plays again, - makes it easier");
}

#[test]
fn others_watch_without_these_keys() {
    let mut start = two_computers(Pace::Normal);
    start.maker = None;
    let mut driver = AppDriver::in_room(start);
    assert!(!driver.app.key_bar().text().contains("pause"));
    assert_eq!(driver.type_text("p+"), []);
}
