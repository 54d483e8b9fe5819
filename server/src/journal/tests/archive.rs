//! The archive after games, deleted games and forgotten people.

use noughts_protocol::{
    BoardClass, BoardSpec, ByMark, Cell, CloseReason, GameId, Mark, PlayerId, PlayerName,
    RoomState, Seat,
};
use rusqlite::Connection;

use super::*;
use crate::journal::archive::ended_game::{EndedGame, own_name};
use crate::journal::archive::ratings::standing::AskedGame;
use crate::journal::entry::Payload;

const ADA: PlayerId = PlayerId(0xada);
const BOB: PlayerId = PlayerId(u64::MAX);

/// A room of the file in which people play.
struct Table {
    log: RoomJournal,
    state: RoomState,
    /// The number of games so far in all tables, as ids.
    games: u64,
}

fn person(player: PlayerId, name: &str) -> Seat {
    Seat::Human { player, name: name.parse().unwrap() }
}

impl Table {
    async fn open(journal: &Journal, number: u32, seats: ByMark<Seat>) -> Self {
        let makers = [ADA, BOB].map(|player| Origin { player, id: 1.try_into().unwrap() });
        let code = RoomCode::from_number(number);
        let new = NewRoom { code, settings: RoomSettings::default(), origins: makers.to_vec() };
        let mut state = RoomState::new(code, RoomSettings::default());
        let facts = Mark::BOTH.map(|mark| Event::Seated { mark, seat: seats[mark].clone() });
        facts.iter().for_each(|fact| state.advance(fact));
        let log = journal.new_room();
        log.create(new, &facts[..]).await.unwrap();
        Self { log, state, games: u64::from(number) << 32 }
    }

    async fn append(&mut self, fact: Event, kept: Option<EndedGame>) {
        self.log.append(self.state.v, [fact.clone()], kept.map(Box::new)).await.unwrap();
        self.state.advance(&fact);
    }

    /// A game on these cells, which end it.
    async fn play(&mut self, cells: &[u16]) -> GameId {
        let game = self.state.game.as_ref().map_or(1, |last| last.number + 1);
        let series = Series::default();
        let score = self.state.score;
        let started = Event::GameStarted { game, first: Mark::X, score, opening: None, series };
        self.append(started, None).await;
        self.games += 1;
        let id = GameId(self.games);
        for cell in cells {
            let running = self.state.running().unwrap();
            let (ply, mark) = (running.game.ply(), running.game.to_move());
            let chosen = noughts_protocol::Move { ply, mark, cell: Cell(*cell) };
            let result = running.decide(chosen).unwrap().result;
            let over = result.map(|result| {
                let score = self.state.score.with(&result);
                noughts_protocol::GameEnd { result, score, id: Some(id) }
            });
            let is_over = over.is_some();
            let fact = Event::Moved { game, ply, mark, cell: Cell(*cell), over, opening: None };
            let mut after = self.state.clone();
            after.advance(&fact);
            let kept = EndedGame::of(&after, id, 0, true);
            assert_eq!(kept.is_some(), is_over);
            self.append(fact, kept).await;
        }
        id
    }

    async fn close(&mut self) {
        self.append(Event::Closed { reason: CloseReason::Left }, None).await;
    }
}

const X_WINS: &[u16] = &[0, 3, 1, 4, 2];
const O_WINS: &[u16] = &[0, 3, 1, 4, 8, 5];
const DRAW: &[u16] = &[0, 1, 2, 4, 3, 5, 7, 6, 8];

fn two() -> ByMark<Seat> {
    ByMark { x: person(ADA, "Ada"), o: person(BOB, "Bob") }
}

fn file(folder: &Folder) -> Connection {
    Connection::open(folder.0.join(FILE)).unwrap()
}

