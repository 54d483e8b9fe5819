//! A pass brings a second device to the same player: once, for a short time, and for that player only.

use noughts_harness::{Player, Stranger, TestServer, VIRTUAL_TIMEOUT, stranger};
use noughts_protocol::{ClientMessage, Hello, PROTOCOL_VERSION, PassCode, Role};

fn hello(pass: &PassCode) -> ClientMessage {
    let name = "Phone".parse().unwrap();
    let pass = Some(pass.clone());
    let password = None;
    ClientMessage::Hello(Hello { protocol: PROTOCOL_VERSION, name, token: None, pass, password })
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
