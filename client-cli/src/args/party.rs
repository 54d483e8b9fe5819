//! The options of the commands about parties.

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use noughts_protocol::party::wire_value;
use noughts_protocol::settings::Kind;
use noughts_protocol::{
    LobbyIntent, PARTY_SETTINGS, PartyCode, PartyRole, PartySettings, PlayerName, Setting,
};

use crate::choices::usual_name;
use crate::net::address::Link;
use crate::session::Action;

/// The commands about parties.
#[derive(Debug, Clone, Subcommand)]
pub enum PartyCommand {
    /// Make a party. It has a code, with which everybody comes in.
    New {
        /// The party's name [default: "Party of" and your name].
        #[arg(value_name = "NAME")]
        party_name: Option<PlayerName>,
        /// Lead the party, but do not play.
        #[arg(long)]
        not_playing: bool,
        /// The settings of the party.
        #[command(flatten)]
        settings: PartyArgs,
    },
    /// Join a party, to play in it.
    Join {
        /// The party: its code or its link. The host's link to a place gives you that place.
        #[arg(value_parser = parse_party)]
        code: PartyRef,
    },
    /// Watch a party.
    Watch {
        /// The party: its code or its link.
        #[arg(value_parser = parse_party)]
        code: PartyRef,
    },
}

/// A party: its code, or a link that also names its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartyRef {
    /// The party's code.
    pub code: PartyCode,
    /// The whole link, if it was one.
    pub link: Option<Link>,
}

impl PartyRef {
    /// As what to follow the party. With a pass for a place one does not come in beside it.
    fn role(&self) -> PartyRole {
        let place = self.link.as_ref().and_then(|link| link.place.as_ref());
        place.map_or(PartyRole::Player, |_| PartyRole::Spectator)
    }
}

impl PartyCommand {
    /// The party that it names.
    #[must_use]
    pub const fn party(&self) -> Option<&PartyRef> {
        match self {
            Self::Join { code } | Self::Watch { code } => Some(code),
            Self::New { .. } => None,
        }
    }

    /// The action that it asks for. Without a name, that of the host makes the party's.
    #[must_use]
    pub fn action(&self, host: Option<&PlayerName>) -> Action {
        match self {
            Self::New { party_name, not_playing, settings } => {
                Action::Enter(LobbyIntent::CreateParty {
                    name: party_name.clone().unwrap_or_else(|| usual_name(host)),
                    settings: settings.0,
                    plays: !not_playing,
                })
            }
            Self::Join { code } => Action::join_party(code.code, code.role()),
            Self::Watch { code } => Action::join_party(code.code, PartyRole::Spectator),
        }
    }
}

/// The settings of a new party. Each row of [`PARTY_SETTINGS`] is an option.
#[derive(Debug, Clone, Copy, Default)]
pub struct PartyArgs(pub PartySettings);

impl Args for PartyArgs {
    fn augment_args(command: Command) -> Command {
        command.args(PARTY_SETTINGS.iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PartyArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let text = |setting: &Setting| matches.get_one::<String>(setting.name);
        let values =
            PARTY_SETTINGS.iter().filter_map(|setting| Some((setting, text(setting)?.as_str())));
        let wrong = |problem| Error::raw(ErrorKind::ValueValidation, problem);
        PartySettings::with_values(values).map(Self).map_err(wrong)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn option(setting: &'static Setting) -> Arg {
    let arg = Arg::new(setting.name).long(setting.name.replace('_', "-")).help(setting.help);
    let arg = arg.default_value(setting.default).help_heading("The party");
    let check = |text: &str| wire_value(setting, text).map(|_| text.to_owned());
    match setting.kind {
        Kind::Choice | Kind::YesNo => {
            let names = setting.offered.iter().map(|(name, _)| *name);
            arg.value_parser(PossibleValuesParser::new(names))
                .value_name(setting.name.to_uppercase())
        }
        Kind::Board => arg.value_parser(check).value_name("WxHxLINE"),
        Kind::Time => arg.value_parser(check).value_name("TIME"),
    }
}

fn parse_party(text: &str) -> Result<PartyRef, String> {
    if !text.contains(['/', ':', '.']) {
        let code = text.parse().map_err(|e| format!("{e}"))?;
        return Ok(PartyRef { code, link: None });
    }
    let link: Link = text.parse().map_err(|e| format!("{e}"))?;
    let code = link
        .party
        .ok_or("that link names no party: a party's link ends in /party/ and its code")?;
    Ok(PartyRef { code, link: Some(link) })
}

#[cfg(test)]
mod tests {
    use noughts_protocol::PartyFormat;

    use crate::args::Args;
    use crate::session::Action;

    use super::*;

    fn read(line: &str) -> Result<(PlayerName, PartySettings, bool), String> {
        let args = Args::read(line.split_whitespace()).map_err(|error| error.to_string())?;
        match args.action() {
            Action::Enter(LobbyIntent::CreateParty { name, settings, plays }) => {
                Ok((name, settings, plays))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_setting_is_an_option() {
        let line = "noughts party new Friday --format swiss --rounds 7 --board 15x15x5 --opening \
                    swap2 --move-time 30s --not-playing --name Ada";
        let (name, settings, plays) = read(line).unwrap();
        assert_eq!((name.as_str(), plays), ("Friday", false));
        assert_eq!((settings.format, settings.rounds), (PartyFormat::Swiss, 7));
        assert_eq!(settings.move_time_ms, 30_000);
        let (name, settings, plays) = read("noughts party new --name Ada").unwrap();
        assert_eq!((name.as_str(), plays), ("Party of Ada", true));
        assert_eq!(settings, PartySettings::default());
    }

    #[test]
    fn wrong_values_say_what_is_right() {
        assert!(read("noughts party new --move-time 2h").unwrap_err().contains("10m"));
        assert!(read("noughts party new --rounds 2").unwrap_err().contains("3, 4"));
        assert!(read("noughts party new --opening swap2").unwrap_err().contains("13x13"));
    }
}
