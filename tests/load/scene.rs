//! Everybody who takes part, on one thread: hears what sockets have to tell and answers. Who
//! comes when is in [`crate::opening`], what they do in the file of each.

use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use noughts_protocol::{Mark, RoomCode};

use crate::absent::Maker;
use crate::args::Load;
use crate::duel::{Beat, Duel, Ear, Letter};
use crate::person::Person;
use crate::progress::Progress;
use crate::script::Script;
use crate::socket::{Fleet, Id, News};
use crate::storm::{Opener, Storm};
use crate::tally::Tally;
use crate::words::{self, Peer, Said};

/// How long the loop waits for sockets before it looks at the time.
const GLANCE: Duration = Duration::from_millis(20);

/// The kernel's timer is no finer; nearer than this, the loop looks again at once.
const FINEST: Duration = Duration::from_millis(2);

/// What a socket is for.
pub(crate) enum Part {
    /// Plays in room number `room`; `None` until X has a room.
    Player { room: usize, mark: Mark, entered: bool },
    /// Watches it; the number of the next event, once entered.
    Watcher { room: usize, next: Option<u64> },
    /// Says hello and nothing more.
    Idle,
    /// Plays a computer.
    Person(Box<Person>),
    /// Makes rooms and goes away.
    Maker(Box<Maker>),
    /// Keeps a room that openers may visit.
    Host,
    /// Comes and goes.
    Opener(Opener),
    /// Is gone.
    Nobody,
}

/// Everybody and everything.
pub(crate) struct Scene {
    pub(crate) peer: Peer,
    pub(crate) fleet: Fleet,
    pub(crate) script: Rc<Script>,
    pub(crate) parts: Vec<Part>,
    pub(crate) duels: Vec<Option<Duel>>,
    /// Rooms that openers visit.
    pub(crate) hosted: Vec<RoomCode>,
    pub(crate) storm: Option<Storm>,
    pub(crate) tally: Tally,
    pub(crate) progress: Progress,
    /// Sockets that are being opened.
    pub(crate) pending: usize,
    /// Whether a lost socket is the end of it.
    pub(crate) fragile: bool,
    /// Rooms that nobody is in.
    pub(crate) made: usize,
}

impl Scene {
    /// Nobody yet.
    pub(crate) fn new(peer: Peer, fleet: Fleet, load: &Load) -> Self {
        Self {
            peer,
            fleet,
            script: Rc::new(Script::new(load.board)),
            parts: Vec::new(),
            duels: Vec::new(),
            hosted: Vec::new(),
            storm: None,
            tally: Tally::new(),
            progress: Progress::new(),
            pending: 0,
            fragile: true,
            made: 0,
        }
    }

    /// Opens a socket for somebody.
    pub(crate) fn open(&mut self, path: String, part: Part) -> anyhow::Result<Id> {
        let id = self.fleet.open(path)?;
        if self.parts.len() <= id {
            self.parts.resize_with(id + 1, || Part::Nobody);
        }
        self.parts[id] = part;
        Ok(id)
    }

