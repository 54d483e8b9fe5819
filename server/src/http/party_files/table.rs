//! A table as a file: CSV for spreadsheets, JSON for programs. Pure.
//!
//! CSV is as RFC 4180 has it, with a byte order mark, because Excel reads letters with accents only then. A text that
//! a spreadsheet would take for a formula begins with an apostrophe.

use noughts_protocol::{PartyCode, PlayerName};
use serde_json::{Map, Value, json};

/// A table, all of whose rows have a cell in each column.
#[derive(Debug)]
pub(super) struct FileTable {
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Empty,
    Number(f64),
    Bool(bool),
    Text(String),
}

/// The signs between cells and in numbers, and the names of columns, by the language of the spreadsheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commas {
    /// `1,2.5`, as RFC 4180 has it.
    Plain,
    /// `1;2,5`: a German spreadsheet takes `2.5` for the second of May.
    German,
}

/// The columns that have another name in German.
const GERMAN: [(&str, &str); 19] = [
    ("place", "Platz"),
    ("name", "Name"),
    ("points", "Punkte"),
    ("wins", "Siege"),
    ("draws", "Unentschieden"),
    ("losses", "Niederlagen"),
    ("rests", "spielfrei"),
    ("tiebreak", "Buchholz"),
    ("left", "spielt nicht mit"),
    ("round", "Runde"),
    ("table", "Tisch"),
    ("pairing", "Paarung"),
    ("game", "Spiel"),
    ("result", "Ergebnis"),
    ("how", "wie"),
    ("moves", "Züge"),
    ("started", "Beginn"),
    ("ended", "Ende"),
    ("id", "Kennung"),
];

impl FileTable {
    /// The table as CSV.
    pub(super) fn to_csv(&self, commas: Commas) -> String {
        let separator = if commas == Commas::German { ";" } else { "," };
        let mut csv = String::from('\u{feff}');
        let mut line = |cells: Vec<String>| {
            csv.push_str(&cells.join(separator));
            csv.push_str("\r\n");
        };
        line(self.columns.iter().map(|column| commas.name(column).to_owned()).collect());
        for row in &self.rows {
            line(row.iter().map(|cell| cell.to_csv(commas)).collect());
        }
        csv
    }

    /// The table as JSON: an object a row.
    pub(super) fn to_json(&self, what: &str, party: PartyCode, name: &PlayerName) -> String {
        let rows = self.rows.iter().map(|row| {
            let cells = self.columns.iter().zip(row);
            cells.map(|(&column, cell)| (column.to_owned(), cell.to_json())).collect()
        });
        let rows: Vec<Map<String, Value>> = rows.collect();
        let mut file = json!({"party": party, "name": name, what: rows}).to_string();
        file.push('\n');
        file
    }
}

impl Commas {
    /// The name of a column.
    fn name(self, column: &str) -> &str {
        let german = GERMAN.iter().find(|(name, _)| self == Self::German && *name == column);
        german.map_or(column, |(_, german)| german)
    }
}

impl Cell {
    fn to_csv(&self, commas: Commas) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Number(number) if commas == Commas::German => {
                number.to_string().replace('.', ",")
            }
            Self::Number(number) => number.to_string(),
            Self::Bool(is) => match (commas, is) {
                (Commas::Plain, true) => "yes",
                (Commas::German, true) => "ja",
                (Commas::Plain, false) => "no",
                (Commas::German, false) => "nein",
            }
            .to_owned(),
            Self::Text(text) => quoted(text),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Empty => Value::Null,
            // A whole number is written as one.
            Self::Number(number) if number.fract() == 0.0 => json!(*number as i64),
            Self::Number(number) => json!(number),
            Self::Bool(is) => json!(is),
            Self::Text(text) => json!(text),
        }
    }
}

/// These eight lines stand in place of the crate `csv` and the two that it brings.
fn quoted(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', ';', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_back_as_they_are() {
        let check = |cell: Cell, plain: &str, german: &str| {
            let table =
                FileTable { columns: vec!["name", "points"], rows: vec![vec![cell, Cell::Empty]] };
            assert_eq!(table.to_csv(Commas::Plain), format!("\u{feff}name,points\r\n{plain},\r\n"));
            let german = format!("\u{feff}Name;Punkte\r\n{german};\r\n");
            assert_eq!(table.to_csv(Commas::German), german);
        };
        let text = |text: &str| Cell::Text(text.to_owned());
        check(text("Ben Łoś"), "Ben Łoś", "Ben Łoś");
        check(text("a,b;c"), "\"a,b;c\"", "\"a,b;c\"");
        check(text("\"Bob\""), "\"\"\"Bob\"\"\"", "\"\"\"Bob\"\"\"");
        check(text("two\nlines"), "\"two\nlines\"", "\"two\nlines\"");
        check(text("=1+1"), "'=1+1", "'=1+1");
        check(text("-Bob"), "'-Bob", "'-Bob");
        check(text("@x"), "'@x", "'@x");
        check(text("+1"), "'+1", "'+1");
        check(Cell::Number(2.5), "2.5", "2,5");
        check(Cell::Number(-2.0), "-2", "-2");
        check(Cell::Bool(true), "yes", "ja");
    }

    #[test]
    fn a_row_of_json_is_an_object() {
        let row =
            vec![Cell::Text("=Ada".to_owned()), Cell::Number(2.0), Cell::Number(0.5), Cell::Empty];
        let table = FileTable { columns: vec!["name", "wins", "points", "place"], rows: vec![row] };
        let code = "NGHTS".parse().unwrap();
        let json = table.to_json("standings", code, &"Evening".parse().unwrap());
        let rows = r#"[{"name":"=Ada","place":null,"points":0.5,"wins":2}]"#;
        let expected =
            format!("{{\"name\":\"Evening\",\"party\":\"NGHTS\",\"standings\":{rows}}}\n");
        assert_eq!(json, expected);
    }
}
