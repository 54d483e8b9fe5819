//! Moves of computers and timers, like those of players, are shown to nobody before they are stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_harness::{Player, TIMEOUT, TestServer};
use noughts_protocol::{ByMark, Cell, Computer, Role, RoomSettings, SeatRequest};
use noughts_server::journal::entry::Payload;
use noughts_server::journal::error::DiskError;
use noughts_server::journal::store::{Disk, Store, Write};
use tokio::sync::mpsc;

use super::kept;

/// Facts that may wait for the test to look at them.
const UNREAD: usize = 64;

/// Stores everything up to the first move, and then nothing until there is room again.
#[derive(Debug)]
struct FullAfterAMove {
    store: Store,
    has_filled: bool,
    full: Arc<AtomicBool>,
    /// The entries that were not stored.
    refused: mpsc::Sender<Payload>,
}

impl Disk for FullAfterAMove {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        let entries = writes.iter().filter_map(|write| match write {
            Write::Append { entries, .. } => Some(entries),
            _ => None,
        });
        let mut facts = entries.flatten().map(|row| &row.payload);
        if self.full.load(Ordering::SeqCst) {
            // The test may have ended.
            facts.for_each(|fact| drop(self.refused.try_send(fact.clone())));
            return Err(DiskError::Full);
        }
        self.store.commit(writes)?;
        if !self.has_filled && facts.any(|fact| matches!(fact, Payload::Move(_))) {
            self.has_filled = true;
            self.full.store(true, Ordering::SeqCst);
        }
        Ok(())
    }
}

#[tokio::test]
async fn what_a_computer_or_the_clock_did_is_not_shown_where_it_cannot_be_stored() {
    let (folder, full) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
    let (refused, mut facts) = mpsc::channel(UNREAD);
    let fills = Arc::clone(&full);
    let disk =
        |store| Box::new(FullAfterAMove { store, has_filled: false, full: fills, refused }) as _;
    let server = TestServer::with_disk(&[&kept(folder.path())], disk).await;
    let (mut ada, mut eve) = (server.player("Ada").await, server.player("Eve").await);
    let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Computer(Computer::default()) };
    let settings = RoomSettings { move_time_ms: Some(1000), ..RoomSettings::default() };
    let code = ada.create(settings, seats).await;
    eve.join(code, Role::Spectator).await.unwrap();
    ada.play(4).await.unwrap();

    let mut until = async |what: &str, is_it: fn(&Payload) -> bool| {
        let refused = async { while !facts.recv().await.as_ref().is_some_and(is_it) {} };
        tokio::time::timeout(TIMEOUT, refused).await.expect(what);
        for player in [&mut ada, &mut eve] {
            player.settle().await;
            assert_eq!(player.game().moves(), [Cell(4)], "after {what}");
            assert_eq!(player.result(), None, "after {what}");
        }
    };
    until("the computer's move", |fact| matches!(fact, Payload::Move(_))).await;
    let ends = |fact: &Payload| matches!(fact, Payload::Fact(json) if json.contains("game_over"));
    until("the end of its time", ends).await;

    full.store(false, Ordering::SeqCst);
    let goes_on = |p: &Player| p.result().is_some() || p.game().ply() > 1;
    eve.until("the computer or the clock", goes_on).await;
}
