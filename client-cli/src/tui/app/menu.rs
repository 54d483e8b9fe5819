//! The main menu and what each item opens.

use noughts_protocol::{Features, GameKind, LobbyIntent, Role, RoomCode};

use super::{App, Effect, People, Screen, TextField};
use crate::args::parse_room;
use crate::choices::Choices;
use crate::choices::party::usual_name;
use crate::client::Exit;
use crate::config::Change;
use crate::session::{Action, RoomView};
use crate::strings;

/// The letters that choose an item of a list and do nothing else there.
const LETTERS: std::ops::RangeInclusive<char> = 'a'..='g';

/// An item of the main menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuItem {
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
    /// Change name, server, and how the full screen looks and rings.
    Settings,
    /// End the program.
    Quit,
}

impl App {
    /// The items in their order, without those that the server's host has switched off. First come
    /// the rooms in which the player has a seat, so that the others keep their numbers.
    #[must_use]
    pub fn menu(&self) -> Vec<(MenuItem, String)> {
        let Features { spectators, listing, quick_match, history, ratings, parties, .. } =
            self.client.choice.features;
        let watch = if spectators { "Watch a game" } else { "Public rooms" };
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
            (true, MenuItem::Quit, "Quit"),
        ];
        let others = all.into_iter().filter(|(on, ..)| *on);
        self.seats().chain(others.map(|(_, item, text)| (item, text.to_owned()))).collect()
    }

    /// The items for rooms in which the player has a seat: the one behind the menu, then those of
    /// before.
    fn seats(&self) -> impl Iterator<Item = (MenuItem, String)> {
        let here = self.session.room();
        let back = here.map(|view| {
            let standing = strings::standing(view);
            let unread = match self.unread() {
                0 => String::new(),
                count => format!(", {count} unread"),
            };
            (MenuItem::Back, format!("Back to {}: {standing}{unread}", view.state.code))
        });
        let is_other = move |room: &&RoomCode| here.is_none_or(|view| view.state.code != **room);
        let earlier = self.client.profile.earlier_rooms().iter().filter(is_other);
        let earlier = earlier.map(|room| (MenuItem::Return(*room), format!("Back to {room}")));
        let party = self.party().map(|party| {
            (MenuItem::Party, format!("Back to {}: {}", party.state.name, party.status()))
        });
        party.into_iter().chain(back).chain(earlier)
    }

    /// The keys that choose the items of the menu or of the list of servers: digits, then letters.
    /// Seats come and go: the first of them is 0, and the letters of the others are the last ones.
    pub(super) fn item_keys(&self) -> Vec<char> {
        let (before, after) = match self.screen {
            Screen::Menu => (self.seats().count(), self.menu().len() - self.seats().count() - 1),
            Screen::Servers => (0, self.client.choice.candidates.len() + 1),
            _ => return Vec::new(),
        };
        let mut free = ('1'..='9').chain(LETTERS);
        let others: Vec<char> = free.by_ref().take(after).collect();
        let seats = std::iter::once('0').chain(free).take(before);
        let quit = matches!(self.screen, Screen::Menu).then_some('q');
        seats.chain(others).chain(quit).collect()
    }

    /// Remembers the item on which the cursor of the menu stands.
    pub(super) fn remember_item(&mut self) {
        if matches!(self.screen, Screen::Menu) {
            self.menu_item = self.menu().get(self.selected()).map(|(item, _)| *item);
        }
    }

    /// Puts the cursor of the menu on an item, if it is there.
    pub(super) fn choose_again(&mut self, item: MenuItem) {
        let place = self.menu().iter().position(|(other, _)| *other == item);
        if matches!(self.screen, Screen::Menu) && place.is_some() {
            self.list.select(place);
        }
    }

    /// Shows the menu. The cursor stands where it was, or on what goes on behind the menu.
    pub(super) fn show_menu(&mut self) {
        self.overlay = None;
        (self.review_ply, self.news) = (None, None);
        self.show(Screen::Menu);
        if self.session.room().is_none() && self.session.party().is_none() {
            self.menu_item.into_iter().for_each(|item| self.choose_again(item));
        }
    }

    /// Shows the room behind the menu. A spectator may take a seat there.
    pub(super) fn enter_again(&mut self, room: RoomCode, role: Role) {
        self.message = None;
        if matches!(self.screen, Screen::Lobby) {
            self.ask(LobbyIntent::UnwatchLobby);
        }
        if role == Role::Player && self.session.room().is_some_and(RoomView::is_watching) {
            self.ask(LobbyIntent::Join { room, role });
        }
        self.show(Screen::Room);
    }

    /// Opens an item.
    pub(super) fn choose(&mut self, item: MenuItem) {
        self.message = None;
        self.menu_item = Some(item);
        let screen = match item {
            MenuItem::Play(kind) => Screen::Setup(self.choices(kind)),
            MenuItem::Code => Screen::Code(
                self.client
                    .profile
                    .room()
                    .map_or_else(TextField::default, |room| TextField::filled(room.to_string())),
            ),
            MenuItem::Back => return self.show(Screen::Room),
            MenuItem::Party => return self.show_party(),
            // As a spectator a player gets the seat back, and somebody who has none takes none.
            MenuItem::Return(room) => return self.begin(Action::join(room, Role::Spectator)),
            MenuItem::Settings => Screen::Settings,
            MenuItem::NewParty => {
                let name = usual_name(Some(&self.client.profile.name));
                Screen::PartyName(TextField::filled(name.to_string()))
            }
            MenuItem::Games => return self.open_games(),
            MenuItem::Profile => return self.open_people(People::Profile(None)),
            MenuItem::Leaders => return self.open_leaders(),
            MenuItem::Watch => return self.begin(Action::Lobby),
            MenuItem::Quit => return self.quit(Exit::Done),
        };
        self.show(screen);
    }

    /// The choices for a game: for one against a computer those of the last time.
    fn choices(&self, kind: GameKind) -> Choices {
        let mut choices = Choices::new(kind, self.client.choice.features);
        if kind == GameKind::Computer {
            choices.set_all(self.client.profile.computer());
        }
        choices
    }

    /// Starts the game with the settings that are chosen. Those against a computer are kept.
    pub(super) fn start_game(&mut self) {
        let Screen::Setup(setup) = &self.screen else { return };
        let action = setup.action();
        let values = setup.values();
        if setup.kind == GameKind::Computer && values != *self.client.profile.computer() {
            let change = Change::Computer(values);
            self.client.profile.apply(change.clone());
            self.effects.push(Effect::Save(change));
        }
        self.begin(action);
    }

    /// Joins the room whose code was typed.
    pub(super) fn join_typed(&mut self) {
        let Screen::Code(field) = &self.screen else { return };
        match parse_room(field.text()) {
            Ok(room)
                if room
                    .link
                    .as_ref()
                    .is_some_and(|link| link.server != self.client.choice.server) =>
            {
                self.error(
                    "that link is for another server: start noughts with --server and the link",
                );
            }
            Ok(room) => self.begin(Action::join(room.code, Role::Player)),
            Err(why) => {
                // Another code can be typed at once.
                if let Screen::Code(field) = &mut self.screen {
                    field.select();
                }
                self.error(why);
            }
        }
    }

    /// The selected room of the list, and whether it has a free seat.
    pub(super) fn selected_room(&self) -> Option<(RoomCode, bool)> {
        let lobby = self.session.lobby()?;
        let room = lobby.waiting.iter().chain(&lobby.playing).nth(self.selected())?;
        Some((room.room, self.selected() < lobby.waiting.len()))
    }

    /// Enters the selected room, if it is possible to play or to watch there.
    pub(super) fn enter_room(&mut self, role: Role) {
        let Some((room, is_free)) = self.selected_room() else { return };
        let is_possible =
            if role == Role::Player { is_free } else { self.client.choice.features.spectators };
        if self.session.room().is_some_and(|view| view.state.code == room) {
            self.enter_again(room, role);
        } else if is_possible {
            self.ask(LobbyIntent::Join { room, role });
        }
    }
}
