//! Names of players: no invisible characters, and never the same name twice in a room.

use futures::{SinkExt, StreamExt};
use noughts_harness::player::open;
use noughts_harness::{Player, TestServer};
use noughts_protocol::{ByMark, Role, RoomSettings, SeatRequest};
use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;

/// The names of the seats, as a player sees them.
fn names(player: &Player) -> [String; 2] {
    let seats = &player.state().seats;
    [seats.x.label(), seats.o.label()]
}

#[tokio::test]
async fn a_name_loses_what_cannot_be_seen() {
    let server = TestServer::start(&[]).await;
    for (said, kept) in [
        ("Ada\u{fe0f}", "Ada"),
        ("A\u{200d}d\u{ad}a", "Ada"),
        ("\u{202e}Ada\u{e0041}", "Ada"),
        ("Ada \u{3164} L", "Ada L"),
        ("\u{202e}می\u{200c}خواهم \u{2764}\u{fe0f}", "می\u{200c}خواهم \u{2764}\u{fe0f}"),
    ] {
        let mut socket = open(server.stream().await).await.unwrap();
        let hello = serde_json::json!({"type": "hello", "protocol": 2, "name": said});
        socket.send(Message::text(hello.to_string())).await.unwrap();
        let Message::Text(text) = socket.next().await.unwrap().unwrap() else { panic!() };
        let welcome: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(welcome["name"], kept, "{said:?}");
    }
}

#[tokio::test]
async fn two_people_of_one_name_are_shown_apart() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut other) = (server.player("Ada").await, server.player("Ada\u{fe0f}").await);
    let code = ada.host().await;
    other.join(code, Role::Player).await.unwrap();
    ada.until_running().await;
    assert_eq!(names(&ada), ["Ada", "Ada (2)"]);
    assert_eq!(names(&other), names(&ada));
    // Nobody is renamed by coming back.
    for (token, place) in [(ada.token.clone(), 0), (other.token.clone(), 1)] {
        let mut back = server.returning("Ada", Some(token)).await;
        back.join(code, Role::Player).await.unwrap();
        assert_eq!(names(&back), ["Ada", "Ada (2)"], "{place}");
    }
    // Alone, the name is free again.
    ada.leave().await.unwrap();
    other.join(code, Role::Player).await.unwrap();
    other.until("the name alone", |p| p.state().seats.o.label() == "Ada").await;
}

#[tokio::test]
async fn strangers_of_one_name_are_shown_apart_and_one_person_is_not() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut other) = (server.player("Ada").await, server.player("Ada").await);
    ada.quick_match().await.unwrap();
    other.quick_match().await.unwrap();
    for player in [&mut ada, &mut other] {
        player.until_running().await;
        assert_eq!(names(player), ["Ada", "Ada (2)"]);
    }
    let both = ByMark { x: SeatRequest::You, o: SeatRequest::You };
    ada.create(RoomSettings::default(), both).await;
    assert_eq!(names(&ada), ["Ada", "Ada"]);
}
