//! A pipe: the way of a connection to a room or a party of another node. The other end is a connection there,
//! without a `hello`, and limited by this one. Text frames are the client's, and pass in both directions as they
//! are. Binary frames are the nodes' own: a [`PipeRequest`] is answered by one [`PipeTold`], and each change of
//! the client's places there is told by one more.
//!
//! A pipe waits for each write, so a client that sends or reads slowly slows down itself alone.

use std::fmt;
use std::future::poll_fn;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};
use futures::{SinkExt, StreamExt};
use noughts_cluster::Peer;
use noughts_protocol::{BoardSpec, ClientMessage, CloseCode, IntentId, PartyCode, RoomCode};
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::identity::ticket::Ticket;
use crate::net::dial::NodeSocket;
use crate::outbox::{Frame, Outbox};
use crate::state::Shared;

/// The header with the [`Ticket`] of a pipe.
pub(crate) const TICKET: HeaderName = HeaderName::from_static("x-noughts-node");

/// How long a write may take, and the answer to a request: the other node may wait for its store.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// How long the other end has to answer a close frame.
const CLOSE_TIME: Duration = Duration::from_secs(2);

/// What one node asks the other.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum PipeRequest {
    /// A message of the client that leads into a room, or to a party.
    Message(String),
    /// The client has gone elsewhere. It gives up no seat by that.
    Leave { room: bool, party: bool },
    /// Pairs the client with somebody who waits there. If nobody does, nothing is answered to the client.
    Match {
        id: IntentId,
        board: BoardSpec,
        move_time_ms: Option<u32>,
        /// The intent was answered when the client began to wait.
        is_answered: bool,
    },
    /// The client's `ping` to the room there. The party is elsewhere.
    Ping { id: IntentId, party_v: Option<u64> },
    /// Nothing but an answer.
    State,
}

/// Where the client is at the other node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Places {
    pub(crate) room: Option<RoomCode>,
    pub(crate) party: Option<PartyCode>,
}

/// What the other node tells of the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PipeTold {
    pub(crate) places: Places,
    /// The version of the party there.
    pub(crate) party_v: Option<u64>,
    /// The outcome of a request; `None` if there was none.
    pub(crate) done: Option<bool>,
}

/// What comes out of a pipe.
#[derive(Debug)]
pub(crate) enum Piped {
    Frame(Frame),
    Told(PipeTold),
    /// The pipe has ended, and the client is to be closed with this code.
    Closed(CloseCode),
}

/// A pipe to another node.
pub(crate) struct Pipe {
    pub(crate) peer: Peer,
    /// `None` after the drop.
    socket: Option<NodeSocket>,
    /// Where the client is there.
    pub(crate) places: Places,
    /// Since when the client is nowhere there.
    pub(crate) idle_since: Option<Instant>,
    /// How often in a row the node was not among those that live.
    pub(crate) missed: u8,
}

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipe").field("peer", &self.peer).field("places", &self.places).finish()
    }
}

impl Pipe {
    /// A pipe to a node, for the person of a ticket.
    ///
    /// # Errors
    /// If the node cannot be reached.
    pub(crate) async fn open(
        shared: &Shared,
        peer: &Peer,
        ticket: &Ticket,
    ) -> anyhow::Result<Self> {
        let header = HeaderValue::try_from(shared.secret.sign(ticket))?;
        let socket = shared.dialer.dial(&peer.address, (TICKET, header)).await?;
        let places = Places::default();
        let idle_since = Some(Instant::now());
        Ok(Self { peer: peer.clone(), socket: Some(socket), places, idle_since, missed: 0 })
    }

    /// Passes on a message of the client.
    ///
    /// # Errors
    /// If the pipe has ended. The client is to be closed then.
    pub(crate) async fn forward(&mut self, message: &ClientMessage) -> Result<(), CloseCode> {
        self.send(Message::text(text(message))).await
    }

    /// Asks the other node, and passes on what comes before the answer.
    ///
    /// # Errors
    /// As [`Self::forward`].
    pub(crate) async fn ask(
        &mut self,
        request: &PipeRequest,
        outbox: &Outbox,
    ) -> Result<PipeTold, CloseCode> {
        self.send(Message::binary(text(request))).await?;
        let answered = async {
            loop {
                match self.next().await {
                    Piped::Frame(frame) => outbox.push(frame),
                    Piped::Told(told) if told.done.is_some() => return Ok(told),
                    // The answer has the places too.
                    Piped::Told(_) => {}
                    Piped::Closed(code) => return Err(code),
                }
            }
        };
        timeout(ANSWER_TIME, answered).await.unwrap_or(Err(CloseCode::Restart))
    }

    /// Notes where the client is at the other node.
    pub(crate) fn set_places(&mut self, places: Places) {
        self.places = places;
        let is_idle = places == Places::default();
        self.idle_since = is_idle.then(|| self.idle_since.unwrap_or_else(Instant::now));
    }

    /// Waits for what comes out of the pipe. Cancel-safe.
    async fn next(&mut self) -> Piped {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// What comes out of the pipe.
    pub(crate) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Piped> {
        let Some(socket) = &mut self.socket else {
            return Poll::Ready(Piped::Closed(CloseCode::Restart));
        };
        loop {
            return Poll::Ready(match ready!(socket.poll_next_unpin(context)) {
                // A text of its own, so that the read buffer can be used again.
                Some(Ok(Message::Text(text))) => Piped::Frame(text.as_str().to_owned().into()),
                Some(Ok(Message::Binary(bytes))) => match serde_json::from_slice(&bytes) {
                    Ok(told) => Piped::Told(told),
                    Err(error) => {
                        tracing::error!(%error, "another node has told what is not understood");
                        Piped::Closed(CloseCode::Internal)
                    }
                },
                Some(Ok(Message::Close(Some(frame)))) => {
                    let code = CloseCode::from_number(frame.code.into());
                    Piped::Closed(code.unwrap_or(CloseCode::Restart))
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Close(None)) | Err(_)) | None => Piped::Closed(CloseCode::Restart),
            });
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), CloseCode> {
        let Some(socket) = &mut self.socket else { return Err(CloseCode::Restart) };
        match timeout(ANSWER_TIME, socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(CloseCode::Restart),
        }
    }
}

impl Drop for Pipe {
    /// Closes the WebSocket in order: a reset would overtake what was sent last.
    fn drop(&mut self) {
        let (Some(mut socket), Ok(runtime)) = (self.socket.take(), Handle::try_current()) else {
            return;
        };
        runtime.spawn(timeout(CLOSE_TIME, async move {
            if socket.close(None).await.is_ok() {
                while let Some(Ok(_)) = socket.next().await {}
            }
        }));
    }
}

/// A message between nodes.
pub(crate) fn text(message: &impl Serialize) -> String {
    // Serialization cannot fail: no map is in it.
    serde_json::to_string(message).unwrap_or_default()
}
