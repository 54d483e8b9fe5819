//! Network faults between one client and a server: bytes are delayed or stall in one direction or
//! both, and connections are cut, half closed or half dead. As on TCP, bytes arrive in order and
//! without gaps up to the end of the connection; [`MessageFaults`] also lose and double whole
//! WebSocket messages. A seed decides every fault. The streams may be sockets or pipes in memory.

mod messages;

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::delay;
use crate::ordered_watch::OrderedWatch;
pub use messages::MessageFaults;
use messages::{Fate, FrameSplitter};

/// Chunks on their way in one direction; beyond that the sender waits, as with TCP.
const MAX_IN_FLIGHT: usize = 64;

/// How bad the network is.
#[derive(Debug, Clone, Copy, Default)]
pub struct FaultProfile {
    /// The longest delay of one direction; each connection draws its own.
    pub max_delay: Duration,
    /// The longest time between two faults.
    pub max_calm: Duration,
    /// The longest short stall.
    pub max_short_stall: Duration,
    /// The longest long stall; longer than the time after which either end gives the other up.
    pub max_long_stall: Duration,
    /// The faults of single messages.
    pub messages: MessageFaults,
}

/// The directions: from the client to the server, and back.
const UP: usize = 0;
const DOWN: usize = 1;

/// The faults between one client and the server; its clones share them.
#[derive(Debug, Clone)]
pub struct FaultInjector {
    profile: FaultProfile,
    rng: Arc<Mutex<StdRng>>,
    /// Whether bytes move, up and down. Bytes that cannot move wait.
    open: OrderedWatch<[bool; 2]>,
    links: Arc<Mutex<Vec<LinkState>>>,
    created: Instant,
    /// At most [`MAX_ARRIVALS`].
    arrived: Arc<Mutex<Vec<Arrival>>>,
}

/// A chunk that arrived: the time since the injector was made, the direction (0 is up), its bytes.
pub type Arrival = (Duration, usize, usize);

/// Arrivals that are recorded, the first of all.
const MAX_ARRIVALS: usize = 1 << 14;

/// The faults of one connection.
#[derive(Debug, Clone, Default)]
struct LinkState {
    /// It ends at once, and all chunks on their way are lost.
    cut: CancellationToken,
    /// Nothing arrives any more, and neither end is told.
    dead: [CancellationToken; 2],
    /// It ends once everything sent so far has arrived.
    closed: [CancellationToken; 2],
}

impl FaultInjector {
    /// Injects delays and message faults at once, and connection faults in [`FaultInjector::run`].
    #[must_use]
    pub fn new(profile: FaultProfile, seed: u64) -> Self {
        let rng = Arc::new(Mutex::new(StdRng::seed_from_u64(seed)));
        let created = Instant::now();
        let open = OrderedWatch::new([true; 2]);
        Self { profile, rng, open, links: Arc::default(), created, arrived: Arc::default() }
    }

    /// A random number from 0 to 1.
    #[must_use]
    pub fn chance(&self) -> f64 {
        self.rng.lock().random()
    }

    /// The first chunks that arrived.
    #[must_use]
    pub fn arrivals(&self) -> Vec<Arrival> {
        self.arrived.lock().clone()
    }

    fn record(&self, direction: usize, bytes: usize) {
        let mut arrived = self.arrived.lock();
        if arrived.len() < MAX_ARRIVALS {
            arrived.push((self.created.elapsed(), direction, bytes));
        }
    }

    fn up_to(&self, longest: Duration) -> Duration {
        longest.mul_f64(self.chance())
    }

    /// Injects one connection fault after another until `stop`; then the network is sound again.
    pub async fn run(&self, stop: &CancellationToken) {
        let injecting = async {
            loop {
                delay(self.up_to(self.profile.max_calm)).await;
                self.inject().await;
            }
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = injecting => {}
        }
        self.open.set([true; 2]);
        // A half-dead connection would hang until its ends give it up.
        self.cut();
    }

    async fn inject(&self) {
        let direction: usize = self.rng.lock().random_range(0..2);
        let fault = self.rng.lock().random_range(0..10);
        match fault {
            0..3 => self.cut(),
            3 => self.for_each_link(|link| link.closed[direction].cancel()),
            4 => self.for_each_link(|link| link.dead[direction].cancel()),
            5 => self.stall([direction != UP, direction != DOWN]).await,
            _ => self.stall([false; 2]).await,
        }
    }

