//! `noughts-server engine`: a computer player for managers that speak the Gomocup protocol, the text
//! protocol of Piskvork (<https://plastovicka.github.io/protocl2en.htm>).
//!
//! A thread reads lines, another one searches, and [`converse`] hears both: what a manager says while a
//! search runs changes its time, ends it, or makes its move worthless. [`conversation`] decides what a line
//! means and has no I/O.

mod budget;
mod conversation;

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use noughts_engine::{CancelGuard, Deadline, TimeLimit};
use noughts_protocol::text::without_mark;
use noughts_protocol::{Cell, Computer};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::cli::args::EngineArgs;
use conversation::{Answer, Conversation, Search};

/// The bytes that are read of a line. A longer line is answered with `ERROR`.
const LONGEST_LINE: usize = 512;
/// The lines that wait for their answer. Beyond that, no more are read.
const MAX_WAITING: usize = 64;

/// Answers the lines of standard input until `END` or its end.
pub(crate) fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let (sender, lines) = mpsc::channel(MAX_WAITING);
    // This thread lives as long as the program: nothing ends a read of standard input.
    std::thread::spawn(move || read(&mut io::stdin().lock(), &sender));
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(converse(lines, args))
}

async fn converse(mut lines: mpsc::Receiver<InputLine>, args: &EngineArgs) -> anyhow::Result<()> {
    let computer = Computer { strategy: args.strategy, strength: args.strength };
    let mut conversation = Conversation::new(args.time);
    let mut thinking: Option<Thinking> = None;
    loop {
        // A move that is found is said before the next line is heard.
        let line = tokio::select! {
            biased;
            cell = found(&mut thinking) => {
                thinking = None;
                say_move(&mut conversation, cell)?;
                continue;
            }
            line = lines.recv() => line,
        };
        let hurries = match &line {
            Some(InputLine::Text(text)) => conversation::hurries(text),
            Some(InputLine::TooLong) => false,
            // At the end of input nobody may be waiting.
            None => true,
        };
        if hurries && let Some(running) = thinking.take() {
            let cell = running.hurry().await;
            say_move(&mut conversation, cell)?;
        }
        let answer = match line {
            Some(InputLine::Text(text)) => conversation.take(&text),
            Some(InputLine::TooLong) => conversation.too_long(),
            None => Answer::End,
        };
        thinking = thinking.filter(|running| running.position == conversation.position());
        if let Some(running) = &thinking {
            running.allow(conversation.time());
        }
        match answer {
            Answer::Nothing => {}
            Answer::End => return Ok(()),
            Answer::Text(text) => say(&text)?,
            Answer::Search(search) => {
                let position = conversation.position();
                let time = conversation.time();
                thinking = Some(Thinking::begin(search, computer, position, time));
            }
        }
    }
}

/// Says a line. The protocol's managers read CR LF as well as LF, and send CR LF themselves.
fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{text}\r\n").as_bytes())?;
    out.flush()
}

fn say_move(conversation: &mut Conversation, cell: Option<Cell>) -> io::Result<()> {
    cell.map_or(Ok(()), |cell| say(&conversation.moved(cell)))
}

/// A search that runs. When this is dropped, the search ends, and nobody hears of its move.
#[derive(Debug)]
struct Thinking {
    cell: JoinHandle<Option<Cell>>,
    guard: CancelGuard,
    /// The milliseconds that it may take since it began.
    allowed: Arc<AtomicU64>,
    /// The number of the position that it is for.
    position: u64,
}

impl Thinking {
    fn begin(search: Search, computer: Computer, position: u64, time: Duration) -> Self {
        let allowed = Arc::new(AtomicU64::new(millis(time)));
        let limit = Allowed { since: Instant::now(), time: Arc::clone(&allowed) };
        let deadline = Deadline::new(limit).with_memory(search.memory);
        let guard = deadline.cancel_guard();
        let cell = tokio::task::spawn_blocking(move || {
            noughts_engine::choose(&search.game, computer, &deadline, &mut rand::rng())
                .map(|placed| placed.cell)
        });
        Self { cell, guard, allowed, position }
    }

    /// From now on the search may take so long since it began.
    fn allow(&self, time: Duration) {
        self.allowed.store(millis(time), Ordering::Relaxed);
    }

    /// Ends the search at once. Returns the best move so far.
    async fn hurry(self) -> Option<Cell> {
        drop(self.guard);
        self.cell.await.ok().flatten()
    }
}

/// Waits for the move of a search; for ever without one. Cancel-safe.
async fn found(thinking: &mut Option<Thinking>) -> Option<Cell> {
    match thinking {
        Some(running) => (&mut running.cell).await.ok().flatten(),
        None => std::future::pending().await,
    }
}

/// The time of a search, which changes while it runs.
#[derive(Debug)]
struct Allowed {
    since: Instant,
    time: Arc<AtomicU64>,
}

impl TimeLimit for Allowed {
    fn time_left(&self) -> Duration {
        let time = Duration::from_millis(self.time.load(Ordering::Relaxed));
        time.saturating_sub(self.since.elapsed())
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A line of the manager.
#[derive(Debug, PartialEq, Eq)]
enum InputLine {
    Text(String),
    TooLong,
}

/// Reads lines until the end of input, or the end of their reader.
fn read(input: &mut impl BufRead, lines: &mpsc::Sender<InputLine>) {
    while let Some(line) = next_line(input) {
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// The next line; `None` at the end of input or where it cannot be read.
fn next_line(input: &mut impl BufRead) -> Option<InputLine> {
    let mut line = Vec::new();
    let mut read = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if line.ends_with(b"\n") || read < LONGEST_LINE {
        return Some(InputLine::Text(without_mark(&String::from_utf8_lossy(&line)).to_owned()));
    }
    while !line.ends_with(b"\n") && read > 0 {
        line.clear();
        read = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line).ok()?;
    }
    Some(InputLine::TooLong)
}

#[cfg(test)]
mod tests {
    use super::{InputLine, LONGEST_LINE, next_line};

    fn text(line: &str) -> Option<InputLine> {
        Some(InputLine::Text(line.to_owned()))
    }

    #[test]
    fn lines_are_bounded_and_the_next_one_is_whole() {
        let long = "x".repeat(3 * LONGEST_LINE);
        let input = format!("ABOUT\r\n{long}\nBEGIN\nlast");
        let mut input = input.as_bytes();
        let mut next = || next_line(&mut input);
        assert_eq!(next(), text("ABOUT\r\n"));
        assert_eq!(next(), Some(InputLine::TooLong));
        assert_eq!(next(), text("BEGIN\n"));
        assert_eq!(next(), text("last"));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_line_that_just_fits_is_no_longer_one() {
        let fits = format!("{}\n", "x".repeat(LONGEST_LINE - 1));
        assert_eq!(next_line(&mut fits.as_bytes()), text(&fits));
        let endless = "x".repeat(LONGEST_LINE);
        assert_eq!(next_line(&mut endless.as_bytes()), Some(InputLine::TooLong));
    }
}
