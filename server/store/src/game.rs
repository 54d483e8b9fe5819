//! The tables `game` and `seat`: a game that has ended, and its two sides.

use noughts_protocol::{
    ArchivedGame, BoardClass, BoardSpec, ByMark, Cell, Computer, Game, GameId, GameSummary, Mark,
    Outcome, Participant, PartyCode, PlayerName, RoomCode, RoomSettings, Rules, Variant,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::change::FinishedGame;
use crate::crc;
use crate::error::ReadError;
use crate::meta;
use crate::player::{self, SOMEBODY};
use crate::rating::{self, RatedGame};
use crate::row::{damaged, from_json, limit, parsed, time};

/// The bytes of a move: its cell, and the milliseconds since the game began.
const MOVE: usize = 6;

/// Beside the cell of a move whose mark was chosen: the mark is O. Cells are below 361.
const PLACED_O: u16 = 1 << 15;

/// A kept game with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// The code of its room.
    pub room: RoomCode,
    /// Its number in the room.
    pub number: u32,
    /// The game as everybody is told it.
    pub game: ArchivedGame,
    /// The number of marks that its opening placed. A review does not judge them.
    pub opening: u16,
    /// Its number in the order of the ends.
    pub(crate) n: i64,
    pub(crate) seats: ByMark<Seat>,
}

/// A row of `seat`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seat {
    pub(crate) player: i64,
    pub(crate) outcome: Option<i64>,
    pub(crate) opponent: Option<i64>,
    pub(crate) board: BoardSpec,
    pub(crate) variant: Variant,
    pub(crate) versus: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) computer: Option<String>,
    pub(crate) class: i64,
    pub(crate) rated: bool,
    pub(crate) ended: i64,
}

/// Stores a game that has ended when the server had run for `age`, and the ratings after it.
pub(crate) fn add(connection: &Connection, game: &FinishedGame, age: i64) -> rusqlite::Result<()> {
    let number = |participant: &Participant| match participant.player() {
        Some(player) => player::number_or_new(connection, player),
        None => Ok(SOMEBODY),
    };
    let numbers = ByMark { x: number(&game.players.x)?, o: number(&game.players.o)? };
    let are_known = numbers.x != SOMEBODY && numbers.o != SOMEBODY;
    let rated = game.rated && are_known && numbers.x != numbers.o;
    let n = next_number(connection)?;
    insert(connection, n, game, numbers, (age, rated))?;
    let seats = seats(game, numbers, rated);
    for mark in Mark::BOTH {
        seats[mark].store(connection, n, mark)?;
    }
    player::note_names(connection, &game.players, numbers)?;
    if !rated {
        return Ok(());
    }
    let class = BoardClass::of(&game.settings);
    let ByMark { x, o } = numbers;
    let of_x = Outcome::of(&game.result, Mark::X);
    rating::record(connection, RatedGame { class, x, o, of_x, at: game.ended })
}

fn insert(
    connection: &Connection,
    n: i64,
    game: &FinishedGame,
    numbers: ByMark<i64>,
    (age, rated): (i64, bool),
) -> rusqlite::Result<()> {
    // Serialization cannot fail: settings and results hold no map whose keys are not strings.
    let settings = serde_json::to_string(&game.settings).unwrap_or_default();
    let result = serde_json::to_string(&game.result).unwrap_or_default();
    let times = game.times_ms.iter().copied().chain(std::iter::repeat(0));
    let placed = game.placed.iter().copied().chain(std::iter::repeat(Mark::X));
    let moves: Vec<u8> = game.moves.iter().zip(placed).zip(times).flat_map(encoded).collect();
    let values = params![
        n,
        game.id.0.cast_signed(),
        game.room.as_str(),
        game.number,
        numbers.x,
        numbers.o,
        settings,
        mark_number(game.first),
        game.opening,
        game.started,
        game.ended,
        age,
        moves,
        result,
        rated,
        game.public,
        game.settings.party.map(|table| table.party.0.number()),
    ];
    crc::insert(connection, "INSERT INTO game", values).map(drop)
}

