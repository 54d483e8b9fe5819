//! `noughts-server engine`: a computer player for managers that speak the Gomocup protocol, the text
//! protocol of Piskvork (<https://plastovicka.github.io/protocl2en.htm>).
//!
//! One thread reads lines, the other answers them, so that `END` also ends a running search.
//! [`conversation`] decides what a line means and has no I/O.

mod budget;
mod conversation;

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use noughts_engine::{CancelGuard, Deadline};
use noughts_protocol::Computer;
use noughts_protocol::text::without_mark;

use crate::cli::args::EngineArgs;
use crate::room::wall_clock::deadline_in;
use conversation::{Answer, Conversation, Search};

/// The bytes that are read of a line. A longer line is answered with `ERROR`.
const LONGEST_LINE: usize = 512;
/// The lines that wait for their answer. Beyond that, no more are read.
const MAX_WAITING: usize = 64;

/// Answers the lines of standard input until `END` or its end.
pub(crate) fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let computer = Computer { strategy: args.strategy, strength: args.strength };
    let stop = Arc::new(Stop::default());
    let (sender, lines) = sync_channel(MAX_WAITING);
    let reader = Arc::clone(&stop);
    // This thread lives as long as the program: nothing ends a read of standard input.
    std::thread::spawn(move || read(&mut io::stdin().lock(), &sender, &reader));
    let mut conversation = Conversation::new(args.time);
    for line in lines {
        let answer = match line {
            Line::Text(line) => conversation.take(&line),
            Line::TooLong => conversation.too_long(),
        };
        let text = match answer {
            Answer::Nothing => continue,
            Answer::End => break,
            Answer::Text(text) => text,
            Answer::Search(search) => {
                let Some(cell) = stop.search(&search, computer) else { break };
                conversation.moved(cell)
            }
        };
        // The protocol's managers read CR LF as well as LF, and send CR LF themselves.
        let mut out = io::stdout().lock();
        out.write_all(format!("{text}\r\n").as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

/// A line of the manager.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Text(String),
    TooLong,
}

/// Reads lines until the end of input, `END`, or the end of their reader. At the end of input a running search answers at once: nobody may be waiting.
fn read(input: &mut impl BufRead, lines: &SyncSender<Line>, stop: &Stop) {
    while let Some(line) = next_line(input) {
        let ends = matches!(&line, Line::Text(text) if conversation::is_end(text));
        if ends {
            stop.end();
        }
        if lines.send(line).is_err() || ends {
            return;
        }
    }
    stop.hurry();
}

/// The next line; `None` at the end of input or where it cannot be read.
fn next_line(input: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    let mut read = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if line.ends_with(b"\n") || read < LONGEST_LINE {
        return Some(Line::Text(without_mark(&String::from_utf8_lossy(&line)).to_owned()));
    }
    while !line.ends_with(b"\n") && read > 0 {
        line.clear();
        read = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line).ok()?;
    }
    Some(Line::TooLong)
}

/// Ends searches from the thread that reads.
#[derive(Debug, Default)]
struct Stop(Mutex<Stopping>);

#[derive(Debug, Default)]
struct Stopping {
    /// Whether nothing is answered any more.
    ended: bool,
    /// Whether a search answers at once.
    hurried: bool,
    /// The running search.
    running: Option<CancelGuard>,
}

impl Stop {
    /// Searches; `None` if nobody wants the answer any more.
    fn search(&self, search: &Search, computer: Computer) -> Option<noughts_protocol::Cell> {
        let deadline = deadline_in(search.time).with_memory(search.memory);
        self.begin(&deadline);
        let cell = noughts_engine::choose(&search.game, computer, &deadline, &mut rand::rng());
        let mut stopping = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stopping.running = None;
        cell.filter(|_| !stopping.ended)
    }

    fn begin(&self, deadline: &Deadline) {
        let mut stopping = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let guard = deadline.cancel_guard();
        stopping.running = Some(guard).filter(|_| !stopping.ended && !stopping.hurried);
    }

    fn end(&self) {
        let mut stopping = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (stopping.ended, stopping.running) = (true, None);
    }

    fn hurry(&self) {
        let mut stopping = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (stopping.hurried, stopping.running) = (true, None);
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, Line, next_line};

    fn text(line: &str) -> Option<Line> {
        Some(Line::Text(line.to_owned()))
    }

    #[test]
    fn lines_are_bounded_and_the_next_one_is_whole() {
        let long = "x".repeat(3 * LONGEST_LINE);
        let input = format!("ABOUT\r\n{long}\nBEGIN\nlast");
        let mut input = input.as_bytes();
        let mut next = || next_line(&mut input);
        assert_eq!(next(), text("ABOUT\r\n"));
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), text("BEGIN\n"));
        assert_eq!(next(), text("last"));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_line_that_just_fits_is_no_longer_one() {
        let fits = format!("{}\n", "x".repeat(LONGEST_LINE - 1));
        assert_eq!(next_line(&mut fits.as_bytes()), text(&fits));
        let endless = "x".repeat(LONGEST_LINE);
        assert_eq!(next_line(&mut endless.as_bytes()), Some(Line::TooLong));
    }
}
