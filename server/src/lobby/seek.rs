//! Quick match in a cluster. The queue of some settings is at the owner of a shard that follows from the
//! settings. A player's node asks there, and asks again every [`AGAIN`]: if the owner changes, the next
//! one knows the player soon. The owner makes the room when it has two, and tells the node of the one who
//! waited.

use std::sync::Arc;
use std::time::Duration;

use noughts_protocol::{Refusal, RoomCode};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::matchmaker::{QuickSettings, Way};
use super::nodes::{Nodes, Place};
use super::{Lobby, QuickMatch, Requester};
use crate::cluster::directory::NodeName;
use crate::cluster::question::{Answer, Question, Seek, Ticket};

/// The time after which a node asks again for a player who waits.
const AGAIN: Duration = Duration::from_secs(2);

impl Lobby {
    /// Has a player of this node paired, or waits for an opponent.
    pub(super) async fn seek(
        self: &Arc<Self>,
        nodes: &Nodes,
        requester: &Requester,
        wanted: QuickSettings,
    ) -> Result<QuickMatch, Refusal> {
        let ticket = Ticket(rand::random());
        // Somebody may be found before the answer is here.
        let matchmaker = Arc::clone(&self.matchmaker);
        let (waiting, gone) = matchmaker.wait_elsewhere(ticket, wanted, requester.clone());
        let seek = Seek {
            ticket,
            player: requester.player,
            name: requester.name.clone(),
            address: requester.address,
            origin: requester.origin(),
            board: wanted.board,
            move_time_ms: wanted.move_time_ms,
        };
        match ask(nodes, &seek).await {
            Some(Answer::Room(room)) => return Ok(QuickMatch::Room(room)),
            Some(Answer::Refused(code, message)) => return Err(Refusal::new(code, message)),
            // Nobody has the queue just now: the player waits for that too.
            _ => {}
        }
        tokio::spawn(Arc::clone(self).seek_again(nodes.clone(), seek, gone));
        Ok(QuickMatch::Wait(waiting))
    }

    /// Asks again until the player has a room or waits no more.
    async fn seek_again(self: Arc<Self>, nodes: Nodes, seek: Seek, gone: CancellationToken) {
        let asking = async {
            loop {
                sleep(AGAIN).await;
                if let Some(Answer::Room(room)) = ask(&nodes, &seek).await {
                    self.matchmaker.found(seek.ticket, room);
                }
            }
        };
        gone.run_until_cancelled(asking).await;
        if let Ok(node) = queue(&nodes, &seek).await {
            nodes.ask(&node, Question::GiveUp(seek.ticket)).await;
        }
    }

    /// Answers a node that asks for a player.
    pub(crate) async fn answer_seek(&self, from: NodeName, seek: Seek) -> Answer {
        if let Some(room) = self.registry.find_by_origin(seek.origin) {
            return Answer::Room(room);
        }
        let Seek { ticket, player, name, address, origin, board, move_time_ms } = seek;
        let requester = Requester { player, name, address, id: origin.id };
        let wanted = QuickSettings { board, move_time_ms };
        match self.pair(&requester, wanted).await {
            Ok(Some(room)) => {
                self.matchmaker.forget(ticket);
                Answer::Room(room)
            }
            Ok(None) => {
                self.matchmaker.wait_from(wanted, requester, from, ticket);
                Answer::Waits
            }
            Err(Refusal { code, message }) => Answer::Refused(code, message.to_string()),
        }
    }

    /// A player waits no more.
    pub(crate) fn give_up(&self, ticket: Ticket) {
        self.matchmaker.forget(ticket);
    }

    /// Leads a player of this node to a room; `false` if they wait no more.
    pub(crate) fn found(&self, ticket: Ticket, room: RoomCode) -> bool {
        self.matchmaker.found(ticket, room)
    }

    /// Leads a player who waited to a room; `false` if they wait no more.
    pub(super) async fn hand_over(&self, way: Way, room: RoomCode) -> bool {
        match (way, self.nodes()) {
            (Way::Here(found), _) => found.send(room).is_ok(),
            (Way::Node(node, ticket, _), Some(nodes)) => {
                let told = nodes.ask(&node, Question::Found(ticket, room)).await;
                matches!(told, Some(Answer::Yes(true)))
            }
            (Way::Node(..), None) => false,
        }
    }
}

/// Asks the node that has the queue.
async fn ask(nodes: &Nodes, seek: &Seek) -> Option<Answer> {
    let node = queue(nodes, seek).await.ok()?;
    nodes.ask(&node, Question::Seek(Box::new(seek.clone()))).await
}

/// The node that has the queue.
async fn queue(nodes: &Nodes, seek: &Seek) -> Result<NodeName, Refusal> {
    let (board, time) = (seek.board, seek.move_time_ms.unwrap_or_default());
    let sizes = [board.width(), board.height(), board.line()].map(u32::from);
    // Any function does that is the same on every node.
    let number =
        sizes.into_iter().fold(time, |number, size| number.wrapping_mul(31).wrapping_add(size));
    Ok(match nodes.place(RoomCode::from_number(number)).await? {
        Place::Here => nodes.directory().me().clone(),
        Place::At(node) => node,
    })
}
