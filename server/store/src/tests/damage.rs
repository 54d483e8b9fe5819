//! Damage that `verify` finds, and damage that reading refuses.

use std::time::Duration;

use noughts_protocol::{ByMark, GameId};
use rusqlite::Connection;

use super::world::*;
use crate::archive::{ArchiveError, ArchiveReader, HistoryFilter};
use crate::folder::FILE;
use crate::{Change, Counts, DiskError, Reader, SaveError, Sqlite, Store, back_up};

#[tokio::test]
async fn every_damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let party = Change::Live { code: code(2), expected: None, row: Some(party_row(1)) };
    let against_computer = ByMark { o: computer(), ..two() };
    let mut changes = vec![room(1, None, 1), party, ended(4, against_computer, DRAW)];
    changes
        .extend([X_WINS, O_WINS, DRAW].iter().zip(1..).map(|(cells, id)| ended(id, two(), cells)));
    store.save(changes).await.unwrap();
    store.close(Duration::ZERO).await;
    let counts = Counts { rooms: 1, parties: 1, games: 4, seats: 8, rated: 3 };
    assert_eq!(verified(folder.path()), (Vec::new(), counts));
    for damage in [
        "UPDATE live SET state = '{ }' WHERE code = 1",
        "UPDATE live SET v = 2 WHERE code = 1",
        "UPDATE live SET until = until + 1",
        "UPDATE live SET origins = x'' WHERE code = 1",
        "UPDATE live SET party = 5 WHERE code = 1",
        "UPDATE live SET state = '{ }' WHERE code = 2",
        "UPDATE live SET until = 5 WHERE code = 2",
        "UPDATE game SET moves = x'000000000000' WHERE n = 1",
        "UPDATE game SET public = 1 WHERE n = 2",
        "UPDATE game SET x = 2 WHERE n = 2",
        "UPDATE game SET settings = '{}' WHERE n = 2",
        "DELETE FROM game WHERE n = 2",
        "UPDATE seat SET name = 'Eve' WHERE player = 1 AND game = 2",
        "UPDATE seat SET outcome = 2 WHERE game = 3 AND player = 1",
        "UPDATE seat SET board = '4x4x3' WHERE game = 1 AND player = 0",
        "DELETE FROM seat WHERE game = 2 AND player = 1",
        "DELETE FROM seat WHERE game = 4",
        "UPDATE rating SET rating = rating + 1",
        "UPDATE seat SET rated = 0 WHERE game = 3",
    ] {
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(folder.path().join(FILE), copy.path().join(FILE)).unwrap();
        let changed = Connection::open(copy.path().join(FILE)).unwrap();
        assert!(changed.execute(damage, []).unwrap() > 0, "{damage}");
        drop(changed);
        let (told, _) = verified(copy.path());
        assert!(!told.is_empty(), "{damage}");
    }
}

#[tokio::test]
async fn a_seat_that_does_not_fit_is_found_also_when_its_game_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    store.save((1..=3).map(|id| ended(id, two(), X_WINS)).collect()).await.unwrap();
    store.close(Duration::ZERO).await;
    let file = Connection::open(folder.path().join(FILE)).unwrap();
    file.execute_batch("DELETE FROM game; UPDATE meta SET value = 3 WHERE key = 'pruned'").unwrap();
    assert_eq!(verified(folder.path()).0, [""; 0]);
    file.execute_batch("DELETE FROM seat WHERE game = 2 AND mark = 1").unwrap();
    let missing = "game number 2: its seats do not fit each other";
    let unrated = "rated game number 2 makes no sense";
    assert_eq!(verified(folder.path()).0[..2], [missing, unrated]);
}

/// With right checksums: what a bug of the server would write.
#[test]
fn a_game_that_the_rules_do_not_give_is_found() {
    let check = |change: fn(&mut crate::FinishedGame), expected: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        crate::schema::make(&file).unwrap();
        let mut wrong = finished(1, two(), X_WINS);
        change(&mut wrong);
        crate::game::add(&Connection::open(file).unwrap(), &wrong, 0).unwrap();
        let (told, counts) = verified(folder.path());
        assert!(told.len() == 1 && told[0].contains(expected), "{told:?}");
        assert_eq!(counts.games, 0);
    };
    check(|game| game.moves[4] = game.moves[0], "is taken");
    check(|game| game.result = noughts_protocol::GameResult::BoardFull, "result");
    check(|game| game.moves.truncate(4), "result");
    check(
        |game| {
            game.moves.truncate(4);
            game.result = noughts_protocol::GameResult::Repetition;
        },
        "result",
    );
    check(|game| (game.moves, game.times_ms) = (Vec::new(), Vec::new()), "no moves");
}

