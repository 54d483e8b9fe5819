//! Announcements of the server's host: above the message line, until a key is pressed after some seconds.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Paragraph, Widget};

use super::theme::Theme;
use crate::strings::wrap;

/// So many are shown at once. The oldest one goes.
const MOST: usize = 3;

/// An announcement stands for so long whatever the player does: it may come in the middle of a move.
const READING: Duration = Duration::from_secs(8);

/// The announcements that no key has answered yet, and when they came.
#[derive(Debug, Default)]
pub(crate) struct Announcements(Vec<(String, Instant)>);

impl Announcements {
    /// The host says this.
    pub(super) fn add(&mut self, text: String, now: Instant) {
        self.0.push((text, now));
        let many = self.0.len().saturating_sub(MOST);
        self.0.drain(..many);
    }

    /// The player does something.
    pub(super) fn read(&mut self, now: Instant) {
        self.0.retain(|(_, came)| now.saturating_duration_since(*came) < READING);
    }

    /// The rows of as many announcements as fit into an area, the newest one last.
    pub(super) fn rows(&self, width: u16, height: u16) -> Vec<String> {
        let height = usize::from(height);
        let mut rows = Vec::new();
        for (text, _) in self.0.iter().rev() {
            let mut whole = wrap(&format!(" {text}"), width);
            if !rows.is_empty() && rows.len() + whole.len() > height {
                break;
            }
            whole.truncate(height);
            whole.append(&mut rows);
            rows = whole;
        }
        rows
    }

    /// Draws rows that end at the bottom of an area.
    pub(super) fn draw(rows: &[String], area: Rect, buffer: &mut Buffer) {
        let height = u16::try_from(rows.len()).unwrap_or(u16::MAX).min(area.height);
        let area = Rect { y: area.bottom() - height, height, ..area };
        Clear.render(area, buffer);
        Paragraph::new(rows.join("\n")).style(Theme::strong()).render(area, buffer);
    }
}
