//! Rooms: two players, who play one game after the other, and spectators. Everybody follows the room
//! with the protocol's own state, which takes no event twice, none out of order and no illegal move.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use noughts_protocol::{
    BoardSpec, ByMark, Cell as BoardCell, Event, LobbyIntent, Mark, Role, RoomCode, RoomIntent,
    RoomSettings, RoomState, ServerMessage,
};
use tokio::sync::Notify;

use crate::connection::Connection;
use crate::stats::Stats;
use crate::target::{Kind, Target};

/// The cells of a game in order: nobody has three in a row, so that it is drawn, or resigned when one
/// of the two has no cell left.
#[derive(Debug)]
pub(crate) struct Script {
    cells: Vec<BoardCell>,
    pub(crate) settings: RoomSettings,
}

impl Script {
    /// A game on this board.
    pub(crate) fn new(board: BoardSpec) -> Self {
        let mut first = Vec::new();
        let mut second = Vec::new();
        for (cell, number) in board.all_cells().zip(0..) {
            let column = number % i32::from(board.width());
            let row = number / i32::from(board.width());
            // Pairs along each row, shifted by two cells from row to row: no line has three.
            let is_first = (column + 2 * row) % 4 < 2;
            if is_first { &mut first } else { &mut second }.push(cell);
        }
        let last = first.get(second.len()).copied();
        let cells = first.iter().zip(&second).flat_map(|(a, b)| [*a, *b]).chain(last).collect();
        // Early draws would end games before they are full.
        let settings = RoomSettings { board, early_draw: Some(false), ..RoomSettings::default() };
        Self { cells, settings }
    }

    /// The cell of a move; `None` after the last one.
    pub(crate) fn cell(&self, ply: u16) -> Option<BoardCell> {
        self.cells.get(usize::from(ply)).copied()
    }

    /// A player's move through the relay, which starts again when the board is full.
    fn relayed(&self, ply: u16) -> RoomIntent {
        let ply = ply % self.cells.len() as u16;
        RoomIntent::Play { game: 1, ply, cell: self.cells[usize::from(ply)], placed: None }
    }
}

/// A room, as far as its people share it.
#[derive(Debug)]
pub(crate) struct Room {
    script: Rc<Script>,
    stats: Rc<RefCell<Stats>>,
    /// From one move to the next; `None` if each is made as soon as it may be.
    interval: Option<Duration>,
    /// When the next move is due, with an interval.
    pub(crate) next_at: Cell<Instant>,
    /// Spectators; with them each move waits until all have seen the one before.
    spectators: Cell<usize>,
    seen: Cell<usize>,
    all_seen: Notify,
    mover: Cell<Option<Mark>>,
    moved_at: Cell<Instant>,
    /// Moves that a player was told.
    pub(crate) told: Cell<u64>,
}

/// Somebody in a room.
pub(crate) struct Viewer {
    connection: Connection,
    pub(crate) room: Rc<Room>,
    code: RoomCode,
    follows: Follows,
    /// `None` for a spectator.
    mark: Option<Mark>,
    asked: Option<RoomIntent>,
}

/// A viewer's game so far.
enum Follows {
    Server(Box<RoomState>),
    /// How many moves the relay has passed on.
    Relay(u16),
}

/// The way of a connection into a room.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    Make(RoomSettings),
    Join(RoomCode, Role),
}

/// Enters a room of a server.
///
/// # Errors
/// If the server refuses it.
pub(crate) async fn enter(target: &Target, way: Way) -> anyhow::Result<(Connection, RoomState)> {
    let mut connection = Connection::greeted(target, "/ws").await?;
    let intent = match way {
        Way::Make(settings) => {
            LobbyIntent::Create { settings, seats: ByMark::default(), shuffle: false }
        }
        Way::Join(room, role) => LobbyIntent::Join { room, role },
    };
    connection.ask_lobby(intent).await?;
    loop {
        if let ServerMessage::Snapshot(snapshot) = connection.message().await? {
            return Ok((connection, RoomState::from_snapshot(&snapshot)?));
        }
    }
}

impl Viewer {
    /// Makes room `number`, of two players.
    ///
    /// # Errors
    /// If what is loaded refuses one of them.
    pub(crate) async fn pair(
        target: &Target,
        number: usize,
        script: Rc<Script>,
        stats: Rc<RefCell<Stats>>,
        interval: Option<Duration>,
    ) -> anyhow::Result<[Self; 2]> {
        let now = Instant::now();
        let settings = script.settings;
        let room = Rc::new(Room {
            script,
            stats,
            interval,
            next_at: Cell::new(now),
            spectators: Cell::new(0),
            seen: Cell::new(usize::MAX),
            all_seen: Notify::new(),
            mover: Cell::new(None),
            moved_at: Cell::new(now),
            told: Cell::new(0),
        });
        let code = RoomCode::from_number(u32::try_from(number)?);
        let x = Self::new(target, &room, code, Way::Make(settings)).await?;
        let o = Self::new(target, &room, x.code, Way::Join(x.code, Role::Player)).await?;
        Ok([x, o])
    }

    /// A spectator of the same room.
    ///
    /// # Errors
    /// If what is loaded refuses it.
    pub(crate) async fn spectator(&self, target: &Target) -> anyhow::Result<Self> {
        let way = Way::Join(self.code, Role::Spectator);
        let spectator = Self::new(target, &self.room, self.code, way).await?;
        self.room.spectators.set(self.room.spectators.get() + 1);
        Ok(spectator)
    }

