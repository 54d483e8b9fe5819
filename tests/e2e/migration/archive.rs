//! The games of a journal without an archive get into the archive.
//!
//! `journal-schema-3.db` is a journal as the last server without an archive left it. Clients on real
//! sockets played friends' games, a quick match, against a computer, on both sides, a swap2 opening and
//! two people of one name; then the file was copied with `VACUUM INTO`. The `.json` beside it is what
//! that server told at the end: the output of `export`, and the ids and tokens of the players.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::{GameResult, Role, RoomCode};
use rusqlite::Connection;
use serde::Deserialize;
use serde_json::Value;

use super::{open_and_close, tool};

#[derive(Deserialize)]
struct Expected {
    tokens: HashMap<String, String>,
    players: HashMap<String, String>,
    rooms: HashMap<String, RoomCode>,
    games: Vec<Value>,
}

fn expected() -> Expected {
    serde_json::from_str(include_str!("journal-schema-3.json")).unwrap()
}

fn put_into(folder: &Path) {
    fs::write(folder.join("journal.db"), include_bytes!("journal-schema-3.db")).unwrap();
}

/// The games that ended with a mark, as `export` told them.
fn ended() -> Vec<Value> {
    let mut games = expected().games;
    games.retain(|game| game["ended"] != Value::Null && game["moves"] != Value::Array(Vec::new()));
    games
}

/// The id or the computer of each side, and the name.
fn sides(game: &Value) -> String {
    let side = |mark: &str| {
        let seat = &game["players"][mark];
        match seat["player"].as_str() {
            Some(player) => format!("{player} {}", seat["name"].as_str().unwrap()),
            None => format!("{} {}", seat["strategy"], seat["strength"]).replace('"', ""),
        }
    };
    format!("{} v {}", side("x"), side("o"))
}

/// The kept games as the archive has them, in its order.
fn kept(file: &Connection) -> Vec<(String, Vec<u16>, GameResult, i64)> {
    let sql = "SELECT g.x_name, g.o_name, px.id, po.id, g.x_computer, g.o_computer, g.moves, \
               g.result, g.opening FROM game g LEFT JOIN player px ON px.n = g.x \
               LEFT JOIN player po ON po.n = g.o ORDER BY g.n";
    let mut select = file.prepare(sql).unwrap();
    let games = select.query_map([], |row| {
        let side = |name, id, computer| -> rusqlite::Result<String> {
            let name: Option<String> = row.get(name)?;
            let id: Option<i64> = row.get(id)?;
            let computer: Option<String> = row.get(computer)?;
            Ok(match computer {
                Some(json) => {
                    let computer: Value = serde_json::from_str(&json).unwrap();
                    format!("{} {}", computer["strategy"], computer["strength"]).replace('"', "")
                }
                None => format!("{:016x} {}", id.unwrap().cast_unsigned(), name.unwrap()),
            })
        };
        let sides = format!("{} v {}", side(0, 2, 4)?, side(1, 3, 5)?);
        let moves: Vec<u8> = row.get(6)?;
        let cells = moves.chunks(6).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        let times = moves
            .chunks(6)
            .map(|bytes| u32::from_le_bytes([bytes[2], bytes[3], bytes[4], bytes[5]]));
        assert!(times.is_sorted(), "the times of the moves");
        let result: String = row.get(7)?;
        Ok((sides, cells.collect(), serde_json::from_str(&result).unwrap(), row.get(8)?))
    });
    games.unwrap().map(Result::unwrap).collect()
}

