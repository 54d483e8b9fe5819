//! The protocol's golden files, as a session takes them in.

use std::path::Path;

use noughts_protocol::ServerMessage;

use super::*;

/// The server's golden messages whose names begin like this.
fn golden(prefix: &str) -> Vec<(String, ServerMessage)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let named = files.map(|file| (file.file_name().into_string().unwrap(), file.path()));
    let chosen = named.filter(|(name, _)| name.starts_with(prefix));
    let read = |path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    chosen.map(|(name, path)| (name, read(path))).collect()
}

#[test]
fn every_snapshot_is_a_room_and_every_presence_is_told_there() {
    let message = |told| ConnectionEvent::Message(Box::new(told));
    let presences = golden("server.presence.");
    assert!(!presences.is_empty());
    for (name, snapshot) in golden("server.snapshot.") {
        let mut driver = SessionDriver::new();
        driver.ask(LobbyIntent::Join { room: code(), role: Role::Spectator }).unwrap();
        let entered = driver.feed(message(snapshot));
        assert!(matches!(entered[..], [Happening::Entered]), "{name}: {entered:?}");
        for (name, presence) in &presences {
            let told = driver.feed(message(presence.clone()));
            assert!(matches!(told[..], [] | [Happening::Presence(_)]), "{name}: {told:?}");
            let view = driver.view();
            let ServerMessage::Presence { presence, .. } = presence else { panic!("{name}") };
            assert_eq!(view.presence, *presence);
        }
    }
}
