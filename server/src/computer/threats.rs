//! Threat-space search: wins in which the opponent has only replies to what is threatened, and so
//! much further off than a search of all moves sees.
//!
//! A four is a line that lacks one mark: the reply is to fill it. A three is what becomes two
//! fours at one cell: the replies are to spoil each such cell, or to make a four. No other reply
//! changes anything, so that a win found here is proven.

use super::Deadline;
use super::position::{Position, Side};

/// How many moves of the side that wins are looked ahead in fours.
const MAX_FOURS: u32 = 12;
/// The same where threes are among them.
const MAX_THREES: u32 = 8;
/// In shorter lines threes are everywhere, and the board is small enough to be searched.
const SHORTEST_LINE: usize = 5;

/// What a search for a win may cost.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    /// Moves that may yet be tried.
    pub(super) moves: u32,
    /// When it must end.
    pub(super) deadline: &'a Deadline,
}

impl Budget<'_> {
    /// Whether there is a move left to try, which is then tried.
    fn spend(&mut self) -> Option<()> {
        self.moves = self.moves.checked_sub(1)?;
        (!self.deadline.is_over()).then_some(())
    }
}

/// The first move of a win by continuous fours for the side to move, if one is found.
///
/// The side must have no line that lacks one mark: that would be a win at once.
pub(super) fn win_by_fours(position: &mut Position<'_>, budget: &mut Budget<'_>) -> Option<u16> {
    attack(position, budget, MAX_FOURS, false)
}

/// The first move of a win by fours and threes, the shortest that is found; as
/// [`win_by_fours`].
pub(super) fn win_by_threes(position: &mut Position<'_>, budget: &mut Budget<'_>) -> Option<u16> {
    if position.geometry.line < SHORTEST_LINE {
        return None;
    }
    (1..=MAX_THREES).find_map(|moves| attack(position, budget, moves, true))
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
    let mut cells: Vec<u16> = position.lines_lacking_two(side).flatten().collect();
    if threes && left > 0 {
        cells.extend(position.cells_lacking_three(side));
    }
    let mut tried: Vec<u16> = Vec::with_capacity(cells.len());
    for cell in must.map_or(cells, |must| vec![must]) {
        if tried.contains(&cell) {
            continue;
        }
        tried.push(cell);
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
    let cells: Vec<u16> = position.lines_lacking_two(own).flatten().collect();
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
    replies.extend(position.lines_lacking_two(side).flatten());
    if replies.is_empty() {
        // Two threats without a cell in common: any reply leaves one.
        replies.extend(position.empty_cells().next());
    }
    replies
}
