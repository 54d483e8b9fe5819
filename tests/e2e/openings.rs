//! Fair openings: swap2 on large boards, with every path and the clock. The order of players in a series is
//! in [`series`], computers are in [`computers`].

mod computers;
mod series;

use std::time::Duration;

use noughts_harness::{Player, TestServer, advance_time};
use noughts_protocol::{
    BoardSpec, ByMark, ClientMessage, FirstMove, GameResult, LobbyIntent, Mark, Opening,
    OpeningChoice, OpeningPhase, RefusalCode, Role, RoomIntent, RoomSettings, SeatRequest, Verdict,
};

/// Three marks of an opening on 13 × 13, apart from each other, and two more.
const PLACED: [u16; 3] = [84, 98, 60];
const ADDED: [u16; 2] = [30, 140];

fn swap2() -> RoomSettings {
    let board = BoardSpec::new(13, 13, 5).unwrap();
    RoomSettings { board, opening: Opening::Swap2, ..RoomSettings::default() }
}

async fn pair(server: &TestServer, settings: RoomSettings) -> (Player, Player) {
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let code = ada.create(settings, ByMark::default()).await;
    bob.join(code, Role::Player).await.unwrap();
    for player in [&mut ada, &mut bob] {
        player.until("the opening", |p| phase(p).is_some()).await;
    }
    (ada, bob)
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

fn choice_of(player: &mut Player, choice: OpeningChoice) -> ClientMessage {
    let game = player.number();
    player.room_message(RoomIntent::Choose { game, choice })
}

/// Waits until it is this player's choice, and chooses.
async fn choose(player: &mut Player, choice: OpeningChoice) {
    player.until("my choice", |p| p.is_my_turn() && is_choosing(p)).await;
    let chosen = choice_of(player, choice);
    player.ask(chosen).await.unwrap();
    player.until("the effect", |p| !is_choosing(p)).await;
}

/// Plays a mark each, O first, and checks that both see the same.
async fn go_on(x: &mut Player, o: &mut Player, cells: [u16; 2]) {
    assert_eq!((phase(o), o.marks()), (None, vec![Mark::O]));
    o.play(cells[0]).await.unwrap();
    x.until("the sides", |p| phase(p).is_none()).await;
    x.play(cells[1]).await.unwrap();
    assert_eq!(x.marks(), [Mark::X]);
    o.until("the move", Player::is_my_turn).await;
    assert_eq!(x.state(), o.state());
}

/// Both want another game, which begins.
async fn again(one: &mut Player, other: &mut Player) {
    let next = one.number() + 1;
    for player in [&mut *one, &mut *other] {
        player.until_over().await;
    }
    one.rematch(true).await.unwrap();
    other.rematch(true).await.unwrap();
    for player in [one, other] {
        player.until("the next opening", |p| p.number() == next && phase(p).is_some()).await;
    }
}

#[tokio::test]
async fn the_opponent_may_play_o() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, swap2()).await;
    place(&mut ada, &PLACED).await;
    choose(&mut bob, OpeningChoice::O).await;
    go_on(&mut ada, &mut bob, [85, 86]).await;
}

#[tokio::test]
async fn the_opponent_may_play_x_and_the_seats_are_exchanged() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, swap2()).await;
    let mut eve = server.player("Eve").await;
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    place(&mut ada, &PLACED).await;
    choose(&mut bob, OpeningChoice::X).await;
    ada.until("the exchange", |p| p.marks() == [Mark::O]).await;
    go_on(&mut bob, &mut ada, [85, 86]).await;
    let v = ada.state().v;
    eve.until_version(v).await;
    assert_eq!(eve.state(), ada.state());
    let token = bob.token.clone();
    let mut again = server.returning("Bob", Some(token)).await;
    again.join(ada.state().code, Role::Player).await.unwrap();
    assert_eq!(again.marks(), [Mark::X]);
}

