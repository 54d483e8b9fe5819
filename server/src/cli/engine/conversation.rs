//! The conversation with a manager: text in, text out. It has no clock and no I/O.

use std::time::Duration;

use noughts_protocol::{BoardSpec, Cell, Game};

use super::budget::Limits;
use crate::cli::position;

/// The marks in a row that win.
const LINE: u8 = 5;
/// The rules that are not played, by their bit.
const OTHER_RULES: [(i64, &str); 4] =
    [(1, "exactly five in a row"), (2, "continuous games"), (4, "renju"), (8, "Caro")];

/// The reaction to a line.
#[derive(Debug)]
pub(super) enum Answer {
    /// Nothing is answered.
    Nothing,
    /// This text is answered.
    Text(String),
    /// This is searched, and its move is answered.
    Search(Search),
    /// The program ends.
    End,
}

/// A search for a move.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) game: Game,
    /// The bytes that it may use.
    pub(super) memory: Option<usize>,
}

/// A mark on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stone {
    cell: Cell,
    own: bool,
}

/// A conversation with a manager.
#[derive(Debug)]
pub(super) struct Conversation {
    /// The board; `None` before `START`.
    board: Option<BoardSpec>,
    /// At most one for each cell.
    stones: Vec<Stone>,
    /// Counts what replaces the position of a running search.
    position: u64,
    /// Whether the lines of a `BOARD` are coming, and the first error in them.
    placing: Option<Result<(), String>>,
    /// Whether marks and a `DONE` that come now belong to a command that was unknown, as `SWAP2BOARD`. It
    /// has its answer already.
    skipping: bool,
    limits: Limits,
    rules: i64,
    /// The time for a move where the manager sets none.
    usual: Duration,
}

/// Whether a running search answers at once, before this line is taken in.
pub(super) fn hurries(line: &str) -> bool {
    matches!(&*split(line).0, "STOP" | "YXSTOP" | "TURN" | "BEGIN")
}

/// The command of a line in capitals, and what follows it.
fn split(line: &str) -> (String, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.to_ascii_uppercase(), rest.trim())
}

impl Conversation {
    /// A conversation in which `usual` is the time for a move unless the manager sets one.
    pub(super) fn new(usual: Duration) -> Self {
        Self {
            board: None,
            stones: Vec::new(),
            position: 0,
            placing: None,
            skipping: false,
            limits: Limits::default(),
            rules: 0,
            usual,
        }
    }

    /// The number of the position: a search for an earlier one is worthless.
    pub(super) const fn position(&self) -> u64 {
        self.position
    }

    /// How long a search may take.
    pub(super) fn time(&self) -> Duration {
        self.limits.time(self.usual)
    }

    /// Takes a line in that is too long to be read.
    pub(super) fn too_long(&mut self) -> Answer {
        self.wrong("the line is too long".to_owned())
    }

    /// Takes a line in.
    pub(super) fn take(&mut self, line: &str) -> Answer {
        let (word, rest) = split(line);
        if self.placing.is_some() && !matches!(&*word, "" | "END" | "DONE") {
            return self.stone(line.trim());
        }
        if self.skipping {
            let is_mark = word.starts_with(|c: char| c.is_ascii_digit());
            self.skipping = is_mark || word.is_empty();
            if self.skipping || word == "DONE" {
                return Answer::Nothing;
            }
        }
        let done = match &*word {
            // A search that ran has answered by now.
            "" | "STOP" | "YXSTOP" => return Answer::Nothing,
            "END" => return Answer::End,
            "INFO" => return self.info(rest),
            "ABOUT" => Ok(about()),
            "START" => self.start(rest),
            "RECTSTART" => self.rectangle(rest),
            "RESTART" => self.restart(),
            "TAKEBACK" => self.take_back(rest),
            "BEGIN" => return self.begin(),
            "TURN" => return self.turn(rest),
            "BOARD" => return self.board(),
            "DONE" => return self.done(),
            _ => {
                self.skipping = true;
                return Answer::Text("UNKNOWN no such command".to_owned());
            }
        };
        Answer::Text(done.unwrap_or_else(|why| error(&why)))
    }

    /// Plays a move that was searched for. Returns its answer.
    pub(super) fn moved(&mut self, cell: Cell) -> String {
        self.stones.push(Stone { cell, own: true });
        let (x, y) = self.board.map(|board| board.position(cell)).unwrap_or_default();
        format!("{x},{y}")
    }

    /// Answers an error, or keeps it until all marks of a `BOARD` have come.
    fn wrong(&mut self, why: String) -> Answer {
        let Some(placing) = &mut self.placing else { return Answer::Text(error(&why)) };
        if placing.is_ok() {
            *placing = Err(why);
        }
        Answer::Nothing
    }

    fn info(&mut self, rest: &str) -> Answer {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        // Lines that cannot be read or are not needed are ignored.
        let Ok(value) = value.trim().parse::<i64>() else { return Answer::Nothing };
        match &*key.to_ascii_lowercase() {
            "timeout_turn" => self.limits.turn = Some(value),
            "timeout_match" => self.limits.game = Some(value),
            "time_left" => self.limits.left = Some(value),
            "max_memory" => self.limits.memory = Some(value),
            "rule" => self.rules = value,
            _ => {}
        }
        Answer::Nothing
    }

