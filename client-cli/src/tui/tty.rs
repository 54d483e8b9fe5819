//! The terminal that a full screen is on: that of this process, or that of a session over ssh
//! ([`crate::ssh`] has it). The drawing is [`super::terminal`]'s.

use std::io::{self, Write, stdout};
use std::time::Duration;

use crossterm::event::{
    self, Event, EventStream, KeyEvent, KeyEventKind, MouseButton, MouseEventKind,
};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use futures::StreamExt;
use ratatui::layout::{Position, Size};

use crate::signals::{self, Signal, Signals};
use crate::tui::app::AppEvent;
use crate::tui::escape_codes::EscapeCodes;
use crate::tui::terminal;

/// The most keys that are handled as one: a longer text comes in parts.
pub(crate) const MAX_KEYS: usize = 4096;

/// A terminal that takes bytes and has keys.
pub(crate) trait Tty: Send {
    /// Its size in cells.
    ///
    /// # Errors
    /// If the terminal is gone.
    fn size(&self) -> io::Result<Size>;

    /// Has it hand over each key at once, also if another program has changed that meanwhile.
    ///
    /// # Errors
    /// If the terminal is gone.
    fn enter(&mut self) -> io::Result<()>;

    /// Stops the program until a shell lets it go on. `codes` leave the full screen before.
    ///
    /// # Errors
    /// If the terminal is gone.
    fn suspend(&mut self, codes: &[u8]) -> io::Result<()>;

    /// Writes all bytes.
    ///
    /// # Errors
    /// If the terminal is gone or too slow.
    fn write(&mut self, bytes: Vec<u8>) -> impl Future<Output = io::Result<()>> + Send;

    /// Leaves the full screen by `codes`, and prints lines after it.
    ///
    /// # Errors
    /// If the terminal is gone.
    fn leave(
        &mut self,
        codes: Vec<u8>,
        lines: Vec<String>,
    ) -> impl Future<Output = io::Result<()>> + Send;

    /// The next key, size or signal. It may be cancelled without loss.
    ///
    /// # Errors
    /// If the terminal is gone.
    fn next(&mut self) -> impl Future<Output = io::Result<AppEvent>> + Send;
}

/// The terminal of this process. Dropping it restores it, also after an error.
#[derive(Debug)]
pub(crate) struct LocalTty {
    codes: EscapeCodes,
    keys: EventStream,
    /// An event that was read behind keys.
    behind: Option<AppEvent>,
    signals: Signals,
    left: bool,
}

impl LocalTty {
    /// Takes the terminal. It is restored after a panic too.
    ///
    /// # Errors
    /// If the process cannot receive signals.
    pub(crate) fn open(codes: EscapeCodes) -> io::Result<Self> {
        // A panic's message must appear on the restored terminal.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore(&terminal::leave(codes));
            report(panic);
        }));
        let signals = Signals::with_jobs()?;
        Ok(Self { codes, keys: EventStream::new(), behind: None, signals, left: false })
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

impl Tty for LocalTty {
    fn size(&self) -> io::Result<Size> {
        let (width, height) = crossterm::terminal::size()?;
        Ok(Size { width, height })
    }

    fn enter(&mut self) -> io::Result<()> {
        // The library believes that its mode of before still holds. In the background the change of
        // the mode stops the program, before anything is written to somebody else's screen.
        disable_raw_mode()?;
        enable_raw_mode()
    }

    fn suspend(&mut self, codes: &[u8]) -> io::Result<()> {
        restore(codes);
        signals::stop()
    }

    async fn write(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        write(&bytes)
    }

    async fn leave(&mut self, codes: Vec<u8>, lines: Vec<String>) -> io::Result<()> {
        restore(&codes);
        self.left = true;
        // The terminal may be closed already.
        let _ = lines.iter().try_for_each(|line| write(format!("{line}\n").as_bytes()));
        Ok(())
    }

    async fn next(&mut self) -> io::Result<AppEvent> {
        if let Some(event) = self.behind.take() {
            return Ok(event);
        }
        loop {
            let event = tokio::select! {
                event = self.keys.next() => event,
                signal = self.signals.next() => return Ok(AppEvent::Signal(signal)),
            };
            let Some(event) = event else { return Ok(AppEvent::Signal(Signal::Terminate)) };
            match terminal_event(&event?) {
                Some(AppEvent::Key(key)) => return self.with_keys_behind(key),
                Some(event) => return Ok(event),
                None => {}
            }
        }
    }
}

impl Drop for LocalTty {
    fn drop(&mut self) {
        if !self.left {
            restore(&terminal::leave(self.codes));
        }
    }
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Restores the terminal. Errors here are ignored: nothing could show them.
fn restore(codes: &[u8]) {
    let _ = write(codes);
    let _ = disable_raw_mode();
}

/// Converts an event of the terminal, if the app needs it.
pub(crate) fn terminal_event(event: &Event) -> Option<AppEvent> {
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
