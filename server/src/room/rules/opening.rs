//! A swap2 opening: who may place and choose, and the events of a choice. The phases are the
//! protocol's. Their effect on the series is in [`crate::room::rules::series`].

use noughts_protocol::opening::AfterChoice;
use noughts_protocol::opening::SWAP2_PLIES;
use noughts_protocol::{
    Event, Mark, NumberedGame, Opening, OpeningChoice, OpeningPhase, PlayerId, Refusal, RefusalCode,
};
use serde::{Deserialize, Serialize};

use crate::room::rules::{RoomDecided, RoomRules, is_at};
use crate::room::table::TableReport;

/// The course of an opening, by the seats that the players have now.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct OpeningRecord {
    /// The player who placed the first marks.
    by: Mark,
    /// The opponent placed two more marks.
    added: bool,
    /// The sides are chosen.
    done: bool,
}

impl OpeningRecord {
    /// The record of an opening that begins in this phase.
    pub(crate) const fn begun(phase: OpeningPhase) -> Self {
        Self { by: phase.by(), added: false, done: false }
    }

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
    /// The fact of a choice; none if it was made before.
    pub(crate) fn choose(
        &self,
        player: PlayerId,
        game: u32,
        choice: OpeningChoice,
    ) -> Result<Option<Event>, Refusal> {
        let marks = self.seated(player)?;
        let named = self.named(game)?;
        if self.opening_of(named).is_some_and(|opened| opened.has_chosen(marks, choice)) {
            return Ok(None);
        }
        let running = self.running(game)?;
        let no = |code, message: &str| Err(Refusal::new(code, message));
        match running.opening {
            Some(OpeningPhase::Choosing { by, .. }) if !marks.contains(&by) => {
                no(RefusalCode::NotYourTurn, "it is your opponent's choice: wait for it")
            }
            Some(OpeningPhase::Choosing { .. }) => match self.chosen(running, choice) {
                Some(chosen) => Ok(Some(chosen)),
                None => no(RefusalCode::NotNow, "two marks were added already: choose x or o"),
            },
            Some(OpeningPhase::Placing { by, .. }) if !marks.contains(&by) => {
                no(RefusalCode::NotYourTurn, "your opponent is placing the opening: wait for it")
            }
            Some(OpeningPhase::Placing { until_ply, .. }) => {
                let message = format!("the choice comes when {until_ply} marks are on the board");
                no(RefusalCode::NotNow, &message)
            }
            None if self.state.settings.opening == Opening::Swap2 => {
                no(RefusalCode::Stale, "the sides are chosen already: look at the board")
            }
            None => no(
                RefusalCode::NotNow,
                "there is nothing to choose: this room has no swap2 opening",
            ),
        }
    }

    /// The choice of a computer at `ply` of a game; nothing if that turn has passed.
    pub(crate) fn computer_choice(
        &self,
        game: u32,
        ply: u16,
        choice: OpeningChoice,
    ) -> RoomDecided {
        let running = self.state.running().filter(|running| is_at(running, game, ply));
        let chosen = running.and_then(|running| self.chosen(running, choice));
        RoomDecided(chosen.into_iter().collect())
    }

    /// A choice, with what it leads to; `None` if it is not possible now.
    fn chosen(&self, running: &NumberedGame, choice: OpeningChoice) -> Option<Event> {
        let AfterChoice { opening, swaps } = running.opening?.after_choice(choice)?;
        let (seats, score) = self.state.exchanged_if(swaps);
        Some(Event::Chosen { game: running.number, choice, opening, seats, score })
    }

    /// The seat that placed, or places, the mark at a ply of the current game or the one before.
    pub(crate) fn placer_at(&self, numbered: &NumberedGame, ply: u16) -> Mark {
        let opened = self.opening_of(numbered);
        opened
            .and_then(|opened| opened.placer_at(ply))
            .unwrap_or_else(|| numbered.game.mover_at(ply))
    }

    /// The last report of the table; `None` before the game.
    pub(crate) fn table_report(&self) -> Option<TableReport> {
        let numbered = self.state.game.as_ref()?;
        Some(TableReport {
            moves: numbered.game.moves().to_vec(),
            placed: numbered.game.placed().to_vec(),
            effects: numbered.game.effects().to_vec(),
            playable: numbered.game.playable(),
            result: numbered.game.result().cloned(),
            x_sits_at: self.x_sits_at(),
        })
    }

    /// The side of the player who sat on X at first, in the current game.
    pub(super) fn x_sits_at(&self) -> Mark {
        self.opening.map_or(Mark::X, |opened| opened.by)
    }

    fn opening_of(&self, numbered: &NumberedGame) -> Option<OpeningRecord> {
        let current = self.state.game.as_ref().is_some_and(|game| game.number == numbered.number);
        if current { self.opening } else { self.previous_opening }
    }

    /// The number of marks that the opening of a game placed, or would have placed.
    pub(crate) fn opening_marks(&self, numbered: &NumberedGame) -> u16 {
        self.opening_of(numbered).map_or(0, |opened| SWAP2_PLIES[usize::from(opened.added)])
    }

    /// Updates what only the server keeps of an opening, before the choice is applied.
    pub(crate) fn note_choice(&mut self, choice: OpeningChoice) {
        let phase = self.state.game.as_ref().and_then(|numbered| numbered.opening);
        let after = phase.and_then(|phase| phase.after_choice(choice));
        let (Some(AfterChoice { opening, swaps }), Some(opened)) = (after, &mut self.opening)
        else {
            return;
        };
        opened.added |= choice == OpeningChoice::Add;
        opened.done = opening.is_none();
        if swaps {
            opened.by = opened.by.other();
            std::mem::swap(&mut self.absences.x, &mut self.absences.o);
            // The players of the previous game have changed seats, so a repeat of its moves is stale.
            self.previous = None;
            self.previous_opening = None;
        }
    }
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
        Some(phase) if marks.contains(&phase.by()) => Ok(next),
        Some(OpeningPhase::Placing { .. }) => Err(Refusal::new(
            RefusalCode::NotYourTurn,
            "your opponent is placing the opening: wait for it",
        )),
        Some(OpeningPhase::Choosing { .. }) => Err(Refusal::new(
            RefusalCode::NotYourTurn,
            "your opponent is choosing a side: wait for it",
        )),
        None if marks.contains(&next) => Ok(next),
        None => Ok(next.other()),
    }
}
