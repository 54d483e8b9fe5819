//! A room, the time, the connections, a client that hears everything, and what a store would hold.
//! It does with the rules what the room's task does, and checks after each step what must always
//! hold.

use std::collections::HashMap;
use std::time::Duration;

use noughts_protocol::{
    ByMark, Event, MAX_SERVER_FRAME, Mark, NumberedGame, Opening, OpeningChoice, Pace, Placement,
    PlayerId, PlayerName, Presence, Refusal, Role, RoomCode, RoomIntent, RoomSettings, RoomState,
    Seat, SeatPresence, ServerMessage,
};
use noughts_store::{Committed, LiveRow};

use crate::config::rooms::RoomTimes;
use crate::room::rules::analysis::Subject;
use crate::room::rules::intent::RoomDecision;
use crate::room::rules::move_clock::ClockChange;
use crate::room::rules::presence::UNANNOUNCED;
use crate::room::rules::{RoomDecided, RoomRules, Timestamp};
use crate::room::table::Ruling;

use super::hearing::Hearing;

/// The player who makes the room: ada.
const MAKER: PlayerId = PlayerId(1);

pub(super) const TIMES: RoomTimes = RoomTimes {
    absence_grace: Duration::from_secs(60),
    unattended: Duration::from_secs(900),
    idle: Duration::from_secs(3600),
};

/// When the clock of the rooms showed nothing, in milliseconds since 1970.
pub(super) const EPOCH: i64 = 1_700_000_000_000;

/// A new room with these settings.
pub(super) fn room(settings: RoomSettings, now: Duration) -> RoomRules {
    RoomRules::new(RoomState::new(RoomCode::from_number(7), settings), TIMES, now)
}

/// The outcome of an intent.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Facts, which may be none.
    Facts(Vec<Event>),
    Snapshot,
    Analysis(Subject),
}

/// A moment on both clocks.
pub(super) fn timestamp(age: Duration) -> Timestamp {
    Timestamp { age, unix_ms: EPOCH + i64::try_from(age.as_millis()).unwrap() }
}

pub(super) struct World {
    pub(super) rules: RoomRules,
    pub(super) now: Duration,
    /// The bit that the random source gives.
    coin: bool,
    /// Connections by player; no zero.
    pub(super) connections: HashMap<PlayerId, u32>,
    /// When the players without a connection lost the last one, or took their seat.
    absent_since: HashMap<PlayerId, Duration>,
    client: RoomState,
    /// The events, each with its time in milliseconds since 1970.
    events: Vec<(Event, i64)>,
    pub(super) hearing: Hearing,
}

impl World {
    /// A new room, and the facts of its making.
    pub(super) fn new(
        settings: RoomSettings,
        seats: &ByMark<Seat>,
        coin: bool,
    ) -> (Self, Vec<Event>) {
        let code = RoomCode::from_number(7);
        let now = Duration::from_secs(1000);
        let maker = settings.party.is_none().then_some(MAKER);
        let mut world = Self {
            rules: room(settings, now).made_by(&[MAKER]),
            now,
            coin,
            connections: HashMap::new(),
            absent_since: HashMap::new(),
            client: RoomState { maker, ..RoomState::new(code, settings) },
            events: Vec::new(),
            hearing: Hearing::default(),
        };
        let made = world.apply(world.rules.fill_seats(seats, coin));
        (world, made)
    }

    pub(super) fn state(&self) -> &RoomState {
        self.rules.state()
    }

    /// The presence now.
    pub(super) fn presence(&self) -> Presence {
        self.rules.presence(self.now)
    }

