//! The texts about games, word for word.

use std::time::Instant;

use noughts_protocol::{
    ByMark, Cell, FirstMove, HintReason, Mark, Opening, OpeningChoice, OpeningPhase, PartyRuling,
    Placement, PlayerId, Presence, Score, Snapshot, Strength, Variant,
};

use super::*;
use crate::fixture::{
    OTHER, against_computer, away, game_started, here, human, made, my_view, offered, opening,
    snapshot,
};

/// The room as a player with these marks sees it.
fn view_of(mut snapshot: Snapshot, mine: &[Mark]) -> RoomView {
    let viewer = PlayerId(3);
    for mark in mine {
        let name = snapshot.seats[*mark].label();
        snapshot.seats[*mark] = human(viewer, &name);
    }
    RoomView::new(&snapshot, Some(viewer), Instant::now()).unwrap()
}

#[track_caller]
fn check_status(moves: &[u16], mine: &[Mark], expected: &str) {
    let view = view_of(snapshot("3x3x3", moves), mine);
    assert_eq!(status(&view), expected);
}

#[test]
fn results_are_told_to_winner_loser_and_spectator() {
    let row = [0, 3, 1, 4, 2];
    check_status(&row, &[Mark::X], "You win with row 1.");
    check_status(&row, &[Mark::O], "Ada wins with row 1.");
    check_status(&row, &[], "Ada wins with row 1.");
    check_status(&row, &[Mark::X, Mark::O], "X wins with row 1.");
    let both_diagonals = [0, 1, 8, 3, 2, 5, 6, 7, 4];
    check_status(&both_diagonals, &[], "Ada wins with the main diagonal and the counter diagonal.");
    check_status(&[0, 1, 2, 4, 3, 5, 7, 6, 8], &[Mark::X], "Draw: the board is full.");
}

#[test]
fn whose_turn_it_is() {
    check_status(&[], &[Mark::X], "Your turn (X).");
    check_status(&[], &[Mark::O], "Ada's turn (X).");
    check_status(&[0], &[Mark::X, Mark::O], "O to move.");
    let view = my_view(&against_computer(&[0]));
    assert_eq!(status(&view), "The computer is thinking (O).");
}

#[test]
fn ends_that_are_not_on_the_board() {
    let view = my_view(&snapshot("3x3x3", &[]));
    let check = |result, expected| assert_eq!(result_text(&view, &result), expected);
    let won = Mark::X;
    let lost = Mark::O;
    check(GameResult::Resignation { winner: won }, "You win: the opponent resigned.");
    check(GameResult::Resignation { winner: lost }, "Bob wins: you resigned.");
    check(GameResult::Time { winner: lost }, "Bob wins: you ran out of time.");
    check(
        GameResult::Absence { winner: Some(won), party: None },
        "You win: the opponent was away too long.",
    );
    check(
        GameResult::Absence { winner: Some(lost), party: None },
        "Bob wins: you were away too long.",
    );
    check(GameResult::Absence { winner: None, party: None }, "Draw: one side was away too long.");
    let ruled = |winner, ruling| GameResult::Absence { winner, party: Some(ruling) };
    check(ruled(Some(lost), PartyRuling::Decided), "Bob wins: the host decided it.");
    check(ruled(None, PartyRuling::Decided), "Draw: the host decided it.");
    check(ruled(None, PartyRuling::Ended), "Game over: the party is over.");
    check(GameResult::NoLineLeft, "Draw: nobody can win any more.");
}

#[test]
fn events_are_told_from_where_we_sit() {
    let view = my_view(&snapshot("3x3x3", &[]));
    let say = |event: &Event| event_text(&view, event, &view.state.seats);
    for (before, told) in [(&[][..], "You play 5 with X."), (&[0], "Bob plays 5 with O.")] {
        assert_eq!(say(&made(&snapshot("3x3x3", before), (4, None))).unwrap(), told);
    }
    let renamed = Event::Seated { mark: Mark::O, seat: human(OTHER, "Rob") };
    assert_eq!(say(&renamed).unwrap(), "Rob now plays as O.");
    let joined = Event::Seated { mark: Mark::O, seat: human(PlayerId(3), "Cleo") };
    assert_eq!(say(&joined).unwrap(), "Cleo joins as O.");
    let left = Event::Seated { mark: Mark::O, seat: Seat::Open };
    assert_eq!(say(&left).unwrap(), "Bob left: O's seat is open.");
    let mut started = game_started(1, Mark::X, Score::default());
    if let Event::GameStarted { opening, .. } = &mut started {
        *opening = Some(OpeningPhase::first(Mark::X));
    }
    assert_eq!(say(&started).unwrap(), "Game 1 begins, with a swap2 opening.");
}

