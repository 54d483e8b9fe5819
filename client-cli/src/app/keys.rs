//! What keys do on each screen.

use crossterm::event::KeyCode;
use noughts_protocol::{Cell, ClaimedResult, LobbyIntent, OpeningChoice, Role, RoomIntent};

use super::{App, Effect, Overlay, Question, Screen};
use crate::client::Exit;
use crate::core::Action;

/// The direction of an arrow key or of h, j, k, l.
fn direction(key: KeyCode) -> Option<(i16, i16)> {
    match key {
        KeyCode::Left | KeyCode::Char('h') => Some((-1, 0)),
        KeyCode::Right | KeyCode::Char('l') => Some((1, 0)),
        KeyCode::Up | KeyCode::Char('k') => Some((0, -1)),
        KeyCode::Down | KeyCode::Char('j') => Some((0, 1)),
        _ => None,
    }
}

impl App {
    pub(super) fn screen_key(&mut self, key: KeyCode) {
        let typing = matches!(self.screen, Screen::Form(_) | Screen::Code(_) | Screen::Password(_));
        if key == KeyCode::Char('?') && !typing {
            return self.show_help(0);
        }
        match self.screen {
            Screen::Form(_) => self.form_key(key),
            Screen::Servers { .. } => self.servers_key(key),
            Screen::Password(_) => self.password_key(key),
            Screen::Menu { .. } => self.menu_key(key),
            Screen::Setup(_) => self.setup_key(key),
            Screen::Code(_) => self.code_key(key),
            Screen::Lobby { .. } => self.lobby_key(key),
            Screen::Connecting | Screen::Entering => {
                if matches!(key, KeyCode::Esc | KeyCode::Char('q')) {
                    self.quit(Exit::Done);
                }
            }
            Screen::Quick { .. } => {
                if matches!(key, KeyCode::Esc | KeyCode::Char('q')) {
                    self.ask_lobby(LobbyIntent::CancelMatch);
                }
            }
            Screen::Room => self.room_key(key),
        }
    }

    fn form_key(&mut self, key: KeyCode) {
        let Screen::Form(form) = &mut self.screen else { return };
        match key {
            KeyCode::Esc => self.quit(Exit::Done),
            KeyCode::Enter if !form.at_name => {
                form.at_name = true;
            }
            KeyCode::Enter => match form.parse() {
                Ok((link, name)) => {
                    self.client.choice.server = link.server;
                    self.client.profile.name = name;
                    if let Some(room) = link.room {
                        self.action = Action::join(room, Role::Player);
                    }
                    self.screen = Screen::Connecting;
                    self.message = None;
                    // Another server knows nothing about the earlier session.
                    self.session = self.session.with_another_server();
                    self.effects.push(Effect::Connect);
                }
                Err(why) => self.error(why),
            },
            key => form.key(key),
        }
    }

    fn password_key(&mut self, key: KeyCode) {
        let Screen::Password(field) = &mut self.screen else { return };
        match key {
            KeyCode::Esc => self.quit(Exit::Done),
            KeyCode::Enter => match field.text.parse() {
                Ok(password) => {
                    self.client.choice.password = Some(password);
                    self.screen = Screen::Connecting;
                    self.message = None;
                    self.effects.push(Effect::Connect);
                }
                Err(why) => self.error(why.to_string()),
            },
            key => field.key(key),
        }
    }

    fn menu_key(&mut self, key: KeyCode) {
        let menu = self.menu();
        let Screen::Menu { selected } = &mut self.screen else { return };
        let count = menu.len();
        match key {
            KeyCode::Up | KeyCode::Char('k') => *selected = (*selected + count - 1) % count,
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => {
                *selected = (*selected + 1) % count;
            }
            KeyCode::Enter | KeyCode::Char(' ') => {
                let item = menu.get(*selected).map(|(item, _)| *item);
                item.into_iter().for_each(|item| self.choose(item));
            }
            KeyCode::Char('q') | KeyCode::Esc => self.quit(Exit::Done),
            KeyCode::Char(digit) => {
                let place = digit.to_digit(10).and_then(|number| number.checked_sub(1));
                if let Some((item, _)) = place.and_then(|place| menu.get(place as usize)) {
                    self.choose(*item);
                }
            }
            _ => {}
        }
    }

    fn setup_key(&mut self, key: KeyCode) {
        let Screen::Setup(setup) = &mut self.screen else { return };
        match (key, direction(key)) {
            (_, Some((0, down))) => setup.select(down > 0),
            (_, Some((right, _))) => setup.change(right > 0),
            (KeyCode::Char(' '), _) => setup.change(true),
            (KeyCode::Tab, _) => setup.select(true),
            (KeyCode::BackTab, _) => setup.select(false),
            (KeyCode::Enter, _) => {
                let action = setup.action();
                self.begin(action);
            }
            (KeyCode::Esc | KeyCode::Char('q'), _) => self.show_menu(),
            _ => {}
        }
    }

