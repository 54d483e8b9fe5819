//! The rules of one room: seats, series, presence, clocks, rematch. Pure: no task, no channel, no
//! clock and no random source. The time and a coin are arguments.
//!
//! Every fact is [`RoomDecided`] first ([`RoomRules::decide`], [`RoomRules::join`],
//! [`RoomRules::tick`] and others), then saved, then applied ([`RoomRules::apply`]). A refused
//! intent leaves no trace. Presence changes at once: arrivals, departures, absences and rematch
//! offers ([`presence`]), and talk ([`chat`]). [`intent`] is what players may do, [`opening`] the
//! swap2 opening, [`move_clock`] the clock that the host of a party stops, [`stored`] the row that
//! the store keeps, [`pace`] how fast two computers play, [`strength`] how strong a person's
//! computer is, [`ratings`] what the store says of the players, [`timer`] what time does,
//! [`kept_game`] what the archive gets.

pub(crate) mod analysis;
pub(crate) mod chat;
pub(crate) mod intent;
mod kept_game;
pub(crate) mod move_clock;
mod opening;
mod pace;
mod presence;
pub(crate) mod ratings;
mod series;
pub(crate) mod stored;
mod strength;
#[cfg(test)]
mod tests;
mod timer;

use std::collections::HashMap;
use std::time::Duration;

use noughts_protocol::{
    ByMark, Event, Mark, NumberedGame, Placement, PlayerId, PlayerName, Refusal, RefusalCode, Role,
    RoomState, Seat, Series, Snapshot,
};
use noughts_store::Committed;

use crate::config::rooms::RoomTimes;
use chat::Chat;
use kept_game::GameTimes;
use opening::OpeningRecord;
use presence::{Absence, RematchOffer};
use ratings::KnownRatings;
use stored::EncodedSetup;

/// Facts that the rules allow, not stored yet. Only the rules make it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub(crate) struct RoomDecided(Vec<Event>);

impl AsRef<[Event]> for RoomDecided {
    fn as_ref(&self) -> &[Event] {
        &self.0
    }
}

/// One moment on two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timestamp {
    /// By the server's clock, [`super::Clock`].
    pub(crate) age: Duration,
    /// By the wall clock, in milliseconds since 1970.
    pub(crate) unix_ms: i64,
}

/// The state of one room. Times are by the server's clock, [`super::Clock`].
///
/// Its rules stand in a file for each thing that they decide: all of them decide by this one state.
#[derive(Debug)]
pub(crate) struct RoomRules {
    state: RoomState,
    times: RoomTimes,
    /// The two people whom a quick match has brought together. Only their games are rated.
    matched: Option<[PlayerId; 2]>,
    /// When the current game was played, and against how strong a computer.
    game_times: GameTimes,
    /// The game before the current one, to recognise a repeat of the move that ended it.
    previous: Option<NumberedGame>,
    /// The swap2 openings of the current game and of the one before.
    opening: Option<OpeningRecord>,
    previous_opening: Option<OpeningRecord>,
    setup: EncodedSetup,
    /// Connections by player, spectators included. Holds no zero; bounded by the server's
    /// connections.
    present: HashMap<PlayerId, u32>,
    /// The seats whose player has no connection.
    absences: ByMark<Option<Absence>>,
    /// The rematch that a player offers.
    rematch: Option<RematchOffer>,
    /// The player who asks to take back a move.
    take_back: Option<Mark>,
    /// How many hints each of two people has taken in the game; `None` while nobody has.
    hints: Option<ByMark<u16>>,
    /// The ply of the last hint of the game.
    hinted_at: Option<u16>,
    /// The ratings of the players, once the store has told them.
    ratings: Option<KnownRatings>,
    /// `None` while nobody has talked.
    chat: Option<Chat>,
    /// The first line has the number after this.
    first_line: u64,
    /// The game and the ply from which a paused computer may make one move.
    stepping: Option<(u32, u16)>,
    /// The wins of the person against a computer in a row; negative for losses.
    run: i8,
    /// The time at which the side to move loses.
    move_deadline: Option<Duration>,
    /// The milliseconds on a clock that the host of the party has stopped.
    stopped_ms: Option<u32>,
    /// The time of the last fact, arrival or departure.
    last_change: Duration,
    /// `None` while there is a connection.
    empty_since: Option<Duration>,
}

