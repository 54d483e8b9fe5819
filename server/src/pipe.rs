//! A pipe: one WebSocket from a node to another one, for all its clients that have a room or a party there. The
//! node that dials is the clients' own ([`pipes`]); the other one is the owner of the rooms
//! (`connection/pipe`). A client has a *place* for each room or party, with a number that its own node draws.
//!
//! An event for many clients passes once, with their numbers. Nobody waits for a pipe: each end has a queue, and
//! a pipe whose queue is full, or that is silent for [`SILENCE`], has ended. A client that reads slowly fills its
//! own outbox at its own node, and nothing else.

mod pipes;

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use futures::{Sink, SinkExt, Stream, StreamExt};
use noughts_protocol::{
    BoardSpec, IntentId, PartyCode, PassCode, PlayerId, PlayerName, RoomCode, RoomSettings, Variant,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::outbox::{Delivery, PipeItem, PipeItems, PipeQueue};
pub(crate) use pipes::{NoAnswer, Pipes, RemotePlace, TICKET};

/// The longest message, in bytes: the snapshot of a large party has a tenth of it, the numbers of
/// [`BATCH`] places a two hundredth.
pub(crate) const MAX_MESSAGE: usize = 4 * 1024 * 1024;

/// The read buffer, in bytes. The library's own is 128 KiB, and is zeroed before each read.
pub(crate) const READ_BUFFER: usize = 8 * 1024;

/// How often each end sends something, and looks whether the other has.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// A pipe has ended when nothing has come for so long.
const SILENCE: Duration = Duration::from_secs(5);

/// How long a write may take.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// How long the other end has to answer a close frame.
const CLOSE_TIME: Duration = Duration::from_secs(2);

/// Items that are written at once.
const BATCH: usize = 4096;

/// A request of the clients' node to the other one. The first request for a place is
/// [`Request::Enter`], and the last one [`Request::Leave`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// The client comes in. It is answered once, by [`Told`].
    Enter {
        player: PlayerId,
        #[serde(flatten, with = "noughts_protocol::face")]
        name: PlayerName,
        address: IpAddr,
        door: Door,
    },
    /// A message of the client.
    Message(String),
    /// The client's `ping` to the room. The party's version is from where the client follows it.
    Ping { id: IntentId, party_v: Option<u64> },
    /// The version of the party, for a `ping`.
    PartyVersion(IntentId),
    /// The client has gone elsewhere. It gives up no seat by that.
    Leave,
}

/// How a client comes in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Door {
    /// By a message that leads into a room, or to a party.
    Message(String),
    /// Into the room of its game, by its party.
    Led(RoomCode),
    /// By a quick match with somebody who waits there. If nobody does, nothing is answered to the client.
    Match {
        id: IntentId,
        board: BoardSpec,
        #[serde(default)]
        variant: Variant,
        move_time_ms: Option<u32>,
        /// The intent was answered when the client began to wait.
        is_answered: bool,
    },
    /// Not at all: the client is to be taken out of the room or the party with a code.
    Forget(RoomCode),
    /// Not at all: it is asked who has made a pass, which is used up.
    Redeem(PassCode),
    /// Not at all: it is asked which of these players are connected.
    Here(Vec<PlayerId>),
    /// Not at all: the client asks a player, who may be connected there, to come into this room.
    Challenge { other: PlayerId, room: RoomCode, settings: RoomSettings },
    /// Not at all: the client says "not now" to this player, who may have asked there.
    Decline(PlayerId),
    /// Not at all: the client waits for a quick match at its own node, or has one, and no more there.
    EndWait,
}

/// A message about a place to the clients' node.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Told {
    /// The client is in this room.
    InRoom(RoomCode),
    /// The client follows this party.
    InParty(PartyCode),
    /// Neither. The client has its answer.
    Refused,
    /// Nobody waits for this quick match.
    NobodyWaits,
    /// Nobody of this name has a seat any more.
    Forgotten,
    /// The player of a pass.
    Redeemed(PlayerId, #[serde(with = "noughts_protocol::face")] PlayerName),
    /// The players who are connected.
    Here(Vec<PlayerId>),
    /// The party leads the client into this room.
    Led(RoomCode),
    /// The version of the party; `None` if the client does not follow it any more.
    PartyVersion(IntentId, Option<u64>),
    /// The client's connection is to be closed, with the code of this number.
    Closed(u16),
    /// Nothing more comes.
    End,
}

/// A frame of a pipe: for clients, or, of type `T`, for the node.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Piped<T> {
    /// For the clients of these places.
    Frame { places: Vec<u32>, is_best_effort: bool, text: String },
    /// For the node, about a place.
    Message(u32, T),
}

