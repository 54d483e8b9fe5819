//! The checksum at the end of a row: of the values of all columns before it, in order. `SQLite` does not
//! notice a flipped bit in a page. CRC-32 finds every damage of up to 32 bits in a row, and all but one
//! in four billion of the others. It does not stop somebody who changes rows on purpose.

use crc32fast::Hasher;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, ToSql};

use crate::error::ReadError;

/// Stores a row with these values, in the order of the table's columns, and their checksum. `into`
/// says into which table, and whether a row with the same key is replaced.
pub(crate) fn insert(
    connection: &Connection,
    into: &str,
    values: &[&dyn ToSql],
) -> rusqlite::Result<usize> {
    let places = "?, ".repeat(values.len());
    execute(connection, &format!("{into} VALUES ({places}?)"), values, &[])
}

/// Runs a statement whose first parameters are these values, in the order of the table's columns, the next
/// one their checksum, and then `more`. Returns the number of changed rows.
pub(crate) fn execute(
    connection: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
    more: &[&dyn ToSql],
) -> rusqlite::Result<usize> {
    let crc = of_values(values)?;
    let mut parameters = values.to_vec();
    parameters.push(&crc);
    parameters.extend(more);
    connection.prepare_cached(sql)?.execute(&parameters[..])
}

/// The checksum of some values.
fn of_values(values: &[&dyn ToSql]) -> rusqlite::Result<u32> {
    let mut hasher = Hasher::new();
    for value in values {
        match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => update(&mut hasher, value),
            ToSqlOutput::Owned(value) => update(&mut hasher, ValueRef::from(&value)),
            _ => {}
        }
    }
    Ok(hasher.finalize())
}

/// Checks that the last column is the checksum of those before it.
pub(crate) fn check(row: &Row<'_>, what: &str) -> Result<(), ReadError> {
    let columns = row.as_ref().column_count() - 1;
    let mut hasher = Hasher::new();
    for column in 0..columns {
        update(&mut hasher, row.get_ref(column)?);
    }
    if row.get::<_, u32>(columns)? == hasher.finalize() {
        Ok(())
    } else {
        Err(ReadError::Damaged(format!("{what}: its checksum is wrong")))
    }
}

/// Adds a value with its type and length, so that no byte moves from one to the next.
fn update(hasher: &mut Hasher, value: ValueRef<'_>) {
    let mut bytes = |kind: u8, bytes: &[u8]| {
        hasher.update(&[kind]);
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    match value {
        ValueRef::Null => bytes(0, &[]),
        ValueRef::Integer(number) => bytes(1, &number.to_le_bytes()),
        ValueRef::Real(number) => bytes(2, &number.to_le_bytes()),
        ValueRef::Text(text) => bytes(3, text),
        ValueRef::Blob(blob) => bytes(4, blob),
    }
}
