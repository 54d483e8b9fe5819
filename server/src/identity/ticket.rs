//! Tickets: a node of a cluster proves to another one whose connection it passes on. A ticket is signed with the
//! secret that all nodes have, is for one node, and is good for half a minute. The time is an argument.

use std::net::IpAddr;

use hmac::Mac;
use noughts_cluster::NodeId;
use noughts_protocol::{PlayerId, PlayerName};
use serde::{Deserialize, Serialize};

use super::{Secret, decode_any_hex, decode_hex, encode_hex};

/// How far the clocks of two nodes may be apart, with the way between them, in seconds.
const LIFE_SECONDS: u64 = 30;

/// The person behind a pipe. The node that they reached has checked who they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ticket {
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    /// As limits count it.
    pub(crate) address: IpAddr,
    /// The node that the ticket is for.
    pub(crate) to: NodeId,
    /// When it was made, in seconds since 1970.
    pub(crate) at: u64,
}

impl Secret {
    /// A ticket as the value of a header: the ticket and its code in hexadecimal, with a dot between them.
    pub(crate) fn sign(&self, ticket: &Ticket) -> String {
        // Serialization cannot fail: no map is in it.
        let text = serde_json::to_vec(ticket).unwrap_or_default();
        let code = self.ticket(&text).finalize().into_bytes();
        format!("{}.{}", encode_hex(&text), encode_hex(&code))
    }

    /// The ticket in a header for this node; `None` if no node of this cluster made it, or not just now.
    pub(crate) fn admit(&self, header: &str, to: NodeId, now: u64) -> Option<Ticket> {
        let (text, code) = header.split_once('.')?;
        let text = decode_any_hex(text)?;
        self.ticket(&text).verify_slice(&decode_hex(code)?).ok()?;
        let ticket: Ticket = serde_json::from_slice(&text).ok()?;
        if ticket.at.abs_diff(now) > LIFE_SECONDS {
            tracing::warn!("the clock of another node is wrong, or that of this one");
            return None;
        }
        (ticket.to == to).then_some(ticket)
    }

    fn ticket(&self, text: &[u8]) -> hmac::Hmac<sha2::Sha256> {
        let mut mac = self.mac(b"noughts node ");
        mac.update(text);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_admits_to_one_node_of_its_cluster_for_half_a_minute() {
        let secret = Secret::random();
        let ticket = Ticket {
            player: PlayerId(7),
            name: "Ada Ö".parse().unwrap(),
            address: "192.0.2.1".parse().unwrap(),
            to: NodeId(1),
            at: 1000,
        };
        let header = secret.sign(&ticket);
        assert!(header.is_ascii());
        assert_eq!(secret.admit(&header, NodeId(1), 1030), Some(ticket.clone()));
        assert_eq!(secret.admit(&header, NodeId(1), 970), Some(ticket.clone()));
        assert_eq!(secret.admit(&header, NodeId(1), 1031), None, "it is too old");
        assert_eq!(secret.admit(&header, NodeId(2), 1000), None, "it is for another node");
        assert_eq!(Secret::random().admit(&header, NodeId(1), 1000), None);
        let (_, code) = header.split_once('.').unwrap();
        let forged = secret.sign(&Ticket { player: PlayerId(8), ..ticket });
        let (forged, _) = forged.split_once('.').unwrap();
        assert_eq!(secret.admit(&format!("{forged}.{code}"), NodeId(1), 1000), None);
        for wrong in ["", ".", "7b.", "é", "7.7", &format!("zz.{code}")] {
            assert_eq!(secret.admit(wrong, NodeId(1), 1000), None, "{wrong}");
        }
    }
}
