//! Reads lines of input of bounded length.

use noughts_protocol::text::without_mark;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// The longest line that a person types, in bytes. The rest of a longer line is dropped.
const MAX_LINE: usize = 512;

/// A reader of lines.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    reader: R,
    /// The line so far. It is kept here so that [`LineReader::next`] may be cancelled.
    line: Vec<u8>,
    /// The longest line.
    limit: usize,
    ended: bool,
}

impl<R: AsyncBufRead + Unpin> LineReader<R> {
    pub(crate) const fn new(reader: R) -> Self {
        Self::with_limit(reader, MAX_LINE)
    }

    /// A reader of longer lines: this is their limit in bytes.
    pub(crate) const fn with_limit(reader: R, limit: usize) -> Self {
        Self { reader, line: Vec::new(), limit, ended: false }
    }

    /// The next line without its end, or `None` at the end of input or after an error. It may be
    /// cancelled without loss.
    pub(crate) async fn next(&mut self) -> Option<String> {
        while !self.ended {
            let Ok(bytes) = self.reader.fill_buf().await else { break };
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let fits = self.limit.saturating_sub(self.line.len()).min(part.len());
            self.line.extend_from_slice(&part[..fits]);
            let used = part.len() + usize::from(end.is_some());
            self.ended = bytes.is_empty();
            self.reader.consume(used);
            if end.is_some() {
                return Some(self.take());
            }
        }
        self.ended = true;
        (!self.line.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> String {
        let line = std::mem::take(&mut self.line);
        without_mark(&String::from_utf8_lossy(&line)).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_end_and_are_bounded() {
        let long = "x".repeat(MAX_LINE + 100);
        let text = format!("\u{feff}5\r\n\n{long}\nlast \u{e9}");
        let mut lines = LineReader::new(text.as_bytes());
        assert_eq!(lines.next().await.as_deref(), Some("5"));
        assert_eq!(lines.next().await.as_deref(), Some(""));
        assert_eq!(lines.next().await.map(|line| line.len()), Some(MAX_LINE));
        assert_eq!(lines.next().await.as_deref(), Some("last \u{e9}"));
        assert_eq!(lines.next().await, None);
        assert_eq!(lines.next().await, None);
    }
}
