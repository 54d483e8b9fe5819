//! A screen: one type with its state, its keys and its drawing. It reads the [`Shell`] and asks through
//! it; where to go next it returns. No screen reaches into another one.

use std::time::Instant;

use crossterm::event::KeyCode;
use noughts_protocol::Emote;

use super::connect::{Form, Servers, Wait};
use super::field_form::FieldForm;
use super::games::Games;
use super::keys::{Key, KeyAction};
use super::lobby::LobbyList;
use super::overlay::Question;
use super::page::Page;
use super::people::PeopleScreen;
use super::puzzle::PuzzleScreen;
use super::replay::Replay;
use super::settings::Settings;
use super::setup::Setup;
use super::shell::Shell;
use super::text_field::TextField;
use crate::action::Action;
use crate::client::Exit;

/// The current screen. Those without state here stay behind the others: the [`App`](super::app::App) has
/// them.
#[derive(Debug)]
pub(crate) enum Screen {
    /// The form for server and name.
    Form(Form),
    /// The list of servers.
    Servers(Servers),
    /// Waiting for a server, a room or a stranger.
    Wait(Wait),
    /// A question for one text.
    Field(FieldForm),
    /// The main menu.
    Menu,
    /// Name, server and how the full screen looks and rings.
    Settings(Settings),
    /// The settings of a new game or party.
    Setup(Setup),
    /// The list of public rooms.
    Lobby(LobbyList),
    /// The player's own kept games.
    Games(Games),
    /// Profiles, or the strongest players.
    People(PeopleScreen),
    /// The puzzle of a day.
    Puzzle(Box<PuzzleScreen>),
    /// A kept game.
    Replay(Box<Replay>),
    /// A party.
    Party,
    /// A room.
    Room,
}

/// Where a key leads.
#[derive(Debug)]
pub(crate) enum Transition {
    /// The screen has done what there is to do.
    Stay,
    /// The key moves in the list of the page.
    List,
    /// The key means nothing now.
    Meaningless,
    /// To the menu.
    Menu,
    /// To another screen, with the first item selected.
    Show(Screen),
    /// To another screen, with this item selected.
    ShowAt(Screen, usize),
    /// To the party; the line is selected that was.
    Party(Option<usize>),
    /// Start this.
    Begin(Action),
    /// Back from a kept game.
    CloseReplay,
    /// Ask this in a window.
    Ask(Question),
    /// Choose an emote in a window.
    Emotes,
    /// Say an emote.
    Say(Emote),
    /// Leave the room.
    Leave,
    /// Follow the party no more.
    LeaveParty,
    /// Connect to the server that is chosen.
    Connect,
    /// End the program.
    Quit(Exit),
}

/// The effect of clicks and of the mouse wheel on a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clicks {
    /// Nothing: the mouse is left to the terminal, which selects text with it.
    Ignored,
    /// The screen has places of its own.
    Places,
    /// A click opens an item.
    Open,
    /// A click selects an item, a second one does what Enter does.
    Select,
    /// A click selects an item, a second one takes its next value.
    Turn,
}

/// A screen.
pub(crate) trait Component {
    /// The keys, in the order in which the last row names them. It keeps the first ones and the last one
    /// in a narrow terminal too.
    fn keys(&self, shell: &Shell) -> Vec<Key>;

    /// Does what a key says. A key that moves says where, a digit which.
    fn act(&mut self, shell: &mut Shell, action: KeyAction, key: KeyCode) -> Transition;

    /// Fills the page. A screen that is no page draws itself.
    fn fill<'a>(&'a self, _shell: &'a Shell, _page: &mut Page<'a>) {}

    /// The field that is typed in; `second` is the one below the first.
    fn field(&mut self, _second: bool) -> Option<&mut TextField> {
        None
    }

    /// The effect of clicks.
    fn clicks(&self, _shell: &Shell) -> Clicks {
        Clicks::Ignored
    }

    /// Whether the board with its signs is on the screen.
    fn has_signs(&self, _shell: &Shell) -> bool {
        false
    }

    /// The columns at the right that the page leaves free.
    fn margin(&self, _shell: &Shell) -> u16 {
        0
    }

    /// The moment at which the picture changes by itself, besides the countdowns.
    fn next_frame(&self, _shell: &Shell) -> Option<Instant> {
        None
    }
}
