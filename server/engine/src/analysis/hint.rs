//! Hints: the best moves in a position and the reason, for programs and for people.

use std::cmp::Reverse;

use noughts_protocol::{
    BoardSpec, Cell, Game, GameValue, HintReason, Mark, Placement, Variant, WinningLine,
};

use super::tactics::Tactics;
use super::{PERFECT, PositionEvaluation, evaluate, is_quick};
use crate::{Deadline, candidates};

/// The best moves and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The cells to choose from, the most promising one first.
    pub cells: Vec<Cell>,
    /// The mark to place, where it is not the own one.
    pub placed: Option<Mark>,
    /// Why they are the best.
    pub reason: HintReason,
    /// The value of the position where the reason is [`HintReason::Best`], else unclear.
    value: GameValue,
}

impl Advice {
    fn without_search(cells: Vec<Cell>, reason: HintReason) -> Self {
        Self { cells, placed: None, reason, value: GameValue::Unclear }
    }
}

/// Advises the player to move. There are no cells only when the game is over. Reasons that need no
/// search come first, so that only [`HintReason::Best`] takes time.
pub fn advise(game: &Game, deadline: &Deadline) -> Advice {
    if game.rules().variant != Variant::Line {
        let PositionEvaluation { value, best_moves, placed } = evaluate(game, deadline);
        return Advice { cells: best_moves, placed, reason: HintReason::Best, value };
    }
    let mut advice = advise_on_lines(game, deadline);
    sort_by_promise(game, &mut advice.cells);
    advice
}

/// Sorts cells for the player to move, the most promising one first: it lies on the most lines that
/// can still be won, then nearest to the centre. So a hint shows the cell that a person would take.
pub(super) fn sort_by_promise(game: &Game, cells: &mut [Cell]) {
    let tactics = Tactics::new(game.board());
    let mark = game.to_move();
    let spec = game.spec();
    let off_centre = |cell| {
        let (column, row) = spec.position(cell);
        (2 * column + 1).abs_diff(spec.width()) + (2 * row + 1).abs_diff(spec.height())
    };
    cells.sort_by_key(|cell| (Reverse(tactics.promise(*cell, mark)), off_centre(*cell), *cell));
}

/// The advice where the player who completes a line wins.
fn advise_on_lines(game: &Game, deadline: &Deadline) -> Advice {
    let mark = game.to_move();
    let mut tactics = Tactics::new(game.board());
    let wins = tactics.wins(mark);
    if !wins.is_empty() {
        return Advice::without_search(wins, HintReason::Wins);
    }
    if let Some((cell, lines)) = block(game, &tactics, mark.other()) {
        return Advice::without_search(vec![cell], HintReason::Blocks { lines });
    }
    let cells = tactics.double_threats(mark);
    if !cells.is_empty() {
        return Advice::without_search(cells, HintReason::DoubleThreat);
    }
    let only_move = if is_quick(game.rules()) {
        only_move_on_three_by_three(game, deadline)
    } else {
        tactics.only_move(mark)
    };
    if let Some(cell) = only_move {
        return Advice::without_search(vec![cell], HintReason::OnlyMove);
    }
    let PositionEvaluation { value, best_moves, placed } = evaluate(game, deadline);
    Advice { cells: best_moves, placed, reason: HintReason::Best, value }
}

/// The cell that blocks most of the lines that the opponent is about to complete.
fn block(game: &Game, tactics: &Tactics, opponent: Mark) -> Option<(Cell, Vec<WinningLine>)> {
    let lines = |placed| game.rules().lines(game.board(), placed);
    let blocked = |cell: Cell| (cell, lines(Placement { mark: opponent, cell }));
    tactics.wins(opponent).into_iter().map(blocked).max_by_key(|(_, lines)| lines.len())
}

/// The only cell on 3 × 3 that does not lose.
fn only_move_on_three_by_three(game: &Game, deadline: &Deadline) -> Option<Cell> {
    let scores = candidates(game, PERFECT, deadline).scores?;
    let mut not_losing = scores.iter().filter(|(_, score)| *score >= 0);
    let only = not_losing.next().filter(|_| not_losing.next().is_none())?;
    (scores.len() > 1).then_some(only.0)
}

impl Advice {
    /// The reason for people: "stops row 2".
    #[must_use]
    pub fn words(&self, spec: BoardSpec) -> String {
        match &self.reason {
            HintReason::Wins => "wins".to_owned(),
            HintReason::Blocks { lines } => {
                let lines: Vec<String> =
                    lines.iter().map(|line| format!("{}", line.describe(spec))).collect();
                format!("stops {}", lines.join(" and "))
            }
            HintReason::DoubleThreat => "makes two threats".to_owned(),
            HintReason::OnlyMove => "every other move loses".to_owned(),
            HintReason::Best | HintReason::Unknown => match self.value {
                GameValue::Won => "leads to a win",
                GameValue::Drawn => "keeps the draw",
                GameValue::Lost => "holds out longest",
                GameValue::Unclear => "best found",
            }
            .to_owned(),
        }
    }
}
