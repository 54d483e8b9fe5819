//! A room of two players and whoever watches them: who moves when, what all must be told, and
//! whether they are. Pure but for the clock that is handed in; texts to send are handed out.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::ensure;
use noughts_protocol::{Mark, RoomCode, Snapshot};

use crate::log::{Heard, Log, What};
use crate::script::Script;
use crate::socket::Id;
use crate::tally::Tally;
use crate::words::{self, Peer};

/// A text to be sent.
pub(crate) type Letter = (Id, String);

/// One room.
#[derive(Debug)]
pub(crate) struct Duel {
    peer: Peer,
    script: Rc<Script>,
    pub(crate) room: RoomCode,
    players: [Player; 2],
    /// Whether O has come, and whether both have heard the same since.
    complete: bool,
    met: bool,
    /// Connections that are told of every move: the players and those who watch.
    viewers: u32,
    log: Log,
    game: u32,
    ply: u16,
    first: Mark,
    running: bool,
    /// Whether players may move by now.
    begun: bool,
    beat: Option<Beat>,
    intents: u64,
    /// When a move was last delivered, or players were first allowed to.
    moved_at: Instant,
}

#[derive(Debug, Default)]
struct Player {
    line: Id,
    /// The number of the event that comes next.
    next: u64,
    /// Intents that were not answered yet: a move and an offer at most.
    awaited: VecDeque<u64>,
}

/// Who hears something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ear {
    /// A player.
    Player(Mark),
    /// A spectator, whose next event has this number.
    Watcher(u64),
}

/// A set rate: move `k` is due at `start + k * every`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beat {
    pub(crate) start: Instant,
    pub(crate) every: Duration,
    /// Moves that were made.
    pub(crate) made: u32,
}

impl Beat {
    fn due(&self) -> Instant {
        self.start + self.every * self.made
    }
}

const fn seat(mark: Mark) -> usize {
    match mark {
        Mark::X => 0,
        Mark::O => 1,
    }
}

impl Duel {
    /// A room that X has entered: at its beginning of the snapshot, or of the relay's nothing.
    pub(crate) fn new(
        peer: Peer,
        script: Rc<Script>,
        room: RoomCode,
        line: Id,
        snapshot: Option<&Snapshot>,
    ) -> Self {
        let next = snapshot.map_or(0, |snapshot| snapshot.v + 1);
        let x = Player { line, next, awaited: VecDeque::new() };
        Self {
            peer,
            script,
            room,
            players: [x, Player::default()],
            complete: false,
            met: false,
            viewers: 1,
            log: Log::starting_at(next),
            game: 1,
            ply: 0,
            first: Mark::X,
            running: peer == Peer::Relay,
            begun: false,
            beat: None,
            intents: 16,
            moved_at: Instant::now(),
        }
    }

    /// O is in as well.
    pub(crate) fn enter(&mut self, line: Id, snapshot: Option<&Snapshot>) {
        let next = snapshot.map_or(0, |snapshot| snapshot.v + 1);
        self.complete = true;
        self.players[1] = Player { line, next, awaited: VecDeque::new() };
    }

    /// Whether both players have just now heard the same for the first time, so that others may
    /// come and the game begin.
    pub(crate) fn meets(&mut self) -> bool {
        let same = self.players[0].next == self.players[1].next;
        let meets = self.complete && self.running && !self.met && same;
        self.met |= meets;
        meets
    }

    /// Both players and so many others are told from now on.
    pub(crate) fn told(&mut self, viewers: u32) {
        self.viewers = viewers;
    }

    /// The number of the next event.
    pub(crate) fn end(&self) -> u64 {
        self.log.end()
    }

    /// When a move was last delivered.
    pub(crate) fn moved_at(&self) -> Instant {
        self.moved_at
    }

    /// Players may move from now on.
    pub(crate) fn begin(&mut self, now: Instant, beat: Option<Beat>) -> Option<Letter> {
        (self.begun, self.beat, self.moved_at) = (true, beat, now);
        self.advance(now)
    }

