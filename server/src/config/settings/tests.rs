//! Tests of configuration files, the order of the sources, and the errors.

use std::fs;
use std::path::Path;

use clap::{ArgAction, CommandFactory};

use super::{Settings, SettingsError};
use crate::config::Config;
use crate::config::args::Args;

/// Reads a file with this text, and these words after `--config FILE`.
pub(super) fn read(text: &str, words: &[&str]) -> Result<(Args, Settings), String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noughts.toml");
    fs::write(&file, text).unwrap();
    let before = ["noughts-server".into(), "--config".into(), file.into_os_string()];
    let all = before.into_iter().chain(words.iter().map(Into::into));
    Settings::read(all).map_err(|error| without(folder.path(), &error.to_string()))
}

fn without(folder: &Path, text: &str) -> String {
    text.replace(&format!("{}/", folder.display()), "")
}

#[test]
fn a_file_sets_options_and_the_command_line_beats_it() {
    let text = "name = \"Grace's games\"\nmax-rooms = 7\nallow-origin = [\"http://a\", \"http://b\"]\n\
                room-ttl = '20m'\nno-qr = true\n";
    let (args, _) = read(text, &["--max-rooms", "9"]).unwrap();
    assert_eq!((args.name.as_str(), args.max_rooms, args.no_qr), ("Grace's games", 9, true));
    assert_eq!(args.allow_origin, ["http://a", "http://b"]);
    assert_eq!(args.room_ttl.as_secs(), 20 * 60);
    assert_eq!(args.max_connections, 20_000, "an option without a value has its default");
}

/// An option that nobody puts under a heading is among those of no group, where nobody looks for it.
#[test]
fn the_help_groups_the_options() {
    let options = Args::command();
    let of_none = options.get_arguments().filter(|arg| arg.get_help_heading().is_none());
    let names: Vec<_> = of_none.filter_map(|arg| arg.get_long()).collect();
    assert_eq!(names, ["config", "name", "web-dir", "log", "log-format"]);
}

/// Fails if a switch has no `FalseyValueParser`: its variable could not be 1. A default is read as a variable is.
#[test]
fn each_switch_can_be_1() {
    let switches = Args::command().mut_args(|arg| match arg.get_action() {
        ArgAction::SetTrue => arg.default_value("1"),
        _ => arg,
    });
    switches.try_get_matches_from(["noughts-server"]).unwrap();
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(read(text, &[]).unwrap_err(), expected);
}

#[test]
fn mistakes_are_one_line_with_file_line_and_key() {
    check(
        "\nmax-room = 1",
        "noughts.toml:2: there is no option \"max-room\": did you mean max-rooms?",
    );
    check(
        "[zzz]\nx = 1",
        "noughts.toml:1: there is no option \"zzz\": noughts-server --help lists them",
    );
    check(
        "config = \"x\"",
        "noughts.toml:1: there is no option \"config\": noughts-server --help lists them",
    );
    check(
        "max-rooms = \"many\"",
        "noughts.toml:1: max-rooms: invalid value 'many' for '--max-rooms <N>': write a whole number such as 500",
    );
    check("\n\nno-qr = \"yes\"", "noughts.toml:3: no-qr: write true or false");
    check(
        "name = [1]",
        "noughts.toml:1: name: write it as for --name, in quotes or as a number, and not as array",
    );
    check(
        "name = true",
        "noughts.toml:1: name: write it as for --name, in quotes or as a number, and not as boolean",
    );
    check("max-rooms = 1\nmax-rooms = 2", "noughts.toml:2: duplicate key");
    check(
        "bind = 127.0.0.1:7600",
        "noughts.toml:1: invalid float, expected nothing: text needs quotes",
    );
    check(
        "keep-games = \"never\"",
        "noughts.toml:1: keep-games: invalid value 'never' for '--keep-games <TIME>': write a time such as 90d, \
         or forever",
    );
    check("name = ", "noughts.toml:1: string values must be quoted, expected literal string");
}

#[test]
fn a_file_that_is_not_there_says_so() {
    let words = ["noughts-server", "--config", "/nowhere.toml"].map(Into::into);
    let Err(SettingsError::File(error)) = Settings::read::<Args>(words) else { panic!() };
    assert!(error.to_string().starts_with("failed to read /nowhere.toml ("), "{error}");
}

#[test]
fn a_value_out_of_range_is_explained_by_its_line() {
    let (args, settings) = read("\nmax-rooms = 0", &[]).unwrap();
    let error = Config::try_from(&args).unwrap_err();
    let explained = settings.explain(&error);
    assert!(explained.ends_with("noughts.toml:2: max-rooms: 0 is out of range: use 1 to 1600000"));
    let (args, settings) = read("", &["--max-rooms=0"]).unwrap();
    let error = Config::try_from(&args).unwrap_err();
    assert_eq!(settings.explain(&error), error.to_string());
}

#[test]
fn the_printed_configuration_names_the_sources_and_can_be_read_again() {
    let (_, settings) = read(
        "name = \"a \\\"b\\\"\"\nno-qr = true\nallow-origin = \"http://a\"",
        &["--max-rooms=9"],
    )
    .unwrap();
    let printed = settings.to_toml();
    for line in ["max-rooms = 9  # option", "max-connections = 20000  # default"] {
        assert!(printed.lines().any(|printed| printed == line), "{printed}");
    }
    assert!(printed.contains("noughts.toml:2\n"), "{printed}");
    // Defaults that depend on the machine are comments: another machine has its own.
    for computed in ["# data-dir = \"", "# computer-threads = "] {
        let line = printed.lines().find(|line| line.starts_with(computed));
        assert!(line.is_some_and(|line| line.ends_with("  # default")), "{computed}: {printed}");
    }
    let (_, settings) = read("", &["--name", "007"]).unwrap();
    assert!(settings.to_toml().contains("name = \"007\"  # option"));
    let (again, _) = read(&printed, &[]).unwrap();
    assert_eq!((again.name.as_str(), again.max_rooms, again.no_qr), ("a \"b\"", 9, true));
    assert_eq!(again.allow_origin, ["http://a"]);
}

#[test]
fn every_option_is_printed_or_said_to_be_unset() {
    let (_, settings) = read("", &[]).unwrap();
    let printed = settings.to_toml();
    for option in Args::command().get_arguments().filter(|option| !option.is_hide_set()) {
        let name = option.get_long().unwrap();
        let there = name == super::CONFIG || printed.contains(&format!("{name} "));
        assert!(there, "{name} is missing: {printed}");
    }
}
