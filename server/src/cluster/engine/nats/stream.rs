//! The stream that holds the log: made if it is missing, and refused if it is another one.

use std::time::Duration;

use bytes::Bytes;
use serde::Deserialize;
use tokio::time::{Instant, sleep};
use tracing::{info, warn};

use super::super::{Bounds, EngineError};
use super::NatsConfig;
use super::api::{self, ApiError, StreamConfig, StreamInfo};
use super::connection::START_TIME;
use super::requests::Requests;

/// The pause between two tries while the servers find each other.
const PAUSE: Duration = Duration::from_millis(250);

/// Makes the stream, if there is none.
pub(super) async fn ensure(requests: &Requests, config: &NatsConfig) -> Result<(), EngineError> {
    let NatsConfig { prefix, replicas, max_bytes, .. } = config;
    let wanted = StreamConfig::new(prefix, *replicas, *max_bytes);
    let deadline = Instant::now() + START_TIME;
    let mut is_told = false;
    loop {
        let problem = match try_ensure(requests, &wanted).await {
            Ok(found) => return compare(&wanted, &found).map_err(EngineError),
            Err(problem) => problem,
        };
        let (name, text, gib) = (&wanted.name, &problem.description, max_bytes >> 30);
        if problem.is_final() || Instant::now() > deadline {
            return Err(EngineError(format!(
                "the stream {name} cannot be made: {text}. JetStream must be switched on in {replicas} \
                 or more NATS servers that reach each other, and each must have {gib} GiB for it \
                 (max_file, and free on the disk); --cluster-log-size asks for less"
            )));
        }
        if !is_told {
            warn!(problem = text, "the stream {name} cannot be made yet: trying again");
        }
        is_told = true;
        sleep(PAUSE).await;
    }
}

async fn try_ensure(requests: &Requests, wanted: &StreamConfig) -> Result<StreamConfig, ApiError> {
    match ask(requests, "INFO", &wanted.name, Bytes::new()).await? {
        Ok(found) => return Ok(found.config),
        Err(error) if error.code == api::NO_STREAM => {}
        Err(error) => return Err(error),
    }
    let config = serde_json::to_vec(wanted).map_err(|error| ApiError::passing(&error))?;
    match ask(requests, "CREATE", &wanted.name, config.into()).await? {
        Ok(made) => {
            info!(
                stream = wanted.name,
                replicas = wanted.num_replicas,
                "the cluster's log was made"
            );
            Ok(made.config)
        }
        // Another node was faster, with other settings.
        Err(error) if error.code == api::STREAM_EXISTS => {
            let found = ask(requests, "INFO", &wanted.name, Bytes::new()).await?;
            found.map(|found| found.config)
        }
        Err(error) => Err(error),
    }
}

/// The stream as it is now.
pub(super) async fn info(
    requests: &Requests,
    prefix: &str,
) -> Result<Result<StreamInfo, ApiError>, ApiError> {
    ask(requests, "INFO", &api::stream_name(prefix), Bytes::new()).await
}

async fn ask(
    requests: &Requests,
    verb: &str,
    stream: &str,
    payload: Bytes,
) -> Result<Result<StreamInfo, ApiError>, ApiError> {
    request(requests, format!("$JS.API.STREAM.{verb}.{stream}"), payload).await
}

/// Sends a request to `JetStream` and reads its answer.
pub(super) async fn request<T: for<'a> Deserialize<'a>>(
    requests: &Requests,
    subject: String,
    payload: Bytes,
) -> Result<Result<T, ApiError>, ApiError> {
    let answer = requests.send(subject, None, payload).await;
    answer.map(|answer| api::response(&answer.payload)).map_err(|error| ApiError::passing(&error))
}

/// The range of records that the stream holds.
pub(super) async fn bounds(requests: &Requests, prefix: &str) -> Result<Bounds, EngineError> {
    let info = info(requests, prefix).await;
    let info = info.flatten().map_err(|error| EngineError(error.description))?;
    // A stream that never had a message says that its first one has number 0.
    Ok(Bounds { first: info.state.first_seq.max(1), last: info.state.last_seq })
}

/// Says what is wrong with a stream and what to do about it.
pub(super) fn compare(wanted: &StreamConfig, found: &StreamConfig) -> Result<(), String> {
    let name = &wanted.name;
    if found.num_replicas != wanted.num_replicas {
        let (has, wants) = (found.num_replicas, wanted.num_replicas);
        return Err(format!(
            "the stream {name} has {has} replicas, and this node is told of {wants}: tell all nodes \
             of {has}, or change the stream with `nats stream edit {name} --replicas {wants}`"
        ));
    }
    if found.max_bytes != wanted.max_bytes {
        let (has, wants) = (found.max_bytes, wanted.max_bytes);
        return Err(format!(
            "the stream {name} holds {has} bytes, and this node is told of {wants}: tell all nodes of \
             {has}, or change the stream with `nats stream edit {name} --max-bytes {wants}`"
        ));
    }
    if found != wanted {
        return Err(format!(
            "the stream {name} has other settings than the log of a cluster: name another prefix, or \
             delete it if it is not needed. It should be {wanted:?} and is {found:?}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_stream_is_refused_with_advice() {
        let wanted = StreamConfig::new("noughts", 3, 1 << 33);
        assert_eq!(compare(&wanted, &wanted), Ok(()));
        let fewer = StreamConfig { num_replicas: 1, ..wanted.clone() };
        let advice = compare(&wanted, &fewer).unwrap_err();
        assert!(advice.contains("nats stream edit noughts-log --replicas 3"), "{advice}");
        let longer = StreamConfig { max_bytes: 1 << 34, ..wanted.clone() };
        let advice = compare(&wanted, &longer).unwrap_err();
        assert!(advice.contains("nats stream edit noughts-log --max-bytes 8589934592"), "{advice}");
        for other in [
            StreamConfig { max_age: 60_000_000_000, ..wanted.clone() },
            StreamConfig { max_msgs: 1000, ..wanted.clone() },
            StreamConfig { storage: "memory".to_owned(), ..wanted.clone() },
            StreamConfig { retention: "workqueue".to_owned(), ..wanted.clone() },
            StreamConfig { subjects: vec!["noughts.>".to_owned()], ..wanted.clone() },
            StreamConfig { deny_purge: false, ..wanted.clone() },
        ] {
            let advice = compare(&wanted, &other).unwrap_err();
            assert!(advice.contains("name another prefix"), "{advice}");
        }
    }
}
