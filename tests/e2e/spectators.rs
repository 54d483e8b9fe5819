//! Spectators see everything and can do nothing.

use noughts_harness::TestServer;
use noughts_harness::player::play_out;
use noughts_protocol::{ByMark, ClaimedResult, Mark, RefusalCode, Role, RoomSettings};

#[tokio::test]
async fn a_spectator_sees_every_move_of_every_game() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    ada.play(4).await.unwrap();
    let mut eve = server.player("Eve").await;
    eve.join(code, Role::Spectator).await.unwrap();
    assert_eq!(eve.game().ply(), 1, "the moves so far come with the snapshot");

    play_out(&mut ada, &mut bob, &[0, 2, 6, 3, 5, 1, 7, 8]).await;
    ada.rematch(true).await.unwrap();
    bob.until("the offer", |p| p.presence.rematch == Some(Mark::X)).await;
    bob.rematch(true).await.unwrap();
    bob.until("the next game", |p| p.number() == 2).await;
    play_out(&mut ada, &mut bob, &[0, 1]).await;
    eve.until_version(ada.state().v).await;
    bob.until_version(ada.state().v).await;
    assert_eq!(eve.state(), ada.state());
    assert_eq!(eve.state(), bob.state());
}

#[tokio::test]
async fn a_spectator_can_do_nothing_to_the_game() {
    let server = TestServer::start(&[]).await;
    let (ada, _bob) = server.pair(RoomSettings::default()).await;
    let mut eve = server.player("Eve").await;
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    let play = eve.move_to(0);
    assert_eq!(eve.ask(play).await, Err(RefusalCode::NotSeated));
    assert_eq!(eve.resign().await, Err(RefusalCode::NotSeated));
    assert_eq!(eve.rematch(true).await, Err(RefusalCode::NotSeated));
    assert_eq!(eve.claim(ClaimedResult::Win).await, Err(RefusalCode::NotSeated));
    eve.settle().await;
    assert_eq!((eve.game().ply(), eve.result()), (0, None));
    assert!(eve.refusal_text.contains("watching"), "{}", eve.refusal_text);
}

#[tokio::test]
async fn a_room_may_admit_no_spectators() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut eve) = (server.player("Ada").await, server.player("Eve").await);
    let settings = RoomSettings { spectators: false, ..RoomSettings::default() };
    let code = ada.create(settings, ByMark::default()).await;
    assert_eq!(eve.join(code, Role::Spectator).await, Err(RefusalCode::NoSpectators));
    eve.join(code, Role::Player).await.unwrap();
}

#[tokio::test]
async fn spectators_are_counted_and_may_come_and_go() {
    let server = TestServer::start(&[]).await;
    let (mut ada, _bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    let mut crowd = Vec::new();
    for number in 0..10 {
        let mut eve = server.player(&format!("Eve {number}")).await;
        eve.join(code, Role::Spectator).await.unwrap();
        crowd.push(eve);
    }
    ada.until("ten spectators", |p| p.presence.spectators == 10).await;
    crowd.truncate(5);
    ada.until("five", |p| p.presence.spectators == 5).await;
    for mut eve in crowd {
        eve.leave().await.unwrap();
    }
    ada.until("none", |p| p.presence.spectators == 0).await;
}

#[tokio::test]
async fn a_spectator_may_take_a_seat_that_opens() {
    let server = TestServer::start(&[]).await;
    let (ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    let mut eve = server.player("Eve").await;
    eve.join(code, Role::Spectator).await.unwrap();
    assert_eq!(eve.join(code, Role::Player).await, Err(RefusalCode::SeatsTaken));
    bob.leave().await.unwrap();
    eve.until("an open seat", |p| p.state().is_waiting()).await;
    eve.join(code, Role::Player).await.unwrap();
    eve.until("the second game", |p| p.number() == 2).await;
    assert_eq!(eve.marks().len(), 1);
    server.until_counts([1, 3, 0]).await;
}
