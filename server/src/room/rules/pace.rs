//! The pace of two computers: who may set it, single steps while they are paused, and which waits it
//! makes longer or shorter. Against a person the pace is always normal.

use std::time::Duration;

use noughts_protocol::{Computer, Event, NumberedGame, Pace, PlayerId, Refusal, RefusalCode};

use crate::room::rules::intent::{RoomDecision, stale};
use crate::room::rules::{RoomDecided, RoomRules, is_at};

/// The pause between two games of an exhibition, in which spectators see the result.
const EXHIBITION_PAUSE: Duration = Duration::from_secs(3);

/// A slow game leaves time to think about each move, a fast one is over in seconds.
fn scaled(time: Duration, pace: Pace) -> Duration {
    match pace {
        Pace::Paused | Pace::Normal => time,
        Pace::Slow => time.saturating_mul(3),
        Pace::Fast => time / 4,
    }
}

impl RoomRules {
    /// The fact of another pace; none if it is the pace already.
    pub(crate) fn set_pace(&self, player: PlayerId, pace: Pace) -> Result<Option<Event>, Refusal> {
        self.check_maker(player)?;
        Ok((pace != self.state.pace).then_some(Event::Paced { pace }))
    }

    /// One step from `ply` of game `game`: a move, or the next game after the last move. A step that
    /// was made leads to nothing.
    pub(crate) fn step(
        &self,
        player: PlayerId,
        game: u32,
        ply: u16,
        coin: bool,
    ) -> Result<RoomDecision, Refusal> {
        self.check_maker(player)?;
        let named = self.named(game)?;
        if ply > named.game.ply() {
            return Err(stale());
        }
        let is_current = self.state.game.as_ref().is_some_and(|current| current.number == game);
        if ply < named.game.ply() || !is_current {
            return Ok(RoomDecision::Facts(RoomDecided::default()));
        }
        if self.state.pace != Pace::Paused {
            return Err(Refusal::new(
                RefusalCode::NotNow,
                "the computers play by themselves: pause them first",
            ));
        }
        if named.game.turn().is_some() {
            return Ok(RoomDecision::Step { game, ply });
        }
        Ok(RoomDecision::Facts(RoomDecided(vec![self.next_game(None, coin)])))
    }

    /// Only the maker of a room of two computers decides how they play.
    fn check_maker(&self, player: PlayerId) -> Result<(), Refusal> {
        if self.state.maker != Some(player) {
            return Err(Refusal::new(
                RefusalCode::NotSeated,
                "only the player who made this room can do that",
            ));
        }
        if !self.state.is_exhibition() {
            return Err(Refusal::new(
                RefusalCode::NotNow,
                "only a game between two computers has a pace",
            ));
        }
        Ok(())
    }

    /// Lets the computers move until the game is past this ply. A swap2 opening may need a choice
    /// before the mark.
    pub(crate) const fn begin_step(&mut self, game: u32, ply: u16) {
        self.stepping = Some((game, ply));
    }

    /// Takes a step back that has not led to a move.
    pub(crate) const fn end_step(&mut self) {
        self.stepping = None;
    }

    /// Whether a step waits for its move.
    pub(crate) fn is_stepping(&self) -> bool {
        let at = |(game, ply)| self.state.running().is_some_and(|now| is_at(now, game, ply));
        self.stepping.is_some_and(at)
    }

    /// The running game and the computer that is to act in it now.
    pub(crate) fn computer_turn(&self) -> Option<(&NumberedGame, Computer)> {
        let running = self.state.running()?;
        let computer = self.state.seats[running.turn()?].computer()?;
        let waits = self.state.pace == Pace::Paused && !self.is_stepping();
        (!waits && !self.state.clock_stopped).then_some((running, computer))
    }

    /// How long a computer's turn takes at least; `usual` is that of a person's opponent.
    pub(crate) fn computer_delay(&self, usual: Duration) -> Duration {
        if self.is_stepping() { Duration::ZERO } else { scaled(usual, self.state.pace) }
    }

    /// How long two computers wait between two games; `None` while they are paused.
    pub(crate) fn exhibition_pause(&self) -> Option<Duration> {
        let pace = self.state.pace;
        (pace != Pace::Paused).then(|| scaled(EXHIBITION_PAUSE, pace))
    }
}
