//! How a client's message is read: its tag may be anywhere, and everything but the right fields is
//! refused. What is written has the tag first, so that reading finds it at once.

use noughts_protocol::{
    BoardSpec, ByMark, Cell, ClaimedResult, ClientMessage, Computer, ComputerFallback, FirstMove,
    Hello, IntentId, LobbyIntent, MAX_CLIENT_FRAME, Opening, OpeningChoice, Pace, Role, RoomCode,
    RoomIntent, RoomSettings, SeatRequest, Series, Strategy as ComputerStrategy, Strength,
};
use proptest::prelude::*;
use serde_json::Value;

use super::golden;

fn read(json: &str) -> Result<ClientMessage, String> {
    ClientMessage::from_json(json).map_err(|error| error.to_string())
}

fn check_reads(json: &str, expected: &ClientMessage) {
    assert_eq!(read(json).as_ref(), Ok(expected), "{json}");
}

fn check_refused(json: &str, because: &str) {
    let error = read(json).expect_err(json);
    assert!(error.contains(because), "{json}: {error}");
}

fn id() -> IntentId {
    IntentId::try_from(7).expect("an id in range")
}

fn play() -> ClientMessage {
    ClientMessage::Room {
        intent: RoomIntent::Play { game: 1, ply: 2, cell: Cell(4) },
        id: id(),
        room: "KQRZX".parse().expect("a code"),
    }
}

fn ping() -> ClientMessage {
    ClientMessage::Lobby { intent: LobbyIntent::Ping, id: id() }
}

