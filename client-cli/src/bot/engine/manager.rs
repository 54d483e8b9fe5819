//! The manager's side of a conversation with a program: what is said to it, and what its lines mean.
//! It has no clock and no I/O.

use std::time::Duration;

use noughts_protocol::{BoardSpec, Cell, DisplayText, Mark, PlayerName, Variant};

use super::about;
use super::lines::Line;

/// The lines that a program may write until its next move. More are a fault.
const MAX_LINES: u32 = 2_000;
/// The lines that get a program ready before it has a seat, for the usual board.
const FIRST_BOARD: &str = "START 15";
/// The messages of a program that are shown for a move.
const MAX_MESSAGES: u32 = 5;

/// A move that a program is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The board.
    pub(crate) board: BoardSpec,
    /// How the game is won. The protocol itself knows five in a row, and exactly five.
    pub(crate) variant: Variant,
    /// The program's side.
    pub(crate) side: Mark,
    /// The mark of each move, in a variant that the protocol does not know.
    pub(crate) placed: Vec<Mark>,
    /// The cells that were played, in order. The program plays the next one.
    pub(crate) moves: Vec<Cell>,
}

impl Turn {
    /// Whether the protocol itself knows how the game is won.
    pub(crate) const fn is_known(&self) -> bool {
        self.variant.is_gomoku_like()
    }
}

/// The meaning of a line of a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Nothing follows.
    Nothing,
    /// These lines are said to the program.
    Say(Vec<String>),
    /// The program plays a cell, with this mark if it names one. As far as the protocol knows the rules,
    /// the cell is empty.
    Played(Cell, Option<Mark>),
    /// The program's name; `None` if it tells none that is legal.
    Named(Option<PlayerName>),
    /// A message for people.
    Message(DisplayText),
    /// The program has to be started again, as the protocol has it for programs that know no
    /// `RESTART`.
    StartAgain,
}

/// A fault of a program. No answer of it can be trusted after that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// It says that it cannot do what it was asked.
    #[error("it answered {0}")]
    Refused(DisplayText),
    /// No line was a cell.
    #[error("it played no cell in time, and its last line was {0}")]
    NoCell(DisplayText),
    /// The board has no such cell.
    #[error("it played {0}, which is not on the board")]
    Outside(DisplayText),
    /// The cell has a mark.
    #[error("it played {0}, which is taken")]
    Taken(String),
    /// It writes and writes.
    #[error("it wrote lines without end")]
    Endless,
}

/// The question that the next line of a program answers.
#[derive(Debug)]
pub(super) enum Awaited {
    Nothing,
    About,
    /// `OK`; then these lines are said. The second field: whether `UNKNOWN` means no failure.
    Ok(Vec<String>, bool),
    Cell,
}

/// The manager of a program that has just been started.
#[derive(Debug)]
pub(super) struct Manager {
    pub(super) awaited: Awaited,
    /// The position on the program's own board; `None` before `START`.
    known: Option<Turn>,
    /// The position that it was asked about last.
    asked: Option<Turn>,
    lines_left: u32,
    messages_left: u32,
    /// The `INFO` lines that it may still answer with `ERROR` or `UNKNOWN`, as some programs do.
    infos_left: usize,
    /// The last line that was no cell while one was awaited.
    unread: Option<DisplayText>,
}

impl Manager {
    pub(super) const fn new() -> Self {
        Self {
            awaited: Awaited::Nothing,
            known: None,
            asked: None,
            lines_left: MAX_LINES,
            messages_left: MAX_MESSAGES,
            infos_left: 0,
            unread: None,
        }
    }

    /// Whether an answer is awaited.
    pub(super) const fn is_waiting(&self) -> bool {
        !matches!(self.awaited, Awaited::Nothing)
    }

    /// Whether the program thinks about a move.
    pub(super) const fn is_thinking(&self) -> bool {
        matches!(self.awaited, Awaited::Cell)
    }

    /// Asks for the program's name. Returns what to say.
    pub(super) fn about(&mut self) -> Vec<String> {
        self.awaited = Awaited::About;
        vec!["ABOUT".to_owned()]
    }

    /// Asks the program to get ready for a board. Returns what to say.
    pub(super) fn get_ready(&mut self) -> Vec<String> {
        (self.lines_left, self.messages_left) = (MAX_LINES, MAX_MESSAGES);
        self.awaited = Awaited::Ok(Vec::new(), false);
        vec![FIRST_BOARD.to_owned()]
    }

