//! The conversation with a manager: text in, text out. It has no clock and no I/O.

use std::time::Duration;

use noughts_protocol::opening::SWAP2_PLIES;
use noughts_protocol::{
    Board, BoardSpec, Cell, Game, Mark, NumberedGame, OpeningPhase, Placement, Rules, Variant,
};

use super::budget::Limits;

/// The marks in a row that win.
const LINE: u8 = 5;
/// The bit of the rule that exactly five win.
const EXACTLY: i64 = 1;
/// The rules that are not played, by their bit.
const OTHER_RULES: [(i64, &str); 3] = [(2, "continuous games"), (4, "renju"), (8, "Caro")];

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

/// A search for a move, or for what to do in a swap2 opening.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) game: NumberedGame,
    /// The bytes that it may use.
    pub(super) memory: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// A move.
    Move(Cell),
    /// The marks of a swap2 opening, for the opponent to choose a side.
    Marks(Vec<Cell>),
    /// The other side, in a swap2 opening.
    Swap,
}

/// A block of lines that is coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// The marks of a position.
    Board,
    /// The marks of a swap2 opening, in order.
    Swap2,
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
    /// The block whose lines are coming, and the first error in them.
    placing: Option<(Block, Result<(), String>)>,
    /// Whether marks and a `DONE` that come now belong to a command that was unknown, as `YXBOARD`. It
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
        if let Some((block, _)) = self.placing
            && !matches!(&*word, "" | "END" | "DONE")
        {
            return self.stone(block, line.trim());
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
            "ABOUT" => return Answer::Text(about()),
            "START" => self.start(rest),
            "RECTSTART" => self.rectangle(rest),
            "RESTART" => self.restart(),
            "TAKEBACK" => self.take_back(rest),
            "BEGIN" => return self.begin(),
            "TURN" => return self.turn(rest),
            "BOARD" => return self.block(Block::Board),
            "SWAP2BOARD" => return self.block(Block::Swap2),
            "DONE" => return self.done(),
            _ => {
                self.skipping = true;
                return Answer::Text("UNKNOWN no such command".to_owned());
            }
        };
        Answer::Text(done.map_or_else(|why| error(&why), |()| "OK".to_owned()))
    }

    /// Takes in what was searched for. Returns its answer.
    pub(super) fn found(&mut self, found: Found) -> String {
        match found {
            Found::Move(cell) => {
                self.stones.push(Stone { cell, own: true });
                self.text_of(cell)
            }
            Found::Marks(cells) => {
                // Whose they are is not known yet: a BOARD will say it.
                self.stones.clear();
                cells.iter().map(|cell| self.text_of(*cell)).collect::<Vec<_>>().join(" ")
            }
            Found::Swap => {
                self.stones.iter_mut().for_each(|stone| stone.own = !stone.own);
                "SWAP".to_owned()
            }
        }
    }

    fn text_of(&self, cell: Cell) -> String {
        let (x, y) = self.board.map(|board| board.position(cell)).unwrap_or_default();
        format!("{x},{y}")
    }

    /// Answers an error, or keeps it until all marks of a block have come.
    fn wrong(&mut self, why: String) -> Answer {
        let Some((_, placing)) = &mut self.placing else { return Answer::Text(error(&why)) };
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

    fn start(&mut self, rest: &str) -> Result<(), String> {
        let size: u8 = rest.parse().map_err(|_| "START needs a size, as in START 15")?;
        self.empty(size, size)
    }

    fn rectangle(&mut self, rest: &str) -> Result<(), String> {
        let wrong = "RECTSTART needs width and height, as in RECTSTART 15,10";
        let [width, height] = numbers(rest).ok_or(wrong)?;
        let side = |side: i16| u8::try_from(side).map_err(|_| wrong);
        self.empty(side(width)?, side(height)?)
    }

    fn empty(&mut self, width: u8, height: u8) -> Result<(), String> {
        let board = BoardSpec::for_programs(width, height, LINE);
        self.board = Some(board.ok_or("a board has sides of 3 to 20, one of them at least 5")?);
        self.restart()
    }

    fn restart(&mut self) -> Result<(), String> {
        self.spec()?;
        self.stones.clear();
        self.position += 1;
        Ok(())
    }

    fn take_back(&mut self, rest: &str) -> Result<(), String> {
        let cell = self.cell(rest)?;
        let found = self.stones.iter().position(|stone| stone.cell == cell);
        self.stones.remove(found.ok_or("that cell is empty")?);
        self.position += 1;
        Ok(())
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

    fn block(&mut self, block: Block) -> Answer {
        self.stones.clear();
        self.position += 1;
        // Also without a board, the marks that follow are no commands.
        self.placing = Some((block, self.spec().map(drop)));
        Answer::Nothing
    }

    /// Takes a line of a block.
    fn stone(&mut self, block: Block, line: &str) -> Answer {
        let placed = line.rsplit_once(',').map(|(cell, whose)| (cell, whose.trim()));
        let result = match (block, placed) {
            // X has placed the first mark, and the side that is asked is O.
            (Block::Swap2, _) => self.place(line, self.stones.len() % 2 == 1),
            (Block::Board, Some((cell, "1"))) => self.place(cell, true),
            (Block::Board, Some((cell, "2"))) => self.place(cell, false),
            (Block::Board, _) => Err("BOARD needs lines such as 7,7,1, and DONE".to_owned()),
        };
        match result {
            Ok(()) => Answer::Nothing,
            Err(why) => self.wrong(why),
        }
    }

    fn done(&mut self) -> Answer {
        match self.placing.take() {
            None => Answer::Text(error("DONE ends a BOARD, and there is none")),
            Some((Block::Board, Ok(()))) => self.search(),
            Some((Block::Swap2, Ok(()))) => self.opening(),
            Some((_, Err(why))) => {
                self.stones.clear();
                Answer::Text(error(&why))
            }
        }
    }

    /// A search for what to do with the marks of a swap2 opening.
    fn opening(&self) -> Answer {
        let [first, second] = SWAP2_PLIES.map(usize::from);
        let by = Mark::O;
        let phase = match self.stones.len() {
            0 => OpeningPhase::first(by),
            marks if marks == first => OpeningPhase::Choosing { by, may_add: true },
            marks if marks == second => OpeningPhase::Choosing { by, may_add: false },
            _ => return Answer::Text(error("SWAP2BOARD needs no marks, three or five")),
        };
        let cells: Vec<Cell> = self.stones.iter().map(|stone| stone.cell).collect();
        let game = self.rules().and_then(|rules| {
            if !rules.board.admits_swap2() {
                return Err("swap2 needs a board of 13 × 13 or more".to_owned());
            }
            Game::replay(rules, Mark::X, &cells, &[]).map_err(|why| why.to_string())
        });
        self.search_in(game, Some(phase))
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
        self.search_in(self.game(), None)
    }

    fn search_in(&self, game: Result<Game, String>, opening: Option<OpeningPhase>) -> Answer {
        match game {
            Ok(game) if game.turn().is_some() => {
                let game = NumberedGame { number: 1, game, opening, id: None };
                Answer::Search(Search { game, memory: self.limits.memory() })
            }
            Ok(_) => Answer::Text(error("the game is over")),
            Err(why) => Answer::Text(error(&why)),
        }
    }

    fn rules(&self) -> Result<Rules, String> {
        let board = self.spec()?;
        if let Some((_, rule)) = OTHER_RULES.iter().find(|(bit, _)| self.rules & bit != 0) {
            return Err(format!("this program does not play {rule}: set INFO rule 0 or 1"));
        }
        let exactly = self.rules & EXACTLY != 0;
        if exactly && !Variant::Exact.admits(board) {
            return Err("exactly five in a row needs sides of 5 or more".to_owned());
        }
        let variant = if exactly { Variant::Exact } else { Variant::Line };
        Ok(Rules { variant, ..Rules::line(board, false) })
    }

    /// The game with this side to move, as X. It has any number of marks of each side.
    fn game(&self) -> Result<Game, String> {
        let rules = self.rules()?;
        let mark = |stone: &Stone| if stone.own { Mark::X } else { Mark::O };
        let mut board = Board::empty(rules.board);
        self.stones.iter().for_each(|stone| board.set(stone.cell, Some(mark(stone))));
        let wins = |stone: &Stone| {
            let placed = Placement { mark: mark(stone), cell: stone.cell };
            !rules.lines(&board, placed).is_empty()
        };
        if board.empty_count() == 0 || self.stones.iter().any(wins) {
            return Err("the game is over".to_owned());
        }
        Ok(Game::standing(rules, board, Mark::X))
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
    format!("name=\"Noughts\", version=\"{version}\", author=\"The Noughts developers\"")
}

#[cfg(test)]
mod tests;
