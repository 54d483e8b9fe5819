//! The lists on the screens before a game: their rows as they fit the terminal, and the item of
//! each row. The same rows are drawn and clicked.

use noughts_protocol::{DisplayText, RoomSummary};
use ratatui::layout::{Position, Rect, Size};

use super::{App, Form, Screen, Setup, TextField};
use crate::core::Lobby;
use crate::layout::{self, columns, wrap};
use crate::strings;

/// From this height on, a list has an empty row above it.
const SPACIOUS: u16 = 12;

/// The kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// The heading.
    Title,
    /// Plain text.
    Plain,
    /// Less important text.
    Aside,
    /// A row of an item: the item's index, and whether it is selected.
    Item(usize, bool),
}

/// The rows of a screen.
#[derive(Debug)]
pub(crate) struct Listing {
    area: Rect,
    rows: Vec<(RowKind, String)>,
    /// The first visible row.
    first: usize,
}

impl Listing {
    /// The visible rows, each with its place on the screen.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (Rect, RowKind, &str)> {
        let rows = self.rows.iter().skip(self.first);
        self.area.rows().zip(rows).map(|(place, (kind, text))| (place, *kind, text.as_str()))
    }

    /// The item at a position of the screen.
    pub(super) fn item_at(&self, position: Position) -> Option<usize> {
        let mut shown = self.shown();
        let (_, kind, _) = shown.find(|(place, ..)| place.contains(position))?;
        match kind {
            RowKind::Item(item, _) => Some(item),
            _ => None,
        }
    }
}

/// Builds rows for a width.
struct Rows {
    width: u16,
    selected: Option<usize>,
    rows: Vec<(RowKind, String)>,
    items: usize,
}

impl Rows {
    fn text(&mut self, kind: RowKind, text: &str) {
        self.rows.extend(wrap(text, self.width).into_iter().map(|line| (kind, line)));
    }

    fn blank(&mut self) {
        self.rows.push((RowKind::Plain, String::new()));
    }

    /// Adds an item, with a `>` in front if it is selected.
    fn item(&mut self, text: &str) {
        self.item_of(&wrap(text, self.width.saturating_sub(2)));
    }

    fn item_of(&mut self, lines: &[String]) {
        let selected = self.selected == Some(self.items);
        let kind = RowKind::Item(self.items, selected);
        for (place, line) in lines.iter().enumerate() {
            let sign = if selected && place == 0 { ">" } else { " " };
            self.rows.push((kind, format!("{sign} {line} ")));
        }
        self.items += 1;
    }

    /// Adds a name and its value: in one row if they fit, else in two.
    fn field(&mut self, label: &str, value: &str) {
        let width = usize::from(self.width.saturating_sub(2));
        let (wide, narrow) = (format!("{label:<19} < {value} >"), format!("{label}: {value}"));
        let fits = [wide, narrow].into_iter().find(|line| columns(line) <= width);
        let lines =
            fits.map_or_else(|| vec![label.to_owned(), format!("  {value}")], |one| vec![one]);
        self.item_of(&lines);
    }
}

impl App {
    /// The list on the screen. There is none in a room, nor if the terminal is too small.
    pub(crate) fn listing(&self) -> Option<Listing> {
        let Size { width, .. } = self.size;
        let body = layout::chrome(self.size)?.body;
        let above = u16::from(body.height >= SPACIOUS);
        let area = Rect::new(2, body.y + above, width - 3, body.height - above);
        let selected = match &self.screen {
            Screen::Form(form) => Some(usize::from(form.at_name)),
            Screen::Servers { selected }
            | Screen::Menu { selected }
            | Screen::Lobby { selected, .. } => Some(*selected),
            Screen::Setup(setup) => Some(setup.selected),
            Screen::Password(_) | Screen::Code(_) => Some(0),
            Screen::Connecting | Screen::Entering | Screen::Quick { .. } => None,
            Screen::Room => return None,
        };
        let mut rows = Rows { width: area.width, selected, rows: Vec::new(), items: 0 };
        self.fill(&mut rows);
        let mut rows = rows.rows;
        let height = usize::from(area.height);
        if rows.len() > height {
            rows.retain(|(_, text)| !text.is_empty());
        }
        // The selected item stays visible if there are more rows than the terminal has.
        let last = rows.iter().rposition(|(kind, _)| matches!(kind, RowKind::Item(_, true)));
        let first = last.map_or(0, |last| (last + 1).saturating_sub(height));
        Some(Listing { area, rows, first })
    }

