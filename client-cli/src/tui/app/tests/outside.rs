//! The ways to reach a player who looks elsewhere: calls, the title, the clipboard, the mouse, and the room
//! behind the menu.

use noughts_protocol::{PartyCode, PartyRole, Series, ServerMessage};

use super::*;
use crate::fixture::party::{gathering, party};
use crate::fixture::{against_computer, game_started, watched};

fn calls(effects: &[Effect]) -> Vec<String> {
    let calls = effects.iter().filter_map(|effect| match effect {
        Effect::Call(text) => Some(text.to_string()),
        _ => None,
    });
    calls.collect()
}

#[test]
fn a_turn_calls_a_player_who_looks_elsewhere_or_may_do_so() {
    let person = snapshot("3x3x3", &[0]);
    // A computer answers at once.
    for (start, expected) in [(person, [1, 0, 1]), (against_computer(&[0]), [0, 0, 1])] {
        for (focus, expected) in [None, Some(true), Some(false)].into_iter().zip(expected) {
            let mut driver = AppDriver::in_room(start.clone());
            if let Some(focus) = focus {
                driver.app.update(AppEvent::Focus(focus), driver.now);
            }
            let effects = driver.feed_all(moves(&start, &[4]));
            assert_eq!(calls(&effects).len(), expected, "{focus:?}");
            assert!(driver.app.title().starts_with("● Your turn"));
        }
    }
}

#[test]
fn a_friend_who_comes_is_a_call_and_no_bell_means_none() {
    for (bell, expected) in [(true, &["KQRZX: Bob is here."][..]), (false, &[])] {
        let mut driver = AppDriver::in_room(waiting());
        driver.app.shell.client.preferences.bell = bell;
        let joined =
            driver.feed(event(11, Event::Seated { mark: Mark::O, seat: human(OTHER, "Bob") }));
        assert_eq!(calls(&joined), expected);
    }
}

#[test]
fn the_link_is_copied_and_shown_where_nothing_says_that_it_was() {
    for (clipboard, message) in [
        (true, "Copied the link: http://host:7333/r/KQRZX"),
        (false, "The link: http://host:7333/r/KQRZX"),
    ] {
        let mut driver = AppDriver::in_room(waiting());
        driver.app.shell.client.options.escape_codes.clipboard = clipboard;
        let copied = driver.type_text("y");
        assert_eq!(copied, [Effect::Copy("http://host:7333/r/KQRZX".to_owned())]);
        assert_eq!(driver.message(), message);
    }
}

#[test]
fn the_mouse_is_the_terminals_where_clicks_do_nothing() {
    assert!(!AppDriver::in_room(waiting()).app.wants_mouse(), "the link can be selected");
    assert!(AppDriver::in_room(snapshot("3x3x3", &[])).app.wants_mouse());
    assert!(!AppDriver::in_room(watched(snapshot("3x3x3", &[]))).app.wants_mouse());
    let mut driver = AppDriver::start("noughts --server host");
    assert!(!driver.app.wants_mouse());
    driver.feed(welcome());
    assert!(driver.app.wants_mouse());
}

/// An app in the menu, with a seat in a room behind it.
fn behind_the_menu(start: &Snapshot) -> AppDriver {
    let mut driver = AppDriver::in_room(start.clone());
    assert_eq!(driver.type_text("m"), []);
    assert!(matches!(driver.app.screen, Screen::Menu));
    driver
}

fn first_item(driver: &AppDriver) -> String {
    Menu::items(&driver.app.shell).remove(0).1
}

#[test]
fn the_room_behind_the_menu_is_its_first_item_and_goes_on() {
    let start = snapshot("3x3x3", &[0]);
    let mut driver = behind_the_menu(&start);
    assert_eq!(first_item(&driver), "Back to KQRZX: Bob's turn");
    driver.feed_all(moves(&start, &[4]));
    assert_eq!(first_item(&driver), "Back to KQRZX: your turn");
    assert!(matches!(driver.app.screen, Screen::Menu));
    // The numbers of the others stay.
    driver.type_text("2");
    assert!(matches!(driver.app.screen, Screen::Field(_)));
    driver.press(KeyCode::Esc);
    assert_eq!(driver.type_text("0"), []);
    assert!(matches!(driver.app.screen, Screen::Room));
    // Its own code leads back too.
    driver.type_text("m2KQRZX");
    assert_eq!(driver.press(KeyCode::Enter), []);
    assert!(matches!(driver.app.screen, Screen::Room));
}

