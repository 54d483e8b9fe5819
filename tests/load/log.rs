//! What everybody in a room must be told, word by word, until the last has heard it.

use std::collections::VecDeque;
use std::time::Instant;

use anyhow::{anyhow, ensure};
use noughts_protocol::{Event, Mark, ServerMessage};

/// Words that a viewer may lag behind; a server closes who lags more than 64.
const LAG: usize = 1024;

/// The words of a room from number `first` on.
#[derive(Debug, Default)]
pub(crate) struct Log {
    first: u64,
    words: VecDeque<Words>,
}

#[derive(Debug)]
struct Words {
    text: String,
    what: What,
    /// Viewers who have heard it.
    heard: u32,
    /// Players among them.
    players: u32,
}

/// What the words say, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A move of this mark, due at this time.
    Move(Mark, Instant),
    /// A game has begun.
    Started { game: u32, first: Mark },
    /// A game is over.
    Over,
    /// Anything else.
    Other,
}

/// Words that somebody has heard.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heard {
    pub(crate) what: What,
    /// Whether nobody has heard them before.
    pub(crate) new: bool,
    /// Players and viewers in all who have heard them.
    pub(crate) players: u32,
    pub(crate) all: u32,
}

impl Log {
    /// An empty log; the first words will have this number.
    pub(crate) fn starting_at(first: u64) -> Self {
        Self { first, words: VecDeque::new() }
    }

    /// The number that the next words will have.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.words.len() as u64
    }

    /// Whether everybody has heard everything.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Adds words that everybody is to hear next.
    pub(crate) fn push(&mut self, text: String, what: What) {
        self.words.push_back(Words { text, what, heard: 0, players: 0 });
    }

    /// Somebody whose next words have this number heard `text`; `viewers` are to hear it in all.
    ///
    /// # Errors
    /// Where that is not what they should have heard.
    pub(crate) fn hear(
        &mut self,
        number: u64,
        text: &str,
        player: bool,
        viewers: u32,
    ) -> anyhow::Result<Heard> {
        let new = number == self.end();
        if new {
            let what = unforeseen(number, text)?;
            ensure!(self.words.len() < LAG, "somebody lags {LAG} messages behind");
            self.push(text.to_owned(), what);
        }
        let place = number.checked_sub(self.first).and_then(|place| usize::try_from(place).ok());
        let words = place
            .and_then(|place| self.words.get_mut(place))
            .ok_or_else(|| anyhow!("{text} came out of turn: {number} is next"))?;
        if words.text != text {
            is_the_same(&words.text, text)?;
        }
        words.heard += 1;
        words.players += u32::from(player);
        let heard = Heard { what: words.what, new, players: words.players, all: words.heard };
        while self.words.front().is_some_and(|words| words.heard >= viewers) {
            self.words.pop_front();
            self.first += 1;
        }
        Ok(heard)
    }
}

/// What an event says that only the server could bring about.
fn unforeseen(number: u64, text: &str) -> anyhow::Result<What> {
    let message = serde_json::from_str(text)?;
    let ServerMessage::Event { v, event, .. } = message else {
        return Err(anyhow!("{text} was not expected"));
    };
    ensure!(v == number, "event {v} came where {number} was next");
    match event {
        Event::Moved { .. } => Err(anyhow!("{text} was not played")),
        Event::GameStarted { game, first, .. } => Ok(What::Started { game, first }),
        Event::GameOver { .. } => Ok(What::Over),
        _ => Ok(What::Other),
    }
}

/// Whether two texts are one message in other words: another order of fields, or new ones.
fn is_the_same(expected: &str, text: &str) -> anyhow::Result<()> {
    let [one, other] = [expected, text].map(serde_json::from_str::<ServerMessage>);
    ensure!(one.is_ok() && one.ok() == other.ok(), "{text} came where {expected} was expected");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use noughts_protocol::Mark;

    use super::{Log, What};

    const MOVED: &str = r#"{"type":"event","room":"KQRZX","v":7,"event":{"kind":"moved","game":1,"ply":0,"mark":"x","cell":4}}"#;

    fn log() -> Log {
        let mut log = Log::starting_at(7);
        log.push(MOVED.to_owned(), What::Move(Mark::X, Instant::now()));
        log
    }

    #[test]
    fn a_move_is_delivered_when_all_have_heard_it() {
        let mut log = log();
        let heard = log.hear(7, MOVED, true, 2).unwrap();
        assert_eq!((heard.players, heard.all, log.is_empty()), (1, 1, false));
        let reordered = MOVED.replacen(r#""room":"KQRZX","v":7"#, r#""v":7,"room":"KQRZX""#, 1);
        assert_eq!(log.hear(7, &reordered, true, 2).unwrap().players, 2);
        assert_eq!((log.is_empty(), log.end()), (true, 8));
    }

    #[test]
    fn gaps_repeats_and_wrong_cells_are_noticed() {
        assert!(log().hear(6, MOVED, true, 2).is_err(), "a repeat");
        assert!(log().hear(7, &MOVED.replace("4}", "5}"), true, 2).is_err(), "another cell");
        assert!(log().hear(8, MOVED, true, 2).is_err(), "a gap");
        let unasked = MOVED.replace(r#""v":7"#, r#""v":8"#);
        assert!(log().hear(8, &unasked, true, 2).is_err(), "a move nobody made");
        let over = r#"{"type":"event","room":"KQRZX","v":8,"event":{"kind":"rematch","mark":"x","offered":true}}"#;
        assert_eq!(log().hear(8, over, true, 2).unwrap().what, What::Other);
    }
}
