//! What a client shows, as the stories write it.

use super::*;

impl Client {
    /// What is shown: the keys of a story's `shows` and their values as JSON.
    pub(in crate::wire::stories) fn shows(&self) -> Vec<(&'static str, String)> {
        let ids: Vec<_> = self.unanswered.iter().filter_map(ClientMessage::id).collect();
        let entering = self.entering.as_ref();
        let entering = entering.map(|entering| entering.room.map_or("true".into(), |r| json(&r)));
        let analysis = |asked: &Analysis| if asked.hint_for.is_some() { "hint" } else { "review" };
        let deadline = [self.answer_due, self.rejoin_at].into_iter().flatten().min();
        let position = |at: Option<Position>| {
            let at = at.filter(|at| self.position() == Some(*at));
            at.map_or("null".into(), |(game, ply)| format!(r#"{{"game":{game},"ply":{ply}}}"#))
        };
        let view = self.room.as_ref();
        vec![
            ("phase", json(&format!("{:?}", self.phase).to_lowercase())),
            ("entering", entering.unwrap_or("null".into())),
            ("queued", json(&self.queue.is_some())),
            ("unanswered", json(&ids)),
            ("lobby", json(&self.lobby)),
            ("analysis", json(&self.analysis.as_ref().map(analysis))),
            ("deadline", json(&deadline)),
            ("room", view.map_or("null".into(), |view| shown_room(&view.state))),
            ("mine", json(&self.mine())),
            ("may_pace", json(&self.may_pace())),
            ("presence", view.map_or("null".into(), |view| shown_presence(&view.presence))),
            ("claim_from", json(&view.map(View::claim_from))),
            ("move_ends", json(&view.and_then(|view| view.move_ends))),
            ("hint", position(view.and_then(|view| view.hint))),
            ("evaluation", position(view.and_then(|view| view.evaluation))),
            ("review", json(&view.and_then(|view| view.review))),
            ("chat", view.map_or("null".into(), View::chat)),
            ("questions", self.shown_questions()),
            ("following", self.shown_following()),
            ("party", self.shown_party()),
            ("party_presence", self.shown_party_presence()),
            ("boards", self.shown_boards()),
            ("sent_move", self.sent_move().unwrap_or("null".into())),
        ]
    }
}

impl View {
    /// The numbers of the lines, and who is muted.
    fn chat(&self) -> String {
        let lines: Vec<u64> = self.lines.iter().map(|line| line.n).collect();
        format!(r#"{{"lines":{},"muted":{}}}"#, json(&lines), json(&self.muted))
    }

    /// When each player may be taken for gone.
    fn claim_from(&self) -> ByMark<Option<u64>> {
        let at = |mark: Mark| match self.presence.seats[mark]? {
            SeatPresence::Connected => None,
            SeatPresence::Away { claim_in_ms } => Some(self.presence_at + u64::from(claim_in_ms)),
            SeatPresence::Gone => Some(self.presence_at),
        };
        ByMark { x: at(Mark::X), o: at(Mark::O) }
    }
}

/// A room as in a snapshot, without what passes.
fn shown_room(state: &RoomState) -> String {
    let Snapshot { room, v, settings, maker, seats, score, series, pace, game, .. } =
        state.to_snapshot(Presence::default(), None);
    let maker = maker.map_or(String::new(), |maker| format!(r#","maker":{}"#, json(&maker)));
    let series = Some(series).filter(|series| !series.is_open());
    let series = series.map_or(String::new(), |series| format!(r#","series":{}"#, json(&series)));
    let pace = Some(pace).filter(|pace| !pace.is_normal());
    let pace = pace.map_or(String::new(), |pace| format!(r#","pace":{}"#, json(&pace)));
    format!(
        r#"{{"room":{},"v":{v},"settings":{},"seats":{},"score":{},"game":{}{maker}{series}{pace}}}"#,
        json(&room),
        json(&settings),
        json(&seats),
        json(&score),
        json(&game)
    )
}

fn shown_presence(presence: &Presence) -> String {
    let seat = |mark: Mark| {
        json(&presence.seats[mark].map(|seat| match seat {
            SeatPresence::Connected => "connected",
            SeatPresence::Away { .. } => "away",
            SeatPresence::Gone => "gone",
        }))
    };
    let (spectators, rematch) = (presence.spectators, json(&presence.rematch));
    let (x, o, series) = (seat(Mark::X), seat(Mark::O), json(&presence.series));
    let offer = format!(r#""rematch":{rematch},"series":{series}"#);
    format!(r#"{{"x":{x},"o":{o},"spectators":{spectators},{offer}}}"#)
}

pub(in crate::wire::stories) fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("a value that is JSON")
}
