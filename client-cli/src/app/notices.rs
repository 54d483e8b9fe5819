//! What the full screen does when something has happened.

use noughts_protocol::{Cell, ClientMessage, Event, Refusal, RefusalCode, Role};

use super::{App, Form, Overlay, Question, Screen, TextField};
use crate::session::Notice;
use crate::start::Exit;
use crate::words;

impl App {
    pub(super) fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Welcome(welcome, true) => {
                self.name = welcome.name;
                self.features = welcome.features;
                self.friends = self.server.for_friends(&welcome.server);
                let goal = self.goal.clone();
                self.begin(goal);
            }
            Notice::Welcome(..) => self.tell("Connected again."),
            Notice::Entered => self.entered(),
            Notice::Applied(ClientMessage::CancelMatch { .. }) => {
                if matches!(self.screen, Screen::Quick { .. }) {
                    self.show_menu();
                }
            }
            Notice::Refreshed | Notice::Evaluation | Notice::Lost(_) | Notice::Applied(_) => {}
            Notice::Hint => {
                let view = self.session.room();
                let said = view.and_then(|view| {
                    view.hint().map(|hint| words::lessons::hint(view.state.settings.board, hint))
                });
                said.into_iter().for_each(|said| self.tell(said));
            }
            Notice::Review(review) => self.show_review(review),
            Notice::Event { event, before } => {
                if let Event::GameStarted { .. } = event {
                    self.review = None;
                }
                let said = self
                    .session
                    .room()
                    .and_then(|view| words::event(view, &event, before.as_ref()));
                if let Some(said) = said {
                    self.tell(said);
                }
                // What was to be confirmed may have been about the game that is over.
                if !self.is_playing() && !matches!(self.overlay, Some(Overlay::Help { .. })) {
                    self.overlay = None;
                }
            }
            Notice::Lobby(new) => {
                if let Screen::Lobby { lobby, selected } = &mut self.screen {
                    let last = (new.waiting.len() + new.playing.len()).saturating_sub(1);
                    *selected = (*selected).min(last);
                    *lobby = Some(new);
                }
            }
            Notice::Refused(intent, refusal) => self.refused(&intent, &refusal),
            Notice::Closed(why) => {
                self.show_menu();
                self.tell(why);
            }
            Notice::RoomLost(why) => {
                self.show_menu();
                self.error(format!("Your room is gone: {why}."));
            }
            Notice::Remark(text) => self.error(text),
            Notice::Ended(why) => self.ended(why),
        }
    }

    fn ended(&mut self, why: String) {
        if self.asked && matches!(self.screen, Screen::Connecting) {
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
            let unwatch = self.session.unwatch_lobby();
            self.send(unwatch);
        }
        self.screen = Screen::Room;
        self.overlay = None;
        self.review = None;
        self.message = None;
    }

    /// The server said no: back to where something else can be tried.
    fn refused(&mut self, intent: &ClientMessage, refusal: &Refusal) {
        match intent {
            ClientMessage::Join { room, role: Role::Player, .. }
                if refusal.code == RefusalCode::SeatsTaken && self.features.spectators =>
            {
                self.show_menu();
                self.overlay = Some(Overlay::Question(Question::Watch(*room)));
            }
            // A code that leads nowhere is there to be mended.
            ClientMessage::Join { room, .. } if refusal.code == RefusalCode::NoSuchRoom => {
                self.show_menu();
                self.screen = Screen::Code(TextField::filled(room.to_string()));
            }
            ClientMessage::Create { .. }
            | ClientMessage::QuickMatch { .. }
            | ClientMessage::Join { .. } => {
                self.show_menu();
            }
            // The room is left on this side already, and a wrong version shows again.
            ClientMessage::Leave { .. } | ClientMessage::Sync { .. } => return,
            _ => {}
        }
        self.error(refusal.to_string());
    }
}
