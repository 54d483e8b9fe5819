//! The screen before a game or a party: the settings of a new one.

use crossterm::event::KeyCode;
use noughts_client::session::LookupKind;
use noughts_protocol::{BoardClass, Found, GameKind, LobbyIntent, Strength, Variant};

use super::keys::{Key, KeyAction, direction, key, value_keys};
use super::page::Page;
use super::screen::{Clicks, Component, Transition};
use super::shell::{Effect, Shell};
use crate::choices::{Choices, FormKind};
use crate::config::Change;
use crate::strings::variant;

/// The settings of a new game or party.
#[derive(Debug)]
pub(crate) struct Setup(pub(crate) Choices);

impl Setup {
    /// The settings for a kind of game: against a computer those of the last time. The rating of the
    /// player, which says how strong it should be, is asked for.
    pub(super) fn new(shell: &mut Shell, kind: GameKind) -> Self {
        let features = shell.client.choice.features;
        let mut setup = Self(Choices::new(kind, features));
        if kind == GameKind::Computer {
            setup.0.set_all(&shell.client.profile.saved.computer);
            if features.ratings && shell.session.lost().is_none() {
                shell.ask(LobbyIntent::Profile { player: None });
            }
        }
        setup
    }

    /// Takes in the rating of the player.
    pub(super) fn rating_came(&mut self, shell: &Shell) {
        let answer = shell.session.answer(LookupKind::Profile);
        let Some(Ok(Found::Profile { profile })) = answer else { return };
        let five = profile.ratings.iter().find(|rating| rating.class == BoardClass::Five);
        self.0.near = five.map(|rating| Strength::near(rating.rating));
    }

    /// Starts the game. The settings against a computer are kept.
    fn start(&self, shell: &mut Shell) -> Transition {
        let values = self.0.values();
        let against_computer = self.0.kind == FormKind::Game(GameKind::Computer);
        if against_computer && values != shell.client.profile.saved.computer {
            let change = Change::Computer(values);
            shell.client.profile.saved.apply(change.clone());
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
        self.0.fields().for_each(|(label, value)| page.value(label, &value));
        if self.0.variant() != Variant::Line {
            page.note(variant::sentence(self.0.variant()));
        }
    }

    fn clicks(&self, _: &Shell) -> Clicks {
        Clicks::Turn
    }
}
