//! The talk in the room.

use super::*;
use noughts_protocol::MAX_UNANSWERED;

impl Session {
    pub(super) fn heard(
        &mut self,
        room: RoomCode,
        lines: Vec<ChatLine>,
        muted: Option<&[PlayerId]>,
    ) {
        let Self { room: view, unanswered, .. } = self;
        let Some(view) = view.as_mut().filter(|view| view.state.code == room) else { return };
        let heard = view.chat.hear(lines, muted, |player| is_pending(unanswered, room, player));
        // Both lists show mutes that the server has forgotten.
        for player in heard.forgotten {
            let full = self.unanswered.len() >= MAX_UNANSWERED;
            if !full && !is_pending(&self.unanswered, room, player) {
                self.ask_in(room, RoomIntent::Mute { player, mute: true });
            }
        }
        if heard.mutes || !heard.lines.is_empty() {
            self.happened(Happening::Chat(heard.lines));
        }
    }
}

/// Whether a `mute` of this person is unanswered.
fn is_pending(unanswered: &[ClientMessage], room: RoomCode, player: PlayerId) -> bool {
    unanswered
        .iter()
        .filter_map(|message| intent_in(message, room))
        .any(|intent| matches!(intent, RoomIntent::Mute { player: muted, .. } if muted == player))
}
