//! The keys of the full screen. Each screen lists its keys once, with what they do and how the last row
//! and the help name them: the handlers, the row, its clicks and the help read that list.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_protocol::{ClaimedResult, Mark, OpeningChoice, Role, Series};

use super::games::GamesFilter;
use super::party::PartyKey;
use super::people::LeadersFilter;

/// The effect of a key. Each screen applies it to its own content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyAction {
    Accept,
    Back,
    ChatCommand,
    Choose(OpeningChoice),
    Claim(ClaimedResult),
    Close,
    Easier,
    Copy,
    Emote,
    Emotes,
    Enter,
    Faster,
    First,
    Games(GamesFilter),
    Leaders(LeadersFilter),
    Harder,
    Help,
    Hint,
    Ink(Mark),
    Interrupt,
    Join(Role),
    Decline,
    Last,
    Menu,
    Move,
    Newer,
    NewSeries(Series),
    Number,
    Older,
    Page,
    Party(PartyKey),
    Pause,
    Play,
    Redraw,
    Rematch,
    Replay,
    Resign,
    Review,
    Series,
    Slower,
    Step,
    Suspend,
    TakeBack,
    Talk,
    TypeCell,
    Yes,
}

/// Keys that do the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    /// Their names, see [`is_named`]. The first one stands for all in the last row.
    pub(super) names: &'static str,
    pub(super) action: KeyAction,
    /// The text in the last row. Empty if the row leaves the keys out.
    pub(super) label: &'static str,
    /// The sentence in the help. Empty if the help leaves the keys out.
    pub(super) help: &'static str,
    /// Whether the keys mean something at the moment. The help shows no others.
    pub(super) when: bool,
    /// The answer to the keys while they mean nothing. Empty if the screen answers itself.
    pub(super) otherwise: &'static str,
}

pub(super) const fn key(
    names: &'static str,
    action: KeyAction,
    label: &'static str,
    help: &'static str,
) -> Key {
    Key { names, action, label, help, when: true, otherwise: "" }
}

/// Keys that mean something only while they have a label.
pub(super) const fn labelled(
    names: &'static str,
    action: KeyAction,
    label: &'static str,
    help: &'static str,
) -> Key {
    key(names, action, label, help).when(!label.is_empty())
}

/// The key of the help, where `?` is not typed.
pub(super) const HELP: Key = key("?", KeyAction::Help, "help", "show the keys");

/// The name of the key that interrupts, for a sentence.
pub(super) const INTERRUPT: &str = "Ctrl-C";

/// The name of the key that accepts a challenge.
pub(super) const ACCEPT: &str = "Ctrl-Y";

/// The keys that are everywhere.
pub(super) const EVERYWHERE: [Key; 4] = [
    key("Ctrl-C, Ctrl-D", KeyAction::Interrupt, "", "quit; a seat is kept"),
    key("Ctrl-Z", KeyAction::Suspend, "", ""),
    key("Ctrl-L", KeyAction::Redraw, "", "draw the screen again"),
    // The challenge on the screen names this key.
    key(ACCEPT, KeyAction::Accept, "", ""),
];

/// The keys that move in a list. The last row names the arrows with this label.
pub(super) const fn list_keys(label: &'static str) -> [Key; 4] {
    let [pages, first, last] = END_KEYS;
    [key("arrows, hjkl, Tab", KeyAction::Move, label, "move"), pages, first, last]
}

/// The keys that move far in a list.
pub(super) const END_KEYS: [Key; 3] = [
    key("PageUp, PageDown", KeyAction::Page, "", "move by a page"),
    key("Home", KeyAction::First, "", "the first item"),
    key("End", KeyAction::Last, "", "the last item"),
];

/// The keys of a page with values: `enter` is that of Enter, and the last row names the arrows with this
/// label.
pub(super) const fn value_keys(enter: Key, label: &'static str) -> [Key; 7] {
    [
        key("Home", KeyAction::First, "", ""),
        key("End", KeyAction::Last, "", ""),
        enter,
        key("arrows, hjkl, Tab", KeyAction::Move, label, "move, change a value"),
        key("space", KeyAction::Move, "", "take the next value"),
        key("Esc, q", KeyAction::Back, "back", "back to the menu"),
        HELP,
    ]
}

/// The keys of a field that is typed in.
pub(super) const fn field_keys(enter: &'static str, back: &'static str) -> [Key; 2] {
    [key("Enter", KeyAction::Enter, enter, ""), key("Esc", KeyAction::Back, back, "")]
}

impl Key {
    /// The keys, if they mean something only at times.
    pub(super) const fn when(mut self, when: bool) -> Self {
        self.when = when;
        self
    }

