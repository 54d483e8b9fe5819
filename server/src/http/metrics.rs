//! The port for metrics: `GET /metrics`, and nothing else. It is not the players' port, so that the
//! host can close it to players.

mod collector;
#[cfg(target_os = "linux")]
mod process;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

use crate::net::accept::Routers;
use crate::state::Shared;
use collector::ServerCollector;

/// Prometheus' own text, which all of its tools read.
const PROMETHEUS_TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The routes, with TLS and without. Connections have the limits of the players' port, but are counted by
/// themselves.
pub(crate) fn routers(shared: &Arc<Shared>) -> Routers {
    let elsewhere = async || (StatusCode::NOT_FOUND, "there is only /metrics here\n");
    let app = Router::new()
        .route("/metrics", get(metrics))
        .fallback(elsewhere)
        .with_state(Arc::clone(shared));
    Routers { use_tls: app.clone(), app }
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
        Ok(Ok(text)) => ([(CONTENT_TYPE, PROMETHEUS_TEXT)], prometheus_text(&text)).into_response(),
        Ok(Err(_)) | Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The text of `OpenMetrics` as Prometheus' own. There the name of a counter ends in `_total` in every line;
/// in `OpenMetrics` those of its help and its type do not, so that `promtool` finds no help.
fn prometheus_text(open_metrics: &str) -> String {
    let is_counter = |name: &str| open_metrics.contains(&format!("# TYPE {name} counter\n"));
    let line = |line: &str| {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        match words[..] {
            ["#", "EOF"] => String::new(),
            ["#", kind, name, rest] if is_counter(name) => {
                format!("# {kind} {name}_total {rest}\n")
            }
            _ => format!("{line}\n"),
        }
    };
    open_metrics.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::storage::Environment;
    use crate::{Args, Config};

    /// The rules of `promtool check metrics`, as far as they can be broken here.
    #[test]
    fn every_sample_has_help_under_its_name_and_counters_alone_are_totals() {
        let args = Args::parse_from(["noughts-server", "--ephemeral"]);
        let config = Config::try_from(&args).unwrap();
        let shared = Shared::new(config, Environment::REAL, |store| Arc::new(store)).unwrap();
        let mut registry = Registry::default();
        registry.register_collector(Box::new(ServerCollector(Arc::new(shared))));
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        let text = prometheus_text(&text);
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        assert!(samples.clone().any(|sample| sample == "noughts_moves_total 0"), "{text}");
        for sample in samples {
            let name = sample.split(['{', ' ']).next().unwrap();
            let parts = ["_bucket", "_sum", "_count"];
            let family = parts.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name);
            assert!(text.contains(&format!("# HELP {family} ")), "{name} has no help in\n{text}");
            let is_counter = text.contains(&format!("# TYPE {family} counter\n"));
            assert_eq!(is_counter, name.ends_with("_total"), "{name}");
        }
        assert!(!text.contains("EOF"));
    }
}
