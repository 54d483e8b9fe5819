//! The connection to NATS: how it begins, and how it comes back.

use std::future::ready;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use noughts_protocol::text::without_mark;
use percent_encoding::percent_decode_str;
use tokio::time::{Instant, sleep};
use tracing::{info, warn};

use crate::{EngineError, Options};

/// How long a starting node waits for NATS, which may start at the same time.
pub(super) const START_TIME: Duration = Duration::from_secs(30);

/// The longest pause between two tries to connect.
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// How often a silent server is asked whether it is still there. The third question without an answer
/// ends the connection.
const PING_INTERVAL: Duration = Duration::from_secs(1);

/// How long a try to connect may take.
const CONNECT_TIME: Duration = Duration::from_secs(2);

/// The size of a credentials file, in bytes, at which it is surely something else.
const MAX_CREDENTIALS: u64 = 64 * 1024;

/// Connects to one of the servers, if one takes the connection within this time. Each is tried at least once.
pub(super) async fn connect(options: &Options, time: Duration) -> Result<Client, EngineError> {
    let servers = servers(options)?;
    let deadline = Instant::now() + time;
    let mut attempt = 0;
    loop {
        let connecting = connect_options(options, &servers).await?;
        let error = match connecting.connect(servers.clone()).await {
            Ok(client) => return Ok(client),
            Err(error) => error,
        };
        let is_final = matches!(
            error.kind(),
            ConnectErrorKind::Authentication
                | ConnectErrorKind::AuthorizationViolation
                | ConnectErrorKind::ServerParse
        );
        if is_final || Instant::now() > deadline {
            return Err(EngineError(format!("no NATS server takes the connection: {error}")));
        }
        if attempt == 0 {
            warn!(%error, "no NATS server takes the connection yet");
        }
        attempt += 1;
        sleep(pause(attempt)).await;
    }
}

/// The pause before a try to connect, the first of which has number 1.
fn pause(attempt: usize) -> Duration {
    let doubled = u32::try_from(attempt.saturating_sub(1)).unwrap_or(u32::MAX).min(7);
    (Duration::from_millis(10) * 2_u32.pow(doubled)).min(MAX_PAUSE)
}

fn servers(options: &Options) -> Result<Vec<ServerAddr>, EngineError> {
    let parse = |url: &String| {
        url.parse().map_err(|error| EngineError(format!("bad address of a NATS server: {error}")))
    };
    options.urls.iter().map(parse).collect()
}

async fn connect_options(
    options: &Options,
    servers: &[ServerAddr],
) -> Result<ConnectOptions, EngineError> {
    let is_failing = AtomicBool::default();
    let mut connecting = ConnectOptions::new()
        .name("noughts-server")
        .custom_inbox_prefix(format!("{}.inbox", options.name))
        .connection_timeout(CONNECT_TIME)
        .ping_interval(PING_INTERVAL)
        .reconnect_delay_callback(pause)
        .event_callback(move |event| {
            if is_news(&event, &is_failing) {
                log(&event);
            }
            ready(())
        });
    let named = servers.iter().find_map(|server| Some((server.username()?, server.password()?)));
    if let Some((user, password)) = named {
        // A URL has an @ as %40.
        let [user, password] =
            [user, password].map(|text| percent_decode_str(text).decode_utf8_lossy().into_owned());
        connecting = connecting.user_and_password(user, password);
    }
    if let Some(file) = &options.authorities {
        connecting = connecting.add_root_certificates(file.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &options.certificate {
        connecting =
            connecting.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
    }
    let Some(file) = &options.credentials else { return Ok(connecting) };
    let unreadable = |error| EngineError(format!("cannot read {}: {error}", file.display()));
    let length = tokio::fs::metadata(file).await.map_err(unreadable)?.len();
    if length > MAX_CREDENTIALS {
        return Err(EngineError(format!("{} is too long for credentials", file.display())));
    }
    let text = tokio::fs::read_to_string(file).await.map_err(unreadable)?;
    let text = without_mark(&text);
    if text.contains("BEGIN NATS USER JWT") {
        return connecting.credentials(text).map_err(unreadable);
    }
    // The file of an nkey has its seed in a line, and may have comments around it.
    let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
    match seed {
        Some(seed) => Ok(connecting.nkey(seed.to_owned())),
        None => Err(EngineError(format!(
            "{} has neither NATS credentials nor the seed of a user's nkey",
            file.display()
        ))),
    }
}

/// Whether an event is to be logged. The library tries once a second for as long as NATS is away: of its failures
/// until the next connection only the first one. [`crate::retries`] says again what does not happen.
fn is_news(event: &Event, is_failing: &AtomicBool) -> bool {
    match event {
        Event::Connected => {
            is_failing.store(false, Ordering::Relaxed);
            true
        }
        Event::ServerError(_) | Event::ClientError(_) => !is_failing.swap(true, Ordering::Relaxed),
        _ => true,
    }
}

fn log(event: &Event) {
    match event {
        Event::Connected => info!("connected to NATS"),
        Event::Disconnected => warn!("the connection to NATS is lost"),
        Event::SlowConsumer(_) => warn!("messages of other nodes were lost: they came too fast"),
        Event::ServerError(error) => warn!(%error, "NATS reports an error"),
        Event::ClientError(error) => warn!(%error, "NATS cannot be reached"),
        Event::LameDuckMode | Event::Draining | Event::Closed => {}
    }
}

#[cfg(test)]
mod tests {
    use async_nats::ClientError;

    use super::*;

    #[test]
    fn of_the_failures_until_the_next_connection_the_first_is_logged() {
        let is_failing = AtomicBool::default();
        let failure = Event::ClientError(ClientError::Other("no way".to_owned()));
        let events = [&failure, &failure, &Event::Disconnected, &Event::Connected, &failure];
        let logged = events.map(|event| is_news(event, &is_failing));
        assert_eq!(logged, [true, false, true, true, true]);
    }
}
