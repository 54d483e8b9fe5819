//! Readers of server-sent events over plain HTTP. A reader has a session and an outbox as a WebSocket has, and watches
//! a room or a party there without being counted. It sends nothing but its pings, which also tell whether its room
//! is still there. The routes are in `http/api`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use noughts_protocol::{
    ClientMessage, DisplayText, IntentId, LobbyIntent, PING_SECONDS, PlayerId, PlayerName, Refusal,
    RefusalCode,
};
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

use crate::actor::Client;
use crate::connection::WRITE_TIME;
use crate::connection::session::Session;
use crate::limits::connections::Permit;
use crate::lobby::unavailable;
use crate::outbox::{Frame, OutboxReader, outbox};
use crate::state::Shared;

/// The name of somebody who watches, which the host sees.
const NAME: &str = "Spectator";

/// Pieces that may wait for a reader. Further ones wait in the outbox.
const PIECES: usize = 4;

/// How long it may take to come into a room at another node.
const JOIN_TIME: Duration = Duration::from_secs(10);

/// Follows a room or a party: `join` is a spectator's. A reader with its version `known` is not
/// sent the snapshot again. The permit counts the reader as a connection.
///
/// # Errors
/// The refusal of the room or the party, or of the host.
pub(crate) async fn follow(
    shared: &Arc<Shared>,
    permit: Permit,
    join: LobbyIntent,
    known: Option<u64>,
) -> Result<mpsc::Receiver<Bytes>, Refusal> {
    let player = PlayerId::NOBODY;
    if let Some(refusal) = shared.ban_of(player, permit.address()) {
        return Err(refusal);
    }
    let name = NAME.parse::<PlayerName>().map_err(|_| unavailable())?;
    let metrics = Arc::clone(&shared.metrics);
    let (outbox, outgoing) = outbox(shared.next_connection(), permit.address(), metrics);
    let client = Client { player, name: shared.name_of(player, name), outbox };
    let session = Session::new(Arc::clone(shared), permit.address(), client);
    let (pieces, events) = mpsc::channel(PIECES);
    let (first, joined) = oneshot::channel();
    let reader = Reader { session, outgoing, pieces, first: Some(first), known };
    let lease = Arc::clone(&shared.lease);
    let stop = shared.stop.clone();
    shared.tasks.spawn(async move {
        tokio::select! {
            _ = lease.guard(reader.run(join)) => {}
            () = stop.cancelled() => {}
        }
        drop(permit);
    });
    match timeout(JOIN_TIME, joined).await {
        Ok(Ok(Ok(()))) => Ok(events),
        Ok(Ok(Err(refusal))) => Err(refusal),
        _ => Err(unavailable()),
    }
}

struct Reader {
    session: Session,
    outgoing: OutboxReader,
    pieces: mpsc::Sender<Bytes>,
    /// Where the answer to the join goes.
    first: Option<oneshot::Sender<Result<(), Refusal>>>,
    known: Option<u64>,
}

/// The fields that are read of a message.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    v: Option<u64>,
    party_v: Option<u64>,
    code: Option<RefusalCode>,
    message: Option<DisplayText>,
    event: Option<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: String,
}

/// A message as the reader of events gets it.
#[derive(Debug, PartialEq, Eq)]
enum Shown {
    Nothing,
    Event(String),
    /// The last one.
    End(String),
    Joined,
    Refused(Refusal),
}

impl Reader {
    async fn run(mut self, join: LobbyIntent) {
        self.ask(join).await;
        let mut frames = Vec::new();
        let beat = Duration::from_secs(PING_SECONDS);
        let mut beat_at = Instant::now() + beat;
        loop {
            let piece = tokio::select! {
                biased;
                closed = self.outgoing.next(&mut frames) => match closed {
                    Ok(()) => self.show(frames.drain(..)),
                    Err(_) => return,
                },
                notification = self.session.next_notification() => {
                    self.session.handle_notification(notification).await;
                    continue;
                }
                () = sleep_until(beat_at) => {
                    if self.session.ban().is_some() {
                        return;
                    }
                    beat_at = Instant::now() + beat;
                    self.ask(LobbyIntent::Ping).await;
                    (":\n\n".to_owned(), false)
                }
                () = self.pieces.closed() => return,
            };
            let (text, is_last) = piece;
            let sent = text.is_empty() || {
                let sending = self.pieces.send(text.into());
                matches!(timeout(WRITE_TIME, sending).await, Ok(Ok(())))
            };
            // Nothing more happens in a party that has ended long ago.
            if !sent || is_last || self.session.shows_kept() {
                return;
            }
        }
    }

