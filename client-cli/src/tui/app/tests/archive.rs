//! The player's games and a kept game on the full screen.

use noughts_protocol::{GameId, OpponentFilter, Outcome, Participant, Verdict};

use super::*;
use crate::strings::archive::tests::kept;

/// Opens the games, of which there are so many and older ones.
pub(crate) fn in_games(count: u64) -> AppDriver {
    let mut driver = AppDriver::in_menu();
    let question = driver.type_text("9");
    let game = |number| {
        let mut game = kept().summary;
        game.id = GameId(number);
        game
    };
    let games = (1..=count).map(game).collect();
    driver.feed(found(&question, Found::History { games, more: true }));
    driver
}

/// Opens the first game.
fn open(driver: &mut AppDriver) {
    let mut game = kept();
    game.summary.id = GameId(1);
    let question = driver.press(KeyCode::Enter);
    assert_eq!(*sent_to_lobby(&question), LobbyIntent::Game { game: GameId(1) });
    driver.feed(found(&question, Found::Game { game }));
}

#[test]
fn the_games_are_listed_by_pages() {
    let mut driver = in_games(50);
    assert_eq!(driver.app.page().unwrap().items.len(), 50);
    let question = driver.type_text("n");
    let LobbyIntent::History { before, .. } = sent_to_lobby(&question) else { panic!() };
    assert_eq!(*before, Some(GameId(50)));
    assert_eq!(driver.app.page().unwrap().note, ["Loading the games."]);
    driver.feed(found(&question, Found::History { games: vec![], more: false }));
    assert!(driver.app.page().unwrap().title[0].ends_with("page 2"));
    let question = driver.type_text("p");
    let LobbyIntent::History { before, .. } = sent_to_lobby(&question) else { panic!() };
    assert_eq!(*before, None);
}

#[test]
fn filters_take_their_values_from_the_selected_game() {
    let mut driver = in_games(3);
    let question = driver.type_text("o");
    let bob = Some(OpponentFilter::Player(OTHER));
    let LobbyIntent::History { opponent, .. } = sent_to_lobby(&question) else { panic!() };
    assert_eq!(*opponent, bob);
    assert_eq!(driver.app.page().unwrap().title, ["My games, against Bob"]);
    let question = driver.type_text("f");
    let LobbyIntent::History { opponent, outcome, .. } = sent_to_lobby(&question) else { panic!() };
    assert_eq!((*opponent, *outcome), (bob, Some(Outcome::Won)));
    driver.feed(found(&question, Found::History { games: vec![], more: false }));
    assert_eq!(driver.app.page().unwrap().note, ["There are no such games."]);
}

#[test]
fn a_kept_game_is_walked_and_plays_by_itself() {
    let mut driver = in_games(1);
    open(&mut driver);
    let ply = |driver: &AppDriver| match &driver.app.screen {
        Screen::Replay(replay) => replay.ply,
        other => panic!("{other:?}"),
    };
    assert_eq!(ply(&driver), 5, "it begins with the last position");
    driver.press(KeyCode::Left);
    assert_eq!(ply(&driver), 4);
    driver.press(KeyCode::Home);
    assert_eq!(ply(&driver), 0);
    driver.type_text(" ");
    for expected in 1..=5 {
        let due = driver.app.next_frame().unwrap();
        driver.app.update(AppEvent::Tick, due);
        assert_eq!(ply(&driver), expected);
    }
    assert_eq!(driver.app.next_frame(), None, "it stops at the end");
    driver.press(KeyCode::Esc);
    assert!(matches!(driver.app.screen, Screen::Games(_)));
}