    /// Asks for a move within a time. Returns what to say. No answer may be awaited.
    pub(super) fn ask(&mut self, turn: &Turn, time: Duration) -> Vec<String> {
        (self.lines_left, self.messages_left) = (MAX_LINES, MAX_MESSAGES);
        self.asked = Some(turn.clone());
        self.unread = None;
        let known = self.known.take().filter(|known| known.board == turn.board);
        let mut info = info(time, turn);
        self.infos_left = info.len();
        let Some(known) = known else {
            self.awaited = Awaited::Ok([info, position(turn)].concat(), false);
            return vec![start(turn.board)];
        };
        match &turn.moves[..] {
            [before @ .., last] if *before == known.moves[..] => {
                self.awaited = Awaited::Cell;
                let mark = mark_at(turn, before.len());
                info.push(format!("TURN {}{mark}", coordinates(turn.board, *last)));
                info
            }
            _ => {
                self.awaited = Awaited::Ok([info, position(turn)].concat(), true);
                vec!["RESTART".to_owned()]
            }
        }
    }

    /// Takes a line of the program in.
    pub(super) fn hear(&mut self, line: &Line) -> Result<Reply, Fault> {
        self.lines_left = self.lines_left.checked_sub(1).ok_or(Fault::Endless)?;
        let (word, rest) = line.text.split_once(char::is_whitespace).unwrap_or((&line.text, ""));
        let word = word.to_ascii_uppercase();
        match &*word {
            "DEBUG" => return Ok(Reply::Nothing),
            "MESSAGE" => return Ok(self.message(rest)),
            _ => {}
        }
        match std::mem::replace(&mut self.awaited, Awaited::Nothing) {
            // It may talk to itself.
            Awaited::Nothing => Ok(Reply::Nothing),
            Awaited::About if word == "UNKNOWN" || word == "ERROR" => Ok(Reply::Named(None)),
            Awaited::About => Ok(Reply::Named(about::name(&line.text))),
            Awaited::Ok(say, _) if word.starts_with("OK") => {
                self.awaited = Awaited::Cell;
                Ok(Reply::Say(say))
            }
            Awaited::Ok(_, true) if word == "UNKNOWN" => Ok(Reply::StartAgain),
            Awaited::Ok(..) if word == "ERROR" || word == "UNKNOWN" => {
                Err(Fault::Refused(shown(line)))
            }
            awaited @ Awaited::Ok(..) => {
                // Some programs greet before they answer.
                self.awaited = awaited;
                Ok(Reply::Nothing)
            }
            Awaited::Cell => {
                let reply = match &*word {
                    "ERROR" | "UNKNOWN" => self.complained(line),
                    "SUGGEST" => self.suggested(line, rest),
                    _ => self.played(line),
                };
                if !matches!(reply, Ok(Reply::Played(..))) {
                    self.awaited = Awaited::Cell;
                }
                reply
            }
        }
    }

    /// Why no cell has come in time, if that is the program's fault and not its speed.
    pub(super) fn late(&mut self) -> Option<Fault> {
        self.unread.take().map(Fault::NoCell)
    }

    /// It cannot do what it was asked; perhaps that is an `INFO` alone, and it plays.
    fn complained(&mut self, line: &Line) -> Result<Reply, Fault> {
        let refused = || Fault::Refused(shown(line));
        self.infos_left = self.infos_left.checked_sub(1).ok_or_else(refused)?;
        Ok(self.skipped(line))
    }

    /// Skips a line that is no cell.
    fn skipped(&mut self, line: &Line) -> Reply {
        self.unread = Some(shown(line));
        Reply::Nothing
    }

    fn suggested(&mut self, line: &Line, text: &str) -> Result<Reply, Fault> {
        let Some((cell, None)) = self.cell(line, text)? else { return Ok(self.skipped(line)) };
        let cell = self.asked.as_ref().map(|turn| coordinates(turn.board, cell));
        Ok(Reply::Say(vec![format!("PLAY {}", cell.unwrap_or_default())]))
    }

    fn message(&mut self, text: &str) -> Reply {
        let Some(left) = self.messages_left.checked_sub(1) else { return Reply::Nothing };
        self.messages_left = left;
        Reply::Message(DisplayText::from(text.trim()))
    }