#[test]
fn every_game_that_ended_is_kept_in_the_order_of_the_ends() {
    let folder = tempfile::tempdir().unwrap();
    put_into(folder.path());
    open_and_close(folder.path());
    let (code, told, errors) = tool("verify", folder.path());
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let mut expected = ended();
    expected.sort_by_key(|game| game["ended"].as_str().unwrap().to_owned());
    assert!(told.contains(&format!(", {} kept games", expected.len())), "{told}");
    let file = Connection::open(folder.path().join("journal.db")).unwrap();
    let kept = kept(&file);
    assert_eq!(kept.len(), expected.len());
    for ((players, cells, result, opening), game) in kept.into_iter().zip(expected) {
        assert_eq!(players, sides(&game));
        assert_eq!(serde_json::to_value(cells).unwrap(), game["moves"], "{players}");
        assert_eq!(serde_json::to_value(result).unwrap(), game["result"], "{players}");
        let swap2 = game["settings"]["opening"] == "swap2";
        assert_eq!(opening, if swap2 { 5 } else { 0 }, "{players}");
    }
    let rated: i64 =
        file.query_row("SELECT count(*) FROM game WHERE rated", [], |row| row.get(0)).unwrap();
    assert_eq!(rated, 0, "nobody was told that it would be rated");
}

#[test]
fn the_results_of_people_are_those_of_their_games() {
    let folder = tempfile::tempdir().unwrap();
    put_into(folder.path());
    open_and_close(folder.path());
    // Wins, losses and draws by the id of the player and the board.
    let mut results: BTreeMap<(String, String), [i64; 3]> = BTreeMap::new();
    for game in ended() {
        let id = |mark: &str| game["players"][mark]["player"].as_str().map(str::to_owned);
        if id("x") == id("o") {
            continue;
        }
        let board = &game["settings"]["board"];
        let board = format!("{}x{}x{}", board["width"], board["height"], board["line"]);
        for mark in ["x", "o"] {
            let Some(id) = id(mark) else { continue };
            let outcome = match game["result"]["winner"].as_str() {
                Some(winner) => usize::from(winner != mark),
                None => 2,
            };
            results.entry((id, board.clone())).or_default()[outcome] += 1;
        }
    }
    let file = Connection::open(folder.path().join("journal.db")).unwrap();
    let sql = "SELECT p.id, t.board, t.wins, t.losses, t.draws FROM tally_board t \
               JOIN player p ON p.n = t.player";
    let mut select = file.prepare(sql).unwrap();
    let counted = select.query_map([], |row| {
        let id: i64 = row.get(0)?;
        let key = (format!("{:016x}", id.cast_unsigned()), row.get(1)?);
        Ok((key, [row.get(2)?, row.get(3)?, row.get(4)?]))
    });
    let counted: BTreeMap<_, _> = counted.unwrap().map(Result::unwrap).collect();
    assert_eq!(counted, results);
    // Two people of one name: the number is the seat's, not the person's.
    let second = &expected().players["Ada (2)"];
    let id = u64::from_str_radix(second, 16).unwrap().cast_signed();
    let sql = "SELECT name FROM player WHERE id = ?1";
    let name: String = file.query_row(sql, [id], |row| row.get(0)).unwrap();
    assert_eq!(name, "Ada");
}

#[tokio::test]
async fn a_running_game_of_the_version_before_is_kept_when_it_ends() {
    let mut server = ServerProcess::start(&[]);
    server.terminate();
    for log in ["journal.db-wal", "journal.db-shm"] {
        drop(fs::remove_file(server.folder().join(log)));
    }
    put_into(server.folder());
    let server = server.restart();
    let token = expected().tokens["Ada"].parse().unwrap();
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let mut ada = Player::greet(Box::new(stream), "Ada", Some(token), TIMEOUT).await;
    ada.join(expected().rooms["listed"], Role::Player).await.unwrap();
    ada.resign().await.unwrap();
    let id = ada.state().game.as_ref().and_then(|game| game.id).expect("it is kept");
    let (code, told, errors) = tool("verify", server.folder());
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(told.contains(&format!(", {} kept games", ended().len() + 1)), "{told}");
    let (_, exported, _) = tool("export", server.folder());
    assert!(exported.contains(&format!(r#""id":"{id}""#)), "{exported}");
}
