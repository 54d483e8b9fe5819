//! The choices before a game or a party, and the action that they make. The full screen and the questions
//! of plain mode fill them in; which there are is in [`noughts_protocol::settings`] and in
//! [`noughts_protocol::PARTY_SETTINGS`].

use std::collections::BTreeMap;
use std::str::FromStr;

use noughts_protocol::settings::{Kind, parse_time};
use noughts_protocol::{
    Computer, Features, GameKind, LobbyIntent, PARTY_SETTINGS, PartySettings, PlayerName,
    RoomSettings, SeatRequest, Setting, Strategy, Strength, Variant,
};

use crate::action::Action;
use crate::strings;

/// The label of the choice to play too in a party, and its values.
const PLAYS: (&str, [&str; 2]) = ("Do you play too?", ["yes", "no"]);

/// The subject of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FormKind {
    /// A game of this kind.
    Game(GameKind),
    /// A party.
    Party {
        /// Its name.
        name: PlayerName,
        /// Whether the host plays too.
        plays: bool,
    },
}

/// The choices of a form so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choices {
    /// The subject.
    pub(crate) kind: FormKind,
    features: Features,
    /// The strength about that of the player, by the rating in five in a row.
    pub(crate) near: Option<Strength>,
    /// The names of the settings and their values.
    values: Vec<(&'static str, String)>,
}

impl Choices {
    /// The defaults for a kind of game.
    pub(crate) const fn new(kind: GameKind, features: Features) -> Self {
        Self { kind: FormKind::Game(kind), features, near: None, values: Vec::new() }
    }

    /// The defaults for a party with this name.
    pub(crate) const fn party(name: PlayerName, features: Features) -> Self {
        let kind = FormKind::Party { name, plays: true };
        Self { kind, features, near: None, values: Vec::new() }
    }

    /// The host has switched features off or on.
    pub(crate) const fn switch(&mut self, features: Features) {
        self.features = features;
    }

