//! Qubic: the first player wins both cubes, as Oren Patashnik has proven (1980).

use super::proof::ThreatProof;
use super::{best_moves, book, field};
use crate::Outcome;
use crate::bits::Bits;
use crate::deadline::{Budget, Deadline};
use crate::variants::duel::Marks;

#[test]
fn a_cube_has_its_lines() {
    let lines = |side| -> u32 {
        field(side).lines.bundles.iter().map(|bundle| bundle.starts.count()).sum()
    };
    assert_eq!([lines(3), lines(4)], [49, 76]);
}

#[test]
fn the_first_player_wins_3_by_3_by_3() {
    let found = best_moves(&field(3), &Marks::none(), &Deadline::none());
    assert_eq!((found.outcome, found.moves), (Some(Outcome::Win), vec![13]));
}

#[test]
fn the_book_answers_every_move() {
    let field = field(4);
    let answer = |marks: &Marks<u64>| match book::replies(&field, marks)[..] {
        [cell] if !marks.taken().has(cell) => marks.after(&field, cell),
        _ => panic!("no answer: {marks:?}"),
    };
    let replies = |marks: Marks<u64>| {
        let field = &field;
        (field.cells & !marks.taken()).each().map(move |cell| marks.after(field, cell))
    };
    // A corner, and a cell in the middle of the cube.
    for first in [0, 21] {
        assert!(book::replies(&field, &Marks::none()).contains(&first));
        for second in replies(Marks::none().after(&field, first)) {
            for fourth in replies(answer(&second)) {
                answer(&fourth);
            }
        }
    }
}

#[test]
#[ignore = "takes minutes, optimised: cargo test --release -p noughts-engine the_first_player_wins -- --ignored"]
fn the_first_player_wins_4_by_4_by_4() {
    let field = field(4);
    let deadline = Deadline::none();
    for moves in book::entries() {
        let first = Marks::none().after(&field, 0);
        let marks = moves.iter().fold(first, |marks, cell| marks.after(&field, *cell));
        for cell in (field.cells & !marks.taken()).each() {
            let mut proof = ThreatProof::new(&field, None);
            let mut budget = Budget::moves(u32::MAX, &deadline);
            let wins = proof.winning_move(&marks.after(&field, cell), &mut budget);
            assert!(wins.is_some(), "{moves:?} {cell}");
        }
    }
}
