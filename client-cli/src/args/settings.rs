//! The settings of a new game and of a new party as options: one for each that its form offers.

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use noughts_protocol::party::wire_value;
use noughts_protocol::settings::{Kind, Need, SETTINGS};
use noughts_protocol::{
    BoardSpec, GameKind, MarkChoice, PARTY_SETTINGS, PartySettings, RoomSettings, Setting, Variant,
};

/// The mark of the player, and the settings of the room.
pub(crate) type GameArgs = SettingArgs<(MarkChoice, RoomSettings)>;

/// The settings of a party.
pub(crate) type PartyArgs = SettingArgs<PartySettings>;

/// The settings that the options make.
#[derive(Debug, Clone, Default)]
pub(crate) struct SettingArgs<T>(pub(crate) T);

/// A value that is made of settings.
pub(crate) trait FromSettings: Default {
    /// The settings in the order of the help.
    fn all() -> impl Iterator<Item = &'static Setting>;

    /// The option of a setting, which is complete but for the kinds of values.
    fn option(arg: Arg, setting: &'static Setting) -> Arg;

    /// Checks a value.
    fn check(setting: &Setting, text: &str) -> Result<(), String>;

    fn read(values: Vec<(&'static Setting, &str)>) -> Result<Self, String>;
}

impl FromSettings for (MarkChoice, RoomSettings) {
    fn all() -> impl Iterator<Item = &'static Setting> {
        let is_of = |one: &&Setting, form| one.forms.contains(&form);
        let is_setting = move |one: &&Setting| {
            is_of(one, GameKind::Friend) || one.wire.is_some() && is_of(one, GameKind::Computer)
        };
        SETTINGS.iter().filter(is_setting)
    }

    fn option(arg: Arg, setting: &'static Setting) -> Arg {
        let arg = arg.conflicts_with("code").help_heading("The game");
        // `--evaluation` cannot go with `--no-spectators`.
        setting.needs.iter().fold(arg, |arg, need| match need {
            Need::Value(other, ["yes"]) => arg.conflicts_with(*other),
            _ => arg,
        })
    }

    fn check(setting: &Setting, text: &str) -> Result<(), String> {
        setting.wire_value(text).map(|_| ())
    }

    fn read(values: Vec<(&'static Setting, &str)>) -> Result<Self, String> {
        let mark = values.iter().find(|(setting, _)| setting.name == "mark");
        let mark = mark.and_then(|(_, text)| text.parse().ok()).unwrap_or_default();
        let names_board = values.iter().any(|(setting, _)| setting.kind == Kind::Board);
        let mut settings = RoomSettings::with_values(values)?;
        if !names_board {
            settings.board = board_of(settings.variant, None);
        }
        Ok((mark, settings))
    }
}

/// The board of a game: a given one, or the usual one of the variant.
pub(super) fn board_of(variant: Variant, given: Option<BoardSpec>) -> BoardSpec {
    let usual = || variant.boards().first().and_then(|board| board.parse().ok());
    given.or_else(usual).unwrap_or_default()
}

impl FromSettings for PartySettings {
    fn all() -> impl Iterator<Item = &'static Setting> {
        PARTY_SETTINGS.iter()
    }

    fn option(arg: Arg, setting: &'static Setting) -> Arg {
        arg.default_value(setting.default).help_heading("The party")
    }

    fn check(setting: &Setting, text: &str) -> Result<(), String> {
        wire_value(setting, text).map(|_| ())
    }

    fn read(values: Vec<(&'static Setting, &str)>) -> Result<Self, String> {
        let names_board = values.iter().any(|(setting, _)| setting.kind == Kind::Board);
        let mut settings = Self::with_values(values)?;
        if !names_board && settings.variant != Variant::Line {
            settings.board = board_of(settings.variant, None);
        }
        Ok(settings)
    }
}

impl<T: FromSettings> Args for SettingArgs<T> {
    fn augment_args(command: Command) -> Command {
        let opposite = |setting: &'static Setting| {
            let arg = T::option(Arg::new(no(setting)).long(no(setting)), setting);
            let help = format!("Never: the opposite of --{}", setting.name);
            arg.help(help).conflicts_with(setting.name).action(ArgAction::SetTrue)
        };
        let opposites = T::all().filter(|setting| varies(setting)).map(opposite);
        command.args(T::all().map(option::<T>)).args(opposites)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: FromSettings> FromArgMatches for SettingArgs<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let is_default = |name| matches.value_source(name) == Some(ValueSource::DefaultValue);
        let text = |setting: &Setting| match setting.kind {
            // The default is that of the variant.
            Kind::Board if is_default(setting.name) => None,
            // The default is that of the players.
            Kind::YesNo if varies(setting) => {
                let flag = |name: &str, text| matches.get_flag(name).then_some(text);
                flag(setting.name, "yes").or(flag(&no(setting), "no"))
            }
            Kind::YesNo if !matches.get_flag(setting.name) => Some(setting.default),
            Kind::YesNo => Some(if is_on(setting) { "no" } else { "yes" }),
            _ => matches.get_one::<String>(setting.name).map(String::as_str),
        };
        let values = T::all().filter_map(|setting| Some((setting, text(setting)?)));
        let wrong = |problem| Error::raw(ErrorKind::ValueValidation, problem);
        let is_given = |name| matches.value_source(name) == Some(ValueSource::CommandLine);
        for setting in T::all().filter(|setting| is_given(setting.name)) {
            let misses = setting.needs.iter().find_map(|need| match need {
                Need::Value(other, fit) => {
                    let now = text(T::all().find(|one| one.name == *other)?)?;
                    (!fit.contains(&now)).then(|| format!("--{other} {}", fit.join(" or ")))
                }
                _ => None,
            });
            if let Some(needed) = misses {
                return Err(wrong(format!("--{} is for {needed}", long(setting))));
            }
        }
        T::read(values.collect()).map(Self).map_err(wrong)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Whether the default of yes and no depends on the players: an option says yes, another one no.
fn varies(setting: &Setting) -> bool {
    let own = |form| setting.default_in(form);
    setting.kind == Kind::YesNo && own(GameKind::Friend) != own(GameKind::Computer)
}

/// The name of the option that says no.
fn no(setting: &Setting) -> String {
    format!("no-{}", setting.name)
}

/// Whether a setting is on by default, so that its option switches it off.
fn is_on(setting: &Setting) -> bool {
    setting.default == "yes" && !varies(setting)
}

/// The name of the option of a setting.
fn long(setting: &Setting) -> String {
    let name = setting.name.replace('_', "-");
    if is_on(setting) { format!("no-{name}") } else { name }
}

fn option<T: FromSettings>(setting: &'static Setting) -> Arg {
    let arg = T::option(Arg::new(setting.name).long(long(setting)).help(setting.help), setting);
    let check = |text: &str| T::check(setting, text).map(|()| text.to_owned());
    match setting.kind {
        Kind::YesNo => arg.action(ArgAction::SetTrue),
        Kind::Choice => {
            let names = setting.offered.iter().map(|(name, _)| *name);
            let arg = arg.value_parser(PossibleValuesParser::new(names));
            arg.value_name(setting.name.to_uppercase()).default_value(setting.default)
        }
        Kind::Board => {
            let Setting { help, default, .. } = setting;
            let arg = arg.help(format!("{help} [default: {default}, or the variant's]"));
            let arg = arg.value_parser(check).value_name("WxHxLINE");
            arg.default_value(*default).hide_default_value(true)
        }
        Kind::Time => arg.value_parser(check).value_name("TIME"),
    }
}
