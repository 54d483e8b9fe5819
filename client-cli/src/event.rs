//! The full screen's loop: the next event, its handling, its effects, a new picture.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::event::{Event, EventStream, KeyEventKind, MouseButton, MouseEventKind};
use futures::StreamExt;
use ratatui::layout::{Position, Size};
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::app::{App, AppEvent, Effect};
use crate::connection::{Connection, Incoming};
use crate::ids::IntentIds;
use crate::signals::Signals;
use crate::start::{Exit, Start};
use crate::terminal::Terminal;

/// How often countdowns are drawn anew.
const TICK: Duration = Duration::from_millis(500);

/// Everything that the loop waits for.
struct Sources {
    keys: EventStream,
    signals: Signals,
    tick: Interval,
    connection: Option<Connection>,
}

/// Runs the full screen until the player has played or left.
///
/// # Errors
/// Where the terminal cannot be used.
pub async fn run(mut start: Start) -> io::Result<Exit> {
    let mut terminal = Terminal::open()?;
    let ids = IntentIds::random();
    let mut app = App::new(&start, ids.clone(), terminal.size()?, Instant::now());
    let mut tick = interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sources =
        Sources { keys: EventStream::new(), signals: Signals::listen()?, tick, connection: None };
    let mut effects = app.take_effects();
    let exit = loop {
        if effects.contains(&Effect::Redraw) {
            terminal.clear()?;
        }
        if let Some(exit) = perform(effects, &mut app, &mut sources, &mut start, &ids) {
            break exit;
        }
        terminal.draw(&app)?;
        let event = sources.next_event().await?;
        if let AppEvent::Incoming(incoming) = &event
            && let Err(problem) = start.remember(incoming)
        {
            app.error(problem);
        }
        effects = app.update(event, Instant::now());
    };
    drop(terminal);
    if let (Exit::Done, Some(view)) = (&exit, app.session.room().filter(|view| view.is_playing())) {
        let code = view.state.code;
        // The window may be closed already.
        let _ = writeln!(
            io::stdout(),
            "Your seat in room {code} is kept for a while: noughts play {code} takes you back."
        );
    }
    if let Some(connection) = sources.connection {
        connection.close().await;
    }
    Ok(exit)
}

impl Sources {
    /// The next event. The only place that waits.
    async fn next_event(&mut self) -> io::Result<AppEvent> {
        loop {
            let connection = &mut self.connection;
            let incoming = async {
                match connection {
                    Some(connection) => connection.receive().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                event = self.keys.next() => match event {
                    Some(event) => if let Some(event) = terminal_event(&event?) {
                        return Ok(event);
                    },
                    None => return Ok(AppEvent::Signal(crate::signals::Signal::Terminate)),
                },
                incoming = incoming => {
                    // After its last word a connection has nothing more to say.
                    if matches!(incoming, Incoming::Ended(_) | Incoming::PasswordWanted(_)) {
                        self.connection = None;
                    }
                    return Ok(AppEvent::Incoming(Box::new(incoming)));
                }
                signal = self.signals.next() => return Ok(AppEvent::Signal(signal)),
                _ = self.tick.tick() => return Ok(AppEvent::Tick),
            }
        }
    }
}

/// What a terminal's event means for the app, if anything.
fn terminal_event(event: &Event) -> Option<AppEvent> {
    match event {
        // Some terminals also report that a key was released.
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(AppEvent::Key(*key)),
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
            Some(AppEvent::Click(Position::new(mouse.column, mouse.row)))
        }
        Event::Resize(width, height) => {
            Some(AppEvent::Resize(Size { width: *width, height: *height }))
        }
        _ => None,
    }
}

/// Does what the app wants done; the exit, when that is it.
fn perform(
    effects: Vec<Effect>,
    app: &mut App,
    sources: &mut Sources,
    start: &mut Start,
    ids: &IntentIds,
) -> Option<Exit> {
    for effect in effects {
        match effect {
            Effect::Quit(exit) => return Some(exit),
            // The loop, which has the terminal, has done it.
            Effect::Redraw => {}
            Effect::Connect => {
                start.server = app.server.clone();
                start.name = app.name.clone();
                start.password = app.password.clone();
                sources.connection = Some(Connection::open(start.destination(), ids.clone()));
            }
            Effect::Send(intent) => {
                let Some(connection) = &sources.connection else { continue };
                if let Err(busy) = connection.send(intent.clone()) {
                    app.not_sent(&intent, &busy.to_string());
                }
            }
        }
    }
    None
}
