//! The owner's end of a pipe: the clients of another node, each place a session without a socket.

use std::collections::HashMap;
use std::future::ready;
use std::net::IpAddr;
use std::sync::Arc;

use axum::Error;
use axum::extract::ws::{Message, WebSocket};
use bytes::Bytes;
use futures::{SinkExt, StreamExt};
use noughts_protocol::CloseCode;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::actor::Client;
use crate::connection::session::Session;
use crate::limits::connections::Permit;
use crate::outbox::{PipeItem, PipeQueue, piped_outbox};
use crate::pipe::{self, Door, Piped, Request, Told, text};
use crate::state::Shared;

/// Requests of a client that may wait for its room. With more, its connection is closed: it must not keep the
/// others of its node waiting.
const REQUESTS: usize = 64;

/// Serves another node until the pipe ends.
pub(crate) async fn run(socket: WebSocket, shared: Arc<Shared>, tcp: Arc<Permit>) {
    tcp.set_lingers(true);
    let socket = socket.map(|message| match message {
        Ok(Message::Binary(message)) => Ok(message),
        Ok(Message::Close(_)) => Err(Error::new("closed")),
        Ok(_) => Ok(Bytes::new()),
        Err(error) => Err(error),
    });
    let socket = socket.with(|message| ready(Ok::<_, Error>(Message::Binary(message))));
    let (queue, items) = PipeQueue::new();
    let mut clients = PipedClients::new(Arc::clone(&shared), queue.clone());
    let is_open = || shared.lease.may_show();
    let hear = |piped| clients.hear(piped);
    let running = pipe::run(socket, queue, items, shared.stop.clone(), is_open, hear);
    shared.lease.guard(running).await;
}

/// The clients of another node; bounded by its clients.
pub(super) struct PipedClients {
    shared: Arc<Shared>,
    queue: PipeQueue,
    /// Where the requests for each place go. Dropping it ends the place.
    requests: HashMap<u32, mpsc::Sender<Request>>,
}

impl PipedClients {
    /// Nobody yet. Messages to clients go into the queue.
    pub(super) fn new(shared: Arc<Shared>, queue: PipeQueue) -> Self {
        Self { shared, queue, requests: HashMap::new() }
    }

    /// Takes a request.
    pub(super) fn hear(&mut self, piped: Piped<Request>) {
        match piped {
            Piped::Message(place, Request::Enter { player, name, address, door }) => {
                let Shared { metrics, tasks, lease, .. } = &*self.shared;
                let connection = self.shared.next_connection();
                let queue = self.queue.clone();
                let outbox = piped_outbox(connection, address, Arc::clone(metrics), queue, place);
                let (sender, requests) = mpsc::channel(REQUESTS);
                self.requests.insert(place, sender);
                let client = Client { player, name, outbox };
                let shared = Arc::clone(&self.shared);
                tasks.spawn(lease.guard(visit(shared, client, address, door, requests)));
            }
            Piped::Message(place, Request::Leave) => drop(self.requests.remove(&place)),
            Piped::Message(place, request) => {
                if let Some(requests) = self.requests.get(&place)
                    && let Err(TrySendError::Full(_)) = requests.try_send(request)
                {
                    let closed = text(&Told::Closed(CloseCode::TryAgainLater.number()));
                    self.queue.push(place, PipeItem::Message(closed));
                    self.requests.remove(&place);
                }
            }
            Piped::Frame { .. } => {}
        }
    }
}

/// A client's stay.
async fn visit(
    shared: Arc<Shared>,
    client: Client,
    address: IpAddr,
    door: Door,
    mut requests: mpsc::Receiver<Request>,
) {
    let outbox = client.outbox.clone();
    let mut session = Session::new(shared, address, client);
    let told = session.come_in(door).await;
    if !outbox.is_closed() {
        outbox.tell_node(text(&told));
        if !matches!(told, Told::InRoom(_) | Told::InParty(_)) {
            return;
        }
    }
    loop {
        tokio::select! {
            biased;
            code = outbox.closed() => {
                return outbox.tell_node(text(&Told::Closed(code.number())));
            }
            notification = session.next_notification() => {
                session.handle_notification(notification).await;
            }
            request = requests.recv() => match request {
                Some(request) => session.answer_node(request).await,
                None => return,
            },
        }
    }
}
