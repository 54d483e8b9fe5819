//! The terminal of a session: its keys and its screen are at the other end of a channel.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Size;
use russh::server::Msg;
use russh::{ChannelMsg, ChannelReadHalf, ChannelWriteHalf, Sig};
use tokio::time::{Instant, sleep_until, timeout};

use super::door::Shared;
use super::keys::KeyParser;
use super::limits::IDLE_TIME;
use super::request::bounded;
use super::session::{CLOSING, IDLE};
use crate::signals::Signal;
use crate::tui::app::AppEvent;
use crate::tui::tty::Tty;

/// How long the bytes after an Esc may take to come: the same as in many programs, and shorter than a person
/// needs for two keys.
const ESC_TIME: Duration = Duration::from_millis(50);

/// How long a terminal may take for a screen.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// The most messages that are kept while a screen is written. Keys beyond that are lost.
const MAX_KEPT: usize = 64;

/// The terminal at the other end of a channel.
pub(super) struct RemoteTty {
    shared: Arc<Shared>,
    read: ChannelReadHalf,
    write: ChannelWriteHalf<Msg>,
    parser: KeyParser,
    size: Size,
    /// Messages that came while a screen was written: [`MAX_KEPT`] at most.
    kept: VecDeque<ChannelMsg>,
    /// The events of one message, which are fewer than its bytes.
    events: VecDeque<AppEvent>,
    last_key: Instant,
    /// The last line, if the session ends without the player.
    farewell: Option<&'static str>,
}

impl RemoteTty {
    pub(super) fn new(
        shared: Arc<Shared>,
        read: ChannelReadHalf,
        write: ChannelWriteHalf<Msg>,
        size: Size,
    ) -> Self {
        Self {
            shared,
            read,
            write,
            parser: KeyParser::default(),
            size,
            kept: VecDeque::new(),
            events: VecDeque::new(),
            last_key: Instant::now(),
            farewell: None,
        }
    }

    /// Takes a message; `None` if the channel is closed.
    fn take(&mut self, message: Option<ChannelMsg>) {
        match message {
            Some(ChannelMsg::Data { data }) => {
                self.last_key = Instant::now();
                self.events.extend(self.parser.feed(&data));
            }
            Some(ChannelMsg::WindowChange { col_width, row_height, .. }) => {
                self.size = bounded(col_width, row_height);
                self.events.push_back(AppEvent::Resize(self.size));
            }
            Some(ChannelMsg::Signal { signal: Sig::INT }) => {
                self.events.push_back(AppEvent::Signal(Signal::Interrupt));
            }
            Some(ChannelMsg::Eof | ChannelMsg::Close | ChannelMsg::Signal { .. }) | None => {
                self.events.push_back(AppEvent::Signal(Signal::Terminate));
            }
            Some(_) => {}
        }
    }

    fn end(&mut self, farewell: &'static str) -> AppEvent {
        self.farewell = Some(farewell);
        AppEvent::Signal(Signal::Terminate)
    }
}

impl Tty for RemoteTty {
    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn enter(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn suspend(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    async fn write(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        let Self { read, write, kept, .. } = self;
        // The other end says in messages how much it takes, so they are read meanwhile.
        let mut written = std::pin::pin!(timeout(WRITE_TIME, write.data_bytes(bytes)));
        loop {
            tokio::select! {
                biased;
                written = &mut written => {
                    return match written {
                        Ok(written) => written.map_err(io::Error::other),
                        Err(_) => Err(io::Error::other("the terminal is too slow")),
                    };
                }
                message = read.wait() => match message {
                    Some(message) if kept.len() < MAX_KEPT => kept.push_back(message),
                    Some(_) => {}
                    None => return Err(io::ErrorKind::BrokenPipe.into()),
                },
            }
        }
    }

    async fn leave(&mut self, codes: Vec<u8>, lines: Vec<String>) -> io::Result<()> {
        let mut bytes = codes;
        for line in self.farewell.into_iter().chain(lines.iter().map(String::as_str)) {
            bytes.extend_from_slice(line.as_bytes());
            bytes.extend_from_slice(b"\r\n");
        }
        self.write(bytes).await
    }

    async fn next(&mut self) -> io::Result<AppEvent> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            if let Some(message) = self.kept.pop_front() {
                self.take(Some(message));
                continue;
            }
            let esc = self.last_key + ESC_TIME;
            let message = tokio::select! {
                message = self.read.wait() => message,
                () = sleep_until(esc), if self.parser.is_waiting() => {
                    self.events.extend(self.parser.flush());
                    continue;
                }
                () = self.shared.stop.cancelled() => return Ok(self.end(CLOSING)),
                () = sleep_until(self.last_key + IDLE_TIME) => return Ok(self.end(IDLE)),
            };
            self.take(message);
        }
    }
}
