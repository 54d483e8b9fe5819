//! Reads columns. A value that the server cannot have written is an error that says so.

use std::fmt::Display;
use std::time::Duration;

use noughts_protocol::PlayerName;
use rusqlite::Row;
use rusqlite::types::Type;

/// The error for a value that the server cannot have written.
pub(crate) fn damaged(column: usize, why: impl Display) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, why.to_string().into())
}

/// Reads a text of which a type is made.
pub(crate) fn parsed<T>(row: &Row<'_>, column: usize) -> rusqlite::Result<T>
where
    T: std::str::FromStr,
    T::Err: Display,
{
    let text = text(row, column)?;
    text.parse().map_err(|error| damaged(column, error))
}

/// Reads a text without a copy.
pub(crate) fn text<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<&'a str> {
    row.get_ref(column)?.as_str().map_err(|error| damaged(column, error))
}

/// Reads JSON.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
) -> rusqlite::Result<T> {
    let text = text(row, column)?;
    serde_json::from_str(text).map_err(|error| damaged(column, error))
}

/// Reads a name, also one that older rules allowed.
pub(crate) fn name(row: &Row<'_>, column: usize) -> rusqlite::Result<PlayerName> {
    let text = text(row, column)?;
    PlayerName::known(text).map_err(|error| damaged(column, error))
}

/// Reads a time in milliseconds since 1970.
pub(crate) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}

/// A running time as it is stored.
pub(crate) fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// A limit for `SQLite`, whose numbers have a sign.
pub(crate) fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}
