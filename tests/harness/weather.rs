//! A bad network between one client and a server: bytes are late, stand still in one direction or
//! both, and connections are cut, half closed or half dead. As on TCP, what arrives is in order and
//! whole up to where it ends. Everything follows from a seed; the streams may be sockets or pipes
//! in memory.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::pace;
use crate::told::Told;

/// Pieces that may be on their way in one direction; beyond that the sender waits, as with TCP.
const ON_THEIR_WAY: usize = 64;

/// How bad it is.
#[derive(Debug, Clone, Copy)]
pub struct Climate {
    /// The longest way of a piece, one way; each connection draws its own.
    pub delay: Duration,
    /// The longest time without a trouble.
    pub calm: Duration,
    /// The longest short trouble.
    pub short: Duration,
    /// The longest long one; it should be beyond what the two ends wait for each other.
    pub long: Duration,
}

/// From the client to the server, or back.
const DIRECTIONS: [usize; 2] = [UP, DOWN];
const UP: usize = 0;
const DOWN: usize = 1;

/// The weather between one client and the server; its clones are the same.
#[derive(Debug, Clone)]
pub struct Weather {
    climate: Climate,
    rng: Arc<Mutex<StdRng>>,
    /// Whether bytes move, up and down. What cannot move waits.
    open: Told<[bool; 2]>,
    links: Arc<Mutex<Vec<Link>>>,
    begun: Instant,
    /// [`REMEMBERED`] at most.
    arrived: Arc<Mutex<Vec<Arrival>>>,
}

/// When a piece arrived after the weather began, up or down, and how many bytes it had.
pub type Arrival = (Duration, usize, usize);

/// Arrivals that are remembered, the first of all.
const REMEMBERED: usize = 1 << 14;

/// One connection's way.
#[derive(Debug, Clone, Default)]
struct Link {
    /// It ends at once, with all that is on its way.
    cut: CancellationToken,
    /// Nothing arrives any more, and nobody is told.
    dead: [CancellationToken; 2],
    /// It ends once everything so far has arrived.
    closed: [CancellationToken; 2],
}

#[derive(Debug, Clone, Copy)]
enum Trouble {
    Cut,
    HalfClose(usize),
    HalfDead(usize),
    /// Nothing moves in these directions for a while; then everything is cut, or goes on.
    Stall {
        stalled: [bool; 2],
        cut: bool,
    },
}

impl Weather {
    /// Fine weather, until [`Weather::rage`].
    #[must_use]
    pub fn new(climate: Climate, seed: u64) -> Self {
        let rng = Arc::new(Mutex::new(StdRng::seed_from_u64(seed)));
        let (begun, open) = (Instant::now(), Told::new([true; 2]));
        Self { climate, rng, open, links: Arc::default(), begun, arrived: Arc::default() }
    }

    /// A number from 0 to 1.
    ///
    /// # Panics
    /// Where another user of this panicked.
    #[must_use]
    pub fn chance(&self) -> f64 {
        self.rng.lock().unwrap().random()
    }

    /// The first pieces that arrived.
    ///
    /// # Panics
    /// Where another user of this panicked.
    #[must_use]
    pub fn arrivals(&self) -> Vec<Arrival> {
        self.arrived.lock().unwrap().clone()
    }

    fn note(&self, way: usize, bytes: usize) {
        let mut arrived = self.arrived.lock().unwrap();
        if arrived.len() < REMEMBERED {
            arrived.push((self.begun.elapsed(), way, bytes));
        }
    }

    fn up_to(&self, most: Duration) -> Duration {
        most.mul_f64(self.chance())
    }

    /// One trouble after the other, until `over`; then it is fine again.
    pub async fn rage(&self, over: &CancellationToken) {
        let raging = async {
            loop {
                pace(self.up_to(self.climate.calm)).await;
                self.trouble().await;
            }
        };
        tokio::select! {
            biased;
            () = over.cancelled() => {}
            () = raging => {}
        }
        self.open.tell([true; 2]);
        // What hangs for ever is not the weather's, but nobody wants to wait for that.
        self.cut();
    }

