//! What the player asks, and whether it is possible as far as a client knows.

use noughts_protocol::PartyIntent;

use super::*;

impl Client {
    pub(super) fn asked(&mut self, asked: ClientMessage, now: u64) {
        let repairs = |m: &&ClientMessage| {
            sync_of(m).is_some() || self.is_return(m) || self.is_party_repair(m)
        };
        if self.unanswered.len() - self.unanswered.iter().filter(repairs).count() >= MAX_UNANSWERED
        {
            return self.happens("busy");
        }
        if !self.allows(&asked) {
            return self.happens("blocked");
        }
        let message = with_id(asked, self.fresh());
        self.replace_question(&message);
        match &message {
            ClientMessage::Room { intent, room, .. } => {
                self.room_asked(intent, *room, &message);
            }
            ClientMessage::Lobby { intent, id } => self.lobby_asked(intent, *id, &message),
            ClientMessage::Party { intent, .. } => {
                if *intent == PartyIntent::LeaveParty {
                    self.forget_party();
                }
            }
            ClientMessage::Hello(_) => unreachable!("the connection says hello"),
        }
        if self.phase == Phase::Open {
            self.send_tracked(message, now);
        } else {
            self.unanswered.push(message);
        }
    }

    fn room_asked(&mut self, intent: &RoomIntent, room: RoomCode, message: &ClientMessage) {
        match intent {
            RoomIntent::Leave => {
                if self.code() == Some(room) {
                    self.forget_room();
                }
                self.entering.take_if(|entering| entering.room == Some(room));
            }
            RoomIntent::Mute { player, mute } => {
                let view = self.room.as_mut().expect("allowed in a room");
                view.muted.retain(|muted| muted != player);
                view.muted.extend(mute.then_some(*player));
                view.hide();
            }
            RoomIntent::Hint { .. } => {
                let hint_for = self.position();
                self.analysis = Some(Analysis { asked: message.clone(), hint_for });
            }
            RoomIntent::Review { .. } => {
                self.analysis = Some(Analysis { asked: message.clone(), hint_for: None });
            }
            _ => {}
        }
    }

    fn lobby_asked(&mut self, intent: &LobbyIntent, id: IntentId, message: &ClientMessage) {
        match intent {
            LobbyIntent::Create { .. } => {
                self.entering = Some(Entering { id, room: None, role: Role::Player });
            }
            // A spectator of our room takes a seat, for example.
            LobbyIntent::Join { room, .. } if Some(*room) == self.code() => {}
            LobbyIntent::Join { room, role } => {
                self.entering = Some(Entering { id, room: Some(*room), role: *role });
            }
            LobbyIntent::QuickMatch { .. } => self.queue = Some(message.clone()),
            LobbyIntent::WatchLobby => self.watches_lobby = true,
            LobbyIntent::UnwatchLobby => (self.watches_lobby, self.lobby) = (false, None),
            _ => self.party_asked(intent, id),
        }
    }

    /// Whether the player may do this, as far as a client knows.
    fn allows(&self, asked: &ClientMessage) -> bool {
        let (intent, room) = match asked {
            ClientMessage::Room { intent, room, .. } => (intent, room),
            ClientMessage::Party { intent, party, .. } => {
                return self.allows_in_party(intent, *party);
            }
            _ => return true,
        };
        if *intent == RoomIntent::Leave {
            let entered = self.entering.as_ref().and_then(|entering| entering.room);
            return [self.code(), entered].contains(&Some(*room));
        }
        let Some(View { state, presence, .. }) = &self.room else { return false };
        let mine = self.mine();
        let has_turn = state.turn().is_some_and(|turn| mine.contains(&turn));
        let phase = state.running().and_then(|running| running.opening);
        match intent.clone() {
            RoomIntent::Play { ply, cell, .. } => state.running().is_some_and(|running| {
                let made = Move { ply, mark: running.game.to_move(), cell };
                has_turn && running.decide(made).is_ok() && self.sent_move().is_none()
            }),
            RoomIntent::Choose { choice, .. } => {
                let add = choice == OpeningChoice::Add;
                let may_choose = match phase {
                    Some(OpeningPhase::Choosing { may_add, .. }) => may_add || !add,
                    _ => false,
                };
                has_turn && may_choose && self.sent_move().is_none()
            }
            RoomIntent::Say { said } => {
                let allowed = match said {
                    Said::Text(_) => state.settings.chat == ChatMode::Text,
                    Said::Emote(_) => state.settings.chat != ChatMode::Off,
                };
                allowed && self.features.chat
            }
            RoomIntent::Mute { player, mute } => {
                let muted = &self.room.as_ref().expect("a room").muted;
                let many = muted.len() >= MAX_MUTED && !muted.contains(&player);
                self.player != Some(player) && !(mute && many)
            }
            RoomIntent::Resign { .. } => !mine.is_empty() && state.is_running(),
            RoomIntent::Rematch { .. } => {
                !mine.is_empty() && state.game.is_some() && !state.is_running()
            }
            RoomIntent::Hint { .. } => has_turn,
            RoomIntent::Review { .. } => {
                state.game.as_ref().is_some_and(|last| last.number > 1 || !state.is_running())
            }
            RoomIntent::Claim { .. } => {
                let is_away = |mark: Mark| {
                    let here = [None, Some(SeatPresence::Connected)];
                    !mine.contains(&mark) && !here.contains(&presence.seats[mark])
                };
                let away = Mark::BOTH.into_iter().any(is_away);
                !mine.is_empty() && state.is_running() && away
            }
            RoomIntent::Pace { .. } => self.may_pace(),
            RoomIntent::Step { .. } => self.may_pace() && state.pace == Pace::Paused,
            RoomIntent::Leave | RoomIntent::Sync => true,
        }
    }

    /// Whether the player made the room, in which two computers play.
    pub(super) fn may_pace(&self) -> bool {
        self.room.as_ref().is_some_and(|View { state, .. }| {
            let computers = [&state.seats.x, &state.seats.o].map(|seat| seat.computer().is_some());
            self.player.is_some() && state.maker == self.player && computers == [true, true]
        })
    }

    pub(super) fn mine(&self) -> Vec<Mark> {
        match (&self.room, self.player) {
            (Some(view), Some(player)) => view.state.marks_of(player).collect(),
            _ => Vec::new(),
        }
    }

    /// The move or choice on its way, as it is shown.
    pub(super) fn sent_move(&self) -> Option<String> {
        let state = &self.room.as_ref()?.state;
        let running = state.running()?;
        let chooses = matches!(running.opening, Some(OpeningPhase::Choosing { .. }));
        self.unanswered.iter().find_map(|message| match message {
            ClientMessage::Room { intent, room, .. } if *room == state.code => match intent {
                RoomIntent::Play { game, ply, cell } => {
                    let here = *game == running.number && *ply == running.game.ply();
                    (here && !chooses).then(|| json(cell))
                }
                RoomIntent::Choose { game, choice } => {
                    (*game == running.number && chooses).then(|| json(choice))
                }
                _ => None,
            },
            _ => None,
        })
    }
}
