//! Talk on the full screen: typing, emotes, mute, and what was not read.

use noughts_protocol::{ChatLine, ChatMode, Emote, PlayerId, Said, ServerMessage};

use super::*;

/// A line of Bob, who has the seat of O, or of a spectator.
pub(crate) fn line(n: u64, player: PlayerId, text: &str) -> ChatLine {
    let (name, seat) = match player {
        OTHER => ("Bob", Some(Mark::O)),
        crate::fixture::ME => ("Ada", Some(Mark::X)),
        _ => ("Eve", None),
    };
    let said = Said::Text(text.parse().unwrap());
    ChatLine { n, player, name: name.parse().unwrap(), seat, said }
}

pub(crate) fn chat(lines: Vec<ChatLine>) -> ConnectionEvent {
    let muted = Some(Vec::new());
    from_server(ServerMessage::Chat { room: code(), lines, muted })
}

/// A running game in a terminal of this size.
fn game(width: u16, height: u16, board: &str) -> AppDriver {
    let mut driver = AppDriver::in_room(snapshot(board, &[]));
    driver.resize(width, height);
    driver
}

fn said(effects: &[Effect]) -> &Said {
    let RoomIntent::Say { said } = sent_to_room(effects) else { panic!("{effects:?}") };
    said
}

#[test]
fn a_typed_line_is_said_and_plays_no_cell() {
    for board in ["3x3x3", "15x15x5"] {
        let mut driver = game(80, 24, board);
        assert_eq!(driver.type_text("t5 b2 q?"), [], "every key belongs to the line");
        assert_eq!(driver.app.room.cell.typed, None);
        assert_eq!(driver.talk_prompt().unwrap(), (" Say: 5 b2 q?".to_owned(), 13));
        let effects = driver.press(KeyCode::Enter);
        assert_eq!(said(&effects), &Said::Text("5 b2 q?".parse().unwrap()));
        assert_eq!(driver.talk_prompt(), None);
        let played =
            if board == "3x3x3" { driver.type_text("5") } else { driver.press(KeyCode::Enter) };
        assert!(matches!(sent_to_room(&played), RoomIntent::Play { .. }), "keys are cells again");
    }
}

#[test]
fn a_cell_that_was_begun_is_cleared_by_the_line() {
    let mut driver = game(80, 24, "15x15x5");
    driver.type_text("b2");
    driver.press(KeyCode::Esc);
    driver.type_text("tb2");
    driver.press(KeyCode::Esc);
    assert_eq!(driver.app.room.cell.typed, None);
    driver.type_text("t");
    assert_eq!(driver.talk_prompt().unwrap().0, " Say: b2", "a closed line is kept");
}

#[test]
fn emotes_are_said_by_number_also_from_the_line() {
    for keys in [":4", "t\t4"] {
        let mut driver = game(80, 24, "3x3x3");
        let effects = keys.chars().flat_map(|key| match key {
            '\t' => driver.press(KeyCode::Tab),
            key => driver.press(KeyCode::Char(key)),
        });
        let effects: Vec<_> = effects.collect();
        assert_eq!(said(&effects), &Said::Emote(Emote::GoodGame), "{keys:?}");
        assert_eq!(driver.app.overlay, None);
    }
    let mut driver = game(80, 24, "3x3x3");
    assert_eq!(driver.type_text(":9"), []);
    assert_eq!(driver.message(), "Press 1 to 8, or Esc.");
}

#[test]
fn a_room_without_texts_offers_emotes_and_one_without_talk_nothing() {
    let with = |chat| {
        let mut snapshot = snapshot("3x3x3", &[]);
        snapshot.settings.chat = chat;
        AppDriver::in_room(snapshot)
    };
    let mut driver = with(ChatMode::Emotes);
    driver.type_text("t");
    assert_eq!(driver.app.overlay, Some(Overlay::Emotes));
    let mut driver = with(ChatMode::Off);
    driver.type_text("t");
    assert_eq!((driver.talk_prompt(), driver.app.overlay), (None, None));
    assert!(!driver.app.key_bar().text().contains("talk"));
}

#[test]
fn a_line_that_is_too_long_stays_and_says_why() {
    let mut driver = game(80, 24, "3x3x3");
    driver.type_text(&format!("t{}", "x".repeat(141)));
    assert_eq!(driver.press(KeyCode::Enter), []);
    assert_eq!(driver.message(), "write at most 140 characters; an emoji may count as several");
    assert!(driver.talk_prompt().unwrap().0.ends_with(" 141/140"));
    driver.press(KeyCode::Backspace);
    assert!(matches!(said(&driver.press(KeyCode::Enter)), Said::Text(_)));
}

