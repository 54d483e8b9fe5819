//! The start-up card in a real terminal: its QR code, read by a program that is not ours.

use std::process::Command;

use noughts_harness::Terminal;
use noughts_harness::missing::left_out;
use noughts_harness::picture::Theme;

const BLOCK: char = '▀';

/// The text of the QR codes in a picture, if `zbarimg` of Debian's zbar-tools is here.
fn decode(picture: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("screen.pgm");
    std::fs::write(&path, picture).unwrap();
    let output = Command::new("zbarimg").args(["--raw", "-q"]).arg(path).output();
    let Ok(output) = output else {
        left_out("reading the QR code", "zbarimg (zbar-tools)");
        return None;
    };
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

/// What a server prints whose host says where others reach it.
const PUBLIC: [&str; 4] =
    ["--bind", "127.0.0.1:0", "--public-url", "https://games.example/noughts"];

#[test]
fn the_qr_code_says_the_first_address_on_dark_and_light_terminals() {
    let host = Terminal::host(&PUBLIC, 40, 80);
    let screen = host.wait_text("Ctrl-C");
    let url = "https://games.example/noughts/";
    assert!(screen.find(url) < screen.find("http://127.0.0.1"), "{screen}");
    assert!(screen.contains("noughts --server https://games.example/noughts"), "{screen}");
    for theme in [Theme::Dark, Theme::Light] {
        let Some(read) = decode(&host.picture(theme)) else { return };
        assert_eq!(read, url, "{theme:?}");
    }
}

#[test]
fn the_usual_window_shows_the_address_and_the_code_beside_it() {
    let host = Terminal::host(&[&PUBLIC[..], &["--log", "warn"]].concat(), 24, 80);
    let screen = host.wait_text("Ctrl-C");
    for text in ["https://games.example/noughts/", "noughts --server"] {
        assert!(screen.contains(text), "{screen}");
    }
    assert!(screen.contains(BLOCK), "{screen}");
    if let Some(read) = decode(&host.picture(Theme::Dark)) {
        assert_eq!(read, "https://games.example/noughts/");
    }
}

#[test]
fn there_is_no_code_where_it_does_not_fit_or_is_of_no_use() {
    let here = &PUBLIC[..2];
    let cases = [
        (&PUBLIC[..], &["--no-qr"][..], 40, 80),
        (&PUBLIC, &[], 15, 80),
        (&PUBLIC, &[], 40, 30),
        (here, &[], 40, 80),
    ];
    for (bound, options, rows, cols) in cases {
        let host = Terminal::host(&[bound, options].concat(), rows, cols);
        let screen = host.wait_text("Ctrl-C");
        assert!(!screen.contains(BLOCK), "{screen}");
    }
}
