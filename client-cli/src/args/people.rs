//! The options of the commands about people.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use noughts_protocol::{BoardClass, Period, PlayerId};

use super::named;
use crate::net::address::Link;

/// Options of `profile`.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct ProfileArgs {
    /// The player: an id, or the link of a profile. Without it, you.
    #[arg(value_parser = parse_player)]
    pub player: Option<PlayerRef>,
    /// Print a line of JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `leaders`.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct LeadersArgs {
    /// The boards, by the marks in a row that win: three, four, five.
    #[arg(
        long,
        value_name = "CLASS",
        default_value = "three",
        hide_possible_values = true,
        value_parser = named::<BoardClass>(BoardClass::NAMES),
        ignore_case = true
    )]
    pub class: BoardClass,
    /// The time: tonight, week, ever.
    #[arg(
        long,
        value_name = "PERIOD",
        default_value = "week",
        hide_possible_values = true,
        value_parser = named::<Period>(Period::NAMES),
        ignore_case = true
    )]
    pub period: Period,
    /// Print a line of JSON.
    #[arg(long)]
    pub json: bool,
}

/// The commands for an identity.
#[derive(Debug, Clone, Subcommand)]
pub enum IdentityCommand {
    /// Save who you are on a server to a file, to be the same player on another device.
    Save {
        /// The new file.
        file: PathBuf,
    },
    /// Become the player of such a file.
    Load {
        /// The file.
        file: PathBuf,
        /// Do not ask before you stop being who you are now.
        #[arg(long)]
        yes: bool,
    },
}

/// Options of `forget`.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub struct ForgetArgs {
    /// Do not ask first.
    #[arg(long)]
    pub yes: bool,
}

/// A player: the id, or a link that also names the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerRef {
    /// The player's id.
    pub id: PlayerId,
    /// The whole link, if it was one.
    pub link: Option<Link>,
}

fn parse_player(text: &str) -> Result<PlayerRef, String> {
    if !text.contains(['/', ':', '.']) {
        return text.parse().map(|id| PlayerRef { id, link: None }).map_err(|e| format!("{e}"));
    }
    let link: Link = text.parse().map_err(|e| format!("{e}"))?;
    let id =
        link.player.ok_or("that link names nobody: a profile's link ends in /p/ and its id")?;
    Ok(PlayerRef { id, link: Some(link) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_an_id_or_a_link() {
        let id = PlayerId(0x8f14_e45f_ceea_167a);
        assert_eq!(parse_player("8F14E45FCEEA167A").unwrap(), PlayerRef { id, link: None });
        let linked = parse_player("https://play.example/noughts/p/8f14e45fceea167a").unwrap();
        assert_eq!(linked.id, id);
        assert_eq!(linked.link.unwrap().server.to_string(), "https://play.example/noughts");
        assert!(parse_player("http://host/r/KQRZX").unwrap_err().contains("names nobody"));
        assert!(parse_player("Bob").is_err());
    }
}
