//! The windows over a screen: the help, in pages that fit the terminal, and questions.

use ratatui::layout::{Constraint, Rect};

use super::{App, Overlay, Question, Screen};
use crate::tui::layout;

/// The width of a window with its border, if the terminal is wide enough.
const WIDTH: u16 = 56;

/// The width of the emotes' window.
const EMOTE_WIDTH: u16 = 28;

/// The columns of the keys in the help.
const KEY_COLUMNS: u16 = 18;

/// A window in lines that fit it.
#[derive(Debug)]
pub(crate) struct Window {
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// The place with the border.
    pub(crate) area: Rect,
}

impl Window {
    /// The place of the last line: a question's answers.
    pub(crate) const fn last_row(&self) -> Rect {
        let Rect { x, y, width, height } = self.area;
        Rect {
            x: x + 1,
            y: y + height.saturating_sub(2),
            width: width.saturating_sub(2),
            height: 1,
        }
    }
}

impl App {
    /// The window over the screen.
    pub(crate) fn window(&self) -> Option<Window> {
        let body = layout::chrome(self.size)?.body;
        let width = WIDTH.min(body.width);
        let (title, lines) = match self.overlay? {
            Overlay::Help { page } => {
                let pages = self.help_pages()?;
                let title = match pages.len() {
                    1 => "Help".to_owned(),
                    count => format!("Help, {} of {count}", page + 1),
                };
                (title, pages.into_iter().nth(page)?)
            }
            Overlay::Emotes => ("Say".to_owned(), super::talk::emotes()),
            Overlay::Question(question) => {
                let (title, mut text) = question.title_and_text();
                if matches!(question, Question::Decide(_)) {
                    text = self.decide_text();
                }
                let mut lines = crate::strings::wrap(&text, width - 2);
                // A ready check does not wait for the answer.
                let check = self.party().filter(|_| self.is_awaited());
                let check = check.map(|party| crate::strings::wrap(&party.status(), width - 2));
                lines.extend(check.into_iter().flatten());
                lines.push(self.key_bar().text());
                (title.to_owned(), lines)
            }
        };
        let width = if self.overlay? == Overlay::Emotes { EMOTE_WIDTH.min(width) } else { width };
        let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
        let area = body.centered(Constraint::Length(width), Constraint::Length(height));
        Some(Window { title, lines, area })
    }

    /// The lines of a page of the help. There is none after the last page.
    pub(super) fn help(&self, page: usize) -> Option<Vec<String>> {
        self.help_pages()?.into_iter().nth(page)
    }

    /// The help in pages that fit the terminal: those keys that mean something at the moment.
    fn help_pages(&self) -> Option<Vec<Vec<String>>> {
        let rows = usize::from(layout::chrome(self.size)?.body.height - 2);
        let width = WIDTH.min(self.size.width) - 2;
        let mouse = ("mouse", "click cells, items, keys below");
        let mouse = self.wants_mouse().then_some(mouse);
        let signs = ("[X] *X* >X< .X.", "last, winning, cursor, on its way");
        let has_board = self.session.room().is_some_and(|view| view.state.game.is_some());
        let hint = ("(X)", "a cell that a hint names");
        let shows_signs = matches!(self.screen, Screen::Room) && has_board;
        let signs = [signs, hint].into_iter().filter(|_| shows_signs);
        let mut pages: Vec<Vec<String>> = vec![Vec::new()];
        for (keys, text) in self.key_help().chain(mouse).chain(signs) {
            let lines = if width + 2 == WIDTH {
                let texts = crate::strings::wrap(text, width - KEY_COLUMNS - 1).into_iter();
                let keys = std::iter::once(keys).chain(std::iter::repeat(""));
                texts.zip(keys).map(|(text, keys)| format!("{keys:<18} {text}")).collect()
            } else {
                crate::strings::wrap(&format!("{keys}: {text}"), width)
            };
            if pages.last().is_some_and(|last| last.len() + lines.len() > rows) {
                pages.push(Vec::new());
            }
            pages.last_mut()?.extend(lines);
        }
        Some(pages)
    }
}
