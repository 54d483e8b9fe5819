//! The wishes of the full screen outside its cells: calls, the window's title, the mouse and the
//! clipboard.

use super::{App, Effect, Screen};
use crate::tui::notifications::{self, Moment, Watched};

impl App {
    /// Calls the player, if something waits for them and they look elsewhere.
    pub(super) fn call(&mut self) {
        if let Some(text) = self.party_call()
            && self.client.preferences.bell
            && self.watched != Watched::Yes
        {
            self.effects.push(Effect::Call(text.into()));
        }
        let now = self.session.room().and_then(Moment::of);
        let before = std::mem::replace(&mut self.moment, now);
        let queued = std::mem::replace(&mut self.queued, self.session.is_queued());
        let Some((call, moment)) = notifications::call(before, now, queued).zip(now) else {
            return;
        };
        let rings = self.client.preferences.bell && notifications::rings(self.watched, moment);
        if let Some(view) = self.session.room().filter(|_| rings) {
            self.effects.push(Effect::Call(notifications::text(call, view)));
        }
    }

    /// The window's title.
    #[must_use]
    pub fn title(&self) -> String {
        let ascii = self.client.options.ascii;
        if let Some(party) = self.party()
            && (self.is_awaited() || matches!(self.screen, Screen::Party))
        {
            return notifications::party_title(&party.state.name, self.is_awaited(), ascii);
        }
        notifications::title(self.session.room(), self.unread(), ascii)
    }

    /// Whether clicks do something here. Else the mouse is left to the terminal, which selects text
    /// with it, such as a room's link.
    #[must_use]
    pub fn wants_mouse(&self) -> bool {
        match self.screen {
            Screen::Menu
            | Screen::Settings
            | Screen::Servers
            | Screen::Setup(_)
            | Screen::PartySetup(_)
            | Screen::Games
            | Screen::Replay
            | Screen::People
            | Screen::Party
            | Screen::Lobby => true,
            Screen::Room => self
                .session
                .room()
                .is_some_and(|view| !view.is_watching() && view.state.game.is_some()),
            Screen::Form(_)
            | Screen::Password(_)
            | Screen::Code(_)
            | Screen::SaveIdentity(_)
            | Screen::Connecting
            | Screen::PartyName(_)
            | Screen::PartyNote(_)
            | Screen::Entering
            | Screen::Quick { .. } => false,
        }
    }

    /// Copies the room's link. Where nothing says that this works, the message shows the link too.
    pub(super) fn copy_link(&mut self) {
        let Some(view) = self.session.room() else { return };
        let link = self.share_address.room_link(view.state.code);
        self.info(if self.client.options.escape_codes.clipboard {
            format!("Copied the link: {link}")
        } else {
            format!("The link: {link}")
        });
        self.effects.push(Effect::Copy(link));
    }
}
