//! Writes the file. It takes all saves that wait, puts them into one transaction and then tells every
//! sender the outcome: a thousand rooms share one wait for the disk. It awaits nobody. Its queue holds
//! [`QUEUE`] saves; if it is full, a room waits, its bounded inbox fills, and then the connections that
//! send to it wait.
//!
//! A failed `COMMIT` is "refused" only if it is certain that nothing is stored: one of its writes failed.
//! `SQLite` writes the frame that makes a transaction valid last, so that it is missing or incomplete.
//! After any other error, for example in the sync, all frames may be in the log. Then the process ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::hooks::Wal;
use rusqlite::{Connection, Transaction, TransactionBehavior, ffi};
use tokio::sync::{mpsc, oneshot};

use crate::act::{self, Acts};
use crate::change::Change;
use crate::checkpoint::{Checkpoints, checkpoint};
use crate::error::{DiskError, OpenError, SaveError};
use crate::folder::{FILE, Files};
use crate::health::Health;
use crate::player::{self, Forgotten};
use crate::sqlite::{Durability, Options, Workers};
use crate::{game, kept_party, live, meta, schema};

/// Saves that may wait for the writer, and that one transaction has at most.
pub(crate) const QUEUE: usize = 1024;
/// Games that housekeeping deletes at once.
const PRUNED_AT_ONCE: u32 = 64;
/// The others have so many turns to send more saves, as long as they use them.
const GATHER_TURNS: u32 = 4;
/// The files are looked at again after this time.
const CHECK_FILES: Duration = Duration::from_secs(2);
/// How long to wait for another program that reads or copies the file.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// A log larger than this, in bytes, is truncated once all of it is in the file: 10,000 pages with their
/// headers, more than come while a checkpoint runs.
const MAX_LOG_BYTES: u64 = 20 << 20;
/// A reader that keeps more pages than this in the log counts as a failure.
const MAX_HELD_PAGES: i64 = 32_000;
/// Statements that stay prepared.
const PREPARED: usize = 64;

type Reply = oneshot::Sender<Result<(), SaveError>>;

/// The outcome of each save of a transaction.
type Outcomes = Vec<Result<(), SaveError>>;

#[derive(Debug)]
pub(crate) enum Command {
    /// Store this, and tell the sender when it is committed.
    Save(Save),
    /// Keep house.
    Maintain(House),
    /// Store what was sent before and the running time, and end.
    Close(i64),
}

/// Changes that are stored together.
#[derive(Debug)]
pub(crate) struct Save {
    pub(crate) changes: Vec<Change>,
    /// If these are records of a cluster's stream: its id, and the number of the last of them.
    pub(crate) replica: Option<(String, u64)>,
    pub(crate) reply: Reply,
}

/// The data of housekeeping. Times are running times of the server, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct House {
    /// How long the server has run.
    pub(crate) age: i64,
    /// Games that ended before this are deleted, a few at a time.
    pub(crate) before: i64,
}

/// Why a transaction was not stored.
#[derive(Debug)]
enum Failure {
    /// Nothing of it is stored.
    Disk(DiskError),
    /// It may be stored.
    Unknown(String),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Disk(error.into())
    }
}

/// The file, open for writing.
#[derive(Debug)]
pub(crate) struct Writer {
    /// Closed before the connection.
    checkpoints: Checkpoints,
    pub(crate) connection: Connection,
    /// Pages in the log after the last commit.
    log_pages: Arc<AtomicU64>,
    pub(crate) health: Arc<Health>,
    pub(crate) forgotten: Arc<Forgotten>,
    pub(crate) acts: Arc<Acts>,
    on_unknown: fn(&str),
    /// How long the server has run, to a few seconds.
    age: i64,
    files_checked: Instant,
    /// Whether old games could not be deleted the last time, which the log has then.
    prune_failed: bool,
    /// Senders that never get an answer, because the process was told to end.
    unanswered: Option<Vec<Reply>>,
    /// The last field, so that the locks are released after the connection is closed.
    files: Files,
}

