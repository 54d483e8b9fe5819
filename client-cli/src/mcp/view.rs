//! The calls of the tools: each waits for its answer, for the turn or for its deadline, and one runs at
//! a time. It is synchronous; the loop fetches the messages and the output.

use std::collections::VecDeque;
use std::mem;
use std::time::{Duration, Instant};

use noughts_protocol::{
    ClientMessage, Found, GameId, LobbyIntent, PlayerId, PlayerName, RoomCode, RoomIntent,
};
use serde_json::{Value, json};

use super::list::{self, INSTRUCTIONS};
use super::rpc::{self, HostMessage};
use super::text;
use super::tools::Call;
use crate::console::Console;
use crate::strings;
use noughts_client::address::ServerAddress;
use noughts_client::session::{Happening, Intent, LookupKind, RoomView};

/// How long a call waits for a connection.
const CONNECT_TIME: Duration = Duration::from_secs(15);
/// How long it waits for an answer. A review takes longest.
const ANSWER_TIME: Duration = Duration::from_secs(45);
/// The calls that may wait for the one that runs. A host normally sends one, or a few.
const MAX_CALLS: usize = 16;
/// The news that are kept for the next call. Older ones are dropped.
const MAX_NEWS: usize = 50;

/// The answer to most calls in no room.
const NO_ROOM: &str = "you are in no room: make_room or join_room first";

/// The server does not do what the protocol says.
const SOMETHING_ELSE: &str = "the server answered something else";

/// The event that ends a running call.
enum Goal {
    /// A connection. Then the call begins.
    Connection(Call),
    /// The answer to an intent, and what follows.
    Answer(Intent, Then),
    /// The room that this intent leads to.
    Room(LobbyIntent),
    /// The player's turn, or any news.
    Turn,
    /// The public rooms.
    Lobby,
    /// The player's games.
    History,
    /// A kept game and its review.
    Review,
}

/// The text that a call answers once its intent is applied.
enum Then {
    /// The room is told.
    Room,
    /// This is told.
    Say(&'static str),
    /// The turn is awaited for so long.
    Wait(Duration),
}

/// How far a call is.
enum Step {
    Done(String),
    /// It ends at this moment at the latest.
    Wait(Goal, Instant),
}

struct Running {
    /// The id of the request.
    id: Value,
    goal: Goal,
    until: Instant,
}

/// The first request of a host.
pub(super) struct Greeting {
    /// Its name, as far as a player can have it.
    pub(super) name: Option<PlayerName>,
}

/// The calls of a host, and the session on which they work.
pub(super) struct McpView {
    pub(super) console: Console,
    /// The server's address for friends.
    share: ServerAddress,
    /// Until the loop takes it.
    greeting: Option<Greeting>,
    is_greeted: bool,
    calls: VecDeque<(Value, Call)>,
    running: Option<Running>,
    /// News since the last answer.
    news: VecDeque<String>,
    /// Whether there is news for the call that waits. What came before a move does not end the wait for the reply.
    has_news: bool,
    /// Why there is no connection any more, for good.
    ended: Option<String>,
    output: String,
}

impl McpView {
    pub(super) fn new(server: ServerAddress, first_id: u64) -> Self {
        Self {
            share: server.clone(),
            console: Console::new(server, first_id),
            greeting: None,
            is_greeted: false,
            calls: VecDeque::new(),
            running: None,
            news: VecDeque::new(),
            has_news: false,
            ended: None,
            output: String::new(),
        }
    }

    /// When the running call ends at the latest.
    pub(super) fn due(&self) -> Option<Instant> {
        self.running.as_ref().map(|running| running.until)
    }

    /// The greeting of the host, once. Then it is time to connect.
    pub(super) const fn take_greeting(&mut self) -> Option<Greeting> {
        self.greeting.take()
    }

    pub(super) fn take_output(&mut self) -> String {
        mem::take(&mut self.output)
    }

