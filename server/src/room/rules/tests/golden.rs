//! The protocol's stories, which both clients live, against the rules: each event that a story tells must be
//! what the rules decide on in the state before it, and each answer what they answer.
//!
//! A story names only its own player's intents. The intents of others follow from the event: a move
//! was played, a seat was joined or left. A gap in a story, such as a missing event, ends the
//! comparison until the next snapshot.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use noughts_protocol::game::GameResult;
use noughts_protocol::{
    ClaimedResult, ClientMessage, Computer, Event, Mark, Placement, PlayerId, Presence,
    RefusalCode, Role, RoomCode, RoomIntent, RoomState, Seat, SeatPresence, ServerMessage,
    Snapshot,
};
use noughts_store::Committed;
use serde_json::Value;

use super::world::{TIMES, timestamp};
use crate::room::rules::intent::RoomDecision;
use crate::room::rules::move_clock::ClockChange;
use crate::room::rules::opening::OpeningRecord;
use crate::room::rules::presence::{Absence, Announced, RematchOffer};
use crate::room::rules::{RoomDecided, RoomRules};
use crate::room::table::Ruling;

const NOW: Duration = Duration::from_secs(1000);

/// Refusals that the rules of a room decide on.
const OF_THE_RULES: [RefusalCode; 9] = [
    RefusalCode::NotSeated,
    RefusalCode::NoSuchCell,
    RefusalCode::CellTaken,
    RefusalCode::NotYourTurn,
    RefusalCode::Stale,
    RefusalCode::GameOver,
    RefusalCode::NotNow,
    RefusalCode::TooEarly,
    RefusalCode::HintsOff,
];

/// Stories whose server does what the rules do not, which a client bears all the same.
const OF_OTHER_RULES: [&str; 4] = [
    "a move is refused with every code, and made all the same in the end",
    "a player plays both sides",
    "a swap2 opening, and the players exchange their seats",
    "what is refused in a room changes nothing there",
];

/// The comparisons so far, so that nothing is left out unseen.
#[derive(Debug, Default)]
struct Compared {
    events: usize,
    snapshots: usize,
    answers: usize,
}

#[derive(Default)]
struct Server {
    /// `None` while the story does not say what the room is like.
    rules: Option<RoomRules>,
    /// Events that were decided with the last one that was told.
    decided: VecDeque<Event>,
    /// The story's player, and their intents that are not answered.
    player: Option<PlayerId>,
    asked: HashMap<u64, RoomIntent>,
    compared: Compared,
}

#[test]
fn stories_are_what_the_rules_make_of_them() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/tests/golden/series");
    let mut compared = Compared::default();
    let mut wrong = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let stories: Vec<Value> = serde_json::from_str(&text).unwrap();
        let is_ruled = |story: &&Value| !OF_OTHER_RULES.iter().any(|name| story["story"] == *name);
        for story in stories.iter().filter(is_ruled) {
            let mut server = Server { compared, ..Server::default() };
            for (number, step) in story["steps"].as_array().unwrap().iter().enumerate() {
                if let Err(why) = server.step(step) {
                    wrong.push(format!("{}, step {number}: {why}", story["story"]));
                    server.rules = None;
                }
            }
            compared = server.compared;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A step that contradicts the room is not compared: a mistake in a story changes these numbers.
    let Compared { events, snapshots, answers } = compared;
    assert_eq!((events, snapshots, answers), (416, 10, 127), "look whether less is compared");
}

impl Server {
    fn step(&mut self, step: &Value) -> Result<(), String> {
        let does = &step["do"];
        if let Some(told) = does.get("told") {
            self.told(serde_json::from_value(told.clone()).unwrap())?;
        } else if does == "broke" || does == "ended" || does.get("welcome").is_some() {
            self.rules = None;
            self.asked.clear();
            self.player = does["welcome"]["player"].as_str().map(|id| id.parse().unwrap());
        }
        for sent in step["sent"].as_array().into_iter().flatten() {
            let message = ClientMessage::from_json(&sent.to_string()).unwrap();
            if let ClientMessage::Room { intent, id, .. } = message {
                self.asked.insert(id.into(), intent);
            }
        }
        Ok(())
    }

