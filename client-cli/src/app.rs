//! The full screen's state, and what it does with each event. Synchronous, without I/O or a clock:
//! the time comes with the event, and what must be done outside comes back as [`Effect`]s.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_protocol::{Cell, ClientMessage, Features, JoinPassword, PlayerName, RoomCode};
use ratatui::layout::{Position, Size};

use crate::address::ServerAddress;
use crate::connection::Incoming;
use crate::goal::Goal;
use crate::ids::IntentIds;
use crate::lan::Known;
use crate::session::{Lobby, RoomView, Session};
use crate::signals::Signal;
use crate::start::{Exit, Start};
pub use form::{Form, TextField};
pub(crate) use listing::{Listing, RowKind};
pub use menu::MenuItem;
pub use question::Question;
pub use review::Reviewing;
pub use setup::{Field, Setup};

mod form;
mod hints;
mod keys;
mod listing;
mod menu;
mod mouse;
mod notices;
mod question;
mod review;
mod servers;
mod setup;

/// Something that the loop hands over.
#[derive(Debug)]
pub enum AppEvent {
    /// A key was pressed.
    Key(KeyEvent),
    /// The left button was pressed.
    Click(Position),
    /// The terminal has another size.
    Resize(Size),
    /// The connection has something.
    Incoming(Box<Incoming>),
    /// A signal came.
    Signal(Signal),
    /// Time has passed.
    Tick,
}

/// Something to be done outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Hand this to the connection.
    Send(ClientMessage),
    /// Connect to [`App::server`] as [`App::name`].
    Connect,
    /// Draw on an empty screen, whatever stands there.
    Redraw,
    /// Go.
    Quit(Exit),
}

/// What is on the screen.
#[derive(Debug)]
pub enum Screen {
    /// Which server, which name.
    Form(Form),
    /// Which of [`App::servers`].
    Servers {
        /// The place among them; one more is for another address.
        selected: usize,
    },
    /// Which password the server has.
    Password(TextField),
    /// No answer from the server yet.
    Connecting,
    /// What to do.
    Menu {
        /// The place in [`App::menu`].
        selected: usize,
    },
    /// How the game shall be.
    Setup(Setup),
    /// Which room to join.
    Code(TextField),
    /// Which room to watch.
    Lobby {
        /// The lists, once they came.
        lobby: Option<Lobby>,
        /// The place in them.
        selected: usize,
    },
    /// A room was asked for.
    Entering,
    /// In the queue of the quick match.
    Quick {
        /// Since when.
        since: Instant,
    },
    /// In a room.
    Room,
}

/// What lies over the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// Which keys there are.
    Help {
        /// The page of [`crate::help`], from 0.
        page: usize,
    },
    /// Something to be confirmed.
    Question(Question),
}

/// A line about what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The line.
    pub text: String,
    /// Whether something went wrong.
    pub error: bool,
}

/// The full screen's state.
#[derive(Debug)]
pub struct App {
    /// What the player has with the server.
    pub session: Session,
    /// What is shown.
    pub screen: Screen,
    /// What is shown over it.
    pub overlay: Option<Overlay>,
    /// The last thing that happened.
    pub message: Option<Message>,
    /// The review that is shown in the room's place.
    pub review: Option<Reviewing>,
    /// The cell that Enter plays.
    pub cursor: Cell,
    /// The terminal's size.
    pub size: Size,
    /// The server.
    pub server: ServerAddress,
    /// Where friends reach it.
    pub friends: ServerAddress,
    /// The servers to choose from, where there are several.
    pub servers: Vec<Known>,
    /// The player's name.
    pub name: PlayerName,
    /// The server's password, once it was typed.
    pub password: Option<JoinPassword>,
    /// What the server's host has left on.
    pub features: Features,
    /// Draw with ASCII characters alone.
    pub ascii: bool,
    /// Use colours.
    pub color: bool,
    /// The time of the last event.
    pub now: Instant,
    /// The room of an earlier run in which the player may still have a seat.
    last_room: Option<RoomCode>,
    /// What to do once the server is there.
    goal: Goal,
    /// Whether the server was asked for on the screen, so that another one can be.
    asked: bool,
    effects: Vec<Effect>,
}

