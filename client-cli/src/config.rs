//! What is remembered between two runs: the name, the last server, and for each server the token
//! that makes the player the same one again. The file is its owner's alone (mode 0600), since a
//! token is a secret.
//!
//! Two clients that run at once on one machine are two players: each holds a profile of its own,
//! and whoever comes back to a room gets the profile that sat there.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use noughts_protocol::{
    DisplayText, JoinPassword, MAX_NAME_CHARS, PlayerName, PlayerToken, RoomCode, text::is_unsafe,
};
use serde::{Deserialize, Serialize};

use crate::address::{Link, ServerAddress};

/// Clients on one machine that are players of their own; one more shares the first profile.
const MAX_PROFILES: usize = 16;

/// The most servers whose tokens are kept; beyond that, another one makes room.
const MAX_SERVERS: usize = 200;

/// The most servers that are offered because the player once named them.
const MAX_TYPED: usize = 8;

/// The largest file that is read, in bytes: that many tokens fit four times over.
const MAX_FILE: u64 = 256 * 1024;

/// The file's content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remembered {
    /// What the player called themselves last.
    pub name: Option<PlayerName>,
    /// The URL of the last server that answered.
    pub last_server: Option<String>,
    /// The URLs of servers that the player named and that answered, the last one first.
    typed: Vec<String>,
    /// The room in which the player had a seat last.
    pub room: Option<RoomCode>,
    /// Tokens by the URL of their server.
    tokens: BTreeMap<String, PlayerToken>,
    /// Passwords by the URL of their server, of those who asked for it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    passwords: BTreeMap<String, JoinPassword>,
}

impl Remembered {
    /// The last server that answered.
    #[must_use]
    pub fn server(&self) -> Option<ServerAddress> {
        self.last_server.as_ref()?.parse::<Link>().ok().map(|link| link.server)
    }

    /// The servers that the player named, the last one first; at most [`MAX_TYPED`].
    pub fn typed(&self) -> impl Iterator<Item = ServerAddress> {
        let links = self.typed.iter().take(MAX_TYPED).filter_map(|url| url.parse::<Link>().ok());
        links.map(|link| link.server)
    }

    /// The token for a server.
    #[must_use]
    pub fn token(&self, server: &ServerAddress) -> Option<&PlayerToken> {
        self.tokens.get(server.url())
    }

    /// The password of a server, if it was to be remembered.
    #[must_use]
    pub fn password(&self, server: &ServerAddress) -> Option<&JoinPassword> {
        self.passwords.get(server.url())
    }
}

/// Whose profile a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The first that is free.
    LastPlayer,
    /// The one that has a seat in this room, else one that has none.
    InRoom(RoomCode),
    /// One that has no seat to come back to.
    Anybody,
}

/// The file of a profile, held by this client as long as it runs.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    path: PathBuf,
    /// The profile's number, from 1.
    number: usize,
    /// Locked, so that another client takes another profile; the system unlocks it when the
    /// client ends, however it does.
    _lock: Option<Arc<fs::File>>,
}

