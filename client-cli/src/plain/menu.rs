//! The menu of plain mode: a series of questions. An empty line takes the answer in brackets.
//! `back` returns to the menu, `quit` ends the program.

use std::fmt::Display;
use std::io;
use std::str::FromStr;

use noughts_client::address::{Link, ServerAddress};
use noughts_protocol::party::wire_value;
use noughts_protocol::settings::{Kind, alternatives};
use noughts_protocol::{Computer, GameKind, PlayerName, Role, Setting};

use super::{Ended, Plain};
use crate::action::Action;
use crate::args::{ComputerChoice, computer_names, parse_room_of};
use crate::choices::{Choices, FormKind, usual_name};
use crate::client::Exit;
use crate::net::servers::ServerChoice;
use crate::stdio::Stdio;

/// Why a question has no answer.
enum NoAnswer {
    /// The player typed `back`.
    Back,
    /// The player typed `quit`, the input ended, or the question cannot be written.
    Ended(Ended),
}

impl From<io::Error> for NoAnswer {
    fn from(error: io::Error) -> Self {
        Self::Ended(error.into())
    }
}

/// Asks for the server, unless it is given, and for the name.
pub(super) async fn ask_server(plain: &mut Plain) -> Result<(), Ended> {
    for (place, known) in plain.client.choice.candidates.iter().enumerate() {
        plain.stdio.print_line(&format!("  {}. {known}", place + 1))?;
    }
    loop {
        if let Some(asked) = answer(ask_server_once(plain).await) {
            return asked;
        }
    }
}

async fn ask_server_once(plain: &mut Plain) -> Result<(), NoAnswer> {
    let Plain { client, stdio, .. } = plain;
    if !client.choice.named {
        client.choice.server = which_server(&client.choice, stdio).await?;
    }
    client.profile.name = ask_name(stdio, "Your name?", &client.profile.name).await?;
    Ok(())
}

/// Asks what to do.
pub(super) async fn ask(plain: &mut Plain) -> Result<Action, Ended> {
    loop {
        if let Some(action) = answer(ask_action(plain).await) {
            return action;
        }
    }
}

/// The end of questions; `None` after `back`, which asks again.
fn answer<T>(asked: Result<T, NoAnswer>) -> Option<Result<T, Ended>> {
    match asked {
        Ok(answer) => Some(Ok(answer)),
        Err(NoAnswer::Back) => None,
        Err(NoAnswer::Ended(ended)) => Some(Err(ended)),
    }
}

async fn which_server(choice: &ServerChoice, stdio: &mut Stdio) -> Result<ServerAddress, NoAnswer> {
    let which =
        if choice.candidates.is_empty() { "Server?" } else { "Server: a number or an address?" };
    let numbered = |text: &str| {
        let place = text.parse::<usize>().ok()?.checked_sub(1)?;
        choice.candidates.get(place).map(|known| known.server.clone())
    };
    prompt(stdio, &format!("{which} [{}]", choice.server), |text| {
        if text.is_empty() {
            return Ok(choice.server.clone());
        }
        let typed = || text.parse::<Link>().map(|link| link.server).map_err(|e| e.to_string());
        numbered(text).map_or_else(typed, Ok)
    })
    .await
}

async fn ask_action(plain: &mut Plain) -> Result<Action, NoAnswer> {
    let features = plain.client.choice.features;
    let saved = &plain.client.profile.saved;
    let back = saved.room.or_else(|| saved.earlier.first().copied());
    let stdio = &mut plain.stdio;
    let items = [
        (true, GameKind::Friend.label()),
        (true, "Join by code"),
        (features.quick_match, GameKind::Quick.label()),
        (true, GameKind::Computer.label()),
        (features.listing, "Watch"),
        (features.spectators, GameKind::Exhibition.label()),
        (true, GameKind::Both.label()),
        (features.history, "My games"),
        (features.history, "My profile"),
        (features.history && features.ratings, "Strongest players"),
        (features.parties, "Make a party"),
        (true, "Puzzle of the day"),
        (true, "Quit"),
    ];
    // Items keep their numbers if others are switched off.
    let on = items.iter().zip(1..).filter(|((on, _), _)| *on);
    let lines_of = on.map(|((_, item), number)| format!("\n  {number}. {item}"));
    let way_back = back.map(|room| format!("\n  0. Back to {room}"));
    let lines: String = way_back.into_iter().chain(lines_of).collect();
    let question = format!("What would you like to do?{lines}");
    let choice = prompt(stdio, &question, |text| match text.parse::<usize>() {
        Ok(0) if back.is_some() => Ok(0),
        Ok(number @ 1..=13) if items[number - 1].0 => Ok(number),
        _ => Err("type one of the numbers".to_owned()),
    });
    let new = |kind| Choices::new(kind, features);
    let choices = match choice.await? {
        1 => new(GameKind::Friend),
        2 => {
            let server = &plain.client.choice.server;
            let read = |text: &str| parse_room_of(server, text);
            let room = prompt(stdio, "The room's code?", read).await?;
            return Ok(Action::join(room, Role::Player));
        }
        3 => new(GameKind::Quick),
        4 => {
            let mut choices = new(GameKind::Computer);
            let computer = ask_computer(stdio, "Which computer", Computer::OPPONENT).await?;
            choices.set_computer("", computer);
            choices
        }
        5 => return Ok(Action::Lobby),
        6 => {
            let mut choices = new(GameKind::Exhibition);
            for (side, which) in
                [("_x", "Which computer plays X"), ("_o", "Which computer plays O")]
            {
                let computer = ask_computer(stdio, which, Computer::default()).await?;
                choices.set_computer(side, computer);
            }
            choices
        }
        7 => new(GameKind::Both),
        8 => return Ok(Action::Games),
        9 => return Ok(Action::Profile),
        10 => return Ok(Action::Leaders),
        11 => return ask_party(plain).await,
        12 => return Ok(Action::Puzzle(None)),
        // As a spectator a player gets the seat back.
        0 if let Some(room) = back => return Ok(Action::join(room, Role::Spectator)),
        _ => return Err(NoAnswer::Ended(Exit::Done.into())),
    };
    ask_settings(stdio, choices).await
}

