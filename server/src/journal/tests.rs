//! The journal on a real file, and on a disk that fails when a test tells it to.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_protocol::{
    CloseReason, Event, Mark, PlayerId, RoomCode, RoomSettings, Score, Seat, Series,
};

use super::entry::{Entry, NewRoom, Origin};
use super::environment::wall_clock;
use super::files::FILE;
use super::reader::Reader;
use super::room_log::RoomLog;
use super::startup::Startup;
use super::store::{Disk, Durability, Store};
use super::uptime::ServerRun;
use super::*;

mod archive;
mod checkpoint;
mod recent;
mod room_log;

/// A temporary folder, removed after the test.
#[derive(Debug)]
struct Folder(std::path::PathBuf);

impl Folder {
    fn new() -> Self {
        let name = format!("noughts-journal-{:016x}", rand::random::<u64>());
        Self(std::env::temp_dir().join(name))
    }

    fn open(&self) -> (Journal, Startup) {
        Journal::open(&self.0, Durability::Process).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// The code of [`new_room`].
fn code() -> RoomCode {
    RoomCode::from_number(5)
}

fn new_room() -> NewRoom {
    let origins = vec![
        Origin { player: PlayerId(u64::MAX), id: 7.try_into().unwrap() },
        Origin { player: PlayerId(1), id: 0.try_into().unwrap() },
    ];
    NewRoom { code: code(), settings: RoomSettings::default(), origins }
}

fn events() -> Vec<Event> {
    let seat = Seat::Computer(noughts_protocol::Computer::default());
    let seated = Mark::BOTH.map(|mark| Event::Seated { mark, seat: seat.clone() });
    let score = Score::default();
    let started = Event::GameStarted {
        game: 1,
        first: Mark::X,
        score,
        opening: None,
        series: Series::default(),
    };
    seated.into_iter().chain([started]).collect()
}

fn moved() -> Event {
    let cell = noughts_protocol::Cell(8);
    Event::Moved { game: 1, ply: 0, mark: Mark::X, cell, over: None, opening: None }
}

#[tokio::test]
async fn stored_facts_are_there_after_a_restart() {
    let folder = Folder::new();
    let (journal, startup) = folder.open();
    assert!(startup.rooms.is_empty());
    let room = journal.new_room();
    room.create(new_room(), &events()).await.unwrap();
    room.append(3, &[moved()], None).await.unwrap();
    journal.close().await;
    assert!(room.append(4, &[moved()], None).await.is_err(), "closed is closed");

    let (journal, again) = folder.open();
    assert_eq!(again.secret, startup.secret);
    assert_eq!(again.next_room, room.id() + 1);
    let (code, origins) = (RoomCode::from_number(5).to_string(), new_room().origins);
    let live = startup::LiveRoom { id: room.id(), code, vacant: None, origins, is_table: false };
    assert_eq!(again.rooms, [live]);
    let stored = journal.room(room.id()).load().await.unwrap();
    let state =
        replay::replay(stored.code, stored.settings, &stored.entries, |_, _, _| {}).unwrap();
    assert_eq!((state.v, state.game.unwrap().game.ply()), (4, 1));

    let room = journal.room(room.id());
    room.load().await.unwrap();
    room.append(4, &[Event::Closed { reason: CloseReason::Left }], None).await.unwrap();
    journal.close().await;
    let (journal, last) = folder.open();
    assert!(last.rooms.is_empty(), "a room that ended is not among the live rooms");
    assert_eq!(journal.uptime().current(), 3);
}

#[tokio::test]
async fn old_games_are_forgotten_a_few_rooms_at_a_time() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    for _ in 0..3 {
        let room = journal.new_room();
        room.create(new_room(), &events()).await.unwrap();
        room.append(3, &[moved(), Event::Closed { reason: CloseReason::Left }], None)
            .await
            .unwrap();
    }
    let left = || Reader::open(&folder.0).unwrap().rooms().unwrap().len();
    journal.write(Write::Prune { before: 0, most: 2 }).await.unwrap();
    assert_eq!(left(), 3);
    journal.write(Write::Prune { before: i64::MAX, most: 2 }).await.unwrap();
    assert_eq!(left(), 1);
    let reader = Reader::open(&folder.0).unwrap();
    assert!(reader.room(1).is_err() && reader.room(3).is_ok());
    assert!(reader.integrity_errors().unwrap().is_empty());
}

#[tokio::test]
async fn a_room_that_ends_without_a_move_leaves_nothing() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let closed = Event::Closed { reason: CloseReason::Left };
    let [unplayed, played] = [journal.new_room(), journal.new_room()];
    unplayed.create(new_room(), &events()).await.unwrap();
    played.create(new_room(), &events()).await.unwrap();
    played.append(3, &[moved()], None).await.unwrap();
    for (room, v) in [(&unplayed, 3), (&played, 4)] {
        room.append(v, std::slice::from_ref(&closed), None).await.unwrap();
        // A late write changes nothing.
        room.note_vacant(Some(Duration::ZERO));
    }
    journal.close().await;
    assert_eq!(Reader::open(&folder.0).unwrap().rooms().unwrap(), [played.id()]);
    let file = rusqlite::Connection::open(folder.0.join(FILE)).unwrap();
    let events = "SELECT count(*) FROM event WHERE room = ?1";
    let left: i64 = file.query_row(events, [unplayed.id()], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn the_number_of_a_room_that_was_forgotten_is_not_used_again() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let room = journal.new_room();
    room.create(new_room(), &events()).await.unwrap();
    room.append(3, &[Event::Closed { reason: CloseReason::Left }], None).await.unwrap();
    journal.close().await;
    assert_eq!(folder.open().1.next_room, room.id() + 1);
}

#[tokio::test]
async fn a_folder_in_use_a_newer_file_and_a_broken_one_are_refused() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let second = Journal::open(&folder.0, Durability::Power).unwrap_err().to_string();
    assert!(second.contains("another noughts-server") && second.contains("--data-dir"), "{second}");
    journal.close().await;

