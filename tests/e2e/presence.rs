//! A presence that is lost, a second device whose seat was given up on the first, a server that stands still, and a
//! room in which nothing happens.

use std::time::Duration;

use noughts_cli::action::Action;
use noughts_client::address::ServerAddress;
use noughts_client::connection::{Connection, Destination};
use noughts_client::runner::Runner;
use noughts_client::session::{Input, RoomView, Session};
use noughts_harness::TestServer;
use noughts_harness::fault_injector::{FaultInjector, FaultProfile, MessageFaults};
use noughts_harness::world::run;
use noughts_protocol::{
    ByMark, GameResult, LobbyIntent, Mark, MarkChoice, PING_SECONDS, RefusalCode, Role, RoomIntent,
    RoomSettings, Seat, SeatPresence, SeatRequest,
};
use tokio::time::{Instant, timeout_at};

/// The terminal client's connection and session on a network that loses every `presence`.
#[test]
fn a_lost_presence_is_healed_by_the_next_heartbeat() {
    run(&[], async |world| {
        let messages =
            MessageFaults { lost_text: Some(r#""type":"presence""#), ..MessageFaults::NONE };
        let faults = FaultInjector::new(FaultProfile { messages, ..FaultProfile::default() }, 0);
        let destination = Destination::new(ServerAddress::default(), "Ada".parse().unwrap());
        let mut ada = Session::new(0);
        let network = world.network(faults);
        let mut runner = Runner::over(Connection::open_over(network, destination));
        let new = Action::create(SeatRequest::Open, MarkChoice::X, RoomSettings::default());
        let create = Input::Asked(new.intent().unwrap().into());
        runner.perform(ada.update(create, Instant::now().into_std()));
        let mut until = async |holds: &dyn Fn(&RoomView) -> bool| {
            let end = Instant::now() + Duration::from_secs(4 * PING_SECONDS);
            while !ada.room().is_some_and(holds) {
                let happened = timeout_at(end, runner.next(&mut ada)).await;
                happened.expect("a heartbeat heals it");
            }
            ada.room().unwrap().state.code
        };
        let code = until(&|_| true).await;
        let mut bob = world.player("Bob", None).await;
        bob.join(code, Role::Player).await.unwrap();
        let o = |view: &RoomView| view.presence.seats.o;
        until(&|view| o(view) == Some(SeatPresence::Connected)).await;
        drop(bob);
        let left = Instant::now();
        until(&|view| matches!(o(view), Some(SeatPresence::Away { .. }))).await;
        let seconds = left.elapsed().as_secs();
        assert!((3..3 + PING_SECONDS + 1).contains(&seconds), "{seconds} s");
    });
}

#[tokio::test(start_paused = true)]
async fn a_room_in_which_nothing_happens_ends_too() {
    let server = TestServer::virtual_time(&["--idle-ttl", "1h"]);
    let mut ada = server.player("Ada").await;
    ada.create(RoomSettings::default(), ByMark::default()).await;
    ada.until("the end", |p| p.state().closed).await;
    server.until_counts([0, 1, 0]).await;
    let mut eve = server.player("Eve").await;
    let code = ada.state().code;
    assert_eq!(eve.join(code, Role::Player).await, Err(RefusalCode::NoSuchRoom));
}

#[tokio::test(start_paused = true)]
async fn clocks_stand_still_while_the_server_does() {
    let server = TestServer::virtual_time(&[]);
    let settings = RoomSettings { move_time_ms: Some(10_000), ..RoomSettings::default() };
    let (mut ada, mut bob) = server.pair(settings).await;
    // All at once, as for a process that was stopped: nothing happens in between.
    tokio::time::advance(Duration::from_secs(30)).await;
    ada.play(4).await.unwrap();
    let resumed = Instant::now();
    bob.until("the move", |p| p.game().ply() == 1).await;
    bob.until_over().await;
    assert_eq!(bob.result(), Some(&GameResult::Time { winner: Mark::X }));
    let took = resumed.elapsed().as_secs();
    assert!((28..=30).contains(&took), "10 s, and 20 s for those who come back: {took} s");
}

#[tokio::test]
async fn a_seat_given_up_on_one_device_leaves_no_spectator_where_none_may_be() {
    let server = TestServer::start(&[]).await;
    let closed = RoomSettings { spectators: false, ..RoomSettings::default() };
    let (mut laptop, mut bob) = server.pair(closed).await;
    let code = laptop.state().code;
    let mut phone = server.returning("Ada", Some(laptop.token.clone())).await;
    phone.join(code, Role::Player).await.unwrap();
    laptop.leave().await.unwrap();
    bob.until("the seat is open", |p| p.state().seats.x == Seat::Open).await;
    phone.until("the end of the room for her", |p| p.state().closed).await;
    // The connection asks again, and is answered from outside.
    let not_in_room = Err(RefusalCode::NotInRoom);
    assert_eq!(phone.ask_room(RoomIntent::Resign { game: 1 }).await, not_in_room);
    assert_eq!(phone.ask_room(RoomIntent::Sync).await, not_in_room);
    assert_eq!(phone.join(code, Role::Spectator).await, Err(RefusalCode::NoSpectators));
    assert_eq!(phone.ask_room(RoomIntent::Leave).await, Ok(Some(code)));
    // It receives nothing that follows, and does not count.
    let mut eve = server.player("Eve").await;
    eve.join(code, Role::Player).await.unwrap();
    noughts_harness::player::play_out(&mut bob, &mut eve, &[4]).await;
    assert_eq!(eve.presence.spectators, 0);
    phone.ask_lobby(LobbyIntent::Ping).await.unwrap();
    assert_eq!(phone.pong, None);
    bob.leave().await.unwrap();
    // The seat is hers again if she wants it.
    phone.join(code, Role::Player).await.unwrap();
    phone.until("her seat", |p| p.marks().len() == 1).await;
}
