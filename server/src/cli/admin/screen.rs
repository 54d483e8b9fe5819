//! The state of the live screen: what the server told last, where the host is, and what a key does. Pure: keys and
//! answers come in, requests go out. [`super::draw`] draws it, [`super::live`] has the terminal and the socket.

#[cfg(test)]
mod tests;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use noughts_protocol::RoomCode;

use super::list::{Entry, Human, MOST, Tab, Target, View};
use super::prompt::{Ask, Deal, Next, Prompt};
use super::room::OpenRoom;
use crate::admin::message::{AdminAnswer, AdminRequest, RoomOrder, ServerStatus};

/// The orders of the rooms, as `s` goes through them.
const SORTS: [(RoomOrder, &str); 4] = [
    (RoomOrder::Code, "code"),
    (RoomOrder::Watching, "watching"),
    (RoomOrder::LastMove, "last move"),
    (RoomOrder::Age, "age"),
];

/// A text for the host, until the next key.
#[derive(Debug)]
pub(super) struct Notice {
    pub(super) text: String,
    pub(super) is_error: bool,
}

/// The live screen.
#[derive(Debug)]
pub(super) struct Screen {
    pub(super) status: Option<ServerStatus>,
    /// Why the server does not answer.
    pub(super) lost: Option<String>,
    pub(super) tab: Tab,
    views: [View; Tab::ALL.len()],
    /// The rooms that have no task.
    pub(super) asleep: usize,
    /// The place in [`SORTS`].
    sort: usize,
    pub(super) room: Option<OpenRoom>,
    pub(super) prompt: Option<Prompt>,
    pub(super) notice: Option<Notice>,
    pub(super) shows_help: bool,
    pub(super) has_ended: bool,
    /// The rows of a list that fit.
    rows: usize,
}

impl Screen {
    /// A screen with space for so many rows of a list.
    pub(super) fn new(rows: usize) -> Self {
        Self {
            status: None,
            lost: None,
            tab: Tab::Rooms,
            views: std::array::from_fn(|_| View::default()),
            asleep: 0,
            sort: 0,
            room: None,
            prompt: None,
            notice: None,
            shows_help: false,
            has_ended: false,
            rows,
        }
    }

    pub(super) const fn view(&self) -> &View {
        &self.views[self.tab as usize]
    }

    const fn view_mut(&mut self) -> &mut View {
        &mut self.views[self.tab as usize]
    }

