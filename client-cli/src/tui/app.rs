//! The state of the full screen and how each event changes it. It is synchronous and has no I/O and
//! no clock: the time comes with the event, and what must be done outside comes back as
//! [`Effect`]s.

use std::path::PathBuf;
use std::time::Instant;

use crossterm::event::KeyEvent;
use noughts_protocol::{
    Cell, ClientMessage, DisplayText, GameResult, IdentityFile, JoinPassword, LobbyIntent, Pace,
    PlayerName, RoomCode, RoomIntent,
};
use ratatui::layout::{Position, Size};
use ratatui::widgets::ListState;

use crate::client::{Client, Exit};
use crate::config::Change;
use crate::net::address::ServerAddress;
use crate::session::{Action, Happening, RoomView, Session};
use crate::signals::Signal;
use crate::tui::job_control::Job;
use crate::tui::motion::{self, Stroke};
use crate::tui::notifications::{Moment, Watched};
pub use form::{Form, TextField};
pub(crate) use keymap::KeyAction;
pub use menu::MenuItem;
pub(crate) use page::{POINTER, Page, scroll};
pub(crate) use party::PartyKey;
pub(crate) use people::People;
pub use question::Question;
pub(crate) use replay::Replay;
pub use screen::{Message, Overlay, Screen};

mod ask;
mod cell_prompt;
mod exhibition;
mod form;
mod games;
mod keymap;
mod keys;
mod menu;
mod mouse;
mod outside;
mod page;
mod party;
mod people;
mod question;
mod replay;
mod review;
mod screen;
mod servers;
mod session_events;
mod settings;
mod talk;
mod window;

/// An event from the loop.
#[derive(Debug)]
pub enum AppEvent {
    /// A key was pressed.
    Key(KeyEvent),
    /// Several keys came in one read: a pasted text, say.
    Keys(Vec<KeyEvent>),
    /// A text was pasted.
    Paste(String),
    /// The left mouse button was pressed here.
    Click(Position),
    /// The window came into view, or another one did.
    Focus(bool),
    /// The mouse wheel was turned, forward if towards the end of a list.
    Wheel {
        /// Whether towards the end.
        forward: bool,
    },
    /// The terminal was resized.
    Resize(Size),
    /// Something happened in the session.
    Happened(Vec<Happening>),
    /// A signal arrived.
    Signal(Signal),
    /// A shell stops the program, or has let it go on.
    Job(Job),
    /// The player's file cannot be written.
    NotSaved(String),
    /// Half a second has passed: countdowns change. Or the moment of [`App::next_frame`] has come.
    Tick,
}

/// Something that the loop must do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Send this message.
    Send(ClientMessage),
    /// Connect to the server of [`App::client`].
    Connect,
    /// Write a change of the player's file.
    Save(Change),
    /// Ring, and notify with this text.
    Call(DisplayText),
    /// Put this text on the clipboard.
    Copy(String),
    /// Save the player's identity to a new file.
    SaveIdentity(PathBuf, IdentityFile),
    /// Set the terminal up anew, then draw everything.
    Redraw,
    /// Stop until the shell lets the program go on, then draw everything.
    Suspend,
    /// End the program.
    Quit(Exit),
}

