//! Tests of what the end of a chain says of a record.

use super::*;

#[test]
fn the_end_of_a_chain_says_what_became_of_a_record() {
    let tip = |last, mine| Tip { last, owner: None, mine };
    let (after, number) = (10, 5);
    for (tip, fate) in [
        (tip(10, (4, 10)), None),
        (tip(0, (0, 0)), None),
        // Another node's record has its place.
        (tip(11, (4, 10)), Some(Outcome::Outrun)),
        // It is there, also if another node's record follows it.
        (tip(11, (5, 11)), Some(Outcome::Stored(11))),
        (tip(12, (5, 11)), Some(Outcome::Stored(11))),
    ] {
        assert_eq!(tip.fate(after, number), fate, "{tip:?}");
    }
}
