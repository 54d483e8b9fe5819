//! The line of a win: drawn cell by cell, and nothing else on the screen changes.

use super::*;
use crate::boards::Boards;

/// An app at the moment in which X completes row 1.
fn won() -> AppDriver {
    let start = snapshot("3x3x3", &[0, 3, 1, 4]);
    let mut driver = AppDriver::in_room(start.clone());
    driver.app.shell.client.preferences.motion = true;
    driver.feed_all(moves(&start, &[2]));
    driver
}

/// The places of cells that differ between two pictures.
fn changed(one: &Buffer, other: &Buffer) -> Vec<(u16, u16)> {
    let differs = |place: &usize| one.content[*place] != other.content[*place];
    (0..one.content.len()).filter(differs).map(|place| one.pos_of(place)).collect()
}

#[test]
fn the_cells_of_a_win_light_up_one_after_the_other_and_nothing_else_moves() {
    let mut driver = won();
    let width = 80;
    let height = 24;
    let mut before = draw(&mut driver.app, width, height);
    let lit = |buffer: &Buffer| rows(buffer).join("").matches('*').count() / 2;
    assert_eq!(lit(&before), 1, "the first cell");
    let body = crate::tui::layout::chrome(driver.app.shell.size).unwrap().body;
    let boards = Boards::of_room(driver.app.shell.session.room().unwrap());
    let layout = crate::tui::layout::game(body, boards, driver.app.room.cursor);
    let mut pictures = vec![lit(&before)];
    while let Some(frame) = driver.app.next_frame() {
        assert!(frame > driver.now, "it goes on");
        driver.now = frame;
        driver.app.update(AppEvent::Tick, frame);
        let now = draw(&mut driver.app, width, height);
        let changed = changed(&before, &now);
        assert!(!changed.is_empty(), "each frame shows something new");
        for (x, y) in changed {
            let cell = layout.cell_at((x, y).into()).expect("a cell of the board changes");
            assert!(cell.0 < 3, "only the line changes, not {cell:?}");
        }
        pictures.push(lit(&now));
        before = now;
    }
    assert_eq!(pictures, [1, 2, 3, 3, 3], "the last two are the pulse and its end");
    driver.app.update(AppEvent::Tick, after(driver.now, 5));
    assert_eq!(draw(&mut driver.app, width, height), before, "then nothing changes");
}

#[test]
fn without_movement_the_line_is_there_at_once() {
    let mut moving = won();
    moving.app.update(AppEvent::Tick, after(moving.now, 5));
    let mut still = AppDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4]));
    still.app.shell.client.preferences.motion = false;
    let start = snapshot("3x3x3", &[0, 3, 1, 4]);
    still.feed_all(moves(&start, &[2]));
    assert_eq!(still.app.next_frame(), None);
    assert_eq!(draw(&mut still.app, 80, 24), draw(&mut moving.app, 80, 24));
    // A visitor of a finished game sees its end.
    let mut late = AppDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
    late.app.shell.client.preferences.motion = true;
    assert_eq!(late.app.next_frame(), None);
    check_has(&screen(&mut late, 80, 24), &["You win!", "Row 1."]);
}

#[test]
fn the_next_game_begins_without_the_last_line() {
    let mut driver = won();
    driver.feed(event(12, game_started(2, Mark::O, Default::default())));
    assert_eq!(driver.app.next_frame(), None);
    assert!(!screen(&mut driver, 80, 24).contains('*'));
}
