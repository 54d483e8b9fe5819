//! A record of the log, and its text. The text is JSON: nodes of different versions read each other's
//! records, and so does a host.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::journal::store::Write;

/// The newest format of records that this version reads and writes. A node reads all formats up to its own,
/// and writes the newest that all nodes read: so a cluster runs on while its nodes are updated one by one.
pub const FORMAT: u16 = 1;

/// The oldest format, in which a node writes as long as it does not know the others.
pub const OLDEST: u16 = 1;

/// A record of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The format.
    pub format: u16,
    /// The name of the node that wrote it.
    pub node: String,
    /// The number of the record among those of that node: an append whose outcome was unknown is known by
    /// it.
    pub number: u64,
    /// When it was written, in milliseconds since 1970 by that node's clock. It is for people, and for
    /// what a room's facts say about their time; nothing compares it with another clock.
    pub at: i64,
    /// The age of the cluster in milliseconds, as that node knows it.
    pub age: i64,
    /// The content of the record.
    pub content: Content,
}

/// The content of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// The cluster's secret, 32 bytes in hexadecimal digits: the first record of the common chain.
    Founded {
        /// The secret with which nodes sign tokens.
        secret: String,
        /// Whether all nodes begin with a copy of the data folder of a single server.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        imported: bool,
    },
    /// The node owns the shard from now on.
    Claimed,
    /// The node does not own the shard any more, and has written everything.
    Released,
    /// Writes of the journal, in order.
    Wrote(Vec<Write>),
}

