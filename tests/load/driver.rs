//! The event loop: one thread reads all sockets and lets their clients answer. [`crate::connect`] opens
//! the clients; each kind of client has a file of its own.

use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use noughts_protocol::{Mark, RoomCode};

use crate::args::Load;
use crate::empty_rooms::RoomMaker;
use crate::messages::{self, Peer, Reply, TalkReply};
use crate::progress::Progress;
use crate::script::Script;
use crate::socket::{Id, SocketEvent, Sockets};
use crate::stats::Stats;
use crate::storm::{Storm, Visitor};
use crate::talk::Talk;
use crate::two_player_room::{Outgoing, RoomSchedule, TwoPlayerRoom, Viewer};
use crate::versus_computer::VersusComputer;

/// The longest wait for sockets before the loop reads the clock.
const POLL_TIME: Duration = Duration::from_millis(20);

/// The precision of the kernel's timer: for shorter waits the loop polls.
const TIMER_STEP: Duration = Duration::from_millis(2);

/// The id of the first intent that says something: above those that bring a spectator in.
const FIRST_LINE: u64 = 1_000;

/// What the client of a socket does.
pub(crate) enum Client {
    /// Plays in room number `room`.
    Player { room: usize, mark: Mark, entered: bool },
    /// Watches room number `room`; `next` is the number of the next event, once it is in.
    Spectator { room: usize, next: Option<u64> },
    /// Sends hello and nothing more.
    Idle,
    /// Plays against a computer.
    VersusComputer(Box<VersusComputer>),
    /// Makes rooms and leaves them.
    RoomMaker(Box<RoomMaker>),
    /// Keeps a room that visitors join.
    Host,
    /// Joins a room and disconnects, for `--storm`.
    Visitor(Visitor),
    /// Disconnected.
    Gone,
}

/// All clients and the state they share.
pub(crate) struct Driver {
    pub(crate) peer: Peer,
    pub(crate) sockets: Sockets,
    pub(crate) script: Rc<Script>,
    pub(crate) clients: Vec<Client>,
    pub(crate) rooms: Vec<Option<TwoPlayerRoom>>,
    /// Rooms that visitors join.
    pub(crate) hosted: Vec<RoomCode>,
    pub(crate) storm: Option<Storm>,
    pub(crate) talk: Option<Talk>,
    pub(crate) stats: Stats,
    pub(crate) progress: Progress,
    /// Clients that are not where they belong yet.
    pub(crate) pending: usize,
    /// Whether a lost connection ends the run.
    pub(crate) fail_on_loss: bool,
    /// Rooms that room makers have made.
    pub(crate) made: usize,
}

impl Driver {
    /// Starts without clients.
    pub(crate) fn new(peer: Peer, sockets: Sockets, load: &Load) -> Self {
        Self {
            peer,
            sockets,
            script: Rc::new(Script::new(load.board)),
            clients: Vec::new(),
            rooms: Vec::new(),
            hosted: Vec::new(),
            storm: None,
            talk: None,
            stats: Stats::new(),
            progress: Progress::new(),
            pending: 0,
            fail_on_loss: true,
            made: 0,
        }
    }

    /// Opens a socket for a client.
    pub(crate) fn open(&mut self, path: String, client: Client) -> anyhow::Result<Id> {
        let is_second = matches!(client, Client::Player { mark: Mark::O, .. });
        let at_other = is_second || matches!(client, Client::Spectator { .. });
        let id = self.sockets.open(path, at_other)?;
        if self.clients.len() <= id {
            self.clients.resize_with(id + 1, || Client::Gone);
        }
        self.clients[id] = client;
        Ok(id)
    }

    /// Handles events until `done`.
    ///
    /// # Errors
    /// If that takes longer than `limit`, or a wrong message arrives.
    pub(crate) fn until(
        &mut self,
        what: &str,
        limit: Duration,
        done: impl Fn(&Self) -> bool,
    ) -> anyhow::Result<()> {
        let end = Instant::now() + limit;
        while !done(self) {
            if Instant::now() > end {
                bail!("{what}: not done in {} s (--patience)", limit.as_secs());
            }
            self.turn(POLL_TIME)?;
            self.progress.show(|| format!("{what}: {} sockets to go", self.pending));
        }
        Ok(())
    }

