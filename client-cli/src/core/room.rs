//! A room from the player's side: the shared state of the protocol, the player's marks, and
//! countdowns as moments.

use std::time::{Duration, Instant};

use noughts_protocol::{
    ByMark, Evaluation, Event, Hint, Mark, OutOfStep, PlayerId, Presence, RoomState, Seat, Snapshot,
};

/// A room from the player's side.
#[derive(Debug, Clone)]
pub struct RoomView {
    /// The state that everybody shares.
    pub state: RoomState,
    /// The player's marks: both if they play both sides, none if they watch.
    pub mine: Vec<Mark>,
    /// How many connections have no seat.
    pub spectators: u32,
    /// When the time for the move ends, if there is a limit.
    pub move_ends: Option<Instant>,
    /// When the opponent of an absent player may claim the game.
    claim_from: ByMark<Option<Instant>>,
    /// The number of the last game whose result was announced.
    pub ended: Option<u32>,
    /// The last hint, also after its position has passed.
    pub(super) hint: Option<Hint>,
    /// The last evaluation, also after its position has passed.
    pub(super) evaluation: Option<Evaluation>,
}

impl RoomView {
    /// The room of a snapshot that came now.
    ///
    /// # Errors
    /// If the snapshot's moves break the rules.
    pub fn new(snapshot: &Snapshot, now: Instant) -> Result<Self, OutOfStep> {
        let state = RoomState::from_snapshot(snapshot)?;
        let claim_from =
            ByMark { x: claim_from(&state.seats.x, now), o: claim_from(&state.seats.o, now) };
        let ended = state.game.as_ref().filter(|g| g.game.result().is_some()).map(|g| g.number);
        Ok(Self {
            state,
            mine: snapshot.you.clone(),
            spectators: snapshot.spectators,
            move_ends: snapshot.move_ms_left.map(|left| now + millis(left)),
            claim_from,
            ended,
            hint: None,
            evaluation: None,
        })
    }

    /// Applies an event. `player` is this player.
    ///
    /// # Errors
    /// If the event does not fit. Then nothing changes.
    pub fn apply(
        &mut self,
        v: u64,
        event: &Event,
        player: Option<PlayerId>,
        now: Instant,
    ) -> Result<(), OutOfStep> {
        self.state.apply(v, event)?;
        match event {
            Event::Seated { mark, seat } => {
                self.claim_from[*mark] = claim_from(seat, now);
                self.mine = player.map(|p| self.state.marks_of(p).collect()).unwrap_or_default();
            }
            Event::Presence { mark, .. } => {
                self.claim_from[*mark] = claim_from(&self.state.seats[*mark], now);
            }
            Event::GameStarted { .. } | Event::Moved { .. } => self.start_clock(now),
            Event::Opening { swapped, .. } => {
                self.start_clock(now);
                if *swapped {
                    std::mem::swap(&mut self.claim_from.x, &mut self.claim_from.o);
                    self.mine = self.mine.iter().rev().map(|mark| mark.other()).collect();
                }
            }
            Event::GameOver { game, .. } => {
                self.ended = Some(*game);
                self.move_ends = None;
            }
            Event::Rematch { .. } | Event::Closed { .. } => {}
        }
        Ok(())
    }

    fn start_clock(&mut self, now: Instant) {
        let limit = self.state.settings.move_time_ms.filter(|_| self.state.is_running());
        self.move_ends = limit.map(|ms| now + millis(ms));
    }

    /// Whether the player only watches.
    #[must_use]
    pub const fn is_watching(&self) -> bool {
        self.mine.is_empty()
    }

    /// Whether the player has a seat in a running game.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        !self.is_watching() && self.state.is_running()
    }

    /// The player's mark, if it is to move.
    #[must_use]
    pub fn my_turn(&self) -> Option<Mark> {
        self.state.turn().filter(|mark| self.mine.contains(mark))
    }

    /// The hint for the current position.
    #[must_use]
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref().filter(|hint| self.is_current(hint.game, hint.ply))
    }

    /// The evaluation of the current position, for spectators.
    #[must_use]
    pub fn evaluation(&self) -> Option<&Evaluation> {
        self.evaluation.as_ref().filter(|latest| self.is_current(latest.game, latest.ply))
    }

    fn is_current(&self, game: u32, ply: u16) -> bool {
        let running = self.state.running();
        running.is_some_and(|now| now.number == game && now.game.ply() == ply)
    }

    /// The number of the last finished game.
    #[must_use]
    pub fn last_finished(&self) -> Option<u32> {
        let last = self.state.game.as_ref()?;
        let over =
            if last.game.turn().is_none() { last.number } else { last.number.saturating_sub(1) };
        (over > 0).then_some(over)
    }

    /// Whether a game of the player has ended and none is running.
    #[must_use]
    pub fn may_rematch(&self) -> bool {
        !self.is_watching() && self.state.game.is_some() && !self.state.is_running()
    }

    /// Whether the player offers a rematch.
    #[must_use]
    pub fn offered_by_me(&self) -> bool {
        !self.mine.is_empty() && self.mine.iter().all(|mark| self.state.offers[*mark])
    }

    /// Whether the opponent offers a rematch.
    #[must_use]
    pub fn offered_by_opponent(&self) -> bool {
        Mark::BOTH.into_iter().any(|m| !self.mine.contains(&m) && self.state.offers[m])
    }

    /// The opponent who is away, and when the game may be claimed.
    #[must_use]
    pub fn away_opponent(&self) -> Option<(Mark, Instant)> {
        let away = |mark: &Mark| !self.mine.contains(mark);
        let mark = Mark::BOTH.into_iter().filter(away).find(|m| self.claim_from[*m].is_some())?;
        self.claim_from[mark].map(|from| (mark, from))
    }

    /// When the game may be claimed against a player who is away.
    #[must_use]
    pub fn claim_from(&self, mark: Mark) -> Option<Instant> {
        self.claim_from[mark]
    }
}

/// When the game may be claimed, if the seat's player is away.
fn claim_from(seat: &Seat, now: Instant) -> Option<Instant> {
    match seat {
        Seat::Human { presence: Presence::Away { claim_in_ms }, .. } => {
            Some(now + millis(*claim_in_ms))
        }
        Seat::Human { presence: Presence::Gone, .. } => Some(now),
        _ => None,
    }
}

fn millis(ms: u32) -> Duration {
    Duration::from_millis(u64::from(ms))
}
