//! Asks the server questions and waits for their answers, without a room: for commands that print and
//! end.

use std::io;
use std::time::Instant;

use noughts_client::connection::Destination;
use noughts_client::runner::Runner;
use noughts_client::session::{Happening, Input, LookupKind, Session, Welcome};
use noughts_protocol::{Found, LobbyIntent, PassCode, PlayerId};

use super::{Ended, Plain, ask_password};
use crate::client::Exit;
use crate::strings;

/// The answer to a question of another kind.
pub(super) fn something_else() -> Ended {
    Exit::Lost("the server answered something else".to_owned()).into()
}

/// A session for questions.
pub(super) struct Query<'a> {
    pub(super) plain: &'a mut Plain,
    runner: Runner,
    /// The server and the player. The question for a password changes that alone.
    destination: Destination,
    session: Session,
    /// Whether the player's file keeps what happens.
    keeps: bool,
    welcome: Option<Box<Welcome>>,
    pass: Option<PassCode>,
    forgotten: bool,
}

impl<'a> Query<'a> {
    /// Begins to connect.
    pub(super) fn open(plain: &'a mut Plain) -> io::Result<Self> {
        let destination = plain.client.destination();
        let query = Self::open_as(plain, destination)?;
        Ok(Self { keeps: true, ..query })
    }

    /// Begins to connect as somebody else. The player's file keeps nothing of it.
    pub(super) fn open_as(plain: &'a mut Plain, destination: Destination) -> io::Result<Self> {
        let mut runner = Runner::default();
        runner.connect(destination.clone());
        Ok(Self {
            plain,
            runner,
            destination,
            session: Session::new(rand::random()),
            keeps: false,
            welcome: None,
            pass: None,
            forgotten: false,
        })
    }

    /// This player, once the server has answered anything.
    pub(super) const fn player(&self) -> Option<PlayerId> {
        self.session.player()
    }

    /// Asks a question of a kind. Returns the answer.
    pub(super) async fn ask(&mut self, intent: LobbyIntent) -> Result<Found, Ended> {
        let kind = LookupKind::of(&intent);
        self.send(intent).await?;
        let answer = |query: &Self| query.session.answer(kind?).cloned();
        let answer = self.until(answer).await?;
        Ok(answer.map_err(|refusal| Exit::Refused(refusal.to_string()))?)
    }

    /// Waits until the server knows who asks. Returns its answer.
    pub(super) async fn welcome(&mut self) -> Result<Box<Welcome>, Ended> {
        self.until(|query| query.welcome.clone()).await
    }

    /// Asks for a pass for another device of the player.
    pub(super) async fn pass(&mut self) -> Result<PassCode, Ended> {
        self.send(LobbyIntent::Pass).await?;
        self.until(|query| query.pass.clone()).await
    }

    /// Has the server forget the player.
    pub(super) async fn forget(&mut self) -> Result<(), Ended> {
        self.send(LobbyIntent::Forget).await?;
        self.until(|query| query.forgotten.then_some(())).await
    }

    /// The welcome tells the features that the host has switched off, so it comes first.
    async fn send(&mut self, intent: LobbyIntent) -> Result<(), Ended> {
        self.welcome().await?;
        let outputs = self.session.update(Input::Asked(intent.into()), Instant::now());
        let happenings = self.runner.perform(outputs);
        self.take(happenings).await
    }

    /// Waits until there is something.
    async fn until<T>(&mut self, found: impl Fn(&Self) -> Option<T>) -> Result<T, Ended> {
        loop {
            if let Some(found) = found(self) {
                return Ok(found);
            }
            let stdio = &mut self.plain.stdio;
            stdio.flush().await?;
            let happenings = tokio::select! {
                happenings = self.runner.next(&mut self.session) => happenings,
                // A script must not take half an answer for the whole one.
                _ = stdio.signals.next() => return Err(Exit::Lost("interrupted".to_owned()).into()),
            };
            self.take(happenings).await?;
        }
    }

    /// Keeps what has happened.
    async fn take(&mut self, happenings: Vec<Happening>) -> Result<(), Ended> {
        let Plain { client, stdio, writer } = &mut *self.plain;
        for happening in happenings {
            let change = client.remember(&happening, &self.session).filter(|_| self.keeps);
            change.into_iter().for_each(|change| writer.write(change));
            match happening {
                Happening::Welcome { welcome, .. } => self.welcome = Some(welcome),
                Happening::Pass { code, .. } => self.pass = Some(code),
                Happening::Forgotten => self.forgotten = true,
                Happening::Refused(_, why) => return Err(Exit::Refused(why.to_string()).into()),
                Happening::PasswordWanted(why) => {
                    let password = ask_password(&why, stdio, &client.options.way_in).await?;
                    client.choice.password = Some(password.clone());
                    self.destination.password = Some(password);
                    self.runner.connect(self.destination.clone());
                }
                Happening::Ended(end) => return Err(Exit::Lost(strings::ended(&end)).into()),
                Happening::Blocked(why) => return Err(Exit::Refused(why.to_string()).into()),
                _ => {}
            }
        }
        Ok(())
    }
}
