//! The state of the full screen and how each event changes it. It is synchronous and has no I/O and
//! no clock: the time comes with the event, and what must be done outside comes back as
//! [`Effect`]s. The screens have their own state, keys and drawing; what all share is the [`Shell`].

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_client::session::{Happening, Session};
use noughts_protocol::{
    BoardClass, GameId, LobbyIntent, PartyIntent, Period, Role, RoomCode, RoomIntent,
};
use ratatui::layout::{Position, Size};
use ratatui::widgets::ListState;

use super::announcements::Announcements;
use super::connect::{Form, Servers, Wait};
use super::games::Games;
use super::keys::{self, EVERYWHERE, Key, KeyAction, KeyBar, is_forward};
use super::layout;
use super::lobby::LobbyList;
use super::menu::Menu;
use super::notifications::{self, Calls, Watched};
use super::overlay::{Overlay, Question, Window};
use super::page::Page;
use super::party::{PartyKey, PartyScreen};
use super::people::{People, PeopleScreen};
use super::puzzle::PuzzleScreen;
use super::replay::Replay;
use super::room::RoomScreen;
use super::room::keys::awaits_connection;
use super::screen::{Clicks, Component, Screen, Transition};
use super::shell::{Effect, Message, Shell, Start};
use super::text_field::TextField;
use crate::action::Action;
use crate::client::{Client, Exit};
use crate::signals::Signal;

mod events;

/// For how long a window that closed by itself still takes the keys: they were meant for it.
const AFTERWARDS: Duration = Duration::from_millis(500);

/// An event from the loop.
#[derive(Debug)]
pub(crate) enum AppEvent {
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
    /// The player's file cannot be written.
    NotSaved(String),
    /// Half a second has passed: countdowns change. Or the moment of [`App::next_frame`] has come.
    Tick,
}

impl AppEvent {
    /// Whether the player causes it on purpose.
    const fn is_players(&self) -> bool {
        matches!(
            self,
            Self::Key(_) | Self::Keys(_) | Self::Paste(_) | Self::Click(_) | Self::Wheel { .. }
        )
    }
}

/// The state of the full screen.
#[derive(Debug)]
pub(crate) struct App {
    /// The state that every screen shares.
    pub(crate) shell: Shell,
    /// The current screen.
    pub(crate) screen: Screen,
    /// The window over it.
    pub(crate) overlay: Option<Overlay>,
    /// When a window closed by itself.
    closed: Option<Instant>,
    menu: Menu,
    pub(super) room: RoomScreen,
    pub(super) party: PartyScreen,
    pub(super) announcements: Announcements,
    calls: Calls,
}

/// The screen that an app shows: one of its own, or one that stays behind the others.
macro_rules! shown {
    ($app:ident $(, $mut:tt)?) => {
        match &$($mut)? $app.screen {
            Screen::Form(screen) => screen,
            Screen::Servers(screen) => screen,
            Screen::Wait(screen) => screen,
            Screen::Field(screen) => screen,
            Screen::Menu => &$($mut)? $app.menu,
            Screen::Settings(screen) => screen,
            Screen::Setup(screen) => screen,
            Screen::Lobby(screen) => screen,
            Screen::Games(screen) => screen,
            Screen::People(screen) => screen,
            Screen::Puzzle(screen) => &$($mut)? **screen,
            Screen::Replay(screen) => &$($mut)? **screen,
            Screen::Party => &$($mut)? $app.party,
            Screen::Room => &$($mut)? $app.room,
        }
    };
}

