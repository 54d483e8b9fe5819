//! Looking back over real sockets: kept games and their reviews.

mod export;

use noughts_harness::player::{play_again, play_out};
use noughts_harness::{Player, TestServer};
use noughts_protocol::{
    ArchivedGame, Cell, Found, GameId, GameSummary, LobbyIntent, Mark, Participant, RefusalCode,
    RoomIntent, RoomSettings, Variant,
};

/// X wins at once with these cells.
const X_WINS: [u16; 5] = [0, 3, 1, 4, 2];

/// A server that keeps its games, and allows what a test does in a second.
async fn server() -> TestServer {
    TestServer::keeping(&["--intents-per-second", "100000"]).await
}

/// Asks, and returns what was found.
async fn find(player: &mut Player, question: LobbyIntent) -> Found {
    player.ask_lobby(question).await.unwrap();
    player.found.pop().unwrap()
}

/// No filter.
const ALL: LobbyIntent = LobbyIntent::History {
    opponent: None,
    board: None,
    variant: None,
    outcome: None,
    before: None,
};

async fn game(player: &mut Player, game: GameId) -> ArchivedGame {
    let found = find(player, LobbyIntent::Game { game }).await;
    let Found::Game { game } = found else { panic!("no game: {found:?}") };
    game
}

/// The id under which the game on the board is kept.
fn kept(player: &Player) -> GameId {
    player.state().game.as_ref().unwrap().id.unwrap()
}

#[tokio::test]
async fn a_game_that_is_over_can_be_looked_at_by_whoever_knows_its_id() {
    let server = server().await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &X_WINS).await;
    let id = kept(&ada);
    assert_eq!(kept(&bob), id);
    let mut eve = server.player("Eve").await;
    let seen = game(&mut eve, id).await;
    assert_eq!(seen, game(&mut ada, id).await);
    assert_eq!(seen.moves.iter().map(|cell| cell.0).collect::<Vec<_>>(), X_WINS);
    assert_eq!((seen.first, seen.settings), (Mark::X, RoomSettings::default()));
    assert!(seen.times_ms.is_sorted() && seen.times_ms.len() == 5, "{:?}", seen.times_ms);
    let GameSummary { players, result, plies, rated, public, ended_at, .. } = seen.summary;
    assert_eq!(players.x, Participant::Human { player: ada.id, name: "Ada".parse().unwrap() });
    assert_eq!(players.o, Participant::Human { player: bob.id, name: "Bob".parse().unwrap() });
    assert_eq!(Some(result), ada.result().cloned());
    assert_eq!((plies, rated, public), (5, false, false));
    assert!(seen.started_at + u64::from(seen.times_ms[4]) <= ended_at + 1);
    let wrong = LobbyIntent::Game { game: GameId(id.0 ^ 1) };
    assert_eq!(eve.ask_lobby(wrong).await, Err(RefusalCode::NoSuchGame));
}

#[tokio::test]
async fn the_review_of_a_kept_game_is_the_one_of_its_room() {
    let server = server().await;
    let wild = RoomSettings { variant: Variant::Wild, ..RoomSettings::default() };
    let (mut ada, mut bob) = server.pair(wild).await;
    // Every mark is an O: the kept game must keep which mark each side has placed.
    for (ply, cell) in (0..).zip([4, 0, 8]) {
        let mover = if ply % 2 == 0 { &mut ada } else { &mut bob };
        mover.until("my turn", Player::is_my_turn).await;
        let placed = Some(Mark::O);
        let play = RoomIntent::Play { game: 1, ply, cell: Cell(cell), placed };
        mover.ask_room(play).await.unwrap();
    }
    ada.until("the end", |p| p.result().is_some()).await;
    let id = kept(&ada);
    ada.review(1).await.unwrap();
    let in_room = ada.reviews.pop().unwrap();
    let mut eve = server.player("Eve").await;
    let found = find(&mut eve, LobbyIntent::ReviewGame { game: id }).await;
    let Found::Review { game, first, proven, moves } = found else { panic!("no review") };
    assert_eq!((game, first, proven), (id, in_room.first, in_room.proven));
    assert_eq!(moves, in_room.moves);
}

#[tokio::test]
async fn a_server_that_keeps_nothing_says_so() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    for question in [ALL, LobbyIntent::Forget, LobbyIntent::Game { game: GameId(1) }] {
        assert_eq!(ada.ask_lobby(question).await, Err(RefusalCode::SwitchedOff));
    }
    assert!(ada.refusal_text.contains("keeps no games"), "{}", ada.refusal_text);
}

#[tokio::test]
async fn questions_are_answered_while_a_game_goes_on() {
    let server = server().await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &X_WINS).await;
    play_again(&mut ada, &mut bob).await;
    // Eight questions may wait; the ninth may be refused, and every one has its answer.
    let mut asked = Vec::new();
    for _ in 0..12 {
        let id = ada.new_id();
        let intent = LobbyIntent::Profile { player: Some(bob.id) };
        ada.send(&noughts_protocol::ClientMessage::Lobby { intent, id }).await;
        asked.push(id);
    }
    bob.play(4).await.unwrap();
    ada.play(0).await.unwrap();
    for id in asked {
        let answer = ada.answer_to(id).await;
        assert!(matches!(answer, Ok(_) | Err(RefusalCode::RateLimited)), "{answer:?}");
    }
    assert!(ada.found.len() >= 8, "{}", ada.found.len());
    ada.ask_room(RoomIntent::Sync).await.unwrap();
}
