//! The handle of a room: its inbox, and the little that the lobby reads without asking the room.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use noughts_protocol::{
    ChatLine, IntentId, Mark, PartyTable, PlayerId, PlayerName, Refusal, Role, RoomCode,
    RoomSummary, Snapshot,
};
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::command::RoomCommand;
use super::table::{Ruling, TableReporter};
use super::{Membership, no_such_room};
use crate::actor::{Client, Inbox, TaskEnded, ask, not_stored};
use crate::outbox::ConnectionId;
use crate::room::rules::move_clock::ClockChange;

/// Commands that may wait in a room's inbox. A connection that finds it full waits, which slows down that
/// connection alone.
pub(super) const INBOX: usize = 64;

/// Reaches a room. Cheap to clone; it may outlive the room.
#[derive(Debug, Clone)]
pub(crate) struct RoomHandle(Arc<RoomShared>);

/// The part that all handles of a room share.
#[derive(Debug)]
struct RoomShared {
    code: RoomCode,
    inbox: mpsc::Sender<RoomCommand>,
    /// The room writes it when a seat, a game or the score changes. `None` while the room starts.
    summary: Mutex<Option<RoomSummary>>,
    /// When the room ends without a visit, in milliseconds by its clock; 0 while somebody is
    /// connected.
    unattended_until: AtomicU64,
    /// When the task began.
    since: Instant,
    /// When something happened last, in milliseconds by the room's clock; 0 before the first input.
    changed: AtomicU64,
}

/// The receiving end of a room's inbox, for [`super::run`].
pub(crate) type RoomInbox = Inbox<RoomHandle, RoomCommand>;

