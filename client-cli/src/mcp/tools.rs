//! The calls of tools, which are made of their arguments. The tools' descriptions for the model are in
//! [`super::list`]; what a call does is in [`super::view`].

use std::time::Duration;

use noughts_protocol::settings::alternatives;
use noughts_protocol::{
    ChatText, ClaimedResult, Emote, Features, GameId, GameKind, LobbyIntent, OpeningChoice,
    Outcome, Role, RoomCode, Said, Setting, Strength, in_plain_words,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::list;
use crate::args::parse_room;
use crate::choices::Choices;

/// The longest time that a call waits for somebody, in seconds: hosts give up after a minute.
pub(super) const MAX_WAIT: u64 = 60;
/// How long `wait` and `play` wait by themselves, in seconds.
pub(super) const USUAL_WAIT: u64 = 30;
pub(super) const USUAL_REPLY: u64 = 10;

/// A call of a tool.
#[derive(Debug, PartialEq)]
pub(super) enum Call {
    MakeRoom(LobbyIntent),
    JoinRoom(RoomCode, Role),
    Room,
    Play { cell: String, wait: Duration },
    Choose { choice: OpeningChoice, wait: Duration },
    Wait(Duration),
    Resign,
    TakeBack,
    Again,
    Claim(ClaimedResult),
    Say(Said),
    Review(Option<GameId>),
    History(LobbyIntent),
    Rooms,
    Leave,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JoinRoom {
    room: String,
    role: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    cell: Option<Value>,
    choose: Option<OpeningChoice>,
    wait: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaitArguments {
    seconds: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    result: ClaimedResult,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Say {
    text: Option<String>,
    emote: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reviewed {
    game: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct History {
    result: Option<String>,
    before: Option<String>,
}

impl Call {
    /// Reads a call. `None` if there is no such tool.
    ///
    /// # Errors
    /// If the arguments are wrong. The text says what is right.
    pub(super) fn read(tool: &str, arguments: Value) -> Option<Result<Self, String>> {
        let nothing = |call| move |Nothing {}| Ok(call);
        Some(match tool {
            "make_room" => make_room(arguments).map(Self::MakeRoom),
            "join_room" => read(tool, arguments, join_room),
            "room" => read(tool, arguments, nothing(Self::Room)),
            "play" => read(tool, arguments, play),
            "wait" => read(tool, arguments, |WaitArguments { seconds }| {
                Ok(Self::Wait(bounded(seconds, USUAL_WAIT)))
            }),
            "resign" => read(tool, arguments, nothing(Self::Resign)),
            "take_back" => read(tool, arguments, nothing(Self::TakeBack)),
            "again" => read(tool, arguments, nothing(Self::Again)),
            "claim" => read(tool, arguments, |Claim { result }| Ok(Self::Claim(result))),
            "say" => read(tool, arguments, say),
            "review" => read(tool, arguments, |Reviewed { game }| {
                let game = game.map(|id| id.trim().parse()).transpose();
                game.map(Self::Review).map_err(|why| format!("game: {why}"))
            }),
            "history" => read(tool, arguments, history),
            "rooms" => read(tool, arguments, nothing(Self::Rooms)),
            "leave" => read(tool, arguments, nothing(Self::Leave)),
            _ => return None,
        })
    }
}

/// Reads the arguments of a call. Those of a tool without any may be left out.
fn read<T: DeserializeOwned>(
    tool: &str,
    arguments: Value,
    make: impl FnOnce(T) -> Result<Call, String>,
) -> Result<Call, String> {
    let arguments = if arguments.is_null() { json!({}) } else { arguments };
    let arguments = serde_json::from_value(arguments).map_err(|error| {
        format!("{tool} takes {}: {}", list::arguments(tool), in_plain_words(&error))
    })?;
    make(arguments)
}

fn bounded(seconds: Option<u64>, usual: u64) -> Duration {
    Duration::from_secs(seconds.unwrap_or(usual).min(MAX_WAIT))
}

fn join_room(JoinRoom { room, role }: JoinRoom) -> Result<Call, String> {
    let room = parse_room(&room).map_err(|why| format!("room: {why}"))?.id;
    let role = match role.as_deref() {
        None | Some("play") => Role::Player,
        Some("watch") => Role::Spectator,
        Some(_) => return Err("role: play or watch".to_owned()),
    };
    Ok(Call::JoinRoom(room, role))
}

fn play(arguments: Play) -> Result<Call, String> {
    let wait = bounded(arguments.wait, USUAL_REPLY);
    match (arguments.cell, arguments.choose) {
        (Some(Value::String(cell)), None) => Ok(Call::Play { cell, wait }),
        (Some(Value::Number(number)), None) => Ok(Call::Play { cell: number.to_string(), wait }),
        (None, Some(choice)) => Ok(Call::Choose { choice, wait }),
        _ => Err("cell: the number or the coordinate of a cell, such as 5 or b2".to_owned()),
    }
}

fn say(arguments: Say) -> Result<Call, String> {
    let said = match (arguments.text, arguments.emote) {
        (Some(text), None) => {
            Said::Text(text.parse::<ChatText>().map_err(|why| format!("text: {why}"))?)
        }
        (None, Some(emote)) => {
            Said::Emote(emote.parse::<Emote>().map_err(|why| format!("emote: {why}"))?)
        }
        _ => return Err("give a text or an emote, and not both".to_owned()),
    };
    Ok(Call::Say(said))
}

fn history(arguments: History) -> Result<Call, String> {
    let outcome = arguments.result.map(|text| text.parse::<Outcome>()).transpose();
    let before = arguments.before.map(|id| id.trim().parse::<GameId>()).transpose();
    Ok(Call::History(LobbyIntent::History {
        opponent: None,
        board: None,
        variant: None,
        outcome: outcome.map_err(|why| format!("result: {why}"))?,
        before: before.map_err(|why| format!("before: {why}"))?,
    }))
}

/// Reads the settings of a new room by the table of settings, which the menus have too.
fn make_room(arguments: Value) -> Result<LobbyIntent, String> {
    let Value::Object(mut given) = arguments else { return Err(OPPONENT.to_owned()) };
    let kind = match given.remove("opponent") {
        Some(Value::String(word)) if word == "computer" => GameKind::Computer,
        Some(Value::String(word)) if word == "person" => GameKind::Friend,
        _ => return Err(OPPONENT.to_owned()),
    };
    let mut choices = Choices::new(kind, Features::ALL_ON);
    for (name, value) in &given {
        let setting = setting(&choices, name)?;
        let text = text_of(setting, value).map_err(|why| format!("{name}: {why}"))?;
        choices.set(setting, &text);
    }
    for (name, value) in &given {
        let setting = setting(&choices, name)?;
        let is_offered = choices.offered().any(|offered| offered.name == setting.name);
        let counts = text_of(setting, value).is_ok_and(|text| choices.value(setting) == text);
        if !(is_offered && counts) {
            return Err(format!("{name}: not with the other settings; leave it out"));
        }
    }
    choices.action().intent().ok_or_else(|| OPPONENT.to_owned())
}

const OPPONENT: &str = "opponent, which is required: computer or person";

fn setting(choices: &Choices, name: &str) -> Result<&'static Setting, String> {
    choices.settings().find(|setting| setting.name == name).ok_or_else(|| {
        let names: Vec<_> = choices.settings().map(|setting| (setting.name, "")).collect();
        format!("{name}: no setting of such a room: there are {}", alternatives(&names))
    })
}

/// A value as the text that a form has.
fn text_of(setting: &Setting, value: &Value) -> Result<String, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return Err(format!("a text, such as {}", setting.default)),
    };
    // Large boards have more strengths than the setting offers.
    if setting.name == "strength"
        && let Ok(strength) = text.parse::<Strength>()
    {
        return Ok(strength.name().to_owned());
    }
    setting.wire_value(&text).map(|_| text)
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{SeatRequest, Strength};

    use super::*;

    fn call(tool: &str, arguments: Value) -> Result<Call, String> {
        Call::read(tool, arguments).unwrap()
    }

    #[test]
    fn each_tool_of_the_list_can_be_called() {
        let tools = super::super::list::tools();
        for tool in tools.as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            let read = Call::read(name, json!({ "nonsense": 1 }));
            assert!(read.unwrap_or_else(|| panic!("{name} is unknown")).is_err(), "{name}");
        }
        assert_eq!(Call::read("nonsense", json!({})), None);
    }

    #[test]
    fn a_room_is_made_by_the_table_of_settings() {
        let settings = json!({
            "opponent": "computer", "strength": "strong", "mark": "o", "board": "15x15x5", "listed": true,
        });
        let Ok(Call::MakeRoom(LobbyIntent::Create { settings, seats, .. })) =
            call("make_room", settings)
        else {
            panic!()
        };
        assert_eq!((settings.board.to_string(), settings.listed), ("15x15x5".to_owned(), true));
        assert_eq!(seats.o, SeatRequest::You);
        assert!(matches!(seats.x, SeatRequest::Computer(one) if one.strength == Strength::Strong));
    }

    #[test]
    fn a_large_board_has_nine_strengths_by_name_or_digit() {
        for strength in [json!("level_4"), json!("4"), json!(4)] {
            let settings =
                |board| json!({ "opponent": "computer", "board": board, "strength": strength });
            let Ok(Call::MakeRoom(LobbyIntent::Create { seats, .. })) =
                call("make_room", settings("15x15x5"))
            else {
                panic!("{strength}")
            };
            assert!(
                matches!(seats.o, SeatRequest::Computer(one) if one.strength == Strength::Level4)
            );
            let why = call("make_room", settings("3x3x3")).unwrap_err();
            assert!(why.starts_with("strength: not with"), "{why}");
        }
    }

    #[test]
    fn wrong_arguments_are_answered_with_the_right_ones() {
        let check = |tool, arguments, part: &str| {
            let why = call(tool, arguments).unwrap_err();
            assert!(why.contains(part), "{why}");
        };
        check("make_room", json!({}), "opponent, which is required: computer or person");
        let person = json!({ "opponent": "person", "strength": "weak" });
        check("make_room", person, "strength: no setting of such a room: there are variant");
        let large = json!({ "opponent": "person", "board": "99x3x3" });
        check("make_room", large, "board: ");
        let swap = json!({ "opponent": "person", "opening": "swap2" });
        check("make_room", swap, "opening: not with the other settings");
        let gravity = json!({ "opponent": "person", "variant": "ultimate", "board": "3x3x3" });
        check("make_room", gravity, "board: not with the other settings");
        check("join_room", json!({ "room": "hello" }), "room: ");
        check("join_room", json!({ "room": "KQRZX", "role": "win" }), "role: play or watch");
        check("play", json!({}), "cell: ");
        check(
            "wait",
            json!({ "seconds": "long" }),
            "wait takes seconds: invalid type: string \"long\", expected a whole",
        );
        check("resign", json!({ "game": 1 }), "resign takes no arguments: ");
        check("say", json!({ "text": " " }), "text: write something first");
        check("say", json!({ "emote": "hug" }), "good_game");
        check("history", json!({ "result": "good" }), "won");
        check("review", json!({ "game": "9" }), "game: ");
    }

    #[test]
    fn no_call_waits_longer_than_hosts_do() {
        let wait = Duration::from_secs(MAX_WAIT);
        assert_eq!(call("wait", json!({ "seconds": u64::MAX })), Ok(Call::Wait(wait)));
        let play = Call::Play { cell: "5".to_owned(), wait };
        assert_eq!(call("play", json!({ "cell": 5, "wait": 600 })), Ok(play));
    }
}
