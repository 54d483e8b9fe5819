//! The rate at which moves are stored, beside SQLite alone on the same disk with the same batches; the
//! rate of whole games with the archive and without; and the recovery of a server with 100,000 rooms.
//! Prints three tables, or with `games` the second alone;
//! `cargo bench -p noughts-tests --bench journal [FOLDER]`, where FOLDER is on the disk to measure.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

use std::path::Path;
use std::time::{Duration, Instant};

use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::settings::FirstMove;
use noughts_protocol::{
    Cell, Event, GameEnd, GameId, Mark, Move, PlayerId, Role, RoomCode, RoomSettings, RoomState,
    Seat, Series,
};
use noughts_server::journal::Journal;
use noughts_server::journal::archive::ended_game::EndedGame;
use noughts_server::journal::checksum::seal;
use noughts_server::journal::entry::{Entry, NewRoom, Origin, Payload};
use noughts_server::journal::store::{Durability, Write};
use rusqlite::{Connection, params};

/// The length of each measurement, and how often both are taken in turn.
const MEASURED: Duration = Duration::from_secs(2);
const TURNS: u32 = 3;
/// Rooms of the second table.
const KEPT: u32 = 100_000;

#[tokio::main]
async fn main() {
    // `cargo test` runs benchmarks too, without `--bench`.
    let args: Vec<String> = std::env::args().skip(1).collect();
    if !args.iter().any(|arg| arg == "--bench") {
        return;
    }
    let only_games = args.iter().any(|arg| arg == "games");
    let folder = args.iter().find(|arg| !arg.starts_with('-') && *arg != "games");
    let folder = match folder {
        Some(folder) => tempfile::tempdir_in(folder).unwrap(),
        None => tempfile::tempdir().unwrap(),
    };
    if only_games {
        return archive(folder.path()).await;
    }
    println!("moves stored a second:");
    println!("  durability  rooms    journal  a commit     SQLite  a commit   share");
    for (name, durability) in [("power", Durability::Power), ("process", Durability::Process)] {
        for rooms in [16, 128, 1024] {
            compare(folder.path(), name, durability, rooms).await;
        }
    }
    archive(folder.path()).await;
    recover(folder.path()).await;
}

/// Compares games of 3 x 3 with the archive and without.
async fn archive(folder: &Path) {
    println!("games of 5 moves stored a second, between two people:");
    println!("  durability  rooms  without archive  with it, rated   share");
    for (name, durability) in [("power", Durability::Power), ("process", Durability::Process)] {
        for rooms in [16, 128, 1024] {
            let mut rates = [0.0; 2];
            for turn in 0..TURNS {
                for (rate, kept) in rates.iter_mut().zip([false, true]) {
                    let inside = folder.join(format!("games-{name}-{rooms}-{turn}-{kept}"));
                    *rate += games(&inside, durability, rooms, kept).await / f64::from(TURNS);
                }
            }
            let [without, with] = rates;
            let share = 100.0 * with / without;
            println!("  {name:10} {rooms:6} {without:16.0} {with:15.0} {share:6.0} %");
        }
    }
}

/// Rooms that each play one game after another; returns games a second.
async fn games(folder: &Path, durability: Durability, rooms: u32, kept: bool) -> f64 {
    let (journal, _) = Journal::open(folder, durability).unwrap();
    let playing: Vec<_> = (1..=rooms)
        .map(|room| {
            let journal = journal.clone();
            tokio::spawn(async move { play_games(&journal, room, kept).await })
        })
        .collect();
    let since = Instant::now();
    let mut stored = 0;
    for room in playing {
        stored += room.await.unwrap();
    }
    let took = since.elapsed().as_secs_f64();
    journal.close().await;
    f64::from(stored) / took
}

