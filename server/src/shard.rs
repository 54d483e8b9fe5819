//! The shards of a cluster: to which shard a code belongs, and to which a number of the journal. Who
//! owns a shard is not known here.

use std::fmt;

use noughts_protocol::RoomCode;
use serde::{Deserialize, Serialize};

/// How many shards there are; a cluster never changes it. Few, because what a busy node writes at once is
/// split into a record for each of its shards, and a record costs NATS as much as a hundred moves in it (by the
/// table in `cluster/engine/nats.rs`). So a cluster has sixteen nodes with rooms at most.
pub const SHARDS: u8 = 16;

/// How many ranges of the journal's numbers a millisecond has: a shard has one, the others are unused.
/// Room for more shards, should a cluster ever need them.
const RANGES: i64 = 64;

/// How many numbers of the journal a shard can give out in a millisecond.
const NUMBERS: i64 = 1 << 10;

/// [`Shard::of_number`] in SQL: whether the number in the column `id` is one of the shard `?1`.
pub const AND_NUMBER_IS_OF_SHARD: &str = "AND (id >> 10) & 15 = ?1";

/// One of the parts of all rooms and parties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Shard(u8);

/// A number that is no shard's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no shard {0}: shards are 0 to 15")]
pub struct NoShard(u8);

impl Shard {
    /// All shards.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SHARDS).map(Self)
    }

    /// The shard of a room or party with this code.
    #[must_use]
    pub fn of_code(code: RoomCode) -> Self {
        Self((code.number() % u32::from(SHARDS)) as u8)
    }

    /// The code of this shard that a random number leads to. Every code of the shard is as likely.
    #[must_use]
    pub fn code(self, random: u32) -> RoomCode {
        let first = random - random % u32::from(SHARDS);
        RoomCode::from_number((first + u32::from(self.0)) % RoomCode::COUNT)
    }

    /// The shard of a room or party with this number in a node's journal.
    #[must_use]
    pub const fn of_number(number: i64) -> Self {
        Self((number / NUMBERS).rem_euclid(SHARDS as i64) as u8)
    }

    /// The first number that this shard gives out at a time, in milliseconds since 1970. The others of
    /// that millisecond follow. Numbers of one shard grow with time.
    #[must_use]
    pub fn first_number(self, at: i64) -> i64 {
        (at * RANGES + i64::from(self.0)) * NUMBERS
    }

    /// The number after this one, in the next millisecond if this one is full.
    #[must_use]
    pub fn next_number(self, number: i64) -> i64 {
        let next = number + 1;
        let is_own = next % NUMBERS != 0;
        if is_own { next } else { next + (RANGES - 1) * NUMBERS }
    }

    /// Its number: 0 to 15.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<u8> for Shard {
    type Error = NoShard;

    fn try_from(number: u8) -> Result<Self, NoShard> {
        (number < SHARDS).then_some(Self(number)).ok_or(NoShard(number))
    }
}

impl From<Shard> for u8 {
    fn from(shard: Shard) -> Self {
        shard.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_of_a_shard_belongs_to_it() {
        for shard in Shard::all() {
            for random in [0, 1, 15, 16, 3_199_999, 3_200_000, 12_345_678, u32::MAX] {
                assert_eq!(Shard::of_code(shard.code(random)), shard, "{random}");
            }
        }
    }

    #[test]
    fn sql_finds_the_same_shard() {
        let file = rusqlite::Connection::open_in_memory().unwrap();
        let sql = format!("SELECT id FROM (SELECT ?2 AS id) WHERE true {AND_NUMBER_IS_OF_SHARD}");
        for shard in Shard::all() {
            let number = shard.first_number(1_790_000_000_000) + 7;
            for other in Shard::all() {
                let found = file.query_row(&sql, (u8::from(other), number), |row| row.get(0));
                assert_eq!(found.ok(), (shard == other).then_some(number));
            }
        }
    }

    #[test]
    fn the_numbers_of_a_shard_belong_to_it_and_grow() {
        for shard in Shard::all() {
            let mut number = shard.first_number(1_790_000_000_000);
            for _ in 0..3 * NUMBERS {
                assert_eq!(Shard::of_number(number), shard);
                let next = shard.next_number(number);
                assert!(next > number);
                number = next;
            }
            assert_eq!(number, shard.first_number(1_790_000_000_003));
        }
    }
}
