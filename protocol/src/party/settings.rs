//! The settings of a party, and the rows of which its forms and options are made.
//!
//! A new setting is a field of [`PartySettings`] and a row of [`PARTY_SETTINGS`].

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{MAX_ENTRANTS, MAX_PARTY_MOVE_MS, MAX_ROUND_ROBIN, MAX_TABLES, SWISS_ROUNDS};
use crate::board::BoardSpec;
use crate::chat::ChatMode;
use crate::opening::Opening;
use crate::reading::{is_default, object, or_default};
use crate::rules::Variant;
use crate::settings::named::named;
use crate::settings::{
    BOARD, CHAT, CHOICE, Computer, MOVE_TIME, Need, OPENING, Setting, Strategy, Strength, VARIANT,
    from_values, own_labels,
};

/// How the entrants of a party meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PartyFormat {
    /// The winner plays the next one in the queue. It goes on until somebody has won
    /// [`PartySettings::first_to`] games, or until the host ends it.
    WinnerStays,
    /// The loser is out. The losers of the semi-finals play for the third place.
    #[default]
    Knockout,
    /// Everybody plays everybody once; at most [`MAX_ROUND_ROBIN`] entrants.
    RoundRobin,
    /// A fixed number of rounds; entrants with about the same points meet, and nobody meets twice.
    Swiss,
}

named!(PartyFormat {
    WinnerStays: "winner_stays", "winner stays on";
    Knockout: "knockout", "knockout";
    RoundRobin: "round_robin", "round robin";
    Swiss: "swiss", "Swiss";
});

/// The settings of a party. They never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PartySettings"))]
#[serde(remote = "Self", default)]
pub struct PartySettings {
    /// The board of every game.
    #[serde(deserialize_with = "or_party_board")]
    pub board: BoardSpec,
    /// How a game is won. Left out while it is `line`.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = Variant::default())))]
    pub variant: Variant,
    /// How entrants meet.
    #[serde(deserialize_with = "or_default")]
    pub format: PartyFormat,
    /// Milliseconds for each move, after which the game is lost; at most [`MAX_PARTY_MOVE_MS`]. A
    /// party has always a limit, so that everything goes on by itself.
    #[serde(deserialize_with = "or_move_time")]
    #[cfg_attr(
        feature = "schema",
        schemars(range(min = crate::MIN_MOVE_TIME_MS, max = MAX_PARTY_MOVE_MS))
    )]
    pub move_time_ms: u32,
    /// How each game opens; swap2 needs a board of 13 × 13 or more.
    #[serde(deserialize_with = "or_default")]
    pub opening: Opening,
    /// The rounds of a Swiss, 3 to 9.
    #[serde(deserialize_with = "or_rounds")]
    #[cfg_attr(feature = "schema", schemars(range(min = 3, max = 9)))]
    pub rounds: u8,
    /// The boards of "winner stays on" at once, 1 to [`MAX_TABLES`].
    #[serde(deserialize_with = "or_one")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MAX_TABLES)))]
    pub tables: u8,
    /// The wins that end "winner stays on", 1 to 99; `null` if the host ends it.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 99)))]
    pub first_to: Option<u8>,
    /// The talk that is allowed in the party's rooms.
    #[serde(deserialize_with = "or_default")]
    pub chat: ChatMode,
    /// The computer that takes empty places when the party starts, so that nobody has a bye; `null`
    /// for none.
    pub fill: Option<Computer>,
}

object!(PartySettings);

impl PartySettings {
    /// The board of a party that chose none.
    pub const BOARD: BoardSpec = BoardSpec::FOR_EQUALS;
    /// The time for a move in a party that chose none.
    pub const MOVE_TIME_MS: u32 = 20_000;
    /// The rounds of a Swiss that chose none.
    pub const ROUNDS: u8 = 5;

    /// Why no party has these settings, and what is right; `None` if they are.
    #[must_use]
    pub fn refused(&self) -> Option<String> {
        let numbers = [
            ("move_time_ms", self.move_time_ms, crate::MIN_MOVE_TIME_MS..=MAX_PARTY_MOVE_MS),
            ("rounds", self.rounds.into(), SWISS_ROUNDS),
            ("tables", self.tables.into(), 1..=MAX_TABLES.into()),
            ("first_to", self.first_to.unwrap_or(1).into(), 1..=99),
        ];
        let wrong = numbers.iter().find(|(_, number, range)| !range.contains(number));
        let wrong = wrong.map(|(name, _, range)| {
            format!("{name} is a number from {} to {}", range.start(), range.end())
        });
        let opening = || self.opening.refused(self.variant, self.board).map(str::to_owned);
        wrong.or_else(|| self.variant.refuses(self.board)).or_else(opening)
    }

    /// The most entrants.
    #[must_use]
    pub fn most_entrants(&self) -> usize {
        if self.format == PartyFormat::RoundRobin { MAX_ROUND_ROBIN } else { MAX_ENTRANTS }
    }
}

impl Default for PartySettings {
    fn default() -> Self {
        Self {
            board: Self::BOARD,
            variant: Variant::default(),
            format: PartyFormat::default(),
            move_time_ms: Self::MOVE_TIME_MS,
            opening: Opening::default(),
            rounds: Self::ROUNDS,
            tables: 1,
            first_to: None,
            chat: ChatMode::default(),
            fill: None,
        }
    }
}