#[test]
fn a_review_stands_beside_the_moves() {
    let mut driver = in_games(1);
    open(&mut driver);
    let question = driver.type_text("v");
    assert_eq!(*sent_to_lobby(&question), LobbyIntent::ReviewGame { game: GameId(1) });
    let ConnectionEvent::Message(review) = crate::fixture::review(&[0, 3, 1, 4, 2]) else {
        panic!()
    };
    let ServerMessage::Review(review) = *review else { panic!() };
    assert_eq!(review.moves[1].verdict, Verdict::Mistake);
    let first = review.first;
    let moves = review.moves;
    driver.feed(found(&question, Found::Review { game: GameId(1), first, proven: true, moves }));
    assert_eq!(driver.message(), "1 mistake, proven.");
    let screen = crate::tui::ui::tests::screen(&mut driver, 80, 24);
    assert!(screen.contains("mistake: drawn -> lost"), "{screen}");
}

#[test]
fn a_link_leads_to_a_game_and_one_that_is_not_kept_is_refused() {
    let mut driver = in_games(1);
    let question = driver.press(KeyCode::Enter);
    driver.feed(refused(sent(&question), RefusalCode::NoSuchGame, "there is no such game"));
    assert!(matches!(driver.app.screen, Screen::Games(_)));
    assert_eq!(driver.message(), "there is no such game");
    let linked = || {
        let mut driver = AppDriver::start("noughts replay http://host/g/0123456789abcdef");
        let question = driver.feed(welcome());
        (driver, question)
    };
    let (mut driver, question) = linked();
    let mut game = kept();
    game.summary.id = GameId(0x0123_4567_89ab_cdef);
    driver.feed(found(&question, Found::Game { game }));
    let shown = crate::tui::ui::tests::screen(&mut driver, 80, 24);
    assert!(shown.contains("Move 5 of 5"), "{shown}");
    assert_eq!(driver.type_text("q"), [Effect::Quit(Exit::Done)]);
    let (mut driver, question) = linked();
    let effects = driver.feed(refused(sent(&question), RefusalCode::NoSuchGame, "no such game"));
    assert_eq!(effects, [Effect::Quit(Exit::Refused("no such game".to_owned()))]);
}

#[test]
fn the_last_game_of_a_room_can_be_looked_at_again() {
    let mut start = snapshot("3x3x3", &[0, 3, 1, 4, 2]);
    start.game.as_mut().unwrap().id = Some(GameId(7));
    let mut driver = AppDriver::in_room(start);
    assert!(driver.app.key_bar().text().contains("w look again"));
    let question = driver.type_text("w");
    assert_eq!(*sent_to_lobby(&question), LobbyIntent::Game { game: GameId(7) });
    driver.press(KeyCode::Esc);
    assert!(matches!(driver.app.screen, Screen::Room));
}

#[test]
fn somebody_has_no_filter_of_their_own() {
    let mut driver = AppDriver::in_menu();
    let question = driver.type_text("9");
    let mut game = kept().summary;
    game.players.o = Participant::Somebody;
    driver.feed(found(&question, Found::History { games: vec![game], more: false }));
    let question = driver.type_text("o");
    let LobbyIntent::History { opponent, .. } = sent_to_lobby(&question) else { panic!() };
    assert_eq!(*opponent, Some(OpponentFilter::Human));
}

#[test]
fn the_row_of_keys_names_the_filters_and_a_game_breaks_before_its_board() {
    for (width, filters) in
        [(60, "o who | b board | f result"), (80, "o opponent | b board | f result")]
    {
        let mut driver = in_games(3);
        driver.resize(width, 20);
        let keys = driver.app.key_bar().text();
        assert!(keys.contains(filters) && keys.ends_with("? help"), "{keys}");
    }
    let mut driver = in_games(3);
    driver.resize(54, 20);
    let items = driver.app.page().unwrap().items;
    assert_eq!(items[0][1], "    3x3, 3 in a row, 5 moves", "{items:?}");
}

#[test]
fn a_running_game_can_be_looked_at_later() {
    let mut driver = AppDriver::in_room(snapshot("3x3x3", &[]));
    assert_eq!(driver.type_text("w"), []);
    assert_eq!(driver.message(), "this game can be looked at again when it is over");
}
