//! The row that the store keeps of a room, and the room that is read back from it.
//!
//! The row is the room after its last fact. Ephemeral state is not in it: after reading nobody is
//! connected, nobody offers a rematch, and nobody has talked. Each move writes the row, so the part that
//! no move changes is encoded once a game.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{
    ByMark, Event, GameRecord, Mark, NumberedGame, Pace, PlayerId, Presence, RoomCode,
    RoomSettings, RoomState, Score, Seat, Series, Snapshot,
};
use noughts_store::{LiveRow, Origin};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::config::rooms::RoomTimes;
use crate::room::rules::kept_game::GameTimes;
use crate::room::rules::opening::OpeningRecord;
use crate::room::rules::presence::Absence;
use crate::room::rules::{RoomDecided, RoomRules, Timestamp};

/// The time that a move clock gains at a restart: players need a moment to reconnect.
const GRACE: Duration = Duration::from_secs(20);

/// The JSON of a room. Durations are in milliseconds by the server's clock, which goes on after a
/// restart.
#[derive(Serialize, Deserialize)]
struct RoomJson<'a> {
    /// A [`Setup`].
    #[serde(borrow)]
    setup: &'a RawValue,
    v: u64,
    score: Score,
    game: Option<GameRecord>,
    game_times: GameTimes,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_deadline: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stopped_ms: Option<u32>,
    #[serde(default)]
    run: i8,
    last_change: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    empty_since: Option<u64>,
}

/// The part of a room that neither a move nor the end of a game changes.
#[derive(Serialize, Deserialize)]
struct Setup {
    room: RoomCode,
    settings: RoomSettings,
    maker: Option<PlayerId>,
    matched: Option<[PlayerId; 2]>,
    seats: ByMark<Seat>,
    series: Series,
    pace: Pace,
    previous: Option<GameRecord>,
    previous_opening: Option<OpeningRecord>,
}

/// The [`Setup`] of a room as JSON, once it was encoded.
#[derive(Debug, Clone, Default)]
pub(super) struct EncodedSetup(OnceCell<Arc<RawValue>>);

impl EncodedSetup {
    /// Forgets the JSON if this event changes what it says.
    pub(super) fn advance(&mut self, event: &Event) {
        let keeps =
            matches!(event, Event::Moved { .. } | Event::TakenBack { .. } | Event::GameOver { .. });
        if !keeps {
            self.0.take();
        }
    }
}

impl RoomRules {
    /// The row of the room that these intents made, after these facts, which are decided at this moment and not
    /// applied yet; `None` if the room ends with them.
    pub(crate) fn stored_after(
        &self,
        at: Timestamp,
        decided: &RoomDecided,
        origins: &[Origin],
    ) -> Option<LiveRow> {
        // The room keeps it for the next move.
        self.setup();
        let mut after = self.without_ephemeral();
        for event in &decided.0 {
            after.apply_event(at, event);
        }
        (!after.state.closed).then(|| after.row(at, origins))
    }

    /// The first row of a new room. Its maker is about to come: after a restart nobody has left it.
    pub(crate) fn stored_first(
        &self,
        at: Timestamp,
        decided: &RoomDecided,
        origins: &[Origin],
    ) -> Option<LiveRow> {
        let mut visited = self.without_ephemeral();
        visited.empty_since = None;
        visited.stored_after(at, decided, origins)
    }

    /// It is due when it ends if everybody leaves now and nothing happens any more.
    fn row(mut self, at: Timestamp, origins: &[Origin]) -> LiveRow {
        let state = self.to_json();
        self.empty_since = Some(self.empty_since.unwrap_or(at.age));
        LiveRow {
            v: self.state.v,
            state,
            until: Some(self.end_due()),
            origins: origins.to_vec(),
            party: self.state.settings.party.map(|table| table.party),
            saved_at: Some(at.age),
        }
    }

    /// The room as JSON. Not of one that has ended: the store forgets it.
    pub(crate) fn to_json(&self) -> String {
        let row = RoomJson {
            setup: self.setup(),
            v: self.state.v,
            score: self.state.score,
            game: self.state.game.as_ref().map(NumberedGame::to_record),
            game_times: self.game_times.clone(),
            opening: self.opening,
            move_deadline: self.move_deadline.map(to_ms),
            stopped_ms: self.stopped_ms,
            run: self.run,
            last_change: to_ms(self.last_change),
            empty_since: self.empty_since.map(to_ms),
        };
        // Serialization cannot fail: no map is in it.
        serde_json::to_string(&row).unwrap_or_default()
    }

