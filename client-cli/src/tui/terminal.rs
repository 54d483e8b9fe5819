//! The terminal in full-screen mode. It is restored at the end, after an error and after a panic.

use std::io::{self, Stdout, Write, stdout};

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture,
};
use crossterm::execute;
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use noughts_protocol::DisplayText;
use ratatui::Frame;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Size;

use crate::signals;
use crate::tui::app::App;
use crate::tui::escape_codes::EscapeCodes;

/// The terminal in full-screen mode. Dropping it restores the terminal.
#[derive(Debug)]
pub(crate) struct Terminal {
    inner: ratatui::Terminal<CrosstermBackend<Stdout>>,
    codes: EscapeCodes,
    /// The window's title, as it was last set.
    title: String,
    /// Whether clicks come to the program.
    captures_mouse: bool,
}

impl Terminal {
    /// Switches the terminal to full-screen mode.
    pub(crate) fn open(codes: EscapeCodes) -> io::Result<Self> {
        // A panic's message must appear on the restored terminal.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore(codes);
            report(panic);
        }));
        let inner = write(codes.keep_title())
            .and_then(|()| ratatui::Terminal::new(CrosstermBackend::new(stdout())));
        // Without a `Terminal`, no drop restores the terminal.
        let inner = inner.inspect_err(|_| restore(codes))?;
        let mut terminal = Self { inner, codes, title: String::new(), captures_mouse: false };
        terminal.enter()?;
        Ok(terminal)
    }

    /// Switches to full-screen mode, also if another program has switched to its own mode meanwhile;
    /// the next draw is complete.
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        // The library believes that its mode of before still holds. In the background the change of
        // the mode stops the program, before anything is written to somebody else's screen.
        disable_raw_mode()?;
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableFocusChange)?;
        // Without it a paste comes as keys. An old console has none.
        let _ = execute!(stdout(), EnableBracketedPaste);
        if self.captures_mouse {
            execute!(stdout(), EnableMouseCapture)?;
        }
        // A program that was killed may have left text on the alternate screen.
        self.clear()
    }

    /// Gives the terminal back to the shell, stops the program, and goes on when the shell lets it.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        restore(self.codes);
        signals::stop()?;
        self.enter()?;
        self.title.clear();
        write(self.codes.keep_title())
    }

    /// Clears the terminal; the next draw is complete.
    fn clear(&mut self) -> io::Result<()> {
        // The library's `clear` asks the terminal for its cursor and waits for the answer. Some
        // terminals do not answer.
        execute!(stdout(), SetAttribute(Attribute::Reset), Clear(ClearType::All))?;
        // Empties the buffer that the next draw is compared with.
        self.inner.swap_buffers();
        Ok(())
    }

    /// Rings and notifies.
    pub(crate) fn call(&self, text: &DisplayText) -> io::Result<()> {
        write(&self.codes.call(text))
    }

    /// Puts a text on the clipboard.
    pub(crate) fn copy(&self, text: &str) -> io::Result<()> {
        write(&self.codes.copy(text))
    }

    /// Sets the window's title, if it is another one than before.
    pub(crate) fn set_title(&mut self, title: String) -> io::Result<()> {
        if self.title == title {
            return Ok(());
        }
        write(&self.codes.title(&title))?;
        self.title = title;
        Ok(())
    }

    /// Takes the clicks, or leaves the mouse to the terminal.
    pub(crate) fn capture_mouse(&mut self, capture: bool) -> io::Result<()> {
        if std::mem::replace(&mut self.captures_mouse, capture) == capture {
            return Ok(());
        }
        if capture {
            execute!(stdout(), EnableMouseCapture)
        } else {
            execute!(stdout(), DisableMouseCapture)
        }
    }

    pub(crate) fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    pub(crate) fn draw(&mut self, app: &mut App) -> io::Result<()> {
        let draw = |frame: &mut Frame<'_>| {
            frame.render_widget(&mut *app, frame.area());
            app.caret().into_iter().for_each(|caret| frame.set_cursor_position(caret));
        };
        self.inner.draw(draw).map(|_| ())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore(self.codes);
    }
}

/// Writes codes that are no part of the screen.
fn write(codes: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(codes.as_bytes())?;
    out.flush()
}

/// Restores the terminal. Errors here are ignored: nothing could show them.
fn restore(codes: EscapeCodes) {
    let _ = execute!(stdout(), DisableBracketedPaste);
    let _ = execute!(stdout(), DisableMouseCapture, DisableFocusChange, LeaveAlternateScreen, Show);
    let _ = write(codes.last_title());
    let _ = disable_raw_mode();
}
