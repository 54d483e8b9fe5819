//! The choices before a party, and the intent that they make. Which there are is in
//! [`noughts_protocol::PARTY_SETTINGS`].

use noughts_protocol::{Features, LobbyIntent, PARTY_SETTINGS, PartySettings, PlayerName, Setting};

use crate::session::Action;

/// The label of the choice to play too, and its values.
const PLAYS: (&str, [&str; 2]) = ("Do you play too?", ["yes", "no"]);

/// The choices of the form so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartyChoices {
    /// The party's name.
    pub name: PlayerName,
    /// Whether the host plays too.
    pub plays: bool,
    features: Features,
    /// The names of the settings and their values.
    values: Vec<(&'static str, String)>,
}

impl PartyChoices {
    /// The defaults for a party with this name.
    #[must_use]
    pub const fn new(name: PlayerName, features: Features) -> Self {
        Self { name, plays: true, features, values: Vec::new() }
    }

    /// The settings for which there is a choice now.
    pub fn offered(&self) -> impl Iterator<Item = &'static Setting> {
        let value = |name: &str| {
            let row = PARTY_SETTINGS.iter().find(|setting| setting.name == name);
            row.map_or("", |setting| self.value(setting))
        };
        PARTY_SETTINGS.iter().filter(move |setting| setting.is_offered(self.features, value))
    }

    /// The value of a setting, as text.
    #[must_use]
    pub fn value(&self, setting: &Setting) -> &str {
        let chosen = self.values.iter().find(|(name, _)| *name == setting.name);
        chosen.map_or(setting.default, |(_, text)| text)
    }

    /// Chooses a value.
    pub fn set(&mut self, setting: &Setting, text: &str) {
        self.values.retain(|(name, _)| *name != setting.name);
        self.values.push((setting.name, text.to_owned()));
    }

    /// The label and the value of each choice.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let plays = PLAYS.1[usize::from(!self.plays)];
        let settings = self.offered();
        let settings =
            settings.map(|setting| (setting.label, setting.label_of(self.value(setting))));
        settings.chain([(PLAYS.0, plays)])
    }

    /// Takes the next or the previous value of the field at a place.
    pub fn change(&mut self, place: usize, forward: bool) {
        let Some(setting) = self.offered().nth(place) else {
            self.plays = !self.plays;
            return;
        };
        let values = setting.offered;
        let at = values.iter().position(|(text, _)| *text == self.value(setting));
        let step = if forward { 1 } else { values.len() - 1 };
        self.set(setting, values[(at.unwrap_or_default() + step) % values.len()].0);
    }

    /// The action with these choices. What is not offered keeps its default.
    #[must_use]
    pub fn action(&self) -> Action {
        let chosen = self.offered().map(|setting| (setting, self.value(setting)));
        let settings = PartySettings::with_values(chosen).unwrap_or_default();
        Action::Enter(LobbyIntent::CreateParty {
            name: self.name.clone(),
            settings,
            plays: self.plays,
        })
    }
}

/// The name of a party whose host gave none.
#[must_use]
pub fn usual_name(host: Option<&PlayerName>) -> PlayerName {
    let long = host.and_then(|host| format!("Party of {host}").parse().ok());
    long.unwrap_or_else(|| "Party".parse().expect("the word is a name"))
}

#[cfg(test)]
mod tests {
    use noughts_protocol::PartyFormat;

    use super::*;

    #[test]
    fn the_form_shows_what_the_format_needs() {
        let mut choices = PartyChoices::new("Friday".parse().unwrap(), Features::default());
        let labels =
            |choices: &PartyChoices| choices.fields().map(|(label, _)| label).collect::<Vec<_>>();
        assert!(!labels(&choices).contains(&"Rounds"));
        // From knockout to round robin to Swiss.
        choices.change(0, true);
        choices.change(0, true);
        assert!(labels(&choices).contains(&"Rounds"));
        choices.change(1, true);
        let last = labels(&choices).len() - 1;
        choices.change(last, true);
        let Action::Enter(LobbyIntent::CreateParty { settings, plays, .. }) = choices.action()
        else {
            panic!()
        };
        assert_eq!((settings.format, settings.rounds, plays), (PartyFormat::Swiss, 6, false));
    }

    #[test]
    fn a_party_has_a_name_also_if_the_hosts_is_long() {
        assert_eq!(usual_name(Some(&"Ada".parse().unwrap())).as_str(), "Party of Ada");
        let long = "x".repeat(noughts_protocol::MAX_NAME_CHARS).parse().unwrap();
        assert_eq!(usual_name(Some(&long)).as_str(), "Party");
    }
}
