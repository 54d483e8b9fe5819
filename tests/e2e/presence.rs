//! A presence that is lost, and a room in which nothing happens (virtual time).

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
    ByMark, MarkChoice, PING_SECONDS, RefusalCode, Role, RoomSettings, SeatPresence, SeatRequest,
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
    server.until_gone().await;
    let mut eve = server.player("Eve").await;
    let code = ada.state().code;
    assert_eq!(eve.join(code, Role::Player).await, Err(RefusalCode::NoSuchRoom));
}
