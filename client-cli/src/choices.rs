//! The choices before a game, and the action that they make. The full screen and the questions of
//! plain mode fill them in; which there are is in [`noughts_protocol::settings`].

use std::collections::BTreeMap;
use std::str::FromStr;

use noughts_protocol::settings::parse_time;
use noughts_protocol::{Computer, Features, GameKind, RoomSettings, SeatRequest, Setting};

use crate::session::Action;

pub mod party;

/// The choices of a form so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    /// The kind of game.
    pub kind: GameKind,
    features: Features,
    /// The names of the settings and their values.
    values: Vec<(&'static str, String)>,
}

impl Choices {
    /// The defaults for a kind of game.
    #[must_use]
    pub const fn new(kind: GameKind, features: Features) -> Self {
        Self { kind, features, values: Vec::new() }
    }

    /// The settings for which there is a choice now.
    pub fn offered(&self) -> impl Iterator<Item = &'static Setting> {
        let is_offered = |setting: &&Setting| {
            setting.is_offered(self.features, |name| self.value(Setting::named(name)))
        };
        Setting::of(self.kind).filter(is_offered)
    }

    /// The value of a setting, as text.
    #[must_use]
    pub fn value(&self, setting: &Setting) -> &str {
        let chosen = self.values.iter().find(|(name, _)| *name == setting.name);
        chosen.map_or(setting.default_in(self.kind), |(_, text)| text)
    }

    /// Chooses a value.
    pub fn set(&mut self, setting: &Setting, text: &str) {
        self.values.retain(|(name, _)| *name != setting.name);
        self.values.push((setting.name, text.to_owned()));
    }

    /// The values that were chosen, by the names of their settings.
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, String> {
        self.values.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect()
    }

    /// Chooses values that were chosen before, as far as the form still offers them.
    pub fn set_all(&mut self, values: &BTreeMap<String, String>) {
        for setting in Setting::of(self.kind) {
            let text = values.get(setting.name);
            let offered =
                text.filter(|text| setting.offered.iter().any(|(name, _)| *name == text.as_str()));
            offered.into_iter().for_each(|text| self.set(setting, text));
        }
    }

    /// Chooses a computer: the opponent, or with `_x` or `_o` the one that plays that mark.
    pub fn set_computer(&mut self, side: &str, computer: Computer) {
        self.set(Setting::named(&format!("strategy{side}")), computer.strategy.name());
        self.set(Setting::named(&format!("strength{side}")), computer.strength.name());
    }

    /// The label and the value of each setting that is offered.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.offered().map(|setting| (setting.label, setting.label_of(self.value(setting))))
    }

    /// Takes the next or the previous value of the field at a place.
    pub fn change(&mut self, place: usize, forward: bool) {
        let Some(setting) = self.offered().nth(place) else { return };
        let values = setting.offered;
        let at = values.iter().position(|(text, _)| *text == self.value(setting));
        let step = if forward { 1 } else { values.len() - 1 };
        self.set(setting, values[(at.unwrap_or_default() + step) % values.len()].0);
    }

    fn read<T: FromStr + Default>(&self, name: &str) -> T {
        self.value(Setting::named(name)).parse().unwrap_or_default()
    }

    fn computer(&self, side: &str) -> Computer {
        let strategy = self.read(&format!("strategy{side}"));
        Computer { strategy, strength: self.read(&format!("strength{side}")) }
    }

    /// The action with these choices. What is not offered keeps its default.
    #[must_use]
    pub fn action(&self) -> Action {
        let chosen = self.offered().map(|setting| (setting, self.value(setting)));
        let settings = RoomSettings::with_values(chosen).unwrap_or_default();
        let opponent = match self.kind {
            GameKind::Friend => SeatRequest::Open,
            GameKind::Computer => SeatRequest::Computer(self.computer("")),
            GameKind::Both => SeatRequest::You,
            GameKind::Exhibition => {
                return Action::exhibition(self.computer("_x"), self.computer("_o"), settings);
            }
            GameKind::Quick => {
                let after = parse_time(self.value(Setting::named("computer_after"))).ok();
                return Action::quick_match(settings.board, after);
            }
        };
        Action::create(opponent, self.read("mark"), settings)
    }
}

#[cfg(test)]
mod tests;
