//! The start-up card: how others join, in a terminal for people and in lines for a log.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;

use terminal_size::{Height, Width, terminal_size};

use crate::config::{Config, ConfigError};
use crate::lan::{self, Place, Reach, qr};

/// Addresses that are shown; a machine with many containers has more than anybody reads.
const MOST: usize = 8;

/// How to start the client: in a clone, Cargo does.
fn client() -> &'static str {
    // Cargo says so to what it runs.
    if std::env::var_os("CARGO_MANIFEST_DIR").is_some() { "cargo noughts" } else { "noughts" }
}

/// How others join a server bound to `bound`, for standard output: a card with a QR code where it
/// is a terminal, else a line for each address.
///
/// # Errors
/// Where `--qr-interface` names an interface without an address.
pub fn text(bound: SocketAddr, config: &Config) -> Result<String, ConfigError> {
    let places = lan::places(bound, config)?;
    if !io::stdout().is_terminal() {
        return Ok(places.iter().take(MOST).map(log_line).collect());
    }
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let window = terminal_size().filter(|_| config.qr && !dumb);
    // The last line and the cursor shall not push the code's first rows out.
    let window = window.map(|(Width(columns), Height(rows))| {
        (columns.into(), usize::from(rows).saturating_sub(2))
    });
    Ok(card(config, &places, bound.ip().is_unspecified(), window))
}

fn log_line(place: &Place) -> String {
    let Place { url, server, .. } = place;
    format!("Noughts is up at {url}{}; to play: noughts --server {server}\n", note(place))
}

/// The card. `window` is the columns and rows for a QR code, where one is wanted.
fn card(config: &Config, places: &[Place], here: bool, window: Option<(usize, usize)>) -> String {
    let mut card = format!("\n  {} is up.\n\n", config.name);
    for place in places.iter().take(MOST) {
        line(&mut card, &format!("    {}{}", place.url, note(place)));
    }
    if places.len() > MOST {
        line(&mut card, &format!("    and {} more", places.len() - MOST));
    }
    let best = &places[0];
    let client = client();
    let place = if best.reach == Reach::Loopback { "in another terminal" } else { "anywhere" };
    let how = format!("\n  To play, open the first one in a browser, or run this {place}:\n");
    line(&mut card, &how);
    line(&mut card, &format!("    noughts --server {}\n", best.server));
    // By localhost and a bare address a certificate is rarely good.
    let alone = match (here && config.tls.is_none(), config.announce) {
        (true, true) => {
            format!("  On this machine `{client}` alone finds it, on this network `noughts`.\n")
        }
        (true, false) => format!("  On this machine `{client}` alone finds it.\n"),
        (false, _) => String::new(),
    };
    card += &alone;
    let code = window.and_then(|(columns, rows)| qr::lines(best.url.as_str(), columns, rows));
    for row in code.iter().flatten() {
        line(&mut card, row);
    }
    card + "  Stop the server with Ctrl-C.\n"
}

fn line(card: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(card, "{line}");
}

/// Which interface an address belongs to, and who can use it where that is not everybody.
fn note(place: &Place) -> String {
    let who = match place.reach {
        Reach::Virtual => ", this machine's containers",
        Reach::Tunnel => ", your private network",
        Reach::LinkLocal => ", the same cable",
        Reach::Loopback => ", this machine alone",
        Reach::Public | Reach::Lan | Reach::Network | Reach::Ipv6 => "",
    };
    match &place.interface {
        Some(interface) => format!("  ({interface}{who})"),
        None => who.replacen(", ", "  ", 1),
    }
}
