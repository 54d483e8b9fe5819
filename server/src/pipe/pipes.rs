//! The pipes that this node has dialed, one to each node, and the places of its clients there.

use std::collections::{HashMap, hash_map};
use std::future::{pending, ready};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use axum::http::{HeaderName, HeaderValue};
use bytes::Bytes;
use futures::{SinkExt, StreamExt};
use noughts_cluster::{NodeId, Peer};
use noughts_protocol::{ClientMessage, CloseCode, PartyCode, RoomCode};
use parking_lot::Mutex;
use tokio::sync::{OnceCell, mpsc};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Door, MAX_MESSAGE, Piped, READ_BUFFER, Request, Told, run, text};
use crate::actor::Client;
use crate::net::dial::Dialer;
use crate::outbox::{Delivery, Frame, Outbox, PipeItem, PipeQueue};

/// The header with the ticket of a pipe ([`crate::identity::ticket`]).
pub(crate) const TICKET: HeaderName = HeaderName::from_static("x-noughts-node");

/// How long the other node has to let a client in: it may wait for its store.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// The messages of a place that may wait for its client: answers to its pings.
const TOLD: usize = 64;

/// The pipes of this node; bounded by the nodes that live.
#[derive(Debug)]
pub(crate) struct Pipes {
    dialer: Dialer,
    pipes: Mutex<HashMap<NodeId, Arc<OnceCell<Arc<Pipe>>>>>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// A pipe to another node.
#[derive(Debug)]
struct Pipe {
    peer: Peer,
    queue: PipeQueue,
    places: Mutex<Places>,
}

/// The places of clients at the end of a pipe; bounded by the clients.
#[derive(Debug, Default)]
struct Places {
    last: u32,
    is_closed: bool,
    by_number: HashMap<u32, PipedClient>,
}

/// A client's room or party at the other node, until that says that nothing more comes.
#[derive(Debug)]
struct PipedClient {
    outbox: Outbox,
    /// `None` when the client has left: then only answers come.
    told: Option<mpsc::Sender<Told>>,
}

/// A client's room or party at another node. Dropping it is the departure.
#[derive(Debug)]
pub(crate) struct RemotePlace {
    pipe: Arc<Pipe>,
    number: u32,
    /// `None` until the client is there.
    code: Option<RoomCode>,
    told: mpsc::Receiver<Told>,
}

/// Why a client did not come to another node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// The node was not asked.
    Unreachable,
    /// Nobody knows what the node has done. The client is to be closed, and asks again.
    Broken,
}

impl Pipes {
    /// No pipes yet.
    pub(crate) fn new(
        authorities: Option<PathBuf>,
        stop: CancellationToken,
        tasks: TaskTracker,
    ) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let dialer = Dialer::new(authorities, config);
        Self { dialer, pipes: Mutex::default(), stop, tasks }
    }

    /// Brings a client to another node, to which `ticket` admits this one. Returns what is told first, and the
    /// client's place.
    ///
    /// # Errors
    /// If nothing is told.
    pub(crate) async fn enter(
        &self,
        peer: &Peer,
        ticket: String,
        client: Client,
        address: IpAddr,
        door: Door,
    ) -> Result<(Told, RemotePlace), NoAnswer> {
        let pipe = self.pipe(peer, ticket).await.map_err(|error| {
            tracing::info!(node = %peer.address, "no way to another node: {error:#}");
            NoAnswer::Unreachable
        })?;
        pipe.enter(client, address, door).await
    }

    /// The pipe to a node. Those who come while it is dialed wait for it.
    async fn pipe(&self, peer: &Peer, ticket: String) -> anyhow::Result<Arc<Pipe>> {
        let cell = {
            let mut pipes = self.pipes.lock();
            let is_used = |cell: &Arc<OnceCell<Arc<Pipe>>>| match cell.get() {
                Some(pipe) => !pipe.places.lock().is_closed,
                None => Arc::strong_count(cell) > 1,
            };
            pipes.retain(|_, cell| is_used(cell));
            Arc::clone(pipes.entry(peer.id).or_default())
        };
        cell.get_or_try_init(|| self.open(peer, ticket)).await.cloned()
    }

    async fn open(&self, peer: &Peer, ticket: String) -> anyhow::Result<Arc<Pipe>> {
        let header = HeaderValue::try_from(ticket)?;
        let socket = self.dialer.dial(&peer.address, (TICKET, header)).await?;
        let socket = socket.map(|message| match message {
            Ok(Message::Binary(message)) => Ok(message),
            Ok(Message::Close(_)) => Err(anyhow!("closed")),
            Ok(_) => Ok(Bytes::new()),
            Err(error) => Err(error.into()),
        });
        let socket = socket.with(|message| ready(anyhow::Ok(Message::Binary(message))));
        let (queue, items) = PipeQueue::new();
        let places = Mutex::default();
        let pipe = Arc::new(Pipe { peer: peer.clone(), queue: queue.clone(), places });
        let running = Arc::clone(&pipe);
        let stop = self.stop.clone();
        self.tasks.spawn(async move {
            let hear = |piped| running.hear(piped);
            run(socket, queue, items, stop, || running.is_used(), hear).await;
            running.close();
        });
        Ok(pipe)
    }
}

