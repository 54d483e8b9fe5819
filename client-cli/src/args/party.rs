//! The options of the commands about parties.

use clap::Subcommand;
use noughts_protocol::{LobbyIntent, PartyCode, PartyRole, PlayerName};

use super::{Linked, PartyArgs, linked};
use crate::action::Action;
use crate::choices::usual_name;

/// The commands about parties.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum PartyCommand {
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
        code: Linked<PartyCode>,
    },
    /// Watch a party.
    Watch {
        /// The party: its code or its link.
        #[arg(value_parser = parse_party)]
        code: Linked<PartyCode>,
    },
}

impl PartyCommand {
    /// The party that it names.
    pub(crate) const fn party(&self) -> Option<&Linked<PartyCode>> {
        match self {
            Self::Join { code } | Self::Watch { code } => Some(code),
            Self::New { .. } => None,
        }
    }

    /// The action that it asks for. Without a name, that of the host makes the party's.
    pub(crate) fn action(&self, host: Option<&PlayerName>) -> Action {
        match self {
            Self::New { party_name, not_playing, settings } => {
                Action::Enter(LobbyIntent::CreateParty {
                    name: party_name.clone().unwrap_or_else(|| usual_name(host)),
                    settings: settings.0,
                    plays: !not_playing,
                })
            }
            Self::Join { code } => Action::join_party(code.id, role(code)),
            Self::Watch { code } => Action::join_party(code.id, PartyRole::Spectator),
        }
    }
}

/// As what to follow a party. With a pass for a place one does not come in beside it.
fn role(code: &Linked<PartyCode>) -> PartyRole {
    let place = code.link.as_ref().and_then(|link| link.place.as_ref());
    place.map_or(PartyRole::Player, |_| PartyRole::Spectator)
}

fn parse_party(text: &str) -> Result<Linked<PartyCode>, String> {
    let missing = "that link names no party: a party's link ends in /party/ and its code";
    linked(text, |link| link.party, missing)
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{PartyFormat, PartySettings};

    use crate::action::Action;
    use crate::args::Args;

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
        assert!(read("noughts party new --opening swap2").unwrap_err().contains("both 13 or more"));
        let no_meaning = read("noughts party new --format knockout --rounds 7").unwrap_err();
        assert!(no_meaning.contains("--rounds is for --format swiss"), "{no_meaning}");
        let no_meaning = read("noughts party new --first-to 3").unwrap_err();
        assert!(no_meaning.contains("--first-to is for --format winner_stays"), "{no_meaning}");
    }
}
