//! The file that keeps a player between two runs: the name, the last server, and a token for each
//! server. A token makes the player the same one again, so it is a secret: only its owner can read
//! the file (mode 0600).
//!
//! A profile that no other client holds is the player: the first such one is taken, whatever it holds.
//! So two clients that run at the same time on one machine are two players, each with a profile of its
//! own, and two runs after each other are the same player. A client that returns to a room takes the
//! profile that has the seat.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use noughts_client::address::{Link, ServerAddress};
use noughts_protocol::{
    Date, DisplayText, JoinPassword, PlayerName, PlayerToken, RoomCode, Variant,
};
use serde::{Deserialize, Serialize};

use crate::preferences::SavedPreferences;
use crate::puzzle::Streak;
pub(crate) use writer::{Writer, WriterThread};

mod writer;

/// The most profiles. One more client shares the first profile.
const MAX_PROFILES: usize = 16;

/// The most servers with a token. Another server replaces one of them.
const MAX_SERVERS: usize = 200;

/// The most servers that are offered because the player once typed them.
const MAX_TYPED: usize = 8;

/// The most rooms beside the last one in which the player may still have a seat.
const MAX_EARLIER: usize = 3;

/// The largest file that is read, in bytes: four times what the tokens need.
const MAX_FILE: u64 = 256 * 1024;

/// The content of a profile's file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SavedProfile {
    /// The player's last name.
    pub(crate) name: Option<PlayerName>,
    /// The URL of the last server that answered.
    pub(crate) last_server: Option<String>,
    /// The URLs of servers that the player typed and that answered, the last one first.
    typed: Vec<String>,
    /// The room in which the player last had a seat, or the party with a place: their codes are of one kind.
    pub(crate) room: Option<RoomCode>,
    /// Those before that one in which the player may still have a seat, the last one first.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) earlier: Vec<RoomCode>,
    /// Tokens by the URL of their server.
    tokens: BTreeMap<String, PlayerToken>,
    /// Passwords by the URL of their server, if the player wants them kept.
    #[serde(skip_serializing_if = "is_default")]
    passwords: BTreeMap<String, JoinPassword>,
    /// The settings of the last game against a computer, by their names.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) computer: BTreeMap<String, String>,
    /// The names of the variants whose notes the player has seen.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) explained: BTreeSet<String>,
    /// The days in a row with a solved puzzle.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) puzzles: Option<Streak>,
    /// The player's choices for the full screen.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) preferences: SavedPreferences,
}

impl SavedProfile {
    /// The last server that answered.
    pub(crate) fn server(&self) -> Option<ServerAddress> {
        self.last_server.as_ref()?.parse::<Link>().ok().map(|link| link.server)
    }

    /// The servers that the player typed, the last one first; at most [`MAX_TYPED`].
    pub(crate) fn typed(&self) -> impl Iterator<Item = ServerAddress> {
        let links = self.typed.iter().take(MAX_TYPED).filter_map(|url| url.parse::<Link>().ok());
        links.map(|link| link.server)
    }

    /// The token for a server.
    pub(crate) fn token(&self, server: &ServerAddress) -> Option<&PlayerToken> {
        self.tokens.get(server.url())
    }

    /// The kept password of a server.
    pub(crate) fn password(&self, server: &ServerAddress) -> Option<&JoinPassword> {
        self.passwords.get(server.url())
    }

