//! Which connections of a room are told the answer of an analysis, and which analyses are still
//! wanted. The analyses themselves run in [`crate::room::analysis`].

use noughts_protocol::PlayerId;

use super::RoomActor;
use crate::actor::audience::Member;
use crate::outbox::{Delivery, Outbox};
use crate::room::analysis::FinishedAnalysis;
use crate::room::rules::analysis::Subject;

impl RoomActor {
    /// Begins an analysis that was granted. Its answer follows when it has finished.
    pub(super) fn analyze(&mut self, sender: &Outbox, subject: Subject) {
        if let Some(answer) = self.analyses.answer(subject) {
            return sender.send(answer);
        }
        let Ok(numbered) = self.rules.named(subject.game()) else { return };
        let pool = &self.context.analysis_pool;
        let room = self.rules.state().code;
        self.analyses.begin(pool, room, subject, numbered, Some(sender.connection()));
    }

    /// Sends the answer to the connections that wait for it.
    pub(super) fn deliver(&self, analysis: FinishedAnalysis) {
        let FinishedAnalysis { subject, asked_by, answer } = analysis;
        let Some(answer) = answer else {
            tracing::error!(code = %self.rules.state().code, ?subject, "an analysis failed");
            return;
        };
        if let Subject::Evaluation { .. } = subject {
            let watches = |member: &Member<()>| self.rules.is_spectator(member.player);
            return self.audience.broadcast_to(watches, Delivery::Required, &answer);
        }
        for member in asked_by.into_iter().filter_map(|asked| self.audience.member(asked)) {
            member.outbox.send(&answer);
        }
    }

    /// Cancels the analyses of positions and games that the room has gone past. Evaluates the
    /// position for the spectators, where the room's settings allow that.
    pub(super) fn update_analyses(&mut self) {
        let state = self.rules.state();
        let now = state.running().map(|running| (running.number, running.game.ply()));
        let last = state.game.as_ref().map_or(0, |numbered| numbered.number);
        self.analyses.keep(|subject| match subject {
            Subject::Hint { game, ply } | Subject::Evaluation { game, ply } => {
                now == Some((game, ply))
            }
            Subject::Review { game, .. } => game + 1 >= last,
        });
        let watches = |member: &Member<()>| self.rules.is_spectator(member.player);
        let watched = state.settings.evaluation && self.audience.members().any(watches);
        let Some(running) = state.running().filter(|running| watched && running.opening.is_none())
        else {
            return;
        };
        let subject = Subject::Evaluation { game: running.number, ply: running.game.ply() };
        if self.analyses.answer(subject).is_none() {
            self.analyses.begin(&self.context.analysis_pool, state.code, subject, running, None);
        }
    }

    /// Sends a new spectator the evaluation of the position, if it is known. An evaluation that
    /// still runs goes to all spectators later.
    pub(super) fn send_evaluation(&self, player: PlayerId, outbox: &Outbox) {
        let state = self.rules.state();
        let Some(running) = state.running() else { return };
        let subject = Subject::Evaluation { game: running.number, ply: running.game.ply() };
        if state.marks_of(player).next().is_none()
            && let Some(answer) = self.analyses.answer(subject)
        {
            outbox.send(answer);
        }
    }
}
