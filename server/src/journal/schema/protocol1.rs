//! The facts of a room as protocol 1 stored them, rewritten in the form of protocol 2. Pure. The
//! types here are of those days: they never change, whatever becomes of the protocol's.
//!
//! - A move and what it led to were two facts, and a new game and its first opening phase were two.
//!   Each pair is one fact now.
//! - A choice in an opening told the next phase and whether the players exchanged their seats. It
//!   tells the choice, the seats and the score now.
//! - A seat told its player's presence, which passes.
//! - Events that were not stored had versions too. The versions are the numbers of the facts now.
//!
//! Damage stays damage: the facts up to it are rewritten, and the damaged fact and all after it stay
//! as they are, with their versions and checksums.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::journal::checksum;
use crate::journal::entry::{Entry, Payload};

/// The highest version of protocol 1.
const MAX_VERSION: u64 = (1 << 53) - 1;

/// A room's facts in the new form.
#[derive(Debug)]
pub(super) struct Rewritten {
    /// The facts, sealed.
    pub(super) entries: Vec<Entry>,
    /// How many of the old facts they stand for.
    pub(super) replaced: usize,
    /// Why the old facts after these cannot be rewritten, if there are any.
    pub(super) damage: Option<String>,
}

/// Rewrites the facts of a room; the first one follows the checksum `room`.
pub(super) fn rewrite(room: u32, old: &[Entry]) -> Rewritten {
    let (sound, mut damage) = sound(room, old);
    let mut state = State::default();
    let (mut entries, mut replaced) = (Vec::with_capacity(sound.len()), 0);
    while let Some((entry, rest)) = sound[replaced..].split_first() {
        match state.next(&entry.payload, rest.first().and_then(|entry| fact(&entry.payload).ok())) {
            Ok((payload, facts)) => {
                replaced += facts;
                let v = entries.len() as u64 + 1;
                entries.push(Entry { v, payload, ..*entry });
            }
            Err(why) => {
                damage = Some(format!("at version {}: {why}", entry.v));
                break;
            }
        }
    }
    checksum::seal(room, &mut entries);
    Rewritten { entries, replaced, damage }
}

