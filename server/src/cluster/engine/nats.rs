//! The engine of a real cluster: NATS with `JetStream`.
//!
//! The log is one stream, on as many servers as it has replicas. A record is a message of it, on
//! `PREFIX.log.SHARD` or `PREFIX.log.common`, and its number is the message's sequence. The server takes
//! a record only while the last sequence of its subject is the one that the append names. Messages
//! between nodes are NATS messages without the stream, on `PREFIX.all` and `PREFIX.node.NAME`; answers to
//! a node come on `PREFIX.inbox`. [`Permissions`] has all subjects.
//!
//! Of the library this uses connections, subscriptions and the file formats of keys. The few requests
//! of `JetStream` are written out in [`api`]: the library's own push consumer gives a node no way to
//! notice that messages are missing, its pull consumer notices a lost server after 30 s, and its
//! requests are kept for ever if their answers are lost.
//!
//! A message to another node and back takes 0.3 ms. The leader of the log killed: 4 to 9 s without an
//! append, until the servers have elected another.

mod api;
mod connection;
mod follow;
mod monitor;
mod requests;
mod stream;
pub(super) mod survey;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::HeaderMap;
use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{BoxStream, StreamExt};
use tokio::time::{Instant, sleep, timeout};

use super::{ANSWER_TIME, AppendError, Bounds, Chain, Delivered, Engine, EngineError, Topic};
use api::Answer;
use requests::{RequestError, Requests};

/// How long an append waits for its answer, which 99 of 100 have within 10 ms. A leader that stops takes
/// one last append and never answers it: whoever waits for [`ANSWER_TIME`] there is silent for 0.7 s when a
/// server is merely restarted. A repeat does no harm if the first one was only slow, the chain sees to that.
const APPEND_TIME: Duration = Duration::from_millis(150);

/// How often an append is repeated unchanged that the server refuses although it may be the successor:
/// it does so in 1 to 10 of 100,000 that follow an answer at once.
const REPEATS: u32 = 10;

/// The pause before such a repeat.
const PAUSE: Duration = Duration::from_millis(2);

/// The pause before the next try if there is no connection, or the log has no leader, or the disk is
/// full: a caller that repeats at once does not take the processor from the one that connects.
const LONG_PAUSE: Duration = Duration::from_millis(50);

/// The rights that a node needs on the servers. It does nothing else there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permissions {
    /// The subjects to which it publishes.
    pub publish: Vec<String>,
    /// The subjects to which it subscribes.
    pub subscribe: Vec<String>,
}

impl Permissions {
    /// Those of a node of the cluster with this prefix.
    #[must_use]
    pub fn new(prefix: &str) -> Self {
        let stream = api::stream_name(prefix);
        let publish = vec![
            format!("{prefix}.log.*"),
            format!("{prefix}.all"),
            format!("{prefix}.node.*"),
            format!("{prefix}.inbox.>"),
            format!("$JS.API.STREAM.INFO.{stream}"),
            format!("$JS.API.STREAM.CREATE.{stream}"),
            format!("$JS.API.CONSUMER.CREATE.{stream}.>"),
            format!("$JS.FC.{stream}.>"),
        ];
        let subscribe =
            vec![format!("{prefix}.all"), format!("{prefix}.node.*"), format!("{prefix}.inbox.>")];
        Self { publish, subscribe }
    }
}

/// How a node reaches the servers of its cluster.
#[derive(Clone)]
pub struct NatsConfig {
    /// Addresses of servers, `nats://HOST:PORT` or `tls://HOST:PORT`, with `USER:PASSWORD@` if they ask
    /// for it. Those they tell of are used too.
    pub urls: Vec<String>,
    /// A file with credentials or with the seed of an nkey.
    pub credentials: Option<PathBuf>,
    /// A file with the certificates of authorities, instead of those of the system.
    pub authorities: Option<PathBuf>,
    /// Files with the node's own certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// The beginning of all subjects and the name of the stream: letters, digits, `-` and `_`. Two
    /// clusters on the same servers have different ones.
    pub prefix: String,
    /// On how many servers the log lies: 1, 3 or 5.
    pub replicas: u8,
    /// How many bytes of records the log holds. Then it discards the oldest.
    pub max_bytes: u64,
}

impl fmt::Debug for NatsConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An address may have a password in it.
        f.debug_struct("NatsConfig")
            .field("servers", &self.urls.len())
            .field("credentials", &self.credentials)
            .field("prefix", &self.prefix)
            .field("replicas", &self.replicas)
            .field("max_bytes", &self.max_bytes)
            .finish_non_exhaustive()
    }
}

/// The engine of one node.
#[derive(Debug, Clone)]
pub struct NatsEngine {
    client: async_nats::Client,
    requests: Arc<Requests>,
    prefix: Arc<str>,
}

impl NatsEngine {
    /// Connects to a server, and makes the stream if there is none.
    ///
    /// # Errors
    /// If no server answers for half a minute, the servers refuse the node, or the stream is not as it
    /// has to be.
    pub async fn connect(config: &NatsConfig) -> Result<Arc<dyn Engine>, EngineError> {
        let client = connection::connect(config).await?;
        let requests = Arc::new(Requests::new(client.clone()).await?);
        stream::ensure(&requests, config).await?;
        Ok(Arc::new(Self { client, requests, prefix: config.prefix.as_str().into() }))
    }

