//! `noughts-server analyze`: positions in, one line for each position and computer out.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufWriter, Read, Write};

use anyhow::Context;
use noughts_protocol::text::without_mark;
use noughts_protocol::{BoardSpec, Cell, Computer, Game, Mark, Rules, Variant};
use serde::Serialize;

use crate::cli::args::AnalyzeArgs;
use crate::cli::terminal::Finished;
use crate::cli::{args, combination, position};
use crate::room::search_deadline::deadline_in;
use noughts_engine::{Candidates, Outcome};

/// The bytes that are read of a line: more than the largest board, and the longest game, with a line end has.
const LONGEST_LINE: u64 = 4_096;

/// Analyses the positions of the arguments, or of standard input where there are none. At an
/// impossible position it stops; the answers before it are written.
pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let done = if args.positions.is_empty() {
        analyze_lines(args, io::stdin().lock(), &mut out)
    } else {
        let mut numbered = args.positions.iter().zip(1..);
        numbered.try_for_each(|(text, number)| analyze(args, text, number, &mut out))
    };
    let flushed = out.flush();
    done?;
    Ok(flushed?)
}

fn analyze_lines(
    args: &AnalyzeArgs,
    mut input: impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if read.context("failed to read standard input")? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let text = if number == 1 { without_mark(&text) } else { &text };
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        // Many files end in an empty line. In another variant that is a game without a move.
        if !text.is_empty() || args.variant != Variant::Line {
            analyze(args, text, number, out)?;
        }
    }
    Ok(())
}

/// Writes each computer's candidates in one position, or how the game ended; `number` is the
/// position's line, from 1.
fn analyze(
    args: &AnalyzeArgs,
    text: &str,
    number: u32,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let settings = args::settings(args.variant, args.board)?;
    let board = settings.board;
    let game = match args.variant {
        Variant::Line => position::parse(text, board, args.turn),
        _ => position::replay(text, Rules::of(&settings), args.turn.unwrap_or(Mark::X)),
    };
    let game = game.with_context(|| format!("line {number}: {text:?}"))?;
    if let Some(finished) = Finished::of(text, &game) {
        return write_line(args, &finished, || finished.in_words(board), out);
    }
    for computer in args.strategy.computers(args.strength) {
        let found = noughts_engine::candidates(&game, computer, &deadline_in(args.time));
        let analysis = Analysis::new(text, &game, computer, &found);
        write_line(args, &analysis, || analysis.in_words(board, computer), out)?;
    }
    Ok(())
}

/// Writes an answer as JSON or in words, as the arguments say.
fn write_line(
    args: &AnalyzeArgs,
    answer: &impl Serialize,
    words: impl Fn() -> String,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if args.json {
        serde_json::to_writer(&mut *out, answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", words())?;
    }
    Ok(())
}

/// A line of JSON about one position and computer.
#[derive(Debug, Serialize)]
struct Analysis<'a> {
    /// The position as it was given.
    board: &'a str,
    turn: char,
    strategy: &'static str,
    /// `null` where the strategy has no strengths.
    strength: Option<&'static str>,
    /// By 0-based cell; `null` where the strategy scores no cells or searches.
    scores: Option<BTreeMap<Cell, i32>>,
    /// The candidates, as 0-based cells.
    moves: &'a [Cell],
    /// The mark to place there; left out where it is the own one.
    #[serde(skip_serializing_if = "Option::is_none")]
    placed: Option<char>,
    /// Only where the strategy searches: the proven outcome for the player to move, or `estimated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
}

impl<'a> Analysis<'a> {
    fn new(text: &'a str, game: &Game, computer: Computer, found: &'a Candidates) -> Self {
        let outcome = match found.outcome {
            Some(Outcome::Win) => "win",
            Some(Outcome::Draw) => "draw",
            Some(Outcome::Loss) => "loss",
            None => "estimated",
        };
        Self {
            board: text,
            turn: game.to_move().letter(),
            strategy: computer.strategy.name(),
            strength: combination::strength_name(computer),
            scores: found.scores.as_ref().map(|scores| scores.iter().copied().collect()),
            moves: &found.moves,
            placed: found.placed.map(Mark::letter),
            outcome: (!noughts_engine::is_quick(game, computer)).then_some(outcome),
        }
    }

    /// One line of text, with the cells' labels.
    fn in_words(&self, spec: BoardSpec, computer: Computer) -> String {
        let list = |words: Vec<String>| words.join(" ");
        let placed = self.placed.map(|mark| format!("{mark}:")).unwrap_or_default();
        let label = |cell: &Cell| format!("{placed}{}", spec.label(*cell));
        let moves = list(self.moves.iter().map(label).collect());
        let computer = combination::name(computer);
        let mut words = format!("{}  {} to move  {computer}: {moves}", self.board, self.turn);
        if let Some(scores) = &self.scores {
            let score = |(cell, score): (&Cell, &i32)| format!("{}={score}", spec.label(*cell));
            words += &format!("  scores {}", list(scores.iter().map(score).collect()));
        }
        if let Some(outcome) = self.outcome {
            words += &format!("  {outcome}");
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: AnalyzeArgs,
    }

    #[test]
    fn positions_of_a_file_with_a_byte_order_mark_carriage_returns_and_an_empty_line_are_read() {
        let CommandLine { args } = CommandLine::parse_from(["analyze", "--json"]);
        let mut out = Vec::new();
        let input = "\u{feff}X.O......\r\nO...X...O\r\n\r\n";
        analyze_lines(&args, input.as_bytes(), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), 2);
        let inside = "X.O......\n\u{feff}X.O......\n";
        assert!(analyze_lines(&args, inside.as_bytes(), &mut Vec::new()).is_err());
    }
}
