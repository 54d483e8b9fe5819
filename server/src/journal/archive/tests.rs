//! The archive's answers from tables with many rows, and to too many who ask.

use futures::FutureExt;
use noughts_protocol::{
    Cell, ExportFormat, GameId, GameResult, HISTORY_PAGE, LineKind, MAX_SERVER_FRAME, Mark,
    PlayerId, RoomSettings, WinningLine,
};
use rusqlite::{Connection, params};
use tokio::sync::mpsc;

use super::history::HistoryFilter;
use super::reader::{ARCHIVE_QUEUE, Archive, ArchiveError, ArchiveReader, Job};
use super::schema::TABLES;
use crate::journal::error::DiskError;

const ADA: PlayerId = PlayerId(7);

/// An archive of Ada's games on these boards, each with this result; the ids are 1, 2 and so on.
fn archive(boards: &[&str], result: &GameResult) -> ArchiveReader {
    let mut file = Connection::open_in_memory().unwrap();
    file.execute_batch(TABLES).unwrap();
    let all = file.transaction().unwrap();
    all.execute("INSERT INTO player (n, id, name, first, last) VALUES (1, 7, 'Ada', 0, 0)", [])
        .unwrap();
    let result = serde_json::to_string(result).unwrap();
    for (board, n) in boards.iter().zip(1_i64..) {
        let settings = RoomSettings { board: board.parse().unwrap(), ..RoomSettings::default() };
        let settings = serde_json::to_string(&settings).unwrap();
        let sql = "INSERT INTO game VALUES (?1, ?1, 1, ?1, 0, 9, 0, ?2, ?3, 0, 0, 1, NULL, 'Ada', \
                   NULL, NULL, '{}', x'040001000000', ?4, 0, 0, 0)";
        all.execute(sql, params![n, settings, board, result]).unwrap();
        let sql = "INSERT INTO played VALUES (1, ?1, NULL, ?2, 2)";
        all.execute(sql, params![n, board]).unwrap();
    }
    all.commit().unwrap();
    ArchiveReader::of(file, || 0)
}

fn resigned() -> GameResult {
    GameResult::Resignation { winner: Mark::X }
}

#[test]
fn a_page_of_very_long_games_ends_early_and_the_next_goes_on() {
    let line = WinningLine { kind: LineKind::Row { number: 1 }, cells: vec![Cell(360); 19] };
    let long = GameResult::Line { winner: Mark::X, lines: vec![line; 15] };
    let reader = archive(&["3x3x3"; 60], &long);
    let (mut seen, mut before, mut pages) = (Vec::new(), None, 0);
    loop {
        let page = reader.history(ADA, &HistoryFilter::default(), before).unwrap();
        let bytes = serde_json::to_string(&page.games).unwrap().len();
        assert!(bytes < MAX_SERVER_FRAME - 8 * 1024, "{bytes}");
        assert!(page.games.len() < HISTORY_PAGE);
        before = page.games.last().map(|game| game.id);
        seen.extend(page.games.iter().map(|game| game.id.0));
        pages += 1;
        if !page.more {
            break;
        }
    }
    assert!(pages > 2, "{pages}");
    assert!(seen.into_iter().eq((1..=60).rev()));
}

#[test]
fn one_game_of_five_in_a_row_behind_many_others_is_exported_in_a_later_piece() {
    let mut boards = vec!["15x15x5"];
    boards.extend(["3x3x3"; 4_500]);
    let reader = archive(&boards, &resigned());
    let (mut file, mut next, mut empty) = (String::new(), None, 0);
    loop {
        let piece = reader.export(ADA, ExportFormat::Sgf, next).unwrap();
        empty += usize::from(piece.text.is_empty());
        file.push_str(&piece.text);
        next = piece.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!((file.lines().count(), empty), (1, 2));
    assert!(file.contains("SZ[15]"), "{file}");
}

#[test]
fn a_damaged_row_is_an_error_that_names_the_damage() {
    let reader = archive(&["3x3x3"], &resigned());
    assert_eq!(reader.game(GameId(1)).unwrap().game.moves, [Cell(4)]);
    for damage in ["settings = '{'", "first = 2", "moves = x'00'", "result = 'won'", "board = '3'"]
    {
        let reader = archive(&["3x3x3"], &resigned());
        reader.connection().execute(&format!("UPDATE game SET {damage}"), []).unwrap();
        let answer = reader.game(GameId(1));
        let damaged = matches!(answer, Err(ArchiveError::Disk(DiskError::Damaged(_))));
        assert!(damaged, "{damage}: {answer:?}");
    }
}

/// A question that nobody waits for any more.
fn ask_and_go(archive: &Archive) -> Option<Result<(), ArchiveError>> {
    archive.ask(|_| panic!("it is not asked")).now_or_never()
}

#[test]
fn a_full_queue_refuses_at_once_and_dropped_questions_are_not_asked() {
    let (archive, jobs): (_, mpsc::Receiver<Job>) = Archive::new();
    for _ in 0..ARCHIVE_QUEUE {
        assert_eq!(ask_and_go(&archive), None);
    }
    assert_eq!(ask_and_go(&archive), Some(Err(ArchiveError::Busy)));
    drop(archive);
    let reader = ArchiveReader::of(Connection::open_in_memory().unwrap(), || 0);
    assert_eq!(reader.run(jobs).now_or_never(), Some(()));
}
