//! Passes that are guessed, and the address in a pass's link.

use noughts_harness::{Stranger, TestServer, stranger};
use noughts_protocol::{ClientMessage, Hello, PROTOCOL_VERSION, PassCode};

fn hello(pass: &PassCode) -> ClientMessage {
    let name = "Phone".parse().unwrap();
    let pass = Some(pass.clone());
    let password = None;
    ClientMessage::Hello(Hello { protocol: PROTOCOL_VERSION, name, token: None, pass, password })
}

#[tokio::test(start_paused = true)]
async fn guessing_passes_ends_the_connection() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    let pass = ada.ask_pass().await;
    let guess = pass.reveal().replace(|c: char| c.is_ascii_digit(), "0").parse().unwrap();
    let guess = serde_json::to_string(&hello(&guess)).unwrap();
    let mut stranger = Stranger::connect(&server).await;
    for _ in 0..9 {
        assert_eq!(stranger.ask(&guess).await["code"], "bad_pass");
    }
    stranger.say(&guess).await;
    assert_eq!(stranger.until_closed().await, 4005);
}

#[tokio::test(start_paused = true)]
async fn a_server_says_where_others_reach_it_if_they_do() {
    let server = TestServer::virtual_time(&[]);
    let welcome = Stranger::connect(&server).await.ask(&stranger::hello("Ada")).await;
    // The address of the listener in memory.
    assert_eq!(welcome["server"]["url"], "http://192.0.2.1:7333/");
}
