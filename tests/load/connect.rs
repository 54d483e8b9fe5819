//! Connects all clients, a limited number at a time: players, spectators, idle connections, players
//! against computers, and the hosts for the storm.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use noughts_protocol::{ByMark, Mark, Role};

use crate::args::{Load, Watch};
use crate::driver::{Client, Driver};
use crate::messages::{self, Peer, Reply};
use crate::socket::Id;
use crate::storm::Storm;
use crate::two_player_room::TwoPlayerRoom;
use crate::versus_computer::VersusComputer;

/// Clients that connect at the same time, so that the server's backlog never overflows.
const AT_ONCE: usize = 128;

/// Rooms that the visitors of a storm join.
const HOSTED: usize = 100;

impl Driver {
    /// Connects all clients.
    ///
    /// # Errors
    /// If a client cannot connect, or one kind takes longer than `limit`.
    pub(crate) fn open_all(&mut self, load: &Load, limit: Duration) -> anyhow::Result<()> {
        let rooms = 0..load.rooms;
        self.rooms.resize_with(load.rooms, || None);
        let player = |room| Client::Player { room, mark: Mark::X, entered: false };
        self.connect(rooms.clone().map(player), "seating players", limit)?;
        let room_of = |number: usize| match load.watch {
            Watch::One => 0,
            Watch::Spread => number % load.rooms.max(1),
        };
        for room in rooms {
            let spectators = (0..load.spectators).filter(|number| room_of(*number) == room).count();
            if let Some(state) = &mut self.rooms[room] {
                state.set_viewers(2 + u32::try_from(spectators).unwrap_or(u32::MAX));
            }
        }
        let spectator = |number| Client::Spectator { room: room_of(number), next: None };
        self.connect((0..load.spectators).map(spectator), "seating spectators", limit)?;
        self.connect((0..load.idle).map(|_| Client::Idle), "opening idle connections", limit)?;
        let settings = self.script.settings();
        let client = |_| {
            Client::VersusComputer(Box::new(VersusComputer::new(settings.board, load.computer)))
        };
        self.connect((0..load.computers).map(client), "seating computers", limit)?;
        if load.storm > 0 {
            let hosts = if self.peer == Peer::Relay { 0 } else { HOSTED };
            self.connect((0..hosts).map(|_| Client::Host), "making rooms for the storm", limit)?;
            self.storm = Some(Storm::new(load.storm));
        }
        Ok(())
    }

    fn connect(
        &mut self,
        clients: impl Iterator<Item = Client>,
        what: &str,
        limit: Duration,
    ) -> anyhow::Result<()> {
        let mut clients: VecDeque<Client> = clients.collect();
        while !clients.is_empty() {
            let more = clients.len().min(AT_ONCE.saturating_sub(self.pending));
            for client in clients.drain(..more) {
                self.pending += 1;
                self.open(path(self.peer, &client), client)?;
            }
            self.until(what, limit, |driver| driver.pending < AT_ONCE)?;
        }
        self.until(what, limit, |driver| driver.pending == 0)
    }

    /// Sends a new WebSocket's first messages in one write: hello and what brings it into its room.
    pub(crate) fn opened(&mut self, id: Id) -> anyhow::Result<()> {
        if let Client::Visitor(_) = &self.clients[id] {
            return self.greet_visitor(id);
        }
        if self.peer == Peer::Relay {
            if matches!(self.clients[id], Client::Idle) {
                self.pending -= 1;
            }
            return Ok(());
        }
        let settings = self.script.settings();
        let create = |seats| Some(messages::create(1, settings, seats));
        let (name, then) = match &self.clients[id] {
            Client::Player { room, mark: Mark::O, .. } => {
                let code = self.rooms[*room].as_ref().map(|state| state.code);
                (format!("Load {room} O"), code.map(|code| messages::join(1, code, Role::Player)))
            }
            Client::Player { room, .. } => (format!("Load {room} X"), create(ByMark::default())),
            Client::Spectator { room, .. } => {
                let code = self.rooms[*room].as_ref().map(|state| state.code);
                let join = code.map(|code| messages::join(1, code, Role::Spectator));
                ("Spectator".to_owned(), join)
            }
            Client::Host => ("Host".to_owned(), create(ByMark::default())),
            Client::VersusComputer(person) => ("VersusComputer".to_owned(), Some(person.create())),
            Client::RoomMaker(maker) => ("RoomMaker".to_owned(), maker.first()),
            Client::Idle | Client::Visitor(_) | Client::Gone => ("Idle".to_owned(), None),
        };
        self.sockets.send(id, [messages::hello(&name)?].into_iter().chain(then));
        Ok(())
    }

    /// Handles the answers to the first messages.
    pub(crate) fn enter(&mut self, id: Id, text: &str) -> anyhow::Result<()> {
        if self.peer == Peer::Relay {
            return self.entered(id, None);
        }
        let reply = messages::read(text)?;
        if matches!((&self.clients[id], &reply), (Client::Idle, Reply::Other)) {
            self.pending -= 1;
        }
        match reply {
            Reply::Snapshot(snapshot) => self.entered(id, Some(&snapshot)),
            Reply::Event | Reply::Ok { .. } | Reply::Other => Ok(()),
        }
    }

    fn entered(
        &mut self,
        id: Id,
        snapshot: Option<&noughts_protocol::Snapshot>,
    ) -> anyhow::Result<()> {
        match &mut self.clients[id] {
            Client::Player { room, mark, entered } => {
                *entered = true;
                let (room, mark) = (*room, *mark);
                if mark == Mark::O {
                    if let Some(state) = &mut self.rooms[room] {
                        state.enter(id, snapshot);
                    }
                    return self.seat_next(room);
                }
                let number = u32::try_from(room).unwrap_or_default();
                let relayed = noughts_protocol::RoomCode::from_number(number);
                let code = snapshot.map_or(relayed, |snapshot| snapshot.room);
                let script = Rc::clone(&self.script);
                self.rooms[room] = Some(TwoPlayerRoom::new(self.peer, script, code, id, snapshot));
                let client = Client::Player { room, mark: Mark::O, entered: false };
                self.open(path(self.peer, &client), client).map(drop)
            }
            Client::Spectator { room, next } => {
                let end = self.rooms[*room].as_ref().map(TwoPlayerRoom::end);
                *next = snapshot.map(|snapshot| snapshot.v + 1).or(end);
                self.pending -= 1;
                Ok(())
            }
            Client::Host => {
                self.hosted.extend(snapshot.map(|snapshot| snapshot.room));
                self.pending -= 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Counts a room as open once both players have received the same events.
    pub(crate) fn seat_next(&mut self, room: usize) -> anyhow::Result<()> {
        if let Some(state) = &mut self.rooms[room]
            && state.has_opened()
        {
            state.set_viewers(2);
            self.pending -= 1;
        }
        Ok(())
    }
}

/// The path at which a client connects.
fn path(peer: Peer, client: &Client) -> String {
    match (peer, client) {
        (Peer::Noughts, _) => "/ws".to_owned(),
        (Peer::Relay, Client::Player { room, .. }) => format!("/room/{room}"),
        (Peer::Relay, Client::Spectator { room, .. }) => format!("/watch/{room}"),
        (Peer::Relay, _) => "/echo".to_owned(),
    }
}
