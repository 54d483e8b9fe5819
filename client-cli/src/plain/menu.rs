//! The menu of plain mode: a series of questions. An empty line takes the answer in brackets.
//! `back` returns to the menu, `quit` ends the program.

use std::io;

use noughts_protocol::party::wire_value;
use noughts_protocol::settings::{Kind, alternatives};
use noughts_protocol::{Computer, Features, GameKind, PlayerName, Role, Setting};

use super::StdinLines;
use crate::args::{ComputerChoice, computer_names, parse_room};
use crate::choices::{Choices, FormKind, usual_name};
use crate::client::Client;
use crate::console::print_line;
use crate::net::address::Link;
use crate::net::servers::ServerChoice;
use crate::session::Action;
use crate::signals::Signals;

/// Why a question has no answer.
enum NoAnswer {
    /// The player typed `back`.
    Back,
    /// The player typed `quit`, or the input ended.
    Quit,
    /// The question cannot be written.
    Failed(io::Error),
}

impl From<io::Error> for NoAnswer {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Asks for the server, unless it is given, and for the name. Returns false if the player quits.
pub(super) async fn ask_server(client: &mut Client, lines: &mut StdinLines) -> io::Result<bool> {
    for (place, known) in client.choice.candidates.iter().enumerate() {
        print_line(&format!("  {}. {known}", place + 1))?;
    }
    loop {
        let answers = async {
            if !client.choice.named {
                client.choice.server = which_server(&client.choice, lines).await?;
            }
            let question = format!("Your name? [{}]", client.profile.name);
            let default = client.profile.name.clone();
            client.profile.name = prompt(lines, &question, |text| match text {
                "" => Ok(default.clone()),
                _ => text.parse().map_err(|e| format!("{e}")),
            })
            .await?;
            Ok(())
        };
        match answers.await {
            Ok(()) => return Ok(true),
            Err(NoAnswer::Back) => {}
            Err(NoAnswer::Quit) => return Ok(false),
            Err(NoAnswer::Failed(error)) => return Err(error),
        }
    }
}

async fn which_server(
    choice: &ServerChoice,
    lines: &mut StdinLines,
) -> Result<crate::net::address::ServerAddress, NoAnswer> {
    let which =
        if choice.candidates.is_empty() { "Server?" } else { "Server: a number or an address?" };
    let numbered = |text: &str| {
        let place = text.parse::<usize>().ok()?.checked_sub(1)?;
        choice.candidates.get(place).map(|known| known.server.clone())
    };
    prompt(lines, &format!("{which} [{}]", choice.server), |text| {
        if text.is_empty() {
            return Ok(choice.server.clone());
        }
        if let Some(server) = numbered(text) {
            return Ok(server);
        }
        text.parse::<Link>().map(|link| link.server).map_err(|e| e.to_string())
    })
    .await
}

/// Asks what to do. Returns `None` if the player quits.
pub(super) async fn ask(
    lines: &mut StdinLines,
    features: Features,
    host: &PlayerName,
) -> io::Result<Option<Action>> {
    loop {
        match ask_action(lines, features, host).await {
            Ok(action) => return Ok(Some(action)),
            Err(NoAnswer::Back) => {}
            Err(NoAnswer::Quit) => return Ok(None),
            Err(NoAnswer::Failed(error)) => return Err(error),
        }
    }
}

async fn ask_action(
    lines: &mut StdinLines,
    features: Features,
    host: &PlayerName,
) -> Result<Action, NoAnswer> {
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
        (true, "Quit"),
    ];
    // Items keep their numbers if others are switched off.
    let on = items.iter().zip(1..).filter(|((on, _), _)| *on);
    let lines_of = on.map(|((_, item), number)| format!("\n  {number}. {item}"));
    let question = format!("What would you like to do?{}", lines_of.collect::<String>());
    let choice = prompt(lines, &question, |text| match text.parse::<usize>() {
        Ok(number @ 1..=12) if items[number - 1].0 => Ok(number),
        _ => Err("type one of the numbers".to_owned()),
    });
    let choices = |kind| Choices::new(kind, features);
    let choices = match choice.await? {
        1 => choices(GameKind::Friend),
        2 => return ask_code(lines).await,
        3 => choices(GameKind::Quick),
        4 => {
            let mut choices = choices(GameKind::Computer);
            choices
                .set_computer("", ask_computer(lines, "Which computer", Computer::OPPONENT).await?);
            choices
        }
        5 => return Ok(Action::Lobby),
        6 => {
            let mut choices = choices(GameKind::Exhibition);
            choices.set_computer(
                "_x",
                ask_computer(lines, "Which computer plays X", Computer::default()).await?,
            );
            choices.set_computer(
                "_o",
                ask_computer(lines, "Which computer plays O", Computer::default()).await?,
            );
            choices
        }
        7 => choices(GameKind::Both),
        8 => return Ok(Action::Games),
        9 => return Ok(Action::Profile),
        10 => return Ok(Action::Leaders),
        11 => return ask_party(lines, features, host).await,
        _ => return Err(NoAnswer::Quit),
    };
    ask_settings(lines, choices).await
}

