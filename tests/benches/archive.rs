//! Questions to an archive of 100,000 games, all of them one player's, beside the bare query in SQLite in
//! the same run. Prints a table; `cargo bench -p noughts-tests --bench archive [FOLDER]`.

#![expect(clippy::unwrap_used, reason = "in a measurement a failure is the end of it")]

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use noughts_protocol::{
    BoardClass, BoardSpec, Computer, ExportFormat, GameId, GameResult, Mark, OpponentFilter,
    Outcome, Period, PlayerId, RoomSettings,
};
use noughts_server::journal::Journal;
use noughts_server::journal::archive::history::HistoryFilter;
use noughts_server::journal::archive::reader::{ArchiveError, ArchiveReader};
use noughts_server::journal::store::Durability;
use rusqlite::{Connection, params};

/// The games, and the people against whom Ada played them.
const GAMES: i64 = 100_000;
const PEOPLE: i64 = 1_000;
/// How often each question is asked.
const TIMES: usize = 200;
/// Ada's number and id.
const ADA: i64 = 1;

/// A question by its name, and the same in SQL.
type Question = (&'static str, fn(&ArchiveReader) -> Result<(), ArchiveError>, &'static str);

const HISTORY: &str = "SELECT g.* FROM played p JOIN game g ON g.n = p.game WHERE p.player = 1";

const QUESTIONS: &[Question] = &[
    ("history", |a| history(a, NONE, None), ""),
    ("  the last page", |a| history(a, NONE, Some(GameId(40))), "p.game < 40"),
    (
        "  against computers",
        |a| history(a, opponent(OpponentFilter::Computer), None),
        "p.opponent IS NULL",
    ),
    (
        "  against people",
        |a| history(a, opponent(OpponentFilter::Human), None),
        "p.opponent IS NOT NULL",
    ),
    (
        "  against one of 1,000",
        |a| history(a, opponent(OpponentFilter::Player(PlayerId(500))), None),
        "p.opponent = 500",
    ),
    (
        "  against one, long ago",
        |a| history(a, opponent(OpponentFilter::Player(PlayerId(1_002))), None),
        "p.opponent = 1002",
    ),
    ("  on a common board", |a| history(a, board("3x3x3"), None), "p.board = '3x3x3'"),
    ("  on a board of long ago", |a| history(a, board("9x9x4"), None), "p.board = '9x9x4'"),
    ("  won", |a| history(a, outcome(Outcome::Won), None), "p.outcome = 2"),
    ("  drawn, long ago", |a| history(a, outcome(Outcome::Drawn), None), "p.outcome = 1"),
    (
        "  all three, none",
        |a| history(a, all_three(), None),
        "p.opponent IS NULL AND p.board = '3x3x3' AND p.outcome = 1",
    ),
    ("game", |a| a.game(GameId(50_000)).map(drop), "SELECT * FROM game WHERE id = 50000"),
    (
        "own profile",
        |a| a.profile(PlayerId(1), PlayerId(1), true).map(drop),
        "SELECT * FROM player, tally_board t WHERE id = 1 AND t.player = n",
    ),
    (
        "another's profile",
        |a| a.profile(PlayerId(1), PlayerId(500), true).map(drop),
        "SELECT * FROM player, tally_board t WHERE id = 1 AND t.player = n",
    ),
    (
        "leaderboard, tonight",
        |a| a.leaderboard(BoardClass::Three, Period::Tonight).map(drop),
        TONIGHT,
    ),
    ("leaderboard, ever", |a| a.leaderboard(BoardClass::Three, Period::Ever).map(drop), EVER),
    (
        "export, JSON lines",
        |a| export(a, ExportFormat::JsonLines),
        "SELECT g.* FROM played p JOIN game g ON g.n = p.game WHERE p.player = 1 ORDER BY p.game DESC LIMIT 60",
    ),
    (
        "export, SGF",
        |a| export(a, ExportFormat::Sgf),
        "SELECT g.* FROM played p JOIN game g ON g.n = p.game WHERE p.player = 1 AND p.board = '15x15x5' ORDER BY p.game DESC LIMIT 60",
    ),
];

