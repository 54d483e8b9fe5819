//! What a room's teacher is working out, as something the room can wait for: each answer once,
//! however many ask, off the runtime's threads where it may take long, cancelled when nobody
//! waits for it or the game has moved on. What is taught is [`crate::teacher`]'s.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use noughts_protocol::{
    Evaluation, Game, Hint, NumberedGame, Review, ReviewedMove, RoomCode, ServerMessage, Standing,
};
use tokio::time::Instant;

use super::{ConnectionId, Tutors};
use noughts_engine::Deadline;
use noughts_engine::analysis::{self, Insight};

/// A hint is thought about for this long at most, once a thread is free.
const HINT_TIME: Duration = Duration::from_secs(1);
/// A hint or an evaluation waits no longer than this for a thread, and is then given at a glance.
const PATIENCE: Duration = Duration::from_secs(10);
/// Each position of a review is looked at for this long at most.
const REVIEW_MOVE_TIME: Duration = Duration::from_millis(200);
/// A review takes this long at most, and one position more; what is not looked at is unclear.
const REVIEW_TIME: Duration = Duration::from_secs(5);
/// An evaluation is thought about for this long at most.
const EVALUATION_TIME: Duration = Duration::from_millis(500);

/// What a lesson is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The best moves of a game at a ply.
    Hint { game: u32, ply: u16 },
    /// A game that is over; so many of its marks are those of its opening.
    Review { game: u32, opening: u16 },
    /// How a game stands at a ply; for everybody who watches.
    Evaluation { game: u32, ply: u16 },
}

/// The lessons of a room, at most one for each subject that [`Lessons::keep`] leaves: a hint and
/// an evaluation of the position, and the reviews of two games.
#[derive(Debug, Default)]
pub(super) struct Lessons {
    begun: Vec<Lesson>,
    /// Answers, for whoever asks again.
    done: Vec<(Subject, ServerMessage)>,
}

/// A lesson that is being worked out.
struct Lesson {
    subject: Subject,
    /// Who waits for it, each once; bounded by the room's members.
    asked: Vec<ConnectionId>,
    answer: Pin<Box<dyn Future<Output = Option<ServerMessage>> + Send>>,
}

impl std::fmt::Debug for Lesson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lesson").field("subject", &self.subject).finish_non_exhaustive()
    }
}

/// A lesson that was worked out.
#[derive(Debug)]
pub(super) struct Taught {
    pub(super) subject: Subject,
    pub(super) asked: Vec<ConnectionId>,
    /// `None` where it failed.
    pub(super) answer: Option<ServerMessage>,
}

impl Lessons {
    /// The answer, if it is known already.
    pub(super) fn known(&self, subject: Subject) -> Option<&ServerMessage> {
        self.done.iter().find(|(known, _)| *known == subject).map(|(_, answer)| answer)
    }

    /// Begins to work a subject out, unless that has begun, for `who` besides those who asked.
    pub(super) fn begin(
        &mut self,
        tutors: &Tutors,
        room: RoomCode,
        subject: Subject,
        numbered: &NumberedGame,
        who: Option<ConnectionId>,
    ) {
        if let Some(lesson) = self.begun.iter_mut().find(|lesson| lesson.subject == subject) {
            lesson.asked.extend(who.filter(|who| !lesson.asked.contains(who)));
            return;
        }
        let (tutors, game) = (tutors.clone(), numbered.game.clone());
        let answer = Box::pin(answer(tutors, room, subject, game));
        self.begun.push(Lesson { subject, asked: who.into_iter().collect(), answer });
    }

    /// Forgets the subjects that nobody can want any more, and stops thinking about them.
    pub(super) fn keep(&mut self, wanted: impl Fn(Subject) -> bool) {
        self.begun.retain(|lesson| wanted(lesson.subject));
        self.done.retain(|(subject, _)| wanted(*subject));
    }

