//! Visitors, for `--storm`: a constant number is connecting at any time. A visitor upgrades to a
//! WebSocket, sends hello, joins a room and disconnects; then the next one connects.

use std::time::Instant;

use noughts_protocol::Role;

use crate::driver::{Client, Driver};
use crate::messages::{self, Peer, Reply};
use crate::socket::Id;

/// All visitors.
#[derive(Debug)]
pub(crate) struct Storm {
    at_once: usize,
    /// Visitors at the moment.
    open: usize,
    opened: usize,
    is_running: bool,
}

impl Storm {
    /// Starts without visitors.
    pub(crate) const fn new(at_once: usize) -> Self {
        Self { at_once, open: 0, opened: 0, is_running: false }
    }
}

/// One visitor.
#[derive(Debug)]
pub(crate) struct Visitor {
    since: Instant,
    /// Decides which of the hosted rooms it joins.
    number: usize,
    received: u32,
}

impl Driver {
    /// Lets visitors connect from now on.
    pub(crate) fn begin_storm(&mut self) {
        if let Some(storm) = &mut self.storm {
            storm.is_running = true;
        }
    }

    /// Connects a new visitor for each that has left.
    pub(crate) fn refill_storm(&mut self) -> anyhow::Result<()> {
        while let Some(storm) = self.storm.as_mut().filter(|storm| storm.is_running)
            && storm.open < storm.at_once
        {
            storm.open += 1;
            storm.opened += 1;
            let visitor = Visitor { since: Instant::now(), number: storm.opened, received: 0 };
            let path = if self.peer == Peer::Relay { "/echo" } else { "/ws" };
            self.open(path.to_owned(), Client::Visitor(visitor))?;
        }
        Ok(())
    }

    /// Sends a visitor's hello and join in one write.
    pub(crate) fn greet_visitor(&mut self, id: Id) -> anyhow::Result<()> {
        let Client::Visitor(visitor) = &self.clients[id] else { return Ok(()) };
        // The relay has no rooms; it gets the same messages and sends them back.
        let nowhere = noughts_protocol::RoomCode::from_number(0);
        let room = self.hosted.get(visitor.number % self.hosted.len().max(1)).copied();
        let join = messages::join(1, room.unwrap_or(nowhere), Role::Spectator);
        self.sockets.send(id, [messages::hello("Visitor")?, join]);
        Ok(())
    }

    /// Handles a message to a visitor.
    pub(crate) fn receive_as_visitor(&mut self, id: Id, text: &str) -> anyhow::Result<()> {
        let Client::Visitor(visitor) = &mut self.clients[id] else { return Ok(()) };
        visitor.received += 1;
        let is_in = match self.peer {
            Peer::Relay => visitor.received == 2,
            Peer::Noughts => matches!(messages::read(text)?, Reply::Snapshot(_)),
        };
        if is_in {
            self.stats.opens += 1;
            self.stats.opening.record(visitor.since.elapsed());
            self.clients[id] = Client::Gone;
            self.sockets.close(id);
            self.visitor_left();
        }
        Ok(())
    }

    /// Lets the next visitor connect.
    pub(crate) fn visitor_left(&mut self) {
        if let Some(storm) = &mut self.storm {
            storm.open -= 1;
        }
    }
}
