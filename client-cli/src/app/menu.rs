//! The main menu and what each item opens.

use noughts_protocol::{Features, GameKind, LobbyIntent, Role, RoomCode};

use super::{App, People, Screen, TextField};
use crate::args::parse_room;
use crate::choices::Choices;
use crate::choices::party::usual_name;
use crate::client::Exit;
use crate::core::{Action, RoomView};
use crate::strings;

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

    /// How many items of the screen's list come before number 1. The first of them is 0.
    pub(super) fn before_first(&self) -> usize {
        if matches!(self.screen, Screen::Menu) { self.seats().count() } else { 0 }
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
        let screen = match item {
            MenuItem::Play(kind) => Screen::Setup(Choices::new(kind, self.client.choice.features)),
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
