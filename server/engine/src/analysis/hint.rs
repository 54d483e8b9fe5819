//! Hints: the best moves in a position and the reason, for programs and for people.

use std::cmp::Reverse;

use noughts_protocol::{
    BoardSpec, Cell, Game, GameValue, HintReason, Mark, Placement, WinningLine,
};

use super::tactics::Tactics;
use super::trial::Trials;
use super::{PERFECT, PositionEvaluation, evaluate, is_about_lines, is_quick};
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
    /// Advises moves that are equally good: those with the own mark, or else with the other one.
    fn of(game: &Game, moves: &[Placement], reason: HintReason, value: GameValue) -> Self {
        let mark = mark_of(game.to_move(), moves);
        let cells = moves.iter().filter(|placed| placed.mark == mark).map(|placed| placed.cell);
        let placed = (mark != game.to_move()).then_some(mark);
        Self { cells: cells.collect(), placed, reason, value }
    }

    fn without_search(cells: Vec<Cell>, reason: HintReason) -> Self {
        Self { cells, placed: None, reason, value: GameValue::Unclear }
    }
}

/// The mark that is advised of moves that are equally good: the own one, if it is among theirs.
pub(super) fn mark_of(own: Mark, moves: &[Placement]) -> Mark {
    let has_own = moves.iter().any(|placed| placed.mark == own);
    if has_own || moves.is_empty() { own } else { own.other() }
}

/// Advises the player to move. There are no cells only when the game is over. Reasons that need no
/// search come first, so that only [`HintReason::Best`] takes time.
pub fn advise(game: &Game, deadline: &Deadline) -> Advice {
    let mut advice = if is_about_lines(*game.rules()) {
        advise_on_lines(game, deadline)
    } else {
        advise_by_trials(game, deadline)
    };
    sort_by_promise(game, &mut advice.cells);
    // Where nothing is proven, people are told what the move is for.
    if advice.reason == HintReason::Best && advice.value == GameValue::Unclear {
        let first = advice.cells.first().filter(|_| is_about_lines(*game.rules()));
        let why = first.and_then(|&cell| reason(game, Placement { mark: game.to_move(), cell }));
        advice.reason = why.unwrap_or(HintReason::Best);
    }
    advice
}

/// Sorts cells for the player to move, the most promising one first: it lies on the most lines that
/// can still be won, then nearest to the centre. So a hint shows the cell that a person would take.
pub(super) fn sort_by_promise(game: &Game, cells: &mut [Cell]) {
    let tactics = is_about_lines(*game.rules()).then(|| Tactics::new(game));
    let mark = game.to_move();
    let spec = game.spec();
    let promise = |cell| tactics.as_ref().map(|tactics| tactics.promise(cell, mark));
    let off_centre = |cell| {
        let (column, row) = spec.position(cell);
        (2 * column + 1).abs_diff(spec.width()) + (2 * row + 1).abs_diff(spec.height())
    };
    cells.sort_by_key(|cell| (Reverse(promise(*cell)), off_centre(*cell), *cell));
}

/// The advice where the player who completes a line wins.
fn advise_on_lines(game: &Game, deadline: &Deadline) -> Advice {
    let mark = game.to_move();
    let mut tactics = Tactics::new(game);
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
    best(game, deadline)
}

/// The advice in any variant: what the moves lead to at once, then the best ones.
fn advise_by_trials(game: &Game, deadline: &Deadline) -> Advice {
    let Some(trials) = Trials::new(game, deadline) else { return best(game, deadline) };
    if !trials.wins.is_empty() {
        return Advice::of(game, &trials.wins, HintReason::Wins, GameValue::Unclear);
    }
    let Some(cell) = trials.only_cell() else { return best(game, deadline) };
    let lines = trials.lines_at(cell);
    let reason = if lines.is_empty() { HintReason::OnlyMove } else { HintReason::Blocks { lines } };
    Advice::of(game, &trials.holding, reason, GameValue::Unclear)
}

/// The best moves that a search finds.
fn best(game: &Game, deadline: &Deadline) -> Advice {
    let PositionEvaluation { value, best } = evaluate(game, deadline);
    Advice::of(game, &best, HintReason::Best, value)
}

/// Why a move is good where a line wins, as far as that shows without a search: two milliseconds on the
/// largest board.
#[must_use]
pub fn reason(game: &Game, placed: Placement) -> Option<HintReason> {
    let Placement { mark, cell } = placed;
    let mut tactics = Tactics::new(game);
    if tactics.wins(mark).contains(&cell) {
        return Some(HintReason::Wins);
    }
    let threats = tactics.wins(mark.other());
    if threats.contains(&cell) {
        let lines = game.rules().lines(game.board(), Placement { mark: mark.other(), cell });
        return Some(HintReason::Blocks { lines });
    }
    let makes_two = threats.is_empty() && tactics.double_threats(mark).contains(&cell);
    let is_only = |cell| only_move_on_three_by_three(game, &Deadline::none()) == Some(cell);
    if makes_two {
        return Some(HintReason::DoubleThreat);
    }
    if is_quick(game.rules()) && is_only(cell) {
        return Some(HintReason::OnlyMove);
    }
    let was_threatened = !tactics.double_threats(mark.other()).is_empty();
    tactics.tried(cell, mark, |after| {
        if was_threatened && after.double_threats(mark.other()).is_empty() {
            return Some(HintReason::Prevents);
        }
        let threatens = !after.wins(mark).is_empty() || !after.double_threats(mark).is_empty();
        threatens.then_some(HintReason::Threatens)
    })
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
                format!("stops {}", WinningLine::describe_all(lines, spec))
            }
            HintReason::DoubleThreat => "makes two threats".to_owned(),
            HintReason::OnlyMove => "every other move loses".to_owned(),
            HintReason::Prevents => "stops a threat".to_owned(),
            HintReason::Threatens => "threatens to win".to_owned(),
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
