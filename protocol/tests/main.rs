//! The one test binary of the protocol crate. Its modules, by theme:
//!
//! - `rules`: what may happen on a board and in a room
//!   - `board`: sizes, cells and their names for people
//!   - `line`: won lines and their kinds; lines that can still be won, against brute force
//!   - `game`: illegal moves, results, replay, the early draw; any game against a naive referee
//!   - `opening`: the phases of swap2, whose turn it is in them, and what moves and choices lead to
//!   - `room`: the fold over a room's facts, and its snapshot
//!   - `contradiction`: which fact may follow which, and which snapshot may be: one case a line
//!   - `party`: which fact of a party may follow which, and what it counts
//!   - `settings`: the table of settings against the settings of a room and the enums
//!   - `variants`: the rules of each variant, and any game of any of them
//! - `words`: what is validated where it is parsed
//!   - `id`: codes, ids, names, tokens
//!   - `reason`: refusals, close codes and text for people
//!   - `text`: joiners and marks stay where they belong to words and emoji; lengths
//! - `wire`: what crosses it
//!   - `golden`: one file for each message, which parses and is written the same again
//!   - `page`: the constants and the settings that the page has from here
//!   - `readme`: the examples of `protocol/README.md`, and that it leaves nothing out
//!   - `schema`, with the feature of that name: `schema.json`, the golden files and the page's
//!     table of fields agree with the types
//!   - `reading`: a client's message is read wherever its tag is, and written with the tag first
//!   - `shape`: defaults, lists in place of objects, and the size of the largest frames

mod rules {
    mod board;
    mod contradiction;
    mod game;
    mod line;
    mod opening;
    mod party;
    pub(crate) mod room;
    mod settings;
    mod variants;
}

mod words {
    mod id;
    mod identity_file;
    mod reason;
    mod text;
}

mod wire {
    mod golden;
    mod page;
    mod reading;
    mod readme;
    #[cfg(feature = "schema")]
    mod schema;
    mod shape;
}
