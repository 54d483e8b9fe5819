//! Connections before they are sockets: accepted, counted, and given a limited time to say what
//! they want. What they may ask for is the router's.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep};
use tower::ServiceExt;

use super::arrivals::Arrivals;
use super::gate::{Gate, Pass};
use super::meter::Metered;
use super::pace::Bucket;
use crate::Shared;

/// How long a connection may take to send a request's head, and may idle between two requests.
/// It is up to a quarter less, by chance, so that a thousand that came at once do not end at once.
const HEAD_TIME: Duration = Duration::from_secs(10);

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

/// Accepts until the server stops. A connection beyond all limits is dropped without a word.
pub(crate) async fn run<L>(mut listener: L, router: Router, shared: Arc<Shared>)
where
    L: Listener<Addr = SocketAddr>,
{
    let config = &shared.config;
    let most_per_address = config.max_per_address + BESIDE_SOCKETS;
    let doors = Gate::new(config.max_connections + BESIDE_SOCKETS, most_per_address);
    let (mut arrivals, began) = (Arrivals::new(most_per_address), Instant::now());
    loop {
        let (stream, peer) = tokio::select! {
            () = shared.stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        // A crowd at the door waits, not those who are inside.
        tokio::task::yield_now().await;
        match doors.admit(peer.ip()) {
            Ok(pass) => {
                let wait = arrivals.wait(pass.address(), began.elapsed());
                let stream = Metered::new(
                    stream,
                    config.intent_burst.saturating_mul(INTENT_BYTES).max(LEAST_BYTES),
                    config.intents_per_second.saturating_mul(INTENT_BYTES),
                );
                let pace = Bucket::new(config.intent_burst, config.intents_per_second);
                let serving = serve(stream, peer, router.clone(), pass, pace);
                let serving = async move {
                    // Who goes while they wait is counted until their turn has come.
                    pause(wait).await;
                    serving.await;
                };
                let stopped = shared.stop.clone().cancelled_owned();
                shared.tasks.spawn(async move {
                    tokio::select! {
                        () = stopped => {}
                        () = serving => {}
                    }
                });
            }
            Err(refused) => tracing::debug!(%peer, ?refused, "dropped a connection"),
        }
    }
}

/// Serves one connection until it ends or has become a WebSocket, which then is on its own.
/// Its requests are answered at the `pace` of intents.
async fn serve<Io>(stream: Metered<Io>, peer: SocketAddr, router: Router, pass: Pass, pace: Bucket)
where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    // A WebSocket outlives this function, and the pass with it: the request carries it there.
    let pass = Arc::new(pass);
    let (opened, pace) = (Instant::now(), Mutex::new(pace));
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(Arc::clone(&pass));
        let wait = pace.lock().unwrap_or_else(PoisonError::into_inner).take(1.0, opened.elapsed());
        let router = router.clone();
        async move {
            pause(wait).await;
            router.oneshot(request).await
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME.mul_f64(1.0 - rand::random::<f64>() / 4.0))
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    if let Err(error) = served.await {
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}

/// Sleeps, unless there is nothing to wait for: the shortest sleep takes a millisecond.
async fn pause(wait: Duration) {
    if !wait.is_zero() {
        sleep(wait).await;
    }
}
