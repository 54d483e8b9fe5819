//! What is fuzzed, one function a target. `cargo test` runs them over the kept corpus too
//! (`e2e/corpus.rs`), so that nothing found here comes back unseen.

use clap::Parser;
use noughts_cli::address::Link;
use noughts_protocol::{
    BoardSpec, DisplayText, Mark, PlayerId, PlayerName, PlayerToken, RoomCode, text::is_unsafe,
};

/// A target: its name, which is its corpus's folder, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const ALL: [Target; 7] = [
    ("table", table),
    ("journal", journal),
    ("client", client),
    ("words", words),
    ("address", address),
    ("position", position),
    ("options", options),
];

/// Clients' frames at a live table.
pub fn table(input: &[u8]) {
    noughts_server::fuzzing::table(&String::from_utf8_lossy(input));
}

/// A room as the journal may hold it, read and played on.
pub fn journal(input: &[u8]) {
    noughts_server::fuzzing::journal(&String::from_utf8_lossy(input));
}

/// A server's messages and typed lines into the terminal client.
pub fn client(input: &[u8]) {
    noughts_cli::fuzzing::client(input);
}

/// Codes, ids, names, tokens, boards, cells, texts. What is read is shown as what is read again.
///
/// # Panics
/// Where it is not, or could move a cursor.
pub fn words(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let again = |shown: String, same: bool| assert!(same, "{shown:?} is another");
    if let Ok(code) = text.parse::<RoomCode>() {
        again(code.to_string(), code.to_string().parse() == Ok(code));
    }
    if let Ok(id) = text.parse::<PlayerId>() {
        again(id.to_string(), id.to_string().parse() == Ok(id));
    }
    if let Ok(name) = text.parse::<PlayerName>() {
        assert!(!name.as_str().chars().any(is_unsafe), "{name:?}");
        again(name.to_string(), name.to_string().parse() == Ok(name));
    }
    if let Ok(token) = text.parse::<PlayerToken>() {
        assert!(token.reveal().len() <= PlayerToken::MAX_LEN);
    }
    let mut lines = text.lines();
    if let Ok(spec) = lines.next().unwrap_or_default().parse::<BoardSpec>() {
        again(spec.to_string(), spec.to_string().parse() == Ok(spec));
        for line in lines {
            if let Ok(cell) = spec.parse_cell(line) {
                assert!(cell.0 < spec.cells());
                again(spec.label(cell), spec.parse_cell(&spec.label(cell)) == Ok(cell));
            }
        }
    }
    let shown = DisplayText::from(text.as_ref());
    assert!(!shown.as_str().chars().any(is_unsafe), "{shown:?}");
}

/// A server's address as people write it, and the client's file of settings.
///
/// # Panics
/// Where the address that is shown to others leads elsewhere.
pub fn address(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    noughts_cli::fuzzing::settings(&text);
    let Ok(link) = text.parse::<Link>() else { return };
    let shown = link.server.to_string();
    assert!(!shown.chars().any(is_unsafe), "{shown:?}");
    let read = shown.parse::<Link>().map(|link| link.server);
    assert_eq!(read, Ok(link.server), "{shown:?}");
}

/// The positions of `analyze`: the board, whose turn it is (or anything else), the cells.
pub fn position(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut lines = text.lines();
    let Ok(spec) = lines.next().unwrap_or_default().parse() else { return };
    let turn = match lines.next() {
        Some("x") => Some(Mark::X),
        Some("o") => Some(Mark::O),
        _ => None,
    };
    noughts_server::fuzzing::position(lines.next().unwrap_or_default(), spec, turn);
}

/// Command lines of the server and of the client, a word a line.
pub fn options(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let words = || text.lines().take(32);
    if let Ok(args) = noughts_server::Args::try_parse_from(["server"].into_iter().chain(words())) {
        drop(noughts_server::Config::try_from(&args).map_err(|error| error.to_string()));
    }
    let line = ["noughts"].into_iter().chain(words());
    drop(noughts_cli::args::Args::try_parse_from(line).map_err(|error| error.to_string()));
}
