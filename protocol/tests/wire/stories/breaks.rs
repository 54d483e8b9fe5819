//! The connection breaks, and what is sent again after it.

use noughts_protocol::{LobbyIntent, Mark, RefusalCode, Role, RoomIntent};

use super::client::Input;
use super::server::BEN;
use super::teller::{CODE, Story};

pub(super) fn stories() -> Vec<Story> {
    vec![
        before_the_first_welcome(),
        move_not_applied(),
        move_applied(),
        move_overtaken(),
        two_moves(),
        asked_while_lost(),
        leave_unanswered(),
        leave_after_a_move(),
        leave_while_lost_and_create(),
        return_unanswered(),
        leave_for_another_room(),
        sync_unanswered(),
        entering_unanswered(),
        entering_without_snapshot(),
        entering_from_another_room(),
        create_unanswered(),
        queue_unanswered(),
        queue_accepted(),
        queue_refused_after(),
        lobby_watched(),
        several_at_once(),
        hint_unanswered(),
        review_unanswered(),
        review_accepted(),
        busy(),
        busy_while_lost(),
    ]
}

const QUICK: LobbyIntent = LobbyIntent::QuickMatch {
    board: noughts_protocol::BoardSpec::TIC_TAC_TOE,
    move_time_ms: None,
    computer: None,
};

