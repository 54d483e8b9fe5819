//! The meaning of command lines, and the errors of wrong ones.

use noughts_protocol::settings::Kind;
use noughts_protocol::{FirstMove, MarkChoice, Opening, RoomSettings, Setting, Strength};

use super::problem::one_line;
use super::settings::FromSettings;
use super::*;

fn parse(line: &str) -> Result<Args, clap::Error> {
    Args::read(line.split_whitespace())
}

#[test]
fn the_definition_is_consistent() {
    Args::command().debug_assert();
}

#[test]
fn the_readme_names_every_option() {
    let readme = include_str!("../../README.md");
    let command = Args::command();
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
            let name = option.get_long().map(|long| format!("--{long}")).unwrap_or_default();
            assert!(readme.contains(&name), "client-cli/README.md does not name {name}");
            let variable = option.get_env().map(|env| env.to_string_lossy()).unwrap_or_default();
            assert!(readme.contains(&*variable), "client-cli/README.md does not name {variable}");
        }
    }
}

#[test]
fn the_readme_names_every_option_of_a_party() {
    let readme = include_str!("../../README.md");
    for setting in noughts_protocol::PARTY_SETTINGS {
        let option = format!("| `--{} ", setting.name.replace('_', "-"));
        let row = readme.lines().find(|line| line.starts_with(&option));
        let row = row.unwrap_or_else(|| panic!("client-cli/README.md has no row {option}"));
        assert!(row.contains(&format!("`{}`", setting.default)), "{row}");
    }
}

/// The row of a setting in the table of options.
fn readme_row(arg: &clap::Arg) -> String {
    let setting = Setting::named(arg.get_id().as_str());
    let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
    let value = value.map(|names| format!(" {}", names[0])).unwrap_or_default();
    let default = match setting.kind {
        Kind::YesNo => String::new(),
        Kind::Time => format!("{} ", setting.label_of(setting.default)),
        Kind::Board | Kind::Choice => format!("`{}` ", setting.default),
    };
    let values = setting.offered.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>();
    let values = match setting.kind {
        Kind::Choice => format!(": {}", values.join(", ")),
        _ => String::new(),
    };
    let help = setting.help.replace(" [default: no limit]", "");
    let (first, rest) = help.split_at(1);
    let long = arg.get_long().unwrap();
    format!("| `--{long}{value}` | {default}| {}{rest}{values} |\n", first.to_lowercase())
}

/// With `NOUGHTS_UPDATE=1` in the environment this test writes the rows anew.
#[test]
fn the_readme_has_a_row_for_each_setting() {
    let command = Args::command();
    let play = command.find_subcommand("play").unwrap();
    let is_setting = |arg: &&clap::Arg| {
        <(MarkChoice, RoomSettings)>::all().any(|setting| *arg.get_id() == setting.name)
    };
    let rows: String = play.get_arguments().filter(is_setting).map(readme_row).collect();
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(place).unwrap();
    let before = readme.find("| `--both`").unwrap();
    let start = before + readme[before..].find('\n').unwrap() + 1;
    let end = start + readme[start..].find("\n\n").unwrap() + 1;
    if std::env::var_os("NOUGHTS_UPDATE").is_some() {
        std::fs::write(place, [&readme[..start], &rows, &readme[end..]].concat()).unwrap();
    } else {
        assert!(readme[start..end] == rows, "NOUGHTS_UPDATE=1 tests/run readme");
    }
}

#[test]
fn play_reads_every_option() {
    let line = "noughts play --computer very_strong --strategy minimax --mark random \
                --first loser --opening swap2 --board 15x15x5 --move-time 2m --listed \
                --no-spectators --no-hints";
    let Some(Command::Play(play)) = parse(line).unwrap().command else { panic!() };
    let computer = Computer { strategy: Strategy::Minimax, strength: Strength::VeryStrong };
    assert_eq!(play.opponent(), Some(computer));
    assert!(!play.both);
    assert_eq!(play.game.0.0, MarkChoice::Random);
    let settings = RoomSettings {
        board: "15x15x5".parse().unwrap(),
        first: FirstMove::Loser,
        opening: Opening::Swap2,
        move_time_ms: Some(120_000),
        listed: true,
        spectators: false,
        hints: Some(false),
        ..RoomSettings::default()
    };
    assert_eq!(play.game.0.1, settings);
    let hints = |line| match parse(line).unwrap().command {
        Some(Command::Play(play)) => play.game.0.1.hints,
        _ => panic!("{line}"),
    };
    assert_eq!(hints("noughts play"), None, "as the players are");
    assert_eq!(hints("noughts play --hints"), Some(true));
}

