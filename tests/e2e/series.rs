//! The marks of a new room. The beginner, the score and series are in the rules of a room.

use noughts_harness::TestServer;
use noughts_protocol::{ByMark, LobbyIntent, Mark, RoomSettings, SeatRequest};

#[tokio::test]
async fn marks_can_be_chosen_or_drawn() {
    // Ten draws that are all alike would use up the usual burst.
    let server = TestServer::start(&["--intents-per-second=100"]).await;
    let mut ada = server.player("Ada").await;
    let as_o = ByMark { x: SeatRequest::Open, o: SeatRequest::You };
    ada.create(RoomSettings::default(), as_o).await;
    assert_eq!(ada.marks(), [Mark::O]);
    ada.leave().await.unwrap();

    let mut seen = std::collections::BTreeSet::new();
    // The odds that 40 fair draws are all alike are one in 2^39.
    for _ in 0..40 {
        let settings = RoomSettings::default();
        let seats = ByMark::default();
        let create = LobbyIntent::Create { settings, seats, shuffle: true };
        let code = ada.ask_lobby(create).await.unwrap();
        ada.until("the room", |p| p.room.as_ref().map(|room| room.code) == code).await;
        seen.extend(ada.marks());
        ada.leave().await.unwrap();
        if seen.len() == 2 {
            return;
        }
    }
    panic!("always {seen:?}");
}
