//! The full screen. This is its loop: wait for an event, update the [`App`], run its effects, draw.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::event::{
    self, Event, EventStream, KeyEvent, KeyEventKind, MouseButton, MouseEventKind,
};
use futures::StreamExt;
use noughts_protocol::PartyPhase;
use ratatui::layout::{Position, Size};
use tokio::time::{Interval, MissedTickBehavior, interval, sleep_until};

use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::identity;
use crate::net::runner::Runner;
use crate::signals::{Signal, Signals};
use crate::tui::app::{App, AppEvent, Effect};
use crate::tui::terminal::Terminal;

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
mod replay;
mod room;
pub(crate) mod screen;
mod settings;
mod setup;
pub(crate) mod shell;
mod terminal;
mod text_field;
mod theme;
mod ui;

/// How often countdowns are drawn again.
const TICK: Duration = Duration::from_millis(500);

/// The most keys that are handled as one: a longer text comes in parts.
const MAX_KEYS: usize = 4096;

/// The sources of events.
struct Sources {
    keys: EventStream,
    /// An event that was read behind keys.
    behind: Option<AppEvent>,
    signals: Signals,
    tick: Interval,
    runner: Runner,
    writer: Writer,
}

/// Runs the full screen until the player has played or left.
///
/// # Errors
/// If the terminal cannot be used.
pub(crate) async fn run(client: Client, writer: Writer) -> io::Result<Exit> {
    let mut terminal = Terminal::open(client.options.escape_codes)?;
    let mut app = App::new(client, rand::random(), terminal.size()?, Instant::now());
    let mut tick = interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sources = Sources {
        keys: EventStream::new(),
        behind: None,
        signals: Signals::with_jobs()?,
        tick,
        runner: Runner::default(),
        writer,
    };
    let mut effects = app.take_effects();
    let exit = loop {
        let suspends = effects.contains(&Effect::Suspend);
        if suspends {
            terminal.suspend()?;
        } else if effects.contains(&Effect::Redraw) {
            terminal.enter()?;
        }
        if suspends || effects.contains(&Effect::Redraw) {
            // Only the program in the foreground is told of another size.
            app.shell.size = terminal.size()?;
        }
        if let Some(exit) = perform(effects, &mut app, &mut sources, &terminal)? {
            break exit;
        }
        terminal.capture_mouse(app.wants_mouse())?;
        terminal.set_title(app.title())?;
        terminal.draw(&mut app)?;
        let event = sources.next_event(&mut app).await?;
        effects = app.update(event, Instant::now());
    };
    drop(terminal);
    let party = app.shell.session.party().filter(|party| party.state.phase != PartyPhase::Over);
    if let (Exit::Done, Some(party)) = (&exit, party) {
        let code = party.state.code;
        let _ = writeln!(io::stdout(), "To return to the party: noughts party join {code}");
    } else if let (Exit::Done, Some(view)) =
        (&exit, app.shell.session.room().filter(|view| view.is_playing()))
    {
        let code = view.state.code;
        // The terminal may be closed already.
        let _ = writeln!(
            io::stdout(),
            "Your seat in room {code} is kept for a while. To return: noughts play {code}"
        );
    }
    if let (Exit::Done, Some(id)) = (&exit, app.shell.last_kept()) {
        let _ = writeln!(io::stdout(), "To look at your last game again: noughts replay {id}");
    }
    sources.runner.close().await;
    Ok(exit)
}

impl Sources {
    /// The next event. This is the only place that waits.
    async fn next_event(&mut self, app: &mut App) -> io::Result<AppEvent> {
        if let Some(event) = self.behind.take() {
            return Ok(event);
        }
        let frame = app.next_frame();
        let due = frame.map_or_else(tokio::time::Instant::now, tokio::time::Instant::from_std);
        loop {
            tokio::select! {
                event = self.keys.next() => match event {
                    Some(event) => match terminal_event(&event?) {
                        Some(AppEvent::Key(key)) => return self.with_keys_behind(key),
                        Some(event) => return Ok(event),
                        None => {}
                    },
                    None => return Ok(AppEvent::Signal(Signal::Terminate)),
                },
                happenings = self.runner.next(&mut app.shell.session) => {
                    return Ok(AppEvent::Happened(happenings));
                }
                problem = self.writer.problem() => return Ok(AppEvent::NotSaved(problem)),
                signal = self.signals.next() => return Ok(AppEvent::Signal(signal)),
                _ = self.tick.tick() => return Ok(AppEvent::Tick),
                () = sleep_until(due), if frame.is_some() => return Ok(AppEvent::Tick),
            }
        }
    }

    /// A key with all that came in the same read: a pasted text, if the terminal does not mark it.
    fn with_keys_behind(&mut self, first: KeyEvent) -> io::Result<AppEvent> {
        let mut keys = vec![first];
        while keys.len() < MAX_KEYS && event::poll(Duration::ZERO)? {
            match terminal_event(&event::read()?) {
                Some(AppEvent::Key(key)) => keys.push(key),
                Some(other) => {
                    self.behind = Some(other);
                    break;
                }
                None => {}
            }
        }
        Ok(if keys.len() == 1 { AppEvent::Key(first) } else { AppEvent::Keys(keys) })
    }
}

/// Converts an event of the terminal, if the app needs it.
fn terminal_event(event: &Event) -> Option<AppEvent> {
    match event {
        // Some terminals also report the release of a key.
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(AppEvent::Key(*key)),
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
            Some(AppEvent::Click(Position::new(mouse.column, mouse.row)))
        }
        Event::Paste(text) => Some(AppEvent::Paste(text.clone())),
        Event::FocusGained => Some(AppEvent::Focus(true)),
        Event::FocusLost => Some(AppEvent::Focus(false)),
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::ScrollDown => {
            Some(AppEvent::Wheel { forward: true })
        }
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::ScrollUp => {
            Some(AppEvent::Wheel { forward: false })
        }
        Event::Resize(width, height) => {
            Some(AppEvent::Resize(Size { width: *width, height: *height }))
        }
        _ => None,
    }
}

/// Runs the effects. Returns the exit if one of them ends the program.
fn perform(
    effects: Vec<Effect>,
    app: &mut App,
    sources: &mut Sources,
    terminal: &Terminal,
) -> io::Result<Option<Exit>> {
    for effect in effects {
        match effect {
            Effect::Quit(exit) => return Ok(Some(exit)),
            // The loop has done it before.
            Effect::Redraw | Effect::Suspend => {}
            Effect::Call(text) => terminal.call(&text)?,
            Effect::Copy(text) => terminal.copy(&text)?,
            // The file is small, and the player waits for it.
            Effect::SaveIdentity(path, identity) => {
                app.identity_saved(&path, identity::save(&path, &identity));
            }
            Effect::Connect => sources.runner.connect(app.shell.client.destination()),
            Effect::Save(change) => sources.writer.write(change),
            Effect::Send(message) => sources.runner.send(message),
        }
    }
    Ok(None)
}
