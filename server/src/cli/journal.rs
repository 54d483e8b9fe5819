//! `export`, `backup` and `verify`: they read the journal in a folder, also while a server runs on it.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

use noughts_protocol::{ByMark, Event, GameId, GameResult, Mark, RoomCode, RoomSettings, Seat};
use serde::Serialize;

use crate::cli::args::{BackupArgs, JournalArgs};
use crate::cli::{parties, ratings};
use crate::config;
use crate::journal::backup::back_up;
use crate::journal::reader::Reader;
use crate::journal::replay::replay;
use crate::journal::stored_room::StoredRoom;
use crate::journal::wal;

/// A game as `export` writes it.
#[derive(Debug, Serialize)]
pub(crate) struct ExportedGame {
    room: RoomCode,
    /// A code may be used again after its room has ended; a number is never used again.
    room_number: i64,
    game: u32,
    settings: RoomSettings,
    players: ByMark<Seat>,
    first: Mark,
    /// The cells in order, from 0.
    moves: Vec<u16>,
    /// `None` while the game runs.
    result: Option<GameResult>,
    /// The id of the kept game, if the facts give it.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<GameId>,
    started: String,
    ended: Option<String>,
}

/// Writes every game as a JSON line.
///
/// # Errors
/// If the journal cannot be read, or if the output cannot be written.
pub fn export(args: &JournalArgs) -> anyhow::Result<ExitCode> {
    let reader = open(args)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut code = ExitCode::SUCCESS;
    for id in reader.rooms()? {
        let (games, error) = match reader.room(id) {
            Ok(room) => games(&room),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        for game in games {
            serde_json::to_writer(&mut out, &game).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        if let Some(error) = error {
            // If standard error is closed, the exit code has to do.
            let _ =
                writeln!(io::stderr(), "noughts-server: room number {id} makes no sense: {error}");
            code = ExitCode::FAILURE;
        }
    }
    if !parties::export(&reader, &mut out)? {
        code = ExitCode::FAILURE;
    }
    out.flush()?;
    Ok(code)
}

/// Copies the journal to a new file.
///
/// # Errors
/// If the journal cannot be read, or if the file is there or cannot be made.
pub fn backup(args: &BackupArgs) -> anyhow::Result<ExitCode> {
    let folder: PathBuf = config::data_dir(args.journal.data_dir.clone())?;
    back_up(&folder, &args.file)?;
    let (file, folder) = (args.file.display(), folder.display());
    writeln!(io::stdout(), "{file} has all that the journal in {folder} has; keep it private")?;
    Ok(ExitCode::SUCCESS)
}

/// Looks for damage and replays every room by the rules. Prints what is wrong.
///
/// # Errors
/// If the journal cannot be read at all.
pub fn verify(args: &JournalArgs) -> anyhow::Result<ExitCode> {
    // Comes first, because `SQLite` may repair the log when it opens the file.
    let mut sound = log_is_whole(args)?;
    let reader = open(args)?;
    if let Some(error) = reader.integrity_errors()?.first() {
        return Ok(contradiction(&format!("the file is damaged: {error}")));
    }
    for batch in reader.damaged_batches()? {
        contradiction(&format!("row {batch} of the table `batch` is damaged: its facts are lost"));
        sound = false;
    }
    let (mut rooms, mut facts, mut played) = (0_u64, 0_u64, 0_u64);
    for id in reader.rooms()? {
        let room = match reader.room(id) {
            Ok(room) => room,
            Err(error) => {
                contradiction(&format!("room number {id}: {error}"));
                sound = false;
                continue;
            }
        };
        let (games, error) = games(&room);
        if let Some(error) = error {
            contradiction(&format!("room {} (number {id}): {error}", room.code));
            sound = false;
            continue;
        }
        for why in reader.contradictions_of_room(id)? {
            contradiction(&why);
            sound = false;
        }
        rooms += 1;
        facts += room.entries.len() as u64;
        played += games.len() as u64;
    }
    let kept = reader.check_archive(|why| {
        contradiction(why);
        sound = false;
    })?;
    sound &= ratings::agree(&reader.ratings()?);
    let (parties, parties_are_sound) = parties::verify(&reader)?;
    sound &= parties_are_sound;
    let (rooms, played, facts, kept) = (
        counted(rooms, "room"),
        counted(played, "game"),
        counted(facts, "fact"),
        counted(kept, "kept game"),
    );
    let counts = format!("{rooms}, {played}, {facts}, {kept}{}", parties::counted(parties));
    if !sound {
        return Ok(contradiction(&format!("not sound; what is: {counts}")));
    }
    writeln!(io::stdout(), "sound: {counts}")?;
    Ok(ExitCode::SUCCESS)
}

/// Whether the log is undamaged now and was undamaged at every earlier start. Prints the damage.
fn log_is_whole(JournalArgs { data_dir }: &JournalArgs) -> anyhow::Result<bool> {
    let folder: PathBuf = config::data_dir(data_dir.clone())?;
    let (now, kept) = (wal::damage(&folder)?, wal::kept_damage(&folder)?);
    if let Some(damage) = now {
        contradiction(&damage.to_string());
    }
    if let Some((damage, path)) = &kept {
        let path = path.display();
        contradiction(&format!(
            "at an earlier start {damage}; {path} is that log: move it away once you have seen it"
        ));
    }
    Ok(now.is_none() && kept.is_none())
}

pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

pub(crate) fn contradiction(what: &str) -> ExitCode {
    // If standard error is closed, the exit code has to do.
    let _ = writeln!(io::stderr(), "noughts-server: {what}");
    ExitCode::FAILURE
}

pub(crate) fn open(JournalArgs { data_dir }: &JournalArgs) -> anyhow::Result<Reader> {
    let folder: PathBuf = config::data_dir(data_dir.clone())?;
    Ok(Reader::open(&folder)?)
}

/// The games of a room. If an entry is wrong, the games before it and the error.
pub(crate) fn games(room: &StoredRoom) -> (Vec<ExportedGame>, Option<String>) {
    let mut games: Vec<ExportedGame> = Vec::new();
    let replayed = replay(room.code, room.settings, &room.entries, |row, event, state| {
        let players = || state.seats.clone();
        if let Event::GameStarted { game, first, .. } = event {
            games.push(ExportedGame {
                room: room.code,
                room_number: room.id,
                game: *game,
                settings: room.settings,
                players: players(),
                first: *first,
                moves: Vec::new(),
                result: None,
                id: None,
                started: time(row.at),
                ended: None,
            });
        }
        let Some(current) = games.last_mut() else { return };
        let end = match event {
            Event::Moved { cell, over, .. } => {
                current.moves.push(cell.0);
                over.as_ref()
            }
            Event::Chosen { .. } => {
                current.players = players();
                None
            }
            Event::GameOver { end, .. } => Some(end),
            Event::Seated { .. }
            | Event::GameStarted { .. }
            | Event::Paced { .. }
            | Event::Closed { .. } => None,
        };
        if let Some(end) = end {
            (current.result, current.ended) = (Some(end.result.clone()), Some(time(row.at)));
            current.id = end.id;
        }
    });
    let ended = |closed: bool| closed == room.ended.is_some();
    let error = match replayed {
        Ok(_) if room.broken.is_some() => room.checksum_error(),
        Ok(state) if ended(state.closed) => None,
        Ok(_) => Some("its end is not where it should be".to_owned()),
        Err(why) => Some(why),
    };
    (games, error)
}

/// The last millisecond of the year 9999, the last that RFC 3339 can write.
const LAST_TIME: u64 = 253_402_300_799_999;

pub(super) fn time(at: i64) -> String {
    let since = Duration::from_millis(u64::try_from(at).unwrap_or(0).min(LAST_TIME));
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}
