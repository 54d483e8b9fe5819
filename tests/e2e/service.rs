//! The server as a service: its configuration file, `check`, its messages to the service manager, and the
//! files of `server/packaging`.

mod packages;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use noughts_harness::process::{check_refused, program, server_says};
use noughts_harness::{ServerProcess, TestServer, until};

const PACKAGING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/packaging");

/// A file in a folder that goes with the test.
fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn check_says_what_would_be_wrong_without_hosting() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let bind = "127.0.0.1:0";
    let said = server_says(0, &["check", "--bind", bind, "--data-dir", data]);
    // A test may be run with variables of its own.
    let found: Vec<&str> = said.lines().filter(|line| !line.starts_with("ignored: ")).collect();
    assert_eq!(found.len(), 3, "{said}");
    assert!(found.iter().all(|line| line.starts_with("ok: ")), "{said}");
    assert!(!Path::new(data).exists(), "nothing is made");

    check_refused(&["check", "--max-rooms", "0"], "--max-rooms: 0 is out of range");
    let config = file(folder.path(), "noughts.toml", "max-rooms = 0");
    check_refused(&["check", "--config", &config], ":1: max-rooms: 0");

    let server = ServerProcess::start(&[]);
    let bind = server.address().to_string();
    let data = server.folder().to_str().unwrap();
    let said = server_says(1, &["check", "--bind", &bind, "--data-dir", data]);
    assert!(said.contains("problem: port ") && said.contains("--bind"), "{said}");
    assert!(said.contains("problem: another noughts-server keeps its rooms in"), "{said}");
}

/// The service manager of a server that it starts.
#[cfg(target_os = "linux")]
struct Manager {
    socket: std::os::unix::net::UnixDatagram,
    server: std::process::Child,
    _folder: tempfile::TempDir,
}

#[cfg(target_os = "linux")]
impl Manager {
    fn start(server: &mut Command) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = std::os::unix::net::UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(noughts_harness::TIMEOUT)).unwrap();
        server.args(["--bind", "127.0.0.1:0", "--ephemeral"]).stdout(std::process::Stdio::null());
        let server = server.env("NOTIFY_SOCKET", &path).spawn().unwrap();
        Self { socket, server, _folder: folder }
    }

    fn hear(&self) -> String {
        let mut buffer = [0; 512];
        let length = self.socket.recv(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    }

    fn hang_up(&self) {
        noughts_harness::process::signal(self.server.id(), "-HUP");
    }

    fn stop(mut self) {
        noughts_harness::process::signal(self.server.id(), "-TERM");
        assert_eq!(self.hear(), "STOPPING=1\n");
        assert!(self.server.wait().unwrap().success());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_service_manager_hears_when_it_listens_and_when_it_stops() {
    let manager = Manager::start(Command::new(program("noughts-server")).args(["--log", "warn"]));
    let ready = manager.hear();
    assert!(
        ready.contains("READY=1\n") && ready.contains("STATUS=Listening on 127.0.0.1:"),
        "{ready}"
    );
    manager.stop();
}

#[cfg(target_os = "linux")]
#[test]
fn the_journal_gets_levels_and_no_times_and_others_get_times() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    for journal in [true, false] {
        let written = fs::File::create(&log).unwrap();
        let it = written.metadata().unwrap();
        let stream = format!("{}:{}", it.dev(), it.ino() + u64::from(!journal));
        let mut server = Command::new(program("noughts-server"));
        let manager = Manager::start(server.env("JOURNAL_STREAM", stream).stderr(written));
        assert!(manager.hear().contains("READY=1\n"));
        manager.stop();
        let lines = fs::read_to_string(&log).unwrap();
        assert_eq!(lines.contains("<6> INFO noughts_server: stopped"), journal, "{lines}");
        assert_eq!(lines.starts_with("20"), !journal, "{lines}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_hangup_reads_the_configuration_again_and_says_what_takes_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        file(folder.path(), "noughts.toml", "log = \"warn\"\nmax-rooms = 7\nrooms-per-address = 9");
    let log = folder.path().join("log");
    let mut server = Command::new(program("noughts-server"));
    server.args(["--config", &config]).stderr(fs::File::create(&log).unwrap());
    let manager = Manager::start(&mut server);
    let ready = manager.hear();
    let (_, address) = ready.split_once("Listening on ").unwrap();
    let server = TestServer::at(address.trim().parse().unwrap());
    let lists = async || server.get("/api/v1/rooms", "").await.0 == 200;
    let logged = async |text: &str| {
        until(text, async || fs::read_to_string(&log).unwrap().contains(text).then_some(())).await;
    };
    assert!(lists().await);

    // A file with a mistake changes nothing.
    file(folder.path(), "noughts.toml", "join-password = \"horse\"\nmax-room = 8");
    manager.hang_up();
    logged("nothing has changed: ").await;
    logged("there is no option \"max-room\": did you mean max-rooms?").await;
    assert!(lists().await);

    // The line is of the level info: the filter is the new one.
    file(folder.path(), "noughts.toml", "join-password = \"horse\"\nmax-rooms = 8");
    manager.hang_up();
    logged("the configuration was read again").await;
    logged("this option has changed: it takes a restart option=\"max-rooms\"").await;
    // It has no default, and is not set any more.
    logged("this option has changed: it takes a restart option=\"rooms-per-address\"").await;
    assert!(!lists().await, "there is a password now");
    let said = fs::read_to_string(&log).unwrap();
    assert_eq!(said.matches("takes a restart").count(), 2, "{said}");
    assert!(!said.contains("horse"), "{said}");
    manager.stop();
}

/// The files that are shipped, but for those that a test of their own reads.
fn shipped() -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(PACKAGING).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn the_readme_names_what_is_shipped() {
    let readme = crate::server_pages();
    for path in shipped() {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(readme.contains(&format!("packaging/{name})")), "no page of the server has {name}");
    }
}
