//! Frames, rates, bounds, origins: what a hostile client meets.

use futures::SinkExt;
use noughts_harness::{Stranger, TestServer, advance_time};
use noughts_protocol::{
    ByMark, ClientMessage, CloseCode, IntentId, LobbyIntent, RefusalCode, Role, RoomSettings,
    SeatRequest,
};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::Message;

/// The id under which the harness files refusals without one.
fn no_id() -> IntentId {
    0.try_into().unwrap()
}

#[tokio::test]
async fn an_oversized_frame_closes_the_connection() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    ada.send_text(&"x".repeat(5000)).await;
    assert_eq!(ada.until_closed().await, CloseCode::TooBig.number());
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_never_asks_is_closed() {
    let server = TestServer::virtual_time(&[]);
    let mut half_open = server.stream().await;
    half_open.write_all(b"GET /ws HTTP/1.1\r\nhost: ser").await.unwrap();
    let since = tokio::time::Instant::now();
    let mut rest = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut half_open, &mut rest).await.unwrap();
    assert!((7..=10).contains(&since.elapsed().as_secs()), "{:?}", since.elapsed());
}

#[tokio::test]
async fn garbage_is_refused_with_its_id_and_closed_when_it_goes_on() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    ada.send_text("{").await;
    assert_eq!(ada.answer_to(no_id()).await, Err(RefusalCode::BadMessage));
    ada.send_text(r#"{"type":"dance","id":7}"#).await;
    assert_eq!(ada.answer_to(7.try_into().unwrap()).await, Err(RefusalCode::BadMessage));
    assert!(ada.refusal_text.contains("dance"), "{}", ada.refusal_text);
    ada.send_text(r#"{"type":"ping","id":8,"unknown":[1]}"#).await;
    ada.answer_to(8.try_into().unwrap()).await.unwrap();
    for _ in 0..7 {
        ada.send_text("[]").await;
        assert_eq!(ada.answer_to(no_id()).await, Err(RefusalCode::BadMessage));
    }
    ada.send_text("[]").await;
    assert_eq!(ada.until_closed().await, CloseCode::Garbage.number());
}

#[tokio::test(start_paused = true)]
async fn silence_instead_of_hello_closes_the_connection() {
    let server = TestServer::virtual_time(&[]);
    let mut silent = Stranger::connect(&server).await;
    let since = tokio::time::Instant::now();
    assert_eq!(silent.next().await, Err(CloseCode::HelloTimeout.number()));
    assert_eq!(since.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn anything_before_hello_is_refused_and_another_version_closed() {
    let server = TestServer::start(&[]).await;
    let mut early = Stranger::connect(&server).await;
    assert_eq!(early.ask(r#"{"type":"ping","id":1}"#).await["code"], "hello_first");
    let refused = early.ask(r#"{"type":"hello","protocol":2,"name":"a\u2028b"}"#).await;
    assert_eq!(refused["code"], "bad_name");
    assert!(refused["message"].as_str().unwrap().contains("U+2028"), "{refused}");
    early.say(r#"{"type":"hello","protocol":1,"moniker":"Ada"}"#).await;
    assert_eq!(early.until_closed().await, CloseCode::ProtocolVersion.number());
}

#[tokio::test(start_paused = true)]
async fn too_fast_is_refused_and_a_flood_closed() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    let mut ids = Vec::new();
    for _ in 0..40 {
        let id = ada.new_id();
        ada.send(&ClientMessage::Lobby { intent: LobbyIntent::Ping, id }).await;
        ids.push(id);
    }
    let mut refused = 0;
    for id in ids {
        refused += u32::from(ada.answer_to(id).await == Err(RefusalCode::RateLimited));
    }
    assert_eq!(refused, 21, "of 40, after hello and a burst of 20");
    let mut pings = server.player("Eve").await;
    for _ in 0..200 {
        let id = pings.new_id();
        let ping = ClientMessage::Lobby { intent: LobbyIntent::Ping, id };
        let ping = serde_json::to_string(&ping).unwrap();
        // The server may close before the last is sent.
        if pings.send_frame(Message::text(ping)).await.is_err() {
            break;
        }
    }
    assert_eq!(pings.until_closed().await, CloseCode::Flood.number());
}

#[tokio::test]
async fn a_slow_reader_is_closed_and_disturbs_nobody() {
    let server = TestServer::start(&["--intents-per-second", "100000"]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let both = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
    let code = ada.create(RoomSettings::default(), both).await;
    bob.join(code, Role::Player).await.unwrap();
    let mut slow = Stranger::greeted(&server).await;
    let join = format!(r#"{{"type":"join","id":1,"room":"{code}","role":"spectator"}}"#);
    slow.say(&join).await;
    ada.until("the spectator", |p| p.presence.spectators == 1).await;
    // It asks for ever more and reads nothing, so that its answers fill every buffer on the way.
    let sync = format!(r#"{{"type":"sync","id":1,"room":"{code}"}}"#);
    let flooding = async {
        loop {
            if slow.0.feed(Message::text(sync.clone())).await.is_err() {
                break;
            }
        }
    };
    let watching = ada.until("its end", |p| p.presence.spectators == 0);
    tokio::select! {
        () = flooding => {}
        () = watching => {}
    }
    ada.until("its end", |p| p.presence.spectators == 0).await;
    noughts_harness::player::play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
}

#[tokio::test(start_paused = true)]
async fn a_dead_peer_is_found_by_ping() {
    let server = TestServer::virtual_time(&[]);
    let _dead = Stranger::greeted(&server).await;
    // It reads nothing more, and so answers no ping.
    let mut seconds = 0;
    while server.counts().await[1] > 0 {
        advance_time(std::time::Duration::from_secs(1)).await;
        seconds += 1;
    }
    assert!((45..50).contains(&seconds), "{seconds} s");
}

#[tokio::test]
async fn connections_are_bounded_in_all_and_by_address() {
    let by_address = TestServer::start(&["--max-per-address", "2"]).await;
    let _first = by_address.player("Ada").await;
    let second = by_address.player("Bob").await;
    let host = "host: server";
    assert_eq!(by_address.status("/ws", &[host]).await, 429);
    drop(second);
    by_address.until_counts([0, 1, 0]).await;
    by_address.player("Eve").await;

    let in_all = TestServer::start(&["--max-connections", "1"]).await;
    let _only = in_all.player("Ada").await;
    assert_eq!(in_all.status("/ws", &[host]).await, 503);

    let origins = TestServer::start(&["--allow-origin", "https://games.example"]).await;
    for (origin, expected) in
        [("http://evil.example", 403), ("http://server", 101), ("https://games.example", 101)]
    {
        let origin = format!("origin: {origin}");
        assert_eq!(origins.status("/ws", &[host, &origin]).await, expected, "{origin}");
    }
}
