//! The screens before a game. Each is a page: a title, a list of items to choose or of fields to
//! type in, and a note. Drawing and clicking read the same page.

use ratatui::layout::{Constraint, Layout, Position, Rect, Size};

use super::{App, Screen, TextField};
use crate::session::Lobby;
use crate::strings;
use crate::strings::{columns, wrap};
use crate::tui::layout;

/// From this height on, a page has empty rows.
const SPACIOUS: u16 = 12;

/// The sign of the selected item, and its columns.
pub(crate) const POINTER: &str = "> ";
const INDENT: u16 = 2;

/// A screen before a game, in lines that fit the terminal.
#[derive(Debug, Default)]
pub(crate) struct Page<'a> {
    pub(crate) title: Vec<String>,
    /// The lines of each item.
    pub(crate) items: Vec<Vec<String>>,
    /// The fields after the items, if they are for typing.
    pub(crate) fields: Vec<&'a TextField>,
    pub(crate) note: Vec<String>,
    pub(crate) title_area: Rect,
    pub(crate) list_area: Rect,
    pub(crate) note_area: Rect,
    width: u16,
}

impl<'a> Page<'a> {
    /// The columns of an item.
    pub(super) const fn width(&self) -> u16 {
        self.width
    }

    fn title(&mut self, text: &str) {
        self.title = wrap(text, self.width + INDENT);
    }

    /// Adds to the title.
    pub(super) fn heading(&mut self, text: &str) {
        self.title.extend(wrap(text, self.width + INDENT));
    }

    fn note(&mut self, text: &str) {
        self.note = wrap(text, self.width + INDENT);
    }

    fn items<T: std::fmt::Display>(&mut self, texts: impl IntoIterator<Item = T>) {
        self.items = texts.into_iter().map(|text| wrap(&text.to_string(), self.width)).collect();
    }

    /// Items with the keys that choose them.
    fn keyed<T: std::fmt::Display>(&mut self, keys: &[char], texts: impl IntoIterator<Item = T>) {
        let keys = keys.iter().chain(std::iter::repeat(&' '));
        self.items(texts.into_iter().zip(keys).map(|(text, key)| format!("{key} {text}")));
    }

    fn field(&mut self, label: &str, field: &'a TextField) {
        self.items.push(vec![label.to_owned()]);
        self.fields.push(field);
    }

    /// Adds a name and its value: in one line if they fit, else in two.
    fn value(&mut self, label: &str, value: &str) {
        let (wide, narrow) = (format!("{label:<19} < {value} >"), format!("{label}: {value}"));
        let fits = |line: &String| columns(line) <= usize::from(self.width);
        let fits = [wide, narrow].into_iter().find(fits);
        let two = || vec![label.to_owned(), format!("  {value}")];
        self.items.push(fits.map_or_else(two, |one| vec![one]));
    }

    fn lobby(&mut self, lobby: &Lobby) {
        let title = match (lobby.waiting.is_empty(), lobby.playing.is_empty()) {
            (true, true) => "No public rooms at the moment.",
            (false, true) => "Rooms with a free seat",
            (true, false) => "Games to watch",
            (false, false) => "Rooms with a free seat, then games to watch",
        };
        self.title(&match lobby.more {
            0 => title.to_owned(),
            more => format!("{title}, and {more} more"),
        });
        self.items(lobby.waiting.iter().chain(&lobby.playing).map(strings::room_summary));
    }

    /// Finds the place of each part in an area. The note goes first if there is no space.
    fn arrange(&mut self, area: Rect) {
        self.title.truncate(usize::from(area.height / 2));
        let rows = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
        let (title, note) = (rows(self.title.len()), rows(self.note.len()));
        // The list draws no item that is higher than its area.
        let height = area.height - title;
        self.items.iter_mut().for_each(|item| item.truncate(height.into()));
        let list = rows(self.items.iter().map(Vec::len).sum());
        let gap = u16::from(title.saturating_add(list).saturating_add(note + 2) <= area.height);
        let note =
            if title.saturating_add(list).saturating_add(note) <= area.height { note } else { 0 };
        let parts = [title, gap, list.min(height), gap, note].map(Constraint::Length);
        [self.title_area, _, self.list_area, _, self.note_area] =
            Layout::vertical(parts).areas(area);
    }

    /// The place of the text of a field.
    pub(crate) fn field_area(&self, field: usize) -> Rect {
        let label = u16::try_from(columns(&self.items[field][0])).unwrap_or(u16::MAX);
        let indent = (INDENT + label + 1).min(self.list_area.width);
        let row = self.list_area.rows().nth(field).unwrap_or_default();
        Rect { x: row.x + indent, width: row.width.saturating_sub(indent), ..row }
    }
}

