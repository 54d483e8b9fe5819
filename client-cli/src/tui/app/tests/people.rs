//! Profiles, the strongest players, saving an identity and being forgotten, on the full screen.

use noughts_protocol::{
    Acquaintance, BoardClass, Leader, Leaderboard, OpponentTally, Participant, Period, PlayerId,
    PlayerName, Profile, Rating, RoomSettings, Tally,
};

use super::*;
use crate::fixture::ME;

fn profile(player: PlayerId, name: &str) -> Found {
    let opponent = Participant::Human { player: OTHER, name: "Bob".parse().unwrap() };
    let tally = Tally { wins: 2, losses: 1, draws: 0 };
    let opponents = if player == ME { vec![OpponentTally { opponent, tally }] } else { vec![] };
    let name = name.parse().unwrap();
    let profile = Profile {
        player,
        name,
        first_at: None,
        last_at: None,
        tally,
        streak: 0,
        best_streak: 2,
        boards: Vec::new(),
        computers: Vec::new(),
        opponents,
        you: None,
        ratings: Vec::new(),
        recent: Vec::new(),
    };
    Found::Profile { profile }
}

/// Opens an item of the menu. Returns what it asks.
fn open(item: &str) -> (AppDriver, Vec<Effect>) {
    let mut driver = AppDriver::in_menu();
    let place = Menu::items(&driver.app.shell).iter().position(|(_, text)| text == item);
    driver.app.shell.list.select(place);
    let asked = driver.press(KeyCode::Enter);
    (driver, asked)
}

/// The player's own profile is shown.
fn own() -> AppDriver {
    let (mut driver, asked) = open("My profile");
    driver.feed(found(&asked, profile(ME, "Ada")));
    driver
}

fn title(driver: &AppDriver) -> String {
    driver.app.page().unwrap().title.join("\n")
}

#[test]
fn a_profile_leads_to_those_whom_one_met_and_back() {
    let mut driver = own();
    assert!(title(&driver).contains("Ada (you)"), "{}", title(&driver));
    // The first line that leads somewhere is selected.
    let asked = driver.press(KeyCode::Enter);
    assert_eq!(*sent_to_lobby(&asked), LobbyIntent::Profile { player: Some(OTHER) });
    driver.feed(found(&asked, profile(OTHER, "Bob")));
    assert!(title(&driver).contains("Bob") && !title(&driver).contains("you"));
    let asked = driver.press(KeyCode::Esc);
    driver.feed(found(&asked, profile(ME, "Ada")));
    assert!(title(&driver).contains("Ada (you)"));
    driver.press(KeyCode::Esc);
    assert!(matches!(driver.app.screen, Screen::Menu));
}

#[test]
fn the_cursor_skips_empty_lines() {
    let mut driver = own();
    for key in [KeyCode::Down, KeyCode::Up, KeyCode::PageDown, KeyCode::PageUp] {
        for _ in 0..12 {
            driver.press(key);
            let page = driver.app.page().unwrap();
            assert!(!page.items[driver.app.shell.selected()][0].is_empty(), "{key:?}");
        }
    }
}

#[test]
fn an_identity_is_saved_to_the_file_that_is_typed() {
    let mut driver = own();
    driver.press(KeyCode::PageDown);
    driver.press(KeyCode::Up);
    driver.press(KeyCode::Enter);
    assert!(matches!(&driver.app.screen, Screen::People(people) if people.file.is_some()));
    let effects = driver.press(KeyCode::Enter);
    let [Effect::SaveIdentity(path, identity)] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(path.to_str(), Some("noughts-Ada.json"));
    assert_eq!((identity.server.as_str(), identity.name.as_str()), ("host", "Ada"));
    driver.app.identity_saved(path, Err("the disk is full".to_owned()));
    assert!(driver.app.shell.message.as_ref().unwrap().error);
    driver.app.identity_saved(path, Ok(()));
    assert!(matches!(driver.app.screen, Screen::People(_)));
}

