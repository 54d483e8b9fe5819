//! Guessing codes, tokens and passes is slow, and harms nobody who does not guess (virtual time).

use std::time::Duration;

use noughts_harness::stranger::hello;
use noughts_harness::{Player, Stranger, TestServer, advance_time};
use noughts_protocol::{ClientMessage, LobbyIntent, RefusalCode, Role, RoomCode, RoomIntent};

fn server() -> TestServer {
    // Five wrong guesses at once, and one more every two minutes.
    TestServer::virtual_time(&["--max-per-address=5", "--intents-per-second=1000"])
}

/// Names rooms that are not until the server says something else; how many it was.
async fn guess(player: &mut Player) -> usize {
    for number in 0..100 {
        let room = RoomCode::from_number(number);
        let id = player.new_id();
        // Every intent reveals whether a room exists.
        let message = match number % 2 {
            0 => {
                let intent = LobbyIntent::Join { room, role: Role::Spectator };
                ClientMessage::Lobby { intent, id }
            }
            _ => ClientMessage::Room { intent: RoomIntent::Sync, id, room },
        };
        match player.ask(message).await {
            Err(RefusalCode::NoSuchRoom) => {}
            answer => {
                assert_eq!(answer, Err(RefusalCode::RateLimited));
                return number as usize;
            }
        }
    }
    panic!("nothing stops it");
}

#[tokio::test(start_paused = true)]
async fn who_guesses_codes_learns_nothing_for_a_while() {
    let server = server();
    let mut ada = server.player("Ada").await;
    let mut eve = server.player("Eve").await;
    let code = ada.host().await;
    assert_eq!(guess(&mut eve).await, 5);
    assert!(eve.refusal_text.contains("wait a minute"), "{}", eve.refusal_text);
    assert_eq!(eve.join(code, Role::Player).await, Err(RefusalCode::RateLimited));
    // A seated player may return, also from the same address.
    drop(ada);
    let token = eve.token.clone();
    drop(eve);
    let mut eve = server.returning("Eve", Some(token)).await;
    advance_time(Duration::from_secs(121)).await;
    assert_eq!(guess(&mut eve).await, 1);
    advance_time(Duration::from_secs(121)).await;
    eve.join(code, Role::Player).await.unwrap();
    assert_eq!(guess(&mut eve).await, 1);
    eve.join(code, Role::Player).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn who_guesses_tokens_gets_no_new_identity_for_them() {
    let server = server();
    let ada = server.player("Ada").await;
    let id = ada.id;
    let token = ada.token.clone();
    drop(ada);
    let wrong = |number: usize| Some(format!("{number:016x}.{}", "0".repeat(64)).parse().unwrap());
    for number in 0..5 {
        server.returning("Eve", wrong(number)).await;
    }
    let mut stranger = Stranger::connect(&server).await;
    let nonsense = r#"{"type":"hello","protocol":2,"name":"Eve","token":"nonsense"}"#;
    for _ in 0..3 {
        assert_eq!(stranger.ask(nonsense).await["code"], "rate_limited");
    }
    assert_eq!(stranger.ask(&hello("Eve")).await["type"], "welcome");
    assert_eq!(server.returning("Ada", Some(token)).await.id, id);
    advance_time(Duration::from_secs(121)).await;
    server.returning("Eve", wrong(9)).await;
}

#[tokio::test(start_paused = true)]
async fn guessing_passes_ends_the_connection() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    let pass = ada.ask_pass().await;
    let guess = pass.reveal().replace(|c: char| c.is_ascii_digit(), "0");
    let guess = format!(r#"{{"type":"hello","protocol":2,"name":"Phone","pass":"{guess}"}}"#);
    let mut stranger = Stranger::connect(&server).await;
    for _ in 0..9 {
        assert_eq!(stranger.ask(&guess).await["code"], "bad_pass");
    }
    stranger.say(&guess).await;
    assert_eq!(stranger.until_closed().await, 4005);
}
