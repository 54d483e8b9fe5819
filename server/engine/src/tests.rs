//! The tests on all boards, and what the tests of the modules share. Only tests read a clock here.

use noughts_protocol::{BoardSpec, Cell, Computer, Game, Mark, Move, Rules, Strategy, Strength};
use rand::Rng;
use rand::seq::IteratorRandom;

use crate::{Deadline, TimeLimit};

mod any_board;
mod here;
#[path = "../benches/shared/wall_clock.rs"]
mod wall_clock;

pub(crate) use wall_clock::deadline_in;

/// The rules of a board on which the player who completes a line wins.
pub(crate) const fn rules(board: BoardSpec, early_draw: bool) -> Rules {
    Rules::line(board, early_draw)
}

/// A game after moves written as people write cells: `"e5 e6 f5"`.
pub(crate) fn game(board: &str, first: Mark, moves: &str) -> Game {
    let spec: BoardSpec = board.parse().unwrap();
    let cells: Vec<Cell> = moves.split_whitespace().map(|m| spec.parse_cell(m).unwrap()).collect();
    Game::replay(rules(spec, false), first, &cells, &[]).unwrap()
}

pub(crate) fn play(game: &mut Game, cell: Cell) {
    game.apply(Move { ply: game.ply(), mark: game.to_move(), cell, placed: None }).unwrap();
}

/// The game after at most so many random moves, none of which ends it.
pub(crate) fn scatter(game: Game, marks: u32, rng: &mut impl Rng) -> Game {
    scatter_within(u8::MAX, game, marks, rng)
}

/// The same with marks so near to the centre: threats come about there.
pub(crate) fn scatter_within(reach: u8, mut game: Game, marks: u32, rng: &mut impl Rng) -> Game {
    let spec = game.spec();
    let is_near = |cell: &Cell| {
        let (column, row) = spec.position(*cell);
        let from_centre = column.abs_diff(spec.width() / 2).max(row.abs_diff(spec.height() / 2));
        from_centre <= reach
    };
    for _ in 0..marks {
        let mut next = game.clone();
        play(&mut next, game.board().empty_cells().filter(is_near).choose(rng).unwrap());
        if next.result().is_some() {
            break;
        }
        game = next;
    }
    game
}

pub(crate) fn minimax(strength: Strength) -> Computer {
    Computer { strategy: Strategy::Minimax, strength }
}