    fn print(&mut self, message: &Value) {
        self.output.push_str(&message.to_string());
        self.output.push('\n');
    }

    /// Takes in a line of the host.
    pub(super) fn line(&mut self, line: &str) {
        self.message(HostMessage::read(line));
    }

    fn message(&mut self, message: HostMessage) {
        match message {
            HostMessage::Initialize { id, version, host } => {
                self.greet(host);
                self.print(&rpc::welcome(&id, &version, INSTRUCTIONS));
            }
            HostMessage::Stateless { host, request } => {
                self.greet(host);
                self.message(*request);
            }
            HostMessage::Discover { id } => self.print(&rpc::discovered(&id, INSTRUCTIONS)),
            HostMessage::Tools { id } => self.print(&rpc::listed(&id, &list::tools())),
            HostMessage::Ping { id } => self.print(&rpc::done(&id, &json!({}))),
            HostMessage::Call { id, tool, arguments } => self.call(id, &tool, arguments),
            HostMessage::Cancelled { id } => {
                self.calls.retain(|(other, _)| *other != id);
                self.running.take_if(|running| running.id == id);
            }
            HostMessage::Ignored => {}
            HostMessage::Wrong(answer) => self.print(&answer),
        }
    }

    /// Takes the name of the host, once.
    fn greet(&mut self, host: Option<String>) {
        if !mem::replace(&mut self.is_greeted, true) {
            self.greeting =
                Some(Greeting { name: host.and_then(|name| PlayerName::beginning(&name)) });
        }
    }

    fn call(&mut self, id: Value, tool: &str, arguments: Value) {
        let why = match Call::read(tool, arguments) {
            None => return self.print(&rpc::unknown_tool(&id, &list::names())),
            Some(Err(why)) => why,
            Some(Ok(_)) if !self.is_greeted => "the host has to initialize first".to_owned(),
            Some(Ok(_)) if self.calls.len() >= MAX_CALLS => {
                "too many calls at once: wait for their answers".to_owned()
            }
            Some(Ok(call)) => return self.calls.push_back((id, call)),
        };
        self.print(&rpc::called(&id, &Err(why)));
    }

    /// Ends the call that has what it waits for, and begins the next ones.
    pub(super) fn go_on(&mut self) {
        loop {
            let (id, step) = match self.running.take() {
                Some(Running { id, goal, until }) => (id, self.step(goal, until)),
                None => match self.calls.pop_front() {
                    Some((id, call)) => {
                        (id, self.step(Goal::Connection(call), self.after(CONNECT_TIME)))
                    }
                    None => return,
                },
            };
            match step {
                Ok(Step::Wait(goal, until)) => {
                    self.running = Some(Running { id, goal, until });
                    return;
                }
                Ok(Step::Done(text)) => self.print(&rpc::called(&id, &Ok(text))),
                Err(why) => self.print(&rpc::called(&id, &Err(why))),
            }
        }
    }

    fn after(&self, time: Duration) -> Instant {
        self.console.now + time
    }

