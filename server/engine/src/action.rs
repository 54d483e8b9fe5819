//! A computer's actions, swap2 openings included: which marks it places, which side it chooses.
//! Outside of openings it chooses a cell as [`choose`] does.

use noughts_protocol::{
    BoardSpec, Cell, Computer, Game, Mark, NumberedGame, OpeningChoice, OpeningPhase, Placement,
    Strategy, Strength,
};
use rand::seq::IteratorRandom;
use rand::{Rng, RngExt};

use crate::deadline::Deadline;
use crate::search::Outcome;
use crate::variants::{self, candidates, choose};

/// A computer's move or choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Places the mark that is due.
    Place(Placement),
    /// Chooses in an opening.
    Choose(OpeningChoice),
}

/// Offsets from the centre, column and row, of three marks X, O, X: O touches the X in the centre,
/// and the second X stands apart. In 36 games from each shape, of the average computer against
/// itself on 15 × 15, no side won more than six in ten.
const SHAPES: [[(i16, i16); 3]; 5] = [
    [(0, 0), (1, 1), (-4, 1)],
    [(0, 0), (1, 1), (5, 0)],
    [(0, 0), (0, 1), (4, 3)],
    [(0, 0), (0, 1), (1, -4)],
    [(0, 0), (0, 1), (2, 5)],
];

/// The eight symmetries of the square: the factors of column and row in the new column and row.
const SYMMETRIES: [[(i16, i16); 2]; 8] = [
    [(1, 0), (0, 1)],
    [(-1, 0), (0, 1)],
    [(1, 0), (0, -1)],
    [(-1, 0), (0, -1)],
    [(0, 1), (1, 0)],
    [(0, -1), (1, 0)],
    [(0, 1), (-1, 0)],
    [(0, -1), (-1, 0)],
];

/// The most games against itself by which a computer chooses a side.
const TRIALS: u32 = 12;
/// The most moves of such a game.
const TRIAL_MOVES: u32 = 60;

/// The action of `computer`, within the deadline; `None` only when the game is over.
pub fn decide(
    numbered: &NumberedGame,
    computer: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> Option<Action> {
    let game = &numbered.game;
    let placed = match numbered.opening {
        Some(OpeningPhase::Choosing { may_add, .. }) => {
            return Some(Action::Choose(choice(game, may_add, computer, deadline, rng)));
        }
        Some(OpeningPhase::Placing { .. }) => place(numbered, computer, deadline, rng),
        None => choose(game, computer, deadline, rng),
    };
    placed.map(Action::Place)
}

/// Whether [`decide`] takes well under a millisecond.
#[must_use]
pub fn is_quick(numbered: &NumberedGame, computer: Computer) -> bool {
    match numbered.opening {
        None => variants::is_quick(&numbered.game, computer),
        Some(OpeningPhase::Placing { .. }) => next_of_a_shape(&numbered.game).next().is_some(),
        Some(OpeningPhase::Choosing { .. }) => false,
    }
}

/// Some legal action, for when a search fails.
#[must_use]
pub fn any_legal_action(numbered: &NumberedGame) -> Action {
    if let Some(OpeningPhase::Choosing { .. }) = numbered.opening {
        return Action::Choose(OpeningChoice::O);
    }
    let none = Placement { mark: numbered.game.to_move(), cell: Cell(0) };
    Action::Place(legal(numbered).next().unwrap_or(none))
}

/// The placements that the opening allows too.
fn legal(numbered: &NumberedGame) -> impl Iterator<Item = Placement> {
    let game = &numbered.game;
    game.legal().filter(|placed| numbered.decide(game.move_with(*placed)).is_ok())
}

/// The next mark of an opening: one of a shape as far as the shapes go, then the move that the side
/// would make itself, which keeps a balanced position balanced.
fn place(
    numbered: &NumberedGame,
    computer: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> Option<Placement> {
    let mark = numbered.game.to_move();
    let allowed = |placed: &Placement| legal(numbered).any(|legal| legal == *placed);
    let next = next_of_a_shape(&numbered.game).map(|cell| Placement { mark, cell });
    let shaped = next.filter(allowed).choose(rng);
    shaped
        .or_else(|| choose(&numbered.game, computer, deadline, rng).filter(allowed))
        .or_else(|| legal(numbered).choose(rng))
}

/// The cells that continue a shape whose first marks are on the board.
fn next_of_a_shape(game: &Game) -> impl Iterator<Item = Cell> {
    let spec = game.spec();
    let made = game.moves();
    let all = SHAPES.iter().flat_map(|shape| SYMMETRIES.iter().map(move |turned| (shape, turned)));
    all.filter_map(move |(shape, turned)| {
        let cells: Vec<Cell> =
            shape.iter().map(|offset| cell_at(spec, *turned, *offset)).collect::<Option<_>>()?;
        let next = cells.get(made.len()).copied();
        next.filter(|_| cells.starts_with(made))
    })
}

fn cell_at(spec: BoardSpec, turned: [(i16, i16); 2], (column, row): (i16, i16)) -> Option<Cell> {
    let along = |(of_column, of_row): (i16, i16)| of_column * column + of_row * row;
    let middle = |side: u8| i16::from(side / 2);
    spec.cell_at(middle(spec.width()) + along(turned[0]), middle(spec.height()) + along(turned[1]))
}

/// The better side, or two more marks where they are close. A very weak computer tosses a coin.
fn choice(
    game: &Game,
    may_add: bool,
    computer: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> OpeningChoice {
    if computer.strategy.has_strengths() && computer.strength.named() == Strength::VeryWeak {
        return if rng.random() { OpeningChoice::X } else { OpeningChoice::O };
    }
    let player = Computer { strategy: Strategy::Minimax, strength: Strength::Average };
    // O is to move.
    match candidates(game, player, deadline).outcome {
        Some(Outcome::Win) => return OpeningChoice::O,
        Some(Outcome::Loss) => return OpeningChoice::X,
        Some(Outcome::Draw) | None => {}
    }
    let (x, o) = trials(game, player, deadline, rng);
    if may_add && x <= 2 * o && o <= 2 * x {
        OpeningChoice::Add
    } else if x > o {
        OpeningChoice::X
    } else {
        OpeningChoice::O
    }
}

/// The games of `player` against itself that X and O win from here, as far as the time allows.
fn trials(game: &Game, player: Computer, deadline: &Deadline, rng: &mut impl Rng) -> (u32, u32) {
    let mut x = 0;
    let mut o = 0;
    for _ in 0..TRIALS {
        match trial(game.clone(), player, deadline, rng) {
            Some(Mark::X) => x += 1,
            Some(Mark::O) => o += 1,
            None if deadline.is_over() => break,
            None => {}
        }
    }
    (x, o)
}

fn trial(
    mut game: Game,
    player: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> Option<Mark> {
    for _ in 0..TRIAL_MOVES {
        if deadline.is_over() {
            return None;
        }
        let placed = choose(&game, player, deadline, rng)?;
        if let Ok(Some(result)) = game.apply(game.move_with(placed)) {
            return result.winner();
        }
    }
    None
}

#[cfg(test)]
mod tests;
