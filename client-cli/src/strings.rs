//! The texts about rooms and games that people read. The full screen and plain mode share them.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use noughts_client::connection::BROKE;
use noughts_client::session::{End, Happening, Lobby, PresenceChange, Remedy, RoomView};
use noughts_protocol::{
    ByMark, CloseReason, DisplayText, Event, GameResult, Mark, Opening, Pace, Refusal, RefusalCode,
    RoomCode, RoomSettings, RoomSummary, Seat, SeatPresence,
};

use ratatui::text::Span;
use textwrap::WordSplitter;
use unicode_segmentation::UnicodeSegmentation;

use crate::boards::Boards;

pub(crate) mod analysis;
pub(crate) mod archive;
pub(crate) mod host;
mod opening;
pub(crate) mod party;
pub(crate) mod people;
pub(crate) mod ratings;
mod series;
pub(crate) mod talk;
pub(crate) mod variant;

pub(crate) use series::{offer, series_text};
pub(crate) mod result;
pub(crate) use result::result_text;

/// Why the connection broke, to be put after that; empty if the reason says no more.
pub(crate) fn break_reason(reason: &DisplayText) -> String {
    match reason.as_str() {
        BROKE => String::new(),
        reason => format!(" ({reason})"),
    }
}

/// The player of a mark: "you", a name, or the computer.
pub(crate) fn player_name(view: &RoomView, mark: Mark) -> String {
    if view.mine == [mark] { "you".to_owned() } else { seat_name(&view.state.seats[mark], mark) }
}

/// The occupant of a seat.
fn seat_name(seat: &Seat, mark: Mark) -> String {
    match seat {
        Seat::Open => format!("{mark}"),
        Seat::Human { name, .. } => name.to_string(),
        Seat::Computer(_) => seat.label(),
    }
}

/// The text with a capital first letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The occupant of a seat at the start of a sentence. A name is written as it is.
fn seat_subject(seat: &Seat, mark: Mark) -> String {
    match seat {
        Seat::Human { name, .. } => name.to_string(),
        seat => capitalized(&seat_name(seat, mark)),
    }
}

/// The player of a mark at the start of a sentence: "You", a name as it is, or "Computer".
pub(crate) fn subject(view: &RoomView, mark: Mark) -> String {
    if view.mine == [mark] { "You".to_owned() } else { seat_subject(&view.state.seats[mark], mark) }
}

/// "You play" or "Ada plays".
fn with_verb(view: &RoomView, mark: Mark, verb: &str) -> String {
    let you = view.mine == [mark];
    let subject = subject(view, mark);
    if you { format!("{subject} {verb}") } else { format!("{subject} {verb}s") }
}

/// The state of the game after a move during a break.
pub(crate) const WAITING_MOVE: &str = "Your move is sent when the server is back.";

/// The state of the game after a resignation during a break.
pub(crate) const WAITING_RESIGNATION: &str = "Your resignation is sent when the server is back.";

/// The answer to other wishes of the player during a break.
pub(crate) const WAITING_OTHER: &str = "What you asked for is sent when the server is back.";

/// The state of the game: whose turn it is, or its result.
pub(crate) fn status(view: &RoomView) -> String {
    let Some(numbered) = &view.state.game else {
        return "Waiting for a player to take the open seat.".to_owned();
    };
    if let Some(result) = numbered.game.result() {
        return result_text(view, result);
    }
    if let Some(status) = numbered.opening.and_then(|phase| opening::status(view, phase)) {
        return status;
    }
    let mark = numbered.game.to_move();
    let played = view.state.settings.variant;
    let side = variant::side(played, mark);
    let named = variant::after_name(played, mark);
    if view.mine == [mark] {
        return format!("Your turn{named}.");
    }
    if view.mine.len() == 2 {
        return format!("{} to move.", capitalized(&side));
    }
    let owner = match &view.state.seats[mark] {
        Seat::Open => format!("{}'s turn.", capitalized(&side)),
        seat => format!("{}'s turn{named}.", seat_subject(seat, mark)),
    };
    match view.state.seats[mark] {
        Seat::Computer(_) if view.state.pace == Pace::Paused => format!("Paused. {owner}"),
        Seat::Computer(_) if !view.is_watching() => format!("The computer is thinking{named}."),
        _ => owner,
    }
}

