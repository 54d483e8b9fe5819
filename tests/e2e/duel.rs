//! Two people play a game to its end; wrong moves are refused and change nothing.

use noughts_harness::TestServer;
use noughts_harness::player::play_out;
use noughts_protocol::{
    BoardSpec, Cell, Direction, GameResult, LineKind, Mark, RefusalCode, Role, RoomIntent,
    RoomSettings, Score, WinningLine,
};

#[tokio::test]
async fn two_people_play_to_a_win_and_both_see_the_line() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let code = ada.host().await;
    assert_eq!(ada.marks(), [Mark::X]);
    bob.join(code, Role::Player).await.unwrap();
    assert_eq!(bob.marks(), [Mark::O]);

    play_out(&mut ada, &mut bob, &[0, 3, 1, 4, 2]).await;

    let line =
        WinningLine { kind: LineKind::Row { number: 1 }, cells: vec![Cell(0), Cell(1), Cell(2)] };
    let won = GameResult::Line { winner: Mark::X, lines: vec![line] };
    for player in [&mut ada, &mut bob] {
        player.until("the score", |p| p.state().score.x == 1).await;
        assert_eq!(player.result(), Some(&won));
    }
    assert_eq!(ada.state(), bob.state());
}

#[tokio::test]
async fn a_full_board_is_a_draw() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &[0, 1, 2, 4, 3, 5, 7, 6, 8]).await;
    bob.until("the score", |p| p.state().score == Score { x: 0, o: 0, draws: 1 }).await;
    assert_eq!(bob.result(), Some(&GameResult::BoardFull));
}

#[tokio::test]
async fn wrong_moves_are_refused_with_a_reason_and_change_nothing() {
    let server = TestServer::start(&[]).await;
    let (mut ada, mut bob) = (server.player("Ada").await, server.player("Bob").await);
    let code = ada.host().await;
    let early = RoomIntent::Play { game: 1, ply: 0, cell: Cell(0) };
    assert_eq!(ada.ask_room(early).await, Err(RefusalCode::NotNow));

    bob.join(code, Role::Player).await.unwrap();
    ada.play(4).await.unwrap();
    bob.until("X's move", |p| p.game().ply() == 1).await;

    let mut refused = async |cell, code, words: &str| {
        let play = bob.move_to(cell);
        assert_eq!(bob.ask(play).await, Err(code));
        assert!(
            bob.refusal_text.contains(words),
            "{:?} says nothing of {words:?}",
            bob.refusal_text
        );
    };
    refused(4, RefusalCode::CellTaken, "cell 5 is taken by X").await;
    refused(9, RefusalCode::NoSuchCell, "1 to 9").await;
    refused(u16::MAX, RefusalCode::NoSuchCell, "1 to 9").await;

    let not_hers = ada.move_to(0);
    assert_eq!(ada.ask(not_hers).await, Err(RefusalCode::NotYourTurn));
    let stale = RoomIntent::Play { game: 1, ply: 0, cell: Cell(0) };
    assert_eq!(bob.ask_room(stale).await, Err(RefusalCode::Stale));
    let other_game = RoomIntent::Play { game: 2, ply: 1, cell: Cell(0) };
    assert_eq!(bob.ask_room(other_game).await, Err(RefusalCode::Stale));
    bob.settle().await;
    assert_eq!(bob.game().ply(), 1);

    bob.resign().await.unwrap();
    bob.until_over().await;
    let late = bob.move_to(0);
    assert_eq!(bob.ask(late).await, Err(RefusalCode::GameOver));
}

#[tokio::test]
async fn larger_boards_are_won_by_their_own_line() {
    let server = TestServer::start(&[]).await;
    let board = BoardSpec::new(15, 15, 5).unwrap();
    let (mut ada, mut bob) = server.pair(RoomSettings { board, ..RoomSettings::default() }).await;
    // A rising diagonal from the bottom left, and O along the top.
    let rising = [(0, 14), (1, 13), (2, 12), (3, 11), (4, 10)];
    let mut cells = Vec::new();
    for (i, (column, row)) in rising.into_iter().enumerate() {
        cells.push(row * 15 + column);
        cells.push(u16::try_from(i).unwrap() * 2);
    }
    cells.pop();
    play_out(&mut ada, &mut bob, &cells).await;
    let Some(GameResult::Line { winner: Mark::X, lines }) = bob.result() else {
        panic!("{:?}", bob.result());
    };
    let (from, to) = (Cell(14 * 15), Cell(10 * 15 + 4));
    assert_eq!(lines[0].kind, LineKind::Stretch { direction: Direction::Rising, from, to });
}

#[tokio::test]
async fn a_dead_game_is_drawn_early_where_the_room_is_set_so() {
    let server = TestServer::start(&[]).await;
    let settings = RoomSettings { early_draw: Some(true), ..RoomSettings::default() };
    let (mut ada, mut bob) = server.pair(settings).await;
    // X O X / X O O / O X . : no line is left with one cell to go.
    play_out(&mut ada, &mut bob, &[0, 1, 2, 4, 3, 5, 7, 6]).await;
    bob.until_over().await;
    assert_eq!(bob.result(), Some(&GameResult::NoLineLeft));
}
