//! Computers that think long: they hold nobody up, and are made weaker.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, Computer, Found, LobbyIntent, Mark, Participant, RoomIntent, RoomSettings,
    SeatRequest, Strategy, Strength,
};

fn against(computer: Computer, human: Mark) -> ByMark<SeatRequest> {
    let you = SeatRequest::You;
    let it = SeatRequest::Computer(computer);
    if human == Mark::X { ByMark { x: you, o: it } } else { ByMark { x: it, o: you } }
}

#[tokio::test]
async fn a_computer_that_thinks_long_holds_nobody_up() {
    let server = TestServer::start(&["--computer-time", "60s", "--computer-threads", "1"]).await;
    let board = BoardSpec::new(19, 19, 5).unwrap();
    let settings = RoomSettings { board, ..RoomSettings::default() };
    let computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };
    let mut players = Vec::new();
    for name in ["Ada", "Bob", "Eve"] {
        let mut player = server.player(name).await;
        player.create(settings, against(computer, Mark::O)).await;
        players.push(player);
    }
    // The rooms answer while their computers think or wait for a thread, and can be left.
    for player in &mut players {
        player.ask_lobby(LobbyIntent::Ping).await.unwrap();
        player.leave().await.unwrap();
    }
    server.until_counts([0, 3, 0]).await;
    server.stop().await;
}

#[tokio::test]
async fn a_computer_that_thinks_is_made_weaker_and_the_archive_says_so() {
    let server = TestServer::keeping(&["--computer-time", "10m"]).await;
    let mut ada = server.player("Ada").await;
    let settings =
        RoomSettings { board: BoardSpec::new(19, 19, 5).unwrap(), ..RoomSettings::default() };
    let computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };
    ada.create(settings, against(computer, Mark::X)).await;
    ada.play(180).await.unwrap();
    ada.ask_room(RoomIntent::Strength { strength: Strength::VeryWeak }).await.unwrap();
    ada.until("its move, long before the ten minutes", Player::is_my_turn).await;
    ada.resign().await.unwrap();
    let game = ada.state().game.as_ref().unwrap().id.unwrap();
    ada.ask_lobby(LobbyIntent::Game { game }).await.unwrap();
    let Some(Found::Game { game }) = ada.found.pop() else { panic!("no game") };
    let weaker = Computer { strength: Strength::VeryWeak, ..computer };
    assert_eq!(game.summary.players.o, Participant::Computer(weaker));
}