/// Asks for each setting for which there is a choice, first for those that most players set.
async fn ask_settings(lines: &mut StdinLines, mut choices: Choices) -> Result<Action, NoAnswer> {
    let settings = |more| choices.settings().filter(move |setting| setting.more == more);
    let first: Vec<_> = settings(false).collect();
    let others: Vec<_> = settings(true).collect();
    ask_each(lines, first, &mut choices).await?;
    let question = "More settings: yes or no? [no]";
    let more = prompt(lines, question, |text| match text {
        "yes" => Ok(true),
        "" | "no" => Ok(false),
        _ => Err("type yes or no".to_owned()),
    });
    if !others.is_empty() && more.await? {
        ask_each(lines, others, &mut choices).await?;
    }
    Ok(choices.action())
}

async fn ask_each(
    lines: &mut StdinLines,
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
        let values = match setting.kind {
            Kind::Board => "width x height x marks in a row".to_owned(),
            Kind::Time if is_party => "10s, 2m".to_owned(),
            Kind::Time => "30s, 5m, 2h or none".to_owned(),
            Kind::Choice | Kind::YesNo => alternatives(setting.offered),
        };
        let usual = choices.usual(setting);
        let question = format!("{}: {values}? [{usual}]", setting.label);
        let text = prompt(lines, &question, |text| {
            let text = if text.is_empty() { usual } else { text };
            let value = if is_party { wire_value(setting, text) } else { setting.wire_value(text) };
            value.map(|_| text.to_owned())
        });
        choices.set(setting, &text.await?);
    }
    Ok(())
}

/// Asks for the name and the settings of a party.
async fn ask_party(
    lines: &mut StdinLines,
    features: Features,
    host: &PlayerName,
) -> Result<Action, NoAnswer> {
    let usual = usual_name(Some(host));
    let question = format!("The party's name? [{usual}]");
    let name = prompt(lines, &question, |text| match text {
        "" => Ok(usual.clone()),
        _ => text.parse().map_err(|e| format!("{e}")),
    });
    let mut choices = Choices::party(name.await?, features);
    let settings = choices.settings().collect();
    ask_each(lines, settings, &mut choices).await?;
    let question = "Do you play too: yes or no? [yes]";
    let answer = prompt(lines, question, |text| match text {
        "" | "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("type yes or no".to_owned()),
    });
    let answer = answer.await?;
    if let FormKind::Party { plays, .. } = &mut choices.kind {
        *plays = answer;
    }
    Ok(choices.action())
}

async fn ask_computer(
    lines: &mut StdinLines,
    which: &str,
    usual: Computer,
) -> Result<Computer, NoAnswer> {
    let names = computer_names().collect::<Vec<_>>().join(", ");
    let question =
        format!("{which}: {names}, or both as in heuristic:strong? [{}]", usual.strength.name());
    prompt(lines, &question, |text| match ComputerChoice::parse(text) {
        Some(choice) => Ok(choice.computer(None, usual)),
        None if text.is_empty() => Ok(usual),
        None => Err(format!("type one of {names}, or both as in heuristic:strong")),
    })
    .await
}

async fn ask_code(lines: &mut StdinLines) -> Result<Action, NoAnswer> {
    let room = prompt(lines, "The room's code?", |text| parse_room(text).map(|room| room.id));
    Ok(Action::join(room.await?, Role::Player))
}

/// Repeats a question until the answer is valid. The end of input and Ctrl-C count as `quit`.
async fn prompt<T>(
    lines: &mut StdinLines,
    question: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, NoAnswer> {
    // After a game the system no longer ends the program by itself.
    let mut signals = Signals::listen()?;
    print_line(question)?;
    let mut next = async || {
        tokio::select! {
            line = lines.next() => line,
            _ = signals.next() => None,
        }
    };
    while let Some(line) = next().await {
        match line.to_lowercase().as_str() {
            "back" => return Err(NoAnswer::Back),
            "quit" | "exit" => return Err(NoAnswer::Quit),
            _ => {}
        }
        match read(&line) {
            Ok(answer) => return Ok(answer),
            Err(why) => print_line(&format!("{why}, or back, or quit"))?,
        }
    }
    Err(NoAnswer::Quit)
}
