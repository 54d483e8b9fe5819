//! The end-to-end tests: one binary, a module for each theme.

#![expect(clippy::unwrap_used, reason = "in a test a failure is a failed test")]

/// The ways to a game: the public list, quick matches, the marks of a new room.
mod lobby;

/// `/api/v1`: what programs read over HTTP, and server-sent events.
mod api;

/// Computers that think long.
mod computer;

/// Hints and their reasons, reviews, evaluations.
mod analysis;

/// Parties: from joining to the podium, and what a server that is killed leaves of them.
mod party;

/// Two computers play for spectators, and open for each other.
mod exhibition;

/// The host's door: bans, rooms and connections that a host ends.
#[cfg(unix)]
mod admin;

/// Variants: each is played without its rules, kept, queued for and rated.
mod variants;

/// Ratings, and that the rated games give the stored ones.
mod ratings;

/// Talk in a room: mutes and limits.
mod talk;

/// A lost presence, two devices, a server that stands still, a room in which nothing happens.
mod presence;

/// Rooms outlive the server: kill, restart, sleep; export and verify.
mod durable;

/// A server that is killed again and again, with players on bad connections.
mod torture;

/// The same in virtual time: thousands of partitions, half-dead connections and crashes.
mod simulation;

/// The faults that the harness injects into a network.
mod chaos;

/// Disks that are full, read-only, damaged or failing.
mod disk;

/// Saves that fail at a known moment: what was acknowledged is true after a kill.
mod outcome;

/// The files of the data folder: gone, locked, taken by a second server, limited.
#[cfg(target_os = "linux")]
mod files;

/// Both programs with a closed standard output.
mod closed_pipe;

/// Kept games, and files of games.
mod history;

/// Permissions: every message from everybody, as one table.
mod authority;

/// Profiles, the leaders, an identity on two devices, a forgotten player: by the terminal.
mod identity;

/// Guessing codes, tokens and passes is slow (virtual time).
mod guessing;

/// The password of a whole server.
mod password;

/// Features that a host has switched off.
mod switches;

/// Floods of messages (virtual time).
mod floods;

/// Limits for hostile clients: frames, rates, bounds, origins.
mod limits;

/// The contract for clients of strangers.
mod wire;

/// Quotas of rooms.
mod quotas;

/// Many rooms at once, and nothing is left behind.
mod crowd;

/// The house rules that a program can check.
mod tidy;

/// The terminal client with pipes: a process against a server process.
mod plain;

/// The terminal client's full screen, in a real pseudo-terminal, against a server process.
mod screen;

/// The terminal client at a server that lies: escape codes, contradictions, endless streams.
mod hostile_server;

/// The door for ssh, with OpenSSH's own client.
#[cfg(unix)]
mod ssh;

/// The kept inputs of the fuzz targets.
mod corpus;

/// The server's binary: options, messages, exit codes, banner.
mod host;

/// Hosts who come over HTTP.
#[cfg(unix)]
mod hosts;

/// The server as a service: configuration file, check, service manager, packaging.
mod service;

/// Tools for language models.
mod mcp;

/// Metrics: their address, their text, and the dashboard.
mod metrics;

/// Encrypted connections: certificates, their renewal, and the client's trust.
mod tls;

/// Behind Caddy, nginx and Apache, by the recipes of `server/docs/hosting.md`: paths, addresses, origins.
mod proxied;

/// Discovery on the network: several servers, interfaces that come and go.
mod lan;

/// The page in a real browser.
mod page;

/// Positions analysed and computers matched on the command line, against a naive reference.
mod analyze;

/// Programs of others: our computers for a manager of the Gomocup protocol, and engines of that
/// protocol in a room.
mod engine;

/// The Python bot that the protocol's page shows.
mod python_bot;

/// The client packages for other languages.
mod packages;

/// Several servers that are one, on NATS servers that are killed, stopped and frozen.
mod cluster;

/// The load generator and its relay.
mod load;

/// The pages of the server: its README and what it leads to.
fn server_pages() -> String {
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/../server");
    let pages = ["README", "docs/hosting", "docs/cluster", "docs/parties", "docs/engine"];
    let read = |page| std::fs::read_to_string(format!("{server}/{page}.md")).unwrap();
    pages.map(read).concat()
}