impl Writer {
    /// Opens the file in a folder, or makes one, and locks the folder.
    pub(crate) fn open(options: &Options) -> Result<Self, OpenError> {
        let mut files = Files::lock(&options.folder)?;
        if crate::folder::has_lost_log(&options.folder) {
            tracing::error!(
                "noughts.db-wal was deleted after the last server was killed: what happened in its last \
                 seconds or minutes is lost"
            );
        }
        let path = options.folder.join(FILE);
        let mut connection = Connection::open(&path)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        schema::check(&connection, &options.folder)?;
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        // Another program may have locked the file: readers do not notice.
        connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
        let synchronous = match options.durability {
            Durability::Power => "full",
            Durability::Process => "normal",
        };
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        let limit = MAX_LOG_BYTES.cast_signed();
        connection.pragma_update_and_check(None, "journal_size_limit", limit, |_| Ok(()))?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        let log_pages = count_log_pages(&mut connection)?;
        let age = meta::number(&connection, "age")?;
        files.remember()?;
        let checkpoints = match options.workers {
            Workers::Tasks => Checkpoints::inline(),
            Workers::Threads => Checkpoints::threaded(path, files.database())
                .map_err(|error| OpenError::of_folder(&options.folder, error))?,
        };
        Ok(Self {
            checkpoints,
            forgotten: Arc::new(Forgotten::read(&connection)?),
            acts: Arc::new(Acts::read(&connection)?),
            connection,
            log_pages,
            health: Arc::new(Health::new()),
            on_unknown: options.on_unknown,
            age,
            files_checked: Instant::now(),
            prune_failed: false,
            unanswered: None,
            files,
        })
    }

    /// Writes until every sender is dropped or one closes. `yield_now` lets the others have a turn.
    pub(crate) async fn run<F: Future<Output = ()>>(
        mut self,
        mut commands: mpsc::Receiver<Command>,
        yield_now: fn() -> F,
    ) {
        while let Some(first) = commands.recv().await {
            let mut waiting = 0;
            for _ in 0..GATHER_TURNS {
                yield_now().await;
                if commands.len() == std::mem::replace(&mut waiting, commands.len()) {
                    break;
                }
            }
            if self.work(first, &mut commands) {
                break;
            }
        }
        self.end(commands);
    }

    /// Closes the file before the queue: a caller that sees the queue closed may open the file.
    fn end(self, mut commands: mpsc::Receiver<Command>) {
        drop(self);
        commands.close();
        while let Ok(command) = commands.try_recv() {
            if let Command::Save(save) = command {
                drop(save.reply.send(Err(DiskError::closed().into())));
            }
        }
    }

    /// Does what was asked for first and all that waits. Returns whether that is to be the last.
    fn work(&mut self, first: Command, commands: &mut mpsc::Receiver<Command>) -> bool {
        let mut saves = Vec::new();
        let mut house = None;
        let mut close = false;
        let mut next = Some(first);
        while let Some(command) = next {
            match command {
                Command::Save(save) => saves.push(save),
                Command::Maintain(asked) => house = Some(asked),
                Command::Close(age) => {
                    house = Some(House { age, before: i64::MIN });
                    close = true;
                    break;
                }
            }
            next = if saves.len() < QUEUE { commands.try_recv().ok() } else { None };
        }
        self.check_files(house.is_some());
        if let Some(unanswered) = &mut self.unanswered {
            unanswered.extend(saves.into_iter().map(|save| save.reply));
            return close;
        }
        self.age = house.map_or(self.age, |house| house.age);
        self.store_all(saves, house.is_some());
        if let Some(House { before, .. }) = house {
            self.prune(before);
        }
        let pages = self.log_pages.load(Ordering::Relaxed);
        if let Some(moved) = self.checkpoints.next(pages, house.is_some()) {
            let outcome = moved.and_then(|()| self.move_rest_of_log());
            self.health.note_checkpoint(outcome, self.files.log_bytes());
        }
        close
    }

    /// Looks now and then whether the files are still there.
    fn check_files(&mut self, asked: bool) {
        if (asked || self.files_checked.elapsed() >= CHECK_FILES) && self.unanswered.is_none() {
            self.files_checked = Instant::now();
            if let Err(lost) = self.files.check() {
                self.end_process(&lost, Vec::new());
            }
        }
    }

