//! The page, in real headless Chromium against a real server: one module for each theme, and one
//! for the main paths in other browsers. Every test in Chromium fails on errors of the console and
//! on violations of the Content-Security-Policy.

/// Steps that several modules share: enter a room, play a cell.
pub(crate) mod steps;

/// Every file as the server sends it: types, caching, compression, policy (no browser).
mod assets;

/// Link previews and the installed page: tags, picture, manifest, icons.
mod links;

/// Links to kept games and people: tags, picture, terminal command.
mod shared_games;

/// The pictures in the repository match their SVG sources.
mod pictures;

/// The unit tests of the page's modules, in one tab.
mod modules;

/// The main paths in Firefox and in `WebKit`.
pub(crate) mod browsers;

/// Two people play a series, or at one screen; everything that ends a game; names are text.
mod series;

/// Two computers that play each other.
mod computer;

/// A server that is killed while two browsers play.
mod terminal;

/// Addresses: links to rooms, back and forward, reload, start over.
mod addresses;

/// Networks that break and come back while a game runs.
mod networks;

/// The page without its server.
mod offline;

/// Two players in one browser, one seat on a second device.
mod devices;

/// Keyboard, touch, and touch on a large board.
mod input;

/// Hints, reviews, openings.
mod analysis;

/// Public games, the quick match, spectators.
mod lobby;

/// Languages, and the page without JavaScript.
mod languages;

/// Talk in a room: panel, sheet, emotes, mute.
mod chat;

/// The room leads to its last game and to its players' profiles.
mod room_links;

/// Layout: a laptop shows every screen without scrolling.
mod layout;

/// Layout shift in whole games, as the browser itself measures it.
mod shift;

/// How many taps a newcomer needs until a game runs.
mod taps;

/// Each variant, chosen in the form and played to its end.
mod variants;

/// Every screen: no violation that axe-core finds, nothing wider than the window, a picture.
mod screens;

/// The page of hosts.
#[cfg(unix)]
mod host;

/// Kept games, profiles, leaders, an identity that moves, a player who is forgotten.
mod people;

/// Vibration, sound, and the share sheet of the device.
mod alerts;

/// Bytes and requests of a first visit.
mod first_visit;

/// Parties: the form, the gathering, ready checks, the podium, the host.
mod party;
/// The big screen of a party.
mod party_screen;
