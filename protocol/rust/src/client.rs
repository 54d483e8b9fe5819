//! A session and its connection in one: [`Client`]. Its user decides what to ask, and when.

use std::collections::VecDeque;
use std::time::Duration;

use noughts_protocol::{DisplayText, MAX_RETRIES, RETRY_MS, Refusal, RefusalCode};
use tokio::time::{Instant, sleep};

use crate::connection::Destination;
use crate::runner::Runner;
use crate::session::{
    End, Happening, Input, Intent, IntentError, LookupKind, PartyView, RoomView, Session, Welcome,
};

/// Happenings that wait for [`Client::next`]. Beyond that the oldest is dropped: the session has its outcome.
const MAX_WAITING: usize = 1_024;

/// A player who is connected to a server, or is being connected to it again after a break.
///
/// It takes in what the server sends while [`next`](Self::next) or [`ask`](Self::ask) is awaited, so one of them
/// should be, most of the time. Both may be cancelled without loss.
#[derive(Debug)]
pub struct Client {
    session: Session,
    runner: Runner,
    welcome: Box<Welcome>,
    /// [`MAX_WAITING`] at most.
    happenings: VecDeque<Happening>,
    /// Why the connection has ended for good.
    end: Option<End>,
}

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The server wants a password, or another one.
    #[error("{0}")]
    PasswordWanted(DisplayText),
    /// No server answers, or it wants nobody.
    #[error("{0}")]
    Ended(End),
}

/// Why an intent was not applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The server refused it.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// It is not possible, and was not sent.
    #[error("{0}")]
    Blocked(IntentError),
    /// Too many intents are unanswered; it was not sent.
    #[error("too many intents are unanswered")]
    Busy,
    /// The connection has ended for good.
    #[error("{0}")]
    Ended(End),
}

impl Client {
    /// Connects, and waits for the server's welcome.
    ///
    /// # Errors
    /// If no server answers in time, or it refuses the connection.
    pub async fn connect(destination: Destination) -> Result<Self, ConnectError> {
        let mut runner = Runner::default();
        runner.connect(destination);
        let mut session = Session::new(rand::random());
        loop {
            for happening in runner.next(&mut session).await {
                match happening {
                    Happening::Welcome { welcome, .. } => {
                        let happenings = VecDeque::new();
                        return Ok(Self { session, runner, welcome, happenings, end: None });
                    }
                    Happening::PasswordWanted(why) => {
                        return Err(ConnectError::PasswordWanted(why));
                    }
                    Happening::Ended(why) => return Err(ConnectError::Ended(why)),
                    _ => {}
                }
            }
        }
    }

    /// The last welcome: the name, the token to come back with, the server and its limits.
    #[must_use]
    pub const fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// The room that the player is in.
    #[must_use]
    pub const fn room(&self) -> Option<&RoomView> {
        self.session.room()
    }

    /// The party that the player follows.
    #[must_use]
    pub const fn party(&self) -> Option<&PartyView> {
        self.session.party()
    }

    /// All that the player knows; it also makes intents, such as [`Session::moves`].
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Asks for something and waits for the answer, over breaks as well. Events until then wait for
    /// [`next`](Self::next). Lists and profiles are in [`Session::question`] afterwards; a room
    /// that was entered comes after the answer, with [`Happening::Entered`]. A request too fast for
    /// the server is sent again up to three times, a second later each.
    ///
    /// # Errors
    /// If the intent was not applied.
    pub async fn ask(&mut self, intent: impl Into<Intent>) -> Result<(), AskError> {
        let intent = intent.into();
        for _ in 0..MAX_RETRIES {
            match self.ask_once(intent.clone()).await {
                Err(AskError::Refused(refusal)) if refusal.code == RefusalCode::RateLimited => {
                    sleep(Duration::from_millis(RETRY_MS)).await;
                }
                answer => return answer,
            }
        }
        self.ask_once(intent).await
    }

    async fn ask_once(&mut self, intent: Intent) -> Result<(), AskError> {
        let kind = match &intent {
            Intent::Lobby(intent) => LookupKind::of(intent),
            Intent::Room(_) | Intent::Party(_) => None,
        };
        let id = self.session.next_intent_id();
        let outputs = self.session.update(Input::Asked(intent), Instant::now().into_std());
        let mut happenings = self.runner.perform(outputs);
        let mut answer = Ok(());
        loop {
            for happening in happenings {
                match happening {
                    Happening::Blocked(why) => return Err(AskError::Blocked(why)),
                    Happening::Busy => return Err(AskError::Busy),
                    Happening::Refused(message, refusal) if message.id() == Some(id) => {
                        answer = Err(AskError::Refused(refusal));
                    }
                    Happening::IsParty(party) => {
                        let why = format!("{party} is the code of a party");
                        let refusal = Refusal::new(RefusalCode::PartyCode, why);
                        answer = Err(AskError::Refused(refusal));
                    }
                    happening => self.keep(happening),
                }
            }
            if !self.session.is_unanswered(id) {
                break;
            }
            if let Some(why) = &self.end {
                return Err(AskError::Ended(why.clone()));
            }
            happenings = self.runner.next(&mut self.session).await;
        }
        match kind.and_then(|kind| self.session.answer(kind)) {
            Some(Err(refusal)) => Err(AskError::Refused(refusal.clone())),
            _ => answer,
        }
    }

    /// The next thing that happens; `None` once the connection has ended for good.
    pub async fn next(&mut self) -> Option<Happening> {
        loop {
            if let Some(happening) = self.happenings.pop_front() {
                return Some(happening);
            }
            if self.end.is_some() {
                return None;
            }
            for happening in self.runner.next(&mut self.session).await {
                self.keep(happening);
            }
        }
    }

    /// Closes the connection after everything was sent. The seat is kept for as long as the server waits for a
    /// player who is away.
    pub async fn close(self) {
        self.runner.close().await;
    }

    fn keep(&mut self, happening: Happening) {
        match &happening {
            Happening::Welcome { welcome, .. } => self.welcome.clone_from(welcome),
            Happening::Ended(why) => self.end = Some(why.clone()),
            Happening::PasswordWanted(why) => self.end = Some(why.clone().into()),
            _ => {}
        }
        if self.happenings.len() == MAX_WAITING {
            self.happenings.pop_front();
        }
        self.happenings.push_back(happening);
    }
}
