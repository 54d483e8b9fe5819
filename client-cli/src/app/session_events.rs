//! How the full screen shows the events of the session.

use noughts_protocol::{
    ByMark, Cell, ClientMessage, Event, LobbyIntent, Refusal, RefusalCode, Role, RoomIntent, Seat,
};

use super::{App, Form, Overlay, Question, Screen, TextField};
use crate::client::Exit;
use crate::core::SessionEvent;
use crate::strings;

impl App {
    pub(super) fn on_session_event(&mut self, session_event: SessionEvent) {
        match session_event {
            SessionEvent::Welcome(welcome, true) => {
                self.name = welcome.name;
                self.features = welcome.features;
                self.share_address = self.server.share_address(&welcome.server);
                let action = self.action.clone();
                self.begin(action);
            }
            SessionEvent::Welcome(..) => self.info("Connected again."),
            SessionEvent::Entered => self.entered(),
            SessionEvent::Applied(ClientMessage::Lobby {
                intent: LobbyIntent::CancelMatch,
                ..
            }) => {
                if matches!(self.screen, Screen::Quick { .. }) {
                    self.show_menu();
                }
            }
            SessionEvent::Refreshed
            | SessionEvent::Evaluation
            | SessionEvent::Lost(_)
            | SessionEvent::Applied(_) => {}
            SessionEvent::Hint => {
                let view = self.session.room();
                let text = view.and_then(|view| {
                    view.hint().map(|hint| strings::analysis::hint(view.state.settings.board, hint))
                });
                text.into_iter().for_each(|text| self.info(text));
            }
            SessionEvent::Review(review) => self.show_review(review),
            SessionEvent::Event { event, before } => self.event(&event, &before),
            SessionEvent::Presence(changes) => {
                let Some(view) = self.session.room() else { return };
                let texts =
                    changes.iter().filter_map(|change| strings::presence_text(view, change));
                let text = texts.collect::<Vec<_>>().join(" ");
                if !text.is_empty() {
                    self.info(text);
                }
            }
            SessionEvent::Lobby(new) => {
                if let Screen::Lobby { lobby, selected } = &mut self.screen {
                    let last = (new.waiting.len() + new.playing.len()).saturating_sub(1);
                    *selected = (*selected).min(last);
                    *lobby = Some(new);
                }
            }
            SessionEvent::Refused(intent, refusal) => self.refused(&intent, &refusal),
            SessionEvent::Closed(reason) => {
                self.show_menu();
                self.info(strings::close_reason(reason));
            }
            SessionEvent::RoomLost(why) => {
                self.show_menu();
                self.error(format!("Your room is gone: {why}."));
            }
            SessionEvent::ServerError(text) => self.error(text),
            SessionEvent::Ended(why) => self.ended(why),
        }
    }

    fn event(&mut self, event: &Event, before: &ByMark<Seat>) {
        let Some(view) = self.session.room() else { return };
        let end = strings::end_text(view, event);
        let text = end.or_else(|| strings::event_text(view, event, before));
        text.into_iter().for_each(|text| self.info(text));
        if let Event::GameStarted { .. } = event {
            self.review = None;
        }
        // The question may be about the game that is over.
        if !self.is_playing() && !matches!(self.overlay, Some(Overlay::Help { .. })) {
            self.overlay = None;
        }
    }

    fn ended(&mut self, why: String) {
        if self.may_change_server && matches!(self.screen, Screen::Connecting) {
            self.screen = Screen::Form(Form::new(&self.server, &self.name));
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
        if matches!(self.screen, Screen::Lobby { .. }) {
            self.ask_lobby(LobbyIntent::UnwatchLobby);
        }
        self.screen = Screen::Room;
        self.overlay = None;
        self.review = None;
        self.message = None;
    }

    /// Handles a refusal: goes back to a screen where the player can try something else.
    fn refused(&mut self, intent: &ClientMessage, refusal: &Refusal) {
        match intent {
            ClientMessage::Lobby { intent: LobbyIntent::Join { room, role }, .. } => {
                self.show_menu();
                match (refusal.code, role) {
                    (RefusalCode::SeatsTaken, Role::Player) if self.features.spectators => {
                        self.overlay = Some(Overlay::Question(Question::Watch(*room)));
                    }
                    // A wrong code is shown again, so that the player can correct it.
                    (RefusalCode::NoSuchRoom, _) => {
                        self.screen = Screen::Code(TextField::filled(room.to_string()));
                    }
                    _ => {}
                }
            }
            ClientMessage::Lobby {
                intent: LobbyIntent::Create { .. } | LobbyIntent::QuickMatch { .. },
                ..
            } => self.show_menu(),
            // This side has left already, and a missing version is noticed again.
            ClientMessage::Room { intent: RoomIntent::Leave | RoomIntent::Sync, .. } => return,
            _ => {}
        }
        self.error(refusal.to_string());
    }
}
