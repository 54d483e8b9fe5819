//! The talk in the room, and the people whom the player has muted in it. A muted person is muted here at
//! once, whatever the server says.

use noughts_protocol::{CHAT_LINES, ChatLine, MAX_MUTED, PlayerId};

/// The talk in the room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chat {
    /// The last lines of the players and of the spectators, in the order of their numbers, without
    /// those of muted people.
    pub lines: Vec<ChatLine>,
    /// The people whom the player has muted.
    pub muted: Vec<PlayerId>,
    /// Whether the server has told who is muted since the last welcome.
    told: bool,
}

/// The changes that a message of the server makes.
#[derive(Debug, Default)]
pub(super) struct NewLines {
    /// The lines that were not there before.
    pub(super) lines: Vec<ChatLine>,
    /// Whether other people are muted now.
    pub(super) mutes: bool,
    /// The muted people whom the server has forgotten.
    pub(super) forgotten: Vec<PlayerId>,
}

impl Chat {
    /// Hides what somebody says, or lets it be heard again.
    pub(super) fn mute(&mut self, player: PlayerId, mute: bool) {
        self.muted.retain(|muted| *muted != player);
        if mute {
            self.muted.push(player);
            self.lines.retain(|line| line.player != player);
        }
    }

    /// After a break the server may have forgotten who is muted.
    pub(super) const fn lose(&mut self) {
        self.told = false;
    }

    /// Takes in new lines, and who is muted if the server tells it. `pending` says for whom a `mute`
    /// is unanswered: there the player's wish counts.
    pub(super) fn hear(
        &mut self,
        told: Vec<ChatLine>,
        list: Option<&[PlayerId]>,
        pending: impl Fn(PlayerId) -> bool,
    ) -> NewLines {
        let mut heard = NewLines::default();
        if let Some(list) = list {
            let muted = self.muted_after(list, pending);
            heard.mutes = muted != self.muted;
            self.muted = muted;
            if !self.told {
                let lacks = |player: &&PlayerId| !list.contains(player);
                heard.forgotten.extend(self.muted.iter().filter(lacks));
            }
            self.told = true;
        }
        let mut fresh = Vec::new();
        for line in told {
            if self.muted.contains(&line.player) {
                heard.forgotten.push(line.player);
            } else if self.lines.iter().all(|known| known.n != line.n) {
                fresh.push(line.n);
                self.lines.push(line);
            }
        }
        let muted = &self.muted;
        self.lines.retain(|line| !muted.contains(&line.player));
        self.lines.sort_by_key(|line| line.n);
        self.keep_last();
        let lines = self.lines.iter().filter(|line| fresh.contains(&line.n));
        heard.lines = lines.cloned().collect();
        heard
    }

    /// The muted people after the server's list. The first list after a welcome may be of a server that
    /// has forgotten some; a later one is right but for what is on its way.
    fn muted_after(&self, list: &[PlayerId], pending: impl Fn(PlayerId) -> bool) -> Vec<PlayerId> {
        let stays = |player: &&PlayerId| !self.told || list.contains(player) || pending(**player);
        let joins = |player: &&PlayerId| !self.muted.contains(player) && !pending(**player);
        let muted = self.muted.iter().filter(stays).chain(list.iter().filter(joins));
        muted.copied().take(MAX_MUTED).collect()
    }

    /// Drops what is older than the last lines of the players and of the spectators.
    fn keep_last(&mut self) {
        let count = |seated: bool| self.lines.iter().filter(|l| l.seat.is_some() == seated).count();
        let mut spare = [false, true].map(|seated| count(seated).saturating_sub(CHAT_LINES));
        self.lines.retain(|line| {
            let spare = &mut spare[usize::from(line.seat.is_some())];
            let drops = *spare > 0;
            *spare -= usize::from(drops);
            !drops
        });
    }
}
