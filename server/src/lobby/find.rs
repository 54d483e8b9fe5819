//! How people reach a room by its code, whichever node has it.

use std::time::Duration;

use noughts_protocol::{Refusal, RoomCode};
use tokio::time::{Instant, sleep, timeout};

use super::Lobby;
use super::nodes::{Place, in_between};
use crate::cluster::question::{Answer, Known, Question};
use crate::journal::entry::Origin;
use crate::room::RoomHandle;

/// How long somebody who makes a room waits at a node without a shard.
const NO_SHARD: Duration = Duration::from_secs(10);

/// How long somebody waits for a node that does not say what has a code.
const NO_ANSWER: Duration = Duration::from_secs(10);

/// The pause before such a node, or the next one, is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(200);

impl Lobby {
    /// The room with a code. On another node it is not known yet whether there is one: a join tells.
    ///
    /// # Errors
    /// If there is no such room.
    pub(crate) async fn find(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        let Some(nodes) = &self.nodes else { return self.find_here(code) };
        match nodes.place(code).await? {
            Place::Here => self.find_here(code),
            Place::At(node) => Ok(nodes.links().room(&node, code)),
        }
    }

    /// What has a code.
    ///
    /// # Errors
    /// If the node that would know does not answer.
    pub(crate) async fn known(&self, code: RoomCode) -> Result<Known, Refusal> {
        let Some(nodes) = &self.nodes else { return Ok(self.known_here(code)) };
        let deadline = Instant::now() + NO_ANSWER;
        loop {
            match nodes.place(code).await? {
                Place::Here => return Ok(self.known_here(code)),
                Place::At(node) => {
                    if let Some(Answer::Known(known)) =
                        nodes.ask(&node, Question::Known(code)).await
                    {
                        return Ok(known);
                    }
                }
            }
            if Instant::now() > deadline {
                return Err(in_between());
            }
            // The node may have just died or lost the shard, and nobody knows it yet.
            sleep(ASK_AGAIN).await;
        }
    }

    /// The room that an intent made before, here or on another node: a client that has come here from
    /// there asks again. If there is none, rooms can be made here.
    ///
    /// # Errors
    /// If this node has no shard yet.
    pub(super) async fn made_before(&self, origin: Origin) -> Result<Option<RoomCode>, Refusal> {
        let here = self.registry.find_by_origin(origin);
        let Some(nodes) = self.nodes().filter(|_| here.is_none()) else { return Ok(here) };
        let answers = nodes.ask_others(&Question::Made(origin)).await;
        let there = answers.into_iter().flatten().find_map(|answer| match answer {
            Answer::Room(room) => Some(room),
            _ => None,
        });
        if there.is_none() {
            self.ready().await?;
        }
        Ok(there)
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
