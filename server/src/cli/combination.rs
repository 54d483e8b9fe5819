//! Strategies and strengths in arguments and JSON: `minimax`, `very_weak`, `heuristic:strong`.

use noughts_protocol::settings::alternatives;
use noughts_protocol::{Computer, Mark, Strategy, Strength};

/// The value of `--strategy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrategyChoice {
    /// One strategy, at the strength of `--strength`.
    One(Strategy),
    /// Every strategy at every strength it has.
    All,
}

impl StrategyChoice {
    /// One computer, or heuristic and minimax at five strengths, perfect and rules.
    pub(crate) fn computers(self, strength: Strength) -> Vec<Computer> {
        match self {
            Self::One(strategy) => vec![Computer { strategy, strength }],
            Self::All => {
                let with =
                    |strategy| Strength::NAMED.map(|strength| Computer { strategy, strength });
                let without = |strategy| Computer { strategy, strength };
                let mut all = [with(Strategy::Heuristic), with(Strategy::Minimax)].concat();
                all.extend([Strategy::Perfect, Strategy::Rules].map(without));
                all
            }
        }
    }
}

/// A computer's strength on the command line and in JSON; `None` where its strategy has none.
pub(crate) fn strength_name(computer: Computer) -> Option<&'static str> {
    computer.strategy.has_strengths().then_some(computer.strength.name())
}

/// A computer as `--x` takes it.
pub(crate) fn name(computer: Computer) -> String {
    let strategy = computer.strategy.name();
    strength_name(computer).map_or(strategy.to_owned(), |strength| format!("{strategy}:{strength}"))
}

/// Reads the value of `--strategy`.
pub(crate) fn strategy_choice(text: &str) -> Result<StrategyChoice, String> {
    if text == "all" {
        return Ok(StrategyChoice::All);
    }
    strategy(text).map(StrategyChoice::One).map_err(|problem| format!("{problem}, or all"))
}

/// Reads a strategy.
pub(crate) fn strategy(text: &str) -> Result<Strategy, String> {
    text.parse().map_err(|_| format!("use {}", alternatives(Strategy::NAMES)))
}

/// Reads a strength.
pub(crate) fn strength(text: &str) -> Result<Strength, String> {
    text.parse().map_err(|_| format!("use {}", alternatives(Strength::NAMES)))
}

/// Reads the text of [`name`], or one of its parts.
pub(crate) fn computer(text: &str) -> Result<Computer, String> {
    let Some((name, after)) = text.split_once(':') else {
        let usual = Computer::default();
        if let Ok(strength) = text.parse() {
            return Ok(Computer { strength, ..usual });
        }
        let strategy = strategy(text).map_err(|problem| format!("{problem}, or a strength"))?;
        return Ok(Computer { strategy, ..usual });
    };
    let strategy = strategy(name)?;
    if !strategy.has_strengths() {
        return Err(format!("{name} has no strengths"));
    }
    Ok(Computer { strategy, strength: strength(after)? })
}

/// Reads X or O, in either case.
pub(crate) fn mark(text: &str) -> Result<Mark, String> {
    match text {
        "x" | "X" => Ok(Mark::X),
        "o" | "O" => Ok(Mark::O),
        _ => Err("use x or o".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::Strength;

    use super::{StrategyChoice, computer, name};

    #[test]
    fn every_computer_has_a_name_that_is_read_again() {
        let all = StrategyChoice::All.computers(Strength::Average);
        assert_eq!(all.len(), 12);
        for one in all {
            assert_eq!(computer(&name(one)), Ok(one));
        }
        assert_eq!(computer("strong"), computer("minimax:strong"));
    }

    #[test]
    fn an_unknown_computer_is_refused_and_the_known_ones_named() {
        let check = |text, expected: &str| assert_eq!(computer(text), Err(expected.to_owned()));
        check("good", "use minimax, heuristic, perfect or rules, or a strength");
        check(
            "minimax:good",
            "use very_weak, level_2, weak, level_4, average, level_6, strong, level_8 or very_strong",
        );
        check("perfect:strong", "perfect has no strengths");
    }
}