impl App {
    /// The first state of a run.
    pub(crate) fn new(client: Client, first_id: u64, size: Size, now: Instant) -> Self {
        let Client { options, profile, choice, warning, .. } = &client;
        let from_menu = options.action == Action::Menu;
        let last_room = profile.saved.room.filter(|_| from_menu);
        let found = choice.found.clone();
        let choose = !choice.candidates.is_empty();
        // At the first start the form also asks for the name, if the server is given.
        let asks_name = from_menu && !profile.named;
        let may_change_server = choose || (from_menu && !choice.named) || asks_name;
        let mut session = Session::new(first_id);
        session.take_place(options.place.clone());
        let shell = Shell {
            session,
            share_address: choice.server.clone(),
            start: Start {
                action: options.action.clone(),
                may_change_server,
                earlier: None,
                returning: None,
            },
            size,
            now,
            watched: Watched::default(),
            in_a_row: false,
            message: warning.clone().map(|text| Message { text, error: true }),
            list: ListState::default().with_selected(Some(0)),
            seen: BTreeMap::new(),
            read: 0,
            effects: Vec::new(),
            client,
        };
        let mut app = Self {
            shell,
            screen: Screen::Wait(Wait::Server),
            overlay: None,
            closed: None,
            menu: Menu::default(),
            room: RoomScreen::new(),
            party: PartyScreen::default(),
            announcements: Announcements::default(),
            calls: Calls::default(),
        };
        let shell = &mut app.shell;
        if let (Some(notice), None) = (shell.client.notice.clone(), &shell.message) {
            shell.info(notice);
        }
        if let (Some(room), None) = (last_room, &shell.message) {
            shell.info(format!("You had a seat in room {room}. The menu leads back to it."));
        }
        if choose {
            app.screen = Screen::Servers(Servers);
        } else if may_change_server {
            // A player whose server is known types the name alone.
            let has_server = shell.client.choice.named || found.is_some();
            if let (Some(found), None) = (found, &shell.message) {
                shell.info(found);
            }
            shell.list.select(Some(usize::from(has_server)));
            app.screen = Screen::Form(Form::of(&shell.client));
        } else {
            shell.effects.push(Effect::Connect);
        }
        app
    }

