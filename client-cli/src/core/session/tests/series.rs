//! Whole series, as the protocol's golden files tell them: after each message the room is the same as
//! that of a client that begins there.

use noughts_protocol::Snapshot;

use super::*;

/// A message, and the room after it.
#[derive(serde::Deserialize)]
struct Step {
    message: ServerMessage,
    snapshot: Snapshot,
}

const SERIES: [&str; 2] = [
    include_str!("../../../../../protocol/tests/golden/series/tic_tac_toe.json"),
    include_str!("../../../../../protocol/tests/golden/series/swap2.json"),
];

/// Everything that a view shows.
fn shown_by(view: &RoomView) -> impl PartialEq + std::fmt::Debug + use<> {
    let claims = [Mark::X, Mark::O].map(|mark| view.claim_from(mark));
    (view.state.clone(), view.mine.clone(), view.presence, view.move_ends, claims)
}

fn check(series: &str, player: Option<PlayerId>) {
    let steps: Vec<Step> = serde_json::from_str(series).unwrap();
    let now = Instant::now();
    let mut view = RoomView::new(&steps[0].snapshot, player, now).unwrap();
    for Step { message, snapshot } in &steps[1..] {
        match message {
            ServerMessage::Event { v, event, .. } => {
                view.apply(*v, event, now).unwrap();
            }
            ServerMessage::Presence { presence, .. } => {
                view.take_presence(*presence, now);
            }
            other => panic!("{other:?}"),
        }
        let fresh = RoomView::new(snapshot, player, now).unwrap();
        assert_eq!(shown_by(&view), shown_by(&fresh), "{message:?}");
    }
}

#[test]
fn after_each_message_of_a_series_the_room_could_be_a_snapshot() {
    let [ada, ben] = ["8f14e45fceea167a", "c9f0f895fb98ab91"].map(|id| id.parse().ok());
    for player in [ada, ben, Some(ME), None] {
        SERIES.iter().for_each(|series| check(series, player));
    }
}
