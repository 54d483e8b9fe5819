//! The look of a starting node at its cluster, for a host who asks before the start.

use super::engine::{self, Finding};
use super::record::{FORMAT, Record};
use crate::config::cluster::ClusterConfig;
use crate::journal::store::Durability;

/// Looks at the cluster and changes nothing. It takes some seconds at most.
pub(crate) async fn survey(config: &ClusterConfig, durability: Durability) -> Vec<Finding> {
    let (mut findings, newest) = engine::survey(config, durability).await;
    findings.extend(newest.map(|newest| match Record::decode(&newest.record) {
        Ok(record) => Finding::Well(format!(
            "the newest record has format {}, and this version reads {FORMAT}",
            record.format
        )),
        Err(reason) => Finding::Problem(format!(
            "record {} cannot be read ({reason}): update this noughts-server to the version of the others",
            newest.seq
        )),
    }));
    findings
}
