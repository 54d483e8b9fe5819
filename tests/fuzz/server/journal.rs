//! The target `journal`: the stored entries of a room are read, replayed, recovered and exported. Then
//! people play on in that room, and the entries of their moves are read again.

use noughts_protocol::{Event, RoomState};

use super::{Live, TIMES};
use crate::journal::entry::{Entry, Payload};
use crate::journal::replay::replay;
use crate::journal::stored_room::StoredRoom;
use crate::journal::uptime::{ServerRun, Uptime};
use crate::room::recovery::recover;
use crate::room::rules::ResumePoint;
use crate::room::{Clock, Hibernated};

/// Entries that are read.
const MAX_ENTRIES: usize = 400;

/// Reads a room: a line each for its code, its settings as JSON, and the time of its end (or nothing).
/// Then one entry a line: version, run, time, and a cell or an event as JSON. The lines after an
/// empty line are played as by [`super::room`].
///
/// # Panics
/// If the recovered room differs from the replayed one, cannot go on, or stores entries that cannot
/// be read.
pub fn journal(lines: &str) {
    let mut lines = lines.lines();
    let mut line = || lines.next().unwrap_or_default();
    let (code, settings, ended) = (line(), line(), line());
    let Ok(room) = StoredRoom::of(1, code, settings, ended.parse().ok()) else { return };
    let entries = lines.by_ref().take(MAX_ENTRIES).take_while(|line| !line.is_empty());
    let entries = entries.filter_map(entry).collect();
    let room = StoredRoom { entries, ..room };
    let (games, _) = crate::cli::journal::games(&room);
    assert!(games.iter().all(|game| serde_json::to_string(game).is_ok()));

    let run = |id, started, alive| ServerRun { id, started, alive };
    let uptime = Uptime::new(vec![run(1, 0, 1000), run(2, 2000, 9000), run(3, 10_000, 10_000)]);
    let (id, since, now) = (room.id, Clock::START, Clock::START);
    let recovered =
        |resume| recover(&room, &Hibernated { id, resume, since, until: now }, &uptime, TIMES, now);
    let replayed = replay(room.code, room.settings, &room.entries, |_, _, _| {});
    let (Ok(rules), Ok(replayed)) = (recovered(None), &replayed) else {
        assert!(replayed.is_err() && recovered(None).is_err(), "{replayed:?}");
        return;
    };
    assert_eq!(rules.state(), replayed);
    // The same server, later.
    let resume = ResumePoint { since: now, move_deadline: Some(now) };
    assert!(recovered(Some(resume)).is_ok());
    if replayed.closed {
        return;
    }
    let mut live = Live::of(rules, Clock::START);
    live.stored = Stored { entries: room.entries.clone() };
    for line in lines.take(super::MAX_LINES) {
        live.line(line);
    }
    live.check_stored();
}

fn entry(line: &str) -> Option<Entry> {
    let mut words = line.splitn(4, ' ');
    let v: i64 = words.next()?.parse().ok()?;
    let (run, at) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let what = words.next()?;
    let payload = what.parse().map_or_else(|_| Payload::Fact(what.to_owned()), Payload::Move);
    Some(Entry { v: v.cast_unsigned(), run, at, payload, crc: 0 })
}

/// The stored entries of a room.
#[derive(Debug, Default)]
pub(super) struct Stored {
    entries: Vec<Entry>,
}

impl Stored {
    pub(super) fn add(&mut self, v: u64, event: &Event) {
        self.entries.push(Entry::of(event, v, 3, 10_000));
    }

    /// The entries replay to the room.
    pub(super) fn check(&self, state: &RoomState) {
        let read = replay(state.code, state.settings, &self.entries, |_, _, _| {});
        // The maker is no fact: the journal has it beside the settings.
        let read = read.map(|read| RoomState { maker: state.maker, ..read });
        assert_eq!(read.as_ref(), Ok(state));
    }
}
