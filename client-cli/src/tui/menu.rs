//! The main menu and what each item opens.

use std::ops::ControlFlow;

use crossterm::event::KeyCode;
use noughts_protocol::{Features, GameKind, Role, RoomCode};

use super::field_form::FieldForm;
use super::keys::{HELP, Key, KeyAction, key, list_keys};
use super::page::Page;
use super::people::{People, PeopleScreen};
use super::screen::{Clicks, Component, Screen, Transition};
use super::settings::Settings;
use super::setup::Setup;
use super::shell::Shell;
use crate::action::Action;
use crate::client::Exit;
use crate::strings;

/// The letters that choose an item of a list and do nothing else there.
pub(super) const LETTERS: [char; 8] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'i'];

/// An item of the main menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MenuItem {
    /// Return to the party behind the menu.
    Party,
    /// Return to the room behind the menu.
    Back,
    /// Return to a room in which the player may still have a seat.
    Return(RoomCode),
    /// Choose the settings of a game.
    Play(GameKind),
    /// Join a room by its code.
    Code,
    /// List the public rooms.
    Watch,
    /// List the player's own kept games.
    Games,
    /// Make a party.
    NewParty,
    /// Show the player's own profile.
    Profile,
    /// Show the strongest players.
    Leaders,
    /// Solve the puzzle of the day.
    Puzzle,
    /// List those whom the player has played and who are here now.
    Here,
    /// Change name, server, and how the full screen looks and rings.
    Settings,
    /// End the program.
    Quit,
}

/// The main menu.
#[derive(Debug, Default)]
pub(crate) struct Menu {
    /// The item on which the cursor stands, or stood last.
    pub(super) item: Option<MenuItem>,
}

impl Menu {
    /// The items in their order, without those that the server's host has switched off. First come
    /// the rooms in which the player has a seat, so that the others keep their numbers.
    pub(crate) fn items(shell: &Shell) -> Vec<(MenuItem, String)> {
        let Features { spectators, listing, quick_match, history, ratings, parties, .. } =
            shell.client.choice.features;
        let watch = if spectators { "Watch a game" } else { "Public games" };
        let play = |on, kind: GameKind| (on, MenuItem::Play(kind), kind.label());
        let all = [
            play(true, GameKind::Friend),
            (true, MenuItem::Code, "Join by code"),
            play(quick_match, GameKind::Quick),
            play(true, GameKind::Computer),
            (listing, MenuItem::Watch, watch),
            play(spectators, GameKind::Exhibition),
            play(true, GameKind::Both),
            (true, MenuItem::Settings, "Settings"),
            (history, MenuItem::Games, "My games"),
            (history, MenuItem::Profile, "My profile"),
            (history && ratings, MenuItem::Leaders, "Strongest players"),
            (parties, MenuItem::NewParty, "Make a party"),
            (true, MenuItem::Puzzle, "Puzzle of the day"),
            (history, MenuItem::Here, "Who is here now"),
            (true, MenuItem::Quit, "Quit"),
        ];
        let others = all.into_iter().filter(|(on, ..)| *on);
        seats(shell).chain(others.map(|(_, item, text)| (item, text.to_owned()))).collect()
    }

    /// The keys that choose the items: digits, then letters. Seats come and go: the first of them is 0,
    /// and the letters of the others are the last ones.
    pub(crate) fn item_keys(shell: &Shell) -> Vec<char> {
        let before = seats(shell).count();
        let after = Self::items(shell).len() - before - 1;
        let mut free = ('1'..='9').chain(LETTERS);
        let others: Vec<char> = free.by_ref().take(after).collect();
        let seats = std::iter::once('0').chain(free).take(before);
        seats.chain(others).chain(['q']).collect()
    }

    /// Remembers the item on which the cursor stands.
    pub(super) fn remember(&mut self, shell: &Shell) {
        self.item = Self::items(shell).get(shell.selected()).map(|(item, _)| *item);
    }

    /// Puts the cursor on an item, if it is there.
    pub(super) fn choose_again(shell: &mut Shell, item: MenuItem) {
        let place = Self::items(shell).iter().position(|(other, _)| *other == item);
        if place.is_some() {
            shell.list.select(place);
        }
    }