/// Checks the texts that Ada reads when the presence changes.
#[track_caller]
fn check_presence(before: Presence, after: Presence, expected: &[&str]) {
    let mut view = my_view(&snapshot("3x3x3", &[]));
    view.take_presence(before, Instant::now());
    let changes = view.take_presence(after, Instant::now());
    let texts: Vec<_> = changes.iter().filter_map(|change| presence_text(&view, change)).collect();
    assert_eq!(texts, expected);
}

#[test]
fn what_passes_is_told_when_it_changes() {
    let gone = || {
        let mut presence = here();
        presence.seats.o = Some(SeatPresence::Gone);
        presence
    };
    check_presence(here(), here(), &[]);
    check_presence(here(), away(42), &["Bob is away."]);
    check_presence(away(42), away(30), &[]);
    check_presence(away(42), gone(), &["Bob has been away for too long."]);
    check_presence(gone(), here(), &["Bob is back."]);
    check_presence(Presence::default(), here(), &[]);
    check_presence(Presence::default(), gone(), &["Bob has been away for too long."]);
    check_presence(here(), Presence { spectators: 7, ..here() }, &[]);
    let mut alone = here();
    alone.seats.x = Some(SeatPresence::Gone);
    check_presence(here(), alone, &[]);
    let none = offered(None);
    let mine = offered(Some(Mark::X));
    let theirs = offered(Some(Mark::O));
    check_presence(none, mine, &["You offer a rematch: waiting for the answer."]);
    check_presence(mine, none, &["You withdrew your offer of a rematch."]);
    check_presence(none, theirs, &["Bob offers a rematch."]);
    check_presence(theirs, none, &["The offer of a rematch has ended."]);
    check_presence(theirs, away(42), &["Bob is away.", "The offer of a rematch has ended."]);
    let hinted = |x, o| Presence { hints: Some(ByMark { x, o }), ..here() };
    check_presence(hinted(0, 0), hinted(0, 1), &["Bob took a hint."]);
    check_presence(hinted(0, 0), hinted(1, 0), &[]);
}

#[test]
fn clocks_round_up() {
    let check = |ms, expected| assert_eq!(clock(Duration::from_millis(ms)), expected);
    check(0, "0:00");
    check(1, "0:01");
    check(42_000, "0:42");
    check(61_500, "1:02");
    check(3_600_000, "1:00:00");
}

#[track_caller]
fn check_opening(phase: OpeningPhase, moves: &[u16], mine: &[Mark], expected: &str) {
    let view = view_of(opening(phase, moves), mine);
    assert_eq!(status(&view), expected);
}

#[test]
fn an_opening_says_what_to_do() {
    use Mark::{O, X};
    let placing = OpeningPhase::Placing { by: X, until_ply: 3 };
    let place = "Place three marks: X, O, X. Then the other player chooses. Next: O.";
    check_opening(placing, &[112], &[X], place);
    check_opening(placing, &[112], &[X, O], place);
    check_opening(placing, &[112], &[O], "Ada places three marks for the opening. Next: O.");
    let choosing = OpeningPhase::Choosing { by: O, may_add: true };
    let choose = "Choose: x play X, o play O, a add two marks.";
    check_opening(choosing, &[112, 113, 150], &[O], choose);
    check_opening(choosing, &[112, 113, 150], &[], "Bob chooses a side.");
    let adding = OpeningPhase::Placing { by: O, until_ply: 5 };
    check_opening(adding, &[112, 113, 150, 151], &[O], "Add two marks: O, X. Next: X.");
    check_opening(adding, &[112, 113, 150, 151], &[], "Bob adds two marks. Next: X.");
    let last = OpeningPhase::Choosing { by: X, may_add: false };
    check_opening(last, &[112, 113, 150, 151, 7], &[X], "Choose: x play X, o play O.");
}

#[test]
fn a_mark_of_an_opening_is_told_with_who_placed_it() {
    let phase = OpeningPhase::Placing { by: Mark::X, until_ply: 3 };
    for (marks, mine, expected) in [
        (&[112][..], vec![Mark::X], "You place O on i8."),
        (&[112], vec![Mark::O], "Ada places O on i8."),
        (&[112], vec![Mark::X, Mark::O], "O plays i8."),
        // The last mark of the phase.
        (&[112, 98], vec![Mark::X], "You place X on i8."),
        (&[112, 98], vec![Mark::O], "Ada places X on i8."),
    ] {
        let start = opening(phase, marks);
        let moved = made(&start, (113, None));
        let mut view = view_of(start, &mine);
        let before = view.apply(11, &moved, Instant::now()).unwrap();
        assert_eq!(event_text(&view, &moved, &before).unwrap(), expected);
    }
}

