//! How the full screen shows what happens in the session.

use noughts_client::session::{Happening, LookupKind, Welcome};
use noughts_protocol::{
    ByMark, ClientMessage, Event, Features, GameKind, LobbyIntent, PartyCode, PartyEvent,
    PartyRole, Refusal, RefusalCode, Role, RoomIntent, Seat, Variant,
};

use super::App;
use crate::action::Action;
use crate::choices::FormKind;
use crate::client::Exit;
use crate::config::Change;
use crate::strings;
use crate::tui::connect::{Form, Wait};
use crate::tui::field_form::{FieldForm, Topic};
use crate::tui::keys::ACCEPT;
use crate::tui::menu::Menu;
use crate::tui::notifications::Watched;
use crate::tui::overlay::{Overlay, Question};
use crate::tui::party::can_decide;
use crate::tui::screen::Screen;
use crate::tui::settings::Settings;
use crate::tui::shell::{Effect, OFFLINE};

impl App {
    pub(super) fn all_happened(&mut self, happenings: Vec<Happening>) {
        // On the first row it is on whatever comes first.
        let is_moved = matches!(self.screen, Screen::Menu) && self.shell.selected() > 0;
        let item = self.menu.item.filter(|_| is_moved);
        for happening in happenings {
            let shell = &mut self.shell;
            let change = shell.client.remember(&happening, &shell.session);
            shell.effects.extend(change.map(Effect::Save));
            match strings::host::says(&happening, &format!("press {ACCEPT}")) {
                Some(text) => self.announced(text),
                None => self.happened(happening),
            }
        }
        let shell = &mut self.shell;
        if let Some(view) = shell.session.room() {
            let game = strings::variant::game(&view.state.settings);
            let standing = strings::standing(view);
            shell.seen.insert(view.state.code, format!("{standing} when you left ({game})"));
        }
        // Seats above it come and go.
        if let Some(item) = item.filter(|_| matches!(self.screen, Screen::Menu)) {
            Menu::choose_again(&mut self.shell, item);
        }
        self.call();
    }

    /// Calls the player, if something waits for them and they look elsewhere.
    fn call(&mut self) {
        let bell = self.shell.client.preferences.bell;
        let party = self.party.call(&self.shell);
        let party = party.filter(|_| bell && self.shell.watched != Watched::Yes);
        self.shell.effects.extend(party.map(|text| Effect::Call(text.into())));
        let room = self.calls.next(&self.shell.session, self.shell.watched);
        self.shell.effects.extend(room.filter(|_| bell).map(Effect::Call));
    }

    fn happened(&mut self, happening: Happening) {
        let shell = &mut self.shell;
        match happening {
            Happening::Welcome { welcome, first } => self.greeted(&welcome, first),
            Happening::Switched { before, now } => self.switched(before, now),
            Happening::Entered => self.entered(),
            Happening::Applied(ClientMessage::Lobby {
                intent: LobbyIntent::CancelMatch, ..
            }) => {
                // Another match may have been asked for since.
                if matches!(self.screen, Screen::Wait(Wait::Match(_))) && !shell.session.is_queued()
                {
                    self.show_menu();
                }
            }
            Happening::Lost(_) if self.room.lose_hint() => shell.error(OFFLINE),
            Happening::Hint => self.room.hint_came(shell),
            Happening::Review if matches!(self.screen, Screen::Room) => {
                self.room.review_came(shell);
            }
            Happening::Party => self.party_came(),
            Happening::PartyEvent(event) => self.party_event(&event),
            Happening::Pass { code, left } => {
                if let Screen::People(people) = &mut self.screen {
                    people.pass_came(shell, code, left);
                }
            }
            Happening::PlacePass(entrant, pass) => self.party.pass_came(shell, entrant, &pass),
            Happening::PartyLost(_, refusal) => {
                let here = match &self.screen {
                    Screen::Field(form) => form.topic.is_hosts(),
                    screen => matches!(screen, Screen::Party),
                };
                if here {
                    self.show_menu();
                }
                self.party.left();
                self.shell.error(format!("The party is gone: {refusal}."));
            }
            Happening::IsParty(code) => self.is_party(code),
            Happening::Chat(lines) if matches!(self.screen, Screen::Room) => {
                self.room.heard(shell, &lines);
            }
            Happening::Answered(kind) => self.answered(kind),
            Happening::Forgotten => {
                shell.start.action = Action::Menu;
                self.overlay = None;
                self.show(Screen::Wait(Wait::Server));
                self.shell.info("You are forgotten here. From now on you are somebody new.");
            }
            Happening::Event { event, before } => self.event(&event, &before),
            // A player who leaves a finished table is not away.
            Happening::Presence(_) if shell.is_done_at_table() => {}
            Happening::Presence(changes) => {
                let Some(view) = shell.session.room() else { return };
                let texts =
                    changes.iter().filter_map(|change| strings::presence_text(view, change));
                let text = texts.collect::<Vec<_>>().join(" ");
                if !text.is_empty() {
                    self.room.tell(shell, text);
                }
            }
            Happening::Refused(intent, refusal) => self.refused(&intent, &refusal),
            Happening::Closed(..) | Happening::RoomLost(..) => self.room_gone(&happening),
            Happening::PasswordWanted(why) => self.password_wanted(why.to_string()),
            Happening::Ended(end) => self.ended(strings::ended(&end)),
            // The room and the lobby are drawn from the session.
            other => strings::problem(&other).into_iter().for_each(|text| shell.error(text)),
        }
    }

