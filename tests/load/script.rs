//! Games without a winner: the cells that the two players take, move by move.

use noughts_protocol::{BoardSpec, Cell, RoomSettings};

/// The cells of a game in order; nobody ever has three in a row.
#[derive(Debug)]
pub(crate) struct Script {
    cells: Vec<Cell>,
    settings: RoomSettings,
}

impl Script {
    /// A game on this board.
    pub(crate) fn new(board: BoardSpec) -> Self {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (cell, number) in board.all_cells().zip(0..) {
            let (column, row) =
                (number % i32::from(board.width()), number / i32::from(board.width()));
            // Pairs along each row, shifted by two cells from row to row: no line has three.
            let is_first = (column + 2 * row) % 4 < 2;
            if is_first { &mut first } else { &mut second }.push(cell);
        }
        // On some boards one player has more cells: the game is resigned before they are needed.
        let pairs = first.iter().zip(&second).flat_map(|(a, b)| [*a, *b]);
        let last = first.get(second.len()).copied();
        let cells = pairs.chain(last).collect();
        // Early draws would end games before they are full.
        let settings = RoomSettings { board, early_draw: Some(false), ..RoomSettings::default() };
        Self { cells, settings }
    }

    /// The settings of its room.
    pub(crate) const fn settings(&self) -> RoomSettings {
        self.settings
    }

    /// The cell of a move; `None` after the last move.
    pub(crate) fn cell(&self, ply: u16) -> Option<Cell> {
        self.cells.get(usize::from(ply)).copied()
    }

    /// Whether the board is full after the last move.
    pub(crate) fn is_full(&self) -> bool {
        self.cells.len() == usize::from(self.settings.board.cells())
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{BoardSpec, Game, Mark, Move, Rules};

    use super::Script;

    fn check(width: u8, height: u8, line: u8, moves: u16) {
        let board = BoardSpec::new(width, height, line).unwrap();
        let script = Script::new(board);
        let mut game = Game::new(Rules::of(&script.settings()), Mark::O);
        while let Some(cell) = script.cell(game.ply()) {
            let (ply, mark) = (game.ply(), game.to_move());
            game.apply(Move { ply, mark, cell }).unwrap();
        }
        assert_eq!(game.ply(), moves);
        assert_eq!(game.result().is_some(), script.is_full());
        assert!(game.result().is_none_or(|result| result.winner().is_none()));
    }

    #[test]
    fn nobody_wins() {
        check(3, 3, 3, 9);
        check(4, 4, 3, 16);
        check(6, 5, 3, 29);
        check(15, 15, 5, 225);
        check(19, 19, 3, 361);
    }
}
