//! The journal of a node: what rooms write is proposed, and what the log says is stored.

use std::collections::BTreeMap;

use rusqlite::types::Value;

use super::*;
use crate::journal::entry::EndTime;
use crate::journal::environment::Workers;
use crate::journal::replica::ShardContents;
use crate::journal::startup::ShardOwner;
use crate::shard::Shard;

/// A node, and the log as a test sees it.
struct TestNode {
    journal: Journal,
    startup: Startup,
    replica: Replica,
    proposals: Proposals,
}

impl TestNode {
    fn open(folder: &Path) -> Self {
        let opened = Journal::open_replica(folder, Environment::REAL, |store| Box::new(store));
        let (journal, startup, replica, proposals) = opened.unwrap();
        Self { journal, startup, replica, proposals }
    }

    /// Does records of the log, the last of which is `seq`.
    async fn apply(&self, mut writes: Vec<Write>, seq: u64) {
        writes.push(Write::Applied(seq));
        self.replica.apply(writes).await.unwrap();
    }

    /// Takes the shard of [`code`] with the record `claim`.
    async fn claim(&self, claim: u64) -> ShardContents {
        let (shard, at) = (shard(), 1000 * claim.cast_signed());
        let run = Write::Run { shard, id: claim.cast_signed(), at, age: at };
        let owner = Write::Owner { shard, node: Some("a".to_owned()), claim };
        self.apply(vec![run, owner], claim).await;
        self.replica.take_shard(shard, claim).await.unwrap()
    }

    /// Writes of rooms become a record: `seq` is its number. Returns them.
    async fn record(&mut self, seq: u64) -> Vec<Write> {
        let Proposal { write, reply } = self.proposals.0.recv().await.unwrap();
        self.apply(vec![write.clone()], seq).await;
        reply.unwrap().send(Ok(())).unwrap();
        vec![write]
    }

    /// Makes a room, whose record is `seq`. Returns its number and the writes.
    async fn make_room(&mut self, seq: u64) -> (i64, Vec<Write>) {
        let room = self.journal.new_room(code());
        let id = room.id();
        let made = tokio::spawn(async move { room.create(new_room(), &events()).await.map(drop) });
        let writes = self.record(seq).await;
        made.await.unwrap().unwrap();
        (id, writes)
    }
}

