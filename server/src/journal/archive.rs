//! The archive: games that are over, the people who played them, and their ratings. It is in the
//! journal's file, in tables of its own.
//!
//! A game gets into the archive in the transaction of its last fact ([`add`]), so that whoever sees
//! the end of a game finds it there. [`schema`] makes the tables, and [`fill`] fills them once with the
//! games of an older file.

pub(super) mod add;
mod columns;
pub mod ended_game;
mod export;
pub(super) mod fill;
pub mod history;
pub mod leaderboard;
mod profile;
pub mod ratings;
pub mod reader;
mod row;
pub(super) mod schema;
mod sgf;

pub use export::ExportPiece;
pub use row::KeptGame;