    async fn trouble(&self) {
        match self.draw() {
            Trouble::Cut => self.cut(),
            Trouble::HalfClose(way) => self.each(|link| link.closed[way].cancel()),
            Trouble::HalfDead(way) => self.each(|link| link.dead[way].cancel()),
            Trouble::Stall { stalled, cut } => {
                self.open.tell(stalled.map(|stalled| !stalled));
                let Climate { short, long, .. } = self.climate;
                let longest = if self.chance() < 0.8 { short } else { long };
                pace(self.up_to(longest)).await;
                if cut {
                    self.cut();
                }
                self.open.tell([true; 2]);
            }
        }
    }

    fn draw(&self) -> Trouble {
        let mut rng = self.rng.lock().unwrap();
        let way = DIRECTIONS[rng.random_range(0..2)];
        match rng.random_range(0..10) {
            0..3 => Trouble::Cut,
            3 => Trouble::HalfClose(way),
            4 => Trouble::HalfDead(way),
            5 => Trouble::Stall { stalled: [way == UP, way == DOWN], cut: rng.random() },
            _ => Trouble::Stall { stalled: [true; 2], cut: rng.random() },
        }
    }

    /// Cuts every connection there is now.
    pub fn cut(&self) {
        self.each(|link| link.cut.cancel());
    }

    fn each(&self, act: impl Fn(&Link)) {
        let mut links = self.links.lock().unwrap();
        links.iter().for_each(act);
        links.retain(|link| !link.cut.is_cancelled());
    }

    /// Waits until a connection can be made.
    pub async fn until_open(&self) {
        self.open.until(|open| open == [true; 2]).await;
    }

    /// Carries bytes between the two ends of one connection until it ends.
    pub async fn carry<C, S>(&self, client: C, server: S)
    where
        C: AsyncRead + AsyncWrite + Unpin,
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let link = Link::default();
        self.links.lock().unwrap().push(link.clone());
        let delays = [self.up_to(self.climate.delay), self.up_to(self.climate.delay)];
        let (from_client, to_client) = tokio::io::split(client);
        let (from_server, to_server) = tokio::io::split(server);
        let both = async {
            tokio::join!(
                self.one_way(from_client, to_server, UP, delays[UP], &link),
                self.one_way(from_server, to_client, DOWN, delays[DOWN], &link),
            )
        };
        tokio::select! {
            biased;
            () = link.cut.cancelled() => {}
            _ = both => {}
        }
        // It needs no place in the list any more.
        link.cut.cancel();
        self.each(|_| {});
    }

    /// One direction: what is read waits its time, and then until it may move.
    async fn one_way(
        &self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
        way: usize,
        delay: Duration,
        link: &Link,
    ) {
        let (sent, mut pieces) = mpsc::channel::<(Instant, Vec<u8>)>(ON_THEIR_WAY);
        let sending = async move {
            let mut buffer = [0; 4096];
            loop {
                let read = tokio::select! {
                    biased;
                    () = link.closed[way].cancelled() => 0,
                    read = from.read(&mut buffer) => read.unwrap_or(0),
                };
                let piece = buffer[..read].to_vec();
                if sent.send((Instant::now() + delay, piece)).await.is_err() || read == 0 {
                    return;
                }
            }
        };
        let arriving = async {
            while let Some((due, piece)) = pieces.recv().await {
                pace(due.saturating_duration_since(Instant::now())).await;
                self.open.until(|open| open[way]).await;
                if link.dead[way].is_cancelled() {
                    std::future::pending::<()>().await;
                }
                self.note(way, piece.len());
                let arrived =
                    if piece.is_empty() { to.shutdown().await } else { to.write_all(&piece).await };
                if arrived.is_err() {
                    break;
                }
            }
            // Nobody takes what still comes: the sender sees a closed connection.
            pieces.close();
            while pieces.recv().await.is_some() {}
        };
        tokio::join!(sending, arriving);
    }
}