    /// The part that no move changes, as JSON: a [`Setup`].
    fn setup(&self) -> &RawValue {
        self.setup.0.get_or_init(|| {
            let setup = Setup {
                room: self.state.code,
                settings: self.state.settings,
                maker: self.state.maker,
                matched: self.matched,
                seats: self.state.seats.clone(),
                series: self.state.series,
                pace: self.state.pace,
                previous: self.previous.as_ref().map(NumberedGame::to_record),
                previous_opening: self.previous_opening,
            };
            // Serialization cannot fail: no map is in it.
            to_raw_value(&setup).unwrap_or_default().into()
        })
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
        let row: RoomJson<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let setup: Setup =
            serde_json::from_str(row.setup.get()).map_err(|error| error.to_string())?;
        let Setup { matched, previous, previous_opening, .. } = setup;
        let snapshot = Snapshot {
            room: setup.room,
            v: row.v,
            settings: setup.settings,
            maker: setup.maker,
            seats: setup.seats,
            score: row.score,
            series: setup.series,
            pace: setup.pace,
            game: row.game,
            presence: Presence::default(),
            move_ms_left: None,
            clock_stopped: row.stopped_ms.is_some(),
        };
        let state = RoomState::from_snapshot(&snapshot).map_err(|error| error.to_string())?;
        if let Some(refused) = state.settings.variant.refuses(state.settings.board) {
            return Err(refused);
        }
        if !state.settings.opening_is_legal() {
            return Err("no board of this size opens like that".to_owned());
        }
        let moves = state.game.as_ref().map_or(0, |numbered| numbered.game.moves().len());
        if row.game_times.moves_ms.len() != moves {
            return Err("there is not one time for each move".to_owned());
        }
        let previous = previous.map(|record| NumberedGame::from_record(&state.settings, &record));
        let mut rules = Self::new(state, times, now);
        rules.matched = matched;
        rules.game_times = row.game_times;
        rules.opening = row.opening;
        rules.previous = previous.transpose().map_err(|error| error.to_string())?;
        rules.previous_opening = previous_opening;
        let saved_at = saved_at.unwrap_or(now);
        let here = |ms| (Duration::from_millis(ms) + now).saturating_sub(saved_at);
        let since = row.empty_since.map_or(now, here);
        let move_deadline = row.move_deadline.map(here);
        rules.move_deadline = move_deadline.filter(|_| rules.state.move_limit().is_some());
        rules.stopped_ms = row.stopped_ms;
        rules.run = row.run;
        rules.resume(now, since);
        rules.last_change = here(row.last_change).max(since);
        Ok(rules)
    }

    /// Goes on after the last event. Nobody is connected since `since`, and ephemeral state is gone.
    pub(super) fn resume(&mut self, now: Duration, since: Duration) {
        self.empty_since = Some(since);
        for mark in Mark::BOTH {
            let human = matches!(self.state.seats[mark], Seat::Human { .. });
            self.absences[mark] = human.then_some(Absence::begun(since));
        }
        self.announce_absences(now);
    }

    /// Gives the side to move some seconds more after a restart of the server. A clock that had run out in
    /// the last seconds before it begins anew with them.
    pub(crate) fn extend_move_time(&mut self, now: Duration) {
        self.move_deadline = self.move_deadline.map(|at| at.max(now) + GRACE);
    }

    /// Since when nobody is connected; `None` while somebody is.
    pub(crate) const fn empty_since(&self) -> Option<Duration> {
        self.empty_since
    }

    /// A copy of what is stored. Every field is named, so that a new one is not forgotten.
    fn without_ephemeral(&self) -> Self {
        Self {
            state: self.state.clone(),
            times: self.times,
            matched: self.matched,
            game_times: self.game_times.clone(),
            previous: self.previous.clone(),
            opening: self.opening,
            previous_opening: self.previous_opening,
            setup: self.setup.clone(),
            present: HashMap::new(),
            absences: ByMark::default(),
            rematch: None,
            take_back: None,
            hints: None,
            hinted_at: None,
            ratings: None,
            chat: None,
            first_line: self.first_line,
            stepping: None,
            run: self.run,
            move_deadline: self.move_deadline,
            stopped_ms: self.stopped_ms,
            last_change: self.last_change,
            empty_since: self.empty_since,
        }
    }
}

fn to_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
