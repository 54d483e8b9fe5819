//! The puzzle of the day: the board with a cursor, what came of the last try, and the days before.

use crossterm::event::KeyCode;
use noughts_client::session::LookupKind;
use noughts_protocol::{BoardSpec, Cell, Date, Found, LobbyIntent, Mark, Variant};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};

use super::board::{self, Shown};
use super::keys::{HELP, Key, KeyAction, direction, key, labelled};
use super::layout;
use super::screen::{Component, Transition};
use super::shell::{Effect, Shell};
use super::theme::Theme;
use crate::boards::Boards;
use crate::puzzle::{Attempt, today};
use crate::strings::wrap;

/// The puzzle of a day.
#[derive(Debug)]
pub(crate) struct PuzzleScreen {
    /// The day that was asked for; `None` for today.
    date: Option<Date>,
    attempt: Option<Attempt>,
    cursor: Cell,
    /// The outcome of the last try.
    told: String,
}

impl PuzzleScreen {
    pub(super) const fn of(date: Option<Date>) -> Self {
        Self { date, attempt: None, cursor: Cell(0), told: String::new() }
    }

    /// Asks for the puzzle.
    pub(super) fn load(&self, shell: &mut Shell) {
        shell.ask(LobbyIntent::Puzzle { date: self.date });
    }

    /// Takes in the puzzle that came, or why there is none: then the one of before stays.
    pub(super) fn came(&mut self, shell: &mut Shell) {
        match shell.session.answer(LookupKind::Puzzle).cloned() {
            Some(Ok(Found::Puzzle { puzzle })) => {
                let board = puzzle.board;
                self.date = Some(puzzle.date);
                let middle = board.height() / 2 * board.width() + board.width() / 2;
                self.cursor = Cell(middle.into());
                self.told = "Find the first move.".to_owned();
                self.attempt = Attempt::new(puzzle);
            }
            Some(Err(refusal)) => {
                shell.error(refusal.to_string());
                self.date = self.attempt.as_ref().map(|attempt| attempt.puzzle.date);
            }
            _ => {}
        }
    }

    /// Draws the board, and beside or below it the day, the stars and what was told.
    pub(super) fn draw(&self, shell: &Shell, area: Rect, buffer: &mut Buffer) {
        let Some(attempt) = &self.attempt else {
            return Line::styled("  Loading the puzzle.", Theme::strong()).render(area, buffer);
        };
        let theme = shell.theme();
        let boards = Boards::of(Variant::Line, attempt.puzzle.board);
        let layout = layout::game(area, boards, self.cursor);
        let cursor = (!attempt.is_over()).then_some(self.cursor);
        let shown = Shown { cursor, ..Shown::default() };
        board::position(theme, &attempt.game, &shown, &layout, buffer);
        let width = layout.panel.width;
        let puzzle = &attempt.puzzle;
        let stars = attempt.signs(shell.client.options.ascii);
        let mut lines = vec![Line::styled(stars, theme.mark(Mark::X))];
        let text = |text: &str, style| {
            wrap(text, width).into_iter().map(|line| Line::styled(line, style)).collect::<Vec<_>>()
        };
        lines.splice(0..0, text(&attempt.task(), Theme::strong()));
        lines.extend(text(&self.told, Theme::strong()));
        lines.extend(text(&format!("{}, no. {}", puzzle.date, puzzle.number), theme.dim()));
        Paragraph::new(lines).render(layout.panel, buffer);
    }

    /// Plays at the cursor.
    fn play(&mut self) {
        let cell = self.cursor;
        if let Some(attempt) = &mut self.attempt {
            let tried = attempt.play(cell);
            self.told = attempt.told(tried, cell);
        }
    }

    /// Keeps the streak.
    fn note(&mut self, shell: &mut Shell) {
        let profile = &mut shell.client.profile;
        let noted = self.attempt.as_ref().and_then(|attempt| profile.note(attempt, today()));
        if let Some((change, streak)) = noted {
            shell.effects.push(Effect::Save(change));
            streak.iter().for_each(|text| self.told = format!("{} {text}", self.told));
        }
    }

    /// Shows the puzzle of the day before or after.
    fn turn(&mut self, shell: &mut Shell, after: bool) {
        if let Some(attempt) = &self.attempt {
            self.date = Some(attempt.puzzle.date.beside(after));
            self.load(shell);
        }
    }

