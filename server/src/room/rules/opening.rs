//! A swap2 opening: who may place and choose, and the events of a choice. The phases are the
//! protocol's. Their effect on the series is in [`crate::room::rules::series`].

use noughts_protocol::opening::SWAP2_PLIES;
use noughts_protocol::{
    Event, Mark, NumberedGame, Opening, OpeningChoice, OpeningPhase, Refusal, RefusalCode,
};

use crate::room::rules::{Decided, RoomRules, is_at};

/// What the players did in an opening, by the seats that they have now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpeningRecord {
    /// The player who placed the first marks.
    by: Mark,
    /// The opponent placed two more marks.
    added: bool,
    /// The sides are chosen.
    done: bool,
}

impl OpeningRecord {
    fn placer_at(self, ply: u16) -> Option<Mark> {
        if ply < SWAP2_PLIES[0] {
            Some(self.by)
        } else {
            (self.added && ply < SWAP2_PLIES[1]).then_some(self.by.other())
        }
    }

    /// Whether the player of `marks` has made this choice. The player who chose a side sits there.
    fn has_chosen(self, marks: &[Mark], choice: OpeningChoice) -> bool {
        let chooser = if self.added { self.by } else { self.by.other() };
        match choice.side() {
            Some(side) => self.done && side == chooser && marks.contains(&chooser),
            None => self.added && marks.contains(&self.by.other()),
        }
    }
}

impl RoomRules {
    /// The events of a choice; none if it was made before.
    pub(crate) fn choose(
        &self,
        marks: &[Mark],
        game: u32,
        choice: OpeningChoice,
    ) -> Result<Vec<Event>, Refusal> {
        let named = self.named(game)?;
        if self.opening_of(named).is_some_and(|opened| opened.has_chosen(marks, choice)) {
            return Ok(Vec::new());
        }
        let running = self.running(game)?;
        let no = |code, message: &str| Err(Refusal::new(code, message));
        match running.opening {
            Some(OpeningPhase::Choosing { by, .. }) if !marks.contains(&by) => {
                no(RefusalCode::NotYourTurn, "it is your opponent's choice: wait for it")
            }
            Some(phase @ OpeningPhase::Choosing { .. }) => match phase.after_choice(choice) {
                Some((phase, swapped)) => Ok(vec![Event::Opening { game, phase, swapped }]),
                None => no(RefusalCode::NotNow, "two marks were added already: choose x or o"),
            },
            Some(OpeningPhase::Placing { until_ply, .. }) => {
                let message = format!("the choice comes when {until_ply} marks are on the board");
                no(RefusalCode::NotNow, &message)
            }
            _ if self.state.settings.opening == Opening::Swap2 => {
                no(RefusalCode::Stale, "the sides are chosen already: look at the board")
            }
            _ => no(
                RefusalCode::NotNow,
                "there is nothing to choose: this room has no swap2 opening",
            ),
        }
    }

    /// The choice of a computer at `ply` of a game; nothing if that turn has passed.
    pub(crate) fn computer_choice(&self, game: u32, ply: u16, choice: OpeningChoice) -> Decided {
        let running = self.state.running().filter(|running| is_at(running, game, ply));
        let next = running.and_then(|running| running.opening?.after_choice(choice));
        let event = next.map(|(phase, swapped)| Event::Opening { game, phase, swapped });
        Decided(event.into_iter().collect())
    }

    /// The seat that placed, or places, the mark at a ply of the current game or the one before.
    pub(crate) fn placer_at(&self, numbered: &NumberedGame, ply: u16) -> Mark {
        let opened = self.opening_of(numbered);
        opened
            .and_then(|opened| opened.placer_at(ply))
            .unwrap_or_else(|| numbered.game.mover_at(ply))
    }

    fn opening_of(&self, numbered: &NumberedGame) -> Option<OpeningRecord> {
        let current = self.state.game.as_ref().is_some_and(|game| game.number == numbered.number);
        if current { self.opening } else { self.previous_opening }
    }

    /// The number of marks that the opening of a game placed, or would have placed.
    pub(crate) fn opening_marks(&self, numbered: &NumberedGame) -> u16 {
        self.opening_of(numbered).map_or(0, |opened| SWAP2_PLIES[usize::from(opened.added)])
    }

    /// Updates what only the server keeps of an opening.
    pub(crate) fn note_opening(&mut self, phase: OpeningPhase, swapped: bool) {
        if let OpeningPhase::Placing { by, .. } = phase
            && self.opening.is_none()
        {
            self.opening = Some(OpeningRecord { by, added: false, done: false });
            return;
        }
        let Some(opened) = &mut self.opening else { return };
        match phase {
            OpeningPhase::Placing { .. } => opened.added = true,
            OpeningPhase::Done => opened.done = true,
            OpeningPhase::Choosing { .. } => {}
        }
        if swapped {
            opened.by = opened.by.other();
            let absent = &mut self.absent_since;
            std::mem::swap(&mut absent.x, &mut absent.o);
            // The players of the previous game have changed seats, so a repeat of its moves is stale.
            self.previous = None;
            self.previous_opening = None;
        }
    }
}

/// Whether a choice is due in place of a mark.
pub(crate) fn is_choosing(running: &NumberedGame) -> bool {
    matches!(running.opening, Some(OpeningPhase::Choosing { .. }))
}

/// The mark that the player of `marks` would place at the current ply. At another ply, or when the
/// game is over, it may be any mark, because the move is refused.
pub(crate) fn mark_to_place(
    current: &NumberedGame,
    marks: &[Mark],
    ply: u16,
) -> Result<Mark, Refusal> {
    let next = current.game.to_move();
    let due = current.opening.filter(|_| ply == current.game.ply());
    match due {
        Some(OpeningPhase::Placing { by, .. }) if marks.contains(&by) => Ok(next),
        Some(OpeningPhase::Placing { .. }) => Err(Refusal::new(
            RefusalCode::NotYourTurn,
            "your opponent is placing the opening: wait for it",
        )),
        Some(OpeningPhase::Choosing { by, .. }) if marks.contains(&by) => Err(Refusal::new(
            RefusalCode::NotNow,
            "no mark can be placed before the sides are chosen: choose first",
        )),
        Some(OpeningPhase::Choosing { .. }) => Err(Refusal::new(
            RefusalCode::NotYourTurn,
            "your opponent is choosing a side: wait for it",
        )),
        Some(OpeningPhase::Done) | None if marks.contains(&next) => Ok(next),
        Some(OpeningPhase::Done) | None => Ok(next.other()),
    }
}