    /// Stops thinking about what only `who`, who is gone, has asked for.
    pub(super) fn forget(&mut self, who: ConnectionId) {
        for lesson in &mut self.begun {
            lesson.asked.retain(|asked| *asked != who);
        }
        let for_all = |subject| matches!(subject, Subject::Evaluation { .. });
        self.begun.retain(|lesson| for_all(lesson.subject) || !lesson.asked.is_empty());
    }

    /// Waits for the next answer, for ever where none is worked out. Cancel-safe.
    pub(super) async fn next(&mut self) -> Box<Taught> {
        let (place, answer) = poll_fn(|context| {
            for (place, lesson) in self.begun.iter_mut().enumerate() {
                if let Poll::Ready(answer) = lesson.answer.as_mut().poll(context) {
                    return Poll::Ready((place, answer));
                }
            }
            Poll::Pending
        })
        .await;
        let Lesson { subject, asked, .. } = self.begun.swap_remove(place);
        self.done.extend(answer.clone().map(|answer| (subject, answer)));
        Box::new(Taught { subject, asked, answer })
    }
}

async fn answer(
    tutors: Tutors,
    room: RoomCode,
    subject: Subject,
    position: Game,
) -> Option<ServerMessage> {
    match subject {
        Subject::Hint { game, ply } => {
            let spec = position.spec();
            let advice = think(&tutors, position, HINT_TIME, analysis::advise).await?;
            let message = advice.words(spec).into();
            let analysis::Advice { cells, reason, .. } = advice;
            Some(ServerMessage::Hint(Hint { room, game, ply, cells, reason, message }))
        }
        Subject::Evaluation { game, ply } => {
            let judged = think(&tutors, position, EVALUATION_TIME, analysis::standing).await;
            let worth = judged.unwrap_or(Standing::Unclear);
            Some(ServerMessage::Evaluation(Evaluation { room, game, ply, worth }))
        }
        Subject::Review { game, opening } => {
            let (proven, moves) = review(&tutors, &position, opening).await;
            let first = position.first();
            Some(ServerMessage::Review(Review { room, game, first, proven, moves }))
        }
    }
}

/// Thinks about a position: at once where that is quick, else on a thread.
async fn think<T: Send + 'static>(
    tutors: &Tutors,
    position: Game,
    time: Duration,
    work: fn(&Game, &Deadline) -> T,
) -> Option<T> {
    if analysis::is_quick(position.spec()) {
        return Some(work(&position, &Deadline::none()));
    }
    let latest = Instant::now() + PATIENCE;
    let look = position.clone();
    let found = tutors.work(time, latest, move |deadline| work(&look, deadline)).await;
    if found.is_some() {
        return found;
    }
    // What is seen without a search takes milliseconds, and needs no thread of its own.
    let glance = move || work(&position, &Deadline::at(std::time::Instant::now()));
    tokio::task::spawn_blocking(glance).await.ok()
}

/// Looks at one position after the other, from the end, where most is proven. A thread is taken
/// for each anew, so that a long review holds nobody else's move up.
async fn review(tutors: &Tutors, game: &Game, opening: u16) -> (bool, Vec<ReviewedMove>) {
    let positions = analysis::positions(game);
    let quick = analysis::is_quick(game.spec());
    let end = Instant::now() + REVIEW_TIME;
    let judged = positions.len().saturating_sub(opening.into()).max(1);
    let count = u32::try_from(judged).unwrap_or(u32::MAX);
    let time = REVIEW_MOVE_TIME.min(REVIEW_TIME / count);
    let mut insights = Vec::with_capacity(positions.len());
    for position in positions.into_iter().rev() {
        if position.ply() < opening {
            insights.push(Insight::NONE);
            continue;
        }
        let look = move |deadline: &Deadline| analysis::look(&position, deadline);
        let insight =
            if quick { Some(look(&Deadline::none())) } else { tutors.work(time, end, look).await };
        insights.push(insight.unwrap_or(Insight::NONE));
    }
    insights.reverse();
    analysis::verdicts(game, opening, &insights)
}