    fn start(&mut self, rest: &str) -> Result<String, String> {
        let size: u8 = rest.parse().map_err(|_| "START needs a size, as in START 15")?;
        self.empty(size, size)
    }

    fn rectangle(&mut self, rest: &str) -> Result<String, String> {
        let wrong = "RECTSTART needs width and height, as in RECTSTART 15,10";
        let [width, height] = numbers(rest).ok_or(wrong)?;
        let side = |side: i16| u8::try_from(side).map_err(|_| wrong);
        self.empty(side(width)?, side(height)?)
    }

    fn empty(&mut self, width: u8, height: u8) -> Result<String, String> {
        let board = BoardSpec::new(width, height, LINE).map_err(|why| why.to_string())?;
        (self.board, self.stones) = (Some(board), Vec::new());
        self.position += 1;
        Ok("OK".to_owned())
    }

    fn restart(&mut self) -> Result<String, String> {
        self.spec()?;
        self.stones.clear();
        self.position += 1;
        Ok("OK".to_owned())
    }

    fn take_back(&mut self, rest: &str) -> Result<String, String> {
        let cell = self.cell(rest)?;
        let found = self.stones.iter().position(|stone| stone.cell == cell);
        self.stones.remove(found.ok_or("that cell is empty")?);
        self.position += 1;
        Ok("OK".to_owned())
    }

    fn begin(&self) -> Answer {
        if self.stones.is_empty() {
            return self.search();
        }
        Answer::Text(error("BEGIN is for an empty board: RESTART empties it"))
    }

    fn turn(&mut self, rest: &str) -> Answer {
        if let Err(why) = self.place(rest, false) {
            return Answer::Text(error(&why));
        }
        let answer = self.search();
        if !matches!(answer, Answer::Search(_)) {
            // A refused line leaves no trace.
            self.stones.pop();
        }
        answer
    }

    fn board(&mut self) -> Answer {
        self.stones.clear();
        self.position += 1;
        // Also without a board, the marks that follow are no commands.
        self.placing = Some(self.spec().map(drop));
        Answer::Nothing
    }

    /// Takes a line of a `BOARD`.
    fn stone(&mut self, line: &str) -> Answer {
        let placed = line.rsplit_once(',').map(|(cell, whose)| (cell, whose.trim()));
        let result = match placed {
            Some((cell, "1")) => self.place(cell, true),
            Some((cell, "2")) => self.place(cell, false),
            _ => Err("BOARD needs lines such as 7,7,1, and DONE".to_owned()),
        };
        match result {
            Ok(()) => Answer::Nothing,
            Err(why) => self.wrong(why),
        }
    }

    fn done(&mut self) -> Answer {
        match self.placing.take() {
            None => Answer::Text(error("DONE ends a BOARD, and there is none")),
            Some(Ok(())) => self.search(),
            Some(Err(why)) => {
                self.stones.clear();
                Answer::Text(error(&why))
            }
        }
    }

    fn spec(&self) -> Result<BoardSpec, String> {
        self.board.ok_or_else(|| "there is no board: START makes one".to_owned())
    }

    fn cell(&self, text: &str) -> Result<Cell, String> {
        let board = self.spec()?;
        let [x, y] = numbers(text).ok_or("a cell is column and row, as in 7,7")?;
        board.cell_at(x, y).ok_or_else(|| format!("{x},{y} is not on the board"))
    }

    fn place(&mut self, text: &str, own: bool) -> Result<(), String> {
        let cell = self.cell(text)?;
        if self.stones.iter().any(|stone| stone.cell == cell) {
            return Err("that cell is taken".to_owned());
        }
        self.stones.push(Stone { cell, own });
        Ok(())
    }

    /// A search for the next move, or why there is none.
    fn search(&self) -> Answer {
        match self.game() {
            Ok(game) => Answer::Search(Search { game, memory: self.limits.memory() }),
            Err(why) => Answer::Text(error(&why)),
        }
    }

    /// The game with this side to move, as X.
    fn game(&self) -> Result<Game, String> {
        let board = self.spec()?;
        if let Some((_, rule)) = OTHER_RULES.iter().find(|(bit, _)| self.rules & bit != 0) {
            return Err(format!("this program does not play {rule}: set INFO rule 0"));
        }
        let mark = |cell| match self.stones.iter().find(|stone| stone.cell == cell) {
            Some(Stone { own: true, .. }) => 'X',
            Some(Stone { own: false, .. }) => 'O',
            None => '.',
        };
        let text: String = board.all_cells().map(mark).collect();
        let game = position::parse(&text, board, None).map_err(|why| why.to_string())?;
        match game.turn() {
            None => Err("the game is over".to_owned()),
            Some(noughts_protocol::Mark::O) => Err("it is the opponent's turn".to_owned()),
            Some(noughts_protocol::Mark::X) => Ok(game),
        }
    }
}

/// Numbers between commas, with spaces around them or not.
fn numbers<const N: usize>(text: &str) -> Option<[i16; N]> {
    let numbers: Option<Vec<i16>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

fn error(why: &str) -> String {
    format!("ERROR {why}")
}

fn about() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("name=\"Noughts\", version=\"{version}\"")
}

#[cfg(test)]
mod tests;
