//! Tests of what is written from the options with `NOUGHTS_UPDATE=1`: the sample configuration
//! `packaging/noughts.toml`, and the table of options in `docs/hosting.md`.

use std::fmt::Write as _;
use std::fs;

use clap::{Arg, ArgAction, CommandFactory};
use toml::Value;

use super::CONFIG;
use super::tests::read;
use crate::config::args::Args;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/noughts.toml");

/// The page with the table of options, between these two lines.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/hosting.md");
const TABLE: [&str; 2] = ["<!-- options -->\n", "<!-- /options -->"];

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
    ("admin", r#""127.0.0.1:7335""#),
    ("admin-tokens", r#""/etc/noughts/admin.tokens""#),
    ("allow-origin", r#"["https://other.example"]"#),
    ("rooms-per-address", "1024"),
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
    ("name-filter", r#""/etc/noughts/names.txt""#),
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

/// Every option with its default and its help, as a table.
fn table() -> String {
    let mut text = "| option | default | what it sets |\n| --- | --- | --- |\n".to_owned();
    for arg in Args::command().get_arguments().filter(|arg| !arg.is_hide_set()) {
        let name = arg.get_long().unwrap();
        assert!(arg.get_env().is_some(), "--{name} has no environment variable");
        let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
        let value = value.map(|names| format!(" {}", names.join(" ").replace('|', "\\|")));
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let said = help
            .split_once(" [default: ")
            .map(|(help, default)| (help, &default[..default.len() - 1]));
        let own = arg.get_default_values().first().map(|value| value.to_string_lossy());
        let own = own.filter(|_| arg.get_action().takes_values()).map(|value| format!("`{value}`"));
        let (help, default) = said.map_or((&*help, own.unwrap_or_default()), |(help, default)| {
            (help, default.to_owned())
        });
        // Writing into a string never fails.
        let _ = writeln!(text, "| `--{name}{}` | {default} | {help} |", value.unwrap_or_default());
    }
    text
}

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
fn the_page_has_every_option() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(TABLE[0]).unwrap();
    let (found, after) = rest.split_once(TABLE[1]).unwrap();
    let table = table();
    if std::env::var_os("NOUGHTS_UPDATE").is_some() {
        fs::write(PAGE, [before, TABLE[0], &table, TABLE[1], after].concat()).unwrap();
    }
    assert_eq!(found, table, "run this test with NOUGHTS_UPDATE=1");
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
