//! The events that every viewer of a room must receive, in order and with the same content, until the
//! last viewer has received them.

use std::collections::VecDeque;
use std::time::Instant;

use anyhow::{anyhow, ensure};
use noughts_protocol::{Event, GameEnd, Mark, Score, ServerMessage};

/// Events that a viewer may lag behind. A server closes a connection that lags more than 64.
const MAX_LAG: usize = 1024;

/// The events of a room from number `first` on.
#[derive(Debug, Default)]
pub(crate) struct ExpectedEvents {
    first: u64,
    events: VecDeque<ExpectedEvent>,
}

#[derive(Debug)]
struct ExpectedEvent {
    text: String,
    kind: EventKind,
    /// Viewers that have received it.
    viewers: u32,
    /// Players among them.
    players: u32,
}

/// The kind of an event, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// A move of this mark, due at this time.
    Move { by: Mark, due: Instant, ends_game: bool },
    /// A game has started.
    Started { game: u32, first: Mark, score: Score },
    /// A game is over, without a move.
    Over { score: Score },
    /// Any other event.
    Other,
}

/// One viewer's receipt of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Delivery {
    pub(crate) kind: EventKind,
    /// Whether this viewer is the first to receive it.
    pub(crate) is_first: bool,
    /// Players that have received it.
    pub(crate) players: u32,
    /// Viewers that have received it, players included.
    pub(crate) viewers: u32,
}

impl ExpectedEvents {
    /// Expects nothing yet; the first event will have this number.
    pub(crate) fn starting_at(first: u64) -> Self {
        Self { first, events: VecDeque::new() }
    }

    /// The number of the next event.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// Whether every viewer has received every event.
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Expects an event after all others.
    pub(crate) fn push(&mut self, text: String, kind: EventKind) {
        self.events.push_back(ExpectedEvent { text, kind, viewers: 0, players: 0 });
    }

    /// Checks what a viewer received whose next event has this number. All of `viewers` must receive
    /// it.
    ///
    /// # Errors
    /// If it is not the expected event.
    pub(crate) fn receive(
        &mut self,
        number: u64,
        text: &str,
        is_player: bool,
        viewers: u32,
    ) -> anyhow::Result<Delivery> {
        let is_first = number == self.end();
        if is_first {
            let kind = server_made(number, text)?;
            ensure!(self.events.len() < MAX_LAG, "a viewer lags {MAX_LAG} events behind");
            self.push(text.to_owned(), kind);
        }
        let place = number.checked_sub(self.first).and_then(|place| usize::try_from(place).ok());
        let event = place
            .and_then(|place| self.events.get_mut(place))
            .ok_or_else(|| anyhow!("{text} came out of turn: {number} is next"))?;
        if event.text != text {
            check_equal(&event.text, text)?;
            text.clone_into(&mut event.text);
        }
        event.viewers += 1;
        event.players += u32::from(is_player);
        let delivery =
            Delivery { kind: event.kind, is_first, players: event.players, viewers: event.viewers };
        while self.events.front().is_some_and(|event| event.viewers >= viewers) {
            self.events.pop_front();
            self.first += 1;
        }
        Ok(delivery)
    }
}

/// The kind of an event that the server makes by itself; a move must have been expected.
fn server_made(number: u64, text: &str) -> anyhow::Result<EventKind> {
    let message = serde_json::from_str(text)?;
    let ServerMessage::Event { v, event, .. } = message else {
        return Err(anyhow!("{text} was not expected"));
    };
    ensure!(v == number, "event {v} came where {number} was next");
    match event {
        Event::Moved { .. } => Err(anyhow!("{text} was not played")),
        Event::GameStarted { game, first, score, .. } => {
            Ok(EventKind::Started { game, first, score })
        }
        Event::GameOver { end, .. } => Ok(EventKind::Over { score: end.score }),
        _ => Ok(EventKind::Other),
    }
}

