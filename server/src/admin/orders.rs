//! The orders of a host. Each order is stored as a deed; what follows for the people who are connected is in
//! [`super::effects`].

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use noughts_protocol::{AnnouncementText, IdError, PartyCode, PlayerId, PlayerName, RoomCode};
use noughts_store::{Change, Deed, MAX_BANS, MAX_RENAMES, NewAct, Switch, Who};

use super::message::NO_REASON;
use super::{Host, Why, effects};
use crate::actor::Client;
use crate::lobby::Place;
use crate::outbox::{ConnectionId, outbox};
use crate::party::{ByHost, PartyHandle};
use crate::room::RoomHandle;

/// A connection that no server has.
const NO_CONNECTION: ConnectionId = ConnectionId(u64::MAX);

/// The end of the year 9999, in milliseconds since 1970: no later time can be written.
const NEVER: i64 = 253_402_300_800_000;

impl Host<'_> {
    /// A room of this node.
    pub(super) async fn room(&self, room: RoomCode) -> Result<RoomHandle, Why> {
        self.check_here(room).await?;
        self.shared.lobby.find(room).map_err(|refusal| refusal.to_string())
    }

    async fn party(&self, party: PartyCode) -> Result<PartyHandle, Why> {
        self.check_here(party.0).await?;
        self.shared.parties.find(party).map_err(|refusal| refusal.to_string())
    }

    /// Refuses what another node of the cluster has.
    async fn check_here(&self, code: RoomCode) -> Result<(), Why> {
        match self.shared.lookup(code).await {
            Ok(Place::At(peer)) => {
                Err(format!("{code} is at the node {} of the cluster: ask there", peer.address))
            }
            Ok(_) => Ok(()),
            Err(refusal) => Err(refusal.to_string()),
        }
    }

    pub(super) async fn end_room(
        &self,
        room: RoomCode,
        reason: Option<AnnouncementText>,
    ) -> Result<String, Why> {
        let handle = self.room(room).await?;
        check_no_table(&handle)?;
        if let Some(reason) = &reason {
            effects::announce(reason, effects::hearers(self.shared, Some(room)));
        }
        handle.end_by_host().await.map_err(|refusal| refusal.to_string())?;
        self.note(Deed::EndRoom { room, reason }).await?;
        Ok(format!("room {room} has ended"))
    }

    pub(super) async fn end_party(&self, party: PartyCode) -> Result<String, Why> {
        let handle = self.party(party).await?;
        handle.by_host(ByHost::End).await.map_err(|refusal| refusal.to_string())?;
        self.note(Deed::EndParty { party }).await?;
        Ok(format!("party {party} has ended"))
    }

    pub(super) async fn remove(&self, player: PlayerId, from: RoomCode) -> Result<String, Why> {
        if let Ok(party) = self.party(PartyCode(from)).await {
            let removed = party.by_host(ByHost::Remove(player)).await;
            removed.map_err(|refusal| refusal.to_string())?;
        } else {
            let room = self.room(from).await?;
            check_no_table(&room)?;
            let was_here = room.remove(player).await.map_err(|refusal| refusal.to_string())?;
            if !was_here {
                return Err(format!("{player} is not in room {from}"));
            }
        }
        self.note(Deed::Remove { player, from }).await?;
        Ok(format!("{player} is no longer in {from}"))
    }

    pub(super) async fn disconnect(&self, who: Who) -> Result<String, Why> {
        let meant = effects::meant(self.shared, who).count();
        // Those who are at another node are not known here.
        if meant == 0 && self.shared.lease.cluster().is_none() {
            return Err(format!("nobody here is {who}: look at the list of connections"));
        }
        self.note(Deed::Disconnect { who }).await?;
        Ok(format!("connections of {who} that are closed here: {meant}"))
    }

    pub(super) async fn ban(
        &self,
        who: Who,
        seconds: Option<u64>,
        reason: Option<AnnouncementText>,
    ) -> Result<String, Why> {
        if matches!(who, Who::Network(network) if network.prefix_len() == 0) {
            return Err(format!(
                "{who} is everybody: stop new rooms with `close`, or set a password"
            ));
        }
        let now = self.storage.unix_ms();
        if self.acts().bans(now).len() >= MAX_BANS {
            return Err(format!(
                "there are {MAX_BANS} bans, the most there may be: lift one first"
            ));
        }
        let milliseconds = seconds.and_then(|s| i64::try_from(s.saturating_mul(1_000)).ok());
        let until = milliseconds.map(|ms| now.saturating_add(ms)).filter(|until| *until < NEVER);
        let meant = effects::meant(self.shared, who).count();
        let reason = reason.as_ref().map_or(NO_REASON, AnnouncementText::as_str).into();
        let act = self.note(Deed::Ban { who, until, reason }).await?;
        let number = act.map_or_else(String::new, |act| format!(" {act}"));
        Ok(format!("ban{number} keeps {who} out; connections that are closed here: {meant}"))
    }

    pub(super) async fn unban(&self, ban: u64) -> Result<String, Why> {
        if !self.acts().bans(self.storage.unix_ms()).iter().any(|known| known.ban == ban) {
            return Err(format!("there is no ban {ban}: look at the list of bans"));
        }
        self.note(Deed::Unban { ban }).await?;
        Ok(format!("ban {ban} is lifted"))
    }

    pub(super) async fn rename(
        &self,
        player: PlayerId,
        name: Option<PlayerName>,
    ) -> Result<String, Why> {
        let known = self.acts().name_of(player);
        let message = match &name {
            None if known.is_none() => return Err(format!("{player} has their own name")),
            None => format!("{player} has their own name again"),
            Some(_) if known.is_none() && self.acts().renames() >= MAX_RENAMES => {
                return Err(format!(
                    "{MAX_RENAMES} players are renamed, the most there may be: give one their name back"
                ));
            }
            Some(name) => format!("{player} is {name} from now on"),
        };
        self.note(Deed::Rename { player, name }).await?;
        Ok(message)
    }

    pub(super) async fn say(
        &self,
        text: AnnouncementText,
        to: Option<RoomCode>,
    ) -> Result<String, Why> {
        if let Some(code) = to
            && self.shared.lookup(code).await == Ok(Place::Nothing)
        {
            return Err(format!("neither a room nor a party has the code {code}"));
        }
        let hearers = effects::own_hearers(self.shared, to).count();
        self.note(Deed::Say { text, to }).await?;
        let elsewhere =
            self.shared.lease.cluster().map_or("", |_| ", and those of the other nodes");
        Ok(format!("connections here that are told: {hearers}{elsewhere}"))
    }

    pub(super) async fn switch(&self, feature: Switch, on: bool) -> Result<String, Why> {
        if !self.shared.lobby.context.switches.is_configured(feature) {
            return Err(format!("the configuration switches {feature} off: change it there"));
        }
        self.note(Deed::Switch { feature, on }).await?;
        Ok(format!("{feature} is {}", if on { "on" } else { "off" }))
    }

    pub(super) async fn close(&self, closed: bool) -> Result<String, Why> {
        self.note(Deed::Close { closed }).await?;
        let message = match closed {
            true => "nobody can make a room or a party now; what runs goes on",
            false => "rooms and parties can be made again",
        };
        Ok(message.to_owned())
    }

    pub(super) async fn forget(&self, player: PlayerId) -> Result<String, Why> {
        // Other nodes have to know for whom it is asked, but nobody is told.
        let nowhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let (outbox, _) = outbox(NO_CONNECTION, nowhere, Arc::clone(&self.shared.metrics));
        let name = "Host".parse().map_err(|error: IdError| error.to_string())?;
        let client = Client { player, name, outbox };
        let known = self.storage.sqlite.archive().ask(move |archive| archive.knows(player)).await;
        if !self.shared.forget(self.storage, &client, nowhere).await {
            return Err(format!("not all about {player} could be stored: try again"));
        }
        self.note(Deed::Forget { player }).await?;
        let known = known.unwrap_or(true);
        let doubt = if known { "" } else { ", but no kept game has them: compare the id" };
        Ok(format!("{player} is forgotten{doubt}"))
    }

    /// Writes a deed into the log and into the store, and returns its number.
    async fn note(&self, deed: Deed) -> Result<Option<u64>, Why> {
        let at = self.storage.unix_ms();
        let act = NewAct { at, by: self.by.clone(), deed };
        let stored = self.storage.store.save(vec![Change::Act(act.clone())]).await;
        stored.map_err(|error| format!("that is not stored: {error}"))?;
        let number = self.acts().number_of(&act);
        tracing::info!(by = %self.by, act = number, "a host {}", act.deed);
        Ok(number)
    }
}

/// Refuses a room that is a table of a party.
fn check_no_table(room: &RoomHandle) -> Result<(), Why> {
    let table = room.read(|room| room.settings.party).flatten();
    table.map_or(Ok(()), |table| {
        let party = table.party;
        Err(format!("room {} is a table of party {party}: act on the party", room.code()))
    })
}