#[test]
fn a_computer_says_why_and_how_it_plays() {
    let start = against_computer(&[0, 4, 1]);
    let mut view = my_view(&start);
    let placed = Placement { mark: Mark::X, cell: Cell(2) };
    let numbered = view.state.game.as_ref().unwrap();
    let lines = numbered.game.rules().lines(numbered.game.board(), placed);
    let mut moved = made(&start, (2, None));
    if let Event::Moved { reason, .. } = &mut moved {
        *reason = Some(HintReason::Blocks { lines });
    }
    let before = view.apply(11, &moved, Instant::now()).unwrap();
    let text = event_text(&view, &moved, &before).unwrap();
    assert!(text.ends_with("plays 3 with O. It blocks row 1."), "{text}");
    let only = super::analysis::comment(&view, &HintReason::OnlyMove);
    assert_eq!(only.as_deref(), Some(" Every other move loses."));
    let mut computer = view.state.seats.o.computer().unwrap();
    computer.strength = Strength::Level4;
    let seated = Event::Seated { mark: Mark::O, seat: Seat::Computer(computer) };
    let before = view.apply(12, &seated, Instant::now()).unwrap();
    let text = event_text(&view, &seated, &before);
    assert_eq!(text.as_deref(), Some("The computer plays level 4 now."));
}

#[test]
fn chosen_sides_are_told_to_each() {
    let phase = OpeningPhase::Choosing { by: Mark::O, may_add: true };
    for (mine, exchanged, expected) in [
        (vec![Mark::X], true, "The sides are chosen and exchanged. You play O, Bob plays X."),
        (vec![], true, "The sides are chosen and exchanged. Bob plays X, Ada plays O."),
        (vec![Mark::O], false, "The sides are chosen. You play O, Ada plays X."),
        (vec![Mark::X, Mark::O], false, "The sides are chosen."),
    ] {
        let mut view = view_of(opening(phase, &[112, 113, 150]), &mine);
        let seats = &view.state.seats;
        let seats = if exchanged { seats.exchanged() } else { seats.clone() };
        let choice = if exchanged { OpeningChoice::X } else { OpeningChoice::O };
        let score = Score::default();
        let chosen = Event::Chosen { game: 1, choice, opening: None, seats, score };
        let before = view.apply(11, &chosen, Instant::now()).unwrap();
        assert_eq!(event_text(&view, &chosen, &before).unwrap(), expected);
    }
}

#[test]
fn a_room_stands_in_a_few_words() {
    let check = |moves: &[u16], mine: &[Mark], expected: &str| {
        assert_eq!(standing(&view_of(snapshot("3x3x3", moves), mine)), expected);
    };
    check(&[], &[Mark::X], "your turn");
    check(&[0], &[Mark::X], "Bob's turn");
    check(&[0], &[], "watching");
    check(&[0], &[Mark::X, Mark::O], "O to move");
    let row = [0, 3, 1, 4, 2];
    check(&row, &[Mark::X], "you won");
    check(&row, &[Mark::O], "you lost");
    check(&row, &[], "the game is over");
    check(&[0, 1, 2, 4, 3, 5, 7, 6, 8], &[Mark::O], "a draw");
    assert_eq!(standing(&my_view(&crate::fixture::waiting())), "waiting for a player");
}

#[test]
fn a_name_is_written_as_it_is() {
    let mut room = snapshot("3x3x3", &[0]);
    room.seats.o = human(OTHER, "eve");
    let view = my_view(&room);
    assert_eq!(status(&view), "eve's turn (O).");
    assert_eq!(score_text(&view), "You 0, eve 0, draws 0");
    let seated = Event::Seated { mark: Mark::O, seat: human(OTHER, "eve") };
    let before = view.state.seats.clone();
    assert_eq!(event_text(&view, &seated, &before).as_deref(), Some("eve now plays as O."));
    let computer = my_view(&against_computer(&[0]));
    assert!(score_text(&computer).contains(", Computer "), "{}", score_text(&computer));
}

#[test]
fn lines_are_broken_between_words_and_long_words_anywhere() {
    assert_eq!(wrap("one two three", 20), ["one two three"]);
    assert_eq!(wrap("one two three", 8), ["one two", "three"]);
    assert_eq!(wrap("a abcdefghij b", 4), ["a", "abcd", "efgh", "ij b"]);
    assert_eq!(wrap("KQRZX  Ada", 20), ["KQRZX  Ada"]);
    assert_eq!(wrap("", 5), [""]);
    assert_eq!(wrap("漢字漢字", 4), ["漢字", "漢字"]);
}

/// Ada reads these two texts after the last of some moves in a variant: the move, and what may follow.
#[track_caller]
fn check_variant(of: Variant, board: &str, moves: &[u16], expected: (&str, &str)) {
    let moves: Vec<_> = moves.iter().map(|cell| (*cell, None)).collect();
    let (last, before) = moves.split_last().unwrap();
    let before = crate::fixture::variant(of, board, before);
    let mut view = my_view(&before);
    let moved = made(&before, *last);
    let seats = view.apply(11, &moved, Instant::now()).unwrap();
    let told = event_text(&view, &moved, &seats).unwrap();
    let end = end_text(&view, &moved).unwrap_or_default();
    let then = variant::may_play(&view).unwrap_or(end);
    assert_eq!((&*told, &*then), expected, "{of}");
}

