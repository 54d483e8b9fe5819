//! The rules of one room: seats, series, presence, clocks, rematch. Pure: no task, no channel, no
//! clock and no random source; the time and a coin are arguments.
//!
//! Every change is decided first ([`RoomRules::decide`], [`RoomRules::join`], [`RoomRules::tick`], …), as
//! events, and made second ([`RoomRules::apply`]), so that a refused intent leaves no trace. What
//! players may do is in [`intent`], in a swap2 opening in [`opening`], what time does in
//! [`timer`].

mod analysis;
pub(crate) mod intent;
mod opening;
mod restore;
mod series;
#[cfg(test)]
mod tests;
mod timer;

use std::collections::HashMap;
use std::time::Duration;

use crate::config::rooms::RoomTimes;
use noughts_protocol::{
    ByMark, Cell, Event, Mark, NumberedGame, PlayerId, PlayerName, Presence, Refusal, RefusalCode,
    Role, RoomCode, RoomSettings, RoomState, Score, Seat, Snapshot,
};
use opening::{OpeningRecord, is_choosing};
pub(crate) use restore::ResumePoint;

/// One room. RoomTimes are by the clock of its server, [`super::Clock`].
#[derive(Debug)]
pub(crate) struct RoomRules {
    state: RoomState,
    times: RoomTimes,
    /// The game before the current one, to recognise a repeat of a move that ended it.
    previous: Option<NumberedGame>,
    /// Who did what in the swap2 opening of the current game, and of the one before.
    opening: Option<OpeningRecord>,
    previous_opening: Option<OpeningRecord>,
    /// Connections in the room by player, spectators included. Never holds a zero; bounded by the
    /// server's connections.
    present: HashMap<PlayerId, u32>,
    /// Since when the player of a seat has had no connection.
    absent_since: ByMark<Option<Duration>>,
    /// When the side to move loses on time.
    move_deadline: Option<Duration>,
    /// The last event, or the last time anybody came or went.
    last_change: Duration,
    /// Since when nobody has been connected.
    empty_since: Option<Duration>,
}

impl RoomRules {
    /// A new room in which nothing has happened.
    pub(crate) fn new(
        code: RoomCode,
        settings: RoomSettings,
        times: RoomTimes,
        now: Duration,
    ) -> Self {
        Self {
            state: RoomState::new(code, settings),
            times,
            previous: None,
            opening: None,
            previous_opening: None,
            present: HashMap::new(),
            absent_since: ByMark::default(),
            move_deadline: None,
            last_change: now,
            empty_since: Some(now),
        }
    }

    /// Fills the seats of a new room as asked, and begins its first game if both are taken; the
    /// events that this made.
    pub(crate) fn fill_seats(
        &mut self,
        now: Duration,
        seats: &ByMark<Seat>,
        coin: bool,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        for mark in Mark::BOTH.into_iter().filter(|mark| seats[*mark] != Seat::Open) {
            let mut seat = seats[mark].clone();
            if let Seat::Human { player, name, .. } = &mut seat {
                *name = self.name_at(mark, *player, name);
            }
            let seated = Event::Seated { mark, seat };
            self.apply(now, &seated);
            events.push(seated);
        }
        if !seats.has_open() {
            let started = self.next_game(Score::default(), coin);
            started.iter().for_each(|event| self.apply(now, event));
            events.extend(started);
        }
        events
    }

    /// What a player is called on a seat: by their name, unless the opponent has the same one. The
    /// one place where two people of one name are told apart, so that every client, the list and
    /// the journal show the same.
    fn name_at(&self, mark: Mark, player: PlayerId, name: &PlayerName) -> PlayerName {
        match &self.state.seats[mark.other()] {
            Seat::Human { player: other, name: theirs, .. } if *other != player => {
                name.apart_from(theirs)
            }
            _ => name.clone(),
        }
    }

    /// What everybody in the room can see.
    pub(crate) fn state(&self) -> &RoomState {
        &self.state
    }

    /// The room as `player` sees it now, times counted down to `now`.
    pub(crate) fn snapshot_for(&self, player: PlayerId, now: Duration) -> Snapshot {
        let mut snapshot = self.state.to_snapshot();
        for mark in Mark::BOTH {
            if let Seat::Human { presence: Presence::Away { claim_in_ms }, .. } =
                &mut snapshot.seats[mark]
            {
                *claim_in_ms = self.claim_in_ms(mark, now);
            }
        }
        snapshot.you = self.state.marks_of(player).collect();
        snapshot.spectators = self.spectators();
        snapshot.move_ms_left = self.move_deadline.map(|at| millis(at.saturating_sub(now)));
        snapshot
    }

    /// Connections without a seat.
    pub(crate) fn spectators(&self) -> u32 {
        let seated = |player: &PlayerId| self.state.marks_of(*player).next().is_some();
        self.present.iter().filter(|(player, _)| !seated(player)).map(|(_, count)| count).sum()
    }

