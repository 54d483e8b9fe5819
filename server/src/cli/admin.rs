//! `admin`: what the host of a running server sees and does, through the socket in its data folder. With a request
//! it prints the answer; without one it is a live [screen].

mod draw;
mod list;
mod live;
mod prompt;
mod room;
mod screen;

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use humantime::{format_duration, format_rfc3339_seconds};
use noughts_protocol::{
    ChatLine, DisplayText, Features, NumberedGame, PartyPhase, RoomCode, RoomState, RoomSummary,
    Said, Seat, Snapshot,
};
use noughts_store::{Act, Ban};

use crate::admin::message::{
    AdminAnswer, AdminConnection, AdminParty, AdminRequest, AdminRoom, ClusterStatus,
};
use crate::admin::socket;
use crate::cli::args::StoredArgs;
use crate::cli::stored::counted;
use crate::config;
use crate::limits::AtLimit;
use list::Tab;

/// Options of `admin`.
#[derive(Debug, Clone, Args)]
#[command(args_override_self = true)]
pub struct AdminArgs {
    /// The folder of the server
    #[command(flatten)]
    pub stored: StoredArgs,

    /// The answer as one JSON object
    #[arg(long, global = true)]
    pub json: bool,

    /// A question or an order; without one a terminal shows everything live
    #[command(subcommand)]
    pub request: Option<AdminRequest>,
}

