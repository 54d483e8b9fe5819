//! Visitors who come and go: so many are being let in at any time. One has come when it is a
//! WebSocket, was greeted and is in a room; then it leaves and the next comes.

use std::time::Instant;

use noughts_protocol::Role;

use crate::scene::{Part, Scene};
use crate::socket::Id;
use crate::words::{self, Peer, Said};

/// The storm as a whole.
#[derive(Debug)]
pub(crate) struct Storm {
    at_once: usize,
    /// Openers there are.
    open: usize,
    opened: usize,
    rages: bool,
}

impl Storm {
    /// Not begun yet.
    pub(crate) const fn new(at_once: usize) -> Self {
        Self { at_once, open: 0, opened: 0, rages: false }
    }
}

/// One visitor.
#[derive(Debug)]
pub(crate) struct Opener {
    since: Instant,
    /// Which of the hosted rooms it visits.
    number: usize,
    heard: u32,
}

impl Scene {
    /// Has visitors come from now on.
    pub(crate) fn begin_storm(&mut self) {
        if let Some(storm) = &mut self.storm {
            storm.rages = true;
        }
    }

    /// As many new visitors as have left.
    pub(crate) fn refill_storm(&mut self) -> anyhow::Result<()> {
        while let Some(storm) = self.storm.as_mut().filter(|storm| storm.rages)
            && storm.open < storm.at_once
        {
            storm.open += 1;
            storm.opened += 1;
            let opener = Opener { since: Instant::now(), number: storm.opened, heard: 0 };
            let path = if self.peer == Peer::Relay { "/echo" } else { "/ws" };
            self.open(path.to_owned(), Part::Opener(opener))?;
        }
        Ok(())
    }

    /// An opener may say something: who it is and where it wants to go, in one write.
    pub(crate) fn greet_opener(&mut self, id: Id) -> anyhow::Result<()> {
        let Part::Opener(opener) = &self.parts[id] else { return Ok(()) };
        // The relay has no rooms to join; it gets the same words, and says them back.
        let nowhere = noughts_protocol::RoomCode::from_number(0);
        let room = self.hosted.get(opener.number % self.hosted.len().max(1)).copied();
        let join = words::join(1, room.unwrap_or(nowhere), Role::Spectator);
        self.fleet.send(id, [words::hello("Visitor")?, join]);
        Ok(())
    }

    /// An opener heard something.
    pub(crate) fn hear_opener(&mut self, id: Id, text: &str) -> anyhow::Result<()> {
        let Part::Opener(opener) = &mut self.parts[id] else { return Ok(()) };
        opener.heard += 1;
        let is_in = match self.peer {
            Peer::Relay => opener.heard == 2,
            Peer::Noughts => matches!(words::read(text)?, Said::Snapshot(_)),
        };
        if is_in {
            self.tally.opens += 1;
            self.tally.opening.record(opener.since.elapsed());
            self.parts[id] = Part::Nobody;
            self.fleet.close(id);
            self.opener_left();
        }
        Ok(())
    }

    /// Makes room for the next.
    pub(crate) fn opener_left(&mut self) {
        if let Some(storm) = &mut self.storm {
            storm.open -= 1;
        }
    }
}
