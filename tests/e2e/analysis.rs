//! Hints and their reasons, reviews, evaluations, and which connections are told none of them.

use std::time::{Duration, Instant};

use noughts_harness::player::play_out;
use noughts_harness::{Pipe, Player, ServerProcess, Terminal, TestServer};
use noughts_protocol::{
    BoardSpec, ByMark, Cell, GameValue, HintReason, RefusalCode, Role, RoomIntent, RoomSettings,
    SeatRequest, Standing, Verdict,
};

/// X and O in a room with these settings.
async fn pair(server: &TestServer, settings: RoomSettings) -> (Player, Player) {
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let code = ada.create(settings, ByMark::default()).await;
    bob.join(code, Role::Player).await.unwrap();
    ada.until_running().await;
    (ada, bob)
}

/// One player on both sides, so that any position is theirs to ask about.
async fn alone(server: &TestServer, board: BoardSpec, moves: &[u16]) -> Player {
    let mut ada = server.player("Ada").await;
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::You };
    ada.create(RoomSettings { board, ..RoomSettings::default() }, seats).await;
    for &cell in moves {
        ada.play(cell).await.unwrap();
    }
    ada
}

#[tokio::test]
async fn a_hint_has_cells_and_a_reason() {
    let server = TestServer::start(&[]).await;
    for (moves, cells, message) in [
        (&[0, 3, 1, 4][..], &[2][..], "wins"),
        (&[0, 3, 8, 4], &[5], "stops row 2"),
        (&[0, 1, 6, 3], &[8, 4], "makes two threats"),
        (&[0], &[4], "every other move loses"),
        (&[4], &[0, 2, 6, 8], "keeps the draw"),
    ] {
        let mut ada = alone(&server, BoardSpec::TIC_TAC_TOE, moves).await;
        ada.hint().await.unwrap();
        let hint = ada.hints.pop().unwrap();
        let expected: Vec<Cell> = cells.iter().copied().map(Cell).collect();
        assert_eq!((hint.cells, &*hint.message.to_string()), (expected, message), "{moves:?}");
        assert_eq!((hint.game, usize::from(hint.ply)), (1, moves.len()));
        if let HintReason::Blocks { lines } = hint.reason {
            assert_eq!(lines[0].cells, [Cell(3), Cell(4), Cell(5)]);
        }
        ada.leave().await.unwrap();
    }
}

#[tokio::test]
async fn a_hint_is_for_whose_turn_it_is_where_the_room_gives_them() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, RoomSettings::default()).await;
    let mut eve = server.player("Eve").await;
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    assert_eq!(bob.hint().await, Err(RefusalCode::NotYourTurn));
    assert_eq!(eve.hint().await, Err(RefusalCode::NotSeated));
    ada.hint().await.unwrap();
    ada.resign().await.unwrap();
    assert_eq!(ada.hint().await, Err(RefusalCode::GameOver));
    bob.settle().await;
    eve.settle().await;
    assert!(bob.hints.is_empty() && eve.hints.is_empty(), "a hint is for who asked alone");

    let silent = RoomSettings { hints: false, ..RoomSettings::default() };
    let (mut ada, _bob) = pair(&server, silent).await;
    assert_eq!(ada.hint().await, Err(RefusalCode::HintsOff));
}

#[tokio::test]
async fn a_quick_match_gives_no_hints() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    ada.quick_match().await.unwrap();
    bob.quick_match().await.unwrap();
    ada.until_running().await;
    bob.until_running().await;
    assert!(!ada.state().settings.hints);
    let mover = if ada.is_my_turn() { &mut ada } else { &mut bob };
    assert_eq!(mover.hint().await, Err(RefusalCode::HintsOff));
}

#[tokio::test]
async fn a_review_finds_the_mistake_for_players_and_spectators() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = pair(&server, RoomSettings::default()).await;
    let mut eve = server.player("Eve").await;
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    assert_eq!(ada.review(1).await, Err(RefusalCode::NotNow));
    // X leaves row 1 open and stops nothing: O could take it to a draw, and does.
    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 5, 2, 6, 7, 8]).await;
    ada.until_over().await;
    for player in [&mut ada, &mut bob, &mut eve] {
        player.review(1).await.unwrap();
        let review = player.reviews.pop().unwrap();
        assert!(review.proven && review.moves.len() == 9);
        let made = review.moves[4];
        assert_eq!((made.ply, made.verdict), (4, Verdict::Mistake));
        assert_eq!((made.before, made.after), (GameValue::Won, GameValue::Drawn));
        assert_eq!(player.review(2).await, Err(RefusalCode::Stale));
    }
    // The game before the last one can still be reviewed, while the next one runs.
    ada.rematch(true).await.unwrap();
    bob.rematch(true).await.unwrap();
    ada.until("the next game", |p| p.number() == 2).await;
    ada.review(1).await.unwrap();
    assert_eq!(ada.review(2).await, Err(RefusalCode::NotNow));
}

