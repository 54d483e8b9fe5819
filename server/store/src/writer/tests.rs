//! Disks that fail, and files that vanish.

use std::cell::RefCell;
#[cfg(unix)]
use std::fs;
use std::path::Path;

use noughts_protocol::RoomCode;

use super::*;
use crate::change::LiveRow;

thread_local! {
    /// The words with which the process was ended.
    static ENDED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn ended() -> Vec<String> {
    ENDED.take()
}

fn open(folder: &Path, durability: Durability) -> Writer {
    let folder = folder.to_owned();
    let on_unknown = |why: &str| ENDED.with_borrow_mut(|ended| ended.push(why.to_owned()));
    let workers = Workers::Tasks;
    Writer::open(&Options { folder, durability, workers, wall_clock: || 0, on_unknown }).unwrap()
}

/// Saves a new room with this state; `None` if there is no answer.
fn save(writer: &mut Writer, number: u32, state: &str) -> Option<Result<(), SaveError>> {
    let row = LiveRow {
        v: 1,
        state: state.to_owned(),
        until: Some(Duration::ZERO),
        origins: Vec::new(),
        party: None,
        saved_at: None,
    };
    let code = RoomCode::from_number(number);
    let changes = vec![Change::Live { code, expected: None, row: Some(row) }];
    let (reply, mut answer) = oneshot::channel();
    let (_, mut queue) = mpsc::channel(1);
    writer.work(Command::Save(Save { changes, replica: None, reply }), &mut queue);
    answer.try_recv().ok()
}

fn maintain(writer: &mut Writer) {
    let house = House { age: 1, before: 0 };
    writer.work(Command::Maintain(house), &mut mpsc::channel(1).1);
}

fn refused(error: DiskError) -> Option<Result<(), SaveError>> {
    Some(Err(error.into()))
}

#[test]
fn the_durability_sets_whether_a_commit_waits_for_the_disk() {
    for (durability, expected) in [(Durability::Power, 2), (Durability::Process, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let writer = open(folder.path(), durability);
        let synchronous = writer.connection.pragma_query_value(None, "synchronous", |r| r.get(0));
        assert_eq!(synchronous, Ok(expected), "{durability:?}");
    }
}

#[test]
fn a_full_disk_refuses_and_works_again_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = open(folder.path(), Durability::Process);
    let pages = |writer: &Writer, pages: i64| {
        let sql = format!("PRAGMA max_page_count = {pages}");
        writer.connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap();
    };
    pages(&writer, 1);
    let large = "x".repeat(100_000);
    assert_eq!(save(&mut writer, 1, &large), refused(DiskError::Full));
    assert!(writer.health.is_failing());
    pages(&writer, 1 << 30);
    assert_eq!(save(&mut writer, 1, &large), Some(Ok(())));
    assert!(!writer.health.is_failing());
}

#[test]
fn a_read_only_disk_refuses_and_works_again_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = open(folder.path(), Durability::Process);
    writer.connection.pragma_update(None, "query_only", true).unwrap();
    assert_eq!(save(&mut writer, 1, "{}"), refused(DiskError::ReadOnly));
    maintain(&mut writer);
    assert!(writer.health.is_failing(), "housekeeping notices it too");
    writer.connection.pragma_update(None, "query_only", false).unwrap();
    maintain(&mut writer);
    assert!(!writer.health.is_failing());
    assert_eq!(save(&mut writer, 1, "{}"), Some(Ok(())));
    assert_eq!(ended(), [""; 0]);
}

/// Fails if the sender is told "refused", or if anything is stored after it.
#[test]
fn a_commit_of_unknown_outcome_ends_the_process_and_is_never_answered() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = open(folder.path(), Durability::Process);
    // The error of a hook is none of those after which nothing is stored for certain.
    writer.connection.commit_hook(Some(|| true)).unwrap();
    assert_eq!(save(&mut writer, 1, "{}"), None);
    let said = ended();
    assert!(said.len() == 1 && said[0].contains("nobody can know"), "{said:?}");
    writer.connection.commit_hook(None::<fn() -> bool>).unwrap();
    assert_eq!(save(&mut writer, 2, "{}"), None);
    assert_eq!(ended(), [""; 0], "once");
    let none = live::load(&writer.connection, RoomCode::from_number(2));
    assert_eq!(none, Ok(None));
}

#[test]
fn only_a_write_that_failed_is_certain_to_store_nothing() {
    let is_certain = |code| {
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        matches!(failed_commit(error), Failure::Disk(_))
    };
    assert!(is_certain(ffi::SQLITE_FULL) && is_certain(ffi::SQLITE_IOERR_WRITE));
    for code in [ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR, ffi::SQLITE_BUSY, ffi::SQLITE_CORRUPT]
    {
        assert!(!is_certain(code), "{code}");
    }
}

#[cfg(unix)]
#[test]
fn files_that_are_deleted_or_replaced_end_the_process_with_words() {
    let replace = |path: &Path| {
        let copy = path.with_extension("copy");
        fs::copy(path, &copy).unwrap();
        fs::rename(copy, path).unwrap();
    };
    let delete = |path: &Path| fs::remove_file(path).unwrap();
    for change in [&replace as &dyn Fn(&Path), &delete] {
        for name in ["noughts.db", "noughts.db-wal"] {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = open(folder.path(), Durability::Process);
            maintain(&mut writer);
            assert_eq!(ended(), [""; 0]);
            change(&folder.path().join(name));
            maintain(&mut writer);
            let said = ended();
            assert!(
                said.len() == 1 && said[0].contains("was deleted, moved or replaced"),
                "{said:?}"
            );
            assert_eq!(save(&mut writer, 1, "{}"), None);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let mut writer = open(folder.path(), Durability::Process);
    delete(&folder.path().join("lock"));
    maintain(&mut writer);
    assert_eq!((save(&mut writer, 1, "{}"), ended()), (Some(Ok(())), Vec::new()), "made again");
    delete(&folder.path().join("lock"));
    let other = fs::File::create(folder.path().join("lock")).unwrap();
    other.lock().unwrap();
    maintain(&mut writer);
    assert!(ended()[0].contains("another noughts-server uses"));
}

/// Without checkpoints the log grows with each save.
#[test]
fn the_log_is_moved_into_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let threaded = Workers::Threads;
    for workers in [Workers::Tasks, threaded] {
        let folder = folder.path().join(format!("{workers:?}"));
        let mut options = Options::new(folder, Durability::Process, |why| panic!("{why}"));
        options.workers = workers;
        let mut writer = Writer::open(&options).unwrap();
        let state = "x".repeat(40_000);
        for number in 0..2_000 {
            assert_eq!(save(&mut writer, number, &state), Some(Ok(())));
        }
        let log = writer.files.log_bytes();
        assert!(log < 60 << 20, "{workers:?}: {log}");
        assert!(!writer.health.checkpoints_fail());
    }
}
