//! How commands of this program are typed where the player is, to return and to bring a friend.

use std::fmt::Display;

use noughts_client::address::ServerAddress;

/// The port of ssh if none is named.
const USUAL_PORT: u16 = 22;

/// How the player has come to the program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum WayIn {
    /// The program runs on the player's machine.
    #[default]
    Program,
    /// The player has come by ssh to this host and port.
    Ssh {
        /// The name of the host, as players type it.
        host: String,
        port: u16,
    },
}

impl WayIn {
    /// The whole line of a command, such as `noughts play KQRZX`. An empty one asks what to do.
    pub(crate) fn command(&self, command: &str) -> String {
        match self {
            Self::Program => format!("noughts {command}"),
            Self::Ssh { .. } if command.is_empty() => self.ssh("", ""),
            Self::Ssh { .. } => format!("{} {command}", self.ssh(" -t", "")),
        }
    }

    /// The whole line for somebody who may know nothing of the server yet.
    pub(crate) fn invitation(&self, command: &str, server: &ServerAddress) -> String {
        match self {
            Self::Program => format!("noughts {command} --server {server}"),
            Self::Ssh { .. } => self.command(command),
        }
    }

    /// The same to come in by a code: to play there. Over ssh it may be the user name, which is shorter.
    pub(crate) fn join_line(
        &self,
        command: &str,
        code: impl Display,
        server: &ServerAddress,
    ) -> String {
        match self {
            Self::Program => self.invitation(&format!("{command} {code}"), server),
            Self::Ssh { .. } => self.ssh("", &format!("{code}@")),
        }
    }

    fn ssh(&self, option: &str, user: &str) -> String {
        match self {
            Self::Ssh { host, port } if *port != USUAL_PORT => {
                format!("ssh{option} -p {port} {user}{host}")
            }
            Self::Ssh { host, .. } => format!("ssh{option} {user}{host}"),
            Self::Program => String::new(),
        }
    }

    /// Whether the program runs on another machine than the player: it has no files of theirs, no shell
    /// behind it, and one server.
    pub(crate) const fn is_remote(&self) -> bool {
        matches!(self, Self::Ssh { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_typed_as_the_player_came() {
        let server = ServerAddress::default();
        let line = WayIn::Program.join_line("play", "KQRZX", &server);
        assert_eq!(line, format!("noughts play KQRZX --server {server}"));
        let ssh = |port| WayIn::Ssh { host: "play.example".to_owned(), port };
        assert_eq!(ssh(22).command("play KQRZX"), "ssh -t play.example play KQRZX");
        assert_eq!(ssh(2222).command(""), "ssh -p 2222 play.example");
        let line = ssh(2222).join_line("play", "KQRZX", &server);
        assert_eq!(line, "ssh -p 2222 KQRZX@play.example");
    }
}
