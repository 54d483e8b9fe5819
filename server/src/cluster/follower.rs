//! Follows the log: notes what it says of each chain, and has the node's copy do what its records say.

use std::sync::Arc;

use futures::stream::StreamExt;

use super::directory::NodeName;
use super::engine::{Chain, Delivered};
use super::log::{Log, Pause};
use super::record::{Content, Record};
use crate::journal::error::DiskError;
use crate::journal::store::Write;

/// Records that go to the copy together at most. Records that follow each other quickly cost one
/// transaction.
const MAX_RECORDS: usize = 64;

/// Why a node cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FollowError {
    /// A record that this version cannot read.
    #[error(
        "record {seq} of the cluster's log cannot be read ({reason}): update this noughts-server to the \
         version of the others"
    )]
    Unreadable {
        /// The number of the record.
        seq: u64,
        /// Why.
        reason: String,
    },
    /// The log does not hold the next record any more.
    #[error(
        "the cluster's log begins with record {first}, and this node has only read {read}: stop another \
         node, copy its data folder here (not its `lock`), then start both"
    )]
    Gap {
        /// The oldest record of the log.
        first: u64,
        /// The last record that the node has read.
        read: u64,
    },
    /// The cluster began with a data folder of which this node has no copy.
    #[error(
        "this cluster began with the rooms of a single server, and the data folder of this node does not \
         have them: stop another node, copy its data folder here (not its `lock`), then start both"
    )]
    NotImported,
    /// The node has the data folder of a single server with which the cluster did not begin.
    #[error(
        "the data folder has the rooms of a single server, and this cluster began without them: choose an \
         empty folder with --data-dir"
    )]
    OtherStart,
    /// The copy was closed.
    #[error("the journal of this node failed: {0}")]
    Copy(#[from] DiskError),
    /// Its task panicked.
    #[error("the log cannot be followed: this is a bug of the server, please report it")]
    Failed,
}

/// Follows the log until that is impossible.
pub(super) async fn follow(log: Arc<Log>) -> FollowError {
    let mut pause = Pause::default();
    loop {
        let from = log.delivered() + 1;
        let mut records = match log.engine.follow(from).await {
            Ok(records) => records.ready_chunks(MAX_RECORDS),
            Err(error) => {
                if let Some(gap) = gap(&log).await {
                    return gap;
                }
                pause.after("the log cannot be followed", &error).await;
                continue;
            }
        };
        while let Some(chunk) = records.next().await {
            let (delivered, failed) = split(chunk);
            if !delivered.is_empty() {
                pause = Pause::default();
            }
            if let Err(error) = take(&log, delivered).await {
                return error;
            }
            if let Some(error) = failed {
                tracing::debug!(%error, "the log is followed again");
                break;
            }
        }
        if let Some(gap) = gap(&log).await {
            return gap;
        }
        pause.wait().await;
    }
}

/// Whether the log has discarded what this node has yet to read.
pub(super) async fn gap(log: &Log) -> Option<FollowError> {
    let (first, read) = (log.engine.bounds().await.ok()?.first, log.delivered());
    (first > read + 1).then_some(FollowError::Gap { first, read })
}

/// The records before the first error, and that error.
fn split<E>(chunk: Vec<Result<Delivered, E>>) -> (Vec<Delivered>, Option<E>) {
    let mut records = Vec::with_capacity(chunk.len());
    for record in chunk {
        match record {
            Ok(record) => records.push(record),
            Err(error) => return (records, Some(error)),
        }
    }
    (records, None)
}

/// Takes records that follow those before.
async fn take(log: &Log, records: Vec<Delivered>) -> Result<(), FollowError> {
    let mut writes = Vec::new();
    for Delivered { seq, chain, record } in records {
        let read = log.delivered();
        if seq <= read {
            continue;
        }
        if seq != read + 1 {
            return Err(FollowError::Gap { first: seq, read });
        }
        let unreadable = |reason| FollowError::Unreadable { seq, reason };
        let record = Record::decode(&record).map_err(unreadable)?;
        let node: NodeName =
            record.node.parse().map_err(|_| unreadable("its node has no name".to_owned()))?;
        if let Content::Founded { secret, imported } = &record.content {
            check_start(log, secret, *imported)?;
        }
        log.deliver(seq, chain, &node, &record);
        translate(log, seq, chain, record, &mut writes).map_err(unreadable)?;
    }
    if !writes.is_empty() {
        writes.push(Write::Applied(log.delivered()));
        log.replica.apply(writes).await?;
    }
    Ok(())
}

/// Checks that a node that has read nothing yet begins with what the others began with.
fn check_start(log: &Log, secret: &str, imported: bool) -> Result<(), FollowError> {
    match log.imported {
        None if imported => Err(FollowError::NotImported),
        Some(own) if !imported || hex(&own) != secret => Err(FollowError::OtherStart),
        _ => Ok(()),
    }
}

/// Adds what a record means for the copy.
fn translate(
    log: &Log,
    seq: u64,
    chain: Chain,
    record: Record,
    writes: &mut Vec<Write>,
) -> Result<(), String> {
    let Record { node, at, age, content, .. } = record;
    match (chain, content) {
        (Chain::Common, Content::Founded { secret, .. }) => {
            let secret = unhex(&secret).ok_or("its secret is not 32 bytes")?;
            log.secret.send_replace(Some(secret));
            writes.push(Write::Secret(secret));
        }
        (Chain::Shard(shard), Content::Claimed) => {
            let id = i64::try_from(seq).unwrap_or(i64::MAX);
            writes.push(Write::Run { shard, id, at, age });
            writes.push(Write::Owner { shard, node: Some(node), claim: seq });
        }
        (Chain::Shard(shard), Content::Released) => {
            writes.push(Write::Owner { shard, node: None, claim: seq });
        }
        (chain, Content::Wrote(all)) => {
            writes.extend(all);
            if let Chain::Shard(shard) = chain {
                writes.push(Write::Alive { shard: Some(shard), at, age });
            }
        }
        (Chain::Common, Content::Claimed | Content::Released)
        | (Chain::Shard(_), Content::Founded { .. }) => {
            return Err("it says what no record of its chain says".to_owned());
        }
    }
    Ok(())
}

/// Reads 32 bytes in hexadecimal digits.
fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.is_ascii() {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

/// Writes 32 bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
