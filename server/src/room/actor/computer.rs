//! The computer's turn, as an input of the room: begun when a computer is to move, cancelled when
//! the turn has passed.

use noughts_engine::action::Action;
use noughts_protocol::Refusal;

use super::RoomActor;
use crate::room::computer_turn::{ComputerTurn, FinishedTurn};

impl RoomActor {
    /// Begins the computer's turn if one is due, and cancels a turn that has passed.
    pub(super) fn update_computer_turn(&mut self) {
        let Some((running, computer)) = self.rules.computer_turn() else {
            self.computer_turn = None;
            return;
        };
        if self.retry_at.is_some() {
            return;
        }
        if !self.computer_turn.as_ref().is_some_and(|turn| turn.is_for(running)) {
            let engine_pool = self.context.engine_pool.clone();
            self.computer_turn = Some(ComputerTurn::begin(
                engine_pool,
                running,
                computer,
                self.rules.computer_delay(self.context.computer_delay),
            ));
        }
    }

    pub(super) async fn finish_computer_turn(&mut self, turn: FinishedTurn) {
        let FinishedTurn { game, ply, action, took } = turn;
        self.context.metrics.thinking.observe(took.as_secs_f64());
        self.computer_turn = None;
        let decided = match action {
            Action::Place(placed) => self.rules.computer_move(game, ply, placed),
            Action::Choose(choice) => self.rules.computer_choice(game, ply, choice),
        };
        self.commit_or_retry(decided).await;
    }

    /// Answers the steps whose computer has moved.
    pub(super) fn ack_steps(&mut self) {
        if self.steps.is_empty() || self.rules.is_stepping() {
            return;
        }
        let room = self.rules.state().code;
        for (sender, id) in std::mem::take(&mut self.steps) {
            sender.ack(id, Some(room));
        }
    }

    /// Refuses the steps whose move could not be stored. The computers stay paused.
    pub(super) fn reject_steps(&mut self, why: &Refusal) {
        self.rules.end_step();
        for (sender, id) in std::mem::take(&mut self.steps) {
            sender.reject(Some(id), why.clone());
        }
    }
}