    /// Makes the next move, if it may be made and is due.
    pub(crate) fn advance(&mut self, now: Instant) -> Option<Letter> {
        let turn = if self.ply.is_multiple_of(2) { self.first } else { self.first.other() };
        let told = self.players[seat(turn)].next == self.log.end()
            && (self.viewers == 2 || self.log.is_empty());
        if !(self.running && self.begun && told) {
            return None;
        }
        let Some(cell) = self.script.cell(self.ply) else { return self.end_game(turn, now) };
        let due = match &mut self.beat {
            None => now,
            Some(beat) if beat.due() > now => return None,
            Some(beat) => {
                let due = beat.due();
                beat.made += 1;
                due
            }
        };
        let (room, game, ply) = (self.room, self.game, self.ply);
        self.intents += 1;
        let play = words::play(self.intents, room, game, ply, cell);
        let told = match self.peer {
            Peer::Noughts => words::moved(self.log.end(), room, (game, ply, turn, cell)),
            Peer::Relay => play.clone(),
        };
        self.log.push(told, What::Move(turn, due));
        self.ply += 1;
        Some(self.ask(turn, play))
    }

    /// The script is over: the server ends a full board, a resignation any other.
    fn end_game(&mut self, turn: Mark, now: Instant) -> Option<Letter> {
        if self.peer == Peer::Relay {
            (self.game, self.ply) = (self.game + 1, 0);
            return self.advance(now);
        }
        if self.script.is_full() {
            return None;
        }
        self.running = false;
        self.intents += 1;
        Some(self.ask(turn, words::resign(self.intents, self.room, self.game)))
    }

    fn ask(&mut self, mark: Mark, text: String) -> Letter {
        let player = &mut self.players[seat(mark)];
        if self.peer == Peer::Noughts {
            player.awaited.push_back(self.intents);
        }
        (player.line, text)
    }

    /// An intent was granted.
    ///
    /// # Errors
    /// Where it was not the one that was asked for.
    pub(crate) fn granted(&mut self, mark: Mark, id: u64) -> anyhow::Result<()> {
        let awaited = self.players[seat(mark)].awaited.pop_front();
        ensure!(awaited == Some(id), "intent {id} was granted, {awaited:?} was asked for");
        Ok(())
    }

    /// Somebody was told something.
    ///
    /// # Errors
    /// Where they should have been told something else.
    pub(crate) fn hear(
        &mut self,
        ear: Ear,
        text: &str,
        now: Instant,
        tally: &mut Tally,
    ) -> anyhow::Result<Option<Letter>> {
        let (number, player) = match ear {
            Ear::Player(mark) => (self.players[seat(mark)].next, Some(mark)),
            Ear::Watcher(number) => (number, None),
        };
        let heard = self.log.hear(number, text, player.is_some(), self.viewers)?;
        if let Some(mark) = player {
            self.players[seat(mark)].next += 1;
        }
        match heard.what {
            What::Move(by, due) => {
                self.moved_at = now;
                self.count(heard, player, by, now.saturating_duration_since(due), tally);
            }
            What::Started { game, first } if heard.new => {
                (self.game, self.first, self.ply, self.running) = (game, first, 0, true);
            }
            What::Over => {
                self.running &= !heard.new;
                if let Some(mark) = player {
                    self.intents += 1;
                    let text = words::rematch(self.intents, self.room, self.game);
                    return Ok(Some(self.ask(mark, text)));
                }
            }
            What::Started { .. } | What::Other => {}
        }
        Ok(self.advance(now))
    }

    fn count(
        &self,
        heard: Heard,
        player: Option<Mark>,
        by: Mark,
        time: Duration,
        tally: &mut Tally,
    ) {
        tally.deliveries += 1;
        if player == Some(by.other()) {
            tally.delivery.record(time);
        }
        if player.is_some() && heard.players == 2 {
            tally.moves += 1;
        }
        if self.viewers > 2 && heard.all == self.viewers {
            tally.last_spectator.record(time);
        }
    }
}
