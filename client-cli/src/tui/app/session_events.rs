//! How the full screen shows what happens in the session.

use noughts_protocol::{
    ByMark, Cell, ClientMessage, Event, LobbyIntent, PartyRole, Refusal, RefusalCode, Role,
    RoomIntent, Seat,
};

use super::{App, Overlay, Question, Screen, TextField};
use crate::client::Exit;
use crate::session::{Action, Happening, LookupKind};
use crate::strings;

impl App {
    pub(super) fn happened(&mut self, happening: Happening) {
        let view = self.session.room();
        match happening {
            Happening::Welcome { welcome, first: true } => {
                self.share_address = self.client.choice.server.share_address(&welcome.server);
                self.welcomed();
                self.ask_for_seat();
            }
            Happening::Welcome { .. } => self.info("Connected again."),
            Happening::Entered => self.entered(),
            Happening::Applied(ClientMessage::Lobby {
                intent: LobbyIntent::CancelMatch, ..
            }) => {
                // Another match may have been asked for since.
                if matches!(self.screen, Screen::Quick { .. }) && !self.session.is_queued() {
                    self.show_menu();
                }
            }
            // The server forgets the question with the connection.
            Happening::Lost(_) if self.awaits_hint => {
                self.awaits_hint = false;
                self.error(super::ask::OFFLINE);
            }
            Happening::Hint => {
                self.awaits_hint = false;
                let view = self.session.room();
                let text = view.and_then(|view| {
                    view.hint().map(|hint| strings::analysis::hint(view.state.settings.board, hint))
                });
                text.into_iter().for_each(|text| self.info(text));
            }
            Happening::Review => self.show_review(),
            Happening::Party
            | Happening::PartyEvent(_)
            | Happening::PartyLost(..)
            | Happening::PlacePass(..)
            | Happening::IsParty(_) => self.party_happened(happening),
            Happening::Chat(lines) => self.heard(&lines),
            Happening::Answered(kind) => self.answered(kind),
            Happening::Forgotten => self.forgotten(),
            Happening::Event { event, before } => self.event(&event, &before),
            Happening::Presence(changes) => {
                let Some(view) = view else { return };
                let texts =
                    changes.iter().filter_map(|change| strings::presence_text(view, change));
                let text = texts.collect::<Vec<_>>().join(" ");
                if !text.is_empty() {
                    self.tell(text);
                }
            }
            Happening::Refused(intent, refusal) => self.refused(&intent, &refusal),
            Happening::Closed(_) | Happening::RoomLost(..) => self.room_gone(&happening),
            Happening::PasswordWanted(why) => {
                self.show(Screen::Password(TextField::secret()));
                // The first question is no error.
                match self.client.choice.password.take() {
                    Some(_) => self.error(why.to_string()),
                    None => self.message = None,
                }
            }
            Happening::Ended(why) => self.ended(why.to_string()),
            // The room and the lobby are drawn from the session.
            other => strings::problem(&other).into_iter().for_each(|text| self.error(text)),
        }
    }

    fn party_happened(&mut self, happening: Happening) {
        match happening {
            Happening::Party => self.party_came(),
            Happening::PartyEvent(event) => self.party_event(&event),
            Happening::PlacePass(entrant, pass) => self.place_pass_came(entrant, &pass),
            Happening::PartyLost(_, refusal) => self.party_lost(&refusal.to_string()),
            Happening::IsParty(code) => {
                let watches = self.action == Action::join(code.0, Role::Spectator);
                let role = if watches { PartyRole::Spectator } else { PartyRole::Player };
                self.begin(Action::join_party(code, role));
            }
            _ => {}
        }
    }

    /// The room has ended, or cannot be entered again. A party goes on without it.
    fn room_gone(&mut self, happening: &Happening) {
        let here = matches!(self.screen, Screen::Room);
        let party = self.session.party().is_some();
        if party {
            if here {
                self.show_party();
            }
            return;
        }
        if here {
            self.show_menu();
        }
        match happening {
            Happening::Closed(reason) => self.info(strings::close_reason(*reason)),
            Happening::RoomLost(room, refusal) => {
                let why = strings::room_lost(*room, refusal);
                self.error(format!("Your room is gone: {why}."));
            }
            _ => {}
        }
    }

    /// Shows the answer to a question about kept games or people.
    fn answered(&mut self, kind: LookupKind) {
        match kind {
            LookupKind::History => self.games_came(),
            LookupKind::Game => self.game_came(),
            LookupKind::Review => self.game_review_came(),
            LookupKind::Profile | LookupKind::Leaderboard => self.people_came(kind),
            // The full screen writes no files.
            LookupKind::Export => {}
        }
    }