#[tokio::test]
async fn the_opponent_may_add_two_marks_and_leave_the_choice() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, swap2()).await;
    place(&mut ada, &PLACED).await;
    choose(&mut bob, OpeningChoice::Add).await;
    place(&mut bob, &ADDED).await;
    ada.until("her choice", |p| phase(p) == Some(last_choice())).await;
    let more = choice_of(&mut ada, OpeningChoice::Add);
    assert_eq!(ada.ask(more).await, Err(RefusalCode::NotNow));
    choose(&mut ada, OpeningChoice::O).await;
    bob.until("the exchange", |p| p.marks() == [Mark::X]).await;
    go_on(&mut bob, &mut ada, [85, 86]).await;
}

const fn last_choice() -> OpeningPhase {
    OpeningPhase::Choosing { by: Mark::X, may_add: false }
}

#[tokio::test]
async fn a_small_board_is_refused() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    for board in ["3x3x3", "12x19x5", "19x12x5"] {
        let settings = RoomSettings { board: board.parse().unwrap(), ..swap2() };
        let seats = ByMark::default();
        let create = LobbyIntent::Create { settings, seats, shuffle: false };
        assert_eq!(ada.ask_lobby(create).await, Err(RefusalCode::BadSettings));
        assert!(ada.refusal_text.contains("13 or more"), "{}", ada.refusal_text);
    }
}

#[tokio::test]
async fn what_is_not_due_is_refused_and_changes_nothing() {
    let server = TestServer::start(&[]).await;
    let board = BoardSpec::new(13, 13, 3).unwrap();
    let (mut ada, mut bob) = pair(&server, RoomSettings { board, ..swap2() }).await;
    let early = choice_of(&mut bob, OpeningChoice::X);
    assert_eq!(bob.ask(early).await, Err(RefusalCode::NotYourTurn));
    let not_his = bob.move_to(0);
    assert_eq!(bob.ask(not_his).await, Err(RefusalCode::NotYourTurn));
    place(&mut ada, &[0, 50, 1]).await;
    bob.until("his choice", is_choosing).await;
    let too_many = ada.move_to(60);
    assert_eq!(ada.ask(too_many).await, Err(RefusalCode::NotYourTurn));
    let not_hers = choice_of(&mut ada, OpeningChoice::O);
    assert_eq!(ada.ask(not_hers).await, Err(RefusalCode::NotYourTurn));
    let before_choosing = bob.move_to(60);
    assert_eq!(bob.ask(before_choosing).await, Err(RefusalCode::NotNow));
    assert!(bob.refusal_text.contains("choose first"), "{}", bob.refusal_text);
    choose(&mut bob, OpeningChoice::Add).await;
    bob.play(51).await.unwrap();
    let line = bob.move_to(2);
    assert_eq!(bob.ask(line).await, Err(RefusalCode::NotNow));
    assert!(bob.refusal_text.contains("must not complete a line"), "{}", bob.refusal_text);
    bob.play(100).await.unwrap();
    choose(&mut ada, OpeningChoice::X).await;
    let another = choice_of(&mut ada, OpeningChoice::O);
    assert_eq!(ada.ask(another).await, Err(RefusalCode::Stale));
    // After the opening a line wins as ever: O stops nothing.
    bob.play(103).await.unwrap();
    ada.play(2).await.unwrap();
    assert_eq!(ada.result().unwrap().winner(), Some(Mark::X));

    let mut eve = server.player("Eve").await;
    let both = ByMark { x: SeatRequest::You, o: SeatRequest::You };
    eve.create(RoomSettings::default(), both).await;
    let free = choice_of(&mut eve, OpeningChoice::X);
    assert_eq!(eve.ask(free).await, Err(RefusalCode::NotNow));
}

#[tokio::test]
async fn a_choice_is_repeated_after_a_reconnect_without_harm() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, swap2()).await;
    let first = ada.move_to(PLACED[0]);
    place(&mut ada, &PLACED).await;
    bob.until("his choice", is_choosing).await;
    let (code, token) = (bob.state().code, bob.token.clone());
    let chosen = choice_of(&mut bob, OpeningChoice::X);
    bob.send(&chosen).await;
    ada.until("the exchange", |p| p.marks() == [Mark::O]).await;
    drop(bob);
    let mut bob = server.returning("Bob", Some(token)).await;
    bob.join(code, Role::Player).await.unwrap();
    let v = bob.state().v;
    bob.ask(chosen).await.unwrap();
    // She may still repeat the moves that she made before the exchange.
    ada.ask(first).await.unwrap();
    bob.settle().await;
    assert_eq!(bob.state().v, v);
    go_on(&mut bob, &mut ada, [85, 86]).await;
}