impl Pipe {
    async fn enter(
        self: Arc<Self>,
        client: Client,
        address: IpAddr,
        door: Door,
    ) -> Result<(Told, RemotePlace), NoAnswer> {
        let Client { player, name, outbox } = client;
        let (sender, told) = mpsc::channel(TOLD);
        let number = self.admit(PipedClient { outbox, told: Some(sender) });
        let number = number.ok_or(NoAnswer::Unreachable)?;
        let mut place = RemotePlace { pipe: self, number, code: None, told };
        place.ask(&Request::Enter { player, name, address, door });
        let told = timeout(ANSWER_TIME, place.told.recv()).await;
        let told = told.ok().flatten().ok_or(NoAnswer::Broken)?;
        place.code = match told {
            Told::InRoom(code) | Told::InParty(PartyCode(code)) => Some(code),
            _ => None,
        };
        Ok((told, place))
    }

    /// The number of a new place; `None` if the pipe has ended.
    fn admit(&self, client: PipedClient) -> Option<u32> {
        let mut places = self.places.lock();
        if places.is_closed {
            return None;
        }
        loop {
            places.last = places.last.wrapping_add(1);
            let number = places.last;
            if let hash_map::Entry::Vacant(free) = places.by_number.entry(number) {
                free.insert(client);
                return Some(number);
            }
        }
    }

    /// Whether there are places. If not, the pipe takes none any more.
    fn is_used(&self) -> bool {
        let mut places = self.places.lock();
        places.is_closed |= places.by_number.is_empty();
        !places.is_closed
    }

    /// Does what has come out of the pipe.
    fn hear(&self, piped: Piped<Told>) {
        let mut places = self.places.lock();
        let places = &mut places.by_number;
        match piped {
            Piped::Frame { places: to, is_best_effort, text } => {
                let frame = Frame::from(text);
                let delivery =
                    if is_best_effort { Delivery::BestEffort } else { Delivery::Required };
                for place in to.iter().filter_map(|number| places.get(number)) {
                    place.outbox.deliver(frame.clone(), delivery);
                }
            }
            Piped::Message(number, Told::End) => drop(places.remove(&number)),
            Piped::Message(number, told) => {
                let Some(PipedClient { outbox, told: Some(client) }) = places.get(&number) else {
                    return;
                };
                if let Told::Closed(code) = told {
                    outbox.close(CloseCode::from_number(code).unwrap_or(CloseCode::Restart));
                } else if client.try_send(told).is_err() {
                    outbox.close(CloseCode::Slow);
                }
            }
        }
    }

    /// The pipe has ended: the clients come back.
    fn close(&self) {
        let mut places = self.places.lock();
        places.is_closed = true;
        for (_, place) in places.by_number.drain().filter(|(_, place)| place.told.is_some()) {
            place.outbox.close(CloseCode::Restart);
        }
    }
}

impl RemotePlace {
    /// The node.
    pub(crate) fn peer(&self) -> &Peer {
        &self.pipe.peer
    }

    /// The code of the room or the party; `None` until the node has told it.
    pub(crate) const fn code(&self) -> Option<RoomCode> {
        self.code
    }

    /// Passes on a message of the client.
    pub(crate) fn send(&self, message: &ClientMessage) {
        self.ask(&Request::Message(text(message)));
    }

