//! Reviews: from the evaluations of a game's positions to a verdict on each move.

use noughts_protocol::{Cell, Game, GameResult, GameValue, Placement, ReviewedMove, Verdict};

use super::hint::{mark_of, sort_by_promise};
use super::{PositionEvaluation, opposite};

/// The positions of a game from the empty board on: one more than it has moves. The last position
/// of a game that was resigned or lost on time is not over.
#[must_use]
pub fn positions(game: &Game) -> Vec<Game> {
    let mut position = Game::new(*game.rules(), game.first());
    let mut positions = vec![position.clone()];
    for (ply, &cell) in (0..).zip(game.moves()) {
        let placed = Placement { mark: game.mark_at(ply), cell };
        // The moves of a game are legal in its own order.
        if position.apply(position.move_with(placed)).is_ok() {
            positions.push(position.clone());
        }
    }
    positions
}

/// Whether all values are proven, and a verdict on every move, from the evaluations of all
/// [`positions`]. A swap2 opening placed the first `opening` marks: they have no verdict, and the
/// positions before them may be [`PositionEvaluation::UNKNOWN`].
#[must_use]
pub fn verdicts(
    game: &Game,
    opening: u16,
    evaluations: &[PositionEvaluation],
) -> (bool, Vec<ReviewedMove>) {
    let values = settled_values(game, evaluations);
    // No move is better than one that wins.
    let winning = match game.result() {
        Some(
            GameResult::Line { winner, .. }
            | GameResult::MoreBoards { winner }
            | GameResult::Prevented { winner },
        ) if *winner != game.to_move() => game.moves().len(),
        _ => 0,
    };
    let positions = positions(game);
    let moves = game.moves().iter().zip(evaluations).zip(values.windows(2)).enumerate();
    let reviewed: Vec<ReviewedMove> = moves
        .map(|(number, ((&cell, evaluation), values))| {
            // A game has at most 361 moves.
            let ply = number as u16;
            if ply < opening {
                return placed(ply, cell);
            }
            let before = values[0];
            let after = opposite(values[1]);
            let best = is_best(game, number, evaluation) || number + 1 == winning;
            let verdict = verdict(before, after, best);
            let made = Placement { mark: game.mark_at(ply), cell };
            let better =
                || positions.get(number).and_then(|before| better(before, evaluation, made));
            let better = (verdict == Verdict::Mistake).then(better).flatten();
            let best = better.map(|placed| placed.cell);
            let mover = game.mover_at(ply);
            let best_placed = better.map(|placed| placed.mark).filter(|mark| *mark != mover);
            ReviewedMove { ply, cell, verdict, before, after, best, best_placed }
        })
        .collect();
    let unclear = |made: &ReviewedMove| {
        made.verdict != Verdict::Opening && [made.before, made.after].contains(&GameValue::Unclear)
    };
    (!reviewed.iter().any(unclear), reviewed)
}

/// Whether the move with this number is among the best of its position.
fn is_best(game: &Game, number: usize, evaluation: &PositionEvaluation) -> bool {
    // A game has at most 361 moves.
    let ply = number as u16;
    let made = Placement { mark: game.mark_at(ply), cell: game.moves()[number] };
    evaluation.best.contains(&made)
}

const fn placed(ply: u16, cell: Cell) -> ReviewedMove {
    let before = GameValue::Unclear;
    let after = GameValue::Unclear;
    let verdict = Verdict::Opening;
    ReviewedMove { ply, cell, verdict, before, after, best: None, best_placed: None }
}

/// The most promising of the best moves in a position, instead of the one that was made there.
fn better(before: &Game, evaluation: &PositionEvaluation, made: Placement) -> Option<Placement> {
    let mut best = evaluation.best.clone();
    best.retain(|placed| *placed != made);
    let mark = mark_of(before.to_move(), &best);
    let best = best.into_iter().filter(|placed| placed.mark == mark);
    let mut cells: Vec<Cell> = best.map(|placed| placed.cell).collect();
    sort_by_promise(before, &mut cells);
    cells.first().map(|&cell| Placement { mark, cell })
}

/// Each position's value for the player to move, with what follows from its neighbours: a player
/// who can move to a lost position of the opponent has won, and so on.
fn settled_values(game: &Game, evaluations: &[PositionEvaluation]) -> Vec<GameValue> {
    let mut values: Vec<GameValue> =
        evaluations.iter().map(|evaluation| evaluation.value).collect();
    for ply in 1..values.len() {
        let chosen = is_best(game, ply - 1, &evaluations[ply - 1]);
        let follows = match values[ply - 1] {
            // Every move of a lost position loses, and the best moves keep the value.
            GameValue::Lost => true,
            GameValue::Won | GameValue::Drawn => chosen,
            GameValue::Unclear => false,
        };
        if values[ply] == GameValue::Unclear && follows {
            values[ply] = opposite(values[ply - 1]);
        }
    }
    for ply in (1..values.len()).rev() {
        if values[ply] == GameValue::Lost {
            values[ply - 1] = GameValue::Won;
        }
    }
    values
}

/// The verdict on a move that changed the value from `before` to `after`. Where one of them is
/// unclear, the verdict is an estimate: to lose sight of a proven win, or to come to a proven loss,
/// is a mistake.
fn verdict(before: GameValue, after: GameValue, best: bool) -> Verdict {
    let worsened = match (before, after) {
        (GameValue::Won, after) => after != GameValue::Won,
        (GameValue::Drawn, after) => after == GameValue::Lost,
        (GameValue::Unclear, after) => after == GameValue::Lost && !best,
        (GameValue::Lost, _) => false,
    };
    match (worsened, best) {
        (true, _) => Verdict::Mistake,
        (false, true) => Verdict::Best,
        (false, false) => Verdict::Fine,
    }
}
