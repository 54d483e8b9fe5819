//! The archive: games that are over, the people who played them, and their ratings. It is in the
//! journal's file, in tables of its own. All of it is written in the transaction of the game's last
//! fact.

mod export;
pub mod history;
pub mod leaderboard;
mod profile;
pub mod ratings;
pub mod reader;
mod row;
mod sgf;

pub use export::ExportPiece;
pub use row::KeptGame;
