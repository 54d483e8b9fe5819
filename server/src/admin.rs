//! The host's door: who is there, and what can be done about it. [`answer`] answers one question of a host;
//! [`socket`] and `http/admin` are where they come from. What a host sees is in [`lists`].

mod lists;
pub(crate) mod message;
#[cfg(unix)]
pub(crate) mod socket;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use noughts_protocol::{AnnouncementText, CloseCode, DisplayText, IdError, PlayerId, RoomCode};
use noughts_store::{Act, Acts, Ban, Change, Deed, MAX_BANS, NewAct, Who};

use tokio::task::spawn_blocking;

use crate::actor::Client;
use crate::outbox::{ConnectionId, outbox};
use crate::state::Shared;
use crate::state::visitors::{Visitor, banned};
use crate::storage::Storage;

use message::{AdminAnswer, AdminRequest};

/// A connection that no server has.
const NO_CONNECTION: ConnectionId = ConnectionId(u64::MAX);

/// Why something is not done, for people.
type Why = String;

/// The longest question, in bytes.
pub(crate) const MAX_QUESTION: usize = 16 << 10;

/// Answers the JSON of a question that came `by` a door, on other threads than those that serve.
///
/// # Errors
/// If the answer cannot be written as JSON.
pub(crate) async fn answer_json(
    shared: &Arc<Shared>,
    by: &DisplayText,
    question: &[u8],
) -> serde_json::Result<Vec<u8>> {
    let answer = match serde_json::from_slice(question) {
        Ok(request) => answer(shared, by, request).await,
        Err(error) => refused(&format!("that is no question of a host: {error}")),
    };
    // There may be 20,000 lines in it. The task is lost only when the server stops.
    spawn_blocking(move || serde_json::to_vec(&answer)).await.unwrap_or_else(|_| Ok(Vec::new()))
}

/// Answers a question that came `by` a door. It takes as long as the store does.
async fn answer(shared: &Arc<Shared>, by: &DisplayText, request: AdminRequest) -> AdminAnswer {
    let Some(storage) = &shared.storage else { return refused("this server keeps nothing") };
    let host = Host { shared, storage, by };
    let done = match request {
        AdminRequest::Status => return AdminAnswer::Status(host.status()),
        AdminRequest::Rooms { filter, sort, most } => {
            return list(shared, move |shared| lists::rooms(shared, &filter, sort, most)).await;
        }
        AdminRequest::Room { .. } => return refused("not yet"),
        AdminRequest::Parties => return lists::parties(shared),
        AdminRequest::People { filter, most } => {
            return list(shared, move |shared| lists::people(shared, &filter, most)).await;
        }
        AdminRequest::Limits => return list(shared, lists::limits).await,
        AdminRequest::Bans => {
            return AdminAnswer::Bans { bans: host.acts().bans(storage.unix_ms()) };
        }
        AdminRequest::Log => return AdminAnswer::Acts { acts: host.acts().last() },
        AdminRequest::EndRoom { room, reason } => host.end_room(room, reason).await,
        AdminRequest::EndParty { .. }
        | AdminRequest::Remove { .. }
        | AdminRequest::Rename { .. }
        | AdminRequest::Say { .. }
        | AdminRequest::Switch { .. } => Err("not yet".to_owned()),
        AdminRequest::Disconnect { who } => host.disconnect(who).await,
        AdminRequest::Ban { who, seconds, reason } => host.ban(who, seconds, reason).await,
        AdminRequest::Unban { ban } => host.unban(ban).await,
        AdminRequest::Close => host.close(true).await,
        AdminRequest::Open => host.close(false).await,
        AdminRequest::Forget { player } => host.forget(player).await,
    };
    match done {
        Ok(message) => AdminAnswer::Done { message: message.into() },
        Err(why) => refused(&why),
    }
}

fn refused(why: &str) -> AdminAnswer {
    AdminAnswer::Refused { message: why.into() }
}

/// A list, made on a thread of its own: there may be 20,000 lines.
async fn list(
    shared: &Arc<Shared>,
    make: impl FnOnce(&Shared) -> AdminAnswer + Send + 'static,
) -> AdminAnswer {
    let shared = Arc::clone(shared);
    let made = spawn_blocking(move || make(&shared));
    made.await.unwrap_or_else(|error| refused(&error.to_string()))
}

/// A host at a door.
struct Host<'a> {
    shared: &'a Arc<Shared>,
    storage: &'a Storage,
    by: &'a DisplayText,
}

