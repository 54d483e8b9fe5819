//! The stream of the log, as a starting node would find it.

use async_nats::HeaderMap;
use bytes::Bytes;
use futures::StreamExt;
use tokio::time::timeout;

use super::super::super::{ANSWER_TIME, Chain, Delivered, Finding};
use super::super::api::{self, Answer, ApiError, StreamCluster, StreamConfig, StreamInfo};
use super::super::{NatsConfig, follow, stream};
use super::Reached;

/// The sequence of a record that there never is: an append after it changes nothing.
const NEVER: u64 = i64::MAX as u64;

/// How often the newest record is asked for.
const TRIES: usize = 3;

/// Looks at the stream. Also returns its newest record, if it could be read.
pub(super) async fn look(
    server: &Reached,
    config: &NatsConfig,
) -> (Vec<Finding>, Option<Delivered>) {
    let name = api::stream_name(&config.prefix);
    let info = match stream::info(&server.requests, &config.prefix).await.flatten() {
        Ok(info) => info,
        Err(error) if error.code == api::NO_STREAM => {
            return (vec![can_be_made(server, &name, config.replicas).await], None);
        }
        Err(error) => return (vec![unknown(&name, &error)], None),
    };
    let wanted = StreamConfig::new(&config.prefix, config.replicas, config.max_bytes);
    let mut findings = match stream::compare(&wanted, &info.config) {
        Ok(()) => vec![Finding::Well(contents(&name, &info))],
        Err(problem) => vec![Finding::Problem(problem), Finding::Well(contents(&name, &info))],
    };
    findings.extend(info.cluster.as_ref().map(|cluster| replicas(&name, cluster)));
    findings.push(append(server, &name, &config.prefix).await);
    let newest = match newest(server, &config.prefix, info.state.last_seq).await {
        Ok(newest) => newest,
        Err(problem) => {
            findings.push(Finding::Problem(problem));
            None
        }
    };
    (findings, newest)
}

fn unknown(name: &str, error: &ApiError) -> Finding {
    Finding::Problem(format!(
        "whether the log {name} exists is not known ({}): JetStream must be switched on in NATS, more \
         than half of its servers must run and reach each other, and a node needs the rights of \
         packaging/cluster/nats.conf",
        error.description
    ))
}

