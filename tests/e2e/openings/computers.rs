//! Computers in a swap2 opening: they place, choose, and open for each other.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{ByMark, Cell, Computer, OpeningChoice, SeatRequest, Strategy, Strength};

use super::{PLACED, choose, is_choosing, phase, place, swap2};

#[tokio::test]
async fn the_computer_places_and_chooses() {
    let server = TestServer::start(&["--computer-time", "100ms"]).await;
    let strategy = Strategy::Minimax;
    for strength in [Strength::VeryWeak, Strength::VeryStrong] {
        let computer = SeatRequest::Computer(Computer { strategy, strength });
        let mut ada = server.player("Ada").await;
        ada.create(swap2(), ByMark { x: computer, o: SeatRequest::You }).await;
        ada.until("my choice", is_choosing).await;
        assert_eq!(ada.game().ply(), 3);
        choose(&mut ada, OpeningChoice::Add).await;
        let empty: Vec<Cell> = ada.game().board().empty_cells().step_by(70).take(2).collect();
        place(&mut ada, &[empty[0].0, empty[1].0]).await;
        ada.until("the sides", |p| phase(p).is_none() && p.is_my_turn()).await;
        ada.resign().await.unwrap();
        ada.rematch(true).await.unwrap();
        // Now Ada places, and the computer chooses or adds.
        ada.until("the next game", |p| p.number() == 2 && phase(p).is_some()).await;
        place(&mut ada, &PLACED).await;
        let may_act = |p: &Player| p.is_my_turn() && (phase(p).is_none() || is_choosing(p));
        ada.until("my choice or move", may_act).await;
        if is_choosing(&ada) {
            assert_eq!(ada.game().ply(), 5);
            choose(&mut ada, OpeningChoice::X).await;
        }
        ada.until("my turn in the game", |p| phase(p).is_none() && p.is_my_turn()).await;
        ada.leave().await.unwrap();
    }
}
