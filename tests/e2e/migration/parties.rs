//! A journal without parties gets their tables, and nothing else changes.
//!
//! `journal-schema-4.db` is a journal as the last server without parties left it: a friends' game that is
//! over and one that runs, a quick match, a person who was forgotten, and a kill; then the file was
//! copied with `VACUUM INTO`. The `.json` beside it is what that server told at the end: what `verify`
//! and `export` said, and the tokens of the players.

use noughts_protocol::PartySettings;

use super::older::Older;
use super::tool;

const JOURNAL: Older =
    Older(include_bytes!("journal-schema-4.db"), include_str!("journal-schema-4.json"));

#[test]
fn a_journal_without_parties_is_as_it_was() {
    JOURNAL.is_as_it_was();
}

#[tokio::test]
async fn a_party_is_made_in_a_journal_of_before() {
    let server = JOURNAL.served();
    let mut ada = JOURNAL.returns(&server, "Ada").await;
    assert_eq!((ada.number(), ada.game().ply()), (2, 3), "the game that ran runs");
    ada.create_party("Friday", PartySettings::default(), true).await;
    let (code, told, errors) = tool("verify", server.folder());
    assert!(code == Some(0) && told.contains(", 1 party"), "{told}{errors}");
}