    fn played(&mut self, line: &Line) -> Result<Reply, Fault> {
        let Some((cell, mark)) = self.cell(line, &line.text)? else {
            return Ok(self.skipped(line));
        };
        let chooses = self.asked.as_ref().is_some_and(|turn| !turn.is_known());
        let mark = match mark {
            None => None,
            Some("x" | "X") if chooses => Some(Mark::X),
            Some("o" | "O") if chooses => Some(Mark::O),
            Some(_) => return Ok(self.skipped(line)),
        };
        let Some(mut turn) = self.asked.take() else { return Ok(Reply::Nothing) };
        if turn.is_known() && turn.moves.contains(&cell) {
            return Err(Fault::Taken(turn.board.label(cell)));
        }
        turn.moves.push(cell);
        self.known = Some(turn);
        Ok(Reply::Played(cell, mark))
    }

    /// The cell in an answer such as `7,7`, and the word after another comma; more may follow after a space.
    /// `None` if the answer is no cell.
    fn cell<'a>(
        &self,
        line: &Line,
        text: &'a str,
    ) -> Result<Option<(Cell, Option<&'a str>)>, Fault> {
        let Some((x, y, rest)) = numbers(text).filter(|(.., rest)| !(line.cut && rest.is_empty()))
        else {
            return Ok(None);
        };
        let board = self.asked.as_ref().map(|turn| turn.board);
        match board.and_then(|board| board.cell_at(x, y)) {
            Some(cell) => {
                let mark = rest.trim_start().strip_prefix(',');
                let word = mark.map(|mark| mark.split_whitespace().next().unwrap_or_default());
                Ok(Some((cell, word)))
            }
            None if rest.is_empty() => Err(Fault::Outside(shown(line))),
            // As "12,345 positions".
            None => Ok(None),
        }
    }
}

/// Two numbers with a comma at the beginning of a text, and the rest of it: nothing, or what follows a space or a
/// comma.
fn numbers(text: &str) -> Option<(i16, i16, &str)> {
    let (x, after) = text.split_once(',')?;
    let after = after.trim_start();
    let end = after.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(after.len());
    let (y, rest) = after.split_at(end);
    Some((x.trim().parse().ok()?, y.parse().ok()?, rest))
}

/// The beginning of a line, as it may be shown.
fn shown(line: &Line) -> DisplayText {
    /// The characters that are shown.
    const MOST: usize = 80;
    let mut text: String = line.text.chars().take(MOST).collect();
    if line.cut || text.len() < line.text.len() {
        text.push('…');
    }
    text.into()
}

fn start(board: BoardSpec) -> String {
    let width = board.width();
    let height = board.height();
    if width == height { format!("START {width}") } else { format!("RECTSTART {width},{height}") }
}

/// The limits that a program is told before a move.
fn info(time: Duration, turn: &Turn) -> Vec<String> {
    let ms = time.as_millis().min(2_147_483_647);
    // The opponent is a person, or the program does not know; no limit for a game.
    let rule = if turn.variant == Variant::Exact { "rule 1" } else { "rule 0" };
    let side = format!("INFO side {}", turn.side.letter().to_ascii_lowercase());
    let more = [format!("INFO variant {}", turn.variant.name()), side];
    let more = more.into_iter().filter(|_| !turn.is_known());
    let facts = ["timeout_match 0", "time_left 2147483647", "max_memory 0", "game_type 0", rule];
    let facts = facts.into_iter().map(|fact| format!("INFO {fact}"));
    std::iter::once(format!("INFO timeout_turn {ms}")).chain(facts).chain(more).collect()
}

/// The lines that set an empty board up and ask for a move.
fn position(turn: &Turn) -> Vec<String> {
    match turn.moves[..] {
        [] => vec!["BEGIN".to_owned()],
        [only] if turn.is_known() => vec![format!("TURN {}", coordinates(turn.board, only))],
        _ => {
            let stone = |(at, cell): (usize, &Cell)| {
                // The program made every second move before its own.
                let own = (turn.moves.len() - at).is_multiple_of(2);
                let who = if own { 1 } else { 2 };
                let cell = coordinates(turn.board, *cell);
                let mark = mark_at(turn, at);
                format!("{cell},{who}{mark}")
            };
            let stones = turn.moves.iter().enumerate().map(stone);
            ["BOARD".to_owned()].into_iter().chain(stones).chain(["DONE".to_owned()]).collect()
        }
    }
}

/// The mark of a move as `,x`; empty where each side places its own.
fn mark_at(turn: &Turn, at: usize) -> String {
    turn.placed.get(at).map(|mark| format!(",{mark}").to_lowercase()).unwrap_or_default()
}

fn coordinates(board: BoardSpec, cell: Cell) -> String {
    let (x, y) = board.position(cell);
    format!("{x},{y}")
}

#[cfg(test)]
mod tests;
