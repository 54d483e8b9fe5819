//! Folders that are refused.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::world::*;
use crate::folder::{FILE, LOG};
use crate::writer::Writer;
use crate::{FolderState, OpenError, Reader, Workers, back_up, probe};

fn start(folder: &Path) -> Result<Writer, OpenError> {
    Writer::open(&options(folder, Workers::Tasks))
}

/// Checks that nobody opens the folder, and that the file stays as it is.
fn refused(folder: &Path, is_expected: fn(&OpenError) -> bool) {
    let file = folder.join(FILE);
    let before = fs::read(&file).ok();
    let opened = [start(folder).map(drop), Reader::open(folder).map(drop), probe(folder).map(drop)];
    for refused in opened {
        let refused = refused.unwrap_err();
        assert!(is_expected(&refused), "{refused}");
    }
    assert!(back_up(folder, &folder.join("backup")).is_err());
    assert_eq!(fs::read(&file).ok(), before);
}

/// A new file there would have another secret: everybody would be a stranger.
#[test]
fn a_file_that_is_empty_or_lost_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = folder.join(FILE);
    fs::write(&file, "").unwrap();
    refused(folder, |error| matches!(error, OpenError::Empty(_)));
    fs::remove_file(&file).unwrap();
    // A log is empty after a checkpoint, and stays while its server runs or is killed.
    for log in ["a log", ""] {
        fs::write(folder.join(LOG), log).unwrap();
        refused(folder, |error| matches!(error, OpenError::OrphanedLog(_)));
    }
    fs::remove_file(folder.join(LOG)).unwrap();
    fs::write(&file, "this is no database, but long enough for one".repeat(30)).unwrap();
    refused(folder, |error| matches!(error, OpenError::Damaged(_)));
    fs::remove_file(&file).unwrap();
    drop(start(folder).unwrap());
}

#[test]
fn another_format_and_the_journal_of_an_older_version_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("journal.db"), "").unwrap();
    refused(folder, |error| {
        let said = error.to_string();
        said.contains("is of an older version") && said.contains("choose an empty folder")
    });
    fs::remove_file(folder.join("journal.db")).unwrap();
    drop(start(folder).unwrap());
    let file = Connection::open(folder.join(FILE)).unwrap();
    file.execute("UPDATE meta SET value = 9 WHERE key = 'format'", []).unwrap();
    drop(file);
    refused(folder, |error| matches!(error, OpenError::OtherFormat { found: 9, known: 7 }));
    let file = Connection::open(folder.join(FILE)).unwrap();
    file.execute_batch("DROP TABLE meta").unwrap();
    drop(file);
    refused(folder, |error| matches!(error, OpenError::Damaged(_)));
}

#[test]
fn a_first_start_that_was_cut_off_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("noughts.db-new"), "half a database").unwrap();
    drop(start(folder.path()).unwrap());
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["lock", FILE]);
}

#[test]
fn a_probe_tells_what_is_in_a_folder_and_changes_nothing() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("a/b");
    assert_eq!(probe(&folder).unwrap(), FolderState::NoFolder);
    assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
    assert_eq!(probe(outer.path()).unwrap(), FolderState::Empty);
    assert_eq!(probe("is-not-there".as_ref()).unwrap(), FolderState::NoFolder);
    let writer = start(&folder).unwrap();
    assert!(matches!(probe(&folder), Err(OpenError::InUse(_))));
    assert!(matches!(start(&folder), Err(OpenError::InUse(_))));
    // The database is locked too.
    fs::remove_file(folder.join("lock")).unwrap();
    assert!(matches!(start(&folder), Err(OpenError::InUse(_))));
    drop(writer);
    assert_eq!(probe(&folder).unwrap(), FolderState::Kept { rooms: 0, parties: 0, games: 0 });
    let file = outer.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(probe(&file), Err(OpenError::Folder(..))));
}

/// The threads of Linux have users of their own.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_another_user_is_named_with_what_to_do() {
    use std::os::unix::fs::chown;

    use rustix::process::{Uid, geteuid};

    if !geteuid().is_root() {
        return;
    }
    for name in [FILE, "lock", LOG, ""] {
        let outer = tempfile::tempdir().unwrap();
        chown(outer.path(), Some(1234), None).unwrap();
        let folder = outer.path().join("data");
        drop(start(&folder).unwrap());
        let of_root = folder.join(name);
        if !of_root.exists() {
            fs::write(&of_root, "").unwrap();
        }
        for file in fs::read_dir(&folder).unwrap() {
            chown(file.unwrap().path(), Some(1234), None).unwrap();
        }
        chown(&folder, Some(1234), None).unwrap();
        chown(&of_root, Some(0), None).unwrap();
        let refused = std::thread::scope(|scope| {
            let as_another = scope.spawn(|| {
                rustix::thread::set_thread_uid(Uid::from_raw(1234)).unwrap();
                [start(&folder).unwrap_err(), probe(&folder).unwrap_err()]
            });
            as_another.join().unwrap()
        });
        for refused in refused {
            let file = of_root.display();
            let folder = folder.display();
            let expected = format!("{file} belongs to root, and this is user 1234: give all of ");
            let said = refused.to_string();
            assert!(said.starts_with(&expected), "{said}");
            assert!(said.contains(&format!("(chown -RH 1234 {folder})")), "{said}");
        }
    }
}
