//! The reports of a table's room to its party: the latest board, whole. The room never waits for
//! the party. A newer board replaces one that the party has not read, so what waits is bounded by the
//! party's tables.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_protocol::{Cell, GameResult, Mark, Playable, PlyEffect};
use parking_lot::Mutex;
use tokio::sync::Notify;

/// The state of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableReport {
    /// The cells played, in order.
    pub(crate) moves: Vec<Cell>,
    /// As in [`noughts_protocol::TableBoard`].
    pub(crate) placed: Vec<Mark>,
    /// The same.
    pub(crate) effects: Vec<PlyEffect>,
    /// The same.
    pub(crate) playable: Option<Playable>,
    /// The result, if the game is over.
    pub(crate) result: Option<GameResult>,
    /// The side on which the player sits now who sat on X at first: an opening may exchange them.
    pub(crate) x_sits_at: Mark,
}

/// How a party ends the game of one of its tables. A mark is the one with which a player began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// This mark wins: the opponent has left the party or was set aside.
    Forfeit(Mark),
    /// The host has decided the pairing; `None` is a draw.
    Decided(Option<Mark>),
    /// The party is over.
    Unfinished,
}

/// The news of a table, read at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableNews {
    /// The latest report; `None` before the first.
    pub(crate) report: Option<TableReport>,
    /// The room's task has ended.
    pub(crate) ended: bool,
}

/// The tables with something new, by number of the pairing. The party holds it.
#[derive(Debug, Default)]
pub(crate) struct TableReports {
    changed: Mutex<BTreeSet<u32>>,
    new: Notify,
}

/// One table, which the party and the room share.
#[derive(Debug)]
struct SharedTable {
    pairing: u32,
    reports: Arc<TableReports>,
    latest: Mutex<TableNews>,
    /// The party waits for the game's end.
    held: AtomicBool,
}

/// The party's end of a table. While there is one, the room stays awake.
#[derive(Debug)]
pub(crate) struct Table(Arc<SharedTable>);

/// The room's end of a table.
#[derive(Debug)]
pub(crate) struct TableReporter(Arc<SharedTable>);

impl TableReports {
    /// Both ends of a table.
    pub(crate) fn table(self: &Arc<Self>, pairing: u32) -> (Table, TableReporter) {
        let slot = Arc::new(SharedTable {
            pairing,
            reports: Arc::clone(self),
            latest: Mutex::new(TableNews { report: None, ended: false }),
            held: AtomicBool::new(true),
        });
        (Table(Arc::clone(&slot)), TableReporter(slot))
    }

    /// Waits until tables have something new, and takes their numbers. Cancel-safe: nothing is
    /// taken before it returns.
    pub(crate) async fn next(&self) -> BTreeSet<u32> {
        loop {
            let changed = std::mem::take(&mut *self.changed.lock());
            if !changed.is_empty() {
                return changed;
            }
            self.new.notified().await;
        }
    }

    fn note(&self, pairing: u32) {
        if self.changed.lock().insert(pairing) {
            self.new.notify_one();
        }
    }
}

impl Table {
    /// The latest news of the table.
    pub(crate) fn news(&self) -> TableNews {
        self.0.latest.lock().clone()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.0.held.store(false, Ordering::Release);
    }
}

impl TableReporter {
    /// Tells the party what goes on.
    pub(crate) fn report(&self, report: TableReport) {
        self.0.latest.lock().report = Some(report);
        self.0.reports.note(self.0.pairing);
    }

    /// Whether the party waits for the game's end.
    pub(crate) fn is_held(&self) -> bool {
        self.0.held.load(Ordering::Acquire)
    }
}

impl Drop for TableReporter {
    fn drop(&mut self) {
        self.0.latest.lock().ended = true;
        self.0.reports.note(self.0.pairing);
    }
}
