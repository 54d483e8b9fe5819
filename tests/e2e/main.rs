//! The end-to-end tests: one binary, a module for each theme.

#![expect(clippy::unwrap_used, reason = "in a test a failure is a failed test")]

/// Two people play a game to its end; wrong moves are refused and change nothing.
mod duel;

/// Several games: who begins, the score, rematch, resign.
mod series;

/// Fair openings: swap2 on large boards, for people and computers.
mod openings;

/// Rooms are found by their code, and only by one that exists.
mod codes;

/// The public list, pushed and by HTTP.
mod lobby;

/// Strangers are paired, or play the computer after a while.
mod quick_match;

/// Computer seats: every strength, both marks, never a stall.
mod computer;

/// Hints and their reasons, reviews, evaluations.
mod analysis;

/// Two computers play for those who watch.
mod exhibition;

/// Watching: everything is seen, nothing can be done.
mod spectators;

/// Who is away, and what the opponent may claim (virtual time).
mod presence;

/// Lost connections: resume, repeated intents, resync.
mod resume;

/// Rooms outlive the server: kill, restart, sleep; export and verify.
mod durable;

/// A server that is killed over and over, with players on bad connections.
mod torture;

/// The same in virtual time: partitions, half-dead connections, crashes, by the thousand.
mod simulation;

/// A server is stopped under load and started again: everybody is told, returns and plays on.
mod rolling;

/// Two terminals on a network that loses and doubles messages.
mod chaos;

/// Disks that are full, read-only, damaged or failing.
mod disk;

/// Commits that fail at a known moment: what was told is true after a kill.
mod outcome;

/// Damage in the journal's log.
mod damage;

/// The journal's files: gone, locked, taken by a second server, limited.
#[cfg(target_os = "linux")]
mod files;

/// One player on two devices, and one person on both sides.
mod devices;

/// What people are called.
mod names;

/// A second device gets in with a pass (virtual time).
mod passes;

/// Move time limits (virtual time).
mod clocks;

/// Both programs where nobody reads what they print.
mod closed_pipe;

/// Who may do what: every message from everybody, as one table.
mod authority;

/// Guessing codes and tokens is slow (virtual time).
mod guessing;

/// The password of a whole server.
mod password;

/// What a host has switched off.
mod switches;

/// What is sent without end is slow, closed, and holds nobody up (virtual time).
mod floods;

/// Frames, rates, bounds, origins: what a hostile client meets.
mod limits;

/// What the protocol's page promises to a client of a stranger.
mod wire;

/// Who may have how many rooms.
mod quotas;

/// A server that stops says so, and a room that nobody needs goes.
mod shutdown;

/// Many rooms at once, and nothing left behind.
mod crowd;

/// Any sequence of intents keeps every client's model equal to the server's (proptest).
mod model;

/// The house rules that a program can check.
mod tidy;

/// The terminal client with pipes: a process against a server process.
mod plain;

/// The terminal client's full screen, in a real pseudo-terminal, against a server process.
mod screen;

/// The terminal client at a server that lies: escape codes, contradictions, streams without end.
mod hostile_server;

/// The kept corpus of the fuzz targets.
mod corpus;

/// The server's binary: options, messages, exit codes.
mod host;

/// The server as a service: configuration file, check, service manager, packaging.
mod service;

/// What a host watches: the metrics' address, its text, and the dashboard.
mod metrics;

/// The start-up banner: its QR code, read by another program.
mod banner;

/// Encrypted connections: certificates, their renewal, and whom the client trusts.
mod tls;

/// Behind Caddy and nginx, by the README's recipes: paths, addresses, origins.
mod proxied;

/// Found without an address: namespaces, several servers, interfaces that come and go.
mod lan;

/// The page in a real browser.
mod page;

/// Positions analysed and computers matched on the command line, against a naive reference.
mod analyze;

/// The load generator and its relay: what they bring, and that it is checked.
mod load;