impl App {
    /// The page on the screen. There is none in a room, nor if the terminal is too small.
    pub(crate) fn page(&self) -> Option<Page<'_>> {
        let Size { width, .. } = self.size;
        let body = layout::chrome(self.size)?.body;
        let above = u16::from(body.height >= SPACIOUS);
        let beside = self.party_qr().map_or(0, |(_, area)| area.width + 1);
        let area = Rect::new(2, body.y + above, width - 3 - beside, body.height - above);
        let mut page = Page { width: area.width - INDENT, ..Page::default() };
        self.fill(&mut page);
        page.arrange(area);
        (!matches!(self.screen, Screen::Room | Screen::Replay)).then_some(page)
    }

    fn fill<'a>(&'a self, page: &mut Page<'a>) {
        let dots = if self.client.options.ascii { "..." } else { "…" };
        match &self.screen {
            Screen::Form(form) => {
                page.title("Noughts and crosses, together");
                page.field("Server:", &form.server);
                page.field("Name:  ", &form.name);
                if [&form.server, &form.name][self.selected().min(1)].is_untouched() {
                    page.note("The first letter that you type replaces the text.");
                }
            }
            Screen::Servers => {
                page.title("Which server?");
                let known = self.client.choice.candidates.iter().map(ToString::to_string);
                page.keyed(&self.item_keys(), known.chain(["Type an address".to_owned()]));
            }
            Screen::Connecting => {
                page.title(&format!("Connecting to {}{dots}", self.client.choice.server));
            }
            Screen::Password(field) => {
                page.title(&format!("{} asks for a password", self.client.choice.server));
                page.field("Password:", field);
                page.note("Ask the host for it.");
            }
            Screen::Menu => {
                page.title("What would you like to do?");
                page.keyed(&self.item_keys(), self.menu().into_iter().map(|(_, text)| text));
            }
            Screen::Settings => self.fill_settings(page),
            Screen::Setup(setup) => {
                page.title(setup.kind.label());
                setup.fields().for_each(|(label, value)| page.value(label, value));
            }
            Screen::Code(field) => {
                page.title("Which room? Type its code.");
                page.field("Code:", field);
            }
            Screen::Lobby => match self.session.lobby() {
                None => page.title(&format!("Loading the public rooms{dots}")),
                Some(lobby) => page.lobby(lobby),
            },
            Screen::Entering => page.title(&format!("Entering the room{dots}")),
            Screen::Quick { since } => {
                let seconds = self.now.saturating_duration_since(*since).as_secs();
                page.title(&format!("Looking for an opponent{dots} {seconds} s"));
                let features = self.client.choice.features;
                if features.ratings && features.history {
                    page.note("The game is rated.");
                }
            }
            Screen::Games => {
                page.title(&self.games.title());
                page.items = self.game_lines().iter().map(|line| game(line, page.width)).collect();
                if page.items.is_empty() {
                    page.note(self.games.empty());
                }
            }
            Screen::People => self.fill_people(page),
            Screen::SaveIdentity(field) => {
                page.title("Save who you are to which new file?");
                page.field("File:", field);
                page.note(super::people::SAVE_NOTE);
            }
            Screen::Party | Screen::PartyName(_) | Screen::PartySetup(_) | Screen::PartyNote(_) => {
                self.fill_about_party(page);
            }
            Screen::Replay | Screen::Room => {}
        }
    }

    fn fill_settings(&self, page: &mut Page<'_>) {
        page.title("Settings");
        for (place, (label, value)) in self.settings().iter().enumerate() {
            if place < super::settings::FORM_ITEMS {
                page.items.push(wrap(&format!("{label:<19}   {value}"), page.width));
            } else {
                page.value(label, value);
            }
        }
    }

    /// Fills the page of a party, or of a question about one.
    fn fill_about_party<'a>(&'a self, page: &mut Page<'a>) {
        match &self.screen {
            Screen::Party => self.fill_party(page),
            Screen::PartyName(field) => {
                page.title("A party: many people, one code, and games that pair themselves");
                page.field("Its name:", field);
            }
            Screen::PartySetup(setup) => {
                page.title(&format!("{}: a new party", setup.name));
                setup.fields().for_each(|(label, value)| page.value(label, value));
            }
            Screen::PartyNote(field) => {
                let (title, label) = self.typed_title();
                page.title(&title);
                page.field(label, field);
                if let Some(party) = self.party().filter(|_| self.is_awaited()) {
                    page.note(&party.status());
                }
            }
            _ => {}
        }
    }

    /// The item at a position of the screen.
    pub(super) fn item_at(&self, position: Position) -> Option<usize> {
        let page = self.page().filter(|page| page.list_area.contains(position))?;
        let mut below = usize::from(position.y - page.list_area.y);
        let shown = page.items.iter().enumerate().skip(self.list.offset());
        for (item, lines) in shown {
            if below < lines.len() {
                return Some(item);
            }
            below -= lines.len();
        }
        None
    }

    /// Selects the next or the previous item. After the last one comes the first.
    pub(super) fn select_next(&mut self, forward: bool) {
        let count = self.page().map_or(0, |page| page.items.len()).max(1);
        let step = if forward { 1 } else { count - 1 };
        self.list.select(Some((self.selected() + step) % count));
        self.skip_blank(forward);
    }

    /// Moves on from an empty line.
    fn skip_blank(&mut self, forward: bool) {
        let Some(page) = self.page() else { return };
        let is_blank = |item: &usize| {
            page.items.get(*item).is_none_or(|lines| lines.iter().all(String::is_empty))
        };
        let (selected, count) = (self.selected(), page.items.len());
        let next = if forward {
            (selected..count).chain(0..selected).find(|item| !is_blank(item))
        } else {
            (0..=selected).rev().chain((selected..count).rev()).find(|item| !is_blank(item))
        };
        drop(page);
        self.list.select(Some(next.unwrap_or(selected)));
    }

    /// Selects an item about a page further, or the last one on the way.
    pub(super) fn select_page(&mut self, forward: bool) {
        let Some(page) = self.page() else { return };
        let rows = usize::from(page.list_area.height).saturating_sub(1).max(1);
        self.select_by(rows, forward);
    }

    /// Handles the mouse wheel: it moves in a list, and steps through a review.
    pub(super) fn wheel(&mut self, forward: bool) {
        match self.screen {
            _ if self.overlay.is_some() => {}
            Screen::Room if self.review_ply.is_some() => self.step_review(forward),
            Screen::Replay => self.step_replay(forward),
            Screen::Servers
            | Screen::Menu
            | Screen::Lobby
            | Screen::Games
            | Screen::People
            | Screen::Party => {
                self.select_by(1, forward);
            }
            _ => {}
        }
    }

    /// Selects the item so many further on. It stops at the ends.
    fn select_by(&mut self, count: usize, forward: bool) {
        let last = self.page().map_or(0, |page| page.items.len()).saturating_sub(1);
        let selected = self.selected();
        let to =
            if forward { selected.saturating_add(count) } else { selected.saturating_sub(count) };
        self.list.select(Some(to.min(last)));
        self.skip_blank(forward);
    }

    /// Selects the first item, or the last one.
    pub(super) fn select_end(&mut self, last: bool) {
        self.select_by(usize::MAX, last);
    }

    /// The selected item.
    pub(crate) fn selected(&self) -> usize {
        self.list.selected().unwrap_or_default()
    }

    /// The place of the terminal's cursor: the caret of the field that is typed in.
    pub(crate) fn caret(&self) -> Option<Position> {
        if let Some((_, column)) = self.talk_prompt().filter(|_| self.overlay.is_none()) {
            return Some(Position::new(column, layout::chrome(self.size)?.message.y));
        }
        if let Some((_, column)) = self.cell_prompt().filter(|_| self.overlay.is_none()) {
            return Some(Position::new(column, layout::chrome(self.size)?.message.y));
        }
        let page = self.page().filter(|_| self.overlay.is_none())?;
        let input = page.fields.get(self.selected())?.shown();
        let area = page.field_area(self.selected());
        let column = input.visual_cursor() - scroll(&input, area.width);
        Some(Position::new(area.x + u16::try_from(column).ok()?, area.y))
    }
}

/// A game in one line, or in two: the board, the moves and whether it was rated stay together.
pub(super) fn game(line: &str, width: u16) -> Vec<String> {
    let fits = |text: &str| columns(text) <= usize::from(width);
    match line.rsplit_once("  ").map(|(game, rest)| [game.to_owned(), format!("    {rest}")]) {
        Some(two) if !fits(line) && two.iter().all(|line| fits(line)) => two.to_vec(),
        _ => wrap(line, width),
    }
}

/// The columns of a field's text that are out of view. The caret keeps a column after the text.
pub(crate) fn scroll(input: &tui_input::Input, width: u16) -> usize {
    input.visual_scroll(width.saturating_sub(1).into())
}
