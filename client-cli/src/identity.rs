//! The file of an identity on the disk. Its reader is that player: only the owner can read it.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use noughts_protocol::IdentityFile;
use noughts_protocol::text::without_number;

use crate::config::create_private;

/// Saves an identity to a new file.
///
/// # Errors
/// If there is such a file already, or it cannot be written. The text says which.
pub(crate) fn save(path: &Path, identity: &IdentityFile) -> Result<(), String> {
    let mut file = create_private(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists_already(path),
        _ => failed("write", path, &error),
    })?;
    let written = file.write_all(identity.to_text().as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // Half a file is of no use.
        let _ = fs::remove_file(path);
        failed("write", path, &error)
    })
}

/// Reads an identity.
///
/// # Errors
/// If the file cannot be read, or is no identity. The text says which.
pub(crate) fn load(path: &Path) -> Result<IdentityFile, String> {
    let mut text = String::new();
    let most = u64::try_from(IdentityFile::MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let read = fs::File::open(path).and_then(|file| file.take(most).read_to_string(&mut text));
    match read {
        // A file that is no text is no identity either.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {}
        Err(error) => return Err(failed("read", path, &error)),
        Ok(_) => {}
    }
    IdentityFile::read(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The answer to a file that is there already: nothing is overwritten.
pub(crate) fn exists_already(path: &Path) -> String {
    format!("{} exists already: choose another file", path.display())
}

fn failed(what: &str, path: &Path, error: &io::Error) -> String {
    let why = without_number(&error.to_string());
    format!("cannot {what} {}: {why}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ada() -> IdentityFile {
        IdentityFile {
            server: "http://host/".into(),
            name: "Ada".parse().unwrap(),
            token: "abc.def".parse().unwrap(),
        }
    }

    #[test]
    fn an_identity_is_read_as_it_was_saved_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ada.json");
        save(&path, &ada()).unwrap();
        assert_eq!(load(&path), Ok(ada()));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert!(save(&path, &ada()).unwrap_err().contains("exists already"));
    }

    #[test]
    fn what_is_no_identity_is_said_plainly() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other");
        assert!(load(&path).unwrap_err().starts_with("cannot read "));
        for content in [&b"\xff\xfe"[..], b"hello", &[b' '; 100_000]] {
            fs::write(&path, content).unwrap();
            assert!(load(&path).unwrap_err().ends_with("no identity that Noughts has saved"));
        }
    }
}
