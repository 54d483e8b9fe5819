//! Makes, grades and proves the puzzles that the program keeps. `cargo bench -p noughts-engine --bench puzzles` proves
//! every kept one again; with `-- --make server/engine/src/puzzle/kept.bin` it makes them anew and proves those.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Parser;
use noughts_engine::puzzle::{GRADES, Puzzle, completing, to_kept};
use noughts_protocol::{Board, BoardSpec, Cell, Mark};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

/// Of a hundred puzzles, how many X wins in 2, 3, 4 and 5 moves.
const SHARES: [usize; 4] = [24, 45, 27, 4];

/// Positions that a proof may look at.
const BUDGET: u64 = 300_000;

/// The options after `--`.
#[derive(Debug, Parser)]
struct Options {
    /// The file for the puzzles that are made
    #[arg(long)]
    make: Option<PathBuf>,

    /// How many are made
    #[arg(long, default_value_t = 20_000)]
    count: usize,

    /// Seed of the games from which they are taken
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Given by cargo
    #[arg(long)]
    bench: bool,
}

fn main() -> std::io::Result<()> {
    // `cargo test` starts benchmarks too, to see that they start.
    if !std::env::args().any(|arg| arg == "--bench") {
        return Ok(());
    }
    let options = Options::parse();
    let grades = match &options.make {
        None => kept(),
        Some(file) => {
            let grades = graded(made(&options), options.seed);
            let bytes = to_kept(&grades).expect("every puzzle can be kept");
            println!("{} bytes", bytes.len());
            std::fs::write(file, bytes)?;
            grades
        }
    };
    print_grades(&grades);
    let unproved = grades.iter().flatten().filter(|puzzle| !puzzle.is_proved()).count();
    println!("{unproved} are not proved");
    assert_eq!(unproved, 0, "every puzzle is proved");
    Ok(())
}

/// The puzzles of the program.
fn kept() -> [Vec<Puzzle>; GRADES] {
    let counts = Puzzle::kept_counts();
    std::array::from_fn(|grade| {
        (0..counts[grade]).filter_map(|number| Puzzle::kept(grade, number)).collect()
    })
}

/// Takes puzzles from random games, none twice, nor turned or mirrored.
fn made(options: &Options) -> Vec<Puzzle> {
    let mut rng = StdRng::seed_from_u64(options.seed);
    let boards: Vec<BoardSpec> = Puzzle::boards().collect();
    let mut wanted = SHARES.map(|share| (options.count * share).div_ceil(100));
    let mut seen = HashSet::new();
    let mut puzzles = Vec::new();
    let mut games = 0_u64;
    while let Some(longest) = wanted.iter().rposition(|wanted| *wanted > 0) {
        games += 1;
        if games.is_multiple_of(500) {
            println!("{games} games: {} puzzles, still {wanted:?}", puzzles.len());
        }
        let spec = *boards.choose(&mut rng).expect("there are boards");
        let Some(puzzle) = play(spec, longest as u8 + 2, &mut rng) else { continue };
        let left = &mut wanted[puzzle.moves() - 2];
        if *left > 0 && seen.insert(canonical(&puzzle.board)) {
            *left -= 1;
            puzzles.push(puzzle);
        }
    }
    puzzles.truncate(options.count);
    puzzles
}

/// A random game in which nobody overlooks a line, until X has a puzzle.
fn play(spec: BoardSpec, moves: u8, rng: &mut StdRng) -> Option<Puzzle> {
    let mut board = Board::empty(spec);
    let mut mark = Mark::X;
    while board.empty_count() > 3 {
        if !completing(&board, mark).is_empty() {
            return None;
        }
        let forced = completing(&board, mark.other());
        if mark == Mark::X && forced.is_empty() {
            let puzzle = Puzzle::find(&board, moves, BUDGET);
            if puzzle.is_some() {
                return puzzle;
            }
        }
        let cell = match forced[..] {
            [] => near(&board, rng),
            [cell] => cell,
            _ => return None,
        };
        board.set(cell, Some(mark));
        mark = mark.other();
    }
    None
}

/// A random cell, mostly near another mark.
fn near(board: &Board, rng: &mut StdRng) -> Cell {
    let empty: Vec<Cell> = board.empty_cells().collect();
    for _ in 0..20 {
        let cell = *empty.choose(rng).expect("a cell is empty");
        let (column, row) = board.spec().position(cell);
        let reach = rng.random_range(1..3_i16);
        let touches = (-reach..=reach).any(|down| {
            (-reach..=reach).any(|right| {
                let beside = board.spec().cell_at(i16::from(column) + right, i16::from(row) + down);
                beside.is_some_and(|beside| board.get(beside).is_some())
            })
        });
        if touches {
            return cell;
        }
    }
    *empty.choose(rng).expect("a cell is empty")
}

/// The same for a board and what it is turned or mirrored.
fn canonical(board: &Board) -> (BoardSpec, Vec<u8>) {
    let spec = board.spec();
    let side = u16::from(spec.width());
    let turns = (0..8).map(|turn| {
        let cells = spec.all_cells().map(|cell| {
            let column = cell.0 % side;
            let row = cell.0 / side;
            let (column, row) = if turn & 4 == 0 { (column, row) } else { (row, column) };
            let column = if turn & 1 == 0 { column } else { side - 1 - column };
            let row = if turn & 2 == 0 { row } else { side - 1 - row };
            board.get(Cell(row * side + column)).map_or(0, |mark| 1 + u8::from(mark == Mark::O))
        });
        cells.collect()
    });
    (spec, turns.min().unwrap_or_default())
}

/// The puzzles in seven grades of the same size by their points, each in a random order.
fn graded(mut puzzles: Vec<Puzzle>, seed: u64) -> [Vec<Puzzle>; GRADES] {
    let mut rng = StdRng::seed_from_u64(seed);
    puzzles.sort_by_cached_key(Puzzle::points);
    let count = puzzles.len();
    std::array::from_fn(|grade| {
        let mut of_grade = puzzles[grade * count / GRADES..(grade + 1) * count / GRADES].to_vec();
        of_grade.shuffle(&mut rng);
        of_grade
    })
}

fn print_grades(grades: &[Vec<Puzzle>; GRADES]) {
    for (number, grade) in (1..).zip(grades) {
        let points: Vec<u32> = grade.iter().map(Puzzle::points).collect();
        let in_moves =
            [2, 3, 4, 5].map(|moves| grade.iter().filter(|puzzle| puzzle.moves() == moves).count());
        let lowest = points.iter().min().copied().unwrap_or_default();
        let highest = points.iter().max().copied().unwrap_or_default();
        println!(
            "grade {number}: {} puzzles, {lowest} to {highest} points, in 2 to 5 moves {in_moves:?}",
            grade.len()
        );
    }
}
