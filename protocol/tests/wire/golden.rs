//! The golden files: one for each message and for each variant that a client must tell apart.
//! The page's tests read the same files.

use std::fs;
use std::path::Path;

use noughts_protocol::{ClientMessage, RoomState, ServerMessage};
use serde::Serialize;
use serde_json::Value;

/// Every golden file's name without `.json`, and its text.
pub(crate) fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let entries = fs::read_dir(&folder).expect("the folder of golden files");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut files: Vec<(String, String)> = paths
        .filter(|path| !path.ends_with("series"))
        .map(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
            let name = name.strip_suffix(".json").unwrap_or_else(|| panic!("{name} is no .json"));
            (name.to_owned(), fs::read_to_string(&path).expect("a text file"))
        })
        .collect();
    files.sort();
    files
}

/// Checks that a message is written as its file has it.
fn check_written(name: &str, text: &str, message: &impl Serialize) {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let written = serde_json::to_value(message).expect("messages are JSON");
    assert_eq!(written, value, "{name}.json is not written as it is read");
}

/// Checks that a snapshot is of a room that can be.
fn check_room(name: &str, message: &ServerMessage) {
    let ServerMessage::Snapshot(snapshot) = message else { return };
    let room = RoomState::from_snapshot(snapshot).expect("a room that can be");
    let again = room.to_snapshot(snapshot.presence, snapshot.move_ms_left);
    assert_eq!(again, *snapshot, "{name}");
}

#[test]
fn every_golden_file_round_trips_and_is_named_after_its_message() {
    for (name, text) in files() {
        let side = name.split('.').next().unwrap_or_default();
        if side == "client" {
            let message = ClientMessage::from_json(&text);
            check_written(&name, &text, &message.unwrap_or_else(|e| panic!("{name}: {e}")));
        } else {
            let message = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            check_written(&name, &text, &message);
            check_room(&name, &message);
        }
        let message: Value = serde_json::from_str(&text).expect("a golden file is JSON");
        let tag = message["type"].as_str().expect("a tag");
        let kind = message[tag]["kind"].as_str().map(|kind| format!(".{kind}"));
        let begin = format!("{side}.{tag}{}", kind.unwrap_or_default());
        let rest = name.strip_prefix(&begin);
        let fits = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        assert!(fits, "{name}.json holds a {begin}: its name must begin with that");
    }
}
