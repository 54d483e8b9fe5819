//! The lists on the screen: the rows of each as they fit the window, and which item a row belongs
//! to. The same rows are drawn, and found under the mouse.

use noughts_protocol::{DisplayText, RoomSummary};
use ratatui::layout::{Position, Rect, Size};

use super::{App, Form, Screen, Setup, TextField};
use crate::layout::{self, columns, wrap};
use crate::session::Lobby;
use crate::words;

/// From this height on there is a row to spare above a list.
const SPACIOUS: u16 = 12;

/// The kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// The heading.
    Title,
    /// Something that is said.
    Plain,
    /// An aside.
    Aside,
    /// A part of an item that can be chosen: its place among them, and whether it is selected.
    Item(usize, bool),
}

/// The rows of a screen, and which of them are in view.
#[derive(Debug)]
pub(crate) struct Listing {
    area: Rect,
    rows: Vec<(RowKind, String)>,
    /// The first row in view.
    first: usize,
}

impl Listing {
    /// The rows in view, each with its place on the screen.
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

/// Rows that are being put together for a width.
struct Rows {
    width: u16,
    selected: Option<usize>,
    rows: Vec<(RowKind, String)>,
    items: usize,
}

impl Rows {
    fn say(&mut self, kind: RowKind, text: &str) {
        self.rows.extend(wrap(text, self.width).into_iter().map(|line| (kind, line)));
    }

    fn blank(&mut self) {
        self.rows.push((RowKind::Plain, String::new()));
    }

    /// Adds an item, with a sign in front where it is selected.
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

    /// A name and its value: on one row where they fit, else on two.
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
    /// The list on the screen; none in a room, and where the window is too small.
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
        // The selected item stays in view when there are more rows than the window has.
        let last = rows.iter().rposition(|(kind, _)| matches!(kind, RowKind::Item(_, true)));
        let first = last.map_or(0, |last| (last + 1).saturating_sub(height));
        Some(Listing { area, rows, first })
    }

    fn fill(&self, rows: &mut Rows) {
        let dots = if self.ascii { "..." } else { "…" };
        match &self.screen {
            Screen::Form(form) => form_rows(form, rows),
            Screen::Servers { .. } => self.servers_rows(rows),
            Screen::Connecting => {
                rows.say(RowKind::Plain, &format!("Connecting to {}{dots}", self.server));
            }
            Screen::Password(field) => self.password_rows(field, rows),
            Screen::Menu { .. } => self.menu_rows(rows),
            Screen::Setup(setup) => setup_rows(setup, rows),
            Screen::Code(field) => code_rows(field, rows),
            Screen::Lobby { lobby: Some(lobby), .. } => lobby_rows(lobby, rows),
            Screen::Lobby { lobby: None, .. } => {
                rows.say(RowKind::Plain, &format!("Asking for the rooms{dots}"));
            }
            Screen::Entering => {
                rows.say(RowKind::Plain, &format!("Asking the server for the room{dots}"));
            }
            Screen::Quick { since } => {
                let seconds = self.now.saturating_duration_since(*since).as_secs();
                let text = format!("Looking for somebody to play with{dots} {seconds} s");
                rows.say(RowKind::Plain, &text);
            }
            Screen::Room => {}
        }
    }

    fn servers_rows(&self, rows: &mut Rows) {
        rows.say(RowKind::Title, "Which server?");
        rows.blank();
        let known = self.servers.iter().map(ToString::to_string);
        for (text, number) in known.chain(["Type an address".to_owned()]).zip(1..) {
            rows.item(&format!("{number} {text}"));
        }
    }

    /// The row hides the typed text and shows its length alone.
    fn password_rows(&self, field: &TextField, rows: &mut Rows) {
        let stars = "*".repeat(field.text.chars().count());
        rows.say(RowKind::Title, &format!("{} asks for a password", self.server));
        rows.blank();
        rows.item(&format!("Password: {stars}_"));
        rows.blank();
        rows.say(RowKind::Aside, "Its host knows it. Esc quits.");
    }

    fn menu_rows(&self, rows: &mut Rows) {
        rows.say(RowKind::Title, "What would you like to do?");
        for ((_, text), number) in self.menu().iter().zip(1..) {
            rows.item(&format!("{number} {text}"));
        }
    }
}

/// Text that somebody typed, made as safe to show as what comes from others.
fn typed(field: &TextField, active: bool) -> String {
    let cursor = if active { "_" } else { "" };
    format!("{}{cursor}", DisplayText::from(field.text.as_str()))
}

fn form_rows(form: &Form, rows: &mut Rows) {
    rows.say(RowKind::Title, "Noughts and crosses, together");
    rows.blank();
    rows.item(&format!("Server: {}", typed(&form.server, !form.at_name)));
    rows.item(&format!("Name:   {}", typed(&form.name, form.at_name)));
    rows.blank();
    rows.say(RowKind::Aside, "Type, or press Enter to keep it.");
}

fn setup_rows(setup: &Setup, rows: &mut Rows) {
    rows.say(RowKind::Title, setup.title());
    rows.blank();
    for field in &setup.fields {
        rows.field(field.label(), field.value());
    }
}

fn code_rows(field: &TextField, rows: &mut Rows) {
    rows.say(RowKind::Title, "Which room? Its code has five letters.");
    rows.blank();
    rows.item(&format!("Code: {}", typed(field, true)));
}

fn lobby_rows(lobby: &Lobby, rows: &mut Rows) {
    let mut add = |title: &str, rooms: &[RoomSummary]| {
        if !rooms.is_empty() {
            rows.say(RowKind::Title, title);
        }
        rooms.iter().for_each(|room| rows.item(&words::summary(room)));
    };
    add("Rooms with a free seat", &lobby.waiting);
    add("Games to watch", &lobby.playing);
    if rows.items == 0 {
        rows.say(RowKind::Plain, "No public rooms at the moment.");
    }
    if lobby.more > 0 {
        rows.say(RowKind::Aside, &format!("and {} more", lobby.more));
    }
}
