//! New numbers for the rooms and parties of a file that becomes a node's.

use std::collections::HashMap;

use noughts_protocol::RoomCode;
use rusqlite::Connection;

use crate::shard::Shard;

/// The new numbers of rooms and parties.
#[derive(Debug)]
pub(super) struct Numbers {
    /// New numbers begin as if this were the time: they are above all old ones.
    at: i64,
    /// All keep the numbers that they have.
    is_kept: bool,
    next: HashMap<Shard, i64>,
    rooms: HashMap<i64, i64>,
}

impl Numbers {
    /// Numbers above all that are in a file.
    pub(super) fn above_all(connection: &Connection) -> rusqlite::Result<Self> {
        let sql = "SELECT max(room, (SELECT coalesce(max(id), 0) FROM room), \
                   (SELECT coalesce(max(room), 0) FROM game), \
                   (SELECT coalesce(max(room), 0) FROM party_event), \
                   (SELECT last FROM party_number)) FROM forgotten";
        let highest: i64 = connection.query_row(sql, [], |row| row.get(0))?;
        let first = Shard::all().next();
        let per_time = first.map_or(1, |first| first.first_number(1)).max(1);
        let (next, rooms) = (HashMap::new(), HashMap::new());
        Ok(Self { at: highest / per_time + 1, is_kept: false, next, rooms })
    }

    /// The numbers that all have already.
    pub(super) fn kept() -> Self {
        Self { at: 0, is_kept: true, next: HashMap::new(), rooms: HashMap::new() }
    }

    /// The next number of the shard of a code, for what had the number `old`. A code that makes no sense is
    /// in the first shard.
    pub(super) fn of_code(&mut self, old: i64, code: &str) -> i64 {
        if self.is_kept {
            return old;
        }
        let code = code.parse().unwrap_or(RoomCode::from_number(0));
        self.next(Shard::of_code(code))
    }

    /// Notes the new number of a room.
    pub(super) fn set_room(&mut self, old: i64, new: i64) {
        self.rooms.insert(old, new);
    }

    /// The new number of a room that had this one. A room that was deleted gets one too.
    pub(super) fn of_room(&mut self, old: i64) -> i64 {
        if self.is_kept {
            return old;
        }
        if let Some(new) = self.rooms.get(&old) {
            return *new;
        }
        let new = self.next(Shard::of_number(old));
        self.rooms.insert(old, new);
        new
    }

    fn next(&mut self, shard: Shard) -> i64 {
        let next = self.next.entry(shard).or_insert_with(|| shard.first_number(self.at));
        let number = *next;
        *next = shard.next_number(number);
        number
    }

    /// A number of a shard above which all are free.
    pub(super) fn last(&self, shard: Shard) -> i64 {
        self.next.get(&shard).copied().unwrap_or(0)
    }
}