    fn share(&self, shell: &mut Shell) {
        if let Some(attempt) = &self.attempt {
            let link = shell.share_address.puzzle_link(attempt.puzzle.date);
            shell.effects.push(Effect::Copy(attempt.grid(&link, false)));
            shell.info("Copied, if your terminal allows it. It tells no move.");
        }
    }
}

/// The cell of the cursor after a letter, which is a column, or a digit, which is a row. So `b3` leads to
/// its cell: the boards of puzzles have nine columns and rows at most.
fn typed(board: BoardSpec, cursor: Cell, key: KeyCode) -> Cell {
    let (column, row) = board.position(cursor);
    let (column, row) = match key {
        KeyCode::Char(letter @ 'a'..='i') => (letter as u8 - b'a', row),
        KeyCode::Char(digit @ '1'..='9') => (column, digit as u8 - b'1'),
        _ => (column, row),
    };
    board.cell_at(column.into(), row.into()).unwrap_or(cursor)
}

impl Component for PuzzleScreen {
    fn keys(&self, _: &Shell) -> Vec<Key> {
        let is_over = self.attempt.as_ref().is_some_and(Attempt::is_over);
        let (play, share) = if is_over { ("", "share") } else { ("play", "") };
        let lost = self.attempt.as_ref().is_some_and(|attempt| attempt.stars() == 0);
        let show = if lost && !is_over { "show me" } else { "" };
        vec![
            labelled("Enter, space", KeyAction::Enter, play, "place X"),
            key("arrows", KeyAction::Move, "", "move the cursor"),
            key("a-i, 1-9", KeyAction::TypeCell, "", "a cell's column and row"),
            labelled("y", KeyAction::Copy, share, "copy your tries, to share"),
            labelled("v", KeyAction::Review, show, "show the next move"),
            key("-", KeyAction::Older, "day before", "the puzzle of the day before"),
            key("+", KeyAction::Newer, "", "the puzzle of the day after"),
            key("Esc, q", KeyAction::Back, "back", "back"),
            HELP,
        ]
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, code: KeyCode) -> Transition {
        match (action, &mut self.attempt) {
            (KeyAction::Move, Some(attempt)) => {
                let board = attempt.puzzle.board;
                let (columns, rows) = direction(code);
                let (column, row) = board.position(self.cursor);
                let next = board.cell_at(i16::from(column) + columns, i16::from(row) + rows);
                self.cursor = next.unwrap_or(self.cursor);
            }
            (KeyAction::TypeCell, Some(attempt)) => {
                self.cursor = typed(attempt.puzzle.board, self.cursor, code);
            }
            (KeyAction::Enter, _) => {
                self.play();
                self.note(shell);
            }
            (KeyAction::Review, Some(attempt)) => {
                let tried = attempt.show_next();
                self.told = attempt.told(tried, self.cursor);
                self.note(shell);
            }
            (KeyAction::Copy, _) => self.share(shell),
            (KeyAction::Older, _) => self.turn(shell, false),
            (KeyAction::Newer, _) => self.turn(shell, true),
            (KeyAction::Back, _) => return Transition::Menu,
            _ => {}
        }
        Transition::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Try;
    use crate::puzzle::tests::puzzle;

    #[test]
    fn a_typed_cell_moves_the_cursor() {
        let board = "5x5x4".parse().unwrap();
        let after = |keys: &str| {
            keys.chars().fold(Cell(12), |cursor, key| typed(board, cursor, KeyCode::Char(key)))
        };
        assert_eq!((after("a3"), after("e1"), after("4b")), (Cell(10), Cell(4), Cell(16)));
        assert_eq!((after("i"), after("90")), (Cell(12), Cell(12)), "the board ends before");
    }

    #[test]
    fn a_try_is_told_and_the_stars_go() {
        let mut screen = PuzzleScreen::of(None);
        screen.attempt = Attempt::new(puzzle());
        screen.cursor = Cell(2);
        screen.play();
        assert_eq!(screen.told, "Not c1: that does not win in 2.");
        screen.cursor = Cell(14);
        screen.play();
        assert_eq!(screen.told, "Right. O plays e1: now win.");
        screen.cursor = Cell(24);
        screen.play();
        assert_eq!(screen.told, "Solved, with 2 of 3 stars.");
        let tried = screen.attempt.as_mut().map(|attempt| attempt.play(Cell(2)));
        assert_eq!(tried, Some(Try::Taken));
    }
}
