//! The menu of plain mode: a series of questions. An empty line takes the answer in brackets.
//! `back` returns to the menu, `quit` ends the program.

use std::io;

use noughts_protocol::{
    BoardSpec, Computer, Features, FirstMove, LobbyIntent, Opening, Role, RoomSettings, SeatRequest,
};

use super::{Input, print_line};
use crate::address::Link;
use crate::args::{ComputerChoice, STRATEGY_NAMES, STRENGTH_NAMES, parse_room};
use crate::client::Client;
use crate::core::{Action, MarkChoice};
use crate::servers::ServerChoice;

/// The items of the menu. Their numbers are the same as on the full screen with nothing switched
/// off.
const MENU: [&str; 8] = [
    "Play a friend",
    "Join by code",
    "Quick match",
    "Play the computer",
    "Watch",
    "Watch two computers",
    "Play both sides here",
    "Quit",
];

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

/// Asks for server and name. Returns false if the player quits.
pub(super) async fn ask_server(client: &mut Client, lines: &mut Input) -> io::Result<bool> {
    for (place, known) in client.choice.candidates.iter().enumerate() {
        print_line(&format!("  {}. {known}", place + 1))?;
    }
    loop {
        let answers = async {
            client.choice.server = which_server(&client.choice, lines).await?;
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
    lines: &mut Input,
) -> Result<crate::address::ServerAddress, NoAnswer> {
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
pub(super) async fn ask(lines: &mut Input, features: Features) -> io::Result<Option<Action>> {
    loop {
        match ask_action(lines, features).await {
            Ok(action) => return Ok(Some(action)),
            Err(NoAnswer::Back) => {}
            Err(NoAnswer::Quit) => return Ok(None),
            Err(NoAnswer::Failed(error)) => return Err(error),
        }
    }
}

async fn ask_action(lines: &mut Input, features: Features) -> Result<Action, NoAnswer> {
    // Items keep their numbers if others are switched off.
    let on = |number: &usize| match number {
        3 => features.quick_match,
        5 => features.listing,
        6 => features.spectators,
        _ => true,
    };
    let items = MENU.iter().zip(1..).filter(|(_, number)| on(number));
    let items: String = items.map(|(item, number)| format!("\n  {number}. {item}")).collect();
    let question = format!("What would you like to do?{items}");
    let choice = prompt(lines, &question, |text| match text.parse::<usize>() {
        Ok(number @ 1..=8) if on(&number) => Ok(number),
        _ => Err("type one of the numbers".to_owned()),
    });
    match choice.await? {
        1 => ask_room(lines, SeatRequest::Open).await,
        2 => ask_code(lines).await,
        3 => {
            let (board, move_time_ms) = (ask_board(lines).await?, None);
            Ok(Action::Enter(LobbyIntent::QuickMatch { board, move_time_ms, computer: None }))
        }
        4 => {
            let computer = ask_computer(lines, "Which computer").await?;
            ask_room(lines, SeatRequest::Computer(computer)).await
        }
        5 => Ok(Action::Lobby),
        6 => {
            let x = ask_computer(lines, "Which computer plays X").await?;
            let o = ask_computer(lines, "Which computer plays O").await?;
            let settings = RoomSettings { board: ask_board(lines).await?, ..Default::default() };
            Ok(Action::exhibition(x, o, settings))
        }
        7 => {
            let settings = RoomSettings { board: ask_board(lines).await?, ..Default::default() };
            Ok(Action::create(SeatRequest::You, MarkChoice::X, settings))
        }
        _ => Err(NoAnswer::Quit),
    }
}

async fn ask_room(lines: &mut Input, opponent: SeatRequest) -> Result<Action, NoAnswer> {
    let board = ask_board(lines).await?;
    let mark = prompt(lines, "Your mark: x, o or random? [x]", |text| match text {
        "" | "x" | "X" => Ok(MarkChoice::X),
        "o" | "O" => Ok(MarkChoice::O),
        "random" => Ok(MarkChoice::Random),
        _ => Err("type x, o or random".to_owned()),
    });
    let mark = mark.await?;
    let question = "Who begins: x, o, random, alternate or loser? [alternate]";
    let first = prompt(lines, question, |text| match text {
        "x" | "X" => Ok(FirstMove::X),
        "o" | "O" => Ok(FirstMove::O),
        "random" => Ok(FirstMove::Random),
        "" | "alternate" => Ok(FirstMove::Alternate),
        "loser" => Ok(FirstMove::Loser),
        _ => Err("type x, o, random, alternate or loser".to_owned()),
    });
    let first = first.await?;
    let opening = ask_opening(lines, board).await?;
    let settings = RoomSettings { board, first, opening, ..RoomSettings::default() };
    Ok(Action::create(opponent, mark, settings))
}

/// Asks only if the board allows a choice.
async fn ask_opening(lines: &mut Input, board: BoardSpec) -> Result<Opening, NoAnswer> {
    if !board.admits_swap2() {
        return Ok(Opening::Free);
    }
    prompt(lines, "Opening: free or swap2? [free]", |text| match text {
        "" | "free" => Ok(Opening::Free),
        "swap2" => Ok(Opening::Swap2),
        _ => Err("type free or swap2".to_owned()),
    })
    .await
}

async fn ask_board(lines: &mut Input) -> Result<BoardSpec, NoAnswer> {
    prompt(lines, "Board: width x height x marks in a row? [3x3x3]", |text| {
        if text.is_empty() {
            Ok(BoardSpec::default())
        } else {
            text.parse().map_err(|e| format!("{e}"))
        }
    })
    .await
}

async fn ask_computer(lines: &mut Input, which: &str) -> Result<Computer, NoAnswer> {
    let names = || STRENGTH_NAMES.iter().chain(&STRATEGY_NAMES).copied().collect::<Vec<_>>();
    let names = names().join(", ");
    let question = format!("{which}: {names}, or both as in heuristic:strong? [average]");
    prompt(lines, &question, |text| match ComputerChoice::parse(text) {
        Some(choice) => Ok(choice.computer(None)),
        None if text.is_empty() => Ok(Computer::default()),
        None => Err(format!("type one of {names}, or both as in heuristic:strong")),
    })
    .await
}

async fn ask_code(lines: &mut Input) -> Result<Action, NoAnswer> {
    let room = prompt(lines, "The room's code?", |text| parse_room(text).map(|r| r.code));
    Ok(Action::join(room.await?, Role::Player))
}

/// Repeats a question until the answer is valid. The end of input counts as `quit`.
async fn prompt<T>(
    lines: &mut Input,
    question: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, NoAnswer> {
    print_line(question)?;
    while let Some(line) = lines.next().await {
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
