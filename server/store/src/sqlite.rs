//! The store of a single server.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::future::{self, BoxFuture};
use noughts_protocol::{BoardClass, ByMark, PlayerId, RoomCode};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use crate::act::Acts;
use crate::archive::{Archive, ArchiveReader, Job};
use crate::change::{Change, LiveRow, Origin};
use crate::error::{DiskError, OpenError, ReadError, SaveError};
use crate::health::Health;
use crate::live::{self, Live};
use crate::meta;
use crate::player::Forgotten;
use crate::rating::standing::{self, AskedGame, Question, Standing};
use crate::row::milliseconds;
use crate::store::Store;
use crate::writer::{Command, House, QUEUE, Save, Writer};

/// The worst event that a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut: each commit waits until the disk has it.
    #[default]
    Power,
    /// The end of the server's process, but not of the machine.
    Process,
}

/// The threads or tasks that work for the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// Threads, so that only those who store or read something wait for the disk.
    Threads,
    /// Only tasks of the runtime on which the store is opened. If that runtime has one thread, all that
    /// happens has one order.
    Tasks,
}

/// How the store works.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder.
    pub folder: PathBuf,
    /// The worst event that a commit survives.
    pub durability: Durability,
    /// The threads or tasks that work for the store.
    pub workers: Workers,
    /// The time of day, in milliseconds since 1970.
    pub wall_clock: fn() -> i64,
    /// Ends the process with these words: nobody can know whether a commit is stored, or the files were
    /// replaced or deleted. If it returns, nothing is stored and answered any more.
    pub on_unknown: fn(&str),
}

impl Options {
    /// The options of a real server: threads and the system's clock.
    #[must_use]
    pub fn new(folder: PathBuf, durability: Durability, on_unknown: fn(&str)) -> Self {
        Self { folder, durability, workers: Workers::Threads, wall_clock, on_unknown }
    }
}

/// The system's time of day, in milliseconds since 1970.
fn wall_clock() -> i64 {
    milliseconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// The stored state at the start of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The secret with which the server signs tokens.
    pub secret: [u8; 32],
    /// How long the server had run over all its runs, to a few seconds.
    pub age: Duration,
    /// The rooms and the parties that have not ended.
    pub live: Vec<Live>,
}

/// A data folder's copy of the stream of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// The id of the cluster, and the number of the last record that is copied; `None` before the first.
    pub copied: Option<(String, u64)>,
    /// Whether the folder has neither a room, a party, a game nor a person.
    pub is_empty: bool,
}

/// A handle of the store; cheap to clone.
#[derive(Debug, Clone)]
pub struct Sqlite {
    commands: mpsc::Sender<Command>,
    /// Reads rooms and parties, apart from the archive: a room that is activated waits for nobody who
    /// looks back.
    rooms: Archive,
    archive: Archive,
    health: Arc<Health>,
    forgotten: Arc<Forgotten>,
    acts: Arc<Acts>,
    wall_clock: fn() -> i64,
    on_unknown: fn(&str),
}

