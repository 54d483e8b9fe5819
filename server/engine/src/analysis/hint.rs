//! The best moves in a position, and why: as a reason for programs and in words for people.

use noughts_protocol::line::lines_through;
use noughts_protocol::{Board, BoardSpec, Cell, Game, HintReason, Mark, WinningLine, Worth};

use super::tactics::Tactics;
use super::{Insight, PERFECT, is_quick, look};
use crate::{Deadline, judge};

/// The best moves and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The cells to choose from, row by row.
    pub cells: Vec<Cell>,
    /// Why these cells.
    pub reason: HintReason,
    /// What the position is worth where the reason is [`HintReason::Best`], else not looked into.
    worth: Worth,
}

impl Advice {
    fn seen(cells: Vec<Cell>, reason: HintReason) -> Self {
        Self { cells, reason, worth: Worth::Unclear }
    }
}

/// Advises whoever is to move; no cells only when the game is over. What can be seen without a
/// search comes first, so that only [`HintReason::Best`] takes time.
pub fn advise(game: &Game, deadline: &Deadline) -> Advice {
    let mark = game.to_move();
    let mut tactics = Tactics::new(game.board());
    let wins = tactics.wins(mark);
    if !wins.is_empty() {
        return Advice::seen(wins, HintReason::Wins);
    }
    if let Some((cell, lines)) = block(game.board(), &tactics, mark.other()) {
        return Advice::seen(vec![cell], HintReason::Blocks { lines });
    }
    let cells = tactics.double_threats(mark);
    if !cells.is_empty() {
        return Advice::seen(cells, HintReason::DoubleThreat);
    }
    let only =
        if is_quick(game.spec()) { only_saving(game, deadline) } else { tactics.only_move(mark) };
    if let Some(cell) = only {
        return Advice::seen(vec![cell], HintReason::OnlyMove);
    }
    let Insight { worth, best } = look(game, deadline);
    Advice { cells: best, reason: HintReason::Best, worth }
}

/// The cell that stops most of the lines that the opponent is about to complete.
fn block(board: &Board, tactics: &Tactics, opponent: Mark) -> Option<(Cell, Vec<WinningLine>)> {
    let stopped = |cell: Cell| (cell, lines_through(board, cell, opponent));
    tactics.wins(opponent).into_iter().map(stopped).max_by_key(|(_, lines)| lines.len())
}

/// On 3 × 3, the one cell that does not lose.
fn only_saving(game: &Game, deadline: &Deadline) -> Option<Cell> {
    let scores = judge(game, PERFECT, deadline).scores?;
    let mut saving = scores.iter().filter(|(_, score)| *score >= 0);
    let only = saving.next().filter(|_| saving.next().is_none())?;
    (scores.len() > 1).then_some(only.0)
}

impl Advice {
    /// The reason for people: "stops row 2".
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
            HintReason::Best | HintReason::Unknown => match self.worth {
                Worth::Won => "leads to a win",
                Worth::Drawn => "keeps the draw",
                Worth::Lost => "holds out longest",
                Worth::Unclear => "best found",
            }
            .to_owned(),
        }
    }
}
