//! `export`, `backup` and `verify`: they read what is stored in a folder, also while a server runs on it.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

use noughts_protocol::{
    ByMark, Cell, GameId, GameResult, Mark, Participant, PartySnapshot, RoomCode, RoomSettings,
};
use noughts_store::{Counts, LiveRow, Reader, StoredGame, back_up};
use serde::Serialize;

use crate::cli::args::{BackupArgs, StoredArgs};
use crate::config;
use crate::config::rooms::RoomTimes;
use crate::party::rules::PartyRules;
use crate::room::rules::RoomRules;

/// A game as `export` writes it.
#[derive(Debug, Serialize)]
struct ExportedGame {
    /// A code may be used again after its room has ended.
    room: RoomCode,
    game: u32,
    settings: RoomSettings,
    players: ByMark<Option<Participant>>,
    first: Mark,
    /// The cells in order, from 0.
    moves: Vec<Cell>,
    /// `None` while the game runs.
    result: Option<GameResult>,
    /// The id of the kept game; `None` while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<GameId>,
    started: String,
    ended: Option<String>,
}

/// A party as `export` writes it, while its code is taken.
#[derive(Debug, Serialize)]
struct ExportedParty {
    party: PartySnapshot,
}

/// A room that is only read waits for nothing.
const NO_TIMES: RoomTimes =
    RoomTimes { absence_grace: Duration::ZERO, unattended: Duration::ZERO, idle: Duration::ZERO };

/// Writes every kept game, every game that runs and every party as a JSON line.
///
/// # Errors
/// If the folder cannot be read, or if the output cannot be written.
pub fn export(args: &StoredArgs) -> anyhow::Result<ExitCode> {
    let reader = open(args)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut outcome = Ok(());
    let mut code = ExitCode::SUCCESS;
    let mut write = |line: Result<String, String>| match line {
        Ok(line) if outcome.is_ok() => outcome = writeln!(out, "{line}"),
        Ok(_) => {}
        Err(why) => code = contradiction(&why),
    };
    reader.games(|game| match game {
        Ok(game) => write(line(&exported(game))),
        Err(error) => write(Err(format!("a game makes no sense: {error}"))),
    })?;
    reader.live(|code, row| {
        let row = row.map_err(|error| error.to_string());
        match row.and_then(|row| exported_live(&row)) {
            Ok(Some(exported)) => write(Ok(exported)),
            Ok(None) => {}
            Err(error) => write(Err(format!("room or party {code} makes no sense: {error}"))),
        }
    })?;
    outcome?;
    out.flush()?;
    Ok(code)
}

fn line(exported: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(exported).map_err(|error| error.to_string())
}

fn exported(StoredGame { room, number, game, .. }: StoredGame) -> ExportedGame {
    let players = game.summary.players;
    ExportedGame {
        room,
        game: number,
        settings: game.settings,
        players: ByMark { x: Some(players.x), o: Some(players.o) },
        first: game.first,
        moves: game.moves,
        result: Some(game.summary.result),
        id: Some(game.summary.id),
        started: time(game.started_at),
        ended: Some(time(game.summary.ended_at)),
    }
}

/// The line of a party, or of the game that runs in a room.
fn exported_live(row: &LiveRow) -> Result<Option<String>, String> {
    if row.is_party() {
        let party = party_rules(row)?.snapshot(Duration::ZERO);
        return line(&ExportedParty { party }).map(Some);
    }
    running(&room_rules(row)?).map(|game| line(&game)).transpose()
}

/// The game that runs in a room.
fn running(rules: &RoomRules) -> Option<ExportedGame> {
    let state = rules.state();
    let running = state.running()?;
    let [x, o] = Mark::BOTH.map(|mark| Participant::of(&state.seats[mark]));
    Some(ExportedGame {
        room: state.code,
        game: running.number,
        settings: state.settings,
        players: ByMark { x, o },
        first: running.game.first(),
        moves: running.game.moves().to_vec(),
        result: None,
        id: None,
        started: time(u64::try_from(rules.game_started()).unwrap_or_default()),
        ended: None,
    })
}

fn room_rules(row: &LiveRow) -> Result<RoomRules, String> {
    RoomRules::from_json(&row.state, NO_TIMES, Duration::ZERO, None)
}

fn party_rules(row: &LiveRow) -> Result<PartyRules, String> {
    PartyRules::from_json(&row.state, Duration::ZERO)
}

/// Copies what is stored to a new file.
///
/// # Errors
/// If the folder cannot be read, or if the file is there or cannot be made.
pub fn backup(args: &BackupArgs) -> anyhow::Result<ExitCode> {
    let folder: PathBuf = config::data_dir(args.stored.data_dir.clone())?;
    back_up(&folder, &args.file)?;
    let file = args.file.display();
    let folder = folder.display();
    writeln!(io::stdout(), "{file} has all that is stored in {folder}; keep it private")?;
    Ok(ExitCode::SUCCESS)
}

/// Looks for damage, reads every room and party and replays every game by the rules. Prints what is wrong.
///
/// # Errors
/// If the folder cannot be read at all.
pub fn verify(args: &StoredArgs) -> anyhow::Result<ExitCode> {
    let reader = open(args)?;
    let mut sound = true;
    let check = |row: &LiveRow| {
        let told =
            if row.is_party() { party_rules(row)?.state().v } else { room_rules(row)?.state().v };
        version(row.v, told)
    };
    let counts = reader.verify(check, |why| {
        contradiction(why);
        sound = false;
    })?;
    let counts = counted_all(counts);
    if !sound {
        return Ok(contradiction(&format!("not sound; what is: {counts}")));
    }
    writeln!(io::stdout(), "sound: {counts}")?;
    Ok(ExitCode::SUCCESS)
}

fn version(stored: u64, told: u64) -> Result<(), String> {
    if stored == told { Ok(()) } else { Err(format!("its version is {told}, not {stored}")) }
}

fn counted_all(Counts { rooms, parties, games, rated, .. }: Counts) -> String {
    [
        counted(rooms, "room"),
        counted_parties(parties),
        counted(games, "kept game"),
        counted(rated, "rated game"),
    ]
    .join(", ")
}

/// A number of parties.
pub(crate) fn counted_parties(parties: u64) -> String {
    if parties == 1 { "1 party".to_owned() } else { format!("{parties} parties") }
}

/// A number of things.
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Prints what is wrong.
pub(crate) fn contradiction(what: &str) -> ExitCode {
    // If standard error is closed, the exit code has to do.
    let _ = writeln!(io::stderr(), "noughts-server: {what}");
    ExitCode::FAILURE
}

/// Opens what is stored in a folder.
pub(crate) fn open(StoredArgs { data_dir, .. }: &StoredArgs) -> anyhow::Result<Reader> {
    let folder: PathBuf = config::data_dir(data_dir.clone())?;
    Ok(Reader::open(&folder)?)
}

/// The last millisecond of the year 9999, the last that RFC 3339 can write.
const LAST_TIME: u64 = 253_402_300_799_999;

fn time(at: u64) -> String {
    let since = Duration::from_millis(at.min(LAST_TIME));
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}
