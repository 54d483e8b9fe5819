//! The types of the rows of [`SETTINGS`](super::SETTINGS): the name, the texts, the values and the
//! forms of a setting. Command lines, menus and the page's forms are made of the rows.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::computer::Computer;
use super::named::{name_of, named};
use crate::board::BoardSpec;
use crate::features::Features;
use crate::rules::Variant;
use crate::{MAX_MOVE_TIME_MS, MIN_MOVE_TIME_MS};

/// A kind of game, and the form that starts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameKind {
    /// Against a friend on another device.
    Friend,
    /// Against a stranger.
    Quick,
    /// Against the computer.
    Computer,
    /// Between two computers.
    Exhibition,
    /// Both sides at one screen.
    Both,
}

named!(GameKind {
    Friend: "friend", "Play a friend";
    Quick: "quick", "Play a stranger";
    Computer: "computer", "Play the computer";
    Exhibition: "exhibition", "Watch two computers";
    Both: "both", "Play both sides here";
});

/// The mark of the player who makes a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MarkChoice {
    /// X.
    #[default]
    X,
    /// O.
    O,
    /// The server draws it.
    Random,
}

named!(MarkChoice {
    X: "x", "X";
    O: "o", "O";
    Random: "random", "random";
});

/// A choice before a game.
#[derive(Debug)]
pub struct Setting {
    /// Its name, also that of its option, with dashes for underscores.
    pub name: &'static str,
    /// The field of [`RoomSettings`](super::RoomSettings) on the wire; `None` for what is no setting of a room, such as
    /// who sits where.
    pub wire: Option<&'static str>,
    /// The label in a form.
    pub label: &'static str,
    /// The help of the option, in a sentence.
    pub help: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The offered values: the text and the label of each. Other boards and times can be typed.
    pub offered: &'static [(&'static str, &'static str)],
    /// The default, as text.
    pub default: &'static str,
    /// The forms that have another default.
    pub own_defaults: &'static [(GameKind, &'static str)],
    /// The forms that offer it.
    pub forms: &'static [GameKind],
    /// Whether a form keeps it behind "more".
    pub more: bool,
    /// A condition for the choice to exist.
    pub needs: &'static [Need],
}

/// The kind of a setting's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A board, such as `15x15x5`.
    Board,
    /// One of the offered values.
    Choice,
    /// A time such as `30s`, or `none`; [`MIN_MOVE_TIME_MS`] to [`MAX_MOVE_TIME_MS`].
    Time,
    /// `yes` or `no`.
    YesNo,
}

/// A condition for the choice to exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The server has a public list of rooms.
    Listing,
    /// The server admits spectators.
    Spectators,
    /// People may talk on the server.
    Chat,
    /// The board is large enough for swap2.
    LargeBoard,
    /// The computer may say why it makes a move.
    Comments,
    /// Another setting has one of these values.
    Value(&'static str, &'static [&'static str]),
}

impl Setting {
    /// The default in a form.
    #[must_use]
    pub fn default_in(&self, form: GameKind) -> &'static str {
        let own = self.own_defaults.iter().find(|(kind, _)| *kind == form);
        own.map_or(self.default, |(_, text)| text)
    }

    /// Whether there is a choice. `value` gives the values of the other settings.
    #[must_use]
    pub fn is_offered<'a>(&self, features: Features, value: impl Fn(&str) -> &'a str) -> bool {
        self.needs.iter().all(|need| match need {
            Need::Listing => features.listing,
            Need::Spectators => features.spectators,
            Need::Chat => features.chat,
            Need::LargeBoard => value("board").parse().is_ok_and(BoardSpec::admits_swap2),
            Need::Comments => {
                let strategy = value("strategy").parse().unwrap_or_default();
                let strength = value("strength").parse().unwrap_or_default();
                let variant = value("variant").parse().unwrap_or_default();
                let computer = Computer { strategy, strength };
                value("board").parse().is_ok_and(|board| computer.may_comment(variant, board))
            }
            // Of a typed value case does not count.
            Need::Value(name, values) => {
                values.iter().any(|one| one.eq_ignore_ascii_case(value(name)))
            }
        })
    }

    /// The value on the wire.
    ///
    /// # Errors
    /// If the text is no value. The error says what is right.
    pub fn wire_value(&self, text: &str) -> Result<Value, String> {
        let named = || name_of(self.offered, text).map_err(|unknown| unknown.to_string());
        match self.kind {
            Kind::Board => {
                text.parse::<BoardSpec>().map(|board| json!(board)).map_err(|e| e.to_string())
            }
            Kind::Choice => named().map(Value::from),
            Kind::YesNo => named().map(|text| json!(text == "yes")),
            Kind::Time if text == "none" => Ok(Value::Null),
            Kind::Time => parse_time(text).map(Value::from),
        }
    }

    /// The label of a value.
    #[must_use]
    pub fn label_of<'a>(&self, text: &'a str) -> &'a str {
        let offered = self.offered.iter().find(|(value, _)| *value == text);
        offered.map_or(text, |(_, label)| *label)
    }
}

/// The settings with these values, each on the wire as `wire_value` says. A setting without a field
/// is passed over.
pub(crate) fn from_values<'a, T: DeserializeOwned>(
    values: impl IntoIterator<Item = (&'a Setting, &'a str)>,
    wire_value: impl Fn(&Setting, &str) -> Result<Value, String>,
) -> Result<T, String> {
    let mut fields = Map::new();
    for (setting, text) in values {
        if let Some(field) = setting.wire {
            fields.insert(field.to_owned(), wire_value(setting, text)?);
        }
    }
    // A variant that is chosen without a board is played on its first one.
    let variant = fields.get("variant").and_then(|name| name.as_str()?.parse::<Variant>().ok());
    if let Some(variant) = variant.filter(|variant| *variant != Variant::Line)
        && let Some(board) =
            variant.boards().first().and_then(|board| board.parse::<BoardSpec>().ok())
    {
        fields.entry("board").or_insert_with(|| json!(board));
    }
    serde_json::from_value(fields.into()).map_err(|e| e.to_string())
}

/// Parses `30s`, `5m`, `2h` or a number of seconds into milliseconds.
///
/// # Errors
/// If the text is no time, or the time is out of range. The error says what is right.
pub fn parse_time(text: &str) -> Result<u32, String> {
    let shape = "write a time such as 30s, 5m or 2h";
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit_ms = match &text[digits.len()..] {
        "" | "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(shape.to_owned()),
    };
    let number: u32 = digits.parse().map_err(|_| shape.to_owned())?;
    let ms = number.saturating_mul(unit_ms);
    if (MIN_MOVE_TIME_MS..=MAX_MOVE_TIME_MS).contains(&ms) {
        Ok(ms)
    } else {
        Err("a time is 1s to 168h (a week)".to_owned())
    }
}
