//! Following the log: a consumer of the stream that pushes to this connection. It must miss nothing, and
//! it must notice soon if nothing comes any more. So each message names the one before, and the server
//! sends heartbeats while there are none.

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, Message, Subscriber};
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::super::{Delivered, EngineError};
use super::api;
use super::requests::Requests;
use super::stream::request;

/// How often the server sends a heartbeat while there are no records.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// The silence after which the consumer is gone. With its server it would be.
const SILENCE: Duration = Duration::from_millis(1600);

/// How long the server keeps the consumer of a connection that is gone.
const KEPT: Duration = Duration::from_secs(5);

/// How the consumer is configured.
#[derive(Serialize)]
struct ConsumerConfig<'a> {
    name: &'a str,
    deliver_subject: &'a str,
    deliver_policy: &'a str,
    opt_start_seq: u64,
    ack_policy: &'a str,
    max_deliver: i64,
    replay_policy: &'a str,
    flow_control: bool,
    idle_heartbeat: u128,
    inactive_threshold: u128,
    num_replicas: u8,
    mem_storage: bool,
}

#[derive(Serialize)]
struct CreateConsumer<'a> {
    stream_name: &'a str,
    config: ConsumerConfig<'a>,
}

pub(super) async fn follow(
    client: Client,
    requests: &Requests,
    prefix: Arc<str>,
    from: u64,
) -> Result<BoxStream<'static, Result<Delivered, EngineError>>, EngineError> {
    let inbox = client.new_inbox();
    let messages = client.subscribe(inbox.clone()).await;
    let messages = messages.map_err(|error| EngineError(format!("cannot subscribe: {error}")))?;
    // The random end of the inbox is a name that no other consumer has.
    let name = inbox.rsplit('.').next().unwrap_or(&inbox);
    create(requests, &api::stream_name(&prefix), name, &inbox, from).await?;
    let following = Following { client, messages, prefix, next: from, delivered: 0 };
    let records = stream::unfold(Some(following), |following| async {
        let mut following = following?;
        let next = following.next().await;
        let then = next.is_ok().then_some(following);
        Some((next, then))
    });
    Ok(records.boxed())
}

async fn create(
    requests: &Requests,
    stream: &str,
    name: &str,
    inbox: &str,
    from: u64,
) -> Result<(), EngineError> {
    #[derive(Deserialize)]
    struct Created {
        #[serde(rename = "name")]
        _name: String,
    }
    let config = ConsumerConfig {
        name,
        deliver_subject: inbox,
        deliver_policy: "by_start_sequence",
        opt_start_seq: from,
        ack_policy: "none",
        max_deliver: 1,
        replay_policy: "instant",
        // Without it a server sends as fast as it can, and the library throws away what is too much.
        flow_control: true,
        idle_heartbeat: HEARTBEAT.as_nanos(),
        inactive_threshold: KEPT.as_nanos(),
        num_replicas: 1,
        mem_storage: true,
    };
    let body = serde_json::to_vec(&CreateConsumer { stream_name: stream, config });
    let body = body.map_err(|error| EngineError(error.to_string()))?;
    let subject = format!("$JS.API.CONSUMER.CREATE.{stream}.{name}");
    let created = request::<Created>(requests, subject, body.into()).await.flatten();
    let problem = created.err().map(|error| error.description);
    problem.map_or(Ok(()), |problem| Err(EngineError(format!("cannot follow the log: {problem}"))))
}

/// A consumer and what has come from it.
struct Following {
    client: Client,
    messages: Subscriber,
    prefix: Arc<str>,
    /// The number of the next record.
    next: u64,
    /// How many messages the consumer has delivered.
    delivered: u64,
}

impl Following {
    async fn next(&mut self) -> Result<Delivered, EngineError> {
        loop {
            let message = timeout(SILENCE, self.messages.next()).await;
            let message = message.map_err(|_| EngineError("the log is silent".to_owned()))?;
            let Some(message) = message else {
                return Err(EngineError("the connection is closed".to_owned()));
            };
            if message.status.is_none() {
                return self.deliver(message);
            }
            self.heed(message).await?;
        }
    }

    /// Takes a message that is no record: a heartbeat, or the end.
    async fn heed(&self, message: Message) -> Result<(), EngineError> {
        if message.status != Some(async_nats::StatusCode::IDLE_HEARTBEAT) {
            let reason = message.description.unwrap_or_default();
            return Err(EngineError(format!("the consumer is gone: {reason}")));
        }
        let header = |name| {
            let value = message.headers.as_ref()?.get(name)?;
            Some(value.as_str().to_owned())
        };
        // The server goes on when it hears that what it has sent so far was read.
        let sign = message.reply.as_ref().map(ToString::to_string).or_else(|| header(api::STALLED));
        if let Some(subject) = sign {
            // If the connection is lost, silence follows.
            drop(self.client.publish(subject, Bytes::new()).await);
        }
        let last = header(api::LAST_CONSUMER).and_then(|last| last.parse::<u64>().ok());
        if last.is_some_and(|last| last > self.delivered) {
            return Err(EngineError("records were lost on their way".to_owned()));
        }
        Ok(())
    }

    fn deliver(&mut self, message: Message) -> Result<Delivered, EngineError> {
        let place = message.reply.as_ref().and_then(|reply| api::place(reply));
        let place = place.ok_or_else(|| EngineError("a message has no place".to_owned()))?;
        if place.consumer != self.delivered + 1 {
            return Err(EngineError("records were lost on their way".to_owned()));
        }
        if place.stream != self.next {
            let last = place.stream.saturating_sub(1);
            return Err(EngineError(format!("the log has no records {} to {last}", self.next)));
        }
        let Some(chain) = api::chain(&self.prefix, &message.subject) else {
            return Err(EngineError(format!(
                "record {} has no chain: {}",
                self.next, message.subject
            )));
        };
        self.delivered += 1;
        self.next += 1;
        Ok(Delivered { seq: place.stream, chain, record: message.payload })
    }
}
