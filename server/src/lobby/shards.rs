//! The shards whose rooms and parties run here: their context, the token that stops them, and their
//! tasks. A single server holds everything as one. Which node is to own a shard is decided in
//! [`crate::cluster`].

use std::collections::BTreeMap;
use std::sync::Arc;

use noughts_protocol::RoomCode;
use rand::seq::IteratorRandom;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::room::RoomContext;
use crate::shard::Shard;

/// The shards that are held here.
#[derive(Debug)]
pub(crate) enum Shards {
    /// All, as one: a single server.
    All(Hold),
    /// Those that a node has taken and not left.
    Some(watch::Sender<BTreeMap<Shard, Hold>>),
}

/// The parts that the rooms and parties of a shard share.
#[derive(Debug, Clone)]
pub(crate) struct Hold {
    /// Its token stops them.
    context: Arc<RoomContext>,
    tasks: TaskTracker,
}

/// The right to start a room or a party. While it lives, the tasks of its shard have not ended.
#[derive(Debug)]
pub(crate) struct Tenure {
    hold: Hold,
    _token: TaskTrackerToken,
}

impl Hold {
    /// Holds what has this context. Its tasks run on `tasks`.
    pub(crate) const fn new(context: Arc<RoomContext>, tasks: TaskTracker) -> Self {
        Self { context, tasks }
    }

    fn tenure(&self) -> Tenure {
        Tenure { hold: self.clone(), _token: self.tasks.token() }
    }

    /// Stops all tasks, and returns when they have ended.
    pub(crate) async fn end(self) {
        self.context.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

impl Tenure {
    /// The context of the shard's rooms.
    pub(crate) const fn context(&self) -> &Arc<RoomContext> {
        &self.hold.context
    }

    /// Cancelled when the shard's rooms and parties end: the server stops, or the node leaves the shard.
    pub(crate) fn stop(&self) -> &CancellationToken {
        &self.hold.context.stop
    }

    /// Starts the task of a room or a party.
    pub(crate) fn spawn(self, task: impl Future<Output = ()> + Send + 'static) {
        self.hold.tasks.spawn(task);
    }
}

impl Shards {
    /// No shards yet, on a node.
    pub(crate) fn none() -> Self {
        Self::Some(watch::Sender::default())
    }

    /// The right to start the room or the party with a code; `None` if its shard is not held here.
    pub(crate) fn enter(&self, code: RoomCode) -> Option<Tenure> {
        match self {
            Self::All(hold) => Some(hold.tenure()),
            Self::Some(held) => held.borrow().get(&Shard::of_code(code)).map(Hold::tenure),
        }
    }

    /// Whether the shard of a code is held here.
    pub(crate) fn holds(&self, code: RoomCode) -> bool {
        match self {
            Self::All(_) => true,
            Self::Some(held) => held.borrow().contains_key(&Shard::of_code(code)),
        }
    }

    /// A random code of a shard that is held; `None` if there is none.
    pub(crate) fn draw(&self) -> Option<RoomCode> {
        let random = rand::random();
        match self {
            Self::All(_) => Some(RoomCode::from_number(random)),
            Self::Some(held) => {
                held.borrow().keys().choose(&mut rand::rng()).map(|shard| shard.code(random))
            }
        }
    }

    /// A random code of the same shard as another code; on a single server any code.
    pub(crate) fn draw_beside(&self, code: RoomCode) -> RoomCode {
        let random = rand::random();
        match self {
            Self::All(_) => RoomCode::from_number(random),
            Self::Some(_) => Shard::of_code(code).code(random),
        }
    }

    /// Holds a shard from now on. Returns what was held of it before, whose end is the caller's.
    pub(crate) fn take(&self, shard: Shard, hold: Hold) -> Option<Hold> {
        let Self::Some(held) = self else { return None };
        let mut before = None;
        held.send_modify(|held| before = held.insert(shard, hold));
        before
    }

    /// Holds a shard no more: nothing can be started in it. Its end is the caller's.
    pub(crate) fn leave(&self, shard: Shard) -> Option<Hold> {
        let Self::Some(held) = self else { return None };
        let mut before = None;
        held.send_modify(|held| before = held.remove(&shard));
        before
    }

    /// Waits until a shard is held.
    pub(crate) async fn some_held(&self) {
        if let Self::Some(held) = self {
            // The sender lives as long as this.
            let _ = held.subscribe().wait_for(|held| !held.is_empty()).await;
        }
    }
}