/// The last move of a running game, for a player who was away: "Last move: O on 9."
pub(crate) fn last_move(view: &RoomView) -> Option<String> {
    let game = &view.state.game.as_ref()?.game;
    let cell = *game.moves().last()?;
    let mark = game.board().get(cell)?;
    Some(format!("Last move: {mark} on {}.", variant::cell(Boards::of_room(view), cell)))
}

/// How a room stands for the player, in a few words: "your turn", "Bob's turn".
pub(crate) fn standing(view: &RoomView) -> String {
    let Some(numbered) = &view.state.game else {
        return "waiting for a player".to_owned();
    };
    let Some(turn) = view.state.turn() else {
        return match numbered.game.result().map(GameResult::winner) {
            Some(Some(winner)) if view.mine == [winner] => "you won".to_owned(),
            Some(Some(winner)) if view.mine == [winner.other()] => "you lost".to_owned(),
            Some(None) if numbered.game.result().is_some_and(GameResult::counts) => {
                "a draw".to_owned()
            }
            _ => "the game is over".to_owned(),
        };
    };
    match &view.mine[..] {
        [] => "watching".to_owned(),
        [_, _] => format!("{} to move", variant::side(view.state.settings.variant, turn)),
        mine if mine == [turn] || view.my_choice().is_some() => "your turn".to_owned(),
        _ => format!("{}'s turn", seat_name(&view.state.seats[turn], turn)),
    }
}

/// The text about an event that was applied to `view`, or `None` if there is nothing to say.
/// `before` had the seats before it. [`end_text`] says that a game is over.
pub(crate) fn event_text(view: &RoomView, event: &Event, before: &ByMark<Seat>) -> Option<String> {
    let side = |mark| variant::side(view.state.settings.variant, mark);
    Some(match event {
        Event::Seated { mark, seat: Seat::Open } => {
            let name = seat_subject(&before[*mark], *mark);
            format!("{name} left: {}'s seat is open.", side(*mark))
        }
        Event::Seated { mark, seat: Seat::Computer(computer) }
            if before[*mark].computer().is_some() =>
        {
            format!("The computer plays {} now.", computer.strength)
        }
        Event::Seated { mark, seat } => {
            let player = seat.player();
            let same = player.is_some() && before[*mark].player() == player;
            let verb = if same { "now plays as" } else { "joins as" };
            if view.mine.contains(mark) {
                format!("You play {}.", variant::role(view, *mark))
            } else {
                format!("{} {verb} {}.", seat_subject(seat, *mark), side(*mark))
            }
        }
        Event::GameStarted { game, opening: Some(_), .. } => {
            format!("Game {game} begins, with a swap2 opening.")
        }
        Event::GameStarted { game, first, series, score, .. } => {
            let series = series::begins(*series, *score);
            let rated = ratings::begins(view);
            format!("Game {game} begins: {} first.{series}{rated}", moves_first(view, *first))
        }
        Event::Chosen { opening: None, seats, .. } => opening::chosen(view, seats != before),
        Event::Moved { mark, cell, placed, effect, reason, .. } => {
            let settings = &view.state.settings;
            let label = variant::cell(Boards::of_room(view), *cell);
            let effect =
                variant::effect(Boards::of_room(view), effect.as_ref(), view.mine == [*mark]);
            if let Some(placed) = opening::placed(view, *mark, &label) {
                return Some(placed);
            }
            let both = view.mine.len() == 2;
            let placed = placed.unwrap_or(*mark);
            let with = format!(" with {placed}");
            let with = if both && !variant::has_inks(settings) { "" } else { &with };
            let plays = match both {
                true => format!("{} plays", capitalized(&side(*mark))),
                false => with_verb(view, *mark, "play"),
            };
            let why = reason.as_ref().and_then(|reason| analysis::comment(view, reason));
            format!("{plays} {label}{with}{effect}.{}", why.unwrap_or_default())
        }
        Event::TakenBack { mark, .. } if view.mine.len() == 2 => {
            format!("{} is to move again.", capitalized(&side(*mark)))
        }
        Event::TakenBack { mark, .. } => format!("{} back a move.", with_verb(view, *mark, "take")),
        Event::Clock { move_ms_left, stopped, .. } => {
            let left = clock(Duration::from_millis(u64::from(*move_ms_left)));
            if *stopped {
                format!("The host has paused the game. The clock stands at {left}.")
            } else {
                format!("The host has set the clock: {left} for this move.")
            }
        }
        Event::Paced { pace } => series::paced(*pace),
        Event::Closed { reason } => close_reason(*reason).to_owned(),
        // The status says what to do after a choice to add marks.
        Event::Chosen { .. } | Event::GameOver { .. } => return None,
    })
}