/// Whether the first node may make the stream. The request names another stream than its subject, so that
/// nothing is made.
async fn can_be_made(server: &Reached, name: &str, replicas: u8) -> Finding {
    if replicas > 1 && server.info.cluster.is_none() {
        return Finding::Problem(format!(
            "the log {name} does not exist, and a node could not make it: NATS server {} is in no cluster, \
             and --cluster-replicas asks for {replicas} servers",
            server.address
        ));
    }
    let subject = format!("$JS.API.STREAM.CREATE.{name}");
    let body = Bytes::from(format!(r#"{{"name":"{name}-check"}}"#));
    let asked = stream::request::<StreamInfo>(&server.requests, subject, body).await;
    match asked {
        Ok(Err(error)) if error.code == api::OTHER_NAME => Finding::Well(format!(
            "the log {name} does not exist yet: the first node makes it, on {replicas} {}",
            if replicas == 1 { "server" } else { "servers" }
        )),
        Ok(Ok(_)) => Finding::Problem(format!("NATS has made a stream {name}-check: delete it")),
        Ok(Err(error)) | Err(error) => Finding::Problem(format!(
            "the log {name} does not exist, and a node could not make it ({}): JetStream must be switched \
             on, and a node needs the rights of packaging/cluster/nats.conf",
            error.description
        )),
    }
}

/// How full the stream is.
fn contents(name: &str, info: &StreamInfo) -> String {
    let (state, config) = (&info.state, &info.config);
    let limit = u64::try_from(config.max_bytes).unwrap_or(0);
    let discarded = match state.first_seq {
        0 | 1 => "all that there ever were".to_owned(),
        first => format!("the oldest is number {first}"),
    };
    format!(
        "the log {name} has {} records, {discarded}, and {} of {}",
        state.messages,
        size(state.bytes),
        size(limit)
    )
}

fn size(bytes: u64) -> String {
    let units = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => {
            let tenths = bytes.saturating_mul(10) / unit;
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} bytes"),
    }
}

/// Whether all servers that hold the stream have all of it.
fn replicas(name: &str, cluster: &StreamCluster) -> Finding {
    let Some(leader) = cluster.leader.as_ref().filter(|leader| !leader.is_empty()) else {
        return Finding::Problem(format!(
            "no NATS server leads the log {name} now: more than half of those that hold it must run"
        ));
    };
    let behind = cluster.replicas.iter().filter(|replica| replica.offline || !replica.current);
    let behind = behind.map(|replica| match (replica.offline, replica.lag) {
        (true, lag) => format!("{} is away ({lag} behind)", replica.name),
        (false, lag) => format!("{} is {lag} behind", replica.name),
    });
    let behind: Vec<_> = behind.collect();
    if !behind.is_empty() {
        let behind = behind.join(", ");
        return Finding::Problem(format!("{leader} leads the log {name}, but {behind}"));
    }
    let others: Vec<_> = cluster.replicas.iter().map(|replica| replica.name.as_str()).collect();
    Finding::Well(match others.as_slice() {
        [] => format!("{leader} alone holds the log {name}"),
        others => {
            format!("{leader} leads the log {name}, and {} have all of it too", others.join(", "))
        }
    })
}

/// Whether appends are answered. This one is refused, because it names a record that there never is.
async fn append(server: &Reached, name: &str, prefix: &str) -> Finding {
    let mut headers = HeaderMap::new();
    headers.insert(api::EXPECTED_LAST, NEVER.to_string());
    let subject = api::subject(prefix, Chain::Common);
    let answer = match server.requests.send(subject, Some(headers), Bytes::new()).await {
        Ok(answer) => api::answer_to_append(&answer.payload, NEVER),
        Err(error) => {
            return Finding::Problem(format!("the log {name} does not take records ({error})"));
        }
    };
    match answer {
        Answer::Again | Answer::Empty => {
            Finding::Well(format!("the log {name} answers who appends to it"))
        }
        Answer::Done(Err(error)) => {
            Finding::Problem(format!("the log {name} does not take records ({error})"))
        }
        Answer::Done(Ok(seq)) => Finding::Problem(format!(
            "the log {name} took record {seq} as the successor of one that there is not: report this"
        )),
    }
}

/// Reads the newest record as a node does, which tries again too.
async fn newest(server: &Reached, prefix: &str, last: u64) -> Result<Option<Delivered>, String> {
    if last == 0 {
        return Ok(None);
    }
    let mut problem = String::new();
    for _ in 0..TRIES {
        match read(server, prefix, last).await {
            Ok(record) => return Ok(Some(record)),
            Err(error) => problem = error,
        }
    }
    Err(format!("record {last}, the newest, cannot be read ({problem})"))
}

async fn read(server: &Reached, prefix: &str, seq: u64) -> Result<Delivered, String> {
    let following = follow::follow(server.client.clone(), &server.requests, prefix.into(), seq);
    let mut records = following.await.map_err(|error| error.to_string())?;
    match timeout(2 * ANSWER_TIME, records.next()).await {
        Ok(Some(record)) => record.map_err(|error| error.to_string()),
        Ok(None) | Err(_) => Err("it does not come".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_one_decimal() {
        let sizes = [(0, "0 bytes"), (1023, "1023 bytes"), (1 << 20, "1.0 MiB")];
        for (bytes, text) in sizes.into_iter().chain([((8 << 30) - 1, "7.9 GiB")]) {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn a_log_without_a_leader_or_with_a_slow_replica_is_a_problem() {
        let read = |json: &str| replicas("n-log", &serde_json::from_str(json).unwrap());
        let three = |other: &str| {
            format!(r#"{{"leader":"a","replicas":[{other},{{"name":"c","current":true}}]}}"#)
        };
        for (json, expected) in [
            (r#"{"leader":"a"}"#.to_owned(), Ok("a alone holds the log n-log")),
            (r#"{"replicas":[]}"#.to_owned(), Err("no NATS server leads the log n-log")),
            (r#"{"leader":""}"#.to_owned(), Err("no NATS server leads the log n-log")),
            (three(r#"{"name":"b","current":true}"#), Ok("a leads the log n-log, and b, c have")),
            (three(r#"{"name":"b","lag":7}"#), Err("a leads the log n-log, but b is 7 behind")),
            (
                three(r#"{"name":"b","offline":true,"lag":7}"#),
                Err("a leads the log n-log, but b is away (7 behind)"),
            ),
        ] {
            match (read(&json), expected) {
                (Finding::Well(text), Ok(start)) | (Finding::Problem(text), Err(start)) => {
                    assert!(text.starts_with(start), "{text}");
                }
                other => panic!("{json}: {other:?}"),
            }
        }
    }
}
