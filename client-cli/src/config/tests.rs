//! Profiles that are saved, loaded and locked.

use super::*;

fn file() -> (tempfile::TempDir, ConfigFile) {
    let folder = tempfile::tempdir().unwrap();
    let file = ConfigFile::open(&folder.path().join("new"), ProfileChoice::FirstFree);
    (folder, file)
}

fn remember(file: &ConfigFile, server: &str, token: &str) {
    file.change(welcomed(server, token, true)).unwrap();
}

fn welcomed(server: &str, token: &str, typed: bool) -> Change {
    Change::Welcomed {
        server: server.parse::<Link>().unwrap().server,
        name: "Ada".parse().unwrap(),
        token: token.parse().unwrap(),
        typed,
        password: None,
    }
}

#[test]
fn the_last_servers_that_were_typed_are_offered_again() {
    let (_folder, file) = file();
    for number in [0, 1, 2, 3, 4, 5, 6, 7, 8, 5] {
        remember(&file, &format!("h{number}"), "token");
    }
    file.change(welcomed("found", "t", false)).unwrap();
    let typed: Vec<_> = file.load().0.typed().map(|server| server.to_string()).collect();
    assert_eq!(typed, ["h5", "h8", "h7", "h6", "h4", "h3", "h2", "h1"]);
}

#[test]
fn what_is_remembered_comes_back() {
    let (_folder, file) = file();
    assert_eq!(file.load(), (SavedProfile::default(), None));
    remember(&file, "one", "token-1");
    remember(&file, "two", "token-2");
    let (saved, note) = file.load();
    assert_eq!(note, None);
    assert_eq!(saved.name.as_ref().unwrap().as_str(), "Ada");
    let two = saved.server().unwrap();
    assert_eq!(two.to_string(), "two");
    assert_eq!(saved.token(&two).unwrap().reveal(), "token-2");
    let one = "one".parse::<Link>().unwrap().server;
    assert_eq!(saved.token(&one).unwrap().reveal(), "token-1");
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, file) = file();
    remember(&file, "one", "token-1");
    assert_eq!(fs::metadata(&file.path).unwrap().permissions().mode() & 0o777, 0o600);
    let others = fs::read_dir(file.path.parent().unwrap()).unwrap().count();
    assert_eq!(others, 2, "the file and its lock: no temporary file stays");
}

#[test]
fn a_broken_file_is_put_aside() {
    let (_folder, file) = file();
    remember(&file, "one", "token-1");
    fs::write(&file.path, "{\"name\": \u{1b}[2J").unwrap();
    let (saved, note) = file.load();
    assert_eq!(saved, SavedProfile::default());
    let note = note.unwrap();
    assert!(note.contains("starting with a new file") && !note.contains('\u{1b}'), "{note}");
    assert!(file.path.with_extension("json.broken").exists());
    remember(&file, "one", "token-1");
    assert_eq!(file.load().1, None);
}

#[test]
fn the_table_of_tokens_is_bounded() {
    let (_folder, file) = file();
    for number in 0..=MAX_SERVERS {
        let mut saved = file.load().0;
        saved.tokens.insert(format!("ws://h{number}/ws"), "t".parse().unwrap());
        file.write(&saved).unwrap();
    }
    remember(&file, "another", "token");
    assert!(file.load().0.tokens.len() <= MAX_SERVERS + 1);
}

#[test]
fn clients_at_once_are_players_of_their_own_and_come_back_to_their_rooms() {
    let folder = tempfile::tempdir().unwrap();
    let take = |choice| ConfigFile::open(folder.path(), choice);
    let one = take(ProfileChoice::FirstFree);
    let two = take(ProfileChoice::FirstFree);
    assert_eq!((one.number(), two.number()), (1, 2));
    let room = "KQRZX".parse().unwrap();
    one.change(Change::Seat("BCDFG".parse().unwrap())).unwrap();
    two.change(Change::Seat(room)).unwrap();
    two.change(Change::Seat("DDDDD".parse().unwrap())).unwrap();
    drop((one, two));
    assert_eq!(take(ProfileChoice::SeatedIn(room)).number(), 2, "an earlier seat counts too");
    let all: Vec<_> = (0..=MAX_PROFILES).map(|_| take(ProfileChoice::FirstFree)).collect();
    assert_eq!(all[MAX_PROFILES].number(), 1, "one more shares the first");
}

