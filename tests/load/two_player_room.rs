//! A room of two players and their spectators: who moves when, which events all viewers must receive,
//! and whether they do. It reads no clock and no socket: the caller passes the time in and sends the
//! texts that come out.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::ensure;
use noughts_protocol::{GameEnd, GameResult, Mark, RoomCode, Score, Snapshot};

use crate::expected::{Delivery, EventKind, ExpectedEvents};
use crate::messages::{self, Peer};
use crate::script::Script;
use crate::socket::Id;
use crate::stats::Stats;

/// A text to send, and the socket.
pub(crate) type Outgoing = (Id, String);

/// One room.
#[derive(Debug)]
pub(crate) struct TwoPlayerRoom {
    peer: Peer,
    script: Rc<Script>,
    pub(crate) code: RoomCode,
    players: [Player; 2],
    /// Whether O is in.
    is_complete: bool,
    /// Whether both players have received the same events since.
    is_open: bool,
    /// Connections that receive every event: players and spectators.
    viewers: u32,
    expected: ExpectedEvents,
    game: u32,
    ply: u16,
    first: Mark,
    score: Score,
    running: bool,
    /// Whether the players may move.
    begun: bool,
    room_schedule: Option<RoomSchedule>,
    intents: u64,
    /// When a move was last received, or the players were first allowed to move.
    moved_at: Instant,
}

#[derive(Debug, Default)]
struct Player {
    socket: Id,
    /// The number of the event that comes next.
    next: u64,
    /// Intents without an answer: at most a move and a rematch.
    awaited: VecDeque<u64>,
}

/// The receiver of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// A player.
    Player(Mark),
    /// A spectator and the number of its next event.
    Spectator(u64),
}

/// The schedule of one room: move `k` is due at `start + k * interval`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoomSchedule {
    pub(crate) start: Instant,
    pub(crate) interval: Duration,
    /// Moves that were made.
    pub(crate) made: u32,
}

impl RoomSchedule {
    fn due(&self) -> Instant {
        self.start + self.interval * self.made
    }
}

const fn seat(mark: Mark) -> usize {
    match mark {
        Mark::X => 0,
        Mark::O => 1,
    }
}

impl TwoPlayerRoom {
    /// A room that X has entered, as the snapshot shows it. The relay sends none.
    pub(crate) fn new(
        peer: Peer,
        script: Rc<Script>,
        code: RoomCode,
        socket: Id,
        snapshot: Option<&Snapshot>,
    ) -> Self {
        let next = snapshot.map_or(0, |snapshot| snapshot.v + 1);
        let x = Player { socket, next, awaited: VecDeque::new() };
        Self {
            peer,
            script,
            code,
            players: [x, Player::default()],
            is_complete: false,
            is_open: false,
            viewers: 1,
            expected: ExpectedEvents::starting_at(next),
            game: 1,
            ply: 0,
            first: Mark::X,
            score: Score::default(),
            running: peer == Peer::Relay,
            begun: false,
            room_schedule: None,
            intents: 16,
            moved_at: Instant::now(),
        }
    }

    /// O has entered too.
    pub(crate) fn enter(&mut self, socket: Id, snapshot: Option<&Snapshot>) {
        let next = snapshot.map_or(0, |snapshot| snapshot.v + 1);
        self.is_complete = true;
        self.players[1] = Player { socket, next, awaited: VecDeque::new() };
    }

    /// Whether both players have just received the same events for the first time. Spectators may join
    /// then.
    pub(crate) fn has_opened(&mut self) -> bool {
        let same = self.players[0].next == self.players[1].next;
        let opened = self.is_complete && self.running && !self.is_open && same;
        self.is_open |= opened;
        opened
    }

    /// Sets the number of connections that receive events.
    pub(crate) fn set_viewers(&mut self, viewers: u32) {
        self.viewers = viewers;
    }

    /// The number of the next event.
    pub(crate) fn end(&self) -> u64 {
        self.expected.end()
    }

    /// When a move was last received.
    pub(crate) fn moved_at(&self) -> Instant {
        self.moved_at
    }

    /// Lets the players move; returns the first move, if it is due.
    pub(crate) fn begin(
        &mut self,
        now: Instant,
        room_schedule: Option<RoomSchedule>,
    ) -> Option<Outgoing> {
        (self.begun, self.room_schedule, self.moved_at) = (true, room_schedule, now);
        self.advance(now)
    }

