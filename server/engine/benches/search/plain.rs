//! The minimax of tutorials, for comparison: cells in a list, and a look at every line after every
//! move; and the ideas that make it faster, one by one.

use std::collections::HashMap;

/// The ideas that are added to the plain search.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ideas {
    /// Alpha-beta pruning.
    pub(crate) pruning: bool,
    /// A position that several orders of moves reach is searched once.
    pub(crate) table: bool,
    /// The turned and mirrored images of a position count as the same position.
    pub(crate) symmetries: bool,
}

/// A search of one board.
#[derive(Debug)]
pub(crate) struct Plain {
    cells: Vec<u8>,
    lines: Vec<Vec<usize>>,
    /// Per symmetry: the image of each cell.
    images: Vec<Vec<usize>>,
    ideas: Ideas,
    /// Per position: the least and the greatest value that it can have.
    known: HashMap<Vec<u8>, (i32, i32)>,
    /// The positions that were searched.
    pub(crate) nodes: u64,
}

const EMPTY: u8 = b'.';

impl Plain {
    /// An empty board.
    pub(crate) fn new(width: usize, height: usize, line: usize, ideas: Ideas) -> Self {
        Self {
            cells: vec![EMPTY; width * height],
            lines: lines(width, height, line),
            images: images(width, height),
            ideas,
            known: HashMap::new(),
            nodes: 0,
        }
    }

    /// 1, 0 or -1 for the first player.
    pub(crate) fn value(&mut self) -> i32 {
        self.search(b'X', b'O', -1, 1)
    }

    /// The value for `own`, which is to move.
    fn search(&mut self, own: u8, other: u8, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        let full = |line: &Vec<usize>| line.iter().all(|cell| self.cells[*cell] == other);
        if self.lines.iter().any(full) {
            return -1;
        }
        if !self.cells.contains(&EMPTY) {
            return 0;
        }
        let key = self.key();
        if let Some((least, greatest)) = key.as_ref().and_then(|key| self.known.get(key)) {
            (alpha, beta) = (alpha.max(*least), beta.min(*greatest));
            if alpha >= beta {
                return alpha;
            }
        }
        let best = self.best(own, other, alpha, beta);
        if let Some(key) = key {
            let known = self.known.entry(key).or_insert((-1, 1));
            if best < beta {
                known.1 = known.1.min(best);
            }
            if best > alpha {
                known.0 = known.0.max(best);
            }
        }
        best
    }

    fn best(&mut self, own: u8, other: u8, mut alpha: i32, beta: i32) -> i32 {
        let mut best = -1;
        for cell in 0..self.cells.len() {
            if self.cells[cell] != EMPTY {
                continue;
            }
            self.cells[cell] = own;
            best = best.max(-self.search(other, own, -beta, -alpha));
            self.cells[cell] = EMPTY;
            if self.ideas.pruning {
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The key of a position in the table; `None` without a table.
    fn key(&self) -> Option<Vec<u8>> {
        let images = if self.ideas.symmetries { &self.images[..] } else { &self.images[..1] };
        let image = |cells: &Vec<usize>| cells.iter().map(|cell| self.cells[*cell]).collect();
        self.ideas.table.then(|| images.iter().map(image).min())?
    }
}

fn lines(width: usize, height: usize, line: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for start in 0..width * height {
        for (columns, rows) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let cell = |i: usize| {
                let column = (start % width).checked_add_signed(columns * i as isize)?;
                let row = start / width + rows * i;
                (column < width && row < height).then_some(row * width + column)
            };
            all.extend((0..line).map(cell).collect::<Option<Vec<usize>>>());
        }
    }
    all
}

fn images(width: usize, height: usize) -> Vec<Vec<usize>> {
    let image = |symmetry: usize| -> Vec<usize> {
        let place = |cell: usize| {
            let mut column = cell % width;
            let mut row = cell / width;
            if symmetry & 4 != 0 {
                (column, row) = (row, column);
            }
            let column = if symmetry & 1 == 0 { column } else { width - 1 - column };
            let row = if symmetry & 2 == 0 { row } else { height - 1 - row };
            row * width + column
        };
        (0..width * height).map(place).collect()
    };
    (0..if width == height { 8 } else { 4 }).map(image).collect()
}
