//! Notifications for a session: a match was found, nobody came, the lobby's lists changed, a
//! question was answered, a party leads into a room. The session decides what it does then.

use noughts_protocol::{Computer, RoomCode};
use tokio::sync::watch;
use tokio::time::Instant;

use super::questions::{Answered, Questions};
use super::remote::Located;
use crate::actor::{first_due, or_pending};
use crate::lobby::matchmaker::{Match, MatchTicket};
use crate::outbox::Frame;
use crate::party::PartyMembership;
use crate::pipe::Told;

/// A place in the quick-match queue.
#[derive(Debug)]
pub(crate) struct PendingMatch {
    pub(crate) ticket: MatchTicket,
    /// When the wait ends if nobody comes, and the computer to play against then.
    pub(crate) fallback: Option<(Instant, Computer)>,
}

impl PendingMatch {
    /// Ends the wait: nobody is paired with the player from now on. Returns what was found before.
    pub(crate) fn end(&mut self) -> Option<Match> {
        self.ticket.found.close();
        self.ticket.found.try_recv().ok()
    }
}

/// The messages to a session.
#[derive(Debug)]
pub(crate) enum Notification {
    /// An opponent came, or waits elsewhere. `None` if the wait has ended without one.
    Matched(Option<Match>),
    /// Nobody came in time: the game is against this computer.
    WaitedInVain(Computer),
    /// The party leads the connection into this room.
    Led(RoomCode),
    /// The lobby's lists have changed.
    Lobby(Frame),
    /// A question about kept games or people has its answer.
    Answered(Box<Answered>),
    /// Another node tells of the party there.
    Told(Told),
}

/// Waits for the next notification, for ever if there can be none. Cancel-safe.
pub(crate) async fn next(
    waiting: &mut Option<PendingMatch>,
    lobby: &mut Option<watch::Receiver<Frame>>,
    questions: &mut Option<Questions>,
    party: Option<&mut Located<PartyMembership>>,
) -> Notification {
    let fallback = waiting.as_ref().and_then(|waiting| waiting.fallback);
    let found = waiting.as_mut().map(|waiting| &mut waiting.ticket.found);
    tokio::select! {
        biased;
        found = or_pending(found) => Notification::Matched(found.ok()),
        notification = or_pending(party.map(of_party)) => notification,
        computer = first_due(fallback.map(|(at, computer)| (Some(at), computer))) => {
            Notification::WaitedInVain(computer)
        }
        answer = or_pending(questions.as_mut().map(Questions::next)) => {
            Notification::Answered(Box::new(answer))
        }
        lists = or_pending(lobby.as_mut().map(changed)) => Notification::Lobby(lists),
    }
}

async fn of_party(party: &mut Located<PartyMembership>) -> Notification {
    match party {
        Located::Here(_, membership) => Notification::Led(membership.led().await),
        Located::There(place) => Notification::Told(place.told().await),
    }
}

async fn changed(lists: &mut watch::Receiver<Frame>) -> Frame {
    match lists.changed().await {
        Ok(()) => lists.borrow_and_update().clone(),
        // The sender lives as long as the server.
        Err(_) => std::future::pending().await,
    }
}