    fn told(&mut self, message: ServerMessage) -> Result<(), String> {
        match message {
            ServerMessage::Snapshot(snapshot) => self.snapshot(&snapshot),
            ServerMessage::Presence { room, presence } if self.is_in(room) => {
                self.presence(&presence)
            }
            ServerMessage::Event { room, v, event } if self.is_in(room) => self.event(v, event),
            ServerMessage::Ok { id, .. } => self.answered(id.into(), None),
            ServerMessage::Refused { id: Some(id), code, .. } => {
                self.answered(id.into(), Some(code))
            }
            _ => Ok(()),
        }
    }

    fn is_in(&self, room: RoomCode) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.state.code == room)
    }

    /// The room as it is. If it was known, it is what came of the events before.
    fn snapshot(&mut self, snapshot: &Snapshot) -> Result<(), String> {
        let Ok(state) = RoomState::from_snapshot(snapshot) else {
            self.rules = None;
            return Ok(());
        };
        let known = self.rules.take().filter(|rules| rules.state.code == state.code);
        if let Some(rules) = known.filter(|rules| rules.state.v == state.v) {
            same("snapshot", &RoomState { closed: state.closed, ..rules.state }, &state)?;
            self.compared.snapshots += 1;
        }
        let mut rules = RoomRules::new(state.clone(), TIMES, NOW);
        for player in Mark::BOTH.into_iter().filter_map(|mark| state.seats[mark].player()) {
            rules.connect(NOW, player);
        }
        rules.opening = state.game.as_ref().and_then(|game| game.opening).map(OpeningRecord::begun);
        let ply = state.game.as_ref().map_or(0, |game| game.game.moves().len());
        rules.game_times.moves_ms = vec![0; ply];
        rules.start_clock(NOW);
        self.rules = Some(rules);
        self.decided.clear();
        self.presence(&snapshot.presence)
    }

    /// The presence. An offer must be one that its player may make.
    fn presence(&mut self, told: &Presence) -> Result<(), String> {
        let Some(rules) = &mut self.rules else { return Ok(()) };
        let offer = told.rematch.map(|by| RematchOffer { by, series: told.series });
        // Random stories tell offers in running games, too.
        let is_new = rules.rematch != offer && !rules.state.is_running();
        if let Some(RematchOffer { by, series }) = offer.filter(|_| is_new)
            && let Some(player) = rules.state.seats[by].player()
        {
            let game = rules.state.game.as_ref().map_or(0, |last| last.number);
            let intent = RoomIntent::Rematch { game, offer: true, series };
            let decision = rules.decide(NOW, player, intent, false);
            same("offer", &decision, &Ok(RoomDecision::Rematch(offer)))?;
        }
        rules.rematch = offer;
        rules.take_back = told.take_back;
        for mark in Mark::BOTH {
            let announced = match told.seats[mark] {
                Some(SeatPresence::Away { .. }) => Announced::Away,
                Some(SeatPresence::Gone) => Announced::Gone,
                Some(SeatPresence::Connected) | None => {
                    rules.absences[mark] = None;
                    continue;
                }
            };
            rules.absences[mark] = Some(Absence { since: NOW, announced });
        }
        Ok(())
    }

    /// An event that is told must be the one that the rules decide on.
    fn event(&mut self, v: u64, mut event: Event) -> Result<(), String> {
        let Some(rules) = &mut self.rules else { return Ok(()) };
        if rules.state.clone().apply(v, &event).is_err() {
            // The story is about a gap or a server that is wrong.
            self.rules = None;
            return Ok(());
        }
        // The id of a kept game is drawn elsewhere.
        let told = event.clone();
        if let Event::Moved { over: Some(end), .. } | Event::GameOver { end, .. } = &mut event {
            end.id = None;
        }
        // A room is made with its computers, and closed by its party or when it is idle.
        let is_made = matches!(
            event,
            Event::Closed { .. }
                | Event::Seated { seat: Seat::Computer(_), .. }
                | Event::GameStarted { game: 1, .. }
        );
        if let Some(next) = self.decided.pop_front() {
            same("event", &next, &event)?;
        } else if !is_made {
            let ways = rules.ways_to(&event);
            let way = ways.iter().find(|way| way.first() == Some(&event));
            let way = way.ok_or_else(|| format!("{event:?}, where the rules have {ways:?}"))?;
            self.decided = way[1..].iter().cloned().collect();
        }
        self.compared.events += 1;
        if let Event::Seated { seat: Seat::Human { player, .. }, .. } = told {
            rules.connect(NOW, player);
        }
        let told = Committed::for_tests(RoomDecided(vec![told]));
        rules.apply(timestamp(NOW), told).for_each(drop);
        rules.check_stored()
    }

    /// An intent that was granted changes nothing any more, and one that is refused is refused for that.
    fn answered(&mut self, id: u64, refused: Option<RefusalCode>) -> Result<(), String> {
        let Some(intent) = self.asked.remove(&id) else { return Ok(()) };
        let is_of_the_rules = refused.is_none_or(|code| OF_THE_RULES.contains(&code));
        let (Some(rules), Some(player), true) = (&self.rules, self.player, is_of_the_rules) else {
            return Ok(());
        };
        let is_left = matches!(intent, RoomIntent::Leave | RoomIntent::Step { .. });
        let is_compared = matches!(
            intent,
            RoomIntent::Play { .. }
                | RoomIntent::Rematch { .. }
                | RoomIntent::Resign { .. }
                | RoomIntent::Claim { .. }
                | RoomIntent::Pace { .. }
                | RoomIntent::Strength { .. }
        );
        if !is_compared {
            self.rules = self.rules.take().filter(|_| !is_left);
            return Ok(());
        }
        let decision = rules.decide(NOW, player, intent.clone(), false);
        let now = match decision {
            Err(refusal) => Some(refusal.code),
            Ok(RoomDecision::Facts(facts)) if facts != RoomDecided::default() => {
                // The story loses what came of it.
                self.rules = None;
                return Ok(());
            }
            Ok(_) => None,
        };
        self.compared.answers += 1;
        same(&format!("the answer to {intent:?}"), &now, &refused)
    }
}

