//! Threat-space search: wins in which the opponent has only replies to what is threatened, and so
//! much further off than a search of all moves sees.
//!
//! A four is a line that lacks one mark: the reply is to fill it. A three is what becomes two
//! fours at one cell: the replies are to spoil each such cell, or to make a four. No other reply
//! changes anything, so that a win found here is proven.

use std::time::Instant;

use super::Deadline;
use super::position::{Position, Side};

/// How many moves of the side that wins are looked ahead in fours.
const MAX_FOURS: u32 = 12;
/// The same where threes are among them.
pub(super) const MAX_THREES: u32 = 8;
/// In shorter lines threes are everywhere, and the board is small enough to be searched.
pub(super) const SHORTEST_LINE: usize = 5;
/// A budget's own end is looked up once in so many moves.
const MOVES_PER_READING: u32 = 32;

/// What a search for a win may cost.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    /// Moves that may yet be tried.
    pub(super) moves: u32,
    /// When it must end.
    pub(super) deadline: &'a Deadline,
    /// When it should end, to leave time for the rest.
    pub(super) end: Option<Instant>,
}

impl<'a> Budget<'a> {
    /// So many moves, and all the time until the deadline.
    pub(super) const fn new(moves: u32, deadline: &'a Deadline) -> Self {
        Self { moves, deadline, end: None }
    }

    /// Whether there is a move left to try, which is then tried.
    pub(super) fn spend(&mut self) -> Option<()> {
        self.moves = self.moves.checked_sub(1)?;
        let read = self.moves.is_multiple_of(MOVES_PER_READING);
        if read && self.end.is_some_and(|end| Instant::now() >= end) {
            self.moves = 0;
        }
        (!self.deadline.is_over()).then_some(())
    }
}

/// The first move of a win by continuous fours for the side to move, if one is found.
///
/// The side must have no line that lacks one mark: that would be a win at once.
pub(super) fn win_by_fours(position: &mut Position<'_>, budget: &mut Budget<'_>) -> Option<u16> {
    attack(position, budget, MAX_FOURS, false)
}

/// The first move of a win by fours and threes in at most `moves`; as [`win_by_fours`].
pub(super) fn win_by_threes(
    position: &mut Position<'_>,
    budget: &mut Budget<'_>,
    moves: u32,
) -> Option<u16> {
    let line = position.geometry.line;
    (line >= SHORTEST_LINE).then(|| attack(position, budget, moves, true)).flatten()
}

/// The first of at most `left` moves that win against every reply.
pub(super) fn attack(
    position: &mut Position<'_>,
    budget: &mut Budget<'_>,
    left: u32,
    threes: bool,
) -> Option<u16> {
    let left = left.checked_sub(1)?;
    let side = position.to_move;
    // A line of the opponent that lacks one mark must be stopped by the threat itself.
    let must = position.winning_cells(1 - side).next();
    let cells = must.map_or_else(|| threatening(position, threes && left > 0), |must| vec![must]);
    for cell in cells {
        budget.spend()?;
        position.place(cell);
        let wins = every_reply_loses(position, budget, left, threes);
        position.take_back(cell);
        if wins {
            return Some(cell);
        }
    }
    None
}

/// Where the side to move makes a four or, with `threes`, a three that has two lines; the cells
/// that build most first.
fn threatening(position: &Position<'_>, threes: bool) -> Vec<u16> {
    let side = position.to_move;
    let mut cells: Vec<u16> = if threes {
        position.cells_worth(side, 2, 3).collect()
    } else if position.can_make_four(side) {
        position.cells_worth(side, 1, 2).collect()
    } else {
        return Vec::new();
    };
    cells.sort_unstable_by_key(|cell| -position.worth(side, *cell));
    cells
}

/// Whether the move just made wins in at most `left` more.
fn every_reply_loses(
    position: &mut Position<'_>,
    budget: &mut Budget<'_>,
    left: u32,
    threes: bool,
) -> bool {
    let (side, own) = (position.to_move, 1 - position.to_move);
    if position.winning_cells(side).next().is_some() {
        return false;
    }
    let mut stops = position.winning_cells(own);
    let (stop, second) = (stops.next(), stops.next());
    drop(stops);
    let replies = match stop {
        Some(_) if second.is_some() => return true,
        _ if left == 0 => return false,
        Some(stop) => vec![stop],
        None if threes => replies_to_three(position, own),
        None => return false,
    };
    !replies.is_empty()
        && replies.into_iter().all(|reply| {
            position.place(reply);
            let wins = position.winning_cells(own).next().is_some()
                || attack(position, budget, left, threes).is_some();
            position.take_back(reply);
            wins
        })
}

/// What may stop `own`, who made no four but threatens to make two at one cell: cells that are
/// in every such pair of fours, and those where the side to move makes a four. Nothing if there
/// is no such threat.
fn replies_to_three(position: &mut Position<'_>, own: Side) -> Vec<u16> {
    let side = position.to_move;
    let mut common: Option<Vec<u16>> = None;
    let cells: Vec<u16> = if position.can_make_four(own) {
        position.cells_worth(own, 2, 2).collect()
    } else {
        return Vec::new();
    };
    for cell in cells {
        position.to_move = own;
        position.place(cell);
        let mut needed: Vec<u16> = position.winning_cells(own).collect();
        position.take_back(cell);
        if needed.len() < 2 {
            continue;
        }
        needed.push(cell);
        match &mut common {
            Some(common) => common.retain(|cell| needed.contains(cell)),
            None => common = Some(needed),
        }
    }
    position.to_move = side;
    let Some(mut replies) = common else { return Vec::new() };
    if position.can_make_four(side) {
        replies.extend(position.cells_worth(side, 1, 2));
    }
    if replies.is_empty() {
        // Two threats without a cell in common: any reply leaves one.
        replies.extend(position.empty_cells().next());
    }
    replies
}
