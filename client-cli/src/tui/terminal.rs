//! The bytes that a terminal in full-screen mode gets: codes, and what has changed on the screen. It is
//! synchronous and writes nowhere; [`super::tty`] has the terminal.

use std::io;

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture,
};
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{Command, queue};
use noughts_protocol::DisplayText;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::widgets::Widget;

use crate::tui::app::App;
use crate::tui::escape_codes::EscapeCodes;

/// A terminal in full-screen mode.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// The bytes that wait.
    bytes: Vec<u8>,
    /// The cells on the screen now.
    shown: Buffer,
    /// The cells of the next frame; `draw` swaps both.
    next: Buffer,
    codes: EscapeCodes,
    /// The window's title, as it was last set.
    title: String,
    /// Whether clicks come to the program.
    captures_mouse: bool,
    /// Where the cursor was last shown; `None` if it was hidden.
    caret: Option<Position>,
    /// Whether the terminal was cleared since the last draw.
    is_cleared: bool,
}

impl Terminal {
    /// A terminal with these codes.
    pub(crate) fn new(codes: EscapeCodes) -> Self {
        Self {
            bytes: Vec::new(),
            shown: Buffer::default(),
            next: Buffer::default(),
            codes,
            title: String::new(),
            captures_mouse: false,
            caret: None,
            is_cleared: true,
        }
    }

    /// Takes the bytes that wait.
    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Switches from a shell to full-screen mode; the next draw is complete.
    pub(crate) fn enter(&mut self) {
        self.text(self.codes.keep_title());
        self.redraw();
    }

    /// Switches to full-screen mode again, in case that another program has changed it.
    pub(crate) fn redraw(&mut self) {
        self.title.clear();
        self.queue(EnterAlternateScreen);
        self.queue(EnableFocusChange);
        // Without it a paste comes as keys. An old console has none.
        self.queue(EnableBracketedPaste);
        if self.captures_mouse {
            self.queue(EnableMouseCapture);
        }
        // A program that was killed may have left text on the alternate screen.
        self.clear();
    }

    /// Rings and notifies.
    pub(crate) fn call(&mut self, text: &DisplayText) {
        self.text(&self.codes.call(text));
    }

    /// Puts a text on the clipboard.
    pub(crate) fn copy(&mut self, text: &str) {
        self.text(&self.codes.copy(text));
    }

    /// Sets the window's title, if it is another one than before.
    pub(crate) fn set_title(&mut self, title: String) {
        if self.title != title {
            self.text(&self.codes.title(&title));
            self.title = title;
        }
    }

    /// Takes the clicks, or leaves the mouse to the terminal.
    pub(crate) fn capture_mouse(&mut self, capture: bool) {
        match std::mem::replace(&mut self.captures_mouse, capture) {
            before if before == capture => {}
            true => self.queue(DisableMouseCapture),
            false => self.queue(EnableMouseCapture),
        }
    }

    /// Draws what has changed.
    ///
    /// # Errors
    /// Never: the bytes go to memory.
    pub(crate) fn draw(&mut self, app: &mut App, size: Size) -> io::Result<()> {
        let area = Rect::from((Position::ORIGIN, size));
        if area != self.shown.area {
            self.shown = Buffer::empty(area);
            self.clear();
        }
        self.next.resize(area);
        self.next.reset();
        app.render(area, &mut self.next);
        let changed = self.shown.diff(&self.next);
        let caret = app.caret();
        // Most ticks change nothing, and over ssh each byte is a packet.
        if changed.is_empty() && self.caret == caret && !self.is_cleared {
            return Ok(());
        }
        self.caret = caret;
        self.is_cleared = false;
        let mut backend = CrosstermBackend::new(&mut self.bytes);
        backend.draw(changed.into_iter())?;
        match caret {
            Some(caret) => {
                backend.show_cursor()?;
                backend.set_cursor_position(caret)?;
            }
            None => backend.hide_cursor()?,
        }
        std::mem::swap(&mut self.shown, &mut self.next);
        Ok(())
    }

    /// Clears the terminal; the next draw is complete.
    fn clear(&mut self) {
        self.queue(SetAttribute(Attribute::Reset));
        self.queue(Clear(ClearType::All));
        self.shown.reset();
        self.is_cleared = true;
    }

    fn text(&mut self, codes: &str) {
        self.bytes.extend_from_slice(codes.as_bytes());
    }

    fn queue(&mut self, command: impl Command) {
        append(&mut self.bytes, command);
    }
}

/// The codes that leave the full screen.
pub(crate) fn leave(codes: EscapeCodes) -> Vec<u8> {
    let mut bytes = Vec::new();
    append(&mut bytes, DisableBracketedPaste);
    append(&mut bytes, DisableMouseCapture);
    append(&mut bytes, DisableFocusChange);
    append(&mut bytes, LeaveAlternateScreen);
    append(&mut bytes, Show);
    bytes.extend_from_slice(codes.last_title().as_bytes());
    bytes
}

fn append(bytes: &mut Vec<u8>, command: impl Command) {
    // Memory takes every byte.
    let _ = queue!(bytes, command);
}