    /// Looks whether a call has what it waits for. [`Self::answered`] takes the answers to intents.
    fn step(&mut self, goal: Goal, until: Instant) -> Result<Step, String> {
        let is_late = until <= self.console.now;
        let session = &self.console.session;
        let is_open = session.is_welcome() && session.lost().is_none();
        let found = |kind| session.answer(kind).cloned();
        match goal {
            _ if self.ended.is_some() => return Err(self.ended.clone().unwrap_or_default()),
            // Nothing is sent long after the model has given up.
            Goal::Connection(call) if is_open => return self.begin(call),
            Goal::Connection(_) if is_late => {
                let server = &self.console.server;
                return Err(format!("there is no connection to {server} yet: try again later"));
            }
            Goal::Turn if is_late || self.is_news() || !self.calls.is_empty() => {
                return Ok(Step::Done(self.room()));
            }
            Goal::Lobby => {
                if let Some(text) = session.lobby().map(text::rooms) {
                    self.ask(LobbyIntent::UnwatchLobby)?;
                    return Ok(Step::Done(text));
                }
            }
            Goal::History => {
                if let Some(answer) = found(LookupKind::History) {
                    return history(answer.map_err(|why| why.to_string())?, session.player());
                }
            }
            Goal::Review => {
                if let Some(answers) = found(LookupKind::Game).zip(found(LookupKind::Review)) {
                    let game = answers.0.map_err(|why| why.to_string())?;
                    let review = answers.1.map_err(|why| why.to_string())?;
                    return reviewed(&game, &review, session.player());
                }
            }
            Goal::Connection(_) | Goal::Turn | Goal::Room(_) | Goal::Answer(..) => {}
        }
        if is_late {
            return Err(
                "the server has not answered yet: room tells later how it stands".to_owned()
            );
        }
        Ok(Step::Wait(goal, until))
    }

    /// Whether there is something that a waiting player wants to know.
    fn is_news(&self) -> bool {
        let is_due = |view: &RoomView| view.my_turn().is_some() || view.my_choice().is_some();
        self.has_news || self.console.session.room().is_none_or(is_due)
    }

    fn begin(&mut self, call: Call) -> Result<Step, String> {
        let session = &self.console.session;
        let game = session.game();
        let (intent, then) = match call {
            Call::Room => return Ok(Step::Done(self.room())),
            Call::Wait(time) => {
                self.view()?;
                self.has_news = !self.news.is_empty();
                return self.step(Goal::Turn, self.after(time));
            }
            Call::MakeRoom(intent) => return self.enter(intent, None),
            Call::JoinRoom(room, role) => {
                return self.enter(LobbyIntent::Join { room, role }, Some(room));
            }
            Call::Rooms => {
                self.ask(LobbyIntent::WatchLobby)?;
                return Ok(Step::Wait(Goal::Lobby, self.after(ANSWER_TIME)));
            }
            Call::History(intent) => {
                self.ask(intent)?;
                return Ok(Step::Wait(Goal::History, self.after(ANSWER_TIME)));
            }
            Call::Review(game) => return self.review(game),
            Call::Play { cell, wait } => {
                let (cell, placed) = self.view()?.read_move(&cell)?;
                (session.move_to(cell, placed), Then::Wait(wait))
            }
            Call::Choose { choice, wait } => {
                (RoomIntent::Choose { game, choice }, Then::Wait(wait))
            }
            Call::Resign => (RoomIntent::Resign { game }, Then::Room),
            Call::TakeBack => (session.take_back(), Then::Room),
            Call::Again => (session.rematch(), Then::Room),
            Call::Claim(result) => (RoomIntent::Claim { game, result }, Then::Room),
            Call::Say(said) => {
                let later = strings::talk::is_heard_later(self.view()?);
                let text = if later { strings::talk::HEARD_LATER } else { "It is said." };
                (RoomIntent::Say { said }, Then::Say(text))
            }
            Call::Leave => (RoomIntent::Leave, Then::Say("You have left the room.")),
        };
        self.view()?;
        self.has_news = false;
        self.await_answer(intent.into(), then)
    }

    fn await_answer(&mut self, intent: Intent, then: Then) -> Result<Step, String> {
        self.ask(intent.clone())?;
        Ok(Step::Wait(Goal::Answer(intent, then), self.after(ANSWER_TIME)))
    }

    /// Enters a room, unless the player is in another one: that seat would be kept, and be forgotten.
    fn enter(&mut self, intent: LobbyIntent, room: Option<RoomCode>) -> Result<Step, String> {
        let here = self.console.session.room().map(|view| view.state.code);
        match here {
            None => {
                self.ask(intent.clone())?;
                Ok(Step::Wait(Goal::Room(intent), self.after(ANSWER_TIME)))
            }
            Some(here) if Some(here) == room => self.await_answer(intent.into(), Then::Room),
            Some(here) => Err(format!("you are in room {here}: leave it first")),
        }
    }

