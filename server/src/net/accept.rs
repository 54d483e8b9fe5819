//! TCP connections until they are WebSockets: accepted, counted, perhaps encrypted, and given a
//! limited time for a request. The answer to a request is the router's.
//!
//! Not `axum::serve`: that has no limit on the time for a request's head, and cannot tell TLS from
//! plain HTTP on one port.

use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::config::Config;
use crate::limits::connection_rate::ConnectionRate;
use crate::limits::connections::{ConnectionLimiter, Permit};
use crate::limits::token_bucket::TokenBucket;
use crate::net::client_addr;
use crate::net::client_addr::ClientAddr;
use crate::net::client_stream::{ClientStream, Stream};
use crate::net::tls_accept;
use crate::net::tls_accept::Accepted;

/// How long a connection may take for its TLS handshake, then for a request's head, and between two
/// requests. It is up to a quarter less, so that a thousand connections that came at once do not end
/// at once.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Multiples of the golden ratio fill the circle evenly, however many there are.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;

/// The longest head of a request, in bytes: the least that hyper allows. A browser's is about 1 KiB.
const HEAD_BYTES: usize = 8 * 1024;

/// Connections that may exist beside the WebSockets, in all and from one address. They load a page,
/// ask for the list, or are told that the server is full.
const BESIDE_WEBSOCKETS: usize = 64;

/// Bytes that are read for each intent that a connection may send. The longest intent is under 600,
/// and a browser's request for a page is about as long.
const INTENT_BYTES: u32 = 1024;

/// The least burst of bytes, whatever the host allows: two heads of requests.
const LEAST_BURST: u32 = 2 * HEAD_BYTES as u32;

/// The answers to requests.
#[derive(Clone)]
pub(crate) struct Routers {
    pub(crate) app: Router,
    /// For plain HTTP where connections must be encrypted.
    pub(crate) use_tls: Router,
}

/// Accepts connections until the server stops.
pub(crate) struct Acceptor {
    pub(crate) routers: Routers,
    pub(crate) config: Arc<Config>,
    pub(crate) stop: CancellationToken,
    /// Where connections run.
    pub(crate) tasks: TaskTracker,
}

impl Acceptor {
    /// Accepts until the server stops. A connection beyond the limits is dropped without an answer.
    pub(crate) async fn run<L>(self, mut listener: L)
    where
        L: Listener<Addr = SocketAddr>,
    {
        let Self { routers, config, stop, tasks } = self;
        let most_per_address = config.max_per_address + BESIDE_WEBSOCKETS;
        let most = config.max_connections + BESIDE_WEBSOCKETS;
        let limiter = ConnectionLimiter::new(most, most_per_address);
        let mut rate = ConnectionRate::new(most_per_address);
        let began = Instant::now();
        let mut number = 0_u32;
        loop {
            let (stream, peer) = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            // In a rush of connections the tasks of the others get their turn.
            tokio::task::yield_now().await;
            let is_proxy = client_addr::is_trusted(peer.ip(), &config.trusted_proxies);
            let permit =
                if is_proxy { limiter.admit_proxy(peer.ip()) } else { limiter.admit(peer.ip()) };
            let permit = match permit {
                Ok(permit) => Arc::new(permit),
                Err(reached) => {
                    tracing::debug!(%peer, ?reached, "dropped a connection");
                    continue;
                }
            };
            let wait = match is_proxy {
                true => Duration::ZERO,
                false => rate.wait(permit.address(), began.elapsed()),
            };
            number = number.wrapping_add(1);
            let head_time = head_time(number);
            let connection =
                HttpConnection { config: Arc::clone(&config), peer, permit, head_time };
            let routers = routers.clone();
            let serving = async move {
                let tcp = (&stream as &dyn Any).downcast_ref::<TcpStream>();
                if has_turn(tcp, wait).await {
                    connection.run(stream, routers).await;
                }
            };
            let stopped = stop.clone().cancelled_owned();
            tasks.spawn(async move {
                tokio::select! {
                    biased;
                    () = stopped => {}
                    () = serving => {}
                }
            });
        }
    }
}

/// The time limit of the connection with a number.
fn head_time(number: u32) -> Duration {
    HEAD_TIME.mul_f64(1.0 - (f64::from(number) * GOLDEN_RATIO).fract() / 4.0)
}

/// A connection that was accepted and counted.
struct HttpConnection {
    config: Arc<Config>,
    peer: SocketAddr,
    /// Each request carries the permit on: a WebSocket outlives this.
    permit: Arc<Permit>,
    head_time: Duration,
}

