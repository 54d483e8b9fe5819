//! The texts about ratings in a room.

use noughts_client::session::RoomView;
use noughts_protocol::{Mark, RoomRatings, SeatRating};

use super::{capitalized, player_name};

/// A rating beside a name: "1523", "1662?" while it is very uncertain, "1531 +8" after a game.
pub(crate) fn beside(view: &RoomView, mark: Mark) -> Option<String> {
    let rating = view.presence.ratings?.seats[mark]?;
    let change = rating.change().map(|change| format!(" {change:+}"));
    Some(points(rating) + &change.unwrap_or_default())
}

fn points(SeatRating { rating, provisional, .. }: SeatRating) -> String {
    format!("{rating}{}", if provisional { "?" } else { "" })
}

/// The line that shows both ratings: "Rated: you 1500?, Bob 1523." before a game, and
/// "Rated: you 1662? (+162), Bob 1515 (-8)." after it.
pub(crate) fn told(view: &RoomView) -> Option<String> {
    let RoomRatings { rated, seats } = view.presence.ratings?;
    if !rated {
        return Some("This game is not rated.".to_owned());
    }
    let named = Mark::BOTH.into_iter().filter_map(|mark| {
        let rating = seats[mark]?;
        let change = rating.change().map(|change| format!(" ({change:+})"));
        Some(format!(
            "{} {}{}",
            player_name(view, mark),
            points(rating),
            change.unwrap_or_default()
        ))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    Some(match named.is_empty() {
        true => "This game is rated.".to_owned(),
        false => format!("Rated: {named}."),
    })
}

/// Whether the game is rated, in a word; "" in a room whose games are never rated.
pub(crate) fn word(view: &RoomView) -> &'static str {
    match view.presence.ratings {
        None => "",
        Some(RoomRatings { rated: true, .. }) => "rated",
        Some(_) => "not rated",
    }
}

/// The end of the sentence that a game begins, if all is known: " Rated."
pub(super) fn begins(view: &RoomView) -> String {
    let known = view.presence.ratings.filter(|known| known.seats.x.and(known.seats.o).is_some());
    known
        .filter(|known| known.rated)
        .map_or(String::new(), |_| format!(" {}.", capitalized(word(view))))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use noughts_protocol::{ByMark, Presence, Score};

    use super::*;
    use crate::fixture::{ME, game_started, here, snapshot};
    use crate::strings::{event_text, presence_text};

    const NEW: SeatRating = SeatRating { rating: 1662, provisional: true, before: Some(1500) };
    const OLD: SeatRating = SeatRating { rating: 1515, provisional: false, before: Some(1523) };

    fn ratings(rated: bool, x: Option<SeatRating>, o: Option<SeatRating>) -> Presence {
        Presence { ratings: Some(RoomRatings { rated, seats: ByMark { x, o } }), ..here() }
    }

    fn view(moves: &[u16]) -> RoomView {
        RoomView::new(&snapshot("3x3x3", moves), Some(ME), Instant::now()).unwrap()
    }

    #[track_caller]
    fn check(view: &mut RoomView, presence: Presence, expected: &[&str]) {
        let changes = view.take_presence(presence, Instant::now());
        let texts: Vec<_> =
            changes.iter().filter_map(|change| presence_text(view, change)).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn what_is_rated_is_said_before_the_game_and_the_change_after_it() {
        let mut view = view(&[0, 3, 1, 4, 2]);
        check(&mut view, here(), &[]);
        check(&mut view, ratings(true, None, None), &["This game is rated."]);
        let start = ratings(true, None, Some(OLD)).ratings.map(RoomRatings::at_start);
        check(&mut view, Presence { ratings: start, ..here() }, &["Rated: Bob 1515."]);
        assert_eq!((beside(&view, Mark::X), beside(&view, Mark::O)), (None, Some("1515".into())));
        let over = ratings(true, Some(NEW), Some(OLD));
        check(&mut view, over, &["Rated: you 1662? (+162), Bob 1515 (-8)."]);
        check(&mut view, over, &[]);
        assert_eq!(beside(&view, Mark::X).as_deref(), Some("1662? +162"));
        let started = game_started(2, Mark::X, Score::default());
        let before = view.apply(11, &started, Instant::now()).unwrap();
        let text = "Game 2 begins: you (X) move first. Rated.";
        assert_eq!(event_text(&view, &started, &before).as_deref(), Some(text));
        assert_eq!(beside(&view, Mark::X).as_deref(), Some("1662?"));
        check(&mut view, ratings(false, None, None), &["This game is not rated."]);
        check(&mut view, here(), &[]);
    }
}
