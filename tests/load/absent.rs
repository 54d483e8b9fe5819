//! Rooms that nobody is in: made by pairs of players who seat themselves in one after another,
//! and then go away.

use std::time::{Duration, Instant};

use noughts_protocol::{ByMark, Role, Seat};

use crate::scene::{Part, Scene};
use crate::socket::Id;
use crate::words::{self, Said};

/// Pairs that make rooms at the same time.
const PAIRS: usize = 32;

/// How long the server is left alone before it is measured: longer than the 5 s after which
/// rooms fall asleep, where they are kept.
const REST: Duration = Duration::from_secs(10);

/// One of a pair: X makes a room, O joins it.
#[derive(Debug)]
pub(crate) struct Maker {
    is_x: bool,
    partner: Option<Id>,
    /// Rooms that the pair still has to make; known by O.
    left: usize,
    intents: u64,
}

impl Maker {
    /// What is said after `hello`.
    pub(crate) fn first(&self) -> Option<String> {
        self.is_x
            .then(|| words::create(1, noughts_protocol::RoomSettings::default(), ByMark::default()))
    }
}

impl Scene {
    /// Makes so many rooms and leaves them alone.
    ///
    /// # Errors
    /// Where that takes longer than `limit`.
    pub(crate) fn make_absent(&mut self, rooms: usize, limit: Duration) -> anyhow::Result<()> {
        let pairs = PAIRS.min(rooms);
        self.made = 0;
        for pair in 0..pairs {
            let left = rooms / pairs + usize::from(pair < rooms % pairs);
            let maker = Maker { is_x: false, partner: None, left, intents: 1 };
            self.open("/ws".to_owned(), Part::Maker(Box::new(maker)))?;
        }
        self.until("making rooms", limit, |scene| scene.made == rooms)?;
        for id in 0..self.parts.len() {
            self.parts[id] = Part::Nobody;
            self.fleet.close(id);
        }
        let rested = Instant::now() + REST;
        self.until("leaving them alone", 2 * REST, |_| Instant::now() >= rested)
    }

    /// One of a pair heard something.
    pub(crate) fn hear_maker(&mut self, id: Id, text: &str) -> anyhow::Result<()> {
        let said = words::read(text)?;
        let Part::Maker(maker) = &mut self.parts[id] else { return Ok(()) };
        match said {
            // O was greeted: now X may come, and will find somebody to tell of the room.
            Said::Other if !maker.is_x && maker.partner.is_none() => {
                let x = Maker { is_x: true, partner: Some(id), left: 0, intents: 1 };
                let x = self.open("/ws".to_owned(), Part::Maker(Box::new(x)))?;
                if let Part::Maker(maker) = &mut self.parts[id] {
                    maker.partner = Some(x);
                }
            }
            Said::Snapshot(snapshot) => {
                maker.intents += 1;
                let Some(partner) = maker.partner else { return Ok(()) };
                if maker.is_x && snapshot.seats.o == Seat::Open {
                    let join = words::join(maker.intents, snapshot.room, Role::Player);
                    self.fleet.send(partner, [join]);
                } else if !maker.is_x {
                    self.made += 1;
                    maker.left -= 1;
                    if maker.left > 0 {
                        let (seats, settings) = (ByMark::default(), Default::default());
                        let create = words::create(maker.intents, settings, seats);
                        self.fleet.send(partner, [create]);
                    }
                }
            }
            Said::Event | Said::Ok { .. } | Said::Other => {}
        }
        Ok(())
    }
}