    /// Nothing is answered and stored any more.
    fn end_process(&mut self, why: &str, saves: Vec<Save>) {
        self.unanswered = Some(saves.into_iter().map(|save| save.reply).collect());
        (self.on_unknown)(why);
    }

    /// Stores the saves, and the running time if `age` says so, and tells the senders.
    fn store_all(&mut self, saves: Vec<Save>, age: bool) {
        if self.unanswered.is_some() || (saves.is_empty() && !age) {
            return;
        }
        let began = Instant::now();
        match self.store(&saves, age) {
            Ok(stored) => {
                self.tell(saves, stored);
                self.health.note(&Ok(()), began);
            }
            // Not all of them need what is damaged.
            Err(Failure::Disk(DiskError::Damaged(_))) if saves.len() > 1 => {
                saves.into_iter().for_each(|save| self.store_all(vec![save], age));
            }
            Err(Failure::Disk(error)) => {
                for Save { reply, .. } in saves {
                    drop(reply.send(Err(error.clone().into())));
                }
                self.health.note(&Err(error), began);
            }
            Err(Failure::Unknown(why)) => {
                self.end_unknown(&why, saves);
                self.health.note(&Err(DiskError::Failing(why)), began);
            }
        }
    }

    fn end_unknown(&mut self, why: &str, saves: Vec<Save>) {
        let words = format!(
            "the disk fails ({why}), and nobody can know whether the last moves are stored: look at the \
             system's log and start again"
        );
        self.end_process(&words, saves);
    }

    /// Deletes a few of the games and parties that ended before this. By itself: where they are damaged,
    /// the moves are stored still.
    fn prune(&mut self, before: i64) {
        if self.unanswered.is_some() {
            return;
        }
        match self.try_to_prune(before) {
            Err(Failure::Unknown(why)) => self.end_unknown(&why, Vec::new()),
            Err(Failure::Disk(error)) if !self.prune_failed => {
                self.prune_failed = true;
                tracing::error!("old games cannot be deleted, and stay: {error}");
            }
            outcome => self.prune_failed = outcome.is_err(),
        }
    }

    fn try_to_prune(&mut self, before: i64) -> Result<(), Failure> {
        let transaction = self.begin()?;
        game::prune(&transaction, before, PRUNED_AT_ONCE)?;
        kept_party::prune(&transaction, before)?;
        transaction.commit().map_err(failed_commit)
    }

    /// Tells each sender what became of the save. The sender may not wait any more.
    fn tell(&self, saves: Vec<Save>, stored: Outcomes) {
        self.health.count(saves.len());
        for (Save { changes, reply, .. }, stored) in saves.into_iter().zip(stored) {
            if let Err(SaveError::Refused(error)) = &stored {
                tracing::error!(%error, ?changes, "a save was refused");
            }
            for change in changes.into_iter().filter(|_| stored.is_ok()) {
                match change {
                    Change::Forget { player, .. } => {
                        self.forgotten.insert(player);
                        self.acts.forget(player);
                    }
                    Change::Act(_) => self.note_acts(),
                    _ => {}
                }
            }
            drop(reply.send(stored));
        }
    }

    fn note_acts(&self) {
        if let Err(error) = self.acts.refresh(&self.connection) {
            tracing::error!(%error, "what a host has done counts from the next start on");
        }
    }

    /// Stores the saves in one transaction. Returns for each whether it is stored.
    fn store(&mut self, saves: &[Save], age: bool) -> Result<Outcomes, Failure> {
        match self.try_to_store(saves, age) {
            Err(Failure::Disk(DiskError::Full)) => {
                // Emptying the log may free enough space.
                checkpoint(&self.connection, "TRUNCATE")?;
                self.try_to_store(saves, age)
            }
            outcome => outcome,
        }
    }

    fn try_to_store(&mut self, saves: &[Save], age: bool) -> Result<Outcomes, Failure> {
        let now = self.age;
        let transaction = self.begin()?;
        let mut stored = Vec::with_capacity(saves.len());
        for save in saves {
            stored.push(whole(&transaction, save, now).map_err(Failure::Disk)?);
        }
        if age {
            meta::set(&transaction, "age", now)?;
        }
        transaction.commit().map_err(failed_commit)?;
        Ok(stored)
    }

