//! What may be left out of a message, what is refused, and how large frames can become.

use noughts_protocol::{
    BoardSpec, ByMark, Cell, ClientMessage, GameValue, MAX_CLIENT_FRAME, MAX_LOBBY_ROOMS,
    MAX_MOVE_TIME_MS, MAX_SERVER_FRAME, Mark, Opening, PlayerId, Presence, Review, ReviewedMove,
    RoomCode, RoomSettings, RoomSummary, Score, Seat, SeatRequest, ServerMessage, Snapshot,
    Verdict,
};
use serde_json::{from_str, to_string};

#[test]
fn create_needs_nothing_but_an_id() {
    let ClientMessage::Create { settings, seats, shuffle, .. } =
        from_str(r#"{"type":"create","id":1}"#).unwrap()
    else {
        panic!("not a create");
    };
    assert_eq!(settings, RoomSettings::default());
    assert_eq!(seats, ByMark { x: SeatRequest::You, o: SeatRequest::Open });
    assert!(!shuffle && !settings.draws_early() && settings.spectators && !settings.listed);
}

#[test]
fn settings_and_computers_may_be_given_in_part() {
    let json = r#"{"type":"create","id":1,"settings":{"board":{"width":15,"height":15,"line":5}},
                   "seats":{"x":"you","o":{"computer":{"strength":"weak"}}}}"#;
    let ClientMessage::Create { settings, seats, .. } = from_str(json).unwrap() else {
        panic!("not a create");
    };
    assert!(settings.draws_early(), "larger boards are drawn early by default");
    assert!(matches!(seats.o, SeatRequest::Computer(_)));
    let json = r#"{"type":"quick_match","id":1,"computer":{"after_ms":5000}}"#;
    assert!(from_str::<ClientMessage>(json).is_ok());
}

#[test]
fn a_player_joins_to_play_and_a_rematch_is_an_offer_by_default() {
    let json = r#"{"type":"join","id":1,"room":"KQRZX"}"#;
    assert!(to_string(&from_str::<ClientMessage>(json).unwrap()).unwrap().contains("player"));
    let json = r#"{"type":"rematch","id":1,"room":"KQRZX","game":1}"#;
    assert!(matches!(from_str(json).unwrap(), ClientMessage::Rematch { offer: true, .. }));
}

/// Texts with which a message must not be read: a list where an object belongs.
#[test]
fn a_list_is_no_object() {
    for json in [
        r#"["ping",1]"#,
        r#"["ping",{"id":1}]"#,
        r#"{"type":"create","id":1,"settings":[]}"#,
        r#"{"type":"create","id":1,"settings":[{"width":3,"height":3,"line":3}]}"#,
        r#"{"type":"create","id":1,"settings":{"board":[3,3,3]}}"#,
        r#"{"type":"create","id":1,"seats":["you","open"]}"#,
        r#"{"type":"create","id":1,"seats":{"x":"you","o":{"computer":[]}}}"#,
        r#"{"type":"create","id":1,"seats":{"x":"you","o":{"computer":["minimax","weak"]}}}"#,
        r#"{"type":"quick_match","id":1,"board":[3,3,3]}"#,
        r#"{"type":"quick_match","id":1,"computer":[10000,"minimax","weak"]}"#,
    ] {
        assert!(from_str::<ClientMessage>(json).is_err(), "{json}");
    }
}

