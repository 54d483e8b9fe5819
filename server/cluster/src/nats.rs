//! The engine of a real cluster: NATS with `JetStream`, 2.11 or later.
//!
//! The bucket is the key-value bucket `NAME-rooms`, the stream is `NAME-games` with the subject `NAME.games`.
//! Messages between nodes are NATS messages on `NAME.all`, and all answers of NATS come on `NAME.inbox`.
//! `server/packaging/cluster/nats.conf` has all the permissions that a node needs.
//!
//! If the leader of the bucket is killed, nothing is put for 4 to 9 s, until the servers have elected
//! another one. If the server is killed at which a node reads a stream, the library notices it after 10 s.
//! The library keeps some 400 bytes for each request that never has an answer; a leader that is killed
//! leaves some.

mod connection;
mod streams;

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::push::OrderedConfig;
use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::kv::{self, CreateErrorKind, Operation, UpdateError, UpdateErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{Context, Message};
use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{self, BoxStream, StreamExt, TryStreamExt};
use tokio::time::{sleep, timeout};

use crate::{Engine, EngineError, Entry, Options, PutError, Record, Revision, Streaming};

/// How long a call takes, also if it needs several requests. A request waits two thirds of that for its answer.
const CALL_TIME: Duration = Duration::from_millis(450);

/// The pause before an unknown outcome is told: a caller that repeats at once does not take the
/// processor from the connection that comes back.
const UNKNOWN_PAUSE: Duration = Duration::from_millis(50);

/// How long NATS keeps the mark of a deleted key, for those that watch it.
const MARK_TIME: Duration = Duration::from_secs(60);

/// The values that a scan reads at once.
const SCAN_READS: usize = 16;

/// The engine of one node.
#[derive(Debug, Clone)]
pub struct NatsEngine {
    client: Client,
    context: Context,
    rooms: kv::Store,
    games: Stream,
    name: Arc<str>,
    call_time: Duration,
}

/// The name of a cluster's bucket.
fn bucket(name: &str) -> String {
    format!("{name}-rooms")
}

/// The subject of a cluster's games.
fn games(name: &str) -> String {
    format!("{name}.games")
}

/// The subject of what the nodes of a cluster tell each other.
fn messages(name: &str) -> String {
    format!("{name}.all")
}

impl NatsEngine {
    /// Connects to a server, and makes the bucket and the stream if there are none.
    ///
    /// # Errors
    /// If no server answers for half a minute, the servers refuse the node, or the bucket or the stream has
    /// settings that lose rooms or games. The words are for the host.
    pub async fn connect(options: &Options) -> Result<Self, EngineError> {
        Self::connect_with(options, CALL_TIME).await
    }

    /// Connects and disconnects, and makes nothing.
    ///
    /// # Errors
    /// If no server answers, or the servers refuse the node. The words are for the host.
    pub async fn check(options: &Options) -> Result<(), EngineError> {
        connection::connect(options, Duration::ZERO).await.map(drop)
    }

    /// The same with another limit for each call. Tests set one that a busy machine keeps.
    ///
    /// # Errors
    /// As [`NatsEngine::connect`].
    pub async fn connect_with(options: &Options, call_time: Duration) -> Result<Self, EngineError> {
        let answer_time = call_time * 2 / 3;
        let client = connection::connect(options, connection::START_TIME).await?;
        // An answer that never comes frees its place soon. The callers bound how many wait.
        let context = ContextBuilder::new()
            .timeout(answer_time)
            .ack_timeout(answer_time)
            .max_ack_inflight(1 << 20)
            .build(client.clone());
        streams::ensure(&context, streams::rooms(options)).await?;
        let games = streams::ensure(&context, streams::games(options)).await?;
        let rooms = context.get_key_value(bucket(&options.name)).await.map_err(failed)?;
        Ok(Self { client, context, rooms, games, name: options.name.as_str().into(), call_time })
    }

    /// A call that ends in time. Without a connection the library would send it when there is one again; by
    /// then it may be given up.
    fn call<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T, EngineError>> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, EngineError>> {
        if !self.is_connected() {
            return async { Err(EngineError("no NATS server is connected".to_owned())) }.boxed();
        }
        let call = timeout(self.call_time, call);
        async { call.await.unwrap_or_else(|_| Err(EngineError("no answer came".to_owned()))) }
            .boxed()
    }

    /// The same for a change of a value.
    fn change<T: Send + 'static>(
        &self,
        change: impl Future<Output = Result<T, PutError>> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, PutError>> {
        let call = self.call(async { Ok(change.await) });
        async {
            let outcome = call.await.unwrap_or_else(|EngineError(why)| Err(PutError::Unknown(why)));
            if matches!(outcome, Err(PutError::Unknown(_))) {
                sleep(UNKNOWN_PAUSE).await;
            }
            outcome
        }
        .boxed()
    }

    /// The names of the keys come from the leader, as each value does.
    async fn scan(
        rooms: kv::Store,
        prefix: String,
    ) -> Result<BoxStream<'static, Result<(String, Entry), EngineError>>, EngineError> {
        let filter = format!("{}{prefix}>", rooms.prefix);
        let keys = rooms.stream.info_with_subjects(filter).await.map_err(failed)?;
        let values = keys.map_err(failed).map_ok(move |(subject, _)| {
            let rooms = rooms.clone();
            async move {
                let key = subject.strip_prefix(&rooms.prefix).unwrap_or(&subject).to_owned();
                let entry = rooms.entry(&key).await.map_err(failed)?;
                Ok(entry.and_then(entry_of).map(|entry| (key, entry)))
            }
        });
        let values = values.try_buffer_unordered(SCAN_READS);
        Ok(values.try_filter_map(|value| async { Ok(value) }).boxed())
    }

    async fn follow(
        self,
        from: u64,
    ) -> Result<BoxStream<'static, Result<Record, EngineError>>, EngineError> {
        let next = from.max(1);
        let config = OrderedConfig {
            deliver_subject: self.client.new_inbox(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: next },
            ..OrderedConfig::default()
        };
        let consumer = self.games.create_consumer(config).await.map_err(failed)?;
        let messages = consumer.messages().await.map_err(failed)?;
        let records = stream::try_unfold((messages, next), |(mut messages, next)| async move {
            let Some(message) = messages.try_next().await.map_err(failed)? else { return Ok(None) };
            let record = record(&message)?;
            if record.number != next {
                let number = record.number;
                return Err(EngineError(format!("record {number} comes where {next} should")));
            }
            Ok(Some((record, (messages, next + 1))))
        });
        Ok(records.boxed())
    }
}

