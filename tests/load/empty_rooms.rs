//! Rooms without connections, for `--absent`: pairs of players make and join one room after another,
//! and then disconnect.

use std::time::{Duration, Instant};

use noughts_protocol::{ByMark, Role, Seat};

use crate::driver::{Client, Driver};
use crate::messages::{self, Reply};
use crate::socket::Id;

/// Pairs that make rooms at the same time.
const PAIRS: usize = 32;

/// How long the server is left alone before its memory is measured: longer than the 5 s after which
/// stored rooms hibernate.
const REST: Duration = Duration::from_secs(10);

/// One of a pair: X makes a room, O joins it.
#[derive(Debug)]
pub(crate) struct RoomMaker {
    is_x: bool,
    partner: Option<Id>,
    /// Rooms that the pair still has to make. O counts.
    left: usize,
    intents: u64,
}

impl RoomMaker {
    /// The message after `hello`.
    pub(crate) fn first(&self) -> Option<String> {
        self.is_x.then(|| {
            messages::create(1, noughts_protocol::RoomSettings::default(), ByMark::default())
        })
    }
}

impl Driver {
    /// Makes rooms, disconnects, and waits.
    ///
    /// # Errors
    /// If making them takes longer than `limit`.
    pub(crate) fn make_absent(&mut self, rooms: usize, limit: Duration) -> anyhow::Result<()> {
        let pairs = PAIRS.min(rooms);
        self.made = 0;
        for pair in 0..pairs {
            let left = rooms / pairs + usize::from(pair < rooms % pairs);
            let maker = RoomMaker { is_x: false, partner: None, left, intents: 1 };
            self.open("/ws".to_owned(), Client::RoomMaker(Box::new(maker)))?;
        }
        self.until("making rooms", limit, |driver| driver.made == rooms)?;
        for id in 0..self.clients.len() {
            self.clients[id] = Client::Gone;
            self.sockets.close(id);
        }
        let rested = Instant::now() + REST;
        self.until("leaving them alone", 2 * REST, |_| Instant::now() >= rested)
    }

    /// Handles a message to one of a pair.
    pub(crate) fn receive_as_maker(&mut self, id: Id, text: &str) -> anyhow::Result<()> {
        let reply = messages::read(text)?;
        let Client::RoomMaker(maker) = &mut self.clients[id] else { return Ok(()) };
        match reply {
            // O is welcome: X connects now, because O must be there when X has made a room.
            Reply::Other if !maker.is_x && maker.partner.is_none() => {
                let x = RoomMaker { is_x: true, partner: Some(id), left: 0, intents: 1 };
                let x = self.open("/ws".to_owned(), Client::RoomMaker(Box::new(x)))?;
                if let Client::RoomMaker(maker) = &mut self.clients[id] {
                    maker.partner = Some(x);
                }
            }
            Reply::Snapshot(snapshot) => {
                maker.intents += 1;
                let Some(partner) = maker.partner else { return Ok(()) };
                if maker.is_x && snapshot.seats.o == Seat::Open {
                    let join = messages::join(maker.intents, snapshot.room, Role::Player);
                    self.sockets.send(partner, [join]);
                } else if !maker.is_x {
                    self.made += 1;
                    maker.left -= 1;
                    if maker.left > 0 {
                        let (seats, settings) = (ByMark::default(), Default::default());
                        let create = messages::create(maker.intents, settings, seats);
                        self.sockets.send(partner, [create]);
                    }
                }
            }
            Reply::Event | Reply::Ok { .. } | Reply::Other => {}
        }
        Ok(())
    }
}
