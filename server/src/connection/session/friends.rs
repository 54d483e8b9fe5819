//! A connection's intents about people whom the player knows: who of them is here, asking one to play, and saying
//! "not now". In a cluster the other nodes are asked too.

use std::future::ready;
use std::net::IpAddr;
use std::sync::Arc;

use futures::StreamExt;
use noughts_protocol::{
    Acquaintance, ByMark, CHALLENGE_MS, Found, IntentId, PlayerId, Refusal, RefusalCode, RoomCode,
    RoomSettings, ServerMessage,
};
use noughts_store::{Change, People};
use tokio::time::Instant;

use super::Session;
use super::questions::{keeps_nothing, refusal};
use super::remote::Located;
use crate::actor::{Client, not_stored};
use crate::pipe::Door;
use crate::state::Shared;

/// Those whom a player has played and who are here, and whether the player hides.
pub(super) async fn here(
    shared: Arc<Shared>,
    client: Client,
    address: IpAddr,
    hide: Option<bool>,
) -> Result<Found, Refusal> {
    let Some(storage) = &shared.storage else { return Err(keeps_nothing()) };
    let player = client.player;
    if let Some(hidden) = hide {
        let change = Change::Hide { player, hidden, at: storage.unix_ms() };
        storage.store.save(vec![change]).await.map_err(|_| not_stored())?;
    }
    let known = storage.sqlite.archive().ask(move |archive| archive.people(player)).await;
    let People { mut people, hidden } = known.map_err(refusal)?;
    let ids = people.iter().map(|(player, _)| *player).collect();
    let here = shared.who_is_here(client, address, ids).await;
    people.retain(|(player, _)| here.contains(player));
    let people = people.into_iter().map(|(player, name)| Acquaintance { player, name });
    Ok(Found::Here { people: people.collect(), hidden })
}

impl Session {
    /// Makes a room and asks somebody to come, whom the player has played and who is here.
    pub(super) async fn challenge(
        &mut self,
        id: IntentId,
        other: PlayerId,
        settings: RoomSettings,
    ) -> Result<(), Refusal> {
        let me = self.player;
        let Some(storage) = &self.shared.storage else { return Err(keeps_nothing()) };
        if other == me {
            let message = "this is you: ask somebody whom you have played";
            return Err(Refusal::new(RefusalCode::NotNow, message));
        }
        let known = storage.sqlite.archive().ask(move |archive| archive.people(me)).await;
        let known = known.map_err(refusal)?.people;
        let is_known = known.iter().any(|(player, _)| *player == other);
        let asked = if is_known { vec![other] } else { Vec::new() };
        if self.shared.who_is_here(self.client(), self.address, asked).await.is_empty() {
            let message = "this person is not here now: invite them with the link of a room";
            return Err(Refusal::new(RefusalCode::NotNow, message));
        }
        let is_new = self.shared.challenges.ask(me, other, id, Instant::now())?;
        let made = self.create(id, settings, ByMark::default(), true).await;
        let room = match &self.membership {
            Some(Located::Here(room, _)) if made.is_ok() => *room,
            _ => {
                self.shared.challenges.take_back(me, other);
                return made;
            }
        };
        if is_new {
            // The host may have switched off some of what was asked for.
            let made = self.shared.lobby.find(room).ok().and_then(|room| room.summary());
            let settings = made.map_or(settings, |room| room.settings);
            self.tell_challenged(other, room, settings);
            self.ask_peers(Door::Challenge { other, room, settings }).await;
        }
        Ok(())
    }

    /// Tells the connections of this node who is asked by this player.
    pub(super) fn tell_challenged(&self, other: PlayerId, room: RoomCode, settings: RoomSettings) {
        let told = ServerMessage::Challenged {
            room,
            player: self.player,
            name: self.name.clone(),
            settings,
            expires_in_ms: CHALLENGE_MS,
        };
        self.shared.visitors.tell(other, &told);
    }

    /// Tells the one who asked. Without a challenge nothing happens.
    pub(super) async fn decline(&self, id: IntentId, other: PlayerId) {
        if !self.decline_here(other) {
            self.ask_peers(Door::Decline(other)).await;
        }
        self.outbox.ack(id, None);
    }

    /// The same at this node alone. Returns whether there was a challenge.
    pub(super) fn decline_here(&self, other: PlayerId) -> bool {
        let is_asked = self.shared.challenges.decline(other, self.player, Instant::now());
        if is_asked {
            let told = ServerMessage::Declined { player: self.player, name: self.name.clone() };
            self.shared.visitors.tell(other, &told);
        }
        is_asked
    }

    /// Tells all other nodes.
    pub(super) async fn ask_peers(&self, door: Door) {
        let told = self.shared.ask_peers(self.client(), self.address, door);
        told.for_each(|_| ready(())).await;
    }
}
