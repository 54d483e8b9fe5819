//! An attempt at the puzzle of a day: tries, stars, O's replies, and the text to share. The full screen and the lines
//! of text show it.

use jiff::Timestamp;
use noughts_protocol::{Board, Cell, DailyPuzzle, Date, Game, Mark, Placement, Rules};
use serde::{Deserialize, Serialize};

/// The stars of a puzzle without a wrong try.
const STARS: usize = 3;

/// The day by the clock of this machine, in UTC.
pub(crate) fn today() -> Date {
    Date::of_unix_ms(Timestamp::now().as_millisecond())
}

/// The days in a row on which the puzzle of that day was solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Streak {
    /// The last day on which it was solved, or shown.
    last: Date,
    days: u32,
}

impl Streak {
    /// The streak after the puzzle of this day was solved on it, or its solution was shown.
    pub(crate) fn after(before: Option<Self>, day: Date, shown: bool) -> Self {
        match before {
            Some(streak) if streak.last >= day => streak,
            _ if shown => Self { last: day, days: 0 },
            Some(Self { last, days }) if last.beside(true) == day => {
                Self { last: day, days: days.saturating_add(1) }
            }
            _ => Self { last: day, days: 1 },
        }
    }

    /// "3 days in a row." from the second day on.
    pub(crate) fn told(self) -> Option<String> {
        (self.days > 1).then(|| format!("{} days in a row.", self.days))
    }
}

/// The outcome of a move of X.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Try {
    /// The cell has a mark, or X has won.
    Taken,
    /// It does not win in time.
    Wrong,
    /// It is the move, and O has replied.
    Reply(Cell),
    /// X has won.
    Won,
}

/// An attempt.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) puzzle: DailyPuzzle,
    pub(crate) game: Game,
    /// The wrong cells of each move so far.
    wrong: Vec<Vec<Cell>>,
    /// Whether the player has had it shown.
    shown: bool,
}

impl Attempt {
    /// Begins; `None` for what is no puzzle.
    pub(crate) fn new(puzzle: DailyPuzzle) -> Option<Self> {
        let cells = puzzle.x.iter().chain(&puzzle.o).chain(&puzzle.replies);
        let mut cells = cells.chain(puzzle.answers.iter().flatten());
        let is_whole = cells.all(|cell| cell.0 < puzzle.board.cells())
            && puzzle.answers.len() == puzzle.replies.len() + 1
            && puzzle.answers.iter().all(|cells| !cells.is_empty());
        if !is_whole {
            return None;
        }
        let mut board = Board::empty(puzzle.board);
        for (cells, mark) in [(&puzzle.x, Mark::X), (&puzzle.o, Mark::O)] {
            cells.iter().for_each(|cell| board.set(*cell, Some(mark)));
        }
        let game = Game::standing(Rules::line(puzzle.board, true), board, Mark::X);
        Some(Self { game, wrong: vec![Vec::new()], puzzle, shown: false })
    }

    /// The number of the next move of X, from 0.
    fn at(&self) -> usize {
        self.wrong.len() - 1
    }

    /// Whether X has won.
    pub(crate) const fn is_over(&self) -> bool {
        self.game.result().is_some()
    }

    /// Tries a move of X.
    pub(crate) fn play(&mut self, cell: Cell) -> Try {
        if self.is_over()
            || cell.0 >= self.puzzle.board.cells()
            || !self.game.board().is_empty(cell)
        {
            return Try::Taken;
        }
        let at = self.at();
        let is_right = self.puzzle.answers.get(at).is_some_and(|cells| cells.contains(&cell));
        if !is_right {
            let wrong = &mut self.wrong[at];
            if !wrong.contains(&cell) {
                wrong.push(cell);
            }
            return Try::Wrong;
        }
        self.place(cell);
        let Some(reply) = self.puzzle.replies.get(at).copied() else { return Try::Won };
        self.place(reply);
        self.wrong.push(Vec::new());
        Try::Reply(reply)
    }

    fn place(&mut self, cell: Cell) {
        let mark = self.game.to_move();
        // A server's puzzle that breaks the rules stands still.
        let _ = self.game.apply(self.game.move_with(Placement { mark, cell }));
    }

    /// Plays the next move of the solution. The stars are gone.
    pub(crate) fn show_next(&mut self) -> Try {
        self.shown = true;
        let next = self.puzzle.answers.get(self.at()).and_then(|cells| cells.first()).copied();
        next.map_or(Try::Taken, |cell| self.play(cell))
    }

    fn misses(&self) -> usize {
        self.wrong.iter().map(Vec::len).sum()
    }

    /// The stars that are left.
    pub(crate) fn stars(&self) -> usize {
        if self.shown { 0 } else { STARS.saturating_sub(self.misses()) }
    }

    /// Whether this decides the streak on a day, and how: the solution was shown, or the player has found it.
    pub(crate) fn decides(&self, today: Date) -> Option<bool> {
        let is_decided = self.shown || self.is_over();
        (self.puzzle.date == today && is_decided).then_some(self.shown)
    }

    /// The stars as signs: those that are left, and those that are gone.
    pub(crate) fn signs(&self, ascii: bool) -> String {
        let (lit, gone) = if ascii { ("*", ".") } else { ("★", "☆") };
        lit.repeat(self.stars()) + &gone.repeat(STARS - self.stars())
    }

    /// "X wins in 3: 5 in a row".
    pub(crate) fn task(&self) -> String {
        format!("X wins in {}: {} in a row", self.puzzle.answers.len(), self.puzzle.board.line())
    }

