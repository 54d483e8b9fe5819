//! The shell of the live screen: it owns the terminal and the socket. The reaction to a key or an
//! answer is [`super::screen`]'s.

use std::io::{self, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use crossterm::event::{
    DisableBracketedPaste, EnableBracketedPaste, Event, EventStream, KeyEventKind,
};
use crossterm::execute;
use futures::StreamExt;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::draw::{self, Colors};
use super::screen::Screen;
use crate::admin::message::{AdminAnswer, AdminRequest};

/// How often the server is asked.
const PERIOD: Duration = Duration::from_secs(1);

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Requests that wait for their answers. Further ones are dropped: all of them but acts are asked again.
const WAITING: usize = 16;

/// Shows the server behind a socket until the host has seen enough.
///
/// # Errors
/// If the terminal cannot be used.
pub(super) fn run(path: &Path) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shown = runtime.block_on(async {
        let _restored = Restored;
        show(path).await
    });
    shown.context("the terminal cannot be used")
}

/// Restores the terminal when it is dropped. After a panic the library does it before the message is printed.
struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        // Nothing could show that it fails.
        let _ = execute!(stdout(), DisableBracketedPaste, crossterm::cursor::Show);
        ratatui::restore();
    }
}

async fn show(path: &Path) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    execute!(stdout(), EnableBracketedPaste)?;
    let colors = Colors::from_env();
    let mut screen = Screen::new(draw::rows(terminal.size()?.height));
    let mut events = EventStream::new();
    let mut end = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut ticks = interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (ask, requests) = channel(WAITING);
    let (tell, mut answers) = channel(WAITING);
    tokio::spawn(converse(path.to_owned(), requests, tell));
    while !screen.has_ended {
        terminal.draw(|frame| draw::draw(&screen, colors, frame))?;
        let asked = tokio::select! {
            biased;
            _ = end.recv() => return Ok(()),
            _ = hangup.recv() => return Ok(()),
            event = events.next() => match event.transpose()? {
                Some(Event::Key(key)) if key.kind != KeyEventKind::Release => screen.key(key),
                Some(Event::Paste(text)) => screen.paste(&text),
                Some(Event::Resize(_, height)) => screen.resize(draw::rows(height)),
                Some(_) => Vec::new(),
                None => return Ok(()),
            },
            Some((request, answer)) = answers.recv() => {
                match answer {
                    Ok(answer) => screen.answered(&request, answer),
                    Err(error) => screen.unanswered(&request, error.to_string()),
                }
                Vec::new()
            }
            // A slow server is not asked again while requests wait for it.
            _ = ticks.tick(), if ask.capacity() == WAITING => screen.questions(),
        };
        for request in asked {
            if let Err(error) = ask.try_send(request) {
                screen.unanswered(&error.into_inner(), "the server is slow".to_owned());
            }
        }
    }
    Ok(())
}

/// Takes one request after the other to the server, on one connection as long as it lasts.
async fn converse(
    path: PathBuf,
    mut requests: Receiver<AdminRequest>,
    answers: Sender<(AdminRequest, io::Result<AdminAnswer>)>,
) {
    let mut stream = None;
    while let Some(request) = requests.recv().await {
        let asked = timeout(PATIENCE, ask(&path, &mut stream, &request)).await;
        let answer = asked.unwrap_or_else(|_| Err(io::Error::other("the server is slow")));
        if answer.is_err() {
            stream = None;
        }
        if answers.send((request, answer)).await.is_err() {
            return;
        }
    }
}

async fn ask(
    path: &Path,
    stream: &mut Option<BufReader<UnixStream>>,
    request: &AdminRequest,
) -> io::Result<AdminAnswer> {
    let stream = match stream {
        Some(stream) => stream,
        None => stream.insert(BufReader::new(UnixStream::connect(path).await?)),
    };
    let mut question = serde_json::to_vec(request)?;
    question.push(b'\n');
    stream.write_all(&question).await?;
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_str(&line).map_err(|_| io::Error::other("the server is of another version"))
}