const TONIGHT: &str = "SELECT x, count(*) FROM rated WHERE class = 3 AND at > unixepoch() * 1000 - 43200000 GROUP BY x";
const EVER: &str = "SELECT * FROM rating WHERE class = 3 ORDER BY rating DESC LIMIT 50";

const NONE: HistoryFilter = HistoryFilter { opponent: None, board: None, outcome: None };

fn opponent(opponent: OpponentFilter) -> HistoryFilter {
    HistoryFilter { opponent: Some(opponent), ..NONE }
}

fn board(board: &str) -> HistoryFilter {
    HistoryFilter { board: Some(board.parse().unwrap()), ..NONE }
}

fn outcome(outcome: Outcome) -> HistoryFilter {
    HistoryFilter { outcome: Some(outcome), ..NONE }
}

fn all_three() -> HistoryFilter {
    let board = Some(BoardSpec::TIC_TAC_TOE);
    let (opponent, outcome) = (Some(OpponentFilter::Computer), Some(Outcome::Drawn));
    HistoryFilter { opponent, board, outcome }
}

fn history(
    archive: &ArchiveReader,
    filter: HistoryFilter,
    before: Option<GameId>,
) -> Result<(), ArchiveError> {
    archive.history(PlayerId(1), &filter, before).map(drop)
}

fn export(archive: &ArchiveReader, format: ExportFormat) -> Result<(), ArchiveError> {
    archive.export(PlayerId(1), format, None).map(drop)
}

fn main() {
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
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (journal, _) = Journal::open(folder.path(), Durability::Process).unwrap();
        journal.close().await;
    });
    let since = Instant::now();
    let file = folder.path().join("journal.db");
    fill(&mut Connection::open(&file).unwrap());
    let bytes = std::fs::metadata(&file).unwrap().len();
    println!("{GAMES} games in {:.1} s, {} MiB", since.elapsed().as_secs_f64(), bytes >> 20);
    println!("                              noughts            bare SQLite");
    println!("                          median       most    median       most");
    let plain = Connection::open(&file).unwrap();
    let archive = ArchiveReader::open(folder.path(), clock).unwrap();
    for (name, question, sql) in QUESTIONS {
        let sql = match *sql {
            "" => format!("{HISTORY} ORDER BY p.game DESC LIMIT 50"),
            sql if sql.starts_with("SELECT") => sql.to_owned(),
            condition => format!("{HISTORY} AND {condition} ORDER BY p.game DESC LIMIT 50"),
        };
        let (ours, most) = measure(|| question(&archive).unwrap());
        let (bare, bare_most) = measure(|| run(&plain, &sql));
        println!("  {name:22}{ours:7.2} ms {most:7.2} ms{bare:7.2} ms {bare_most:7.2} ms");
    }
}

/// The median and the longest time of a question, in milliseconds.
fn measure(ask: impl Fn()) -> (f64, f64) {
    let mut times: Vec<Duration> = (0..TIMES)
        .map(|_| {
            let since = Instant::now();
            ask();
            since.elapsed()
        })
        .collect();
    times.sort();
    let ms = |at: usize| times[at].as_secs_f64() * 1e3;
    (ms(TIMES / 2), ms(TIMES - 1))
}

/// Reads every column of every row.
fn run(plain: &Connection, sql: &str) {
    let mut select = plain.prepare_cached(sql).unwrap();
    let columns = select.column_count();
    let mut rows = select.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        for column in 0..columns {
            std::hint::black_box(row.get_ref(column).unwrap());
        }
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    since.as_millis() as i64
}

/// A clock that goes six seconds further each time, because a leaderboard is kept for five.
fn clock() -> i64 {
    static TIMES_READ: AtomicI64 = AtomicI64::new(0);
    now() + 6_000 * TIMES_READ.fetch_add(1, Ordering::Relaxed)
}

