//! The start-up card in a real terminal: its QR code, read by a program that is not ours.

use std::io::{Read, Write};
use std::net::TcpStream;
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

#[test]
fn the_qr_code_opens_the_page_on_dark_and_light_terminals() {
    let host = Terminal::host(&["--bind", "127.0.0.1:0", "--log", "warn"], 40, 80);
    let screen = host.wait_text("Ctrl-C");
    let line = screen.lines().find(|line| line.contains("http://")).unwrap();
    let url = line.split_whitespace().next().unwrap();
    for theme in [Theme::Dark, Theme::Light] {
        let Some(read) = decode(&host.picture(theme)) else { return };
        assert_eq!(read, url, "{theme:?}");
    }
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut page = TcpStream::connect(address).unwrap();
    page.write_all(b"GET / HTTP/1.0\r\nhost: here\r\n\r\n").unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200"), "{answer}");
}

#[test]
fn the_public_url_comes_first_and_is_what_the_code_says() {
    let url = "https://games.example/noughts/";
    let options = ["--bind", "127.0.0.1:0", "--public-url", "https://games.example/noughts"];
    let host = Terminal::host(&options, 40, 80);
    let screen = host.wait_text("Ctrl-C");
    assert!(screen.find(url) < screen.find("http://127.0.0.1"), "{screen}");
    assert!(screen.contains("noughts --server https://games.example/noughts"), "{screen}");
    if let Some(read) = decode(&host.picture(Theme::Dark)) {
        assert_eq!(read, url);
    }
}

#[test]
fn there_is_no_code_where_it_does_not_fit_or_is_not_wanted() {
    let here = ["--bind", "127.0.0.1:0"];
    for (options, rows, cols) in [(&["--no-qr"][..], 40, 80), (&[], 15, 80), (&[], 40, 30)] {
        let host = Terminal::host(&[&here, options].concat(), rows, cols);
        let screen = host.wait_text("Ctrl-C");
        assert!(!screen.contains(BLOCK), "{screen}");
    }
    let host = Terminal::host(&here, 24, 80);
    assert!(host.wait_text("Ctrl-C").contains(BLOCK), "it fits the usual window");
}