    fn apply(&mut self, decided: RoomDecided) -> Vec<Event> {
        let mut events = Vec::new();
        self.tell_between_games();
        let at = timestamp(self.now);
        let stored = self.rules.stored_after(at, &decided, &[]);
        for (v, event) in self.rules.apply(at, Committed::for_tests(decided)) {
            self.events.push((event.clone(), at.unix_ms));
            self.client.apply(v, &event).unwrap();
            // After each fact the room could be a snapshot.
            let snapshot = self.client.to_snapshot(Presence::default(), None);
            let seen = RoomState::from_snapshot(&snapshot).unwrap();
            assert_eq!(RoomState { closed: self.client.closed, ..seen }, self.client, "{event:?}");
            events.push(event);
        }
        // The row of the facts is the row of the room to which they lead.
        assert_eq!(stored.is_none(), self.state().closed);
        if let Some(LiveRow { v, state, until, .. }) = stored {
            assert_eq!((v, state), (self.state().v, self.rules.to_json()));
            let stands = self.rules.empty_since.is_none() || until == Some(self.rules.end_due());
            assert!(stands, "nobody is there, and it ends at {until:?}");
        }
        // A big screen is told the game as everybody in the room sees it.
        let told = self.rules.table_report().map(|told| (told.moves, told.playable, told.result));
        let seen = self.client.game.as_ref().map(NumberedGame::to_record);
        assert_eq!(told, seen.map(|seen| (seen.moves, seen.playable, seen.result)));
        // A device of a player who leaves may be on its way out.
        assert!(self.state().settings.spectators || self.presence().spectators == 0);
        self.tell_between_games();
        for player in Mark::BOTH.into_iter().filter_map(|mark| self.client.seats[mark].player()) {
            if !self.connections.contains_key(&player) {
                self.absent_since.entry(player).or_insert(self.now);
            }
        }
        events
    }

    pub(super) fn join(
        &mut self,
        player: PlayerId,
        name: &PlayerName,
        role: Role,
    ) -> Result<Vec<Event>, Refusal> {
        let decided = self.rules.join(player, name, role, self.coin)?;
        let events = self.apply(decided);
        self.rules.connect(self.now, player);
        *self.connections.entry(player).or_default() += 1;
        self.absent_since.remove(&player);
        Ok(events)
    }

    /// Whether a player is connected. Only then can they send intents.
    pub(super) fn is_here(&self, player: PlayerId) -> bool {
        self.connections.contains_key(&player)
    }

    /// Ends one connection of a player, if there is one.
    pub(super) fn disconnect(&mut self, player: PlayerId) {
        let Some(count) = self.connections.get_mut(&player) else { return };
        *count -= 1;
        if *count == 0 {
            self.connections.remove(&player);
            self.absent_since.insert(player, self.now);
        }
        self.rules.disconnect(self.now, player);
    }

    pub(super) fn decide(
        &mut self,
        player: PlayerId,
        intent: RoomIntent,
    ) -> Result<Outcome, Refusal> {
        assert!(self.is_here(player), "{player:?} is not in the room");
        Ok(match self.rules.decide(self.now, player, intent, self.coin)? {
            RoomDecision::Facts(decided) => Outcome::Facts(self.apply(decided)),
            RoomDecision::Rematch(offer) => {
                self.rules.set_rematch(offer);
                Outcome::Facts(Vec::new())
            }
            RoomDecision::TakeBack(by) => {
                self.rules.set_take_back(by);
                Outcome::Facts(Vec::new())
            }
            RoomDecision::Step { game, ply } => {
                self.rules.begin_step(game, ply);
                Outcome::Facts(Vec::new())
            }
            RoomDecision::Leave(decided) => {
                self.disconnect(player);
                let events = self.apply(decided);
                if !self.state().settings.spectators {
                    while self.connections.contains_key(&player) {
                        self.disconnect(player);
                    }
                }
                Outcome::Facts(events)
            }
            RoomDecision::Say(said) => {
                self.say(player, &said)?;
                Outcome::Facts(Vec::new())
            }
            RoomDecision::Mute { player: other, mute } => {
                self.mute(player, other, mute)?;
                Outcome::Facts(Vec::new())
            }
            RoomDecision::Snapshot => Outcome::Snapshot,
            RoomDecision::Analysis(subject) => {
                if let Subject::Hint { ply, .. } = subject {
                    self.rules.note_hint(ply);
                }
                Outcome::Analysis(subject)
            }
        })
    }

    pub(super) fn computer_move(&mut self, game: u32, ply: u16, placed: Placement) -> Vec<Event> {
        if self.rules.computer_turn().is_none() {
            return Vec::new();
        }
        self.apply(self.rules.computer_move(game, ply, placed))
    }

