//! The menu of the plain mode: questions on lines, each with the answer that an empty line gives.
//! `back` leads from each to the menu, `quit` out of the program.

use std::io;

use noughts_protocol::{
    BoardSpec, Computer, Features, FirstMove, Opening, Role, RoomSettings, SeatRequest,
};

use super::{Input, say};
use crate::address::Link;
use crate::args::{ComputerChoice, MarkChoice, STRATEGY_NAMES, STRENGTH_NAMES, parse_room};
use crate::goal::{Goal, NewRoom};
use crate::start::Start;

/// What there is to do, by the numbers that a menu without anything switched off has: the same as
/// on the full screen.
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

/// What there is in place of an answer.
enum Instead {
    /// The question before, please.
    Back,
    /// The player goes, or there are no more lines.
    Quit,
    /// The question cannot be written.
    Failed(io::Error),
}

impl From<io::Error> for Instead {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Asks for the server and the name; false where the player goes.
pub(super) async fn ask_server(start: &mut Start, lines: &mut Input) -> io::Result<bool> {
    for (place, known) in start.servers.iter().enumerate() {
        say(&format!("  {}. {known}", place + 1))?;
    }
    loop {
        let asked = async {
            start.server = which_server(start, lines).await?;
            let question = format!("Your name? [{}]", start.name);
            let default = start.name.clone();
            start.name = question_with(lines, &question, |text| match text {
                "" => Ok(default.clone()),
                _ => text.parse().map_err(|e| format!("{e}")),
            })
            .await?;
            Ok(())
        };
        match asked.await {
            Ok(()) => return Ok(true),
            Err(Instead::Back) => {}
            Err(Instead::Quit) => return Ok(false),
            Err(Instead::Failed(error)) => return Err(error),
        }
    }
}

async fn which_server(
    start: &Start,
    lines: &mut Input,
) -> Result<crate::address::ServerAddress, Instead> {
    let which =
        if start.servers.is_empty() { "Server?" } else { "Server: a number or an address?" };
    let numbered = |text: &str| {
        let place = text.parse::<usize>().ok()?.checked_sub(1)?;
        start.servers.get(place).map(|known| known.server.clone())
    };
    question_with(lines, &format!("{which} [{}]", start.server), |text| {
        if text.is_empty() {
            return Ok(start.server.clone());
        }
        if let Some(server) = numbered(text) {
            return Ok(server);
        }
        text.parse::<Link>().map(|link| link.server).map_err(|e| e.to_string())
    })
    .await
}

/// Asks what to do; none to quit.
pub(super) async fn ask(lines: &mut Input, features: Features) -> io::Result<Option<Goal>> {
    loop {
        match ask_goal(lines, features).await {
            Ok(goal) => return Ok(Some(goal)),
            Err(Instead::Back) => {}
            Err(Instead::Quit) => return Ok(None),
            Err(Instead::Failed(error)) => return Err(error),
        }
    }
}

async fn ask_goal(lines: &mut Input, features: Features) -> Result<Goal, Instead> {
    // The numbers stay with their items, also where some are switched off.
    let on = |number: &usize| match number {
        3 => features.quick_match,
        5 => features.listing,
        6 => features.spectators,
        _ => true,
    };
    let items = MENU.iter().zip(1..).filter(|(_, number)| on(number));
    let items: String = items.map(|(item, number)| format!("\n  {number}. {item}")).collect();
    let question = format!("What would you like to do?{items}");
    let choice = question_with(lines, &question, |text| match text.parse::<usize>() {
        Ok(number @ 1..=8) if on(&number) => Ok(number),
        _ => Err("type one of the numbers".to_owned()),
    });
    match choice.await? {
        1 => ask_room(lines, SeatRequest::Open).await,
        2 => ask_code(lines).await,
        3 => Ok(Goal::Quick { board: ask_board(lines).await?, computer: None }),
        4 => {
            let computer = ask_computer(lines, "Which computer").await?;
            ask_room(lines, SeatRequest::Computer(computer)).await
        }
        5 => Ok(Goal::Lobby),
        6 => {
            let x = ask_computer(lines, "Which computer plays X").await?;
            let o = ask_computer(lines, "Which computer plays O").await?;
            let settings = RoomSettings { board: ask_board(lines).await?, ..Default::default() };
            Ok(Goal::Create(NewRoom::exhibition(x, o, settings)))
        }
        7 => {
            let settings = RoomSettings { board: ask_board(lines).await?, ..Default::default() };
            Ok(Goal::Create(NewRoom::against(SeatRequest::You, MarkChoice::X, settings)))
        }
        _ => Err(Instead::Quit),
    }
}

async fn ask_room(lines: &mut Input, opponent: SeatRequest) -> Result<Goal, Instead> {
    let board = ask_board(lines).await?;
    let mark = question_with(lines, "Your mark: x, o or random? [x]", |text| match text {
        "" | "x" | "X" => Ok(MarkChoice::X),
        "o" | "O" => Ok(MarkChoice::O),
        "random" => Ok(MarkChoice::Random),
        _ => Err("type x, o or random".to_owned()),
    });
    let mark = mark.await?;
    let question = "Who begins: x, o, random, alternate or loser? [alternate]";
    let first = question_with(lines, question, |text| match text {
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
    Ok(Goal::Create(NewRoom::against(opponent, mark, settings)))
}

/// Asks only where there is a choice.
async fn ask_opening(lines: &mut Input, board: BoardSpec) -> Result<Opening, Instead> {
    if !board.admits_swap2() {
        return Ok(Opening::Free);
    }
    question_with(lines, "Opening: free or swap2? [free]", |text| match text {
        "" | "free" => Ok(Opening::Free),
        "swap2" => Ok(Opening::Swap2),
        _ => Err("type free or swap2".to_owned()),
    })
    .await
}

async fn ask_board(lines: &mut Input) -> Result<BoardSpec, Instead> {
    question_with(lines, "Board: width x height x marks in a row? [3x3x3]", |text| {
        if text.is_empty() {
            Ok(BoardSpec::default())
        } else {
            text.parse().map_err(|e| format!("{e}"))
        }
    })
    .await
}

async fn ask_computer(lines: &mut Input, which: &str) -> Result<Computer, Instead> {
    let names = || STRENGTH_NAMES.iter().chain(&STRATEGY_NAMES).copied().collect::<Vec<_>>();
    let names = names().join(", ");
    let question = format!("{which}: {names}, or both as in heuristic:strong? [average]");
    question_with(lines, &question, |text| match ComputerChoice::read(text) {
        Some(choice) => Ok(choice.computer(None)),
        None if text.is_empty() => Ok(Computer::default()),
        None => Err(format!("type one of {names}, or heuristic:strong or the like")),
    })
    .await
}

async fn ask_code(lines: &mut Input) -> Result<Goal, Instead> {
    let room = question_with(lines, "The room's code?", |text| parse_room(text).map(|r| r.code));
    Ok(Goal::Join { room: room.await?, role: Role::Player })
}

/// Asks until an answer is right. The end of input is as good as `quit`.
async fn question_with<T>(
    lines: &mut Input,
    question: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Instead> {
    say(question)?;
    while let Some(line) = lines.next().await {
        match line.to_lowercase().as_str() {
            "back" => return Err(Instead::Back),
            "quit" | "exit" => return Err(Instead::Quit),
            _ => {}
        }
        match read(&line) {
            Ok(answer) => return Ok(answer),
            Err(why) => say(&format!("{why}, or back, or quit"))?,
        }
    }
    Err(Instead::Quit)
}
