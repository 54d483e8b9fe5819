//! The shared parts of the tasks that own rooms and parties: their inbox, their connections, and
//! their answers for what is not stored. No rules of a room or a party are known here.

pub(crate) mod audience;
mod membership;

use noughts_protocol::{PlayerId, PlayerName, Refusal, RefusalCode};
use noughts_store::SaveError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::outbox::Outbox;
pub(crate) use audience::Audience;
pub(crate) use membership::{Departures, MembershipId, Stay};

/// An action of time or of a computer is tried again after this, if it could not be stored.
pub(crate) const RETRY: Duration = Duration::from_secs(1);

/// A connection that joins a room or follows a party.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    pub(crate) outbox: Outbox,
}

/// The receiving end of an inbox, for the task that owns the room or the party. The task holds a handle
/// too, so the inbox never closes by itself.
#[derive(Debug)]
pub(crate) struct Inbox<H, C> {
    pub(crate) handle: H,
    pub(crate) commands: mpsc::Receiver<C>,
}

/// The task has ended without an answer: the room hibernates or is gone, the party is over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskEnded;

/// How often a room or a party is looked up whose task ends while somebody asks it.
pub(crate) const LOOKUPS: u32 = 5;

/// Sends a command that brings the way for its answer, and waits for that.
///
/// # Errors
/// If the task has ended without it.
pub(crate) async fn ask<C, T>(
    inbox: &mpsc::Sender<C>,
    command: impl FnOnce(oneshot::Sender<T>) -> C,
) -> Result<T, TaskEnded> {
    let (reply, answer) = oneshot::channel();
    inbox.send(command(reply)).await.map_err(|_| TaskEnded)?;
    answer.await.map_err(|_| TaskEnded)
}

/// Answers a command that [`ask`] has sent. The asker may have gone.
pub(crate) fn answer<T>(reply: oneshot::Sender<T>, value: T) {
    drop(reply.send(value));
}

/// Waits until the first of some moments and returns what is due then. Waits for ever without one.
/// Cancel-safe.
pub(crate) async fn first_due<T>(moments: impl IntoIterator<Item = (Option<Instant>, T)>) -> T {
    let moments = moments.into_iter().filter_map(|(at, what)| Some((at?, what)));
    let Some((at, what)) = moments.min_by_key(|(at, _)| *at) else {
        return std::future::pending().await;
    };
    sleep_until(at).await;
    what
}

/// The output of a future; without one it waits for ever. Cancel-safe if the future is.
pub(crate) async fn or_pending<F: Future>(future: Option<F>) -> F::Output {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
    }
}

/// The refusal for what could not be stored.
pub(crate) fn not_stored() -> Refusal {
    let message = "the server cannot store that at present, so nothing has changed: try again in \
                   a moment";
    Refusal::new(RefusalCode::NotStored, message)
}

/// The end of a task whose room or party another node has. Nobody is told anything more: what was asked last
/// may be stored or not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fence(CancellationToken);

impl Fence {
    /// The outcome of a save. It never comes if another node has the row, and [`Fence::run`] ends.
    ///
    /// # Errors
    /// If nothing of it is stored.
    pub(crate) async fn passed<T>(&self, saved: Result<T, SaveError>) -> Result<T, Refusal> {
        match saved {
            Ok(saved) => Ok(saved),
            Err(SaveError::Refused(error)) => {
                tracing::debug!(%error, "not stored");
                Err(not_stored())
            }
            Err(SaveError::Stale) => {
                self.0.cancel();
                std::future::pending().await
            }
        }
    }

    /// Runs a task. Returns whether it came to its end, and not to the fence.
    pub(crate) async fn run(&self, task: impl Future<Output = ()>) -> bool {
        let came = self.0.run_until_cancelled(task).await.is_some();
        if !came {
            tracing::warn!("another node has the room or the party: it ends here");
        }
        came
    }
}
