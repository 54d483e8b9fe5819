//! The golden files: one for each message and for each variant that a client must tell apart.
//! The page's tests read the same files.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use noughts_protocol::{ClientMessage, RoomState, ServerMessage};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::kinds;

/// Every golden file's name without `.json`, and its text.
pub(crate) fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let entries = fs::read_dir(&folder).expect("the folder of golden files");
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("an entry of the folder").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
            let name = name.strip_suffix(".json").unwrap_or_else(|| panic!("{name} is no .json"));
            (name.to_owned(), fs::read_to_string(&path).expect("a text file"))
        })
        .collect();
    files.sort();
    files
}

/// Reads a file as a message and checks that it is written the same again.
fn round_trip<T: DeserializeOwned + Serialize + Debug>(name: &str, text: &str) -> T {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let message: T = serde_json::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let written = serde_json::to_value(&message).expect("messages are JSON");
    assert_eq!(written, value, "{name}.json is not written as it is read");
    message
}

fn kinds_in(name: &str, text: &str) -> Vec<&'static str> {
    if name.starts_with("client.") {
        kinds::of_client(&round_trip::<ClientMessage>(name, text))
    } else {
        kinds::of_server(&round_trip::<ServerMessage>(name, text))
    }
}

#[test]
fn every_golden_file_round_trips_and_is_named_after_its_message() {
    for (name, text) in files() {
        let kind = kinds_in(&name, &text)[0];
        let rest = name.strip_prefix(kind);
        let fits = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        assert!(fits, "{name}.json holds a {kind}: its name must begin with that");
    }
}

#[test]
fn every_kind_has_a_golden_file() {
    let shown: BTreeSet<&str> =
        files().iter().flat_map(|(name, text)| kinds_in(name, text)).collect();
    let missing: Vec<&str> = kinds::all().into_iter().filter(|k| !shown.contains(k)).collect();
    assert!(missing.is_empty(), "add files to protocol/tests/golden that show {missing:?}");
}

#[test]
fn golden_snapshots_are_of_rooms_that_can_be() {
    for (name, text) in files() {
        if !name.starts_with("server.snapshot") {
            continue;
        }
        let ServerMessage::Snapshot(snapshot) = round_trip(&name, &text) else {
            panic!("{name} is no snapshot");
        };
        let mut again = RoomState::from_snapshot(&snapshot).expect("legal moves").to_snapshot();
        again.you.clone_from(&snapshot.you);
        again.spectators = snapshot.spectators;
        again.move_ms_left = snapshot.move_ms_left;
        assert_eq!(again, snapshot, "{name}");
    }
}
