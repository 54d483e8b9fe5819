//! The analyses that a room has asked for, as futures that it waits for: each runs once, however
//! many connections ask, and is cancelled when no connection waits for it or the game has moved on.
//! `noughts_engine::analysis` analyses, [`AnalysisPool`] lends the threads.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use noughts_engine::Deadline;
use noughts_engine::analysis::{self, PositionEvaluation};
use noughts_protocol::{
    Evaluation, Game, Hint, NumberedGame, Review, ReviewedMove, RoomCode, ServerMessage, Standing,
};
use tokio::time::Instant;

use super::AnalysisPool;
use super::rules::analysis::Subject;
use super::search_deadline::deadline_in;
use crate::outbox::ConnectionId;

/// The longest search for a hint, counted from when it has a thread.
const HINT_TIME: Duration = Duration::from_secs(1);
/// The longest wait of a hint or an evaluation for a thread. After it they are answered without a
/// search.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// The longest search of one position of a review.
const REVIEW_MOVE_TIME: Duration = Duration::from_millis(200);
/// The longest review, but for one more position. Positions that it does not reach stay unclear.
const REVIEW_TIME: Duration = Duration::from_secs(5);
/// The longest search for an evaluation.
const EVALUATION_TIME: Duration = Duration::from_millis(500);

/// The analyses of a room. [`Analyses::keep`] bounds them: a hint and an evaluation of the
/// position, and the reviews of two games.
#[derive(Debug, Default)]
pub(super) struct Analyses {
    running: Vec<RunningAnalysis>,
    /// The answers, for connections that ask again.
    finished: Vec<(Subject, ServerMessage)>,
}

/// The answer of an analysis.
struct Answer {
    message: ServerMessage,
    /// Whether it is given to those who ask later, too.
    is_kept: bool,
}

impl From<ServerMessage> for Answer {
    fn from(message: ServerMessage) -> Self {
        Self { message, is_kept: true }
    }
}

struct RunningAnalysis {
    subject: Subject,
    /// The connections that wait for it, each once; bounded by the room's members.
    asked_by: Vec<ConnectionId>,
    answer: Pin<Box<dyn Future<Output = Option<Answer>> + Send>>,
}

impl std::fmt::Debug for RunningAnalysis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunningAnalysis").field("subject", &self.subject).finish_non_exhaustive()
    }
}

/// An analysis that has run.
#[derive(Debug)]
pub(super) struct FinishedAnalysis {
    pub(super) subject: Subject,
    pub(super) asked_by: Vec<ConnectionId>,
    /// `None` where the analysis failed.
    pub(super) answer: Option<ServerMessage>,
}

impl Analyses {
    /// The answer, if it is known already.
    pub(super) fn answer(&self, subject: Subject) -> Option<&ServerMessage> {
        self.finished.iter().find(|(known, _)| *known == subject).map(|(_, answer)| answer)
    }

    /// Starts an analysis for `connection`. Where it runs already, the connection waits for it too.
    pub(super) fn begin(
        &mut self,
        analysis_pool: &AnalysisPool,
        room: RoomCode,
        subject: Subject,
        numbered: &NumberedGame,
        connection: Option<ConnectionId>,
    ) {
        if let Some(running) = self.running.iter_mut().find(|running| running.subject == subject) {
            let asked_by = &mut running.asked_by;
            asked_by.extend(connection.filter(|connection| !asked_by.contains(connection)));
            return;
        }
        let answer = Box::pin(analyze(analysis_pool.clone(), room, subject, numbered.game.clone()));
        let asked_by = connection.into_iter().collect();
        self.running.push(RunningAnalysis { subject, asked_by, answer });
    }

    /// Cancels and forgets the analyses of other subjects than the `wanted` ones.
    pub(super) fn keep(&mut self, wanted: impl Fn(Subject) -> bool) {
        self.running.retain(|running| wanted(running.subject));
        self.finished.retain(|(subject, _)| wanted(*subject));
    }

    /// Cancels the analyses for which only `connection` has asked, which is gone.
    pub(super) fn forget(&mut self, connection: ConnectionId) {
        for running in &mut self.running {
            running.asked_by.retain(|asked_by| *asked_by != connection);
        }
        let for_all = |subject| matches!(subject, Subject::Evaluation { .. });
        self.running.retain(|running| for_all(running.subject) || !running.asked_by.is_empty());
    }

