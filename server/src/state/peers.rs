//! What nodes of a cluster ask each other, and the answers.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::poll_fn;
use noughts_cluster::{Cluster, NodeId, Question};
use noughts_protocol::{PassCode, PlayerId, PlayerName, RoomCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Shared;
use crate::outbox::ConnectionId;

/// Questions that are answered at once.
const AT_ONCE: usize = 16;

/// A connection that no node has.
const NO_CONNECTION: ConnectionId = ConnectionId(u64::MAX);

/// A question to another node, or to all.
#[derive(Debug, Serialize, Deserialize)]
enum PeerQuestion {
    /// Take a forgotten player out of the room or the party of this code. The answer is whether that is stored.
    Forget { code: RoomCode, player: PlayerId },
    /// Who asked for this pass? It is used up. The answer is a [`Redeemed`].
    Redeem(PassCode),
}

/// The player of a pass.
pub(crate) type Redeemed = (PlayerId, PlayerName);

/// Has the node of a room or a party forget a player. Returns whether that is stored.
pub(super) async fn forget(
    cluster: &Cluster,
    node: NodeId,
    code: RoomCode,
    player: PlayerId,
) -> bool {
    let question = encode(&PeerQuestion::Forget { code, player });
    let answer = cluster.ask(node, question.into()).await;
    answer.and_then(|answer| read(&answer)).unwrap_or(false)
}

/// The player of a pass that another node has made.
pub(super) async fn redeem(cluster: &Cluster, pass: &PassCode) -> Option<Redeemed> {
    let question = encode(&PeerQuestion::Redeem(pass.clone()));
    read(&cluster.ask_all(question.into()).await?)
}

/// Answers the questions of other nodes, for ever.
pub(crate) async fn answer(shared: &Arc<Shared>) {
    let questions = shared.tenancy.cluster().and_then(Cluster::take_questions);
    let Some(mut questions) = questions else { return };
    let answering = poll_fn(move |context| questions.poll_recv(context)).for_each_concurrent(
        AT_ONCE,
        |Question { body, answer }| async move {
            let answering = shared.tenancy.guard(answer_to(shared, &body)).await;
            if let Some(text) = answering.flatten() {
                // The one who asked may have stopped waiting.
                let _ = answer.send(text.into());
            }
        },
    );
    answering.await;
}

async fn answer_to(shared: &Shared, body: &[u8]) -> Option<Vec<u8>> {
    match read(body)? {
        PeerQuestion::Forget { code, player } => {
            Some(encode(&shared.forget_here(code, player, NO_CONNECTION).await))
        }
        PeerQuestion::Redeem(pass) => shared.redeem_here(&pass).map(|redeemed| encode(&redeemed)),
    }
}

fn encode(message: &impl Serialize) -> Vec<u8> {
    // Serialization cannot fail: no map is in it.
    serde_json::to_vec(message).unwrap_or_default()
}

/// Reads a message; `None` for one of another version.
fn read<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    serde_json::from_slice(body).ok()
}