/// Two texts may be one message with another order of fields, or with new fields.
fn check_equal(expected: &str, text: &str) -> anyhow::Result<()> {
    let [one, mut other] = [expected, text].map(serde_json::from_str::<ServerMessage>);
    // The server draws the id of a game that it keeps. All viewers must be told the first one's.
    if let Some(GameEnd { id: None, .. }) = one.as_ref().ok().and_then(end_of)
        && let Ok(ServerMessage::Event { event: Event::Moved { over: Some(over), .. }, .. }) =
            &mut other
    {
        over.id = None;
    }
    ensure!(one.is_ok() && one.ok() == other.ok(), "{text} came where {expected} was expected");
    Ok(())
}

/// The end of the game by a move.
const fn end_of(message: &ServerMessage) -> Option<&GameEnd> {
    match message {
        ServerMessage::Event { event: Event::Moved { over, .. }, .. } => over.as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use noughts_protocol::Mark;

    use super::{EventKind, ExpectedEvents};

    const MOVED: &str = r#"{"type":"event","room":"KQRZX","v":7,"event":{"kind":"moved","game":1,"ply":0,"mark":"x","cell":4}}"#;

    fn one_move() -> ExpectedEvents {
        let mut expected = ExpectedEvents::starting_at(7);
        let kind = EventKind::Move { by: Mark::X, due: Instant::now(), ends_game: false };
        expected.push(MOVED.to_owned(), kind);
        expected
    }

    #[test]
    fn a_move_is_delivered_when_all_viewers_have_received_it() {
        let mut expected = one_move();
        let delivery = expected.receive(7, MOVED, true, 2).unwrap();
        assert_eq!((delivery.players, delivery.viewers, expected.is_empty()), (1, 1, false));
        let reordered = MOVED.replacen(r#""room":"KQRZX","v":7"#, r#""v":7,"room":"KQRZX""#, 1);
        assert_eq!(expected.receive(7, &reordered, true, 2).unwrap().players, 2);
        assert_eq!((expected.is_empty(), expected.end()), (true, 8));
    }

    #[test]
    fn gaps_repeats_and_wrong_cells_are_noticed() {
        assert!(one_move().receive(6, MOVED, true, 2).is_err(), "a repeat");
        assert!(
            one_move().receive(7, &MOVED.replace("4}", "5}"), true, 2).is_err(),
            "another cell"
        );
        assert!(one_move().receive(8, MOVED, true, 2).is_err(), "a gap");
        let unasked = MOVED.replace(r#""v":7"#, r#""v":8"#);
        assert!(one_move().receive(8, &unasked, true, 2).is_err(), "a move nobody made");
        let seated = r#"{"type":"event","room":"KQRZX","v":8,"event":{"kind":"seated","mark":"x","seat":{"kind":"open"}}}"#;
        assert_eq!(one_move().receive(8, seated, true, 2).unwrap().kind, EventKind::Other);
        let over = r#","over":{"result":{"how":"board_full"},"score":{"x":0,"o":0,"draws":1}}}"#;
        let ending = MOVED.replacen('}', over, 1);
        assert!(one_move().receive(7, &ending, true, 2).is_err(), "an end of the game");
    }

    #[test]
    fn the_server_draws_the_id_of_a_game_and_tells_everybody_the_same() {
        let over = |id: &str| {
            let over = r#","over":{"result":{"how":"board_full"},"score":{"x":0,"o":0,"draws":1}"#;
            MOVED.replacen('}', &format!("{over}{id}}}}}"), 1)
        };
        let with_id = |id| over(&format!(r#","id":"{id}""#));
        let [one, two] = ["0123456789abcdef", "0123456789abcdee"].map(with_id);
        let mut expected = ExpectedEvents::starting_at(7);
        let kind = EventKind::Move { by: Mark::X, due: Instant::now(), ends_game: true };
        expected.push(over(""), kind);
        assert_eq!(expected.receive(7, &one, true, 3).unwrap().players, 1);
        assert!(expected.receive(7, &two, true, 3).is_err(), "another id");
        assert_eq!(expected.receive(7, &one, true, 3).unwrap().players, 2);
    }
}
