//! The effect of each [`KeyAction`] on each screen.

use crossterm::event::{KeyCode, KeyEvent};
use noughts_protocol::{Cell, LobbyIntent, Role, RoomIntent};

use super::keymap::{self, KeyAction};
use super::{App, Effect, Overlay, Question, Screen, TextField};
use crate::client::Exit;
use crate::session::Action;

impl App {
    /// Handles a key. One without an action is typed, or turns the page of the help.
    pub(super) fn key(&mut self, key: KeyEvent) {
        if self.drops(self.action_of(key).map(|(action, _)| action)) {
            return;
        }
        if self.means_nothing_now(key) {
            return self.meaningless(key);
        }
        match (self.action_of(key), self.overlay) {
            (Some((action, code)), _) => {
                self.act(action, code);
                let typed = matches!(code, KeyCode::Char(letter) if letter != ' ');
                self.doubtful |=
                    typed && self.message.as_ref().is_some_and(|message| message.error);
            }
            (None, Some(Overlay::Help { .. })) => self.act(KeyAction::Help, key.code),
            (None, Some(Overlay::Question(question))) => {
                self.info(format!("Press {}.", question.keys()));
            }
            (None, Some(Overlay::Emotes)) => self.say_emote(KeyCode::Char('0')),
            (None, None) if self.talk.field.is_none() && self.typed.is_some() => {
                self.type_cell(key.code);
            }
            (None, None) => match self.field() {
                Some(field) => {
                    field.key(key);
                    self.message = None;
                }
                None => self.meaningless(key),
            },
        }
    }

    /// Types a pasted text. It is text only, no key of a game and no Enter.
    pub(super) fn paste(&mut self, text: &str) {
        let field = if self.overlay.is_some() { None } else { self.field() };
        match field {
            Some(field) => {
                field.paste(text);
                self.message = None;
            }
            None => self.info("A text can be pasted only where one is typed."),
        }
    }

    /// The field that is typed in.
    fn field(&mut self) -> Option<&mut TextField> {
        let second = self.selected() == 1;
        match &mut self.screen {
            Screen::Room => self.talk.field.as_mut(),
            Screen::Form(form) => Some(if second { &mut form.name } else { &mut form.server }),
            Screen::Password(field)
            | Screen::Code(field)
            | Screen::PartyName(field)
            | Screen::PartyNote(field)
            | Screen::SaveIdentity(field) => Some(field),
            _ => None,
        }
    }

    /// Does an action. A key that moves says where, a digit which.
    pub(super) fn act(&mut self, action: KeyAction, key: KeyCode) {
        self.clear_message(action);
        let game = self.session.game();
        let intent = match action {
            KeyAction::Series if self.may_rematch() => return self.question(Question::Series),
            KeyAction::Rematch | KeyAction::Series => self.session.rematch(),
            KeyAction::NewSeries(series) => {
                self.overlay = None;
                self.session.new_series(series)
            }
            KeyAction::Step => self.session.step(),
            KeyAction::Pause => return self.pause(),
            KeyAction::Faster => return self.change_pace(true),
            KeyAction::Slower => return self.change_pace(false),
            KeyAction::Hint => RoomIntent::Hint { game },
            KeyAction::Resign if self.session.sent_resignation() => {
                return self.error("you have resigned: wait for the server");
            }
            KeyAction::Resign if self.is_playing() => return self.question(Question::Resign),
            KeyAction::Resign => RoomIntent::Resign { game },
            KeyAction::Claim(result) => RoomIntent::Claim { game, result },
            KeyAction::Choose(choice) => RoomIntent::Choose { game, choice },
            KeyAction::Interrupt => return self.interrupt(),
            KeyAction::Redraw => return self.effects.push(Effect::Redraw),
            KeyAction::Suspend => return self.effects.push(Effect::Suspend),
            KeyAction::Help => return self.show_help(),
            KeyAction::Talk => return self.begin_talk(""),
            KeyAction::ChatCommand => return self.begin_talk("/"),
            KeyAction::Emotes => return self.choose_emote(),
            KeyAction::Emote => return self.say_emote(key),
            KeyAction::Close if self.overlay.is_none() && self.talk.field.is_some() => {
                return self.close_talk();
            }
            KeyAction::Close if self.overlay.is_none() => return self.clear_typed(),
            KeyAction::Close => return self.overlay = None,
            KeyAction::Yes => return self.confirm(),
            KeyAction::Move => return self.go(keymap::direction(key)),
            KeyAction::Number => return self.number(key),
            KeyAction::Page => return self.select_page(keymap::direction(key).1 > 0),
            KeyAction::TypeCell if self.takes_cell_names() => return self.begin_cell('g'),
            KeyAction::TypeCell => return self.meaningless(KeyCode::Char('g').into()),
            KeyAction::Enter => return self.enter(),
            KeyAction::Join(role) => return self.enter_room(role),
            KeyAction::Review if matches!(self.screen, Screen::Replay) => {
                return self.review_replay();
            }
            KeyAction::Review => return self.ask_review(),
            KeyAction::Copy if matches!(self.screen, Screen::Games | Screen::Replay) => {
                return self.copy_game_link();
            }
            KeyAction::Copy if matches!(self.screen, Screen::People) => {
                return self.copy_profile_link();
            }
            KeyAction::Copy if matches!(self.screen, Screen::Party) => {
                return self.copy_party_link();
            }
            KeyAction::Copy => return self.copy_link(),
            KeyAction::Party(key) => return self.party_key(key),
            KeyAction::Leaders(filter) => return self.turn_leaders(filter),
            KeyAction::Replay => return self.replay_last(),
            KeyAction::Games(filter) => return self.filter_games(filter),
            KeyAction::Older => return self.turn_games(true),
            KeyAction::Newer => return self.turn_games(false),
            KeyAction::Play => return self.play_replay(),
            KeyAction::Menu => return self.show_menu(),
            KeyAction::First => return self.show_end(false),
            KeyAction::Last => return self.show_end(true),
            KeyAction::Back => return self.back(),
        };
        self.ask(intent);
    }

