//! The rate at which moves are stored, beside SQLite alone on the same disk with the same batches, and
//! the recovery of a server with 100,000 rooms. Prints two tables;
//! `cargo bench --profile dist -p noughts-tests --bench journal [FOLDER]`, where FOLDER is on the disk to measure.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

use std::path::Path;
use std::time::{Duration, Instant};

use noughts_harness::{Player, ServerProcess, TIMEOUT};
use noughts_protocol::settings::FirstMove;
use noughts_protocol::{Event, Mark, PlayerId, Role, RoomCode, RoomSettings, Seat};
use noughts_server::journal::Journal;
use noughts_server::journal::checksum::seal;
use noughts_server::journal::entry::{Entry, NewRoom, Payload};
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
    let folder = args.iter().find(|arg| !arg.starts_with('-'));
    let folder = match folder {
        Some(folder) => tempfile::tempdir_in(folder).unwrap(),
        None => tempfile::tempdir().unwrap(),
    };
    println!("moves stored a second:");
    println!("  durability  rooms    journal  a commit     SQLite  a commit   share");
    for (name, durability) in [("power", Durability::Power), ("process", Durability::Process)] {
        for rooms in [16, 128, 1024] {
            compare(folder.path(), name, durability, rooms).await;
        }
    }
    recover(folder.path()).await;
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
