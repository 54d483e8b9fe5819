//! Tests of what moves the write-ahead log into the file.

use super::*;

#[tokio::test]
async fn the_file_holds_what_is_old_and_the_log_what_is_new() {
    let (folder, copy) = (Folder::new(), Folder::new());
    let (journal, _) = folder.open();
    journal.new_room().create(new_room(), &events()).await.unwrap();
    maintain(&journal, Duration::MAX).await;
    let moved = async {
        while journal.log_bytes() == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), moved).await.unwrap();
    // The copy has no log.
    std::fs::create_dir(&copy.0).unwrap();
    std::fs::copy(folder.0.join(FILE), copy.0.join(FILE)).unwrap();
    assert_eq!(Reader::open(&copy.0).unwrap().rooms().unwrap(), [1]);
    journal.close().await;
}

#[test]
fn a_log_that_a_reader_holds_is_a_failure_and_shrinks_when_the_reader_has_gone() {
    let folder = Folder::new();
    let (mut store, _) = Store::open(&folder.0, Durability::Process, wall_clock()).unwrap();
    let log = || std::fs::metadata(folder.0.join("journal.db-wal")).unwrap().len();
    let reading = rusqlite::Connection::open(folder.0.join(FILE)).unwrap();
    reading.execute_batch("BEGIN; SELECT count(*) FROM event").unwrap();
    for v in 1..=17 {
        store.commit(&[large(1, v, 4 << 20)]).unwrap();
    }
    let grown = log();
    assert!(grown > 64 << 20, "{grown}");
    let (outcome, bytes) = store.checkpoint();
    assert_eq!((outcome, bytes), (Err(DiskError::LogHeld), grown));
    drop(reading);
    assert_eq!(store.checkpoint(), (Ok(()), 0));
    assert_eq!(log(), 0);
    store.commit(&[large(1, 18, 10)]).unwrap();
    assert!(log() > 0);
}
