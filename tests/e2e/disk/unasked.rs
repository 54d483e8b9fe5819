//! Moves of computers and timers, like those of players, are shown to nobody before they are stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_harness::checker::room_of;
use noughts_harness::{Player, TIMEOUT, TestServer};
use noughts_protocol::{ByMark, Cell, Computer, NumberedGame, Role, RoomSettings, SeatRequest};
use noughts_store::Change;
use tokio::sync::mpsc;

use super::kept;

/// Games that may wait for the test to look at them.
const UNREAD: usize = 64;

/// The game in the room that is to be stored.
fn game(changes: &[Change]) -> Option<NumberedGame> {
    let room = changes.iter().find_map(|change| match change {
        Change::Live { row: Some(row), .. } => Some(room_of(row)),
        _ => None,
    });
    room?.game
}

#[tokio::test]
async fn what_a_computer_or_the_clock_did_is_not_shown_where_it_cannot_be_stored() {
    let folder = tempfile::tempdir().unwrap();
    let is_full = Arc::new(AtomicBool::new(false));
    let (refused, mut games) = mpsc::channel(UNREAD);
    let full = Arc::clone(&is_full);
    // It is full after the first move.
    let refuses = move |changes: &[Change]| {
        let Some(game) = game(changes) else { return false };
        if full.load(Ordering::SeqCst) {
            // The test may have ended.
            drop(refused.try_send(game));
            return true;
        }
        full.store(game.game.ply() == 1, Ordering::SeqCst);
        false
    };
    let server = TestServer::refusing(&[&kept(folder.path())], refuses).await;
    let mut ada = server.player("Ada").await;
    let mut eve = server.player("Eve").await;
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Computer(Computer::default()) };
    let settings = RoomSettings { move_time_ms: Some(1000), ..RoomSettings::default() };
    let code = ada.create(settings, seats).await;
    eve.join(code, Role::Spectator).await.unwrap();
    ada.play(4).await.unwrap();

    let mut until = async |what: &str, is_it: fn(&NumberedGame) -> bool| {
        let refused = async { while !games.recv().await.as_ref().is_some_and(is_it) {} };
        tokio::time::timeout(TIMEOUT, refused).await.expect(what);
        for player in [&mut ada, &mut eve] {
            player.settle().await;
            assert_eq!(player.game().moves(), [Cell(4)], "after {what}");
            assert_eq!(player.result(), None, "after {what}");
        }
    };
    until("the computer's move", |game| game.game.ply() == 2).await;
    until("the end of its time", |game| game.game.result().is_some()).await;

    is_full.store(false, Ordering::SeqCst);
    let goes_on = |p: &Player| p.result().is_some() || p.game().ply() > 1;
    eve.until("the computer or the clock", goes_on).await;
}