async fn play_games(journal: &Journal, room: u32, kept: bool) -> u32 {
    let end = Instant::now() + MEASURED;
    let players = [u64::from(room) * 2, u64::from(room) * 2 + 1].map(PlayerId);
    let origins = players.map(|player| Origin { player, id: 1.try_into().unwrap() }).to_vec();
    let new =
        NewRoom { code: RoomCode::from_number(room), settings: RoomSettings::default(), origins };
    let room = i64::from(room);
    let mut state = RoomState::new(new.code, new.settings);
    let seats = Mark::BOTH.into_iter().zip(players).map(|(mark, player)| {
        let name = format!("P{player}").parse().unwrap();
        Event::Seated { mark, seat: Seat::Human { player, name } }
    });
    let mut crc = new.checksum(room, 0);
    let mut facts = Vec::new();
    for seated in seats {
        state.advance(&seated);
        facts.push(Entry::of(&seated, state.v, 1, 0));
    }
    crc = seal(crc, &mut facts);
    journal.write(Write::Create { room, new, made: 0, entries: facts }).await.unwrap();
    let mut number = 0;
    while Instant::now() < end {
        number += 1;
        let series = Series::default();
        let (game, score) = (number, state.score);
        let started = Event::GameStarted { game, first: Mark::X, score, opening: None, series };
        for fact in 0..6 {
            let event = if fact == 0 { started.clone() } else { next_move(&state, fact - 1) };
            state.advance(&event);
            let mut entries = vec![Entry::of(&event, state.v, 1, 1_800_000_000_000)];
            crc = seal(crc, &mut entries);
            let id = GameId(room.cast_unsigned() << 32 | u64::from(number));
            let ended = EndedGame::of(&state, id, 0, true).filter(|_| kept && fact == 5);
            let kept = ended.map(|game| Box::new((game, 0)));
            journal.write(Write::Append { room, entries, kept, ended: None }).await.unwrap();
        }
    }
    number
}

/// Move number `ply` of a game that X wins.
fn next_move(state: &RoomState, ply: u16) -> Event {
    let cell = Cell([0, 3, 1, 4, 2][usize::from(ply)]);
    let running = state.running().unwrap();
    let mark = running.game.to_move();
    let result = running.decide(Move { ply, mark, cell }).unwrap().result;
    let over = result.map(|result| {
        let score = state.score.with(&result);
        GameEnd { result, score, id: None }
    });
    Event::Moved { game: running.number, ply, mark, cell, over, opening: None }
}

async fn compare(folder: &Path, name: &str, durability: Durability, rooms: u32) {
    let (mut ours, mut theirs, mut batch) = (0.0, 0.0, 0.0);
    for turn in 0..TURNS {
        let inside = folder.join(format!("{name}-{rooms}-{turn}"));
        let (rate, mean) = journal(&inside, durability, rooms).await;
        ours += rate / f64::from(TURNS);
        batch += mean / f64::from(TURNS);
        let same = mean.round().max(1.0) as u32;
        theirs += sqlite(&inside.join("plain.db"), durability, rooms, same) / f64::from(TURNS);
    }
    let share = 100.0 * ours / theirs;
    println!(
        "  {name:10} {rooms:6} {ours:10.0} {batch:9.1} {theirs:10.0} {batch:9.1} {share:6.0} %"
    );
}

fn entry(v: u64, run: i64) -> Entry {
    Entry { v, run, at: 1_800_000_000_000, payload: Payload::Move((v % 9) as u16), crc: 0 }
}