/// A token is opaque to its client, which may keep anything.
#[test]
fn a_token_or_pass_of_any_shape_is_one_that_nobody_knows() {
    let long = format!("{:?}", "x".repeat(1000));
    for shape in
        [r#""""#, r#"" a b""#, r#""é\n""#, "7", "-7", "0.5", "true", "[1]", r#"{"a":[]}"#, &long]
    {
        let json = format!(
            r#"{{"type":"hello","protocol":1,"name":"Ada","token":{shape},"pass":{shape}}}"#
        );
        let message: ClientMessage = from_str(&json).unwrap_or_else(|e| panic!("{json}: {e}"));
        let ClientMessage::Hello { token: Some(token), pass: Some(pass), .. } = &message else {
            panic!("{message:?}");
        };
        assert_eq!((token.reveal(), pass.reveal()), ("", ""), "{json}");
        assert_eq!(from_str::<ClientMessage>(&to_string(&message).unwrap()).unwrap(), message);
    }
}

#[test]
fn unknown_fields_are_ignored() {
    let json = r#"{"later":[1],"type":"ping","id":1,"more":{"x":null}}"#;
    assert!(matches!(from_str(json).unwrap(), ClientMessage::Ping { .. }));
}

#[test]
fn what_is_no_message_is_refused() {
    for json in [
        "",
        "null",
        "[]",
        "\"ping\"",
        "{}",
        r#"{"id":1}"#,
        r#"{"type":"dance","id":1}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"ping","id":-1}"#,
        r#"{"type":"play","id":1,"room":"KQRZX","game":1,"ply":0,"cell":65536}"#,
        r#"{"type":"join","id":1,"room":"AEIOU"}"#,
        r#"{"type":"ping","id":1} {"type":"ping","id":2}"#,
    ] {
        assert!(from_str::<ClientMessage>(json).is_err(), "{json}");
    }
    let deep = "[".repeat(MAX_CLIENT_FRAME);
    assert!(from_str::<ClientMessage>(&deep).is_err(), "deep nesting is an error, not a crash");
}

fn largest_seat() -> Seat {
    let name = "🦀".repeat(24).parse().expect("a name of 24 characters");
    let presence = Presence::Away { claim_in_ms: u32::MAX };
    Seat::Human { player: PlayerId(u64::MAX), name, presence }
}

fn largest_settings() -> RoomSettings {
    RoomSettings {
        board: BoardSpec::new(19, 19, 19).expect("the largest board"),
        move_time_ms: Some(MAX_MOVE_TIME_MS),
        opening: Opening::Swap2,
        spectators: false,
        early_draw: Some(false),
        ..RoomSettings::default()
    }
}

#[test]
fn the_largest_lobby_fits_a_frame() {
    let score = Score { x: u32::MAX, o: u32::MAX, draws: u32::MAX };
    let room = |seats, game| RoomSummary {
        room: RoomCode::from_number(0),
        settings: largest_settings(),
        seats,
        score,
        game,
        spectators: u32::MAX,
    };
    let waiting = room(ByMark { x: largest_seat(), o: Seat::Open }, None);
    let playing = room(ByMark { x: largest_seat(), o: largest_seat() }, Some(u32::MAX));
    let lobby = ServerMessage::Lobby {
        waiting: vec![waiting; MAX_LOBBY_ROOMS],
        playing: vec![playing; MAX_LOBBY_ROOMS],
        more: u32::MAX,
    };
    assert!(to_string(&lobby).unwrap().len() <= MAX_SERVER_FRAME);
}

#[test]
fn the_largest_snapshot_fits_a_frame() {
    let moves: Vec<String> = (0..361).map(|cell| cell.to_string()).collect();
    let json = format!(r#"{{"number":1,"first":"x","moves":[{}]}}"#, moves.join(","));
    let snapshot = Snapshot {
        room: RoomCode::from_number(0),
        v: u64::MAX,
        settings: largest_settings(),
        seats: ByMark { x: largest_seat(), o: largest_seat() },
        score: Score::default(),
        game: from_str(&json).unwrap(),
        offers: ByMark::default(),
        you: Vec::new(),
        spectators: u32::MAX,
        move_ms_left: Some(u32::MAX),
    };
    assert!(to_string(&ServerMessage::Snapshot(snapshot)).unwrap().len() < MAX_SERVER_FRAME / 8);
}

#[test]
fn the_largest_review_fits_a_frame() {
    let (verdict, before, after) = (Verdict::Mistake, GameValue::Unclear, GameValue::Unclear);
    let made = |ply| ReviewedMove { ply, cell: Cell(360), verdict, before, after };
    let (room, first) = (RoomCode::from_number(0), Mark::X);
    let moves = (0..361).map(made).collect();
    let review = Review { room, game: u32::MAX, first, proven: false, moves };
    assert!(to_string(&ServerMessage::Review(review)).unwrap().len() < MAX_SERVER_FRAME);
}

/// The doc of [`MAX_CLIENT_FRAME`] promises that it leaves room to spare.
#[test]
fn the_largest_client_message_is_far_below_the_limit() {
    let id = r#""id":9007199254740991"#;
    let computer = r#"{"computer":{"strategy":"minimax","strength":"very_strong"}}"#;
    let settings = to_string(&largest_settings()).unwrap();
    let create = format!(
        r#"{{"type":"create",{id},"settings":{settings},"seats":{{"x":{computer},"o":{computer}}},"shuffle":false}}"#
    );
    assert!(from_str::<ClientMessage>(&create).is_ok());
    let hello = format!(
        r#"{{"type":"hello","protocol":1,"name":"{}","token":"{}"}}"#,
        "\\ud83e\\udd80".repeat(24),
        "x".repeat(128)
    );
    assert!(from_str::<ClientMessage>(&hello).is_ok());
    assert!(create.len() < 600 && hello.len() < 600, "{} {}", create.len(), hello.len());
    let cell = ClientMessage::Play {
        id: 1.try_into().unwrap(),
        room: RoomCode::from_number(0),
        game: 1,
        ply: 0,
        cell: Cell(360),
    };
    assert!(to_string(&cell).unwrap().len() < 100);
}
