//! The start-up banner: how players join. In a terminal it may have a QR code; elsewhere it is one
//! log line for each address.

use std::io::{self, IsTerminal};
use std::net::SocketAddr;

use noughts_protocol::{DEFAULT_PORT, Reach};
use terminal_size::{Height, Width, terminal_size};

use crate::cli::qr;
use crate::config::{Config, ConfigError};
use crate::net::lan;
use crate::net::lan::ServerAddress;

/// Addresses in the banner at most: a machine with many containers has more than anybody reads.
const MAX_ADDRESSES: usize = 8;

/// The narrowest column for the text beside a QR code.
const MIN_TEXT_WIDTH: usize = 40;

/// The command that starts the client. In a clone it goes through Cargo.
fn client() -> &'static str {
    // Cargo sets this variable for the programs that it runs.
    if std::env::var_os("CARGO_MANIFEST_DIR").is_some() { "cargo noughts" } else { "noughts" }
}

/// The banner of a server that listens on `bound`, for standard output.
///
/// # Errors
/// If `--qr-interface` names an interface without an address.
pub fn text(bound: SocketAddr, config: &Config) -> Result<String, ConfigError> {
    let places = lan::server_addresses(bound, config)?;
    if !io::stdout().is_terminal() {
        return Ok(places.iter().take(MAX_ADDRESSES).map(log_line).collect());
    }
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let window = terminal_size().filter(|_| config.qr && !dumb);
    // One row is left for the cursor.
    let window = window.map(|(Width(columns), Height(rows))| {
        (columns.into(), usize::from(rows).saturating_sub(1))
    });
    Ok(banner(&lines(config, &places, bound), &places[0], window))
}

fn log_line(place: &ServerAddress) -> String {
    let ServerAddress { url, server, .. } = place;
    format!("Noughts is up at {url}{}; to play: noughts --server {server}\n", note(place))
}

/// The lines of the banner. Addresses and commands are indented.
fn lines(config: &Config, places: &[ServerAddress], bound: SocketAddr) -> Vec<String> {
    let mut lines = vec![format!("{} is up.", config.name), String::new()];
    let shown = places.iter().take(MAX_ADDRESSES);
    lines.extend(shown.map(|place| format!("  {}{}", place.url, note(place))));
    if places.len() > MAX_ADDRESSES {
        lines.push(format!("  and {} more", places.len() - MAX_ADDRESSES));
    }
    let best = &places[0];
    let place = if best.reach == Reach::Loopback { "in another terminal" } else { "anywhere" };
    let which = if places.len() == 1 { "it" } else { "the first one" };
    let how = format!("To play, open {which} in a browser, or run this {place}:");
    let command = format!("  noughts --server {}", best.server);
    lines.extend([String::new(), how, String::new(), command, String::new()]);
    lines
        .extend(discovery(config, bound).map(|place| format!("{place}, `{}` finds it.", client())));
    if config.ssh {
        let server = door_server(config, best, bound);
        lines.push(format!("For ssh, also run `{} ssh{server}` here.", client()));
    }
    lines.push("Stop the server with Ctrl-C.".to_owned());
    lines
}

/// Where the client finds the server without an address.
fn discovery(config: &Config, bound: SocketAddr) -> Option<&'static str> {
    // A certificate is rarely valid for localhost or for a bare address.
    if !bound.ip().is_unspecified() || config.tls.is_some() {
        return None;
    }
    match config.announce {
        true => Some("On this machine and this network"),
        false => (bound.port() == DEFAULT_PORT).then_some("On this machine"),
    }
}

/// The option by which a door on this machine finds the server, if it needs one.
fn door_server(config: &Config, best: &ServerAddress, bound: SocketAddr) -> String {
    let path = &config.base_path;
    // A certificate is rarely valid for localhost.
    if config.tls.is_some() {
        format!(" --server {}", best.server)
    } else if !bound.ip().is_unspecified() {
        format!(" --server http://{bound}{path}")
    } else if bound.port() != DEFAULT_PORT || !path.is_empty() {
        format!(" --server http://localhost:{}{path}", bound.port())
    } else {
        String::new()
    }
}

/// The banner as text. `window` is the terminal's columns and rows, or `None` for a banner without a
/// QR code. The code is below the text if all fits, else beside it, else left out.
fn banner(lines: &[String], best: &ServerAddress, window: Option<(usize, usize)>) -> String {
    let Some((columns, rows)) = window else { return indented(lines) };
    let fitting = |line: &String| match wrap(line, columns.saturating_sub(2)) {
        Some(wrapped) if width(line) + 2 > columns => wrapped,
        _ => vec![line.clone()],
    };
    let lines: Vec<String> = lines.iter().flat_map(fitting).collect();
    // No phone reaches this machine by its loopback address.
    if best.reach == Reach::Loopback {
        return indented(&lines);
    }
    let url = best.url.as_str();
    let text: usize = lines.iter().map(|line| (width(line) + 2).div_ceil(columns.max(1))).sum();
    // The first row is empty.
    if let Some(code) = qr::lines(url, columns, rows.saturating_sub(text + 1)) {
        let (last, before) = lines.split_last().map_or(("", &*lines), |(last, b)| (last, b));
        return indented(before) + &rows_of(&code) + &format!("  {last}\n");
    }
    beside(&lines, url, columns, rows).unwrap_or_else(|| indented(&lines))
}

fn indented(lines: &[String]) -> String {
    let line =
        |line: &String| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") };
    "\n".to_owned() + &lines.iter().map(line).collect::<String>()
}

fn rows_of(code: &[String]) -> String {
    code.iter().map(|row| format!("{row}\n")).collect()
}

/// The text to the right of the code; `None` if they do not fit or an address would be broken.
fn beside(lines: &[String], url: &str, columns: usize, rows: usize) -> Option<String> {
    let rows = rows.saturating_sub(1);
    let code = qr::lines(url, columns.checked_sub(MIN_TEXT_WIDTH + 3)?, rows)?;
    let code_width = qr::width(&code);
    let text: Option<Vec<Vec<String>>> =
        lines.iter().map(|line| wrap(line, columns - code_width - 3)).collect();
    let text = text?.concat();
    if text.len() > rows {
        return None;
    }
    let blank = " ".repeat(code_width);
    let row = |at: usize| {
        let code = code.get(at).unwrap_or(&blank);
        let text = text.get(at).map_or("", String::as_str);
        format!("{}\n", format!("{code}  {text}").trim_end())
    };
    Some("\n".to_owned() + &(0..code.len().max(text.len())).map(row).collect::<String>())
}

/// Wraps a line between words into lines of at most `limit` columns, all with the same indent;
/// `None` if a word is wider.
fn wrap(line: &str, limit: usize) -> Option<Vec<String>> {
    let indent = " ".repeat(line.len() - line.trim_start().len());
    let mut lines = vec![indent.clone()];
    for word in line.split_whitespace() {
        let last = lines.last_mut()?;
        let space = if last.trim().is_empty() { "" } else { " " };
        if width(last) + space.len() + width(word) <= limit {
            *last += space;
            *last += word;
        } else if indent.len() + width(word) <= limit {
            lines.push(format!("{indent}{word}"));
        } else {
            return None;
        }
    }
    Some(lines)
}

/// The most columns that a text may take: characters of other scripts may be twice as wide.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// The interface of an address, and for whom it works if not for everybody.
fn note(place: &ServerAddress) -> String {
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

#[cfg(test)]
mod tests;