    /// The next move, if it is allowed and due.
    pub(crate) fn advance(&mut self, now: Instant) -> Option<Outgoing> {
        let turn = if self.ply.is_multiple_of(2) { self.first } else { self.first.other() };
        let is_up_to_date = self.players[seat(turn)].next == self.expected.end()
            && (self.viewers == 2 || self.expected.is_empty());
        if !(self.running && self.begun && is_up_to_date) {
            return None;
        }
        let Some(cell) = self.script.cell(self.ply) else { return self.end_game(turn, now) };
        let due = match &mut self.room_schedule {
            None => now,
            Some(room_schedule) if room_schedule.due() > now => return None,
            Some(room_schedule) => {
                let due = room_schedule.due();
                room_schedule.made += 1;
                due
            }
        };
        let (room, game, ply) = (self.code, self.game, self.ply);
        self.intents += 1;
        let play = messages::play(self.intents, room, game, ply, cell);
        self.ply += 1;
        let over = self.over_by_move();
        let ends_game = over.is_some();
        let event = match self.peer {
            Peer::Noughts => {
                messages::moved(self.expected.end(), room, (game, ply, turn, cell), over)
            }
            Peer::Relay => play.clone(),
        };
        self.expected.push(event, EventKind::Move { by: turn, due, ends_game });
        Some(self.ask(turn, play))
    }

    /// The end of the game, if the last move of the script fills the board: a draw.
    fn over_by_move(&mut self) -> Option<GameEnd> {
        let is_over = self.peer == Peer::Noughts
            && self.script.is_full()
            && self.script.cell(self.ply).is_none();
        is_over.then(|| {
            let result = GameResult::BoardFull;
            (self.running, self.score) = (false, self.score.with(&result));
            GameEnd { result, score: self.score, id: None }
        })
    }

    /// Ends the game when the script is over and the board is not full: by resignation.
    fn end_game(&mut self, turn: Mark, now: Instant) -> Option<Outgoing> {
        if self.peer == Peer::Relay {
            (self.game, self.ply) = (self.game + 1, 0);
            return self.advance(now);
        }
        self.running = false;
        self.score = self.score.with(&GameResult::Resignation { winner: turn.other() });
        self.intents += 1;
        Some(self.ask(turn, messages::resign(self.intents, self.code, self.game)))
    }

    fn ask(&mut self, mark: Mark, text: String) -> Outgoing {
        let player = &mut self.players[seat(mark)];
        if self.peer == Peer::Noughts {
            player.awaited.push_back(self.intents);
        }
        (player.socket, text)
    }

    /// Handles the `ok` to an intent.
    ///
    /// # Errors
    /// If it is not the oldest unanswered one.
    pub(crate) fn granted(&mut self, mark: Mark, id: u64) -> anyhow::Result<()> {
        let awaited = self.players[seat(mark)].awaited.pop_front();
        ensure!(awaited == Some(id), "ok came for intent {id}, {awaited:?} was next");
        Ok(())
    }

    /// Handles an event to one viewer; returns the answer.
    ///
    /// # Errors
    /// If another event was next for this viewer.
    pub(crate) fn receive(
        &mut self,
        viewer: Viewer,
        text: &str,
        now: Instant,
        stats: &mut Stats,
    ) -> anyhow::Result<Option<Outgoing>> {
        let (number, player) = match viewer {
            Viewer::Player(mark) => (self.players[seat(mark)].next, Some(mark)),
            Viewer::Spectator(number) => (number, None),
        };
        let delivery = self.expected.receive(number, text, player.is_some(), self.viewers)?;
        if let Some(mark) = player {
            self.players[seat(mark)].next += 1;
        }
        match delivery.kind {
            EventKind::Move { by, due, ends_game } => {
                self.moved_at = now;
                self.count(delivery, player, by, now.saturating_duration_since(due), stats);
                if ends_game {
                    return Ok(self.offer_rematch(player));
                }
            }
            EventKind::Started { game, first, score } if delivery.is_first => {
                ensure!(score == self.score, "{score:?} where {:?} was due", self.score);
                (self.game, self.first, self.ply, self.running) = (game, first, 0, true);
            }
            EventKind::Over { score } => {
                ensure!(score == self.score, "{score:?} where {:?} was due", self.score);
                return Ok(self.offer_rematch(player));
            }
            EventKind::Started { .. } | EventKind::Other => {}
        }
        Ok(self.advance(now))
    }

    /// The offer of a player who has seen the end of the game.
    fn offer_rematch(&mut self, player: Option<Mark>) -> Option<Outgoing> {
        let mark = player?;
        self.intents += 1;
        let text = messages::rematch(self.intents, self.code, self.game);
        Some(self.ask(mark, text))
    }

    fn count(
        &self,
        delivery: Delivery,
        player: Option<Mark>,
        by: Mark,
        time: Duration,
        stats: &mut Stats,
    ) {
        stats.deliveries += 1;
        if player.is_some() && delivery.players == 2 {
            stats.moves += 1;
        }
        let Some((opponent, last)) = stats.move_times() else { return };
        if player == Some(by.other()) {
            opponent.record(time);
        }
        if self.viewers > 2 && delivery.viewers == self.viewers {
            last.record(time);
        }
    }
}
