//! Reads messages where serde's defaults differ from the contract: `null` counts as missing, a list
//! is no object, and a malformed secret counts as an unknown secret.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;

use crate::party::MAX_ADDED_MS;

/// Words of serde that only a programmer of Rust knows, each with ours.
const WORDS: [(&str, &str); 7] = [
    ("unknown variant", "unknown value"),
    (
        "unit variant, expected newtype variant",
        "a text, expected an object with one field, such as {\"computer\": {}} for a seat",
    ),
    ("newtype variant, expected unit variant", "an object, expected a text"),
    ("expected u8", "expected a number from 0 to 255"),
    ("expected u16", "expected a number from 0 to 65535"),
    ("expected u32", "expected a whole number from 0 to 4294967295"),
    ("expected u64", "expected a whole number from 0"),
];

/// Says why serde cannot read a value. Programmers of every language know the words.
#[must_use]
pub fn in_plain_words(error: &impl fmt::Display) -> String {
    let text = error.to_string();
    let text = WORDS.iter().fold(text, |text, (rust, plain)| text.replace(rust, plain));
    let Some((before, rest)) = text.split_once("expected struct ") else { return text };
    // The name of the struct says nothing to others.
    let rest = rest.trim_start_matches(char::is_alphanumeric);
    format!("{before}expected an object{rest}")
}

/// Reads a value, or the default for `null`.
pub(crate) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Whether a field is left out on the wire, because a reader takes the default for it.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads a boolean, or `true` for `null`.
pub(crate) fn or_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Option::deserialize(deserializer).map(|value| value.unwrap_or(true))
}

/// Reads the time that the host of a party gives, in milliseconds.
pub(crate) fn added_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let ms = u32::deserialize(deserializer)?;
    if (1..=MAX_ADDED_MS).contains(&ms) {
        return Ok(ms);
    }
    Err(de::Error::custom(format_args!("the time is 1 to {MAX_ADDED_MS} milliseconds")))
}

/// Reads objects only: serde's derived code also accepts a list of the fields in order.
pub(crate) struct Object<D>(pub(crate) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Object<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// Implements serde for a type with `remote = "Self"`, so that it is read from objects only.
macro_rules! object {
    ($type:ident $(<$param:ident>)?) => {
        impl $(<$param: serde::Serialize>)? serde::Serialize for $type $(<$param>)? {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }

        impl<'de $(, $param: serde::Deserialize<'de>)?> serde::Deserialize<'de>
            for $type $(<$param>)?
        {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::deserialize($crate::reading::Object(deserializer))
            }
        }
    };
}
pub(crate) use object;

/// Reads the token or the pass of a `hello`. A malformed one is read as the empty one, which no server
/// makes: it is unknown, but it is no reason to refuse the message.
pub(crate) fn of_any_shape<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr + Default,
{
    let value: Option<Value> = Option::deserialize(deserializer)?;
    Ok(value.map(|value| value.as_str().unwrap_or_default().parse().unwrap_or_default()))
}
