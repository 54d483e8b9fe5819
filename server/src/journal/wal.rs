//! The write-ahead log as it lies there, before `SQLite` reads it: how far it is valid, and what is
//! beyond that.
//!
//! `SQLite` takes the log up to its first frame that is not valid and says nothing of the rest. That
//! is right after a kill, where the rest is of a transaction that was not committed, or of before
//! the log was begun again. Where bytes in the middle are damaged, commits are behind them. They
//! show: they carry the salts of the log as it is now. (After a power cut, which leaves pages of the
//! log out in any order, such commits were not on the disk yet, and with `--durability power` nobody
//! was told of them.) The format: <https://sqlite.org/fileformat2.html#the_write_ahead_log>.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The log, beside the journal, and the copy of a damaged one.
const WAL: &str = "journal.db-wal";
const COPY: &str = "journal.db-wal.damaged";
/// The log's header, and that of each frame, in bytes.
const HEADER: usize = 32;
const FRAME: usize = 24;
/// The first number of a log, but for its lowest bit: the byte order of the checksums.
const MAGIC: u32 = 0x377f_0682;
/// Sizes that a page may have, in bytes, and the usual one.
const PAGES: std::ops::RangeInclusive<usize> = 512..=65_536;
const PAGE: usize = 4096;
/// As much of a damaged log is kept as a copy, in bytes: four times what it should ever hold.
const KEPT: u64 = 64 << 20;
/// How often a log in which something is wrong is read again, for a server may be writing to it.
const READINGS: usize = 4;

/// Commits that are in the log and out of reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// The number of the first frame that is not valid, from 1.
    pub frame: u64,
    /// How many frames of this log come after it.
    pub frames: u64,
    /// How many of them end a commit.
    pub commits: u64,
    salts: [u8; 8],
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, frames, commits, .. } = self;
        write!(
            f,
            "the journal's log is damaged at frame {frame}: {commits} commits in the {frames} \
             frames after it are lost"
        )
    }
}

/// The damage of the log in a folder, also while a server writes to it; nothing where it is whole.
///
/// # Errors
/// Where it cannot be read.
pub fn damage(folder: &Path) -> io::Result<Option<Damage>> {
    settled(&folder.join(WAL))
}

/// The same of the damaged log that an earlier start kept, and where that is.
///
/// # Errors
/// Where it cannot be read.
pub fn kept_damage(folder: &Path) -> io::Result<Option<(Damage, PathBuf)>> {
    let kept = folder.join(COPY);
    Ok(settled(&kept)?.map(|damage| (damage, kept)))
}

impl Damage {
    /// Tells the host, and keeps a copy of the log before `SQLite` overwrites it: one, the last.
    pub(super) fn report(&self, folder: &Path) {
        let kept = folder.join(COPY);
        let copied = (|| {
            let log = File::open(folder.join(WAL))?;
            // It holds tokens' secret, as the log does.
            let mut copy = super::files::private_file(&kept)?;
            copy.set_len(0)?;
            io::copy(&mut log.take(KEPT), &mut copy)
        })();
        match copied {
            Ok(_) => tracing::error!("{self}; a copy of the log is kept as {}", kept.display()),
            Err(error) => tracing::error!("{self}; no copy of the log could be kept ({error})"),
        }
    }
}

/// What two readings in a row say. A frame that is just being written looks damaged once.
fn settled(log: &Path) -> io::Result<Option<Damage>> {
    let mut before: Option<Damage> = None;
    for _ in 0..READINGS {
        let Some(now) = read(log)? else { return Ok(None) };
        if before.is_some_and(|before| (before.frame, before.salts) == (now.frame, now.salts)) {
            return Ok(Some(now));
        }
        before = Some(now);
    }
    Ok(before)
}