/// The rows of a query, each as a text.
fn rows(folder: &Folder, sql: &str) -> Vec<String> {
    let file = file(folder);
    let mut select = file.prepare(sql).unwrap();
    let columns = select.column_count();
    let rows = select.query_map([], |row| {
        let cell = |at| {
            Ok(match row.get_ref(at)? {
                rusqlite::types::ValueRef::Null => "-".to_owned(),
                rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                other => other.as_str().unwrap_or("?").to_owned(),
            })
        };
        (0..columns).map(cell).collect::<rusqlite::Result<Vec<_>>>().map(|row| row.join(" "))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

/// The output of `verify`.
fn contradictions(folder: &Folder) -> Vec<String> {
    let reader = Reader::open(&folder.0).unwrap();
    let mut all = Vec::new();
    for room in reader.rooms().unwrap() {
        all.extend(reader.contradictions_of_room(room).unwrap());
    }
    reader.check_archive(|why| all.push(why.to_owned())).unwrap();
    all.extend(reader.ratings().unwrap().contradictions);
    all
}

#[tokio::test]
async fn a_game_is_kept_and_counted_with_its_last_fact() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let mut table = Table::open(&journal, 1, two()).await;
    for cells in [X_WINS, X_WINS, DRAW, O_WINS, X_WINS] {
        table.play(cells).await;
    }
    let computer = Seat::Computer(noughts_protocol::Computer::default());
    let seats = ByMark { x: computer.clone(), o: person(ADA, "Adele") };
    Table::open(&journal, 2, seats).await.play(O_WINS).await;
    let alone = ByMark { x: person(ADA, "Adele"), o: person(ADA, "Adele") };
    Table::open(&journal, 3, alone).await.play(X_WINS).await;
    let computers = ByMark { x: computer.clone(), o: computer };
    Table::open(&journal, 4, computers).await.play(X_WINS).await;
    let people = rows(&folder, "SELECT n, name, streak, best FROM player WHERE n > 0 ORDER BY n");
    assert_eq!(people, ["1 Adele 2 2", "2 Bob 0 1"]);
    let sql = "SELECT player, board, wins, losses, draws FROM tally_board ORDER BY player";
    assert_eq!(rows(&folder, sql), ["1 3x3x3 4 1 1", "2 3x3x3 1 3 1"]);
    let sql = "SELECT player, opponent, wins, losses, draws FROM tally_opponent ORDER BY player";
    assert_eq!(rows(&folder, sql), ["1 2 3 1 1", "2 1 1 3 1"]);
    let sql = "SELECT player, wins, losses, draws FROM tally_computer";
    assert_eq!(rows(&folder, sql), ["1 1 0 0"]);
    let sql = "SELECT game, opponent, outcome FROM played WHERE player = 1 ORDER BY game DESC";
    assert_eq!(rows(&folder, sql)[..3], ["7 - -", "6 - 2", "5 2 2"]);
    let sql = "SELECT n, rated, length(moves) FROM game ORDER BY n DESC";
    let all = ["8 0 30", "7 0 30", "6 0 36", "5 1 30", "4 1 36", "3 1 54", "2 1 30", "1 1 30"];
    assert_eq!(rows(&folder, sql), all);
    assert_eq!(contradictions(&folder), [""; 0]);
    journal.close().await;
}

#[tokio::test]
async fn every_damage_of_the_archive_is_found() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let mut table = Table::open(&journal, 1, two()).await;
    for cells in [X_WINS, O_WINS, DRAW] {
        table.play(cells).await;
    }
    journal.close().await;
    for damage in [
        "UPDATE game SET x_name = 'Eve' WHERE n = 1",
        "UPDATE game SET moves = x'000000000000' WHERE n = 1",
        "UPDATE game SET public = 0 WHERE n = 2",
        "UPDATE game SET o = 1 WHERE n = 2",
        "DELETE FROM game WHERE n = 2",
        "DELETE FROM played WHERE game = 2 AND player = 1",
        "INSERT INTO played VALUES (1, 7, 2, '3x3x3', 2)",
        "UPDATE played SET outcome = 2 WHERE game = 3",
        "UPDATE tally_board SET wins = wins + 1 WHERE player = 2",
        "DELETE FROM tally_opponent WHERE player = 2",
        "UPDATE player SET best = 7 WHERE n = 2",
        "UPDATE rating SET rating = rating + 1",
        "UPDATE event SET at = at + 1 WHERE v = 4",
    ] {
        let (copy, file) = (Folder::new(), folder.0.join(FILE));
        std::fs::create_dir(&copy.0).unwrap();
        std::fs::copy(&file, copy.0.join(FILE)).unwrap();
        let changed = Connection::open(copy.0.join(FILE)).unwrap();
        assert!(changed.execute(damage, []).unwrap() > 0, "{damage}");
        drop(changed);
        let room = Reader::open(&copy.0).unwrap().room(1).unwrap();
        let is_found = !contradictions(&copy).is_empty() || room.broken.is_some();
        assert!(is_found, "{damage}");
    }
    assert_eq!(contradictions(&folder), [""; 0]);
}

#[tokio::test]
async fn old_games_are_deleted_and_what_is_counted_stays() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let mut table = Table::open(&journal, 1, two()).await;
    for _ in 0..20 {
        table.play(X_WINS).await;
    }
    let kept = || rows(&folder, "SELECT count(*), min(n) FROM game");
    journal.write(Write::Prune { before: 0, most: 1 }).await.unwrap();
    assert_eq!(kept(), ["20 1"]);
    journal.write(Write::Prune { before: i64::MAX, most: 1 }).await.unwrap();
    assert_eq!(kept(), ["12 9"], "a few at a time, the oldest first");
    assert_eq!(rows(&folder, "SELECT count(*) FROM played"), ["24"]);
    assert_eq!(rows(&folder, "SELECT wins FROM tally_board WHERE player = 1"), ["20"]);
    assert_eq!(contradictions(&folder), [""; 0], "the room is still there");
    for _ in 0..2 {
        journal.write(Write::Prune { before: i64::MAX, most: 1 }).await.unwrap();
    }
    assert_eq!(kept(), ["0 -"]);
    table.play(O_WINS).await;
    assert_eq!(kept(), ["1 21"], "no number is used again");
    assert_eq!(contradictions(&folder), [""; 0]);
    journal.close().await;
}

