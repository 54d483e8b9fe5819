//! Windows over the screen, fields and lists.

use super::*;

#[test]
fn the_keys_come_in_pages_where_they_do_not_fit() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    let mut seen = String::new();
    screen(&mut driver, 24, 10);
    driver.type_text("?");
    while driver.app.overlay.is_some() {
        seen += &screen(&mut driver, 24, 10);
        driver.type_text("?");
    }
    check_has(&seen, &["arrows", "resign", "Ctrl-C", "winning"]);
    driver.type_text("?");
    check_has(&screen(&mut driver, 80, 24), &["arrows", "last, winning, cursor, on its way"]);
}

#[test]
fn the_caret_is_where_the_text_is_typed_and_long_texts_scroll() {
    let mut driver = AppDriver::start("noughts");
    for (width, height) in [(24, 10), (40, 12), (80, 24)] {
        driver.press(KeyCode::Home);
        driver.resize(width, height);
        let shown = |driver: &mut AppDriver| {
            let rows = rows(&draw(&mut driver.app, width, height));
            let caret = driver.app.caret().unwrap();
            let row = rows[usize::from(caret.y)].clone();
            assert!(caret.x < width && row.contains("> Server:"), "{caret:?} {row:?}");
            (row, usize::from(caret.x))
        };
        let start = shown(&mut driver).1;
        driver.type_text("漢字");
        let (row, caret) = shown(&mut driver);
        assert!(row.contains("> Server: 漢 字"), "{row:?}");
        assert_eq!(caret, start + 4);
        driver.type_text(&"abcdefghi ".repeat(9));
        driver.type_text("the end");
        let (row, caret) = shown(&mut driver);
        assert!(!row.contains('漢') && row[..caret].ends_with("the end"), "{row:?}");
        (0..200).for_each(|_| drop(driver.press(KeyCode::Backspace)));
    }
    driver.press(KeyCode::Tab);
    let name = driver.app.caret().unwrap();
    check_has(&screen(&mut driver, 80, 24), &["> Name:   Ada"]);
    driver.press(KeyCode::Up);
    assert_eq!(driver.app.caret().unwrap().y + 1, name.y);
}

#[test]
fn the_selected_item_is_seen_in_every_window() {
    for (width, height) in [(24, 10), (40, 12), (80, 24), (200, 60)] {
        let mut driver = AppDriver::in_menu();
        driver.type_text("5");
        let waiting = rooms(70);
        let playing = rooms(60);
        let codes: Vec<_> = waiting.iter().chain(&playing).map(|room| room.room).collect();
        let lobby = ServerMessage::Lobby { waiting, playing, more: 7 };
        driver.feed(crate::fixture::from_server(lobby));
        for code in codes.iter().chain(&codes[..2]) {
            let shown = screen(&mut driver, width, height);
            check_has(&shown, &[&format!("> {code}")]);
            driver.press(KeyCode::Down);
        }
    }
}

#[test]
fn the_smallest_window_shows_what_each_choice_stands_at() {
    for menu in ["1", "3", "4", "6", "7"] {
        let mut driver = AppDriver::in_menu();
        screen(&mut driver, 24, 10);
        driver.type_text(menu);
        let fields = |driver: &AppDriver| {
            let Screen::Setup(setup) = &driver.app.screen else { panic!() };
            setup.0.fields().collect::<Vec<_>>()
        };
        for (label, _) in fields(&driver) {
            let value = |driver: &AppDriver| {
                fields(driver).into_iter().find(|field| field.0 == label).unwrap().1
            };
            // Every value, so that the longest is among them.
            let first = value(&driver);
            loop {
                check_has(&screen(&mut driver, 24, 10), &[label, &value(&driver)]);
                driver.press(KeyCode::Right);
                if value(&driver) == first {
                    break;
                }
            }
            driver.press(KeyCode::Down);
        }
    }
}

#[test]
fn a_long_message_hides_neither_whose_turn_it_is_nor_the_way_in() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    screen(&mut driver, 40, 12);
    driver.app.shell.error("a long message ".repeat(4).trim());
    check_has(&screen(&mut driver, 40, 12), &["Your turn (X).", "q leave", "message"]);
    driver.resize(24, 10);
    check_has(&screen(&mut driver, 24, 10), &["q leave"]);
}

/// At 60 columns the panel has no room for "heuristic, very strong", and at 46 the first row none for all rules.
#[test]
fn what_does_not_fit_is_cut_between_words() {
    assert_eq!(crate::tui::ui::prefix("one two three", 9), "one two");
    assert_eq!(crate::tui::ui::prefix("3x3, 3 in a row", 3), "3x3");
    assert_eq!(crate::tui::ui::prefix("Maximiliana", 4), "Maxi", "a word that is too long is cut");
    assert_eq!(crate::tui::ui::prefix("\u{2764}\u{fe0f}", 1), "", "an emoji keeps its colour");
    let mut start = watched(snapshot("15x15x5", &[]));
    let strategy = Strategy::Heuristic;
    start.seats.o = Seat::Computer(Computer { strategy, strength: Strength::VeryStrong });
    start.settings.move_time_ms = Some(30_000);
    start.move_ms_left = Some(30_000);
    check_has(&room_screen(start.clone(), 60, 20), &["O very strong  "]);
    let shown = room_screen(start.clone(), 46, 20);
    check_has(&shown, &["15x15, 5 in a row…"]);
    let shown = room_screen(start, 50, 10);
    let first = shown.lines().next().unwrap();
    assert!(first.contains("5 in a row…"), "the clock covers no word: {first}");
    assert!(first.ends_with("0:30"), "{first}");
}