/// The state of the full screen.
#[derive(Debug)]
pub struct App {
    /// The player's session with the server.
    pub session: Session,
    /// The current screen.
    pub screen: Screen,
    /// The selected item of the screen's list.
    pub list: ListState,
    /// The item of the menu on which the cursor stands, or stood last.
    menu_item: Option<MenuItem>,
    /// The window over it.
    pub overlay: Option<Overlay>,
    /// The keys that may answer it.
    care: question::Care,
    /// The latest message.
    pub message: Option<Message>,
    /// How many moves of the room's review are on the board, while it replaces the game.
    pub review_ply: Option<usize>,
    /// The last event of the room while a review covers it.
    news: Option<String>,
    /// The cell that Enter plays.
    pub cursor: Cell,
    /// The typed part of a cell's name, while the player types one.
    pub typed: Option<String>,
    /// The cell of the cursor before the name was typed.
    typed_from: Cell,
    /// Whether the last key was refused, so that Enter asks before it plays.
    doubtful: bool,
    /// The player's kept games.
    games: games::Games,
    /// The people who are shown.
    people: people::PeopleScreens,
    /// The part of the party that its screen shows.
    party: party::PartyScreen,
    /// The kept game that is shown.
    replay: Option<Replay>,
    /// The talk in the room.
    talk: talk::Talk,
    /// Whether a hint was asked for and has not come.
    awaits_hint: bool,
    /// When the game was won, if this terminal saw it.
    won_at: Option<Instant>,
    /// The terminal's size.
    pub size: Size,
    /// The options, the player and the server.
    pub client: Client,
    /// The server's address for friends.
    pub share_address: ServerAddress,
    /// The time of the last event.
    pub now: Instant,
    /// What to start once the server has answered.
    action: Action,
    /// Whether the player chose the server on a screen. If it fails, the form comes back.
    may_change_server: bool,
    /// The server and the name that worked, while others are tried from the settings.
    earlier: Option<(ServerAddress, PlayerName, Option<JoinPassword>)>,
    /// The room of an earlier run, while the server is asked whether the player has a seat there.
    returning: Option<RoomCode>,
    /// How fast two computers played before they were paused.
    pace_before_pause: Pace,
    /// Whether the player looks at the window.
    watched: Watched,
    /// The event that the player may have missed last, and whether they waited for a stranger then.
    moment: Option<Moment>,
    queued: bool,
    effects: Vec<Effect>,
}

impl App {
    /// The first state of a run.
    #[must_use]
    pub fn new(client: Client, first_id: u64, size: Size, now: Instant) -> Self {
        let Client { options, profile, choice, warning, .. } = &client;
        let from_menu = options.action == Action::Menu;
        let (last_room, found) = (profile.room().filter(|_| from_menu), choice.found.clone());
        let choose = !choice.candidates.is_empty();
        // At the first start the form also asks for the name, if the server is given.
        let asks_name = from_menu && !profile.is_named();
        let may_change_server = choose || (from_menu && !choice.named) || asks_name;
        let mut session = Session::new(first_id);
        session.take_place(options.place.clone());
        let mut app = Self {
            session,
            screen: Screen::Connecting,
            list: ListState::default().with_selected(Some(0)),
            menu_item: None,
            overlay: None,
            care: question::Care::default(),
            message: warning.clone().map(|text| Message { text, error: true }),
            review_ply: None,
            news: None,
            cursor: Cell(0),
            typed: None,
            typed_from: Cell(0),
            doubtful: false,
            games: games::Games::default(),
            people: people::PeopleScreens::default(),
            party: party::PartyScreen::default(),
            replay: None,
            talk: talk::Talk::default(),
            awaits_hint: false,
            won_at: None,
            size,
            share_address: choice.server.clone(),
            now,
            action: options.action.clone(),
            may_change_server,
            earlier: None,
            returning: None,
            pace_before_pause: Pace::default(),
            watched: Watched::default(),
            moment: None,
            queued: false,
            effects: Vec::new(),
            client,
        };
        if let (Some(room), None) = (last_room, &app.message) {
            app.info(format!("You had a seat in room {room}. Join by code returns to it."));
        }
        if choose {
            app.screen = Screen::Servers;
        } else if may_change_server {
            if let (Some(found), None) = (found, &app.message) {
                app.info(found);
            }
            app.screen = Screen::Form(app.form());
            app.list.select(Some(usize::from(app.client.choice.named)));
        } else {
            app.effects.push(Effect::Connect);
        }
        app
    }

    /// The form for server and name.
    fn form(&self) -> Form {
        Form::new(&self.client.choice.server, &self.client.profile.name)
    }

    /// Takes the effects that wait.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Handles an event and returns the effects, in the order in which to run them.
    pub fn update(&mut self, event: AppEvent, now: Instant) -> Vec<Effect> {
        self.now = now;
        let window = self.takes_keys();
        let by_player = event.is_players();
        match event {
            AppEvent::Key(key) => self.key(key),
            AppEvent::Keys(keys) => self.keys(keys),
            AppEvent::Paste(text) => self.paste(&text),
            AppEvent::Click(_) if self.window_just_closed() => {}
            AppEvent::Click(position) => self.click(position),
            AppEvent::Focus(true) => {
                self.watched = Watched::Yes;
                self.mark_read();
            }
            AppEvent::Focus(false) => self.watched = Watched::No,
            AppEvent::Wheel { forward } => self.wheel(forward),
            AppEvent::Resize(size) => self.size = size,
            AppEvent::Happened(happenings) => self.all_happened(happenings),
            AppEvent::Signal(Signal::Interrupt) => self.interrupt(),
            AppEvent::Signal(Signal::Terminate) => self.quit(Exit::Done),
            AppEvent::Job(Job::Stop) => self.effects.push(Effect::Suspend),
            AppEvent::Job(Job::Continue) => self.effects.push(Effect::Redraw),
            AppEvent::NotSaved(problem) => self.error(problem),
            AppEvent::Tick => self.play_on(),
        }
        if window && !by_player && !self.takes_keys() {
            self.window_closed();
        }
        self.remember_item();
        self.take_effects()
    }

