//! The protocol's golden files, as a session takes them in.

use std::path::Path;

use super::*;
use crate::strings;

/// The server's golden messages whose names begin like this.
fn golden(prefix: &str) -> Vec<(String, ServerMessage)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/golden");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let named = files.map(|file| (file.file_name().into_string().unwrap(), file.path()));
    let chosen = named.filter(|(name, _)| name.starts_with(prefix));
    let read = |path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    chosen.map(|(name, path)| (name, read(path))).collect()
}

#[test]
fn every_snapshot_is_a_room_and_every_presence_is_told_there() {
    let (now, message) = (Instant::now(), ConnectionEvent::Message);
    let presences = golden("server.presence.");
    assert!(!presences.is_empty());
    for (name, snapshot) in golden("server.snapshot.") {
        let mut session = Session::new(IntentIds::starting_at(0));
        session.receive(welcome(), now);
        session.begin(&Action::join(code(), Role::Spectator));
        let entered = session.receive(message(snapshot), now).0;
        assert!(matches!(entered, Some(SessionEvent::Entered)), "{name}: {entered:?}");
        for (name, presence) in &presences {
            let changes = match session.receive(message(presence.clone()), now) {
                (None, None) => Vec::new(),
                (Some(SessionEvent::Presence(changes)), None) => changes,
                other => panic!("{name}: {other:?}"),
            };
            let view = session.room().unwrap();
            assert!(changes.iter().all(|change| strings::presence_text(view, change).is_some()));
            let ServerMessage::Presence { presence, .. } = presence else { panic!("{name}") };
            assert_eq!(view.presence, *presence);
            assert!(!strings::status(view).is_empty());
        }
    }
}