/// Asks for the name and the settings of a party.
async fn ask_party(plain: &mut Plain) -> Result<Action, NoAnswer> {
    let Plain { client, stdio, .. } = plain;
    let features = client.choice.features;
    let usual = usual_name(Some(&client.profile.name));
    let name = ask_name(stdio, "The party's name?", &usual).await?;
    let mut choices = Choices::party(name, features);
    let settings = choices.settings().collect();
    ask_each(stdio, settings, &mut choices).await?;
    let answer = ask_yes(stdio, "Do you play too", true).await?;
    if let FormKind::Party { plays, .. } = &mut choices.kind {
        *plays = answer;
    }
    Ok(choices.action())
}

/// Asks for each setting for which there is a choice, first for those that most players set.
async fn ask_settings(stdio: &mut Stdio, mut choices: Choices) -> Result<Action, NoAnswer> {
    let (others, first): (Vec<_>, Vec<_>) = choices.settings().partition(|setting| setting.more);
    ask_each(stdio, first, &mut choices).await?;
    if !others.is_empty() && ask_yes(stdio, "More settings", false).await? {
        ask_each(stdio, others, &mut choices).await?;
    }
    Ok(choices.action())
}

async fn ask_each(
    stdio: &mut Stdio,
    settings: Vec<&'static Setting>,
    choices: &mut Choices,
) -> Result<(), NoAnswer> {
    let is_party = matches!(choices.kind, FormKind::Party { .. });
    for setting in settings {
        // The computers were asked for in one question.
        let is_asked = ["strategy", "strength"].iter().any(|name| setting.name.starts_with(name));
        if is_asked || !choices.offered().any(|offered| offered.name == setting.name) {
            continue;
        }
        let boards = choices.boards(setting).map(|boards| boards.join(", "));
        let values = match (setting.kind, boards) {
            (Kind::Board, Some(boards)) => boards,
            (Kind::Board, None) => "width x height x marks in a row".to_owned(),
            (Kind::Time, _) if is_party => "10s, 2m".to_owned(),
            (Kind::Time, _) => "30s, 5m, 2h or none".to_owned(),
            (Kind::Choice | Kind::YesNo, _) => {
                let offered = choices.offered_values(setting);
                let named = setting.offered.iter().filter(|(text, _)| offered.contains(text));
                let named = named.map(|(text, _)| choices.with_side(setting, text, text));
                let named: Vec<String> = named.collect();
                alternatives(&named.iter().map(|text| (&text[..], "")).collect::<Vec<_>>())
            }
        };
        let usual = choices.usual(setting);
        let question = format!("{}: {values}? [{usual}]", choices.label(setting));
        let text = prompt(stdio, &question, |text| {
            let text = if text.is_empty() { usual } else { text };
            let value = if is_party { wire_value(setting, text) } else { setting.wire_value(text) };
            value.map(|_| text.to_owned())
        });
        choices.set(setting, &text.await?);
    }
    Ok(())
}

async fn ask_computer(
    stdio: &mut Stdio,
    which: &str,
    usual: Computer,
) -> Result<Computer, NoAnswer> {
    let names = computer_names().collect::<Vec<_>>().join(", ");
    let question =
        format!("{which}: {names}, or both as in heuristic:strong? [{}]", usual.strength.name());
    prompt(stdio, &question, |text| match ComputerChoice::parse(text) {
        Some(choice) => Ok(choice.computer(None, usual)),
        None if text.is_empty() => Ok(usual),
        None => Err(format!("type one of {names}, or both as in heuristic:strong")),
    })
    .await
}

async fn ask_yes(stdio: &mut Stdio, what: &str, usual: bool) -> Result<bool, NoAnswer> {
    let default = if usual { "yes" } else { "no" };
    prompt(stdio, &format!("{what}: yes or no? [{default}]"), |text| match text {
        "" => Ok(usual),
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("type yes or no".to_owned()),
    })
    .await
}

async fn ask_name(
    stdio: &mut Stdio,
    question: &str,
    usual: &PlayerName,
) -> Result<PlayerName, NoAnswer> {
    let question = format!("{question} [{usual}]");
    let read = |text: &str| parse(if text.is_empty() { usual.as_str() } else { text });
    prompt(stdio, &question, read).await
}

fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// Repeats a question until the answer is valid. The end of input and Ctrl-C count as `quit`.
async fn prompt<T>(
    stdio: &mut Stdio,
    question: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, NoAnswer> {
    stdio.print_line(question)?;
    while let Some(line) = stdio.answer().await? {
        match line.to_lowercase().as_str() {
            "back" => return Err(NoAnswer::Back),
            "quit" | "exit" => return Err(NoAnswer::Ended(Exit::Done.into())),
            _ => {}
        }
        match read(&line) {
            Ok(answer) => return Ok(answer),
            Err(why) => stdio.print_line(&format!("{why}, or back, or quit"))?,
        }
    }
    Err(NoAnswer::Ended(Exit::Done.into()))
}