    /// The order of the rooms in words.
    pub(super) const fn sort(&self) -> &'static str {
        SORTS[self.sort].1
    }

    /// The window has another size.
    pub(super) fn resize(&mut self, rows: usize) -> Vec<AdminRequest> {
        self.rows = rows;
        self.choose(self.view().selected)
    }

    /// The questions that the server gets each second.
    pub(super) fn questions(&self) -> Vec<AdminRequest> {
        vec![AdminRequest::Status, self.shown()]
    }

    /// The question about what is on the screen.
    fn shown(&self) -> AdminRequest {
        if let Some(room) = self.room.as_ref().filter(|room| room.gone.is_none()) {
            return AdminRequest::Room { room: room.code };
        }
        let view = self.view();
        let filter = view.filter.clone();
        let most = view.wanted(self.rows);
        match self.tab {
            Tab::Rooms => AdminRequest::Rooms { filter, sort: SORTS[self.sort].0, most },
            Tab::Parties => AdminRequest::Parties,
            Tab::People => AdminRequest::People { filter, most },
            Tab::Limits => AdminRequest::Limits,
            Tab::Bans => AdminRequest::Bans,
            Tab::Log => AdminRequest::Log,
        }
    }

    /// Takes the answer to a request.
    pub(super) fn answered(&mut self, request: &AdminRequest, answer: AdminAnswer) {
        self.lost = None;
        let rows = self.rows;
        let mut all = |tab: Tab, entries| self.views[tab as usize].take_all(entries, rows);
        match (request, answer) {
            (_, AdminAnswer::Status(status)) => self.status = Some(status),
            (AdminRequest::Rooms { filter, .. }, AdminAnswer::Rooms { rooms, total, asleep }) => {
                self.asleep = asleep;
                self.filtered(Tab::Rooms, filter, rooms.iter().map(Entry::from).collect(), total);
            }
            (
                AdminRequest::People { filter, .. },
                AdminAnswer::Connections { connections, total },
            ) => {
                let entries = connections.iter().map(Entry::from).collect();
                self.filtered(Tab::People, filter, entries, total);
            }
            (_, AdminAnswer::Parties { parties }) => {
                all(Tab::Parties, parties.iter().map(Entry::from).collect());
            }
            (_, AdminAnswer::Limits { limited }) => {
                all(Tab::Limits, limited.iter().map(Entry::from).collect());
            }
            (_, AdminAnswer::Bans { bans }) => {
                all(Tab::Bans, bans.iter().map(Entry::from).collect());
            }
            (_, AdminAnswer::Acts { acts }) => {
                all(Tab::Log, acts.iter().map(Entry::from).collect());
            }
            (AdminRequest::Room { room }, answer) => self.told_of(*room, answer),
            (_, AdminAnswer::Done { message }) => self.say(message.as_str()),
            (_, AdminAnswer::Refused { message }) => self.warn(message.as_str()),
            // No server answers so.
            (
                _,
                AdminAnswer::Rooms { .. }
                | AdminAnswer::Connections { .. }
                | AdminAnswer::Room { .. },
            ) => {}
        }
    }

    /// Takes rows that the server has filtered, unless the filter is another one by now.
    fn filtered(&mut self, tab: Tab, filter: &str, entries: Vec<Entry>, total: usize) {
        let view = &mut self.views[tab as usize];
        if view.filter == filter {
            view.take(entries, total, self.rows);
        }
    }

    fn told_of(&mut self, code: RoomCode, answer: AdminAnswer) {
        let Some(room) = self.room.as_mut().filter(|room| room.code == code) else { return };
        match answer {
            AdminAnswer::Room { snapshot, chat } => room.take(*snapshot, chat),
            AdminAnswer::Refused { message } => room.gone = Some(message),
            _ => {}
        }
    }

    /// The server does not answer a request.
    pub(super) fn unanswered(&mut self, request: &AdminRequest, why: String) {
        self.lost = Some(why);
        if !is_question(request) {
            self.warn("no answer: look in the log whether it is done");
        }
    }

    fn say(&mut self, text: &str) {
        self.notice = Some(Notice { text: text.to_owned(), is_error: false });
    }

    fn warn(&mut self, text: &str) {
        self.notice = Some(Notice { text: text.to_owned(), is_error: true });
    }

    /// Takes a pasted text: only a prompt for a text wants one.
    pub(super) fn paste(&mut self, text: &str) -> Vec<AdminRequest> {
        let Some(prompt) = self.prompt.as_mut().filter(|prompt| prompt.is_typed()) else {
            return Vec::new();
        };
        prompt.paste(text);
        let typed = prompt.clone().typed();
        self.next(typed)
    }

    /// Takes a key, and returns what the server is asked because of it.
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<AdminRequest> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && key.code == KeyCode::Char('c') {
            self.has_ended = true;
            return Vec::new();
        }
        self.notice = None;
        if let Some(prompt) = self.prompt.take() {
            return self.next(prompt.key(key));
        }
        if std::mem::take(&mut self.shows_help) || is_control {
            return Vec::new();
        }
        let at = self.view().selected;
        match key.code {
            KeyCode::Tab | KeyCode::Right => return self.show(self.tab.turned(1)),
            KeyCode::BackTab | KeyCode::Left => {
                return self.show(self.tab.turned(Tab::ALL.len() - 1));
            }
            KeyCode::Char(digit @ '1'..='6') => {
                return self.show(Tab::ALL[usize::from(digit as u8 - b'1')]);
            }
            KeyCode::Up => return self.choose(at.saturating_sub(1)),
            KeyCode::Down => return self.choose(at + 1),
            KeyCode::PageUp => return self.choose(at.saturating_sub(self.rows)),
            KeyCode::PageDown => return self.choose(at + self.rows),
            KeyCode::Home => return self.choose(0),
            KeyCode::End => return self.choose(MOST),
            KeyCode::Enter => return self.open(),
            KeyCode::Esc if self.room.take().is_some() => return self.questions(),
            KeyCode::Esc if !self.view().filter.is_empty() => {
                return self.next(Next::Filtered(String::new(), None));
            }
            KeyCode::Char('s') if self.tab == Tab::Rooms && self.room.is_none() => {
                self.sort = (self.sort + 1) % SORTS.len();
                return self.questions();
            }
            KeyCode::Char('/') if self.room.is_none() => {
                self.prompt = Some(Prompt::new(Ask::Filter, &self.view().filter));
            }
            KeyCode::Char('?') => self.shows_help = true,
            KeyCode::Char('q') => self.has_ended = true,
            KeyCode::Char(letter) => match self.asked(letter) {
                Ok(ask) => self.prompt = ask.map(|ask| Prompt::new(ask, "")),
                Err(why) => self.warn(&why),
            },
            _ => {}
        }
        Vec::new()
    }

    /// Goes on after an answer of the host.
    fn next(&mut self, next: Next) -> Vec<AdminRequest> {
        match next {
            Next::Typing(prompt) => self.prompt = Some(prompt),
            Next::Asked(ask) => self.prompt = Some(Prompt::new(ask, "")),
            Next::Send(request) => return [vec![request], self.questions()].concat(),
            Next::Filtered(filter, prompt) => {
                self.prompt = prompt;
                self.view_mut().filter = filter;
                return self.choose(0);
            }
            Next::Dropped(why) => self.say(&why),
        }
        Vec::new()
    }

    fn show(&mut self, tab: Tab) -> Vec<AdminRequest> {
        self.room = None;
        self.tab = tab;
        self.questions()
    }

    fn choose(&mut self, at: usize) -> Vec<AdminRequest> {
        let rows = self.rows;
        self.view_mut().choose(at, rows);
        vec![self.shown()]
    }

    /// Opens the chosen room, or the one that the chosen person is in.
    fn open(&mut self) -> Vec<AdminRequest> {
        let target = self.view().current().map(|entry| &entry.target);
        if let Some(Target::Room(room, _) | Target::Human(_, Some(room))) = target {
            self.room = Some(OpenRoom::new(*room));
            return self.questions();
        }
        Vec::new()
    }

    /// The question behind a letter; the error says why the letter does nothing here.
    fn asked(&self, letter: char) -> Result<Option<Ask>, String> {
        let is_closed = self.status.as_ref().is_some_and(|status| status.closed);
        let here = self.here();
        if let Some(deal) = Deal::of(letter) {
            return self.deal(deal).map(Some);
        }
        Ok(Some(match (letter, &here) {
            ('e', Some(Target::Room(room, _))) => Ask::EndReason(*room),
            ('e', Some(Target::Party(party))) => {
                let request = AdminRequest::EndParty { party: *party };
                Ask::Sure(request, format!("End party {party} and its games"))
            }
            ('u', Some(Target::Ban(ban, who))) => {
                let request = AdminRequest::Unban { ban: *ban };
                Ask::Sure(request, format!("Lift ban {ban} of {who}"))
            }
            ('u', _) => return Err("choose a ban first: 5".to_owned()),
            ('m', _) => Ask::Say(None),
            ('M', Some(Target::Room(room, _))) => Ask::Say(Some(*room)),
            ('M', Some(Target::Party(party))) => Ask::Say(Some(party.0)),
            ('M', Some(Target::Human(Human { from: Some(from), .. }, _))) => Ask::Say(Some(*from)),
            ('e' | 'M', _) => return Err("choose a room or a party first: 1 or 2".to_owned()),
            ('c', _) if is_closed => {
                Ask::Sure(AdminRequest::Open, "Allow new rooms and parties".to_owned())
            }
            ('c', _) => Ask::Sure(
                AdminRequest::Close,
                "Refuse new rooms and parties until you press c".to_owned(),
            ),
            ('w', _) => {
                let status = self.status.as_ref().ok_or("the server has not answered yet")?;
                Ask::Switch(status.features)
            }
            _ => return Ok(None),
        }))
    }

    /// The thing that the host looks at.
    fn here(&self) -> Option<Target> {
        match &self.room {
            Some(room) => Some(Target::Room(room.code, room.humans())),
            None => self.view().current().map(|entry| entry.target.clone()),
        }
    }

    /// The question that comes before an act on the chosen person.
    fn deal(&self, deal: Deal) -> Result<Ask, String> {
        let nobody = || "choose a person first: 3, or a room with people at the board".to_owned();
        let mut humans = match self.here().ok_or_else(nobody)? {
            Target::Human(human, _) => vec![human],
            Target::Room(_, humans) => humans,
            Target::Limited(Some(who)) if matches!(deal, Deal::Ban | Deal::BanAddress) => {
                return Ok(Ask::BanTime(who, who.to_string()));
            }
            _ => Vec::new(),
        };
        let first = humans.pop().ok_or_else(nobody)?;
        match humans.pop() {
            Some(other) => Ok(Ask::Which(deal, [other, first])),
            None => deal.with(first),
        }
    }
}

/// Whether a request changes nothing.
const fn is_question(request: &AdminRequest) -> bool {
    matches!(
        request,
        AdminRequest::Status
            | AdminRequest::Rooms { .. }
            | AdminRequest::Room { .. }
            | AdminRequest::Parties
            | AdminRequest::People { .. }
            | AdminRequest::Limits
            | AdminRequest::Bans
            | AdminRequest::Log
    )
}