    fn code_key(&mut self, key: KeyCode) {
        let Screen::Code(field) = &mut self.screen else { return };
        match key {
            KeyCode::Esc => self.show_menu(),
            KeyCode::Enter => self.join_typed(),
            key => field.key(key),
        }
    }

    fn lobby_key(&mut self, key: KeyCode) {
        if matches!(key, KeyCode::Esc | KeyCode::Char('q')) {
            self.ask_lobby(LobbyIntent::UnwatchLobby);
            return self.show_menu();
        }
        let chosen = self.selected_room();
        let enter = match (key, chosen) {
            (KeyCode::Enter | KeyCode::Char(' ' | 'w'), Some((room, _)))
                if self.client.choice.features.spectators =>
            {
                Some((room, Role::Spectator))
            }
            (KeyCode::Enter | KeyCode::Char('p'), Some((room, true))) => Some((room, Role::Player)),
            _ => None,
        };
        if let Some((room, role)) = enter {
            return self.ask_lobby(LobbyIntent::Join { room, role });
        }
        if let Screen::Lobby { lobby: Some(lobby), selected } = &mut self.screen
            && let Some((_, down)) = direction(key)
        {
            let count = (lobby.waiting.len() + lobby.playing.len()).max(1);
            let step = if down > 0 { 1 } else { count - 1 };
            *selected = (*selected + step) % count;
        }
    }

    fn room_key(&mut self, key: KeyCode) {
        if self.review.is_some() {
            return self.review_key(key);
        }
        if let Some((columns, rows)) = direction(key) {
            return self.move_cursor(columns, rows);
        }
        let game = self.session.game();
        if let Some(choice) = self.choice(key) {
            self.ask(RoomIntent::Choose { game, choice });
            return;
        }
        let intent = match key {
            KeyCode::Char('r') => self.session.rematch(),
            KeyCode::Char('i') => RoomIntent::Hint { game },
            KeyCode::Char('R' | 'x') if !self.is_playing() => RoomIntent::Resign { game },
            KeyCode::Char('c') => RoomIntent::Claim { game, result: ClaimedResult::Win },
            KeyCode::Char('d') => RoomIntent::Claim { game, result: ClaimedResult::Draw },
            key => return self.room_command(key),
        };
        self.ask(intent);
    }

    /// The keys of a room that do more than to send an intent.
    fn room_command(&mut self, key: KeyCode) {
        match key {
            KeyCode::Enter | KeyCode::Char(' ') => self.play(self.cursor),
            KeyCode::Char(digit @ '0'..='9') => self.digit(digit),
            KeyCode::Char('v') => self.ask_review(),
            KeyCode::Char('R' | 'x') if self.is_playing() => {
                self.overlay = Some(Overlay::Question(Question::Resign));
            }
            KeyCode::Char('q') | KeyCode::Esc if self.is_playing() => {
                self.overlay = Some(Overlay::Question(Question::Leave));
            }
            KeyCode::Char('q') | KeyCode::Esc => self.leave(),
            _ => {}
        }
    }

    /// The choice that a key makes while a choice is due.
    fn choice(&self, key: KeyCode) -> Option<OpeningChoice> {
        self.session.room()?.my_choice()?;
        match key {
            KeyCode::Char('x' | 'X') => Some(OpeningChoice::X),
            KeyCode::Char('o' | 'O') => Some(OpeningChoice::O),
            KeyCode::Char('a' | 'A') => Some(OpeningChoice::Add),
            _ => None,
        }
    }

    fn move_cursor(&mut self, columns: i16, rows: i16) {
        let Some(view) = self.session.room() else { return };
        let spec = view.state.settings.board;
        let (column, row) = spec.position(self.cursor);
        let to = spec.cell_at(i16::from(column) + columns, i16::from(row) + rows);
        self.cursor = to.unwrap_or(self.cursor);
    }

    /// On a board of at most nine cells a digit plays at once.
    fn digit(&mut self, digit: char) {
        let spec = self.session.room().map(|view| view.state.settings.board);
        let Some(spec) = spec.filter(|spec| spec.cells() <= 9) else { return };
        match spec.parse_cell(&digit.to_string()) {
            Ok(cell) => self.play(cell),
            Err(_) => self.error(format!("there is no cell {digit}: type 1 to {}", spec.cells())),
        }
    }

    pub(super) fn play(&mut self, cell: Cell) {
        self.cursor = cell;
        if self.session.room().is_some_and(|view| view.state.game.is_none()) {
            return;
        }
        self.ask(self.session.move_to(cell));
    }
}
