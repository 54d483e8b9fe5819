//! `noughts-server engine`: a computer player for managers that speak the Gomocup protocol, the text
//! protocol of Piskvork (<https://plastovicka.github.io/protocl2en.htm>).
//!
//! A thread reads lines, another one searches, and [`converse`] hears both: what a manager says while a
//! search runs changes its time, ends it, or makes its move worthless. [`conversation`] decides what a line
//! means and has no I/O. [`clock`] ends a search so early that its answer is in time also on a busy machine.

mod budget;
mod clock;
mod conversation;

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_engine::action::{Action, decide};
use noughts_engine::{CancelGuard, Candidates, Deadline};
use noughts_protocol::text::without_mark;
use noughts_protocol::{Computer, NumberedGame, OpeningChoice, Strength};
use rand::seq::IndexedRandom;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::actor::or_pending;
use crate::cli::args::EngineArgs;
use clock::{Part, SearchClock};
use conversation::{Answer, Conversation, Found, Search};

/// The bytes that are read of a line. A longer line is answered with `ERROR`.
const LONGEST_LINE: usize = 512;
/// The lines that wait for their answer. Beyond that, no more are read.
const MAX_WAITING: usize = 64;
/// The most decisions that one answer takes, each with the same part of the time: in a swap2 opening a choice and
/// two marks, or three marks.
const MAX_DECISIONS: u32 = 3;
/// The part of `late` and `stood` that is kept for the next move, if that is in time and does not stand still.
const KEPT: f64 = 0.95;

/// Answers the lines of standard input until `END` or its end.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(args: &EngineArgs) -> anyhow::Result<()> {
    let (sender, lines) = mpsc::channel(MAX_WAITING);
    // This thread lives as long as the program: nothing ends a read of standard input.
    std::thread::spawn(move || read(&mut io::stdin().lock(), &sender));
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(converse(lines, args))
}

