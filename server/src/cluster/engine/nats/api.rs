//! The requests to `JetStream` and its answers: subjects, headers, JSON and error codes. Pure.

use serde::{Deserialize, Serialize};

use super::super::{AppendError, Chain};
use crate::shard::Shard;

/// The header that names the last sequence of a subject which an append follows.
pub(super) const EXPECTED_LAST: &str = "Nats-Expected-Last-Subject-Sequence";

/// The header of a heartbeat that names the last message of the consumer.
pub(super) const LAST_CONSUMER: &str = "Nats-Last-Consumer";

/// The header of a heartbeat that names a subject on which the consumer waits for a sign.
pub(super) const STALLED: &str = "Nats-Consumer-Stalled";

/// The stream does not exist.
pub(super) const NO_STREAM: u16 = 10059;

/// A stream of this name exists, and has another configuration.
pub(super) const STREAM_EXISTS: u16 = 10058;

/// A request to make a stream names another one than its subject.
pub(super) const OTHER_NAME: u16 = 10056;

/// Another message is the last of the subject; the answer names it.
const WRONG_LAST: u16 = 10071;

/// The message may be the successor, but one before it is still in progress.
const IN_PROGRESS: u16 = 10164;

/// The message is too long for the stream.
const TOO_LONG: u16 = 10054;

/// Whether a text can be a part of a subject and of the name of a stream.
pub(super) fn is_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !text.is_empty() && text.bytes().all(is_allowed)
}

/// The name of the stream.
pub(super) fn stream_name(prefix: &str) -> String {
    format!("{prefix}-log")
}

/// The subject of a chain.
pub(super) fn subject(prefix: &str, chain: Chain) -> String {
    match chain {
        Chain::Common => format!("{prefix}.log.common"),
        Chain::Shard(shard) => format!("{prefix}.log.{shard}"),
    }
}

/// The chain of a subject; `None` if there is no such chain.
pub(super) fn chain(prefix: &str, subject: &str) -> Option<Chain> {
    let name = subject.strip_prefix(prefix)?.strip_prefix(".log.")?;
    if name == "common" {
        return Some(Chain::Common);
    }
    let shard = Shard::try_from(name.parse::<u8>().ok()?).ok()?;
    Some(Chain::Shard(shard))
}

/// The meaning of an answer to an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// The outcome.
    Done(Result<u64, AppendError>),
    /// The same append, unchanged, once more.
    Again,
    /// The chain has no record, although the append names one.
    Empty,
}

/// An error of `JetStream`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ApiError {
    /// The kind of the error.
    #[serde(default, rename = "err_code")]
    pub(super) code: u16,
    /// It in words.
    #[serde(default)]
    pub(super) description: String,
}

impl ApiError {
    /// Something else went wrong, and may not the next time.
    pub(super) fn passing(error: &dyn std::error::Error) -> Self {
        Self { code: 0, description: error.to_string() }
    }

    /// Whether a stream cannot be made before somebody changes the servers: they have no `JetStream`, too
    /// little room, or are too few.
    pub(super) const fn is_final(&self) -> bool {
        matches!(self.code, 10023 | 10028 | 10039 | 10047 | 10074 | 10076)
    }
}

/// An answer that has an error or something else.
#[derive(Debug, Deserialize)]
pub(super) struct Response<T> {
    error: Option<ApiError>,
    #[serde(flatten)]
    content: Option<T>,
}

impl<T> Response<T> {
    /// The content, or the error.
    pub(super) fn into_result(self) -> Result<T, ApiError> {
        match (self.error, self.content) {
            (None, Some(content)) => Ok(content),
            (Some(error), _) => Err(error),
            (None, None) => {
                Err(ApiError { code: 0, description: "the answer is incomplete".to_owned() })
            }
        }
    }
}

/// Reads an answer to a request of `JetStream`.
pub(super) fn response<T: for<'a> Deserialize<'a>>(answer: &[u8]) -> Result<T, ApiError> {
    match serde_json::from_slice::<Response<T>>(answer) {
        Ok(response) => response.into_result(),
        Err(error) => Err(ApiError::passing(&error)),
    }
}

/// Reads the answer to an append after record `after`.
pub(super) fn answer_to_append(answer: &[u8], after: u64) -> Answer {
    #[derive(Deserialize)]
    struct Stored {
        seq: u64,
    }
    let error = match response::<Stored>(answer) {
        Ok(stored) => return Answer::Done(Ok(stored.seq)),
        Err(error) => error,
    };
    match error.code {
        WRONG_LAST => {
            let last = error.description.rsplit(' ').next().and_then(|last| last.parse().ok());
            match last {
                Some(0) if after > 0 => Answer::Empty,
                // A leader that has just been elected may not have all records yet.
                Some(last) if last < after => Answer::Again,
                Some(last) => Answer::Done(Err(AppendError::Outrun { last })),
                None => Answer::Done(Err(AppendError::Unknown(error.description))),
            }
        }
        IN_PROGRESS => Answer::Again,
        TOO_LONG => Answer::Done(Err(AppendError::Refused(error.description))),
        // All other errors pass: there is no leader, the disk is full, the server stops.
        _ => Answer::Done(Err(AppendError::Unknown(error.description))),
    }
}

/// A stream as it is configured, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StreamConfig {
    pub(super) name: String,
    #[serde(default)]
    pub(super) subjects: Vec<String>,
    pub(super) retention: String,
    pub(super) storage: String,
    pub(super) num_replicas: u8,
    pub(super) max_msgs: i64,
    pub(super) max_bytes: i64,
    pub(super) max_msgs_per_subject: i64,
    pub(super) max_age: i64,
    pub(super) discard: String,
    #[serde(default)]
    pub(super) deny_delete: bool,
    #[serde(default)]
    pub(super) deny_purge: bool,
}

