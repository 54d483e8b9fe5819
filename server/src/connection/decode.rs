//! Decodes a frame as a message. A frame that is no message is [`super::malformed`]'s.

use std::str::FromStr;

use noughts_protocol::{Cell, ClientMessage, IntentId, RoomCode};

/// Decodes a frame. It tries the fast path for a move first. Everything else, and a faulty move, goes
/// to serde, which also says what is wrong.
pub(crate) fn decode(text: &str) -> serde_json::Result<ClientMessage> {
    play(text).map_or_else(|| serde_json::from_str(text), Ok)
}

/// A move as our clients write it: without spaces, the fields in this order. serde copies all fields
/// of an enum with a tag before it decodes them: 5,300 instructions (by callgrind) for a move, a
/// fifth of its whole cost.
fn play(text: &str) -> Option<ClientMessage> {
    let mut rest = text;
    let id = number::<u64>(&mut rest, r#"{"type":"play","id":"#)?;
    let (room, after) = rest.strip_prefix(r#","room":""#)?.split_at_checked(RoomCode::LETTERS)?;
    rest = after;
    let game = number(&mut rest, r#"","game":"#)?;
    let ply = number(&mut rest, r#","ply":"#)?;
    let cell = Cell(number(&mut rest, r#","cell":"#)?);
    (rest == "}").then_some(())?;
    let (id, room) = (IntentId::try_from(id).ok()?, room.parse().ok()?);
    Some(ClientMessage::Play { id, room, game, ply, cell })
}

/// The number after a prefix. Removes both from the text.
fn number<T: FromStr>(rest: &mut &str, prefix: &str) -> Option<T> {
    let text = rest.strip_prefix(prefix)?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, after) = text.split_at(digits);
    // JSON has no numbers like 07.
    let plain = digits == 1 || !number.starts_with('0');
    *rest = after;
    number.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{Cell, ClientMessage};
    use proptest::collection::vec;
    use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};
    use proptest::sample::select;

    use super::{decode, play};

    /// Right and wrong ways to write a number.
    fn number() -> impl Strategy<Value = String> {
        let plain = any::<u64>().prop_map(|number| number.to_string());
        let small = (0..400_u32).prop_map(|number| number.to_string());
        let odd = select(vec![
            "",
            "-1",
            "-0",
            "+1",
            "00",
            "07",
            "1.0",
            "1e2",
            "null",
            "[1]",
            r#""1""#,
            " 1",
            "65535",
            "65536",
            "4294967295",
            "4294967296",
            "9007199254740991",
            "9007199254740992",
            "18446744073709551616",
            "٣",
        ]);
        prop_oneof![1 => plain, 12 => small, 2 => odd.prop_map(str::to_owned)]
    }

    fn room() -> impl Strategy<Value = String> {
        let odd = select(vec![
            r#""kq-rzx""#,
            r#""kqrzx""#,
            r#""AEIOU""#,
            r#""KQRZ""#,
            r#""KQR\u005aX""#,
            r#""KQRÄ""#,
            "null",
            "[]",
            "7",
            r#""""#,
            r#"" KQRZ""#,
        ]);
        prop_oneof![9 => "\"[BCDFGHJKLMNPQRSTVWXZ]{5}\"", 1 => odd.prop_map(str::to_owned)]
    }

    /// A move as our clients write it, or nearly.
    fn frame() -> impl Strategy<Value = String> {
        let usual = |text: &'static str| {
            prop_oneof![19 => select(vec![text]), 1 => select(vec![
                "", " ", ",", "}", r#","type":"ping""#, r#","cell":1"#, r#","later":[{}]"#,
            ])]
        };
        let head = (usual(r#"{"type":"play","id":"#), number(), usual(r#","room":"#), room());
        let game = (usual(r#","game":"#), number(), usual(r#","ply":"#), number());
        (head, game, usual(r#","cell":"#), number(), usual("}")).prop_map(|(a, b, c, d, e)| {
            [a.0, &a.1, a.2, &a.3, b.0, &b.1, b.2, &b.3, c, &d, e].concat()
        })
    }

    proptest! {
        #[test]
        fn every_frame_is_decoded_as_by_serde(
            frame in frame(),
            cuts in vec((any::<usize>(), any::<u8>()), 0..2),
        ) {
            let mut bytes = frame.into_bytes();
            for (at, byte) in cuts {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            let frame = String::from_utf8_lossy(&bytes);
            let long = serde_json::from_str::<ClientMessage>(&frame).map_err(|e| e.to_string());
            prop_assert_eq!(decode(&frame).map_err(|e| e.to_string()), long);
        }
    }

    #[test]
    fn the_fast_path_decodes_as_serde_does() {
        let move_ = r#"{"type":"play","id":7,"room":"KQRZX","game":2,"ply":0,"cell":14}"#;
        let long: ClientMessage = serde_json::from_str(move_).unwrap();
        assert_eq!(play(move_), Some(long.clone()));
        let ClientMessage::Play { id, room, .. } = long else { panic!("{long:?}") };
        let written = ClientMessage::Play { id, room, game: u32::MAX, ply: 9, cell: Cell(360) };
        assert_eq!(play(&serde_json::to_string(&written).unwrap()), Some(written));
        for other in [
            r#"{"type":"ping","id":7}"#,
            r#"{"type":"resign","id":7,"room":"KQRZX","game":2}"#,
            r#"{"type":"play","id":7,"room":"KQRZX","game":2,"ply":3}"#,
            r#"{"type":"play","id":-7,"room":"KQRZX","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":+7,"room":"KQRZX","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":07,"room":"KQRZX","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":,"room":"KQRZX","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":7.0,"room":"KQRZX","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":9007199254740992,"room":"KQRZX","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":7,"room":"AEIOU","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":7,"room":"KQR\"X","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":7,"room":"KQRÄÄ","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":7,"room":"kq-rzx","game":2,"ply":3,"cell":4}"#,
            r#"{"type":"play","id":7,"room":"KQRZX","game":2,"ply":65536,"cell":4}"#,
            r#"{"type":"play","id":7,"room":"KQRZX","game":2,"ply":3,"cell":4} "#,
            r#"{"type":"play","id":7,"room":"KQRZX","game":2,"ply":3,"cell":4}}"#,
            r#"{"type":"play","room":"KQRZX","id":7,"game":2,"ply":3,"cell":4}"#,
        ] {
            assert_eq!(play(other), None, "{other}");
            let long = serde_json::from_str::<ClientMessage>(other).map_err(|e| e.to_string());
            assert_eq!(decode(other).map_err(|e| e.to_string()), long);
        }
    }
}
