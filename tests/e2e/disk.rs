//! Disks that are full, read-only, damaged or failing. A move that cannot be stored is refused and shown
//! to nobody, stored moves stay, and the server continues by itself when the disk does.

mod unasked;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use noughts_harness::player::{play_again, play_out};
use noughts_harness::process::{check_refused, run_server, server_says};
use noughts_harness::skip::skipped;
use noughts_harness::{ServerProcess, TestServer};
use noughts_protocol::{Cell, RefusalCode, Role, RoomSettings};
use tempfile::TempDir;

use crate::admin::admin;

/// A file system of 1 MiB in memory; unmounted with it.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// `None`, with a report of the skip, if this user may not mount.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mount = ["-t", "tmpfs", "-o", "size=1m", "tmpfs"];
        let mounted = Command::new("mount").args(mount).arg(folder.path()).output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(folder)),
            other => {
                skipped("a real full disk", &format!("the right to mount one: {other:?}"));
                None
            }
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn remount(&self, how: &str) {
        let how = format!("remount,{how}");
        let done = Command::new("mount").args(["-o", &how]).arg(self.path()).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(self.path()).status());
    }
}

#[tokio::test]
async fn a_full_disk_refuses_what_does_not_fit_says_so_once_and_is_forgiven() {
    let Some(disk) = SmallDisk::mount() else { return };
    let rooms = ["--rooms-per-address=256000"];
    let data = ["--data-dir", disk.path().to_str().unwrap()];
    let server = ServerProcess::start(&[&data[..], &rooms].concat());
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    let code = ada.state().code;
    play_out(&mut ada, &mut bob, &[4, 0]).await;
    let fill = disk.path().join("fill");
    // Writes until the disk is full, which is the error.
    let fill_up = || {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&fill).unwrap();
        file.write_all(&vec![1; 2 << 20]).unwrap_err();
    };
    // A move may still fit: the server empties its log into the file, and uses the log again. A room does
    // not fit for ever.
    let mut eve = server.player("Eve").await;
    fill_up();
    while eve.try_host().await.is_ok() {
        fill_up();
    }
    for _ in 0..3 {
        fill_up();
        assert_eq!(eve.try_host().await, Err(RefusalCode::NotStored));
    }
    assert!(eve.refusal_text.contains("try again"), "{}", eve.refusal_text);
    let status = admin(&server, &[&data[..], &["status"]].concat()).unwrap();
    assert!(status.contains("the store CANNOT BE WRITTEN"), "{status}");

    fs::remove_file(&fill).unwrap();
    ada.join(code, Role::Player).await.unwrap();
    play_out(&mut ada, &mut bob, &[8, 1]).await;
    let log = server.log();
    assert_eq!(log.matches("ERROR").count(), 1, "{log}");
    assert!(log.contains("the disk is full") && log.contains("works again"), "{log}");

    let server = server.restart();
    let mut eve = server.player("Eve").await;
    eve.join(code, Role::Spectator).await.unwrap();
    assert_eq!(eve.game().moves(), [4, 0, 8, 1].map(Cell));
    drop(server);
    server_says(0, &["verify", "--data-dir", disk.path().to_str().unwrap()]);
}

#[test]
fn a_full_disk_at_the_start_is_said_to_be_full() {
    let Some(disk) = SmallDisk::mount() else { return };
    let folder = disk.path().to_str().unwrap();
    // With no space at all not even the files can be made; with some, the first commit fails.
    for left in [0, 20_480, 49_152] {
        let fill = disk.path().join("fill");
        fs::write(&fill, vec![1; 2 << 20]).unwrap_err();
        fs::File::options().write(true).open(&fill).unwrap().set_len((1 << 20) - left).unwrap();
        let full = "the disk is full: free some space";
        check_refused(&["--bind", "127.0.0.1:0", "--data-dir", folder], full);
        for file in fs::read_dir(disk.path()).unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_in_one_line() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut folders: Vec<PathBuf> = vec![file.path().join("below-a-file")];
    let disk = SmallDisk::mount();
    if let Some(disk) = &disk {
        disk.remount("ro");
        folders.push(disk.path().to_owned());
    }
    for folder in folders {
        let folder = folder.to_str().unwrap();
        let words = check_refused(&["--bind", "127.0.0.1:0", "--data-dir", folder], folder);
        assert!(words.contains("--ephemeral"), "{words}");
        assert_eq!(words.matches("os error").count(), 1, "{words}");
    }
}

/// A folder with a game, a kept game and a room that waits, as a server leaves it that was stopped in
/// peace.
async fn stored() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(&[&kept(folder.path())]).await;
    let (mut ada, mut bob) = server.pair(RoomSettings::default()).await;
    play_out(&mut ada, &mut bob, &[4, 0, 8]).await;
    bob.resign().await.unwrap();
    play_again(&mut ada, &mut bob).await;
    ada.host().await;
    server.stop().await;
    folder
}

fn kept(folder: &Path) -> String {
    format!("--data-dir={}", folder.display())
}

#[tokio::test]
async fn flipped_bytes_are_found_or_harmless_and_never_a_crash() {
    const PAGE: usize = 4096;
    let whole = stored().await;
    let bytes = fs::read(whole.path().join("noughts.db")).unwrap();
    let mut found = 0;
    let pages = bytes.len() / PAGE;
    for page in 0..pages {
        let folder = tempfile::tempdir().unwrap();
        let mut damaged = bytes.clone();
        for byte in &mut damaged[page * PAGE..][..PAGE] {
            *byte ^= 0x55;
        }
        fs::write(folder.path().join("noughts.db"), damaged).unwrap();
        let (code, said) = run_server(&["verify", &kept(folder.path())]);
        assert!(matches!(code, 0..=2), "{said}");
        found += u32::from(code != 0);
        // The server refuses the file in one line, or serves what it can.
        match TestServer::try_start(&[&kept(folder.path())]).await {
            Err(error) => {
                let words = error.to_string();
                assert!(words.contains("damaged") && words.contains("backup"), "{words}");
            }
            Ok(server) => {
                let mut eve = server.player("Eve").await;
                let _ = eve.try_host().await;
                server.stop().await;
            }
        }
    }
    println!("{found} of {pages} damaged pages were found by verify");
    assert!(usize::try_from(found).unwrap() + 2 >= pages, "{found} of {pages}");
}