/// Asks the server of a data folder, and prints its answer.
///
/// # Errors
/// If no server runs there, or if it refuses.
pub fn run(args: AdminArgs) -> anyhow::Result<ExitCode> {
    let path = socket::path(&config::data_dir(args.stored.data_dir)?);
    let stream = UnixStream::connect(&path).with_context(|| {
        format!(
            "no server of yours listens at {}: is it running, with this data folder?",
            path.display()
        )
    })?;
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if args.request.is_none() && is_terminal && !args.json {
        drop(stream);
        live::run(&path)?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = ask(stream, args.request.as_ref().unwrap_or(&AdminRequest::Status))?;
    let mut out = io::stdout().lock();
    if args.json {
        out.write_all(line.as_bytes())?;
    }
    match serde_json::from_str(&line).context("the server is of another version")? {
        AdminAnswer::Refused { message } => bail!("{message}"),
        answer if !args.json => out.write_all(text(answer).as_bytes())?,
        _ => {}
    }
    if args.request.is_none() && !args.json {
        out.write_all(b"in a terminal, `noughts-server admin` shows everything live\n")?;
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

/// A node's place in its cluster, for people.
fn cluster(ClusterStatus { lease, connected, others, problem }: ClusterStatus) -> String {
    let serves = if lease { "serves" } else { "has no lease and serves NOBODY" };
    let nats = match (connected, lease) {
        (false, _) => "AWAY",
        (true, false) => "connected and stores NOTHING",
        (true, true) => "connected",
    };
    let others: Vec<_> = others.iter().map(DisplayText::as_str).collect();
    let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
    let problem = problem.map(|problem| format!("{}\n", problem.as_str())).unwrap_or_default();
    format!("this node {serves}, NATS is {nats}\n{problem}other nodes: {others}\n")
}

/// The answer for people.
fn text(answer: AdminAnswer) -> String {
    match answer {
        AdminAnswer::Status(status) => {
            let closed = if status.closed { "refused" } else { "welcome" };
            let up = format_duration(Duration::from_secs(status.up_s));
            let fails = "the store CANNOT BE WRITTEN: is the disk full?\n";
            let fails = if status.store_fails { fails } else { "" };
            let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
            let off = switched_off(status.features);
            let off = if off.is_empty() { "nothing" } else { &off };
            format!(
                "noughts-server {}, up {up}\npeople: {}\nrooms: {}, with a running game: {}\nparties: {}\n\
                 waiting for a quick match: {}\nbans: {}\nnew rooms are {closed}\nswitched off: {}\n\
                 memory: {} MB, store: {} MB\n{fails}{}",
                status.version,
                status.connections,
                status.rooms,
                status.playing,
                status.parties,
                status.waiting,
                status.bans,
                off,
                megabytes(status.memory_bytes),
                megabytes(status.store_bytes),
                status.cluster.map(cluster).unwrap_or_default(),
            )
        }
        AdminAnswer::Rooms { rooms, total, asleep } => {
            let rows = rooms.iter().map(room);
            let mut text = lines(titled(ROOM_TITLES, rows), Tab::Rooms.nothing());
            text += &beyond(total, rooms.len());
            if asleep > 0 {
                text += &format!("{asleep} more wait until somebody comes\n");
            }
            text
        }
        AdminAnswer::Parties { parties } => {
            let line = |party: &AdminParty| {
                let AdminParty { party, name, phase, host, entrants, empty } = party;
                let empty = if *empty { ", nobody is there" } else { "" };
                let phase = match phase {
                    PartyPhase::Gathering => "gathers",
                    PartyPhase::Playing => "plays",
                    PartyPhase::Over => "is over",
                };
                let entrants = counted((*entrants).into(), "entrant");
                format!("{party}  {name} {phase}, {entrants}, led by {host}{empty}")
            };
            lines(parties.iter().map(line), Tab::Parties.nothing())
        }
        AdminAnswer::Room { snapshot, chat } => one_room(&snapshot, &chat),
        AdminAnswer::Connections { connections, total } => {
            let rows = connections.iter().map(connection);
            let text = lines(titled(CONNECTION_TITLES, rows), Tab::People.nothing());
            text + &beyond(total, connections.len())
        }
        AdminAnswer::Limits { limited } => lines(limited.iter().map(limit), Tab::Limits.nothing()),
        AdminAnswer::Bans { bans } => lines(bans.iter().map(ban), Tab::Bans.nothing()),
        AdminAnswer::Acts { acts } => lines(acts.iter().map(act), Tab::Log.nothing()),
        AdminAnswer::Done { message } | AdminAnswer::Refused { message } => format!("{message}\n"),
    }
}

/// The names of features that are off.
fn switched_off(features: Features) -> String {
    let all = serde_json::to_value(features).unwrap_or_default();
    let all = all.as_object().into_iter().flatten();
    let off: Vec<_> = all.filter(|(_, on)| **on == false).map(|(name, _)| name.as_str()).collect();
    off.join(", ")
}

/// The rows below the titles of their columns; nothing if there is none.
fn titled(titles: &str, rows: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let mut rows = rows.peekable();
    let titles = rows.peek().map(|_| titles.to_owned());
    titles.into_iter().chain(rows)
}

fn lines(lines: impl Iterator<Item = String>, none: &str) -> String {
    let all: String = lines.map(|line| line + "\n").collect();
    if all.is_empty() { format!("{none}\n") } else { all }
}

/// The count of lines that a list leaves out.
fn beyond(total: usize, told: usize) -> String {
    let more = total.saturating_sub(told);
    if more > 0 { format!("{more} more: see --most and --filter\n") } else { String::new() }
}

fn one_room(snapshot: &Snapshot, chat: &[ChatLine]) -> String {
    let Snapshot { room, settings, seats, .. } = snapshot;
    let x = seat(&seats.x);
    let o = seat(&seats.o);
    let game = settings.variant.on(settings.board);
    let mut text = format!("{room}  {game}  {x} : {o}\n");
    let state = RoomState::from_snapshot(snapshot).ok();
    if let Some(NumberedGame { number, game, .. }) = state.and_then(|state| state.game) {
        text += &format!("game {number}, {} marks\n", game.ply());
        let spec = game.board().spec();
        for cell in spec.all_cells() {
            let (column, _) = spec.position(cell);
            text += &game.board().get(cell).map_or_else(|| ".".to_owned(), |mark| mark.to_string());
            text += if column + 1 == spec.width() { "\n" } else { " " };
        }
    }
    text + &chat.iter().map(|line| said(line) + "\n").collect::<String>()
}

fn said(line: &ChatLine) -> String {
    match &line.said {
        Said::Text(text) => format!("{}: {text}", line.name),
        Said::Emote(emote) => format!("{}: {}", line.name, emote.label()),
    }
}

fn limit(limited: &AtLimit) -> String {
    format!("{:6}  {}  {}", limited.count, limited.who, limited.what)
}

fn seat(seat: &Seat) -> String {
    match seat {
        Seat::Open => "open".to_owned(),
        Seat::Human { player, name } => format!("{name} ({player})"),
        Seat::Computer(computer) => computer.to_string(),
    }
}

/// The state of a room in words.
fn state(room: &RoomSummary) -> String {
    match room.game {
        Some(game) => format!("game {game}"),
        None if room.seats.has_open() => "waiting".to_owned(),
        None => "between games".to_owned(),
    }
}

const ROOM_TITLES: &str =
    "code   board    now            seen     watch  age          idle         X : O";

fn room(AdminRoom { room, age_s, idle_s }: &AdminRoom) -> String {
    let state = state(room);
    let seen = if room.settings.listed { "listed" } else { "by code" };
    let game = room.settings.variant.on(room.settings.board);
    let x = seat(&room.seats.x);
    let o = seat(&room.seats.o);
    let age = span(*age_s);
    let idle = span(*idle_s);
    let RoomSummary { room, spectators, .. } = room;
    format!("{room}  {game:8} {state:14} {seen:8} {spectators:5}  {age:12} {idle:12} {x} : {o}")
}

const CONNECTION_TITLES: &str = "player            address         since        room   party  name";

fn connection(connection: &AdminConnection) -> String {
    let AdminConnection { player, name, address, since_s, room, party, waits_for } = connection;
    let code =
        |code: Option<RoomCode>| code.map_or_else(|| "-".to_owned(), |code| code.to_string());
    let room = code(*room);
    let party = code(party.map(|party| party.0));
    let waits = waits_for
        .map(|game| format!(", waits for {}", game.variant.on(game.board)))
        .unwrap_or_default();
    format!("{player}  {address:15} {:12} {room:5}  {party:5}  {name}{waits}", span(*since_s))
}

fn span(seconds: u64) -> String {
    format_duration(Duration::from_secs(seconds)).to_string()
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
