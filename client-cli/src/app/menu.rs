//! The main menu and what each item opens.

use noughts_protocol::{Features, GameKind, LobbyIntent, Role, RoomCode};

use super::{App, Screen, TextField};
use crate::args::parse_room;
use crate::choices::Choices;
use crate::client::Exit;
use crate::core::Action;

/// An item of the main menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuItem {
    /// Choose the settings of a game.
    Play(GameKind),
    /// Join a room by its code.
    Code,
    /// List the public rooms.
    Watch,
    /// End the program.
    Quit,
}

impl App {
    /// The items in their order, without those that the server's host has switched off. Number keys
    /// from 1 choose them.
    #[must_use]
    pub fn menu(&self) -> Vec<(MenuItem, &'static str)> {
        let Features { spectators, listing, quick_match } = self.client.choice.features;
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
            (true, MenuItem::Quit, "Quit"),
        ];
        all.into_iter().filter(|(on, ..)| *on).map(|(_, item, text)| (item, text)).collect()
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
            Err(why) => self.error(why),
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
        if is_possible {
            self.ask(LobbyIntent::Join { room, role });
        }
    }
}
