//! Asks the server questions and waits for their answers, without a room: for commands that print and
//! end.

use std::io;
use std::time::Instant;

use noughts_protocol::{Found, LobbyIntent, PlayerId};

use super::{Input, password};
use crate::client::{Client, Exit};
use crate::config::Writer;
use crate::core::{self, Happening, QuestionKind, Session};
use crate::runner::Runner;
use crate::signals::Signals;

/// A session for questions.
pub(super) struct Query<'a> {
    pub(super) client: &'a mut Client,
    writer: &'a mut Writer,
    lines: &'a mut Input,
    runner: Runner,
    session: Session,
    signals: Signals,
}

impl<'a> Query<'a> {
    /// Begins to connect.
    pub(super) fn open(
        client: &'a mut Client,
        lines: &'a mut Input,
        writer: &'a mut Writer,
    ) -> io::Result<Self> {
        let mut runner = Runner::default();
        runner.connect(client.destination());
        let (session, signals) = (Session::new(rand::random()), Signals::listen()?);
        Ok(Self { client, writer, lines, runner, session, signals })
    }

    /// This player, once the server has answered anything.
    pub(super) const fn player(&self) -> Option<PlayerId> {
        self.session.player()
    }

    /// Asks a question. Returns the answer, or the exit if there is none.
    pub(super) async fn ask(&mut self, intent: LobbyIntent) -> io::Result<Result<Found, Exit>> {
        let Some(kind) = QuestionKind::of(&intent) else {
            return Ok(Err(Exit::Refused("that is no question".to_owned())));
        };
        // What the server's host has switched off is known with the welcome.
        while !self.session.is_welcome() {
            let happenings = self.next().await;
            if let Some(exit) = self.take(happenings).await? {
                return Ok(Err(exit));
            }
        }
        let outputs = self.session.update(core::Input::Asked(intent.into()), Instant::now());
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
            let change = self.client.remember(&happening, None);
            change.into_iter().for_each(|change| self.writer.write(change));
            match happening {
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
