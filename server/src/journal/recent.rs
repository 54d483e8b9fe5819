//! The recent facts of all rooms: those that are in the table `batch` and not in `event` yet.
//!
//! A commit stores the facts of all its rooms as one row of `batch` ([`row`]): one page of the
//! write-ahead log takes them all, where a row of `event` for each fact would take a page for each
//! room. The facts of one *generation* of commits are then sorted into `event` room by room, in steps
//! between the commits, so that the facts of a room share its pages; then the generation's rows are
//! deleted. A kill in between does no harm: a fact may be in both tables, and then `event` is right.
//!
//! SQLite alone, a move in each of 100 rooms in turn, 10 to a commit: 2.5 us and 580 bytes written
//! a move, where rows of `event` took 11 us and 5,600 bytes; 1,000 rooms, 100 to a commit: 1.7 us and
//! 360 bytes, where it was 10.5 us and 5,100.
//!
//! The writer keeps the facts of `batch` in memory too ([`RecentFacts`]). Readers read the table
//! ([`reader`]). Opening the journal sorts what it finds ([`startup`]).
//!
//! The facts of a room that ends are sorted in the same commit: what works on ended rooms finds all
//! of their facts in `event`.

mod generation;
pub(super) mod reader;
mod row;
pub(super) mod startup;
pub(super) mod transaction;

use std::collections::HashSet;

use rusqlite::Connection;

use super::entry::{Entry, Payload};
use generation::Generation;

/// Facts in a generation at most. At most two generations are in the table and in memory: one that
/// is sorted, and one that grows meanwhile. The more there are, the more facts of a room share a
/// page of `event`: with half as many, 1,000 rooms write 510 bytes a move. A server that was killed
/// sorts them when it starts again: 100,000 take 1.5 s without optimisation.
const MAX_FACTS: usize = 131_072;
/// Bytes of facts in a generation at most.
pub(super) const MAX_BYTES: usize = 8 << 20;
/// Facts that one step sorts, and rows that it deletes, unless the last commit had more.
const STEP: usize = 256;

/// The recent facts, as the writer knows them.
#[derive(Debug, Default)]
pub(super) struct RecentFacts {
    /// The facts since the last generation was full.
    growing: Generation,
    /// The facts that are being sorted.
    sorting: Generation,
    /// The facts in `growing` at the last call of [`Self::sort_if_quiet`].
    noted: usize,
    /// The facts of the last commit.
    last_commit: usize,
}

impl RecentFacts {
    /// The last version among the recent facts of a room.
    fn last(&self, room: i64) -> Option<u64> {
        self.growing.last(room).or_else(|| self.sorting.last(room))
    }

    /// The recent facts of a room in order.
    fn of_room(&self, room: i64) -> impl DoubleEndedIterator<Item = Entry> + use<> {
        let mut facts = self.sorting.of_room(room);
        facts.extend(self.growing.of_room(room));
        facts.into_iter()
    }

    /// Notes what a commit has stored: its row with these facts, and rooms whose earlier facts are in
    /// `event` now.
    fn note(&mut self, row: Option<i64>, facts: &[(i64, &Entry)], sorted: &HashSet<i64>) {
        for room in sorted {
            self.growing.remove(*room);
            self.sorting.remove(*room);
        }
        for (room, entry) in facts {
            self.growing.push(*room, entry);
        }
        if let Some(row) = row {
            self.growing.note_row(row);
        }
        self.last_commit = facts.len();
        if self.growing.is_full() && self.sorting.is_empty() {
            self.next_generation();
        }
    }

    fn next_generation(&mut self) {
        self.sorting = std::mem::take(&mut self.growing);
        self.noted = 0;
    }

    /// Whether another fact may not be added before a step is done.
    pub(super) fn is_full(&self) -> bool {
        self.growing.is_full() && !self.sorting.is_empty()
    }

    /// Has the recent facts sorted if few are new since the last call: on a quiet server all facts
    /// are soon in `event`.
    pub(super) fn sort_if_quiet(&mut self) {
        if self.sorting.is_empty() && self.growing.facts() < self.noted + STEP {
            self.next_generation();
        }
        self.noted = self.growing.facts();
    }

    /// Whether a step has something to do.
    pub(super) fn is_sorting(&self) -> bool {
        !self.sorting.is_empty()
    }

    /// Has all recent facts sorted by the next steps, unless some are being sorted.
    pub(super) fn sort_all(&mut self) {
        if self.sorting.is_empty() {
            self.next_generation();
        }
    }

    /// Sorts some facts or deletes some rows, and returns whether there is more to do. Steps sort
    /// twice as fast as commits store.
    ///
    /// # Errors
    /// If that fails. The next step tries the same again.
    pub(super) fn step(&mut self, connection: &mut Connection) -> rusqlite::Result<bool> {
        self.sorting.step(connection, STEP.max(2 * self.last_commit))?;
        if self.sorting.is_empty() && self.growing.is_full() {
            self.next_generation();
        }
        Ok(!self.sorting.is_empty())
    }
}

/// Stores facts of a room in `event`. A fact that is there already stays as it is: it may have lost
/// the name of a forgotten person.
fn insert<'a>(
    connection: &Connection,
    room: i64,
    facts: impl IntoIterator<Item = &'a Entry>,
) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO event (room, v, run, at, cell, fact, crc) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = connection.prepare_cached(sql)?;
    for Entry { v, run, at, payload, crc } in facts {
        let (cell, fact) = match payload {
            Payload::Move(cell) => (Some(*cell), None),
            Payload::Fact(json) => (None, Some(json)),
        };
        insert.execute(rusqlite::params![room, v.cast_signed(), run, at, cell, fact, crc])?;
    }
    Ok(())
}
