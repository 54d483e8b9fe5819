//! Commits with an unknown outcome (in doubt), and what may be said of them. How such a commit
//! comes about and how it is undone is a [`Disk`]'s.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::DiskError;
use super::store::{Disk, Write};
use super::write::Subject;

/// The commit that is in doubt, if there is one. There is never a second one: nothing is committed
/// before this one is resolved.
#[derive(Debug, Default)]
pub(super) struct InDoubt {
    /// The rooms and parties it wrote to: at most as many as one commit has writes.
    subjects: HashSet<Subject>,
    /// Whether it makes a room or a party. A repeat would make the same one again, under another
    /// number.
    makes_one: bool,
    /// Whether there is such a commit, for other threads to see.
    exists: Arc<AtomicBool>,
}

impl InDoubt {
    /// Tells, now and later, whether there is a commit in doubt.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.exists)
    }

    /// Stores all of the writes or none. Resolves an earlier commit first, and this one if its
    /// outcome is unknown.
    ///
    /// # Errors
    /// If the writes could not be stored, or if that is unknown.
    pub(super) fn commit(
        &mut self,
        disk: &mut dyn Disk,
        writes: &[Write],
    ) -> Result<(), DiskError> {
        if self.exists.load(Ordering::Acquire) {
            disk.resolve()?;
            self.subjects.clear();
            self.makes_one = false;
            self.exists.store(false, Ordering::Release);
        }
        match disk.commit(writes) {
            Err(DiskError::Unknown(why)) if disk.resolve().is_ok() => Err(DiskError::Failing(why)),
            Err(DiskError::Unknown(why)) => {
                self.subjects.extend(writes.iter().filter_map(Write::subject));
                self.makes_one = writes.iter().any(Write::makes_one);
                self.exists.store(true, Ordering::Release);
                Err(DiskError::Unknown(why))
            }
            known => known,
        }
    }

    /// What the sender of a write is told after a commit with this outcome. A write that was not
    /// even tried may be the repeat of a write in doubt, and then its outcome is unknown too.
    pub(super) fn outcome(
        &self,
        write: &Write,
        outcome: &Result<(), DiskError>,
    ) -> Result<(), DiskError> {
        let in_doubt = write.subject().is_some_and(|subject| self.subjects.contains(&subject))
            || (self.makes_one && write.makes_one());
        match outcome {
            Err(error) if in_doubt => Err(DiskError::Unknown(error.to_string())),
            known => known.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ends each commit and each attempt to resolve as the script says, in order.
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
        Write::Vacant { room, run: 1, since: None }
    }

    #[test]
    fn a_commit_that_is_resolved_at_once_is_refused() {
        let mut disk = Scripted { commits: vec![Err(unknown())], resolves: vec![true] };
        let mut in_doubt = InDoubt::default();
        assert_eq!(in_doubt.commit(&mut disk, &[write(1)]), Err(failing()));
        assert!(!in_doubt.flag().load(Ordering::Acquire));
    }

    #[test]
    fn until_it_is_resolved_nothing_is_committed_and_a_repeat_is_not_refused() {
        let resolves = vec![false, false, true];
        let mut disk = Scripted { commits: vec![Err(unknown()), Err(DiskError::Full)], resolves };
        let mut in_doubt = InDoubt::default();
        let flag = in_doubt.flag();
        let first = in_doubt.commit(&mut disk, &[write(1), Write::Alive { at: 0, age: 0 }]);
        assert_eq!(first, Err(unknown()));
        assert!(flag.load(Ordering::Acquire));

        let both = [write(1), write(2)];
        let second = in_doubt.commit(&mut disk, &both);
        assert_eq!((&second, disk.commits.len()), (&Err(failing()), 1), "not even tried");
        let told = both.each_ref().map(|write| in_doubt.outcome(write, &second));
        assert!(matches!(&told, [Err(DiskError::Unknown(_)), Err(DiskError::Failing(_))]));

        let third = in_doubt.commit(&mut disk, &both);
        assert_eq!(in_doubt.outcome(&both[0], &third), Err(DiskError::Full), "resolved before it");
        assert!(!flag.load(Ordering::Acquire));
    }
}