/// Rooms that each store one move after another; returns moves a second and moves a commit.
async fn journal(folder: &Path, durability: Durability, rooms: u32) -> (f64, f64) {
    let (journal, _) = Journal::open(folder, durability).unwrap();
    let end = Instant::now() + MEASURED;
    let before = journal.counts();
    let since = Instant::now();
    let playing: Vec<_> = (0..rooms)
        .map(|room| {
            let journal = journal.clone();
            tokio::spawn(async move {
                let (mut v, mut crc) = (0, 0);
                while Instant::now() < end {
                    v += 1;
                    let mut entries = vec![entry(v, 1)];
                    crc = seal(crc, &mut entries);
                    let write =
                        Write::Append { room: i64::from(room), entries, kept: None, ended: None };
                    journal.write(write).await.unwrap();
                }
            })
        })
        .collect();
    for room in playing {
        room.await.unwrap();
    }
    let took = since.elapsed().as_secs_f64();
    let after = journal.counts();
    journal.close().await;
    let (commits, stored) = ((after.0 - before.0) as f64, (after.1 - before.1) as f64);
    (stored / took, stored / commits)
}

/// SQLite alone, with the same table and batches, in a loop.
fn sqlite(file: &Path, durability: Durability, rooms: u32, batch: u32) -> f64 {
    let mut plain = Connection::open(file).unwrap();
    plain.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
    let synchronous = if durability == Durability::Power { "full" } else { "normal" };
    plain.pragma_update(None, "synchronous", synchronous).unwrap();
    plain.pragma_update(None, "wal_autocheckpoint", 4000).unwrap();
    let table = "CREATE TABLE event (room INTEGER NOT NULL, v INTEGER NOT NULL, run INTEGER NOT \
                 NULL, at INTEGER NOT NULL, cell INTEGER, fact TEXT, PRIMARY KEY (room, v)) \
                 STRICT, WITHOUT ROWID";
    plain.execute_batch(table).unwrap();
    let (since, mut stored) = (Instant::now(), 0_u32);
    while since.elapsed() < MEASURED {
        let transaction = plain.transaction().unwrap();
        let sql = "INSERT INTO event VALUES (?1, ?2, 1, ?3, ?4, NULL)";
        let mut insert = transaction.prepare_cached(sql).unwrap();
        for _ in 0..batch {
            let (room, v) = (stored % rooms, stored / rooms + 1);
            insert.execute(params![room, v, 1_800_000_000_000_i64, v % 9]).unwrap();
            stored += 1;
        }
        drop(insert);
        transaction.commit().unwrap();
    }
    f64::from(stored) / since.elapsed().as_secs_f64()
}

/// Starts a server with many rooms; prints the time until a player has made a move in one of them.
async fn recover(folder: &Path) {
    let folder = folder.join("recovered");
    let (journal, _) = Journal::open(&folder, Durability::Process).unwrap();
    let settings = RoomSettings { first: FirstMove::O, ..RoomSettings::default() };
    for slice in 0..KEPT / 1000 {
        let made = (0..1000).map(|place| {
            let number = slice * 1000 + place;
            let (player, name) = (PlayerId(number.into()), "Ada".parse().unwrap());
            let seat = Seat::Human { player, name };
            let seated = Event::Seated { mark: Mark::X, seat };
            let mut entries = vec![Entry::of(&seated, 1, 1, 0)];
            let (room, code) = (i64::from(number) + 1, RoomCode::from_number(number));
            let new = NewRoom { code, settings, origins: Vec::new() };
            seal(new.checksum(room, 0), &mut entries);
            journal.write(Write::Create { room, new, made: 0, entries })
        });
        for stored in futures::future::join_all(made).await {
            stored.unwrap();
        }
    }
    journal.close().await;
    let since = Instant::now();
    let server =
        ServerProcess::start(&["--data-dir", folder.to_str().unwrap(), "--max-rooms", "200000"]);
    let up = since.elapsed();
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let mut visitor = Player::greet(Box::new(stream), "Bob", None, TIMEOUT).await;
    visitor.join(RoomCode::from_number(KEPT / 2), Role::Player).await.unwrap();
    visitor.play(4).await.unwrap();
    let (up, played) = (1e3 * up.as_secs_f64(), 1e3 * since.elapsed().as_secs_f64());
    println!("a server with {KEPT} rooms, after its start:");
    println!("  reachable after   {up:6.0} ms");
    println!("  a move made after {played:6.0} ms");
}