impl Record {
    /// The text.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        // Serialization cannot fail: no map in a record has keys that are not strings.
        serde_json::to_vec(self).unwrap_or_default().into()
    }

    /// Reads a text.
    ///
    /// # Errors
    /// If it is no record, or of a newer format.
    pub fn decode(text: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            format: u16,
        }
        let record = serde_json::from_slice::<Self>(text).map_err(|error| error.to_string());
        // A record of a newer format has its number too.
        let format = match &record {
            Ok(record) => record.format,
            Err(_) => serde_json::from_slice::<Head>(text).map_or(0, |head| head.format),
        };
        if format > FORMAT {
            return Err(format!("it has format {format}, and this version reads {FORMAT}"));
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{
        BoardSpec, ByMark, Cell, GameId, GameResult, Mark, Participant, PartyCode, PartySettings,
        PlayerId, RoomCode, RoomSettings,
    };

    use super::*;
    use crate::journal::archive::ended_game::EndedGame;
    use crate::journal::entry::{EndTime, Entry, NewRoom, Origin, Payload};
    use crate::journal::party::{NewParty, PartyEntry, PartyWrite};

    /// The number of a room today.
    const ROOM: i64 = 117_309_440_000_005_120;

    /// Records of today must stay readable: these texts never change.
    fn check(content: Content, text: &str) {
        let record = Record { format: 1, node: "a".to_owned(), number: 7, at: 8, age: 9, content };
        let whole =
            format!(r#"{{"format":1,"node":"a","number":7,"at":8,"age":9,"content":{text}}}"#);
        assert_eq!(record.encode(), whole);
        assert_eq!(Record::decode(whole.as_bytes()), Ok(record));
    }

    fn check_write(write: Write, text: &str) {
        check(Content::Wrote(vec![write]), &format!(r#"{{"wrote":[{text}]}}"#));
    }

    fn entry(payload: Payload) -> Entry {
        Entry { v: 17, run: 123_456_789, at: 1_790_000_000_000, payload, crc: u32::MAX }
    }

    fn fact() -> Entry {
        entry(Payload::Fact(r#"{"kind":"x"}"#.to_owned()))
    }

    #[test]
    fn the_stored_form_of_contents_never_changes() {
        let secret = "0f".repeat(32);
        check(
            Content::Founded { secret: secret.clone(), imported: false },
            &format!(r#"{{"founded":{{"secret":"{secret}"}}}}"#),
        );
        check(
            Content::Founded { secret: secret.clone(), imported: true },
            &format!(r#"{{"founded":{{"secret":"{secret}","imported":true}}}}"#),
        );
        check(Content::Claimed, r#""claimed""#);
        check(Content::Released, r#""released""#);
        check(Content::Wrote(Vec::new()), r#"{"wrote":[]}"#);
    }

    #[test]
    fn a_move_is_short() {
        let entries = vec![entry(Payload::Move(40))];
        let write = Write::Append { room: ROOM, entries, kept: None, ended: None };
        let text = r#"{"append":{"room":117309440000005120,"entries":[[17,123456789,1790000000000,40,4294967295]]}}"#;
        assert!(text.len() < 120, "{}", text.len());
        check_write(write, text);
    }

    #[test]
    fn the_stored_form_of_rooms_never_changes() {
        let origins = vec![Origin { player: PlayerId(255), id: 3.try_into().unwrap() }];
        let (code, settings) = (RoomCode::from_number(5), RoomSettings::default());
        let text = serde_json::to_string(&settings).unwrap();
        let new = NewRoom { code, settings, origins };
        check_write(
            Write::Create { room: 5, new, made: 6, entries: vec![fact()] },
            &format!(
                r#"{{"create":{{"room":5,"new":{{"code":"{code}","settings":{text},"origins":[{{"player":"00000000000000ff","id":3}}]}},"made":6,"entries":[[17,123456789,1790000000000,"{{\"kind\":\"x\"}}",4294967295]]}}}}"#
            ),
        );
        let game = EndedGame {
            id: GameId(255),
            number: 1,
            board: BoardSpec::default(),
            players: ByMark { x: Participant::Somebody, o: Participant::Somebody },
            first: Mark::X,
            opening: 0,
            moves: vec![Cell(4)],
            result: GameResult::Resignation { winner: Mark::X },
            rates: true,
        };
        let board = serde_json::to_string(&game.board).unwrap();
        let (kept, ended) = (Some(Box::new((game, 11))), Some(EndTime { at: 10, age: 11 }));
        check_write(
            Write::Append { room: 5, entries: Vec::new(), kept, ended },
            &format!(
                r#"{{"append":{{"room":5,"entries":[],"kept":[{{"id":"00000000000000ff","number":1,"board":{board},"players":{{"x":{{"kind":"somebody"}},"o":{{"kind":"somebody"}}}},"first":"x","opening":0,"moves":[4],"result":{{"how":"resignation","winner":"x"}},"rates":true}},11],"ended":{{"at":10,"age":11}}}}}}"#
            ),
        );
        check_write(
            Write::Vacant { room: 5, run: 2, since: Some(3) },
            r#"{"vacant":{"room":5,"run":2,"since":3}}"#,
        );
        check_write(
            Write::Vacant { room: 5, run: 2, since: None },
            r#"{"vacant":{"room":5,"run":2,"since":null}}"#,
        );
        check_write(
            Write::Forget { player: PlayerId(255), at: 7 },
            r#"{"forget":{"player":"00000000000000ff","at":7}}"#,
        );
    }

    #[test]
    fn the_stored_form_of_parties_never_changes() {
        let (code, settings) = (RoomCode::from_number(5), PartySettings::default());
        let text = serde_json::to_string(&settings).unwrap();
        let new = NewParty {
            code: PartyCode(code),
            name: "Friday".parse().unwrap(),
            settings,
            host: PlayerId(255),
            intent: 3.try_into().unwrap(),
        };
        let fact = r#"{"kind":"x"}"#.to_owned();
        let mut entry = PartyEntry { v: 1, run: 2, at: 3, fact, room: Some(5), crc: 6 };
        let code = serde_json::to_string(&PartyCode(code)).unwrap();
        check_write(
            Write::Party {
                party: 4,
                write: PartyWrite::Create { new, made: 6, entries: vec![entry.clone()] },
            },
            &format!(
                r#"{{"party":{{"party":4,"write":{{"create":{{"new":{{"code":{code},"name":"Friday","settings":{text},"host":"00000000000000ff","intent":3}},"made":6,"entries":[[1,2,3,"{{\"kind\":\"x\"}}",5,6]]}}}}}}}}"#
            ),
        );
        entry.room = None;
        check_write(
            Write::Party { party: 4, write: PartyWrite::Append { entries: vec![entry] } },
            r#"{"party":{"party":4,"write":{"append":{"entries":[[1,2,3,"{\"kind\":\"x\"}",null,6]]}}}}"#,
        );
        check_write(
            Write::Party { party: 4, write: PartyWrite::End(EndTime { at: 1, age: 2 }) },
            r#"{"party":{"party":4,"write":{"end":{"at":1,"age":2}}}}"#,
        );
    }

    #[test]
    fn what_is_a_nodes_own_is_in_no_record() {
        for text in [r#"{"applied":7}"#, r#"{"prune":{"before":1,"most":2}}"#, r#"{"x":1}"#] {
            let text = format!(
                r#"{{"format":1,"node":"a","number":7,"at":8,"age":9,"content":{{"wrote":[{text}]}}}}"#
            );
            assert!(Record::decode(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_newer_format_is_refused() {
        let refused = Record::decode(br#"{"format":2,"whatever":1}"#).unwrap_err();
        assert!(refused.contains("format 2"), "{refused}");
    }
}