fn failed(error: impl Display) -> EngineError {
    EngineError(error.to_string())
}

/// An entry of the library; `None` for the mark of a deleted key.
fn entry_of(entry: kv::Entry) -> Option<Entry> {
    let kv::Entry { revision, created, value, operation, .. } = entry;
    (operation == Operation::Put).then(|| Entry { revision, stored: created.into(), value })
}

fn record(message: &Message) -> Result<Record, EngineError> {
    let number = message.info().map_err(failed)?.stream_sequence;
    Ok(Record { number, body: message.payload.clone() })
}

fn put_error(error: &UpdateError, expected: Revision) -> PutError {
    let text = error.to_string();
    let last = text.split("wrong last sequence: ").nth(1);
    let last = last.and_then(|last| last.split(' ').next()?.parse().ok()).unwrap_or(0);
    // A leader that was just elected, or is cut off, may not have the newest revision.
    let is_behind = (1..expected).contains(&last);
    if error.kind() == UpdateErrorKind::WrongLastRevision && !is_behind {
        return PutError::OtherRevision;
    }
    PutError::Unknown(text)
}

impl Engine for NatsEngine {
    fn get(&self, key: &str) -> BoxFuture<'static, Result<Option<Entry>, EngineError>> {
        let rooms = self.rooms.clone();
        let key = key.to_owned();
        // The leader alone answers: the bucket has no direct reads.
        self.call(async move {
            let entry = rooms.entry(key).await.map_err(failed)?;
            Ok(entry.and_then(entry_of))
        })
    }

    fn put(
        &self,
        key: &str,
        value: Bytes,
        expected: Revision,
    ) -> BoxFuture<'static, Result<Revision, PutError>> {
        let rooms = self.rooms.clone();
        let key = key.to_owned();
        self.change(async move {
            if expected > 0 {
                let put = rooms.update(key, value, expected).await;
                return put.map_err(|error| put_error(&error, expected));
            }
            // This also replaces the mark of a deleted key.
            rooms.create(key, value).await.map_err(|error| match error.kind() {
                CreateErrorKind::AlreadyExists => PutError::OtherRevision,
                _ => PutError::Unknown(error.to_string()),
            })
        })
    }

    fn overwrite(
        &self,
        key: &str,
        value: Bytes,
    ) -> BoxFuture<'static, Result<Revision, EngineError>> {
        let rooms = self.rooms.clone();
        let key = key.to_owned();
        self.call(async move { rooms.put(key, value).await.map_err(failed) })
    }

    fn delete(&self, key: &str, expected: Revision) -> BoxFuture<'static, Result<(), PutError>> {
        let rooms = self.rooms.clone();
        let key = key.to_owned();
        self.change(async move {
            let deleted = rooms.purge_expect_revision_with_ttl(key, expected, MARK_TIME).await;
            deleted.map_err(|error| put_error(&error, expected))
        })
    }

    fn scan(&self, prefix: &str) -> Streaming<Result<(String, Entry), EngineError>> {
        self.call(Self::scan(self.rooms.clone(), prefix.to_owned()))
    }

    fn watch(&self, prefix: &str) -> Streaming<Result<(String, Option<Entry>), EngineError>> {
        let rooms = self.rooms.clone();
        let keys = format!("{prefix}>");
        self.call(async move {
            let changes = rooms.watch_with_history(keys).await.map_err(failed)?;
            let changes = changes.map_err(failed);
            Ok(changes.map_ok(|entry| (entry.key.clone(), entry_of(entry))).boxed())
        })
    }

    fn append(&self, id: &str, body: Bytes) -> BoxFuture<'static, Result<u64, EngineError>> {
        let context = self.context.clone();
        let subject = games(&self.name);
        let message = PublishMessage::build().payload(body).message_id(id);
        self.call(async move {
            let sent = context.send_publish(subject, message).await.map_err(failed)?;
            Ok(sent.await.map_err(failed)?.sequence)
        })
    }

    fn follow(&self, from: u64) -> Streaming<Result<Record, EngineError>> {
        self.call(self.clone().follow(from))
    }

    fn bounds(&self) -> BoxFuture<'static, Result<(u64, u64), EngineError>> {
        let games = self.games.clone();
        self.call(async move {
            let state = games.get_info().await.map_err(failed)?.state;
            // A stream that never had a message says that its first one has number 0.
            Ok((state.first_sequence.max(1), state.last_sequence))
        })
    }

    fn publish(&self, body: Bytes) -> BoxFuture<'static, Result<(), EngineError>> {
        let client = self.client.clone();
        let subject = messages(&self.name);
        self.call(async move { client.publish(subject, body).await.map_err(failed) })
    }

    fn subscribe(&self) -> Streaming<Bytes> {
        let client = self.client.clone();
        let subject = messages(&self.name);
        self.call(async move {
            let messages = client.subscribe(subject).await.map_err(failed)?;
            Ok(messages.map(|message| message.payload).boxed())
        })
    }

    fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }
}