#[track_caller]
fn check_refused(line: &str, kind: ErrorKind, says: &str) {
    let error = parse(line).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn wrong_input_says_what_is_right() {
    use ErrorKind::{ArgumentConflict, InvalidValue, MissingRequiredArgument, ValueValidation};
    check_refused("noughts play --computer best", InvalidValue, "very_strong");
    check_refused("noughts play AAAAA", ValueValidation, "five consonants");
    check_refused("noughts play KQRZX --mark o", ArgumentConflict, "--mark");
    check_refused("noughts play --board 2x3x3", ValueValidation, "sides are 3 to 19");
    check_refused("noughts play --move-time soon", ValueValidation, "30s");
    check_refused("noughts play --move-time 900h", ValueValidation, "a week");
    let bot = |time| format!("noughts bot KQRZX --engine brain --move-time {time}");
    check_refused(&bot("200"), ValueValidation, "did you mean 200ms");
    check_refused(&bot("0ms"), ValueValidation, "200ms or 5s");
    check_refused("noughts play --both --computer weak", ArgumentConflict, "--both");
    check_refused("noughts play --evaluation --no-spectators", ArgumentConflict, "--evaluation");
    let no_ultimate = "--majority is for --variant ultimate";
    check_refused("noughts play --majority", ValueValidation, no_ultimate);
    check_refused("noughts play --adapts", ArgumentConflict, "add --computer");
    check_refused("noughts watch --computer-x weak", MissingRequiredArgument, "--computer-o");
    check_refused("noughts --server ftp://x rooms", ValueValidation, "ws://");
    check_refused("noughts --server http://x/r/ABCDE rooms", ValueValidation, "five consonants");
    check_refused("noughts play http://host", ValueValidation, "/r/");
    let line = |line| one_line(&parse(line).unwrap_err());
    for (wrong, says) in [
        ("noughts play --bord 3x3x3", "did you mean --board?"),
        ("noughts plya", "or play?"),
        ("noughts play --computer strog", "did you mean strong?"),
        ("noughts play --computer perfect:strong", "perfect has no strengths"),
        ("noughts play --board 3x3x4", "it must be 3"),
        ("noughts watch --computer-x weak", "with --computer-o or --strategy-o"),
    ] {
        let said = line(wrong);
        assert!(said.contains(says) && !said.contains('\n'), "{said:?}");
    }
    assert!(line("noughts rooms --foo").starts_with("there is no option --foo"));
    assert!(line("noughts rooms foo").starts_with("there is nothing called foo"));
    let code = line("noughts KQRZX");
    assert!(code.starts_with("there is no command KQRZX: did you mean play KQRZX?"), "{code}");
}

#[track_caller]
fn check_computer(line: &str, strategy: Strategy, strength: Strength) {
    let Some(Command::Play(play)) = parse(line).unwrap().command else { panic!() };
    assert_eq!(play.opponent(), Some(Computer { strategy, strength }), "{line}");
}

#[test]
fn a_computer_is_named_by_what_sets_it_apart() {
    use Strategy::{Heuristic, Perfect};
    check_computer("noughts play --strategy perfect", Perfect, Strength::Average);
    check_computer(
        "noughts play --computer strong --strategy heuristic",
        Heuristic,
        Strength::Strong,
    );
    check_refused(
        "noughts play --computer perfect --strategy rules",
        ErrorKind::ArgumentConflict,
        "--computer names perfect, but --strategy names rules",
    );
    // It would be ignored silently.
    check_refused(
        "noughts play --computer=strong --strategy perfect",
        ErrorKind::ArgumentConflict,
        "--strategy perfect has no strengths: leave out strong",
    );
    check_refused("noughts play KQRZX --strategy rules", ErrorKind::ArgumentConflict, "--strategy");
    check_refused("noughts play --both --strategy rules", ErrorKind::ArgumentConflict, "--both");
}

/// The script for bash, in which a shell finds the values of an option.
#[test]
fn shells_complete_the_values_of_every_option_that_has_names() {
    let mut script = Vec::new();
    clap_complete::generate(
        clap_complete::Shell::Bash,
        &mut Args::command(),
        "noughts",
        &mut script,
    );
    let script = String::from_utf8(script).unwrap();
    for names in ["three four five", "tonight week ever", "won lost drawn", "auto light dark"] {
        assert!(script.contains(names), "{names}");
    }
}

#[test]
fn each_side_that_is_watched_has_its_strategy() {
    let watched = |line| {
        let Some(Command::Watch(watch)) = parse(line).unwrap().command else { panic!() };
        watch.computers()
    };
    let heuristic = Strategy::Heuristic;
    let rules = Strategy::Rules;
    let computer = |strategy, strength| Computer { strategy, strength };
    let both = (computer(heuristic, Strength::Strong), computer(rules, Strength::Average));
    let lines = [
        "noughts watch --computer-x heuristic:strong --computer-o rules",
        "noughts watch --strategy-x heuristic --computer-x strong --strategy-o rules",
    ];
    for line in lines {
        assert_eq!(watched(line), Some(both), "{line}");
    }
    assert_eq!(watched("noughts watch KQRZX"), None);
    check_refused(
        "noughts watch --strategy-x rules",
        ErrorKind::MissingRequiredArgument,
        "--strategy-o",
    );
    check_refused(
        "noughts watch KQRZX --strategy-x rules --strategy-o rules",
        ErrorKind::ArgumentConflict,
        "CODE",
    );
}
