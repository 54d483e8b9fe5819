//! What a node does for the other nodes of its cluster: it lets their connections into its rooms and
//! parties, and answers their questions. And what it asks them for its own connections.

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use noughts_protocol::{PartyCode, PassCode, PlayerId, PlayerName, RoomCode};
use tokio::time::Instant;

use super::Shared;
use crate::cluster::directory::NodeName;
use crate::cluster::link::{LocalRooms, Visit};
use crate::cluster::question::{Answer, Question};
use crate::cluster::tenant::Tenant;
use crate::journal::replica::ShardContents;
use crate::lobby::nodes::Place;
use crate::outbox::ConnectionId;
use crate::party;
use crate::room::RoomHandle;
use crate::shard::Shard;

/// The rooms and parties of a node, for the other nodes.
#[derive(Debug, Clone)]
pub(crate) struct House(pub(crate) Arc<Shared>);

impl House {
    /// Whether the shard of a code is here. Waits a while if it moves.
    async fn has(&self, code: RoomCode) -> bool {
        let Some(nodes) = self.0.lobby.nodes() else { return true };
        nodes.directory().is_alone()
            || matches!(self.0.lobby.place(nodes, code).await, Ok(Place::Here))
    }

    async fn do_answer(self, from: NodeName, question: Question) -> Option<Answer> {
        let Shared { lobby, parties, passes, secret, .. } = &*self.0;
        match question {
            Question::Known(code) => {
                if !self.has(code).await {
                    return None;
                }
                lobby.known_surely(code).await.map(Answer::Known)
            }
            Question::HasEntrant(party, player) => {
                let party = parties.find_here(party);
                Some(Answer::Yes(party.is_ok_and(|party| party.has_entrant(player))))
            }
            Question::Made(origin) => {
                // This node does not know the rooms of a shard that it has claimed and not yet taken.
                if !lobby.nodes()?.directory().all_settled().await {
                    return None;
                }
                let party = || parties.made_here(origin).map(Answer::Party);
                let made = lobby.made_here(origin).map(Answer::Room).or_else(party);
                Some(made.unwrap_or(Answer::Yes(false)))
            }
            Question::Redeem(pass) => {
                let redeemed = passes.redeem(secret, &pass, Instant::now());
                // Without an answer this node would seem to be silent.
                Some(
                    redeemed
                        .map_or(Answer::Yes(false), |(player, name)| Answer::Player(player, name)),
                )
            }
            Question::Forget(player, connection) => {
                let asker = lobby.nodes()?.links().connection(&from, connection);
                Some(Answer::Yes(self.0.take_out_here(player, asker).await))
            }
            Question::Guessed(guess, address) => {
                self.0.guesses(guess).record(address, Instant::now());
                None
            }
            Question::Listed(rooms, more) => {
                lobby.listing().note(from, rooms, more);
                None
            }
            Question::Seek(seek) => Some(lobby.answer_seek(from, *seek).await),
            Question::GiveUp(ticket) => {
                lobby.give_up(ticket);
                None
            }
            Question::Found(ticket, room) => Some(Answer::Yes(lobby.found(ticket, room))),
        }
    }
}

impl LocalRooms for House {
    fn room(&self, code: RoomCode) -> BoxFuture<'static, Option<RoomHandle>> {
        let house = self.clone();
        async move { if house.has(code).await { house.0.lobby.find_here(code).ok() } else { None } }
            .boxed()
    }

    fn visit_party(&self, code: PartyCode, visit: Visit) -> BoxFuture<'static, ()> {
        let house = self.clone();
        async move {
            // Until the shard is here, there is no such party.
            house.has(code.0).await;
            party::visit::run(code, visit, house.0.parties.clone()).await;
        }
        .boxed()
    }

    fn answer(&self, from: NodeName, question: Question) -> BoxFuture<'static, Option<Answer>> {
        self.clone().do_answer(from, question).boxed()
    }
}

impl Tenant for House {
    fn take(&self, shard: Shard, contents: ShardContents) -> BoxFuture<'static, ()> {
        let shared = Arc::clone(&self.0);
        async move {
            let Shared { lobby, parties, .. } = &*shared;
            // There is nothing, unless a tenure ended by a panic.
            lobby.leave_shard(shard).await;
            let ShardContents { rooms, parties: live } = contents;
            let hold = lobby.restore_shard(rooms);
            parties.take(live, || lobby.open_shard(shard, hold));
        }
        .boxed()
    }

    fn leave(&self, shard: Shard) -> BoxFuture<'static, ()> {
        let lobby = Arc::clone(&self.0.lobby);
        async move { lobby.leave_shard(shard).await }.boxed()
    }
}

/// A node did not answer: what it would have said is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Silence;

impl Shared {
    /// Takes a forgotten player out of the rooms and parties of this node, and returns whether that is
    /// stored. The connection that asked stays open.
    pub(crate) async fn take_out_here(&self, player: PlayerId, asker: ConnectionId) -> bool {
        for party in self.parties.all() {
            if party.names(player) && !party.forget(player, asker).await {
                return false;
            }
        }
        for room in self.lobby.seating(player) {
            if !room.forget(player, asker).await {
                return false;
            }
        }
        true
    }

    /// Takes a forgotten player out of all rooms and parties, and returns whether that is stored.
    pub(crate) async fn take_out(&self, player: PlayerId, asker: ConnectionId) -> bool {
        if !self.take_out_here(player, asker).await {
            return false;
        }
        let Some(nodes) = self.lobby.nodes() else { return true };
        let answers = nodes.ask_others(&Question::Forget(player, asker.0)).await;
        answers.iter().all(|answer| matches!(answer, Some(Answer::Yes(true))))
    }

    /// The player of a pass that any node has issued. It is used up. Nobody is a forgotten player any more.
    ///
    /// # Errors
    /// If a node that may have issued it does not answer.
    pub(crate) async fn redeem(
        &self,
        pass: &PassCode,
    ) -> Result<Option<(PlayerId, PlayerName)>, Silence> {
        let redeemed = self.redeem_anywhere(pass).await?;
        Ok(redeemed.filter(|(player, _)| !self.is_forgotten(*player)))
    }

    async fn redeem_anywhere(
        &self,
        pass: &PassCode,
    ) -> Result<Option<(PlayerId, PlayerName)>, Silence> {
        let here = self.passes.redeem(&self.secret, pass, Instant::now());
        let Some(nodes) = self.lobby.nodes().filter(|_| here.is_none()) else { return Ok(here) };
        let answers = nodes.ask_others(&Question::Redeem(pass.clone())).await;
        let is_silent = answers.iter().any(Option::is_none);
        let player = answers.into_iter().flatten().find_map(|answer| match answer {
            Answer::Player(player, name) => Some((player, name)),
            _ => None,
        });
        if player.is_none() && is_silent { Err(Silence) } else { Ok(player) }
    }
}
