//! Talk in a room: mutes and limits. A line's audience is in the rules of a room.

use std::time::Duration;

use noughts_harness::{Player, ServerProcess, TestServer, advance_time};
use noughts_protocol::{CHAT_LINES, ChatMode, MAX_CHAT_CHARS, RefusalCode, Role, RoomSettings};

async fn spectator(server: &TestServer, name: &str, of: &Player) -> Player {
    let mut eve = server.player(name).await;
    eve.join(of.state().code, Role::Spectator).await.unwrap();
    eve
}

#[tokio::test(start_paused = true)]
async fn a_crowd_may_say_so_much_at_once_and_is_heard_later() {
    let server = TestServer::virtual_time(&[]);
    let (ada, _bob) = server.pair(RoomSettings::default()).await;
    let mut crowd = Vec::new();
    for number in 0..40 {
        crowd.push(spectator(&server, &format!("Eve {number}"), &ada).await);
    }
    let mut heard = 0;
    for (number, eve) in crowd.iter_mut().enumerate() {
        let answer = eve.say(&format!("line {number}")).await;
        heard += usize::from(answer.is_ok());
        assert_eq!(answer.is_ok(), number < CHAT_LINES, "{}", eve.refusal_text);
    }
    let refused = crowd.last().unwrap();
    assert!(refused.refusal_text.starts_with("many people talk at once"), "{refused:?}");
    advance_time(Duration::from_secs(1)).await;
    let eve = &mut crowd[0];
    eve.until_heard(&format!("line {}", heard - 1)).await;
    assert_eq!(eve.chat.len(), CHAT_LINES);
}

#[tokio::test(start_paused = true)]
async fn sixty_of_the_longest_lines_fit_one_message() {
    let server = TestServer::virtual_time(&[]);
    let name = "\u{1d56c}".repeat(24);
    let mut ada = server.player(&name).await;
    let mut eve = server.player(&name).await;
    let code = ada.host().await;
    eve.join(code, Role::Spectator).await.unwrap();
    let longest = "\u{1d56c}".repeat(MAX_CHAT_CHARS);
    for _ in 0..CHAT_LINES {
        ada.say(&longest).await.unwrap();
        eve.say(&longest).await.unwrap();
        advance_time(Duration::from_secs(2)).await;
    }
    // The connection of the harness takes no larger message than the protocol allows.
    let mut fay = server.player("Fay").await;
    fay.join(code, Role::Spectator).await.unwrap();
    fay.until("all lines", |p| p.chat.len() == 2 * CHAT_LINES).await;
}

#[tokio::test]
async fn who_is_muted_is_silent_on_all_devices_of_that_person() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let mut eve = spectator(&server, "Eve", &ada).await;
    let mut phone = server.returning("Ada", Some(ada.token.clone())).await;
    phone.join(ada.state().code, Role::Player).await.unwrap();
    ada.mute(bob.id, true).await.unwrap();
    phone.until("the mute", |p| p.muted.as_ref().is_some_and(|muted| *muted == [bob.id])).await;
    bob.say("ha ha").await.unwrap();
    eve.until_heard("ha ha").await;
    for player in [&mut ada, &mut phone] {
        player.settle().await;
        assert!(player.chat.is_empty(), "{:?}", player.chat);
    }
}

#[tokio::test]
async fn a_host_may_switch_talk_off_for_rooms_that_exist_too() {
    let server = ServerProcess::start(&[]);
    let mut ada = server.player("Ada").await;
    let code = ada.host().await;
    ada.say("hi").await.unwrap();
    let token = ada.token.clone();
    let last = ada.chat[0].n;
    let server = server.restart();
    let mut ada = server.returning("Ada", Some(token)).await;
    ada.join(code, Role::Player).await.unwrap();
    ada.settle().await;
    assert!(ada.chat.is_empty(), "what was said ends with the server");
    ada.say("hi again").await.unwrap();
    assert!(ada.chat[0].n > last, "a client must not take it for a line that it has");
    let token = ada.token.clone();
    let server = server.restart_with(&["--no-chat"]);
    let mut ada = server.returning("Ada", Some(token)).await;
    ada.join(code, Role::Player).await.unwrap();
    assert_eq!(ada.say("hi").await, Err(RefusalCode::SwitchedOff));
    assert_eq!(ada.mute(ada.id, true).await, Err(RefusalCode::SwitchedOff));
    ada.settle().await;
    ada.host().await;
    assert_eq!(ada.state().settings.chat, ChatMode::Off);
}