impl RoomRules {
    /// A room with this state, in which nothing has happened that the state does not say.
    pub(crate) fn new(state: RoomState, times: RoomTimes, now: Duration) -> Self {
        Self {
            state,
            times,
            matched: None,
            game_times: GameTimes::default(),
            previous: None,
            opening: None,
            previous_opening: None,
            setup: EncodedSetup::default(),
            present: HashMap::new(),
            absences: ByMark::default(),
            rematch: None,
            take_back: None,
            hints: None,
            hinted_at: None,
            ratings: None,
            chat: None,
            first_line: 0,
            stepping: None,
            run: 0,
            move_deadline: None,
            stopped_ms: None,
            last_change: now,
            empty_since: Some(now),
        }
    }

    /// The room, made by the intents of these players: of one, or of both whom a quick match has brought
    /// together. The room of a party's table has no maker.
    pub(crate) const fn made_by(mut self, players: &[PlayerId]) -> Self {
        match *players {
            [maker] if self.state.settings.party.is_none() => self.state.maker = Some(maker),
            [first, second] => self.matched = Some([first, second]),
            _ => {}
        }
        self
    }

    /// Forgets that a player made the room. Their seat is given up by [`RoomRules::leave`].
    pub(crate) fn forget_maker(&mut self, player: PlayerId) {
        self.setup = EncodedSetup::default();
        self.state.maker = self.state.maker.filter(|maker| *maker != player);
        let matched = self.matched.iter_mut().flatten();
        matched.filter(|one| **one == player).for_each(|one| *one = PlayerId::NOBODY);
    }

    /// Fills the seats of a new room, and begins its first game if both are taken.
    pub(crate) fn fill_seats(&self, seats: &ByMark<Seat>, coin: bool) -> RoomDecided {
        let mut seats = seats.clone();
        if let Seat::Human { player, name, .. } = &mut seats.o {
            *name = name_beside(&seats.x, *player, name);
        }
        let taken = Mark::BOTH.into_iter().filter(|mark| seats[*mark] != Seat::Open);
        let seated = taken.map(|mark| Event::Seated { mark, seat: seats[mark].clone() });
        let mut events: Vec<Event> = seated.collect();
        if !seats.has_open() {
            events.push(self.next_game(Some(Series::default()), coin));
        }
        RoomDecided(events)
    }

    /// The state that everybody in the room can see.
    pub(crate) fn state(&self) -> &RoomState {
        &self.state
    }

    /// The room as everybody sees it, with times counted down to `now`.
    pub(crate) fn snapshot(&self, now: Duration) -> Snapshot {
        self.state.to_snapshot(self.presence(now), self.move_ms_left(now))
    }

    /// The time of the last fact, arrival or departure.
    pub(crate) const fn last_change(&self) -> Duration {
        self.last_change
    }

    /// The milliseconds left for the move, if there is a limit.
    pub(crate) fn move_ms_left(&self, now: Duration) -> Option<u32> {
        self.stopped_ms.or_else(|| self.move_deadline.map(|at| millis(at.saturating_sub(now))))
    }

    /// The seat that a player takes when they join, if any. They are present only after
    /// [`RoomRules::connect`].
    ///
    /// # Errors
    /// If there is no place for them.
    pub(crate) fn join(
        &self,
        player: PlayerId,
        name: &PlayerName,
        role: Role,
        coin: bool,
    ) -> Result<RoomDecided, Refusal> {
        let seat = |mark: Mark| {
            let name = name_beside(&self.state.seats[mark.other()], player, name);
            Seat::Human { player, name }
        };
        let mine: Vec<Mark> = self.state.marks_of(player).collect();
        let is_table = self.state.settings.party.is_some();
        // A party's names are its own: nobody else there has them.
        if !mine.is_empty() && is_table {
            return Ok(RoomDecided::default());
        }
        if !mine.is_empty() {
            let seated = mine.into_iter().map(|mark| (mark, seat(mark)));
            let renamed = seated.filter(|(mark, seat)| *seat != self.state.seats[*mark]);
            let renamed = renamed.map(|(mark, seat)| Event::Seated { mark, seat });
            return Ok(RoomDecided(renamed.collect()));
        }
        match role {
            Role::Spectator if self.state.settings.spectators => Ok(RoomDecided::default()),
            Role::Spectator => Err(Refusal::new(
                RefusalCode::NoSpectators,
                "this room admits no spectators: join it as a player if a seat is open",
            )),
            Role::Player if is_table => Err(Refusal::new(
                RefusalCode::SeatsTaken,
                "the party seats its own players here: join as a spectator to watch",
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
                    events.push(self.next_game(Some(Series::default()), coin));
                }
                Ok(RoomDecided(events))
            }
        }
    }

