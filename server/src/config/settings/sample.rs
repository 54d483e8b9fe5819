//! Tests of the sample configuration, `packaging/noughts.toml`, which is written from the options with
//! `NOUGHTS_UPDATE=1`.

use std::fmt::Write as _;
use std::fs;

use clap::{Arg, ArgAction, CommandFactory};
use toml::Value;

use super::CONFIG;
use super::tests::read;
use crate::config::args::Args;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/noughts.toml");

const HEADER: &str = "\
# A sample configuration of noughts-server, for --config. It has every option of the command line and sets
# none: remove the # before a line to set it. The values are the defaults, or examples where there is no
# default, or true for a switch. The command line and the environment win over this file.
# `noughts-server check --config noughts.toml` says whether a server can use it. Under systemd, files that
# only root can read, such as one with a password, reach the service by LoadCredential: see
# server/docs/hosting.md.
";

/// The columns of the text.
const WIDTH: usize = 108;

/// Values for the options that have no default.
const EXAMPLES: &[(&str, &str)] = &[
    ("metrics-bind", r#""127.0.0.1:7334""#),
    ("allow-origin", r#"["https://other.example"]"#),
    ("rooms-per-address", "1024"),
    ("new-rooms-per-address", "256"),
    ("data-dir", r#""/var/lib/noughts""#),
    ("computer-threads", "1"),
    ("public-url", r#""https://games.example/""#),
    ("base-path", r#""/noughts""#),
    ("trusted-proxy", r#"["127.0.0.1"]"#),
    ("tls-cert", r#""/etc/noughts/cert.pem""#),
    ("tls-key", r#""/etc/noughts/key.pem""#),
    ("qr-interface", r#""wlan0""#),
    ("join-password", r#""correct horse""#),
    ("join-password-file", r#""/etc/noughts/password""#),
    ("web-dir", r#""server/web""#),
    ("cluster", r#"["tls://one:4222", "tls://two:4222", "tls://three:4222"]"#),
    ("cluster-credentials", r#""/etc/noughts/noughts.nk""#),
    ("cluster-ca", r#""/etc/nats/ca.pem""#),
    ("cluster-tls-cert", r#""/etc/noughts/node.pem""#),
    ("cluster-tls-key", r#""/etc/noughts/node.key""#),
    ("cluster-name", r#""noughts""#),
    ("cluster-replicas", "3"),
    ("cluster-address", r#""https://one.games.example/""#),
];

/// Every option with its help and a value, each line a comment.
fn sample() -> String {
    let mut text = HEADER.to_owned();
    let options = Args::command();
    for arg in options.get_arguments().filter(|arg| arg.get_id() != CONFIG && !arg.is_hide_set()) {
        // Those of clap itself, such as --help, set nothing.
        let Some(name) = arg.get_long().filter(|_| arg.get_env().is_some()) else { continue };
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        // Writing into a string never fails.
        let _ = writeln!(text, "\n{}\n#{name} = {}", comment(&help), value(name, arg));
    }
    text
}

/// The value of a line.
fn value(name: &str, arg: &Arg) -> String {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return "true".to_owned();
    }
    if let [default] = arg.get_default_values() {
        let text = default.to_string_lossy().into_owned();
        return text.parse().map_or(Value::String(text), Value::Integer).to_string();
    }
    let example = EXAMPLES.iter().find(|(option, _)| *option == name);
    example.unwrap_or_else(|| panic!("--{name} needs an example here")).1.to_owned()
}

/// Text in lines of a comment.
fn comment(text: &str) -> String {
    let mut lines = vec!["#".to_owned()];
    for word in text.split_whitespace() {
        if lines.last().is_some_and(|line| line.chars().count() + 1 + word.chars().count() > WIDTH)
        {
            lines.push("#".to_owned());
        }
        if let Some(line) = lines.last_mut() {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[test]
fn the_sample_has_every_option() {
    let sample = sample();
    if std::env::var_os("NOUGHTS_UPDATE").is_some() {
        fs::write(PATH, &sample).unwrap();
    }
    assert_eq!(fs::read_to_string(PATH).unwrap(), sample, "run this test with NOUGHTS_UPDATE=1");
}

#[test]
fn each_line_of_the_sample_sets_an_option() {
    let sample = sample();
    read(&sample, &[]).unwrap();
    let set: Vec<&str> = sample
        .lines()
        .filter_map(|line| line.strip_prefix('#').filter(|line| !line.starts_with(' ')))
        .collect();
    let options = Args::command();
    let all = options.get_arguments().filter(|arg| arg.get_env().is_some() && !arg.is_hide_set());
    assert_eq!(set.len(), all.count() - 1, "all but --config");
    read(&set.join("\n"), &[]).unwrap();
}