#[test]
fn a_side_is_told_by_more_than_its_mark_where_both_place_the_same() {
    let view = |of, board| my_view(&crate::fixture::variant(of, board, &[]));
    let role = |of, board, mark| variant::role(&view(of, board), mark);
    assert_eq!(role(Variant::Line, "3x3x3", Mark::O), "O");
    assert_eq!(role(Variant::Order, "6x6x5", Mark::O), "Chaos");
    assert_eq!(role(Variant::Notakto, "3x3x3", Mark::X), "first");
    assert_eq!(role(Variant::Notakto, "3x3x3", Mark::O), "second");
    assert_eq!(role(Variant::Wild, "3x3x3", Mark::O), "second");
    assert_eq!(status(&view(Variant::Order, "6x6x5")), "Your turn (Order).");
    assert_eq!(status(&view(Variant::Wild, "3x3x3")), "Your turn.");
    let mut waiting = crate::fixture::waiting();
    waiting.settings.variant = Variant::Notakto;
    waiting.settings.first = FirstMove::O;
    assert_eq!(variant::role(&my_view(&waiting), Mark::X), "second");
    waiting.settings.first = FirstMove::Random;
    assert_eq!(variant::role(&my_view(&waiting), Mark::X), "first or second, by lot");
    let mut wild = view(Variant::Wild, "3x3x3");
    let left = Event::Seated { mark: Mark::O, seat: Seat::Open };
    let told = event_text(&wild, &left, &wild.state.seats).unwrap();
    assert_eq!(told, "Bob left: player 2's seat is open.");
    wild.mine = Mark::BOTH.to_vec();
    assert_eq!(status(&wild), "Player 1 to move.");
    let resigned = GameResult::Resignation { winner: Mark::O };
    assert_eq!(result_text(&wild, &resigned), "Player 2 wins: player 1 resigned.");
}

#[test]
fn the_rules_of_a_room_explain_its_opening() {
    let mut settings = snapshot("15x15x5", &[]).settings;
    assert_eq!(variant::notes(&settings), ["Who has 5 in a row wins."]);
    settings.opening = Opening::Swap2;
    assert!(variant::notes(&settings)[1].contains("The other one chooses a side"));
}

#[test]
fn who_plays_both_sides_is_told_the_mark_that_lost() {
    let moves = [(0, None), (3, None), (1, None), (4, None), (2, None)];
    let misere = crate::fixture::variant(Variant::Misere, "3x3x3", &moves);
    assert_eq!(status(&view_of(misere, &Mark::BOTH)), "O wins: X completed row 1.");
}

#[test]
fn a_variant_tells_what_a_move_did_and_what_may_be_played() {
    let all = [Variant::Ultimate, Variant::Notakto, Variant::Gravity, Variant::Vanish];
    let [ultimate, notakto, gravity, vanish] = all;
    let sent = ("You play e5 (board 5) with X.", "Board 5 (d4 to f6).");
    check_variant(ultimate, "9x9x3", &[40], sent);
    let won = [40, 30, 0, 10, 31, 3, 9, 27, 18];
    let won = (&won, ("You play a3 (board 1) with X and win board 1.", "Board 7 (a7 to c9)."));
    check_variant(ultimate, "9x9x3", won.0, won.1);
    let dead =
        ("You play c1 (board 1) with X: board 1 is dead.", "Both place X. Board 2 (d1 to f3).");
    check_variant(notakto, "6x3x3", &[0, 3, 1, 4, 2], dead);
    let lost = ("You play 3 with X.", "Bob wins: you completed row 1.");
    check_variant(notakto, "3x3x3", &[0, 1, 2], lost);
    let full = [3, 10, 17, 24, 31, 38].map(|cell| 41 - cell);
    check_variant(gravity, "7x6x4", &full, ("Bob plays d1 with O.", "Columns a to c, e to g."));
    let goes = ("You play 9 with X: the mark on 1 goes.", "The mark on 4 goes then.");
    check_variant(vanish, "3x3x3", &[0, 3, 1, 4, 5, 2, 8], goes);
    let lost = ("You play 3 with X.", "Bob wins: you completed row 1.");
    check_variant(Variant::Misere, "3x3x3", &[0, 3, 1, 4, 2], lost);
    let through = ("You play a7 (layer 3) with X.", "You win with a line from a1 to a7.");
    check_variant(Variant::Qubic, "3x9x3", &[0, 1, 9, 2, 18], through);
}