    /// Asks for something.
    pub(crate) fn ask(&self, request: &Request) {
        self.pipe.queue.push(self.number, PipeItem::Message(text(request)));
    }

    /// Waits until something is told. Cancel-safe.
    pub(crate) async fn told(&mut self) -> Told {
        match self.told.recv().await {
            Some(told) => told,
            // The pipe has ended, and the connection is about to.
            None => pending().await,
        }
    }
}

impl Drop for RemotePlace {
    fn drop(&mut self) {
        if let Some(place) = self.pipe.places.lock().by_number.get_mut(&self.number) {
            place.told = None;
        }
        self.ask(&Request::Leave);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use noughts_protocol::PlayerId;

    use super::*;
    use crate::metrics::Metrics;
    use crate::outbox::{ConnectionId, OutboxReader, PipeItems, outbox};

    fn pipe() -> (Arc<Pipe>, PipeItems) {
        let (queue, items) = PipeQueue::new();
        let peer = Peer { id: NodeId(2), address: String::new() };
        (Arc::new(Pipe { peer, queue, places: Mutex::default() }), items)
    }

    /// A client who comes to room number 1 of the other node.
    async fn client(pipe: &Arc<Pipe>, number: u32) -> (OutboxReader, RemotePlace) {
        let (outbox, reader) = outbox(
            ConnectionId(number.into()),
            Ipv4Addr::LOCALHOST.into(),
            Arc::new(Metrics::new()),
        );
        let client = Client { player: PlayerId(1), name: "Ada".parse().unwrap(), outbox };
        let door = Door::Led(RoomCode::from_number(1));
        let told =
            async { pipe.hear(Piped::Message(number, Told::InRoom(RoomCode::from_number(1)))) };
        let entering = Arc::clone(pipe).enter(client, [127, 0, 0, 1].into(), door);
        let (entered, ()) = tokio::join!(biased; entering, told);
        let (told, place) = entered.unwrap();
        assert!(matches!(told, Told::InRoom(_)));
        assert_eq!(place.code(), Some(RoomCode::from_number(1)));
        (reader, place)
    }

    fn event(places: &[u32]) -> Piped<Told> {
        let text = "{}".to_owned();
        Piped::Frame { places: places.to_vec(), is_best_effort: false, text }
    }

    #[tokio::test]
    async fn one_event_reaches_all_clients_and_who_has_left_still_gets_answers() {
        let (pipe, mut items) = pipe();
        let (mut ada, place) = client(&pipe, 1).await;
        let (mut bob, _place) = client(&pipe, 2).await;
        pipe.hear(event(&[1, 2, 3]));
        assert_eq!([ada.take().len(), bob.take().len()], [1, 1]);
        drop(place);
        for number in [1, 2] {
            pipe.hear(event(&[number]));
            pipe.hear(Piped::Message(number, Told::Closed(CloseCode::Slow.number())));
        }
        assert_eq!([ada.take().len(), bob.take().len()], [1, 1]);
        assert_eq!([ada.close_code(), bob.close_code()], [None, Some(CloseCode::Slow)]);
        let asked = std::iter::from_fn(|| items.try_recv().ok());
        let asked: Vec<_> = asked.map(|(number, _)| number).collect();
        assert_eq!(asked, [1, 2, 1], "two came and the first one went");
        pipe.hear(Piped::Message(1, Told::End));
        pipe.hear(event(&[1]));
        assert_eq!(ada.take().len(), 0);
    }

    #[tokio::test]
    async fn the_end_of_a_pipe_closes_who_is_there_and_it_takes_nobody_more() {
        let (pipe, _items) = pipe();
        let (ada, place) = client(&pipe, 1).await;
        let (bob, _place) = client(&pipe, 2).await;
        drop(place);
        assert!(pipe.is_used());
        pipe.close();
        assert_eq!([ada.close_code(), bob.close_code()], [None, Some(CloseCode::Restart)]);
        assert!(!pipe.is_used());
        let (outbox, _reader) =
            outbox(ConnectionId(3), Ipv4Addr::LOCALHOST.into(), Arc::new(Metrics::new()));
        assert_eq!(pipe.admit(PipedClient { outbox, told: None }), None);
    }
}
