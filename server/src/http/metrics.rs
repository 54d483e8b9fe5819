//! The port for metrics: `GET /metrics`, and nothing else. It is not the players' port, so that the
//! host can close it to players.

mod cluster;
mod collector;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tower::ServiceExt;

use crate::state::Shared;
use collector::ServerCollector;

/// Connections at once. Further ones wait until they are accepted.
const CONNECTIONS: usize = 8;

/// How long a connection may take for its one request, and to read the answer.
const TIME: Duration = Duration::from_secs(10);

/// `OpenMetrics`, the standardised form of Prometheus' text.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers until the server stops. Not `axum::serve`: that has no limit for connections and no time
/// limit for a request's head, and a listener that adds both is longer than this.
pub(crate) async fn run(mut listener: TcpListener, shared: Arc<Shared>) {
    let elsewhere = async || (StatusCode::NOT_FOUND, "there is only /metrics here\n");
    let router = Router::new()
        .route("/metrics", get(metrics))
        .fallback(elsewhere)
        .with_state(Arc::clone(&shared));
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    let answering = async {
        // The semaphore is never closed.
        while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
            let (stream, peer) = Listener::accept(&mut listener).await;
            let router = router.clone();
            let service = service_fn(move |request: Request<Incoming>| {
                router.clone().oneshot(request.map(Body::new))
            });
            let mut http = http1::Builder::new();
            let served = http.keep_alive(false).serve_connection(TokioIo::new(stream), service);
            let stop = shared.stop.clone();
            shared.tasks.spawn(async move {
                if let Some(Ok(Err(error))) = stop.run_until_cancelled(timeout(TIME, served)).await
                {
                    tracing::debug!(%peer, %error, "a reader of metrics left early");
                }
                drop(permit);
            });
        }
    };
    shared.stop.run_until_cancelled(answering).await;
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    // Counting the rooms reads every room, and moves must not wait for it.
    let text = tokio::task::spawn_blocking(move || {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(ServerCollector(shared)));
        let mut text = String::new();
        encode(&mut text, &registry).map(|()| text)
    });
    match text.await {
        Ok(Ok(text)) => ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Ok(Err(_)) | Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
