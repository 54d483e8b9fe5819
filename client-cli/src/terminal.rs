//! The terminal while the full screen is on it, and its way back to what it was before: at the
//! end, after an error and after a panic.

use std::io::{self, Stdout, stdout};

use crossterm::cursor::Show;
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Size;

use crate::app::App;

/// The terminal with the full screen on it; dropping it restores what was there.
#[derive(Debug)]
pub(crate) struct Terminal {
    inner: ratatui::Terminal<CrosstermBackend<Stdout>>,
}

impl Terminal {
    /// Takes the terminal over.
    pub(crate) fn open() -> io::Result<Self> {
        // A panic's message shall be read on the restored terminal.
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            report(panic);
        }));
        enable_raw_mode()?;
        let inner = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
            .and_then(|()| ratatui::Terminal::new(CrosstermBackend::new(stdout())));
        // Without a terminal to draw on there is nothing whose drop would restore it.
        let mut terminal = inner.map(|inner| Self { inner }).inspect_err(|_| restore())?;
        // A program that was killed leaves its picture on the alternate screen.
        terminal.clear()?;
        Ok(terminal)
    }

    /// Empties the screen, whatever stands there: the next picture is drawn in full.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        // Not the library's `clear`: that asks the terminal for its cursor, and waits for the
        // answer, which some terminals do not give.
        execute!(stdout(), SetAttribute(Attribute::Reset), Clear(ClearType::All))?;
        // Empties the picture of before, with which the next one is compared.
        self.inner.swap_buffers();
        Ok(())
    }

    pub(crate) fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    pub(crate) fn draw(&mut self, app: &App) -> io::Result<()> {
        self.inner.draw(|frame| frame.render_widget(app, frame.area())).map(|_| ())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back. What fails here has no better place to be told.
fn restore() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
