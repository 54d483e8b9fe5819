//! Talk in the room, and the answers to questions about kept games and people.

use super::*;

impl Client {
    pub(super) fn heard(
        &mut self,
        room: RoomCode,
        told: Vec<ChatLine>,
        list: Option<&[PlayerId]>,
        now: u64,
    ) {
        let asked = self.asked_to_mute();
        let view = self.room.as_mut().expect("a room");
        let before = (view.lines.clone(), view.muted.clone());
        let mut lost = Vec::new();
        if let Some(list) = list {
            // The player's newest wish counts more than a list from before it.
            let known = view.listed;
            view.muted.retain(|one| !known || list.contains(one) || asked.contains(one));
            let new = list.iter().filter(|one| !before.1.contains(one) && !asked.contains(one));
            view.muted.extend(new);
            view.muted.truncate(MAX_MUTED);
            view.listed = true;
            if !known {
                lost.extend(view.muted.iter().filter(|one| !list.contains(one)));
            }
        }
        lost.extend(told.iter().map(|line| line.player).filter(|one| view.muted.contains(one)));
        for line in told {
            if !view.lines.iter().any(|known| known.n == line.n) {
                view.lines.push(line);
            }
        }
        view.lines.sort_by_key(|line| line.n);
        view.hide();
        for seated in [true, false] {
            let all: Vec<u64> =
                view.lines.iter().filter(|l| l.seat.is_some() == seated).map(|l| l.n).collect();
            let old = &all[..all.len().saturating_sub(CHAT_LINES)];
            view.lines.retain(|line| !old.contains(&line.n));
        }
        let heard = view.lines.iter().any(|line| !before.0.contains(line));
        let changed = view.muted != before.1;
        for player in lost {
            if self.unanswered.len() < MAX_UNANSWERED && !self.asked_to_mute().contains(&player) {
                let intent = RoomIntent::Mute { player, mute: true };
                let id = self.fresh();
                self.send_tracked(ClientMessage::Room { intent, id, room }, now);
            }
        }
        if heard || changed {
            self.happens("chat");
        }
    }

    /// The people whom an unanswered `mute` is about.
    fn asked_to_mute(&self) -> Vec<PlayerId> {
        let muted = |message: &ClientMessage| match message {
            ClientMessage::Room { intent: RoomIntent::Mute { player, .. }, room, .. } => {
                (Some(*room) == self.code()).then_some(*player)
            }
            _ => None,
        };
        self.unanswered.iter().filter_map(muted).collect()
    }

    /// A new question takes the place of the last one of its kind.
    pub(super) fn replace_question(&mut self, message: &ClientMessage) {
        let Some(intent) = lobby_intent(message) else { return };
        let is_question = matches!(
            intent,
            LobbyIntent::History { .. }
                | LobbyIntent::Game { .. }
                | LobbyIntent::ReviewGame { .. }
                | LobbyIntent::Profile { .. }
                | LobbyIntent::Leaderboard { .. }
                | LobbyIntent::Export { .. }
        );
        if !is_question {
            return;
        }
        let kind = serde_json::to_value(intent).expect("JSON")["type"].take();
        let kind = kind.as_str().expect("a tag").to_owned();
        let id = message.id().expect("an intent");
        if let Some((before, _)) = self.questions.insert(kind, (id, json("asked"))) {
            self.unanswered.retain(|message| message.id() != Some(before));
        }
    }

    /// Keeps an answer; false if it answers no question.
    pub(super) fn question_answered(&mut self, id: IntentId, answer: String) -> bool {
        let question = self.questions.values_mut().find(|(asked, _)| *asked == id);
        let found = question.map(|question| question.1 = answer).is_some();
        if found {
            self.happens("answered");
        }
        found
    }

    pub(super) fn shown_questions(&self) -> String {
        let fields: Vec<String> = self
            .questions
            .iter()
            .map(|(kind, (_, answer))| format!(r#""{kind}":{answer}"#))
            .collect();
        format!("{{{}}}", fields.join(","))
    }
}

impl View {
    /// Drops the lines of muted people.
    pub(super) fn hide(&mut self) {
        self.lines.retain(|line| !self.muted.contains(&line.player));
    }
}
