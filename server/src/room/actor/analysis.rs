//! How a room teaches: who is told what, and when it is not wanted any more.

use noughts_protocol::IntentId;

use super::Actor;
use crate::room::analysis::{Subject, Taught};
use crate::room::{ConnectionId, Wanted};

impl Actor {
    /// Grants or refuses a lesson; where it is granted, the lesson follows when it is worked out.
    pub(super) fn learn(&mut self, connection: ConnectionId, id: IntentId, wanted: Wanted) {
        let Some((player, outbox)) = self.audience.member(connection) else { return };
        let (subject, numbered) = match wanted {
            Wanted::Hint { game } => match self.rules.hint(player, game) {
                Ok(numbered) => (Subject::Hint { game, ply: numbered.game.ply() }, numbered),
                Err(refusal) => return outbox.refuse(Some(id), refusal),
            },
            Wanted::Review { game } => match self.rules.review(game) {
                Ok((numbered, opening)) => (Subject::Review { game, opening }, numbered),
                Err(refusal) => return outbox.refuse(Some(id), refusal),
            },
        };
        let room = self.rules.state().code;
        outbox.grant(id, Some(room));
        if let Some(answer) = self.lessons.known(subject) {
            return outbox.send(answer);
        }
        self.lessons.begin(&self.context.tutors, room, subject, numbered, Some(connection));
    }

    /// Tells those who wait for it what was worked out.
    pub(super) fn taught(&self, Taught { subject, asked, answer }: Taught) {
        let Some(answer) = answer else {
            tracing::error!(?subject, "a lesson failed");
            return;
        };
        if let Subject::Evaluation { .. } = subject {
            let state = self.rules.state();
            let watches = |player| state.marks_of(player).next().is_none();
            return self.audience.broadcast_to(watches, &answer);
        }
        for (_, outbox) in asked.into_iter().filter_map(|who| self.audience.member(who)) {
            outbox.send(&answer);
        }
    }

    /// Forgets the lessons that the room has gone past, and evaluates the position for those who
    /// watch, where the room allows that.
    pub(super) fn update_lessons(&mut self) {
        let state = self.rules.state();
        let now = state.running().map(|running| (running.number, running.game.ply()));
        let last = state.game.as_ref().map_or(0, |numbered| numbered.number);
        self.lessons.keep(|subject| match subject {
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
        if self.lessons.known(subject).is_none() {
            self.lessons.begin(&self.context.tutors, state.code, subject, running, None);
        }
    }

    /// Tells somebody who comes to watch how the game stands, if that is known; who comes while
    /// it is worked out hears of it with the others.
    pub(super) fn tell_evaluation(&self, connection: ConnectionId) {
        let state = self.rules.state();
        let (Some(running), Some((player, outbox))) =
            (state.running(), self.audience.member(connection))
        else {
            return;
        };
        let subject = Subject::Evaluation { game: running.number, ply: running.game.ply() };
        if state.marks_of(player).next().is_none()
            && let Some(answer) = self.lessons.known(subject)
        {
            outbox.send(answer);
        }
    }
}
