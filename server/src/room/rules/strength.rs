//! The strength of a person's computer opponent: who may set it, and when it adapts to the results.

use noughts_protocol::{
    Computer, Event, GameEnd, Mark, PlayerId, Refusal, RefusalCode, Seat, Strength,
};

use crate::room::rules::RoomRules;

/// After so many wins or losses of the person in a row the computer adapts.
const RUN: i8 = 2;

impl RoomRules {
    /// The fact of another strength; none if it is the strength already.
    pub(crate) fn set_strength(
        &self,
        player: PlayerId,
        strength: Strength,
    ) -> Result<Option<Event>, Refusal> {
        self.seated(player)?;
        let (mark, computer) = self.state.adjustable().ok_or_else(|| {
            let why = "no computer with strengths plays against you here";
            Refusal::new(RefusalCode::NotNow, why)
        })?;
        let is_offered = self.state.strengths(computer).contains(&strength);
        let strength = if is_offered { strength } else { strength.named() };
        Ok(with_strength(mark, computer, strength))
    }

    /// The fact that the computer begins the next game with another strength, if the results ask for it.
    pub(super) fn adapted(&self) -> Option<Event> {
        let is_due = self.state.settings.adapts && self.run.abs() >= RUN;
        let (mark, computer) = self.state.adjustable().filter(|_| is_due)?;
        let offered = self.state.strengths(computer);
        with_strength(mark, computer, computer.strength.next(offered, self.run > 0))
    }

    /// Counts the wins or the losses of the person in a row, before an event is applied. A draw and
    /// another strength break the run.
    pub(super) fn count_run(&mut self, event: &Event) {
        match event {
            Event::Moved { over: Some(end), .. } | Event::GameOver { end, .. } => {
                self.run = self.run_after(end);
            }
            // Another name is no other person.
            Event::Seated { mark, seat } => {
                let is_same = seat.player() == self.state.seats[*mark].player();
                self.run = if is_same && seat.player().is_some() { self.run } else { 0 };
            }
            _ => {}
        }
    }

    fn run_after(&self, end: &GameEnd) -> i8 {
        let Some((mark, _)) = self.state.adjustable().filter(|_| end.result.counts()) else {
            return self.run;
        };
        match end.result.winner() {
            Some(winner) if winner == mark => self.run.min(0).saturating_sub(1),
            Some(_) => self.run.max(0).saturating_add(1),
            None => 0,
        }
    }
}

/// The fact of another strength than the computer has.
fn with_strength(mark: Mark, computer: Computer, strength: Strength) -> Option<Event> {
    let seat = Seat::Computer(Computer { strength, ..computer });
    (strength != computer.strength).then_some(Event::Seated { mark, seat })
}
