//! How commands of this program are typed where the player is, to return and to bring a friend.

use crate::net::address::ServerAddress;

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
            Self::Ssh { host, port } => {
                let mut line = "ssh".to_owned();
                if !command.is_empty() {
                    line += " -t";
                }
                if *port != USUAL_PORT {
                    line += &format!(" -p {port}");
                }
                format!("{line} {host} {command}").trim_end().to_owned()
            }
        }
    }

    /// The whole line for somebody else, who may know nothing of the server yet.
    pub(crate) fn invitation(&self, command: &str, server: &ServerAddress) -> String {
        match self {
            Self::Program => format!("noughts {command} --server {server}"),
            Self::Ssh { .. } => self.command(command),
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
        let line = WayIn::Program.invitation("play KQRZX", &server);
        assert_eq!(line, format!("noughts play KQRZX --server {server}"));
        let ssh = |port| WayIn::Ssh { host: "play.example".to_owned(), port };
        assert_eq!(ssh(22).command("play KQRZX"), "ssh -t play.example play KQRZX");
        assert_eq!(ssh(2222).command(""), "ssh -p 2222 play.example");
        let line = ssh(2222).invitation("play KQRZX", &server);
        assert_eq!(line, "ssh -t -p 2222 play.example play KQRZX");
    }
}