impl Host<'_> {
    fn acts(&self) -> &Acts {
        self.storage.sqlite.acts()
    }

    async fn end_room(
        &self,
        room: RoomCode,
        reason: Option<AnnouncementText>,
    ) -> Result<String, Why> {
        let handle = self.shared.lobby.find(room).map_err(|refusal| refusal.to_string())?;
        let party = handle.summary().and_then(|room| room.settings.party);
        if let Some(table) = party {
            let party = table.party;
            return Err(format!("room {room} is a table of party {party}: its host decides there"));
        }
        if !handle.end_by_host().await {
            return Err(format!("room {room} cannot be stored now, and goes on: try again"));
        }
        self.note(Deed::EndRoom { room, reason }).await?;
        Ok(format!("room {room} has ended"))
    }

    async fn disconnect(&self, who: Who) -> Result<String, Why> {
        let closed = self.close_all(who, |visitor| visitor.outbox.close(CloseCode::Removed));
        if closed == 0 {
            return Err(format!("nobody here is {who}: look at the list of connections"));
        }
        self.note(Deed::Disconnect { who }).await?;
        Ok(format!("connections of {who} that are closed: {closed}"))
    }

    async fn ban(
        &self,
        who: Who,
        seconds: Option<u64>,
        reason: DisplayText,
    ) -> Result<String, Why> {
        let now = self.storage.unix_ms();
        if self.acts().bans(now).len() >= MAX_BANS {
            return Err(format!(
                "there are {MAX_BANS} bans, the most there may be: lift one first"
            ));
        }
        let milliseconds = seconds.map(|s| i64::try_from(s.saturating_mul(1_000)));
        let until = milliseconds.map(|ms| now.saturating_add(ms.unwrap_or(i64::MAX)));
        let deed = Deed::Ban { who, until, reason: reason.clone() };
        let act = self.note(deed).await?;
        let number = act.map_or(0, |act| act.act);
        let told = banned(&Ban { ban: number, who, until, reason }, now);
        let closed = self.close_all(who, |visitor| {
            visitor.outbox.reject(None, told.clone());
            visitor.outbox.close(CloseCode::Banned);
        });
        Ok(format!("ban {number} keeps {who} out; connections that are closed: {closed}"))
    }

    async fn unban(&self, ban: u64) -> Result<String, Why> {
        if !self.acts().bans(self.storage.unix_ms()).iter().any(|known| known.ban == ban) {
            return Err(format!("there is no ban {ban}: look at the list of bans"));
        }
        self.note(Deed::Unban { ban }).await?;
        Ok(format!("ban {ban} is lifted"))
    }

    async fn close(&self, closed: bool) -> Result<String, Why> {
        self.note(Deed::Close { closed }).await?;
        let message = match closed {
            true => "nobody can make a room or a party now; what runs goes on",
            false => "rooms and parties can be made again",
        };
        Ok(message.to_owned())
    }

    async fn forget(&self, player: PlayerId) -> Result<String, Why> {
        // Somebody has to ask for it, but nobody is told.
        let nowhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let (outbox, _) = outbox(NO_CONNECTION, nowhere, Arc::clone(&self.shared.metrics));
        let name = "Host".parse().map_err(|error: IdError| error.to_string())?;
        let client = Client { player, name, outbox };
        if !self.shared.forget(self.storage, &client, nowhere).await {
            return Err(format!("not all about {player} could be stored: try again"));
        }
        self.close_all(Who::Player(player), |visitor| visitor.outbox.close(CloseCode::Restart));
        self.note(Deed::Forget { player }).await?;
        Ok(format!("{player} is forgotten"))
    }

    /// Does something to everybody who is meant, and returns how many they are.
    fn close_all(&self, who: Who, close: impl Fn(&Visitor)) -> usize {
        let all = self.shared.visitors.all();
        let meant = all.iter().filter(|visitor| who.means(visitor.player, visitor.address));
        meant.map(|visitor| close(visitor)).count()
    }

    /// Writes a deed into the log and into the store, and returns the act.
    async fn note(&self, deed: Deed) -> Result<Option<Act>, Why> {
        tracing::info!(by = %self.by, "a host {deed}");
        let at = self.storage.unix_ms();
        let act = NewAct { at, by: self.by.clone(), deed: deed.clone() };
        let stored = self.storage.store.save(vec![Change::Act(act)]).await;
        stored.map_err(|error| format!("that is not stored: {error}"))?;
        Ok(self.acts().last().into_iter().find(|act| act.deed == deed))
    }
}
