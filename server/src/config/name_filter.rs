//! The names that a host forbids: a file with a word a line, and the name that somebody gets in
//! place of one with such a word. Bans are `admin`'s.
//!
//! A name and a word are compared without case, accents and everything that is neither a letter nor
//! a digit, and with what looks alike as one: `0` and `o`; `1`, `i`, `l`, `!` and `|`; `3` and `e`;
//! `4`, `@` and `a`; `5`, `$` and `s`; `7`, `+` and `t`; `8` and `b`. A word of digits alone is
//! compared with digits alone. Not caught are letters of another alphabet, letters that are
//! repeated, and words that are spelled otherwise.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use icu_normalizer::DecomposingNormalizerBorrowed;
use noughts_protocol::text::length;
use noughts_protocol::{MAX_NAME_CHARS, PlayerId, PlayerName};

use super::ConfigError;

const OPTION: &str = "name-filter";

/// Lines of a file. A name is compared with all of them at once.
const MAX_LINES: usize = 10_000;

/// The shortest word. A shorter one is in almost every name.
const MIN_LETTERS: usize = 2;

/// Their names are short, the same in both languages or known in both, and no insult.
const ANIMALS: [&str; 16] = [
    "Badger", "Bear", "Beaver", "Falcon", "Fox", "Hare", "Heron", "Lynx", "Magpie", "Marten",
    "Otter", "Owl", "Raven", "Robin", "Seal", "Wren",
];

/// Numbers behind an animal; the first is not written.
const NUMBERS: u64 = 9;

/// The words that no name may contain.
#[derive(Debug, Clone)]
pub(crate) struct NameFilter {
    words: HashSet<String>,
    /// The letters of the longest word.
    longest: usize,
}

impl NameFilter {
    /// Reads the words of a file.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is no word.
    pub(crate) fn load(file: &Path) -> Result<Self, ConfigError> {
        let failed = |why: &dyn std::fmt::Display| {
            ConfigError::new(OPTION, format!("failed to read {}: {why}", file.display()))
        };
        let bytes = fs::read(file).map_err(|error| failed(&error))?;
        let text = str::from_utf8(&bytes).map_err(|error| {
            let before = bytes.iter().take(error.valid_up_to());
            let line = before.filter(|byte| **byte == b'\n').count() + 1;
            failed(&format!("line {line} is not UTF-8"))
        })?;
        Self::parse(text)
            .map_err(|why| ConfigError::new(OPTION, format!("{}: {why}", file.display())))
    }

    /// Reads a word a line. A `#` begins a comment.
    fn parse(text: &str) -> Result<Self, String> {
        let mut words = HashSet::new();
        for (line, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            if line > MAX_LINES {
                return Err(format!("line {line} is one too many: use {MAX_LINES} at most"));
            }
            let word = text.split('#').next().unwrap_or_default().trim();
            if word.is_empty() {
                continue;
            }
            let letters = letters_of_word(word);
            if letters.chars().count() < MIN_LETTERS {
                return Err(format!("line {line} is no word: it needs two letters or digits"));
            }
            if length(word) > MAX_NAME_CHARS {
                return Err(format!("line {line} is longer than a name: {MAX_NAME_CHARS} at most"));
            }
            words.insert(letters);
        }
        let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or_default();
        Ok(Self { words, longest })
    }

    /// The name that a player has here: their own, or an animal's if that has a forbidden word. It is the
    /// same whenever the player comes.
    pub(crate) fn name(&self, player: PlayerId, name: PlayerName) -> PlayerName {
        if !self.forbids(name.as_str()) {
            return name;
        }
        let face = name.face();
        animal(player).unwrap_or(name).with_face(face)
    }

    fn forbids(&self, name: &str) -> bool {
        let plain = letters(name);
        let alike = alike(&plain);
        [plain, alike].iter().any(|name| self.is_in(name))
    }

    /// Whether a word is in a name. A name has so few letters that looking up each part of it is faster than to
    /// look for each word.
    fn is_in(&self, name: &str) -> bool {
        let starts = name.char_indices().map(|(start, _)| &name[start..]);
        starts.into_iter().any(|rest| {
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8());
            ends.take(self.longest).any(|end| self.words.contains(&rest[..end]))
        })
    }
}

fn animal(PlayerId(id): PlayerId) -> Option<PlayerName> {
    let kinds = ANIMALS.len() as u64;
    let kind = ANIMALS.get(usize::try_from(id % kinds).ok()?)?;
    let number = id / kinds % NUMBERS + 1;
    let name = if number == 1 { (*kind).to_owned() } else { format!("{kind} {number}") };
    name.parse().ok()
}

/// The word as it is looked for.
fn letters_of_word(word: &str) -> String {
    let plain = letters(word);
    if plain.chars().all(char::is_numeric) { plain } else { alike(&plain) }
}

/// The letters, digits and signs that look like letters, in lower case and without accents.
fn letters(text: &str) -> String {
    let nfkd = DecomposingNormalizerBorrowed::new_nfkd();
    let lower = nfkd.normalize(text).to_lowercase().replace('ß', "ss");
    let counts = |c: &char| c.is_alphanumeric() || "!|@$+".contains(*c);
    lower.chars().filter(counts).collect()
}

/// The same with one letter for all that look like it.
fn alike(plain: &str) -> String {
    let letter = |c| match c {
        '0' => 'o',
        '1' | 'i' | '!' | '|' => 'l',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        '8' => 'b',
        other => other,
    };
    plain.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_forbidden_word_is_an_animals() {
        let filter =
            NameFilter::parse("\u{feff}# ours\nidiot # rude\n\nBlöd\r\n88\nStraße").unwrap();
        let check = |name: &str, forbidden| assert_eq!(filter.forbids(name), forbidden, "{name}");
        check("Idiot", true);
        check("1D10T!", true);
        check("x i-d.i o_t x", true);
        check("ＩＤＩＯＴ", true);
        check("|d!0+", true);
        check("bloed blod", true);
        check("Bloed", false);
        check("STRASSE", true);
        // Digits stand for themselves in a word of digits.
        check("Ada 88", true);
        check("Bobby", false);
        check("Idio", false);
        // As documented.
        check("idiioot", false);
        check("іdіоt", false);
    }

    #[test]
    fn an_animal_stays_the_players() {
        let filter = NameFilter::parse("idiot").unwrap();
        let check = |player, name: &str, expected: &str| {
            assert_eq!(filter.name(PlayerId(player), name.parse().unwrap()).as_str(), expected);
        };
        check(6, "Ada", "Ada");
        check(6, "Idiot", "Heron");
        check(6 + 16, "Idiot", "Heron 2");
        check(u64::MAX, "Idiot", "Wren");
    }

    #[test]
    fn a_bad_line_is_named() {
        let check = |text: &str, says: &str| {
            let why = NameFilter::parse(text).unwrap_err();
            assert!(why.contains(says), "{why}");
        };
        check("ok\n--", "line 2 is no word");
        check("a", "line 1 is no word");
        check("a word that is longer than a name", "line 1 is longer than a name");
        check(&"ab\n".repeat(10_001), "line 10001 is one too many");
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), b"ok\nok\n\xff").unwrap();
        let why = NameFilter::load(file.path()).unwrap_err().to_string();
        assert!(why.contains("line 3 is not UTF-8"), "{why}");
    }
}
