//! The banner in windows of several sizes.

use clap::Parser;
use noughts_protocol::Reach;

use super::{banner, client, lines, qr};
use crate::net::lan::ServerAddress;
use crate::{Args, Config};

fn place(address: &str, interface: &str, reach: Reach) -> ServerAddress {
    let url = format!("http://{address}/").parse().unwrap();
    ServerAddress { url, server: address.to_owned(), interface: Some(interface.to_owned()), reach }
}

fn lan() -> Vec<ServerAddress> {
    vec![
        place("192.168.100.200:7333", "wlan0", Reach::Lan),
        place("172.17.0.1:7333", "docker0", Reach::Virtual),
    ]
}

fn shown(options: &[&str], places: &[ServerAddress], columns: usize, rows: usize) -> String {
    let args = [&["noughts-server", "--ephemeral"], options].concat();
    let args = Args::parse_from(args);
    let lines = lines(&Config::try_from(&args).unwrap(), places, args.bind);
    banner(&lines, &places[0], Some((columns, rows - 1)))
}

/// The banner without colours.
fn plain(banner: &str) -> Vec<String> {
    let coloured = |row: &str| -> String {
        row.split('\u{1b}')
            .enumerate()
            .map(
                |(at, part)| {
                    if at == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) }
                },
            )
            .collect()
    };
    banner.lines().map(coloured).collect()
}

#[test]
fn the_whole_banner_fits_the_window_with_its_code() {
    for (columns, rows) in [(80, 24), (80, 25), (120, 40), (100, 30)] {
        let text = shown(&[], &lan(), columns, rows);
        let rows_shown = plain(&text);
        let code = qr::lines(lan()[0].url.as_str(), columns, rows).unwrap();
        assert!(code.iter().all(|row| text.contains(row)), "{columns}x{rows}\n{text}");
        assert!(rows_shown.len() < rows, "{columns}x{rows}\n{text}");
        assert!(rows_shown.iter().all(|row| row.chars().count() <= columns), "{text}");
        for part in
            ["http://192.168.100.200:7333/", "noughts --server 192.168.100.200:7333", "Ctrl-C"]
        {
            assert!(rows_shown.iter().any(|row| row.contains(part)), "{part} in\n{text}");
        }
    }
}

#[test]
fn a_code_that_would_push_the_address_out_is_left_out() {
    let many: Vec<ServerAddress> = (1..=8)
        .map(|n| {
            place(&format!("192.168.1.{n}:7333"), "a-long-name-of-an-interface", Reach::Virtual)
        })
        .collect();
    for (places, columns, rows) in [(lan(), 70, 24), (lan(), 80, 17), (many, 80, 24)] {
        let text = shown(&[], &places, columns, rows);
        assert!(!text.contains('▀'), "{text}");
        assert!(text.contains("Stop the server"), "{text}");
    }
    let narrow = shown(&[], &lan(), 40, 12);
    assert!(narrow.lines().all(|line| line.len() <= 40), "a word would be broken\n{narrow}");
}

#[test]
fn a_loopback_address_has_no_code() {
    let here = [place("127.0.0.1:7333", "lo", Reach::Loopback)];
    assert!(!shown(&[], &here, 120, 60).contains('▀'));
}

#[test]
fn the_banner_says_how_to_open_a_door_for_ssh() {
    let says = |options: &[&str]| {
        let text = shown(options, &lan(), 80, 60);
        text.lines().find(|line| line.contains("ssh")).map(str::trim).map(str::to_owned)
    };
    let line = |options| Some(format!("For ssh, also run `{} ssh{options}` here.", client()));
    assert_eq!(says(&[]), None);
    assert_eq!(says(&["--ssh"]), line(""));
    assert_eq!(says(&["--ssh", "--bind", "[::]:80"]), line(" --server http://localhost:80"));
    let bound = ["--ssh", "--bind", "127.0.0.1:7333", "--base-path", "/x"];
    assert_eq!(says(&bound), line(" --server http://127.0.0.1:7333/x"));
}

#[test]
fn the_banner_says_where_the_client_finds_the_server() {
    let says = |options: &[&str]| {
        let text = shown(options, &lan(), 80, 60);
        text.lines().find(|line| line.contains("finds it")).map(str::trim).map(str::to_owned)
    };
    let client = client();
    let all = format!("On this machine and this network, `{client}` finds it.");
    assert_eq!(says(&[]), Some(all));
    let here = format!("On this machine, `{client}` finds it.");
    assert_eq!(says(&["--no-announce"]), Some(here));
    assert_eq!(says(&["--no-announce", "--bind", "0.0.0.0:7501"]), None);
    assert_eq!(says(&["--bind", "192.168.100.200:7333"]), None);
}
