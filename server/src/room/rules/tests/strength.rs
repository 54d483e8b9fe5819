//! The strength of the computer that plays against a person: set, adapted, and what it says.

use super::check;

/// The person wins two games, of which the computer begins the second.
const TWO_WINS: &str = "1 4 2 5 3, ada offers, 4 1 5 2 9 3";
/// The computer wins two games.
const TWO_LOSSES: &str = "1 4 2 5 9 6, ada offers, 4 1 5 2 6";

#[test]
fn the_person_sets_the_strength_of_the_computer_at_any_time() {
    check("ada computer", "ada sets weak", "O is computer weak");
    check("ada computer | ada sets weak, restarts 1 s, ada joins", "ada sets weak", "ok");
}

#[test]
fn a_strength_that_the_board_does_not_offer_is_the_named_one_below() {
    check("ada computer", "ada sets level_4", "O is computer weak");
    check("ada computer 15x15x5", "ada sets level_4", "O is computer level 4");
}

#[test]
fn nobody_else_and_no_party_sets_a_strength() {
    check("ada computer | bob watches", "bob sets weak", "refused not_seated");
    check("computer computer | ada watches", "ada sets weak", "refused not_seated");
    check("ada bob", "ada sets weak", "refused not_now");
    check("ada computer table", "ada sets weak", "refused not_now");
    check("ada perfect", "ada sets weak", "refused not_now");
}

#[test]
fn a_computer_that_adapts_follows_two_wins_or_losses() {
    let room = |before: &str| format!("ada computer adapts | {before}");
    let stronger = "game 3, X begins, 2-0; O is computer strong";
    check(&room(TWO_WINS), "ada offers", stronger);
    check(&room(&format!("{TWO_WINS}, restarts 1 s, ada joins")), "ada offers", stronger);
    check(&room(TWO_LOSSES), "ada offers", "game 3, X begins, 0-2; O is computer weak");
    check(&format!("ada computer | {TWO_WINS}"), "ada offers", "game 3, X begins, 2-0");
    let lost_next = format!("{TWO_WINS}, ada offers, ada resigns");
    check(&room(&lost_next), "ada offers", "game 4, O begins, 2-1");
}

#[test]
fn a_draw_and_another_strength_break_the_run() {
    let room = |before: &str| format!("ada computer adapts | {before}");
    let drawn = "1 4 2 5 3, ada offers, 5 1 2 8 3 7 4 6 9, ada offers, 1 4 2 5 3";
    check(&room(drawn), "ada offers", "game 4, O begins, 2-0-1");
    let set = "1 4 2 5 3, ada sets weak, ada offers, 4 1 5 2 9 3";
    check(&room(set), "ada offers", "game 3, X begins, 2-0");
}

#[test]
fn at_the_end_of_the_scale_a_computer_stays_as_it_is() {
    let strongest = format!("ada computer adapts | ada sets very_strong, {TWO_WINS}");
    check(&strongest, "ada offers", "game 3, X begins, 2-0");
}

#[test]
fn a_computer_says_why_it_moves_where_the_room_asks_for_that() {
    check("ada computer comments | 1 5 2", "computer 3", "O 3, blocks row 1");
    check(
        "ada computer comments | 1 5 2 3 9",
        "computer 7",
        "O 7, wins, O wins by the counter diagonal, 0-1",
    );
    check("ada computer comments | 1", "computer 5", "O 5, only move");
    check("ada computer | 1 5 2", "computer 3", "O 3");
    let large = "7x7x4 | a1 b1 a2 b2 a3";
    check(
        &format!("ada computer comments {large}"),
        "computer a4",
        "O a4, blocks a column from a1 to a4",
    );
    check(&format!("ada computer comments {large}, ada sets strong"), "computer a4", "O a4");
}