    let file = folder.0.join(FILE);
    let newer = rusqlite::Connection::open(&file).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    let newer = Journal::open(&folder.0, Durability::Power).unwrap_err().to_string();
    assert!(newer.contains("99") && newer.contains("update"), "{newer}");

    std::fs::write(&file, "this is a shopping list, and a long one".repeat(100)).unwrap();
    let broken = Journal::open(&folder.0, Durability::Power).unwrap_err().to_string();
    assert!(broken.contains("damaged") && broken.contains("backup"), "{broken}");
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_may_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let _journal = folder.open();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder.0), 0o700);
    for file in ["journal.db", "journal.db-wal", "journal.db-shm", "lock"] {
        assert_eq!(mode(&folder.0.join(file)), 0o600, "{file}");
    }
}

/// Fails while `fails` is set.
#[derive(Debug)]
struct Flaky {
    store: Store,
    fails: Arc<AtomicBool>,
}

impl Disk for Flaky {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(DiskError::Full);
        }
        self.store.commit(writes)
    }
}

#[tokio::test]
async fn a_failed_write_stores_nothing_and_the_next_one_tries_again() {
    let folder = Folder::new();
    let fails = Arc::new(AtomicBool::new(false));
    let flaky = |store| -> Box<dyn Disk> { Box::new(Flaky { store, fails: Arc::clone(&fails) }) };
    let (journal, _) =
        Journal::open_on(&folder.0, Durability::Process, Environment::REAL, flaky).unwrap();
    let room = journal.new_room();
    room.create(new_room(), &events()).await.unwrap();
    fails.store(true, Ordering::Relaxed);
    assert_eq!(room.append(3, [moved()], None).await, Err(DiskError::Full));
    assert!(journal.is_failing());
    assert_eq!(room.load().await.unwrap().entries.len(), 3);
    fails.store(false, Ordering::Relaxed);
    room.append(3, [moved()], None).await.unwrap();
    assert!(!journal.is_failing());
    assert_eq!(room.load().await.unwrap().entries.len(), 4);
}

#[tokio::test]
async fn an_entry_that_cannot_be_stored_fails_alone() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let (one, other) = (journal.new_room(), journal.new_room());
    one.create(new_room(), &events()).await.unwrap();
    let new = NewRoom { code: RoomCode::from_number(6), ..new_room() };
    other.create(new, &events()).await.unwrap();
    // Two tasks have the same room: the second one is late. Both writes are in one commit or in two.
    let late = journal.room(one.id());
    late.load().await.unwrap();
    one.append(3, [moved()], None).await.unwrap();
    let (bad, good) =
        tokio::join!(late.append(3, [moved()], None), other.append(3, [moved()], None));
    assert!(matches!(bad, Err(DiskError::Refused(_))), "{bad:?}");
    good.unwrap();
}

#[test]
fn a_run_that_is_over_has_an_end() {
    let folder = Folder::new();
    drop(Store::open(&folder.0, Durability::Process, wall_clock()).unwrap());
    let (mut store, _) = Store::open(&folder.0, Durability::Process, wall_clock()).unwrap();
    store.commit(&[Write::Alive { at: wall_clock(), age: 0 }]).unwrap();
    drop(store);
    let (_, startup) = Store::open(&folder.0, Durability::Process, wall_clock()).unwrap();
    assert_eq!(startup.uptime.current(), 3);
    let ServerRun { started, .. } = ServerRun { id: 1, started: wall_clock(), alive: 0 };
    assert!(startup.uptime.since(1, 0) <= Duration::from_millis(started.cast_unsigned()));
}