/// A store with fifty games and a room, of whose table `game` one page is damaged: that of the oldest games,
/// or the first one of all.
async fn with_a_damaged_page(folder: &tempfile::TempDir, oldest: bool) -> Sqlite {
    let (store, _) = open(folder);
    let games = (1..=50).map(|id| ended(id, two(), X_WINS));
    store.save(games.chain([room(1, None, 1)]).collect()).await.unwrap();
    store.close(Duration::ZERO).await;
    let path = folder.path().join(FILE);
    let file = Connection::open(&path).unwrap();
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'game'";
    let root: u32 = file.query_row(sql, [], |row| row.get(0)).unwrap();
    drop(file);
    let mut bytes = std::fs::read(&path).unwrap();
    let (pages, _) = bytes.as_chunks_mut::<2048>();
    let index = |number: u32| usize::try_from(number).unwrap() - 1;
    // The first cell of an inner page begins with the number of the page that has the oldest games.
    let inner = &pages[index(root)];
    let cell = usize::from(u16::from_be_bytes([inner[12], inner[13]]));
    let first = u32::from_be_bytes(*inner[cell..].first_chunk().unwrap());
    pages[index(if oldest { first } else { root })].fill(0xAA);
    std::fs::write(&path, bytes).unwrap();
    open(folder).0
}

/// Fails if games that cannot be deleted are told as moves that cannot be stored, or refuse a move.
#[tokio::test]
async fn damaged_oldest_games_refuse_no_move() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_a_damaged_page(&folder, true).await;
    store.maintain(Duration::from_secs(1), Duration::ZERO);
    let save = vec![room(1, Some(1), 2), ended(51, two(), X_WINS)];
    assert_eq!(store.save(save).await, Ok(()));
    assert!(!store.health().is_failing());
    assert_eq!(store.load(code(1)).await, Ok(Some(room_row(2, "{}"))));
    let (told, _) = verified(folder.path());
    assert!(told[0].contains("Tree "), "{told:?}");
}

/// Fails if the process ends, or if more than the one save is refused.
#[tokio::test]
async fn a_damaged_table_of_games_refuses_the_saves_that_need_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_a_damaged_page(&folder, false).await;
    let refused = store.save(vec![room(1, Some(1), 2), ended(51, two(), X_WINS)]).await;
    assert!(matches!(&refused, Err(SaveError::Refused(DiskError::Damaged(_)))), "{refused:?}");
    assert_eq!(store.save(vec![room(1, Some(1), 2)]).await, Ok(()));
    assert_eq!(store.load(code(1)).await, Ok(Some(room_row(2, "{}"))));
}

#[tokio::test]
async fn a_damaged_row_is_refused_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = open(&folder);
    let games = [X_WINS, O_WINS].iter().zip(1..).map(|(cells, id)| ended(id, two(), cells));
    store.save(games.chain([room(1, None, 1)]).collect()).await.unwrap();
    let other = Connection::open(folder.path().join(FILE)).unwrap();
    other.execute("UPDATE live SET state = '[]'", []).unwrap();
    let damaged = store.load(code(1)).await;
    assert!(matches!(&damaged, Err(DiskError::Damaged(why)) if why.contains("checksum")));
    let reader = ArchiveReader::open(folder.path(), || NOW).unwrap();
    for damage in [
        "UPDATE game SET moves = x'000000000000' WHERE n = 1",
        "UPDATE seat SET name = 'Eve' WHERE player = 1 AND game = 2",
    ] {
        other.execute(damage, []).unwrap();
    }
    for game in [1, 2] {
        let answer = reader.game(GameId(game));
        assert!(matches!(answer, Err(ArchiveError::Disk(DiskError::Damaged(_)))), "{answer:?}");
    }
    let page = reader.history(ADA, &HistoryFilter::default(), None);
    assert!(matches!(page, Err(ArchiveError::Disk(DiskError::Damaged(_)))));
}

#[tokio::test]
async fn a_backup_is_private_starts_a_server_as_the_same_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let (store, found) = open(&folder);
    store.save(vec![room(1, None, 1), ended(1, two(), X_WINS)]).await.unwrap();
    let file = other.path().join(FILE);
    back_up(folder.path(), &file).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 1);
    let mut rooms = 0;
    Reader::open(&file).unwrap().live(|_, row| rooms += usize::from(row.is_ok())).unwrap();
    assert_eq!(rooms, 1, "the file is read as a folder is");
    let before = std::fs::read(&file).unwrap();
    assert!(matches!(back_up(folder.path(), &file), Err(crate::BackupError::Exists(_))));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let (copy, again) = open(&other);
    assert_eq!((again.secret, again.live.len()), (found.secret, 1));
    assert!(copy.archive().ask(|reader| reader.game(GameId(1))).await.is_ok());
}

#[tokio::test]
async fn nothing_is_left_of_a_backup_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup.db");
    let missing = back_up(folder.path(), &file).unwrap_err();
    assert!(missing.to_string().starts_with("there is no noughts.db in "), "{missing}");
    open(&folder).0.close(Duration::ZERO).await;
    // Damage behind the first page, which is read first.
    let database = folder.path().join(FILE);
    let mut bytes = std::fs::read(&database).unwrap();
    bytes[4096..].fill(0xAA);
    std::fs::write(&database, bytes).unwrap();
    let error = back_up(folder.path(), &file).unwrap_err().to_string();
    assert!(error.contains("malformed"), "{error}");
    assert!(!file.exists());
}
