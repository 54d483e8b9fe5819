//! Two people play a game to its end; wrong moves are refused and change nothing.

use noughts_harness::TestServer;
use noughts_harness::player::play_out;
use noughts_protocol::{Cell, GameResult, LineKind, Mark, Role, WinningLine};

#[tokio::test]
async fn two_people_play_to_a_win_and_both_see_the_line() {
    let server = TestServer::start(&[]).await;
    let mut ada = server.player("Ada").await;
    let mut bob = server.player("Bob").await;
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