fn before_the_first_welcome() -> Story {
    let mut s = Story::new("what is asked before the first welcome is sent with it");
    s.server.seat(Mark::X, super::server::human(BEN, "Ben Łoś"), s.now);
    s.joins(CODE, Role::Player).shows("phase", r#""connecting""#).shows("deadline", "null");
    s.step(Input::Broke).happens(&["lost"]);
    s.step(Input::Broke).happens(&["lost"]);
    s.welcome().sends(&["1 join KQRZX player"]).shows("deadline", "10030");
    s.answers().happens(&["entered"]);
    s.plays(4).answers();
    s
}

fn move_not_applied() -> Story {
    let mut s = Story::new("a move is unanswered in a break, and the server has not got it");
    s.playing().plays(4).breaks().shows("deadline", "null").shows("sent_move", "4");
    s.welcome().sends(&["3 join KQRZX spectator", "2 play 4"]).shows("unanswered", "[2,3]");
    s.answers().shows("unanswered", "[]").shows("sent_move", "null");
    s.other_plays(0);
    s
}

fn move_applied() -> Story {
    let mut s = Story::new("a move is unanswered in a break, and the server has applied it");
    s.playing().plays(4).answers_unheard().breaks();
    s.waits(3_000).welcome().sends(&["3 join KQRZX spectator", "2 play 4"]);
    s.answers();
    s
}

fn move_overtaken() -> Story {
    let mut s =
        Story::new("a move is unanswered in a break, and another device has moved meanwhile");
    s.playing().plays(4).breaks();
    s.other_plays(8).other_plays(0);
    s.welcome().sends(&["3 join KQRZX spectator", "2 play 4"]);
    s.answers().happens(&["refused"]);
    s.plays(4).answers();
    s
}

fn two_moves() -> Story {
    let mut s = Story::new("the connection breaks again and again");
    s.playing().plays(4).breaks();
    s.welcome().sends(&["3 join KQRZX spectator", "2 play 4"]);
    s.breaks().welcome().sends(&["4 join KQRZX spectator", "2 play 4"]);
    s.answers_unheard().breaks();
    s.welcome().sends(&["5 join KQRZX spectator", "2 play 4"]);
    s.shows("unanswered", "[2,5]").answers();
    s
}

fn asked_while_lost() -> Story {
    let mut s = Story::new("what is asked while the connection is lost is sent after it");
    s.playing().breaks().plays(4).shows("unanswered", "[2]").shows("deadline", "null");
    s.plays(0).happens(&["blocked"]);
    s.asks_room(RoomIntent::Resign { game: 1 });
    s.welcome().sends(&["4 join KQRZX spectator", "2 play 4", "3 resign 1"]);
    s.answers();
    s
}

fn leave_unanswered() -> Story {
    let mut s = Story::new("a leave is unanswered in a break");
    s.playing().plays(4).answers();
    s.asks_room(RoomIntent::Leave).shows("room", "null").breaks();
    s.welcome().sends(&["4 join KQRZX spectator", "3 leave KQRZX"]).shows("unanswered", "[3]");
    // The snapshot of the return is of a room that is left.
    s.answers().shows("room", "null").shows("unanswered", "[]");
    s.breaks().welcome().happens(&["welcome"]);
    s
}

fn leave_after_a_move() -> Story {
    let mut s = Story::new("a move and a leave are asked in a break, and the move counts");
    s.playing().breaks().plays(4).asks_room(RoomIntent::Leave);
    s.welcome().sends(&["4 join KQRZX spectator", "2 play 4", "3 leave KQRZX"]);
    s.answers().shows("room", "null").shows("unanswered", "[]");
    assert_eq!(s.server.room.game.as_ref().map(|last| last.game.ply()), Some(1));
    s
}

fn leave_while_lost_and_create() -> Story {
    let mut s = Story::new("a room is left in a break for a quick match");
    s.playing().breaks().asks_room(RoomIntent::Leave).asks_lobby(QUICK);
    s.welcome().sends(&["4 join KQRZX spectator", "2 leave KQRZX", "3 quick_match"]);
    // Nor does the snapshot of the return count as the match.
    s.answers().shows("room", "null").shows("queued", "true");
    s
}

fn return_unanswered() -> Story {
    let mut s = Story::new("a room is left while the return to it is unanswered");
    s.playing().breaks().welcome().sends(&["2 join KQRZX spectator"]).shows("unanswered", "[2]");
    s.asks_room(RoomIntent::Leave).shows("unanswered", "[3]");
    s.answers().shows("room", "null").shows("unanswered", "[]");
    s
}

fn leave_for_another_room() -> Story {
    let mut s =
        Story::new("a room is left for another one, and only the leave is unanswered in a break");
    s.playing().asks_room(RoomIntent::Leave).joins("BCDFG", Role::Spectator);
    s.to_server.remove(0);
    s.grants(Some("BCDFG"));
    let snapshot = s.server.snapshot_of("BCDFG", s.now);
    s.told(snapshot).happens(&["entered"]).shows("unanswered", "[2]");
    s.breaks().welcome();
    // The last one is the room that the player is in.
    s.sends(&["4 join KQRZX spectator", "2 leave KQRZX", "5 join BCDFG spectator"]);
    s.shows("unanswered", "[2,5]");
    s
}

fn sync_unanswered() -> Story {
    let mut s = Story::new("a sync is unanswered in a break, and the return does as much");
    s.playing();
    s.server.place(noughts_protocol::Cell(4), s.now).expect("a move");
    s.misses().pong().sends(&["2 sync KQRZX"]).breaks().shows("unanswered", "[2]");
    s.welcome().sends(&["3 join KQRZX spectator"]).shows("unanswered", "[3]");
    s.answers().happens(&["refreshed"]);
    s
}

fn entering_unanswered() -> Story {
    let mut s = Story::new("the connection breaks before a join is answered");
    s.server.seat(Mark::X, super::server::human(BEN, "Ben Łoś"), s.now);
    s.welcome().joins(CODE, Role::Player).breaks().shows("entering", r#""KQRZX""#);
    s.welcome().sends(&["1 join KQRZX player"]).shows("unanswered", "[1]");
    s.answers().happens(&["entered"]);
    s
}

fn entering_without_snapshot() -> Story {
    let mut s = Story::new("the connection breaks between the answer to a join and its snapshot");
    s.server.seat(Mark::X, super::server::human(BEN, "Ben Łoś"), s.now);
    s.welcome().joins(CODE, Role::Player).grants(Some(CODE)).shows("unanswered", "[]");
    s.breaks().welcome().sends(&["2 join KQRZX player"]).shows("unanswered", "[2]");
    // And once more: this time it is the fresh one that is unanswered.
    s.breaks().welcome().sends(&["2 join KQRZX player"]);
    s.answers().happens(&["entered"]);
    s
}

fn entering_from_another_room() -> Story {
    let mut s = Story::new("the connection breaks on the way from one room to another");
    s.playing().joins("BCDFG", Role::Spectator).shows("entering", r#""BCDFG""#);
    s.breaks().welcome().sends(&["3 join KQRZX spectator", "2 join BCDFG spectator"]);
    s.answers().shows("entering", "null").happens(&["refused"]);
    s.joins("BCDFG", Role::Spectator).grants(Some("BCDFG"));
    s.breaks().welcome();
    s.sends(&["5 join KQRZX spectator", "6 join BCDFG spectator"]).shows("unanswered", "[5,6]");
    s
}

fn create_unanswered() -> Story {
    let mut s = Story::new("the connection breaks before and after a create is answered");
    let settings = s.server.room.settings;
    let seats = noughts_protocol::ByMark::default();
    s.welcome().asks_lobby(LobbyIntent::Create { settings, seats, shuffle: false });
    s.shows("entering", "true").breaks().welcome().sends(&[r"1 create"]);
    s.grants(Some(CODE)).shows("entering", r#""KQRZX""#);
    s.server.seat(Mark::X, super::server::human(super::server::ADA, "Ada"), s.now);
    s.breaks().welcome().sends(&["2 join KQRZX player"]).answers().happens(&["entered"]);
    s
}

fn queue_unanswered() -> Story {
    let mut s = Story::new("the connection breaks before a quick match is answered");
    s.welcome().asks_lobby(QUICK).shows("queued", "true").breaks();
    s.welcome().sends(&["1 quick_match"]).shows("unanswered", "[1]");
    s.grants(None).shows("queued", "true");
    s
}

fn queue_accepted() -> Story {
    let mut s = Story::new("the connection breaks in the queue, and the place is taken again");
    s.welcome().asks_lobby(QUICK).answers().breaks();
    s.welcome().sends(&["1 quick_match"]).shows("unanswered", "[]").shows("deadline", "null");
    s.answers().shows("queued", "true");
    // It was matched at once this time.
    s.breaks().welcome().sends(&["1 quick_match"]);
    s.to_server.clear();
    s.server.seat(Mark::X, super::server::human(super::server::ADA, "Ada"), s.now);
    s.server.seat(Mark::O, super::server::human(BEN, "Ben Łoś"), s.now);
    let id = 1.try_into().expect("a small number");
    s.server.enters(id, s.now);
    s.hears().happens(&["entered"]).shows("queued", "false");
    s.breaks().welcome().sends(&["2 join KQRZX spectator"]).answers();
    s
}

fn queue_refused_after() -> Story {
    let mut s = Story::new("the queue does not take the player back after a break");
    s.welcome().asks_lobby(QUICK).answers().breaks();
    s.welcome().sends(&["1 quick_match"]);
    s.refuses(RefusalCode::SwitchedOff).happens(&["refused"]).shows("queued", "false");
    s.breaks().welcome().happens(&["welcome"]);
    s
}

fn lobby_watched() -> Story {
    let mut s = Story::new("the lobby is watched over a break, until it is not any more");
    s.welcome().asks_lobby(LobbyIntent::WatchLobby).answers().shows("lobby", "1");
    s.breaks().welcome().sends(&["2 watch_lobby"]).answers().happens(&["lobby"]);
    s.breaks().welcome().sends(&["3 watch_lobby"]);
    // It is unanswered: the same one is sent again.
    s.breaks().welcome().sends(&["3 watch_lobby"]).answers();
    s.asks_lobby(LobbyIntent::UnwatchLobby).shows("lobby", "null");
    s.told(super::server::lobby()).happens(&[]).shows("lobby", "null");
    s.answers().breaks().welcome().happens(&["welcome"]);
    s
}

fn several_at_once() -> Story {
    let mut s = Story::new("a room, the lobby, the queue, a move and a review over one break");
    s.playing().ben(RoomIntent::Resign { game: 1 });
    s.asks_lobby(LobbyIntent::WatchLobby).answers();
    s.asks_room(RoomIntent::Review { game: 1 }).grants(Some(CODE));
    s.asks_lobby(QUICK).grants(None);
    s.asks_room(RoomIntent::Rematch { game: 1, offer: true, series: None }).breaks().welcome();
    s.sends(&[
        "6 join KQRZX spectator",
        "7 watch_lobby",
        "4 quick_match",
        "5 rematch",
        "8 review 1",
    ]);
    s.shows("unanswered", "[5,6,7,8]").answers().shows("unanswered", "[]").shows("review", "1");
    s
}

fn hint_unanswered() -> Story {
    let mut s = Story::new("a hint is asked for in a break, and it is not asked for again");
    s.playing().asks_room(RoomIntent::Hint { game: 1 }).shows("analysis", r#""hint""#);
    s.breaks().shows("analysis", "null").shows("unanswered", "[]");
    s.welcome().sends(&["3 join KQRZX spectator"]).answers();
    s.asks_room(RoomIntent::Hint { game: 1 }).grants(Some(CODE)).breaks();
    s.shows("analysis", "null");
    s.welcome().sends(&["5 join KQRZX spectator"]).answers();
    s
}

fn review_unanswered() -> Story {
    let mut s = Story::new("a review is unanswered in a break");
    s.playing().asks_room(RoomIntent::Review { game: 1 }).happens(&["blocked"]);
    s.ben(RoomIntent::Resign { game: 1 });
    s.asks_room(RoomIntent::Review { game: 1 }).shows("analysis", r#""review""#).breaks();
    s.welcome().sends(&["3 join KQRZX spectator", "2 review 1"]).shows("analysis", r#""review""#);
    s.answers().happens(&["review"]).shows("analysis", "null").shows("review", "1");
    s
}

fn review_accepted() -> Story {
    let mut s = Story::new("the connection breaks while the server works on a review");
    s.playing().ben(RoomIntent::Resign { game: 1 });
    s.asks_room(RoomIntent::Review { game: 1 }).grants(Some(CODE)).shows("unanswered", "[]");
    s.breaks().shows("analysis", r#""review""#);
    s.welcome().sends(&["3 join KQRZX spectator", "4 review 1"]).shows("unanswered", "[3,4]");
    s.breaks().welcome().sends(&["5 join KQRZX spectator", "4 review 1"]);
    s.answers().happens(&["review"]).shows("analysis", "null");
    s.breaks().welcome().sends(&["6 join KQRZX spectator"]).answers().shows("review", "1");
    s
}

fn busy() -> Story {
    let mut s = Story::new("a thirteenth intent is not taken, a repair is");
    s.playing();
    for _ in 0..12 {
        s.asks_room(RoomIntent::Resign { game: 1 }).happens(&[]);
    }
    s.plays(4).happens(&["busy"]);
    s.asks_room(RoomIntent::Rematch { game: 1, offer: true, series: None }).happens(&["busy"]);
    s.server.place(noughts_protocol::Cell(0), s.now).expect("a move");
    s.misses().pong().sends(&["14 sync KQRZX"]);
    s.plays(4).happens(&["busy"]);
    let first = s.to_server.remove(0);
    s.server.serve(&first, s.now);
    s.server.told.retain(|told| matches!(told, noughts_protocol::ServerMessage::Ok { .. }));
    s.hears();
    // A repair does not count: there is place for one.
    s.asks_room(RoomIntent::Resign { game: 1 }).happens(&[]);
    s.asks_room(RoomIntent::Resign { game: 1 }).happens(&["busy"]);
    s
}

fn busy_while_lost() -> Story {
    let mut s = Story::new("twelve intents wait for a connection, and one more is not taken");
    s.playing().breaks();
    for _ in 0..12 {
        s.asks_room(RoomIntent::Resign { game: 1 }).happens(&[]);
    }
    s.asks_room(RoomIntent::Resign { game: 1 }).happens(&["busy"]);
    s.welcome();
    let mut sent = vec!["14 join KQRZX spectator".to_owned()];
    sent.extend((2..14).map(|id| format!("{id} resign 1")));
    s.sends(&sent.iter().map(String::as_str).collect::<Vec<_>>());
    s.asks_room(RoomIntent::Resign { game: 1 }).happens(&["busy"]);
    s
}