/// Fails if the pass cannot be copied, or nobody learns that it was used.
#[test]
fn a_pass_leads_to_another_device() {
    let mut driver = own();
    driver.press(KeyCode::PageDown);
    driver.press(KeyCode::Up);
    driver.press(KeyCode::Up);
    let asked = driver.press(KeyCode::Enter);
    assert_eq!(*sent_to_lobby(&asked), LobbyIntent::Pass);
    let told = |expires_in_ms| {
        let code = "once".parse().unwrap();
        from_server(ServerMessage::Pass { code, expires_in_ms })
    };
    let link = "http://host:7333/#pass=once";
    assert_eq!(driver.feed(told(120_000)), [Effect::Copy(link.to_owned())]);
    let items = driver.app.page().unwrap().items.concat();
    assert_eq!(items, [link, "noughts pass once --server host"]);
    assert!(title(&driver).ends_with("once, in 2:00."), "{}", title(&driver));
    driver.feed(told(0));
    assert_eq!(driver.message(), "Your other device is in.");
}

#[test]
fn the_player_is_forgotten_after_a_yes() {
    let mut driver = own();
    driver.press(KeyCode::PageDown);
    driver.press(KeyCode::Enter);
    assert_eq!(driver.app.overlay, Some(Overlay::Question(Question::Forget)));
    let asked = driver.type_text("y");
    driver.feed(refused(sent(&asked), RefusalCode::NotStored, "not now"));
    assert!(matches!(driver.app.screen, Screen::People(_)), "nothing has changed");
    driver.press(KeyCode::PageDown);
    driver.press(KeyCode::Enter);
    let asked = driver.type_text("y");
    driver.feed(applied(sent(&asked)));
    assert!(driver.app.shell.client.identity().is_none(), "the token is gone");
    driver.feed(welcome());
    assert!(matches!(driver.app.screen, Screen::Menu));
    assert!(driver.app.shell.message.as_ref().unwrap().text.contains("forgotten"));
}

#[test]
fn the_leaders_of_other_boards_and_times_are_asked_for() {
    let (mut driver, asked) = open("Strongest players");
    let class = BoardClass::default();
    let period = Period::default();
    let rating = Rating { class, rating: 1600, deviation: 60, games: 9 };
    let row = Leader { player: OTHER, name: "Bob".parse().unwrap(), rating, games_in_period: 6 };
    let leaderboard = Leaderboard { class, period, least_games: 5, rows: vec![row] };
    driver.feed(found(&asked, Found::Leaderboard { leaderboard }));
    assert!(driver.app.page().unwrap().items[0][0].contains("1600"));
    let asked = driver.type_text("b");
    let four = LobbyIntent::Leaderboard { class: BoardClass::Four, period };
    assert_eq!(*sent_to_lobby(&asked), four);
    let asked = driver.type_text("t");
    driver.feed(refused(sent(&asked), RefusalCode::SwitchedOff, "no ratings here"));
    assert!(driver.app.shell.message.as_ref().unwrap().error);
}

#[test]
fn who_is_here_is_asked_to_play_and_who_asks_is_accepted_by_a_key() {
    let (mut driver, asked) = open("Who is here now");
    let bob: PlayerName = "Bob".parse().unwrap();
    let people = vec![Acquaintance { player: OTHER, name: bob.clone() }];
    driver.feed(found(&asked, Found::Here { people, hidden: false }));
    assert_eq!(driver.app.page().unwrap().items[0], ["Bob"]);
    let asks = driver.press(KeyCode::Enter);
    let player = OTHER;
    let settings = RoomSettings::default();
    assert_eq!(*sent_to_lobby(&asks), LobbyIntent::Challenge { player, settings });
    driver.feed(refused(sent(&asks), RefusalCode::NotNow, "not here"));
    assert!(matches!(driver.app.screen, Screen::Menu), "somebody who is refused waits for nothing");

    let room = RoomCode::from_number(7);
    let told =
        ServerMessage::Challenged { room, player, name: bob, settings, expires_in_ms: 60_000 };
    driver.feed(from_server(told));
    let accepts = driver.control('y');
    assert_eq!(*sent_to_lobby(&accepts), LobbyIntent::Join { room, role: Role::Player });
    driver.control('y');
    assert!(driver.app.shell.message.as_ref().unwrap().text.contains("Nobody asks"), "once");
}
