//! The key by which players know the door again. It is made once, and only its owner can read it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use russh::keys::ssh_key::{Algorithm, HashAlg, LineEnding, PrivateKey, PublicKey};

use crate::config::write_private;
use noughts_protocol::text::without_number;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 16 * 1024;

/// Reads the key in a file. Without a file it makes both.
///
/// # Errors
/// If the file cannot be used. The text says what to do.
pub(crate) fn load_or_make(path: &Path) -> Result<PrivateKey, String> {
    let failed = |what: &str, why: &dyn std::fmt::Display| {
        format!("cannot {what} {}: {}", path.display(), without_number(&why.to_string()))
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make(path).map_err(|error| failed("make", &error))?;
        }
        Err(error) => return Err(failed("read", &error)),
        Ok(data) => check(path, &data)?,
    }
    let text = fs::read_to_string(path).map_err(|error| failed("read", &error))?;
    match PrivateKey::from_openssh(&text) {
        Ok(key) if key.algorithm() == Algorithm::Ed25519 && !key.is_encrypted() => Ok(key),
        Ok(_) => {
            Err(format!("{} is no ed25519 key without a passphrase: {ANOTHER}", path.display()))
        }
        Err(_) => Err(format!("{} holds no key of OpenSSH: {ANOTHER}", path.display())),
    }
}

const ANOTHER: &str =
    "move the file away and a new one is made, which players must be told of before they trust it";

/// Whether a file may hold a secret.
fn check(path: &Path, data: &fs::Metadata) -> Result<(), String> {
    if !data.is_file() || data.len() > MAX_FILE {
        return Err(format!("{} holds no key of OpenSSH: {ANOTHER}", path.display()));
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o077 != 0 {
        let path = path.display();
        return Err(format!("others can read {path}: run chmod 600 {path}"));
    }
    Ok(())
}

/// Makes the file. Of two doors that start at the same time, one makes it.
fn make(path: &Path) -> anyhow::Result<()> {
    let key = PrivateKey::random(&mut rand::rng(), Algorithm::Ed25519)?;
    let text = key.to_openssh(LineEnding::LF)?;
    match write_private(path, text.as_bytes(), |new, path| fs::hard_link(new, path)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => Ok(made?),
    }
}

/// The key's fingerprint, as `ssh` asks whether to trust it.
pub(crate) fn fingerprint(key: &PrivateKey) -> String {
    key.public_key().fingerprint(HashAlg::Sha256).to_string()
}

/// The record of a name's zone (RFC 4255) by which `ssh -o VerifyHostKeyDNS=yes` trusts the key.
pub(crate) fn sshfp(key: &PublicKey, host: &str) -> String {
    const ED25519: u8 = 4;
    const SHA256: u8 = 2;
    let digest = key.fingerprint(HashAlg::Sha256);
    format!("{host}. IN SSHFP {ED25519} {SHA256} {}", hex::encode(digest.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_made_once_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ssh").join("host_key");
        let made = load_or_make(&path).unwrap();
        assert_eq!(fingerprint(&load_or_make(&path).unwrap()), fingerprint(&made));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            assert!(load_or_make(&path).unwrap_err().contains("chmod 600"));
        }
    }

    #[test]
    fn a_file_without_a_key_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host_key");
        write_private(&path, b"-----BEGIN", |new, path| fs::rename(new, path)).unwrap();
        assert!(load_or_make(&path).unwrap_err().contains("holds no key"));
        assert_eq!(fs::read(&path).unwrap(), b"-----BEGIN");
    }

    /// The record as `ssh-keygen -r` prints it.
    #[test]
    fn the_record_is_that_of_openssh() {
        let key =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIORhAPHSzZWqg4ISqmjuxKHq9qqKeWu5aHRfXWw9cS8z";
        let record = "play.example. IN SSHFP 4 2 \
                      4f0d4294b1d80a9ac835bad594d1d3f01e8349a3c91287ee6092bffd933eee29";
        assert_eq!(sshfp(&PublicKey::from_openssh(key).unwrap(), "play.example"), record);
    }
}
