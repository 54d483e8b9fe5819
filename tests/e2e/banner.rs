//! The start-up banner in a real terminal. Its QR code is read by `zbarimg`.

use std::process::Command;

use noughts_harness::Terminal;
use noughts_harness::picture::Theme;
use noughts_harness::skip::skipped;

/// Whether `zbarimg` is here, of Debian's zbar-tools.
fn can_read_codes() -> bool {
    let is_here = Command::new("zbarimg").arg("--version").output().is_ok();
    if !is_here {
        skipped("reading the QR code", "zbarimg (zbar-tools)");
    }
    is_here
}

/// The text of the QR code in a picture; `None` if there is no whole code.
fn decode(picture: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("screen.pgm");
    std::fs::write(&path, picture).unwrap();
    let output = Command::new("zbarimg").args(["--raw", "-q"]).arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}

/// The options of a server with a public address.
const PUBLIC: [&str; 4] =
    ["--bind", "127.0.0.1:0", "--public-url", "https://games.example/noughts"];

#[test]
fn the_qr_code_says_the_first_address_on_dark_and_light_terminals() {
    let host = Terminal::host(&PUBLIC, 40, 80);
    let screen = host.wait_text("Ctrl-C");
    let url = "https://games.example/noughts/";
    assert!(screen.find(url) < screen.find("http://127.0.0.1"), "{screen}");
    assert!(screen.contains("noughts --server https://games.example/noughts"), "{screen}");
    if can_read_codes() {
        for theme in [Theme::Dark, Theme::Light] {
            assert_eq!(host.wait_picture("a QR code", theme, decode), url, "{theme:?}");
        }
    }
}
