//! `admin`: what the host of a running server sees and does, through the socket in its data folder.

use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use humantime::{format_duration, format_rfc3339_seconds};
use noughts_protocol::{RoomSummary, Seat};
use noughts_store::{Act, Ban};

use crate::admin::message::{AdminAnswer, AdminConnection, AdminParty, AdminRequest};
use crate::admin::socket;
use crate::config;

/// Options of `admin`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct AdminArgs {
    /// The server's data folder [default: noughts in the user's state folder]
    #[arg(long, env = "NOUGHTS_DATA_DIR", value_name = "FOLDER", global = true)]
    pub data_dir: Option<PathBuf>,

    /// The answer as one JSON object
    #[arg(long, global = true)]
    pub json: bool,

    /// A question or an order
    #[command(subcommand)]
    pub request: AdminRequest,
}

/// Asks the server of a data folder, and prints its answer.
///
/// # Errors
/// If no server runs there, or if it refuses.
pub fn run(args: AdminArgs) -> anyhow::Result<ExitCode> {
    let path = socket::path(&config::data_dir(args.data_dir)?);
    let stream = UnixStream::connect(&path).with_context(|| {
        format!(
            "no server of yours listens at {}: is it running, with this data folder?",
            path.display()
        )
    })?;
    let line = ask(stream, &args.request)?;
    let mut out = io::stdout().lock();
    if args.json {
        out.write_all(line.as_bytes())?;
    }
    match serde_json::from_str(&line).context("the server is of another version")? {
        AdminAnswer::Refused { message } => bail!("{message}"),
        answer if !args.json => out.write_all(text(answer).as_bytes())?,
        _ => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn ask(mut stream: UnixStream, request: &AdminRequest) -> anyhow::Result<String> {
    let mut question = serde_json::to_vec(request)?;
    question.push(b'\n');
    stream.write_all(&question)?;
    stream.shutdown(Shutdown::Write)?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    Ok(line)
}

/// The answer for people.
fn text(answer: AdminAnswer) -> String {
    match answer {
        AdminAnswer::Status(status) => {
            let closed = if status.closed { "refused" } else { "welcome" };
            let up = format_duration(Duration::from_secs(status.up_s));
            format!(
                "noughts-server {}, up {up}\npeople: {}\nrooms: {}, with a running game: {}\nparties: {}\n\
                 waiting for a quick match: {}\nbans: {}\nnew rooms are {closed}\n",
                status.version,
                status.connections,
                status.rooms,
                status.playing,
                status.parties,
                status.waiting,
                status.bans,
            )
        }
        AdminAnswer::Rooms { rooms, asleep } => {
            let mut text = lines(rooms.iter().map(room), "nobody is in a room");
            if asleep > 0 {
                text += &format!("{asleep} more wait until somebody comes\n");
            }
            text
        }
        AdminAnswer::Parties { parties } => {
            let line = |party: &AdminParty| {
                let empty = if party.empty { ", nobody is there" } else { "" };
                format!("{}  {} entrants{empty}", party.party, party.entrants)
            };
            lines(parties.iter().map(line), "there is no party")
        }
        AdminAnswer::Connections { connections } => {
            lines(connections.iter().map(connection), "nobody is connected")
        }
        AdminAnswer::Bans { bans } => lines(bans.iter().map(ban), "nobody is banned"),
        AdminAnswer::Acts { acts } => lines(acts.iter().map(act), "no host has done anything yet"),
        AdminAnswer::Done { message } | AdminAnswer::Refused { message } => format!("{message}\n"),
    }
}

fn lines(lines: impl Iterator<Item = String>, none: &str) -> String {
    let all: String = lines.map(|line| line + "\n").collect();
    if all.is_empty() { format!("{none}\n") } else { all }
}

fn room(room: &RoomSummary) -> String {
    let seat = |seat: &Seat| match seat {
        Seat::Open => "open".to_owned(),
        Seat::Human { player, name } => format!("{name} ({player})"),
        Seat::Computer(computer) => computer.to_string(),
    };
    let state = match room.game {
        Some(game) => format!("game {game}"),
        None if room.seats.has_open() => "waiting".to_owned(),
        None => "between games".to_owned(),
    };
    let listed = if room.settings.listed { "listed" } else { "by code" };
    let board = room.settings.board;
    let x = seat(&room.seats.x);
    let o = seat(&room.seats.o);
    format!("{}  {board:8} {state:14} {listed:8} {} watch  {x} : {o}", room.room, room.spectators)
}

fn connection(connection: &AdminConnection) -> String {
    let AdminConnection { player, name, address, since_s, room } = connection;
    let room = room.map_or_else(|| "-----".to_owned(), |room| room.to_string());
    let since = format_duration(Duration::from_secs(*since_s)).to_string();
    format!("{player}  {address:15} {since:12} {room}  {name}")
}

fn ban(ban: &Ban) -> String {
    let until =
        ban.until.map_or_else(|| "for ever".to_owned(), |until| format!("until {}", time(until)));
    format!("{:4}  {}  {until}: {}", ban.ban, ban.who, ban.reason)
}

fn act(act: &Act) -> String {
    format!("{}  {}: {}", time(act.at), act.by, act.deed)
}

fn time(unix_ms: i64) -> String {
    let since = Duration::from_millis(u64::try_from(unix_ms).unwrap_or(0));
    format_rfc3339_seconds(std::time::UNIX_EPOCH + since).to_string()
}