impl HttpConnection {
    /// Makes the TLS handshake if the server has a certificate, then serves. A client that speaks
    /// plain HTTP to such a server is sent to https.
    ///
    /// The futures that it awaits are in boxes: a task is moved eleven times on its way into the runtime and out of
    /// it, and unboxed this one has 9 KiB, so that an open would copy 100 KiB.
    async fn run<Io: Stream>(self, stream: Io, routers: Routers) {
        let stream = ClientStream::new(
            stream,
            Arc::clone(&self.permit),
            self.config.intent_burst.saturating_mul(INTENT_BYTES).max(LEAST_BURST),
            self.config.intents_per_second.saturating_mul(INTENT_BYTES),
        );
        let Some(tls) = &self.config.tls else {
            return Box::pin(self.serve(stream, false, routers.app)).await;
        };
        let accepting = Box::pin(tls_accept::accept(stream, tls.server()));
        match timeout(self.head_time, accepting).await {
            Ok(Ok(Accepted::Tls(stream))) => {
                Box::pin(self.serve(stream, true, routers.app)).await;
            }
            Ok(Ok(Accepted::Plain(stream))) => {
                Box::pin(self.serve(stream, false, routers.use_tls)).await;
            }
            Ok(Err(error)) => tracing::debug!(peer = %self.peer, %error, "no TLS handshake"),
            Err(_) => tracing::debug!(peer = %self.peer, "no TLS handshake in time"),
        }
    }

    /// Serves until the connection ends or becomes a WebSocket, which has a task of its own. Requests
    /// are answered no faster than intents.
    async fn serve<Io: Stream>(&self, stream: Io, is_secure: bool, router: Router) {
        let config = &self.config;
        let rate = Mutex::new(TokenBucket::new(config.intent_burst, config.intents_per_second));
        let opened = Instant::now();
        let service = service_fn(move |request: Request<Incoming>| {
            let request = self.with_client(request.map(Body::new), is_secure);
            let wait = rate.lock().take(1.0, opened.elapsed());
            let router = router.clone();
            async move {
                pause(wait).await;
                router.oneshot(request).await
            }
        });
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.head_time)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        if let Err(error) = served.await {
            tracing::debug!(peer = %self.peer, %error, "a connection ended early");
        }
    }

    /// Adds what handlers need to know of the client.
    fn with_client(&self, mut request: Request<Body>, is_secure: bool) -> Request<Body> {
        let trusted = &self.config.trusted_proxies;
        let client = ClientAddr::of(self.peer.ip(), is_secure, request.headers(), trusted);
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(Arc::clone(&self.permit));
        request
    }
}

/// Waits for the turn of a connection. Returns false if its peer leaves before: it holds no descriptor and no
/// place for the seconds of its wait. Simulations have other streams than TCP.
async fn has_turn(tcp: Option<&TcpStream>, wait: Duration) -> bool {
    if wait.is_zero() {
        return true;
    }
    let Some(tcp) = tcp else {
        sleep(wait).await;
        return true;
    };
    tokio::select! {
        biased;
        () = peer_left(tcp) => false,
        () = sleep(wait) => true,
    }
}

/// Waits until the peer resets the connection, or closes it before it has sent anything. Reads nothing.
async fn peer_left(stream: &TcpStream) {
    if let Ok(1..) = stream.peek(&mut [0]).await {
        // Only an error ends this.
        let _ = stream.ready(Interest::ERROR).await;
    }
}

/// Sleeps, unless there is nothing to wait for: the shortest sleep takes a millisecond.
async fn pause(wait: Duration) {
    if !wait.is_zero() {
        sleep(wait).await;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::AsyncWriteExt;
    use tokio::net::{TcpListener, TcpStream};
    use tokio::time::timeout;

    use super::has_turn;

    const HOUR: Duration = Duration::from_secs(3600);

    /// Both ends of a connection over which the client has sent something.
    async fn connection(sent: &[u8]) -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        client.write_all(sent).await.unwrap();
        (client, listener.accept().await.unwrap().0)
    }

    /// Fails if a wait does not look at its connection: thousands that were reset held their descriptors.
    #[tokio::test]
    async fn a_connection_that_is_reset_while_it_waits_ends_at_once() {
        for sent in ["", "GET / HTT"] {
            let (client, server) = connection(sent.as_bytes()).await;
            let reset = async move {
                tokio::task::yield_now().await;
                client.set_zero_linger().unwrap();
                drop(client);
            };
            let waiting = async { tokio::join!(has_turn(Some(&server), HOUR), reset).0 };
            let had_turn = timeout(Duration::from_secs(60), waiting).await;
            assert_eq!(had_turn, Ok(false), "after {sent:?}");
        }
        let (client, server) = connection(b"").await;
        drop(client);
        let had_turn = timeout(Duration::from_secs(60), has_turn(Some(&server), HOUR)).await;
        assert_eq!(had_turn, Ok(false), "it was closed without a word");
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_stays_has_its_turn() {
        let (_client, server) = connection(b"GET / HTT").await;
        assert!(has_turn(Some(&server), HOUR).await);
        assert!(has_turn(None, HOUR).await);
    }
}
