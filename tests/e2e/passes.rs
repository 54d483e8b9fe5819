//! A pass brings a second device to the same player: once, for a short time, and for that player only.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use noughts_harness::{Player, TestServer, VIRTUAL_TIMEOUT, player};
use noughts_protocol::{ClientMessage, Hello, PROTOCOL_VERSION, PassCode, Role};
use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;

fn hello(pass: &PassCode) -> ClientMessage {
    let name = "Phone".parse().unwrap();
    let pass = Some(pass.clone());
    let password = None;
    ClientMessage::Hello(Hello { protocol: PROTOCOL_VERSION, name, token: None, pass, password })
}

/// Says texts on a new connection; the answers, and the close code if it ends.
async fn say(server: &TestServer, texts: &[String]) -> (Vec<Value>, Option<u16>) {
    let mut socket = player::open(server.stream().await).await.unwrap();
    let mut answers = Vec::new();
    for text in texts {
        socket.send(Message::text(text)).await.unwrap();
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => answers.push(serde_json::from_str(&text).unwrap()),
            Message::Close(frame) => return (answers, frame.map(|frame| frame.code.into())),
            other => panic!("{other:?}"),
        }
    }
    match tokio::time::timeout(Duration::from_secs(1), socket.next()).await {
        Ok(Some(Ok(Message::Close(frame)))) => (answers, frame.map(|frame| frame.code.into())),
        _ => (answers, None),
    }
}

fn json(message: &ClientMessage) -> String {
    serde_json::to_string(message).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_pass_brings_the_phone_to_the_same_seat_under_the_same_name() {
    let server = TestServer::virtual_time(&[]);
    let mut laptop = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let code = laptop.host().await;
    bob.join(code, Role::Player).await.unwrap();
    let pass = laptop.ask_pass().await;
    let stream = server.stream().await;
    let mut phone = Player::say_hello(stream, &hello(&pass), VIRTUAL_TIMEOUT).await;
    assert_eq!((phone.id, &phone.token), (laptop.id, &laptop.token));
    laptop.until("its pass is used", |p| p.pass == Some((pass.clone(), 0))).await;
    phone.join(code, Role::Player).await.unwrap();
    assert_eq!(phone.state().seats.x.label(), "Ada");
    phone.play(4).await.unwrap();
    laptop.until("the move", |p| p.game().ply() == 1).await;
    assert_eq!(laptop.state(), phone.state());
}

#[tokio::test(start_paused = true)]
async fn guessing_passes_ends_the_connection() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    let pass = ada.ask_pass().await;
    let guess = pass.reveal().replace(|c: char| c.is_ascii_digit(), "0").parse().unwrap();
    let (answers, closed) = say(&server, &vec![json(&hello(&guess)); 10]).await;
    assert!(answers.iter().all(|answer| answer["code"] == "bad_pass"), "{answers:?}");
    assert_eq!(closed, Some(4005));
}

#[tokio::test(start_paused = true)]
async fn a_server_says_where_others_reach_it_if_they_do() {
    let hello = [r#"{"type":"hello","protocol":2,"name":"Ada"}"#.to_owned()];
    // The address of the listener in memory.
    let (answers, _) = say(&TestServer::virtual_time(&[]), &hello).await;
    assert_eq!(answers[0]["server"]["url"], "http://192.0.2.1:7333/");
}
