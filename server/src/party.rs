//! Parties: [`pairing`] says who plays whom, [`rules`] what happens in a party. Both are pure: no
//! clock, no channel and no random source; the time and the lots are arguments.

mod names;
pub mod pairing;
#[cfg_attr(not(test), expect(dead_code, reason = "the task of a party is not here yet"))]
pub(crate) mod rules;