    /// Clears the message of before, when a key does something. The cursor is moved while one reads
    /// a hint or what the opponent did.
    fn clear_message(&mut self, action: KeyAction) {
        let moves = action == KeyAction::Move && matches!(self.screen, Screen::Room);
        let about_key = |message: &super::Message| message.error || self.doubtful;
        if matches!(action, KeyAction::Redraw | KeyAction::Suspend) {
            return;
        }
        if !moves || self.message.as_ref().is_some_and(about_key) {
            self.message = None;
        }
        if action != KeyAction::Enter {
            self.doubtful = false;
        }
    }

    pub(super) fn question(&mut self, question: Question) {
        self.overlay = Some(Overlay::Question(question));
    }

    /// Shows the next page of the help. After the last page the window closes.
    fn show_help(&mut self) {
        let page = if let Some(Overlay::Help { page }) = self.overlay { page + 1 } else { 0 };
        self.overlay = self.help(page).map(|_| Overlay::Help { page });
    }

    /// Handles Ctrl-C: during a game the first one asks, the second one quits.
    pub(super) fn interrupt(&mut self) {
        if self.is_playing() && self.overlay != Some(Overlay::Question(Question::Quit)) {
            self.question(Question::Quit);
        } else {
            self.quit(Exit::Done);
        }
    }

    fn go(&mut self, (columns, rows): (i16, i16)) {
        let (forward, selected) = (columns + rows > 0, self.selected());
        match &mut self.screen {
            Screen::Room if self.review_ply.is_some() => self.step_review(forward),
            Screen::Replay => self.step_replay(forward),
            Screen::Room => self.move_cursor(columns, rows),
            Screen::Setup(setup) if rows == 0 => setup.change(selected, forward),
            Screen::PartySetup(setup) if rows == 0 => setup.change(selected, forward),
            Screen::Settings if rows == 0 => self.turn_setting(selected, forward),
            Screen::Party if rows == 0 => self.turn_party_list(forward),
            _ => self.select_next(forward),
        }
    }

    /// Handles a digit: in a list it chooses, on a board of at most nine cells it plays.
    fn number(&mut self, key: KeyCode) {
        let KeyCode::Char(digit) = key else { return };
        if let Some(view) = self.session.room().filter(|_| matches!(self.screen, Screen::Room)) {
            let spec = view.state.settings.board;
            return match spec.parse_cell(&digit.to_string()) {
                _ if spec.cells() > 9 && !self.takes_cell_names() => self.meaningless(key.into()),
                _ if spec.cells() > 9 => {
                    let (example, key) = (spec.label(self.cursor), KeyAction::TypeCell.key());
                    self.doubtful = true;
                    self.info(format!(
                        "a cell is a letter and a number here, such as {example}: {key} types one"
                    ));
                }
                Ok(cell) => self.play(cell),
                Err(_) => {
                    self.error(format!("there is no cell {digit}: type 1 to {}", spec.cells()));
                }
            };
        }
        let count = self.page().map_or(0, |page| page.items.len());
        let item = self.item_keys().iter().position(|key| *key == digit);
        if let Some(item) = item.filter(|item| *item < count) {
            self.list.select(Some(item));
            self.enter();
        }
    }

