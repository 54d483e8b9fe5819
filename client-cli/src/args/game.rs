//! The options of a new game. Each setting that the form for a friend offers is an option.

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use noughts_protocol::settings::{Kind, Need};
use noughts_protocol::{GameKind, MarkChoice, RoomSettings, Setting};

/// The mark and the settings of a new game.
#[derive(Debug, Clone, Default)]
pub struct GameArgs {
    /// The player's mark.
    pub mark: MarkChoice,
    /// The settings of the room.
    pub settings: RoomSettings,
}

impl Args for GameArgs {
    fn augment_args(command: Command) -> Command {
        command.args(Setting::of(GameKind::Friend).map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GameArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let text = |setting: &Setting| match setting.kind {
            Kind::YesNo if !matches.get_flag(setting.name) => Some(setting.default),
            Kind::YesNo => Some(if is_on(setting) { "no" } else { "yes" }),
            _ => matches.get_one::<String>(setting.name).map(String::as_str),
        };
        let values =
            || Setting::of(GameKind::Friend).filter_map(|setting| Some((setting, text(setting)?)));
        let mark = values().find(|(setting, _)| setting.name == "mark");
        let mark = mark.and_then(|(_, text)| text.parse().ok()).unwrap_or_default();
        let settings = RoomSettings::with_values(values());
        let wrong = |problem| Error::raw(ErrorKind::ValueValidation, problem);
        Ok(Self { mark, settings: settings.map_err(wrong)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Whether a setting is on by default, so that its option switches it off.
fn is_on(setting: &Setting) -> bool {
    setting.default == "yes"
}

fn option(setting: &'static Setting) -> Arg {
    let name = setting.name.replace('_', "-");
    let long = if is_on(setting) { format!("no-{name}") } else { name };
    let arg = Arg::new(setting.name)
        .long(long)
        .help(setting.help)
        .conflicts_with("code")
        .help_heading("The game");
    let check = |text: &str| setting.wire_value(text).map(|_| text.to_owned());
    let arg = match setting.kind {
        Kind::YesNo => arg.action(ArgAction::SetTrue),
        Kind::Choice => {
            let names = setting.offered.iter().map(|(name, _)| *name);
            let arg = arg.value_parser(PossibleValuesParser::new(names));
            arg.value_name(setting.name.to_uppercase()).default_value(setting.default)
        }
        Kind::Board => {
            arg.value_parser(check).value_name("WxHxLINE").default_value(setting.default)
        }
        Kind::Time => arg.value_parser(check).value_name("TIME"),
    };
    // `--evaluation` cannot go with `--no-spectators`.
    setting.needs.iter().fold(arg, |arg, need| match need {
        Need::Value(other, ["yes"]) => arg.conflicts_with(*other),
        _ => arg,
    })
}
