//! Several games: who begins, the score, rematch, resign.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    ByMark, FirstMove, LobbyIntent, Mark, RoomIntent, RoomSettings, Score, SeatRequest, Series,
};

fn first_move(first: FirstMove) -> RoomSettings {
    RoomSettings { first, ..RoomSettings::default() }
}

/// Both ask for another game and wait until it runs.
async fn again(ada: &mut Player, bob: &mut Player) {
    let next = ada.number() + 1;
    let mark = ada.marks()[0];
    ada.rematch(true).await.unwrap();
    bob.until("the offer", |p| p.presence.rematch == Some(mark)).await;
    bob.rematch(true).await.unwrap();
    for player in [ada, bob] {
        player.until("the next game", |p| p.number() == next).await;
    }
}

#[tokio::test]
async fn two_players_agree_on_a_series_that_one_of_them_decides() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(first_move(FirstMove::X)).await;
    let to = |first_to| Series { first_to };
    let offer = |game, series| RoomIntent::Rematch { game, offer: true, series };
    ada.resign().await.unwrap();
    ada.until_over().await;
    ada.ask_room(offer(1, Some(to(Some(5))))).await.unwrap();
    bob.until("the offer", |p| p.presence.series == Some(to(Some(5)))).await;
    // Another length is a counter-offer, and an answer without one accepts it.
    bob.ask_room(offer(1, Some(to(Some(2))))).await.unwrap();
    ada.until("the counter-offer", |p| p.presence.series == Some(to(Some(2)))).await;
    assert_eq!(ada.presence.rematch, Some(Mark::O));
    ada.ask_room(offer(1, None)).await.unwrap();
    for game in 2..4 {
        ada.until("the game", |p| p.number() == game).await;
        assert_eq!(ada.state().series, to(Some(2)));
        assert_eq!(ada.state().score.o, game - 2);
        ada.resign().await.unwrap();
        ada.until_over().await;
        bob.until_over().await;
        if game == 2 {
            again(&mut ada, &mut bob).await;
        }
    }
    assert_eq!(ada.state().series.winner(ada.state().score), Some(Mark::O));
    again(&mut ada, &mut bob).await;
    assert_eq!((ada.state().series, ada.state().score), (to(Some(2)), Score::default()));
}

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
