//! Rebuilding a room's rules from its facts. Pure: the journal reads them.

use std::time::Duration;

use noughts_protocol::RoomSettings;

use super::{Clock, Hibernated};
use crate::config::rooms::RoomTimes;
use crate::journal::entry::Entry;
use crate::journal::error::DiskError;
use crate::journal::replay::replay;
use crate::journal::stored_room::StoredRoom;
use crate::journal::uptime::Uptime;
use crate::room::rules::{ResumePoint, RoomRules};

/// Rebuilds a room from its facts.
///
/// # Errors
/// If they contradict each other.
pub(crate) fn recover(
    stored: &StoredRoom,
    hibernated: &Hibernated,
    uptime: &Uptime,
    times: RoomTimes,
    now: Duration,
) -> Result<RoomRules, DiskError> {
    if let Some(error) = stored.checksum_error() {
        return Err(DiskError::Damaged(error));
    }
    let StoredRoom { code, settings, maker, entries, .. } = stored;
    let mut rules = RoomRules::new(*code, *settings, times, now).made_by(maker.as_slice());
    let mut clock_started = None;
    let replayed = replay(*code, *settings, entries, |entry, event, _| {
        rules.replay(event, entry.at);
        if !matches!(event, noughts_protocol::Event::Seated { .. }) {
            clock_started = Some(entry);
        }
    });
    replayed.map_err(DiskError::Damaged)?;
    let resume = hibernated
        .resume
        .unwrap_or_else(|| after_restart(uptime, *settings, clock_started, hibernated.since));
    rules.resume(now, resume);
    Ok(rules)
}

/// The resume point of a room of an earlier run of the server.
fn after_restart(
    uptime: &Uptime,
    settings: RoomSettings,
    clock_started: Option<&Entry>,
    since: Duration,
) -> ResumePoint {
    let limit = settings.move_time_ms.map(|ms| Duration::from_millis(u64::from(ms)));
    let left =
        limit.zip(clock_started).map(|(limit, entry)| uptime.remaining(limit, entry.run, entry.at));
    ResumePoint { since, move_deadline: left.map(|left| Clock::START + left) }
}
