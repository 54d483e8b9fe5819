//! The review of a game: from what is known of each of its positions to a verdict on each move.

use noughts_protocol::{Cell, Game, GameResult, Move, ReviewedMove, Verdict, Worth};

use super::{Insight, opposite};

/// The positions of a game, from the empty board to its last: one more than it has moves. One
/// that was resigned or lost on time is not over in its last.
pub fn positions(game: &Game) -> Vec<Game> {
    let mut position = Game::new(game.spec(), game.first(), game.early_draw());
    let mut positions = vec![position.clone()];
    for &cell in game.moves() {
        let (ply, mark) = (position.ply(), position.to_move());
        // The moves of a game are legal in its own order.
        if position.apply(Move { ply, mark, cell }).is_ok() {
            positions.push(position.clone());
        }
    }
    positions
}

/// A verdict on every move, from what is known of every position of [`positions`], and whether
/// all of it is proven. The first `opening` marks are those of a swap2 opening: they are not
/// judged, and nothing need be known of the positions before them.
pub fn verdicts(game: &Game, opening: u16, insights: &[Insight]) -> (bool, Vec<ReviewedMove>) {
    let worths = settle(game, insights);
    // Nothing is better than the move that completes a line.
    let winning = match game.result() {
        Some(GameResult::Line { .. }) => game.moves().len(),
        _ => 0,
    };
    let moves = game.moves().iter().zip(insights).zip(worths.windows(2)).enumerate();
    let reviewed: Vec<ReviewedMove> = moves
        .map(|(number, ((&cell, insight), worths))| {
            // A game has at most 361 moves.
            let ply = number as u16;
            if ply < opening {
                return placed(ply, cell);
            }
            let (before, after) = (worths[0], opposite(worths[1]));
            let best = insight.best.contains(&cell) || number + 1 == winning;
            let verdict = verdict(before, after, best);
            ReviewedMove { ply, cell, verdict, before, after }
        })
        .collect();
    let unclear = |made: &ReviewedMove| {
        made.verdict != Verdict::Opening && [made.before, made.after].contains(&Worth::Unclear)
    };
    (!reviewed.iter().any(unclear), reviewed)
}

/// A mark of an opening.
const fn placed(ply: u16, cell: Cell) -> ReviewedMove {
    let (before, after) = (Worth::Unclear, Worth::Unclear);
    ReviewedMove { ply, cell, verdict: Verdict::Opening, before, after }
}

/// Each position's worth to the player to move, with what follows from its neighbours: who can
/// move to a lost position of the opponent has won, and so on.
fn settle(game: &Game, insights: &[Insight]) -> Vec<Worth> {
    let mut worths: Vec<Worth> = insights.iter().map(|insight| insight.worth).collect();
    for ply in 1..worths.len() {
        let chosen = insights[ply - 1].best.contains(&game.moves()[ply - 1]);
        let follows = match worths[ply - 1] {
            // Every move of a lost position loses, and the best ones keep what there was.
            Worth::Lost => true,
            Worth::Won | Worth::Drawn => chosen,
            Worth::Unclear => false,
        };
        if worths[ply] == Worth::Unclear && follows {
            worths[ply] = opposite(worths[ply - 1]);
        }
    }
    for ply in (1..worths.len()).rev() {
        if worths[ply] == Worth::Lost {
            worths[ply - 1] = Worth::Won;
        }
    }
    worths
}

/// The verdict on a move that led from one worth to another. Where one of them is unclear, it is
/// an estimate: a proven win that is not seen any more, or a loss that was not there, is a mistake.
fn verdict(before: Worth, after: Worth, best: bool) -> Verdict {
    let worsened = match (before, after) {
        (Worth::Won, after) => after != Worth::Won,
        (Worth::Drawn, after) => after == Worth::Lost,
        (Worth::Unclear, after) => after == Worth::Lost && !best,
        (Worth::Lost, _) => false,
    };
    match (worsened, best) {
        (true, _) => Verdict::Mistake,
        (false, true) => Verdict::Best,
        (false, false) => Verdict::Fine,
    }
}