    /// All settings of the form.
    pub(crate) fn settings(&self) -> impl Iterator<Item = &'static Setting> + use<> {
        let game = self.game();
        let party = PARTY_SETTINGS.iter().filter(move |_| game.is_none());
        game.into_iter().flat_map(Setting::of).chain(party)
    }

    /// The kind of game; `None` for a party.
    const fn game(&self) -> Option<GameKind> {
        match self.kind {
            FormKind::Game(kind) => Some(kind),
            FormKind::Party { .. } => None,
        }
    }

    /// The settings for which there is a choice now.
    pub(crate) fn offered(&self) -> impl Iterator<Item = &'static Setting> {
        let named = |name: &str| match self.game() {
            Some(_) => Some(Setting::named(name)),
            None => PARTY_SETTINGS.iter().find(|setting| setting.name == name),
        };
        let value = move |name: &str| named(name).map_or("", |setting| self.value(setting));
        self.settings().filter(move |setting| setting.is_offered(self.features, value))
    }

    /// The variant that is chosen.
    pub(crate) fn variant(&self) -> Variant {
        let row = self.settings().find(|setting| setting.name == "variant");
        row.and_then(|row| self.value(row).parse().ok()).unwrap_or_default()
    }

    /// The boards of the variant, the usual one first, if the setting is about the board and the variant
    /// has boards of its own.
    pub(crate) fn boards(&self, setting: &Setting) -> Option<&'static [&'static str]> {
        let own = setting.kind == Kind::Board && self.variant() != Variant::Line;
        own.then(|| self.variant().boards())
    }

    /// The strengths that the chosen computer has on the chosen board, if the setting is about its strength.
    fn strengths(&self, setting: &Setting) -> Option<&'static [Strength]> {
        let strategy = match setting.name.strip_prefix("strength") {
            Some(side) => self.read(&format!("strategy{side}")),
            None if setting.name == "fill" => Strategy::Minimax,
            None => return None,
        };
        let board = self.settings().find(|row| row.kind == Kind::Board)?;
        Some(Strength::offered(self.variant(), self.value(board).parse().ok()?, strategy))
    }

    /// The value of a setting if nothing is chosen, as text.
    pub(crate) fn usual(&self, setting: &Setting) -> &'static str {
        let usual = self.game().map_or(setting.default, |kind| setting.default_in(kind));
        self.boards(setting).and_then(|boards| boards.first().copied()).unwrap_or(usual)
    }

    /// The value of a setting, as text. A board on which the variant is not played is not chosen, and a
    /// strength that the board does not offer is the one with a name that is next below.
    pub(crate) fn value(&self, setting: &Setting) -> &str {
        let chosen = self.values.iter().find(|(name, _)| *name == setting.name);
        let admits = |text: &str| text.parse().is_ok_and(|board| self.variant().admits(board));
        let chosen = chosen.filter(|(_, text)| setting.kind != Kind::Board || admits(text));
        let value = chosen.map_or(self.usual(setting), |(_, text)| text.as_str());
        match self.strengths(setting).zip(value.parse::<Strength>().ok()) {
            Some((offered, strength)) if !offered.contains(&strength) => strength.named().name(),
            _ => value,
        }
    }

    /// The values that the form offers for a setting.
    pub(crate) fn offered_values(&self, setting: &Setting) -> Vec<&'static str> {
        let usual = setting.offered.iter().map(|(text, _)| *text);
        if let Some(strengths) = self.strengths(setting) {
            let others = usual.filter(|text| text.parse::<Strength>().is_err());
            return others.chain(strengths.iter().map(|strength| strength.name())).collect();
        }
        self.boards(setting).map_or_else(|| usual.collect(), <[_]>::to_vec)
    }

    /// Chooses a value.
    pub(crate) fn set(&mut self, setting: &Setting, text: &str) {
        self.values.retain(|(name, _)| *name != setting.name);
        self.values.push((setting.name, text.to_owned()));
    }

    /// The values that were chosen, by the names of their settings.
    pub(crate) fn values(&self) -> BTreeMap<String, String> {
        self.values.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect()
    }

    /// Chooses values that were chosen before, as far as the form still offers them.
    pub(crate) fn set_all(&mut self, values: &BTreeMap<String, String>) {
        for setting in self.settings() {
            let offered = self.offered_values(setting);
            let text = values.get(setting.name);
            // The board, which may offer it, comes later.
            let is_strength = |text: &str| text.parse::<Strength>().is_ok();
            let may_be = self.strengths(setting).is_some();
            let offered =
                text.filter(|text| offered.contains(&text.as_str()) || may_be && is_strength(text));
            offered.into_iter().for_each(|text| self.set(setting, text));
        }
    }

    /// Chooses a computer: the opponent, or with `_x` or `_o` the one that plays that mark.
    pub(crate) fn set_computer(&mut self, side: &str, computer: Computer) {
        self.set(Setting::named(&format!("strategy{side}")), computer.strategy.name());
        self.set(Setting::named(&format!("strength{side}")), computer.strength.name());
    }

    /// The label and the value of each choice that is offered.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, String)> {
        let value = |setting: &'static Setting| {
            let value = self.value(setting);
            match (setting.kind, value.parse()) {
                (Kind::Board, Ok(board)) => strings::variant::board(self.variant(), board),
                _ => self
                    .level(setting)
                    .unwrap_or_else(|| self.with_side(setting, value, setting.label_of(value))),
            }
        };
        let settings = self.offered().map(move |setting| (self.label(setting), value(setting)));
        let plays = match self.kind {
            FormKind::Party { plays, .. } => {
                Some((PLAYS.0, PLAYS.1[usize::from(!plays)].to_owned()))
            }
            FormKind::Game(_) => None,
        };
        settings.chain(plays)
    }

    /// The label of a setting. Where a mark stands for more, the player chooses a side.
    pub(crate) fn label(&self, setting: &Setting) -> &'static str {
        let is_side = setting.name == "mark" && self.side("x").is_some();
        if is_side { "Your side" } else { setting.label }
    }

    /// The name or the label of a value, and the side that a mark stands for: "X (Order)".
    pub(crate) fn with_side(&self, setting: &Setting, value: &str, shown: &str) -> String {
        let side = self.side(value).filter(|_| setting.name == "mark");
        side.map_or_else(|| shown.to_owned(), |side| format!("{shown} ({side})"))
    }

    fn side(&self, mark: &str) -> Option<&'static str> {
        let first = self.value(Setting::named("first"));
        match (self.variant(), mark) {
            (Variant::Order, "x") => Some("Order"),
            (Variant::Order, "o") => Some("Chaos"),
            _ if ["o", "random"].contains(&first) => None,
            (variant, "x") if variant.shares_marks() => Some("first"),
            (variant, "o") if variant.shares_marks() => Some("second"),
            _ => None,
        }
    }

    /// The label of a strength where there are nine: "5 average", "6".
    fn level(&self, setting: &Setting) -> Option<String> {
        self.strengths(setting).filter(|strengths| strengths.len() == Strength::ALL.len())?;
        let strength: Strength = self.value(setting).parse().ok()?;
        let name = if strength.named() == strength { strength.label() } else { "" };
        let near = self.near.filter(|near| *near == strength && self.variant() == Variant::Line);
        let about = if near.is_some() { "(about your strength)" } else { "" };
        Some(format!("{} {name} {about}", strength.level()).trim_end().replace("  ", " "))
    }

    /// Takes the next or the previous value of the field at a place.
    pub(crate) fn change(&mut self, place: usize, forward: bool) {
        let Some(setting) = self.offered().nth(place) else {
            if let FormKind::Party { plays, .. } = &mut self.kind {
                *plays = !*plays;
            }
            return;
        };
        let values = self.offered_values(setting);
        let value = self.value(setting).to_owned();
        self.set(setting, turned(&values, &value, forward));
    }

    fn read<T: FromStr + Default>(&self, name: &str) -> T {
        self.value(Setting::named(name)).parse().unwrap_or_default()
    }

    fn computer(&self, side: &str) -> Computer {
        let strategy = self.read(&format!("strategy{side}"));
        Computer { strategy, strength: self.read(&format!("strength{side}")) }
    }

    /// The action with these choices. A setting that is not offered keeps its default.
    pub(crate) fn action(&self) -> Action {
        let chosen = self.offered().map(|setting| (setting, self.value(setting)));
        let kind = match &self.kind {
            FormKind::Game(kind) => *kind,
            FormKind::Party { name, plays } => {
                let settings = PartySettings::with_values(chosen).unwrap_or_default();
                return Action::Enter(LobbyIntent::CreateParty {
                    name: name.clone(),
                    settings,
                    plays: *plays,
                });
            }
        };
        let settings = RoomSettings::with_values(chosen).unwrap_or_default();
        let opponent = match kind {
            GameKind::Friend => SeatRequest::Open,
            GameKind::Computer => SeatRequest::Computer(self.computer("")),
            GameKind::Both => SeatRequest::You,
            GameKind::Exhibition => {
                return Action::exhibition(self.computer("_x"), self.computer("_o"), settings);
            }
            GameKind::Quick => {
                let after = parse_time(self.value(Setting::named("computer_after"))).ok();
                return Action::quick_match(settings.variant, settings.board, after);
            }
        };
        Action::create(opponent, self.read("mark"), settings)
    }
}

/// The value after another one, or before it. After the last one comes the first.
pub(crate) fn turned<T: Copy + PartialEq>(all: &[T], value: T, forward: bool) -> T {
    let place = all.iter().position(|one| *one == value).unwrap_or_default();
    let step = if forward { 1 } else { all.len() - 1 };
    all[(place + step) % all.len()]
}

/// The name of a party whose host gave none.
pub(crate) fn usual_name(host: Option<&PlayerName>) -> PlayerName {
    let long = host.and_then(|host| format!("Party of {host}").parse().ok());
    long.unwrap_or_else(|| "Party".parse().expect("the word is a name"))
}

#[cfg(test)]
mod tests;
