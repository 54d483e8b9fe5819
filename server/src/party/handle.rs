//! The handle of a party: its inbox, and the little that others read without asking the party.

use std::sync::Arc;
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
    facts: Arc<Mutex<PartyFacts>>,
}

/// The part of a party that others read.
#[derive(Debug, Default)]
struct PartyFacts {
    /// The version that everybody was told.
    v: u64,
    entrants: u32,
    /// The players who are entrants: at most as many as a party may have.
    players: Vec<PlayerId>,
    /// The host, who may only look on; `None` while the party starts.
    host: Option<PlayerId>,
    name: Option<PlayerName>,
    phase: PartyPhase,
    /// Since when nobody follows the party, by the clock of the rooms; `None` while somebody does.
    empty_since: Option<Duration>,
    /// Whether the party ends as soon as nobody follows it. A newcomer takes that back.
    gives_way: bool,
}

/// The receiving end of a party's inbox.
pub(super) type PartyInbox = Inbox<PartyHandle, PartyCommand>;

/// Both ends of a party's inbox.
pub(super) fn channel(code: PartyCode) -> (PartyHandle, PartyInbox) {
    let (inbox, commands) = mpsc::channel(INBOX);
    let handle = PartyHandle { code, inbox, facts: Arc::default() };
    (handle.clone(), Inbox { handle, commands })
}

impl PartyHandle {
    /// The party's code.
    pub(crate) const fn code(&self) -> PartyCode {
        self.code
    }

    /// The version that everybody was told.
    pub(super) fn version(&self) -> u64 {
        self.facts.lock().v
    }

    /// The number of entrants.
    pub(crate) fn entrants(&self) -> u32 {
        self.facts.lock().entrants
    }

    /// Whether a player is an entrant.
    pub(crate) fn has_entrant(&self, player: PlayerId) -> bool {
        self.facts.lock().players.contains(&player)
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
        self.facts.lock().phase
    }

    /// The party's name; `None` while it starts.
    pub(crate) fn name(&self) -> Option<PlayerName> {
        self.facts.lock().name.clone()
    }

    /// The player who made the party.
    pub(crate) fn host(&self) -> PlayerId {
        self.facts.lock().host.unwrap_or(PlayerId::NOBODY)
    }

    /// Since when nobody follows the party; `None` while somebody does.
    pub(crate) fn empty_since(&self) -> Option<Duration> {
        self.facts.lock().empty_since
    }

    /// Asks an empty party to end. A full inbox means that somebody is there after all.
    pub(crate) fn give_way(&self) -> bool {
        self.facts.lock().gives_way = true;
        let is_asked = self.inbox.try_send(PartyCommand::GiveWay).is_ok();
        if !is_asked {
            self.stay();
        }
        is_asked
    }

    /// Whether the party was asked to end, and has not gone on since.
    pub(super) fn gives_way(&self) -> bool {
        self.facts.lock().gives_way
    }

    /// Has the party go on that was asked to end.
    pub(super) fn stay(&self) {
        self.facts.lock().gives_way = false;
    }

    pub(super) fn publish_empty_since(&self, since: Option<Duration>) {
        self.facts.lock().empty_since = since;
    }

    /// Notes what everybody was told.
    pub(super) fn publish(&self, state: &PartyState) {
        let mut facts = self.facts.lock();
        facts.v = state.v;
        facts.entrants = u32::try_from(state.entrants.len()).unwrap_or(u32::MAX);
        facts.players = state.entrants.iter().filter_map(|entrant| entrant.player).collect();
        facts.host = Some(state.host);
        facts.name = Some(state.name.clone());
        facts.phase = state.phase;
    }

    /// Lets a client follow the party. The answer and the snapshot go to the client's outbox. `None`
    /// means that the party has refused there.
    pub(crate) async fn join(
        &self,
        client: Client,
        role: PartyRole,
        id: IntentId,
    ) -> Result<Option<PartyMembership>, TaskEnded> {
        ask(&self.inbox, |reply| PartyCommand::Join { client, role, id, reply }).await
    }

    /// Does what the host of the server wants.
    ///
    /// # Errors
    /// If the rules of the party refuse it, or it is not stored.
    pub(crate) async fn by_host(&self, act: ByHost) -> Result<(), Refusal> {
        let done = ask(&self.inbox, |reply| PartyCommand::ByHost { act, reply }).await;
        done.unwrap_or_else(|TaskEnded| Err(no_such_party(self.code)))
    }

    /// The state; `None` if the party has ended.
    pub(crate) async fn look(&self) -> Option<PartySnapshot> {
        ask(&self.inbox, |reply| PartyCommand::Look { reply }).await.ok()
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
    /// whether that is stored.
    pub(crate) async fn forget(
        &self,
        player: PlayerId,
        asker: ConnectionId,
    ) -> Result<bool, TaskEnded> {
        ask(&self.inbox, |reply| PartyCommand::Forget { player, asker, reply }).await
    }
}
