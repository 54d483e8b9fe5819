//! The nodes of a cluster as the lobby sees them: which of them has a shard, and what they answer.

use futures::future::join_all;
use noughts_protocol::{DisplayText, Refusal, RefusalCode, RoomCode};

use crate::cluster::directory::{Directory, NodeName, Owner};
use crate::cluster::link::Links;
use crate::cluster::question::{Answer, Question};
use crate::shard::Shard;

/// The nodes of a cluster.
#[derive(Debug, Clone)]
pub(crate) struct Nodes {
    directory: Directory,
    links: Links,
    /// People reach the rooms of this node over its link to itself: tests let all rooms be elsewhere.
    is_mirrored: bool,
}

/// Where a shard is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Here,
    At(NodeName),
}

impl Nodes {
    /// The nodes that a directory knows, reached over these links.
    pub(crate) const fn new(directory: Directory, links: Links) -> Self {
        Self { directory, links, is_mirrored: false }
    }

    /// A single server whose rooms are reached as those of another node.
    pub(crate) fn mirrored(links: Links) -> Self {
        Self { directory: Directory::alone(), links, is_mirrored: true }
    }

    /// The directory.
    pub(crate) const fn directory(&self) -> &Directory {
        &self.directory
    }

    /// The links to the nodes.
    pub(crate) const fn links(&self) -> &Links {
        &self.links
    }

    /// Where people find the room or the party with a code. Waits a while if it moves.
    ///
    /// # Errors
    /// If no node has it.
    pub(crate) async fn place(&self, code: RoomCode) -> Result<Place, Refusal> {
        if self.is_mirrored {
            return Ok(Place::At(self.directory.me().clone()));
        }
        match self.directory.settled(Shard::of_code(code)).await {
            Owner::Me => Ok(Place::Here),
            Owner::Node(node) => Ok(Place::At(node)),
            Owner::Nobody => Err(in_between()),
        }
    }

    /// Whether the shard of a code is of this node.
    pub(crate) fn has(&self, code: RoomCode) -> bool {
        self.directory.owner(Shard::of_code(code)) == Owner::Me
    }

    /// The other nodes that live.
    pub(crate) fn others(&self) -> Vec<NodeName> {
        let nodes = self.directory.nodes().into_iter().map(|node| node.name);
        nodes.filter(|name| name != self.directory.me()).collect()
    }

    /// Where clients reach the other nodes that live and do not stop.
    pub(crate) fn addresses(&self) -> Vec<DisplayText> {
        let me = self.directory.me();
        let nodes = self.directory.nodes().into_iter();
        let others = nodes.filter(|node| node.name != *me && !node.is_leaving);
        others.filter_map(|node| node.address).map(|address| address.as_str().into()).collect()
    }

    /// Asks a node.
    pub(crate) async fn ask(&self, node: &NodeName, question: Question) -> Option<Answer> {
        self.links.ask(node, question).await
    }

    /// Asks all other nodes at once, when every shard has an owner that lives. Returns their answers, and
    /// whether all owners gave one. Waits a while for the owners.
    pub(crate) async fn ask_owners(&self, question: &Question) -> (Vec<Answer>, bool) {
        let are_settled = self.directory.all_settled().await;
        let others = self.others();
        let answers = self.ask_each(&others, question).await;
        let mut silent = others.iter().zip(&answers).filter(|(_, answer)| answer.is_none());
        let all_said = are_settled && !silent.any(|(node, _)| self.directory.owns_any(node));
        (answers.into_iter().flatten().collect(), all_said)
    }

    /// Asks all other nodes at once, and returns the answer of each that gave one.
    pub(crate) async fn ask_others(&self, question: &Question) -> Vec<Option<Answer>> {
        self.ask_each(&self.others(), question).await
    }

    async fn ask_each(&self, nodes: &[NodeName], question: &Question) -> Vec<Option<Answer>> {
        join_all(nodes.iter().map(|node| self.ask(node, question.clone()))).await
    }

    /// Tells all other nodes something that need not arrive.
    pub(crate) fn tell_others(&self, question: Question) {
        let nodes = self.clone();
        tokio::spawn(async move { nodes.ask_others(&question).await });
    }
}

/// The refusal for what no node has just now.
pub(crate) fn in_between() -> Refusal {
    let message = "this moves from one server to another just now: try again in a moment";
    Refusal::new(RefusalCode::Stopping, message)
}
