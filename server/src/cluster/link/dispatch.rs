//! Handles a packet of another node. Nothing here waits, and nothing that comes can do more
//! harm than end the link on which it came.

use std::sync::Arc;

use super::life::{Heard, Link};
use super::visit::{Visit, serve_room};
use super::{Links, LocalRooms};
use crate::cluster::question::Question;
use crate::cluster::wire::{Envelope, Message, Packet, Place};

impl Links {
    /// Hears a packet.
    pub(super) fn hear(&self, bytes: &[u8], rooms: &Arc<dyn LocalRooms>) {
        let Packet { envelope, messages } = match Packet::decode(bytes) {
            Ok(packet) => packet,
            // Its link is missing it, and breaks.
            Err(error) => return tracing::warn!("a packet of another node: {error}"),
        };
        let Envelope { from, run, peer, number, .. } = envelope;
        let Some(mut link) = self.heard_from(&from) else {
            return tracing::warn!(peer = %from, "more nodes than a cluster has: one is not heard");
        };
        let mut heard = link.judge(run, peer, number);
        if matches!(heard, Heard::Renewed | Heard::Hole) {
            tracing::warn!(peer = %from, ?heard, "the link to a node begins anew");
            link = self.renew(&link);
            heard = link.judge(run, peer, number);
        }
        if heard != Heard::Next {
            return;
        }
        for message in messages {
            if !self.message(&link, message, rooms) {
                tracing::warn!(peer = %from, "a node says what cannot be: the link begins anew");
                self.renew(&link);
                return;
            }
        }
    }

    /// Does what a message says. Returns false if it cannot be.
    fn message(&self, link: &Arc<Link>, message: Message, rooms: &Arc<dyn LocalRooms>) -> bool {
        match message {
            Message::Frame { to, manner, frame } => {
                link.outboxes(&to, |outbox| outbox.deliver(frame.clone(), manner));
            }
            Message::Close { to, code } => link.outboxes(&[to], |outbox| outbox.close(code)),
            Message::Reply { stand, reply } => link.reply(stand, reply),
            Message::Open { stand, place } => {
                let Some(requests) = link.begin_visit(stand) else { return false };
                let visit = Visit::new(Arc::clone(link), stand, requests);
                match place {
                    Place::Room(code) => link.spawn(serve_room(code, visit, Arc::clone(rooms))),
                    Place::Party(code) => link.spawn(rooms.visit_party(code, visit)),
                }
            }
            Message::Request { stand, request } => return link.request(stand, request),
            Message::End { stand } => link.end_visit(stand),
            Message::Ask { ask, question } => self.question(link, ask, question, rooms),
            Message::Answer { ask, answer } => link.answered(ask, answer),
        }
        true
    }

    /// Answers a question, unless too many are answered at once.
    fn question(
        &self,
        link: &Arc<Link>,
        ask: u64,
        question: Question,
        rooms: &Arc<dyn LocalRooms>,
    ) {
        let Ok(permit) = Arc::clone(&self.0.answering).try_acquire_owned() else { return };
        let (answering, to) = (rooms.answer(link.peer().clone(), question), Arc::clone(link));
        link.spawn(async move {
            let answer = answering.await;
            to.lane().push(Message::Answer { ask, answer });
            drop(permit);
        });
    }
}