    /// Lets bytes move only in these directions for a while; then all connections are cut or go on.
    async fn stall(&self, open: [bool; 2]) {
        let cuts = self.rng.lock().random();
        self.open.set(open);
        let FaultProfile { max_short_stall, max_long_stall, .. } = self.profile;
        let longest = if self.chance() < 0.8 { max_short_stall } else { max_long_stall };
        delay(self.up_to(longest)).await;
        if cuts {
            self.cut();
        }
        self.open.set([true; 2]);
    }

    /// Cuts all current connections.
    pub fn cut(&self) {
        self.for_each_link(|link| link.cut.cancel());
    }

    fn for_each_link(&self, act: impl Fn(&LinkState)) {
        let mut links = self.links.lock();
        links.iter().for_each(act);
        links.retain(|link| !link.cut.is_cancelled());
    }

    /// Waits until a connection can be made.
    pub async fn until_open(&self) {
        self.open.wait_for(|open| open == [true; 2]).await;
    }

    /// Forwards bytes between the two ends of one connection until it ends.
    pub async fn forward<C, S>(&self, client: C, server: S)
    where
        C: AsyncRead + AsyncWrite + Unpin,
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let link = LinkState::default();
        self.links.lock().push(link.clone());
        let longest = self.profile.max_delay;
        let delays = [self.up_to(longest), self.up_to(longest)];
        let (from_client, to_client) = tokio::io::split(client);
        let (from_server, to_server) = tokio::io::split(server);
        let both = async {
            tokio::join!(
                self.forward_one_way(from_client, to_server, UP, delays[UP], &link),
                self.forward_one_way(from_server, to_client, DOWN, delays[DOWN], &link),
            )
        };
        tokio::select! {
            biased;
            () = link.cut.cancelled() => {}
            _ = both => {}
        }
        // This also removes it from the list.
        link.cut.cancel();
        self.for_each_link(|_| {});
    }

    /// Forwards one direction: each chunk waits for its delay, and then until bytes may move.
    async fn forward_one_way(
        &self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
        direction: usize,
        delayed: Duration,
        link: &LinkState,
    ) {
        let (sent, mut chunks) = mpsc::channel::<(Instant, Vec<u8>)>(MAX_IN_FLIGHT);
        let sending = async move {
            let mut buffer = [0; 4096];
            let mut splitter = FrameSplitter::default();
            loop {
                let read = tokio::select! {
                    biased;
                    () = link.closed[direction].cancelled() => 0,
                    read = from.read(&mut buffer) => read.unwrap_or(0),
                };
                let Some(chunk) = self.after_message_faults(&buffer[..read], &mut splitter) else {
                    return link.cut.cancel();
                };
                // An empty chunk stands for the end of the stream.
                let is_to_send = read == 0 || !chunk.is_empty();
                let due = Instant::now() + delayed;
                if (is_to_send && sent.send((due, chunk)).await.is_err()) || read == 0 {
                    return;
                }
            }
        };
        let arriving = async {
            while let Some((due, chunk)) = chunks.recv().await {
                delay(due.saturating_duration_since(Instant::now())).await;
                self.open.wait_for(|open| open[direction]).await;
                if link.dead[direction].is_cancelled() {
                    std::future::pending::<()>().await;
                }
                self.record(direction, chunk.len());
                let arrived =
                    if chunk.is_empty() { to.shutdown().await } else { to.write_all(&chunk).await };
                if arrived.is_err() {
                    break;
                }
            }
            // The receiver is gone: the sender sees a closed connection.
            chunks.close();
            while chunks.recv().await.is_some() {}
        };
        tokio::join!(sending, arriving);
    }

    /// The bytes to send in place of those that were read; `None` cuts the connection.
    fn after_message_faults(&self, read: &[u8], splitter: &mut FrameSplitter) -> Option<Vec<u8>> {
        let faults = self.profile.messages;
        if faults == MessageFaults::NONE {
            return Some(read.to_vec());
        }
        let mut chunk = Vec::new();
        splitter.push(read);
        while let Some(frame) = splitter.next_frame() {
            let fate = if frame.is_message {
                faults.draw(&frame.bytes, || self.chance())
            } else {
                Fate::Arrives(1)
            };
            match fate {
                Fate::Arrives(times) => chunk.extend(frame.bytes.repeat(times)),
                Fate::CutsConnection => return None,
            }
        }
        Some(chunk)
    }
}