impl App {
    /// The state at the start.
    #[must_use]
    pub fn new(start: &Start, ids: IntentIds, size: Size, now: Instant) -> Self {
        let choose = !start.servers.is_empty();
        let asked = choose || (start.goal == Goal::Menu && !start.server_given);
        let mut app = Self {
            session: Session::new(ids),
            screen: Screen::Connecting,
            overlay: None,
            message: start.note.clone().map(|text| Message { text, error: true }),
            review: None,
            cursor: Cell(0),
            size,
            server: start.server.clone(),
            friends: start.server.clone(),
            servers: start.servers.clone(),
            name: start.name.clone(),
            password: start.password.clone(),
            features: Features::default(),
            ascii: start.ascii,
            color: start.color,
            now,
            last_room: start.room().filter(|_| start.goal == Goal::Menu),
            goal: start.goal.clone(),
            asked,
            effects: Vec::new(),
        };
        if let (Some(room), None) = (app.last_room, &app.message) {
            app.tell(format!("You had a seat in room {room}: Join by code takes you back."));
        }
        if choose {
            app.screen = Screen::Servers { selected: 0 };
        } else if asked {
            if let (Some(found), None) = (&start.found, &app.message) {
                app.tell(found.clone());
            }
            app.screen = Screen::Form(Form::new(&app.server, &app.name));
        } else {
            app.effects.push(Effect::Connect);
        }
        app
    }

    /// What is to be done before the first event.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Takes an event in; what comes back is to be done in its order.
    pub fn update(&mut self, event: AppEvent, now: Instant) -> Vec<Effect> {
        self.now = now;
        match event {
            AppEvent::Key(key) => self.key(key),
            AppEvent::Click(position) => self.click(position),
            AppEvent::Resize(size) => self.size = size,
            AppEvent::Incoming(incoming) => self.receive(*incoming),
            AppEvent::Signal(Signal::Interrupt) => self.interrupt(),
            AppEvent::Signal(Signal::Terminate) => self.quit(Exit::Done),
            AppEvent::Tick => {}
        }
        self.take_effects()
    }

    /// The connection could not take an intent.
    pub fn not_sent(&mut self, intent: &ClientMessage, why: &str) {
        self.session.not_sent(intent);
        self.error(why);
    }

    /// Shows that something outside went wrong.
    pub fn error(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), error: true });
    }

    fn tell(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), error: false });
    }

    fn send(&mut self, intent: ClientMessage) {
        self.effects.push(Effect::Send(intent));
    }

    fn quit(&mut self, exit: Exit) {
        self.effects.push(Effect::Quit(exit));
    }

    fn show_menu(&mut self) {
        self.overlay = None;
        self.review = None;
        self.screen = Screen::Menu { selected: 0 };
    }

    /// Begins what was chosen.
    fn begin(&mut self, goal: Goal) {
        self.screen = match goal {
            Goal::Menu | Goal::Rooms => return self.show_menu(),
            Goal::Lobby => Screen::Lobby { lobby: None, selected: 0 },
            Goal::Quick { .. } => Screen::Quick { since: self.now },
            Goal::Create(_) | Goal::Join { .. } => Screen::Entering,
        };
        self.overlay = None;
        self.message = None;
        if let Some(intent) = self.session.begin(&goal) {
            self.send(intent);
        }
        self.goal = goal;
    }

    fn receive(&mut self, incoming: Incoming) {
        if let Incoming::PasswordWanted(why) = incoming {
            self.screen = Screen::Password(TextField::default());
            // The first time there is nothing wrong yet.
            match self.password.take() {
                Some(_) => self.error(why.to_string()),
                None => self.message = None,
            }
            return;
        }
        let (notice, intent) = self.session.receive(incoming, self.now);
        if let Some(intent) = intent {
            self.send(intent);
        }
        if let Some(notice) = notice {
            self.notice(notice);
        }
    }

    fn is_playing(&self) -> bool {
        self.session.room().is_some_and(RoomView::is_playing)
    }

    /// Ctrl-C: it asks once when a game is running, and goes the second time.
    fn interrupt(&mut self) {
        let question = Overlay::Question(Question::Quit);
        if self.is_playing() && self.overlay != Some(question) {
            self.overlay = Some(question);
        } else {
            self.quit(Exit::Done);
        }
    }

    fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control {
            match key.code {
                KeyCode::Char('c' | 'd') => self.interrupt(),
                KeyCode::Char('l') => self.effects.push(Effect::Redraw),
                _ => {}
            }
            return;
        }
        match self.overlay {
            Some(Overlay::Help { .. }) if matches!(key.code, KeyCode::Esc | KeyCode::Char('q')) => {
                self.overlay = None;
            }
            Some(Overlay::Help { page }) => self.turn_help(page + 1),
            Some(Overlay::Question(question)) => self.answer(question, key.code),
            None => self.screen_key(key.code),
        }
    }

    /// Shows a page of the keys; after the last the screen is back.
    fn turn_help(&mut self, page: usize) {
        self.overlay = self.has_help(page).then_some(Overlay::Help { page });
    }

    fn leave(&mut self) {
        if let Some(intent) = self.session.leave() {
            self.send(intent);
        }
        self.message = None;
        self.show_menu();
    }
}

#[cfg(test)]
pub(crate) mod tests;
