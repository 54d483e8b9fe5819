//! Several games: who begins, the score, rematch, resign.

use noughts_harness::player::play_out;
use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    ByMark, Computer, FirstMove, GameResult, LobbyIntent, Mark, RefusalCode, Role, RoomIntent,
    RoomSettings, Score, Seat, SeatRequest, Series,
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

/// The first movers of four games: X wins the first, O the second, the third is drawn.
async fn first_movers(rule: FirstMove) -> Vec<Mark> {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(first_move(rule)).await;
    let mut firsts = vec![ada.game().first()];
    for winner in [Some(Mark::X), Some(Mark::O), None] {
        match winner {
            Some(Mark::X) => bob.resign().await.unwrap(),
            Some(Mark::O) => ada.resign().await.unwrap(),
            None => {
                play_out(&mut ada, &mut bob, &[0, 1, 2, 4, 3, 5, 7, 6, 8]).await;
                None
            }
        };
        ada.until_over().await;
        bob.until_over().await;
        again(&mut ada, &mut bob).await;
        firsts.push(ada.game().first());
    }
    firsts
}

#[tokio::test]
async fn the_first_move_follows_the_rooms_rule() {
    use Mark::{O, X};
    assert_eq!(first_movers(FirstMove::Alternate).await, [X, O, X, O]);
    assert_eq!(first_movers(FirstMove::X).await, [X, X, X, X]);
    assert_eq!(first_movers(FirstMove::O).await, [O, O, O, O]);
    // X won the first game, O the second; after the draw the other player begins.
    assert_eq!(first_movers(FirstMove::Loser).await, [X, O, X, O]);
    assert_eq!(first_movers(FirstMove::Random).await.len(), 4);
}

#[tokio::test]
async fn the_score_counts_wins_and_draws_over_games() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(first_move(FirstMove::X)).await;
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;
    again(&mut ada, &mut bob).await;
    play_out(&mut ada, &mut bob, &[0, 1, 2, 4, 3, 5, 7, 6, 8]).await;
    again(&mut ada, &mut bob).await;
    ada.resign().await.unwrap();
    for player in [&mut ada, &mut bob] {
        player.until("the score", |p| p.state().score == Score { x: 1, o: 1, draws: 1 }).await;
    }
    assert_eq!(bob.result(), Some(&GameResult::Resignation { winner: Mark::O }));
}

#[tokio::test]
async fn a_rematch_offer_can_be_taken_back_and_asked_for_twice() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(first_move(FirstMove::X)).await;
    assert_eq!(ada.rematch(true).await, Err(RefusalCode::NotNow));
    ada.resign().await.unwrap();
    ada.until_over().await;
    ada.rematch(true).await.unwrap();
    ada.rematch(true).await.unwrap();
    bob.until("the offer", |p| p.presence.rematch == Some(Mark::X)).await;
    ada.rematch(false).await.unwrap();
    bob.until("the end of the offer", |p| p.presence.rematch != Some(Mark::X)).await;
    again(&mut bob, &mut ada).await;
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
async fn a_series_begins_at_once_against_a_computer() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Computer(Computer::OPPONENT) };
    ada.create(RoomSettings::default(), seats).await;
    ada.resign().await.unwrap();
    let series = Some(Series { first_to: Some(3) });
    ada.ask_room(RoomIntent::Rematch { game: 1, offer: true, series }).await.unwrap();
    assert_eq!((ada.number(), ada.state().score), (2, Score::default()));
    assert_eq!(ada.state().series.first_to, Some(3));
    // Out of range is no message of the protocol.
    let text = r#"{"type":"rematch","id":7,"room":"ROOM","game":2,"series":{"first_to":100}}"#;
    ada.send_text(&text.replace("ROOM", ada.state().code.as_str())).await;
    assert_eq!(ada.answer_to(7.try_into().unwrap()).await, Err(RefusalCode::BadMessage));
}

#[tokio::test]
async fn a_resigned_game_stays_resigned_when_the_message_is_repeated() {
    let server = TestServer::start(&[]).await;
    let (mut ada, _bob) = server.pair(first_move(FirstMove::X)).await;
    ada.resign().await.unwrap();
    ada.until_over().await;
    ada.resign().await.unwrap();
    ada.settle().await;
    assert_eq!(ada.state().score, Score { x: 0, o: 1, draws: 0 });
}

#[tokio::test]
async fn leaving_resigns_and_a_new_opponent_starts_from_zero() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(first_move(FirstMove::X)).await;
    let code = ada.state().code;
    bob.leave().await.unwrap();
    ada.until("an open seat", |p| p.state().seats.o == Seat::Open).await;
    assert_eq!(ada.result(), Some(&GameResult::Resignation { winner: Mark::X }));
    assert_eq!(ada.state().score.x, 1);
    assert_eq!(ada.rematch(true).await, Err(RefusalCode::NotNow));

    let mut eve = server.player("Eve").await;
    eve.join(code, Role::Player).await.unwrap();
    ada.until("the second game", |p| p.number() == 2).await;
    assert_eq!(ada.state().score, Score::default());
    ada.leave().await.unwrap();
    eve.leave().await.unwrap();
    server.until_counts([0, 3, 0]).await;
}

#[tokio::test]
async fn marks_can_be_chosen_or_drawn() {
    // Ten draws that are all alike would use up the usual burst.
    let server = TestServer::start(&["--intent-burst=100"]).await;
    let mut ada = server.player("Ada").await;
    let as_o = ByMark { x: SeatRequest::Open, o: SeatRequest::You };
    ada.create(RoomSettings::default(), as_o).await;
    assert_eq!(ada.marks(), [Mark::O]);
    ada.leave().await.unwrap();

    let mut seen = std::collections::BTreeSet::new();
    // The odds that 40 fair draws are all alike are one in 2^39.
    for _ in 0..40 {
        let (settings, seats) = (RoomSettings::default(), ByMark::default());
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
