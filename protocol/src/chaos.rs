//! A bad network on purpose, so that a developer can feel one: what `--chaos` of the server and of
//! the terminal client says, and what becomes of each message. It is no part of the wire contract.
//! Pure: a seed is all the chance there is. Waiting, and cutting connections, is the caller's.

use std::str::FromStr;
use std::time::Duration;

/// What happens to the messages of a connection, as in
/// `drop=5%,dup=1%,kill=1/1000,delay=300ms,seed=7`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Chaos {
    drop: f64,
    dup: f64,
    kill: f64,
    delay: Duration,
    seed: u64,
}

impl Chaos {
    /// The same for another connection, with a chance of its own.
    #[must_use]
    pub const fn of(mut self, connection: u64) -> Self {
        self.seed = self.seed.wrapping_add(connection.wrapping_mul(0xD134_2543_DE82_EF95));
        self
    }

    /// How long whatever is sent has to wait.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        self.delay
    }

    /// How many copies of the next message arrive, in either direction: none, one or two. `None`
    /// cuts the connection, without a goodbye.
    pub fn copies(&mut self) -> Option<u8> {
        if self.chance() < self.kill {
            None
        } else if self.chance() < self.drop {
            Some(0)
        } else {
            Some(1 + u8::from(self.chance() < self.dup))
        }
    }

    /// A number from 0 up to 1, by `SplitMix64` (Steele, Lea and Flood 2014).
    fn chance(&mut self) -> f64 {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        // The upper 53 bits are what a float holds without rounding.
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl FromStr for Chaos {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut chaos = Self::default();
        for part in text.split(',') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match key.trim() {
                "drop" => chaos.drop = share(value)?,
                "dup" => chaos.dup = share(value)?,
                "kill" => chaos.kill = share(value)?,
                "delay" => chaos.delay = delay(value)?,
                "seed" => {
                    chaos.seed =
                        value.parse().map_err(|_| format!("{value:?} is no seed: use 7"))?;
                }
                _ => return Err(format!("{part:?} is none of drop=, dup=, kill=, delay=, seed=")),
            }
        }
        Ok(chaos)
    }
}

/// Reads `5%`, `1/1000` or `0.05`.
fn share(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.parse::<f64>().ok();
    let share = if let Some(percent) = text.strip_suffix('%') {
        number(percent).map(|percent| percent / 100.0)
    } else if let Some((part, whole)) = text.split_once('/') {
        number(part).zip(number(whole)).map(|(part, whole)| part / whole)
    } else {
        number(text)
    };
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| format!("{text:?} is no share: write 5%, 1/1000 or 0.05"))
}

/// Reads `300ms` or `2s`, a minute at most.
fn delay(text: &str) -> Result<Duration, String> {
    let ms = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(ms), _) => ms.parse().ok(),
        (None, Some(seconds)) => seconds.parse::<u64>().ok().and_then(|s| s.checked_mul(1000)),
        (None, None) => None,
    };
    ms.filter(|ms| *ms <= 60_000)
        .map(Duration::from_millis)
        .ok_or_else(|| format!("{text:?} is no delay: write 300ms or 2s, a minute at most"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_says_everything() {
        let chaos: Chaos = "drop=5%,delay=300ms,dup=0.01,kill=1/1000,seed=7".parse().unwrap();
        let delay = Duration::from_millis(300);
        assert_eq!(chaos, Chaos { drop: 0.05, dup: 0.01, kill: 0.001, delay, seed: 7 });
        assert_eq!("delay=2s".parse::<Chaos>().unwrap().delay(), Duration::from_secs(2));
    }

    #[test]
    fn wrong_texts_say_what_is_right() {
        for (text, right) in [
            ("drop=150%", "5%"),
            ("drop=1/0", "1/1000"),
            ("dup=NaN", "0.05"),
            ("kill=", "1/1000"),
            ("delay=3", "300ms"),
            ("delay=3h", "2s"),
            ("delay=18446744073709551615s", "a minute"),
            ("seed=x", "7"),
            ("storm", "drop="),
            ("", "drop="),
        ] {
            let error = text.parse::<Chaos>().unwrap_err();
            assert!(error.contains(right), "{text}: {error}");
        }
    }

    #[test]
    fn each_happens_as_often_as_was_said_and_a_seed_repeats_it() {
        let draw = |mut chaos: Chaos| (0..100_000).map(|_| chaos.copies()).collect::<Vec<_>>();
        let chaos: Chaos = "drop=5%,dup=10%,kill=1/1000".parse().unwrap();
        let drawn = draw(chaos);
        let count = |wanted| drawn.iter().filter(|copies| **copies == wanted).count();
        assert!((4_500..5_500).contains(&count(Some(0))), "{}", count(Some(0)));
        assert!((9_000..10_000).contains(&count(Some(2))), "{}", count(Some(2)));
        assert!((60..140).contains(&count(None)), "{}", count(None));
        assert_eq!(draw(chaos), drawn);
        assert_ne!(draw(chaos.of(1)), drawn);
        assert!(draw(Chaos::default()).iter().all(|copies| *copies == Some(1)));
    }
}