#[test]
fn a_fresh_profile_begins_with_the_servers_of_the_newest_one() {
    let (folder, first) = file();
    let folder = folder.path().join("new");
    let take = || ConfigFile::open(&folder, ProfileChoice::FirstFree);
    let servers = |saved: &SavedProfile| saved.typed().map(|s| s.to_string()).collect::<Vec<_>>();
    remember(&first, "one", "token-1");
    let second = take();
    remember(&second, "two", "token-2");
    let third = take();
    let (fresh, _) = third.load();
    assert_eq!(fresh.server().unwrap().to_string(), "two");
    assert_eq!((servers(&fresh), fresh.name.clone()), (vec!["two".to_owned(), "one".into()], None));
    assert!(fresh.token(&fresh.server().unwrap()).is_none(), "another player");
    remember(&third, "three", "token-3");
    assert_eq!(servers(&third.load().0), ["three", "two", "one"], "they stay in its own file");
    assert_eq!(servers(&first.load().0), ["one"]);
}

#[test]
fn any_login_name_becomes_legal() {
    assert_eq!(legal_name("ada").as_str(), "ada");
    assert_eq!(legal_name("  a\u{202e}da \t b ").as_str(), "ada b");
    assert_eq!(legal_name("").as_str(), "Guest");
    assert_eq!(legal_name(&"e\u{336}".repeat(99)).as_str(), "e\u{336}".repeat(24));
    assert_eq!(legal_name(&"x".repeat(99)).as_str().len(), noughts_protocol::MAX_NAME_CHARS);
}

#[test]
fn changes_are_written_in_their_order_and_all_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let open = || ConfigFile::open(folder.path(), ProfileChoice::FirstFree);
    let writer = Writer::start(open());
    for number in 0..20 {
        writer.write(welcomed(&format!("h{number}"), "token", true));
        let room = "KQRZX".parse().unwrap();
        writer.write(if number % 2 == 0 { Change::Seat(room) } else { Change::NoSeat(room) });
    }
    drop(writer);
    let file = open();
    assert_eq!(file.number(), 1, "the lock went with the writer");
    let (saved, _) = file.load();
    assert_eq!((saved.server().unwrap().to_string().as_str(), saved.room), ("h19", None));
    assert_eq!(saved.tokens.len(), 20);
}

/// Catches a session over ssh that ends before its token is in the file: the next one would be another player.
#[tokio::test]
async fn changes_are_in_the_file_when_they_are_waited_for() {
    let (_folder, file) = file();
    let path = file.path.clone();
    let thread = WriterThread::start(64);
    let writer = thread.writer(file);
    for number in 0..20 {
        writer.write(welcomed(&format!("h{number}"), "token", true));
    }
    thread.written().await;
    let saved = fs::read_to_string(path).unwrap();
    assert!(saved.contains("h19"), "{saved}");
    drop(writer);
    thread.finish();
}

#[tokio::test]
async fn a_change_that_cannot_be_written_is_reported() {
    let (_folder, file) = file();
    fs::remove_dir_all(file.path.parent().unwrap()).unwrap();
    fs::write(file.path.parent().unwrap(), "a file where the folder was").unwrap();
    let mut writer = Writer::start(file);
    writer.write(Change::Seat("KQRZX".parse().unwrap()));
    assert!(writer.problem().await.contains("failed to write"));
    writer.write(Change::Seat("BCDFG".parse().unwrap()));
    assert!(writer.finish().unwrap().contains("failed to write"));
}

#[test]
fn a_room_that_was_not_left_stays_a_seat_of_before() {
    let mut saved = SavedProfile::default();
    let code = |text: &str| text.parse::<RoomCode>().unwrap();
    let earlier =
        |saved: &SavedProfile| saved.earlier.iter().map(ToString::to_string).collect::<Vec<_>>();
    for room in ["BBBBB", "CCCCC", "DDDDD", "FFFFF", "GGGGG", "GGGGG"] {
        saved.apply(Change::Seat(code(room)));
    }
    assert_eq!(earlier(&saved), ["FFFFF", "DDDDD", "CCCCC"]);
    saved.apply(Change::Seat(code("DDDDD")));
    assert_eq!(earlier(&saved), ["GGGGG", "FFFFF", "CCCCC"]);
    saved.apply(Change::NoSeat(code("DDDDD")));
    saved.apply(Change::Seat(code("HHHHH")));
    saved.apply(Change::NoSeat(code("FFFFF")));
    assert_eq!(earlier(&saved), ["GGGGG", "CCCCC"], "DDDDD was left");
}
