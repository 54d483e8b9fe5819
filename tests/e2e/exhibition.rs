//! Two computers play for spectators.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    ByMark, Computer, Mark, RefusalCode, Role, RoomSettings, SeatRequest, Strategy, Strength,
};

fn computers() -> ByMark<SeatRequest> {
    let computer =
        |strength| SeatRequest::Computer(Computer { strategy: Strategy::Minimax, strength });
    ByMark { x: computer(Strength::Average), o: computer(Strength::Weak) }
}

#[tokio::test(start_paused = true)]
async fn it_is_paced_for_people_and_goes_on_while_somebody_watches() {
    let server = TestServer::virtual_time(&["--computer-delay", "600ms"]);
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let code = ada.create(RoomSettings::default(), computers()).await;
    bob.join(code, Role::Spectator).await.unwrap();
    assert!(bob.marks().is_empty());
    let plies_per_second = async |player: &mut Player| {
        let (ply, since) = (player.game().ply(), tokio::time::Instant::now());
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

#[tokio::test(start_paused = true)]
async fn it_ends_a_while_after_the_last_one_has_gone() {
    let server = TestServer::virtual_time(&["--computer-delay", "600ms"]);
    let mut ada = server.player("Ada").await;
    ada.create(RoomSettings::default(), computers()).await;
    drop(ada);
    let since = tokio::time::Instant::now();
    server.until_gone().await;
    assert!((60..70).contains(&since.elapsed().as_secs()), "{:?}", since.elapsed());
}

#[tokio::test]
async fn without_a_delay_it_is_over_at_once() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    ada.create(RoomSettings::default(), computers()).await;
    ada.until_over().await;
    assert!(Mark::BOTH.iter().all(|mark| ada.state().seats[*mark].computer().is_some()));
}
