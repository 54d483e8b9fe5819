//! The handle of a party: its inbox, and the little that others read without asking the party.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use noughts_protocol::{
    IntentId, PartyCode, PartyIntent, PartyPhase, PartyRole, PartySnapshot, PartyState, PlayerId,
    PlayerName, Refusal,
};
use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::command::{ByHost, PartyCommand};
use super::{PartyMembership, no_such_party};
use crate::actor::{Client, Inbox, TaskEnded, ask};
use crate::outbox::{ConnectionId, Outbox};

/// Commands that may wait in a party's inbox: as many as say at once that they are ready. A connection
/// that finds it full waits, which slows down that connection alone.
pub(super) const INBOX: usize = 256;

/// Reaches a party. Cheap to clone; it may outlive the party.
#[derive(Debug, Clone)]
pub(crate) struct PartyHandle {
    code: PartyCode,
    inbox: mpsc::Sender<PartyCommand>,
    facts: Arc<PartyFacts>,
}

/// The part of a party that others read.
#[derive(Debug, Default)]
pub(crate) struct PartyFacts {
    /// The version that everybody was told.
    v: AtomicU64,
    entrants: AtomicU32,
    /// The players who are entrants: at most as many as a party may have.
    players: Mutex<Vec<PlayerId>>,
    /// The id of the host, who may only look on.
    host: AtomicU64,
    name: OnceLock<PlayerName>,
    phase: Mutex<PartyPhase>,
    /// Since when nobody follows the party, by the clock of the rooms; `None` while somebody does.
    empty_since: Mutex<Option<Duration>>,
}

/// The receiving end of a party's inbox.
pub(super) type PartyInbox = Inbox<PartyHandle, PartyCommand>;

/// Both ends of a party's inbox.
pub(super) fn channel(code: PartyCode) -> (PartyHandle, PartyInbox) {
    let (inbox, commands) = mpsc::channel(INBOX);
    let handle = PartyHandle { code, inbox, facts: Arc::default() };
    (handle.clone(), Inbox { handle, commands })
}

/// The version of a party, for the answer to a ping.
#[derive(Debug, Clone)]
pub(crate) struct PartyVersion(Arc<PartyFacts>);

impl PartyVersion {
    /// The version that everybody was told.
    pub(crate) fn now(&self) -> u64 {
        self.0.v.load(Ordering::Relaxed)
    }
}

impl PartyHandle {
    /// The party's code.
    pub(crate) const fn code(&self) -> PartyCode {
        self.code
    }

    /// The party's version, now and later.
    pub(crate) fn version(&self) -> PartyVersion {
        PartyVersion(Arc::clone(&self.facts))
    }

    /// The number of entrants.
    pub(crate) fn entrants(&self) -> u32 {
        self.facts.entrants.load(Ordering::Relaxed)
    }

    /// Whether a player is an entrant.
    pub(crate) fn has_entrant(&self, player: PlayerId) -> bool {
        self.facts.players.lock().contains(&player)
    }

    /// Whether the party names a player, as an entrant or as its host.
    pub(crate) fn names(&self, player: PlayerId) -> bool {
        self.host() == player || self.has_entrant(player)
    }

    /// Whether the places are final.
    pub(super) fn is_over(&self) -> bool {
        self.phase() == PartyPhase::Over
    }

    /// How far the party is.
    pub(crate) fn phase(&self) -> PartyPhase {
        *self.facts.phase.lock()
    }

    /// The party's name; `None` while it starts.
    pub(crate) fn name(&self) -> Option<PlayerName> {
        self.facts.name.get().cloned()
    }

    /// The player who made the party.
    pub(crate) fn host(&self) -> PlayerId {
        PlayerId(self.facts.host.load(Ordering::Relaxed))
    }

    /// Since when nobody follows the party; `None` while somebody does.
    pub(crate) fn empty_since(&self) -> Option<Duration> {
        *self.facts.empty_since.lock()
    }

    /// Asks an empty party to end. A full inbox means that somebody is there after all.
    pub(crate) fn give_way(&self) -> bool {
        self.inbox.try_send(PartyCommand::GiveWay).is_ok()
    }

    pub(super) fn publish_empty_since(&self, since: Option<Duration>) {
        *self.facts.empty_since.lock() = since;
    }

    /// Notes what everybody was told.
    pub(super) fn publish(&self, state: &PartyState) {
        *self.facts.phase.lock() = state.phase;
        self.facts.v.store(state.v, Ordering::Relaxed);
    }

    /// Notes the party's entrants and its host.
    pub(super) fn publish_people(&self, state: &PartyState) {
        let players: Vec<PlayerId> =
            state.entrants.iter().filter_map(|entrant| entrant.player).collect();
        let count = u32::try_from(state.entrants.len()).unwrap_or(u32::MAX);
        self.facts.entrants.store(count, Ordering::Relaxed);
        *self.facts.players.lock() = players;
        self.facts.host.store(state.host.0, Ordering::Relaxed);
        self.facts.name.get_or_init(|| state.name.clone());
    }

    /// Lets a client follow the party. The answer and the snapshot go to the client's outbox. `None`
    /// means that the party has refused there.
    pub(crate) async fn join(
        &self,
        client: Client,
        role: PartyRole,
        id: IntentId,
    ) -> Result<Option<PartyMembership>, TaskEnded> {
        ask(&self.inbox, |admitted| PartyCommand::Join { client, role, id, admitted }).await
    }

    /// Does what the host of the server wants.
    ///
    /// # Errors
    /// If the rules of the party refuse it, or it is not stored.
    pub(crate) async fn by_host(&self, act: ByHost) -> Result<(), Refusal> {
        let done = ask(&self.inbox, |done| PartyCommand::ByHost { act, done }).await;
        done.unwrap_or_else(|TaskEnded| Err(no_such_party(self.code)))
    }

    /// The state; `None` if the party has ended.
    pub(crate) async fn look(&self) -> Option<PartySnapshot> {
        ask(&self.inbox, |told| PartyCommand::Look { told }).await.ok()
    }

    /// Sends an intent. The answer comes in the outbox.
    ///
    /// # Errors
    /// If the party has ended. Nothing was answered then.
    pub(super) async fn send(
        &self,
        sender: Outbox,
        id: IntentId,
        intent: PartyIntent,
    ) -> Result<(), Refusal> {
        let sent = self.inbox.send(PartyCommand::Intent { sender, id, intent }).await;
        sent.map_err(|_| no_such_party(self.code))
    }

    /// Takes a forgotten player out of the party, with all devices but the one that asked. Returns
    /// whether that is stored. A party that has ended has nobody to take out.
    pub(crate) async fn forget(&self, player: PlayerId, asker: ConnectionId) -> bool {
        let stored = ask(&self.inbox, |stored| PartyCommand::Forget { player, asker, stored });
        stored.await.unwrap_or(true)
    }
}
