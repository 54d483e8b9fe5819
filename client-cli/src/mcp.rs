//! `noughts mcp`: a language model plays. This is a server of the Model Context Protocol on standard input and
//! output: [`rpc`] reads and writes its messages, [`list`] tells the model what it can do, [`tools`] reads its
//! calls, [`view`] does them, and [`text`] says how the room stands. Only the loop is here.

use std::io::{self, Write};
use std::time::Instant;

use tokio::io::BufReader;
use tokio::time::sleep_until;

use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::plain::input::LineReader;
use crate::signals::Signals;
use noughts_client::runner::Runner;
use noughts_client::session::Happening;
use view::{Greeting, McpView};

mod list;
mod rpc;
mod text;
mod tools;
mod view;

/// The longest message of the host, in bytes. The rest of a longer one is dropped, so that it cannot be read.
const MAX_MESSAGE: usize = 64 * 1024;

/// An event of the loop.
enum McpEvent {
    Happened(Vec<Happening>),
    Line(Option<String>),
    NotSaved(String),
    Due,
    Signal,
}

/// Runs until the input ends or a signal comes. The player keeps the seat.
///
/// # Errors
/// If the output cannot be written.
pub(crate) async fn run(mut client: Client, mut writer: Writer) -> io::Result<Exit> {
    let mut signals = Signals::listen()?;
    let mut lines = LineReader::with_limit(BufReader::new(tokio::io::stdin()), MAX_MESSAGE);
    client.warning.iter().for_each(|warning| remark(warning));
    let mut runner = Runner::default();
    let mut view = McpView::new(client.choice.server.clone(), rand::random());
    let done = loop {
        let due = view.due();
        let late = sleep_until(due.unwrap_or_else(Instant::now).into());
        let next = tokio::select! {
            happenings = runner.next(&mut view.console.session) => McpEvent::Happened(happenings),
            line = lines.next() => McpEvent::Line(line),
            _ = signals.next() => McpEvent::Signal,
            problem = writer.problem() => McpEvent::NotSaved(problem),
            () = late, if due.is_some() => McpEvent::Due,
        };
        view.console.now = Instant::now();
        match next {
            McpEvent::Happened(happenings) => {
                view.console.remember(&happenings, &mut client, &writer);
                view.happened(happenings);
            }
            McpEvent::Line(Some(line)) => view.line(&line),
            McpEvent::NotSaved(problem) => remark(&problem),
            McpEvent::Due => {}
            McpEvent::Line(None) | McpEvent::Signal => break Ok(Exit::Done),
        }
        if let Some(Greeting { name }) = view.take_greeting() {
            if let Some(name) = name.filter(|_| !client.options.names_player) {
                client.profile.name = name;
            }
            runner.connect(client.destination());
        }
        view.go_on();
        view.console.take_messages().into_iter().for_each(|message| runner.send(message));
        view.console.take_text().lines().for_each(remark);
        if let Err(error) = print(&view.take_output()) {
            break Err(error);
        }
    };
    runner.close().await;
    writer.finish().iter().for_each(|problem| remark(problem));
    done
}

/// Prints messages to the host.
fn print(messages: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(messages.as_bytes())?;
    out.flush()
}

/// Prints a line for people, beside the messages. It may be lost.
fn remark(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
