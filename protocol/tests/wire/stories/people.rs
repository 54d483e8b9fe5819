//! Questions about kept games and people, and a player who is forgotten.

use noughts_protocol::{
    BoardClass, ExportFormat, GameId, LobbyIntent, Outcome, Period, PlayerId, RefusalCode, Role,
    RoomIntent,
};

use super::server::BEN;
use super::teller::{CODE, Story};

pub(super) fn stories() -> Vec<Story> {
    vec![
        every_question(),
        replaced(),
        asked_in_a_break(),
        found_in_a_break(),
        refused(),
        unknown_answers(),
        forgotten(),
        forgotten_in_a_break(),
        forgotten_elsewhere(),
        forget_refused(),
    ]
}

const GAMES: LobbyIntent =
    LobbyIntent::History { opponent: None, board: None, outcome: None, before: None };

const WON: LobbyIntent =
    LobbyIntent::History { opponent: None, board: None, outcome: Some(Outcome::Won), before: None };

const PROFILE: LobbyIntent = LobbyIntent::Profile { player: None };

/// Somebody new comes after somebody is forgotten.
const NEW: PlayerId = PlayerId(0xe4da_3b7f_bbce_2345);

fn every_question() -> Story {
    let mut s = Story::new("every question is answered, and the last one of each kind is kept");
    s.welcome().asks_lobby(GAMES).shows("questions", r#"{"history":"asked"}"#);
    s.answers().happens(&["answered"]).shows("questions", r#"{"history":"history"}"#);
    s.asks_lobby(PROFILE).answers();
    s.asks_lobby(LobbyIntent::Leaderboard { class: BoardClass::Five, period: Period::Ever });
    s.answers();
    let format = ExportFormat::Sgf;
    s.asks_lobby(LobbyIntent::Export { format, before: None }).answers();
    s.asks_lobby(LobbyIntent::Game { game: GameId(7) }).answers().happens(&["answered"]);
    s.asks_lobby(LobbyIntent::ReviewGame { game: GameId(7) }).answers();
    s.shows("unanswered", "[]");
    s
}

fn replaced() -> Story {
    let mut s =
        Story::new("a question is asked again with other words, and the old answer is nothing");
    s.welcome().asks_lobby(GAMES).asks_lobby(PROFILE).asks_lobby(WON);
    s.shows("unanswered", "[2,3]");
    // The answer to the first one.
    s.answers_one().happens(&[]);
    s.shows("questions", r#"{"history":"asked","profile":"asked"}"#);
    s.answers().shows("questions", r#"{"history":"history","profile":"profile"}"#);
    s.asks_lobby(WON).shows("questions", r#"{"history":"asked","profile":"profile"}"#).answers();
    s
}

fn asked_in_a_break() -> Story {
    let mut s =
        Story::new("a question that is asked in a break is sent after it, and only the last");
    s.playing().breaks().asks_lobby(GAMES).asks_lobby(WON);
    s.welcome().sends(&["4 join KQRZX spectator", "3 history"]);
    s.answers().shows("questions", r#"{"history":"history"}"#).shows("unanswered", "[]");
    s
}

fn found_in_a_break() -> Story {
    let mut s = Story::new("the answer to a question is lost in a break, and it is asked again");
    s.welcome().asks_lobby(PROFILE).answers_unheard().breaks();
    s.shows("questions", r#"{"profile":"asked"}"#);
    s.welcome().sends(&["1 profile"]).answers().happens(&["answered"]);
    // An answer stays over a break.
    s.breaks().welcome().sends(&[]).shows("questions", r#"{"profile":"profile"}"#);
    s
}

fn refused() -> Story {
    let mut s = Story::new("a question is refused, and that is its answer");
    s.welcome().asks_lobby(LobbyIntent::Profile { player: Some(BEN) });
    s.refuses(RefusalCode::NoSuchPlayer).happens(&["answered"]);
    s.shows("questions", r#"{"profile":"no_such_player"}"#);
    s.asks_lobby(GAMES).refuses(RefusalCode::SwitchedOff).happens(&["answered"]);
    s
}

fn unknown_answers() -> Story {
    let mut s = Story::new("an answer to nothing that was asked is nothing");
    s.welcome().asks_lobby(GAMES).answers_unheard().hears();
    let found = noughts_protocol::Found::History { games: Vec::new(), more: true };
    let id = 1.try_into().expect("a small number");
    s.told(noughts_protocol::ServerMessage::Found { id, found }).happens(&[]);
    s
}

fn forgotten() -> Story {
    let mut s = Story::new("a player is forgotten, and comes back as somebody new");
    s.playing().says(BEN, "bye").asks_lobby(PROFILE).answers();
    s.asks_lobby(LobbyIntent::Forget).answers().happens(&["forgotten"]);
    s.shows("room", "null").shows("questions", "{}").shows("phase", r#""connecting""#);
    s.asks_lobby(GAMES).asks_room(RoomIntent::Resign { game: 1 }).happens(&["blocked"]);
    s.server.member = false;
    s.player = NEW;
    s.welcome().sends(&["4 history"]).answers();
    s.joins(CODE, Role::Spectator).answers().shows("mine", "[]");
    s
}

fn forgotten_in_a_break() -> Story {
    let mut s =
        Story::new("the answer to a forget is lost: the next welcome is that of somebody new");
    s.playing().asks_lobby(LobbyIntent::Forget).answers_unheard().breaks();
    s.player = NEW;
    // It is asked again, of somebody who has nothing to forget.
    s.welcome().sends(&["3 join KQRZX spectator", "2 forget"]).answers();
    s.shows("room", "null").shows("phase", r#""connecting""#).welcome().happens(&["welcome"]);
    s
}

fn forgotten_elsewhere() -> Story {
    let mut s = Story::new("another device has the player forgotten, and this one only watches");
    s.playing().breaks();
    s.player = NEW;
    s.welcome().sends(&["2 join KQRZX spectator"]).answers().shows("mine", "[]");
    s.plays(4).happens(&["blocked"]);
    s
}

fn forget_refused() -> Story {
    let mut s = Story::new("a player cannot be forgotten now, and stays who they are");
    s.playing().asks_lobby(LobbyIntent::Forget).refuses(RefusalCode::NotStored);
    s.happens(&["refused"]).shows("mine", r#"["x"]"#);
    s
}
