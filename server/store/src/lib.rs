//! The store of a server: one row for each room and party, replaced by compare-and-set on its
//! version, and the games that have ended. The trait [`Store`] is the seam for another engine;
//! [`Sqlite`] is the one of a single server.
//!
//! A save is all or nothing, and [`Store::save`] returns when it is committed. [`writer`] has one thread
//! that takes all saves that wait, puts them into one transaction (group commit) and answers. Readers
//! have connections of their own. No type of `rusqlite` leaves this package.
//!
//! At a power cut:
//!
//! - With [`Durability::Power`] each commit waits until the disk has the write-ahead log
//!   (`synchronous=FULL`). An answered save is there after the cut.
//! - With [`Durability::Process`] the system has it (`synchronous=NORMAL`). A kill of the process loses
//!   nothing; a power cut loses the last seconds. The file is whole in both cases, and a room's row and
//!   the game that ended with it are both there or both not.
//!
//! The answers to a save:
//!
//! - It is stored.
//! - [`SaveError::Stale`]: another version is stored. Nothing of the save is.
//! - [`SaveError::Refused`]: the disk failed before the commit, or while the commit was written. Nothing
//!   of the save is stored, and the next save tries the disk again.
//! - Nothing: the commit failed after it may have been written. Nobody can know whether it is stored, so
//!   the process ends ([`Options::on_unknown`]), and the next start finds out. Clients repeat what was
//!   not answered.
//!
//! The tables are in [`schema`], and each has a file: `live`, `kept_party`, `game` with its seats, `player`,
//! `rating`, `act`, `meta`. Profiles, histories and leaderboards are queries over `game`, `seat` and `rating`
//! ([`archive`]). Rows that `SQLite` cannot check itself end with a checksum ([`crc`]).

mod act;
pub mod archive;
mod backup;
mod change;
mod checkpoint;
mod crc;
mod deed;
mod error;
mod folder;
mod game;
mod health;
mod kept_party;
mod live;
mod meta;
mod player;
mod probe;
mod rating;
mod row;
mod schema;
mod sqlite;
mod store;
mod verify;
mod writer;

pub use act::{Acts, MAX_BANS, MAX_RENAMES};
pub use archive::{Archive, ArchiveError, ArchiveReader};
pub use backup::{BackupError, back_up};
pub use change::{Change, FinishedGame, LiveRow, NewAct, Origin};
pub use deed::{Act, Ban, Deed, Switch, Who, WhoError};
pub use error::{DiskError, OpenError, ReadError, SaveError};
pub use folder::bytes;
pub use game::StoredGame;
pub use health::{Health, TIME_BUCKETS};
pub use live::Live;
pub use player::People;
pub use probe::{FolderState, probe};
pub use rating::glicko::Strength;
pub use rating::standing::{AskedGame, Standing};
pub use rating::{Recomputation, Recomputed};
pub use sqlite::{Durability, Found, Options, Replica, Sqlite, Workers};
pub use store::{Committed, Store, commit};
pub use verify::{Counts, Reader};

#[cfg(test)]
mod tests;
