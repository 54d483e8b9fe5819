//! The computers in a swap2 opening.

use noughts_protocol::{
    BoardSpec, Cell, Computer, Game, Mark, Move, NumberedGame, OpeningChoice, OpeningPhase,
    Placement,
};
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::{Action, any_legal_action, decide, is_quick};
use crate::Deadline;
use crate::tests::{deadline_in, rules};

fn numbered(spec: BoardSpec, moves: &[u16], phase: OpeningPhase) -> NumberedGame {
    let moves: Vec<Cell> = moves.iter().copied().map(Cell).collect();
    let game = Game::replay(rules(spec, true), Mark::X, &moves, &[]).unwrap();
    NumberedGame { number: 1, game, opening: Some(phase), id: None }
}

/// Places until the phase is over; the cells.
fn place_all(mut opened: NumberedGame, marks: usize, rng: &mut StdRng) -> NumberedGame {
    for _ in 0..marks {
        let decided = decide(&opened, Computer::default(), &Deadline::none(), rng);
        let Some(Action::Place(placed)) = decided else { panic!("{decided:?}") };
        let chosen = opened.game.move_with(placed);
        opened.decide(chosen).unwrap();
        opened.game.apply(chosen).unwrap();
    }
    opened
}

#[test]
fn three_marks_are_placed_on_every_board_and_not_always_the_same() {
    let mut rng = StdRng::seed_from_u64(1);
    for (width, height, line) in [(13, 13, 3), (13, 13, 5), (14, 19, 5), (19, 19, 19)] {
        let spec = BoardSpec::new(width, height, line).unwrap();
        let start = numbered(spec, &[], OpeningPhase::first(Mark::O));
        assert!(is_quick(&start, Computer::default()));
        let mut seen: Vec<Vec<Cell>> =
            (0..15).map(|_| place_all(start.clone(), 3, &mut rng).game.moves().to_vec()).collect();
        seen.sort();
        seen.dedup();
        assert!(seen.len() > 5, "{} openings on {spec}", seen.len());
    }
}

#[test]
fn two_marks_are_added_without_a_line_even_where_one_is_near() {
    let mut rng = StdRng::seed_from_u64(2);
    let spec = BoardSpec::new(13, 13, 3).unwrap();
    let adding = OpeningPhase::Placing { by: Mark::O, until_ply: 5 };
    place_all(numbered(spec, &[84, 0, 85], adding), 2, &mut rng);
    let last = numbered(spec, &[84, 0, 85, 2], adding);
    let Action::Place(Placement { cell, .. }) = any_legal_action(&last) else { panic!() };
    assert!(last.decide(Move { ply: 4, mark: Mark::X, cell, placed: None }).is_ok());
}

#[test]
fn the_better_side_is_chosen_where_one_is_clearly_better() {
    let mut rng = StdRng::seed_from_u64(3);
    let spec = BoardSpec::new(13, 13, 4).unwrap();
    let choose = |moves: &[u16], may_add, rng: &mut StdRng| {
        let phase = OpeningPhase::Choosing { by: Mark::O, may_add };
        decide(&numbered(spec, moves, phase), Computer::default(), &Deadline::none(), rng)
    };
    // O has an open two and the move; its opponents are in the corners.
    let for_o = choose(&[0, 84, 12, 85, 168], false, &mut rng);
    assert_eq!(for_o, Some(Action::Choose(OpeningChoice::O)));
    // X has an open three with four in a row to make: O cannot stop both ends.
    let for_x = choose(&[83, 0, 84, 12, 85], false, &mut rng);
    assert_eq!(for_x, Some(Action::Choose(OpeningChoice::X)));
}

#[test]
fn a_choice_keeps_its_deadline() {
    let mut rng = StdRng::seed_from_u64(4);
    let spec = BoardSpec::new(19, 19, 5).unwrap();
    let phase = OpeningPhase::Choosing { by: Mark::O, may_add: true };
    let began = std::time::Instant::now();
    let deadline = deadline_in(std::time::Duration::from_millis(50));
    let decided =
        decide(&numbered(spec, &[180, 200, 220], phase), Computer::default(), &deadline, &mut rng);
    assert!(matches!(decided, Some(Action::Choose(_))));
    assert!(began.elapsed().as_millis() < 1_000, "{:?}", began.elapsed());
}