/// Fills the archive: the game number `n` has the id `n`, and the person number `n` too.
fn fill(file: &mut Connection) {
    let start = now() - GAMES * 1_000;
    let all = file.transaction().unwrap();
    let person = "INSERT INTO player (n, id, name, first, last) VALUES (?1, ?1, ?2, ?3, ?3)";
    for n in 1..=PEOPLE + 2 {
        all.prepare_cached(person)
            .unwrap()
            .execute(params![n, format!("Person {n}"), start])
            .unwrap();
    }
    for n in 1..=GAMES {
        game(&all, n, start + n * 1_000);
    }
    for (table, column) in [("tally_board", "board"), ("tally_opponent", "opponent")] {
        let sql = format!(
            "INSERT INTO {table} SELECT player, {column}, sum(outcome = 2), sum(outcome = 0), \
             sum(outcome = 1) FROM played WHERE {column} IS NOT NULL GROUP BY player, {column}"
        );
        all.execute_batch(&sql).unwrap();
    }
    let rating = "INSERT INTO rating SELECT n, 3, 1500 + n % 700, 60, 0.06, 50, ?1 FROM player";
    all.execute(rating, [start]).unwrap();
    all.commit().unwrap();
}

/// A game of Ada's. Half of them are against computers; two kinds are found in the oldest games
/// alone.
fn game(all: &Connection, n: i64, ended: i64) {
    let (is_old, random) = (n <= 60, (n * 7_919) % 10_007);
    let opponent = (random % 2 == 0).then(|| if is_old { PEOPLE + 2 } else { 2 + random % PEOPLE });
    let (board, marks) = match (is_old, random % 5) {
        (true, _) => ("9x9x4", 30_u16),
        (_, 0) => ("15x15x5", 60),
        (_, 1) => ("5x5x4", 15),
        _ => ("3x3x3", 7),
    };
    let outcome = if is_old { 1 } else { i64::from(random % 3 != 0) * 2 };
    let winner = if outcome == 2 { Mark::X } else { Mark::O };
    let result = serde_json::to_string(&GameResult::Resignation { winner }).unwrap();
    let settings = RoomSettings { board: board.parse().unwrap(), ..RoomSettings::default() };
    let settings = serde_json::to_string(&settings).unwrap();
    let computer = opponent.is_none().then(|| serde_json::to_string(&Computer::default()).unwrap());
    let moves: Vec<u8> = (0..marks)
        .flat_map(|at| at.to_le_bytes().into_iter().chain((u32::from(at) * 900).to_le_bytes()))
        .collect();
    let sql = "INSERT INTO game (n, id, room, number, started, ended, ended_age, settings, board, \
               first, opening, x, o, x_name, o_name, x_computer, o_computer, moves, result, rated, \
               public, crc) VALUES (?1, ?1, ?1, 1, ?2, ?2, 0, ?3, ?4, 0, 0, 1, ?5, 'Person 1', ?6, \
               NULL, ?7, ?8, ?9, 0, 0, 0)";
    let name = opponent.map(|n| format!("Person {n}"));
    let row = params![n, ended, settings, board, opponent, name, computer, moves, result];
    all.prepare_cached(sql).unwrap().execute(row).unwrap();
    let played = "INSERT INTO played VALUES (?1, ?2, ?3, ?4, ?5)";
    all.prepare_cached(played).unwrap().execute(params![ADA, n, opponent, board, outcome]).unwrap();
    if let Some(opponent) = opponent {
        let theirs = params![opponent, n, ADA, board, 2 - outcome];
        all.prepare_cached(played).unwrap().execute(theirs).unwrap();
        let rated = "INSERT INTO rated VALUES (?1, 3, 1, ?2, ?3, ?4)";
        let row = params![n, opponent, outcome, ended];
        all.prepare_cached(rated).unwrap().execute(row).unwrap();
    }
}
