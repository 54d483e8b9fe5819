//! Windows, and the keys that were not meant for what is under them.

use super::*;

impl AppDriver {
    /// Keys that come in one read.
    fn paste_as_keys(&mut self, text: &str) -> Vec<Effect> {
        let code = |letter| if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) };
        let keys = text.chars().map(|letter| KeyEvent::new(code(letter), KeyModifiers::NONE));
        self.app.update(AppEvent::Keys(keys.collect()), self.now)
    }
}

#[test]
fn a_text_that_comes_as_keys_answers_no_question() {
    for text in ["Ready?\nyes", "Ry", "qy", "Rn"] {
        let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
        assert_eq!(driver.paste_as_keys(text), [], "{text:?}");
        let question = matches!(driver.app.overlay, Some(Overlay::Question(_)));
        assert!(question, "{text:?} leaves the question open: {:?}", driver.app.overlay);
        assert!(driver.message().contains("y or n"), "{}", driver.message());
    }
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.paste_as_keys("Ready?\nyes");
    let resign = driver.type_text("y");
    assert_eq!(*sent_to_room(&resign), RoomIntent::Resign { game: 1 }, "a key alone answers");
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
    assert_eq!(driver.paste_as_keys("N3"), []);
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Series)));
}

/// Fails if the second Enter of a paste confirms the cell that the first one asks about.
#[test]
fn a_text_that_comes_as_keys_plays_no_cell_that_is_in_doubt() {
    let mut driver = AppDriver::in_room(snapshot("15x15x5", &[]));
    assert_eq!(driver.paste_as_keys("z\n\n\n"), []);
    assert!(driver.message().starts_with("Enter again plays"), "{}", driver.message());
}

#[test]
fn keys_that_come_at_once_are_typed_and_play() {
    let mut driver = AppDriver::in_room(snapshot("15x15x5", &[]));
    let spec = "15x15x5".parse::<noughts_protocol::BoardSpec>().unwrap();
    assert_eq!(cell_of(&driver.paste_as_keys("b2\n")), spec.parse_cell("b2").unwrap().0);
}

#[test]
fn a_question_that_goes_by_itself_takes_the_keys_that_were_meant_for_it() {
    let start = snapshot("3x3x3", &[0, 3, 1, 4]);
    let mut driver = AppDriver::in_room(start.clone());
    driver.type_text("R");
    driver.feed_all(moves(&start, &[2]));
    assert_eq!(driver.press(KeyCode::Esc), []);
    assert!(matches!(driver.app.screen, Screen::Room), "Esc does not leave the room");
    assert_eq!(driver.control('c'), [Effect::Quit(Exit::Done)], "Ctrl-C always does");
    driver.now += Duration::from_millis(501);
    assert_eq!(*sent_to_room(&driver.press(KeyCode::Esc)), RoomIntent::Leave);
}

/// Keys typed while the room closes must not choose in the menu, where "q" ends the program.
#[test]
fn a_line_that_goes_by_itself_takes_the_keys_that_were_meant_for_it() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.type_text("tgood");
    driver.feed(event(11, Event::Closed { reason: CloseReason::Idle }));
    assert!(matches!(driver.app.screen, Screen::Menu));
    assert_eq!(driver.type_text(" qame"), []);
    driver.now += Duration::from_millis(501);
    assert_eq!(driver.type_text("q"), [Effect::Quit(Exit::Done)]);
}

#[test]
fn control_z_stops_the_program_and_a_shell_may_too() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.type_text("R");
    assert_eq!(driver.control('z'), [Effect::Suspend]);
    let stop = AppEvent::Signal(Signal::Stop);
    assert_eq!(driver.app.update(stop, driver.now), [Effect::Suspend]);
    let go_on = AppEvent::Signal(Signal::Continue);
    assert_eq!(driver.app.update(go_on, driver.now), [Effect::Redraw]);
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Resign)), "it stays");
}
