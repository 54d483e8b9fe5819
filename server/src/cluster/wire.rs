//! The messages of a link, and a packet of them as bytes. Pure.
//!
//! A packet is the length of its head (four bytes, big endian), its head in JSON, and then the texts of
//! its frames and intents, one after the other. JSON, because the ids and names of the protocol check
//! themselves when they are read as that. The texts stay beside it as they are, since a room's traffic is
//! encoded once, and a client's intent is read by one function.

use bytes::{BufMut, Bytes, BytesMut};
use noughts_protocol::{
    ClientMessage, CloseCode, IntentId, PartyCode, PartyRole, PlayerId, PlayerName, Role, RoomCode,
};
use serde::{Deserialize, Serialize};

use super::directory::NodeName;
use super::question::{Answer, Question};
use crate::outbox::{Delivery, Frame};

/// The format of the packets that this version writes and reads. A node of another one is not heard, as
/// if it were silent. So a version that has a second one must write this one as long as a node lives whose
/// beats do not say that it reads the second, as records do; older nodes pass over what they do not know in
/// a beat.
const FORMAT: u16 = 1;

/// Messages are added to a packet until it has this many bytes. With one more frame, which has
/// [`MAX_SERVER_FRAME`](noughts_protocol::MAX_SERVER_FRAME) at most, it is still below what an engine takes.
pub(super) const PACKET: usize = 256 * 1024;

/// Connections that one frame goes to. A frame for more is sent again.
pub(super) const RECEIVERS: usize = 4096;

/// The number of a connection at its front.
pub(crate) type Number = u64;

/// The room or party that a stand-in stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Place {
    /// A room.
    Room(RoomCode),
    /// A party.
    Party(PartyCode),
}

/// A message of a link. `stand` is the number of a stand-in on its link.
#[derive(Debug)]
pub(crate) enum Message {
    /// From the front: a stand-in begins.
    Open { stand: u64, place: Place },
    /// From the front: a request of a stand-in.
    Request { stand: u64, request: Request },
    /// From the front: a stand-in has ended, and its members have left.
    End { stand: u64 },
    /// From the owner: a frame for connections.
    Frame { to: Vec<Number>, manner: Delivery, frame: Frame },
    /// From the owner: a connection is to be closed, after the frames before.
    Close { to: Number, code: CloseCode },
    /// From the owner: a reply to a stand-in.
    Reply { stand: u64, reply: Reply },
    /// A question between nodes.
    Ask { ask: u64, question: Question },
    /// Its answer, if there is one.
    Answer { ask: u64, answer: Option<Answer> },
}

/// A stand-in's request to its room or party.
#[derive(Debug)]
pub(crate) enum Request {
    /// A connection comes in; a later stay of the same connection replaces an earlier one.
    Join(Box<Join>),
    /// An intent of a member, or a ping.
    Say {
        /// The member.
        connection: Number,
        /// The member's name, if the intent says something.
        name: Option<PlayerName>,
        /// The version of the party that the member follows.
        party_v: Option<u64>,
        /// The intent.
        message: Box<ClientMessage>,
    },
    /// Stays that have ended, each with its connection.
    Depart(Vec<(Number, u64)>),
    /// Whether a player has a seat.
    HasSeat { ask: u64, player: PlayerId },
}

/// A connection that comes into a room or a party.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Join {
    pub(crate) connection: Number,
    /// The number of the stay among those of the stand-in.
    pub(crate) stay: u64,
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    pub(crate) r#as: As,
    pub(crate) id: Option<IntentId>,
}

/// As what a connection comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum As {
    /// Into a room.
    Guest(Role),
    /// Into a party.
    Follower(PartyRole),
}

/// A reply to a stand-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    /// The outcome of a join.
    Joined { stay: u64, outcome: Outcome },
    /// The answer to a request with this number; `None` if the room or party has ended.
    Said { ask: u64, yes: Option<bool> },
    /// The party's version.
    Version(u64),
    /// The party leads a member into a room.
    Led { stay: u64, room: RoomCode },
    /// So many more requests of the stand-in were taken.
    Taken(u32),
}

/// The outcome of a join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// The connection is a member.
    Admitted,
    /// The connection was told why not.
    Refused,
    /// There is no such room or party here. The connection was told nothing.
    Gone,
}

/// The front of a packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Envelope {
    format: u16,
    /// The sender.
    pub(crate) from: NodeName,
    /// The number of this life of the link at the sender.
    pub(crate) run: u64,
    /// The same of the receiver, if the sender has heard it.
    pub(crate) peer: Option<u64>,
    /// The number of the packet in its run: 0, 1, 2 and so on.
    pub(crate) number: u64,
}

/// A packet.
#[derive(Debug)]
pub(crate) struct Packet {
    pub(crate) envelope: Envelope,
    pub(crate) messages: Vec<Message>,
}

/// A packet that cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unreadable(String);

/// The head of a packet. A text that belongs to a message is in the rest: here is its length.
#[derive(Serialize, Deserialize)]
struct Head(Envelope, Vec<Written>);

/// A message as the head has it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Open(u64, Place),
    Join(u64, Box<Join>),
    Say { stand: u64, of: Number, name: Option<PlayerName>, party_v: Option<u64>, length: usize },
    Depart(u64, Vec<(Number, u64)>),
    HasSeat(u64, u64, PlayerId),
    End(u64),
    Frame { to: Vec<Number>, manner: Delivery, length: usize },
    Close(Number, u16),
    Reply(u64, Reply),
    Ask(u64, Question),
    Answer(u64, Option<Answer>),
}

