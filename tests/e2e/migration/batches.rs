//! A journal whose facts are all in `event` goes on with facts in `batch`.
//!
//! `journal-schema-5.db` is a journal as the last server without `batch` left it: a game that is over, one
//! that runs, and two kills; then the file was copied with `VACUUM INTO`. The `.json` beside it is what
//! that server told at the end: what `verify` and `export` said, and the tokens of the players.

use super::older::Older;
use super::tool;

const JOURNAL: Older =
    Older(include_bytes!("journal-schema-5.db"), include_str!("journal-schema-5.json"));

#[test]
fn a_journal_without_batches_is_as_it_was() {
    JOURNAL.is_as_it_was();
}

#[tokio::test]
async fn a_game_of_before_goes_on_over_a_kill() {
    let mut server = JOURNAL.served();
    for ply in [3, 4] {
        let mut bob = JOURNAL.returns(&server, "Bob").await;
        assert_eq!((bob.number(), bob.game().ply()), (2, ply));
        if ply == 3 {
            bob.play(2).await.unwrap();
            server.kill();
            let (code, told, errors) = tool("verify", server.folder());
            assert!(code == Some(0) && told.contains(", 13 facts, "), "{told}{errors}");
            server = server.restart();
        }
    }
}