impl ConfigFile {
    /// A profile that no other client holds, in `folder`, else in the user's folder for settings.
    ///
    /// # Errors
    /// Where the user has no home folder.
    pub fn take(folder: Option<&Path>, whose: Whose) -> anyhow::Result<Self> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => directories::ProjectDirs::from("", "", "noughts")
                .context("find your home folder: give --config-dir")?
                .config_dir()
                .to_owned(),
        };
        let all = || (1..=MAX_PROFILES).map(|number| Self::profile(&folder, number));
        let wanted = |file: &Self| match whose {
            Whose::InRoom(code) => file.peek().room == Some(code),
            Whose::Anybody => file.peek().room.is_none(),
            Whose::LastPlayer => true,
        };
        let file = all().filter(wanted).chain(all()).find_map(Self::lock);
        Ok(file.unwrap_or_else(|| Self::profile(&folder, 1)))
    }

    /// The profile with a number, held by nobody yet.
    fn profile(folder: &Path, number: usize) -> Self {
        let name = if number == 1 { "client".to_owned() } else { format!("client-{number}") };
        Self { path: folder.join(format!("{name}.json")), number, _lock: None }
    }

    /// Holds the profile, if no other client does.
    fn lock(self) -> Option<Self> {
        fs::create_dir_all(self.path.parent()?).ok()?;
        let lock = fs::File::create(self.path.with_extension("lock")).ok()?;
        lock.try_lock().ok()?;
        Some(Self { _lock: Some(Arc::new(lock)), ..self })
    }

    /// The profile's number, from 1.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// What is remembered, nothing where the file is broken.
    fn peek(&self) -> Remembered {
        self.read().ok().flatten().unwrap_or_default()
    }

    /// What is remembered: nothing where there is no file. A broken one is put aside, and the
    /// second value says so.
    #[must_use]
    pub fn load(&self) -> (Remembered, Option<String>) {
        let problem = match self.read() {
            Ok(Some(remembered)) => return (remembered, None),
            Ok(None) => return (Remembered::default(), None),
            Err(problem) => problem,
        };
        let aside = self.path.with_extension("json.broken");
        let kept = match fs::rename(&self.path, &aside) {
            Ok(()) => format!("it is kept as {}", aside.display()),
            Err(error) => format!("it could not be put aside: {error}"),
        };
        let path = self.path.display();
        let note = format!("cannot use {path} ({problem}): starting afresh; {kept}");
        (Remembered::default(), Some(DisplayText::from(note).to_string()))
    }

    fn read(&self) -> Result<Option<Remembered>, String> {
        match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Ok(data) if data.len() > MAX_FILE => return Err("it is too large".to_owned()),
            _ => {}
        }
        let text = fs::read_to_string(&self.path).map_err(|e| e.to_string())?;
        serde_json::from_str(&text).map(Some).map_err(|e| e.to_string())
    }

    /// Remembers a server that answered, the player's name there and the token, and whether the
    /// player `typed` the server's address, to offer it again. The file is read again first, so
    /// that another client's entries stay.
    ///
    /// # Errors
    /// Where the folder or the file cannot be written.
    pub fn remember(
        &self,
        server: &ServerAddress,
        name: &PlayerName,
        token: &PlayerToken,
        typed: bool,
    ) -> anyhow::Result<()> {
        self.change(|new| {
            if typed {
                new.typed.retain(|url| url != server.url());
                new.typed.insert(0, server.url().to_owned());
                new.typed.truncate(MAX_TYPED);
            }
            new.name = Some(name.clone());
            new.last_server = Some(server.url().to_owned());
            if new.tokens.len() >= MAX_SERVERS && !new.tokens.contains_key(server.url()) {
                new.tokens.pop_first();
            }
            new.tokens.insert(server.url().to_owned(), token.clone());
        })
    }

    /// Remembers a server's password.
    ///
    /// # Errors
    /// Where the folder or the file cannot be written.
    pub fn remember_password(
        &self,
        server: &ServerAddress,
        password: &JoinPassword,
    ) -> anyhow::Result<()> {
        self.change(|new| {
            if new.passwords.len() >= MAX_SERVERS && !new.passwords.contains_key(server.url()) {
                new.passwords.pop_first();
            }
            new.passwords.insert(server.url().to_owned(), password.clone());
        })
    }

    /// Remembers the room in which the player has a seat, or that there is none any more.
    ///
    /// # Errors
    /// Where the folder or the file cannot be written.
    pub fn remember_room(&self, room: Option<RoomCode>) -> anyhow::Result<()> {
        self.change(|new| new.room = room)
    }

    /// Writes the file with a change, if it is one.
    fn change(&self, change: impl FnOnce(&mut Remembered)) -> anyhow::Result<()> {
        let (old, _) = self.load();
        let mut new = old.clone();
        change(&mut new);
        if new == old {
            return Ok(());
        }
        self.write(&new).with_context(|| format!("failed to write {}", self.path.display()))
    }

    /// Writes a new file and puts it in the old one's place, so that a reader sees one or the
    /// other and a full disk costs nothing.
    fn write(&self, remembered: &Remembered) -> anyhow::Result<()> {
        let folder = self.path.parent().context("the file has no folder")?;
        fs::create_dir_all(folder)?;
        let temporary = self.path.with_extension(format!("{}.tmp", std::process::id()));
        let written = create_private(&temporary).and_then(|mut file| {
            file.write_all(&serde_json::to_vec_pretty(remembered)?)?;
            file.sync_all()?;
            fs::rename(&temporary, &self.path)
        });
        if written.is_err() {
            // What could not be finished is of no use; that it may not exist is fine.
            let _ = fs::remove_file(&temporary);
        }
        Ok(written?)
    }
}