    fn review(&mut self, game: Option<GameId>) -> Result<Step, String> {
        let last = self.console.session.room().and_then(|view| view.state.game.as_ref()?.id);
        let game = game.or(last).ok_or("which game? history lists yours with their ids")?;
        self.ask(LobbyIntent::Game { game })?;
        self.ask(LobbyIntent::ReviewGame { game })?;
        Ok(Step::Wait(Goal::Review, self.after(ANSWER_TIME)))
    }

    fn view(&self) -> Result<&RoomView, String> {
        self.console.session.room().ok_or_else(|| NO_ROOM.to_owned())
    }

    /// Sends an intent.
    ///
    /// # Errors
    /// If it is not possible now. The text says why.
    fn ask(&mut self, intent: impl Into<Intent>) -> Result<(), String> {
        let problems = self.console.ask(intent);
        problems.iter().find_map(strings::problem).map_or(Ok(()), Err)
    }

    /// The news and how the room stands, for the model.
    fn room(&mut self) -> String {
        let news: Vec<String> = self.news.drain(..).collect();
        let room = match self.console.session.room() {
            Some(view) => text::room(view, &self.share.room_link(view.state.code)),
            None => "You are in no room: make_room or join_room makes that.".to_owned(),
        };
        match news.is_empty() {
            true => room,
            false => format!("New:\n{}\n\n{room}", news.join("\n")),
        }
    }

    fn tell(&mut self, news: Option<String>) {
        if self.news.len() >= MAX_NEWS && news.is_some() {
            self.news.pop_front();
        }
        self.has_news |= news.is_some();
        self.news.extend(news);
    }

    /// Takes in what happened in the session.
    pub(super) fn happened(&mut self, happenings: Vec<Happening>) {
        happenings.into_iter().for_each(|happening| self.take(&happening));
    }

    fn take(&mut self, happening: &Happening) {
        let view = self.console.session.room();
        let news = match happening {
            Happening::Welcome { welcome, first } => {
                self.share = self.console.server.share_address(&welcome.server);
                self.console.tell(happening);
                (!first).then(|| "The connection broke, and is back.".to_owned())
            }
            Happening::Entered => return self.answer_entering(Ok(())),
            Happening::Event { event, before } => {
                view.and_then(|view| text::event(view, event, before))
            }
            Happening::Presence(changes) => view.and_then(|view| {
                let texts: Vec<_> =
                    changes.iter().filter_map(|change| text::presence(view, change)).collect();
                (!texts.is_empty()).then(|| texts.join("\n"))
            }),
            Happening::Chat(lines) => view.and_then(|view| {
                let others = lines.iter().filter(|line| !view.is_me(line.player));
                let texts: Vec<_> = others.map(|line| text::spoken(view, line)).collect();
                (!texts.is_empty()).then(|| texts.join("\n"))
            }),
            Happening::Announcement(said) => {
                Some(format!("The host of the server says: {}", text::quoted(said.as_str())))
            }
            Happening::Challenged(room, name) => {
                let name = text::quoted(name.as_str());
                Some(format!("{name} asks you to play: join_room {room}, or let a minute pass."))
            }
            Happening::Closed(_, reason) => Some(strings::close_reason(*reason).to_owned()),
            Happening::RoomLost(room, why) => Some(strings::room_lost(*room, why)),
            Happening::Applied(message) => return self.answered(message, Ok(())),
            Happening::Refused(message, why) => {
                return self.answered(message, Err(why.to_string()));
            }
            Happening::IsParty(party) => {
                let why = format!("{party} is a party: these tools know rooms only");
                return self.answer_entering(Err(why));
            }
            Happening::PasswordWanted(why) => {
                let how = "give it with --password-file FILE or in NOUGHTS_PASSWORD";
                self.ended = Some(format!("{why} ({how})"));
                None
            }
            Happening::Ended(end) => {
                self.ended = Some(strings::ended(end));
                None
            }
            other => return self.console.tell(other),
        };
        if let Some(why) = &self.ended {
            self.console.print(&why.clone());
        }
        self.tell(news);
    }

