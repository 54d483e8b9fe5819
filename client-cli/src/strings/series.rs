//! The texts about series of games, and about the pace of two computers.

use noughts_client::session::RoomView;
use noughts_protocol::{Mark, Pace, Score, Series};

use super::{subject, with_verb};

/// The name of an offer: "a rematch", "the next series", "a new series, first to 3".
pub(crate) fn offer(view: &RoomView, series: Option<Series>) -> String {
    match series.map(|series| series.first_to) {
        None if view.state.series.winner(view.state.score).is_some() => {
            "the next series".to_owned()
        }
        None => "a rematch".to_owned(),
        Some(None) => "a new series".to_owned(),
        Some(Some(wins)) => format!("a new series, first to {wins}"),
    }
}

/// The text about an offer, or its end.
pub(super) fn offered(
    view: &RoomView,
    mark: Mark,
    offered: bool,
    series: Option<Series>,
) -> String {
    let offer = offer(view, series);
    match (view.mine.contains(&mark), offered) {
        (true, true) => format!("You offer {offer}: waiting for the answer."),
        (true, false) => "You withdrew your offer of a rematch.".to_owned(),
        (false, true) => format!("{} {offer}.", with_verb(view, mark, "offer")),
        (false, false) => "The offer of a rematch has ended.".to_owned(),
    }
}

/// A first game's sentence about its series: " The first to win 3 games wins the series."
pub(super) fn begins(series: Series, score: Score) -> String {
    match series.first_to.filter(|_| score == Score::default()) {
        Some(1) | None => String::new(),
        Some(wins) => format!(" The first to win {wins} games wins the series."),
    }
}

/// The state of a series: who wins it, or how long it is. `None` if it is open.
pub(crate) fn series_text(view: &RoomView) -> Option<String> {
    let state = &view.state;
    let first_to = state.series.first_to?;
    Some(match state.series.winner(state.score) {
        None => format!("The first to win {first_to} games wins the series."),
        Some(winner) if view.mine.len() == 2 => format!("{winner} wins the series."),
        Some(winner) if view.mine == [winner] => "You win the series.".to_owned(),
        Some(winner) => format!("{} wins the series.", subject(view, winner)),
    })
}

/// The text about a change of the pace.
pub(super) fn paced(pace: Pace) -> String {
    match pace {
        Pace::Paused => "The computers are paused.".to_owned(),
        Pace::Normal => "The computers play on.".to_owned(),
        Pace::Slow | Pace::Fast => format!("The computers play on, {pace}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{my_view, snapshot};

    fn view(first_to: Option<u8>, x: u32) -> RoomView {
        let mut snapshot = snapshot("3x3x3", &[0, 3, 1, 4, 2]);
        snapshot.series = Series { first_to };
        snapshot.score = Score { x, ..Score::default() };
        my_view(&snapshot)
    }

    #[test]
    fn a_series_says_who_wins_it_or_how_long_it_is() {
        assert_eq!(series_text(&view(None, 4)), None);
        let text = |x| series_text(&view(Some(3), x)).unwrap();
        assert_eq!(text(2), "The first to win 3 games wins the series.");
        assert_eq!(text(3), "You win the series.");
        let mut lost = view(Some(1), 0);
        lost.state.score.o = 1;
        assert_eq!(series_text(&lost).unwrap(), "Bob wins the series.");
    }

    #[test]
    fn an_offer_says_what_is_offered() {
        let room = view(None, 1);
        let said = |mark, series| offered(&room, mark, true, series);
        let to = |first_to| Some(Series { first_to });
        assert_eq!(said(Mark::O, None), "Bob offers a rematch.");
        assert_eq!(said(Mark::O, to(Some(3))), "Bob offers a new series, first to 3.");
        assert_eq!(said(Mark::X, to(None)), "You offer a new series: waiting for the answer.");
    }

    #[test]
    fn only_the_first_game_of_a_series_tells_its_length() {
        let three = Series { first_to: Some(3) };
        assert!(begins(three, Score::default()).contains("3 games"));
        assert_eq!(begins(three, Score { x: 1, ..Score::default() }), "");
        assert_eq!(begins(Series::default(), Score::default()), "");
    }
}