    async fn new(
        target: &Target,
        room: &Rc<Room>,
        code: RoomCode,
        way: Way,
    ) -> anyhow::Result<Self> {
        let (connection, code, follows) = if target.kind == Kind::Relay {
            let watches = matches!(way, Way::Join(_, Role::Spectator));
            let path = format!("/{}/{code}", if watches { "watch" } else { "room" });
            let mut connection = Connection::open(target, &path).await?;
            connection.text().await?;
            (connection, code, Follows::Relay(0))
        } else {
            let (connection, state) = enter(target, way).await?;
            (connection, state.code, Follows::Server(Box::new(state)))
        };
        let mark = match way {
            Way::Make(_) => Some(Mark::X),
            Way::Join(_, Role::Player) => Some(Mark::O),
            Way::Join(_, Role::Spectator) => None,
        };
        Ok(Self { connection, room: Rc::clone(room), code, follows, mark, asked: None })
    }

    /// Plays or watches until the connection ends.
    ///
    /// # Errors
    /// If it ends, an intent is refused, or something is told that does not follow.
    pub(crate) async fn take_part(mut self) -> anyhow::Result<()> {
        loop {
            if let Some(intent) = self.turn().filter(|turn| self.asked.as_ref() != Some(turn)) {
                if let RoomIntent::Play { .. } = intent {
                    self.room.next_move().await;
                    self.room.begin_move(self.mark);
                }
                self.asked = Some(intent.clone());
                self.connection.ask_room(self.code, intent).await?;
            }
            if self.hear().await.with_context(|| format!("room {}", self.code))? {
                self.room.move_seen(self.mark);
            }
        }
    }

    /// The next intent of this player.
    fn turn(&self) -> Option<RoomIntent> {
        let mark = self.mark?;
        let script = &self.room.script;
        match &self.follows {
            Follows::Relay(ply) => {
                let is_mine = ply.is_multiple_of(2) == (mark == Mark::X);
                is_mine.then(|| script.relayed(*ply))
            }
            Follows::Server(state) => {
                let last = state.game.as_ref()?;
                let game = last.number;
                if last.game.result().is_some() {
                    return Some(RoomIntent::Rematch { game, offer: true, series: None });
                }
                let ply = last.game.ply();
                (state.turn() == Some(mark)).then(|| match script.cell(ply) {
                    Some(cell) => RoomIntent::Play { game, ply, cell, placed: None },
                    None => RoomIntent::Resign { game },
                })
            }
        }
    }

    /// Takes in the next message; whether it is a move.
    async fn hear(&mut self) -> anyhow::Result<bool> {
        let script = &self.room.script;
        let state = match &mut self.follows {
            Follows::Server(state) => state,
            Follows::Relay(ply) => {
                let text = self.connection.text().await?;
                let expected = serde_json::to_string(&script.relayed(*ply))?;
                // The tag of the room and the number of the intent come after it.
                let is_expected = text.starts_with(expected.trim_end_matches('}'));
                ensure!(is_expected, "{text} came where {expected} was next");
                *ply = ply.wrapping_add(1);
                return Ok(true);
            }
        };
        let ServerMessage::Event { v, event, .. } = self.connection.message().await? else {
            return Ok(false);
        };
        state.apply(v, &event).with_context(|| format!("event {v}"))?;
        let Event::Moved { ply, cell, .. } = event else { return Ok(false) };
        ensure!(script.cell(ply) == Some(cell), "cell {} was not played", cell.0);
        Ok(true)
    }
}

impl Room {
    fn viewers(&self) -> usize {
        2 + self.spectators.get()
    }

    /// Waits until the next move may be made.
    async fn next_move(&self) {
        while self.spectators.get() > 0 && self.seen.get() < self.viewers() {
            self.all_seen.notified().await;
        }
        if let Some(interval) = self.interval {
            let at = self.next_at.get();
            self.next_at.set(at + interval);
            tokio::time::sleep_until(at.into()).await;
        }
    }

    fn begin_move(&self, mark: Option<Mark>) {
        self.mover.set(mark);
        self.seen.set(0);
        self.moved_at.set(Instant::now());
    }

    /// A viewer was told a move.
    fn move_seen(&self, mark: Option<Mark>) {
        let time = self.moved_at.get().elapsed();
        let mut stats = self.stats.borrow_mut();
        stats.deliveries += 1;
        if mark.is_some() {
            stats.to_players += 1;
            self.told.set(self.told.get() + 1);
        }
        if mark.is_some() && mark != self.mover.get() {
            stats.delivery.add(time);
        }
        self.seen.set(self.seen.get() + 1);
        if self.spectators.get() > 0 && self.seen.get() == self.viewers() {
            stats.last_viewer.add(time);
            self.all_seen.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{BoardSpec, Game, Mark, Move, Rules};

    use super::Script;

    fn check(width: u8, height: u8, line: u8, moves: u16) {
        let board = BoardSpec::new(width, height, line).unwrap();
        let script = Script::new(board);
        let mut game = Game::new(Rules::of(&script.settings), Mark::O);
        while let Some(cell) = script.cell(game.ply()) {
            let ply = game.ply();
            let mark = game.to_move();
            game.apply(Move { ply, mark, cell, placed: None }).unwrap();
        }
        assert_eq!(game.ply(), moves);
        assert!(game.result().is_none_or(|result| result.winner().is_none()));
    }

    #[test]
    fn nobody_wins() {
        check(3, 3, 3, 9);
        check(6, 5, 3, 29);
        check(15, 15, 5, 225);
    }
}
