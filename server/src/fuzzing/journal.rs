//! A journal's rows into a room: read, recovered, exported, and played on by the people of a live
//! table; what they do is stored, and has to be read again.

use noughts_protocol::{ByMark, Event, RoomState, Seat};

use super::{Live, TIMES};
use crate::journal::entry::{Entry, Payload};
use crate::journal::reader::StoredRoom;
use crate::journal::replay::replay;
use crate::journal::uptime::{ServerRun, Uptime};
use crate::room::recovery::recover;
use crate::room::{Clock, Hibernated, ResumePoint};

/// Rows that are looked at.
const MOST_ROWS: usize = 400;

/// Reads a room: its code, its settings as JSON, and when it ended (or nothing), a line each. Then
/// a row a line: version, run, time, and a cell or an event as JSON. After an empty line it is
/// played on, as by [`super::table`].
///
/// # Panics
/// Where a room that is recovered is not the one that is replayed, cannot go on, or what it then
/// stores cannot be read.
pub fn journal(lines: &str) {
    let mut lines = lines.lines();
    let mut line = || lines.next().unwrap_or_default();
    let (code, settings, ended) = (line(), line(), line());
    let Ok(room) = StoredRoom::of(1, code, settings, ended.parse().ok()) else { return };
    let entries = lines.by_ref().take(MOST_ROWS).take_while(|line| !line.is_empty());
    let entries = entries.filter_map(entry).collect();
    let room = StoredRoom { entries, ..room };
    let (games, _) = crate::cli::journal::games(&room);
    assert!(games.iter().all(|game| serde_json::to_string(game).is_ok()));

    let run = |id, started, alive| ServerRun { id, started, alive };
    let uptime = Uptime::new(vec![run(1, 0, 1000), run(2, 2000, 9000), run(3, 10_000, 10_000)]);
    let (id, since, now) = (room.id, Clock::START, Clock::START);
    let awoken =
        |resume| recover(&room, &Hibernated { id, resume, since, until: now }, &uptime, TIMES, now);
    let replayed = replay(room.code, room.settings, &room.entries, |_, _, _| {});
    let (Ok(table), Ok(replayed)) = (awoken(None), &replayed) else {
        assert!(replayed.is_err() && awoken(None).is_err(), "{replayed:?}");
        return;
    };
    assert_eq!(lasting(table.state()), lasting(replayed));
    // The same server, later.
    let resume = ResumePoint { v: replayed.v, since: now, move_deadline: Some(now) };
    assert!(awoken(Some(resume)).is_ok());
    if replayed.closed {
        return;
    }
    let mut live = Live::of(table, Clock::START);
    live.written = Written { entries: room.entries.clone() };
    for line in lines.take(super::MOST_LINES) {
        live.line(line);
    }
    live.check_written();
}

fn entry(line: &str) -> Option<Entry> {
    let mut words = line.splitn(4, ' ');
    let v: i64 = words.next()?.parse().ok()?;
    let (run, at) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let what = words.next()?;
    let payload = what.parse().map_or_else(|_| Payload::Fact(what.to_owned()), Payload::Move);
    Some(Entry { v: v.cast_unsigned(), run, at, payload, crc: 0 })
}

/// What a live table has stored.
#[derive(Debug, Default)]
pub(super) struct Written {
    entries: Vec<Entry>,
}

impl Written {
    pub(super) fn add(&mut self, v: u64, event: &Event) {
        self.entries.extend(Entry::of(event, v, 3, 10_000));
    }

    /// It is what the room is, but for what does not outlive a server.
    pub(super) fn check(&self, state: &RoomState) {
        let read = replay(state.code, state.settings, &self.entries, |_, _, _| {});
        assert_eq!(read.as_ref().map(lasting), Ok(lasting(state)));
    }
}

/// A room without its version, which is another after a restart, and what is not stored.
fn lasting(state: &RoomState) -> RoomState {
    let mut lasting = RoomState { v: 0, offers: ByMark::default(), ..state.clone() };
    for seat in [&mut lasting.seats.x, &mut lasting.seats.o] {
        if let Seat::Human { presence, .. } = seat {
            *presence = noughts_protocol::Presence::Connected;
        }
    }
    lasting
}
