//! The screens before a game or a party: the settings of a new one, and the questions for a room's code
//! and for a party's name.

use crossterm::event::KeyCode;
use noughts_protocol::{GameKind, Role, RoomCode};

use super::app::Effect;
use super::keys::{Key, KeyAction, direction, field_keys, key, value_keys};
use super::page::Page;
use super::screen::{Clicks, Component, Screen, Transition};
use super::shell::Shell;
use super::text_field::TextField;
use crate::args::parse_room;
use crate::choices::{Choices, FormKind, usual_name};
use crate::config::Change;
use crate::session::Action;

/// The settings of a new game or party.
#[derive(Debug)]
pub struct Setup(pub Choices);

impl Setup {
    /// The settings for a kind of game: against a computer those of the last time.
    pub(super) fn new(shell: &Shell, kind: GameKind) -> Self {
        let mut choices = Choices::new(kind, shell.client.choice.features);
        if kind == GameKind::Computer {
            choices.set_all(shell.client.profile.computer());
        }
        Self(choices)
    }

    /// Starts the game. The settings against a computer are kept.
    fn start(&self, shell: &mut Shell) -> Transition {
        let values = self.0.values();
        let against_computer = self.0.kind == FormKind::Game(GameKind::Computer);
        if against_computer && values != *shell.client.profile.computer() {
            let change = Change::Computer(values);
            shell.client.profile.apply(change.clone());
            shell.effects.push(Effect::Save(change));
        }
        Transition::Begin(self.0.action())
    }
}

impl Component for Setup {
    fn keys(&self, _: &Shell) -> Vec<Key> {
        value_keys(key("Enter", KeyAction::Enter, "start", "start"), "change").to_vec()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, code: KeyCode) -> Transition {
        let (columns, rows) = direction(code);
        match action {
            KeyAction::Enter => return self.start(shell),
            KeyAction::Back => return Transition::Menu,
            KeyAction::Move if rows == 0 => self.0.change(shell.selected(), columns > 0),
            _ => return Transition::List,
        }
        Transition::Stay
    }

    fn fill<'a>(&'a self, _: &'a Shell, page: &mut Page<'a>) {
        match &self.0.kind {
            FormKind::Game(kind) => page.heading(kind.label()),
            FormKind::Party { name, .. } => page.heading(&format!("{name}: a new party")),
        }
        self.0.fields().for_each(|(label, value)| page.value(label, value));
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Turn
    }
}

/// The question for a room code.
#[derive(Debug)]
pub struct CodeForm(pub TextField);

impl CodeForm {
    /// The question with a code that is typed already.
    pub(super) fn new(room: Option<RoomCode>) -> Self {
        Self(room.map_or_else(TextField::default, |room| TextField::filled(room.to_string())))
    }
}

impl Component for CodeForm {
    fn keys(&self, _: &Shell) -> Vec<Key> {
        field_keys("join", "back").to_vec()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, _: KeyCode) -> Transition {
        if action == KeyAction::Back {
            return Transition::Menu;
        }
        let here = &shell.client.choice.server;
        match parse_room(self.0.text()) {
            Ok(room) if room.link.as_ref().is_some_and(|link| link.server != *here) => {
                shell.error(
                    "that link is for another server: start noughts with --server and the link",
                );
            }
            Ok(room) => return Transition::Begin(Action::join(room.code, Role::Player)),
            Err(why) => {
                // Another code can be typed at once.
                self.0.select();
                shell.error(why);
            }
        }
        Transition::Stay
    }

    fn fill<'a>(&'a self, _: &'a Shell, page: &mut Page<'a>) {
        page.heading("Which room? Type its code.");
        page.field("Code:", &self.0);
    }

    fn field(&mut self, _: bool) -> Option<&mut TextField> {
        Some(&mut self.0)
    }
}

/// The question for the name of a new party.
#[derive(Debug)]
pub struct PartyNameForm(TextField);

impl PartyNameForm {
    pub(super) fn new(shell: &Shell) -> Self {
        Self(TextField::filled(usual_name(Some(&shell.client.profile.name)).to_string()))
    }
}

impl Component for PartyNameForm {
    fn keys(&self, _: &Shell) -> Vec<Key> {
        field_keys("next", "back").to_vec()
    }

    fn act(&mut self, shell: &mut Shell, action: KeyAction, _: KeyCode) -> Transition {
        if action == KeyAction::Back {
            return Transition::Menu;
        }
        match self.0.text().trim().parse() {
            Ok(name) => {
                shell.message = None;
                let choices = Choices::party(name, shell.client.choice.features);
                Transition::Show(Screen::Setup(Setup(choices)))
            }
            Err(why) => {
                shell.error(format!("{why}"));
                Transition::Stay
            }
        }
    }

    fn fill<'a>(&'a self, _: &'a Shell, page: &mut Page<'a>) {
        page.heading("A party: many people, one code, and games that pair themselves");
        page.field("Its name:", &self.0);
    }

    fn field(&mut self, _: bool) -> Option<&mut TextField> {
        Some(&mut self.0)
    }
}
