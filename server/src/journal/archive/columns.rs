//! A row of the table `game`, with its checksum.

use crc32fast::Hasher;
use noughts_protocol::{ByMark, Mark, Participant, PlayerId, RoomSettings};
use rusqlite::{Connection, Row, params};

use super::ended_game::{EndedGame, GameTimes};

/// The names of the columns, in the order of [`GameColumns::from_row`].
pub(super) const COLUMNS: &str = "id, room, number, started, ended, ended_age, settings, board, \
     first, opening, x, o, x_name, o_name, x_computer, o_computer, moves, result, rated, public, crc";

/// A row of the table `game` without its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GameColumns {
    pub(super) id: i64,
    pub(super) room: i64,
    pub(super) number: i64,
    pub(super) started: i64,
    pub(super) ended: i64,
    pub(super) ended_age: i64,
    pub(super) settings: String,
    pub(super) board: String,
    pub(super) first: i64,
    pub(super) opening: i64,
    pub(super) sides: ByMark<Side>,
    pub(super) moves: Vec<u8>,
    pub(super) result: String,
    pub(super) rated: bool,
    pub(super) public: bool,
}

/// One side of a game, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Side {
    /// The person's number; `None` for a computer.
    pub(super) player: Option<i64>,
    /// The person's name; `None` for a computer and for a forgotten person.
    pub(super) name: Option<String>,
    /// The computer, as JSON.
    pub(super) computer: Option<String>,
}

/// The columns of a room that its games need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RoomRow {
    pub(super) settings: String,
    /// The people whose intents made the room.
    pub(super) makers: [Option<i64>; 2],
}

impl RoomRow {
    /// Reads the row of a room.
    pub(super) fn of(connection: &Connection, room: i64) -> rusqlite::Result<Self> {
        let sql = "SELECT settings, maker, guest FROM room WHERE id = ?1";
        connection.prepare_cached(sql)?.query_row([room], |row| {
            Ok(Self { settings: row.get(0)?, makers: [row.get(1)?, row.get(2)?] })
        })
    }

    /// Whether two people's intents made the room: a quick match.
    pub(super) const fn is_quick_match(&self) -> bool {
        matches!(self.makers, [Some(_), Some(_)])
    }

    /// Whether everybody could watch: a quick match, or a room of the public list.
    fn is_public(&self) -> bool {
        let listed = |settings: RoomSettings| settings.listed;
        self.is_quick_match() || serde_json::from_str(&self.settings).is_ok_and(listed)
    }

    /// Whether the two people whose intents made the room played each other.
    pub(super) fn is_between_makers(&self, players: ByMark<Option<PlayerId>>) -> bool {
        let [x, o] = [players.x, players.o].map(|player| player.map(|id| id.0.cast_signed()));
        self.is_quick_match() && x != o && (self.makers == [x, o] || self.makers == [o, x])
    }
}

impl Side {
    /// The side of somebody whose number is `player`, which is 0 for a forgotten person.
    pub(super) fn of(participant: &Participant, player: Option<i64>) -> Self {
        match participant {
            Participant::Human { name, .. } => {
                let name = player.filter(|n| *n > 0).map(|_| name.to_string());
                Self { player, name, computer: None }
            }
            Participant::Somebody => Self { player: Some(0), ..Self::default() },
            Participant::Computer(computer) => {
                // Serialization cannot fail: a computer is two names.
                let computer = serde_json::to_string(computer).unwrap_or_default();
                Self { player: None, name: None, computer: Some(computer) }
            }
        }
    }
}

impl GameColumns {
    /// The row of a game of room number `room`, whose sides are these.
    pub(super) fn of(
        game: &EndedGame,
        times: &GameTimes,
        ended_age: i64,
        (room, row): (i64, RoomRow),
        sides: ByMark<Side>,
    ) -> Self {
        let [x, o] = [&game.players.x, &game.players.o].map(Participant::player);
        let players = ByMark { x, o };
        let known = Mark::BOTH.into_iter().all(|mark| sides[mark].player.is_some_and(|n| n > 0));
        Self {
            id: game.id.0.cast_signed(),
            room,
            number: i64::from(game.number),
            started: times.started,
            ended: times.ended,
            ended_age,
            board: game.board.to_string(),
            first: i64::from(game.first == Mark::O),
            opening: i64::from(game.opening),
            sides,
            moves: moves(game, times),
            // Serialization cannot fail: a result holds no map.
            result: serde_json::to_string(&game.result).unwrap_or_default(),
            rated: game.rates && known && row.is_between_makers(players),
            public: row.is_public(),
            settings: row.settings,
        }
    }

