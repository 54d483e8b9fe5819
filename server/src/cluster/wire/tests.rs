//! Every message there and back, and what is no message.

use noughts_protocol::{LobbyIntent, RoomIntent, Said};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn packet(messages: Vec<Message>) -> Packet {
    let envelope = Envelope::new(NodeName::of(7), u64::MAX, Some(3), 12);
    Packet { envelope, messages }
}

fn request(request: Request) -> Message {
    Message::Request { stand: 9, request }
}

fn all() -> Vec<Message> {
    let (room, name): (RoomCode, PlayerName) = (RoomCode::from_number(5), "Zoë".parse().unwrap());
    let (id, player) = (IntentId::try_from(77).unwrap(), PlayerId(u64::MAX));
    let join = |r#as| {
        let name = name.clone();
        request(Request::Join(Box::new(Join {
            connection: 4,
            stay: 1,
            player,
            name,
            r#as,
            id: Some(id),
        })))
    };
    let said = |message| Request::Say {
        connection: 4,
        name: Some(name.clone()),
        party_v: Some(8),
        message: Box::new(message),
    };
    let say = RoomIntent::Say { said: Said::Text("\"{}\" é".parse().unwrap()) };
    let frame = |text: &str| Frame::from(text.to_owned());
    vec![
        Message::Open { stand: 9, place: Place::Room(room) },
        Message::Open { stand: 10, place: Place::Party(PartyCode(room)) },
        join(As::Guest(Role::Spectator)),
        join(As::Follower(PartyRole::Screen)),
        request(said(ClientMessage::Room { intent: say, id, room })),
        request(said(ClientMessage::Room { intent: RoomIntent::Leave, id, room })),
        request(said(ClientMessage::Lobby { intent: LobbyIntent::Ping, id })),
        request(Request::Depart(vec![(4, 1), (5, 2)])),
        request(Request::HasSeat { ask: 3, player }),
        Message::End { stand: 9 },
        Message::Frame {
            to: vec![4, 1 << 40],
            manner: Delivery::Required,
            frame: frame("{\"type\":\"ü\"}"),
        },
        Message::Frame { to: vec![], manner: Delivery::Required, frame: frame("") },
        Message::Frame { to: vec![1], manner: Delivery::BestEffort, frame: frame("{}") },
        Message::Close { to: 4, code: CloseCode::Slow },
        Message::Reply { stand: 9, reply: Reply::Joined { stay: 1, outcome: Outcome::Gone } },
        Message::Reply { stand: 9, reply: Reply::Said { ask: 3, yes: None } },
        Message::Reply { stand: 9, reply: Reply::Led { stay: 1, room } },
        Message::Ask { ask: 1, question: Question::Known(room) },
        Message::Answer { ask: 1, answer: Some(Answer::Yes(true)) },
        Message::Answer { ask: 2, answer: None },
    ]
}

#[test]
fn every_message_is_read_as_it_was_written() {
    let expected = format!("{:?}", packet(all()));
    let bytes = packet(all()).encode();
    assert_eq!(format!("{:?}", Packet::decode(&bytes).unwrap()), expected);
    // And each alone, so that the texts of one are not those of another.
    for (one, other) in all().into_iter().zip(all()) {
        let expected = format!("{:?}", packet(vec![one]));
        let bytes = packet(vec![other]).encode();
        assert_eq!(format!("{:?}", Packet::decode(&bytes).unwrap()), expected);
    }
}

#[test]
fn what_is_cut_off_or_too_long_is_refused() {
    let bytes = packet(all()).encode();
    for length in 0..bytes.len() {
        assert!(Packet::decode(&bytes[..length]).is_err(), "{length}");
    }
    let mut longer = bytes.to_vec();
    longer.push(b' ');
    assert!(Packet::decode(&longer).is_err());
}

#[test]
fn another_format_and_what_is_no_text_are_refused() {
    let text = |from: &str, to: &str| {
        let bytes = packet(all()).encode();
        let text = String::from_utf8_lossy(&bytes[4..]).replacen(from, to, 1);
        let mut changed = bytes[..4].to_vec();
        changed.extend(text.into_bytes());
        Packet::decode(&changed).unwrap_err().to_string()
    };
    assert!(text("\"format\":1", "\"format\":2").contains("has format 2"));
    assert!(text("leave", "leapt").contains("no intent"));
    let bytes = packet(all()).encode();
    let at = bytes.windows(2).rposition(|two| two == "ü".as_bytes()).unwrap();
    let mut broken = bytes.to_vec();
    broken[at] = 0xff;
    assert_eq!(Packet::decode(&broken).unwrap_err().to_string(), "a frame is no text");
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..200), at in 0_usize..2000, value in any::<u8>()) {
        drop(Packet::decode(&bytes));
        let mut changed = packet(all()).encode().to_vec();
        let at = at % changed.len();
        changed[at] = value;
        drop(Packet::decode(&changed));
    }
}
