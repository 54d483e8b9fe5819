//! Runs a session over a connection: feeds it with what the connection reports and with the time,
//! and sends what it wants to send. The full screen and plain mode share it.

use noughts_protocol::ClientMessage;
use tokio::time::{Instant, sleep_until};

use crate::connection::{Connection, Destination};
use crate::session::{Happening, Input, Output, Session};

/// Runs a session over a connection.
#[derive(Debug, Default)]
pub struct Runner {
    connection: Option<Connection>,
}

impl Runner {
    /// Runs over this connection.
    #[must_use]
    pub const fn over(connection: Connection) -> Self {
        Self { connection: Some(connection) }
    }

    /// Opens a connection in place of the last one.
    pub fn connect(&mut self, destination: Destination) {
        self.connection = Some(Connection::open(destination));
    }

    /// Waits for the next input of a session. Returns what happened. It may be cancelled without
    /// loss.
    pub async fn next(&mut self, session: &mut Session) -> Vec<Happening> {
        let event = async {
            match &mut self.connection {
                Some(connection) => connection.receive().await,
                None => std::future::pending().await,
            }
        };
        let deadline = session.deadline();
        let due = deadline.map_or_else(Instant::now, Instant::from_std);
        let input = tokio::select! {
            event = event => {
                if event.is_last() {
                    self.connection = None;
                }
                Input::Connection(event)
            }
            () = sleep_until(due), if deadline.is_some() => Input::Time,
        };
        self.perform(session.update(input, Instant::now().into_std()))
    }

    /// Does what a session wants. Returns what happened.
    pub fn perform(&self, outputs: Vec<Output>) -> Vec<Happening> {
        let mut happenings = Vec::new();
        for output in outputs {
            match output {
                Output::Happened(happening) => happenings.push(happening),
                Output::Send(message) => self.send(message),
                Output::Reconnect => self.connection.iter().for_each(Connection::reconnect),
                Output::Forget => self.connection.iter().for_each(Connection::forget),
            }
        }
        happenings
    }

    /// Sends a message, if there is a connection.
    pub fn send(&self, message: ClientMessage) {
        if let Some(connection) = &self.connection {
            connection.send(message);
        }
    }

    /// Closes the connection after everything was sent.
    pub async fn close(self) {
        if let Some(connection) = self.connection {
            connection.close().await;
        }
    }
}
