//! The house of a node, which takes shards and leaves them.

use futures::future::BoxFuture;

use crate::journal::replica::ShardContents;
use crate::shard::Shard;

/// The house in which a node's rooms live.
pub trait Tenant: Send + Sync {
    /// The node owns the shard now: its rooms and parties begin, as after a restart. What they write is
    /// appended from now on.
    fn take(&self, shard: Shard, contents: ShardContents) -> BoxFuture<'static, ()>;

    /// The node does not own the shard any more, or not for long: its rooms and parties end. Returns when
    /// their tasks have ended. What they have written has its outcome before or meanwhile.
    fn leave(&self, shard: Shard) -> BoxFuture<'static, ()>;
}