    async fn ask(&mut self, intent: LobbyIntent) {
        let id = IntentId::default();
        self.session.handle(ClientMessage::Lobby { intent, id }, Instant::now()).await;
    }

    /// The text of messages, and whether they are the last.
    fn show(&mut self, frames: impl Iterator<Item = Frame>) -> (String, bool) {
        let mut text = String::new();
        for frame in frames {
            match shown(&frame.to_text(), self.known) {
                Shown::Nothing => {}
                Shown::Event(event) => text += &event,
                Shown::End(event) => return (text + &event, true),
                Shown::Joined => self.answer(Ok(())),
                Shown::Refused(refusal) => {
                    self.answer(Err(refusal));
                    return (text, true);
                }
            }
        }
        (text, false)
    }

    fn answer(&mut self, answer: Result<(), Refusal>) {
        // Nobody waits for it who has gone meanwhile.
        drop(self.first.take().map(|first| first.send(answer)));
    }
}

/// A message as an event. Its name is the type of the message; a room's and a party's snapshots are both named so.
fn shown(message: &str, known: Option<u64>) -> Shown {
    let Ok(head) = serde_json::from_str::<Head<'_>>(message) else { return Shown::Nothing };
    let is_snapshot = matches!(head.kind, "snapshot" | "party");
    match head.kind {
        "ok" => return Shown::Joined,
        "refused" => {
            let code = head.code.unwrap_or(RefusalCode::Unknown);
            let message = head.message.unwrap_or_default();
            return Shown::Refused(Refusal { code, message });
        }
        "pong" if head.v.is_none() && head.party_v.is_none() => return Shown::End(String::new()),
        "pong" => return Shown::Nothing,
        _ if is_snapshot && known.is_some() && head.v == known => return Shown::Nothing,
        _ => {}
    }
    let name = if is_snapshot { "snapshot" } else { head.kind };
    let id = head.v.map_or_else(String::new, |v| format!("id: {v}\n"));
    // JSON has no line break but between its tokens, and the server writes none there.
    let event = format!("event: {name}\n{id}data: {message}\n\n");
    let is_closed = head.event.is_some_and(|event| event.kind == "closed");
    if is_closed { Shown::End(event) } else { Shown::Event(event) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_becomes_an_event_or_nothing() {
        let snapshot = r#"{"type":"snapshot","v":7}"#;
        let event = format!("event: snapshot\nid: 7\ndata: {snapshot}\n\n");
        assert_eq!(shown(snapshot, None), Shown::Event(event.clone()));
        assert_eq!(shown(snapshot, Some(6)), Shown::Event(event));
        assert_eq!(shown(snapshot, Some(7)), Shown::Nothing);
        let presence = r#"{"type":"presence","room":"KQRZX"}"#;
        let event = format!("event: presence\ndata: {presence}\n\n");
        assert_eq!(shown(presence, Some(7)), Shown::Event(event));
        assert_eq!(shown(r#"{"type":"pong","id":0,"v":7}"#, None), Shown::Nothing);
        assert_eq!(shown(r#"{"type":"pong","id":0}"#, None), Shown::End(String::new()));
        let closed = r#"{"type":"event","v":8,"event":{"kind":"closed","reason":"left"}}"#;
        assert!(
            matches!(shown(closed, None), Shown::End(event) if event.starts_with("event: event\nid: 8\n"))
        );
        let refused =
            r#"{"type":"refused","id":0,"code":"no_such_room","message":"there is none"}"#;
        let refusal = Refusal::new(RefusalCode::NoSuchRoom, "there is none");
        assert_eq!(shown(refused, None), Shown::Refused(refusal));
    }
}
