//! The cost limit of a part of a search, which leaves time for the rest.

use std::time::Duration;

use super::Deadline;

/// A budget asks for the time left once in this many moves.
const MOVES_PER_READING: u32 = 32;

/// The moves and the time that a part of a search may spend.
#[derive(Debug)]
pub(crate) struct Budget<'a> {
    /// The moves that are left. A proof takes billions.
    left: u64,
    spent: u64,
    deadline: &'a Deadline,
    /// The part ends when no more time than this is left.
    reserve: Option<Duration>,
}

impl<'a> Budget<'a> {
    /// So many moves, and all the time until the deadline.
    pub(crate) const fn moves(moves: u32, deadline: &'a Deadline) -> Self {
        Self { left: moves as u64, spent: 0, deadline, reserve: None }
    }

    /// A part of the time that is left, from 0 to 1; so many moves where there is no time limit, or where positions
    /// are counted.
    pub(crate) fn part(part: f64, moves: u32, deadline: &'a Deadline) -> Self {
        let time_left = deadline.time_left().filter(|_| deadline.positions().is_none());
        let reserve = time_left.map(|left| left.mul_f64(1.0 - part));
        let left = if reserve.is_some() { u64::MAX } else { moves.into() };
        Self { left, spent: 0, deadline, reserve }
    }

    /// The moves that were spent.
    pub(crate) const fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether no move is left.
    pub(crate) const fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Spends a move; `None` where none is left or the deadline is over.
    pub(crate) fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.spent += 1;
        if self.left.is_multiple_of(MOVES_PER_READING.into()) && self.has_spent_its_time() {
            self.left = 0;
        }
        (!self.deadline.is_over()).then_some(())
    }

    fn has_spent_its_time(&self) -> bool {
        self.reserve.is_some_and(|reserve| self.deadline.time_left() <= Some(reserve))
    }
}
