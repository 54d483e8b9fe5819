//! A single server becomes a cluster of three nodes: its rooms go on at any of them, tokens are good, and
//! history and ratings are the same everywhere.

use std::fs;
use std::path::Path;
use std::process::Command;

use noughts_harness::nats::{until_settled, until_whole};
use noughts_harness::player::play_out;
use noughts_harness::process::program;
use noughts_harness::{NatsServers, Player, ServerProcess, TIMEOUT};
use noughts_protocol::{BoardClass, Found, LobbyIntent, Period, PlayerToken, Role, RoomCode};
use tempfile::TempDir;

use super::torture::run;

/// How many nodes there are.
const NODES: u8 = 3;

async fn connect(server: &ServerProcess, name: &str, token: Option<PlayerToken>) -> Player {
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    Player::greet(Box::new(stream), name, token, TIMEOUT).await
}

/// Asks for the past: own games, own profile, and the best of all.
async fn past(player: &mut Player) -> Vec<Found> {
    let history = LobbyIntent::History { opponent: None, board: None, outcome: None, before: None };
    let best = LobbyIntent::Leaderboard { class: BoardClass::Three, period: Period::Ever };
    let mut found = Vec::new();
    for question in [history, LobbyIntent::Profile { player: None }, best] {
        player.ask_lobby(question).await.unwrap();
        found.append(&mut player.found);
    }
    assert_eq!(found.len(), 3);
    found
}

/// A folder that is a copy of another one. `lock` belongs to the process that holds it.
fn copy(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if file.file_name() != "lock" {
            fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
    }
    copy
}

/// A rated game that Ada has won, a room whose game has begun, and what Ada finds out.
async fn play(single: &ServerProcess) -> ([Player; 2], RoomCode, Vec<Found>) {
    let (mut ada, mut bob) =
        (connect(single, "Ada", None).await, connect(single, "Bob", None).await);
    ada.quick_match().await.unwrap();
    bob.quick_match().await.unwrap();
    play_out(&mut ada, &mut bob, &[4]).await;
    bob.resign().await.unwrap();
    for player in [&mut ada, &mut bob] {
        player.until_over().await;
        player.leave().await.unwrap();
    }
    let room = ada.host().await;
    bob.join(room, Role::Player).await.unwrap();
    play_out(&mut ada, &mut bob, &[0, 1]).await;
    let found = past(&mut ada).await;
    ([ada, bob], room, found)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_server_becomes_three_nodes() {
    let Some(nats) = NatsServers::start("a single server that becomes a cluster", NODES) else {
        return;
    };
    let mut single = ServerProcess::start(&[]);
    let ([ada, bob], room, before) = play(&single).await;
    assert_eq!(single.terminate(), Some(0));
    let imported = Command::new(program("noughts-server"))
        .args(["cluster", "import", "--data-dir"])
        .arg(single.folder())
        .output()
        .unwrap();
    assert!(imported.status.success(), "{imported:?}");
    println!("{}", String::from_utf8_lossy(&imported.stdout));

    let folders: Vec<_> = (0..NODES).map(|_| copy(single.folder())).collect();
    let nodes = folders.iter().zip(0..).map(|(folder, number)| {
        nats.node(number, &["--data-dir", folder.path().to_str().unwrap()])
    });
    let mut nodes: Vec<_> = nodes.collect();
    until_settled(nodes.iter()).await;
    for (place, cell) in [2, 3, 5].into_iter().enumerate() {
        let (node, next) = (&nodes[place], &nodes[(place + 1) % nodes.len()]);
        let mut here = connect(node, "Ada", Some(ada.token.clone())).await;
        let mut there = connect(next, "Bob", Some(bob.token.clone())).await;
        assert_eq!((here.id, there.id), (ada.id, bob.id), "a token is good at node {place}");
        assert_eq!(past(&mut here).await, before, "the past at node {place}");
        here.join(room, Role::Player).await.unwrap();
        there.join(room, Role::Player).await.unwrap();
        assert_eq!(here.game().ply(), u16::try_from(place).unwrap() + 2);
        play_out(&mut here, &mut there, &[cell]).await;
    }
    // The copies are compared.
    until_whole(nodes.iter()).await;
    for node in &mut nodes {
        assert_eq!(node.terminate(), Some(0), "{}", node.log());
    }
    let all = ["verify", "ratings", "export"].map(|subcommand| {
        let said = folders.iter().map(|folder| run(subcommand, folder.path()));
        said.collect::<Vec<_>>()
    });
    let [_, ratings, games] = all;
    assert!(ratings.iter().all(|said| *said == ratings[0]), "{ratings:?}");
    assert!(games.iter().all(|said| *said == games[0]), "{games:?}");
    assert!(!games[0].is_empty(), "the rated game is exported");
}
