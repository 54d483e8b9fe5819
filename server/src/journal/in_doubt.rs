//! Commits whose outcome is not known, and what may be said of them. Who reports them, and how they
//! are undone, is a [`Disk`]'s.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::store::{Disk, Write};
use crate::journal::error::DiskError;

/// A commit whose outcome is not known, if there is one. There is never a second: nothing is
/// committed before it is settled.
#[derive(Debug, Default)]
pub(super) struct InDoubt {
    /// The rooms it wrote to: at most as many as one commit has writes.
    rooms: HashSet<i64>,
    /// Whether it makes a room: under another number, the same is made again.
    makes: bool,
    /// Whether there is one, for others to see.
    open: Arc<AtomicBool>,
}

impl InDoubt {
    /// Whether there is one, also later.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.open)
    }

    /// Stores all of the writes or none, and resolves what was open before and what this leaves open.
    ///
    /// # Errors
    /// Where they could not be stored, or that is not known.
    pub(super) fn commit(
        &mut self,
        disk: &mut dyn Disk,
        writes: &[Write],
    ) -> Result<(), DiskError> {
        if self.open.load(Ordering::Acquire) {
            disk.resolve()?;
            self.rooms.clear();
            self.makes = false;
            self.open.store(false, Ordering::Release);
        }
        match disk.commit(writes) {
            Err(DiskError::Unknown(why)) if disk.resolve().is_ok() => Err(DiskError::Failing(why)),
            Err(DiskError::Unknown(why)) => {
                self.rooms.extend(writes.iter().filter_map(Write::room));
                self.makes = writes.iter().any(Write::makes);
                self.open.store(true, Ordering::Release);
                Err(DiskError::Unknown(why))
            }
            known => known,
        }
    }

    /// What is told to whoever waits for one of the writes of a commit that ended like that. A
    /// write that was not even tried may be the repeat of one whose outcome is open.
    pub(super) fn outcome(
        &self,
        write: &Write,
        outcome: &Result<(), DiskError>,
    ) -> Result<(), DiskError> {
        let is_open = write.room().is_some_and(|room| self.rooms.contains(&room))
            || (self.makes && write.makes());
        match outcome {
            Err(error) if is_open => Err(DiskError::Unknown(error.to_string())),
            known => known.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ends each commit and each attempt to settle as it is told, in order.
    #[derive(Debug)]
    struct Scripted {
        commits: Vec<Result<(), DiskError>>,
        resolves: Vec<bool>,
    }

    impl Disk for Scripted {
        fn commit(&mut self, _: &[Write]) -> Result<(), DiskError> {
            self.commits.remove(0)
        }

        fn resolve(&mut self) -> Result<(), DiskError> {
            if self.resolves.remove(0) { Ok(()) } else { Err(failing()) }
        }
    }

    fn failing() -> DiskError {
        DiskError::Failing("fsync".to_owned())
    }

    fn unknown() -> DiskError {
        DiskError::Unknown("fsync".to_owned())
    }

    fn write(room: i64) -> Write {
        Write::Vacant { room, since: None }
    }

    #[test]
    fn what_is_overwritten_at_once_is_refused() {
        let mut disk = Scripted { commits: vec![Err(unknown())], resolves: vec![true] };
        let mut in_doubt = InDoubt::default();
        assert_eq!(in_doubt.commit(&mut disk, &[write(1)]), Err(failing()));
        assert!(!in_doubt.flag().load(Ordering::Acquire));
    }

    #[test]
    fn until_it_is_settled_nothing_is_committed_and_a_repeat_is_not_refused() {
        let resolves = vec![false, false, true];
        let mut disk = Scripted { commits: vec![Err(unknown()), Err(DiskError::Full)], resolves };
        let mut in_doubt = InDoubt::default();
        let flag = in_doubt.flag();
        let first = in_doubt.commit(&mut disk, &[write(1), Write::Heartbeat { at: 0, age: 0 }]);
        assert_eq!(first, Err(unknown()));
        assert!(flag.load(Ordering::Acquire));

        let both = [write(1), write(2)];
        let second = in_doubt.commit(&mut disk, &both);
        assert_eq!((&second, disk.commits.len()), (&Err(failing()), 1), "not even tried");
        let told = both.each_ref().map(|write| in_doubt.outcome(write, &second));
        assert!(matches!(&told, [Err(DiskError::Unknown(_)), Err(DiskError::Failing(_))]));

        let third = in_doubt.commit(&mut disk, &both);
        assert_eq!(in_doubt.outcome(&both[0], &third), Err(DiskError::Full), "settled before it");
        assert!(!flag.load(Ordering::Acquire));
    }
}