fn shard() -> Shard {
    Shard::of_code(code())
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[tokio::test]
async fn what_is_written_is_stored_when_the_log_says_so() {
    let folder = folder();
    let mut node = TestNode::open(folder.path());
    assert_eq!(*node.replica.applied().borrow(), 0);
    let contents = node.claim(3).await;
    assert!(contents.rooms.is_empty() && contents.parties.is_empty());
    let (id, _) = node.make_room(4).await;
    assert_eq!(Shard::of_number(id), shard());
    let stored = node.journal.room(id).load().await.unwrap();
    assert_eq!((stored.code, stored.entries.len()), (code(), events().len()));
    assert!(stored.entries.iter().all(|entry| entry.run == 3), "{stored:?}");

    node.journal.close().await;
    let node = TestNode::open(folder.path());
    assert_eq!(*node.replica.applied().borrow(), 4);
    assert!(node.startup.rooms.is_empty(), "they come with the shard");
    let owner = ShardOwner { shard: shard(), node: Some("a".to_owned()), claim: 3 };
    assert!(node.startup.owners.contains(&owner), "{:?}", node.startup.owners);
    assert_eq!(node.startup.owners.len(), Shard::all().count());
    let contents = node.claim(5).await;
    let rooms: Vec<i64> = contents.rooms.iter().map(|room| room.id).collect();
    assert_eq!(rooms, [id]);
    assert_eq!(node.journal.uptime(id).current(), 5);
    assert_eq!(node.journal.uptime(id).restarts_since(3), 1);
    let other = Shard::all().find(|other| *other != shard()).unwrap();
    let others = node.replica.take_shard(other, 5).await.unwrap();
    assert!(others.rooms.is_empty());
}

#[tokio::test]
async fn a_new_owner_continues_above_all_numbers_of_the_shard() {
    let folder = folder();
    let node = TestNode::open(folder.path());
    node.claim(1).await;
    // Another node made it, whose clock goes fast.
    let room = shard().first_number(wall_clock() + 1_000_000) + 1023;
    let create = Write::Create { room, new: new_room(), made: 0, entries: Vec::new() };
    let end = EndTime { at: 1, age: 1 };
    let end = Write::Append { room, entries: Vec::new(), kept: None, ended: Some(end) };
    node.apply(vec![create, end], 2).await;
    let contents = node.claim(3).await;
    assert!(contents.rooms.is_empty(), "it ended without a move, and is deleted");
    assert_eq!(node.journal.new_room(code()).id(), shard().next_number(room));
}

#[tokio::test]
async fn a_run_of_a_shard_is_as_long_as_its_records_say() {
    let folder = folder();
    let node = TestNode::open(folder.path());
    node.claim(2).await;
    node.apply(vec![Write::Alive { shard: Some(shard()), at: 9000, age: 9000 }], 3).await;
    node.claim(20).await;
    let uptime = node.journal.uptime(shard().first_number(0));
    assert_eq!(uptime.since(2, 4000), Duration::from_secs(5));
    assert!(node.replica.age() >= 20_000);
}

#[tokio::test]
async fn who_reads_a_room_waits_for_its_last_record() {
    let folder = folder();
    let mut node = TestNode::open(folder.path());
    node.claim(1).await;
    let (id, _) = node.make_room(2).await;
    node.replica.note_appended(3);
    let room = node.journal.room(id);
    let mut loading = std::pin::pin!(room.load());
    assert!(futures::poll!(&mut loading).is_pending());
    node.apply(Vec::new(), 3).await;
    loading.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_node_that_stays_behind_reads_nothing() {
    let folder = folder();
    let environment = Environment { workers: Workers::Tasks, ..Environment::REAL };
    let opened = Journal::open_replica(folder.path(), environment, |store| Box::new(store));
    let (journal, _, replica, _proposals) = opened.unwrap();
    replica.note_appended(3);
    let refused = journal.room(7).load().await;
    assert!(matches!(refused, Err(DiskError::Failing(_))), "{refused:?}");
}

#[tokio::test]
async fn a_write_that_the_file_refuses_is_left_out() {
    let folder = folder();
    let mut node = TestNode::open(folder.path());
    node.claim(1).await;
    let (_, mut twice) = node.make_room(2).await;
    let player = PlayerId(9);
    twice.push(Write::Forget { player, at: 7 });
    tokio::time::timeout(Duration::from_secs(10), node.apply(twice, 3)).await.unwrap();
    assert_eq!(*node.replica.applied().borrow(), 3);
    assert!(node.journal.is_forgotten(player));
    assert!(!node.journal.is_failing());
}

/// All rows of all tables, except what is a node's own.
fn contents(folder: &Path) -> BTreeMap<String, Vec<Vec<Value>>> {
    let file = rusqlite::Connection::open(folder.join(FILE)).unwrap();
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'secret'";
    let mut tables = file.prepare(sql).unwrap();
    let tables = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
    tables
        .map(|table| {
            let table = table.unwrap();
            let mut select = file.prepare(&format!("SELECT * FROM {table}")).unwrap();
            let columns = select.column_count();
            let rows = select.query_map([], |row| {
                (0..columns).map(|column| row.get(column)).collect::<rusqlite::Result<_>>()
            });
            let rows = rows.unwrap().map(Result::unwrap).collect();
            (table, rows)
        })
        .collect()
}

#[tokio::test]
async fn two_nodes_store_the_same() {
    let folders = [folder(), folder()];
    let mut first = TestNode::open(folders[0].path());
    let second = TestNode::open(folders[1].path());
    first.claim(1).await;
    let (id, writes) = first.make_room(2).await;
    let room = first.journal.room(id);
    let loaded = room.load().await.unwrap();
    let last = loaded.entries.last().unwrap().v;
    let facts = [moved(), Event::Closed { reason: CloseReason::Idle }];
    room.note_vacant(Some(Duration::from_secs(3)));
    let vacant = first.proposals.0.recv().await.unwrap().write;
    let closing = tokio::spawn(async move { room.append(last, facts, None).await.map(drop) });
    let closed = first.record(4).await;
    closing.await.unwrap().unwrap();
    first.apply(vec![vacant.clone()], 5).await;

    second.claim(1).await;
    second.apply([writes, closed].concat(), 4).await;
    second.apply(vec![vacant], 5).await;
    for node in [&first, &second] {
        node.journal.close().await;
    }
    assert_eq!(contents(folders[0].path()), contents(folders[1].path()));
}

#[tokio::test]
async fn the_file_of_a_node_is_not_that_of_a_single_server() {
    let (of_node, of_server) = (folder(), folder());
    let node = TestNode::open(of_node.path());
    node.journal.close().await;
    let refused = Journal::open(of_node.path(), Durability::Power).unwrap_err().to_string();
    assert!(refused.contains("start this server with --cluster"), "{refused}");
    TestNode::open(of_node.path()).journal.close().await;

    Journal::open(of_server.path(), Durability::Power).unwrap().0.close().await;
    let opened = Journal::open_replica(of_server.path(), Environment::REAL, |s| Box::new(s));
    let refused = opened.unwrap_err().to_string();
    assert!(refused.contains("choose an empty folder"), "{refused}");
    Journal::open(of_server.path(), Durability::Power).unwrap().0.close().await;
}

/// A disk that fails as long as a test says so.
#[derive(Debug)]
struct FailingDisk(Store, Arc<AtomicBool>);

impl Disk for FailingDisk {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        if self.1.load(Ordering::Acquire) { Err(DiskError::Full) } else { self.0.commit(writes) }
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_tries_until_its_disk_works_again() {
    let (folder, fails) = (folder(), Arc::new(AtomicBool::new(true)));
    let environment = Environment { workers: Workers::Tasks, ..Environment::REAL };
    let disk = |store| -> Box<dyn Disk> { Box::new(FailingDisk(store, Arc::clone(&fails))) };
    let opened = Journal::open_replica(folder.path(), environment, disk);
    let (journal, _, replica, _proposals) = opened.unwrap();
    let applying = {
        let replica = replica.clone();
        tokio::spawn(async move { replica.apply(vec![Write::Applied(7)]).await })
    };
    while !journal.is_failing() {
        tokio::task::yield_now().await;
    }
    assert_eq!(*replica.applied().borrow(), 0);
    fails.store(false, Ordering::Release);
    applying.await.unwrap().unwrap();
    assert_eq!(*replica.applied().borrow(), 7);
    assert!(!journal.is_failing());
}
