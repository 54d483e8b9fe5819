//! Tickets: a node of a cluster proves to another one that it is one, before it passes on the clients that it has
//! checked. A ticket is made with the secret that all nodes have, is for one node, and is good for half a minute.
//! The time is an argument.

use hmac::{Hmac, Mac};
use noughts_cluster::NodeId;
use sha2::Sha256;

use super::Secret;

/// How far the clocks of two nodes may be apart, with the way between them, in seconds.
const LIFE_SECONDS: u64 = 30;

impl Secret {
    /// A ticket for a node, made at `at` seconds since 1970: that time, a dot, and a code in hexadecimal.
    pub(crate) fn ticket(&self, to: NodeId, at: u64) -> String {
        let code = self.ticket_code(to, at).finalize().into_bytes();
        format!("{at}.{}", hex::encode(code))
    }

    /// Whether a node of this cluster has made a ticket for this node just now.
    pub(crate) fn admits(&self, ticket: &str, to: NodeId, now: u64) -> bool {
        let read = || {
            let (at, code) = ticket.split_once('.')?;
            Some((at.parse::<u64>().ok()?, hex::decode(code).ok()?))
        };
        let Some((at, code)) = read() else { return false };
        if self.ticket_code(to, at).verify_slice(&code).is_err() {
            return false;
        }
        let is_new = at.abs_diff(now) <= LIFE_SECONDS;
        if !is_new {
            tracing::warn!("the clock of another node is wrong, or that of this one");
        }
        is_new
    }

    fn ticket_code(&self, to: NodeId, at: u64) -> Hmac<Sha256> {
        self.mac("noughts node ", &[to.0, at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_admits_to_one_node_of_its_cluster_for_half_a_minute() {
        let secret = Secret::random();
        let ticket = secret.ticket(NodeId(1), 1000);
        for (now, admits) in [(969, false), (970, true), (1030, true), (1031, false)] {
            assert_eq!(secret.admits(&ticket, NodeId(1), now), admits, "{now}");
        }
        assert!(!secret.admits(&ticket, NodeId(2), 1000), "it is for another node");
        assert!(!Secret::random().admits(&ticket, NodeId(1), 1000), "of another cluster");
        let (_, code) = ticket.split_once('.').unwrap();
        let later = format!("1001.{code}");
        for wrong in [&later, "", ".", "é", "7.7", &format!("x.{code}")] {
            assert!(!secret.admits(wrong, NodeId(1), 1000), "{wrong}");
        }
    }
}
