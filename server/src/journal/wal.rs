//! Finds damage in the write-ahead log before `SQLite` reads it.
//!
//! `SQLite` reads the log up to its first invalid frame and silently ignores the rest. After a kill
//! that is right: the rest belongs to a transaction that was not committed, or to the time before
//! the log was restarted. If bytes in the middle are damaged, the rest contains commits. They can be
//! recognised: their frames carry the salts of the current log. (After a power cut, pages of the log
//! may be missing in any order. Commits after them were not on the disk yet, and with
//! `--durability power` nobody was told of them.) The format:
//! <https://sqlite.org/fileformat2.html#the_write_ahead_log>.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The log, and the copy of a damaged log.
const WAL: &str = "journal.db-wal";
const COPY: &str = "journal.db-wal.damaged";
/// The sizes of the log's header and of each frame's header, in bytes.
const HEADER: usize = 32;
const FRAME: usize = 24;
/// The first number of a log without its lowest bit, which is the checksums' byte order.
const MAGIC: u32 = 0x377f_0682;
/// The sizes that a page may have, in bytes, and the usual size.
const PAGES: std::ops::RangeInclusive<usize> = 512..=65_536;
const PAGE: usize = 4096;
/// The copy of a damaged log has at most this many bytes: four times a log's normal limit.
const MAX_COPY: u64 = 64 << 20;
/// How often a log that looks damaged is read: a server may be writing to it.
const READINGS: usize = 4;

/// Commits in the log that `SQLite` does not reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// The number of the first invalid frame, from 1.
    pub frame: u64,
    /// How many frames of the current log come after it.
    pub frames: u64,
    /// How many of those frames end a commit.
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

/// The damage of the log in a folder, if there is any. A server may be writing to the log.
///
/// # Errors
/// If the log cannot be read.
pub fn damage(folder: &Path) -> io::Result<Option<Damage>> {
    read_stable(&folder.join(WAL))
}

/// The damage in the copy of the log that an earlier start made, and the path of that copy.
///
/// # Errors
/// If the copy cannot be read.
pub fn kept_damage(folder: &Path) -> io::Result<Option<(Damage, PathBuf)>> {
    let kept = folder.join(COPY);
    Ok(read_stable(&kept)?.map(|damage| (damage, kept)))
}

impl Damage {
    /// Logs the damage, and copies the log before `SQLite` overwrites it. The copy replaces an
    /// earlier one.
    pub(super) fn report(&self, folder: &Path) {
        let kept = folder.join(COPY);
        let copied = (|| {
            let log = File::open(folder.join(WAL))?;
            // Private, because the log may hold the secret that signs tokens.
            let mut copy = super::files::private_file(&kept)?;
            copy.set_len(0)?;
            io::copy(&mut log.take(MAX_COPY), &mut copy)
        })();
        match copied {
            Ok(_) => tracing::error!("{self}; a copy of the log is kept as {}", kept.display()),
            Err(error) => tracing::error!("{self}; no copy of the log could be kept ({error})"),
        }
    }
}

/// Reads the log until two readings agree: a frame that is just being written looks damaged once.
fn read_stable(log: &Path) -> io::Result<Option<Damage>> {
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

/// Reads a log to its end, frame by frame.
fn scan(mut log: impl Read) -> io::Result<Option<Damage>> {
    let mut header = [0; HEADER];
    if !fill(&mut log, &mut header)? {
        return Ok(None);
    }
    let mut sums = Checksums { big_endian: be_u32(&header, 0) & 1 == 1, sums: (0, 0) };
    let size = usize::try_from(be_u32(&header, 8)).unwrap_or(0);
    let usual = size.is_power_of_two() && PAGES.contains(&size);
    let size = if usual { size } else { PAGE };
    sums.add(&header[..24]);
    // `SQLite` reads nothing of a log without a valid header.
    let mut valid = usual && be_u32(&header, 0) & !1 == MAGIC && sums.match_stored(&header[24..]);
    let mut salts = valid.then(|| first_eight(&header[16..]));
    let (mut frame, mut damage) = (vec![0; FRAME + size], None::<Damage>);
    let mut at = 0;
    while fill(&mut log, &mut frame)? {
        at += 1;
        let (head, page) = frame.split_at(FRAME);
        let own = first_eight(&head[8..]);
        // If the header is damaged, the first frame tells the salts of the current log.
        let salts = *salts.get_or_insert(own);
        let (is_page, ends_commit) = (be_u32(head, 0) != 0, be_u32(head, 4) != 0);
        let is_ours = own == salts && is_page;
        if valid {
            sums.add(&head[..8]);
            sums.add(page);
            valid = is_ours && sums.match_stored(&head[16..]);
            if valid {
                continue;
            }
        }
        let damage = damage.get_or_insert(Damage { frame: at, frames: 0, commits: 0, salts });
        // A killed server may have written the first invalid frame in part.
        if is_ours && at > damage.frame {
            damage.frames += 1;
            damage.commits += u64::from(ends_commit);
        }
    }
    Ok(damage.filter(|damage| damage.commits > 0))
}

/// Fills the buffer; `false` if the log ends before that.
fn fill(log: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match log.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The big-endian number at an offset; 0 beyond the end.
fn be_u32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_be_bytes)
}

fn first_eight(bytes: &[u8]) -> [u8; 8] {
    bytes.first_chunk().copied().unwrap_or_default()
}

/// The running checksums of a log.
struct Checksums {
    big_endian: bool,
    sums: (u32, u32),
}

impl Checksums {
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

    /// Whether the checksums equal the stored ones.
    fn match_stored(&self, stored: &[u8]) -> bool {
        self.sums == (be_u32(stored, 0), be_u32(stored, 4))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rusqlite::Connection;

    use super::*;

    /// A connection to a database with five commits or more in its log, and the path of the log.
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
    fn a_complete_log_and_a_truncated_log_are_not_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, wal) = log(folder.path());
        let bytes = fs::read(&wal).unwrap();
        for end in [0, 1, HEADER, HEADER + 1, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
            assert_eq!(found(&bytes[..end]), None, "{end} of {}", bytes.len());
        }
        // Restarted: old frames come after the new ones.
        let moved = "PRAGMA wal_checkpoint(PASSIVE)";
        journal.query_row(moved, [], |_| Ok(())).unwrap();
        journal.execute("INSERT INTO t VALUES (9)", []).unwrap();
        let again = fs::read(&wal).unwrap();
        assert_eq!((again.len(), found(&again)), (bytes.len(), None));
        assert_ne!(again[16..24], bytes[16..24]);
    }

    #[test]
    fn commits_after_damaged_bytes_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let (_journal, wal) = log(folder.path());
        let bytes = fs::read(wal).unwrap();
        let frames = (bytes.len() - HEADER) / (FRAME + PAGE);
        // The last four commits have one frame each.
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
