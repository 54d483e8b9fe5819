//! Deletes what nobody will ask for: rooms of dead nodes whose time is over, parties that nobody looked
//! for in a week, and the keys of nodes that are long dead.

use std::time::{Duration, SystemTime};

use futures::StreamExt;
use tokio::time::sleep;

use crate::engine::{EngineError, Entry};
use crate::nodes::{Liveness, NODES, Nodes};
use crate::rooms::Rooms;
use crate::value::{CODES, Value, code_of, time_left};

/// The time between two sweeps.
const SWEEP: Duration = Duration::from_secs(600);
/// How much longer a room stays than its time.
const SLACK: Duration = Duration::from_secs(3600);
/// How long a party stays that no node runs.
const PARTY_TIME: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long the key of a dead node stays.
const NODE_TIME: Duration = Duration::from_secs(3600);

/// Sweeps for ever.
pub(crate) async fn run(rooms: &Rooms) {
    loop {
        sleep(SWEEP).await;
        if rooms.nodes.lease.is_held()
            && let Err(error) = sweep_now(rooms).await
        {
            tracing::debug!(%error, "the sweep was not finished");
        }
    }
}

/// The time is the engine's: that of the own last heartbeat.
async fn sweep_now(rooms: &Rooms) -> Result<(), EngineError> {
    match rooms.engine.get(&rooms.nodes.key()).await? {
        Some(heartbeat) => sweep(rooms, heartbeat.stored).await,
        None => Ok(()),
    }
}

/// Deletes what is over. The live node with the lowest id does it for the dead ones; what this node owns
/// and does not hold, because it lost track of it, it deletes itself.
pub(crate) async fn sweep(rooms: &Rooms, now: SystemTime) -> Result<(), EngineError> {
    let is_lowest = is_lowest(&rooms.nodes);
    let mut values = rooms.engine.scan(CODES).await?;
    while let Some(next) = values.next().await {
        let (key, entry) = next?;
        let Some((code, value)) = code_of(&key).zip(Value::parse(&entry.value).ok()) else {
            continue;
        };
        let is_own = value.owner.node == rooms.nodes.id;
        if !is_over(&value, &entry, now) || !(is_own || is_lowest) || rooms.holds(code) {
            continue;
        }
        if rooms.nodes.liveness(value.owner).await? == Liveness::Dead {
            rooms.append_found(&value.games).await?;
            // It fails if the value was changed meanwhile: then it is in use.
            drop(rooms.engine.delete(&key, entry.revision).await);
        }
    }
    if is_lowest {
        sweep_nodes(rooms, now).await?;
    }
    Ok(())
}

async fn sweep_nodes(rooms: &Rooms, now: SystemTime) -> Result<(), EngineError> {
    let mut nodes = rooms.engine.scan(NODES).await?;
    while let Some(next) = nodes.next().await {
        let (key, entry) = next?;
        if entry.stored + NODE_TIME < now {
            drop(rooms.engine.delete(&key, entry.revision).await);
        }
    }
    Ok(())
}

fn is_lowest(nodes: &Nodes) -> bool {
    nodes.peers().iter().all(|peer| peer.id > nodes.id)
}

fn is_over(value: &Value, entry: &Entry, now: SystemTime) -> bool {
    let time = match &value.row {
        None => return true,
        Some(row) => time_left(row).map_or(PARTY_TIME, |left| left + SLACK),
    };
    entry.stored.checked_add(time).is_some_and(|end| end < now)
}