    /// Ends the call that awaits a room.
    fn answer_entering(&mut self, outcome: Result<(), String>) {
        let is_entering = |running: &mut Running| matches!(running.goal, Goal::Room(_));
        if let Some(Running { id, .. }) = self.running.take_if(is_entering) {
            let outcome = outcome.map(|()| self.room());
            self.print(&rpc::called(&id, &outcome));
        }
    }

    /// Takes the answer to an intent.
    fn answered(&mut self, message: &ClientMessage, outcome: Result<(), String>) {
        let is_about = |running: &mut Running| match &running.goal {
            Goal::Answer(intent, _) => is_of(message, intent),
            // The room itself is awaited.
            Goal::Room(intent) => outcome.is_err() && is_of(message, &intent.clone().into()),
            Goal::Lobby => outcome.is_err() && is_of(message, &LobbyIntent::WatchLobby.into()),
            _ => false,
        };
        let Some(Running { id, goal, .. }) = self.running.take_if(is_about) else { return };
        let outcome = match (outcome, goal) {
            (Err(why), _) => Err(why),
            (Ok(()), Goal::Answer(_, Then::Wait(time))) => {
                let until = self.after(time);
                self.running = Some(Running { id, goal: Goal::Turn, until });
                return;
            }
            (Ok(()), Goal::Answer(_, Then::Say(text))) => Ok(text.to_owned()),
            (Ok(()), _) => Ok(self.room()),
        };
        self.print(&rpc::called(&id, &outcome));
    }
}

/// Whether a message has this intent.
fn is_of(message: &ClientMessage, intent: &Intent) -> bool {
    match (message, intent) {
        (ClientMessage::Room { intent: sent, .. }, Intent::Room(asked)) => sent == asked,
        (ClientMessage::Lobby { intent: sent, .. }, Intent::Lobby(asked)) => sent == asked,
        _ => false,
    }
}

fn history(found: Found, player: Option<PlayerId>) -> Result<Step, String> {
    match found {
        Found::History { games, more } => Ok(Step::Done(text::history(&games, more, player))),
        _ => Err(SOMETHING_ELSE.to_owned()),
    }
}

fn reviewed(game: &Found, review: &Found, player: Option<PlayerId>) -> Result<Step, String> {
    match (game, review) {
        (Found::Game { game }, Found::Review { moves, proven, .. }) => {
            Ok(Step::Done(text::review(game, (moves, *proven), player)))
        }
        _ => Err(SOMETHING_ELSE.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use noughts_client::session::{ConnectionEvent, Input};
    use noughts_protocol::Snapshot;

    use super::*;
    use crate::fixture::{announcement, applied, moves, shown, snapshot, waiting, welcome};

    /// The ids of the requests that were answered, and the last answer.
    fn answered(view: &mut McpView) -> (Vec<u64>, String) {
        view.go_on();
        let output = view.take_output();
        let answers = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let ids = answers.filter_map(|answer| answer["id"].as_u64()).collect();
        (ids, output.lines().last().unwrap_or_default().to_owned())
    }

    fn send(view: &mut McpView, id: u64, method: &str, params: &Value) -> Vec<u64> {
        view.line(&json!({ "id": id, "method": method, "params": params }).to_string());
        answered(view).0
    }

    fn call(view: &mut McpView, id: u64, tool: &str, arguments: &Value) -> Vec<u64> {
        send(view, id, "tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// Takes in a message of the server. Returns the requests that are answered by it.
    fn feed(view: &mut McpView, event: ConnectionEvent) -> Vec<u64> {
        let happenings = view.console.update(Input::Connection(event));
        view.happened(happenings);
        answered(view).0
    }

    /// A model that waits in a room for somebody. The requests up to 2 are answered.
    fn in_a_room() -> McpView {
        let mut view = McpView::new(ServerAddress::default(), 1);
        assert_eq!(send(&mut view, 1, "initialize", &json!({})), [1]);
        assert!(call(&mut view, 2, "make_room", &json!({ "opponent": "person" })).is_empty());
        assert!(feed(&mut view, welcome()).is_empty());
        assert_eq!(feed(&mut view, shown(waiting())), [2]);
        view
    }

    #[test]
    fn who_says_the_version_in_each_request_need_not_initialize() {
        let mut view = McpView::new(ServerAddress::default(), 1);
        assert_eq!(call(&mut view, 1, "room", &json!({})), [1], "it is refused");
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "A name that is far too long" },
        });
        let params = json!({ "name": "room", "_meta": meta });
        assert!(send(&mut view, 2, "tools/call", &params).is_empty(), "it waits");
        let name = view.take_greeting().expect("a greeting, to connect").name;
        assert!(name.is_some_and(|name| name.as_str().starts_with("A name that")));
    }

    /// Catches a wait that ends with what was said before the move: the model would read its own move and no reply.
    #[test]
    fn play_waits_for_the_reply_whatever_was_said_before() {
        let mut view = in_a_room();
        let start = Snapshot { v: 11, ..snapshot("3x3x3", &[]) };
        let [moved, reply] = moves(&start, &[4, 0]).try_into().unwrap();
        feed(&mut view, shown(start));
        feed(&mut view, announcement("hello"));
        assert!(call(&mut view, 3, "play", &json!({ "cell": 5 })).is_empty());
        let play = view.console.take_messages().pop().unwrap();
        assert!(feed(&mut view, moved).is_empty());
        assert!(feed(&mut view, applied(&play)).is_empty(), "what was said is old");
        assert_eq!(feed(&mut view, reply), [3]);
    }

    #[test]
    fn a_wait_ends_with_its_time_or_with_another_call() {
        let mut view = in_a_room();
        assert!(call(&mut view, 3, "wait", &json!({ "seconds": 9 })).is_empty());
        view.console.now = view.due().unwrap();
        assert_eq!(answered(&mut view).0, [3]);
        assert!(call(&mut view, 4, "wait", &json!({})).is_empty());
        assert_eq!(call(&mut view, 5, "room", &json!({})), [4, 5]);
    }

    #[test]
    fn a_break_is_told_and_no_room_that_comes_again() {
        let mut view = in_a_room();
        feed(&mut view, shown(waiting()));
        assert_eq!(view.news, [""; 0]);
        feed(&mut view, ConnectionEvent::Lost("the cable".into()));
        feed(&mut view, welcome());
        assert_eq!(view.news, ["The connection broke, and is back."]);
    }

    #[test]
    fn what_is_cancelled_is_not_answered() {
        let mut view = in_a_room();
        assert!(call(&mut view, 3, "wait", &json!({})).is_empty());
        let cancelled =
            json!({ "method": "notifications/cancelled", "params": { "requestId": 3 } });
        view.line(&cancelled.to_string());
        assert_eq!(call(&mut view, 4, "room", &json!({})), [4]);
    }

    #[test]
    fn a_server_that_does_not_answer_and_many_calls_are_errors_of_the_calls() {
        let mut view = in_a_room();
        assert!(call(&mut view, 3, "history", &json!({})).is_empty());
        for id in 4..4 + MAX_CALLS as u64 {
            assert!(call(&mut view, id, "room", &json!({})).is_empty());
        }
        assert_eq!(call(&mut view, 99, "room", &json!({})), [99]);
        view.console.now = view.due().unwrap();
        view.calls.clear();
        let (ids, text) = answered(&mut view);
        assert_eq!(ids, [3]);
        assert!(text.contains("has not answered yet"), "{text}");
    }
}