    fn fill(&self, rows: &mut Rows) {
        let dots = if self.client.options.ascii { "..." } else { "…" };
        match &self.screen {
            Screen::Form(form) => form_rows(form, rows),
            Screen::Servers { .. } => self.servers_rows(rows),
            Screen::Connecting => {
                rows.text(
                    RowKind::Plain,
                    &format!("Connecting to {}{dots}", self.client.choice.server),
                );
            }
            Screen::Password(field) => self.password_rows(field, rows),
            Screen::Menu { .. } => self.menu_rows(rows),
            Screen::Setup(setup) => setup_rows(setup, rows),
            Screen::Code(field) => code_rows(field, rows),
            Screen::Lobby { lobby: Some(lobby), .. } => lobby_rows(lobby, rows),
            Screen::Lobby { lobby: None, .. } => {
                rows.text(RowKind::Plain, &format!("Loading the public rooms{dots}"));
            }
            Screen::Entering => {
                rows.text(RowKind::Plain, &format!("Entering the room{dots}"));
            }
            Screen::Quick { since } => {
                let seconds = self.now.saturating_duration_since(*since).as_secs();
                let text = format!("Looking for an opponent{dots} {seconds} s");
                rows.text(RowKind::Plain, &text);
            }
            Screen::Room => {}
        }
    }

    fn servers_rows(&self, rows: &mut Rows) {
        rows.text(RowKind::Title, "Which server?");
        rows.blank();
        let known = self.client.choice.candidates.iter().map(ToString::to_string);
        for (text, number) in known.chain(["Type an address".to_owned()]).zip(1..) {
            rows.item(&format!("{number} {text}"));
        }
    }

    /// Shows a star for each character of the password.
    fn password_rows(&self, field: &TextField, rows: &mut Rows) {
        let stars = "*".repeat(field.text.chars().count());
        rows.text(RowKind::Title, &format!("{} asks for a password", self.client.choice.server));
        rows.blank();
        rows.item(&format!("Password: {stars}_"));
        rows.blank();
        rows.text(RowKind::Aside, "Ask the host for it. Esc quits.");
    }

    fn menu_rows(&self, rows: &mut Rows) {
        rows.text(RowKind::Title, "What would you like to do?");
        for ((_, text), number) in self.menu().iter().zip(1..) {
            rows.item(&format!("{number} {text}"));
        }
    }
}

/// The typed text, cleaned like text from other people.
fn typed(field: &TextField, active: bool) -> String {
    let cursor = if active { "_" } else { "" };
    format!("{}{cursor}", DisplayText::from(field.text.as_str()))
}

fn form_rows(form: &Form, rows: &mut Rows) {
    rows.text(RowKind::Title, "Noughts and crosses, together");
    rows.blank();
    rows.item(&format!("Server: {}", typed(&form.server, !form.at_name)));
    rows.item(&format!("Name:   {}", typed(&form.name, form.at_name)));
    rows.blank();
    rows.text(RowKind::Aside, "Type a new text, or press Enter to keep it.");
}

fn setup_rows(setup: &Setup, rows: &mut Rows) {
    rows.text(RowKind::Title, setup.title());
    rows.blank();
    setup.fields().for_each(|(label, value)| rows.field(label, value));
}

fn code_rows(field: &TextField, rows: &mut Rows) {
    rows.text(RowKind::Title, "Which room? Its code has five letters.");
    rows.blank();
    rows.item(&format!("Code: {}", typed(field, true)));
}

fn lobby_rows(lobby: &Lobby, rows: &mut Rows) {
    let mut add = |title: &str, rooms: &[RoomSummary]| {
        if !rooms.is_empty() {
            rows.text(RowKind::Title, title);
        }
        rooms.iter().for_each(|room| rows.item(&strings::room_summary(room)));
    };
    add("Rooms with a free seat", &lobby.waiting);
    add("Games to watch", &lobby.playing);
    if rows.items == 0 {
        rows.text(RowKind::Plain, "No public rooms at the moment.");
    }
    if lobby.more > 0 {
        rows.text(RowKind::Aside, &format!("and {} more", lobby.more));
    }
}
