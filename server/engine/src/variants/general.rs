//! The four strategies over [`Play`]: what [`crate::strategies`] does for lines, for any variant.

use noughts_protocol::{Cell, Computer, Game, Placement, Strategy, Strength};

use super::Play;
use super::search::{self, Found, Reach};
use crate::Outcome;
use crate::deadline::Deadline;
use crate::strategies::Candidates;

/// The most positions of the deepest search where there is no time limit: about a second.
const MAX_NODES_WITHOUT_LIMIT: u64 = 500_000;
/// How many moves a search tries in a position: all of those on 6 × 6 with two marks.
const WIDTH: usize = 72;

/// The result of a move that shows without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    /// It wins at once.
    Wins,
    /// It loses at once, or the opponent wins with the next move.
    Loses,
    /// Neither; with the estimate after it, for the player.
    Quiet(i32),
}

/// The candidates of `computer` in a game that is not over; `play` is its position.
pub(super) fn candidates(
    play: &mut impl Play,
    game: &Game,
    computer: Computer,
    deadline: &Deadline,
) -> Candidates {
    match computer.strategy {
        Strategy::Heuristic => heuristic(play, game, computer.strength),
        Strategy::Minimax => minimax(play, game, computer.strength, deadline),
        Strategy::Perfect => perfect(play, game, deadline),
        Strategy::Rules => rules_of_thumb(play, game, deadline),
    }
}

/// Scores each move without looking further than the opponent's next one: 20 for a win, 10 for
/// one that does not lose where another one does, and up to 5 for what the position is worth then.
/// Scores below the strength's threshold are 0: the thresholds are those on lines.
pub(super) fn heuristic(play: &mut impl Play, game: &Game, strength: Strength) -> Candidates {
    let threshold = crate::strategies::threshold(strength);
    let seen = sights(play);
    let estimates = || {
        seen.iter().filter_map(|(_, sight)| match sight {
            Sight::Quiet(estimate) => Some(*estimate),
            Sight::Wins | Sight::Loses => None,
        })
    };
    let least = estimates().min().unwrap_or(0);
    let range = (estimates().max().unwrap_or(0) - least).max(1);
    let danger = if seen.iter().any(|(_, sight)| *sight == Sight::Loses) { 10 } else { 0 };
    let score = |sight: Sight| match sight {
        Sight::Wins => 20,
        Sight::Loses => 0,
        Sight::Quiet(estimate) => danger + 5 * (estimate - least) / range,
    };
    let visible = |score: i32| if score < threshold { 0 } else { score };
    let scored = seen.iter().map(|(placed, sight)| (*placed, visible(score(*sight)))).collect();
    from_scores(scored, game)
}

/// The candidates with the highest score, and the score of each cell with their mark.
fn from_scores(scored: Vec<(Placement, i32)>, game: &Game) -> Candidates {
    let best = scored.iter().map(|(_, score)| *score).max();
    let moves = scored.iter().filter(|(_, score)| Some(*score) == best);
    let candidates = found(moves.map(|(placed, _)| *placed).collect(), None, 0, game);
    let mark = candidates.placed.unwrap_or_else(|| game.to_move());
    let own = scored.into_iter().filter(|(placed, _)| placed.mark == mark);
    let mut scores: Vec<(Cell, i32)> = own.map(|(placed, score)| (placed.cell, score)).collect();
    scores.sort_unstable();
    Candidates { scores: Some(scores), ..candidates }
}