    /// Shows that the server has answered, and whether others see another name than the player wants.
    fn greeted(&mut self, welcome: &Welcome, first: bool) {
        let shell = &mut self.shell;
        let given = strings::host::given_name(welcome);
        if first {
            shell.share_address = shell.client.choice.server.share_address(&welcome.server);
            self.welcomed();
            given.into_iter().for_each(|text| self.shell.info(text));
        } else {
            let given = given.unwrap_or_default();
            shell.info(format!("Connected again. {given}").trim_end());
        }
    }

    /// Plays with the person who asked last.
    pub(super) fn accept(&mut self) {
        match self.shell.session.take_challenge(self.shell.now) {
            Some(room) => self.begin(Action::join(room, Role::Player)),
            None => self.shell.info("Nobody asks you to play now."),
        }
    }

    /// Shows what somebody says who is not here, and calls a player who looks elsewhere.
    fn announced(&mut self, text: String) {
        let shell = &mut self.shell;
        if shell.client.preferences.bell && shell.watched != Watched::Yes {
            shell.effects.push(Effect::Call(text.clone().into()));
        }
        self.announcements.add(text, shell.now);
    }

    /// The host has switched features: a screen that is off now closes.
    fn switched(&mut self, before: Features, now: Features) {
        if !now.chat {
            self.room.talk.close();
        }
        let is_off = match &mut self.screen {
            Screen::Setup(setup) => {
                setup.0.switch(now);
                setup.0.kind == FormKind::Game(GameKind::Quick) && !now.quick_match
            }
            Screen::Lobby(_) => !now.listing,
            Screen::People(people) => people.shows_leaders() && !now.ratings,
            _ => false,
        };
        if is_off {
            self.show_menu();
        }
        self.room.tell(&mut self.shell, strings::host::switched(before, now).join(" "));
    }

    /// Shows what the first answer of a server leads to: the settings after another name. Asks for the
    /// seat of an earlier run, to have it first in the menu.
    fn welcomed(&mut self) {
        let start = &mut self.shell.start;
        let renamed = start.earlier.take().is_some_and(|(server, ..)| {
            server == self.shell.client.choice.server && start.action == Action::Menu
        });
        let action = start.action.clone();
        self.begin(action);
        if renamed {
            self.show(Screen::Settings(Settings));
        }
        let shell = &mut self.shell;
        let from_menu = shell.start.action == Action::Menu;
        if let Some(room) = shell.client.profile.saved.room.filter(|_| from_menu) {
            // As a spectator a player gets the seat back, and somebody who has none takes none.
            shell.ask(LobbyIntent::Join { room, role: Role::Spectator });
            shell.start.returning = Some(room);
        }
    }