/// The facts before the first one with a wrong checksum or version, and what is wrong with that one.
fn sound(room: u32, old: &[Entry]) -> (&[Entry], Option<String>) {
    let (mut crc, mut v) = (room, 0);
    for (entry, number) in old.iter().zip(0..) {
        let wrong = if checksum::of_fact(crc, entry) != entry.crc {
            "the checksum does not follow from the facts before it"
        } else if entry.v <= v || entry.v > MAX_VERSION {
            "the version does not go up"
        } else {
            (crc, v) = (entry.crc, entry.v);
            continue;
        };
        return (&old[..number], Some(format!("at version {}: {wrong}", entry.v)));
    }
    (old, None)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    #[default]
    X,
    O,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Score {
    x: u32,
    o: u32,
    draws: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Seat {
    #[default]
    Open,
    Human {
        player: String,
        name: String,
    },
    Computer(Map<String, Value>),
}

#[derive(Debug, Clone, Default, Serialize)]
struct Seats {
    x: Seat,
    o: Seat,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
enum Phase {
    Placing {
        by: Mark,
        until_ply: u16,
    },
    Choosing {
        by: Mark,
        may_add: bool,
    },
    /// Protocol 2 has no such phase: a finished opening is none.
    Done,
}

/// A fact of protocol 1; a move was stored as its cell.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Old {
    Seated {
        mark: Mark,
        seat: Seat,
    },
    GameStarted {
        game: u32,
        first: Mark,
        score: Score,
    },
    Opening {
        game: u32,
        phase: Phase,
        swapped: bool,
    },
    GameOver {
        game: u32,
        #[serde(flatten)]
        end: End,
    },
    Closed {
        reason: Value,
    },
}

/// A fact of protocol 2.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum New {
    Seated {
        mark: Mark,
        seat: Seat,
    },
    GameStarted {
        game: u32,
        first: Mark,
        score: Score,
        #[serde(skip_serializing_if = "Option::is_none")]
        opening: Option<Phase>,
    },
    Moved {
        game: u32,
        ply: u16,
        mark: Mark,
        cell: u16,
        #[serde(skip_serializing_if = "Option::is_none")]
        over: Option<End>,
        #[serde(skip_serializing_if = "Option::is_none")]
        opening: Option<Phase>,
    },
    Chosen {
        game: u32,
        choice: Choice,
        #[serde(skip_serializing_if = "Option::is_none")]
        opening: Option<Phase>,
        seats: Seats,
        score: Score,
    },
    GameOver {
        game: u32,
        #[serde(flatten)]
        end: End,
    },
    Closed {
        reason: Value,
    },
}

#[derive(Debug, Serialize, Deserialize)]
struct End {
    result: Value,
    score: Score,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Choice {
    X,
    O,
    Add,
}

impl Mark {
    const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }
}

impl End {
    /// Whether the last move led to it, as the board shows.
    fn is_on_board(&self) -> bool {
        let how = self.result.get("how").and_then(Value::as_str);
        matches!(how, Some("line" | "board_full" | "no_line_left"))
    }
}

/// The fact of a payload that is no move.
fn fact(payload: &Payload) -> Result<Old, String> {
    match payload {
        Payload::Move(_) => Err("a move".to_owned()),
        Payload::Fact(json) => {
            serde_json::from_str(json).map_err(|error| format!("{error} in {json:?}"))
        }
    }
}

/// What the old facts leave out: who sits where, the score, whose move it is.
#[derive(Debug, Default)]
struct State {
    seats: Seats,
    /// The score at the start of the game. Nobody needs it after the game.
    score: Score,
    game: Game,
}

/// The last game; number 0 before the first one.
#[derive(Debug, Default)]
struct Game {
    number: u32,
    /// The mark that comes next, and the number of marks on the board.
    mark: Mark,
    ply: u16,
    opening: Option<Phase>,
}

impl State {
    /// The new fact for the next old one, and how many old facts it stands for: `after` is the old
    /// fact after that one, if it is no move.
    fn next(&mut self, old: &Payload, after: Option<Old>) -> Result<(Payload, usize), String> {
        let cell = match old {
            Payload::Move(cell) => *cell,
            Payload::Fact(_) => return self.fact(fact(old)?, after.as_ref()),
        };
        let current = &mut self.game;
        let (game, ply, mark) = (current.number, current.ply, current.mark);
        (current.ply, current.mark) = (ply.saturating_add(1), mark.other());
        let (over, opening) = match after {
            Some(Old::GameOver { game: ended, end }) if ended == game && end.is_on_board() => {
                (Some(end), None)
            }
            Some(Old::Opening {
                game: of,
                phase: phase @ Phase::Choosing { .. },
                swapped: false,
            }) if of == game => {
                current.opening = Some(phase);
                (None, Some(phase))
            }
            _ => return Ok((Payload::Move(cell), 1)),
        };
        Ok((json(&New::Moved { game, ply, mark, cell, over, opening })?, 2))
    }

    fn fact(&mut self, old: Old, after: Option<&Old>) -> Result<(Payload, usize), String> {
        let new = match old {
            Old::Seated { mark, seat } => {
                match mark {
                    Mark::X => self.seats.x = seat.clone(),
                    Mark::O => self.seats.o = seat.clone(),
                }
                New::Seated { mark, seat }
            }
            Old::GameStarted { game, first, score } => {
                self.score = score;
                let opening = match after {
                    Some(Old::Opening {
                        game: of,
                        phase: phase @ Phase::Placing { .. },
                        swapped: false,
                    }) if *of == game => Some(*phase),
                    _ => None,
                };
                self.game = Game { number: game, mark: first, ply: 0, opening };
                let started = json(&New::GameStarted { game, first, score, opening })?;
                return Ok((started, 1 + usize::from(opening.is_some())));
            }
            Old::Opening { game, phase, swapped } => self.choice(game, phase, swapped)?,
            Old::GameOver { game, end } => {
                if game != self.game.number || end.is_on_board() {
                    return Err("the end of a game without its last move".to_owned());
                }
                New::GameOver { game, end }
            }
            Old::Closed { reason } => New::Closed { reason },
        };
        Ok((json(&new)?, 1))
    }

    /// The choice that led to this phase.
    fn choice(&mut self, game: u32, phase: Phase, swapped: bool) -> Result<New, String> {
        let (choice, opening) = match (self.game.opening, phase) {
            _ if game != self.game.number => return Err("the opening of another game".to_owned()),
            (Some(Phase::Choosing { by, .. }), Phase::Done) => {
                let side = if swapped { by.other() } else { by };
                let choice = match side {
                    Mark::X => Choice::X,
                    Mark::O => Choice::O,
                };
                (choice, None)
            }
            (Some(Phase::Choosing { .. }), Phase::Placing { .. }) if !swapped => {
                (Choice::Add, Some(phase))
            }
            _ => return Err("the opening cannot go on like that".to_owned()),
        };
        if swapped {
            std::mem::swap(&mut self.seats.x, &mut self.seats.o);
            std::mem::swap(&mut self.score.x, &mut self.score.o);
        }
        self.game.opening = opening;
        Ok(New::Chosen { game, choice, opening, seats: self.seats.clone(), score: self.score })
    }
}

fn json(new: &New) -> Result<Payload, String> {
    serde_json::to_string(new).map(Payload::Fact).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