fn encoded(((cell, placed), ms): ((&Cell, Mark), u32)) -> [u8; MOVE] {
    let mark = if placed == Mark::O { PLACED_O } else { 0 };
    let [a, b] = (cell.0 | mark).to_le_bytes();
    let [c, d, e, f] = ms.to_le_bytes();
    [a, b, c, d, e, f]
}

/// The two sides of a game of people with these numbers.
pub(crate) fn seats(game: &FinishedGame, numbers: ByMark<i64>, rated: bool) -> ByMark<Seat> {
    let is_alone =
        game.players.x.player().is_some() && game.players.x.player() == game.players.o.player();
    let seat = |mark: Mark| {
        let other = &game.players[mark.other()];
        Seat {
            player: numbers[mark],
            outcome: (!is_alone).then(|| outcome_number(Outcome::of(&game.result, mark))),
            opponent: match other {
                Participant::Computer(_) => None,
                Participant::Human { .. } | Participant::Somebody => {
                    (!is_alone).then(|| numbers[mark.other()])
                }
            },
            board: game.settings.board,
            variant: game.settings.variant,
            versus: computer_of(other),
            name: match &game.players[mark] {
                Participant::Human { name, .. } if numbers[mark] != SOMEBODY => {
                    Some(name.to_string())
                }
                _ => None,
            },
            computer: computer_of(&game.players[mark]),
            class: rating::number_of(BoardClass::of(&game.settings)),
            rated,
            ended: game.ended,
        }
    };
    ByMark { x: seat(Mark::X), o: seat(Mark::O) }
}

/// A computer as JSON.
fn computer_of(participant: &Participant) -> Option<String> {
    match participant {
        // Serialization cannot fail: a computer is two names.
        Participant::Computer(computer) => serde_json::to_string(computer).ok(),
        Participant::Human { .. } | Participant::Somebody => None,
    }
}

impl Seat {
    /// Stores it as the seat of a mark in a game, in the place of the one before.
    fn store(&self, connection: &Connection, game: i64, mark: Mark) -> rusqlite::Result<()> {
        let board = self.board.to_string();
        let values = params![
            self.player,
            game,
            mark_number(mark),
            self.outcome,
            self.opponent,
            board,
            self.variant.name(),
            self.versus,
            self.name,
            self.computer,
            self.class,
            self.rated,
            self.ended,
        ];
        crc::insert(connection, "INSERT OR REPLACE INTO seat", values).map(drop)
    }

    /// Reads it, and the game and the mark.
    pub(crate) fn from_row(row: &Row<'_>) -> Result<(Self, i64, Mark), ReadError> {
        let game: i64 = row.get(1)?;
        crc::check(row, &format!("a seat of game number {game}"))?;
        let seat = Self {
            player: row.get(0)?,
            outcome: row.get(3)?,
            opponent: row.get(4)?,
            board: parsed(row, 5)?,
            variant: parsed(row, 6)?,
            versus: row.get(7)?,
            name: row.get(8)?,
            computer: row.get(9)?,
            class: row.get(10)?,
            rated: row.get(11)?,
            ended: row.get(12)?,
        };
        Ok((seat, game, mark(row, 2)?))
    }

    fn participant(&self, connection: &Connection) -> Result<Participant, ReadError> {
        if let Some(computer) = &self.computer {
            let computer: Computer = serde_json::from_str(computer)
                .map_err(|error| ReadError::Damaged(error.to_string()))?;
            return Ok(Participant::Computer(computer));
        }
        match (player::of_number(connection, self.player)?, &self.name) {
            (Participant::Human { player, name: now }, Some(name)) => {
                let name = PlayerName::known(name)
                    .map_err(|error| ReadError::Damaged(error.to_string()))?;
                Ok(Participant::Human { player, name: name.with_face(now.face()) })
            }
            _ => Ok(Participant::Somebody),
        }
    }
}

/// Reads each seat.
pub(crate) fn each_seat(
    connection: &Connection,
    mut each: impl FnMut(Result<(), ReadError>),
) -> Result<(), ReadError> {
    let mut select = connection.prepare("SELECT * FROM seat")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        each(Seat::from_row(row).map(drop));
    }
    Ok(())
}