    fn password_wanted(&mut self, why: String) {
        self.show(FieldForm::password());
        // The first question is no error.
        match self.shell.client.choice.password.take() {
            Some(_) => self.shell.error(why),
            None => self.shell.message = None,
        }
    }

    fn ended(&mut self, why: String) {
        if self.shell.start.may_change_server && matches!(self.screen, Screen::Wait(Wait::Server)) {
            self.show(Screen::Form(Form::of(&self.shell.client)));
            self.shell.error(why);
        } else {
            self.quit(Exit::Lost(why));
        }
    }

    /// Shows the answer to a question about kept games or people.
    fn answered(&mut self, kind: LookupKind) {
        let shell = &mut self.shell;
        match (kind, &mut self.screen) {
            (LookupKind::History, Screen::Games(games)) => games.came(shell),
            (LookupKind::Game, Screen::Replay(replay)) => {
                let first = replay.is_first();
                match replay.came(shell) {
                    Ok(()) => {}
                    Err(refusal) if first => self.quit(Exit::Refused(refusal.to_string())),
                    Err(refusal) => {
                        self.close_replay();
                        self.shell.error(refusal.to_string());
                    }
                }
            }
            (LookupKind::Puzzle, Screen::Puzzle(puzzle)) => puzzle.came(shell),
            (LookupKind::Profile, Screen::Setup(setup)) => setup.rating_came(shell),
            (LookupKind::Review, Screen::Replay(replay)) => replay.review_came(shell),
            (
                LookupKind::Profile | LookupKind::Leaderboard | LookupKind::Here,
                Screen::People(people),
            ) if people.file.is_none() => {
                people.came(shell, kind);
            }
            // The full screen writes no files.
            _ => {}
        }
    }

    /// The code of a room is a party's: follows the party.
    fn is_party(&mut self, code: PartyCode) {
        let start = &mut self.shell.start;
        // A join as a spectator gives an entrant the place back. It makes nobody else an entrant.
        if start.returning.take_if(|returning| *returning == code.0).is_some() {
            let role = PartyRole::Spectator;
            self.shell.ask(LobbyIntent::JoinParty { party: code, role });
            return;
        }
        let watches = start.action == Action::join(code.0, Role::Spectator);
        let role = if watches { PartyRole::Spectator } else { PartyRole::Player };
        self.begin(Action::join_party(code, role));
    }

    /// The party was loaded: shows it, unless the player's game is on the screen.
    fn party_came(&mut self) {
        self.party.came(&mut self.shell);
        if matches!(self.screen, Screen::Wait(Wait::Room | Wait::Server)) {
            self.show_party();
        }
    }

    /// Tells what happened in the party.
    fn party_event(&mut self, event: &PartyEvent) {
        let text = self.party.event(&self.shell, event);
        let here = matches!(self.screen, Screen::Party | Screen::Room | Screen::Menu);
        text.into_iter().filter(|_| here).for_each(|text| self.room.tell(&mut self.shell, text));
        let lists = matches!(event, PartyEvent::Ended { .. } | PartyEvent::Again { .. });
        if lists && matches!(self.screen, Screen::Party) {
            self.party.select_first(&mut self.shell);
        }
        if let Some(Overlay::Question(Question::Decide(number))) = self.overlay
            && !can_decide(&self.shell, number)
        {
            self.overlay = None;
        }
    }

    /// The room has ended, or cannot be entered again. A party goes on without it.
    fn room_gone(&mut self, happening: &Happening) {
        let here = matches!(self.screen, Screen::Room);
        if self.shell.session.party().is_some() {
            if here {
                self.show_party();
            }
            return;
        }
        if here {
            self.show_menu();
        }
        match happening {
            Happening::Closed(_, reason) => self.shell.info(strings::close_reason(*reason)),
            Happening::RoomLost(room, refusal) => {
                let why = strings::room_lost(*room, refusal);
                self.shell.error(format!("Your room is gone: {why}."));
            }
            _ => {}
        }
    }

