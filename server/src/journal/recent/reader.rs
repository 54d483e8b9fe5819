//! Reads the recent facts of rooms. The table `batch` has them in the order of the commits: what was
//! read of it is kept in memory, and the next question reads only the rows since.

use std::cell::RefCell;
use std::collections::HashMap;

use rusqlite::Connection;

use super::{MAX_FACTS, row};
use crate::journal::entry::Entry;

/// Facts in memory at most; then all is read anew. The table has two generations at most.
const MAX_KNOWN: usize = 3 * MAX_FACTS;

/// The recent facts, as a reader knows them.
#[derive(Debug, Default)]
pub(in crate::journal) struct RecentReader {
    known: RefCell<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// The number of the last row that was read; rows begin with 1.
    last: i64,
    facts: usize,
    /// Some of these facts may have been sorted since.
    rooms: HashMap<i64, Vec<u8>>,
    /// The damaged rows.
    damaged: Vec<i64>,
}

impl RecentReader {
    /// The recent facts of a room in order. Some of them may be in `event`, too, and then `event` is
    /// right. Read before `event` or in the same transaction, none is missing.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub(in crate::journal) fn of_room(
        &self,
        connection: &Connection,
        room: i64,
    ) -> rusqlite::Result<Vec<Entry>> {
        let mut known = self.known.borrow_mut();
        known.refresh(connection)?;
        Ok(known
            .rooms
            .get(&room)
            .map(|facts| row::read_facts(facts, usize::MAX).0)
            .unwrap_or_default())
    }

    /// The damaged rows.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub(in crate::journal) fn damaged(
        &self,
        connection: &Connection,
    ) -> rusqlite::Result<Vec<i64>> {
        let mut known = self.known.borrow_mut();
        known.refresh(connection)?;
        Ok(known.damaged.clone())
    }
}

impl Known {
    fn refresh(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "SELECT max(id) FROM batch";
        let last: Option<i64> = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        // All is sorted, or much of what is known.
        if last.is_none() || self.facts > MAX_KNOWN {
            *self = Self::default();
        }
        let sql = "SELECT id, facts FROM batch WHERE id > ?1 ORDER BY id";
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([self.last])?;
        while let Some(found) = rows.next()? {
            self.last = found.get(0)?;
            match row::decode(&found.get::<_, Vec<u8>>(1)?) {
                Some(facts) => {
                    self.facts += facts.len();
                    for (room, entry) in facts {
                        row::write_fact(self.rooms.entry(room).or_default(), &entry);
                    }
                }
                None => self.damaged.push(self.last),
            }
        }
        Ok(())
    }
}