/// Removes the name of a person from the seats.
pub(crate) fn remove_name(connection: &Connection, player: i64) -> rusqlite::Result<()> {
    let mut select = connection.prepare("SELECT * FROM seat WHERE player = ?1")?;
    let mut rows = select.query([player])?;
    let mut sound = Vec::new();
    while let Some(row) = rows.next()? {
        sound.extend(Seat::from_row(row).ok());
    }
    drop(rows);
    // From one that is damaged too: its checksum stays wrong, so that `verify` tells it.
    connection.execute("UPDATE seat SET name = NULL WHERE player = ?1", [player])?;
    for (seat, game, mark) in sound {
        Seat { name: None, ..seat }.store(connection, game, mark)?;
    }
    Ok(())
}

/// The number of the next game: no number is used again.
fn next_number(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT max(coalesce((SELECT max(n) FROM game), 0), \
               (SELECT value FROM meta WHERE key = 'pruned')) + 1";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// Deletes at most `most` of the games that ended before the server had run for `before`, in the order of
/// their ends. Their seats stay.
pub(crate) fn prune(connection: &Connection, before: i64, most: u32) -> rusqlite::Result<()> {
    let sql = "SELECT n, age FROM game ORDER BY n LIMIT ?1";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([most])?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        if row.get::<_, i64>(1)? >= before {
            break;
        }
        last = Some(row.get(0)?);
    }
    drop(rows);
    if let Some(last) = last {
        connection.prepare_cached("DELETE FROM game WHERE n <= ?1")?.execute([last])?;
        meta::set(connection, "pruned", last)?;
    }
    Ok(())
}

/// The first game that was not deleted.
pub(crate) fn first_kept(connection: &Connection) -> rusqlite::Result<i64> {
    Ok(meta::number(connection, "pruned")?.saturating_add(1))
}

/// Reads a game by its id.
pub(crate) fn by_id(connection: &Connection, id: GameId) -> Result<Option<StoredGame>, ReadError> {
    one(connection, "id", id.0.cast_signed())
}

/// Reads a game by its number.
pub(crate) fn by_number(connection: &Connection, n: i64) -> Result<Option<StoredGame>, ReadError> {
    one(connection, "n", n)
}

fn one(connection: &Connection, key: &str, value: i64) -> Result<Option<StoredGame>, ReadError> {
    let sql = format!("SELECT * FROM game WHERE {key} = ?1");
    let mut select = connection.prepare_cached(&sql)?;
    let mut rows = select.query([value])?;
    rows.next()?.map(|row| from_row(connection, row)).transpose()
}

/// Calls `each` with the number of every kept game and the game, in the order of their ends.
pub(crate) fn each(
    connection: &Connection,
    mut each: impl FnMut(i64, Result<StoredGame, ReadError>),
) -> Result<(), ReadError> {
    let mut select = connection.prepare("SELECT * FROM game ORDER BY n")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        each(row.get(0)?, from_row(connection, row));
    }
    Ok(())
}

/// At most `most` kept games of a party that ended after the game with number `after`, in the order of
/// their ends.
pub(crate) fn of_party(
    connection: &Connection,
    party: PartyCode,
    after: i64,
    most: usize,
) -> Result<Vec<StoredGame>, ReadError> {
    let sql = "SELECT * FROM game WHERE party = ?1 AND n > ?2 ORDER BY n LIMIT ?3";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query(params![party.0.number(), after, limit(most)])?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        games.push(from_row(connection, row)?);
    }
    Ok(games)
}