    /// Waits for the next analysis to finish; forever while none runs. Cancel-safe.
    pub(super) async fn next(&mut self) -> FinishedAnalysis {
        let (place, answer) = poll_fn(|context| {
            for (place, running) in self.running.iter_mut().enumerate() {
                if let Poll::Ready(answer) = running.answer.as_mut().poll(context) {
                    return Poll::Ready((place, answer));
                }
            }
            Poll::Pending
        })
        .await;
        let RunningAnalysis { subject, asked_by, .. } = self.running.swap_remove(place);
        let kept = answer.as_ref().filter(|answer| answer.is_kept);
        self.finished.extend(kept.map(|answer| (subject, answer.message.clone())));
        FinishedAnalysis { subject, asked_by, answer: answer.map(|answer| answer.message) }
    }
}

async fn analyze(
    analysis_pool: AnalysisPool,
    room: RoomCode,
    subject: Subject,
    position: Game,
) -> Option<Answer> {
    match subject {
        Subject::Hint { game, ply } => {
            let spec = position.spec();
            let advice = search(&analysis_pool, position, HINT_TIME, analysis::advise).await?;
            let message = advice.words(spec).into();
            let analysis::Advice { cells, placed, reason, .. } = advice;
            let hint = Hint { room, game, ply, cells, placed, reason, message };
            Some(ServerMessage::Hint(hint).into())
        }
        Subject::Evaluation { game, ply } => {
            let found = search(&analysis_pool, position, EVALUATION_TIME, analysis::standing).await;
            let worth = found.unwrap_or(Standing::Unclear);
            Some(ServerMessage::Evaluation(Evaluation { room, game, ply, worth }).into())
        }
        Subject::Review { game, opening } => {
            let reviewed = review(&analysis_pool, &position, opening).await;
            let Reviewed { is_whole, proven, moves } = reviewed;
            let first = position.first();
            let message = ServerMessage::Review(Review { room, game, first, proven, moves });
            Some(Answer { message, is_kept: is_whole })
        }
    }
}

/// Analyses one position: at once where that is quick, else on a thread of the pool.
async fn search<T: Send + 'static>(
    analysis_pool: &AnalysisPool,
    position: Game,
    time: Duration,
    work: fn(&Game, &Deadline) -> T,
) -> Option<T> {
    if analysis::is_quick(position.rules()) {
        return Some(work(&position, &Deadline::none()));
    }
    let latest_start = Instant::now() + LONGEST_WAIT;
    let searched = position.clone();
    let on_thread = move |deadline: &Deadline| work(&searched, deadline);
    let found = analysis_pool.run(time, latest_start, on_thread).await;
    if found.is_some() {
        return found;
    }
    // An answer without a search takes milliseconds, and needs no thread of the pool.
    let without_search = move || work(&position, &deadline_in(Duration::ZERO));
    tokio::task::spawn_blocking(without_search).await.ok()
}

/// A review of a game.
#[derive(Debug)]
pub(crate) struct Reviewed {
    /// Whether every position had its turn: the searches of others may have taken the time.
    pub(super) is_whole: bool,
    /// Whether every value is proven.
    pub(crate) proven: bool,
    pub(crate) moves: Vec<ReviewedMove>,
}

/// Evaluates the positions of a game from the last to the first, since most is proven at the end.
/// Each position takes a thread anew, so that a long review holds up no other analysis.
pub(super) async fn review(analysis_pool: &AnalysisPool, game: &Game, opening: u16) -> Reviewed {
    let positions = analysis::positions(game);
    let quick = analysis::is_quick(game.rules());
    let end = Instant::now() + REVIEW_TIME;
    let reviewed = positions.len().saturating_sub(opening.into()).max(1);
    let count = u32::try_from(reviewed).unwrap_or(u32::MAX);
    let time = REVIEW_MOVE_TIME.min(REVIEW_TIME / count);
    let mut evaluations = Vec::with_capacity(positions.len());
    let mut is_whole = true;
    for position in positions.into_iter().rev() {
        if position.ply() < opening {
            evaluations.push(PositionEvaluation::UNKNOWN);
            continue;
        }
        let evaluate = move |deadline: &Deadline| analysis::evaluate(&position, deadline);
        let evaluation = if quick {
            Some(evaluate(&Deadline::none()))
        } else {
            analysis_pool.run(time, end, evaluate).await
        };
        is_whole &= evaluation.is_some();
        evaluations.push(evaluation.unwrap_or(PositionEvaluation::UNKNOWN));
    }
    evaluations.reverse();
    let (proven, moves) = analysis::verdicts(game, opening, &evaluations);
    Reviewed { is_whole, proven, moves }
}
