//! Which connections of a room are told the answer of an analysis, and which analyses are still
//! wanted. The analyses themselves run in [`crate::room::analysis`].

use noughts_protocol::IntentId;

use super::Actor;
use crate::room::analysis::{FinishedAnalysis, Subject};
use crate::room::{AnalysisRequest, ConnectionId};

impl Actor {
    /// Grants or refuses a request. Where it is granted, the answer of the analysis follows later.
    pub(super) fn analyze(
        &mut self,
        connection: ConnectionId,
        id: IntentId,
        request: AnalysisRequest,
    ) {
        let Some((player, outbox)) = self.audience.member(connection) else { return };
        let (subject, numbered) = match request {
            AnalysisRequest::Hint { game } => match self.rules.hint(player, game) {
                Ok(numbered) => (Subject::Hint { game, ply: numbered.game.ply() }, numbered),
                Err(refusal) => return outbox.refuse(Some(id), refusal),
            },
            AnalysisRequest::Review { game } => match self.rules.review(game) {
                Ok((numbered, opening)) => (Subject::Review { game, opening }, numbered),
                Err(refusal) => return outbox.refuse(Some(id), refusal),
            },
        };
        let room = self.rules.state().code;
        outbox.grant(id, Some(room));
        if let Some(answer) = self.analyses.answer(subject) {
            return outbox.send(answer);
        }
        let analysis_pool = &self.context.analysis_pool;
        self.analyses.begin(analysis_pool, room, subject, numbered, Some(connection));
    }

    /// Sends the answer to the connections that wait for it.
    pub(super) fn deliver(&self, analysis: FinishedAnalysis) {
        let FinishedAnalysis { subject, asked_by, answer } = analysis;
        let Some(answer) = answer else {
            tracing::error!(?subject, "an analysis failed");
            return;
        };
        if let Subject::Evaluation { .. } = subject {
            let state = self.rules.state();
            let watches = |player| state.marks_of(player).next().is_none();
            return self.audience.broadcast_to(watches, &answer);
        }
        for (_, outbox) in asked_by.into_iter().filter_map(|asked| self.audience.member(asked)) {
            outbox.send(&answer);
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
        let watched = state.settings.evaluation && self.rules.spectators() > 0;
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
    pub(super) fn send_evaluation(&self, connection: ConnectionId) {
        let state = self.rules.state();
        let (Some(running), Some((player, outbox))) =
            (state.running(), self.audience.member(connection))
        else {
            return;
        };
        let subject = Subject::Evaluation { game: running.number, ply: running.game.ply() };
        if state.marks_of(player).next().is_none()
            && let Some(answer) = self.analyses.answer(subject)
        {
            outbox.send(answer);
        }
    }
}
