//! A stored room as a table again. Pure; reading it is the journal's.

use std::time::Duration;

use noughts_protocol::RoomSettings;

use super::{Clock, Hibernated};
use crate::config::rooms::RoomTimes;
use crate::journal::entry::Entry;
use crate::journal::error::DiskError;
use crate::journal::reader::StoredRoom;
use crate::journal::replay::replay;
use crate::journal::uptime::Uptime;
use crate::room::rules::{ResumePoint, RoomRules};

/// What is not journalled between two facts, or between a fact and the end of a run, counts fewer
/// versions than this: at the fastest that one room can go, some 1000 a second, it would take
/// 50 days. After a restart a room goes on so much later than its last fact that nobody can have
/// seen the versions from there on; of the versions that a JSON number holds that leaves two
/// million restarts in the life of one room.
const UNSEEN: u64 = 1 << 32;

/// Rebuilds a room from its facts, by the rules.
///
/// # Errors
/// Where they contradict each other.
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
    let StoredRoom { code, settings, entries, .. } = stored;
    let mut rules = RoomRules::new(*code, *settings, times, now);
    let mut clock_started = None;
    let replayed = replay(*code, *settings, entries, |entry, event, _| {
        rules.replay(entry.v, event);
        if !matches!(event, noughts_protocol::Event::Seated { .. }) {
            clock_started = Some(entry);
        }
    });
    replayed.map_err(DiskError::Damaged)?;
    let resume = hibernated.resume.unwrap_or_else(|| {
        after_restart(uptime, *settings, entries.last(), clock_started, hibernated.since)
    });
    rules.resume(now, resume);
    Ok(rules)
}

/// What a room knows that was awake, or asleep, in an earlier run of the server.
fn after_restart(
    uptime: &Uptime,
    settings: RoomSettings,
    last: Option<&Entry>,
    clock_started: Option<&Entry>,
    since: Duration,
) -> ResumePoint {
    let restarts = last.map_or(0, |entry| uptime.restarts_since(entry.run));
    let v = last.map_or(0, |entry| entry.v.saturating_add(restarts.saturating_mul(UNSEEN)));
    let limit = settings.move_time_ms.map(|ms| Duration::from_millis(u64::from(ms)));
    let left =
        limit.zip(clock_started).map(|(limit, entry)| uptime.remaining(limit, entry.run, entry.at));
    ResumePoint { v, since, move_deadline: left.map(|left| Clock::START + left) }
}
