//! Talk in a room: short texts and emotes. It passes: it has no version and is never stored. The
//! server decides who hears what, and how often somebody may speak.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::board::Mark;
use crate::id::{PlayerId, PlayerName};
use crate::settings::named::named;
use crate::text::{is_unsafe, length, visible};
use crate::{MAX_ANNOUNCEMENT_CHARS, MAX_CHAT_CHARS};

/// The kinds of talk that a room allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChatMode {
    /// Nothing.
    Off,
    /// Emotes.
    Emotes,
    /// Short texts and emotes.
    #[default]
    Text,
}

named!(ChatMode {
    Text: "text", "text and emotes";
    Emotes: "emotes", "emotes only";
    Off: "off", "off";
});

/// A picture with a fixed meaning. Clients draw it and say its words in the reader's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Emote {
    /// Hello.
    Hello,
    /// Good luck.
    GoodLuck,
    /// Well played.
    WellPlayed,
    /// Good game.
    GoodGame,
    /// Thanks.
    Thanks,
    /// Wow.
    Wow,
    /// Oops.
    Oops,
    /// The speaker thinks.
    Thinking,
}

named!(Emote {
    Hello: "hello", "Hello!";
    GoodLuck: "good_luck", "Good luck!";
    WellPlayed: "well_played", "Well played!";
    GoodGame: "good_game", "Good game!";
    Thanks: "thanks", "Thanks!";
    Wow: "wow", "Wow!";
    Oops: "oops", "Oops!";
    Thinking: "thinking", "Let me think";
});

/// A text that somebody says in a room.
pub type ChatText = OneLine<MAX_CHAT_CHARS>;

/// A text that the host of a server says.
pub type AnnouncementText = OneLine<MAX_ANNOUNCEMENT_CHARS>;

/// A text of 1 to `MOST` [characters](length) in one line. Characters that hide or reorder are
/// [removed](visible), controls become spaces, spaces in a row become one, and the ends have none.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct OneLine<const MOST: usize>(String);

/// Why a text cannot be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OneLineError {
    /// Nothing in it can be seen.
    #[error("write something first")]
    Empty,
    /// It has more characters than this.
    #[error("write at most {0} characters; an emoji may count as several")]
    Long(usize),
}

impl<const MOST: usize> OneLine<MOST> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const MOST: usize> FromStr for OneLine<MOST> {
    type Err = OneLineError;

    fn from_str(text: &str) -> Result<Self, OneLineError> {
        // A text of only spaces and invisible characters must not fill the memory on its way.
        if text.len() > MOST * 16 {
            return Err(OneLineError::Long(MOST));
        }
        let spaced = |c| if is_unsafe(c) { ' ' } else { c };
        let shown: String = visible(text).chars().map(spaced).collect();
        let text = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err(OneLineError::Empty);
        }
        if length(&text) > MOST {
            return Err(OneLineError::Long(MOST));
        }
        Ok(Self(text))
    }
}

impl<const MOST: usize> TryFrom<String> for OneLine<MOST> {
    type Error = OneLineError;

    fn try_from(text: String) -> Result<Self, OneLineError> {
        text.parse()
    }
}

impl<const MOST: usize> fmt::Display for OneLine<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Something that somebody says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// A short text.
    Text(ChatText),
    /// A picture with a fixed meaning.
    Emote(Emote),
}

/// A line of talk in a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatLine {
    /// Its number in the room. Numbers grow; a reader may miss some.
    pub n: u64,
    /// The speaker.
    pub player: PlayerId,
    /// The speaker's name.
    #[serde(flatten, with = "crate::face")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
    pub name: PlayerName,
    /// The speaker's seat at that moment; left out for a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Mark>,
    /// The text or the emote.
    pub said: Said,
}