#[test]
fn a_refused_line_is_there_the_next_time() {
    let mut driver = game(80, 24, "3x3x3");
    driver.type_text("thello");
    let effects = driver.press(KeyCode::Enter);
    driver.feed(refused(sent(&effects), RefusalCode::RateLimited, "you talk too fast"));
    assert_eq!(driver.message(), "you talk too fast");
    assert_eq!(driver.talk_prompt(), None, "the keys still belong to the game");
    driver.type_text("t");
    assert_eq!(driver.talk_prompt().unwrap().0, " Say: hello");
}

#[test]
fn a_slash_mutes_somebody() {
    let mut driver = game(80, 24, "3x3x3");
    driver.type_text("/mute bob");
    let effects = driver.press(KeyCode::Enter);
    assert_eq!(*sent_to_room(&effects), RoomIntent::Mute { player: OTHER, mute: true });
    assert!(driver.message().starts_with("You do not hear Bob any more."));
    driver.type_text("/mute Zoe");
    assert_eq!(driver.press(KeyCode::Enter), []);
    assert!(driver.app.shell.message.as_ref().unwrap().error);
}

#[test]
fn lines_are_read_where_the_panel_shows_them_and_counted_elsewhere() {
    let mut wide = game(120, 40, "3x3x3");
    wide.feed(chat(vec![line(1, OTHER, "hi")]));
    assert_eq!((wide.app.shell.unread(), &wide.app.shell.message), (0, &None));
    wide.app.update(AppEvent::Focus(false), wide.now);
    let effects = wide.feed(chat(vec![line(2, OTHER, "there?")]));
    assert_eq!((wide.app.shell.unread(), effects), (1, vec![]), "it rings for no talk");
    assert!(wide.app.title().contains("(1)"));
    wide.app.update(AppEvent::Focus(true), wide.now);
    assert_eq!(wide.app.shell.unread(), 0);
    wide.type_text("m");
    wide.feed(chat(vec![line(3, OTHER, "still there?")]));
    assert!(
        Menu::items(&wide.app.shell)[0].1.ends_with("1 unread"),
        "{:?}",
        Menu::items(&wide.app.shell)[0]
    );
    wide.type_text("0");
    assert_eq!(wide.app.shell.unread(), 0);

    let mut narrow = game(60, 20, "3x3x3");
    narrow.feed(chat(vec![line(1, OTHER, "hi")]));
    assert_eq!((narrow.app.shell.unread(), narrow.message()), (1, "Bob: hi"));
    narrow.feed(chat(vec![line(2, crate::fixture::ME, "hi Bob")]));
    assert_eq!((narrow.app.shell.unread(), narrow.message()), (1, "You: hi Bob"), "it was heard");
    narrow.feed(chat(vec![line(3, OTHER, &"x".repeat(100))]));
    assert!(narrow.message().ends_with("xx…") && narrow.message().chars().count() == 58);
    narrow.type_text("t");
    assert_eq!(narrow.app.shell.unread(), 0, "the line shows the last ones");
}

#[test]
fn a_paste_is_text_and_no_key_of_the_game() {
    let mut driver = game(80, 24, "3x3x3");
    let paste = |driver: &mut AppDriver, text: &str| {
        driver.app.update(AppEvent::Paste(text.to_owned()), driver.now)
    };
    assert_eq!(paste(&mut driver, "5\nq"), [], "nothing is played or left");
    assert!(driver.message().starts_with("A text can be pasted"), "{}", driver.message());
    assert_eq!((&driver.app.overlay, driver.talk_prompt()), (&None, None));
    driver.type_text("tso: ");
    assert_eq!(paste(&mut driver, "first\r\n5\n\u{1b}[Aq\n"), []);
    assert_eq!(driver.talk_prompt().unwrap().0, " Say: so: first 5 [Aq");
    driver.press(KeyCode::Tab);
    assert_eq!(paste(&mut driver, "4"), [], "the emotes take no paste");
}

#[test]
fn an_emote_closes_the_line_as_a_text_does() {
    let mut driver = game(80, 24, "3x3x3");
    driver.type_text("thm");
    driver.press(KeyCode::Tab);
    driver.type_text("4");
    assert_eq!(driver.talk_prompt(), None);
    driver.type_text("t");
    assert_eq!(driver.talk_prompt().unwrap().0, " Say: hm", "the text is kept");
}

#[test]
fn spectators_are_told_apart_and_know_when_they_are_heard() {
    let mut driver = game(60, 20, "3x3x3");
    driver.feed(chat(vec![line(1, PlayerId(9), "nice")]));
    assert_eq!(driver.message(), "Eve (watching): nice");
    for (width, prompt) in
        [(80, " Say (the players hear it after the game): "), (60, " Say (players: later): ")]
    {
        let mut driver = AppDriver::in_room(crate::fixture::watched(snapshot("3x3x3", &[])));
        driver.resize(width, 24);
        driver.type_text("t");
        assert_eq!(driver.talk_prompt().unwrap().0, prompt);
    }
}