#[tokio::test]
async fn only_spectators_are_told_how_the_game_stands() {
    let server = TestServer::start(&["--computer-threads", "1"]).await;
    let settings = RoomSettings { evaluation: true, ..RoomSettings::default() };
    let (mut ada, mut bob) = pair(&server, settings).await;
    let mut eve = server.player("Eve").await;
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    eve.until("the empty board", |p| p.evaluations.len() == 1).await;
    assert_eq!(eve.evaluations[0].worth, Standing::Drawn);
    play_out(&mut ada, &mut bob, &[0, 1]).await;
    eve.until("the mistake", |p| p.evaluations.last().is_some_and(|e| e.ply == 2)).await;
    assert_eq!(eve.evaluations.last().unwrap().worth, Standing::XWins);
    // A spectator who joins later receives it at once.
    let mut kim = server.player("Kim").await;
    kim.join(ada.state().code, Role::Spectator).await.unwrap();
    kim.until("the same", |p| p.evaluations == eve.evaluations[eve.evaluations.len() - 1..]).await;
    // A player who comes back, as after a reload, is no spectator although the role asks for it.
    let mut again = server.returning("Ada", Some(ada.token.clone())).await;
    again.join(ada.state().code, Role::Spectator).await.unwrap();
    for player in [&mut ada, &mut bob, &mut again] {
        player.settle().await;
        assert!(player.evaluations.is_empty());
    }

    let (mut ada, mut bob) = pair(&server, RoomSettings::default()).await;
    eve.evaluations.clear();
    eve.join(ada.state().code, Role::Spectator).await.unwrap();
    play_out(&mut ada, &mut bob, &[0, 1]).await;
    // The only thread would have come to it before the hint.
    ada.hint().await.unwrap();
    eve.settle().await;
    assert_eq!(eve.state(), ada.state());
    assert!(eve.evaluations.is_empty(), "it is off unless the room allows it");
}

/// Moves that lie far apart, so that nothing is decided.
fn scattered() -> Vec<u16> {
    (0..60).map(|n| n * 97 % 361).collect()
}

#[tokio::test]
async fn a_large_review_ends_within_its_bound_and_holds_nobody_up() {
    let server = TestServer::start(&["--computer-threads", "1", "--intent-burst", "1000"]).await;
    let mut ada = alone(&server, BoardSpec::new(19, 19, 5).unwrap(), &scattered()).await;
    ada.resign().await.unwrap();
    let begun = Instant::now();
    ada.ask_room(RoomIntent::Review { game: 1 }).await.unwrap();
    // The only thread also gives another room its hint meanwhile.
    let mut bob = alone(&server, BoardSpec::new(15, 15, 5).unwrap(), &[112, 0]).await;
    bob.hint().await.unwrap();
    assert!(ada.reviews.is_empty());
    ada.until("the review", |p| !p.reviews.is_empty()).await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(ada.reviews[0].moves.len(), 60);
    // Asked again, it is there.
    let begun = Instant::now();
    ada.review(1).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_game_without_moves_has_an_empty_review() {
    let server = TestServer::start(&[]).await;
    for board in [BoardSpec::TIC_TAC_TOE, BoardSpec::new(15, 15, 5).unwrap()] {
        let mut ada = alone(&server, board, &[]).await;
        ada.resign().await.unwrap();
        ada.until_over().await;
        ada.review(1).await.unwrap();
        assert!(ada.reviews[0].moves.is_empty());
    }
}

#[tokio::test]
async fn leaving_and_moving_on_cancel_what_was_asked() {
    let server = TestServer::start(&["--computer-threads", "1", "--intent-burst", "1000"]).await;
    let board = BoardSpec::new(19, 19, 5).unwrap();
    let mut ada = alone(&server, board, &scattered()).await;
    ada.ask_room(RoomIntent::Hint { game: 1 }).await.unwrap();
    ada.play(360).await.unwrap();
    ada.hint().await.unwrap();
    assert_eq!(ada.hints.iter().map(|hint| hint.ply).collect::<Vec<_>>(), [61]);
    ada.resign().await.unwrap();
    ada.ask_room(RoomIntent::Review { game: 1 }).await.unwrap();
    ada.leave().await.unwrap();
    // The room and its review are gone: the one thread is free at once.
    let begun = Instant::now();
    let mut bob = alone(&server, BoardSpec::new(15, 15, 5).unwrap(), &[112, 0]).await;
    bob.hint().await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert!(ada.reviews.is_empty());
    server.stop().await;
}

#[test]
fn a_script_learns_by_lines() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let address = server.address().to_string();
    let mut ada = Pipe::run(&["--server", &address, "play", "--both"], folder.path());
    for line in ["1", "2", "hint", "5", "3", "9", "review"] {
        ada.line(line);
    }
    ada.end_input();
    ada.wait_for("Hint: 5 (leads to a win).");
    ada.wait_for("O 2  mistake: drawn -> lost");
    ada.wait_for("1 mistake, proven.");
    assert_eq!(ada.wait_exit(), 0);
}

#[test]
fn the_screen_shows_hint_and_review() {
    let server = ServerProcess::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let address = server.address().to_string();
    let args = ["--server", &address, "play", "--both"];
    let mut ada = Terminal::run(&args, folder.path(), 24, 80);
    let _ = ada.wait_text("X to move");
    for (key, shown) in [("1", "X plays 1"), ("2", "O plays 2"), ("5", "X plays 5")] {
        let _ = ada.wait_new(key, shown);
    }
    let screen = ada.wait_new("i", "Hint: 9 (stops the main diagonal).");
    assert!(screen.contains("(  9  )"), "{screen}");
    for (key, shown) in [("3", "O plays 3"), ("9", "v review")] {
        let _ = ada.wait_new(key, shown);
    }
    let _ = ada.wait_new("v", "move 5 of 5");
    let _ = ada.wait_text("O 2   ? mistake: drawn -> lost");
    let _ = ada.wait_new("\u{1b}[H", "move 0 of 5");
    let _ = ada.wait_new("\u{1b}[C", "move 1 of 5");
    let _ = ada.wait_new("\u{1b}", "r plays again");
}
