//! Talk in the room of a story, the answers to questions about kept games, and a forgotten player.

use noughts_protocol::{
    BoardClass, CHAT_LINES, ChatLine, ChatMode, Found, Leaderboard, Period, PlayerName, Profile,
    Said, Tally,
};

use super::*;

/// Somebody who watches.
pub(in crate::wire::stories) const EVE: PlayerId = PlayerId(0x45c4_8cce_2e2d_7fbd);

/// The lines so far, and the mutes of the client's player.
#[derive(Debug, Default)]
pub(super) struct Talk {
    lines: Vec<ChatLine>,
    /// The number of the last line. It grows over a restart too.
    last: u64,
    /// The last line that the client was told or could not hear.
    told: u64,
    muted: Vec<PlayerId>,
    /// The ids of what the client has said, so that a repeat is not said twice.
    said: Vec<IntentId>,
}

impl Server {
    /// Somebody says something.
    pub(in crate::wire::stories) fn say(&mut self, player: PlayerId, said: Said) {
        let name = match player {
            ADA => "Ada",
            BEN => "Ben Łoś",
            _ => "Eve",
        };
        let name: PlayerName = name.parse().expect("a name");
        self.talk.last += 1;
        let (n, seat) = (self.talk.last, self.room.marks_of(player).next());
        self.talk.lines.push(ChatLine { n, player, name, seat, said });
        self.tell_new_lines();
    }

    /// Tells the client the lines that it may hear by now.
    pub(super) fn tell_new_lines(&mut self) {
        let hears_all = self.hears_all();
        let new = |line: &&ChatLine| line.n > self.talk.told && (hears_all || line.seat.is_some());
        let lines: Vec<ChatLine> = self.audible(self.talk.lines.iter().filter(new));
        if hears_all {
            self.talk.told = self.talk.last;
        }
        let room = self.room.code;
        if !lines.is_empty() && self.member {
            // A repeated line is kept once.
            self.tell(ServerMessage::Chat { room, lines, muted: None });
        }
    }

    /// Whether the client hears the spectators: it watches, or no game runs.
    fn hears_all(&self) -> bool {
        self.room.marks_of(ADA).next().is_none() || !self.room.is_running()
    }

    fn audible<'a>(&self, lines: impl Iterator<Item = &'a ChatLine>) -> Vec<ChatLine> {
        lines.filter(|line| !self.talk.muted.contains(&line.player)).cloned().collect()
    }

    /// The last lines, and who is muted, after a snapshot.
    pub(super) fn tell_talk(&mut self) {
        let hears_all = self.hears_all();
        let (players, spectators): (Vec<&ChatLine>, Vec<&ChatLine>) =
            self.talk.lines.iter().partition(|line| line.seat.is_some());
        let last = |lines: &[&ChatLine]| lines.len().saturating_sub(CHAT_LINES);
        let mut lines = players[last(&players)..].to_vec();
        if hears_all {
            lines.extend(&spectators[last(&spectators)..]);
        }
        lines.sort_by_key(|line| line.n);
        let lines = self.audible(lines.into_iter());
        if !lines.is_empty() || !self.talk.muted.is_empty() {
            let (room, muted) = (self.room.code, Some(self.talk.muted.clone()));
            self.told.push(ServerMessage::Chat { room, lines, muted });
        }
    }

    /// The client's words, or the person whom it mutes; `None` for other intents.
    pub(super) fn serve_talk(
        &mut self,
        id: IntentId,
        intent: &RoomIntent,
    ) -> Option<Result<(), Refusal>> {
        match intent {
            RoomIntent::Say { said } => {
                let allowed = match said {
                    Said::Text(_) => self.room.settings.chat == ChatMode::Text,
                    Said::Emote(_) => self.room.settings.chat != ChatMode::Off,
                };
                if !allowed {
                    return Some(Err(refusal(RefusalCode::ChatOff)));
                }
                if !self.talk.said.contains(&id) {
                    self.talk.said.push(id);
                    self.say(ADA, said.clone());
                }
                Some(Ok(()))
            }
            RoomIntent::Mute { player, mute } => {
                self.mute(*player, *mute);
                Some(Ok(()))
            }
            _ => None,
        }
    }

    /// Ada mutes somebody, on this device or another one.
    pub(in crate::wire::stories) fn mute(&mut self, player: PlayerId, mute: bool) {
        self.talk.muted.retain(|muted| *muted != player);
        self.talk.muted.extend(mute.then_some(player));
        let hears_all = self.hears_all();
        let again =
            |line: &&ChatLine| !mute && line.player == player && (hears_all || line.seat.is_some());
        let lines = self.audible(self.talk.lines.iter().filter(again));
        let (room, muted) = (self.room.code, Some(self.talk.muted.clone()));
        self.tell(ServerMessage::Chat { room, lines, muted });
    }

    /// The server restarts: nobody knows what was said.
    pub(in crate::wire::stories) fn forget_talk(&mut self) {
        let last = self.talk.last + 1_000;
        self.talk = Talk { last, told: last, ..Talk::default() };
    }

    /// The answer to a question, as far as stories need it.
    pub(super) fn found(intent: &LobbyIntent) -> Option<Found> {
        match intent {
            LobbyIntent::History { .. } => Some(Found::History { games: Vec::new(), more: false }),
            LobbyIntent::Export { .. } => Some(Found::Export { text: String::new(), next: None }),
            LobbyIntent::Leaderboard { class, period } => {
                Some(Found::Leaderboard { leaderboard: board(*class, *period) })
            }
            LobbyIntent::Profile { player } => {
                Some(Found::Profile { profile: profile(player.unwrap_or(ADA)) })
            }
            _ => None,
        }
    }
}

fn board(class: BoardClass, period: Period) -> Leaderboard {
    Leaderboard { class, period, least_games: 5, rows: Vec::new() }
}

fn profile(player: PlayerId) -> Profile {
    Profile {
        player,
        name: "Ben Łoś".parse().expect("a name"),
        first_at: None,
        last_at: None,
        tally: Tally::default(),
        streak: 0,
        best_streak: 0,
        boards: Vec::new(),
        computers: Vec::new(),
        opponents: Vec::new(),
        you: None,
        ratings: Vec::new(),
        recent: Vec::new(),
    }
}
