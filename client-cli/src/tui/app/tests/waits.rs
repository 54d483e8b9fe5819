//! Waits for a server, a room or a match, and how they end.

use noughts_protocol::ServerMessage;

use super::*;

#[test]
fn waits_that_began_in_the_menu_lead_back_to_it() {
    let mut driver = AppDriver::in_menu();
    driver.type_text("3");
    let quick = driver.press(KeyCode::Enter);
    driver.feed(applied(sent(&quick)));
    driver.feed(ConnectionEvent::Lost("gone".into()));
    assert_eq!(driver.press(KeyCode::Esc), [], "the session asks when it is connected again");
    assert!(matches!(driver.app.screen, Screen::Menu));
    driver.feed(welcome());
    driver.type_text("2kqrzx");
    let join = driver.press(KeyCode::Enter);
    assert!(matches!(driver.app.screen, Screen::Wait(Wait::Room)));
    assert!(driver.app.key_bar().text().starts_with("q back"));
    assert_eq!(*sent_to_room(&driver.type_text("q")), RoomIntent::Leave);
    driver.feed(refused(sent(&join), RefusalCode::NoSuchRoom, "there is no such room"));
    assert!(matches!(driver.app.screen, Screen::Menu), "the join was given up");
    assert!(driver.app.shell.message.is_none());
    let mut driver = AppDriver::start("noughts play KQRZX --server host");
    driver.feed(welcome());
    assert!(driver.app.key_bar().text().starts_with("q quit"));
    assert_eq!(driver.type_text("q"), [Effect::Quit(Exit::Done)]);
}

/// The answer to an intent that leads to no room yet.
fn queued(intent: &ClientMessage) -> ConnectionEvent {
    from_server(ServerMessage::Ok { id: intent.id().unwrap(), room: None, party: None })
}

#[test]
fn a_match_that_is_asked_for_again_outlives_the_cancel_of_the_last_one() {
    let mut driver = AppDriver::in_menu();
    driver.type_text("3");
    let quick = driver.press(KeyCode::Enter);
    driver.feed(queued(sent(&quick)));
    driver.feed(ConnectionEvent::Lost("gone".into()));
    driver.press(KeyCode::Esc);
    driver.type_text("3");
    driver.press(KeyCode::Enter);
    let resumed = driver.feed(welcome());
    let [cancel, again] = &resumed[..] else { panic!("{resumed:?}") };
    for answered in [cancel, again] {
        driver.feed(queued(sent(std::slice::from_ref(answered))));
        assert!(matches!(driver.app.screen, Screen::Wait(Wait::Match(_))));
    }
    let cancel = driver.press(KeyCode::Esc);
    driver.feed(queued(sent(&cancel)));
    assert!(matches!(driver.app.screen, Screen::Menu));
}

#[test]
fn a_resignation_during_a_break_is_said_and_ends_the_moves() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.feed(ConnectionEvent::Lost("gone".into()));
    assert_eq!(driver.type_text("Ry"), []);
    assert_eq!(driver.type_text("5"), []);
    assert_eq!(driver.message(), "you have resigned: wait for the server");
    driver.type_text("R");
    assert_eq!(driver.app.overlay, None);
    let resumed = driver.feed(welcome());
    let resigns = resumed.iter().filter(|effect| format!("{effect:?}").contains("Resign"));
    assert_eq!(resigns.count(), 1);
}

#[test]
fn a_hint_is_refused_during_a_break_and_one_that_the_break_took_is_told() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    driver.type_text("i");
    driver.feed(ConnectionEvent::Lost("gone".into()));
    let offline = "the connection is lost: ask again when the server is back";
    assert_eq!(driver.message(), offline);
    driver.press(KeyCode::Right);
    assert_eq!(driver.app.shell.message, None);
    assert_eq!(driver.type_text("i"), []);
    assert_eq!(driver.message(), offline);
    driver.feed(welcome());
    assert_eq!(driver.message(), "Connected again.");
}