async fn converse(
    mut lines: mpsc::Receiver<(InputLine, Instant)>,
    args: &EngineArgs,
) -> anyhow::Result<()> {
    let computer = Computer { strategy: args.strategy, strength: args.strength };
    let mut conversation = Conversation::new(args.time);
    let mut thinking: Option<Thinking> = None;
    // How late the last answers were, and how long their searches stood still.
    let mut late = Duration::ZERO;
    let mut stood = Duration::ZERO;
    loop {
        // A move that is found is said before the next line is heard.
        let found = thinking.as_mut().map(|running| &mut running.found);
        let line = tokio::select! {
            biased;
            found = or_pending(found) => {
                if let Some(ended) = thinking.take() {
                    late = ended.clock.over().max(late.mul_f64(KEPT));
                    stood = ended.clock.stood().mul_f64(KEPT);
                }
                say_found(&mut conversation, found.ok().flatten())?;
                continue;
            }
            line = lines.recv() => line,
        };
        let hurries = match &line {
            Some((InputLine::Text(text), _)) => conversation::hurries(text),
            Some((InputLine::TooLong, _)) => false,
            // At the end of input nobody may be waiting.
            None => true,
        };
        if hurries && let Some(running) = thinking.take() {
            let found = running.hurry().await;
            say_found(&mut conversation, found)?;
        }
        let (answer, since) = match line {
            Some((InputLine::Text(text), read)) => (conversation.take(&text), read),
            Some((InputLine::TooLong, read)) => (conversation.too_long(), read),
            None => (Answer::End, Instant::now()),
        };
        thinking = thinking.filter(|running| running.position == conversation.position());
        let time = conversation.time().saturating_sub(late);
        if let Some(running) = &thinking {
            running.clock.allow(time);
        }
        match answer {
            Answer::Nothing => {}
            Answer::End => return Ok(()),
            Answer::Text(text) => say(&text)?,
            Answer::Search(search) => {
                let position = conversation.position();
                let clock = SearchClock::new(since, time, stood);
                thinking = Some(Thinking::begin(search, computer, args.positions, position, clock));
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

fn say_found(conversation: &mut Conversation, found: Option<Decision>) -> io::Result<()> {
    let Some((found, message)) = found else { return Ok(()) };
    if let Some(message) = message {
        say(&message)?;
    }
    say(&conversation.found(found))
}

/// A decision, and a message about the search.
type Decision = (Found, Option<String>);

/// A search that runs. When this is dropped, the search ends, and nobody hears of its result.
#[derive(Debug)]
struct Thinking {
    found: JoinHandle<Option<Decision>>,
    guards: Vec<CancelGuard>,
    clock: Arc<SearchClock>,
    /// The number of the position that it is for.
    position: u64,
}

impl Thinking {
    fn begin(
        search: Search,
        computer: Computer,
        positions: Option<u64>,
        position: u64,
        clock: SearchClock,
    ) -> Self {
        let clock = Arc::new(clock);
        let decisions = if search.game.opening.is_some() { MAX_DECISIONS } else { 1 };
        let deadline = |decision| {
            let part = f64::from(decision) / f64::from(decisions);
            let deadline = Deadline::new(Part { clock: Arc::clone(&clock), part });
            deadline.with_memory(search.memory).with_positions(positions)
        };
        let deadlines: Vec<Deadline> = (1..=decisions).map(deadline).collect();
        let guards = deadlines.iter().map(Deadline::cancel_guard).collect();
        let found = tokio::task::spawn_blocking(move || find(search.game, computer, &deadlines));
        Self { found, guards, clock, position }
    }

    /// Ends the search at once. Returns the best so far.
    async fn hurry(self) -> Option<Decision> {
        drop(self.guards);
        self.found.await.ok().flatten()
    }
}

/// The search in numbers; `None` where there was none.
fn message(candidates: &Candidates) -> Option<String> {
    let Candidates { depth, evaluation, nodes, .. } = candidates;
    let evaluation = evaluation.map_or(String::new(), |evaluation| format!(" eval {evaluation}"));
    (*nodes > 0).then(|| format!("MESSAGE depth {depth}{evaluation} nodes {nodes}"))
}

/// Decides until the answer is whole, each time within the next deadline.
fn find(mut game: NumberedGame, computer: Computer, deadlines: &[Deadline]) -> Option<Decision> {
    let rng = &mut rand::rng();
    let mut marks = Vec::new();
    for deadline in deadlines {
        let errs = computer.strategy.has_strengths() && computer.strength < Strength::VeryStrong;
        if game.opening.is_none() && !errs {
            let candidates = noughts_engine::candidates(&game.game, computer, deadline);
            let cell = *candidates.moves.choose(rng)?;
            return Some((Found::Move(cell), message(&candidates)));
        }
        match decide(&game, computer, deadline, rng)? {
            Action::Choose(OpeningChoice::X) => return Some((Found::Swap, None)),
            Action::Choose(choice) => game.opening = game.opening?.after_choice(choice)?.opening,
            Action::Place(placed) => {
                if game.opening.is_none() {
                    return Some((Found::Move(placed.cell), None));
                }
                let after = game.decide(game.game.move_with(placed)).ok()?;
                game.game.place(placed, None);
                marks.push(placed.cell);
                if after.opening.is_some() {
                    return Some((Found::Marks(marks), None));
                }
            }
        }
    }
    None
}

/// A line of the manager.
#[derive(Debug, PartialEq, Eq)]
enum InputLine {
    Text(String),
    TooLong,
}

/// Reads lines, and when they came, until the end of input or of their reader.
fn read(input: &mut impl BufRead, lines: &mpsc::Sender<(InputLine, Instant)>) {
    while let Some(line) = next_line(input) {
        if lines.blocking_send((line, Instant::now())).is_err() {
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
    use std::time::Duration;

    use noughts_engine::Deadline;
    use noughts_protocol::{Computer, OpeningChoice, Strength};

    use super::conversation::{Answer, Conversation, Found};
    use super::{InputLine, LONGEST_LINE, MAX_DECISIONS, find, next_line};

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

    /// An average computer's answer to a swap2 opening on 15 × 15; if it `adds`, after that choice.
    fn opens(marks: &[&str], adds: bool) -> Found {
        let mut manager = Conversation::new(Duration::from_secs(1));
        for line in ["START 15", "SWAP2BOARD"].iter().chain(marks) {
            manager.take(line);
        }
        let Answer::Search(mut search) = manager.take("DONE") else { panic!("no search") };
        if adds {
            let choosing = search.game.opening.unwrap();
            search.game.opening = choosing.after_choice(OpeningChoice::Add).unwrap().opening;
        }
        let deadlines: Vec<_> = (0..MAX_DECISIONS).map(|_| Deadline::none()).collect();
        let computer = Computer { strength: Strength::Average, ..Computer::default() };
        find(search.game, computer, &deadlines).unwrap().0
    }

    #[test]
    fn each_question_of_a_swap2_opening_has_its_answers() {
        let marks = |found: Found| match found {
            Found::Marks(cells) => cells.len(),
            found => panic!("{found:?}"),
        };
        assert_eq!(marks(opens(&[], false)), 3);
        assert_eq!(marks(opens(&["7,7", "8,8", "3,8"], true)), 2);
        // X has three in a row; O has the middle.
        assert_eq!(opens(&["7,7", "0,0", "8,7", "0,1", "9,7"], false), Found::Swap);
        assert!(matches!(opens(&["0,0", "7,7", "14,0", "8,8", "0,14"], false), Found::Move(_)));
    }
}
