//! The page's play without a server (`server/web/js/here/rules.js`), held to the rules and to the
//! weak computer: each line of `tests/page/here.txt` is a board, moves, how the game stands then,
//! and the moves of the weak computer where a win or a block presses. The page's tests read the
//! same lines. With `NOUGHTS_UPDATE=1` this writes them.

use std::fmt::Write;
use std::fs;
use std::time::Duration;

use noughts_protocol::{BoardSpec, Cell, Game, Mark, Strength};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

use super::{deadline_in, minimax, play, rules};
use crate::candidates;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/page/here.txt");

/// The boards that the page offers, and how many games of each are in the file.
const BOARDS: [(&str, u64); 3] = [("3x3x3", 12), ("5x5x4", 6), ("9x9x5", 4)];

/// The moves that win at once for a side, by the rules.
fn wins(game: &Game, mark: Mark) -> Vec<Cell> {
    let standing = Game::standing(*game.rules(), game.board().clone(), mark);
    let wins = |cell: &Cell| {
        let mut then = standing.clone();
        play(&mut then, *cell);
        then.result().is_some_and(|result| result.winner() == Some(mark))
    };
    game.board().empty_cells().filter(wins).collect()
}

fn numbers(cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.0.to_string()).collect::<Vec<_>>().join(" ")
}

/// The line about a position.
fn line(board: &str, moves: &[Cell]) -> String {
    let spec: BoardSpec = board.parse().unwrap();
    let game = Game::replay(rules(spec, false), Mark::X, moves, &[]).unwrap();
    let mut line = format!("{board};{};", numbers(moves));
    let Some(result) = game.result() else {
        let turn = game.to_move();
        // With two cells to block the game is lost anyway.
        let pressing = !wins(&game, turn).is_empty() || wins(&game, turn.other()).len() == 1;
        if pressing {
            let time = deadline_in(Duration::from_secs(5));
            let mut weak = candidates(&game, minimax(Strength::Weak), &time).moves;
            weak.sort_unstable();
            write!(line, "running;{}", numbers(&weak)).unwrap();
        } else {
            line += "running;";
        }
        return line;
    };
    line + result.winner().map_or("draw;", |mark| if mark == Mark::X { "x;" } else { "o;" })
}

/// Games by chance: two of three moves are what a weak computer plays.
fn games() -> String {
    let mut lines = String::new();
    for (board, count) in BOARDS {
        let spec: BoardSpec = board.parse().unwrap();
        for seed in 0..count {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut game = Game::new(rules(spec, false), Mark::X);
            while game.result().is_none() {
                let time = deadline_in(Duration::from_secs(5));
                let weak = candidates(&game, minimax(Strength::Weak), &time).moves;
                let plays_weak = !game.ply().is_multiple_of(3);
                let cell = if plays_weak { weak.into_iter().choose(&mut rng) } else { None };
                let cell = cell.or_else(|| game.board().empty_cells().choose(&mut rng)).unwrap();
                play(&mut game, cell);
                writeln!(lines, "{}", line(board, game.moves())).unwrap();
            }
        }
    }
    lines
}

#[test]
fn the_small_player_of_the_page_keeps_the_rules() {
    if std::env::var_os("NOUGHTS_UPDATE").is_some() {
        fs::write(FILE, games()).unwrap();
    }
    let lines = fs::read_to_string(FILE).unwrap();
    assert!(lines.lines().count() > 100, "too few positions");
    for known in lines.lines() {
        let mut fields = known.split(';');
        let board = fields.next().unwrap();
        let moves = fields.next().unwrap().split_whitespace();
        let moves: Vec<Cell> = moves.map(|cell| Cell(cell.parse().unwrap())).collect();
        assert_eq!(line(board, &moves), known);
    }
}
