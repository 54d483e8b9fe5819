//! The full screen. This is its loop: wait for an event, update the [`App`], run its effects, draw.

use std::io;
use std::time::{Duration, Instant};

use noughts_client::runner::Runner;
use noughts_protocol::RoomCode;
use tokio::time::{Interval, MissedTickBehavior, interval, sleep_until};

use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::identity;
use crate::tui::app::{App, AppEvent};
use crate::tui::shell::Effect;
use crate::tui::terminal::Terminal;
use crate::tui::tty::Tty;

mod announcements;
pub(crate) mod app;
mod board;
pub(crate) mod colors;
mod connect;
pub(crate) mod escape_codes;
mod field_form;
mod games;
mod keys;
pub(crate) mod layout;
mod lobby;
mod menu;
pub(crate) mod motion;
mod notifications;
mod overlay;
mod page;
mod party;
mod people;
mod puzzle;
mod replay;
mod room;
pub(crate) mod screen;
mod settings;
mod setup;
pub(crate) mod shell;
mod terminal;
mod text_field;
mod theme;
pub(crate) mod tty;
mod ui;

/// How often countdowns are drawn again.
const TICK: Duration = Duration::from_millis(500);

/// The sources of events.
struct Sources<T> {
    tty: T,
    tick: Interval,
    runner: Runner,
    writer: Writer,
}

/// Runs the full screen until the player has played or left.
///
/// # Errors
/// If the terminal cannot be used.
pub(crate) async fn run(client: Client, writer: Writer, tty: impl Tty) -> io::Result<Exit> {
    let codes = client.options.escape_codes;
    let mut terminal = Terminal::new(codes);
    let mut app = App::new(client, rand::random(), tty.size()?, Instant::now());
    let mut tick = interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sources = Sources { tty, tick, runner: Runner::default(), writer };
    sources.tty.enter()?;
    terminal.enter();
    let mut effects = app.take_effects();
    let exit = loop {
        let suspends = effects.contains(&Effect::Suspend);
        if suspends {
            sources.tty.suspend(&terminal::leave(codes))?;
        }
        if suspends || effects.contains(&Effect::Redraw) {
            sources.tty.enter()?;
            if suspends {
                terminal.enter();
            } else {
                terminal.redraw();
            }
            // Only the program in the foreground is told of another size.
            app.shell.size = sources.tty.size()?;
        }
        if let Some(exit) = perform(effects, &mut app, &mut sources, &mut terminal) {
            break exit;
        }
        terminal.capture_mouse(app.wants_mouse());
        terminal.set_title(app.title());
        let size = app.shell.size;
        terminal.draw(&mut app, size)?;
        let bytes = terminal.take_bytes();
        if !bytes.is_empty() {
            sources.tty.write(bytes).await?;
        }
        let event = sources.next_event(&mut app).await?;
        effects = app.update(event, Instant::now());
    };
    let refused = matches!(exit, Exit::Refused(_));
    let lines = if refused { Vec::new() } else { farewell(&app) };
    sources.tty.leave(terminal::leave(codes), lines).await?;
    sources.runner.close().await;
    Ok(exit)
}

/// The ways back to what the player leaves.
fn farewell(app: &App) -> Vec<String> {
    let way_in = &app.shell.client.options.way_in;
    let kept = app.shell.client.way_back(&app.shell.session);
    let last = app.shell.last_kept().map(|id| {
        let command = way_in.command(&format!("replay {id}"));
        format!("To look at your last game again: {command}")
    });
    kept.into_iter().chain(others(app)).chain(last).collect()
}

/// How to return to the other rooms of this run in which the player has a seat.
fn others(app: &App) -> Option<String> {
    let client = &app.shell.client;
    let saved = &client.profile.saved;
    let here = app.shell.session.room().map(|view| view.state.code);
    let is_other = |room: &&RoomCode| Some(**room) != here && app.shell.seen.contains_key(*room);
    let rooms = saved.room.iter().chain(&saved.earlier).filter(is_other);
    let rooms: Vec<String> = rooms.map(ToString::to_string).collect();
    let command = client.options.way_in.command("");
    let line = format!("The menu leads back to {}: {}", rooms.join(", "), command.trim_end());
    (client.profile.is_kept && !rooms.is_empty()).then_some(line)
}

impl<T: Tty> Sources<T> {
    /// The next event. This is the only place that waits.
    async fn next_event(&mut self, app: &mut App) -> io::Result<AppEvent> {
        let frame = app.next_frame();
        let due = frame.map_or_else(tokio::time::Instant::now, tokio::time::Instant::from_std);
        tokio::select! {
            event = self.tty.next() => event,
            happenings = self.runner.next(&mut app.shell.session) => Ok(AppEvent::Happened(happenings)),
            problem = self.writer.problem() => Ok(AppEvent::NotSaved(problem)),
            _ = self.tick.tick() => Ok(AppEvent::Tick),
            () = sleep_until(due), if frame.is_some() => Ok(AppEvent::Tick),
        }
    }
}

/// Runs the effects. Returns the exit if one of them ends the program.
fn perform<T>(
    effects: Vec<Effect>,
    app: &mut App,
    sources: &mut Sources<T>,
    terminal: &mut Terminal,
) -> Option<Exit> {
    for effect in effects {
        match effect {
            Effect::Quit(exit) => return Some(exit),
            // The loop has done it before.
            Effect::Redraw | Effect::Suspend => {}
            Effect::Call(text) => terminal.call(&text),
            Effect::Copy(text) => terminal.copy(&text),
            // The file is small, and the player waits for it.
            Effect::SaveIdentity(path, identity) => {
                app.identity_saved(&path, identity::save(&path, &identity));
            }
            Effect::Connect => sources.runner.connect(app.shell.client.destination()),
            Effect::Save(change) => sources.writer.write(change),
            Effect::Send(message) => sources.runner.send(message),
        }
    }
    None
}
