//! Asks the server questions and waits for their answers, without a room: for commands that print and
//! end.

use std::io;
use std::time::Instant;

use noughts_protocol::{Found, LobbyIntent, PlayerId};

use super::{StdinLines, password};
use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::net::connection::Destination;
use crate::net::runner::Runner;
use crate::session::{Happening, Input, LookupKind, Session, Welcome};
use crate::signals::Signals;

/// Goes on with what was found, or returns the exit.
macro_rules! found {
    ($asked:expr, $pattern:pat => $value:expr) => {
        match $asked {
            Ok($pattern) => $value,
            Ok(_) => return Ok(Exit::Lost("the server answered something else".to_owned())),
            Err(exit) => return Ok(exit),
        }
    };
}
pub(super) use found;

/// A session for questions.
pub(super) struct Query<'a> {
    pub(super) client: &'a mut Client,
    writer: &'a mut Writer,
    lines: &'a mut StdinLines,
    runner: Runner,
    session: Session,
    signals: Signals,
    /// Whether the player's file keeps what happens.
    keeps: bool,
    welcome: Option<Box<Welcome>>,
    forgotten: bool,
}

impl<'a> Query<'a> {
    /// Begins to connect.
    pub(super) fn open(
        client: &'a mut Client,
        lines: &'a mut StdinLines,
        writer: &'a mut Writer,
    ) -> io::Result<Self> {
        let destination = client.destination();
        let query = Self::open_as(client, destination, lines, writer)?;
        Ok(Self { keeps: true, ..query })
    }

    /// Begins to connect as somebody else. The player's file keeps nothing of it.
    pub(super) fn open_as(
        client: &'a mut Client,
        destination: Destination,
        lines: &'a mut StdinLines,
        writer: &'a mut Writer,
    ) -> io::Result<Self> {
        let mut runner = Runner::default();
        runner.connect(destination);
        let session = Session::new(rand::random());
        let signals = Signals::listen()?;
        let keeps = false;
        let welcome = None;
        let forgotten = false;
        Ok(Self { client, writer, lines, runner, session, signals, keeps, welcome, forgotten })
    }

    /// This player, once the server has answered anything.
    pub(super) const fn player(&self) -> Option<PlayerId> {
        self.session.player()
    }

    /// Asks a question. Returns the answer, or the exit if there is none.
    pub(super) async fn ask(&mut self, intent: LobbyIntent) -> io::Result<Result<Found, Exit>> {
        let Some(kind) = LookupKind::of(&intent) else {
            return Ok(Err(Exit::Refused("that is no question".to_owned())));
        };
        // The welcome tells the features that the host has switched off.
        if let Err(exit) = self.welcome().await? {
            return Ok(Err(exit));
        }
        let outputs = self.session.update(Input::Asked(intent.into()), Instant::now());
        let mut happenings = Some(self.runner.perform(outputs));
        loop {
            if let Some(exit) = self.take(happenings).await? {
                return Ok(Err(exit));
            }
            let answer = self.session.question(kind).and_then(|question| question.answer.clone());
            match answer {
                Some(Ok(found)) => return Ok(Ok(found)),
                Some(Err(refusal)) => return Ok(Err(Exit::Refused(refusal.to_string()))),
                None => happenings = self.next().await,
            }
        }
    }

    /// Waits until the server knows who asks. Returns its answer.
    pub(super) async fn welcome(&mut self) -> io::Result<Result<Welcome, Exit>> {
        loop {
            if let Some(welcome) = &self.welcome {
                return Ok(Ok((**welcome).clone()));
            }
            let happenings = self.next().await;
            if let Some(exit) = self.take(happenings).await? {
                return Ok(Err(exit));
            }
        }
    }

    /// Has the server forget the player.
    pub(super) async fn forget(&mut self) -> io::Result<Result<(), Exit>> {
        if let Err(exit) = self.welcome().await? {
            return Ok(Err(exit));
        }
        let asked = Input::Asked(LobbyIntent::Forget.into());
        let outputs = self.session.update(asked, Instant::now());
        let mut happenings = Some(self.runner.perform(outputs));
        loop {
            match self.take(happenings).await? {
                Some(exit) => return Ok(Err(exit)),
                None if self.forgotten => return Ok(Ok(())),
                None => happenings = self.next().await,
            }
        }
    }

    /// Waits for what happens; `None` if a signal ends it.
    async fn next(&mut self) -> Option<Vec<Happening>> {
        tokio::select! {
            happenings = self.runner.next(&mut self.session) => Some(happenings),
            _ = self.signals.next() => None,
        }
    }

    /// Keeps what has happened. Returns the exit if nothing more will.
    async fn take(&mut self, happenings: Option<Vec<Happening>>) -> io::Result<Option<Exit>> {
        let Some(happenings) = happenings else { return Ok(Some(Exit::Done)) };
        for happening in happenings {
            let change = self.client.remember(&happening, None).filter(|_| self.keeps);
            change.into_iter().for_each(|change| self.writer.write(change));
            match happening {
                Happening::Welcome { welcome, .. } => self.welcome = Some(welcome),
                Happening::Forgotten => self.forgotten = true,
                Happening::Refused(_, why) => return Ok(Some(Exit::Refused(why.to_string()))),
                Happening::PasswordWanted(why) => {
                    match password::ask(&why, self.lines, &mut self.signals).await? {
                        Ok(password) => self.client.choice.password = Some(password),
                        Err(exit) => return Ok(Some(exit)),
                    }
                    self.runner.connect(self.client.destination());
                }
                Happening::Ended(why) => return Ok(Some(Exit::Lost(why.to_string()))),
                Happening::Blocked(why) => return Ok(Some(Exit::Refused(why.to_string()))),
                _ => {}
            }
        }
        Ok(None)
    }
}
