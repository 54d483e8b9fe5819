//! Two computers in a swap2 opening: they place and choose. People's are in the rules of a room.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, Computer, Opening, RoomSettings, RoomState, SeatRequest, Strategy, Strength,
};

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