    pub(super) fn computer_choice(
        &mut self,
        game: u32,
        ply: u16,
        choice: OpeningChoice,
    ) -> Vec<Event> {
        if self.rules.computer_turn().is_none() {
            return Vec::new();
        }
        self.apply(self.rules.computer_choice(game, ply, choice))
    }

    /// Lets time pass as the room's task does: to each due moment in turn.
    pub(super) fn wait(&mut self, time: Duration) -> Vec<Event> {
        let until = self.now + time;
        let mut told = Vec::new();
        while let Some(due) = self.rules.due().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.rules.announce_absences(self.now);
            let events = self.apply(self.rules.tick(self.now, self.coin));
            let changed = !events.is_empty() || self.rules.due() != Some(due);
            told.extend(events);
            assert!(changed && told.len() < 10_000, "what is due changes nothing");
        }
        self.now = until;
        told
    }

    /// Hibernates for some time: the room is read back from its row. Timers due since then wait for
    /// [`World::wait`].
    pub(super) fn hibernate(&mut self, time: Duration) {
        self.check_stored();
        let since = self.rules.empty_since().expect("nobody is connected");
        let row = self.rules.to_json();
        self.now += time;
        self.read(&row, since);
    }

    /// The server restarts, with this time left for a move.
    pub(super) fn restart(&mut self, left: Duration) {
        while let Some(player) = self.connections.keys().next().copied() {
            self.disconnect(player);
        }
        let timed = self.state().settings.move_time_ms.is_some();
        self.rules.move_deadline = timed.then(|| self.now + left);
        self.rules.empty_since = Some(self.now);
        self.read(&self.rules.to_json(), self.now);
    }

    fn read(&mut self, row: &str, since: Duration) {
        self.rules = RoomRules::from_json(row, TIMES, self.now, None).unwrap();
        self.hearing.forget();
        self.absent_since.values_mut().for_each(|absent| *absent = since);
    }

    /// Ends the room for another one, if nobody is connected.
    pub(super) fn end_unattended(&mut self) -> Option<Vec<Event>> {
        self.rules.end_unattended().map(|decided| self.apply(decided))
    }

    /// The party of the room has decided its game.
    pub(super) fn end_dismissed(&mut self, ruling: Ruling) -> Vec<Event> {
        self.apply(self.rules.end_dismissed(ruling))
    }

    /// The host of the party changes the clock of the move.
    pub(super) fn change_clock(&mut self, change: ClockChange) -> Vec<Event> {
        let decided = self.rules.change_clock(self.now, change);
        decided.map(|decided| self.apply(decided)).unwrap_or_default()
    }

    /// The party of the room has given a place to somebody.
    pub(super) fn hand_over(
        &mut self,
        began_with: Mark,
        player: PlayerId,
        name: PlayerName,
    ) -> Vec<Event> {
        self.apply(self.rules.hand_over(began_with, player, name))
    }

    /// The room after all events, by themselves.
    fn rebuilt(&self) -> RoomRules {
        let mut rules = room(self.state().settings, self.now).made_by(&[MAKER]);
        for (event, unix_ms) in &self.events {
            rules.apply_event(Timestamp { age: rules.last_change, unix_ms: *unix_ms }, event);
        }
        rules
    }

    /// Checks what must hold after each step.
    pub(super) fn check(&self) {
        self.check_clients();
        self.check_game();
        self.check_presence();
        self.check_hearing();
        self.check_stored();
    }

    /// A room that is read from its row is the room after its events: all fields are the same.
    /// Catches each field that the row leaves out, and each that is read into another.
    fn check_stored(&self) {
        let RoomRules { empty_since, move_deadline, last_change, .. } = self.rules;
        if self.state().closed {
            return;
        }
        let read = RoomRules::from_json(&self.rules.to_json(), TIMES, self.now, None).unwrap();
        let since = empty_since.unwrap_or(self.now);
        let mut rebuilt = self.rebuilt();
        rebuilt.move_deadline = move_deadline;
        rebuilt.resume(self.now, since);
        rebuilt.last_change = last_change.max(since);
        assert_eq!(format!("{read:?}"), format!("{rebuilt:?}"));
        assert_eq!(read.snapshot(self.now).move_ms_left, self.rules.move_ms_left(self.now));
        if empty_since.is_some() {
            assert_eq!(read.end_due(), self.rules.end_due());
        }
    }

    /// A client that heard every event and a client that has just come see the room as it is.
    fn check_clients(&self) {
        let state = self.state();
        assert_eq!(&self.client, state);
        let snapshot = self.rules.snapshot(self.now);
        assert_eq!(snapshot.presence, self.presence());
        let seen = RoomState::from_snapshot(&snapshot).unwrap();
        assert_eq!(&RoomState { closed: state.closed, ..seen }, state);
        let text = serde_json::to_string(&ServerMessage::Snapshot(snapshot)).unwrap();
        assert!(text.len() <= MAX_SERVER_FRAME, "{} bytes", text.len());
        assert_eq!(state.v, self.events.len() as u64, "a version is the number of the facts");
    }

    /// Checks that a room after a restart is in the same state, and knows the same repeats.
    pub(super) fn check_rebuilt(&self) {
        let rebuilt = self.rebuilt();
        assert_eq!(rebuilt.state(), self.state());
        let known = |rules: &RoomRules| {
            let RoomRules { previous, opening, previous_opening, .. } = rules;
            format!("{previous:?} {opening:?} {previous_opening:?}")
        };
        assert_eq!(known(&rebuilt), known(&self.rules));
    }

    fn check_game(&self) {
        let state = self.state();
        let running = self.state().running();
        assert_eq!(self.rules.due().is_none(), state.closed);
        assert!(running.is_none() || !state.seats.has_open(), "a game runs with an open seat");
        let left = self.rules.snapshot(self.now).move_ms_left;
        let paused = state.pace == Pace::Paused;
        let timed = state.settings.move_time_ms.is_some();
        assert_eq!(left.is_some(), timed && running.is_some() && !paused);
        assert!(!paused || state.is_exhibition(), "only two computers are paused");
        let opening = state.game.as_ref().and_then(|numbered| numbered.opening);
        assert!(opening.is_none() || running.is_some(), "an opening outlives its game");
        if let Some(running) = running.filter(|_| state.settings.opening == Opening::Swap2) {
            let ply = running.game.ply();
            assert!(opening.is_some() || ply >= 3, "an opening of too few marks");
            assert!(opening.is_none() || ply <= 5, "an opening of too many marks");
        }
    }

    fn check_presence(&self) {
        let state = self.state();
        let presence = self.presence();
        for mark in Mark::BOTH {
            let expected = state.seats[mark].player().map(|player| self.expected(player));
            assert_eq!(presence.seats[mark], expected, "{mark}");
        }
        let seated = |player: &PlayerId| state.marks_of(*player).next().is_some();
        let watches = |player: &PlayerId| *player != PlayerId::NOBODY && !seated(player);
        let watching = self.connections.iter().filter(|(player, _)| watches(player));
        let watching = watching.map(|(_, count)| *count).sum();
        assert_eq!(presence.spectators, if state.game.is_some() { watching } else { 0 });
        if let Some(mark) = presence.rematch {
            assert!(!state.is_running(), "a rematch is offered in a running game");
            assert_eq!(presence.seats[mark], Some(SeatPresence::Connected), "who offers is here");
        }
    }

    /// The presence that a player should have, by the times of their connections.
    fn expected(&self, player: PlayerId) -> SeatPresence {
        if self.connections.contains_key(&player) {
            return SeatPresence::Connected;
        }
        let absent = self.now - self.absent_since[&player];
        if absent < UNANNOUNCED {
            return SeatPresence::Connected;
        }
        let move_time = self.state().settings.move_time_ms.unwrap_or(0).into();
        let clock = u64::from(self.rules.snapshot(self.now).move_ms_left.unwrap_or(0));
        let left = if move_time < 3_600_000 {
            TIMES.absence_grace.saturating_sub(absent)
        } else {
            Duration::from_millis(move_time)
                .saturating_sub(absent)
                .max(Duration::from_millis(clock))
        };
        match left.as_millis() {
            0 => SeatPresence::Gone,
            left => SeatPresence::Away { claim_in_ms: u32::try_from(left).unwrap() },
        }
    }
}
