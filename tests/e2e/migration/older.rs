//! A journal of an older schema beside the record of what its server told at the end.

use std::collections::HashMap;

use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{Role, RoomCode};
use noughts_server::journal::error::OpenError;
use noughts_server::journal::reader::Reader;
use serde::Deserialize;
use serde_json::Value;

use super::{open_and_close, put_into, tool};

/// The journal, and the JSON with its record.
pub(super) struct Older(pub(super) &'static [u8], pub(super) &'static str);

#[derive(Deserialize)]
struct Expected {
    tokens: HashMap<String, String>,
    room: RoomCode,
    /// The output of `verify`.
    sound: String,
    /// The lines of `export`.
    games: Vec<Value>,
}

impl Older {
    fn expected(&self) -> Expected {
        serde_json::from_str(self.1).unwrap()
    }

    /// Fails unless `verify` and `export` say after the migration what they said before.
    pub(super) fn is_as_it_was(&self) {
        let folder = tempfile::tempdir().unwrap();
        put_into(folder.path(), self.0);
        assert!(matches!(Reader::open(folder.path()), Err(OpenError::Older)));
        open_and_close(folder.path());
        let (code, told, errors) = tool("verify", folder.path());
        let Expected { sound, games, .. } = self.expected();
        assert_eq!((code, told.trim(), errors.as_str()), (Some(0), sound.as_str(), ""));
        let (_, told, _) = tool("export", folder.path());
        let lines = told.lines().map(|line| serde_json::from_str(line).unwrap());
        assert_eq!(lines.collect::<Vec<Value>>(), games);
    }

    /// A server that goes on with the journal.
    pub(super) fn served(&self) -> ServerProcess {
        let mut server = ServerProcess::start(&[]);
        server.terminate();
        put_into(server.folder(), self.0);
        server.restart()
    }

    /// Somebody of before, who returns to the room of before.
    pub(super) async fn returns(&self, server: &ServerProcess, name: &str) -> Player {
        let Expected { tokens, room, .. } = self.expected();
        let token = Some(tokens[name].parse().unwrap());
        let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
        let mut player = Player::greet(Box::new(stream), name, token, TIMEOUT).await;
        player.join(room, Role::Player).await.unwrap();
        player
    }
}