impl Sqlite {
    /// Opens the store in a folder, or makes one. With [`Workers::Tasks`] it must be called on a runtime.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub fn open(options: &Options) -> Result<(Self, Found), OpenError> {
        let writer = Writer::open(options)?;
        let connection = &writer.connection;
        let found = Found {
            secret: meta::secret(connection)?,
            age: Duration::from_millis(meta::number(connection, "age")?.cast_unsigned()),
            live: live::all(connection)?,
        };
        let reader = || ArchiveReader::open(&options.folder, options.wall_clock);
        let (rooms, room_jobs) = Archive::new();
        let (archive, archive_jobs) = Archive::new();
        let (commands, queue) = mpsc::channel(QUEUE);
        let store = Self {
            commands,
            rooms,
            archive,
            health: Arc::clone(&writer.health),
            forgotten: Arc::clone(&writer.forgotten),
            acts: Arc::clone(&writer.acts),
            wall_clock: options.wall_clock,
            on_unknown: options.on_unknown,
        };
        let readers = [("store-read", reader()?, room_jobs), ("archive", reader()?, archive_jobs)];
        start(options.workers, writer, queue, readers)
            .map_err(|error| OpenError::Folder(options.folder.clone(), error))?;
        Ok((store, found))
    }

    /// The games that are over, and the people who played them.
    #[must_use]
    pub const fn archive(&self) -> &Archive {
        &self.archive
    }

    /// How the disk does.
    #[must_use]
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Stores that the server has run for `age`, which also shows whether the disk can be written. Deletes
    /// a few of the games that ended `keep` or more of running time ago, moves the log into the file, and
    /// looks whether the files are still there. To be called every few seconds. Nobody waits for it: if
    /// the queue is full, the next call does it.
    pub fn maintain(&self, age: Duration, keep: Duration) {
        let age = milliseconds(age);
        let house = House { age, before: age.saturating_sub(milliseconds(keep)) };
        drop(self.commands.try_send(Command::Maintain(house)));
    }

    /// Whether a person asked to be forgotten.
    #[must_use]
    pub fn is_forgotten(&self, player: PlayerId) -> bool {
        self.forgotten.contains(player)
    }

    /// The acts of hosts, and their effect.
    #[must_use]
    pub fn acts(&self) -> &Acts {
        &self.acts
    }

    /// The ratings of the people on the seats of a room that these intents made, and whether its game is
    /// rated; `None` if it is no quick match of two. Nothing should wait for it.
    pub fn standing(
        &self,
        class: BoardClass,
        game: AskedGame,
        seats: ByMark<Option<PlayerId>>,
        origins: &[Origin],
    ) -> impl Future<Output = Option<Standing>> + Send + use<> {
        let makers: Option<[Origin; 2]> = origins.try_into().ok();
        let now = (self.wall_clock)();
        let question = makers.map(|makers| Question { class, game, seats, makers, now });
        let rooms = self.rooms.clone();
        async move {
            let question = question?;
            let answer = rooms
                .ask_in_turn(move |reader| Ok(standing::answer(reader.connection(), &question)?));
            answer.await.inspect_err(|error| tracing::debug!(%error, "no ratings")).ok()
        }
    }

    /// The rooms and parties whose stored state or origins hold a person's id.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn codes_naming(&self, player: PlayerId) -> Result<Vec<RoomCode>, ReadError> {
        self.rooms.ask_in_turn(move |reader| live::naming(reader.connection(), player)).await
    }

    /// The copy of a cluster's stream.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn replica(&self) -> Result<Replica, ReadError> {
        let read = |reader: &ArchiveReader| {
            let connection = reader.connection();
            let copied = meta::replica(connection)?;
            let sql = "SELECT NOT EXISTS (SELECT 1 FROM live) \
                       AND NOT EXISTS (SELECT 1 FROM player WHERE n > 0) \
                       AND NOT EXISTS (SELECT 1 FROM seat)";
            Ok(Replica { copied, is_empty: connection.query_row(sql, [], |row| row.get(0))? })
        };
        self.rooms.ask_in_turn(read).await
    }

    /// Stores records of a cluster's stream together with the number of the last of them. A game that is
    /// kept already is left out.
    ///
    /// # Errors
    /// If nothing of it is stored.
    pub async fn replicate(
        &self,
        cluster: &str,
        position: u64,
        changes: Vec<Change>,
    ) -> Result<(), SaveError> {
        self.send(changes, Some((cluster.to_owned(), position))).await
    }

    /// Stores all that was sent before and the running time, and closes the file. Later saves are refused.
    pub async fn close(&self, age: Duration) {
        // The writer closes last, so that `SQLite` removes the log.
        self.rooms.close().await;
        self.archive.close().await;
        drop(self.commands.send(Command::Close(milliseconds(age))).await);
        self.commands.closed().await;
    }

    fn send(
        &self,
        changes: Vec<Change>,
        replica: Option<(String, u64)>,
    ) -> BoxFuture<'static, Result<(), SaveError>> {
        let (reply, outcome) = oneshot::channel();
        let save = Save { changes, replica, reply };
        let queued = match self.commands.try_send(Command::Save(save)) {
            Ok(()) => None,
            Err(TrySendError::Closed(_)) => {
                return Box::pin(future::ready(Err(DiskError::closed().into())));
            }
            Err(TrySendError::Full(command)) => Some((self.commands.clone(), command)),
        };
        let on_unknown = self.on_unknown;
        Box::pin(async move {
            if let Some((commands, command)) = queued {
                commands.send(command).await.map_err(|_| DiskError::closed())?;
            }
            if let Ok(outcome) = outcome.await {
                return outcome;
            }
            on_unknown("the writer of noughts.db has ended: this is a bug, please report it");
            future::pending().await
        })
    }
}

impl Store for Sqlite {
    fn save(&self, changes: Vec<Change>) -> BoxFuture<'static, Result<(), SaveError>> {
        self.send(changes, None)
    }

    fn load(&self, code: RoomCode) -> BoxFuture<'static, Result<Option<LiveRow>, ReadError>> {
        let rooms = self.rooms.clone();
        Box::pin(async move {
            rooms.ask_in_turn(move |reader| live::load(reader.connection(), code)).await
        })
    }
}

/// Starts the writer and the readers.
fn start(
    workers: Workers,
    writer: Writer,
    queue: mpsc::Receiver<Command>,
    readers: [(&str, ArchiveReader, mpsc::Receiver<Job>); 2],
) -> io::Result<()> {
    match workers {
        Workers::Threads => {
            for (name, reader, jobs) in readers {
                spawn(name, reader.run(jobs))?;
            }
            let yield_now = || {
                thread::yield_now();
                future::ready(())
            };
            spawn("store", writer.run(queue, yield_now))
        }
        // Each commit holds the runtime's thread.
        Workers::Tasks => {
            for (_, reader, jobs) in readers {
                drop(tokio::spawn(reader.run(jobs)));
            }
            drop(tokio::spawn(writer.run(queue, tokio::task::yield_now)));
            Ok(())
        }
    }
}

/// Runs some work on a thread of its own.
fn spawn(name: &str, work: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let run = || futures::executor::block_on(work);
    thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
}