/// Does the journal's housekeeping and waits until it is done.
async fn maintain(journal: &Journal, keep: Duration) {
    journal.maintain(keep);
    // The housekeeping is done when the second of these writes is.
    for _ in 0..2 {
        journal.write(Write::Vacant { room: 1, run: 1, since: None }).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn games_are_kept_for_running_time_of_the_server() {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let room = journal.new_room();
    room.create(new_room(), &events()).await.unwrap();
    room.append(3, &[moved(), Event::Closed { reason: CloseReason::Left }], None).await.unwrap();
    tokio::time::advance(YEAR / 2).await;
    maintain(&journal, YEAR).await;
    journal.close().await;

    // The clock is set two years ahead, and back.
    let ahead = || wall_clock() + 2 * 365 * 24 * 3_600_000;
    for clock in [ahead, wall_clock] {
        let environment = Environment { wall_clock: clock, ..Environment::REAL };
        let open = Journal::open_on(&folder.0, Durability::Process, environment, |s| Box::new(s));
        let (journal, _) = open.unwrap();
        maintain(&journal, YEAR).await;
        assert_eq!(Reader::open(&folder.0).unwrap().rooms().unwrap(), [1]);
        journal.close().await;
    }
    let (journal, _) = folder.open();
    tokio::time::advance(YEAR / 2 + Duration::from_secs(1)).await;
    maintain(&journal, YEAR).await;
    assert_eq!(Reader::open(&folder.0).unwrap().rooms().unwrap(), [0; 0]);
    journal.close().await;
}

#[tokio::test]
async fn a_fact_that_is_missing_or_another_is_found() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    for number in 0..3 {
        let room = journal.new_room();
        let new = NewRoom { code: RoomCode::from_number(number), ..new_room() };
        room.create(new, &events()).await.unwrap();
        for v in 3..6 {
            room.append(v, &[moved()], None).await.unwrap();
        }
        assert_eq!(room.load().await.unwrap().broken, None);
    }
    journal.close().await;
    let file = rusqlite::Connection::open(folder.0.join(FILE)).unwrap();
    file.execute_batch(
        "DELETE FROM event WHERE room = 1 AND v = 5;
         UPDATE event SET cell = 7 WHERE room = 2 AND v = 4;",
    )
    .unwrap();
    drop(file);
    let (journal, _) = folder.open();
    let mut loaded = Vec::new();
    for room in 1..=3 {
        let room = journal.room(room).load().await.unwrap();
        loaded.push((room.broken, room.entries.len()));
    }
    assert_eq!(loaded, [(Some(6), 4), (Some(4), 3), (None, 6)]);
    journal.close().await;
}

#[tokio::test]
async fn a_commit_in_doubt_is_resolved_by_the_next() {
    #[derive(Debug)]
    struct InDoubtDisk(Store, Arc<AtomicBool>);
    impl Disk for InDoubtDisk {
        fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
            if self.1.load(Ordering::Relaxed) {
                return Err(DiskError::Unknown("fsync".to_owned()));
            }
            self.0.commit(writes)
        }
        fn resolve(&mut self) -> Result<(), DiskError> {
            if self.1.load(Ordering::Relaxed) { Err(DiskError::Full) } else { self.0.resolve() }
        }
    }
    let (folder, fails) = (Folder::new(), Arc::new(AtomicBool::new(false)));
    let unsure = |store| -> Box<dyn Disk> { Box::new(InDoubtDisk(store, Arc::clone(&fails))) };
    let opened = Journal::open_on(&folder.0, Durability::Power, Environment::REAL, unsure);
    let (journal, _) = opened.unwrap();
    let room = journal.new_room();
    room.create(new_room(), &events()).await.unwrap();
    fails.store(true, Ordering::Relaxed);
    for _ in 0..2 {
        let told = room.append(3, [moved()], None).await;
        assert!(matches!(told, Err(DiskError::Unknown(_))), "{told:?}");
        assert!(journal.is_in_doubt());
    }
    fails.store(false, Ordering::Relaxed);
    room.append(3, [moved()], None).await.unwrap();
    assert!(!journal.is_in_doubt());
    assert_eq!(room.load().await.unwrap().entries.len(), 4);
    journal.close().await;
}

/// A write of this many bytes.
fn large(room: i64, v: u64, bytes: usize) -> Write {
    let payload = entry::Payload::Fact("x".repeat(bytes));
    Write::Append {
        room,
        entries: vec![Entry { v, run: 1, at: 0, payload, crc: 0 }],
        kept: None,
        ended: None,
    }
}
