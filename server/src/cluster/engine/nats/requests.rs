//! Requests to a server and their answers. All answers come to one subscription; a request that is given
//! up leaves nothing behind.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_nats::client::PublishErrorKind;
use async_nats::connection::State;
use async_nats::{Client, HeaderMap, Message, StatusCode, Subscriber};
use bytes::Bytes;
use futures::StreamExt;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::super::{ANSWER_TIME, EngineError};

/// Those that wait for answers. There are as many as requests of this node are in progress: one append
/// for each chain, and the few that look after the stream and its consumers.
type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Message>>>>;

/// Sends requests over a connection.
#[derive(Debug)]
pub(super) struct Requests {
    client: Client,
    inbox: String,
    next: AtomicU64,
    waiting: Waiting,
    _answers: AbortOnDropHandle<()>,
}

/// Why a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum RequestError {
    /// It may have arrived.
    #[error("no answer came")]
    NoAnswer,
    /// It has not arrived: nobody serves its subject, for example while the stream has no leader.
    #[error("nobody serves the request")]
    NobodyAnswers,
    /// It was not sent, and never can be.
    #[error("it is longer than the servers allow")]
    TooLong,
    /// It was not sent.
    #[error("no server is connected")]
    NotConnected,
}

impl From<RequestError> for EngineError {
    fn from(error: RequestError) -> Self {
        Self(error.to_string())
    }
}

impl Requests {
    pub(super) async fn new(client: Client) -> Result<Self, EngineError> {
        let inbox = client.new_inbox();
        let answers = client.subscribe(format!("{inbox}.*")).await;
        let answers = answers.map_err(|error| EngineError(format!("cannot subscribe: {error}")))?;
        let waiting = Waiting::default();
        let reading = tokio::spawn(read(answers, waiting.clone()));
        let answers = AbortOnDropHandle::new(reading);
        Ok(Self { client, inbox, next: AtomicU64::new(0), waiting, _answers: answers })
    }

    /// Sends a request and waits for its answer.
    pub(super) async fn send(
        &self,
        subject: String,
        headers: Option<HeaderMap>,
        payload: Bytes,
    ) -> Result<Message, RequestError> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().insert(number, answer);
        let _entry = Entry { waiting: &self.waiting, number };
        let reply = format!("{}.{number}", self.inbox);
        let exchange = async {
            // The library would send it when there is a connection; by then it may be given up.
            if self.client.connection_state() != State::Connected {
                return Err(RequestError::NotConnected);
            }
            let sent = match headers {
                None => self.client.publish_with_reply(subject, reply, payload).await,
                Some(headers) => {
                    let client = &self.client;
                    client.publish_with_reply_and_headers(subject, reply, headers, payload).await
                }
            };
            match sent {
                Ok(()) => answered.await.map_err(|_| RequestError::NoAnswer),
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                    Err(RequestError::TooLong)
                }
                Err(_) => Err(RequestError::NotConnected),
            }
        };
        let answer = timeout(ANSWER_TIME, exchange).await.map_err(|_| RequestError::NoAnswer)??;
        if answer.status == Some(StatusCode::NO_RESPONDERS) {
            return Err(RequestError::NobodyAnswers);
        }
        Ok(answer)
    }

    /// Waits until the server has done everything that this connection has said so far.
    pub(super) async fn round_trip(&self) -> Result<(), RequestError> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().insert(number, answer);
        let _entry = Entry { waiting: &self.waiting, number };
        let message = self.client.publish(format!("{}.{number}", self.inbox), Bytes::new());
        let exchange = async {
            message.await.map_err(|_| RequestError::NotConnected)?;
            answered.await.map(drop).map_err(|_| RequestError::NoAnswer)
        };
        timeout(ANSWER_TIME, exchange).await.map_err(|_| RequestError::NoAnswer)?
    }
}

/// A request among those that wait. Dropping it removes the request.
struct Entry<'a> {
    waiting: &'a Waiting,
    number: u64,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.waiting.lock().remove(&self.number);
    }
}

async fn read(mut answers: Subscriber, waiting: Waiting) {
    while let Some(message) = answers.next().await {
        let number = message.subject.rsplit('.').next().and_then(|number| number.parse().ok());
        let waits = number.and_then(|number: u64| waiting.lock().remove(&number));
        if let Some(waits) = waits {
            // A request that was given up at this moment does not hear it.
            drop(waits.send(message));
        }
    }
}
