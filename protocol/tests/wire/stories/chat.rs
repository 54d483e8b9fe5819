//! Talk in the room, mutes, and a break of the connection in the middle of both.

use noughts_protocol::{ChatMode, Emote, Features, RefusalCode, RoomIntent, RoomSettings, Said};

use super::server::talk::EVE;
use super::server::{ADA, BEN};
use super::teller::Story;

pub(super) fn stories() -> Vec<Story> {
    vec![
        two_players(),
        spectators_after_the_game(),
        the_last_lines(),
        said_once(),
        asked_while_lost(),
        muted(),
        muted_and_a_restart(),
        muted_on_another_device(),
        muted_while_a_list_is_on_its_way(),
        emotes_only(),
        off(),
        switched_off(),
        gone_with_the_room(),
        of_another_room(),
    ]
}

fn text(text: &str) -> RoomIntent {
    RoomIntent::Say { said: Said::Text(text.parse().expect("a text")) }
}

const fn emote(emote: Emote) -> RoomIntent {
    RoomIntent::Say { said: Said::Emote(emote) }
}

const fn mute(player: noughts_protocol::PlayerId, mute: bool) -> RoomIntent {
    RoomIntent::Mute { player, mute }
}

/// The shown mutes of Ben and Eve.
fn heard(lines: &[u64], muted: &[noughts_protocol::PlayerId]) -> String {
    let (lines, muted) = (super::client::json(lines), super::client::json(muted));
    format!(r#"{{"lines":{lines},"muted":{muted}}}"#)
}

fn two_players() -> Story {
    let mut s = Story::new("two players talk, and everybody hears everything once");
    s.playing().asks_room(text("Good luck!")).shows("unanswered", "[2]").answers();
    s.shows("chat", &heard(&[1], &[]));
    s.says(BEN, "Have fun").happens(&["chat"]);
    s.asks_room(emote(Emote::Thanks)).answers().shows("chat", &heard(&[1, 2, 3], &[]));
    // A snapshot is followed by the last lines, which are here already.
    s.asks_room(RoomIntent::Sync).answers().happens(&[]).shows("chat", &heard(&[1, 2, 3], &[]));
    s.plays(4).answers();
    s
}

fn spectators_after_the_game() -> Story {
    let mut s = Story::new("a player hears the spectators when the game is over");
    s.server.next_game = Some(noughts_protocol::GameId(0x1679_091c_5a88_0faf));
    s.playing().says(EVE, "take the middle").shows("chat", &heard(&[], &[]));
    s.says(BEN, "hm").shows("chat", &heard(&[2], &[]));
    s.ben(RoomIntent::Resign { game: 1 }).happens(&["chat"]).shows("chat", &heard(&[1, 2], &[]));
    s.says(EVE, "well played").happens(&["chat"]);
    s
}

fn the_last_lines() -> Story {
    let mut s = Story::new("a client keeps the last thirty lines of players and of spectators");
    s.watching();
    for number in 0..31 {
        s.server.say(EVE, Said::Text(format!("line {number}").parse().expect("a text")));
    }
    s.server.say(BEN, Said::Emote(Emote::Thinking));
    s.hears();
    let lines: Vec<u64> = (2..=32).collect();
    s.shows("chat", &heard(&lines, &[]));
    // Somebody who comes in hears no more than that, and no line is heard twice.
    s.breaks().welcome().sends(&["2 join KQRZX spectator"]).answers();
    s.shows("chat", &heard(&lines, &[]));
    s
}

fn said_once() -> Story {
    let mut s = Story::new("a text is unanswered in a break, and is said once");
    s.playing().asks_room(text("Good luck!")).answers_unheard().breaks();
    s.shows("unanswered", "[2]").shows("chat", &heard(&[], &[]));
    s.welcome().sends(&["3 join KQRZX spectator", "2 say {text:Good luck!}"]);
    s.answers().shows("unanswered", "[]").shows("chat", &heard(&[1], &[]));
    // This one did not reach the server.
    s.asks_room(text("Again?")).breaks();
    s.welcome().sends(&["5 join KQRZX spectator", "4 say {text:Again?}"]);
    s.answers().shows("chat", &heard(&[1, 2], &[]));
    s
}

fn asked_while_lost() -> Story {
    let mut s = Story::new("what is said while the connection is lost is said after it");
    s.playing().breaks().asks_room(text("One moment")).asks_room(emote(Emote::Oops));
    s.says(BEN, "Where are you?");
    s.welcome().sends(&["4 join KQRZX spectator", "2 say {text:One moment}", "3 say {emote:oops}"]);
    s.answers().shows("chat", &heard(&[1, 2, 3], &[])).shows("unanswered", "[]");
    // The server wants it slower.
    s.asks_room(text("Hello?")).refuses(RefusalCode::RateLimited).happens(&["refused"]);
    s
}

fn muted() -> Story {
    let mut s =
        Story::new("a player mutes the opponent, who is silent at once, and hears them again");
    s.playing().says(BEN, "you are slow").asks_room(mute(BEN, true));
    s.shows("chat", &heard(&[], &[BEN]));
    // A line may be on its way.
    s.server.say(BEN, Said::Text("hurry".parse().expect("a text")));
    s.hears().happens(&[]).shows("chat", &heard(&[], &[BEN])).answers();
    s.says(BEN, "hello?").shows("chat", &heard(&[], &[BEN]));
    s.asks_room(mute(ADA, true)).happens(&["blocked"]);
    s.asks_room(mute(BEN, false)).shows("chat", &heard(&[], &[])).answers();
    s.shows("chat", &heard(&[1, 2, 3], &[]));
    s
}

fn muted_and_a_restart() -> Story {
    let mut s = Story::new("the server restarts and has forgotten who is muted");
    s.playing().asks_room(mute(BEN, true)).answers().asks_room(mute(EVE, true)).answers();
    s.breaks();
    s.server.forget_talk();
    // Somebody else has been heard meanwhile, so a list comes, and it lacks both.
    s.server.say(ADA, Said::Emote(Emote::Hello));
    s.welcome().sends(&["4 join KQRZX spectator"]).answers();
    s.sends(&["5 mute c9f0f895fb98ab91 true", "6 mute 45c48cce2e2d7fbd true"]);
    s.answers().shows("chat", &heard(&[1_001], &[BEN, EVE]));
    // Nobody has spoken since this restart, so no list comes. The first line shows it.
    s.breaks();
    s.server.forget_talk();
    s.welcome().sends(&["7 join KQRZX spectator"]).answers();
    s.says(BEN, "hello?").sends(&["8 mute c9f0f895fb98ab91 true"]).happens(&[]);
    s.says(BEN, "hello??").sends(&[]);
    // The list after it lacks the other one, who is muted again too.
    s.is_told = false;
    s.answers().shows("unanswered", "[9]").answers().shows("unanswered", "[]");
    s.shows("chat", &heard(&[1_001], &[BEN, EVE]));
    s
}

fn muted_on_another_device() -> Story {
    let mut s = Story::new("another device of the player mutes somebody, and ends it");
    s.watching().says(EVE, "look at me").says(BEN, "hm");
    s.server.mute(EVE, true);
    s.hears().happens(&["chat"]).shows("chat", &heard(&[2], &[EVE]));
    s.server.mute(EVE, false);
    s.hears().happens(&["chat"]).shows("chat", &heard(&[1, 2], &[]));
    s
}

fn muted_while_a_list_is_on_its_way() -> Story {
    let mut s = Story::new("a list of muted people comes from before what was just asked");
    s.playing();
    s.server.mute(EVE, true);
    s.hears().asks_room(mute(BEN, true)).asks_room(mute(EVE, false));
    s.server.mute(EVE, true);
    s.hears().shows("chat", &heard(&[], &[BEN])).answers().shows("chat", &heard(&[], &[BEN]));
    s
}

fn emotes_only() -> Story {
    let chat = ChatMode::Emotes;
    let settings = RoomSettings { chat, ..RoomSettings::default() };
    let mut s = Story::with_settings("a room has emotes and no texts", settings);
    s.playing().asks_room(text("Hello")).happens(&["blocked"]);
    s.asks_room(emote(Emote::Hello)).answers().shows("chat", &heard(&[1], &[]));
    s
}

fn off() -> Story {
    let chat = ChatMode::Off;
    let settings = RoomSettings { chat, ..RoomSettings::default() };
    let mut s = Story::with_settings("nobody talks in a room", settings);
    s.playing().asks_room(text("Hello")).happens(&["blocked"]);
    s.asks_room(emote(Emote::Hello)).happens(&["blocked"]);
    s
}

fn switched_off() -> Story {
    let mut s = Story::new("the host has switched off talk");
    s.features = Features { chat: false, ..Features::default() };
    s.playing().asks_room(emote(Emote::Hello)).happens(&["blocked"]);
    s
}

fn gone_with_the_room() -> Story {
    let mut s = Story::new("what was said, and who was muted, goes with the room");
    s.playing().says(BEN, "bye").asks_room(mute(EVE, true)).answers();
    s.asks_room(RoomIntent::Leave).shows("chat", "null").answers();
    s.asks_room(text("bye")).happens(&["blocked"]);
    s
}

fn of_another_room() -> Story {
    let mut s = Story::new("what is said in another room is not heard");
    s.playing();
    let room = "BCDFG".parse().expect("a code");
    s.told(noughts_protocol::ServerMessage::Chat {
        room,
        lines: Vec::new(),
        muted: Some(vec![BEN]),
    });
    s.happens(&[]).shows("chat", &heard(&[], &[]));
    s
}