/// Passes both ways until the pipe ends. `hear` takes what has come. The pipe also ends when `is_open` says no. An
/// empty message says only that the node lives.
pub(crate) async fn run<T: DeserializeOwned, E>(
    mut socket: impl Stream<Item = Result<Bytes, E>> + Sink<Bytes> + Unpin,
    queue: PipeQueue,
    mut items: PipeItems,
    stop: CancellationToken,
    is_open: impl Fn() -> bool,
    mut hear: impl FnMut(Piped<T>),
) {
    let mut batch = Vec::new();
    let mut heard_at = Instant::now();
    let mut heartbeats = interval(HEARTBEAT);
    heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let messages = tokio::select! {
            biased;
            () = queue.overflowed() => break tracing::warn!("a pipe to another node was too slow"),
            _ = items.recv_many(&mut batch, BATCH) => encode(batch.drain(..)),
            heard = socket.next() => {
                let Some(Ok(message)) = heard else { break };
                heard_at = Instant::now();
                if !message.is_empty() {
                    match serde_json::from_slice(&message) {
                        Ok(piped) => hear(piped),
                        Err(error) => break tracing::error!(%error, "another node is not understood"),
                    }
                }
                continue;
            }
            _ = heartbeats.tick() => match heard_at.elapsed() < SILENCE && is_open() {
                true => vec![Bytes::new()],
                false => break,
            },
            () = stop.cancelled() => break,
        };
        let mut messages = futures::stream::iter(messages.into_iter().map(Ok));
        let writing = timeout(WRITE_TIME, socket.send_all(&mut messages));
        if !is_open() || !matches!(writing.await, Ok(Ok(()))) {
            break;
        }
    }
    let closing = async {
        // A reset would overtake what was sent last.
        if socket.close().await.is_ok() {
            while let Some(Ok(_)) = socket.next().await {}
        }
    };
    drop(timeout(CLOSE_TIME, closing).await);
}

/// A message to a node.
pub(crate) fn text(message: &impl Serialize) -> String {
    // Serialization cannot fail: no map is in it.
    serde_json::to_string(message).unwrap_or_default()
}

/// The items as messages. Places that get the same frame one after the other get it by one message.
fn encode(items: impl Iterator<Item = (u32, PipeItem)>) -> Vec<Bytes> {
    let mut items = items.peekable();
    let mut messages = Vec::new();
    while let Some((place, item)) = items.next() {
        let message = match item {
            PipeItem::Frame(frame, delivery) => {
                let mut places = vec![place];
                let is_same = |(_, item): &(u32, PipeItem)| matches!(item, PipeItem::Frame(other, _) if other.is_same(&frame));
                while let Some((place, _)) = items.next_if(is_same) {
                    places.push(place);
                }
                let is_best_effort = delivery == Delivery::BestEffort;
                text(&Piped::<()>::Frame { places, is_best_effort, text: frame.to_text() })
            }
            PipeItem::Message(text) => format!(r#"{{"Message":[{place},{text}]}}"#),
            PipeItem::End => text(&Piped::Message(place, Told::End)),
        };
        messages.push(message.into());
    }
    messages
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::io::duplex;
    use tokio_tungstenite::WebSocketStream;
    use tokio_tungstenite::tungstenite::protocol::Role;
    use tokio_tungstenite::tungstenite::{Error, Message};

    use super::*;
    use crate::outbox::Frame;

    #[test]
    fn places_with_the_same_frame_share_a_message() {
        let [event, other] = ["{}", "{}"].map(|text| Frame::from(text.to_owned()));
        let frame = |frame: &Frame| PipeItem::Frame(frame.clone(), Delivery::Required);
        let items = [
            (1, frame(&event)),
            (2, frame(&event)),
            (3, frame(&other)),
            (1, PipeItem::Message(text(&Told::Refused))),
            (1, frame(&event)),
            (1, PipeItem::End),
        ];
        let read = encode(items.into_iter()).into_iter().map(|message| {
            match serde_json::from_slice::<Piped<Told>>(&message).unwrap() {
                Piped::Frame { places, text, .. } => format!("{places:?} {text}"),
                Piped::Message(place, told) => format!("{place}: {told:?}"),
            }
        });
        let expected = ["[1, 2] {}", "[3] {}", "1: Refused", "[1] {}", "1: End"];
        assert_eq!(read.collect::<Vec<_>>(), expected);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pipe_that_is_silent_ends() {
        let (ours, theirs) = duplex(1 << 10);
        let ours = WebSocketStream::from_raw_socket(ours, Role::Server, None).await;
        let mut theirs = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
        let ours = ours.map(|message| message.map(Message::into_data));
        let ours = ours.with(|message| ready(Ok::<_, Error>(Message::Binary(message))));
        let (queue, items) = PipeQueue::new();
        let began = Instant::now();
        let running =
            run(ours, queue, items, CancellationToken::new(), || true, |_: Piped<Told>| {});
        let beating = async {
            for _ in 0..20 {
                theirs.send(Message::Binary(Bytes::new())).await.unwrap();
                drop(timeout(HEARTBEAT, pending::<()>()).await);
            }
            pending::<()>().await;
        };
        tokio::select! {
            () = running => {}
            () = beating => {}
        }
        let seconds = began.elapsed().as_secs();
        assert!((24..28).contains(&seconds), "{seconds}");
    }
}
