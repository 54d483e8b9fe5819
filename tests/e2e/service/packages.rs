//! The packages of a release: for Linux with the unit and a server that starts, and the manifests for
//! Homebrew and winget. Only the compression differs from a release's. The workflow is read by `tidy`.

use std::fs;
use std::process::Command;

use noughts_harness::TestServer;
use noughts_harness::process::succeeds;
use noughts_harness::skip::has_programs;

use super::PACKAGING;

fn script(name: &str) -> Command {
    let mut command = Command::new("bash");
    command.arg(format!("{PACKAGING}/{name}"));
    command
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_package_has_a_unit_that_systemd_takes_and_a_server_that_starts() {
    if !has_programs("the packages", &["dpkg-deb", "rpmbuild", "strip", "systemd-analyze"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [programs, pages, out, root] = ["programs", "pages", "out", "root"].map(|name| {
        let place = folder.path().join(name);
        fs::create_dir(&place).unwrap();
        place
    });
    for name in ["noughts", "noughts-server"] {
        let built = noughts_harness::process::program(name);
        succeeds(Command::new("strip").arg("-o").arg(programs.join(name)).arg(built));
        fs::write(pages.join(format!("NOTICES-{name}.txt")), "").unwrap();
    }
    succeeds(script("pages").args([&programs, &pages]));
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    succeeds(script("package").env("FAST", "1").arg(target).args([&programs, &pages, &out]));
    let made = |ending: &str| {
        let mut files = fs::read_dir(&out).unwrap().map(|file| file.unwrap().path());
        files.find(|path| path.to_str().unwrap().ends_with(ending)).unwrap()
    };

    succeeds(Command::new("dpkg-deb").arg("-x").arg(made(".deb")).arg(&root));
    let of_rpm = succeeds(Command::new("rpm").arg("-qpl").arg(made(".rpm")));
    let unit = "usr/lib/systemd/system/noughts-server.service";
    for path in [
        unit,
        "usr/lib/systemd/system/noughts-ssh.service",
        "etc/noughts/noughts.toml",
        "usr/bin/noughts",
        "usr/share/bash-completion/completions/noughts",
        "usr/share/doc/noughts-server/NOTICES-noughts.txt",
        "usr/share/man/man1/noughts-server-check.1.gz",
    ] {
        assert!(root.join(path).is_file(), "{path}");
        assert!(of_rpm.contains(&format!("/{path}\n")), "{path}: {of_rpm}");
    }

    // Nothing is installed here: a unit names its program by its path.
    let server = root.join("usr/bin/noughts-server");
    for (service, program) in [("noughts-server", "noughts-server "), ("noughts-ssh", "noughts ")] {
        let name = format!("{service}.service");
        let installed = root.join("usr/lib/systemd/system").join(&name);
        let installed = fs::read_to_string(installed).unwrap();
        let path = root.join("usr/bin").join(program);
        let here = installed.replace(&format!("={program}"), &format!("={}", path.display()));
        assert_ne!(installed, here);
        let unit = super::file(folder.path(), &name, &here);
        let output =
            Command::new("systemd-analyze").args(["verify", "--man=no", &unit]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let ours: Vec<&str> = said.lines().filter(|line| line.contains(service)).collect();
        assert!(output.status.success() && ours.is_empty(), "{said}");
    }

    let config = root.join("etc/noughts/noughts.toml");
    let manager = super::Manager::start(
        Command::new(server).arg("--config").arg(config).args(["--log", "warn"]),
    );
    let ready = manager.hear();
    let address = ready.split_once("Listening on ").unwrap().1.trim_end();
    let answer = TestServer::at(address.parse().unwrap()).ask("/healthz", "").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    manager.stop();
}

#[test]
fn the_manifests_have_the_checksums_of_a_release() {
    if !has_programs("the manifests", &["ruby"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let sum = |digit: &str| digit.repeat(64);
    let packed = [
        ("1", "noughts-v1.2.3-aarch64-apple-darwin.tar.gz"),
        ("2", "noughts-v1.2.3-x86_64-apple-darwin.tar.gz"),
        ("3", "noughts-v1.2.3-aarch64-unknown-linux-musl.tar.gz"),
        ("4", "noughts-v1.2.3-x86_64-unknown-linux-musl.tar.gz"),
        ("5", "noughts-v1.2.3-x86_64-pc-windows-msvc.zip"),
        ("6", "noughts-server_1.2.3_amd64.deb"),
    ];
    let sums = packed.map(|(digit, name)| format!("{}  {name}\n", sum(digit)));
    let write = |lines: &[String]| super::file(folder.path(), "SHA256SUMS", &lines.concat());
    let fill = |sums: String| {
        let mut command = script("manifests/fill");
        command.env("GITHUB_REPOSITORY", "somebody/noughts").arg(sums).arg(folder.path());
        command
    };
    succeeds(&mut fill(write(&sums)));

    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let formula = read("noughts.rb");
    for (digit, name) in &packed[..4] {
        let (url, rest) = formula.split_once(&format!("/v1.2.3/{name}\"")).unwrap();
        assert!(url.ends_with("\"https://github.com/somebody/noughts/releases/download"), "{url}");
        let next = rest.trim_start().lines().next();
        assert_eq!(next, Some(format!("sha256 \"{}\"", sum(digit)).as_str()));
    }
    assert!(read("somebody.Noughts.installer.yaml").contains(&sum("5")));
    succeeds(Command::new("ruby").arg("-c").arg(folder.path().join("noughts.rb")));
    let load = "require 'yaml'; ARGV.each { |file| YAML.load_file(file).fetch('ManifestVersion') }";
    let yaml = ["installer.yaml", "locale.en-US.yaml", "yaml"]
        .map(|end| format!("somebody.Noughts.{end}"));
    succeeds(Command::new("ruby").args(["-e", load]).args(yaml).current_dir(&folder));

    let output = fill(write(&sums[1..])).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("@aarch64-apple-darwin@"), "{said}");
}
