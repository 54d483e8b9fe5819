//! The faults that a fake engine can have: what becomes of an append, what a link does, and how often
//! chance brings what.

use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;

/// The state of the way between a node and the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// It carries everything.
    Open,
    /// It holds everything back, in both directions, and carries it when it opens.
    Paused,
    /// It holds the records of the log back, and carries everything else.
    Late,
    /// It loses everything. Streams of the log end with an error.
    Cut,
}

impl Link {
    /// Whether it carries messages and calls.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Late)
    }
}

/// The fate of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It arrives, and so does the answer.
    Arrives,
    /// It arrives, but the answer does not.
    LostAck,
    /// It arrives, and the answer comes this much later.
    LateAck(Duration),
    /// It arrives, and this much later once more.
    Doubled(Duration),
    /// It does not arrive.
    Lost,
    /// It arrives this much later.
    Late(Duration),
    /// The engine answers that it is to be tried again, and does not store it.
    Again,
    /// The engine refuses it.
    Refused,
}

/// A promise that the engine breaks. With it a test shows that the rest relies on that promise, and that
/// a checker finds what goes wrong without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// A record is stored whatever the last one of its chain is.
    NoExpectation,
    /// It says that a claim of a shard that has an owner is stored, and does not store it.
    FalseClaims,
    /// It says that a record is refused if it does not know after [`ANSWER_TIME`](super::super::ANSWER_TIME).
    RefusedOnTimeout,
    /// It says that a record is stored if it does not know after [`ANSWER_TIME`](super::super::ANSWER_TIME).
    StoredOnTimeout,
    /// A node whose link is cut hears itself.
    EchoOfItself,
}

impl Fate {
    /// How late it arrives.
    pub(super) fn late(self) -> Duration {
        if let Self::Late(time) = self { time } else { Duration::ZERO }
    }

    /// How late its answer comes.
    pub(super) fn ack_late(self) -> Duration {
        if let Self::LateAck(time) = self { time } else { Duration::ZERO }
    }
}

/// The odds of faults, each from 0 to 1, and their sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Faults {
    /// Of [`Fate::LostAck`].
    pub lost_acks: f64,
    /// Of [`Fate::LateAck`].
    pub late_acks: f64,
    /// Of [`Fate::Doubled`].
    pub doubled: f64,
    /// Of [`Fate::Lost`].
    pub lost_appends: f64,
    /// Of [`Fate::Late`].
    pub late_appends: f64,
    /// The most by which something is late.
    pub max_late: Duration,
    /// The most that each way takes: to the log, back, and from it to a node.
    pub max_delay: Duration,
    /// Of a message that is lost.
    pub lost_messages: f64,
    /// Of a stream of the log that ends with an error, for each record.
    pub broken_follows: f64,
    /// Of a record that comes late to a node.
    pub late_follows: f64,
    /// Of [`Fate::Again`].
    pub again: f64,
    /// Of [`Fate::Refused`].
    pub refusals: f64,
    /// Of the range of records as it was a while ago.
    pub stale_bounds: f64,
}

impl Faults {
    /// A cluster without faults and without delay.
    pub const NONE: Self = Self {
        lost_acks: 0.0,
        late_acks: 0.0,
        doubled: 0.0,
        lost_appends: 0.0,
        late_appends: 0.0,
        max_late: Duration::ZERO,
        max_delay: Duration::ZERO,
        lost_messages: 0.0,
        broken_follows: 0.0,
        late_follows: 0.0,
        again: 0.0,
        refusals: 0.0,
        stale_bounds: 0.0,
    };

    /// A bad day: one append of ten has a fault, and one message of a hundred is lost.
    pub const MANY: Self = Self {
        lost_acks: 0.02,
        late_acks: 0.02,
        doubled: 0.02,
        lost_appends: 0.02,
        late_appends: 0.02,
        max_late: Duration::from_secs(3),
        max_delay: Duration::from_millis(5),
        lost_messages: 0.01,
        broken_follows: 0.01,
        ..Self::NONE
    };

    /// A worse day: what no real engine has all at once, and ranges of records that are out of date.
    pub const ALL: Self = Self {
        lost_acks: 0.05,
        late_acks: 0.05,
        doubled: 0.05,
        lost_appends: 0.05,
        late_appends: 0.05,
        max_delay: Duration::from_millis(50),
        lost_messages: 0.05,
        broken_follows: 0.03,
        late_follows: 0.1,
        again: 0.05,
        refusals: 0.1,
        stale_bounds: 0.2,
        ..Self::MANY
    };

    /// The fate of the next append.
    pub(super) fn draw(&self, rng: &mut StdRng) -> Fate {
        let odds = [
            self.lost_acks,
            self.late_acks,
            self.doubled,
            self.lost_appends,
            self.late_appends,
            self.again,
            self.refusals,
        ];
        if odds.iter().all(|odds| *odds == 0.0) {
            return Fate::Arrives;
        }
        let late = self.max_late.mul_f64(rng.random());
        let fates = [
            Fate::LostAck,
            Fate::LateAck(late),
            Fate::Doubled(late),
            Fate::Lost,
            Fate::Late(late),
            Fate::Again,
            Fate::Refused,
        ];
        let mut drawn: f64 = rng.random();
        for (fate, odds) in fates.into_iter().zip(odds) {
            if drawn < odds {
                return fate;
            }
            drawn -= odds;
        }
        Fate::Arrives
    }
}