#[test]
fn a_wait_for_another_room_is_given_up_without_the_seat_behind_the_menu() {
    let mut driver = behind_the_menu(&snapshot("3x3x3", &[0]));
    driver.type_text("1");
    driver.press(KeyCode::Enter);
    assert!(matches!(driver.app.screen, Screen::Wait(Wait::Room)));
    assert_eq!(driver.press(KeyCode::Esc), [], "nothing is left or resigned");
    assert!(matches!(driver.app.screen, Screen::Menu));
}

/// An app that has had a seat and connects again, and the question for the seat.
fn returning() -> (AppDriver, Vec<Effect>) {
    let mut driver = behind_the_menu(&snapshot("3x3x3", &[0]));
    driver.type_text("8");
    driver.press(KeyCode::Enter);
    driver.type_text("Eve");
    assert_eq!(driver.press(KeyCode::Enter), [Effect::Connect]);
    let asked = driver.feed(welcome());
    let quietly = LobbyIntent::Join { room: code(), role: Role::Spectator };
    assert_eq!(*sent_to_lobby(&asked), quietly);
    assert!(matches!(driver.app.screen, Screen::Settings(_)));
    driver.press(KeyCode::Esc);
    (driver, asked)
}

#[test]
fn a_seat_of_an_earlier_run_is_the_menus_first_item() {
    let (mut driver, asked) = returning();
    driver.type_text("1");
    driver.press(KeyCode::Enter);
    assert!(driver.message().contains("wait a moment"), "the snapshot could be of either room");
    driver.press(KeyCode::Esc);
    driver.feed(applied(sent(&asked)));
    assert_eq!(driver.feed(shown(snapshot("3x3x3", &[0, 4]))), []);
    assert!(matches!(driver.app.screen, Screen::Menu));
    assert_eq!(first_item(&driver), "Back to KQRZX: your turn");
}

#[test]
fn a_seat_that_is_gone_is_no_item_and_no_error() {
    let (mut driver, asked) = returning();
    driver.feed(refused(sent(&asked), RefusalCode::NoSuchRoom, "there is no such room"));
    assert!(matches!(driver.app.screen, Screen::Menu) && driver.app.shell.message.is_none());
    assert_eq!(first_item(&driver), "Play a friend");
    let (mut driver, asked) = returning();
    driver.feed(applied(sent(&asked)));
    let left = driver.feed(shown(watched(snapshot("3x3x3", &[0]))));
    assert_eq!(*sent_to_room(&left), RoomIntent::Leave, "somebody else has the seat");
    assert_eq!(first_item(&driver), "Play a friend");
}

/// Fails if the question for the seat is not asked again of the party, or if the party takes the screen.
#[test]
fn a_party_of_an_earlier_run_is_the_menus_first_item() {
    let (mut driver, asked) = returning();
    let asked = driver.feed(refused(sent(&asked), RefusalCode::PartyCode, "it is a party"));
    let code = PartyCode(code());
    let quietly = LobbyIntent::JoinParty { party: code, role: PartyRole::Spectator };
    assert_eq!(*sent_to_lobby(&asked), quietly);
    driver.feed(applied(sent(&asked)));
    let mut gathered = gathering();
    gathered.state.code = code;
    driver.feed(party(gathered));
    assert!(matches!(driver.app.screen, Screen::Menu));
    assert!(first_item(&driver).starts_with("Back to Friday LAN: "), "{}", first_item(&driver));
    assert_eq!(driver.app.shell.client.profile.saved.room, Some(code.0));
}