    fn event(&mut self, event: &Event, before: &ByMark<Seat>) {
        self.room.event(&mut self.shell, event, before);
        // The question may be about the game that is over.
        let playing = self.shell.is_playing();
        let about_over = self.overlay == Some(Overlay::Question(Question::Series));
        let help =
            matches!(self.overlay, Some(Overlay::Help { .. } | Overlay::Emotes | Overlay::Notes));
        let closes = if playing { about_over } else { !help };
        if closes && self.shell.session.room().is_some() {
            self.overlay = None;
        }
        self.explain();
    }

    /// Shows the notes about the variant of a first game. They are shown once.
    fn explain(&mut self) {
        let Some(view) = self.shell.session.room().filter(|view| view.is_playing()) else { return };
        let variant = view.state.settings.variant;
        let saved = &mut self.shell.client.profile.saved;
        let is_known = variant == Variant::Line || saved.explained.contains(variant.name());
        if is_known || self.overlay.is_some() || !matches!(self.screen, Screen::Room) {
            return;
        }
        let change = Change::Explained(variant);
        saved.apply(change.clone());
        self.shell.effects.push(Effect::Save(change));
        self.overlay = Some(Overlay::Notes);
    }

    fn entered(&mut self) {
        let shell = &mut self.shell;
        let Some(view) = shell.session.room() else { return };
        self.room.center(view);
        if shell.start.returning.take() == Some(view.state.code) {
            // Somebody else has the seat.
            if view.is_watching() {
                shell.ask(RoomIntent::Leave);
            } else if matches!(self.screen, Screen::Menu) {
                self.show_menu();
            }
            return;
        }
        if matches!(self.screen, Screen::Lobby(_)) {
            shell.ask(LobbyIntent::UnwatchLobby);
        }
        self.room.begin(shell);
        self.show(Screen::Room);
        self.overlay = None;
        self.shell.message = None;
        // A player who comes straight into a room has not read it yet.
        self.shell.client.notice.take().into_iter().for_each(|notice| self.shell.info(notice));
        self.explain();
    }

    /// Handles a refusal: goes back to a screen where the player can try something else.
    fn refused(&mut self, message: &ClientMessage, refusal: &Refusal) {
        match message {
            ClientMessage::Room { intent: RoomIntent::Say { said }, .. } => {
                self.room.talk.refused(said);
            }
            ClientMessage::Lobby { intent, .. } if !self.lobby_refused(intent, refusal) => return,
            _ => {}
        }
        self.shell.error(refusal.to_string());
    }

    /// Goes back from where an intent for the lobby was to lead. Returns whether the player is told why.
    fn lobby_refused(&mut self, intent: &LobbyIntent, refusal: &Refusal) -> bool {
        if let LobbyIntent::Join { room, .. } = intent
            && self.shell.start.returning.take_if(|returning| returning == room).is_some()
        {
            return false;
        }
        let in_menu = match &self.screen {
            Screen::Menu | Screen::Setup(_) => true,
            Screen::Field(form) => form.topic == Topic::Code,
            _ => false,
        };
        let spectators = self.shell.client.choice.features.spectators;
        match intent {
            // The player has given the room up.
            LobbyIntent::Join { .. }
            | LobbyIntent::Create { .. }
            | LobbyIntent::Challenge { .. }
                if in_menu =>
            {
                return false;
            }
            LobbyIntent::Join { room, role } => {
                self.show_menu();
                match (refusal.code, role) {
                    (RefusalCode::SeatsTaken, Role::Player) if spectators => {
                        self.overlay = Some(Overlay::Question(Question::Watch(*room)));
                    }
                    // A wrong code is shown again, so that the player can correct it.
                    (RefusalCode::NoSuchRoom, _) => self.show(FieldForm::code(Some(*room))),
                    _ => {}
                }
            }
            LobbyIntent::Create { .. }
            | LobbyIntent::Challenge { .. }
            | LobbyIntent::QuickMatch { .. }
            | LobbyIntent::CreateParty { .. } => self.show_menu(),
            LobbyIntent::JoinParty { .. } => {
                self.party.asks_to_play = false;
                // Somebody who looks on may stay.
                if self.shell.session.party().is_none() {
                    self.show_menu();
                }
            }
            _ => {}
        }
        true
    }
}