    /// Takes the effects that wait.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.shell.effects)
    }

    /// Handles an event and returns the effects, in the order in which to run them.
    pub(crate) fn update(&mut self, event: AppEvent, now: Instant) -> Vec<Effect> {
        self.shell.now = now;
        let window = self.takes_keys();
        let by_player = event.is_players();
        if by_player {
            self.announcements.read(now);
        }
        match event {
            AppEvent::Key(key) => self.key(key),
            AppEvent::Keys(keys) => {
                // They are typed and play as ever, but none of them answers a question: a text that the
                // terminal pastes as keys may hold a "y".
                self.shell.in_a_row = true;
                keys.into_iter().for_each(|key| self.key(key));
                self.shell.in_a_row = false;
            }
            AppEvent::Paste(text) => self.paste(&text),
            AppEvent::Click(_) if self.window_just_closed() => {}
            AppEvent::Click(position) => self.click(position),
            AppEvent::Focus(true) => {
                self.shell.watched = Watched::Yes;
                self.mark_read();
            }
            AppEvent::Focus(false) => self.shell.watched = Watched::No,
            AppEvent::Wheel { forward } => self.wheel(forward),
            AppEvent::Resize(size) => self.shell.size = size,
            AppEvent::Happened(happenings) => self.all_happened(happenings),
            AppEvent::Signal(Signal::Interrupt) => self.interrupt(),
            AppEvent::Signal(Signal::Terminate) => self.quit(Exit::Done),
            AppEvent::Signal(Signal::Stop) => self.shell.effects.push(Effect::Suspend),
            AppEvent::Signal(Signal::Continue) => self.shell.effects.push(Effect::Redraw),
            AppEvent::NotSaved(problem) => self.shell.error(problem),
            AppEvent::Tick => {
                if let Screen::Replay(replay) = &mut self.screen {
                    replay.play_on(now);
                }
            }
        }
        if window && !by_player && !self.takes_keys() {
            self.closed = Some(now);
        }
        if matches!(self.screen, Screen::Menu) {
            self.menu.remember(&self.shell);
        }
        self.take_effects()
    }

    // The screens.

    /// The screen that is shown.
    pub(super) fn shown(&self) -> &dyn Component {
        shown!(self)
    }

    /// The screen that is shown, to change it, and what it shares.
    fn shown_mut(&mut self) -> (&mut dyn Component, &mut Shell) {
        let shown: &mut dyn Component = shown!(self, mut);
        (shown, &mut self.shell)
    }

    /// The page on the screen. There is none in a room, nor if the terminal is too small.
    pub(super) fn page(&self) -> Option<Page<'_>> {
        let has_page = !matches!(self.screen, Screen::Room | Screen::Replay(_) | Screen::Puzzle(_));
        Page::of(self.shown(), &self.shell).filter(|_| has_page)
    }

    /// Shows a screen, with the first item selected.
    pub(super) fn show(&mut self, screen: Screen) {
        self.screen = screen;
        self.shell.list = ListState::default().with_selected(Some(0));
        self.room.leave_prompts();
        self.mark_read();
    }

    /// Shows the menu. The cursor stands where it was, or on what goes on behind the menu.
    pub(super) fn show_menu(&mut self) {
        self.overlay = None;
        self.room.drop_review();
        self.show(Screen::Menu);
        let session = &self.shell.session;
        if session.room().is_none() && session.party().is_none() {
            let item = self.menu.item;
            item.into_iter().for_each(|item| Menu::choose_again(&mut self.shell, item));
        }
    }

    fn show_party(&mut self) {
        self.overlay = None;
        self.room.drop_review();
        self.show(Screen::Party);
        self.party.select_first(&mut self.shell);
    }

    /// Goes where a screen leads.
    fn go(&mut self, transition: Transition, code: KeyCode) {
        match transition {
            Transition::Stay => {}
            Transition::List => self.move_in_list(code),
            Transition::Meaningless => self.meaningless(code.into()),
            Transition::Menu => self.show_menu(),
            Transition::Show(screen) => self.show(screen),
            Transition::ShowAt(screen, item) => {
                self.show(screen);
                self.shell.list.select(Some(item));
            }
            Transition::Party(line) => {
                self.show_party();
                line.into_iter().for_each(|line| self.shell.list.select(Some(line)));
            }
            Transition::Begin(action) => self.begin(action),
            Transition::CloseReplay => self.close_replay(),
            Transition::Ask(question) => self.overlay = Some(Overlay::Question(question)),
            Transition::Emotes => self.overlay = Some(Overlay::Emotes),
            Transition::Say(emote) => self.room.say_emote(&mut self.shell, emote),
            Transition::Leave => {
                self.shell.ask(RoomIntent::Leave);
                if self.shell.session.room().is_none() {
                    self.show_menu();
                }
            }
            Transition::LeaveParty => {
                self.shell.ask(PartyIntent::LeaveParty);
                self.party.left();
                self.show_menu();
            }
            Transition::Connect => {
                self.show(Screen::Wait(Wait::Server));
                self.shell.message = None;
                self.shell.effects.push(Effect::Connect);
            }
            Transition::Quit(exit) => self.quit(exit),
        }
    }

    fn quit(&mut self, exit: Exit) {
        self.shell.effects.push(Effect::Quit(exit));
    }

    /// Starts an action.
    fn begin(&mut self, action: Action) {
        if let (Some(room), Action::Enter(_)) = (self.shell.start.returning, &action) {
            let why = format!("wait a moment: the server looks for your seat in {room}");
            return self.shell.error(why);
        }
        if let Action::Enter(LobbyIntent::Join { room, role }) = action
            && self.shell.session.room().is_some_and(|view| view.state.code == room)
        {
            return self.enter_again(room, role);
        }
        let screen = match action {
            Action::Menu | Action::Rooms | Action::Answer => return self.show_menu(),
            Action::Games => {
                let games = Games::default();
                games.load(&mut self.shell);
                return self.show(Screen::Games(games));
            }
            Action::Profile => return self.open_people(People::Profile(None)),
            Action::Leaders => {
                let week = People::Leaders(BoardClass::default(), Period::default());
                return self.open_people(week);
            }
            Action::Replay(game) => return self.open_replay(game),
            Action::Puzzle(date) => {
                let puzzle = PuzzleScreen::of(date);
                puzzle.load(&mut self.shell);
                return self.show(Screen::Puzzle(Box::new(puzzle)));
            }
            Action::Lobby => Screen::Lobby(LobbyList),
            _ if action.is_quick_match() => Screen::Wait(Wait::Match(self.shell.now)),
            Action::Enter(_) => Screen::Wait(Wait::Room),
        };
        self.overlay = None;
        self.shell.message = None;
        // A message says why the intent is not sent.
        if action.intent().is_none_or(|intent| self.shell.ask(intent)) {
            self.show(screen);
        }
        self.shell.start.action = action;
    }

    /// Shows the room behind the menu. A spectator may take a seat there.
    fn enter_again(&mut self, room: RoomCode, role: Role) {
        self.shell.message = None;
        if matches!(self.screen, Screen::Lobby(_)) {
            self.shell.ask(LobbyIntent::UnwatchLobby);
        }
        let watches = self.shell.session.room().is_some_and(|view| view.is_watching());
        if role == Role::Player && watches {
            self.shell.ask(LobbyIntent::Join { room, role });
        }
        self.show(Screen::Room);
    }

    fn open_people(&mut self, people: People) {
        let mut screen = PeopleScreen::of(people);
        screen.load(&mut self.shell);
        self.show(Screen::People(screen));
    }

    /// Says how saving the identity went.
    pub(super) fn identity_saved(&mut self, path: &Path, saved: Result<(), String>) {
        if let Err(why) = saved {
            return self.shell.error(why);
        }
        match &mut self.screen {
            Screen::People(people) => people.load(&mut self.shell),
            _ => self.show_menu(),
        }
        let path = path.display();
        self.shell.info(format!("Saved to {path}. Keep it where only you can read it."));
    }

    /// Shows a kept game. Esc leads back to the screen of before.
    pub(crate) fn open_replay(&mut self, id: GameId) {
        let list = self.shell.list;
        let before = std::mem::replace(&mut self.screen, Screen::Menu);
        let from = match before {
            Screen::Replay(replay) => replay.from,
            screen => (screen, list),
        };
        let replay = Replay::new(id, from);
        replay.load(&mut self.shell);
        self.show(Screen::Replay(Box::new(replay)));
    }

    /// Goes back to the screen of before. Its room may have ended since.
    fn close_replay(&mut self) {
        self.shell.message = None;
        let Screen::Replay(replay) = std::mem::replace(&mut self.screen, Screen::Menu) else {
            return;
        };
        match replay.from {
            (Screen::Room, _) if self.shell.session.room().is_none() => self.show_menu(),
            (Screen::Wait(Wait::Server), _) => self.quit(Exit::Done),
            (Screen::Wait(Wait::Room), _) => self.show_menu(),
            (screen, list) => {
                self.show(screen);
                self.shell.list = list;
            }
        }
    }

    // The keys.

    /// Whether keys belong to a window, or to something that is typed in a room.
    const fn takes_keys(&self) -> bool {
        self.overlay.is_some() || self.room.takes_keys()
    }

    fn window_just_closed(&self) -> bool {
        let since = |closed| self.shell.now.saturating_duration_since(closed);
        self.closed.is_some_and(|closed| since(closed) < AFTERWARDS)
    }

    /// The keys of the window or of the screen, and those that are everywhere.
    pub(super) fn keys(&self) -> Vec<Key> {
        let shown = self.shown();
        let mut keys = match self.overlay {
            Some(overlay) => overlay.keys(&self.shell, shown),
            None => shown.keys(&self.shell),
        };
        keys.extend(EVERYWHERE);
        keys
    }

    /// The keys that fit the last row.
    pub(super) fn key_bar(&self) -> KeyBar {
        if let Some(overlay) = self.overlay {
            return overlay.bar(&self.shell, self.shown());
        }
        // The next step and the way out stay, and the help and a party's way to people if they fit.
        let in_room = matches!(self.screen, Screen::Room);
        let at_table = in_room && self.shell.session.is_at_table();
        let in_party = at_table || matches!(self.screen, Screen::Party);
        let kept = |action| match action {
            KeyAction::Help => true,
            KeyAction::Enter => in_room,
            KeyAction::Menu
            | KeyAction::Talk
            | KeyAction::Party(PartyKey::Withdraw | PartyKey::Start) => in_party,
            _ => false,
        };
        let stays = |action| match action {
            KeyAction::Enter => !in_room,
            action => matches!(action, KeyAction::Back | KeyAction::Close),
        };
        let mut keys = self.keys();
        keys.retain(|key| !in_room || !awaits_connection(&self.shell, key.action));
        KeyBar::new(&keys, self.shell.size.width, stays, kept)
    }

    /// Handles a key. One without an action is typed, or turns the page of the help.
    fn key(&mut self, key: KeyEvent) {
        let meaning = keys::meaning(&self.keys(), key);
        if self.drops(meaning.map(|(key, _)| key.action)) {
            return;
        }
        let in_room = matches!(self.screen, Screen::Room) && self.overlay.is_none();
        if in_room && self.room.is_idle(&self.shell, key) {
            return self.meaningless(key);
        }
        let types_cell = in_room && self.room.takes_keys();
        match (meaning, self.overlay) {
            (Some((Key { when: false, otherwise, .. }, _)), _) if !otherwise.is_empty() => {
                self.shell.error(otherwise);
            }
            (Some((key, code)), _) => {
                self.act(key.action, code);
                let typed = matches!(code, KeyCode::Char(letter) if letter != ' ');
                if typed && self.shell.has_error() {
                    self.room.doubt();
                }
            }
            (None, Some(Overlay::Help { .. })) => self.act(KeyAction::Help, key.code),
            (None, Some(Overlay::Question(question))) => {
                self.shell.info(format!("Press {}.", question.answers()));
            }
            (None, Some(Overlay::Notes)) => self.act(KeyAction::Close, key.code),
            (None, Some(Overlay::Emotes)) => self.act(KeyAction::Emote, KeyCode::Char('0')),
            (None, None) => match self.field() {
                Some(field) => {
                    field.key(key);
                    self.shell.message = None;
                }
                None if types_cell => {
                    self.room.type_cell(&self.shell, key.code);
                }
                None => self.meaningless(key),
            },
        }
    }

    /// Whether a key does nothing: it was meant for a window that closed by itself, or is one of
    /// several that came at once while a question is open.
    fn drops(&mut self, action: Option<KeyAction>) -> bool {
        let always = [KeyAction::Interrupt, KeyAction::Redraw, KeyAction::Suspend];
        if action.is_some_and(|action| always.contains(&action)) {
            return false;
        }
        match self.overlay {
            Some(Overlay::Question(question)) if self.shell.in_a_row => {
                let keys = question.answers();
                self.shell.info(format!("Several keys at once answer nothing: press {keys}."));
                true
            }
            _ => self.window_just_closed(),
        }
    }

    /// The field that is typed in.
    fn field(&mut self) -> Option<&mut TextField> {
        let second = self.shell.selected() == 1;
        self.shown_mut().0.field(second)
    }

    /// Types a pasted text. It is text only, no key of a game and no Enter.
    fn paste(&mut self, text: &str) {
        let field = if self.overlay.is_some() { None } else { self.field() };
        match field {
            Some(field) => {
                field.paste(text);
                self.shell.message = None;
            }
            None => self.shell.info("A text can be pasted only where one is typed."),
        }
    }

    /// Does an action. A key that moves says where, a digit which.
    fn act(&mut self, action: KeyAction, code: KeyCode) {
        self.clear_message(action);
        match action {
            KeyAction::Interrupt => self.interrupt(),
            KeyAction::Redraw => self.shell.effects.push(Effect::Redraw),
            // No shell waits on the machine of a session over ssh.
            KeyAction::Suspend if self.shell.client.options.way_in.is_remote() => {}
            KeyAction::Suspend => self.shell.effects.push(Effect::Suspend),
            KeyAction::Menu => self.show_menu(),
            KeyAction::Accept => self.accept(),
            KeyAction::Help => {
                self.overlay = Overlay::next_help(self.overlay, &self.shell, self.shown());
            }
            _ => {
                let next = if let Some(overlay) = self.overlay {
                    let next = overlay.act(&mut self.shell, action, code);
                    self.overlay = self.overlay.filter(|_| next.is_none());
                    next.unwrap_or(Transition::Stay)
                } else {
                    let (shown, shell) = self.shown_mut();
                    shown.act(shell, action, code)
                };
                self.go(next, code);
            }
        }
    }

    /// Clears the message of before, when a key does something. The cursor is moved while one reads
    /// a hint or what the opponent did.
    fn clear_message(&mut self, action: KeyAction) {
        let moves = action == KeyAction::Move && matches!(self.screen, Screen::Room);
        if matches!(action, KeyAction::Redraw | KeyAction::Suspend) {
            return;
        }
        if !moves || self.room.is_about_key(&self.shell) {
            self.shell.message = None;
        }
        if action != KeyAction::Enter {
            self.room.cell.doubtful = false;
        }
    }

    /// Says that a key means nothing here, and which ones do; or begins a cell's name with it.
    fn meaningless(&mut self, key: KeyEvent) {
        let in_room = matches!(self.screen, Screen::Room);
        if in_room && self.overlay.is_none() && self.room.begin_column(&self.shell, key) {
            return;
        }
        // Somebody who presses Esc once too often stays.
        if key.code == KeyCode::Esc && matches!(self.screen, Screen::Menu) {
            return self.shell.info("Press q to quit.");
        }
        let KeyCode::Char(letter) = key.code else { return };
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return;
        }
        let key = if letter == ' ' { "space".to_owned() } else { letter.to_string() };
        let instead = if in_room { self.room.instead(&self.shell) } else { String::new() };
        self.room.doubt();
        self.shell.info(format!("{key} means nothing here: {instead}? shows the keys."));
    }

    /// Handles Ctrl-C: during a game the first one asks, the second one quits.
    fn interrupt(&mut self) {
        let asked = Some(Overlay::Question(Question::Quit));
        if self.shell.is_playing() && self.overlay != asked {
            self.overlay = asked;
        } else {
            self.quit(Exit::Done);
        }
    }

    /// Moves in the list of the page.
    fn move_in_list(&mut self, code: KeyCode) {
        let selected = self.shell.selected();
        let forward = is_forward(code);
        let Some(page) = self.page() else { return };
        let item = match code {
            KeyCode::PageUp | KeyCode::PageDown => page.page_further(selected, forward),
            KeyCode::Home => page.further(selected, usize::MAX, false),
            KeyCode::End => page.further(selected, usize::MAX, true),
            _ => page.next(selected, forward),
        };
        self.shell.list.select(Some(item));
    }

    // The mouse.

    /// Whether clicks do something here. Else the mouse is left to the terminal, which selects text
    /// with it, such as a room's link.
    pub(crate) fn wants_mouse(&self) -> bool {
        self.shown().clicks(&self.shell) != Clicks::Ignored
    }

    fn click(&mut self, position: Position) {
        let Some(chrome) = layout::chrome(self.shell.size) else { return };
        if chrome.key_bar.contains(position) {
            return self.click_key(position.x.checked_sub(1));
        }
        match self.overlay {
            Some(Overlay::Notes) => self.act(KeyAction::Close, KeyCode::Null),
            // Any key does the same.
            Some(Overlay::Help { .. }) => self.act(KeyAction::Help, KeyCode::Null),
            Some(Overlay::Question(_)) => {
                let answers = self.window().map(|window| window.last_row());
                if let Some(answers) = answers.filter(|row| row.contains(position)) {
                    self.click_key(Some(position.x - answers.x));
                }
            }
            Some(Overlay::Emotes) => {
                let row = self.window().map(|window| position.y.saturating_sub(window.area.y));
                let digit = row.and_then(|row| char::from_digit(row.into(), 10));
                digit
                    .into_iter()
                    .for_each(|digit| self.act(KeyAction::Emote, KeyCode::Char(digit)));
            }
            None if matches!(self.screen, Screen::Room) => {
                self.room.click(&mut self.shell, position);
            }
            None => self.click_item(position),
        }
    }

    /// Does what the key at a column of the key bar's text does.
    fn click_key(&mut self, column: Option<u16>) {
        let action = column.and_then(|column| self.key_bar().action_at(column));
        action.into_iter().for_each(|action| self.act(action, KeyCode::Null));
    }

    fn click_item(&mut self, position: Position) {
        let first = self.shell.list.offset();
        let item = self.page().and_then(|page| page.item_at(position, first));
        let Some(item) = item else { return };
        let again = self.shell.selected() == item;
        self.shell.list.select(Some(item));
        match self.shown().clicks(&self.shell) {
            Clicks::Open => self.act(KeyAction::Enter, KeyCode::Null),
            Clicks::Select if again => self.act(KeyAction::Enter, KeyCode::Null),
            Clicks::Turn if again => self.act(KeyAction::Move, KeyCode::Null),
            Clicks::Select | Clicks::Turn | Clicks::Places | Clicks::Ignored => {}
        }
    }

    /// Handles the mouse wheel: it moves in a list, and steps through a review.
    fn wheel(&mut self, forward: bool) {
        let clicks = self.shown().clicks(&self.shell);
        match &mut self.screen {
            _ if self.overlay.is_some() => {}
            Screen::Room => self.room.step_review(&self.shell, forward),
            Screen::Replay(replay) => replay.step(forward),
            _ if clicks == Clicks::Ignored => {}
            _ => {
                let selected = self.shell.selected();
                let item = self.page().map(|page| page.further(selected, 1, forward));
                self.shell.list.select(Some(item.unwrap_or(selected)));
            }
        }
    }

    // Around the cells: the window, the prompt, the caret, the title.

    /// Counts what is on the screen as read.
    fn mark_read(&mut self) {
        if matches!(self.screen, Screen::Room) {
            self.room.mark_read(&mut self.shell);
        }
    }

    /// The window over the screen.
    pub(super) fn window(&self) -> Option<Window> {
        self.overlay?.window(&self.shell, self.shown())
    }

    /// The line that is typed in the room, in place of the message, with the column of the caret.
    pub(super) fn prompt(&self) -> Option<(String, u16, bool)> {
        self.room.prompt(&self.shell).filter(|_| matches!(self.screen, Screen::Room))
    }

    /// The place of the terminal's cursor: the caret of what is typed.
    pub(super) fn caret(&self) -> Option<Position> {
        if self.overlay.is_some() {
            return None;
        }
        if let Some((_, column, _)) = self.prompt() {
            return Some(Position::new(column, layout::chrome(self.shell.size)?.message.y));
        }
        self.page()?.caret(self.shell.selected())
    }

    /// The moment at which the picture changes by itself, besides the countdowns.
    pub(crate) fn next_frame(&self) -> Option<Instant> {
        let room = self.room.next_frame(&self.shell);
        room.into_iter().chain(self.shown().next_frame(&self.shell)).min()
    }

    /// The window's title.
    pub(crate) fn title(&self) -> String {
        let ascii = self.shell.client.options.ascii;
        let awaited = self.shell.is_awaited();
        if let Some(party) = self.shell.party()
            && (awaited || matches!(self.screen, Screen::Party))
        {
            return notifications::party_title(&party.state.name, awaited, ascii);
        }
        notifications::title(self.shell.session.room(), self.shell.unread(), ascii)
    }
}

#[cfg(test)]
pub(crate) mod tests;
