//! How everybody comes in: rooms with their players, those who watch, idle ones, people against
//! computers, and hosts for the storm; a limited number at a time.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use noughts_protocol::{ByMark, Mark, Role};

use crate::args::{Load, Watch};
use crate::duel::Duel;
use crate::person::Person;
use crate::scene::{Part, Scene};
use crate::socket::Id;
use crate::storm::Storm;
use crate::words::{self, Peer, Said};

/// Sockets that are opened at the same time, so that the server's backlog never overflows.
const AT_ONCE: usize = 128;

/// Rooms that a storm's openers visit.
const HOSTED: usize = 100;

impl Scene {
    /// Brings everybody in.
    ///
    /// # Errors
    /// Where one cannot come, or all together take longer than `limit`.
    pub(crate) fn open_all(&mut self, load: &Load, limit: Duration) -> anyhow::Result<()> {
        let rooms = 0..load.rooms;
        self.duels.resize_with(load.rooms, || None);
        let player = |room| Part::Player { room, mark: Mark::X, entered: false };
        self.bring(rooms.clone().map(player), "seating players", limit)?;
        let room_of = |number: usize| match load.watch {
            Watch::One => 0,
            Watch::Spread => number % load.rooms.max(1),
        };
        for room in rooms {
            let watchers = (0..load.spectators).filter(|number| room_of(*number) == room).count();
            if let Some(duel) = &mut self.duels[room] {
                duel.told(2 + u32::try_from(watchers).unwrap_or(u32::MAX));
            }
        }
        let watcher = |number| Part::Watcher { room: room_of(number), next: None };
        self.bring((0..load.spectators).map(watcher), "seating spectators", limit)?;
        self.bring((0..load.idle).map(|_| Part::Idle), "opening idle connections", limit)?;
        let settings = self.script.settings();
        let person = |_| Part::Person(Box::new(Person::new(settings.board, load.computer)));
        self.bring((0..load.computers).map(person), "seating computers", limit)?;
        if load.storm > 0 {
            let hosts = if self.peer == Peer::Relay { 0 } else { HOSTED };
            self.bring((0..hosts).map(|_| Part::Host), "making rooms for the storm", limit)?;
            self.storm = Some(Storm::new(load.storm));
        }
        Ok(())
    }

    fn bring(
        &mut self,
        parts: impl Iterator<Item = Part>,
        what: &str,
        limit: Duration,
    ) -> anyhow::Result<()> {
        let mut parts: VecDeque<Part> = parts.collect();
        while !parts.is_empty() {
            let more = parts.len().min(AT_ONCE.saturating_sub(self.pending));
            for part in parts.drain(..more) {
                self.pending += 1;
                self.open(path(self.peer, &part), part)?;
            }
            self.until(what, limit, |scene| scene.pending < AT_ONCE)?;
        }
        self.until(what, limit, |scene| scene.pending == 0)
    }

    /// A socket is a WebSocket now: says what brings it where it belongs, in one write.
    pub(crate) fn opened(&mut self, id: Id) -> anyhow::Result<()> {
        if let Part::Opener(_) = &self.parts[id] {
            return self.greet_opener(id);
        }
        if self.peer == Peer::Relay {
            if matches!(self.parts[id], Part::Idle) {
                self.pending -= 1;
            }
            return Ok(());
        }
        let settings = self.script.settings();
        let create = |seats| Some(words::create(1, settings, seats));
        let (name, then) = match &self.parts[id] {
            Part::Player { room, mark: Mark::O, .. } => {
                let code = self.duels[*room].as_ref().map(|duel| duel.room);
                (format!("Load {room} O"), code.map(|code| words::join(1, code, Role::Player)))
            }
            Part::Player { room, .. } => (format!("Load {room} X"), create(ByMark::default())),
            Part::Watcher { room, .. } => {
                let code = self.duels[*room].as_ref().map(|duel| duel.room);
                let join = code.map(|code| words::join(1, code, Role::Spectator));
                ("Spectator".to_owned(), join)
            }
            Part::Host => ("Host".to_owned(), create(ByMark::default())),
            Part::Person(person) => ("Person".to_owned(), Some(person.create())),
            Part::Maker(maker) => ("Maker".to_owned(), maker.first()),
            Part::Idle | Part::Opener(_) | Part::Nobody => ("Idle".to_owned(), None),
        };
        self.fleet.send(id, [words::hello(&name)?].into_iter().chain(then));
        Ok(())
    }

    /// Hears the answers to that.
    pub(crate) fn enter(&mut self, id: Id, text: &str) -> anyhow::Result<()> {
        if self.peer == Peer::Relay {
            return self.entered(id, None);
        }
        let said = words::read(text)?;
        if matches!((&self.parts[id], &said), (Part::Idle, Said::Other)) {
            self.pending -= 1;
        }
        match said {
            Said::Snapshot(snapshot) => self.entered(id, Some(&snapshot)),
            Said::Event | Said::Ok { .. } | Said::Other => Ok(()),
        }
    }

    fn entered(
        &mut self,
        id: Id,
        snapshot: Option<&noughts_protocol::Snapshot>,
    ) -> anyhow::Result<()> {
        match &mut self.parts[id] {
            Part::Player { room, mark, entered } => {
                *entered = true;
                let (room, mark) = (*room, *mark);
                if mark == Mark::O {
                    if let Some(duel) = &mut self.duels[room] {
                        duel.enter(id, snapshot);
                    }
                    return self.seat_next(room);
                }
                let number = u32::try_from(room).unwrap_or_default();
                let relayed = noughts_protocol::RoomCode::from_number(number);
                let code = snapshot.map_or(relayed, |snapshot| snapshot.room);
                let script = Rc::clone(&self.script);
                self.duels[room] = Some(Duel::new(self.peer, script, code, id, snapshot));
                let part = Part::Player { room, mark: Mark::O, entered: false };
                self.open(path(self.peer, &part), part).map(drop)
            }
            Part::Watcher { room, next } => {
                let end = self.duels[*room].as_ref().map(Duel::end);
                *next = snapshot.map(|snapshot| snapshot.v + 1).or(end);
                self.pending -= 1;
                Ok(())
            }
            Part::Host => {
                self.hosted.extend(snapshot.map(|snapshot| snapshot.room));
                self.pending -= 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Counts a room as open when both of its players have heard the same.
    pub(crate) fn seat_next(&mut self, room: usize) -> anyhow::Result<()> {
        if let Some(duel) = &mut self.duels[room]
            && duel.meets()
        {
            duel.told(2);
            self.pending -= 1;
        }
        Ok(())
    }
}

/// Where a socket is opened.
fn path(peer: Peer, part: &Part) -> String {
    match (peer, part) {
        (Peer::Noughts, _) => "/ws".to_owned(),
        (Peer::Relay, Part::Player { room, .. }) => format!("/room/{room}"),
        (Peer::Relay, Part::Watcher { room, .. }) => format!("/watch/{room}"),
        (Peer::Relay, _) => "/echo".to_owned(),
    }
}