impl StreamConfig {
    /// The stream of a cluster: it keeps everything while there is room.
    pub(super) fn new(prefix: &str, replicas: u8, max_bytes: u64) -> Self {
        Self {
            name: stream_name(prefix),
            subjects: vec![format!("{prefix}.log.>")],
            retention: "limits".to_owned(),
            storage: "file".to_owned(),
            num_replicas: replicas,
            max_msgs: -1,
            max_bytes: i64::try_from(max_bytes).unwrap_or(-1),
            max_msgs_per_subject: -1,
            max_age: 0,
            discard: "old".to_owned(),
            deny_delete: true,
            deny_purge: true,
        }
    }
}

/// A stream as it is.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StreamInfo {
    pub(super) config: StreamConfig,
    pub(super) state: StreamState,
    /// The servers that hold it; `None` of a server that is in no cluster.
    pub(super) cluster: Option<StreamCluster>,
}

/// The contents of a stream.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StreamState {
    pub(super) first_seq: u64,
    pub(super) last_seq: u64,
    #[serde(default)]
    pub(super) messages: u64,
    #[serde(default)]
    pub(super) bytes: u64,
}

/// The servers that hold a stream.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StreamCluster {
    /// The name of the one that leads; `None` while there is none.
    pub(super) leader: Option<String>,
    /// The others.
    #[serde(default)]
    pub(super) replicas: Vec<Replica>,
}

/// A server that holds a stream, and does not lead it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Replica {
    pub(super) name: String,
    /// Whether it has all messages.
    #[serde(default)]
    pub(super) current: bool,
    #[serde(default)]
    pub(super) offline: bool,
    /// How many operations it lacks.
    #[serde(default)]
    pub(super) lag: u64,
}

/// Where a message of a consumer stands: in the stream, and among those of the consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) stream: u64,
    pub(super) consumer: u64,
}

/// Reads the place of a message from its reply subject:
/// `$JS.ACK.[DOMAIN.ACCOUNT.]STREAM.CONSUMER.DELIVERED.STREAM_SEQ.CONSUMER_SEQ.TIME.PENDING[.TOKEN]`.
pub(super) fn place(reply: &str) -> Option<Place> {
    let tokens: Vec<&str> = reply.strip_prefix("$JS.ACK.")?.split('.').collect();
    let skipped = match tokens.len() {
        7 => 0,
        // A domain and an account, and later versions may add more at the end.
        9.. => 2,
        _ => return None,
    };
    let number = |index: usize| tokens.get(skipped + index)?.parse().ok();
    Some(Place { stream: number(3)?, consumer: number(4)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_names_its_chain() {
        let chains = Shard::all().map(Chain::Shard).chain([Chain::Common]);
        for one in chains {
            assert_eq!(chain("noughts", &subject("noughts", one)), Some(one));
        }
        for foreign in
            ["noughts.log.64", "noughts.log.x", "noughts.log", "other.log.1", "noughts.log.1.2"]
        {
            assert_eq!(chain("noughts", foreign), None, "{foreign}");
        }
    }

    #[test]
    fn the_answer_to_an_append_is_read() {
        let done = |outcome| Answer::Done(outcome);
        let outrun = |last| done(Err(AppendError::Outrun { last }));
        let error = |code: u16, text: &str| {
            format!(
                r#"{{"error":{{"code":400,"err_code":{code},"description":"{text}"}},"stream":"n-log","seq":0}}"#
            )
        };
        for (answer, expected) in [
            (r#"{"stream":"n-log","seq":12}"#.to_owned(), done(Ok(12))),
            (
                r#"{"stream":"n-log","domain":"hub","seq":12,"duplicate":true}"#.to_owned(),
                done(Ok(12)),
            ),
            (error(WRONG_LAST, "wrong last sequence: 9"), outrun(9)),
            // A leader that does not have record 7 yet.
            (error(WRONG_LAST, "wrong last sequence: 6"), Answer::Again),
            (error(WRONG_LAST, "wrong last sequence: 0"), Answer::Empty),
            (error(IN_PROGRESS, "wrong last sequence"), Answer::Again),
            (
                error(TOO_LONG, "message size exceeds maximum allowed"),
                done(Err(AppendError::Refused("message size exceeds maximum allowed".to_owned()))),
            ),
            (
                error(10077, "no space left on device"),
                done(Err(AppendError::Unknown("no space left on device".to_owned()))),
            ),
        ] {
            assert_eq!(answer_to_append(answer.as_bytes(), 7), expected, "{answer}");
        }
        for nonsense in ["", "{}", "[]", "null", r#"{"seq":-1}"#, r#"{"error":{}}"#, "\u{0}"] {
            let read = answer_to_append(nonsense.as_bytes(), 7);
            assert!(
                matches!(read, Answer::Done(Err(AppendError::Unknown(_)))),
                "{nonsense}: {read:?}"
            );
        }
    }

    #[test]
    fn the_place_of_a_message_is_read() {
        let expected = Some(Place { stream: 41, consumer: 7 });
        assert_eq!(place("$JS.ACK.n-log.abc.1.41.7.1700000000000000000.3"), expected);
        assert_eq!(place("$JS.ACK.hub.ACC.n-log.abc.1.41.7.1700000000000000000.3"), expected);
        assert_eq!(place("$JS.ACK.hub.ACC.n-log.abc.1.41.7.1700000000000000000.3.tok"), expected);
        for nonsense in ["", "$JS.ACK.", "$JS.ACK.a.b.c.d.e.f.g", "$JS.ACK.a.b.1.2", "_INBOX.x.1"] {
            assert_eq!(place(nonsense), None, "{nonsense}");
        }
    }
}
