//! Cuts bytes into lines of bounded length. A line ends with CR, LF or both.

/// The longest line, in bytes. The rest of a longer line is dropped.
const MAX_LINE: usize = 1_024;

/// A line that a program wrote. Empty lines are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// The text, or its beginning. Bytes that are no UTF-8 have become `�`.
    pub(super) text: String,
    /// Whether the line was longer.
    pub(super) cut: bool,
}

/// Cuts bytes into lines. It holds one line at most.
#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
    cut: bool,
}

impl Lines {
    /// Takes bytes in. Returns the lines that end in them.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for &byte in bytes {
            if matches!(byte, b'\r' | b'\n') {
                lines.extend(self.end());
            } else if self.line.len() < MAX_LINE {
                self.line.push(byte);
            } else {
                self.cut = true;
            }
        }
        lines
    }

    /// The line so far, which ends here.
    pub(super) fn end(&mut self) -> Option<Line> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        let cut = std::mem::take(&mut self.cut);
        (!text.is_empty()).then_some(Line { text, cut })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| &*line.text).collect()
    }

    #[test]
    fn lines_end_in_three_ways_and_come_in_pieces() {
        let mut lines = Lines::default();
        assert_eq!(texts(&lines.take(b"OK\r\n7,7\r8,")), ["OK", "7,7"]);
        assert_eq!(texts(&lines.take(b"8\n\n  \n9")), ["8,8"]);
        assert_eq!(lines.end().map(|line| line.text).as_deref(), Some("9"));
        assert_eq!(lines.end(), None);
        assert_eq!(texts(&lines.take(b"\xff\x00,\x1b[2J\n")), ["\u{fffd}\0,\u{1b}[2J"]);
    }

    #[test]
    fn a_line_without_an_end_takes_no_memory() {
        let mut lines = Lines::default();
        for _ in 0..1_000 {
            assert_eq!(lines.take(&[b'x'; 4_096]), []);
            assert!(lines.line.capacity() <= 2 * MAX_LINE);
        }
        let found = lines.take(b"\nOK\n");
        assert_eq!((found[0].text.len(), found[0].cut), (MAX_LINE, true));
        assert_eq!(found[1], Line { text: "OK".to_owned(), cut: false });
    }
}