    fn all_happened(&mut self, happenings: Vec<Happening>) {
        // On the first row it is on whatever comes first.
        let is_moved = matches!(self.screen, Screen::Menu) && self.selected() > 0;
        let item = self.menu_item.filter(|_| is_moved);
        for happening in happenings {
            let change = self.client.remember(&happening, self.session.room());
            self.effects.extend(change.map(Effect::Save));
            self.happened(happening);
        }
        // Seats above it come and go.
        item.into_iter().for_each(|item| self.choose_again(item));
        self.call();
    }

    /// Shows an error in the message line.
    pub fn error(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), error: true });
    }

    fn info(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), error: false });
    }

    fn quit(&mut self, exit: Exit) {
        self.effects.push(Effect::Quit(exit));
    }

    /// Shows a screen, with the first item selected.
    fn show(&mut self, screen: Screen) {
        self.screen = screen;
        (self.typed, self.doubtful) = (None, false);
        self.list = ListState::default().with_selected(Some(0));
        self.close_talk();
        self.mark_read();
    }

    /// Starts an action.
    fn begin(&mut self, action: Action) {
        if let (Some(room), Action::Enter(_)) = (self.returning, &action) {
            return self.error(format!("wait a moment: the server looks for your seat in {room}"));
        }
        if let Action::Enter(LobbyIntent::Join { room, role }) = action
            && self.session.room().is_some_and(|view| view.state.code == room)
        {
            return self.enter_again(room, role);
        }
        let screen = match action {
            Action::Menu | Action::Rooms | Action::Answer => return self.show_menu(),
            Action::Games => return self.open_games(),
            Action::Profile => return self.open_people(People::Profile(None)),
            Action::Leaders => return self.open_leaders(),
            Action::Replay(game) => return self.open_replay(game),
            Action::Lobby => Screen::Lobby,
            _ if action.is_quick_match() => Screen::Quick { since: self.now },
            Action::Enter(_) => Screen::Entering,
        };
        self.overlay = None;
        self.message = None;
        action.intent().into_iter().for_each(|intent| self.ask(intent));
        // A message says why the intent is not sent.
        if self.message.is_none() {
            self.show(screen);
        }
        self.action = action;
    }

    /// How much of a winning line is drawn; `None` if all of it is.
    #[must_use]
    pub fn stroke(&self) -> Option<Stroke> {
        let since = self.now.saturating_duration_since(self.won_at?);
        let game = self.session.room()?.state.game.as_ref()?;
        match game.game.result() {
            Some(GameResult::Line { lines, .. }) => {
                motion::stroke(lines.iter().map(|line| line.cells.len()).max()?, since)
            }
            _ => None,
        }
    }

    /// The moment at which the picture changes by itself, besides the countdowns.
    #[must_use]
    pub fn next_frame(&self) -> Option<Instant> {
        let stroke = self.won_at.zip(self.stroke()).map(|(won, stroke)| won + stroke.next);
        stroke.into_iter().chain(self.replay_due()).min()
    }

    fn is_playing(&self) -> bool {
        self.session.room().is_some_and(RoomView::is_playing)
    }

    fn may_rematch(&self) -> bool {
        self.session.room().is_some_and(RoomView::may_rematch)
    }

    /// Whether a wait can be given up for the menu: the player came from there and left no room.
    fn may_go_back(&self) -> bool {
        let from_menu = self.action != self.client.options.action || self.action == Action::Menu;
        let in_room = matches!(self.screen, Screen::Room) && self.session.room().is_some();
        from_menu && self.session.is_welcome() && !in_room
    }

    fn leave(&mut self) {
        self.ask(RoomIntent::Leave);
        if self.session.room().is_none() {
            self.show_menu();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
