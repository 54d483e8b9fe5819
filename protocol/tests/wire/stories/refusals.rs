//! A refusal of each kind.

use noughts_protocol::{
    Cell, ClaimedResult, LobbyIntent, Mark, Opening, OpeningChoice, RefusalCode, Role, RoomIntent,
    RoomSettings, SeatPresence, ServerMessage,
};

use super::server::{BEN, human, refused};
use super::teller::{CODE, Story};

pub(super) fn stories() -> Vec<Story> {
    vec![plays(), entries(), others(), without_id(), of_a_join(), of_a_create(), of_a_choice()]
}

/// The codes that are about a hello or a frame, not about an intent.
const NO_INTENT: [RefusalCode; 6] = [
    RefusalCode::HelloFirst,
    RefusalCode::AlreadyGreeted,
    RefusalCode::BadName,
    RefusalCode::BadPass,
    RefusalCode::PasswordRequired,
    RefusalCode::WrongPassword,
];

fn plays() -> Story {
    let mut s = Story::new("a move is refused with every code, and made all the same in the end");
    s.playing();
    for &code in RefusalCode::ALL.iter().filter(|code| !NO_INTENT.contains(code)) {
        s.plays(4).shows("sent_move", "4");
        s.refuses(code).happens(&["refused"]).shows("sent_move", "null");
    }
    s.plays(4).answers();
    s
}

fn entries() -> Story {
    let mut s = Story::new("each way into a room is refused");
    s.welcome();
    let settings = s.server.room.settings;
    let seats = noughts_protocol::ByMark::default();
    let create = LobbyIntent::Create { settings, seats, shuffle: true };
    let join = LobbyIntent::Join { room: s.server.room.code, role: Role::Player };
    let (board, move_time_ms, computer) = (settings.board, None, None);
    let quick = LobbyIntent::QuickMatch { board, move_time_ms, computer };
    for (intent, codes) in [
        (create, [RefusalCode::BadSettings, RefusalCode::TooManyRooms, RefusalCode::Full]),
        (join, [RefusalCode::NoSuchRoom, RefusalCode::SeatsTaken, RefusalCode::NotStored]),
        (quick, [RefusalCode::SwitchedOff, RefusalCode::Stopping, RefusalCode::RateLimited]),
    ] {
        for code in codes {
            s.asks_lobby(intent.clone()).refuses(code).happens(&["refused"]);
            s.shows("entering", "null").shows("queued", "false");
        }
    }
    s
}

fn others() -> Story {
    let mut s = Story::new("what is refused in a room changes nothing there");
    s.playing();
    s.server.passes(|now| now.seats.o = Some(SeatPresence::Away { claim_in_ms: 50_000 }));
    s.hears();
    let claim = RoomIntent::Claim { game: 1, result: ClaimedResult::Win };
    s.asks_room(claim).answers().happens(&["refused"]);
    s.asks_room(RoomIntent::Resign { game: 1 }).refuses(RefusalCode::NotStored);
    s.happens(&["refused"]);
    s.asks_lobby(LobbyIntent::Pass).refuses(RefusalCode::RateLimited).happens(&["refused"]);
    s.asks_lobby(LobbyIntent::CancelMatch).answers();
    s.ben(RoomIntent::Resign { game: 1 });
    s.asks_room(RoomIntent::Rematch { game: 1, offer: true, series: None })
        .refuses(RefusalCode::NotNow);
    s.happens(&["refused"]);
    s.asks_room(RoomIntent::Leave).refuses(RefusalCode::NotInRoom).happens(&[]);
    s
}

fn without_id() -> Story {
    let mut s = Story::new("refusals of nothing that is known");
    s.playing().plays(4);
    s.told(refused(None, RefusalCode::BadMessage)).happens(&["server_error"]);
    s.told(refused(None, RefusalCode::AlreadyGreeted)).happens(&[]);
    let unknown = Some(77.try_into().expect("a small number"));
    s.told(refused(unknown, RefusalCode::Stale)).happens(&[]);
    let room = Some(s.server.room.code);
    let id = 78.try_into().expect("a small number");
    s.told(ServerMessage::Ok { id, room, party: None }).happens(&[]);
    s.answers();
    s
}

fn of_a_join() -> Story {
    let mut s = Story::new("a room that does not let anybody in, and then another one");
    s.server.seat(Mark::X, human(BEN, "Ben Łoś"), s.now);
    s.welcome().joins("BCDFG", Role::Player).answers().happens(&["refused"]);
    s.joins(CODE, Role::Spectator).refuses(RefusalCode::NoSpectators).happens(&["refused"]);
    s.joins(CODE, Role::Player).answers().happens(&["entered"]);
    s.joins("BCDFG", Role::Spectator).answers().happens(&["refused"]);
    s.shows("entering", "null").plays(0).happens(&["blocked"]);
    s.other_plays(4).plays(0).answers();
    s
}

fn of_a_create() -> Story {
    let mut s = Story::new("a second join takes the place of the first");
    s.welcome().joins("BCDFG", Role::Player).joins(CODE, Role::Player);
    s.refuses(RefusalCode::NoSuchRoom).happens(&["refused"]).shows("entering", r#""KQRZX""#);
    s.server.seat(Mark::X, human(BEN, "Ben Łoś"), s.now);
    s.answers().happens(&["entered"]);
    s
}

fn of_a_choice() -> Story {
    let mut s = Story::with_settings(
        "a choice is refused",
        RoomSettings {
            board: noughts_protocol::BoardSpec::new(13, 15, 5).expect("a board"),
            opening: Opening::Swap2,
            ..RoomSettings::default()
        },
    );
    s.server.seat(Mark::X, human(BEN, "Ben Łoś"), s.now);
    s.welcome().joins(CODE, Role::Player).answers();
    for cell in [0, 1, 2] {
        s.server.place(Cell(cell), s.now).expect("a move");
    }
    s.hears();
    let choice = OpeningChoice::Add;
    s.asks_room(RoomIntent::Choose { game: 1, choice }).shows("sent_move", r#""add""#);
    s.refuses(RefusalCode::NotStored).happens(&["refused"]).shows("sent_move", "null");
    s.asks_room(RoomIntent::Choose { game: 1, choice }).answers();
    s.plays(3).answers().plays(4).answers();
    s.asks_room(RoomIntent::Choose { game: 1, choice: OpeningChoice::X }).happens(&["blocked"]);
    s.other_chooses(OpeningChoice::X).plays(20).answers();
    s
}