#[tokio::test]
async fn a_forgotten_person_is_somebody_everywhere() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let (mut over, mut live) =
        (Table::open(&journal, 1, two()).await, Table::open(&journal, 2, two()).await);
    for _ in 0..10 {
        over.play(X_WINS).await;
    }
    live.play(O_WINS).await;
    over.close().await;
    journal.forget(ADA).await.unwrap();
    journal.forget(ADA).await.unwrap();
    assert!(journal.is_forgotten(ADA) && !journal.is_forgotten(BOB));
    let known = "SELECT count(*) FROM (SELECT player FROM tally_board UNION ALL \
                 SELECT player FROM tally_opponent UNION ALL SELECT player FROM rating) \
                 WHERE player = 1";
    assert_eq!(rows(&folder, known), ["0"], "at once");
    assert_eq!(contradictions(&folder), [""; 0], "before the name is removed");
    // A game that goes on is kept, and is not rated.
    live.play(X_WINS).await;
    let sql = "SELECT x, o, x_name, o_name, rated FROM game ORDER BY n DESC LIMIT 1";
    assert_eq!(rows(&folder, sql), ["0 2 - Bob 0"]);
    let named = "SELECT count(*) FROM game WHERE x_name = 'Ada'";
    journal.write(Write::Scrub { most: 1 }).await.unwrap();
    assert_eq!(rows(&folder, named), ["3"], "a few at a time");
    assert_eq!(contradictions(&folder), [""; 0], "in between");
    for _ in 0..3 {
        journal.write(Write::Scrub { most: 1 }).await.unwrap();
    }
    assert_eq!(rows(&folder, named), ["0"]);
    let facts = |room| {
        let stored = Reader::open(&folder.0).unwrap().room(room).unwrap();
        let names =
            |entry: &&Entry| matches!(&entry.payload, Payload::Fact(json) if json.contains("Ada"));
        stored.entries.iter().filter(names).count()
    };
    assert_eq!((facts(1), facts(2)), (0, 1));
    live.close().await;
    assert_eq!(facts(2), 0, "with its end");
    let makers = "SELECT count(*) FROM room WHERE maker = 2778 OR guest = 2778";
    assert_eq!(rows(&folder, makers), ["0"]);
    assert_eq!(contradictions(&folder), [""; 0]);
    for room in [1, 2] {
        assert_eq!(journal.room(room).load().await.unwrap().broken, None, "sealed again");
    }
    journal.close().await;
    assert!(folder.open().0.is_forgotten(ADA), "after a restart too");
}

#[tokio::test]
async fn rooms_that_were_looked_through_come_again_for_the_next_person() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    for number in 0..4 {
        let mut table = Table::open(&journal, number, two()).await;
        table.play(X_WINS).await;
        table.close().await;
    }
    journal.forget(ADA).await.unwrap();
    journal.write(Write::Scrub { most: 3 }).await.unwrap();
    journal.forget(BOB).await.unwrap();
    for _ in 0..4 {
        journal.write(Write::Scrub { most: 3 }).await.unwrap();
    }
    let named = "SELECT count(*) FROM event WHERE fact LIKE '%Ada%' OR fact LIKE '%Bob%'";
    assert_eq!(rows(&folder, named), ["0"]);
    assert_eq!(rows(&folder, "SELECT next > last FROM sweep"), ["1"], "the work is done");
    assert_eq!(contradictions(&folder), [""; 0]);
    journal.close().await;
}