    /// Chooses what is selected, or goes on with what was typed.
    pub(super) fn enter(&mut self) {
        let selected = self.selected();
        match &self.screen {
            Screen::Form(_) if selected == 0 => self.list.select(Some(1)),
            Screen::Form(_) => self.connect_typed(),
            Screen::Servers => self.select_server(selected),
            Screen::Password(field) => match field.text().parse() {
                Ok(password) => {
                    self.client.choice.password = Some(password);
                    self.connect();
                }
                Err(why) => self.error(why.to_string()),
            },
            Screen::Menu => {
                let item = self.menu().get(selected).map(|(item, _)| *item);
                item.into_iter().for_each(|item| self.choose(item));
            }
            Screen::Settings => self.change_setting(selected),
            Screen::Setup(_) => self.start_game(),
            Screen::Code(_) => self.join_typed(),
            Screen::SaveIdentity(_) => self.save_identity(),
            Screen::People => self.open_selected_person(),
            Screen::Lobby if self.client.choice.features.spectators => {
                self.enter_room(Role::Spectator);
            }
            Screen::Lobby => self.enter_room(Role::Player),
            Screen::Games => self.open_selected_game(),
            Screen::Room if self.talk.field.is_some() => self.say_typed(),
            Screen::Room if self.typed.is_some() => self.play_typed(),
            Screen::Room if self.is_done_at_table() => self.enter_from_table(),
            Screen::Room => self.play_cursor(),
            Screen::Party => self.enter_party(),
            Screen::PartyName(_) => self.name_party(),
            Screen::PartySetup(setup) => self.begin(setup.action()),
            Screen::PartyNote(_) => self.send_typed(),
            Screen::Connecting | Screen::Entering | Screen::Quick { .. } | Screen::Replay => {}
        }
    }

    /// Connects to the server that was typed.
    fn connect_typed(&mut self) {
        let Screen::Form(form) = &self.screen else { return };
        let (link, name) = match form.parse() {
            Ok(parsed) => parsed,
            Err((field, why)) => {
                self.list.select(Some(field));
                return self.error(why);
            }
        };
        let same = link.server == self.client.choice.server && name == self.client.profile.name;
        if same && link.room.is_none() && self.may_close_form() {
            return self.show(Screen::Settings);
        }
        let before = (
            std::mem::replace(&mut self.client.choice.server, link.server),
            std::mem::replace(&mut self.client.profile.name, name),
            self.client.choice.password.clone(),
        );
        if let Some(room) = link.room {
            self.action = Action::join(room, Role::Player);
        }
        if self.session.is_welcome() {
            self.earlier.get_or_insert(before);
        }
        // Another server knows nothing about the earlier session.
        self.session = self.session.with_another_server();
        self.connect();
    }

    pub(super) fn connect(&mut self) {
        self.show(Screen::Connecting);
        self.message = None;
        self.effects.push(Effect::Connect);
    }

    /// Goes back to where this screen was opened.
    fn back(&mut self) {
        match self.screen {
            Screen::Setup(_)
            | Screen::Code(_)
            | Screen::Settings
            | Screen::Games
            | Screen::PartyName(_)
            | Screen::PartySetup(_) => self.show_menu(),
            Screen::People => self.close_people(),
            Screen::SaveIdentity(_) => {
                self.back_to_people();
            }
            Screen::Replay => self.close_replay(),
            Screen::Form(_) | Screen::Connecting | Screen::Password(_)
                if self.earlier.is_some() =>
            {
                self.connect_earlier();
            }
            Screen::Form(_) if self.may_close_form() => self.show(Screen::Settings),
            // The room behind the menu stays.
            Screen::Entering | Screen::Connecting if self.session.room().is_some() => {
                self.show_menu();
            }
            Screen::Lobby => {
                self.ask(LobbyIntent::UnwatchLobby);
                self.show_menu();
            }
            Screen::Quick { .. } => {
                self.ask(LobbyIntent::CancelMatch);
                // The session repeats it after the break.
                if self.session.lost().is_some() && self.message.is_none() {
                    self.show_menu();
                }
            }
            // A room that the server has not made yet still comes, and is shown then.
            Screen::Entering if self.may_go_back() => {
                self.leave();
                self.message = None;
            }
            Screen::Connecting if self.may_go_back() => self.show_menu(),
            Screen::Room if self.review_ply.is_some() => {
                self.review_ply = None;
                self.message = None;
                self.news.take().into_iter().for_each(|news| self.info(news));
            }
            Screen::Room if self.is_at_table() => self.leave_table(),
            Screen::Room if self.is_playing() => self.question(Question::Leave),
            Screen::Party => self.back_from_party(),
            Screen::PartyNote(_) => self.back_from_note(),
            Screen::Room => self.leave(),
            _ => self.quit(Exit::Done),
        }
    }

    fn move_cursor(&mut self, columns: i16, rows: i16) {
        self.typed = None;
        let Some(view) = self.session.room() else { return };
        let spec = view.state.settings.board;
        let (column, row) = spec.position(self.cursor);
        let to = spec.cell_at(i16::from(column) + columns, i16::from(row) + rows);
        self.cursor = to.unwrap_or(self.cursor);
    }

    pub(super) fn play(&mut self, cell: Cell) {
        (self.cursor, self.typed, self.doubtful) = (cell, None, false);
        self.ask(self.session.move_to(cell));
    }
}
