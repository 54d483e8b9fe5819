//! The fuzz targets, one function each. `e2e/corpus.rs` runs every kept input in the normal test run.
//!
//! Most targets use public interfaces. Those that need private modules are compiled into the product
//! by its feature `fuzzing`: `server/` as `noughts_server::fuzzing`, `client/` as `noughts_cli::fuzzing`.

use clap::Parser;
use noughts_client::address::Link;
use noughts_protocol::{
    BoardSpec, ClientMessage, DisplayText, Mark, PlayerId, PlayerName, PlayerToken, RoomCode,
    text::is_unsafe,
};

pub use noughts_cli::fuzzing::{client, ssh};

/// A target: its name, which is also the folder of its corpus, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const ALL: [Target; 7] = [
    ("stored", stored),
    ("client", client),
    ("texts", texts),
    ("address", address),
    ("position", position),
    ("options", options),
    ("ssh", ssh),
];

/// The stored state of a room.
pub fn stored(input: &[u8]) {
    noughts_server::fuzzing::stored(&String::from_utf8_lossy(input));
}

/// Messages of a client, codes, ids, names, tokens, boards, cells and texts.
///
/// # Panics
/// If a value that was read is not read again from its text, or a text could move the cursor.
pub fn texts(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let again = |shown: String, same: bool| assert!(same, "{shown:?} is read differently");
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
    if let Ok(message) = ClientMessage::from_json(&text) {
        let written = serde_json::to_string(&message).expect("a message can be written");
        again(written.clone(), ClientMessage::from_json(&written).is_ok_and(|it| it == message));
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

/// A server's address as people write it, and the client's saved profile.
///
/// # Panics
/// If the address that is shown to others is another one, or a profile is not read again as it was
/// written.
pub fn address(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    noughts_cli::fuzzing::profile(&text);
    let Ok(link) = text.parse::<Link>() else { return };
    let shown = link.server.to_string();
    assert!(!shown.chars().any(is_unsafe), "{shown:?}");
    let read = shown.parse::<Link>().map(|link| link.server);
    assert_eq!(read, Ok(link.server), "{shown:?}");
}

/// The positions of `analyze`: a line each for the board, the turn (`x`, `o` or anything) and the
/// cells.
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

/// Command lines of the server and of the client, one argument a line.
pub fn options(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let words = || text.lines().take(32);
    if let Ok(args) = noughts_server::Args::try_parse_from(["server"].into_iter().chain(words())) {
        drop(noughts_server::Config::try_from(&args).map_err(|error| error.to_string()));
    }
    let line = ["noughts"].into_iter().chain(words());
    drop(noughts_cli::args::Args::try_parse_from(line).map_err(|error| error.to_string()));
}
