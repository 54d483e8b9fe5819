//! How people reach a room by its code, whichever node has it.

use std::time::Duration;

use noughts_protocol::{PartyCode, Refusal, RefusalCode, RoomCode};
use tokio::time::{Instant, sleep, timeout};

use super::Lobby;
use super::nodes::{Nodes, Place, in_between};
use crate::cluster::question::{Answer, Known, Question};
use crate::journal::entry::Origin;
use crate::room::RoomHandle;

/// How long somebody who makes a room waits at a node without a shard.
const NO_SHARD: Duration = Duration::from_secs(10);

/// How long somebody waits for a node that does not say what has a code.
const NO_ANSWER: Duration = Duration::from_secs(10);

/// How long the first question waits for its answer, and each later one twice as long: a node that has just
/// stopped does not answer, and who has its rooms now is known a moment later.
const PATIENCE: Duration = Duration::from_millis(200);

/// The pause before such a node, or the next one, is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// How long somebody who looks for a room waits until its shard has left, in steps.
const LEAVING: u32 = 500;
const LEAVING_STEP: Duration = Duration::from_millis(20);

/// In this time a node usually hears that another one has taken a shard.
const MOVED: Duration = Duration::from_millis(100);

impl Lobby {
    /// The room with a code. On another node it is not known yet whether there is one: a join tells.
    ///
    /// # Errors
    /// If there is no such room.
    pub(crate) async fn find(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        let Some(nodes) = &self.nodes else { return self.find_here(code) };
        loop {
            match self.place(nodes, code).await? {
                Place::At(node) => return Ok(nodes.links().room(&node, code)),
                Place::Here => {
                    let found = self.find_here(code);
                    // A room that leaves is not here, and not gone.
                    if found.is_ok() || self.shards.holds(code) {
                        return found;
                    }
                }
            }
        }
    }

    /// Where people find the room or the party with a code. Waits a while if it moves.
    ///
    /// # Errors
    /// If no node has it.
    pub(crate) async fn place(&self, nodes: &Nodes, code: RoomCode) -> Result<Place, Refusal> {
        for _ in 0..LEAVING {
            match nodes.place(code).await? {
                // The directory does not know yet that it leaves.
                Place::Here if !self.shards.holds(code) => sleep(LEAVING_STEP).await,
                place => return Ok(place),
            }
        }
        Err(in_between())
    }

    /// A pause before a room is looked up again that has ended or hibernated meanwhile. In a cluster it
    /// may have moved, of which this node hears a little later.
    pub(crate) async fn pause(&self) {
        if self.nodes.is_some() {
            sleep(MOVED).await;
        }
    }

    /// The refusal for a room or a party that was there a moment ago and could not be entered. In a cluster it
    /// may have moved, further than this node has read: its client asks again.
    pub(crate) fn missed(&self, refusal: Refusal) -> Refusal {
        let is_gone = matches!(refusal.code, RefusalCode::NoSuchRoom | RefusalCode::NoSuchParty);
        if is_gone && self.nodes.is_some() { in_between() } else { refusal }
    }

    /// Whether a room or a party has a code.
    ///
    /// # Errors
    /// If the node that would know does not answer.
    pub(crate) async fn known(&self, code: RoomCode) -> Result<Known, Refusal> {
        let Some(nodes) = &self.nodes else {
            return Ok(self.known_here(code).unwrap_or(Known::Nothing));
        };
        let deadline = Instant::now() + NO_ANSWER;
        let mut patience = PATIENCE;
        loop {
            match self.place(nodes, code).await? {
                Place::Here => {
                    if let Some(known) = self.known_surely(code).await {
                        return Ok(known);
                    }
                }
                Place::At(node) => {
                    let asked = nodes.ask(&node, Question::Known(code));
                    if let Ok(Some(Answer::Known(known))) = timeout(patience, asked).await {
                        return Ok(known);
                    }
                    patience *= 2;
                }
            }
            if Instant::now() > deadline {
                return Err(in_between());
            }
            // The node may have just died or lost the shard, and nobody knows it yet.
            sleep(ASK_AGAIN).await;
        }
    }

    /// Whether a room or a party of this node has a code; `None` if its shard is not here. A node that is
    /// late with reading does not know yet what another node has made in a shard that it has lost: before
    /// it says that there is nothing, it reads the log.
    pub(crate) async fn known_surely(&self, code: RoomCode) -> Option<Known> {
        let known = self.known_here(code)?;
        let Some(nodes) = self.nodes.as_ref().filter(|_| known == Known::Nothing) else {
            return Some(known);
        };
        let is_ours = nodes.directory().catch_up().await && nodes.has(code);
        if is_ours { self.known_here(code) } else { None }
    }

    /// The party that an intent made on another node. If there is none, parties can be made here.
    ///
    /// # Errors
    /// If this node has no shard yet.
    pub(crate) async fn party_made_elsewhere(
        &self,
        origin: Origin,
    ) -> Result<Option<PartyCode>, Refusal> {
        Ok(self.made_elsewhere(origin).await?.and_then(|answer| match answer {
            Answer::Party(party) => Some(party),
            _ => None,
        }))
    }

    /// The room that an intent made before, here or on another node: a client that has come here from
    /// there asks again. If there is none, rooms can be made here.
    ///
    /// # Errors
    /// If this node has no shard yet.
    pub(super) async fn made_before(&self, origin: Origin) -> Result<Option<RoomCode>, Refusal> {
        if let Some(room) = self.made_here(origin) {
            return Ok(Some(room));
        }
        Ok(match self.made_elsewhere(origin).await? {
            Some(Answer::Room(room)) => Some(room),
            Some(_) => None,
            // This node may have taken its shard meanwhile.
            None => self.made_here(origin),
        })
    }

    async fn made_elsewhere(&self, origin: Origin) -> Result<Option<Answer>, Refusal> {
        let Some(nodes) = &self.nodes else { return Ok(None) };
        let deadline = Instant::now() + NO_ANSWER;
        loop {
            let (answers, all_said) = nodes.ask_owners(&Question::Made(origin)).await;
            let made = answers.into_iter().find(|answer| !matches!(answer, Answer::Yes(false)));
            if made.is_some() {
                return Ok(made);
            }
            if all_said {
                return self.ready().await.map(|()| None);
            }
            if Instant::now() > deadline {
                return Err(in_between());
            }
            // A node that has just stopped may have made it: whoever has its shards then knows.
            sleep(ASK_AGAIN).await;
        }
    }

    /// The room that an intent made here.
    pub(crate) fn made_here(&self, origin: Origin) -> Option<RoomCode> {
        self.registry.find_by_origin(origin)
    }

    /// Waits until this node has a shard, in which rooms and parties can be made.
    ///
    /// # Errors
    /// If that takes long.
    pub(crate) async fn ready(&self) -> Result<(), Refusal> {
        if self.nodes.is_none() {
            return Ok(());
        }
        timeout(NO_SHARD, self.shards.some_held()).await.map_err(|_| in_between())
    }
}