    /// Asks for the seat of an earlier run, to have it first in the menu. As a spectator a player gets
    /// the seat back, and somebody who has none any more takes none.
    fn ask_for_seat(&mut self) {
        let room = self.client.profile.room().filter(|_| self.action == Action::Menu);
        if let Some(room) = room {
            self.ask(LobbyIntent::Join { room, role: Role::Spectator });
            self.returning = Some(room);
        }
    }

    fn event(&mut self, event: &Event, before: &ByMark<Seat>) {
        // A hint for another position does not come.
        self.awaits_hint = self.awaits_hint && self.session.awaits_analysis();
        let Some(view) = self.session.room() else { return };
        let over = strings::end_text(view, event).is_some();
        let watching = view.is_watching();
        // The panel says how a game ended. The message stays with the last move.
        match strings::event_text(view, event, before) {
            Some(text) => self.tell(text),
            None if over && self.review_ply.is_none() => self.message = None,
            None => {}
        }
        // A spectator may read on; the message says that the next game begins.
        if matches!(event, Event::GameStarted { .. }) && !watching {
            self.review_ply = None;
            self.news.take().into_iter().for_each(|news| self.info(news));
        }
        if over {
            self.typed = None;
            self.won_at = self.client.preferences.motion.then_some(self.now);
        }
        // The question may be about the game that is over.
        let about_over = self.overlay == Some(Overlay::Question(Question::Series));
        let help = matches!(self.overlay, Some(Overlay::Help { .. } | Overlay::Emotes));
        if (!self.is_playing() && !help) || (self.is_playing() && about_over) {
            self.overlay = None;
        }
    }

    /// Says what happened in the room. A review keeps its summary: the news wait for its end.
    pub(super) fn tell(&mut self, text: String) {
        if self.review_ply.is_some() {
            self.news = Some(text);
        } else {
            self.info(text);
        }
    }

    fn ended(&mut self, why: String) {
        if self.may_change_server && matches!(self.screen, Screen::Connecting) {
            self.show(Screen::Form(self.form()));
            self.error(why);
        } else {
            self.quit(Exit::Lost(why));
        }
    }

    fn entered(&mut self) {
        let Some(view) = self.session.room() else { return };
        let spec = view.state.settings.board;
        let middle = (i16::from(spec.width()) / 2, i16::from(spec.height()) / 2);
        self.cursor = spec.cell_at(middle.0, middle.1).unwrap_or(Cell(0));
        if self.returning.take() == Some(view.state.code) {
            // Somebody else has the seat.
            if view.is_watching() {
                self.ask(RoomIntent::Leave);
            } else if matches!(self.screen, Screen::Menu) {
                self.show_menu();
            }
            return;
        }
        if matches!(self.screen, Screen::Lobby) {
            self.ask(LobbyIntent::UnwatchLobby);
        }
        self.enter_talk();
        self.show(Screen::Room);
        self.overlay = None;
        (self.review_ply, self.typed, self.won_at, self.news) = (None, None, None, None);
        self.message = None;
    }

    /// Handles a refusal: goes back to a screen where the player can try something else.
    fn refused(&mut self, intent: &ClientMessage, refusal: &Refusal) {
        if let ClientMessage::Lobby { intent: LobbyIntent::Join { room, .. }, .. } = intent
            && self.returning.take_if(|returning| returning == room).is_some()
        {
            return;
        }
        let in_menu = matches!(self.screen, Screen::Menu | Screen::Setup(_) | Screen::Code(_));
        if let ClientMessage::Room { intent: RoomIntent::Say { said }, .. } = intent {
            self.say_refused(said);
        }
        match intent {
            // The player has given the room up.
            ClientMessage::Lobby {
                intent: LobbyIntent::Join { .. } | LobbyIntent::Create { .. },
                ..
            } if in_menu => return,
            ClientMessage::Lobby { intent: LobbyIntent::Join { room, role }, .. } => {
                self.show_menu();
                match (refusal.code, role) {
                    (RefusalCode::SeatsTaken, Role::Player)
                        if self.client.choice.features.spectators =>
                    {
                        self.overlay = Some(Overlay::Question(Question::Watch(*room)));
                    }
                    // A wrong code is shown again, so that the player can correct it.
                    (RefusalCode::NoSuchRoom, _) => {
                        self.show(Screen::Code(TextField::filled(room.to_string())));
                    }
                    _ => {}
                }
            }
            ClientMessage::Lobby {
                intent:
                    LobbyIntent::Create { .. }
                    | LobbyIntent::QuickMatch { .. }
                    | LobbyIntent::CreateParty { .. },
                ..
            } => self.show_menu(),
            // Somebody who looks on may stay.
            ClientMessage::Lobby { intent: LobbyIntent::JoinParty { .. }, .. }
                if self.session.party().is_none() =>
            {
                self.show_menu();
            }
            _ => {}
        }
        self.error(refusal.to_string());
    }
}