    /// Handles events and makes the moves that are due, for `time`.
    pub(crate) fn play(
        &mut self,
        time: Duration,
        schedule: &mut Schedule,
        what: &str,
    ) -> anyhow::Result<()> {
        let begin = Instant::now();
        loop {
            let now = Instant::now();
            let played = now.duration_since(begin);
            if played >= time {
                return Ok(());
            }
            while let Some(room) = schedule.next_due(now) {
                let outgoing = self.rooms[room].as_mut().and_then(|state| state.advance(now));
                self.send(outgoing);
            }
            self.say_what_is_due(now)?;
            let wait = self.talk.as_ref().map_or(POLL_TIME, |talk| talk.wait(now));
            self.turn(schedule.wait(now).min(wait).min(time.saturating_sub(played)))?;
            let Self { progress, stats, .. } = self;
            progress.show(|| {
                let seconds = stats.since.elapsed().as_secs_f64();
                let per_second = |count: u64| count as f64 / seconds;
                format!(
                    "{what} {:.0} of {} s: {:.0} moves/s, {:.0} opens/s",
                    played.as_secs_f64(),
                    time.as_secs(),
                    per_second(stats.moves),
                    per_second(stats.opens),
                )
            });
        }
    }

    /// Lets all rooms play; with a rate, so many moves a second in all.
    pub(crate) fn begin(&mut self, rate: Option<f64>) -> Schedule {
        let now = Instant::now();
        let schedule = Schedule::new(now, rate, self.rooms.len());
        for room in 0..self.rooms.len() {
            let room_schedule = schedule.room_schedule(room);
            let outgoing =
                self.rooms[room].as_mut().and_then(|state| state.begin(now, room_schedule));
            self.send(outgoing);
        }
        schedule
    }

    /// Lets the spectators talk, with so many lines a second together.
    pub(crate) fn begin_talk(&mut self, rate: Option<f64>) {
        let watches = |(_, client): &(usize, &Client)| matches!(client, Client::Spectator { .. });
        let speakers = self.clients.iter().enumerate().filter(watches).map(|(id, _)| id).collect();
        self.talk = rate.map(|rate| Talk::new(Instant::now(), rate, speakers));
    }

    fn say_what_is_due(&mut self, now: Instant) -> anyhow::Result<()> {
        let Some(talk) = &mut self.talk else { return Ok(()) };
        self.stats.phase = talk.phase(now);
        let Some((id, line)) = talk.next_due(now) else { return Ok(()) };
        let Client::Spectator { room, .. } = self.clients[id] else { return Ok(()) };
        let Some(state) = &self.rooms[room] else { return Ok(()) };
        let say = messages::say(FIRST_LINE + line as u64, state.code, line)?;
        self.sockets.send(id, [say]);
        Ok(())
    }

    fn turn(&mut self, limit: Duration) -> anyhow::Result<()> {
        self.sockets.wait(limit)?;
        while let Some(id) = self.sockets.next_ready() {
            loop {
                match self.sockets.read(id) {
                    Ok(Some(SocketEvent::Open)) => self.opened(id)?,
                    Ok(Some(SocketEvent::Text(text))) => self.receive(id, &text)?,
                    Ok(None) => break,
                    Err(why) => {
                        self.lost(id, why)?;
                        break;
                    }
                }
            }
        }
        self.refill_storm()
    }

