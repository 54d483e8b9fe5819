//! The strategy `rules`: a person's rules of thumb, and a full minimax where none applies.

use noughts_protocol::{BoardSpec, Cell, Game, Mark, Placement, Strength};

use super::{Candidates, best_moves, tic_tac_toe};
use crate::deadline::Deadline;
use crate::search::Limits;

/// The moves of the first rule that applies to an unfinished game, without scores.
pub(super) fn candidates(game: &Game, deadline: &Deadline) -> Candidates {
    let ruled = match game.ply() {
        0 => corners(game.spec()),
        1 => free(game, &centre(game.spec())),
        _ => Vec::new(),
    };
    let by_rule =
        [ruled, completing(game, game.to_move()), completing(game, game.to_move().other())];
    match by_rule.into_iter().find(|moves| !moves.is_empty()) {
        Some(moves) => Candidates::from_moves(moves),
        None => minimax(game, deadline),
    }
}

/// The best moves where no rule applies. The numbers of the original rule, 10 minus the depth of a
/// win, order the moves as the deepest minimax does.
fn minimax(game: &Game, deadline: &Deadline) -> Candidates {
    if game.spec() == BoardSpec::TIC_TAC_TOE {
        let scores = tic_tac_toe::scores(game, Strength::VeryStrong);
        return Candidates { scores: None, ..Candidates::from_scores(scores) };
    }
    best_moves(game, Limits::DEEPEST, deadline)
}

fn corners(spec: BoardSpec) -> Vec<Cell> {
    let right = i16::from(spec.width()) - 1;
    let bottom = i16::from(spec.height()) - 1;
    let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)];
    corners.into_iter().filter_map(|(column, row)| spec.cell_at(column, row)).collect()
}

/// The cells in the centre: two in a row or column of even length.
fn centre(spec: BoardSpec) -> Vec<Cell> {
    let middle = |side: u8| i16::from((side - 1) / 2)..=i16::from(side / 2);
    middle(spec.height())
        .flat_map(|row| middle(spec.width()).filter_map(move |column| spec.cell_at(column, row)))
        .collect()
}

fn free(game: &Game, cells: &[Cell]) -> Vec<Cell> {
    cells.iter().copied().filter(|cell| game.board().is_empty(*cell)).collect()
}

/// The cells on which `mark` completes a line.
fn completing(game: &Game, mark: Mark) -> Vec<Cell> {
    let lines = |cell| game.rules().lines(game.board(), Placement { mark, cell });
    game.board().empty_cells().filter(|cell| !lines(*cell).is_empty()).collect()
}
