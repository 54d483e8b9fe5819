//! The computer on the command line: a strength, a strategy, or both as in `heuristic:strong`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use noughts_protocol::{Computer, Strategy, Strength};

/// The computer that an argument names. A part that is left out has its default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ComputerChoice {
    /// The algorithm.
    pub(crate) strategy: Option<Strategy>,
    /// How well it plays.
    pub(crate) strength: Option<Strength>,
}

impl ComputerChoice {
    /// Parses `strong`, `very-weak`, `perfect` or `heuristic:strong`. Returns `None` for other
    /// texts, and for a strength after a strategy that has none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some((strategy, strength)) = text.split_once(':') {
            let strategy =
                strategy.parse().ok().filter(|strategy: &Strategy| strategy.has_strengths())?;
            return Some(Self { strategy: Some(strategy), strength: Some(strength.parse().ok()?) });
        }
        let strategy = text.parse().ok();
        let strength = text.parse().ok();
        (strategy.is_some() || strength.is_some()).then_some(Self { strategy, strength })
    }

    /// The computer. A separate `strategy` goes before the one of this choice, and a strength that is
    /// left out is the one of `usual`, which a strategy alone may have for itself.
    pub(crate) fn computer(self, strategy: Option<Strategy>, usual: Computer) -> Computer {
        let strategy = strategy.or(self.strategy);
        let usual = match strategy {
            Some(strategy) if usual == Computer::OPPONENT => Computer::opponent(strategy),
            _ => usual,
        };
        Computer {
            strategy: strategy.unwrap_or(usual.strategy),
            strength: self.strength.unwrap_or(usual.strength),
        }
    }
}

/// The strengths, then the strategies.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    Strength::NAMES.iter().chain(Strategy::NAMES).map(|(name, _)| *name)
}

/// Parses a [`ComputerChoice`]. Shells complete it.
pub(super) fn parser() -> impl TypedValueParser<Value = ComputerChoice> {
    // `very-weak` and `very_weak` both work; the help shows one of them.
    let with_dash = |name: String| PossibleValue::new(name.clone()).alias(name.replace('_', "-"));
    // So does the digit of a level.
    let strengths = |before: &str| {
        Strength::ALL.map(|one| {
            let value = with_dash(format!("{before}{}", one.name()));
            value.alias(format!("{before}{}", one.level()))
        })
    };
    let with_strengths = Strategy::ALL.into_iter().filter(|strategy| strategy.has_strengths());
    let both = with_strengths.flat_map(|strategy| strengths(&format!("{}:", strategy.name())));
    let strategies = Strategy::NAMES.iter().map(|(name, _)| with_dash((*name).to_owned()));
    let values = strengths("").into_iter().chain(strategies);
    PossibleValuesParser::new(values.chain(both.map(|value| value.hide(true))))
        .map(|text| ComputerChoice::parse(&text).expect("the inner parser admits nothing else"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computer_is_a_strength_a_strategy_or_both() {
        let computer = |text| {
            let choice = ComputerChoice::parse(text)?;
            Some(choice.computer(None, Computer::OPPONENT))
        };
        let made = |strategy, strength| Some(Computer { strategy, strength });
        assert_eq!(computer("strong"), made(Strategy::Minimax, Strength::Strong));
        for text in ["very_weak", "very-weak", "Very weak", "1"] {
            assert_eq!(computer(text), made(Strategy::Minimax, Strength::VeryWeak), "{text}");
        }
        assert_eq!(computer("minimax"), made(Strategy::Minimax, Strength::Weak));
        assert_eq!(computer("perfect"), made(Strategy::Perfect, Strength::Average));
        assert_eq!(computer("heuristic"), made(Strategy::Heuristic, Strength::Average));
        assert_eq!(
            computer("heuristic:very-strong"),
            made(Strategy::Heuristic, Strength::VeryStrong)
        );
        assert_eq!(computer("minimax:4"), made(Strategy::Minimax, Strength::Level4));
        for text in ["", "0", "best", "perfect:weak", "weak:heuristic", "heuristic:", ":weak"] {
            assert_eq!(computer(text), None, "{text:?}");
        }
    }
}
