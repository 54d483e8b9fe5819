//! What is kept of a game. That kept games and forgotten people outlive a kill is in the torture.

use std::path::Path;

use noughts_harness::{Player, ServerProcess};
use noughts_protocol::{GameId, RoomSettings};
use rusqlite::Connection;

fn file(folder: &Path) -> Connection {
    Connection::open(folder.join("noughts.db")).unwrap()
}

fn kept_id(player: &Player) -> Option<GameId> {
    player.state().game.as_ref().and_then(|game| game.id)
}

#[tokio::test]
async fn a_game_without_a_mark_is_not_kept() {
    let server = ServerProcess::start(&[]);
    let (mut ada, _bob) = server.pair(RoomSettings::default()).await;
    ada.resign().await.unwrap();
    assert_eq!(kept_id(&ada), None);
    let kept: i64 =
        file(server.folder()).query_row("SELECT count(*) FROM game", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 0);
}