impl RoomRules {
    /// The room is in its row. Catches what the row leaves out.
    fn check_stored(&self) -> Result<(), String> {
        if self.state.closed {
            return Ok(());
        }
        let read = Self::from_json(&self.to_json(), TIMES, NOW, None)?;
        let stored = |rules: &Self| {
            let Self { state, game_times, previous, opening, previous_opening, .. } = rules;
            let times =
                (rules.move_deadline, rules.stopped_ms, rules.last_change, rules.run, game_times);
            format!("{state:?} {times:?} {previous:?} {opening:?} {previous_opening:?}")
        };
        same("what is stored", &stored(self), &stored(&read))
    }

    /// The facts if the person sets the strength that a computer's seat has now.
    fn adjusted(&self, mark: Mark, seat: &Seat) -> Option<RoomDecided> {
        let Computer { strength, .. } = seat.computer()?;
        let person = self.state.seats[mark.other()].player()?;
        Some(self.facts(person, RoomIntent::Strength { strength }))
    }

    /// The decisions that may have led to an event.
    fn ways_to(&mut self, event: &Event) -> Vec<Vec<Event>> {
        let player = |mark: Mark| self.state.seats[mark].player();
        let turn = self.state.turn();
        let mut ways = Vec::new();
        match *event {
            Event::Moved { game, ply, mark, cell, placed, .. } => {
                if let Some(player) = turn.and_then(player) {
                    ways.push(self.facts(player, RoomIntent::Play { game, ply, cell, placed }));
                } else {
                    let placed = Placement { mark: placed.unwrap_or(mark), cell };
                    ways.push(self.computer_move(game, ply, placed));
                }
            }
            Event::TakenBack { game, .. } => ways = self.ways_back(game),
            Event::Chosen { game, choice, .. } => {
                if let Some(player) = turn.and_then(player) {
                    ways.push(self.facts(player, RoomIntent::Choose { game, choice }));
                } else {
                    let ply = self.state.game.as_ref().map_or(0, |last| last.game.ply());
                    ways.push(self.computer_choice(game, ply, choice));
                }
            }
            Event::GameOver { game, ref end } => {
                if matches!(end.result, GameResult::Time { .. }) {
                    self.move_deadline = Some(NOW);
                    ways.push(self.tick(NOW, false));
                }
                for player in Mark::BOTH.into_iter().filter_map(player) {
                    ways.push(self.facts(player, RoomIntent::Resign { game }));
                    for result in [ClaimedResult::Win, ClaimedResult::Draw] {
                        ways.push(self.facts(player, RoomIntent::Claim { game, result }));
                    }
                }
                let named = [None, Some(Mark::X), Some(Mark::O)];
                ways.extend(named.map(|winner| self.end_dismissed(Ruling::Decided(winner))));
                ways.extend(Mark::BOTH.map(|mark| self.end_dismissed(Ruling::Forfeit(mark))));
                ways.push(self.end_dismissed(Ruling::Unfinished));
            }
            Event::Seated { seat: Seat::Human { player, ref name }, .. } => {
                ways.extend(
                    [false, true].map(|coin| {
                        self.join(player, name, Role::Player, coin).unwrap_or_default()
                    }),
                );
            }
            Event::Seated { mark, ref seat } => {
                ways.extend(player(mark).map(|player| self.leave(player)));
                ways.extend(self.adjusted(mark, seat));
            }
            Event::GameStarted { game, series, .. } => {
                let game = game - 1;
                let offered = self.rematch;
                for player in Mark::BOTH.into_iter().filter_map(player) {
                    for series in [None, Some(series)] {
                        // The offer may have been told with the game alone.
                        let by = self.state.marks_of(player).next().unwrap_or(Mark::X).other();
                        self.rematch = offered.or(Some(RematchOffer { by, series }));
                        let intent = RoomIntent::Rematch { game, offer: true, series };
                        ways.push(self.facts(player, intent));
                    }
                }
                self.rematch = offered;
            }
            Event::Paced { pace } => {
                let maker = self.state.maker;
                ways.extend(maker.map(|maker| self.facts(maker, RoomIntent::Pace { pace })));
            }
            Event::Clock { move_ms_left, .. } => ways = self.ways_to_clock(move_ms_left),
            Event::Closed { .. } => {}
        }
        ways.into_iter().map(|RoomDecided(events)| events).collect()
    }

