//! What a room's log takes, and what it refuses.

use super::*;
use crate::journal::room_log::AnyRoomLog;

#[tokio::test]
async fn only_the_successors_of_the_last_version_are_stored() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let room = journal.new_room();
    room.create(new_room(), &events()).await.unwrap();
    let stored = room.load().await.unwrap();
    for v in [0, 2, 4, u64::MAX] {
        let refused = room.append(v, [moved()], None).await;
        assert!(matches!(refused, Err(DiskError::Refused(_))), "{v}: {refused:?}");
        assert_eq!(room.load().await.unwrap(), stored, "{v}");
    }
    // A task that knows nothing of the room cannot continue it.
    let refused = journal.room(room.id()).append(3, [moved()], None).await;
    assert!(matches!(refused, Err(DiskError::Refused(_))), "{refused:?}");
    room.append(3, [moved()], None).await.unwrap();
    let versions: Vec<_> = room.load().await.unwrap().entries.iter().map(|e| e.v).collect();
    assert_eq!(versions, [1, 2, 3, 4]);
}

#[tokio::test]
async fn no_facts_are_not_written() {
    let folder = Folder::new();
    let (journal, _) = folder.open();
    let room = journal.new_room();
    room.create(new_room(), &events()).await.unwrap();
    let before = journal.counts();
    room.append(3, [], None).await.unwrap();
    assert_eq!(journal.counts(), before);
}

#[tokio::test]
async fn a_log_that_keeps_nothing_commits_at_once() {
    let log = AnyRoomLog::new_room(None);
    assert!(log.kept().is_none());
    log.create(new_room(), &events()).await.unwrap();
    log.append(3, [moved()], None).await.unwrap();
    log.load().await.unwrap_err();
}
