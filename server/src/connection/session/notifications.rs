//! Notifications for a session: a match was found, nobody came, the lobby's lists changed, a question
//! was answered, a party leads into a room. What a session does then is its own.

use std::future::poll_fn;
use std::task::Poll;

use noughts_protocol::{Computer, RoomCode};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::questions::{Answered, Questions};
use crate::connection::pipe::{Pipe, Piped};
use crate::lobby::matchmaker::{Match, MatchTicket};
use crate::outbox::Frame;
use crate::party::PartyMembership;

/// A place in the quick-match queue.
#[derive(Debug)]
pub(crate) struct PendingMatch {
    pub(crate) ticket: MatchTicket,
    /// When the wait ends if nobody comes, and the computer to play against then.
    pub(crate) fallback: Option<(Instant, Computer)>,
}

/// The messages to a session.
#[derive(Debug)]
pub(crate) enum Notification {
    /// An opponent came, or waits elsewhere. `None` if the server stops.
    Matched(Option<Match>),
    /// Nobody came in time: the game is against this computer.
    WaitedInVain(Computer),
    /// The party leads the connection into this room.
    Led(RoomCode),
    /// The lobby's lists have changed.
    Lobby(Frame),
    /// A question about kept games or people has its answer.
    Answered(Answered),
    /// Something has come out of this pipe.
    Piped(usize, Piped),
    /// It is time to look at the pipes.
    CheckPipes,
}

/// Waits for what comes out of the pipes, or for the time to look at them. Cancel-safe.
pub(crate) async fn next_piped(pipes: &mut [Pipe], check_at: Instant) -> Notification {
    if pipes.is_empty() {
        return std::future::pending().await;
    }
    let next = poll_fn(|context| {
        for (at, pipe) in pipes.iter_mut().enumerate() {
            if let Poll::Ready(piped) = pipe.poll_next(context) {
                return Poll::Ready(Notification::Piped(at, piped));
            }
        }
        Poll::Pending
    });
    timeout_at(check_at, next).await.unwrap_or(Notification::CheckPipes)
}

/// Waits for the next notification, for ever if there can be none. Cancel-safe.
pub(crate) async fn next(
    waiting: &mut Option<PendingMatch>,
    lobby: &mut Option<watch::Receiver<Frame>>,
    questions: &mut Option<Questions>,
    party: Option<&PartyMembership>,
) -> Notification {
    let fallback = waiting.as_ref().and_then(|waiting| waiting.fallback);
    tokio::select! {
        biased;
        room = found(waiting) => Notification::Matched(room),
        room = led(party) => Notification::Led(room),
        computer = at(fallback) => Notification::WaitedInVain(computer),
        answer = answered(questions) => Notification::Answered(answer),
        lists = changed(lobby) => Notification::Lobby(lists),
    }
}

async fn found(waiting: &mut Option<PendingMatch>) -> Option<Match> {
    match waiting {
        Some(waiting) => (&mut waiting.ticket.found).await.ok(),
        None => std::future::pending().await,
    }
}

async fn led(party: Option<&PartyMembership>) -> RoomCode {
    match party {
        Some(membership) => membership.led().await,
        None => std::future::pending().await,
    }
}

async fn at(fallback: Option<(Instant, Computer)>) -> Computer {
    match fallback {
        Some((at, computer)) => {
            tokio::time::sleep_until(at).await;
            computer
        }
        None => std::future::pending().await,
    }
}

async fn answered(questions: &mut Option<Questions>) -> Answered {
    match questions {
        Some(questions) => questions.next().await,
        None => std::future::pending().await,
    }
}

async fn changed(lobby: &mut Option<watch::Receiver<Frame>>) -> Frame {
    match lobby {
        Some(lists) => match lists.changed().await {
            Ok(()) => lists.borrow_and_update().clone(),
            // The sender lives as long as the server.
            Err(_) => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}
