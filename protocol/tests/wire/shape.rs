//! Tokens of any shape, and the size of the largest frames.

use noughts_protocol::{
    BoardSpec, ByMark, Cell, ClientMessage, Event, GameEnd, GameResult, GameValue, Hello,
    MAX_LOBBY_ROOMS, MAX_MOVE_TIME_MS, MAX_SERVER_FRAME, Mark, Opening, Pace, PlayerId, Presence,
    Review, ReviewedMove, RoomCode, RoomIntent, RoomRatings, RoomSettings, RoomSummary, Score,
    Seat, SeatPresence, SeatRating, Series, ServerMessage, Snapshot, Verdict,
};
use serde_json::{from_str, to_string};

use crate::rules::room::moved;

mod party;

fn read(json: &str) -> ClientMessage {
    ClientMessage::from_json(json).unwrap_or_else(|e| panic!("{json}: {e}"))
}

/// A token is opaque to its client, which may keep anything.
#[test]
fn a_token_or_pass_of_any_shape_is_one_that_nobody_knows() {
    let long = format!("{:?}", "x".repeat(1000));
    for shape in
        [r#""""#, r#"" a b""#, r#""é\n""#, "7", "-7", "0.5", "true", "[1]", r#"{"a":[]}"#, &long]
    {
        let json = format!(
            r#"{{"type":"hello","protocol":2,"name":"Ada","token":{shape},"pass":{shape}}}"#
        );
        let message = read(&json);
        let ClientMessage::Hello(Hello { token: Some(token), pass: Some(pass), .. }) = &message
        else {
            panic!("{message:?}");
        };
        assert_eq!((token.reveal(), pass.reveal()), ("", ""), "{json}");
        assert_eq!(read(&to_string(&message).unwrap()), message);
    }
}

fn largest_seat() -> Seat {
    let name = "🦀".repeat(24).parse().expect("a name of 24 characters");
    Seat::Human { player: PlayerId(u64::MAX), name }
}

fn largest_ratings() -> RoomRatings {
    let rating = SeatRating { rating: u16::MAX, provisional: true, before: Some(u16::MAX) };
    RoomRatings { rated: false, seats: ByMark { x: Some(rating), o: Some(rating) } }
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
    let away = SeatPresence::Away { claim_in_ms: u32::MAX };
    let away = ByMark { x: Some(away), o: Some(away) };
    let series = Some(Series { first_to: Some(99) });
    let snapshot = Snapshot {
        room: RoomCode::from_number(0),
        v: u64::MAX,
        settings: largest_settings(),
        maker: Some(PlayerId(u64::MAX)),
        seats: ByMark { x: largest_seat(), o: largest_seat() },
        score: Score::default(),
        series: Series { first_to: Some(99) },
        pace: Pace::Paused,
        game: from_str(&json).unwrap(),
        presence: Presence {
            seats: away,
            spectators: u32::MAX,
            rematch: Some(Mark::X),
            series,
            ratings: Some(largest_ratings()),
            take_back: Some(Mark::X),
            hints: Some(ByMark { x: u16::MAX, o: u16::MAX }),
        },
        move_ms_left: Some(u32::MAX),
        clock_stopped: true,
    };
    assert!(to_string(&ServerMessage::Snapshot(snapshot)).unwrap().len() < MAX_SERVER_FRAME / 8);
}

#[test]
fn the_largest_review_fits_a_frame() {
    let verdict = Verdict::Mistake;
    let before = GameValue::Unclear;
    let after = GameValue::Unclear;
    let made = |ply| ReviewedMove {
        ply,
        cell: Cell(360),
        verdict,
        before,
        after,
        best: Some(Cell(360)),
        best_placed: None,
    };
    let room = RoomCode::from_number(0);
    let first = Mark::X;
    let moves = (0..361).map(made).collect();
    let review = Review { room, game: u32::MAX, first, proven: false, moves };
    assert!(to_string(&ServerMessage::Review(review)).unwrap().len() < MAX_SERVER_FRAME);
}

/// The doc of `MAX_CLIENT_FRAME` promises that it leaves room to spare.
#[test]
fn the_largest_client_message_is_far_below_the_limit() {
    let id = r#""id":9007199254740991"#;
    let computer = r#"{"computer":{"strategy":"minimax","strength":"very_strong"}}"#;
    let settings = to_string(&largest_settings()).unwrap();
    let create = format!(
        r#"{{"type":"create",{id},"settings":{settings},"seats":{{"x":{computer},"o":{computer}}},"shuffle":false}}"#
    );
    read(&create);
    let hello = format!(
        r#"{{"type":"hello","protocol":2,"name":"{}","token":"{}"}}"#,
        "\\ud83e\\udd80".repeat(24),
        "x".repeat(128)
    );
    read(&hello);
    assert!(create.len() < 600 && hello.len() < 600, "{} {}", create.len(), hello.len());
    let play = ClientMessage::Room {
        intent: RoomIntent::Play { game: 1, ply: 0, cell: Cell(360), placed: None },
        id: 1.try_into().unwrap(),
        room: RoomCode::from_number(0),
    };
    assert!(to_string(&play).unwrap().len() < 100);
}

/// The move that ends a game may name four lines of a full side, and says no more than that.
#[test]
fn the_largest_event_fits_a_small_frame() {
    let cells: Vec<u16> = (342..361).collect();
    let line = format!(
        r#"{{"kind":"stretch","direction":"falling","from":342,"to":360,"cells":{cells:?}}}"#
    );
    let lines = from_str(&format!("[{line},{line},{line},{line}]")).unwrap();
    let score = Score { x: u32::MAX, o: u32::MAX, draws: u32::MAX };
    let end = GameEnd { result: GameResult::Line { winner: Mark::X, lines }, score, id: None };
    let mut event = moved(360, Mark::X, 360);
    if let Event::Moved { game, over, .. } = &mut event {
        (*game, *over) = (u32::MAX, Some(end));
    }
    let message = ServerMessage::Event { room: RoomCode::from_number(0), v: u64::MAX, event };
    let length = to_string(&message).unwrap().len();
    assert!(length < 1024, "{length}");
    let quiet = moved(3, Mark::X, 8);
    let message = ServerMessage::Event { room: RoomCode::from_number(0), v: 7, event: quiet };
    let json = r#"{"type":"event","room":"BBBBB","v":7,"event":{"kind":"moved","game":1,"ply":3,"mark":"x","cell":8}}"#;
    assert_eq!(to_string(&message).unwrap(), json, "what a move does not lead to is not written");
}