    /// The keys with an answer while they mean nothing.
    pub(super) const fn otherwise(mut self, otherwise: &'static str) -> Self {
        self.otherwise = otherwise;
        self
    }

    pub(super) fn names(&self) -> std::str::Split<'static, &'static str> {
        self.names.split(", ")
    }

    fn name(&self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    pub(super) fn has(&self, key: KeyEvent) -> bool {
        self.names().any(|name| is_named(name, key))
    }
}

/// The meaning of a key among some, and the key. A capital letter stands for the small one, if it has no
/// meaning of its own.
pub(super) fn meaning(keys: &[Key], key: KeyEvent) -> Option<(Key, KeyCode)> {
    let small = match key.code {
        KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
        code => code,
    };
    [key.code, small].into_iter().find_map(|code| {
        let key = KeyEvent { code, ..key };
        Some((*keys.iter().find(|one| one.has(key))?, code))
    })
}

/// Whether a key has a name, or belongs to the keys of a name.
pub(super) fn is_named(name: &str, key: KeyEvent) -> bool {
    let (control, name) = match name.strip_prefix("Ctrl-") {
        Some(letter) => (true, letter.to_lowercase()),
        None => (false, name.to_owned()),
    };
    control == key.modifiers.contains(KeyModifiers::CONTROL)
        && match (&*name, key.code) {
            ("arrows", KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down)
            | ("Tab", KeyCode::Tab | KeyCode::BackTab)
            // The zero is answered too: there is no such cell.
            | ("1-9", KeyCode::Char('0'..='9'))
            | ("1-8", KeyCode::Char('1'..='8'))
            | ("a-g", KeyCode::Char('a'..='g'))
            | ("a-i", KeyCode::Char('a'..='i'))
            | ("space", KeyCode::Char(' '))
            | ("Enter", KeyCode::Enter)
            | ("Esc", KeyCode::Esc)
            | ("Up", KeyCode::Up)
            | ("Down", KeyCode::Down)
            | ("PageUp", KeyCode::PageUp)
            | ("PageDown", KeyCode::PageDown)
            | ("Home", KeyCode::Home)
            | ("End", KeyCode::End) => true,
            ("hjkl", KeyCode::Char(letter)) => "hjkl".contains(letter),
            (name, KeyCode::Char(letter)) => name.chars().eq([letter]),
            _ => false,
        }
}

/// The columns and rows by which a key moves. A click moves on.
pub(super) const fn direction(key: KeyCode) -> (i16, i16) {
    match key {
        KeyCode::Left | KeyCode::Char('h') => (-1, 0),
        KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab | KeyCode::PageUp => (0, -1),
        KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab | KeyCode::PageDown => (0, 1),
        _ => (1, 0),
    }
}

/// Whether a key moves towards the end.
pub(super) const fn is_forward(key: KeyCode) -> bool {
    let (columns, rows) = direction(key);
    columns + rows > 0
}

/// Keys with their labels in a row, which can be clicked.
#[derive(Debug)]
pub(crate) struct KeyBar(pub(super) Vec<(String, KeyAction)>);

impl KeyBar {
    const BETWEEN: &str = " | ";

    /// The keys that fit a width, the first ones first. `stays` are those that are left out last, `kept`
    /// those before them.
    pub(super) fn new(
        keys: &[Key],
        width: u16,
        stays: impl Fn(KeyAction) -> bool,
        kept: impl Fn(KeyAction) -> bool,
    ) -> Self {
        let named = keys.iter().filter(|key| !key.label.is_empty());
        let named = named.map(|key| (format!("{} {}", key.name(), key.label), key.action));
        let mut bar = Self(named.collect());
        while bar.0.len() > 1 && bar.text().len() + 1 > usize::from(width) {
            let last = |goes: &dyn Fn(KeyAction) -> bool| {
                bar.0.iter().rposition(|(_, action)| !stays(*action) && goes(*action))
            };
            let place = last(&|action| !kept(action))
                .or_else(|| last(&|action| action != KeyAction::Help))
                .or_else(|| last(&|_| true));
            bar.0.remove(place.unwrap_or_default());
        }
        bar
    }

    pub(crate) fn text(&self) -> String {
        let texts: Vec<&str> = self.0.iter().map(|(text, _)| text.as_str()).collect();
        texts.join(Self::BETWEEN)
    }

    /// The action at a column of the text.
    pub(super) fn action_at(&self, column: u16) -> Option<KeyAction> {
        let mut rest = usize::from(column);
        self.0.iter().find_map(|(text, action)| {
            let hit = rest < text.len();
            rest = rest.wrapping_sub(text.len() + Self::BETWEEN.len());
            hit.then_some(*action)
        })
    }
}

#[cfg(test)]
mod tests;