fn read(log: &Path) -> io::Result<Option<Damage>> {
    match File::open(log) {
        Ok(file) => scan(BufReader::new(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Walks a log to its end.
fn scan(mut log: impl Read) -> io::Result<Option<Damage>> {
    let mut header = [0; HEADER];
    if !fill(&mut log, &mut header)? {
        return Ok(None);
    }
    let mut sums = Sums { big_endian: number(&header, 0) & 1 == 1, sums: (0, 0) };
    let size = usize::try_from(number(&header, 8)).unwrap_or(0);
    let usual = size.is_power_of_two() && PAGES.contains(&size);
    let size = if usual { size } else { PAGE };
    sums.add(&header[..24]);
    // Of a log without a valid header nothing is taken.
    let mut valid = usual && number(&header, 0) & !1 == MAGIC && sums.are(&header[24..]);
    let mut salts = valid.then(|| eight(&header[16..]));
    let (mut frame, mut damage) = (vec![0; FRAME + size], None::<Damage>);
    let mut at = 0;
    while fill(&mut log, &mut frame)? {
        at += 1;
        let (head, page) = frame.split_at(FRAME);
        let own = eight(&head[8..]);
        // Where the header is damaged, the first frame is of the log as it was last.
        let salts = *salts.get_or_insert(own);
        let (is_page, ends_commit) = (number(head, 0) != 0, number(head, 4) != 0);
        let is_ours = own == salts && is_page;
        if valid {
            sums.add(&head[..8]);
            sums.add(page);
            valid = is_ours && sums.are(&head[16..]);
            if valid {
                continue;
            }
        }
        let damage = damage.get_or_insert(Damage { frame: at, frames: 0, commits: 0, salts });
        // The first one may be what a killed server was writing: its rest is of before.
        if is_ours && at > damage.frame {
            damage.frames += 1;
            damage.commits += u64::from(ends_commit);
        }
    }
    Ok(damage.filter(|damage| damage.commits > 0))
}

/// Reads as much as there is place for; whether there was as much.
fn fill(log: &mut impl Read, place: &mut [u8]) -> io::Result<bool> {
    match log.read_exact(place) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The big-endian number at a place of a header; 0 beyond its end, where none is.
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_be_bytes)
}

fn eight(bytes: &[u8]) -> [u8; 8] {
    bytes.first_chunk().copied().unwrap_or_default()
}

/// The running checksums of a log.
struct Sums {
    big_endian: bool,
    sums: (u32, u32),
}

impl Sums {
    fn add(&mut self, bytes: &[u8]) {
        let (mut one, mut two) = self.sums;
        let read = if self.big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
        for pair in bytes.as_chunks::<8>().0 {
            let [a, b, c, d, e, f, g, h] = *pair;
            one = one.wrapping_add(read([a, b, c, d])).wrapping_add(two);
            two = two.wrapping_add(read([e, f, g, h])).wrapping_add(one);
        }
        self.sums = (one, two);
    }

    /// Whether these are the ones that are stored.
    fn are(&self, stored: &[u8]) -> bool {
        self.sums == (number(stored, 0), number(stored, 4))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rusqlite::Connection;

    use super::*;

    /// The bytes of a log of five commits or more, and of its journal's connection.
    fn log(folder: &Path) -> (Connection, PathBuf) {
        let path = folder.join("journal.db");
        let journal = Connection::open(&path).unwrap();
        journal.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
        journal.execute_batch("CREATE TABLE t (x)").unwrap();
        for x in 0..4 {
            journal.execute("INSERT INTO t VALUES (?1)", [x]).unwrap();
        }
        (journal, folder.join(WAL))
    }

    fn found(bytes: &[u8]) -> Option<(u64, u64)> {
        scan(bytes).unwrap().map(|damage| (damage.frame, damage.commits))
    }

    #[test]
    fn a_whole_log_and_one_that_was_cut_short_are_no_damage() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, wal) = log(folder.path());
        let bytes = fs::read(&wal).unwrap();
        for end in [0, 1, HEADER, HEADER + 1, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
            assert_eq!(found(&bytes[..end]), None, "{end} of {}", bytes.len());
        }
        // Begun again, with what was there before behind it.
        let moved = "PRAGMA wal_checkpoint(PASSIVE)";
        journal.query_row(moved, [], |_| Ok(())).unwrap();
        journal.execute("INSERT INTO t VALUES (9)", []).unwrap();
        let again = fs::read(&wal).unwrap();
        assert_eq!((again.len(), found(&again)), (bytes.len(), None));
        assert_ne!(again[16..24], bytes[16..24]);
    }

    #[test]
    fn commits_behind_damaged_bytes_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let (_journal, wal) = log(folder.path());
        let bytes = fs::read(wal).unwrap();
        let frames = (bytes.len() - HEADER) / (FRAME + PAGE);
        // The last four commits are a frame each.
        for (back, commits) in [(1, None), (2, Some(1)), (3, Some(2)), (4, Some(3))] {
            let frame = frames - back;
            for place in [4, 10, 18, FRAME, FRAME + PAGE - 1] {
                let mut damaged = bytes.clone();
                damaged[HEADER + frame * (FRAME + PAGE) + place] ^= 0x10;
                let expected = commits.map(|commits| (frame as u64 + 1, commits));
                assert_eq!(found(&damaged), expected, "frame {frame} at {place}");
            }
        }
        for place in [0, 9, 17, 25] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(found(&damaged).is_some_and(|found| found.0 == 1), "header at {place}");
        }
    }
}
