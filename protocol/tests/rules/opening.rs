//! The phases of a swap2 opening, and what it means for turns, moves and choices.

use noughts_protocol::{
    AfterChoice, AfterMove, BoardSpec, Cell, Event, Game, IllegalMove, Mark, Move, NumberedGame,
    Opening, OpeningChoice, OpeningPhase, RoomSettings, Rules, Score, Seat,
};

use super::room::{apply_all, human, moved_in_opening, two_players};

const PLACING: OpeningPhase = OpeningPhase::Placing { by: Mark::O, until_ply: 3 };
const CHOOSING: OpeningPhase = OpeningPhase::Choosing { by: Mark::X, may_add: true };
const ADDING: OpeningPhase = OpeningPhase::Placing { by: Mark::X, until_ply: 5 };
const LAST: OpeningPhase = OpeningPhase::Choosing { by: Mark::O, may_add: false };

fn swap2(board: &str) -> RoomSettings {
    let board = board.parse().expect("a board");
    RoomSettings { board, opening: Opening::Swap2, ..RoomSettings::default() }
}

/// A game with these moves of X and O in turn, on a board on which three in a row win.
fn numbered(moves: &[u16], opening: Option<OpeningPhase>) -> NumberedGame {
    let board = BoardSpec::new(13, 13, 3).expect("a board");
    let rules = Rules::line(board, true);
    let moves: Vec<Cell> = moves.iter().copied().map(Cell).collect();
    let game = Game::replay(rules, Mark::X, &moves, &[]).expect("legal moves");
    NumberedGame { number: 1, game, opening, id: None }
}

#[test]
fn both_sides_must_be_thirteen_or_more() {
    for (board, legal) in [("13x13x5", true), ("19x13x5", true), ("12x19x5", false)] {
        assert_eq!(swap2(board).opening_is_legal(), legal, "{board}");
    }
    assert!(RoomSettings::default().opening_is_legal());
}

#[test]
fn choices_lead_to_sides_or_to_two_more_marks() {
    use OpeningChoice::{Add, O, X};
    let sides = |swaps| Some(AfterChoice { opening: None, swaps });
    assert_eq!(CHOOSING.after_choice(X), sides(false));
    assert_eq!(CHOOSING.after_choice(O), sides(true));
    assert_eq!(
        CHOOSING.after_choice(Add),
        Some(AfterChoice { opening: Some(ADDING), swaps: false })
    );
    assert_eq!(LAST.after_choice(X), sides(true));
    assert_eq!(LAST.after_choice(O), sides(false));
    assert_eq!(LAST.after_choice(Add), None);
    for choice in [X, O, Add] {
        assert_eq!(PLACING.after_choice(choice), None);
        assert_eq!(ADDING.after_choice(choice), None);
    }
}

#[test]
fn the_seat_of_the_phase_has_the_turn_whatever_mark_comes_next() {
    let check = |moves: &[u16], opening, turn| {
        assert_eq!(numbered(moves, opening).turn(), Some(turn), "{moves:?} {opening:?}");
    };
    check(&[], Some(PLACING), Mark::O);
    check(&[0], Some(PLACING), Mark::O);
    check(&[0, 50, 1], Some(CHOOSING), Mark::X);
    check(&[0, 50, 1], Some(ADDING), Mark::X);
    check(&[0, 50, 1], None, Mark::O);
    let mut over = numbered(&[], Some(PLACING));
    over.game.conclude(noughts_protocol::GameResult::Time { winner: Mark::X });
    assert_eq!(over.turn(), None);
}

#[test]
fn a_move_leads_to_a_result_or_the_next_phase() {
    let after = |numbered: &NumberedGame, cell| {
        let ply = numbered.game.ply();
        let mark = numbered.game.to_move();
        numbered.decide(Move { ply, mark, cell: Cell(cell), placed: None })
    };
    let leads_to = |opening| Ok(AfterMove { opening, ..AfterMove::default() });
    assert_eq!(after(&numbered(&[0], Some(PLACING)), 50), leads_to(None));
    assert_eq!(after(&numbered(&[0, 50], Some(PLACING)), 1), leads_to(Some(CHOOSING)));
    assert_eq!(after(&numbered(&[0, 50, 1], Some(ADDING)), 51), leads_to(None));
    assert_eq!(after(&numbered(&[0, 50, 1, 51], Some(ADDING)), 3), leads_to(Some(LAST)));
    assert_eq!(after(&numbered(&[0, 50, 1, 51], None), 3), leads_to(None));
    let won = after(&numbered(&[0, 50, 1, 51], None), 2).expect("a legal move");
    assert_eq!(won.result.and_then(|result| result.winner()), Some(Mark::X));
    assert_eq!(won.opening, None);
}

#[test]
fn an_opening_forbids_lines_and_marks_in_place_of_a_choice() {
    let line = Move { ply: 4, mark: Mark::X, cell: Cell(2), placed: None };
    let check = |opening, chosen: Move, expected| {
        assert_eq!(
            numbered(&[0, 50, 1, 51], opening).decide(chosen).err(),
            expected,
            "{opening:?}"
        );
    };
    check(Some(ADDING), line, Some(IllegalMove::LineInOpening));
    check(Some(ADDING), Move { cell: Cell(3), ..line }, None);
    check(None, line, None);
    check(Some(LAST), Move { cell: Cell(3), ..line }, Some(IllegalMove::ChoiceFirst));
    check(Some(ADDING), Move { ply: 3, ..line }, Some(IllegalMove::WrongPly { now: 4 }));
}

#[test]
fn a_choice_may_exchange_the_players_and_their_score() {
    let mut events = two_players(PLACING.into());
    for (ply, cell) in [(0, 7), (1, 20), (2, 40)] {
        let mark = if ply == 1 { Mark::O } else { Mark::X };
        let opening = (ply == 2).then_some(CHOOSING);
        events.push(moved_in_opening(ply, mark, cell, opening));
    }
    let mut room = apply_all(swap2("15x15x5"), &events);
    assert_eq!(room.turn(), Some(Mark::X), "X chooses, though O's mark is next");
    room.score = Score { x: 2, o: 1, draws: 4 };
    let seats = room.seats.exchanged();
    let score = room.score.exchanged();
    let choice = OpeningChoice::O;
    let chosen = Event::Chosen { game: 1, choice, opening: None, seats, score };
    room.apply(room.v + 1, &chosen).expect("an event that fits");
    assert_eq!((&room.seats.x, &room.seats.o), (&human(2, "Ben"), &human(1, "Ada")));
    assert_eq!(room.score, Score { x: 1, o: 2, draws: 4 });
    assert_eq!(room.turn(), Some(Mark::O), "the game decides, once the opening is over");
    assert_ne!(room.seats.x, Seat::Open);
}
