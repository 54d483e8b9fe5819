//! The facts of some commits, room by room, until they are in `event`.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::{MAX_BYTES, MAX_FACTS, insert, row};
use crate::journal::entry::Entry;

/// The facts of some commits.
#[derive(Debug, Default)]
pub(super) struct Generation {
    rooms: BTreeMap<i64, RoomFacts>,
    /// Facts and bytes that were added, also those that have been sorted since.
    facts: usize,
    bytes: usize,
    /// The rows of `batch` that hold them, from the first to the last.
    rows: Option<(i64, i64)>,
}

/// Facts of one room: as bytes, because they need a fifth of the memory of entries.
#[derive(Debug, Default)]
struct RoomFacts {
    /// The version of the last one.
    last: u64,
    bytes: Vec<u8>,
    /// How many bytes of them are sorted.
    sorted: usize,
}

impl Generation {
    pub(super) const fn facts(&self) -> usize {
        self.facts
    }

    /// Whether nothing of it is left, in the table too.
    pub(super) fn is_empty(&self) -> bool {
        self.rooms.is_empty() && self.rows.is_none()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.facts >= MAX_FACTS || self.bytes >= MAX_BYTES
    }

    pub(super) fn last(&self, room: i64) -> Option<u64> {
        Some(self.rooms.get(&room)?.last)
    }

    /// The facts of a room that are not sorted.
    pub(super) fn of_room(&self, room: i64) -> Vec<Entry> {
        self.rooms.get(&room).map(|facts| facts.next(usize::MAX).0).unwrap_or_default()
    }

    pub(super) fn push(&mut self, room: i64, entry: &Entry) {
        let facts = self.rooms.entry(room).or_default();
        let before = facts.bytes.len();
        facts.last = entry.v;
        row::write_fact(&mut facts.bytes, entry);
        self.facts += 1;
        self.bytes += facts.bytes.len() - before;
    }

    pub(super) fn note_row(&mut self, row: i64) {
        let first = self.rows.map_or(row, |(first, _)| first);
        self.rows = Some((first, row));
    }

    pub(super) fn remove(&mut self, room: i64) {
        self.rooms.remove(&room);
    }

    /// Sorts some facts or, if all are sorted, deletes some rows.
    pub(super) fn step(
        &mut self,
        connection: &mut Connection,
        most: usize,
    ) -> rusqlite::Result<()> {
        if self.rooms.is_empty() {
            self.delete(connection, most)
        } else {
            self.sort(connection, most)
        }
    }

    fn sort(&mut self, connection: &mut Connection, most: usize) -> rusqlite::Result<()> {
        let transaction = connection.transaction()?;
        let (mut left, mut whole, mut part) = (most, None, None);
        for (room, facts) in &self.rooms {
            let (entries, sorted) = facts.next(left);
            insert(&transaction, *room, &entries)?;
            left -= entries.len();
            if sorted < facts.bytes.len() {
                part = Some((*room, sorted));
            } else {
                whole = Some(*room);
            }
            if left == 0 {
                break;
            }
        }
        transaction.commit()?;
        if let Some(last) = whole {
            // The rooms are sorted in the order of their numbers.
            while self.rooms.first_key_value().is_some_and(|(room, _)| *room <= last) {
                self.rooms.pop_first();
            }
        }
        if let Some((room, sorted)) = part
            && let Some(facts) = self.rooms.get_mut(&room)
        {
            facts.sorted = sorted;
        }
        Ok(())
    }

    fn delete(&mut self, connection: &Connection, most: usize) -> rusqlite::Result<()> {
        let Some((first, last)) = self.rows else { return Ok(()) };
        let next = first.saturating_add(i64::try_from(most).unwrap_or(i64::MAX));
        let sql = "DELETE FROM batch WHERE id >= ?1 AND id < ?2 AND id <= ?3";
        connection.prepare_cached(sql)?.execute([first, next, last])?;
        self.rows = (next <= last).then_some((next, last));
        Ok(())
    }
}

impl RoomFacts {
    /// At most so many of the facts that are not sorted, and how many bytes are sorted with them.
    fn next(&self, most: usize) -> (Vec<Entry>, usize) {
        let (entries, bytes) = row::read_facts(&self.bytes[self.sorted..], most);
        (entries, self.sorted + bytes)
    }
}
