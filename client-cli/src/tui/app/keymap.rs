//! The keys of the full screen. [`KEYMAP`] alone says which key does what and where, and how the
//! last row and the help name it: the handlers, both rows of keys and the help read it.

use crossterm::event::{KeyCode, KeyEvent};
use noughts_protocol::{ClaimedResult, OpeningChoice, Role, Series};

use self::Context::{
    CellName, Choice, Code, Decide, Emotes, Everywhere, Exhibition, File, Form, Games, Help, Lobby,
    Menu, Name, NewSeries, Note, Party, Password, People, Question, Quick, Replay, Review, Room,
    Servers, Settings, Setup, Talk, Wait, Watching,
};
use self::KeyAction as Act;
use super::games::GamesFilter;
use super::people::LeadersFilter;
use super::{App, Overlay, PartyKey, Question as Asked, Screen};
use crate::session::RoomView;
use labels::help_of;
pub(super) use names::direction;
use names::is_named;
use table::{KEYMAP, ROOM};

/// The effect of a key. Each screen applies it to its own content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyAction {
    Back,
    ChatCommand,
    Choose(OpeningChoice),
    Claim(ClaimedResult),
    Close,
    Copy,
    Emote,
    Emotes,
    Enter,
    Faster,
    First,
    Games(GamesFilter),
    Leaders(LeadersFilter),
    Help,
    Hint,
    Interrupt,
    Join(Role),
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
    Talk,
    TypeCell,
    Yes,
}

/// Where keys are pressed: a screen, a phase of the room or a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    Everywhere,
    Question,
    /// The question for the length of a new series.
    NewSeries,
    Help,
    Form,
    Password,
    Code,
    Servers,
    Menu,
    Settings,
    Setup,
    Lobby,
    Games,
    /// Profiles, or the strongest players.
    People,
    /// The question for a file.
    File,
    Party,
    /// The question for the name of a new party.
    Name,
    /// The question for the note of a result in a party.
    Note,
    /// The question for a result in a party.
    Decide,
    /// A kept game.
    Replay,
    /// Waiting for a server or a room.
    Wait,
    Quick,
    Review,
    /// The emotes to say.
    Emotes,
    /// A room in which this player types what to say.
    Talk,
    /// A room in which this player types the name of a cell.
    CellName,
    /// A room in which this player must choose in a swap2 opening.
    Choice,
    Room,
    /// A room in which this player watches.
    Watching,
    /// A room of two computers that this player made.
    Exhibition,
}

/// Keys that do the same.
pub(crate) struct Binding {
    contexts: &'static [Context],
    /// Their names, see [`is_named`]. The first one stands for all in the last row.
    names: &'static str,
    action: KeyAction,
    /// The text in the last row. Empty if the row leaves the keys out.
    label: fn(&App) -> &'static str,
    /// The sentence in the help. Empty if the help leaves the keys out.
    help: &'static str,
    /// Whether the keys mean something at the moment. The help shows no others.
    when: fn(&App) -> bool,
}

const fn bind(
    contexts: &'static [Context],
    names: &'static str,
    action: KeyAction,
    label: fn(&App) -> &'static str,
    help: &'static str,
) -> Binding {
    Binding { contexts, names, action, label, help, when: |_| true }
}

impl Binding {
    /// The binding, if it means something only at times.
    const fn when(mut self, when: fn(&App) -> bool) -> Self {
        self.when = when;
        self
    }

    fn names(&self) -> std::str::Split<'static, &'static str> {
        self.names.split(", ")
    }

    fn name(&self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    fn has(&self, key: KeyEvent) -> bool {
        self.names().any(|name| is_named(name, key))
    }
}

impl KeyAction {
    /// The name of its key, for a sentence.
    pub(crate) fn key(self) -> &'static str {
        KEYMAP.iter().find(|binding| binding.action == self).map_or("", Binding::name)
    }
}

impl App {
    /// Where keys are pressed now.
    fn context(&self) -> Context {
        match self.overlay {
            Some(Overlay::Help { .. }) => Help,
            Some(Overlay::Question(Asked::Series)) => NewSeries,
            Some(Overlay::Question(Asked::Decide(_))) => Decide,
            Some(Overlay::Question(_)) => Question,
            Some(Overlay::Emotes) => Emotes,
            None => self.screen_context(),
        }
    }

    fn screen_context(&self) -> Context {
        let chooses = |view: &RoomView| view.my_choice().is_some();
        match self.screen {
            Screen::Form(_) => Form,
            Screen::Servers => Servers,
            Screen::Password(_) => Password,
            Screen::Connecting | Screen::Entering => Wait,
            Screen::Menu => Menu,
            Screen::Settings => Settings,
            Screen::Setup(_) | Screen::PartySetup(_) => Setup,
            Screen::Code(_) => Code,
            Screen::Lobby => Lobby,
            Screen::Quick { .. } => Quick,
            Screen::Games => Games,
            Screen::People => People,
            Screen::SaveIdentity(_) => File,
            Screen::Replay => Replay,
            Screen::Party => Party,
            Screen::PartyName(_) => Name,
            Screen::PartyNote(_) => Note,
            Screen::Room if self.review_ply.is_some() => Review,
            Screen::Room if self.talk.field.is_some() => Talk,
            Screen::Room if self.typed.is_some() => CellName,
            Screen::Room if self.session.room().is_some_and(chooses) => Choice,
            Screen::Room if self.session.room().is_some_and(RoomView::may_pace) => Exhibition,
            Screen::Room if self.session.room().is_some_and(RoomView::is_watching) => Watching,
            Screen::Room => Room,
        }
    }

    /// The action of a key here, and the key. A capital letter stands for the small one, if it has no
    /// meaning of its own.
    pub(super) fn action_of(&self, key: KeyEvent) -> Option<(KeyAction, KeyCode)> {
        let small = match key.code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        [key.code, small].into_iter().find_map(|code| {
            let key = KeyEvent { code, ..key };
            Some((self.bindings().find(|binding| binding.has(key))?.action, code))
        })
    }

    /// A label, if something about the room holds.
    fn if_room(&self, label: &'static str, holds: impl Fn(&RoomView) -> bool) -> &'static str {
        if self.session.room().is_some_and(holds) { label } else { "" }
    }

    /// The keys that mean something at the moment, and what each does.
    pub(crate) fn key_help(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let listed = in_contexts(vec![self.screen_context()]);
        let listed = listed.filter(|binding| !binding.help.is_empty() && (binding.when)(self));
        listed.map(|binding| (binding.names, help_of(self, binding)))
    }

    /// Whether digits play: on a board of at most nine cells.
    fn is_on_numbers(&self) -> bool {
        self.is_playing()
            && self.session.room().is_some_and(|view| view.state.settings.board.cells() <= 9)
    }

    /// The bindings of the context of the moment.
    fn bindings(&self) -> impl Iterator<Item = &'static Binding> + use<> {
        in_contexts(vec![self.context()])
    }
}

/// The bindings of some contexts, with those that are everywhere.
fn in_contexts(contexts: Vec<Context>) -> impl Iterator<Item = &'static Binding> {
    KEYMAP.iter().filter(move |binding| {
        let mut own = binding.contexts.iter();
        own.any(|context| *context == Everywhere || contexts.contains(context))
    })
}

mod bar;
mod idle;
mod labels;
mod names;
mod table;
#[cfg(test)]
mod tests;