#[tokio::test]
async fn a_reconnecting_player_is_back_in_the_opening() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, swap2()).await;
    place(&mut ada, &PLACED[..2]).await;
    let (code, token) = (ada.state().code, ada.token.clone());
    drop(ada);
    let mut ada = server.returning("Ada", Some(token)).await;
    ada.join(code, Role::Player).await.unwrap();
    assert_eq!(phase(&ada), Some(OpeningPhase::first(Mark::X)));
    place(&mut ada, &PLACED[2..]).await;
    choose(&mut bob, OpeningChoice::O).await;
    go_on(&mut ada, &mut bob, [85, 86]).await;
}

#[tokio::test]
async fn one_person_on_both_sides_opens_too() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let both = ByMark { x: SeatRequest::You, o: SeatRequest::You };
    ada.create(swap2(), both).await;
    place(&mut ada, &PLACED).await;
    choose(&mut ada, OpeningChoice::Add).await;
    place(&mut ada, &ADDED).await;
    choose(&mut ada, OpeningChoice::O).await;
    place(&mut ada, &[85, 86]).await;
    assert_eq!(ada.game().ply(), 7);
}

#[tokio::test(start_paused = true)]
async fn whoever_must_choose_loses_when_the_time_is_over() {
    let server = TestServer::virtual_time(&[]);
    let settings = RoomSettings { move_time_ms: Some(30_000), ..swap2() };
    let (mut ada, mut bob) = pair(&server, settings).await;
    for cell in PLACED {
        advance_time(Duration::from_secs(20)).await;
        ada.play(cell).await.unwrap();
    }
    bob.until("his choice", is_choosing).await;
    let started = tokio::time::Instant::now();
    bob.until_over().await;
    assert_eq!(bob.result(), Some(&GameResult::Time { winner: Mark::X }));
    assert_eq!(started.elapsed().as_secs(), 30, "a choice has its full time");
}

#[tokio::test(start_paused = true)]
async fn whoever_must_place_loses_when_the_time_is_over() {
    let server = TestServer::virtual_time(&[]);
    let settings = RoomSettings { move_time_ms: Some(30_000), ..swap2() };
    let (mut ada, bob) = pair(&server, settings).await;
    // The mark that is due is O's, and it is Ada's to place.
    place(&mut ada, &PLACED[..1]).await;
    ada.until_over().await;
    assert_eq!(ada.result(), Some(&GameResult::Time { winner: Mark::O }));
    assert_eq!(bob.marks(), [Mark::O]);
}

#[tokio::test]
async fn there_are_no_hints_for_an_opening() {
    let server = TestServer::start(&[]).await;
    let (mut ada, _bob) = pair(&server, swap2()).await;
    assert_eq!(ada.hint().await, Err(RefusalCode::NotNow));
}

#[tokio::test]
async fn a_review_does_not_judge_the_opening() {
    let server = TestServer::start(&["--computer-time", "50ms"]).await;
    let settings = RoomSettings { first: FirstMove::X, ..swap2() };
    let (mut ada, mut bob) = pair(&server, settings).await;
    for (number, added) in [(1, false), (2, true)] {
        place(&mut ada, &PLACED).await;
        if added {
            choose(&mut bob, OpeningChoice::Add).await;
            place(&mut bob, &ADDED).await;
            choose(&mut ada, OpeningChoice::X).await;
        } else {
            choose(&mut bob, OpeningChoice::O).await;
        }
        bob.until("his move", Player::is_my_turn).await;
        bob.play(85).await.unwrap();
        ada.resign().await.unwrap();
        bob.until_over().await;
        bob.review(number).await.unwrap();
        let moves = bob.reviews.pop().unwrap().moves;
        let (opening, played) = moves.split_at(moves.len() - 1);
        assert_eq!(opening.len(), if added { 5 } else { 3 });
        assert!(opening.iter().all(|made| made.verdict == Verdict::Opening));
        assert_ne!(played[0].verdict, Verdict::Opening);
        if !added {
            again(&mut ada, &mut bob).await;
        }
    }
}
