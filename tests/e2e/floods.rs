//! Floods of messages: the sender is slowed down and closed, and nobody else has to wait.

use futures::{SinkExt, StreamExt};
use noughts_harness::player::Io;
use noughts_harness::{Stranger, TestServer, advance_time};
use noughts_protocol::{CloseCode, RoomSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// A part of a text that others follow.
fn fragment(first: bool, bytes: &[u8]) -> Message {
    let kind = if first { Data::Text } else { Data::Continue };
    Message::Frame(Frame::message(bytes.to_vec(), OpCode::Data(kind), false))
}

/// Sends as fast as it is taken until the connection is closed; the code.
async fn flood(socket: WebSocketStream<Box<dyn Io>>, what: impl Fn() -> Message) -> u16 {
    let (mut sink, mut stream) = socket.split();
    let sending = async {
        while sink.send(what()).await.is_ok() {}
        std::future::pending::<()>().await;
    };
    let closing = async {
        loop {
            match stream.next().await {
                Some(Ok(Message::Close(frame))) => return frame.map_or(1005, |f| f.code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return 1006,
            }
        }
    };
    tokio::select! {
        () = sending => 1006,
        code = closing => code,
    }
}

#[tokio::test]
async fn the_last_frames_of_a_flood_do_not_reset_the_close_code() {
    let server = TestServer::start(&[]).await;
    let mut stream = Stranger::greeted(&server).await.0.into_inner();
    // Far more pings than it takes, each with an empty mask.
    let pings = [0x89, 0x80, 0, 0, 0, 0].repeat(20_000);
    stream.write_all(&pings).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("the connection ends without a reset");
    let code = CloseCode::Flood.number().to_be_bytes();
    let close = answer.windows(4).any(|bytes| bytes[0] == 0x88 && bytes[2..] == code);
    assert!(close, "{answer:x?}");
}

#[tokio::test(start_paused = true)]
async fn a_message_in_ever_more_fragments_is_too_big() {
    let server = TestServer::virtual_time(&[]);
    let mut socket = Stranger::greeted(&server).await.0;
    socket.send(fragment(true, b"{")).await.unwrap();
    let code = flood(socket, || fragment(false, b"x")).await;
    assert_eq!(code, CloseCode::TooBig.number());
}

#[tokio::test(start_paused = true)]
async fn empty_fragments_without_an_end_are_silence() {
    let server = TestServer::virtual_time(&[]);
    let mut socket = Stranger::greeted(&server).await.0;
    let start = Instant::now();
    socket.send(fragment(true, b"{")).await.unwrap();
    // It reads nothing, and so answers no ping.
    while socket.send(fragment(false, b"")).await.is_ok() {}
    assert!((45..50).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn fragments_before_hello_end_with_the_time_for_it() {
    let server = TestServer::virtual_time(&[]);
    let mut socket = Stranger::connect(&server).await.0;
    let start = Instant::now();
    socket.send(fragment(true, b"")).await.unwrap();
    assert_eq!(flood(socket, || fragment(false, b"")).await, CloseCode::HelloTimeout.number());
    assert!(start.elapsed().as_secs() < 12, "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn requests_are_answered_at_the_pace_of_intents() {
    let server = TestServer::virtual_time(&[]);
    let mut stream = server.stream().await;
    let start = Instant::now();
    let request = "GET /healthz HTTP/1.1\r\nhost: server\r\n\r\n".repeat(119);
    let last = "GET /healthz HTTP/1.1\r\nhost: server\r\nconnection: close\r\n\r\n";
    stream.write_all(format!("{request}{last}").as_bytes()).await.unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).await.unwrap();
    assert_eq!(answers.matches("200 OK").count(), 120);
    // 20 at once, then 10 a second.
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_flood_before_the_upgrade_is_slow() {
    let server = TestServer::virtual_time(&[]);
    let mut stream = server.stream().await;
    let start = Instant::now();
    // A head that never ends is cut at 8 KiB or after ten seconds.
    stream.write_all(b"GET /ws HTTP/1.1\r\nx: ").await.unwrap();
    while start.elapsed().as_secs() < 60 && stream.write_all(b"xxxxxxxxxxxxxxxx").await.is_ok() {}
    assert!(start.elapsed().as_secs() <= 12, "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn games_go_on_beside_a_flood() {
    let server = TestServer::virtual_time(&[]);
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let mut socket = Stranger::greeted(&server).await.0;
    socket.send(fragment(true, b"{")).await.unwrap();
    let game = async {
        advance_time(std::time::Duration::from_secs(5)).await;
        noughts_harness::player::play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    };
    tokio::select! {
        code = flood(socket, || fragment(false, b"")) => panic!("closed with {code}"),
        () = game => {}
    }
}
