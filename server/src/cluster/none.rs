//! What the crate `noughts-cluster` has, for a build without it: there is no value of [`Cluster`], so nothing
//! here runs.

use std::convert::Infallible;
use std::path::PathBuf;

use bytes::Bytes;
use futures::future::BoxFuture;
use noughts_protocol::{PartyCode, PlayerId, RoomCode};
use noughts_store::{
    Change, LiveParty, LiveRoom, PartyRow, ReadError, RoomRow, SaveError, Sqlite, Store,
};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

#[derive(Debug, Clone)]
#[expect(dead_code, reason = "nothing connects")]
pub(crate) struct Options {
    pub(crate) urls: Vec<String>,
    pub(crate) credentials: Option<PathBuf>,
    pub(crate) authorities: Option<PathBuf>,
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    pub(crate) name: String,
    pub(crate) replicas: u8,
    pub(crate) address: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct NodeId(u64);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Peer {
    pub(crate) id: NodeId,
    pub(crate) address: String,
}

#[derive(Debug)]
#[expect(dead_code, reason = "nothing is located")]
pub(crate) enum Location {
    Nowhere,
    Here(Owned),
    At(Peer),
}

#[derive(Debug)]
#[expect(dead_code, reason = "nothing is located")]
pub(crate) enum Owned {
    Room(LiveRoom),
    Party(LiveParty),
}

#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) body: Bytes,
    pub(crate) answer: oneshot::Sender<Bytes>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Status {
    pub(crate) nodes: usize,
    pub(crate) lease: bool,
    pub(crate) connected: bool,
    pub(crate) unread_records: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("there is no cluster")]
pub(crate) struct Unavailable;

#[derive(Debug, Clone)]
pub(crate) struct Cluster(Infallible);

#[expect(clippy::unused_async, reason = "the other build waits for its engine")]
impl Cluster {
    pub(crate) async fn connect(_: &Options, _: Sqlite) -> anyhow::Result<Self> {
        anyhow::bail!("this noughts-server was built without clusters")
    }

    pub(crate) fn secret(&self) -> [u8; 32] {
        match self.0 {}
    }

    pub(crate) fn id(&self) -> NodeId {
        match self.0 {}
    }

    pub(crate) async fn run(&self) -> Infallible {
        match self.0 {}
    }

    pub(crate) fn holds_lease(&self) -> bool {
        match self.0 {}
    }

    pub(crate) async fn lease_held(&self) {
        match self.0 {}
    }

    pub(crate) async fn lease_lost(&self) {
        match self.0 {}
    }

    pub(crate) fn forget_codes(&self) {
        match self.0 {}
    }

    pub(crate) async fn locate(&self, _: RoomCode) -> Result<Location, Unavailable> {
        match self.0 {}
    }

    pub(crate) fn suspect(&self, _: NodeId) {
        match self.0 {}
    }

    pub(crate) async fn leave(&self) {
        match self.0 {}
    }

    pub(crate) fn peers(&self) -> Vec<Peer> {
        match self.0 {}
    }

    pub(crate) fn tell(&self, _: Bytes) {
        match self.0 {}
    }

    pub(crate) fn told(&self) -> Vec<(Peer, Bytes)> {
        match self.0 {}
    }

    pub(crate) async fn told_changed(&self) {
        match self.0 {}
    }

    pub(crate) async fn ask(&self, _: NodeId, _: Bytes) -> Option<Bytes> {
        match self.0 {}
    }

    pub(crate) async fn ask_all(&self, _: Bytes) -> Option<Bytes> {
        match self.0 {}
    }

    pub(crate) fn take_questions(&self) -> Option<mpsc::Receiver<Question>> {
        match self.0 {}
    }

    pub(crate) async fn codes_naming(&self, _: PlayerId) -> Result<Vec<RoomCode>, Unavailable> {
        match self.0 {}
    }

    pub(crate) fn status(&self) -> Status {
        match self.0 {}
    }
}

impl Store for Cluster {
    fn save(&self, _: Vec<Change>) -> BoxFuture<'static, Result<(), SaveError>> {
        match self.0 {}
    }

    fn room(&self, _: RoomCode) -> BoxFuture<'static, Result<Option<RoomRow>, ReadError>> {
        match self.0 {}
    }

    fn party(&self, _: PartyCode) -> BoxFuture<'static, Result<Option<PartyRow>, ReadError>> {
        match self.0 {}
    }
}