/// The result, if an event ends the game.
pub(crate) fn end_text(view: &RoomView, event: &Event) -> Option<String> {
    match event {
        Event::Moved { over: Some(end), .. } | Event::GameOver { end, .. } => {
            Some(result_text(view, &end.result))
        }
        _ => None,
    }
}

/// The text about a change of the presence, or `None` if there is nothing to say.
pub(crate) fn presence_text(view: &RoomView, change: &PresenceChange) -> Option<String> {
    Some(match *change {
        PresenceChange::Seat { mark, .. } if view.mine.contains(&mark) => return None,
        PresenceChange::Seat { mark, presence } => {
            let name = seat_subject(&view.state.seats[mark], mark);
            match presence {
                SeatPresence::Connected => format!("{name} is back."),
                SeatPresence::Away { .. } => format!("{name} is away."),
                SeatPresence::Gone => format!("{name} has been away for too long."),
            }
        }
        PresenceChange::Rematch { mark, offered, series } => {
            series::offered(view, mark, offered, series)
        }
        PresenceChange::Ratings => return ratings::told(view),
        PresenceChange::TakeBack { mark, asks: true } if view.mine.contains(&mark) => {
            "You ask to take back a move: waiting for the answer.".to_owned()
        }
        PresenceChange::TakeBack { mark, asks: true } => {
            format!("{} asks to take back a move.", seat_subject(&view.state.seats[mark], mark))
        }
        PresenceChange::TakeBack { .. } => "The move stays.".to_owned(),
        PresenceChange::Declined(by) => {
            format!("{} said no.", seat_subject(&view.state.seats[by], by))
        }
        // The hint itself says so to the player who has taken it.
        PresenceChange::Hint(mark) if view.mine.contains(&mark) => return None,
        PresenceChange::Hint(mark) => {
            format!("{} took a hint.", seat_subject(&view.state.seats[mark], mark))
        }
    })
}

fn moves_first(view: &RoomView, mark: Mark) -> String {
    let variant = view.state.settings.variant;
    let named = variant::after_name(variant, mark);
    match &*player_name(view, mark) {
        "you" => format!("you{named} move"),
        _ if view.mine.len() == 2 => format!("{} moves", variant::side(variant, mark)),
        name => format!("{name}{named} moves"),
    }
}

/// Why a room was closed.
pub(crate) const fn close_reason(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Left => "The room is closed: all players have left.",
        CloseReason::Idle => "The room is closed: nothing happened for too long.",
        CloseReason::Host => "The room is closed: the host of the server has ended it.",
    }
}

/// Why the connection has ended, with the option or the command that helps.
pub(crate) fn ended(end: &End) -> String {
    let helps = match end.remedy {
        Some(Remedy::Trust) => ", and add --ca FILE",
        Some(Remedy::Reconnect) => ": try again later",
        None => "",
    };
    format!("{}{helps}", end.reason)
}

/// The text about a problem that ends nothing.
pub(crate) fn problem(happening: &Happening) -> Option<String> {
    Some(match happening {
        Happening::Unreadable(refusal) | Happening::ServerError(refusal) => refusal.to_string(),
        Happening::Impossible => "the server sent a game that breaks the rules".to_owned(),
        Happening::Busy => {
            "the server has not answered yet: wait a moment and try again".to_owned()
        }
        Happening::Blocked(why) => why.to_string(),
        _ => return None,
    })
}