/// Creates a file that only its owner can read, from its first moment.
fn create_private(path: &Path) -> io::Result<fs::File> {
    // What an earlier process of the same number left behind.
    let _ = fs::remove_file(path);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The login name made a legal name, else "Guest"; with the profile's number from the second on.
#[must_use]
pub fn login_name(profile: usize) -> PlayerName {
    let login =
        ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let name = legal_name(login.as_deref().unwrap_or_default());
    if profile == 1 { name } else { format!("{name} {profile}").parse().unwrap_or(name) }
}

fn legal_name(text: &str) -> PlayerName {
    let visible: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !is_unsafe(*c))
        .collect();
    let spaced = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = spaced.chars().take(MAX_NAME_CHARS).collect();
    let guest = || "Guest".parse().expect("Guest is a legal name");
    short.trim().parse().unwrap_or_else(|_| guest())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, ConfigFile) {
        let folder = tempfile::tempdir().unwrap();
        let file = ConfigFile::take(Some(&folder.path().join("new")), Whose::LastPlayer).unwrap();
        (folder, file)
    }

    fn remember(file: &ConfigFile, server: &str, token: &str) {
        let server = server.parse::<Link>().unwrap().server;
        file.remember(&server, &"Ada".parse().unwrap(), &token.parse().unwrap(), true).unwrap();
    }

    #[test]
    fn the_last_servers_that_were_typed_are_offered_again() {
        let (_folder, file) = file();
        for number in [0, 1, 2, 3, 4, 5, 6, 7, 8, 5] {
            remember(&file, &format!("h{number}"), "token");
        }
        let found = "found".parse::<Link>().unwrap().server;
        file.remember(&found, &"Ada".parse().unwrap(), &"t".parse().unwrap(), false).unwrap();
        let typed: Vec<_> = file.load().0.typed().map(|server| server.to_string()).collect();
        assert_eq!(typed, ["h5", "h8", "h7", "h6", "h4", "h3", "h2", "h1"]);
    }

    #[test]
    fn what_is_remembered_comes_back() {
        let (_folder, file) = file();
        assert_eq!(file.load(), (Remembered::default(), None));
        remember(&file, "one", "token-1");
        remember(&file, "two", "token-2");
        let (remembered, note) = file.load();
        assert_eq!(note, None);
        assert_eq!(remembered.name.as_ref().unwrap().as_str(), "Ada");
        let two = remembered.server().unwrap();
        assert_eq!(two.to_string(), "two");
        assert_eq!(remembered.token(&two).unwrap().reveal(), "token-2");
        let one = "one".parse::<Link>().unwrap().server;
        assert_eq!(remembered.token(&one).unwrap().reveal(), "token-1");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, file) = file();
        remember(&file, "one", "token-1");
        assert_eq!(fs::metadata(&file.path).unwrap().permissions().mode() & 0o777, 0o600);
        let others = fs::read_dir(file.path.parent().unwrap()).unwrap().count();
        assert_eq!(others, 2, "the file and its lock: no temporary file stays");
    }

    #[test]
    fn a_broken_file_is_put_aside() {
        let (_folder, file) = file();
        remember(&file, "one", "token-1");
        fs::write(&file.path, "{\"name\": \u{1b}[2J").unwrap();
        let (remembered, note) = file.load();
        assert_eq!(remembered, Remembered::default());
        let note = note.unwrap();
        assert!(note.contains("starting afresh") && !note.contains('\u{1b}'), "{note}");
        assert!(file.path.with_extension("json.broken").exists());
        remember(&file, "one", "token-1");
        assert_eq!(file.load().1, None);
    }

    #[test]
    fn the_table_of_tokens_is_bounded() {
        let (_folder, file) = file();
        for number in 0..=MAX_SERVERS {
            let mut remembered = file.load().0;
            remembered.tokens.insert(format!("ws://h{number}/ws"), "t".parse().unwrap());
            file.write(&remembered).unwrap();
        }
        remember(&file, "another", "token");
        assert!(file.load().0.tokens.len() <= MAX_SERVERS + 1);
    }

    #[test]
    fn clients_at_once_are_players_of_their_own_and_come_back_to_their_rooms() {
        let folder = tempfile::tempdir().unwrap();
        let take = |whose| ConfigFile::take(Some(folder.path()), whose).unwrap();
        let (one, two) = (take(Whose::Anybody), take(Whose::Anybody));
        assert_eq!((one.number(), two.number()), (1, 2));
        let room = "KQRZX".parse().unwrap();
        one.remember_room(Some("BCDFG".parse().unwrap())).unwrap();
        two.remember_room(Some(room)).unwrap();
        drop((one, two));
        assert_eq!(take(Whose::LastPlayer).number(), 1);
        assert_eq!(take(Whose::InRoom(room)).number(), 2);
        assert_eq!(take(Whose::Anybody).number(), 3, "the seats of the others stay theirs");
        take(Whose::LastPlayer).remember_room(None).unwrap();
        assert_eq!(take(Whose::Anybody).number(), 1, "who has left has no seat to keep");
        let all: Vec<_> = (0..=MAX_PROFILES).map(|_| take(Whose::Anybody)).collect();
        assert_eq!(all[MAX_PROFILES].number(), 1, "one more shares the first");
    }

    #[test]
    fn any_login_name_becomes_legal() {
        assert_eq!(legal_name("ada").as_str(), "ada");
        assert_eq!(legal_name("  a\u{202e}da \t b ").as_str(), "ada b");
        assert_eq!(legal_name("").as_str(), "Guest");
        assert_eq!(legal_name(&"x".repeat(99)).as_str().len(), MAX_NAME_CHARS);
    }
}
