//! Computers in a swap2 opening: they place, choose, and open for each other. What people do in one is in the
//! rules of a room.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, Cell, Computer, Opening, OpeningChoice, OpeningPhase, RoomIntent,
    RoomSettings, SeatRequest, Strategy, Strength,
};

/// Three marks of an opening on 13 × 13, apart from each other.
const PLACED: [u16; 3] = [84, 98, 60];

fn swap2() -> RoomSettings {
    let board = BoardSpec::new(13, 13, 5).unwrap();
    RoomSettings { board, opening: Opening::Swap2, ..RoomSettings::default() }
}

/// The phase of the opening, as a player sees it.
fn phase(player: &Player) -> Option<OpeningPhase> {
    player.room.as_ref()?.running()?.opening
}

fn is_choosing(player: &Player) -> bool {
    matches!(phase(player), Some(OpeningPhase::Choosing { .. }))
}

async fn place(player: &mut Player, cells: &[u16]) {
    for &cell in cells {
        player.play(cell).await.unwrap();
    }
}

/// Waits until it is this player's choice, and chooses.
async fn choose(player: &mut Player, choice: OpeningChoice) {
    player.until("my choice", |p| p.is_my_turn() && is_choosing(p)).await;
    let game = player.number();
    player.ask_room(RoomIntent::Choose { game, choice }).await.unwrap();
    player.until("the effect", |p| !is_choosing(p)).await;
}

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