    /// The outcome of a try, in words.
    pub(crate) fn told(&self, tried: Try, cell: Cell) -> String {
        let label = |cell| self.puzzle.board.label(cell);
        let left = self.puzzle.answers.len() - self.at();
        match tried {
            Try::Taken if self.is_over() => "X has won.".to_owned(),
            Try::Taken => "There is a mark already.".to_owned(),
            Try::Wrong => format!("Not {}: that does not win in {left}.", label(cell)),
            Try::Reply(reply) => {
                let played = self.game.moves().iter().rev().nth(1).copied();
                let shown = played.filter(|_| self.shown);
                let x =
                    shown.map_or("Right.".to_owned(), |cell| format!("X plays {},", label(cell)));
                let next =
                    if left == 1 { "now win".to_owned() } else { format!("{left} moves to go") };
                format!("{x} O plays {}: {next}.", label(reply))
            }
            Try::Won if self.shown => "This is how X wins.".to_owned(),
            Try::Won => format!("Solved, with {} of {STARS} stars.", self.stars()),
        }
    }

    /// The tries of each move, which name no cell: to share.
    pub(crate) fn grid(&self, link: &str, ascii: bool) -> String {
        let [shown, right, wrong, star] =
            if ascii { ["o", "+", "-", "*"] } else { ["⬜", "🟦", "🟧", "⭐"] };
        let last = if self.shown { shown } else { right };
        let rows = self.wrong.iter().map(|tries| wrong.repeat(tries.len()) + last + "\n");
        let date = self.puzzle.date;
        let moves = self.puzzle.answers.len();
        let stars = star.repeat(self.stars());
        let stars = if stars.is_empty() { stars } else { stars + "\n" };
        format!("Noughts, {date}: X wins in {moves}\n{}{stars}{link}", rows.collect::<String>())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use noughts_protocol::BoardSpec;

    use super::*;

    /// X at e3, O at e1, X at e5.
    pub(crate) fn puzzle() -> DailyPuzzle {
        let cells = |cells: &[u16]| cells.iter().copied().map(Cell).collect();
        DailyPuzzle {
            date: "2026-11-27".parse().unwrap(),
            number: 331,
            board: BoardSpec::new(5, 5, 4).unwrap(),
            x: cells(&[3, 6, 7, 9, 15, 16, 19]),
            o: cells(&[0, 1, 8, 11, 13, 17, 21]),
            answers: vec![cells(&[14]), cells(&[24])],
            replies: cells(&[4]),
        }
    }

    #[test]
    fn a_wrong_try_costs_a_star_once_and_the_grid_names_no_cell() {
        let mut attempt = Attempt::new(puzzle()).unwrap();
        assert_eq!(attempt.play(Cell(0)), Try::Taken);
        assert_eq!(attempt.play(Cell(2)), Try::Wrong);
        assert_eq!(attempt.play(Cell(2)), Try::Wrong);
        assert_eq!(attempt.stars(), 2);
        assert_eq!(attempt.play(Cell(14)), Try::Reply(Cell(4)));
        let day = attempt.puzzle.date;
        assert_eq!(attempt.decides(day), None);
        assert_eq!(attempt.play(Cell(24)), Try::Won);
        assert_eq!([day, day.beside(true)].map(|day| attempt.decides(day)), [Some(false), None]);
        let title = "Noughts, 2026-11-27: X wins in 2";
        assert_eq!(attempt.grid("l", false), format!("{title}\n🟧🟦\n🟦\n⭐⭐\nl"));
        assert_eq!(attempt.grid("l", true), format!("{title}\n-+\n+\n**\nl"));
    }

    #[test]
    fn a_streak_goes_on_by_the_next_day_and_begins_again_after_a_missed_one() {
        let mut streak = None;
        let mut after = |day: &str, shown| {
            streak = Some(Streak::after(streak, day.parse().unwrap(), shown));
            streak.map(|streak| streak.days).unwrap()
        };
        let solved = ["2026-11-30", "2026-12-01", "2026-12-01", "2026-11-20", "2026-12-02"];
        assert_eq!(solved.map(|day| after(day, false)), [1, 2, 2, 2, 3]);
        assert_eq!(after("2026-12-02", true), 3, "it was solved before");
        assert_eq!(after("2026-12-04", false), 1);
        // Catches a puzzle that counts once its solution was shown, in this run or an earlier one.
        assert_eq!([true, false].map(|shown| after("2026-12-05", shown)), [0, 0]);
        assert_eq!(after("2026-12-06", false), 1);
    }

    #[test]
    fn what_is_shown_has_no_stars() {
        let mut attempt = Attempt::new(puzzle()).unwrap();
        let shown = attempt.show_next();
        assert_eq!(attempt.told(shown, Cell(0)), "X plays e3, O plays e1: now win.");
        assert_eq!(attempt.decides(attempt.puzzle.date), Some(true));
        assert_eq!(attempt.show_next(), Try::Won);
        assert_eq!(attempt.stars(), 0);
    }

    #[test]
    fn what_is_no_puzzle_is_none() {
        let far = DailyPuzzle { x: vec![Cell(99)], ..puzzle() };
        let short = DailyPuzzle { replies: Vec::new(), ..puzzle() };
        let empty = DailyPuzzle { answers: vec![vec![Cell(14)], Vec::new()], ..puzzle() };
        assert!([far, short, empty].into_iter().all(|wrong| Attempt::new(wrong).is_none()));
    }
}
