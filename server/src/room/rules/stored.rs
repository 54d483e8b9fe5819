//! The row that the store keeps of a room, and the room that is read back from it.
//!
//! The row is the room after its last fact. Ephemeral state is not in it: after reading nobody is
//! connected, nobody offers a rematch, and nobody has talked.

use std::collections::HashMap;
use std::time::Duration;

use noughts_protocol::{ByMark, GameRecord, NumberedGame, PlayerId, Presence, RoomState, Snapshot};
use serde::{Deserialize, Serialize};

use crate::config::rooms::RoomTimes;
use crate::room::rules::kept_game::GameTimes;
use crate::room::rules::opening::OpeningRecord;
use crate::room::rules::{RoomDecided, RoomRules, Timestamp};

/// The row of a room that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredRoom {
    /// The version.
    pub(crate) v: u64,
    /// The rules as JSON. [`RoomRules::from_json`] reads it.
    pub(crate) state: String,
    /// When the room ends if everybody leaves now and nothing happens any more.
    pub(crate) until: Duration,
    /// The time of the save.
    pub(crate) saved_at: Duration,
}

/// The JSON of a room. Durations are in milliseconds by the server's clock, which goes on after a
/// restart.
#[derive(Serialize, Deserialize)]
struct RoomJson {
    /// The state. Its presence is empty.
    room: Snapshot,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<[PlayerId; 2]>,
    game_times: GameTimes,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<GameRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_opening: Option<OpeningRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_deadline: Option<u64>,
    last_change: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    empty_since: Option<u64>,
}

impl RoomRules {
    /// The row of the room after these facts, which are decided at this moment and not applied yet;
    /// `None` if the room ends with them.
    pub(crate) fn stored_after(&self, at: Timestamp, decided: &RoomDecided) -> Option<StoredRoom> {
        let mut after = self.without_ephemeral();
        for event in &decided.0 {
            after.apply_event(at, event);
        }
        (!after.state.closed).then(|| after.row(at))
    }

    /// The first row of a new room. Its maker is about to come: after a restart nobody has left it.
    pub(crate) fn stored_first(&self, at: Timestamp, decided: &RoomDecided) -> Option<StoredRoom> {
        let mut visited = self.without_ephemeral();
        visited.empty_since = None;
        visited.stored_after(at, decided)
    }

    fn row(mut self, at: Timestamp) -> StoredRoom {
        let v = self.state.v;
        let state = self.to_json();
        self.empty_since = Some(self.empty_since.unwrap_or(at.age));
        StoredRoom { v, state, until: self.end_due(), saved_at: at.age }
    }

    /// The room as JSON. Not of one that has ended: the store forgets it.
    pub(crate) fn to_json(&self) -> String {
        // Every field is named, so that a new one is not forgotten.
        let Self {
            state,
            matched,
            game_times,
            opening,
            previous,
            previous_opening,
            move_deadline,
            last_change,
            empty_since,
            // The same for all rooms, or ephemeral.
            times: _,
            present: _,
            absences: _,
            rematch: _,
            ratings: _,
            chat: _,
            first_line: _,
            stepping: _,
        } = self;
        let row = RoomJson {
            room: state.to_snapshot(Presence::default(), None),
            matched: *matched,
            game_times: game_times.clone(),
            opening: *opening,
            previous: previous.as_ref().map(NumberedGame::to_record),
            previous_opening: *previous_opening,
            move_deadline: move_deadline.map(to_ms),
            last_change: to_ms(*last_change),
            empty_since: empty_since.map(to_ms),
        };
        // Serialization cannot fail: no map is in it.
        serde_json::to_string(&row).unwrap_or_default()
    }

    /// The room of this JSON. Nobody is connected: absences count from the last departure; if somebody was
    /// in the room when it was stored, from `now`. With `saved_at` the times are of another clock, which
    /// showed that at the save: no time has passed since then.
    ///
    /// # Errors
    /// If no room can have this JSON. The text says why.
    pub(crate) fn from_json(
        text: &str,
        times: RoomTimes,
        now: Duration,
        saved_at: Option<Duration>,
    ) -> Result<Self, String> {
        let row: RoomJson = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let state = RoomState::from_snapshot(&row.room).map_err(|error| error.to_string())?;
        if !state.settings.opening_is_legal() {
            return Err("no board of this size opens like that".to_owned());
        }
        let moves = state.game.as_ref().map_or(0, |numbered| numbered.game.moves().len());
        if row.game_times.moves_ms.len() != moves {
            return Err("there is not one time for each move".to_owned());
        }
        let previous =
            row.previous.map(|record| NumberedGame::from_record(&state.settings, &record));
        let mut rules = Self::new(state.code, state.settings, times, now);
        rules.state = state;
        rules.matched = row.matched;
        rules.game_times = row.game_times;
        rules.opening = row.opening;
        rules.previous = previous.transpose().map_err(|error| error.to_string())?;
        rules.previous_opening = row.previous_opening;
        let saved_at = saved_at.unwrap_or(now);
        let here = |ms| (Duration::from_millis(ms) + now).saturating_sub(saved_at);
        let since = row.empty_since.map_or(now, here);
        let move_deadline = row.move_deadline.map(here);
        rules.move_deadline = move_deadline.filter(|_| rules.state.move_limit().is_some());
        rules.resume(now, since);
        rules.last_change = here(row.last_change).max(since);
        Ok(rules)
    }

    /// A copy of what is stored.
    fn without_ephemeral(&self) -> Self {
        Self {
            state: self.state.clone(),
            times: self.times,
            matched: self.matched,
            game_times: self.game_times.clone(),
            previous: self.previous.clone(),
            opening: self.opening,
            previous_opening: self.previous_opening,
            present: HashMap::new(),
            absences: ByMark::default(),
            rematch: None,
            ratings: None,
            chat: None,
            first_line: self.first_line,
            stepping: None,
            move_deadline: self.move_deadline,
            last_change: self.last_change,
            empty_since: self.empty_since,
        }
    }
}

fn to_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