    /// What happens when a player asks to come in: the seat they take, if any. They are not
    /// present until [`RoomRules::connect`].
    ///
    /// # Errors
    /// Where there is no place for them.
    pub(crate) fn join(
        &self,
        player: PlayerId,
        name: &PlayerName,
        role: Role,
        coin: bool,
    ) -> Result<Vec<Event>, Refusal> {
        let seat = |mark| {
            let name = self.name_at(mark, player, name);
            Seat::Human { player, name, presence: Presence::Connected }
        };
        let mine: Vec<Mark> = self.state.marks_of(player).collect();
        if !mine.is_empty() {
            let seated = mine.into_iter().map(|mark| (mark, seat(mark)));
            let renamed =
                seated.filter(|(mark, seat)| seat.label() != self.state.seats[*mark].label());
            return Ok(renamed.map(|(mark, seat)| Event::Seated { mark, seat }).collect());
        }
        match role {
            Role::Spectator if self.state.settings.spectators => Ok(Vec::new()),
            Role::Spectator => Err(Refusal::new(
                RefusalCode::NoSpectators,
                "this room admits no spectators: join it as a player if a seat is open",
            )),
            Role::Player => {
                let open = |mark: &Mark| self.state.seats[*mark] == Seat::Open;
                let mark = Mark::BOTH.into_iter().find(open).ok_or_else(|| {
                    Refusal::new(
                        RefusalCode::SeatsTaken,
                        "both seats are taken: join as a spectator to watch",
                    )
                })?;
                let mut events = vec![Event::Seated { mark, seat: seat(mark) }];
                if self.state.seats[mark.other()] != Seat::Open {
                    events.extend(self.next_game(Score::default(), coin));
                }
                Ok(events)
            }
        }
    }

    /// Counts a connection of `player` in; the events say if that ends an absence.
    pub(crate) fn connect(&mut self, now: Duration, player: PlayerId) -> Vec<Event> {
        *self.present.entry(player).or_default() += 1;
        self.last_change = now;
        self.empty_since = None;
        let mut events = Vec::new();
        for mark in self.state.marks_of(player).collect::<Vec<_>>() {
            self.absent_since[mark] = None;
            if self.presence(mark) != Some(Presence::Connected) {
                events.push(Event::Presence { mark, presence: Presence::Connected });
            }
        }
        events
    }

    /// Counts a connection of `player` out. An absence is announced later, by [`RoomRules::tick`].
    pub(crate) fn disconnect(&mut self, now: Duration, player: PlayerId) {
        let Some(count) = self.present.get_mut(&player) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.present.remove(&player);
        self.last_change = now;
        if self.present.is_empty() {
            self.empty_since = Some(now);
        }
        for mark in self.state.marks_of(player).collect::<Vec<_>>() {
            self.absent_since[mark] = Some(now);
        }
    }

    /// The move of the computer that was to move at `ply` of a game; nothing if that has passed.
    pub(crate) fn computer_move(&self, game: u32, ply: u16, cell: Cell) -> Vec<Event> {
        match self.state.running() {
            Some(running) if is_at(running, game, ply) && !is_choosing(running) => {
                self.moved(running, running.game.to_move(), cell).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Makes a decided event true.
    pub(crate) fn apply(&mut self, now: Duration, event: &Event) {
        if let Event::GameStarted { .. } = event {
            self.previous = self.state.game.take();
            self.previous_opening = self.opening.take();
        }
        // An event that this table decided fits the state it was decided on.
        let applied = self.state.apply(self.state.v + 1, event);
        debug_assert_eq!(applied, Ok(()));
        self.last_change = now;
        match event {
            Event::Seated { mark, seat } => {
                let gone = seat.player().is_some_and(|player| !self.present.contains_key(&player));
                self.absent_since[*mark] = gone.then_some(now);
            }
            Event::GameStarted { .. } | Event::Moved { .. } => self.start_clock(now),
            Event::Opening { phase, swapped, .. } => {
                self.note_opening(*phase, *swapped);
                self.start_clock(now);
            }
            Event::GameOver { .. } | Event::Closed { .. } => self.move_deadline = None,
            Event::Presence { .. } | Event::Rematch { .. } => {}
        }
    }

    fn start_clock(&mut self, now: Duration) {
        let limit = self.state.settings.move_time_ms.filter(|_| self.state.is_running());
        self.move_deadline = limit.map(|ms| now + Duration::from_millis(u64::from(ms)));
    }

    fn presence(&self, mark: Mark) -> Option<Presence> {
        match &self.state.seats[mark] {
            Seat::Human { presence, .. } => Some(*presence),
            Seat::Open | Seat::Computer(_) => None,
        }
    }

    fn claim_in_ms(&self, mark: Mark, now: Duration) -> u32 {
        let since = self.absent_since[mark].unwrap_or(now);
        millis((since + self.times.absence_grace).saturating_sub(now))
    }
}

/// Whether a running game is game `game` with `ply` marks.
fn is_at(running: &NumberedGame, game: u32, ply: u16) -> bool {
    running.number == game && running.game.ply() == ply
}

/// Whole milliseconds, rounded up so that a countdown never ends early.
fn millis(time: Duration) -> u32 {
    u32::try_from(time.as_micros().div_ceil(1000)).unwrap_or(u32::MAX)
}