    fn receive(&mut self, id: Id, text: &str) -> anyhow::Result<()> {
        let relayed = self.peer == Peer::Relay;
        match &mut self.clients[id] {
            Client::Player { room, mark, entered: true } => {
                let (room, mark) = (*room, *mark);
                let Some(state) = self.rooms[room].as_mut() else { return Ok(()) };
                let reply = if relayed { Reply::Event } else { messages::read(text)? };
                match reply {
                    Reply::Ok { id } => {
                        self.stats.granted += 1;
                        return state.granted(mark, id).with_context(|| state.code);
                    }
                    Reply::Snapshot(_) | Reply::Other => return Ok(()),
                    Reply::Event => {}
                }
                let now = Instant::now();
                let outgoing = state.receive(Viewer::Player(mark), text, now, &mut self.stats);
                let outgoing = outgoing.with_context(|| state.code)?;
                self.send(outgoing);
                self.seat_next(room)
            }
            Client::Spectator { room, next: Some(next) } => {
                let Some(state) = self.rooms[*room].as_mut() else { return Ok(()) };
                if !relayed && let Some(reply) = messages::talk(text) {
                    let stats = &mut self.stats;
                    *match reply {
                        TalkReply::Told => &mut stats.told,
                        TalkReply::Said => &mut stats.said,
                        TalkReply::Unsaid => &mut stats.unsaid,
                    } += 1;
                    return Ok(());
                }
                if !relayed && !matches!(messages::read(text)?, Reply::Event) {
                    return Ok(());
                }
                let now = Instant::now();
                let outgoing = state.receive(Viewer::Spectator(*next), text, now, &mut self.stats);
                let outgoing = outgoing.with_context(|| state.code)?;
                *next += 1;
                self.send(outgoing);
                Ok(())
            }
            Client::VersusComputer(client) => {
                let outgoing = client.receive(id, text, &mut self.stats)?;
                if client.has_entered() {
                    self.pending -= 1;
                }
                self.send(outgoing);
                Ok(())
            }
            Client::Visitor(_) => self.receive_as_visitor(id, text),
            Client::RoomMaker(_) => self.receive_as_maker(id, text),
            Client::Player { .. } | Client::Spectator { .. } | Client::Idle | Client::Host => {
                self.enter(id, text)
            }
            Client::Gone => Ok(()),
        }
    }

    pub(crate) fn send(&mut self, outgoing: Option<Outgoing>) {
        if let Some((id, text)) = outgoing {
            self.sockets.send(id, [text]);
        }
    }

    fn lost(&mut self, id: Id, why: anyhow::Error) -> anyhow::Result<()> {
        let client = std::mem::replace(&mut self.clients[id], Client::Gone);
        if matches!(client, Client::Gone) {
            return Ok(());
        }
        if self.fail_on_loss {
            return Err(why.context(format!("failed to open connection {}", self.sockets.opened())));
        }
        self.stats.lost += 1;
        self.stats.first_loss.get_or_insert_with(|| format!("{why:#}"));
        match client {
            Client::Player { room, .. } | Client::Spectator { room, .. } => self.rooms[room] = None,
            Client::Visitor(_) => self.visitor_left(),
            _ => {}
        }
        Ok(())
    }

    /// The number of rooms without a move since `time`. Rooms that lost a connection do not count.
    pub(crate) fn stalled_since(&self, time: Instant) -> usize {
        self.rooms.iter().flatten().filter(|state| state.moved_at() <= time).count()
    }
}

/// When moves are due with `--rate`: one room after another, evenly spaced.
#[derive(Debug)]
pub(crate) struct Schedule {
    start: Instant,
    /// From one move to the next, over all rooms; `None` if rooms move as soon as they may.
    interval: Option<Duration>,
    rooms: usize,
    next_move: u32,
}

impl Schedule {
    fn new(start: Instant, rate: Option<f64>, rooms: usize) -> Self {
        let interval = rate.filter(|_| rooms > 0).map(|rate| Duration::from_secs_f64(1.0 / rate));
        Self { start, interval, rooms, next_move: 0 }
    }

    fn room_schedule(&self, room: usize) -> Option<RoomSchedule> {
        let interval = self.interval?;
        let start = self.start + interval * u32::try_from(room).unwrap_or(u32::MAX);
        let interval = interval * u32::try_from(self.rooms).unwrap_or(u32::MAX);
        Some(RoomSchedule { start, interval, made: 0 })
    }

    /// The next room whose move is due; each move is returned once.
    fn next_due(&mut self, now: Instant) -> Option<usize> {
        (self.start + self.interval? * self.next_move <= now).then(|| {
            let room = self.next_move as usize % self.rooms;
            self.next_move += 1;
            room
        })
    }

    /// How long the loop may wait for sockets.
    fn wait(&self, now: Instant) -> Duration {
        let Some(interval) = self.interval else { return POLL_TIME };
        let due = self.start + interval * self.next_move;
        let left = due.saturating_duration_since(now).min(POLL_TIME);
        if left < TIMER_STEP { Duration::ZERO } else { left - TIMER_STEP }
    }
}
