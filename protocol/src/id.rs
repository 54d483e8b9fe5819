//! Room codes, ids of players and games, names, tokens, passes and passwords. Each is validated when it is parsed.
//! The server draws the codes and signs the tokens.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::face::Face;
use crate::text::{composed, cut, is_unsafe, length};
use crate::{MAX_NAME_CHARS, MAX_PASSWORD_BYTES};
pub use secret::{JoinPassword, PassCode, PlayerToken};

mod secret;

/// Why a text is no code, name, token or id. The message says what is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Not five letters of the code alphabet.
    #[error("a code is five consonants, for example KQRZX")]
    Code,
    /// Not 16 hexadecimal digits.
    #[error("a player id is 16 hexadecimal digits")]
    Player,
    /// No 16 hexadecimal digits of a game.
    #[error("a game id is 16 hexadecimal digits")]
    Game,
    /// No token of a server.
    #[error("that token was not made by a Noughts server")]
    Token,
    /// No pass of a server.
    #[error("that pass was not made by a Noughts server")]
    Pass,
    /// Not 1 to [`MAX_PASSWORD_BYTES`] bytes, or a control character.
    #[error("a password has 1 to {MAX_PASSWORD_BYTES} bytes and no control characters")]
    Password,
    /// Greater than 2^53 − 1, the limit of whole numbers in some languages.
    #[error("an id is a whole number from 0 to 9007199254740991")]
    Intent,
    /// No visible character.
    #[error("a name needs at least one visible character")]
    NameEmpty,
    /// More than [`MAX_NAME_CHARS`] [characters](length).
    #[error("a name has at most {MAX_NAME_CHARS} characters")]
    NameLong,
    /// A space at an end, or two in a row.
    #[error("a name has no space at its ends and no two spaces in a row")]
    NameSpaces,
    /// A control character, a line separator, or an unusual space.
    #[error(
        "a name cannot hold the invisible character U+{:04X}: use letters, digits, punctuation and single spaces",
        u32::from(*.0)
    )]
    NameCharacter(char),
}

/// The code of a room: five letters that spell no words and do not look like digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoomCode([u8; Self::LETTERS]);

impl RoomCode {
    /// The length of a code.
    pub const LETTERS: usize = 5;
    /// The letters of codes: no vowels and no Y, so that no code is a word.
    pub const ALPHABET: &'static [u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
    /// How many codes there are.
    pub const COUNT: u32 = 20_u32.pow(5);

    /// The code with this number. Numbers from [`RoomCode::COUNT`] on wrap around.
    #[must_use]
    pub fn from_number(mut number: u32) -> Self {
        Self(std::array::from_fn(|_| {
            let letter = Self::ALPHABET[(number % 20) as usize];
            number /= 20;
            letter
        }))
    }

    /// The number of this code, below [`RoomCode::COUNT`].
    #[must_use]
    pub fn number(&self) -> u32 {
        let place = |letter: &u8| Self::ALPHABET.iter().position(|own| own == letter);
        let digits = self.0.iter().rev().map(|letter| place(letter).unwrap_or_default());
        digits.fold(0, |number, digit| number * 20 + digit as u32)
    }

    /// The code's letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Every letter comes from ALPHABET, which is ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for RoomCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for RoomCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for RoomCode {
    type Err = IdError;

    /// Parses a code. Case, spaces and dashes do not count: `kq-rzx` is `KQRZX`.
    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut code = [0; Self::LETTERS];
        let mut letters = text.bytes().filter(|b| !matches!(b, b' ' | b'-'));
        for place in &mut code {
            let letter = letters.next().ok_or(IdError::Code)?.to_ascii_uppercase();
            // A loop: the alphabet is too short for a vectorised search.
            let is_known = Self::ALPHABET.contains(&letter);
            *place = Some(letter).filter(|_| is_known).ok_or(IdError::Code)?;
        }
        if letters.next().is_some() { Err(IdError::Code) } else { Ok(Self(code)) }
    }
}

/// The code of a party. It looks like a room's, and no room has it while there is the party: people
/// type either of them in the same place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartyCode(pub RoomCode);

impl PartyCode {
    /// The code's letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for PartyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for PartyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl FromStr for PartyCode {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        text.parse().map(Self)
    }
}

/// A player's public id, the same in every room; 16 hexadecimal digits on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlayerId(pub u64);

impl PlayerId {
    /// The id in place of somebody's who asked to be forgotten, and of a reader of events. Nobody has it.
    pub const NOBODY: Self = Self(0);
}

/// The id of a kept game; 16 hexadecimal digits on the wire. It is drawn at random, so that it cannot
/// be guessed: those who were in the room know it, and those who got the link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub u64);

/// Shows and reads ids as 16 hexadecimal digits.
macro_rules! hexadecimal {
    ($($type:ident, $error:ident;)*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:016x}", self.0)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $type {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let is_hex = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
                let number = u64::from_str_radix(text, 16).ok().filter(|_| is_hex);
                number.map(Self).ok_or(IdError::$error)
            }
        }
    )*};
}

hexadecimal! {
    PlayerId, Player;
    GameId, Game;
}

/// A player's name: 1 to 24 [characters](length). Parsing removes what shows nothing and composes letters
/// (Unicode's NFC), so that names which look the same are the same. The person's face goes with it wherever
/// the name is told and stored; two names with different faces are not equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlayerName {
    text: String,
    face: Option<Face>,
}

