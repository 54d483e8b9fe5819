//! Kept games and forgotten people outlive the server, which is killed in the middle.

use std::path::Path;

use noughts_harness::{Player, ServerProcess};
use noughts_protocol::{Cell, GameId, LobbyIntent, Role, RoomIntent};
use rusqlite::Connection;

use super::{connect, said, tool};

/// Rooms whose games end at once.
const ROOMS: usize = 8;

fn sound(server: &ServerProcess) {
    let verified = tool("verify", server.folder());
    assert!(verified.status.success(), "{}", said(&verified));
}

fn file(folder: &Path) -> Connection {
    Connection::open(folder.join("noughts.db")).unwrap()
}

/// How often a game is kept.
fn count(file: &Connection, id: GameId) -> i64 {
    let sql = "SELECT count(*) FROM game WHERE id = ?1";
    file.query_row(sql, [id.0.cast_signed()], |row| row.get(0)).unwrap()
}

fn kept_id(player: &Player) -> Option<GameId> {
    player.state().game.as_ref().and_then(|game| game.id)
}

#[tokio::test]
async fn every_acknowledged_end_is_kept_once_through_kill_after_kill() {
    let mut server = ServerProcess::start(&[]);
    let mut pairs = Vec::new();
    for _ in 0..ROOMS {
        let mut ada = connect(&server, "Ada", None).await;
        let mut bob = connect(&server, "Bob", None).await;
        let code = ada.host().await;
        bob.join(code, Role::Player).await.unwrap();
        ada.until_running().await;
        pairs.push((ada, bob));
    }
    let mut acknowledged = Vec::new();
    // The kill comes after so many answers; the other ends are in flight.
    for answered in [0, 3, ROOMS, 1] {
        for (ada, bob) in &mut pairs {
            if !ada.state().is_running() {
                ada.rematch(true).await.unwrap();
                bob.rematch(true).await.unwrap();
                ada.until_running().await;
            }
            let (first, other) =
                if ada.is_my_turn() { (&mut *ada, &mut *bob) } else { (&mut *bob, &mut *ada) };
            // A game that did not end before the kill goes on.
            let free = (0..9).find(|cell| !first.game().moves().contains(&Cell(*cell)));
            first.play(free.unwrap()).await.unwrap();
            other.until_version(first.state().v).await;
        }
        let mut sent = Vec::new();
        for (ada, _) in &mut pairs {
            let message = ada.room_message(RoomIntent::Resign { game: ada.number() });
            sent.push(message.id().unwrap());
            ada.send(&message).await;
        }
        for ((ada, _), id) in pairs.iter_mut().zip(sent).take(answered) {
            ada.answer_to(id).await.unwrap();
            acknowledged.push(kept_id(ada).expect("a game that ends has an id"));
        }
        server = server.restart();
        let mut again = Vec::new();
        for (ada, bob) in pairs {
            let mut players = [connect(&server, "Ada", Some(ada.token.clone())).await, bob];
            let token = players[1].token.clone();
            players[1] = connect(&server, "Bob", Some(token)).await;
            for player in &mut players {
                player.join(ada.state().code, Role::Player).await.unwrap();
            }
            let [ada, bob] = players;
            let stored = kept_id(&ada);
            assert_eq!(stored.is_some(), !ada.state().is_running());
            acknowledged.extend(stored);
            again.push((ada, bob));
        }
        pairs = again;
        let file = file(server.folder());
        for id in &acknowledged {
            assert_eq!(count(&file, *id), 1, "{id}");
        }
        sound(&server);
    }
    acknowledged.sort();
    acknowledged.dedup();
    let sql = "SELECT count(*) FROM game";
    let kept: usize = file(server.folder())
        .query_row(sql, [], |row| row.get::<_, u32>(0))
        .map(|kept| kept as usize)
        .unwrap();
    assert_eq!(kept, acknowledged.len(), "no other game is kept");
}

#[tokio::test]
async fn a_game_without_a_mark_is_not_kept() {
    let server = ServerProcess::start(&[]);
    let mut ada = connect(&server, "Ada", None).await;
    let mut bob = connect(&server, "Bob", None).await;
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    ada.until_running().await;
    ada.resign().await.unwrap();
    assert_eq!(kept_id(&ada), None);
    let kept: i64 =
        file(server.folder()).query_row("SELECT count(*) FROM game", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 0);
}

#[tokio::test]
async fn a_forgotten_person_stays_forgotten_after_a_kill() {
    let mut server = ServerProcess::start(&[]);
    let mut ada = connect(&server, "Adelheid", None).await;
    let mut bob = connect(&server, "Bob", None).await;
    let code = ada.host().await;
    bob.join(code, Role::Player).await.unwrap();
    ada.until_running().await;
    let first = if ada.is_my_turn() { &mut ada } else { &mut bob };
    first.play(4).await.unwrap();
    bob.resign().await.unwrap();
    let id = kept_id(&bob).unwrap();
    let token = ada.token.clone();
    let player = ada.id;
    let after = bob.state().v + 1;
    ada.leave().await.unwrap();
    bob.until_version(after).await;
    ada.ask_lobby(LobbyIntent::Forget).await.unwrap();
    server = server.restart();
    let ada = connect(&server, "Adelheid", Some(token)).await;
    assert_ne!(ada.id, player, "the old token proves nothing any more");
    sound(&server);
    let code = bob.state().code;
    let mut bob = connect(&server, "Bob", Some(bob.token)).await;
    bob.join(code, Role::Player).await.unwrap();
    assert_eq!(kept_id(&bob), Some(id), "the game is still there");
    assert_eq!(bob.state().maker, None);
    let named = "SELECT count(*) FROM seat WHERE name = 'Adelheid'";
    let named: i64 = file(server.folder()).query_row(named, [], |row| row.get(0)).unwrap();
    assert_eq!(named, 0);
}