/// Reads it, and its seats.
fn from_row(connection: &Connection, row: &Row<'_>) -> Result<StoredGame, ReadError> {
    let n: i64 = row.get(0)?;
    crc::check(row, &format!("game number {n}"))?;
    let seat = |column, mark| -> Result<(Seat, Participant), ReadError> {
        let seat = seat_of(connection, row.get(column)?, n, mark)?;
        let participant = seat.participant(connection)?;
        Ok((seat, participant))
    };
    let (seat_x, x) = seat(4, Mark::X)?;
    let (seat_o, o) = seat(5, Mark::O)?;
    let (moves, rest) = row.get_ref(12)?.as_blob().map_err(|e| damaged(12, e))?.as_chunks::<MOVE>();
    if !rest.is_empty() {
        return Err(damaged(12, "the moves end in the middle of a move").into());
    }
    let settings: RoomSettings = from_json(row, 6)?;
    let first = mark(row, 7)?;
    let numbers = moves.iter().map(|[a, b, ..]| u16::from_le_bytes([*a, *b]));
    let cells: Vec<Cell> = numbers.clone().map(|number| Cell(number & !PLACED_O)).collect();
    let rules = Rules::of(&settings);
    let placed: Vec<Mark> = if rules.places_own() {
        Vec::new()
    } else {
        numbers.map(|number| if number & PLACED_O == 0 { Mark::X } else { Mark::O }).collect()
    };
    let effects = if rules.is_plain() {
        Vec::new()
    } else {
        let replayed = Game::replay(rules, first, &cells, &placed);
        let replayed = replayed.map_err(|error| ReadError::Damaged(error.to_string()))?;
        replayed.effects().to_vec()
    };
    let game = ArchivedGame {
        summary: GameSummary {
            id: GameId(row.get::<_, i64>(1)?.cast_unsigned()),
            ended_at: time(row, 10)?,
            players: ByMark { x, o },
            board: seat_x.board,
            variant: settings.variant,
            result: from_json(row, 13)?,
            plies: u16::try_from(moves.len()).unwrap_or(u16::MAX),
            rated: row.get(14)?,
            public: row.get(15)?,
        },
        settings,
        first,
        started_at: time(row, 9)?,
        moves: cells,
        placed,
        effects,
        times_ms: moves
            .iter()
            .map(|[_, _, a, b, c, d]| u32::from_le_bytes([*a, *b, *c, *d]))
            .collect(),
    };
    Ok(StoredGame {
        room: parsed(row, 2)?,
        number: row.get(3)?,
        game,
        opening: row.get(8)?,
        n,
        seats: ByMark { x: seat_x, o: seat_o },
    })
}

fn seat_of(connection: &Connection, player: i64, n: i64, mark: Mark) -> Result<Seat, ReadError> {
    let sql = "SELECT * FROM seat WHERE player = ?1 AND game = ?2 AND mark = ?3";
    let mut select = connection.prepare_cached(sql)?;
    let mut rows = select.query([player, n, mark_number(mark)])?;
    let row = rows.next()?;
    let row =
        row.ok_or_else(|| ReadError::Damaged(format!("game number {n} has no seat {mark}")))?;
    Seat::from_row(row).map(|(seat, _, _)| seat)
}

/// The number of a game in the order of their ends.
pub(crate) fn number_of(connection: &Connection, game: GameId) -> rusqlite::Result<Option<i64>> {
    let mut select = connection.prepare_cached("SELECT n FROM game WHERE id = ?1")?;
    select.query_row([game.0.cast_signed()], |row| row.get(0)).optional()
}

/// The id of a kept game.
pub(crate) fn id(connection: &Connection, n: i64) -> rusqlite::Result<GameId> {
    let mut select = connection.prepare_cached("SELECT id FROM game WHERE n = ?1")?;
    select.query_row([n], |row| Ok(GameId(row.get::<_, i64>(0)?.cast_unsigned())))
}

/// A mark as it is stored.
const fn mark_number(mark: Mark) -> i64 {
    match mark {
        Mark::X => 0,
        Mark::O => 1,
    }
}

fn mark(row: &Row<'_>, column: usize) -> rusqlite::Result<Mark> {
    match row.get(column)? {
        0 => Ok(Mark::X),
        1 => Ok(Mark::O),
        other => Err(damaged(column, format!("there is no mark {other}"))),
    }
}

/// An outcome as it is stored.
pub(crate) const fn outcome_number(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Lost => 0,
        Outcome::Drawn => 1,
        Outcome::Won => 2,
    }
}

/// The outcome with a number of [`outcome_number`].
pub(crate) fn outcome_of(number: i64) -> Option<Outcome> {
    let all = [Outcome::Lost, Outcome::Drawn, Outcome::Won];
    all.into_iter().find(|outcome| outcome_number(*outcome) == number)
}
