//! The computer on the command line: a strength, a strategy, or both as in `heuristic:strong`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use noughts_protocol::{Computer, Strategy, Strength};

/// The names of the strengths on the command line, the weakest first.
pub(crate) const STRENGTH_NAMES: [&str; 5] =
    ["very_weak", "weak", "average", "strong", "very_strong"];

/// The names of the strategies, in the order of [`Strategy::ALL`].
pub(crate) const STRATEGY_NAMES: [&str; 4] = ["minimax", "heuristic", "perfect", "rules"];

/// The computer that an argument names. A part that is left out has its default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ComputerChoice {
    /// The algorithm.
    pub strategy: Option<Strategy>,
    /// How well it plays.
    pub strength: Option<Strength>,
}

impl ComputerChoice {
    /// Parses `strong`, `very-weak`, `perfect` or `heuristic:strong`. Returns `None` for other
    /// texts, and for a strength after a strategy that has none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase().replace([' ', '-'], "_");
        if let Some((strategy, strength)) = text.split_once(':') {
            let strategy = strategy_of(strategy).filter(|strategy| strategy.has_strengths())?;
            let strength = strength_of(strength)?;
            return Some(Self { strategy: Some(strategy), strength: Some(strength) });
        }
        let (strategy, strength) = (strategy_of(&text), strength_of(&text));
        (strategy.is_some() || strength.is_some()).then_some(Self { strategy, strength })
    }

    /// The computer. A separate `strategy` goes before the one of this choice.
    #[must_use]
    pub fn computer(self, strategy: Option<Strategy>) -> Computer {
        Computer {
            strategy: strategy.or(self.strategy).unwrap_or_default(),
            strength: self.strength.unwrap_or_default(),
        }
    }
}

fn strategy_of(name: &str) -> Option<Strategy> {
    let place = STRATEGY_NAMES.iter().position(|known| *known == name)?;
    Some(Strategy::ALL[place])
}

fn strength_of(name: &str) -> Option<Strength> {
    let place = STRENGTH_NAMES.iter().position(|known| *known == name)?;
    Some(Strength::ALL[place])
}

/// Parses a [`ComputerChoice`]. Shells complete it.
pub(super) fn parser() -> impl TypedValueParser<Value = ComputerChoice> {
    // `very-weak` and `very_weak` both work; the help shows one of them.
    let with_dash = |name: String| PossibleValue::new(name.clone()).alias(name.replace('_', "-"));
    let plain = STRENGTH_NAMES.iter().chain(&STRATEGY_NAMES).map(|name| (*name).to_owned());
    let strategies = STRATEGY_NAMES.iter().zip(Strategy::ALL);
    let both = strategies.filter(|(_, strategy)| strategy.has_strengths()).flat_map(|(name, _)| {
        STRENGTH_NAMES.iter().map(move |strength| format!("{name}:{strength}"))
    });
    let values: Vec<PossibleValue> =
        plain.map(with_dash).chain(both.map(with_dash).map(|value| value.hide(true))).collect();
    PossibleValuesParser::new(values)
        .map(|text| ComputerChoice::parse(&text).expect("the inner parser admits nothing else"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computer_is_a_strength_a_strategy_or_both() {
        let computer = |text| ComputerChoice::parse(text).map(|choice| choice.computer(None));
        let made = |strategy, strength| Some(Computer { strategy, strength });
        assert_eq!(computer("strong"), made(Strategy::Minimax, Strength::Strong));
        for text in ["very_weak", "very-weak", "Very weak"] {
            assert_eq!(computer(text), made(Strategy::Minimax, Strength::VeryWeak), "{text}");
        }
        assert_eq!(computer("perfect"), made(Strategy::Perfect, Strength::Average));
        assert_eq!(computer("heuristic"), made(Strategy::Heuristic, Strength::Average));
        assert_eq!(
            computer("heuristic:very-strong"),
            made(Strategy::Heuristic, Strength::VeryStrong)
        );
        for text in ["", "best", "perfect:weak", "weak:heuristic", "heuristic:", ":weak"] {
            assert_eq!(computer(text), None, "{text:?}");
        }
    }
}