    /// A transaction that is dropped without a commit is rolled back.
    fn begin(&mut self) -> rusqlite::Result<Transaction<'_>> {
        self.connection.transaction_with_behavior(TransactionBehavior::Immediate)
    }

    /// Moves what the thread left of the log into the file.
    fn move_rest_of_log(&self) -> Result<(), DiskError> {
        let (pages, moved) = checkpoint(&self.connection, "PASSIVE")?;
        if moved < pages && pages > MAX_HELD_PAGES {
            return Err(DiskError::LogHeld);
        }
        if moved == pages && self.files.log_bytes() > MAX_LOG_BYTES {
            // Does not wait for a new reader: the next checkpoint can do this.
            self.connection.busy_timeout(Duration::ZERO)?;
            let emptied = checkpoint(&self.connection, "TRUNCATE");
            self.connection.busy_timeout(BUSY_TIMEOUT)?;
            emptied?;
        }
        Ok(())
    }
}

/// Does all of a save in the transaction of the caller, or nothing. The others of the transaction are not
/// touched by a save that is stale, or contradicts what is stored.
///
/// # Errors
/// If the disk fails or a page is damaged, and with it the transaction: `SQLite` refuses to commit one
/// that met a damaged page, also after the savepoint is rolled back.
fn whole(
    connection: &Connection,
    save: &Save,
    age: i64,
) -> Result<Result<(), SaveError>, DiskError> {
    let run = |sql| connection.prepare_cached(sql)?.execute([]);
    run("SAVEPOINT save")?;
    let outcome = match apply(connection, save, age) {
        Ok(true) => Ok(()),
        Ok(false) => Err(SaveError::Stale),
        Err(error @ DiskError::Contradiction(_)) => Err(error.into()),
        Err(error) => return Err(error),
    };
    if outcome.is_err() {
        run("ROLLBACK TO save")?;
    }
    run("RELEASE save")?;
    Ok(outcome)
}

/// Does a save up to the first change that expects another version than the stored one. Returns whether
/// there is none.
fn apply(connection: &Connection, save: &Save, age: i64) -> Result<bool, DiskError> {
    for change in &save.changes {
        let is_done = match change {
            Change::Live { code, expected, row } => {
                live::save(connection, *code, *expected, row.as_ref())?
            }
            Change::KeptParty(party) => {
                kept_party::add(connection, party, age)?;
                true
            }
            Change::Game(game) => {
                let is_kept =
                    save.replica.is_some() && game::number_of(connection, game.id)?.is_some();
                if !is_kept {
                    game::add(connection, game, age)?;
                }
                true
            }
            Change::Forget { player, at } => {
                player::forget(connection, *player, *at)?;
                true
            }
            Change::Hide { player, hidden, .. } => {
                player::hide(connection, *player, *hidden)?;
                true
            }
            Change::Act(act) => {
                act::add(connection, act)?;
                true
            }
        };
        if !is_done {
            return Ok(false);
        }
    }
    if let Some((cluster, position)) = &save.replica {
        meta::set_replica(connection, cluster, *position)?;
    }
    Ok(true)
}

/// The meaning of an error of `COMMIT`: see the head of this file.
fn failed_commit(error: rusqlite::Error) -> Failure {
    match error.sqlite_error().map(|error| error.extended_code) {
        Some(ffi::SQLITE_FULL | ffi::SQLITE_IOERR_WRITE) => Failure::Disk(error.into()),
        _ => Failure::Unknown(error.to_string()),
    }
}

/// Counts the pages in the log after each commit from now on. This takes the place of `SQLite`'s own
/// checkpoints, which run inside a commit.
fn count_log_pages(connection: &mut Connection) -> rusqlite::Result<Arc<AtomicU64>> {
    let counted = Arc::<AtomicU64>::default();
    let pages_now = Arc::clone(&counted);
    connection.wal_hook(Some(move |_: &mut Wal, pages: i32| {
        pages_now.store(u64::try_from(pages).unwrap_or(0), Ordering::Relaxed);
        Ok(())
    }))?;
    Ok(counted)
}

#[cfg(test)]
mod tests;
