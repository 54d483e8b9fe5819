//! One commit of the writer: the facts that its writes add, and their one row.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, Transaction};

use super::{RecentFacts, insert, row};
use crate::journal::entry::Entry;
use crate::journal::error::ApplyError;

/// A transaction of the writer. What it has done to the recent facts counts only after
/// [`Self::note`], which the caller calls when it is committed.
#[derive(Debug)]
pub(in crate::journal) struct FactsOfCommit<'a> {
    /// The facts for the row, each with its room.
    facts: Vec<(i64, &'a Entry)>,
    /// The last version of each room with a fact in this commit.
    last: HashMap<i64, u64>,
    /// The rooms whose facts were sorted in this commit.
    sorted: HashSet<i64>,
    row: Option<i64>,
}

impl<'a> FactsOfCommit<'a> {
    pub(in crate::journal) fn new() -> Self {
        Self { facts: Vec::new(), last: HashMap::new(), sorted: HashSet::new(), row: None }
    }

    /// Adds the first facts of a new room.
    pub(in crate::journal) fn create(&mut self, room: i64, entries: &'a [Entry]) {
        if let Some(last) = entries.last() {
            self.last.insert(room, last.v);
            self.facts.extend(entries.iter().map(|entry| (room, entry)));
        }
    }

    /// Adds further facts of a room.
    ///
    /// # Errors
    /// If the room has that version already: two tasks continue it.
    pub(in crate::journal) fn append(
        &mut self,
        connection: &Connection,
        recent: &RecentFacts,
        room: i64,
        entries: &'a [Entry],
    ) -> Result<(), ApplyError> {
        let known = self.last.get(&room).copied().or_else(|| recent.last(room));
        let mut last = match known {
            Some(v) => v,
            None => last_sorted(connection, room)?,
        };
        for entry in entries {
            if entry.v <= last {
                let error = format!("version {} of room number {room} is there", entry.v);
                return Err(ApplyError::Refused(error));
            }
            last = entry.v;
            self.facts.push((room, entry));
        }
        self.last.insert(room, last);
        Ok(())
    }

    /// The recent facts of a room and those of this commit, in order.
    pub(in crate::journal) fn of_room(&self, recent: &RecentFacts, room: i64) -> Vec<Entry> {
        let new = self.facts.iter().filter(|(of, _)| *of == room);
        recent.of_room(room).chain(new.map(|(_, entry)| (*entry).clone())).collect()
    }

    /// Moves all facts of a room into `event`, also those of this commit.
    pub(in crate::journal) fn sort(
        &mut self,
        connection: &Connection,
        recent: &RecentFacts,
        room: i64,
    ) -> rusqlite::Result<()> {
        insert(connection, room, &self.of_room(recent, room))?;
        self.facts.retain(|(of, _)| *of != room);
        self.sorted.insert(room);
        Ok(())
    }

    /// Stores the facts as the row with the number `next`, if there are any.
    pub(in crate::journal) fn store(
        &mut self,
        transaction: &Transaction<'_>,
        next: i64,
    ) -> rusqlite::Result<()> {
        if self.facts.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO batch (id, facts) VALUES (?1, ?2)";
        let row = row::encode(&self.facts);
        transaction.prepare_cached(sql)?.execute(rusqlite::params![next, row])?;
        self.row = Some(next);
        Ok(())
    }

    /// Notes that all of this is committed.
    pub(in crate::journal) fn note(self, recent: &mut RecentFacts) {
        recent.note(self.row, &self.facts, &self.sorted);
    }
}

/// The last version of a room in `event`; 0 if it has none.
fn last_sorted(connection: &Connection, room: i64) -> rusqlite::Result<u64> {
    let sql = "SELECT coalesce(max(v), 0) FROM event WHERE room = ?1";
    let v: i64 = connection.prepare_cached(sql)?.query_row([room], |row| row.get(0))?;
    Ok(v.cast_unsigned())
}