/// Looks ahead as far as the strength does: weak to the opponent's reply and to nothing but wins,
/// average two moves of each, strong three, very strong as far as the time allows. Very weak plays
/// any move.
pub(super) fn minimax(
    play: &mut impl Play,
    game: &Game,
    strength: Strength,
    deadline: &Deadline,
) -> Candidates {
    let (depth, width, slack, nodes) = match strength {
        Strength::VeryWeak | Strength::Level2 => {
            return found(legal(play), None, 0, game);
        }
        Strength::Weak | Strength::Level4 => (2, WIDTH, search::ANY_ESTIMATE, 20_000),
        Strength::Average | Strength::Level6 => (4, 24, 20, 60_000),
        Strength::Strong | Strength::Level8 => (6, 24, 0, 300_000),
        Strength::VeryStrong => return perfect(play, game, deadline),
    };
    of_search(search::best_moves(play, Reach { depth, width, slack, nodes }, deadline), game)
}

/// The best moves: known, or searched for as far as the time allows.
pub(super) fn perfect(play: &mut impl Play, game: &Game, deadline: &Deadline) -> Candidates {
    if let Some(found) = play.solved() {
        return of_search(found, game);
    }
    let nodes = if deadline.is_limited() { u64::MAX } else { MAX_NODES_WITHOUT_LIMIT };
    let reach = Reach { depth: u32::MAX, width: WIDTH, slack: 0, nodes };
    of_search(search::best_moves(play, reach, deadline), game)
}

/// A win at once; the one move that does not lose at once; else the best moves.
pub(super) fn rules_of_thumb(play: &mut impl Play, game: &Game, deadline: &Deadline) -> Candidates {
    let seen = sights(play);
    let those = |is: fn(&Sight) -> bool| -> Vec<Placement> {
        seen.iter().filter(|(_, sight)| is(sight)).map(|(placed, _)| *placed).collect()
    };
    let wins = those(|sight| *sight == Sight::Wins);
    let holding = those(|sight| *sight != Sight::Loses);
    if !wins.is_empty() {
        found(wins, None, 0, game)
    } else if holding.len() == 1 {
        found(holding, None, 0, game)
    } else {
        Candidates { scores: None, ..perfect(play, game, deadline) }
    }
}

/// The candidates of moves with one outcome. Where there are such of both marks, `moves` are those
/// with the own mark.
pub(super) fn found(
    moves: Vec<Placement>,
    outcome: Option<Outcome>,
    nodes: u64,
    game: &Game,
) -> Candidates {
    let own = game.to_move();
    let (with_own, with_other): (Vec<Placement>, Vec<Placement>) =
        moves.into_iter().partition(|placed| placed.mark == own);
    let cells = |moves: Vec<Placement>| {
        let mut cells: Vec<Cell> = moves.into_iter().map(|placed| placed.cell).collect();
        cells.sort_unstable();
        cells
    };
    let moves = Candidates { scores: None, placed: None, outcome, nodes, ..Candidates::default() };
    if with_own.is_empty() {
        return Candidates { moves: cells(with_other), placed: Some(own.other()), ..moves };
    }
    Candidates { moves: cells(with_own), with_other_mark: cells(with_other), ..moves }
}

fn of_search(best: Found, game: &Game) -> Candidates {
    found(best.moves, best.outcome, best.nodes, game)
}

fn legal(play: &impl Play) -> Vec<Placement> {
    let mut moves = Vec::new();
    play.push_moves(&mut moves);
    moves.into_iter().map(|(_, placed)| placed).collect()
}

fn sights(play: &mut impl Play) -> Vec<(Placement, Sight)> {
    let moves = legal(play);
    let sight = |placed: Placement| {
        let sight = match play.make(placed) {
            Some(Outcome::Win) => Sight::Wins,
            Some(Outcome::Loss) => Sight::Loses,
            Some(Outcome::Draw) => Sight::Quiet(0),
            None if wins_at_once(play) => Sight::Loses,
            None => Sight::Quiet(-play.evaluate()),
        };
        play.unmake();
        (placed, sight)
    };
    moves.into_iter().map(sight).collect()
}

/// Whether the side to move has a move that wins.
fn wins_at_once(play: &mut impl Play) -> bool {
    legal(play).into_iter().any(|placed| {
        let won = play.make(placed) == Some(Outcome::Win);
        play.unmake();
        won
    })
}
