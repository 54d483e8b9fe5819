//! `noughts-server check --cluster`: what it says about NATS servers that can be used, that are missing,
//! that refuse the node, and that give it too few rights.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use noughts_harness::NatsServers;
use noughts_harness::process::program;
use noughts_harness::tls::Authority;
use noughts_server::cluster::engine::nats::Permissions;

use super::nats::{PUBLIC_KEY, SEED, list};

/// The longest time that a check may take, also if no server answers.
const LONGEST: Duration = Duration::from_secs(15);

/// Runs a check, and returns its findings about the cluster and its exit code.
struct Said {
    lines: Vec<String>,
    code: Option<i32>,
}

/// Runs a check for these servers.
fn check(urls: &[String], options: &[&str]) -> Said {
    let folder = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let output = Command::new(program("noughts-server"))
        .args(["check", "--bind", "127.0.0.1:0", "--cluster-log-size", "1", "--data-dir"])
        .arg(folder.path().join("data"))
        .args(["--cluster", &urls.join(",")])
        .args(options)
        .output()
        .unwrap();
    assert!(began.elapsed() < LONGEST, "it took {:?}", began.elapsed());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    println!("{text}");
    // The first three are about this machine.
    let lines = text.lines().skip(3).map(str::to_owned).collect();
    Said { lines, code: output.status.code() }
}

/// Repeats a check until it says what it should, for a while.
fn check_until(urls: &[String], is_so: impl Fn(&Said) -> bool) -> Said {
    let began = Instant::now();
    loop {
        let said = check(urls, &[]);
        if is_so(&said) || began.elapsed() > LONGEST {
            return said;
        }
    }
}

impl Said {
    fn problems(&self) -> Vec<&String> {
        self.lines.iter().filter(|line| line.starts_with("problem: ")).collect()
    }

    /// Checks that all is well, and that it says these texts in this order, among others.
    #[track_caller]
    fn is_well(&self, expected: &[&str]) {
        assert_eq!(self.code, Some(0), "{:#?}", self.lines);
        let mut lines = self.lines.iter();
        for text in expected {
            assert!(lines.any(|line| line.contains(text)), "{text}: {:#?}", self.lines);
        }
    }

    /// Checks that it says these problems, one a line, and no others.
    #[track_caller]
    fn has_problems(&self, expected: &[&str]) {
        assert_eq!(self.code, Some(1), "{:#?}", self.lines);
        let problems = self.problems();
        assert_eq!(problems.len(), expected.len(), "{problems:#?}");
        for (problem, text) in problems.into_iter().zip(expected) {
            assert!(problem.contains(text), "{text}: {problem}");
        }
    }
}

#[test]
fn a_host_is_told_what_a_node_would_find() {
    let Some(mut servers) = NatsServers::prepare("a check of three NATS servers", 3) else {
        return;
    };
    servers.sync_always();
    servers.run("");
    let urls = servers.urls();
    // The servers may still look for each other.
    check_until(&urls, |said| said.code == Some(0)).is_well(&[
        "is n0 and has version 2.",
        "is n1 and has version 2.",
        "is n2 and has version 2.",
        "messages pass from each of the 3 NATS servers to each",
        "the log noughts-log does not exist yet: the first node makes it, on 3 servers",
        "a move is on the disk before it counts, on ",
    ]);
    check(&urls, &[]).is_well(&["does not exist yet"]);
    let node = servers.node(0, &[]);
    let with_log = [
        "records, all that there ever were, and ",
        "leads the log noughts-log, and n",
        "the log noughts-log answers who appends to it",
        "the newest record has format 1, and this version reads 1",
    ];
    check_until(&urls, |said| said.code == Some(0)).is_well(&with_log);
    check(&urls, &["--cluster-replicas", "1"]).has_problems(&["has 3 replicas"]);
    check(&urls, &["--cluster-log-size", "2"]).has_problems(&["holds 1073741824 bytes"]);
    assert_eq!(node.health().unwrap()["cluster"]["nodes"], 1, "no check is a node");

    let leader = servers.leader("noughts-log").unwrap();
    servers.kill((leader + 1) % 3);
    // The leader needs some time to notice.
    let one_less = check_until(&urls, |said| {
        let problems = said.problems();
        problems.len() == 2 && problems[1].contains("but n")
    });
    let problems = ["cannot be reached", &format!("n{leader} leads the log noughts-log, but n")];
    one_less.has_problems(&problems);
    (0..3).filter(|index| *index != (leader + 1) % 3).for_each(|index| servers.freeze(index));
    let frozen = check(&urls, &[]);
    let mut problems = ["does not answer"; 3];
    problems[(leader + 1) % 3] = "cannot be reached";
    frozen.has_problems(&problems);
}