    /// Makes a change.
    pub(crate) fn apply(&mut self, change: Change) {
        match change {
            Change::Welcomed { server, name, token, typed, password } => {
                let url = server.url().to_owned();
                if typed {
                    self.typed.retain(|other| *other != url);
                    self.typed.insert(0, url.clone());
                    self.typed.truncate(MAX_TYPED);
                }
                self.name = Some(name);
                self.last_server = Some(url.clone());
                if let Some(password) = password {
                    insert(&mut self.passwords, &url, password);
                }
                insert(&mut self.tokens, &url, token);
            }
            Change::Seat(room) => {
                let before = self.room.replace(room);
                self.earlier.splice(..0, before);
                self.earlier.retain(|earlier| *earlier != room);
                self.earlier.truncate(MAX_EARLIER);
            }
            Change::Forgotten(server) => {
                self.tokens.remove(server.url());
                self.room = None;
                self.earlier.clear();
            }
            Change::NoSeat(room) => {
                self.room.take_if(|last| *last == room);
                self.earlier.retain(|earlier| *earlier != room);
            }
            Change::Preferences(preferences) => self.preferences = preferences,
            Change::Computer(values) => self.computer = values,
            Change::Puzzle { day, shown } => {
                self.puzzles = Some(Streak::after(self.puzzles, day, shown));
            }
            Change::Explained(variant) => {
                // A file of a later version may know more of them.
                self.explained.retain(|name| name.parse::<Variant>().is_ok());
                self.explained.insert(variant.name().to_owned());
            }
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Adds an entry. If there are too many, one of the others goes.
fn insert<T>(entries: &mut BTreeMap<String, T>, url: &str, value: T) {
    if entries.len() >= MAX_SERVERS && !entries.contains_key(url) {
        entries.pop_first();
    }
    entries.insert(url.to_owned(), value);
}

/// A change of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// A server answered.
    Welcomed {
        /// The server.
        server: ServerAddress,
        /// The player's name there.
        name: PlayerName,
        /// The player's token there.
        token: PlayerToken,
        /// Whether the player typed the address, so that it is offered again.
        typed: bool,
        /// The server's password, if it is to be kept.
        password: Option<JoinPassword>,
    },
    /// This server has forgotten the player.
    Forgotten(ServerAddress),
    /// The player has a seat in this room or a place in this party.
    Seat(RoomCode),
    /// The player has nothing in this room or party.
    NoSeat(RoomCode),
    /// The player chose how the full screen looks and rings.
    Preferences(SavedPreferences),
    /// The settings with which the player plays a computer, by their names.
    Computer(BTreeMap<String, String>),
    /// The player has seen the notes about a variant.
    Explained(Variant),
    /// The player has solved the puzzle of this day on it, or has had it shown.
    Puzzle { day: Date, shown: bool },
}

/// Which profile a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProfileChoice {
    /// The first profile that no other client holds.
    FirstFree,
    /// The free profile that may have a seat in this room, else the first free one.
    SeatedIn(RoomCode),
    /// The first profile, also while another client holds it: to ask about its games.
    Shared,
}

/// The file of a profile. This client holds it until it ends.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    path: PathBuf,
    /// The profile's number, from 1.
    number: usize,
    /// Locked so that other clients take other profiles. The system unlocks it when the client
    /// ends.
    _lock: Option<fs::File>,
}

/// The folder of the profiles: `folder`, or the user's folder for settings.
///
/// # Errors
/// If the user has no home folder.
pub(crate) fn folder(folder: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(folder) = folder {
        return Ok(folder.to_owned());
    }
    let user = directories::ProjectDirs::from("", "", "noughts");
    Ok(user.context("find your home folder: give --config-dir")?.config_dir().to_owned())
}

impl ConfigFile {
    /// Opens a free profile in a folder.
    pub(crate) fn open(folder: &Path, choice: ProfileChoice) -> Self {
        if choice == ProfileChoice::Shared {
            return Self::numbered(folder, 1);
        }
        let all = || (1..=MAX_PROFILES).map(|number| Self::numbered(folder, number));
        let wanted = |file: &Self| match choice {
            ProfileChoice::SeatedIn(code) => {
                let saved = file.load_or_default();
                saved.room == Some(code) || saved.earlier.contains(&code)
            }
            ProfileChoice::FirstFree | ProfileChoice::Shared => true,
        };
        let file = all().filter(wanted).chain(all()).find_map(Self::lock);
        file.unwrap_or_else(|| Self::numbered(folder, 1))
    }

    /// The profile in this file, which several clients may use at once.
    pub(crate) const fn at(path: PathBuf) -> Self {
        Self { path, number: 1, _lock: None }
    }

    /// The profile with a number, not locked.
    fn numbered(folder: &Path, number: usize) -> Self {
        let name = if number == 1 { "client".to_owned() } else { format!("client-{number}") };
        Self { path: folder.join(format!("{name}.json")), number, _lock: None }
    }

    /// Locks the profile, unless another client holds it.
    fn lock(self) -> Option<Self> {
        fs::create_dir_all(self.path.parent()?).ok()?;
        let lock = fs::File::create(self.path.with_extension("lock")).ok()?;
        lock.try_lock().ok()?;
        Some(Self { _lock: Some(lock), ..self })
    }

