//! Connections before they are sockets: accepted, counted, and given a limited time to say what
//! they want. What they may ask for is the router's.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::header::{HeaderName, LOCATION};
use axum::http::{Request, StatusCode};
use axum::response::IntoResponse;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep, timeout};
use tower::ServiceExt;

use crate::Shared;
use crate::http::base_path::{Below, below};
use crate::limits::connection_rate::ConnectionRate;
use crate::limits::connections::{ConnectionLimiter, Permit};
use crate::limits::token_bucket::TokenBucket;
use crate::net::client_addr;
use crate::net::client_addr::ClientAddr;
use crate::net::linger::LingeringStream;
use crate::net::throttle::ThrottledStream;
use crate::net::tls_accept;
use crate::net::tls_accept::Opened;

/// How long a connection may take for its handshake and then to send a request's head, and may idle
/// between two requests. It is up to a quarter less, so that a thousand that came at once do not
/// end at once.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Multiples of the golden ratio fill the circle evenly, however many there are.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;

/// The longest head of a request, in bytes; a browser's is about 1 KiB. The least that hyper
/// allows.
const HEAD_BYTES: usize = 8 * 1024;

/// Connections that may exist beside the sockets, in all and from one address: enough for those
/// who load a page, ask for the list, or are to be told that there is no room for them.
const BESIDE_SOCKETS: usize = 64;

/// Bytes that are read for each intent that a connection may send: the longest is under 600, and
/// a browser's request for a page is about as long.
const INTENT_BYTES: u32 = 1024;

/// The least that is read at once, whatever the host allows: two heads of requests.
const LEAST_BYTES: u32 = 2 * HEAD_BYTES as u32;

/// Where to go instead.
type To = (StatusCode, [(HeaderName, String); 1]);

/// Accepts until the server stops. A connection beyond all limits is dropped without a word.
pub(crate) async fn run<L>(mut listener: L, router: Router, shared: Arc<Shared>)
where
    L: Listener<Addr = SocketAddr>,
{
    let config = &shared.config;
    let most_per_address = config.max_per_address + BESIDE_SOCKETS;
    let doors = ConnectionLimiter::new(config.max_connections + BESIDE_SOCKETS, most_per_address);
    let (mut arrivals, began) = (ConnectionRate::new(most_per_address), Instant::now());
    let mut number = 0_u32;
    loop {
        let (stream, peer) = tokio::select! {
            biased;
            () = shared.stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        // A crowd at the door waits, not those who are inside.
        tokio::task::yield_now().await;
        let is_proxy = client_addr::is_trusted(peer.ip(), &config.trusted_proxies);
        let pass = if is_proxy { doors.admit_proxy(peer.ip()) } else { doors.admit(peer.ip()) };
        match pass {
            Ok(pass) => {
                let wait = match is_proxy {
                    true => Duration::ZERO,
                    false => arrivals.wait(pass.address(), began.elapsed()),
                };
                let pass = Arc::new(pass);
                let stream = ThrottledStream::new(
                    LingeringStream::new(stream, Arc::clone(&pass)),
                    config.intent_burst.saturating_mul(INTENT_BYTES).max(LEAST_BYTES),
                    config.intents_per_second.saturating_mul(INTENT_BYTES),
                );
                number = number.wrapping_add(1);
                let head_time = head_time(number);
                let door = Door { shared: Arc::clone(&shared), peer, pass, head_time };
                let serving = door.open(stream, router.clone());
                let serving = async move {
                    // Who goes while they wait is counted until their turn has come.
                    pause(wait).await;
                    serving.await;
                };
                let stopped = shared.stop.clone().cancelled_owned();
                shared.tasks.spawn(async move {
                    tokio::select! {
                        biased;
                        () = stopped => {}
                        () = serving => {}
                    }
                });
            }
            Err(refused) => tracing::debug!(%peer, ?refused, "dropped a connection"),
        }
    }
}

/// How long the connection with a number may take to say what it wants.
fn head_time(number: u32) -> Duration {
    HEAD_TIME.mul_f64(1.0 - (f64::from(number) * GOLDEN_RATIO).fract() / 4.0)
}

/// A connection that was let in.
struct Door {
    shared: Arc<Shared>,
    peer: SocketAddr,
    /// A WebSocket outlives the door: each request carries the pass there.
    pass: Arc<Permit>,
    /// How long it may take to say what it wants.
    head_time: Duration,
}

impl Door {
    /// Makes the handshake where connections are encrypted, then serves. Who speaks plain HTTP
    /// there is told so.
    async fn open<Io>(self, stream: ThrottledStream<Io>, router: Router)
    where
        Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Some(tls) = &self.shared.config.tls else {
            return self.serve(stream, false, router).await;
        };
        match timeout(self.head_time, tls_accept::open(stream, tls.server())).await {
            Ok(Ok(Opened::Secure(stream))) => self.serve(stream, true, router).await,
            Ok(Ok(Opened::Plain(stream))) => {
                self.serve(stream, false, Router::new().fallback(tls_accept::use_tls)).await;
            }
            Ok(Err(error)) => tracing::debug!(peer = %self.peer, %error, "no handshake"),
            Err(_) => tracing::debug!(peer = %self.peer, "no handshake in time"),
        }
    }

    /// Serves one connection until it ends or has become a WebSocket, which then is on its own.
    /// Its requests are answered at the pace of intents.
    async fn serve<Io>(&self, stream: Io, is_secure: bool, router: Router)
    where
        Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let config = &self.shared.config;
        let pace = Mutex::new(TokenBucket::new(config.intent_burst, config.intents_per_second));
        let opened = Instant::now();
        let service = service_fn(move |request: Request<Incoming>| {
            let request = self.addressed(request.map(Body::new), is_secure);
            let wait =
                pace.lock().unwrap_or_else(PoisonError::into_inner).take(1.0, opened.elapsed());
            let router = router.clone();
            async move {
                pause(wait).await;
                match request {
                    Ok(request) => router.oneshot(request).await,
                    Err(redirect) => Ok(redirect.into_response()),
                }
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

    /// A request as the router knows it, with what its handlers are told of its sender.
    fn addressed(&self, mut request: Request<Body>, is_secure: bool) -> Result<Request<Body>, To> {
        let config = &self.shared.config;
        // Who is led to https:// is led to the whole path.
        let base = if config.tls.is_some() && !is_secure { "" } else { &config.base_path };
        *request.uri_mut() = match below(base, std::mem::take(request.uri_mut())) {
            Below::Path(uri) => uri,
            Below::Slash(place) => {
                return Err((StatusCode::TEMPORARY_REDIRECT, [(LOCATION, place)]));
            }
        };
        let (ip, trusted) = (self.peer.ip(), &config.trusted_proxies);
        let visitor = ClientAddr::of(ip, is_secure, request.headers(), trusted);
        request.extensions_mut().insert(visitor);
        request.extensions_mut().insert(Arc::clone(&self.pass));
        Ok(request)
    }
}

/// Sleeps, unless there is nothing to wait for: the shortest sleep takes a millisecond.
async fn pause(wait: Duration) {
    if !wait.is_zero() {
        sleep(wait).await;
    }
}
