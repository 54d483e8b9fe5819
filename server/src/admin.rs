//! The host's door: who is there, and what can be done about it. [`answer`] answers one question of
//! a host; [`socket`] and `http/admin` are where they come from. The lists for a host are in
//! [`lists`], a host's orders in [`orders`], and their effects on the people who are there in
//! [`effects`].

pub(crate) mod effects;
mod lists;
pub(crate) mod message;
mod orders;
#[cfg(unix)]
pub(crate) mod socket;

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::DisplayText;
use noughts_store::Acts;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::connection::malformed::what_is_wrong;
use crate::state::Shared;
use crate::storage::Storage;
use message::{AdminAnswer, AdminRequest};

/// Why something is not done, for people.
type Why = String;

/// How long a host waits for an answer. A cluster whose NATS servers are away stores nothing meanwhile.
const PATIENCE: Duration = Duration::from_secs(8);

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
        Ok(request) => timeout(PATIENCE, answer(shared, by, request)).await.unwrap_or_else(|_| {
            refused("the store does not answer. It may still be done when it does: look at the log before you try again")
        }),
        Err(error) => {
            let wrong = what_is_wrong(&String::from_utf8_lossy(question), &error);
            refused(&format!("that is no question of a host: {wrong}"))
        }
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
        AdminRequest::Room { room } => match host.look(room).await {
            Ok(answer) => return answer,
            Err(why) => Err(why),
        },
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
        AdminRequest::EndParty { party } => host.end_party(party).await,
        AdminRequest::Remove { player, from } => host.remove(player, from).await,
        AdminRequest::Rename { player, name } => host.rename(player, name).await,
        AdminRequest::Say { text, to } => host.say(text, to).await,
        AdminRequest::Switch { feature, on } => host.switch(feature, on).await,
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
}