#[test]
fn a_node_without_a_good_key_is_told_so() {
    let Permissions { publish, subscribe } = Permissions::new("noughts");
    let users = |publish: &[String]| {
        let (publish, subscribe) = (list(publish), list(&subscribe));
        let rights = format!("permissions: {{ publish: {publish}, subscribe: {subscribe} }}");
        format!("authorization {{ users: [ {{ nkey: {PUBLIC_KEY}, {rights} }} ] }}\n")
    };
    let Some(mut servers) = NatsServers::prepare("a check with a key", 1) else { return };
    servers.run(&users(&publish));
    let folder = tempfile::tempdir().unwrap();
    let files = ["good.nk", "other.nk", "no.nk"].map(|name| folder.path().join(name));
    let [good, other, no] = files.each_ref().map(|path| path.to_str().unwrap());
    std::fs::write(good, SEED).unwrap();
    std::fs::write(no, "no key").unwrap();
    let key = Command::new(program("noughts-server")).args(["cluster", "key", other]).output();
    assert!(key.unwrap().status.success());
    let options = ["--cluster-replicas", "1", "--durability", "process", "--cluster-credentials"];
    let with =
        |servers: &NatsServers, key| check(&servers.urls(), &[&options[..], &[key]].concat());

    // These are all rights that a node has, before the first node and after it.
    with(&servers, good).is_well(&["does not exist yet", "the end of any one machine"]);
    drop(servers.node(0, &["--cluster-credentials", good]));
    with(&servers, good).is_well(&["answers who appends to it", "the newest record has format 1"]);
    with(&servers, other).has_problems(&["refuses this node"]);
    with(&servers, no).has_problems(&["has neither NATS credentials nor the seed"]);
    check(&servers.urls(), &options[..4]).has_problems(&["refuses this node"]);

    servers.kill(0);
    let Some(mut narrow) = NatsServers::prepare("a check with too few rights", 1) else { return };
    narrow.run(&users(&publish[..4]));
    with(&narrow, good).has_problems(&["is not known (no answer came)", "Permissions Violation"]);
}

#[test]
fn a_node_that_cannot_trust_a_server_is_told_so() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let Some(mut servers) = NatsServers::prepare("a check of a certificate", 1) else { return };
    authority.sign(&[&servers.ip(0).to_string()]);
    let (certificate, key) = (authority.cert(), authority.key());
    servers.run(&format!("tls {{ cert_file: {certificate:?}, key_file: {key:?} }}\n"));
    let urls = [servers.url(0).replace("nats://", "tls://")];
    let with = |authority: &Path| {
        let authority = authority.to_str().unwrap();
        check(&urls, &["--cluster-replicas", "1", "--cluster-ca", authority])
    };
    with(&authority.ca()).has_problems(&["a move counts before it is on the disk"]);
    with(&stranger.ca()).has_problems(&["cannot be trusted"]);
    let Some(plain) = NatsServers::start("a check of a server without TLS", 1) else { return };
    let urls = [plain.url(0).replace("nats://", "tls://")];
    check(&urls, &["--cluster-replicas", "1"]).has_problems(&["does not speak TLS"]);
}
