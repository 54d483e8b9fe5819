//! The computers in a swap2 opening: which marks they place, which side they choose. In the rest
//! of a game, and in free openings, they choose a cell as [`super::choose`] does.

use noughts_protocol::{
    BoardSpec, Cell, Computer, Game, Mark, Move, NumberedGame, OpeningChoice, OpeningPhase,
    Strategy, Strength,
};
use rand::seq::IteratorRandom;
use rand::{Rng, RngExt};

use super::{Deadline, Outcome, choose, judge};

/// What a computer does when it has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Places the mark that is due.
    Place(Cell),
    /// Chooses in an opening.
    Choose(OpeningChoice),
}

/// Offsets from the middle, column and row, of three marks X, O, X: O touches the X in the middle,
/// and the second X stands well apart. In 36 games of the average computer against itself on
/// 15 × 15 from each of them, no side won more than six in ten.
const SHAPES: [[(i16, i16); 3]; 5] = [
    [(0, 0), (1, 1), (-4, 1)],
    [(0, 0), (1, 1), (5, 0)],
    [(0, 0), (0, 1), (4, 3)],
    [(0, 0), (0, 1), (1, -4)],
    [(0, 0), (0, 1), (2, 5)],
];

/// The eight symmetries of the square: what the column and the row become, by column and row.
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

/// A position is judged by this many games against itself at most, each of so many moves.
const TRIALS: u32 = 12;
const TRIAL_MOVES: u32 = 60;

/// What `computer` does in a running game, within the deadline; `None` only when it is over.
pub fn decide(
    numbered: &NumberedGame,
    computer: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> Option<Action> {
    let game = &numbered.game;
    let cell = match numbered.opening {
        Some(OpeningPhase::Choosing { may_add, .. }) => {
            return Some(Action::Choose(choice(game, may_add, computer, deadline, rng)));
        }
        Some(OpeningPhase::Placing { .. }) => place(numbered, computer, deadline, rng),
        Some(OpeningPhase::Done) | None => choose(game, computer, deadline, rng),
    };
    cell.map(Action::Place)
}

/// Whether a decision takes well under a millisecond.
pub fn is_quick(numbered: &NumberedGame, computer: Computer) -> bool {
    match numbered.opening {
        None | Some(OpeningPhase::Done) => super::is_quick(&numbered.game, computer),
        Some(OpeningPhase::Placing { .. }) => next_of_shapes(&numbered.game).next().is_some(),
        Some(OpeningPhase::Choosing { .. }) => false,
    }
}

/// Some legal decision, for when all else fails.
pub fn any_legal_action(numbered: &NumberedGame) -> Action {
    match numbered.opening {
        Some(OpeningPhase::Choosing { .. }) => Action::Choose(OpeningChoice::O),
        _ => Action::Place(legal(numbered).next().unwrap_or(Cell(0))),
    }
}

/// The cells that may be marked now.
fn legal(numbered: &NumberedGame) -> impl Iterator<Item = Cell> {
    let (ply, mark) = (numbered.game.ply(), numbered.game.to_move());
    let cells = numbered.game.board().empty_cells();
    cells.filter(move |&cell| numbered.check(Move { ply, mark, cell }).is_ok())
}

/// The next mark of an opening: of a known shape as far as those go, then what either side would
/// do itself, which leaves a balanced position balanced.
fn place(
    numbered: &NumberedGame,
    computer: Computer,
    deadline: &Deadline,
    rng: &mut impl Rng,
) -> Option<Cell> {
    let allowed = |cell: &Cell| legal(numbered).any(|legal| legal == *cell);
    let shaped = next_of_shapes(&numbered.game).filter(allowed).choose(rng);
    shaped
        .or_else(|| choose(&numbered.game, computer, deadline, rng).filter(allowed))
        .or_else(|| legal(numbered).choose(rng))
}

/// The cells that go on with a shape whose first marks are on the board.
fn next_of_shapes(game: &Game) -> impl Iterator<Item = Cell> {
    let (spec, made) = (game.spec(), game.moves());
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
    if computer.strategy.has_strengths() && computer.strength == Strength::VeryWeak {
        return if rng.random() { OpeningChoice::X } else { OpeningChoice::O };
    }
    let player = Computer { strategy: Strategy::Minimax, strength: Strength::Average };
    // O is to move.
    match judge(game, player, deadline).outcome {
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

/// How many games of `player` against itself each side wins from here, as far as the time goes.
fn trials(game: &Game, player: Computer, deadline: &Deadline, rng: &mut impl Rng) -> (u32, u32) {
    let (mut x, mut o) = (0, 0);
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
        let cell = choose(&game, player, deadline, rng)?;
        let chosen = Move { ply: game.ply(), mark: game.to_move(), cell };
        if let Ok(Some(result)) = game.apply(chosen) {
            return result.winner();
        }
    }
    None
}
