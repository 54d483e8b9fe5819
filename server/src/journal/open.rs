//! Opens the journal and starts its workers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::archive::forgotten::Forgotten;
use super::archive::reader::{Archive, ArchiveReader};
use super::checkpoint::Checkpoints;
use super::environment::Environment;
use super::error::OpenError;
use super::health::Health;
use super::in_doubt::InDoubt;
use super::reader::Reader;
use super::startup::Startup;
use super::store::{Disk, Durability, Store};
use super::writer::{Committer, Writer};
use super::{Journal, READ_QUEUE, WRITE_QUEUE};

impl Journal {
    /// Opens the journal in a folder, and returns what it knows at the start. Must be called on the
    /// runtime that is to write it.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub fn open(folder: &Path, durability: Durability) -> Result<(Self, Startup), OpenError> {
        Self::open_on(folder, durability, Environment::REAL, |store| Box::new(store))
    }

    /// Opens it in an environment, through a [`Disk`] of the caller: tests let writes fail there.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub fn open_on(
        folder: &Path,
        durability: Durability,
        environment: Environment,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
    ) -> Result<(Self, Startup), OpenError> {
        let (store, startup) = Store::open(folder, durability, (environment.wall_clock)())?;
        let journal = Self::start(folder, durability, environment, disk(store), &startup)?;
        Ok((journal, startup))
    }

    /// Starts the workers of a journal.
    fn start(
        folder: &Path,
        durability: Durability,
        environment: Environment,
        mut disk: Box<dyn Disk>,
        startup: &Startup,
    ) -> Result<Self, OpenError> {
        let reader = Reader::open(folder)?;
        let archive_reader = ArchiveReader::open(folder, environment.wall_clock)?;
        let (write_sender, writes) = mpsc::channel(WRITE_QUEUE);
        let (read_sender, reads) = mpsc::channel(READ_QUEUE);
        let (archive, questions) = Archive::new();
        let health = Arc::new(Health::new());
        let in_doubt = InDoubt::default();
        let flag = in_doubt.flag();
        let mover = disk.log_mover();
        let committer = Box::new(Committer::new(disk, in_doubt, Arc::clone(&health)));
        let start = || {
            let thread = environment.background("journal")?;
            let checkpoints = Checkpoints::new(environment.background("checkpoint")?, mover);
            let waits = durability == Durability::Power;
            drop(tokio::spawn(Writer { thread, waits, checkpoints }.run(writes, committer)));
            environment.start("journal-read", reader.run(reads))?;
            environment.start("archive", archive_reader.run(questions))
        };
        start().map_err(|error| OpenError::Folder(folder.to_owned(), error))?;
        Ok(Self {
            writer: write_sender,
            reader: read_sender,
            archive,
            health,
            uptime: Arc::new(startup.uptime.clone()),
            earlier: startup.age,
            next_room: Arc::new(AtomicI64::new(startup.next_room)),
            next_party: Arc::new(AtomicI64::new(startup.next_party)),
            began: Instant::now(),
            in_doubt: flag,
            forgotten: Arc::new(Forgotten::of(startup.forgotten.iter().copied())),
            environment,
        })
    }
}