#[test]
fn who_watches_reads_a_review_while_the_next_game_runs() {
    let over = watched(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
    let mut driver = AppDriver::in_room(over);
    driver.feed(crate::fixture::review(&[0, 3, 1, 4, 2]));
    driver.type_text("h");
    assert_eq!(driver.app.room.review_ply, Some(4));
    driver.feed(event(11, game_started(2, Mark::X, Score::default())));
    assert_eq!(driver.app.room.review_ply, Some(4));
    assert!(driver.message().contains("1 mistake"), "{}", driver.message());
    driver.press(KeyCode::Esc);
    assert_eq!(driver.app.room.review_ply, None);
    assert!(driver.message().contains("Game 2 begins"), "the news waited");
}

#[test]
fn a_new_series_is_asked_for_by_its_length_and_goes_with_the_next_game() {
    let over = snapshot("3x3x3", &[0, 3, 1, 4, 2]);
    for (key, first_to) in [("o", None), ("3", Some(3)), ("5", Some(5))] {
        let mut driver = AppDriver::in_room(over.clone());
        assert_eq!(driver.type_text("N"), []);
        let asked = driver.type_text(key);
        let series = Some(Series { first_to });
        let expected = RoomIntent::Rematch { game: 1, offer: true, series };
        assert_eq!(*sent_to_room(&asked), expected);
        assert_eq!(driver.app.overlay, None);
    }
    let mut driver = AppDriver::in_room(over);
    driver.type_text("N");
    let mut started = game_started(2, Mark::O, Score::default());
    if let Event::GameStarted { series, .. } = &mut started {
        series.first_to = Some(3);
    }
    driver.feed(event(11, started));
    assert_eq!(driver.app.overlay, None);
    assert!(driver.message().contains("wins the series"), "{}", driver.message());
}

#[test]
fn an_offer_names_the_series_and_the_key_accepts_it() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[0, 3, 1, 4, 2]));
    let series = Some(Series { first_to: Some(5) });
    driver.feed(presence(Presence { series, ..offered(Some(Mark::O)) }));
    assert_eq!(driver.message(), "Bob offers a new series, first to 5.");
    assert!(driver.app.key_bar().text().contains("r accept the new series"));
    let accepted = driver.type_text("r");
    assert_eq!(
        *sent_to_room(&accepted),
        RoomIntent::Rematch { game: 1, offer: true, series: None }
    );
}

#[test]
fn a_seat_of_before_stays_in_the_menu_until_the_server_knows_none() {
    let mut driver = behind_the_menu(&snapshot("3x3x3", &[0]));
    driver.type_text("1");
    let create = driver.press(KeyCode::Enter);
    let [Effect::Send(create)] = &create[..] else { panic!("{create:?}") };
    let other: RoomCode = "BBBBB".parse().unwrap();
    let id = create.id().unwrap();
    driver.feed(from_server(ServerMessage::Ok { id, room: Some(other), party: None }));
    driver.feed(shown(Snapshot { room: other, ..waiting() }));
    let way_back = "Your seat in room BBBBB is kept for a while. To return: noughts play BBBBB";
    assert_eq!(farewell(&driver.app), [way_back, "The menu leads back to KQRZX: noughts"]);
    driver.type_text("m");
    let items: Vec<_> =
        Menu::items(&driver.app.shell).into_iter().map(|(_, text)| text).take(3).collect();
    let before = "Back to KQRZX: Bob's turn when you left (3x3, 3 in a row)";
    assert_eq!(items, ["Back to BBBBB: waiting for a player", before, "Play a friend"]);
    // The numbers of the others stay.
    driver.type_text("2");
    assert!(matches!(driver.app.screen, Screen::Field(_)));
    driver.press(KeyCode::Esc);
    driver.press(KeyCode::Down);
    let back = driver.press(KeyCode::Enter);
    let join = LobbyIntent::Join { room: code(), role: Role::Spectator };
    assert_eq!(*sent_to_lobby(&back), join);
    driver.feed(refused(sent(&back), RefusalCode::NoSuchRoom, "there is no such room"));
    driver.press(KeyCode::Esc);
    let texts: Vec<_> =
        Menu::items(&driver.app.shell).into_iter().map(|(_, text)| text).take(2).collect();
    assert_eq!(texts, ["Back to BBBBB: waiting for a player", "Play a friend"]);
}

#[test]
fn who_watches_another_room_finds_the_way_back_to_their_seat() {
    let mut driver = behind_the_menu(&snapshot("3x3x3", &[0]));
    driver.type_text("2BBBBB");
    let id = sent(&driver.press(KeyCode::Enter)).id().unwrap();
    let room = "BBBBB".parse().unwrap();
    driver.feed(from_server(ServerMessage::Ok { id, room: Some(room), party: None }));
    driver.feed(shown(Snapshot { room, ..watched(snapshot("3x3x3", &[])) }));
    driver.type_text("m");
    let second = Menu::items(&driver.app.shell).remove(1).1;
    assert!(second.starts_with("Back to KQRZX: Bob's turn"), "{second}");
    driver.type_text("0");
    let left = driver.type_text("q");
    driver.feed(applied(sent(&left)));
    assert_eq!(driver.app.shell.client.profile.saved.room, Some(code()));
    assert!(first_item(&driver).starts_with("Back to KQRZX"), "{}", first_item(&driver));
}