/// Both ends of a new room's inbox.
pub(crate) fn channel(code: RoomCode) -> (RoomHandle, RoomInbox) {
    let (inbox, commands) = mpsc::channel(INBOX);
    let summary = Mutex::default();
    let unattended_until = AtomicU64::default();
    let since = Instant::now();
    let changed = AtomicU64::default();
    let shared = RoomShared { code, inbox, summary, unattended_until, since, changed };
    let handle = RoomHandle(Arc::new(shared));
    (handle.clone(), Inbox { handle, commands })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoomStatus {
    /// The task is starting.
    Starting,
    /// A game runs.
    Playing,
    /// A seat is open.
    Waiting,
    /// Both seats are taken, and no game runs.
    BetweenGames,
}

impl RoomHandle {
    /// The room's code.
    pub(crate) fn code(&self) -> RoomCode {
        self.0.code
    }

    /// The room as the lobby shows it; `None` while it starts.
    pub(crate) fn summary(&self) -> Option<RoomSummary> {
        self.0.summary.lock().clone()
    }

    /// Reads the summary without a copy of it; `None` while the room starts.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&RoomSummary) -> T) -> Option<T> {
        self.0.summary.lock().as_ref().map(read)
    }

    /// How long the room has had its task at a moment.
    pub(crate) fn age(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.0.since)
    }

    /// How long ago something happened here, if it is `now` by the room's clock.
    pub(crate) fn idle(&self, now: Duration) -> Duration {
        match self.0.changed.load(Ordering::Relaxed) {
            0 => Duration::ZERO,
            changed => now.saturating_sub(Duration::from_millis(changed)),
        }
    }

    pub(super) fn set_changed(&self, at: Duration) {
        let at = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        self.0.changed.store(at, Ordering::Relaxed);
    }

    pub(crate) fn status(&self) -> RoomStatus {
        match &*self.0.summary.lock() {
            None => RoomStatus::Starting,
            Some(room) if room.game.is_some() => RoomStatus::Playing,
            Some(room) if room.seats.has_open() => RoomStatus::Waiting,
            Some(_) => RoomStatus::BetweenGames,
        }
    }

    /// When the room ends without a visit; `None` while somebody is connected.
    pub(crate) fn unattended_until(&self) -> Option<Duration> {
        let until = self.0.unattended_until.load(Ordering::Relaxed);
        (until > 0).then(|| Duration::from_millis(until))
    }

    pub(super) fn set_unattended(&self, until_ms: u128) {
        let until = u64::try_from(until_ms).unwrap_or(u64::MAX);
        self.0.unattended_until.store(until, Ordering::Relaxed);
    }

    pub(super) fn set_summary(&self, summary: RoomSummary) {
        *self.0.summary.lock() = Some(summary);
    }

    /// Ends the room, unless somebody is connected or about to be. If the inbox is full, somebody
    /// is.
    pub(crate) fn end_if_unattended(&self) {
        drop(self.0.inbox.try_send(RoomCommand::EndIfUnattended));
    }

    /// Ends the room, because the host of the server wants it.
    ///
    /// # Errors
    /// If that is not stored, or the task ends in that moment: then the room goes on.
    pub(crate) async fn end_by_host(&self) -> Result<(), Refusal> {
        let ended = ask(&self.0.inbox, |reply| RoomCommand::EndByHost { reply });
        ended.await.unwrap_or_else(|TaskEnded| Err(not_stored()))
    }

    /// Takes a player out of the room, because the host of the server wants it. Returns whether they were
    /// here.
    ///
    /// # Errors
    /// As [`Self::end_by_host`].
    pub(crate) async fn remove(&self, player: PlayerId) -> Result<bool, Refusal> {
        let removed = ask(&self.0.inbox, |reply| RoomCommand::Remove { player, reply });
        removed.await.unwrap_or_else(|TaskEnded| Err(not_stored()))
    }

    /// The room and its talk; `None` if it has ended.
    pub(crate) async fn look(&self) -> Option<(Snapshot, Vec<ChatLine>)> {
        ask(&self.0.inbox, |reply| RoomCommand::Look { reply }).await.ok()
    }

    /// Brings a client into the room. The answer to intent `id` and the snapshot go to the client's
    /// outbox. `None` means that the room has refused there.
    pub(crate) async fn join(
        &self,
        client: Client,
        role: Role,
        id: Option<IntentId>,
    ) -> Result<Option<Membership>, TaskEnded> {
        ask(&self.0.inbox, |reply| RoomCommand::Join { client, role, id, reply }).await
    }

    /// Whether a player has a seat here.
    pub(crate) async fn has_seat(&self, player: PlayerId) -> Result<bool, TaskEnded> {
        ask(&self.0.inbox, |reply| RoomCommand::HasSeat { player, reply }).await
    }

    /// Ends the game, because its party has decided it otherwise. If the inbox is full, the game goes on
    /// to an end that counts nothing.
    pub(crate) fn dismiss(&self, ruling: Ruling) {
        drop(self.0.inbox.try_send(RoomCommand::Dismiss(ruling)));
    }

    /// Gives the seat that began with a mark to the player who has the entrant's place in the party now.
    /// If the inbox is full, the seat stays as it is until the player comes to the party again.
    pub(crate) fn seat(&self, began_with: Mark, player: PlayerId, name: PlayerName) {
        drop(self.0.inbox.try_send(RoomCommand::Seat { began_with, player, name }));
    }

    /// Has a player leave whom the host of the party has removed, or who is elsewhere. If the inbox is full, they
    /// keep the seat.
    pub(crate) fn unseat(&self, player: PlayerId) {
        drop(self.0.inbox.try_send(RoomCommand::Unseat { player }));
    }

    /// Changes the clock of the move. Returns whether there is one.
    ///
    /// # Errors
    /// If the change is not stored.
    pub(crate) async fn change_clock(&self, change: ClockChange) -> Result<bool, Refusal> {
        let changed = ask(&self.0.inbox, |reply| RoomCommand::Clock { change, reply });
        changed.await.unwrap_or(Ok(false))
    }

    /// Has the room tell a party what goes on there, and returns the table that the room was made
    /// for. The room is stored then.
    pub(crate) async fn attach(
        &self,
        table: TableReporter,
    ) -> Result<Option<PartyTable>, TaskEnded> {
        ask(&self.0.inbox, |reply| RoomCommand::Attach { table, reply }).await
    }

    /// Takes a forgotten player out of the room, with all devices but the one that asked. Returns
    /// whether that is stored.
    pub(crate) async fn forget(
        &self,
        player: PlayerId,
        asker: ConnectionId,
    ) -> Result<bool, TaskEnded> {
        ask(&self.0.inbox, |reply| RoomCommand::Forget { player, asker, reply }).await
    }

    /// Sends a command.
    pub(super) async fn send(&self, command: RoomCommand) -> Result<(), Refusal> {
        self.0.inbox.send(command).await.map_err(|_| no_such_room(self.code()))
    }
}