#[test]
fn the_tag_may_be_anywhere_and_written_in_any_way() {
    let fields = r#""id":7,"room":"KQRZX","game":1,"ply":2,"cell":4"#;
    check_reads(&format!(r#"{{"type":"play",{fields}}}"#), &play());
    check_reads(&format!(r#"{{{fields},"type":"play"}}"#), &play());
    check_reads(&format!(" {{\n\"type\" :\t\"play\" , {fields} }} "), &play());
    check_reads(&format!(r#"{{"type":"\u0070lay",{fields}}}"#), &play());
    check_reads(&format!(r#"{{"\u0074ype":"play",{fields}}}"#), &play());
    check_reads(r#"{"type":"play","room":"kq-rzx","cell":4,"id":7,"ply":2,"game":1}"#, &play());
    check_reads(r#"{"type":"ping","id":7}"#, &ping());
    check_reads(r#"{"id":7,"type":"ping"}"#, &ping());
}

#[test]
fn unknown_fields_are_ignored_wherever_they_are() {
    check_reads(r#"{"later":[1],"type":"ping","id":7,"more":{"type":null}}"#, &ping());
    check_reads(r#"{"type":"ping","id":7,"room":7,"ply":"x"}"#, &ping());
}

#[test]
fn an_unknown_tag_is_told() {
    let unknown = "unknown type `dance`: see the protocol's list of messages";
    check_refused(r#"{"type":"dance","id":1}"#, unknown);
    check_refused(r#"{"id":1,"type":"dance"}"#, unknown);
    check_refused(r#"{"type":"d\u0061nce","id":1}"#, unknown);
    check_refused(r#"{"type":"","id":1}"#, "unknown type ``");
    check_refused(r#"{"type":"Ping","id":1}"#, "unknown type `Ping`");
    check_refused(r#"{"type":"play\u0000","id":1}"#, "unknown type");
}

#[test]
fn a_message_is_one_object_with_a_tag() {
    for json in ["", "null", "7", "[]", "\"ping\"", "{", r#"{"type":"ping"#, r#"{"type":"#, "\u{0}"]
    {
        assert!(read(json).is_err(), "{json}");
    }
    for tag in ["null", "7", "[\"ping\"]", "{}"] {
        check_refused(&format!(r#"{{"type":{tag},"id":1}}"#), "invalid type");
    }
    check_refused("{}", "missing field `type`");
    check_refused(r#"{"id":1}"#, "missing field `type`");
    check_refused(r#"["ping",1]"#, "invalid type: sequence");
    check_refused(r#"["hello",2,"Ada"]"#, "invalid type: sequence");
    check_refused(r#"[{"type":"ping","id":1}]"#, "invalid type: sequence");
}

#[test]
fn nothing_follows_a_message() {
    let message = r#"{"type":"ping","id":1}"#;
    for text in
        [message, r#"{"id":1,"type":"ping"}"#, r#"{"type":"hello","protocol":2,"name":"A"}"#]
    {
        assert!(read(text).is_ok(), "{text}");
        for rest in [message, "x", "}", ",", "null", "\u{0}", "//"] {
            check_refused(&format!("{text} {rest}"), "trailing characters");
        }
    }
}

#[test]
fn a_field_comes_once() {
    for json in [
        r#"{"type":"ping","id":1,"id":1}"#,
        r#"{"id":1,"type":"ping","id":2}"#,
        r#"{"type":"play","id":1,"room":"KQRZX","game":1,"ply":0,"cell":0,"cell":1}"#,
        r#"{"type":"create","id":1,"settings":{"listed":true,"listed":true}}"#,
        r#"{"type":"hello","protocol":2,"name":"Ada","name":"Ada"}"#,
        r#"{"type":"hello","protocol":2,"name":"Ada","token":"a","token":"a"}"#,
        r#"{"id":1,"type":"ping","type":"ping"}"#,
        r#"{"type":"hello","protocol":2,"name":"Ada","type":"hello"}"#,
        r#"{"protocol":2,"name":"Ada","type":"hello","type":"ping"}"#,
    ] {
        check_refused(json, "duplicate field");
    }
    for json in
        [r#"{"type":"ping","id":1,"type":"ping"}"#, r#"{"type":"ping","id":1,"type":"play"}"#]
    {
        check_refused(json, "duplicate field `type`");
    }
}

#[test]
fn fields_are_what_they_should_be() {
    let check = |fields: &str| {
        let json = format!(r#"{{"type":"play",{fields}}}"#);
        assert!(read(&json).is_err(), "{json}");
    };
    check(r#""id":1,"room":"KQRZX","game":1,"ply":0"#);
    check(r#""room":"KQRZX","game":1,"ply":0,"cell":4"#);
    check(r#""id":1,"game":1,"ply":0,"cell":4"#);
    check(r#""id":null,"room":"KQRZX","game":1,"ply":0,"cell":4"#);
    check(r#""id":1,"room":"AEIOU","game":1,"ply":0,"cell":4"#);
    check(r#""id":1,"room":"KQRZX","game":-1,"ply":0,"cell":4"#);
    check(r#""id":1,"room":"KQRZX","game":4294967296,"ply":0,"cell":4"#);
    check(r#""id":1,"room":"KQRZX","game":1,"ply":65536,"cell":4"#);
    check(r#""id":1,"room":"KQRZX","game":1,"ply":0,"cell":65536"#);
    check(r#""id":1,"room":"KQRZX","game":1,"ply":0.0,"cell":4"#);
    check(r#""id":1,"room":"KQRZX","game":1,"ply":1e0,"cell":4"#);
    check(r#""id":1,"room":"KQRZX","game":"1","ply":0,"cell":4"#);
    check(r#""id":9007199254740992,"room":"KQRZX","game":1,"ply":0,"cell":4"#);
    assert!(read(r#"{"type":"ping"}"#).is_err());
    assert!(read(r#"{"type":"ping","id":-1}"#).is_err());
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let deep = "[".repeat(MAX_CLIENT_FRAME);
    assert!(read(&deep).is_err());
    assert!(read(&format!(r#"{{"type":"ping","id":1,"x":{deep}"#)).is_err());
    assert!(read(&format!(r#"{{"x":{deep}"#)).is_err());
}

/// `null` is as good as left out, in every message that has something to leave out.
#[test]
fn null_is_as_good_as_left_out() {
    for (with_null, without) in [
        (
            r#"{"type":"hello","protocol":2,"name":"Ada","token":null,"pass":null,"password":null}"#,
            r#"{"type":"hello","protocol":2,"name":"Ada"}"#,
        ),
        (
            r#"{"type":"create","id":1,"settings":null,"seats":null,"shuffle":null}"#,
            r#"{"type":"create","id":1}"#,
        ),
        (
            r#"{"type":"create","id":1,"settings":{"board":null,"variant":null,"first":null,
                "opening":null,"move_time_ms":null,"listed":null,"spectators":null,
                "early_draw":null,"hints":null,"evaluation":null}}"#,
            r#"{"type":"create","id":1}"#,
        ),
        (
            r#"{"type":"quick_match","id":1,"board":null,"move_time_ms":null,"computer":null}"#,
            r#"{"type":"quick_match","id":1}"#,
        ),
        (
            r#"{"type":"join","id":1,"room":"KQRZX","role":null}"#,
            r#"{"type":"join","id":1,"room":"KQRZX"}"#,
        ),
        (
            r#"{"type":"rematch","id":1,"room":"KQRZX","game":1,"offer":null}"#,
            r#"{"type":"rematch","id":1,"room":"KQRZX","game":1}"#,
        ),
    ] {
        assert!(read(without).is_ok(), "{without}");
        assert_eq!(read(with_null), read(without), "{with_null}");
    }
}

/// Moves the tag of a message to its end.
fn tag_last(json: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(json) else { panic!("{json}") };
    let tag = fields.remove("type").expect("a tag");
    let mut text = Value::Object(fields).to_string();
    let comma = if text.len() > 2 { "," } else { "" };
    text.truncate(text.len() - 1);
    format!(r#"{text}{comma}"type":{tag}}}"#)
}

/// A message is the same after it is written and read, with the tag at either end.
fn check_round_trip(message: &ClientMessage) {
    let written = serde_json::to_string(message).expect("a message is JSON");
    assert!(written.starts_with(r#"{"type":""#), "the tag comes first: {written}");
    check_reads(&written, message);
    check_reads(&tag_last(&written), message);
}

#[test]
fn every_golden_message_is_read_wherever_its_tag_is() {
    let mut seen = 0;
    for (name, text) in golden::files() {
        if name.starts_with("client.") {
            check_round_trip(&read(&text).unwrap_or_else(|e| panic!("{name}: {e}")));
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

fn any_board() -> impl Strategy<Value = BoardSpec> {
    (3..=19_u8, 3..=19_u8, 3..=19_u8).prop_map(|(width, height, line)| {
        BoardSpec::new(width, height, line.min(width.max(height))).expect("sides in range")
    })
}

fn any_computer() -> impl Strategy<Value = Computer> {
    let (strategies, strengths) = (&ComputerStrategy::ALL[..], &Strength::ALL[..]);
    (prop::sample::select(strategies), prop::sample::select(strengths))
        .prop_map(|(strategy, strength)| Computer { strategy, strength })
}

fn any_seat() -> impl Strategy<Value = SeatRequest> {
    prop_oneof![
        Just(SeatRequest::You),
        Just(SeatRequest::Open),
        any_computer().prop_map(SeatRequest::Computer),
    ]
}

fn any_settings() -> impl Strategy<Value = RoomSettings> {
    let first = prop::sample::select(
        &[FirstMove::Alternate, FirstMove::X, FirstMove::O, FirstMove::Random, FirstMove::Loser][..],
    );
    let opening = prop::sample::select(&[Opening::Free, Opening::Swap2][..]);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let options = (any::<Option<u32>>(), any::<Option<bool>>());
    (any_board(), first, opening, flags, options).prop_map(
        |(board, first, opening, flags, (move_time_ms, early_draw))| {
            let (listed, spectators, hints, evaluation) = flags;
            let variant = noughts_protocol::Variant::Line;

            RoomSettings {
                board,
                variant,
                first,
                opening,
                move_time_ms,
                listed,
                spectators,
                early_draw,
                hints,
                evaluation,
                chat: noughts_protocol::ChatMode::default(),
                party: None,
            }
        },
    )
}

fn any_lobby_intent() -> impl Strategy<Value = LobbyIntent> {
    let create = (any_settings(), any_seat(), any_seat(), any::<bool>()).prop_map(
        |(settings, x, o, shuffle)| LobbyIntent::Create {
            settings,
            seats: ByMark { x, o },
            shuffle,
        },
    );
    let fallback = (any::<u32>(), any_computer())
        .prop_map(|(after_ms, computer)| ComputerFallback { after_ms, computer });
    let quick_match = (any_board(), any::<Option<u32>>(), prop::option::of(fallback)).prop_map(
        |(board, move_time_ms, computer)| LobbyIntent::QuickMatch { board, move_time_ms, computer },
    );
    let role = prop::sample::select(&[Role::Player, Role::Spectator][..]);
    prop_oneof![
        create,
        quick_match,
        (any_room(), role).prop_map(|(room, role)| LobbyIntent::Join { room, role }),
        Just(LobbyIntent::CancelMatch),
        Just(LobbyIntent::WatchLobby),
        Just(LobbyIntent::UnwatchLobby),
        Just(LobbyIntent::Pass),
        Just(LobbyIntent::Ping),
    ]
}

fn any_series() -> impl Strategy<Value = Option<Series>> {
    let wins = prop::option::of(1..=Series::MAX);
    prop::option::of(wins.prop_map(|first_to| Series { first_to }))
}

fn any_room_intent() -> impl Strategy<Value = RoomIntent> {
    let choice =
        prop::sample::select(&[OpeningChoice::X, OpeningChoice::O, OpeningChoice::Add][..]);
    let result = prop::sample::select(&[ClaimedResult::Win, ClaimedResult::Draw][..]);
    prop_oneof![
        (any::<u32>(), any::<u16>(), any::<u16>()).prop_map(|(game, ply, cell)| RoomIntent::Play {
            game,
            ply,
            cell: Cell(cell)
        }),
        (any::<u32>(), choice).prop_map(|(game, choice)| RoomIntent::Choose { game, choice }),
        any::<u32>().prop_map(|game| RoomIntent::Resign { game }),
        (any::<u32>(), any::<bool>()).prop_map(|(game, offer)| RoomIntent::Rematch {
            game,
            offer,
            series: None
        }),
        (any::<u32>(), any_series()).prop_map(|(game, series)| RoomIntent::Rematch {
            game,
            offer: true,
            series
        }),
        prop::sample::select(&Pace::ALL[..]).prop_map(|pace| RoomIntent::Pace { pace }),
        (any::<u32>(), any::<u16>()).prop_map(|(game, ply)| RoomIntent::Step { game, ply }),
        (any::<u32>(), result).prop_map(|(game, result)| RoomIntent::Claim { game, result }),
        any::<u32>().prop_map(|game| RoomIntent::Hint { game }),
        any::<u32>().prop_map(|game| RoomIntent::Review { game }),
        Just(RoomIntent::Leave),
        Just(RoomIntent::Sync),
    ]
}

fn any_room() -> impl Strategy<Value = RoomCode> {
    any::<u32>().prop_map(RoomCode::from_number)
}

fn any_id() -> impl Strategy<Value = IntentId> {
    (0..=IntentId::MAX).prop_map(|id| id.try_into().expect("an id in range"))
}

fn any_hello() -> impl Strategy<Value = Hello> {
    let secret = || prop::option::of("[0-9A-Za-z._-]{1,128}");
    let name = r#"[a-zé"\\🦀]{1,24}"#;
    let password = prop::option::of(r#"[ -~é"\\]{1,64}"#);
    (any::<u32>(), name, secret(), secret(), password).prop_map(
        |(protocol, name, token, pass, password)| Hello {
            protocol,
            name: name.parse().expect("a name"),
            token: token.map(|token| token.parse().expect("a token")),
            pass: pass.map(|pass| pass.parse().expect("a pass")),
            password: password.map(|password| password.parse().expect("a password")),
        },
    )
}

fn any_message() -> impl Strategy<Value = ClientMessage> {
    prop_oneof![
        1 => any_hello().prop_map(ClientMessage::Hello),
        4 => (any_room_intent(), any_id(), any_room())
            .prop_map(|(intent, id, room)| ClientMessage::Room { intent, id, room }),
        4 => (any_lobby_intent(), any_id())
            .prop_map(|(intent, id)| ClientMessage::Lobby { intent, id }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_message_is_read_as_it_was_written(message in any_message()) {
        check_round_trip(&message);
    }

    /// No text makes the reader panic, and what it reads it writes again.
    #[test]
    fn any_text_near_a_message_is_read_or_refused(
        message in any_message(),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(&["", "\"", "\\", "{", "}", ",", "type", "null", "\u{0}", "é"][..]),
    ) {
        let mut text = serde_json::to_string(&message).expect("a message is JSON");
        let ends: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        text.insert_str(ends[at.index(ends.len())], with);
        if let Ok(message) = ClientMessage::from_json(&text) {
            check_round_trip(&message);
        }
    }
}