    /// Whether another client uses this profile at the moment.
    pub(crate) fn is_in_use(&self) -> bool {
        Self { path: self.path.clone(), number: self.number, _lock: None }.lock().is_none()
    }

    /// The profile's number, from 1.
    pub(crate) const fn number(&self) -> usize {
        self.number
    }

    /// The saved profile, empty if the file is broken.
    fn load_or_default(&self) -> SavedProfile {
        self.read().ok().flatten().unwrap_or_default()
    }

    /// The content of a profile without a file: the servers of the profile that was written last.
    fn inherited(&self) -> SavedProfile {
        let folder = self.path.parent().unwrap_or_else(|| Path::new(""));
        let written = |file: &Self| fs::metadata(&file.path).and_then(|data| data.modified()).ok();
        let all = (1..=MAX_PROFILES).map(|number| Self::numbered(folder, number));
        let newest = all.max_by_key(written).map(|file| file.load_or_default());
        let SavedProfile { last_server, typed, .. } = newest.unwrap_or_default();
        SavedProfile { last_server, typed, ..SavedProfile::default() }
    }

    /// Loads the profile; without a file it has no more than servers. A broken file is moved aside,
    /// and the second value says so.
    pub(crate) fn load(&self) -> (SavedProfile, Option<String>) {
        let problem = match self.read() {
            Ok(Some(saved)) => return (saved, None),
            Ok(None) => return (self.inherited(), None),
            Err(problem) => problem,
        };
        let broken = self.path.with_extension("json.broken");
        let kept = match fs::rename(&self.path, &broken) {
            Ok(()) => format!("it is kept as {}", broken.display()),
            Err(error) => format!("it could not be renamed: {error}"),
        };
        let path = self.path.display();
        let note = format!("cannot use {path} ({problem}): starting with a new file; {kept}");
        (SavedProfile::default(), Some(DisplayText::from(note).to_string()))
    }

    fn read(&self) -> Result<Option<SavedProfile>, String> {
        match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Ok(data) if data.len() > MAX_FILE => return Err("it is too large".to_owned()),
            _ => {}
        }
        let text = fs::read_to_string(&self.path).map_err(|e| e.to_string())?;
        serde_json::from_str(&text).map(Some).map_err(|e| e.to_string())
    }

    /// Makes a change in the file. The file is loaded again first, so that it keeps what other
    /// clients wrote.
    ///
    /// # Errors
    /// If the folder or the file cannot be written.
    pub(crate) fn change(&self, change: Change) -> anyhow::Result<()> {
        let (old, _) = self.load();
        let mut new = old.clone();
        new.apply(change);
        if new == old {
            return Ok(());
        }
        self.write(&new).with_context(|| format!("failed to write {}", self.path.display()))
    }

    /// Writes a new file and renames it over the old one. Readers see one of the two, and a full
    /// disk loses nothing.
    fn write(&self, saved: &SavedProfile) -> anyhow::Result<()> {
        let content = serde_json::to_vec_pretty(saved)?;
        Ok(write_private(&self.path, &content, |new, path| fs::rename(new, path))?)
    }
}

/// Writes a whole file that only its owner can read, makes its folder, and has `place` bring it to its path.
pub(crate) fn write_private(
    path: &Path,
    content: &[u8],
    place: impl Fn(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    // An earlier process with the same id may have left one.
    let _ = fs::remove_file(&temporary);
    let written = create_private(&temporary).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()?;
        place(&temporary, path)
    });
    // An incomplete file is of no use. It may not exist.
    let _ = fs::remove_file(&temporary);
    written
}

/// Creates a new file that only its owner can read, from the first moment on.
pub(crate) fn create_private(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The login name as a legal name, else "Guest". From the second profile on, its number is added.
pub(crate) fn login_name(profile: usize) -> PlayerName {
    let login =
        ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let name = legal_name(login.as_deref().unwrap_or_default());
    if profile == 1 { name } else { format!("{name} {profile}").parse().unwrap_or(name) }
}

fn legal_name(text: &str) -> PlayerName {
    PlayerName::beginning(text).unwrap_or_else(guest_name)
}

/// The name of somebody who has none.
pub(crate) fn guest_name() -> PlayerName {
    "Guest".parse().expect("Guest is a legal name")
}

#[cfg(test)]
mod tests;