impl PlayerName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The face that the person has chosen.
    #[must_use]
    pub const fn face(&self) -> Option<Face> {
        self.face
    }

    /// The name with another face.
    #[must_use]
    pub fn with_face(self, face: Option<Face>) -> Self {
        Self { face, ..self }
    }

    /// The beginning of the text that is a name, if any is.
    #[must_use]
    pub fn beginning(text: &str) -> Option<Self> {
        let name = composed(text);
        let words = name.split(|c: char| is_unsafe(c) || c.is_whitespace());
        let spaced = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        cut(&spaced, MAX_NAME_CHARS).trim_end().parse().ok()
    }

    /// The name with a number: `Ada (2)`. The end of a long name is cut off for the number.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        let number = format!(" ({number})");
        let start = composed(cut(&self.text, MAX_NAME_CHARS - number.len()));
        Self { text: format!("{}{number}", start.trim_end()), face: self.face }
    }

    /// The name, with a number if `other` is the same name.
    #[must_use]
    pub fn apart_from(&self, other: &Self) -> Self {
        self.unique(|text| text == other.as_str())
    }

    /// The name, with the first free number if it is taken. Of 1,000 names at most.
    #[must_use]
    pub fn unique(&self, is_taken: impl Fn(&str) -> bool) -> Self {
        if !is_taken(self.as_str()) {
            return self.clone();
        }
        let mut numbered = (2..=1_000).map(|number| self.numbered(number));
        numbered.find(|name| !is_taken(name.as_str())).unwrap_or_else(|| self.clone())
    }

    /// Reads a name that was a name once, also by older rules: stored facts and older servers have it.
    /// A name that is too long by now is cut, and a name of marks alone is `?`.
    ///
    /// # Errors
    /// If it never was a name.
    pub fn known(text: &str) -> Result<Self, IdError> {
        match text.parse() {
            Err(error @ (IdError::NameEmpty | IdError::NameLong)) if !text.trim().is_empty() => {
                Self::beginning(text).or_else(|| "?".parse().ok()).ok_or(error)
            }
            name => name,
        }
    }

    /// Reads a name that somebody chooses now.
    pub(crate) fn chosen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text("a name", Self::from_str))
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for PlayerName {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut name = composed(text);
        if name != text {
            // A removed character may have been between two spaces, also in names of older games.
            name = name.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        }
        let hidden = |c: char| is_unsafe(c) || (c.is_whitespace() && c != ' ');
        if let Some(c) = name.chars().find(|c| hidden(*c)) {
            return Err(IdError::NameCharacter(c));
        }
        if name.chars().all(|c| c == ' ') {
            return Err(IdError::NameEmpty);
        }
        if name.trim() != name || name.contains("  ") {
            return Err(IdError::NameSpaces);
        }
        if length(&name) > MAX_NAME_CHARS {
            return Err(IdError::NameLong);
        }
        Ok(Self { text: name, face: None })
    }
}

/// The id of a client's pings, the greatest there is: no client counts up to it, so it is never the id of
/// an intent. A ping may repeat its id, because the server keeps nothing of it. So the part of a client
/// that pings needs to know nothing of the intents.
pub const PING_ID: IntentId = IntentId(IntentId::MAX);

/// A client's number for one of its intents: 0 to 2^53 − 1. A player never uses a number twice: the
/// client starts at a random number and counts up.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(try_from = "u64", into = "u64")]
pub struct IntentId(u64);

impl IntentId {
    /// The greatest id, which is the greatest whole number that JSON carries in every language.
    pub const MAX: u64 = (1 << 53) - 1;

    /// The id after this one; after the greatest comes 0.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(if self.0 == Self::MAX { 0 } else { self.0 + 1 })
    }
}

impl TryFrom<u64> for IntentId {
    type Error = IdError;

    fn try_from(id: u64) -> Result<Self, IdError> {
        if id <= Self::MAX { Ok(Self(id)) } else { Err(IdError::Intent) }
    }
}

impl From<IntentId> for u64 {
    fn from(id: IntentId) -> Self {
        id.0
    }
}

/// Reads and writes these types as strings without copying the string.
macro_rules! as_string {
    ($($type:ty, $what:literal, $read:expr, $write:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$type, S) -> Result<S::Ok, S::Error> = $write;
                write(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text($what, $read))
            }
        }
    )*};
}

as_string! {
    RoomCode, "a room code", Self::from_str, |code, serializer| serializer.serialize_str(code.as_str());
    PartyCode, "a party code", Self::from_str, |code, serializer| serializer.serialize_str(code.as_str());
    PlayerId, "a player id", Self::from_str, |id, serializer| serializer.collect_str(id);
    GameId, "a game id", Self::from_str, |id, serializer| serializer.collect_str(id);
    PlayerName, "a name", Self::known, |name, serializer| serializer.serialize_str(&name.text);
    PlayerToken, "a token", Self::from_str, |token, serializer| serializer.serialize_str(token.reveal());
    PassCode, "a pass", Self::from_str, |pass, serializer| serializer.serialize_str(pass.reveal());
    JoinPassword, "a password", Self::from_str, |password, serializer| serializer.serialize_str(password.reveal());
}

/// Reads a string as a `T`.
struct Text<T>(&'static str, fn(&str) -> Result<T, IdError>);

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).map_err(E::custom)
    }
}
