//! A stand-in's end of a link.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::WINDOW;
use super::life::Link;
use crate::cluster::wire::{Message, Place, Reply, Request};
use crate::outbox::{ConnectionId, Outbox};

/// A stand-in's end of a link. Dropping it ends the stays of its members at the owner.
#[derive(Debug)]
pub(crate) struct Stand {
    link: Arc<Link>,
    number: u64,
    replies: mpsc::Receiver<Reply>,
    /// Requests that were not taken yet.
    ahead: u32,
}

impl Stand {
    /// A new stand-in's end of a link.
    pub(crate) fn open(link: Arc<Link>, place: Place) -> Self {
        let (number, replies) = link.open(place);
        Self { link, number, replies, ahead: 0 }
    }

    /// The next reply; `None` if the link has ended. Cancel-safe.
    pub(crate) async fn reply(&mut self) -> Option<Reply> {
        let reply = self.replies.recv().await?;
        if let Reply::Taken(more) = reply {
            self.ahead = self.ahead.saturating_sub(more);
        }
        Some(reply)
    }

    /// Whether a request may be sent now. Otherwise a reply comes first.
    pub(crate) const fn has_place(&self) -> bool {
        self.ahead < WINDOW
    }

    /// Sends a request.
    pub(crate) fn request(&mut self, request: Request) {
        self.ahead += 1;
        self.link.lane().push(Message::Request { stand: self.number, request });
    }

    /// A connection begins a stay, and may be sent frames.
    pub(crate) fn register(&self, outbox: &Outbox) {
        self.link.register(outbox);
    }

    /// A stay of a connection has ended.
    pub(crate) fn unregister(&self, connection: ConnectionId) {
        self.link.unregister(connection);
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        self.link.close(self.number);
    }
}