#[tokio::test]
async fn an_end_that_is_not_stored_is_not_kept() {
    let folder = Folder::new();
    let fails = Arc::new(AtomicBool::new(false));
    let flaky = |store| -> Box<dyn Disk> { Box::new(Flaky { store, fails: Arc::clone(&fails) }) };
    let opened = Journal::open_on(&folder.0, Durability::Power, Environment::REAL, flaky);
    let (journal, _) = opened.unwrap();
    let mut table = Table::open(&journal, 1, two()).await;
    table.play(X_WINS).await;
    let series = Series::default();
    let (game, score) = (2, table.state.score);
    let started = Event::GameStarted { game, first: Mark::X, score, opening: None, series };
    table.append(started, None).await;
    let moved =
        Event::Moved { game, ply: 0, mark: Mark::X, cell: Cell(4), over: None, opening: None };
    table.append(moved, None).await;
    let end = |id| {
        let result = noughts_protocol::GameResult::Resignation { winner: Mark::O };
        let score = table.state.score.with(&result);
        let end = noughts_protocol::GameEnd { result, score, id: Some(GameId(id)) };
        let over = Event::GameOver { game, end };
        let mut after = table.state.clone();
        after.advance(&over);
        ([over], EndedGame::of(&after, GameId(id), 0, true).map(Box::new))
    };
    fails.store(true, Ordering::Relaxed);
    let (over, kept) = end(7);
    assert_eq!(table.log.append(table.state.v, over, kept).await, Err(DiskError::Full));
    fails.store(false, Ordering::Relaxed);
    let count = || rows(&folder, "SELECT count(*), max(id = 7) FROM game");
    assert_eq!(count(), ["1 0"]);
    // The room decides again, and draws another id.
    let (over, kept) = end(8);
    table.log.append(table.state.v, over, kept).await.unwrap();
    assert_eq!(count(), ["2 0"]);
    assert_eq!(contradictions(&folder), [""; 0]);
    journal.close().await;
}

#[test]
fn a_player_goes_by_the_name_without_the_number_of_a_seat() {
    let name = |name: &str| name.parse::<PlayerName>().unwrap();
    let check = |seat, other: Option<&str>, expected| {
        assert_eq!(own_name(&name(seat), other.map(name).as_ref()), name(expected));
    };
    check("Ada (2)", Some("Ada"), "Ada");
    check("Ada (2)", Some("Bob"), "Ada (2)");
    check("Ada (2)", None, "Ada (2)");
    check("Ada", Some("Ada (2)"), "Ada");
}

#[test]
fn a_board_is_stored_by_its_name() {
    assert_eq!(BoardSpec::new(15, 13, 5).unwrap().to_string(), "15x13x5");
}

#[tokio::test]
async fn a_room_hears_whether_its_game_is_rated_and_of_the_ratings() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let class = BoardClass::Three;
    let asked = ByMark { x: Some(ADA), o: Some(BOB) };
    let mut table = Table::open(&journal, 1, two()).await;
    let standing = |log: &RoomJournal, game, seats| log.standing(class, game, seats);
    let known = standing(&table.log, AskedGame::Running, asked).await.unwrap();
    assert_eq!((known.rated, known.players), (true, vec![(ADA, None), (BOB, None)]));
    let id = table.play(X_WINS).await;
    let over = AskedGame::Over(Some(id));
    let known = standing(&table.log, over, asked).await.unwrap();
    let games = known.players.iter().map(|(_, rating)| rating.unwrap().games);
    assert_eq!((known.rated, games.collect::<Vec<_>>()), (true, vec![1, 1]));
    let unkept = standing(&table.log, AskedGame::Over(None), asked).await.unwrap();
    assert!(!unkept.rated, "a game without a mark");
    // Fails if everybody who has a seat of a quick match is rated.
    let third = ByMark { o: Some(PlayerId(3)), ..asked };
    assert!(!standing(&table.log, AskedGame::Running, third).await.unwrap().rated);
    let alone = ByMark { o: Some(ADA), ..asked };
    assert!(!standing(&table.log, AskedGame::Running, alone).await.unwrap().rated);
    journal.forget(BOB).await.unwrap();
    let known = standing(&table.log, AskedGame::Running, asked).await.unwrap();
    assert!(!known.rated, "nobody is rated against somebody who was forgotten");
    assert_eq!(known.players[1], (BOB, None));
    let origins = vec![Origin { player: ADA, id: 2.try_into().unwrap() }];
    let code = RoomCode::from_number(9);
    let settings = RoomSettings::default();
    let made = journal.new_room();
    made.create(NewRoom { code, settings, origins }, Vec::new()).await.unwrap();
    assert_eq!(standing(&made, AskedGame::Running, asked).await, None, "a room for a friend");
    journal.close().await;
}
