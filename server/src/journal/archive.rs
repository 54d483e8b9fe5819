//! The archive: games that are over, the people who played them, and their ratings. All of it is
//! written in the transaction of the game's last fact.

pub mod leaderboard;
pub mod ratings;
