//! A journal of before there were clusters gets their tables, and nothing else changes.
//!
//! `journal-schema-6.db` is a journal as the last server without shards left it: a game that runs, a party
//! with a table that is over and one that runs, and a kill while facts were in `batch`; then the file was
//! copied with `VACUUM INTO`. The `.json` beside it is what that server told at the end: what `verify` and
//! `export` said, and the tokens of the players.

use super::older::Older;
use super::tool;

pub(super) const JOURNAL: Older =
    Older(include_bytes!("journal-schema-6.db"), include_str!("journal-schema-6.json"));

#[test]
fn a_journal_without_shards_is_as_it_was() {
    JOURNAL.is_as_it_was();
}

#[tokio::test]
async fn a_room_of_before_shards_goes_on() {
    let server = JOURNAL.served();
    let mut bob = JOURNAL.returns(&server, "Bob").await;
    assert_eq!((bob.number(), bob.game().ply()), (2, 3));
    bob.play(2).await.unwrap();
    let (code, told, errors) = tool("verify", server.folder());
    assert!(code == Some(0) && told.contains(", 27 facts, "), "{told}{errors}");
}