/// Declares readers of values that have another default than their type for `null`.
macro_rules! or_value {
    ($($name:ident: $type:ty = $default:expr;)*) => {$(
        fn $name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
            Option::deserialize(deserializer).map(|value| value.unwrap_or($default))
        }
    )*};
}

or_value! {
    or_party_board: BoardSpec = PartySettings::BOARD;
    or_move_time: u32 = PartySettings::MOVE_TIME_MS;
    or_rounds: u8 = PartySettings::ROUNDS;
    or_one: u8 = 1;
}

/// The choices before a party, in the order of a form. Each is said here once, for the command line, the
/// menus and the page. The party's name and whether its host plays are asked beside them.
pub const PARTY_SETTINGS: &[Setting] = &[
    Setting {
        name: "format",
        wire: Some("format"),
        label: "Format",
        help: "How people meet",
        offered: PartyFormat::NAMES,
        default: "knockout",
        more: false,
        ..CHOICE
    },
    Setting {
        name: "rounds",
        wire: Some("rounds"),
        label: "Rounds",
        help: "The rounds of a Swiss",
        offered: &own_labels(["3", "4", "5", "6", "7", "8", "9"]),
        default: "5",
        more: false,
        needs: &[Need::Value("format", &["swiss"])],
        ..CHOICE
    },
    Setting {
        name: "tables",
        wire: Some("tables"),
        label: "Boards at once",
        help: "The boards of \"winner stays on\" that are played at once",
        offered: &own_labels(["1", "2", "3", "4", "6", "8", "12", "20"]),
        default: "1",
        more: false,
        needs: &[Need::Value("format", &["winner_stays"])],
        ..CHOICE
    },
    Setting {
        name: "first_to",
        wire: Some("first_to"),
        label: "Ends",
        help: "The wins that end \"winner stays on\"",
        offered: &[
            ("none", "when the host ends it"),
            ("3", "at 3 wins"),
            ("5", "at 5 wins"),
            ("10", "at 10 wins"),
            ("20", "at 20 wins"),
        ],
        default: "none",
        more: false,
        needs: &[Need::Value("format", &["winner_stays"])],
        ..CHOICE
    },
    Setting { forms: &[], ..VARIANT },
    Setting {
        offered: &own_labels(["10x10x5", "3x3x3", "5x5x4", "7x6x4", "9x9x5", "13x13x5", "15x15x5"]),
        default: "10x10x5",
        forms: &[],
        ..BOARD
    },
    Setting { forms: &[], ..OPENING },
    Setting {
        help: "Time for each move: 10s, 2m. A player without time left loses",
        offered: &[
            ("5s", "5 seconds"),
            ("10s", "10 seconds"),
            ("20s", "20 seconds"),
            ("30s", "30 seconds"),
            ("1m", "1 minute"),
            ("5m", "5 minutes"),
        ],
        default: "20s",
        forms: &[],
        more: false,
        ..MOVE_TIME
    },
    Setting {
        name: "fill",
        wire: Some("fill"),
        label: "Computers",
        help: "Computers that take empty places when the party starts, so that nobody has a bye",
        offered: &NONE_OR_STRENGTH,
        default: "none",
        ..CHOICE
    },
    Setting { help: "What people may say at the tables", forms: &[], ..CHAT },
];

/// The computers of a party. Its board offers some of them: see [`Strength::offered`].
const NONE_OR_STRENGTH: [(&str, &str); Strength::ALL.len() + 1] = {
    let mut all = [("none", "none"); Strength::ALL.len() + 1];
    let (_, strengths) = all.split_at_mut(1);
    strengths.copy_from_slice(Strength::NAMES);
    all
};

/// A value of one of the [`PARTY_SETTINGS`] on the wire.
///
/// # Errors
/// If the text is no value. The error says what is right.
pub fn wire_value(setting: &Setting, text: &str) -> Result<Value, String> {
    if setting.name == "fill"
        && let Ok(strength) = text.parse()
    {
        return Ok(json!(Computer { strategy: Strategy::Minimax, strength }));
    }
    let value = setting.wire_value(text)?;
    Ok(match setting.name {
        "rounds" | "tables" | "first_to" => {
            value.as_str().and_then(|text| text.parse().ok()).map_or(Value::Null, |n: u8| json!(n))
        }
        "fill" => Value::Null,
        "move_time" if value.as_u64().is_none_or(|ms| ms > u64::from(MAX_PARTY_MOVE_MS)) => {
            return Err("a move in a party has 1s to 10m".to_owned());
        }
        _ => value,
    })
}

impl PartySettings {
    /// The settings with these values of [`PARTY_SETTINGS`]; all others have their defaults.
    ///
    /// # Errors
    /// If a text is no value, or the settings contradict each other. The error says what is right.
    pub fn with_values<'a>(
        values: impl IntoIterator<Item = (&'a Setting, &'a str)>,
    ) -> Result<Self, String> {
        let settings: Self = from_values(values, wire_value)?;
        settings.refused().map_or(Ok(settings), Err)
    }
}
