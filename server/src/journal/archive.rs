//! The archive: games that are over, the people who played them, and their ratings. It is in the
//! journal's file, in tables of its own.
//!
//! A game gets into the archive in the transaction of its last fact ([`add`]), so that whoever sees
//! the end of a game finds it there. [`schema`] makes the tables, and [`fill`] fills them once with the
//! games of an older file. [`prune`] deletes old games. [`forget`] forgets a person, and [`sweep`] removes
//! the name from the facts.

pub(super) mod add;
mod columns;
pub mod ended_game;
mod export;
pub(super) mod fill;
pub mod forget;
pub(super) mod forgotten;
pub mod history;
pub mod leaderboard;
mod profile;
pub(super) mod prune;
pub mod ratings;
pub mod reader;
mod row;
pub(super) mod schema;
mod sgf;
pub(super) mod sweep;
pub(super) mod verify;

pub use export::ExportPiece;
pub use row::KeptGame;

#[cfg(test)]
mod tests;