/// Why the player could not return to a room after a break.
pub(crate) fn room_lost(room: RoomCode, refusal: &Refusal) -> String {
    match refusal.code {
        RefusalCode::NoSuchRoom => {
            format!("room {room} has ended while you were away, or the server was restarted")
        }
        _ => refusal.to_string(),
    }
}

/// The score: "Ada 2, computer (minimax, weak) 1, draws 0".
pub(crate) fn score_text(view: &RoomView) -> String {
    let score = view.state.score;
    let name = |mark| match view.mine.len() {
        2 => capitalized(&variant::side(view.state.settings.variant, mark)),
        _ => subject(view, mark),
    };
    let x = name(Mark::X);
    let o = name(Mark::O);
    format!("{x} {}, {o} {}, draws {}", score.x, score.o, score.draws)
}

/// Minutes and seconds, rounded up, so that 0:00 means that the time is over.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1_000);
    match seconds / 3_600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// Whether to warn that the time for a move is low: the last ten seconds, but at most a third of a
/// short limit and at least a tenth of a long one.
pub(crate) fn is_low(left: Duration, move_time_ms: Option<u32>) -> bool {
    let all = Duration::from_millis(move_time_ms.unwrap_or_default().into());
    left <= Duration::from_secs(10).min(all / 3).max(all / 10)
}

/// The rest of a countdown.
pub(crate) fn countdown(until: Instant, now: Instant) -> String {
    clock(until.saturating_duration_since(now))
}

/// A room's rules: "3x3, 3 in a row, 30 s a move".
pub(crate) fn rules(settings: &RoomSettings) -> String {
    let mut size = variant::game(settings);
    if settings.opening == Opening::Swap2 {
        size.push_str(", swap2");
    }
    match settings.move_time_ms {
        Some(ms) => format!("{size}, {} a move", clock(Duration::from_millis(u64::from(ms)))),
        None => size,
    }
}

/// A public room in one line.
pub(crate) fn room_summary(room: &RoomSummary) -> String {
    let seat = |mark| match &room.seats[mark] {
        Seat::Open => format!("{mark} is free"),
        seat => seat_name(seat, mark),
    };
    let watching = if room.spectators == 0 {
        String::new()
    } else {
        format!(", {} watching", room.spectators)
    };
    let x = seat(Mark::X);
    let o = seat(Mark::O);
    format!(
        "{}  {x} - {o}  {}:{}  {}{watching}",
        room.room,
        room.score.x,
        room.score.o,
        rules(&room.settings)
    )
}

/// The public rooms in lines, as `line` writes each.
pub(crate) fn public_rooms(
    lobby: &Lobby,
    mut line: impl FnMut(&RoomSummary) -> String,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (title, rooms) in
        [("Rooms with a free seat:", &lobby.waiting), ("Games to watch:", &lobby.playing)]
    {
        lines.extend((!rooms.is_empty()).then(|| title.to_owned()));
        lines.extend(rooms.iter().map(&mut line));
    }
    if lobby.more > 0 {
        lines.push(format!("...and {} more.", lobby.more));
    }
    if lines.is_empty() {
        lines.push("There are no public rooms at the moment.".to_owned());
    }
    lines
}

/// A line of a list, and what it is about or leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row<T> {
    /// The text.
    pub(crate) text: String,
    /// The subject.
    pub(crate) target: Option<T>,
}

impl<T> Row<T> {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), target: None }
    }

    fn to(text: impl Into<String>, target: impl Into<Option<T>>) -> Self {
        Self { text: text.into(), target: target.into() }
    }
}

/// How many columns a text takes.
pub(crate) fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// The longest beginning of a text that fits some columns. No character that people count as one is cut.
pub(crate) fn beginning(text: &str, width: usize) -> &str {
    let ends = text.grapheme_indices(true).map(|(at, cluster)| at + cluster.len());
    let fits = ends.take_while(|end| columns(&text[..*end]) <= width);
    &text[..fits.last().unwrap_or_default()]
}

/// Wraps a text into lines of at most `width` columns, between words if possible. Returns at least
/// one line.
pub(crate) fn wrap(text: &str, width: u16) -> Vec<String> {
    // An address is not broken at its hyphens.
    let options = textwrap::Options::new(width.into()).word_splitter(WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(Cow::into_owned).collect()
}

#[cfg(test)]
mod tests;
