//! Finds the node that has a room or a party, and takes it over if that one is dead.

use std::time::Duration;

use noughts_protocol::RoomCode;
use tokio::time::{sleep, timeout, timeout_at};

use crate::engine::EngineError;
use crate::nodes::{Liveness, RETRY};
use crate::rooms::{Location, Rooms, here};
use crate::value::{Value, key};

/// How long the search takes at most: a silent owner is dead after three seconds.
const LOCATE_TIME: Duration = Duration::from_secs(4);

/// Finds a code.
pub(crate) async fn locate(rooms: &Rooms, code: RoomCode) -> Result<Location, EngineError> {
    let mut last = None;
    let mut retry = rooms.calls.begin();
    let search = async {
        loop {
            if !rooms.nodes.lease.is_held() {
                return Err(EngineError("this node has lost its lease".to_owned()));
            }
            match step(rooms, code, true).await {
                Ok(Some(location)) => return Ok(location),
                Ok(None) => {}
                Err(EngineError(why)) => {
                    retry.failed(&why);
                    last = Some(why);
                    sleep(RETRY).await;
                }
            }
        }
    };
    match timeout(LOCATE_TIME, search).await {
        Ok(found) => found,
        Err(_) => Err(EngineError(last.unwrap_or_else(|| "the owner is silent".to_owned()))),
    }
}

/// A try; `None` if there must be another one. A room goes with its party if `with_party`.
async fn step(
    rooms: &Rooms,
    code: RoomCode,
    with_party: bool,
) -> Result<Option<Location>, EngineError> {
    let changed = rooms.nodes.changes.notified();
    let Some(entry) = rooms.engine.get(&key(code)).await? else {
        return Ok(Some(Location::Nowhere));
    };
    let value = Value::parse(&entry.value)
        .map_err(|why| EngineError(format!("the value of {code} cannot be read: {why}")))?;
    if value.owner == rooms.nodes.owner() && rooms.holds(code) {
        return Ok(Some(here(code, value.row)));
    }
    match rooms.nodes.liveness(value.owner).await? {
        Liveness::Alive(_) if value.row.is_none() => return Ok(Some(Location::Nowhere)),
        Liveness::Alive(peer) => return Ok(Some(Location::At(peer))),
        Liveness::Silent(end) => {
            drop(timeout_at(end, changed).await);
            return Ok(None);
        }
        Liveness::Dead => {}
    }
    if with_party && let Some(party) = value.row.as_ref().and_then(|row| row.party) {
        match Box::pin(step(rooms, party.0, false)).await? {
            Some(Location::At(peer)) => return Ok(Some(Location::At(peer))),
            Some(Location::Here(_) | Location::Nowhere) => {}
            None => return Ok(None),
        }
    }
    if !rooms.nodes.lease.is_held() {
        return Ok(None);
    }
    rooms.take(code, entry.revision, value).await
}