    /// Reads the columns [`COLUMNS`]; the second value is the stored checksum.
    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<(Self, u32)> {
        let side = |player, name, computer| -> rusqlite::Result<Side> {
            Ok(Side {
                player: row.get(player)?,
                name: row.get(name)?,
                computer: row.get(computer)?,
            })
        };
        let columns = Self {
            id: row.get(0)?,
            room: row.get(1)?,
            number: row.get(2)?,
            started: row.get(3)?,
            ended: row.get(4)?,
            ended_age: row.get(5)?,
            settings: row.get(6)?,
            board: row.get(7)?,
            first: row.get(8)?,
            opening: row.get(9)?,
            sides: ByMark { x: side(10, 12, 14)?, o: side(11, 13, 15)? },
            moves: row.get(16)?,
            result: row.get(17)?,
            rated: row.get(18)?,
            public: row.get(19)?,
        };
        Ok((columns, row.get(20)?))
    }

    /// Stores the row as game number `n`.
    pub(super) fn insert(&self, connection: &Connection, n: i64) -> rusqlite::Result<()> {
        let sql = format!(
            "INSERT INTO game (n, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, \
             ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)"
        );
        let ByMark { x, o } = &self.sides;
        connection.prepare_cached(&sql)?.execute(params![
            n,
            self.id,
            self.room,
            self.number,
            self.started,
            self.ended,
            self.ended_age,
            self.settings,
            self.board,
            self.first,
            self.opening,
            x.player,
            o.player,
            x.name,
            o.name,
            x.computer,
            o.computer,
            self.moves,
            self.result,
            self.rated,
            self.public,
            self.checksum(),
        ])?;
        Ok(())
    }

    /// The checksum of all other columns but the number. Like the facts' checksums it finds damage,
    /// not somebody who changes the file on purpose.
    pub(super) fn checksum(&self) -> u32 {
        let mut hasher = Hasher::new();
        let Self { id, room, number, started, ended, ended_age, first, opening, .. } = self;
        for number in [id, room, number, started, ended, ended_age, first, opening] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&[u8::from(self.rated), u8::from(self.public)]);
        for text in [&self.settings, &self.board, &self.result] {
            update(&mut hasher, Some(text.as_bytes()));
        }
        update(&mut hasher, Some(&self.moves));
        for mark in Mark::BOTH {
            let Side { player, name, computer } = &self.sides[mark];
            update(&mut hasher, player.map(i64::to_le_bytes).as_ref().map(<[u8; 8]>::as_slice));
            update(&mut hasher, name.as_deref().map(str::as_bytes));
            update(&mut hasher, computer.as_deref().map(str::as_bytes));
        }
        hasher.finalize()
    }
}

/// Each text with its length, so that no byte moves from one to the next.
fn update(hasher: &mut Hasher, bytes: Option<&[u8]>) {
    hasher.update(&[u8::from(bytes.is_some())]);
    let bytes = bytes.unwrap_or_default();
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

/// Each move's cell and its milliseconds since the start. A clock that was set back gives 0.
fn moves(game: &EndedGame, times: &GameTimes) -> Vec<u8> {
    let since = |at: i64| {
        let since = at.saturating_sub(times.started).max(0);
        u32::try_from(since).unwrap_or(u32::MAX)
    };
    // There is a time for each move. If one were missing, the game is worth more than it.
    let times = times.moves.iter().map(|at| since(*at)).chain(std::iter::repeat(0));
    let moves = game.moves.iter().zip(times);
    moves
        .flat_map(|(cell, since)| {
            let ([a, b], [c, d, e, f]) = (cell.0.to_le_bytes(), since.to_le_bytes());
            [a, b, c, d, e, f]
        })
        .collect()
}
