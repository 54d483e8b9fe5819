//! Plays and analyses tic-tac-toe on any board: which cell a computer chooses, and how good moves
//! and positions are.
//!
//! The crate is pure: it reads no clock, does no I/O, starts no thread and knows no runtime. Time
//! comes in as a [`Deadline`] whose clock the caller brings, chance as the caller's random number
//! generator. The caller decides on which thread a search runs and when it is cancelled.
//!
//! Each module uses only those above it:
//!
//! ```text
//! deadline     when a search must end, and what a part of it may cost
//! bits         sets of cells as the bits of a number
//! board        lines and symmetries of a board, a position to search on
//! blocking     proofs that a side cannot win because the other can block
//! search       the best moves on any board: tree, threats, transposition table
//! five         the same for five in a row on large boards, where it knows what each cell threatens
//! strategies   heuristic, minimax, perfect, rules where a line wins; the table of all 3 × 3 positions
//! variants     the same for every other variant, and the door to all
//! action       a computer's move, or what it does in a swap2 opening: the way in for whoever plays
//! analysis     hints, reviews, how a game stands
//! puzzle       positions that X wins by one way alone: twenty thousand, and their proof
//! ```

pub mod action;
pub mod analysis;
mod bits;
mod blocking;
mod board;
mod deadline;
mod five;
pub mod puzzle;
mod search;
mod strategies;
mod variants;

pub use deadline::{CancelGuard, Deadline, TimeLimit};
pub use five::{WEIGHTS, features};
pub use search::Outcome;
pub use strategies::Candidates;
pub use variants::{candidates, choose, is_quick};

#[cfg(test)]
mod tests;
