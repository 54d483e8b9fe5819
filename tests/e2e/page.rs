//! The page, in real headless Chromium against a real server: one module for each theme, and one
//! for the main ways in other browsers. Every test in Chromium fails on errors of the console and
//! on violations of the Content-Security-Policy.

/// What the other modules do with the page again and again.
mod hands;

/// Every file, as it is sent: kinds, caching, compression, policy (no browser).
mod assets;

/// What a shared link and a home screen show: tags, picture, manifest, icons.
mod links;

/// The pictures in the repository are what their drawings show.
mod pictures;

/// What is pure in the page's modules, in one tab.
mod modules;

/// The main ways in Firefox and in `WebKit`.
mod engines;

/// Two people play a series; everything that ends a game; names are text.
mod series;

/// The computer: in a game within two taps, every choice, warnings, results.
mod computer;

/// Browser and terminal in one room, two computers watched by both, a server that is killed.
mod terminal;

/// Addresses: links to rooms, back and forward, reload, start over.
mod addresses;

/// Networks that go and come back, and servers that are started anew.
mod networks;

/// One player in two tabs, two players in one browser, a seat handed to another device.
mod devices;

/// Without a mouse, by touch, with one's thumb on a large board.
mod fingers;

/// Hints, reviews, openings.
mod lessons;

/// Public games, the quick match, spectators.
mod public;

/// The words: another language, and no script.
mod words;

/// What fits into a window: a laptop shows every screen whole.
mod windows;

/// Two who share one screen.
mod shared;

/// Every screen: no violation that axe-core finds, nothing wider than the window, a picture.
mod screens;

/// What a device does besides showing: vibration, sound, its own way of sharing.
mod alerts;

/// What a first visit costs over the wire.
mod visits;

/// How soon a slow phone can play (a measurement).
mod speed;
