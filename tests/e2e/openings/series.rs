//! Who opens the games of a swap2 series, by each rule, and whose score counts.

use noughts_harness::{Player, TestServer};
use noughts_protocol::{FirstMove, Mark, OpeningChoice, OpeningPhase, RoomSettings, Score};

use super::{PLACED, again, choose, go_on, pair, phase, place, swap2};

#[tokio::test]
async fn the_score_goes_with_the_player_and_the_openings_alternate() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, swap2()).await;
    place(&mut ada, &PLACED).await;
    choose(&mut bob, OpeningChoice::X).await;
    ada.until("the exchange", |p| p.marks() == [Mark::O]).await;
    ada.resign().await.unwrap();
    for player in [&mut ada, &mut bob] {
        player.until_over().await;
        assert_eq!(player.state().score, Score { x: 1, o: 0, draws: 0 });
    }
    ada.rematch(true).await.unwrap();
    bob.until("the offer", |p| p.presence.rematch == Some(Mark::O)).await;
    bob.rematch(true).await.unwrap();
    // Ada opened the first game, so Bob opens the second, as X because he sits there now.
    bob.until("the second opening", |p| p.number() == 2 && phase(p).is_some()).await;
    assert_eq!(phase(&bob), Some(OpeningPhase::first(Mark::X)));
    place(&mut bob, &PLACED).await;
    choose(&mut ada, OpeningChoice::X).await;
    bob.until("the exchange", |p| p.marks() == [Mark::O]).await;
    assert_eq!(bob.state().score, Score { x: 0, o: 1, draws: 0 });
    go_on(&mut ada, &mut bob, [85, 86]).await;
}

#[tokio::test]
async fn whoever_begins_by_the_rule_places_also_as_o() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, RoomSettings { first: FirstMove::O, ..swap2() }).await;
    assert_eq!(ada.game().first(), Mark::X, "X is the first mark all the same");
    place(&mut bob, &PLACED).await;
    choose(&mut ada, OpeningChoice::O).await;
    bob.until("the exchange", |p| p.marks() == [Mark::X]).await;
    go_on(&mut bob, &mut ada, [85, 86]).await;
}

#[tokio::test]
async fn who_lost_the_last_game_opens_the_next() {
    let server = TestServer::start(&[]).await;
    let settings = RoomSettings { first: FirstMove::Loser, ..swap2() };
    let (mut ada, mut bob) = pair(&server, settings).await;
    // Ada opens the first game. Bob takes X and wins; then he takes X and loses.
    open_and_resign(&mut ada, &mut bob, true).await;
    again(&mut ada, &mut bob).await;
    assert_eq!(phase(&ada), Some(OpeningPhase::first(Mark::O)), "Ada lost, and is O now");
    open_and_resign(&mut ada, &mut bob, false).await;
    again(&mut ada, &mut bob).await;
    assert_eq!((phase(&bob), bob.marks()), (phase(&ada), vec![Mark::X]));
    assert_eq!(phase(&bob), Some(OpeningPhase::first(Mark::X)), "Bob lost, and is X");
}

/// A game that `opener` opens and in which `other` plays X; one of them resigns at once.
async fn open_and_resign(opener: &mut Player, other: &mut Player, opener_resigns: bool) {
    place(opener, &PLACED).await;
    choose(other, OpeningChoice::X).await;
    opener.until("the sides", |p| p.marks() == [Mark::O] && phase(p).is_none()).await;
    if opener_resigns { opener } else { other }.resign().await.unwrap();
}

#[tokio::test]
async fn chance_lets_both_open() {
    let server = TestServer::start(&["--intent-burst", "1000"]).await;
    let settings = RoomSettings { first: FirstMove::Random, ..swap2() };
    let (mut ada, mut bob) = pair(&server, settings).await;
    let mut opened = [false; 2];
    // That one of them opens 64 games in a row happens once in 2^63 runs.
    for _ in 0..64 {
        let ada_opens = phase(&ada).map(OpeningPhase::by) == ada.marks().first().copied();
        opened[usize::from(ada_opens)] = true;
        let opener = if ada_opens { &mut ada } else { &mut bob };
        place(opener, &PLACED[..1]).await;
        if opened == [true; 2] {
            return;
        }
        ada.resign().await.unwrap();
        again(&mut ada, &mut bob).await;
    }
    panic!("only one of them ever opens: {opened:?}");
}
