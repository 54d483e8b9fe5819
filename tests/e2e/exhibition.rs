//! Two computers play for spectators, and open for each other.

use std::time::Duration;

use noughts_harness::{Player, TestServer, advance_time};
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
async fn it_is_paced_for_people_and_goes_on_while_somebody_watches() {
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
}

/// The next single step on the board that a player sees.
fn step(player: &Player) -> RoomIntent {
    RoomIntent::Step { game: player.number(), ply: player.game().ply() }
}

async fn set_pace(player: &mut Player, pace: Pace) {
    player.ask_room(RoomIntent::Pace { pace }).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn its_maker_pauses_it_steps_it_and_speeds_it_up() {
    let server = TestServer::virtual_time(&["--computer-delay", "600ms"]);
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let code = ada.create(RoomSettings::default(), computers()).await;
    bob.join(code, Role::Spectator).await.unwrap();
    assert_eq!([ada.state().maker, bob.state().maker], [Some(ada.id), Some(ada.id)]);

    set_pace(&mut ada, Pace::Paused).await;
    let before = step(&ada);
    advance_time(Duration::from_secs(10)).await;
    ada.settle().await;
    assert_eq!(step(&ada), before, "paused computers wait");
    // The answer comes after the move, at once, and a repeat of the step is answered alike.
    let ply = ada.game().ply();
    let since = tokio::time::Instant::now();
    ada.ask_room(before.clone()).await.unwrap();
    assert_eq!(ada.game().ply(), ply + 1);
    assert!(since.elapsed() < Duration::from_millis(600), "{:?}", since.elapsed());
    ada.ask_room(before.clone()).await.unwrap();
    advance_time(Duration::from_secs(10)).await;
    ada.settle().await;
    assert_eq!(ada.game().ply(), ply + 1, "a step is one move");

    set_pace(&mut ada, Pace::Fast).await;
    let since = tokio::time::Instant::now();
    bob.until("two more moves", |p| p.game().ply() >= ply + 3).await;
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
