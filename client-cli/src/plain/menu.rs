//! The menu of the plain mode: questions on lines, each with the answer that an empty line gives.

use std::io;

use noughts_protocol::{
    BoardSpec, Computer, Features, FirstMove, Opening, Role, RoomSettings, SeatRequest, Strategy,
    Strength,
};

use super::{Input, say};
use crate::address::Link;
use crate::args::{MarkChoice, STRENGTH_NAMES, parse_room};
use crate::goal::{Goal, NewRoom};
use crate::start::Start;

/// What there is to do, by the numbers that a menu without anything switched off has.
const MENU: [&str; 7] = [
    "Play a friend",
    "Join by code",
    "Quick match",
    "Play the computer",
    "Watch",
    "Play both sides here",
    "Quit",
];

/// Asks for the server and the name; false at the end of input.
pub(super) async fn ask_server(start: &mut Start, lines: &mut Input) -> io::Result<bool> {
    for (place, known) in start.servers.iter().enumerate() {
        say(&format!("  {}. {known}", place + 1))?;
    }
    let which =
        if start.servers.is_empty() { "Server?" } else { "Server: a number or an address?" };
    let question = format!("{which} [{}]", start.server);
    let default = start.server.clone();
    let numbered = |text: &str| {
        let place = text.parse::<usize>().ok()?.checked_sub(1)?;
        start.servers.get(place).map(|known| known.server.clone())
    };
    let Some(server) = question_with(lines, &question, |text| {
        if text.is_empty() {
            return Ok(default.clone());
        }
        if let Some(server) = numbered(text) {
            return Ok(server);
        }
        text.parse::<Link>().map(|link| link.server).map_err(|e| e.to_string())
    })
    .await?
    else {
        return Ok(false);
    };
    let question = format!("Your name? [{}]", start.name);
    let default = start.name.clone();
    let name = question_with(lines, &question, |text| {
        if text.is_empty() { Ok(default.clone()) } else { text.parse().map_err(|e| format!("{e}")) }
    })
    .await?;
    let Some(name) = name else { return Ok(false) };
    (start.server, start.name) = (server, name);
    Ok(true)
}

/// Asks what to do; none to quit.
pub(super) async fn ask(lines: &mut Input, features: Features) -> io::Result<Option<Goal>> {
    // The numbers stay with their items, also where some are switched off.
    let on = |number: &usize| match number {
        3 => features.quick_match,
        5 => features.listing,
        _ => true,
    };
    let items = MENU.iter().zip(1..).filter(|(_, number)| on(number));
    let items: String = items.map(|(item, number)| format!("\n  {number}. {item}")).collect();
    let question = format!("What would you like to do?{items}");
    let choice = question_with(lines, &question, |text| match text.parse::<usize>() {
        Ok(number @ 1..=7) if on(&number) => Ok(number),
        _ if text == "quit" => Ok(7),
        _ => Err("type one of the numbers".to_owned()),
    });
    Ok(match choice.await? {
        Some(1) => ask_room(lines, SeatRequest::Open).await?,
        Some(2) => ask_code(lines).await?,
        Some(3) => ask_board(lines).await?.map(|board| Goal::Quick { board, computer: None }),
        Some(4) => match ask_strength(lines).await? {
            Some(strength) => {
                let computer = Computer { strategy: Strategy::Minimax, strength };
                ask_room(lines, SeatRequest::Computer(computer)).await?
            }
            None => None,
        },
        Some(5) => Some(Goal::Lobby),
        Some(6) => ask_board(lines).await?.map(|board| {
            let settings = RoomSettings { board, ..RoomSettings::default() };
            Goal::Create(NewRoom::against(SeatRequest::You, MarkChoice::X, settings))
        }),
        _ => None,
    })
}

async fn ask_room(lines: &mut Input, opponent: SeatRequest) -> io::Result<Option<Goal>> {
    let Some(board) = ask_board(lines).await? else { return Ok(None) };
    let mark = question_with(lines, "Your mark: x, o or random? [x]", |text| match text {
        "" | "x" | "X" => Ok(MarkChoice::X),
        "o" | "O" => Ok(MarkChoice::O),
        "random" => Ok(MarkChoice::Random),
        _ => Err("type x, o or random".to_owned()),
    });
    let Some(mark) = mark.await? else { return Ok(None) };
    let question = "Who begins: x, o, random, alternate or loser? [alternate]";
    let first = question_with(lines, question, |text| match text {
        "x" | "X" => Ok(FirstMove::X),
        "o" | "O" => Ok(FirstMove::O),
        "random" => Ok(FirstMove::Random),
        "" | "alternate" => Ok(FirstMove::Alternate),
        "loser" => Ok(FirstMove::Loser),
        _ => Err("type x, o, random, alternate or loser".to_owned()),
    });
    let Some(first) = first.await? else { return Ok(None) };
    let Some(opening) = ask_opening(lines, board).await? else { return Ok(None) };
    let settings = RoomSettings { board, first, opening, ..RoomSettings::default() };
    Ok(Some(Goal::Create(NewRoom::against(opponent, mark, settings))))
}

/// Asks only where there is a choice.
async fn ask_opening(lines: &mut Input, board: BoardSpec) -> io::Result<Option<Opening>> {
    if !board.admits_swap2() {
        return Ok(Some(Opening::Free));
    }
    question_with(lines, "Opening: free or swap2? [free]", |text| match text {
        "" | "free" => Ok(Opening::Free),
        "swap2" => Ok(Opening::Swap2),
        _ => Err("type free or swap2".to_owned()),
    })
    .await
}

async fn ask_board(lines: &mut Input) -> io::Result<Option<BoardSpec>> {
    question_with(lines, "Board: width x height x marks in a row? [3x3x3]", |text| {
        if text.is_empty() {
            Ok(BoardSpec::default())
        } else {
            text.parse().map_err(|e| format!("{e}"))
        }
    })
    .await
}

async fn ask_strength(lines: &mut Input) -> io::Result<Option<Strength>> {
    let question = "How strong: very_weak, weak, average, strong or very_strong? [average]";
    question_with(lines, question, |text| {
        let name = text.to_lowercase().replace([' ', '-'], "_");
        let place = STRENGTH_NAMES.iter().position(|n| *n == name);
        match (place, text) {
            (Some(place), _) => Ok(Strength::ALL[place]),
            (None, "") => Ok(Strength::default()),
            _ => Err(format!("type one of {}", STRENGTH_NAMES.join(", "))),
        }
    })
    .await
}

async fn ask_code(lines: &mut Input) -> io::Result<Option<Goal>> {
    let room = question_with(lines, "The room's code?", |text| parse_room(text).map(|r| r.code));
    Ok(room.await?.map(|room| Goal::Join { room, role: Role::Player }))
}

/// Asks until an answer is right; none at the end of input.
async fn question_with<T>(
    lines: &mut Input,
    question: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> io::Result<Option<T>> {
    say(question)?;
    while let Some(line) = lines.next().await {
        match read(&line) {
            Ok(answer) => return Ok(Some(answer)),
            Err(why) => say(&why)?,
        }
    }
    Ok(None)
}