    async fn append(self, chain: Chain, after: u64, record: Bytes) -> Result<u64, AppendError> {
        let outcome = self.try_append(chain, after, record).await;
        if matches!(outcome, Err(AppendError::Unknown(_))) {
            sleep(LONG_PAUSE).await;
        }
        outcome
    }

    async fn try_append(
        &self,
        chain: Chain,
        after: u64,
        record: Bytes,
    ) -> Result<u64, AppendError> {
        let subject = api::subject(&self.prefix, chain);
        let deadline = Instant::now() + ANSWER_TIME;
        let mut repeats = 0;
        loop {
            let mut headers = HeaderMap::new();
            headers.insert(api::EXPECTED_LAST, after.to_string());
            let request = self.requests.send(subject.clone(), Some(headers), record.clone());
            let answer = timeout(APPEND_TIME, request).await;
            match answer.unwrap_or(Err(RequestError::NoAnswer)) {
                Ok(answer) => match api::answer_to_append(&answer.payload, after) {
                    Answer::Done(outcome) => return outcome,
                    Answer::Empty => return self.discarded(after).await,
                    Answer::Again if repeats == REPEATS => {
                        return Err(AppendError::Unknown(
                            "it is refused as out of order".to_owned(),
                        ));
                    }
                    Answer::Again => {
                        repeats += 1;
                        sleep(PAUSE).await;
                    }
                },
                Err(RequestError::NobodyAnswers | RequestError::NotConnected)
                    if Instant::now() < deadline =>
                {
                    sleep(LONG_PAUSE).await;
                }
                Err(RequestError::TooLong) => {
                    return Err(AppendError::Refused(RequestError::TooLong.to_string()));
                }
                Err(error) => return Err(AppendError::Unknown(error.to_string())),
            }
        }
    }

    /// The outcome of an append after a record of a chain that has none: they were discarded, or the
    /// leader does not have them yet.
    async fn discarded(&self, after: u64) -> Result<u64, AppendError> {
        match stream::bounds(&self.requests, &self.prefix).await {
            Ok(bounds) if after < bounds.first => Err(AppendError::Outrun { last: 0 }),
            Ok(_) => Err(AppendError::Unknown("the record before is not there".to_owned())),
            Err(error) => Err(AppendError::Unknown(error.to_string())),
        }
    }

    fn topic(&self, topic: &Topic) -> Result<String, EngineError> {
        match topic {
            Topic::All => Ok(format!("{}.all", self.prefix)),
            Topic::Node(name) if api::is_name(name) => Ok(format!("{}.node.{name}", self.prefix)),
            Topic::Node(name) => Err(EngineError(format!("{name:?} is no name of a node"))),
        }
    }

    async fn publish(self, topic: Topic, message: Bytes) -> Result<(), EngineError> {
        let subject = self.topic(&topic)?;
        // The library would keep it until there is a connection, and an old message is worse than none.
        if self.client.connection_state() != async_nats::connection::State::Connected {
            return Err(EngineError("no server is connected".to_owned()));
        }
        let sent = timeout(ANSWER_TIME, self.client.publish(subject, message)).await;
        let sent = sent.map_err(|_| EngineError("the connection takes no message".to_owned()))?;
        sent.map_err(|error| EngineError(format!("the message is not sent: {error}")))
    }

    async fn subscribe(self, topic: Topic) -> Result<BoxStream<'static, Bytes>, EngineError> {
        let subject = self.topic(&topic)?;
        let messages = self.client.subscribe(subject).await;
        let messages =
            messages.map_err(|error| EngineError(format!("cannot subscribe: {error}")))?;
        // A server does what a connection says in order: after this it knows the subscription.
        self.requests.round_trip().await?;
        Ok(messages.map(|message| message.payload).boxed())
    }
}

impl Engine for NatsEngine {
    fn append(
        &self,
        chain: Chain,
        after: u64,
        record: Bytes,
    ) -> BoxFuture<'static, Result<u64, AppendError>> {
        self.clone().append(chain, after, record).boxed()
    }

    fn bounds(&self) -> BoxFuture<'static, Result<Bounds, EngineError>> {
        let Self { requests, prefix, .. } = self.clone();
        async move { stream::bounds(&requests, &prefix).await }.boxed()
    }

    fn follow(
        &self,
        from: u64,
    ) -> BoxFuture<'static, Result<BoxStream<'static, Result<Delivered, EngineError>>, EngineError>>
    {
        let Self { client, requests, prefix } = self.clone();
        async move { follow::follow(client, &requests, prefix, from.max(1)).await }.boxed()
    }

    fn publish(&self, topic: Topic, message: Bytes) -> BoxFuture<'static, Result<(), EngineError>> {
        self.clone().publish(topic, message).boxed()
    }

    fn subscribe(
        &self,
        topic: Topic,
    ) -> BoxFuture<'static, Result<BoxStream<'static, Bytes>, EngineError>> {
        self.clone().subscribe(topic).boxed()
    }
}
