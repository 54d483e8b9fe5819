//! Reads QR codes in pictures.

use std::process::Command;

/// The text of the QR code in a picture; `None` if there is no whole code.
///
/// # Panics
/// Without `zbarimg`.
#[must_use]
pub fn decode(picture: &[u8]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture");
    std::fs::write(&path, picture).unwrap();
    let output = Command::new("zbarimg").args(["--raw", "-q"]).arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}
