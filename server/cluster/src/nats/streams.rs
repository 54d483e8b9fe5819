//! The bucket and the stream of games in `JetStream`: made if they are missing, and refused if they
//! have settings that lose rooms or games.

use std::time::Duration;

use async_nats::jetstream::context::CreateStreamErrorKind;
use async_nats::jetstream::stream::{Config, DiscardPolicy, Stream};
use async_nats::jetstream::{Context, ErrorCode};
use tokio::time::{Instant, sleep};
use tracing::warn;

use super::connection::START_TIME;
use crate::{EngineError, Options};

/// The pause between two tries while the servers find each other.
const PAUSE: Duration = Duration::from_millis(250);

/// A repeat of a record within this time, known by its id, is not appended.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

/// NATS errors that need a host: no `JetStream`, too little room, or too few servers.
const FINAL: [ErrorCode; 6] = [
    ErrorCode::INSUFFICIENT_RESOURCES,
    ErrorCode::MEMORY_RESOURCES_EXCEEDED,
    ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT,
    ErrorCode::STORAGE_RESOURCES_EXCEEDED,
    ErrorCode::STREAM_REPLICAS_NOT_SUPPORTED,
    ErrorCode::JETSTREAM_NOT_ENABLED,
];

/// The bucket of a cluster, as the stream that it is. `discard`: it is full rather than without rooms.
pub(super) fn rooms(options: &Options) -> Config {
    let bucket = super::bucket(&options.name);
    Config {
        name: format!("KV_{bucket}"),
        subjects: vec![format!("$KV.{bucket}.>")],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        allow_message_ttl: true,
        ..games(options)
    }
}

/// The stream of a cluster's games.
pub(super) fn games(options: &Options) -> Config {
    Config {
        name: format!("{}-games", options.name),
        subjects: vec![super::games(&options.name)],
        max_messages_per_subject: -1,
        num_replicas: options.replicas.into(),
        deny_delete: true,
        duplicate_window: DUPLICATE_WINDOW,
        ..Config::default()
    }
}

/// Makes a stream, if it is missing.
pub(super) async fn ensure(context: &Context, wanted: Config) -> Result<Stream, EngineError> {
    let deadline = Instant::now() + START_TIME;
    let mut is_told = false;
    loop {
        let error = match context.get_or_create_stream(wanted.clone()).await {
            Ok(stream) => {
                compare(&wanted, &stream.cached_info().config)?;
                return Ok(stream);
            }
            Err(error) => error,
        };
        let Config { name, num_replicas, .. } = &wanted;
        let is_final = match error.kind() {
            CreateStreamErrorKind::JetStream(error) => FINAL.contains(&error.error_code()),
            _ => false,
        };
        if is_final || Instant::now() > deadline {
            return Err(EngineError(format!(
                "the stream {name} cannot be made: {error}. JetStream must be switched on in {num_replicas} \
                 or more NATS servers that reach each other and have room on their disks, and the user of \
                 --cluster needs the permissions of nats.conf for this --cluster-name"
            )));
        }
        if !is_told {
            warn!(%error, "the stream {name} cannot be made yet: trying again");
        }
        is_told = true;
        sleep(PAUSE).await;
    }
}

/// Says which setting of a stream is wrong, and what changes it.
fn compare(wanted: &Config, found: &Config) -> Result<(), EngineError> {
    let name = &wanted.name;
    let mut settings = flags(found).into_iter().zip(flags(wanted));
    let Some((has, wants)) = settings.find(|(has, wants)| has != wants) else { return Ok(()) };
    Err(EngineError(format!(
        "the stream {name} has the setting {has}, and this node needs {wants}: change it with \
         `nats stream edit {name} {wants}`, or choose what there is with --cluster-name and \
         --cluster-replicas"
    )))
}

/// The settings that matter, as options of the program `nats`.
fn flags(config: &Config) -> [String; 8] {
    let direct = if config.allow_direct { "--allow-direct" } else { "--no-allow-direct" };
    let ttl = if config.allow_message_ttl { "--allow-msg-ttl" } else { "--no-allow-msg-ttl" };
    [
        format!("--replicas={}", config.num_replicas),
        format!("--max-msgs-per-subject={}", config.max_messages_per_subject),
        format!("--subjects={}", config.subjects.join(",")),
        format!("--discard={:?}", config.discard).to_lowercase(),
        format!("--storage={:?}", config.storage).to_lowercase(),
        format!("--retention={:?}", config.retention).to_lowercase(),
        // A replica would answer reads, which may have an old value.
        direct.to_owned(),
        ttl.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_with_other_settings_is_refused_with_the_command_that_changes_it() {
        let wanted = Config {
            name: "KV_n-rooms".to_owned(),
            max_messages_per_subject: 1,
            num_replicas: 3,
            allow_message_ttl: true,
            ..Config::default()
        };
        assert_eq!(compare(&wanted, &wanted), Ok(()));
        for (other, command) in [
            (Config { num_replicas: 1, ..wanted.clone() }, "--replicas=3"),
            (Config { max_messages_per_subject: -1, ..wanted.clone() }, "--max-msgs-per-subject=1"),
            (Config { allow_message_ttl: false, ..wanted.clone() }, "--allow-msg-ttl"),
            (Config { allow_direct: true, ..wanted.clone() }, "--no-allow-direct"),
        ] {
            let advice = compare(&wanted, &other).unwrap_err().to_string();
            assert!(
                advice.contains(&format!("nats stream edit KV_n-rooms {command}`")),
                "{advice}"
            );
        }
    }
}
