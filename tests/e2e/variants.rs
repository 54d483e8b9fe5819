//! Every variant over real sockets: a client without rules plays each to its end through a `kill -9`, and
//! queues, parties and ratings tell them apart.

mod stranger;

use futures::future::join_all;
use noughts_harness::{Player, ServerProcess, TestServer};
use noughts_protocol::{
    Board, BoardClass, BoardSpec, Found, LobbyIntent, PartyFormat, PartyIntent, PartyPhase,
    PartyRole, PartySettings, RefusalCode, Role, RoomCode, TableBoard, Variant,
};
use serde_json::{Value, json};
use stranger::{Drawing, Stranger};

/// The marks before the server is killed.
const BEFORE_THE_KILL: usize = 5;

/// A test may send as many intents in a second as it wants.
const OPTIONS: [&str; 2] = ["--intents-per-second", "100000"];

/// Two strangers and a room of a variant.
async fn pair(server: &ServerProcess, number: usize, variant: Variant) -> [Stranger; 2] {
    let seed = number as u64;
    let mut ada = Stranger::new(server, "Ada", 2 * seed).await;
    let mut bob = Stranger::new(server, "Bob", 2 * seed + 1).await;
    let board: BoardSpec = variant.boards()[0].parse().unwrap();
    let room = ada.create(json!({"variant": variant, "board": board})).await;
    bob.join(room).await;
    [ada, bob]
}

async fn play(pairs: &mut [[Stranger; 2]], plies: usize) {
    join_all(pairs.iter_mut().flatten().map(|stranger| stranger.play(plies))).await;
}

/// The marks of a board, as a stranger draws them.
fn drawn(board: &Board) -> Vec<Value> {
    board.spec().all_cells().map(|cell| json!(board.get(cell))).collect()
}

/// Somebody who knows the rules looks into the room and sees the same.
async fn check_seen(server: &ServerProcess, stranger: &Stranger) {
    let mut eve = server.player("Eve").await;
    let code: RoomCode = stranger.code().as_str().unwrap().parse().unwrap();
    eve.join(code, Role::Spectator).await.unwrap();
    let game = stranger.game.as_ref().unwrap();
    assert_eq!(game.cells, drawn(eve.game().board()), "{:?}", eve.state().settings);
    assert_eq!(game.result, json!(eve.game().result()), "{:?}", eve.state().settings);
}

#[tokio::test]
async fn strangers_without_rules_play_every_variant_through_a_kill() {
    let mut server = ServerProcess::start(&OPTIONS);
    let variants = Variant::ALL.into_iter().enumerate();
    let pairs = variants.map(|(number, variant)| pair(&server, number, variant));
    let mut pairs = join_all(pairs).await;
    play(&mut pairs, BEFORE_THE_KILL).await;
    server = server.restart();
    for stranger in pairs.iter_mut().flatten() {
        stranger.come_back(&server).await;
    }
    play(&mut pairs, usize::MAX).await;
    for [ada, bob] in &pairs {
        assert_eq!(ada.game, bob.game);
        check_seen(&server, ada).await;
    }
    server = server.restart();
    for stranger in pairs.iter_mut().map(|[ada, _]| ada) {
        let kept = stranger.kept.clone();
        stranger.come_back(&server).await;
        stranger.kept = kept;
        let Drawing { cells, result, .. } = stranger.look_back().await;
        let game = stranger.game.as_ref().unwrap();
        assert_eq!((cells, result), (game.cells.clone(), game.result.clone()));
    }
    server.kill();
    let said = server.tool("verify");
    assert!(said.contains(&format!("{} kept games", pairs.len())), "{said}");
}

/// Asks for a quick match of a variant on its first board.
async fn quick_match(player: &mut Player, variant: Variant) -> Option<RoomCode> {
    let board = variant.boards()[0].parse().unwrap();
    let quick = LobbyIntent::QuickMatch { board, variant, move_time_ms: None, computer: None };
    player.ask_lobby(quick).await.unwrap()
}

#[tokio::test]
async fn a_variant_has_a_queue_and_a_rating_of_its_own() {
    let server = TestServer::keeping(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
    let mut cid = server.player("Cid").await;
    assert_eq!(quick_match(&mut ada, Variant::Misere).await, None);
    // The same board.
    assert_eq!(quick_match(&mut cid, Variant::Line).await, None);
    assert_eq!(quick_match(&mut cid, Variant::Gravity).await, None);
    let room = quick_match(&mut bob, Variant::Gravity).await;
    assert!(room.is_some());
    cid.until_running().await;
    bob.until_running().await;
    assert_eq!(bob.state().settings.variant, Variant::Gravity);
    let (mover, waiter) =
        if cid.is_my_turn() { (&mut cid, &mut bob) } else { (&mut bob, &mut cid) };
    assert_eq!(mover.play(0).await, Err(RefusalCode::NotPlayable));
    assert!(mover.refusal_text.contains("a6"), "{}", mover.refusal_text);
    mover.play(35).await.unwrap();
    waiter.resign().await.unwrap();
    mover.until_over().await;
    mover.ask_lobby(LobbyIntent::Profile { player: None }).await.unwrap();
    let Some(Found::Profile { profile }) = mover.found.pop() else { panic!("no profile") };
    let classes: Vec<BoardClass> = profile.ratings.iter().map(|rating| rating.class).collect();
    assert_eq!(classes, [BoardClass::Gravity]);
    let boards: Vec<_> =
        profile.boards.iter().map(|tally| (tally.variant, tally.tally.wins)).collect();
    assert_eq!(boards, [(Variant::Gravity, 1)]);
}

#[tokio::test(start_paused = true)]
async fn a_party_plays_a_variant() {
    let server = TestServer::virtual_time(&[]);
    let mut ada = server.player("Ada").await;
    let mut screen = server.player("Screen").await;
    let settings = PartySettings {
        format: PartyFormat::RoundRobin,
        variant: Variant::Vanish,
        board: BoardSpec::TIC_TAC_TOE,
        ..PartySettings::default()
    };
    let wrong = PartySettings { board: "7x6x4".parse().unwrap(), ..settings };
    let name = "Friday".parse().unwrap();
    let intent = LobbyIntent::CreateParty { name, settings: wrong, plays: true };
    assert_eq!(ada.ask_lobby(intent).await, Err(RefusalCode::BadSettings));
    let code = ada.create_party("Friday", settings, true).await;
    let mut bob = server.player("Bob").await;
    bob.join_party(code, PartyRole::Player).await.unwrap();
    screen.join_party(code, PartyRole::Screen).await.unwrap();
    ada.ask_party(PartyIntent::StartParty).await.unwrap();
    let is_over = |player: &Player| player.party().phase == PartyPhase::Over;
    futures::join!(ada.attend(0, is_over), bob.attend(1, is_over));
    assert_eq!(ada.state().settings.variant, Variant::Vanish);
    // The big screen is told which marks went.
    let game = ada.game();
    assert!(!game.effects().is_empty());
    let is_last =
        |board: &TableBoard| board.moves == game.moves() && board.effects == game.effects();
    let shows = |player: &Player| {
        player.party.as_ref().is_some_and(|view| view.boards.values().any(is_last))
    };
    screen.until("the last board", shows).await;
}
