//! Parts of the contract in `protocol/README.md` that only clients of strangers meet: close frames, the server's
//! address, and its end.

use futures::{SinkExt, StreamExt};
use noughts_harness::stranger::hello;
use noughts_harness::{Player, Stranger, TestServer};
use noughts_protocol::{CloseCode, RefusalCode, Role};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

#[tokio::test]
async fn a_close_frame_is_answered_by_one() {
    let server = TestServer::start(&[]).await;
    for (code, is_greeted) in [(1000, true), (1000, false), (1001, true)] {
        let mut ada = if is_greeted {
            Stranger::greeted(&server).await
        } else {
            Stranger::connect(&server).await
        };
        let frame = CloseFrame { code: code.into(), reason: "bye".into() };
        ada.0.send(Message::Close(Some(frame))).await.unwrap();
        assert_eq!(ada.next().await, Err(code));
        assert!(ada.0.next().await.is_none(), "and then the server ends the connection");
    }
    server.until_counts([0, 0, 0]).await;
}

#[tokio::test]
async fn a_frame_that_breaks_rfc_6455_is_answered_with_its_code() {
    let server = TestServer::start(&[]).await;
    let long_ping = [&[0x89, 0xfe, 0, 126, 0, 0, 0, 0][..], &[b'x'; 126]].concat();
    let frames: [(&str, u16, &[u8]); 8] = [
        ("not masked", 1002, b"\x81\x02{}"),
        ("RSV1", 1002, b"\xc1\x82\0\0\0\0{}"),
        ("an opcode that does not exist", 1002, b"\x83\x80\0\0\0\0"),
        ("a close of one byte", 1002, b"\x88\x81\0\0\0\0\x03"),
        ("a long ping", 1002, &long_ping),
        ("a text that is not UTF-8", 1007, b"\x81\x81\0\0\0\0\xff"),
        ("the same in fragments", 1007, b"\x01\x81\0\0\0\0\xff\x80\x80\0\0\0\0"),
        ("a reason that is not UTF-8", 1007, b"\x88\x83\0\0\0\0\x03\xe8\xff"),
    ];
    for (what, code, frame) in frames {
        let mut stream = Stranger::greeted(&server).await.0.into_inner();
        stream.write_all(frame).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("the connection ends without a reset");
        assert_eq!(answer.first(), Some(&0x88), "{what}: {answer:x?}");
        assert_eq!(answer[2..4], code.to_be_bytes(), "{what}");
    }
}

#[tokio::test]
async fn nothing_comes_after_the_end_of_a_room() {
    let server = TestServer::start(&[]).await;
    let mut ada = Stranger::greeted(&server).await;
    let mut eve = Stranger::greeted(&server).await;
    let room = ada.ask(r#"{"type":"create","id":1}"#).await["room"].clone();
    let watch = json!({"type": "join", "id": 1, "room": room, "role": "spectator"});
    eve.say(&watch.to_string()).await;
    eve.until_type("snapshot").await;
    ada.say(&json!({"type": "leave", "id": 2, "room": room}).to_string()).await;
    while eve.until_type("event").await["event"]["kind"] != "closed" {}
    let after = eve.ask(r#"{"type":"ping","id":2}"#).await;
    assert_eq!((&after["type"], &after["room"]), (&json!("pong"), &Value::Null), "{after}");
}

/// The refusal of a player's intent, whose fields but for the id are these.
async fn refusal(player: &mut Player, mut intent: Value) -> Option<RefusalCode> {
    let id = player.new_id();
    intent["id"] = json!(id);
    player.send_text(&intent.to_string()).await;
    player.answer_to(id).await.err()
}

#[tokio::test]
async fn leaving_from_outside_keeps_a_seat_and_is_ok_without_one() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let first = ada.host().await;
    ada.host().await;
    let leave = |room: &str| json!({"type": "leave", "room": room});
    assert_eq!(refusal(&mut ada, leave(first.as_str())).await, Some(RefusalCode::NotInRoom));
    assert_eq!(refusal(&mut bob, leave(first.as_str())).await, None);
    assert_eq!(refusal(&mut bob, leave("BBBBB")).await, None, "there is no such room");
    ada.join(first, Role::Player).await.unwrap();
    assert_eq!(ada.marks().len(), 1, "the seat is there still");
}

#[tokio::test(start_paused = true)]
async fn a_server_says_where_others_reach_it_if_they_do() {
    let server = TestServer::virtual_time(&[]);
    let welcome = Stranger::connect(&server).await.ask(&hello("Ada")).await;
    // The address of the listener in memory.
    assert_eq!(welcome["server"]["url"], "http://192.0.2.1:7333/");
}

#[tokio::test]
async fn a_stopping_server_closes_every_connection_with_a_reason() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let mut waiting = server.player("Eve").await;
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    waiting.quick_match().await.unwrap();
    server.stop().await;
    for mut player in [ada, bob, waiting] {
        assert_eq!(player.until_closed().await, CloseCode::Restart.number());
    }
}
