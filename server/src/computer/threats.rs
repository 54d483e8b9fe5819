//! Wins by continuous threats: each move leaves a line that lacks one mark, so that the opponent
//! has only one reply, until one move leaves two such lines.

use super::position::Position;

/// How many such moves are looked ahead.
const MAX_THREATS: u32 = 12;

/// The first move of a win by continuous threats for the side to move, if one is found by trying
/// at most `budget` moves.
///
/// The side must have no line that lacks one mark: that would be a win at once.
pub(super) fn win(position: &mut Position<'_>, mut budget: u32) -> Option<u16> {
    win_within(position, &mut budget, MAX_THREATS)
}

fn win_within(position: &mut Position<'_>, budget: &mut u32, threats: u32) -> Option<u16> {
    if threats == 0 {
        return None;
    }
    let side = position.to_move;
    // A line of the opponent that lacks one mark must be stopped by the threat itself.
    let must = position.winning_cells(1 - side).next();
    let pairs: Vec<[u16; 2]> = position.lines_lacking_two(side).collect();
    for cell in pairs.into_iter().flatten().filter(|cell| must.is_none_or(|must| must == *cell)) {
        *budget = budget.checked_sub(1)?;
        position.place(cell);
        let wins = wins_after(position, budget, threats);
        position.take_back(cell);
        if wins {
            return Some(cell);
        }
    }
    None
}

/// Whether the threat just made wins: it cannot be stopped, or the one reply leaves another win.
fn wins_after(position: &mut Position<'_>, budget: &mut u32, threats: u32) -> bool {
    let side = 1 - position.to_move;
    if position.winning_cells(1 - side).next().is_some() {
        return false;
    }
    let mut stops = position.winning_cells(side);
    let (Some(stop), second) = (stops.next(), stops.next()) else { return false };
    drop(stops);
    if second.is_some() {
        return true;
    }
    position.place(stop);
    let wins = win_within(position, budget, threats - 1).is_some();
    position.take_back(stop);
    wins
}