    /// The move of a computer at `ply` of a game; nothing if that turn has passed.
    pub(crate) fn computer_move(&self, game: u32, ply: u16, placed: Placement) -> RoomDecided {
        match self.state.running() {
            Some(running) if is_at(running, game, ply) => {
                let chosen = running.game.move_with(placed);
                let mut moved = self.moved(running, chosen);
                if let Ok(Event::Moved { reason, .. }) = &mut moved {
                    *reason = self.comment(running, placed);
                }
                RoomDecided(moved.into_iter().collect())
            }
            _ => RoomDecided::default(),
        }
    }

    /// Applies stored facts, and gives them with their versions.
    pub(crate) fn apply(
        &mut self,
        at: Timestamp,
        committed: Committed<RoomDecided>,
    ) -> impl Iterator<Item = (u64, Event)> + use<> {
        let RoomDecided(events) = committed.into_inner();
        let first = self.state.v + 1;
        for event in &events {
            self.apply_event(at, event);
        }
        (first..).zip(events)
    }

    fn apply_event(&mut self, at: Timestamp, event: &Event) {
        let now = at.age;
        self.take_back = self.take_back.filter(|_| matches!(event, Event::Seated { .. }));
        self.game_times.advance(event, &self.state, at.unix_ms);
        self.setup.advance(event);
        self.count_run(event);
        match event {
            Event::GameStarted { opening, .. } => {
                self.previous = self.state.game.take();
                self.previous_opening = self.opening.take();
                self.opening = opening.map(OpeningRecord::begun);
                self.rematch = None;
                self.hints = None;
                self.hinted_at = None;
                self.begin_ratings();
            }
            Event::Chosen { choice, .. } => self.note_choice(*choice),
            Event::Seated { mark, seat } => {
                let same =
                    seat.player().is_some() && seat.player() == self.state.seats[*mark].player();
                self.rematch = self.rematch.filter(|offer| same || offer.by != *mark);
                let gone = seat.player().is_some_and(|player| !self.present.contains_key(&player));
                self.absences[*mark] = gone.then_some(Absence::begun(now));
            }
            // A hint for this turn was for another position.
            Event::TakenBack { .. } => self.hinted_at = None,
            Event::Moved { .. }
            | Event::GameOver { .. }
            | Event::Paced { .. }
            | Event::Clock { .. }
            | Event::Closed { .. } => {}
        }
        self.state.advance(event);
        self.last_change = now;
        match event {
            Event::GameStarted { .. }
            | Event::Moved { .. }
            | Event::TakenBack { .. }
            | Event::Chosen { .. }
            | Event::Paced { .. } => {
                self.start_clock(now);
            }
            Event::GameOver { .. } | Event::Closed { .. } => {
                self.move_deadline = None;
                self.stopped_ms = None;
            }
            Event::Clock { move_ms_left, .. } => self.set_clock(now, *move_ms_left),
            Event::Seated { .. } => {}
        }
    }

    fn start_clock(&mut self, now: Duration) {
        self.move_deadline =
            self.state.move_limit().map(|ms| now + Duration::from_millis(u64::from(ms)));
    }
}

/// A player's name beside the other seat: their own, unless the opponent has the same one. Only this
/// function tells two people of one name apart, so every client, the list and kept games show the
/// same names.
fn name_beside(other: &Seat, player: PlayerId, name: &PlayerName) -> PlayerName {
    match other {
        Seat::Human { player: opponent, name: theirs, .. } if *opponent != player => {
            name.apart_from(theirs)
        }
        _ => name.clone(),
    }
}

/// Whether a running game is game `game` with `ply` marks.
fn is_at(running: &NumberedGame, game: u32, ply: u16) -> bool {
    running.number == game && running.game.ply() == ply
}

/// Whole milliseconds, rounded up so that a countdown never ends early.
pub(crate) fn millis(time: Duration) -> u32 {
    u32::try_from(time.as_micros().div_ceil(1000)).unwrap_or(u32::MAX)
}