    /// The same for a move that is taken back.
    fn ways_back(&self, game: u32) -> Vec<RoomDecided> {
        let ply = self.state.game.as_ref().map_or(0, |last| last.game.ply());
        let intent = RoomIntent::TakeBack { game, ply, offer: true };
        let players = Mark::BOTH.into_iter().filter_map(|mark| self.state.seats[mark].player());
        players.map(|player| self.facts(player, intent.clone())).collect()
    }

    /// The same for a clock that shows so many milliseconds then.
    fn ways_to_clock(&mut self, left: u32) -> Vec<RoomDecided> {
        let before = self.move_ms_left(NOW).unwrap_or_default();
        let added = self.change_clock(NOW, ClockChange::Add(left.saturating_sub(before)));
        // Time has passed in the story.
        self.set_clock(NOW, left);
        let changed = [ClockChange::Stop, ClockChange::Run].map(|one| self.change_clock(NOW, one));
        added.into_iter().chain(changed.into_iter().flatten()).collect()
    }

    /// The facts that an intent leads to; none if it is refused.
    fn facts(&self, player: PlayerId, intent: RoomIntent) -> RoomDecided {
        match self.decide(NOW, player, intent, false) {
            Ok(RoomDecision::Facts(decided) | RoomDecision::Leave(decided)) => decided,
            _ => RoomDecided::default(),
        }
    }
}

fn same<T: std::fmt::Debug + PartialEq>(what: &str, rules: &T, told: &T) -> Result<(), String> {
    (rules == told).then_some(()).ok_or_else(|| format!("{what}: {told:?}, by the rules {rules:?}"))
}
