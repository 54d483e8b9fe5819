//! Two computers play for spectators, and open for each other.

use std::time::Duration;

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, Computer, Opening, Pace, RefusalCode, Role, RoomIntent, RoomSettings,
    RoomState, SeatRequest, Strategy, Strength,
};

fn computers() -> ByMark<SeatRequest> {
    let computer =
        |strength| SeatRequest::Computer(Computer { strategy: Strategy::Minimax, strength });
    ByMark { x: computer(Strength::Average), o: computer(Strength::Weak) }
}

#[tokio::test(start_paused = true)]
async fn it_is_paced_for_people_or_as_its_maker_wants_and_goes_on_while_somebody_watches() {
    let server = TestServer::virtual_time(&["--computer-delay", "600ms"]);
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let code = ada.create(RoomSettings::default(), computers()).await;
    bob.join(code, Role::Spectator).await.unwrap();
    assert!(bob.marks().is_empty());
    let plies_per_second = async |player: &mut Player| {
        let ply = player.game().ply();
        let since = tokio::time::Instant::now();
        player.until("two moves", |p| p.game().ply() >= ply + 2).await;
        2.0 / since.elapsed().as_secs_f64()
    };
    let pace = plies_per_second(&mut bob).await;
    assert!((1.0..2.0).contains(&pace), "{pace} moves a second");
    bob.until("a second game", |p| p.number() == 2).await;
    let score = bob.state().score;
    assert_eq!(score.x + score.o + score.draws, 1);
    assert_eq!(ada.resign().await, Err(RefusalCode::NotSeated));

    // A step is a move at once, which comes before its answer, and fast computers wait less.
    ada.ask_room(RoomIntent::Pace { pace: Pace::Paused }).await.unwrap();
    ada.settle().await;
    let ply = ada.game().ply();
    let since = tokio::time::Instant::now();
    ada.ask_room(RoomIntent::Step { game: ada.number(), ply }).await.unwrap();
    assert_eq!(ada.game().ply(), ply + 1);
    ada.ask_room(RoomIntent::Pace { pace: Pace::Fast }).await.unwrap();
    ada.until("two more moves", |p| p.game().ply() >= ply + 3).await;
    assert!(since.elapsed() < Duration::from_millis(600), "{:?}", since.elapsed());
}

/// People in a swap2 opening are in the rules of a room.
#[tokio::test]
async fn computers_open_for_each_other_and_play_on() {
    let server = TestServer::start(&["--computer-time", "100ms"]).await;
    let board = BoardSpec::new(13, 13, 5).unwrap();
    let settings = RoomSettings { board, opening: Opening::Swap2, ..RoomSettings::default() };
    let strategy = Strategy::Minimax;
    for strength in [Strength::VeryWeak, Strength::VeryStrong] {
        let computer = SeatRequest::Computer(Computer { strategy, strength });
        let mut ada = server.player("Ada").await;
        ada.create(settings, ByMark { x: computer, o: computer }).await;
        let plays_on = |p: &Player| {
            let running = p.room.as_ref().and_then(RoomState::running);
            running.is_some_and(|game| game.opening.is_none() && game.game.ply() >= 5)
        };
        ada.until("a game after its opening", plays_on).await;
    }
}
