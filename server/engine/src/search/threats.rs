//! Threat-space search: wins by moves that leave the opponent only replies to a threat. They reach
//! much further ahead than a search of all moves.
//!
//! A four is a line that lacks one mark: the only reply is to block it. A three becomes two fours
//! with one more mark: the replies are to spoil all cells for that mark, or to make a four.
//! No other reply changes anything, so that a win found here is proven.

use crate::board::{Position, Side};
use crate::deadline::Budget;

/// The longest win by fours, in moves of the side that wins.
const MAX_FOURS: u32 = 12;
/// The longest win by fours and threes.
pub(super) const MAX_THREES: u32 = 8;
/// With shorter lines threes are everywhere, and the board is small enough to be searched.
const SHORTEST_LINE: usize = 5;
/// The first move of a win by continuous fours for the side to move, if one is found. The side must
/// have no line that lacks one mark: that would be a win at once.
pub(super) fn win_by_fours(position: &mut Position<'_>, budget: &mut Budget<'_>) -> Option<u16> {
    attack(position, budget, MAX_FOURS, false)
}

/// The first move of a win by fours and threes in at most `moves`, as [`win_by_fours`].
pub(super) fn win_by_threes(
    position: &mut Position<'_>,
    budget: &mut Budget<'_>,
    moves: u32,
) -> Option<u16> {
    let line = position.geometry.line;
    (line >= SHORTEST_LINE).then(|| attack(position, budget, moves, true)).flatten()
}

/// The first of at most `left` moves that win against every reply.
fn attack(
    position: &mut Position<'_>,
    budget: &mut Budget<'_>,
    left: u32,
    threes: bool,
) -> Option<u16> {
    let left = left.checked_sub(1)?;
    let side = position.to_move;
    // The threat itself must block a line of the opponent that lacks one mark.
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

/// The cells on which the side to move makes a four or, with `threes`, a three of two lines; the
/// most valuable cells first.
fn threatening(position: &Position<'_>, threes: bool) -> Vec<u16> {
    let side = position.to_move;
    let mut cells: Vec<u16> = if threes {
        position.cells_as_valuable_as(side, 2, 3).collect()
    } else if position.can_make_four(side) {
        position.cells_as_valuable_as(side, 1, 2).collect()
    } else {
        return Vec::new();
    };
    cells.sort_unstable_by_key(|cell| -position.cell_value(side, *cell));
    cells
}

/// Whether the move just made wins in at most `left` more.
fn every_reply_loses(
    position: &mut Position<'_>,
    budget: &mut Budget<'_>,
    left: u32,
    threes: bool,
) -> bool {
    let side = position.to_move;
    let own = 1 - position.to_move;
    if position.winning_cells(side).next().is_some() {
        return false;
    }
    let mut stops = position.winning_cells(own);
    let stop = stops.next();
    let second = stops.next();
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

/// The cells that may stop a three of `own`, which threatens two fours with one mark: those in
/// every pair of fours, and those on which the side to move makes a four. Empty if there is no
/// three.
fn replies_to_three(position: &mut Position<'_>, own: Side) -> Vec<u16> {
    let side = position.to_move;
    let mut common: Option<Vec<u16>> = None;
    let cells: Vec<u16> = if position.can_make_four(own) {
        position.cells_as_valuable_as(own, 2, 2).collect()
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
        replies.extend(position.cells_as_valuable_as(side, 1, 2));
    }
    if replies.is_empty() {
        // Two threes without a cell in common: every reply leaves one of them.
        replies.extend(position.empty_cells().next());
    }
    replies
}

#[cfg(test)]
mod tests;