impl Envelope {
    /// The front of a packet of this version.
    pub(crate) const fn new(from: NodeName, run: u64, peer: Option<u64>, number: u64) -> Self {
        Self { format: FORMAT, from, run, peer, number }
    }
}

impl Message {
    /// Its size in bytes, about.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Frame { to, frame, .. } => 64 + 8 * to.len() + frame.len(),
            Self::Request { request: Request::Depart(stays), .. } => 64 + 16 * stays.len(),
            Self::Ask { question, .. } => 64 + question.size(),
            Self::Answer { answer: Some(answer), .. } => 64 + answer.size(),
            _ => 512,
        }
    }
}

impl Packet {
    /// The bytes.
    pub(crate) fn encode(self) -> Bytes {
        let mut texts = Vec::new();
        let written = self.messages.into_iter().map(|message| write(message, &mut texts)).collect();
        let head = Head(self.envelope, written);
        // Serialization cannot fail: no map in a head has keys that are not strings.
        let head = serde_json::to_vec(&head).unwrap_or_default();
        let texts_length: usize = texts.iter().map(Bytes::len).sum();
        let mut packet = BytesMut::with_capacity(4 + head.len() + texts_length);
        packet.put_u32(u32::try_from(head.len()).unwrap_or(u32::MAX));
        packet.put_slice(&head);
        for text in texts {
            packet.put_slice(&text);
        }
        packet.freeze()
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// If they are no packet of this version.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        let cut = || Unreadable("it is cut off".into());
        let (length, rest) = bytes.split_first_chunk().ok_or_else(cut)?;
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let (head, mut texts) = rest.split_at_checked(length).ok_or_else(cut)?;
        let bad = |error: serde_json::Error| Unreadable(error.to_string());
        let Head(envelope, messages) = serde_json::from_slice(head).map_err(bad)?;
        if envelope.format != FORMAT {
            let (theirs, from) = (envelope.format, &envelope.from);
            return Err(Unreadable(format!("node {from} has format {theirs}, and not {FORMAT}")));
        }
        let read = messages.into_iter().map(|message| read(message, &mut texts));
        let messages = read.collect::<Result<_, _>>()?;
        if texts.is_empty() { Ok(Self { envelope, messages }) } else { Err(cut()) }
    }
}

/// A message for the head. A text of it is added to `texts`.
fn write(message: Message, texts: &mut Vec<Bytes>) -> Written {
    match message {
        Message::Open { stand, place } => Written::Open(stand, place),
        Message::Request { stand, request } => match request {
            Request::Join(join) => Written::Join(stand, join),
            Request::Say { connection: of, name, party_v, message } => {
                let text = Bytes::from(serde_json::to_vec(&message).unwrap_or_default());
                let length = text.len();
                texts.push(text);
                Written::Say { stand, of, name, party_v, length }
            }
            Request::Depart(stays) => Written::Depart(stand, stays),
            Request::HasSeat { ask, player } => Written::HasSeat(stand, ask, player),
        },
        Message::End { stand } => Written::End(stand),
        Message::Frame { to, manner, frame } => {
            let text = frame.into_bytes();
            let length = text.len();
            texts.push(text);
            Written::Frame { to, manner, length }
        }
        Message::Close { to, code } => Written::Close(to, code.number()),
        Message::Reply { stand, reply } => Written::Reply(stand, reply),
        Message::Ask { ask, question } => Written::Ask(ask, question),
        Message::Answer { ask, answer } => Written::Answer(ask, answer),
    }
}

/// The message that a head has. A text of it is taken from `texts`.
fn read(written: Written, texts: &mut &[u8]) -> Result<Message, Unreadable> {
    let mut text = |length: usize| {
        let (text, rest) = texts
            .split_at_checked(length)
            .ok_or_else(|| Unreadable("a text of it is cut off".into()))?;
        *texts = rest;
        Ok(text)
    };
    Ok(match written {
        Written::Open(stand, place) => Message::Open { stand, place },
        Written::Join(stand, join) => Message::Request { stand, request: Request::Join(join) },
        Written::Say { stand, of: connection, name, party_v, length } => {
            let text = std::str::from_utf8(text(length)?).ok();
            let message = text.map(ClientMessage::from_json).and_then(Result::ok);
            let message = message.ok_or_else(|| Unreadable("it has no intent".into()))?;
            let message = Box::new(message);
            let request = Request::Say { connection, name, party_v, message };
            Message::Request { stand, request }
        }
        Written::Depart(stand, stays) => {
            Message::Request { stand, request: Request::Depart(stays) }
        }
        Written::HasSeat(stand, ask, player) => {
            Message::Request { stand, request: Request::HasSeat { ask, player } }
        }
        Written::End(stand) => Message::End { stand },
        Written::Frame { to, manner, length } => {
            let frame = Frame::copied(text(length)?);
            let frame = frame.ok_or_else(|| Unreadable("a frame is no text".into()))?;
            Message::Frame { to, manner, frame }
        }
        Written::Close(to, number) => {
            let code = CloseCode::from_number(number);
            Message::Close { to, code: code.unwrap_or(CloseCode::Restart) }
        }
        Written::Reply(stand, reply) => Message::Reply { stand, reply },
        Written::Ask(ask, question) => Message::Ask { ask, question },
        Written::Answer(ask, answer) => Message::Answer { ask, answer },
    })
}

#[cfg(test)]
mod tests;