    /// Hears and answers until `done`, for `limit` at most.
    ///
    /// # Errors
    /// Where that takes longer, or something is told that must not be.
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
            self.turn(GLANCE)?;
            self.progress.tell(|| format!("{what}: {} sockets to go", self.pending));
        }
        Ok(())
    }

    /// Plays for this long; with a rate, so many moves a second in all.
    pub(crate) fn play(
        &mut self,
        time: Duration,
        pace: &mut Pace,
        what: &str,
    ) -> anyhow::Result<()> {
        let begin = Instant::now();
        loop {
            let now = Instant::now();
            let played = now.duration_since(begin);
            if played >= time {
                return Ok(());
            }
            while let Some(room) = pace.next_due(now) {
                let letter = self.duels[room].as_mut().and_then(|duel| duel.advance(now));
                self.post(letter);
            }
            self.turn(pace.wait(now).min(time.saturating_sub(played)))?;
            let Self { progress, tally, .. } = self;
            progress.tell(|| {
                let seconds = tally.since.elapsed().as_secs_f64();
                let per_second = |count: u64| count as f64 / seconds;
                format!(
                    "{what} {:.0} of {} s: {:.0} moves/s, {:.0} opens/s",
                    played.as_secs_f64(),
                    time.as_secs(),
                    per_second(tally.moves),
                    per_second(tally.opens),
                )
            });
        }
    }

    /// Has everybody begin to play.
    pub(crate) fn begin(&mut self, rate: Option<f64>) -> Pace {
        let now = Instant::now();
        let pace = Pace::new(now, rate, self.duels.len());
        for room in 0..self.duels.len() {
            let beat = pace.beat(room);
            let letter = self.duels[room].as_mut().and_then(|duel| duel.begin(now, beat));
            self.post(letter);
        }
        pace
    }

    fn turn(&mut self, limit: Duration) -> anyhow::Result<()> {
        self.fleet.wait(limit)?;
        while let Some(id) = self.fleet.next_ready() {
            loop {
                match self.fleet.read(id) {
                    Ok(Some(News::Open)) => self.opened(id)?,
                    Ok(Some(News::Text(text))) => self.hear(id, &text)?,
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

    fn hear(&mut self, id: Id, text: &str) -> anyhow::Result<()> {
        let relayed = self.peer == Peer::Relay;
        match &mut self.parts[id] {
            Part::Player { room, mark, entered: true } => {
                let (room, mark) = (*room, *mark);
                let Some(duel) = self.duels[room].as_mut() else { return Ok(()) };
                let said = if relayed { Said::Event } else { words::read(text)? };
                match said {
                    Said::Ok { id } => {
                        self.tally.granted += 1;
                        return duel.granted(mark, id).with_context(|| duel.room);
                    }
                    Said::Snapshot(_) | Said::Other => return Ok(()),
                    Said::Event => {}
                }
                let now = Instant::now();
                let letter = duel.hear(Ear::Player(mark), text, now, &mut self.tally);
                let letter = letter.with_context(|| duel.room)?;
                self.post(letter);
                self.seat_next(room)
            }
            Part::Watcher { room, next: Some(next) } => {
                let Some(duel) = self.duels[*room].as_mut() else { return Ok(()) };
                if !relayed && !matches!(words::read(text)?, Said::Event) {
                    return Ok(());
                }
                let now = Instant::now();
                let letter = duel.hear(Ear::Watcher(*next), text, now, &mut self.tally);
                let letter = letter.with_context(|| duel.room)?;
                *next += 1;
                self.post(letter);
                Ok(())
            }
            Part::Person(person) => {
                let letter = person.hear(id, text, &mut self.tally)?;
                if person.has_entered() {
                    self.pending -= 1;
                }
                self.post(letter);
                Ok(())
            }
            Part::Opener(_) => self.hear_opener(id, text),
            Part::Maker(_) => self.hear_maker(id, text),
            Part::Player { .. } | Part::Watcher { .. } | Part::Idle | Part::Host => {
                self.enter(id, text)
            }
            Part::Nobody => Ok(()),
        }
    }

    pub(crate) fn post(&mut self, letter: Option<Letter>) {
        if let Some((id, text)) = letter {
            self.fleet.send(id, [text]);
        }
    }

    fn lost(&mut self, id: Id, why: anyhow::Error) -> anyhow::Result<()> {
        let part = std::mem::replace(&mut self.parts[id], Part::Nobody);
        if matches!(part, Part::Nobody) {
            return Ok(());
        }
        if self.fragile {
            return Err(why.context(format!("failed to open connection {}", self.fleet.opened())));
        }
        self.tally.lost += 1;
        self.tally.first_loss.get_or_insert_with(|| format!("{why:#}"));
        match part {
            Part::Player { room, .. } | Part::Watcher { room, .. } => self.duels[room] = None,
            Part::Opener(_) => self.opener_left(),
            _ => {}
        }
        Ok(())
    }

    /// Rooms in which nothing has moved since then; not those that have lost somebody.
    pub(crate) fn still_since(&self, time: Instant) -> usize {
        self.duels.iter().flatten().filter(|duel| duel.moved_at() <= time).count()
    }
}

/// When moves are due at a set rate: one room after the other, evenly spaced.
#[derive(Debug)]
pub(crate) struct Pace {
    start: Instant,
    /// From one move to the next, over all rooms; `None` where rooms move as soon as they may.
    every: Option<Duration>,
    rooms: usize,
    looked_at: u32,
}

impl Pace {
    fn new(start: Instant, rate: Option<f64>, rooms: usize) -> Self {
        let every = rate.filter(|_| rooms > 0).map(|rate| Duration::from_secs_f64(1.0 / rate));
        Self { start, every, rooms, looked_at: 0 }
    }

    fn beat(&self, room: usize) -> Option<Beat> {
        let every = self.every?;
        let start = self.start + every * u32::try_from(room).unwrap_or(u32::MAX);
        let every = every * u32::try_from(self.rooms).unwrap_or(u32::MAX);
        Some(Beat { start, every, made: 0 })
    }

    /// The next room whose move is due by now; each is given once.
    fn next_due(&mut self, now: Instant) -> Option<usize> {
        (self.start + self.every? * self.looked_at <= now).then(|| {
            let room = self.looked_at as usize % self.rooms;
            self.looked_at += 1;
            room
        })
    }

    /// How long nothing is due.
    fn wait(&self, now: Instant) -> Duration {
        let Some(every) = self.every else { return GLANCE };
        let due = self.start + every * self.looked_at;
        let left = due.saturating_duration_since(now).min(GLANCE);
        if left < FINEST { Duration::ZERO } else { left - FINEST }
    }
}
