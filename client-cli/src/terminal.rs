//! The terminal in full-screen mode. It is restored at the end, after an error and after a panic.

use std::io::{self, Stdout, stdout};

use crossterm::cursor::Show;
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Frame;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Size;

use crate::app::App;

/// The terminal in full-screen mode. Dropping it restores the terminal.
#[derive(Debug)]
pub(crate) struct Terminal {
    inner: ratatui::Terminal<CrosstermBackend<Stdout>>,
}

impl Terminal {
    /// Switches the terminal to full-screen mode.
    pub(crate) fn open() -> io::Result<Self> {
        // A panic's message must appear on the restored terminal.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            report(panic);
        }));
        enable_raw_mode()?;
        let inner = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
            .and_then(|()| ratatui::Terminal::new(CrosstermBackend::new(stdout())));
        // Without a `Terminal`, no drop restores the terminal.
        let mut terminal = inner.map(|inner| Self { inner }).inspect_err(|_| restore())?;
        // A program that was killed may have left text on the alternate screen.
        terminal.clear()?;
        Ok(terminal)
    }

    /// Clears the terminal; the next draw is complete.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        // The library's `clear` asks the terminal for its cursor and waits for the answer. Some
        // terminals do not answer.
        execute!(stdout(), SetAttribute(Attribute::Reset), Clear(ClearType::All))?;
        // Empties the buffer that the next draw is compared with.
        self.inner.swap_buffers();
        Ok(())
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
        restore();
    }
}

/// Restores the terminal. Errors here are ignored: nothing could show them.
fn restore() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