    /// Opens an item.
    fn choose(&mut self, shell: &mut Shell, item: MenuItem) -> Transition {
        shell.message = None;
        self.item = Some(item);
        Transition::Show(match item {
            MenuItem::Play(kind) => Screen::Setup(Setup::new(shell, kind)),
            MenuItem::Code => FieldForm::code(shell.client.profile.saved.room),
            MenuItem::Settings => Screen::Settings(Settings),
            MenuItem::Back => Screen::Room,
            MenuItem::Here => {
                let mut here = PeopleScreen::of(People::Here);
                here.load(shell);
                Screen::People(here)
            }
            MenuItem::NewParty => FieldForm::party_name(shell),
            MenuItem::Party => return Transition::Party(None),
            // As a spectator a player gets the seat back, and somebody who has none takes none.
            MenuItem::Return(room) => {
                return Transition::Begin(Action::join(room, Role::Spectator));
            }
            MenuItem::Games => return Transition::Begin(Action::Games),
            MenuItem::Profile => return Transition::Begin(Action::Profile),
            MenuItem::Leaders => return Transition::Begin(Action::Leaders),
            MenuItem::Puzzle => return Transition::Begin(Action::Puzzle(None)),
            MenuItem::Watch => return Transition::Begin(Action::Lobby),
            MenuItem::Quit => return Transition::Quit(Exit::Done),
        })
    }
}

/// The places that the player can come back to, beside which there are keys for all other items.
const MAX_SEATS: usize = 4;

/// The items for rooms in which the player has a seat: the one behind the menu, then those of before.
fn seats(shell: &Shell) -> impl Iterator<Item = (MenuItem, String)> {
    let here = shell.session.room();
    let back = here.map(|view| {
        let standing = strings::standing(view);
        let unread = match shell.unread() {
            0 => String::new(),
            count => format!(", {count} unread"),
        };
        (MenuItem::Back, format!("Back to {}: {standing}{unread}", view.state.code))
    });
    let followed = shell.party().map(|party| party.state.code.0);
    let is_other = move |room: &&RoomCode| {
        Some(**room) != followed && here.is_none_or(|view| view.state.code != **room)
    };
    let saved = &shell.client.profile.saved;
    let earlier = saved.room.iter().chain(&saved.earlier).filter(is_other);
    let earlier = earlier.map(|room| {
        let seen = shell.seen.get(room).map(|seen| format!(": {seen}"));
        (MenuItem::Return(*room), format!("Back to {room}{}", seen.unwrap_or_default()))
    });
    let party = shell.party().map(|party| {
        (MenuItem::Party, format!("Back to {}: {}", party.state.name, party.status()))
    });
    party.into_iter().chain(back).chain(earlier).take(MAX_SEATS)
}

impl Component for Menu {
    fn keys(&self, _: &Shell) -> Vec<Key> {
        let quit = [key("q", KeyAction::Back, "quit", "quit"), HELP];
        [&choice_keys()[..], &list_keys("move"), &quit].concat()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, code: KeyCode) -> Transition {
        let place = match chosen(shell, &Self::item_keys(shell), action, code) {
            ControlFlow::Continue(place) => place,
            ControlFlow::Break(transition) => return transition,
        };
        let items = Self::items(shell);
        let Some((item, _)) = items.get(place) else { return Transition::Stay };
        self.choose(shell, *item)
    }

    fn fill<'a>(&'a self, shell: &'a Shell, page: &mut Page<'a>) {
        page.heading("What would you like to do?");
        let items = Self::items(shell).into_iter().map(|(_, text)| text);
        page.keyed(&Self::item_keys(shell), items);
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Open
    }
}

/// The keys that choose an item.
pub(super) const fn choice_keys() -> [Key; 2] {
    [
        key("Enter, space", KeyAction::Enter, "choose", "choose"),
        key("1-9, a-g, i", KeyAction::Number, "", "choose the item with that key"),
    ]
}

/// The place of the item that a key chooses in a list with these keys, which is selected then; or what
/// the key does there instead.
pub(super) fn chosen(
    shell: &mut Shell,
    keys: &[char],
    action: KeyAction,
    code: KeyCode,
) -> ControlFlow<Transition, usize> {
    let place = match (action, code) {
        (KeyAction::Enter, _) => Some(shell.selected()),
        (KeyAction::Number, KeyCode::Char(typed)) => keys.iter().position(|key| *key == typed),
        (KeyAction::Back, _) => return ControlFlow::Break(Transition::Quit(Exit::Done)),
        _ => return ControlFlow::Break(Transition::List),
    };
    let Some(place) = place else { return ControlFlow::Break(Transition::Stay) };
    shell.list.select(Some(place));
    ControlFlow::Continue(place)
}
