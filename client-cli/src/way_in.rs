//! How commands of this program are typed where the player is, to return and to bring a friend.

use crate::net::address::ServerAddress;

/// How the player has come to the program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum WayIn {
    /// The program runs on the player's machine.
    #[default]
    Program,
    #[cfg_attr(not(test), expect(dead_code, reason = "sessions over ssh come next"))]
    /// The player has come by ssh to this host and port.
    Ssh {
        /// The name of the host, as players type it.
        host: String,
        /// The port; 22 is left out.
        port: u16,
    },
}

impl WayIn {
    /// The whole line of a command, such as `noughts play KQRZX`.
    pub(crate) fn command(&self, command: &str) -> String {
        match self {
            Self::Program => format!("noughts {command}"),
            Self::Ssh { host, port: 22 } => format!("ssh -t {host} {command}"),
            Self::Ssh { host, port } => format!("ssh -t -p {port} {host} {command}"),
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
        let line = ssh(2222).invitation("play KQRZX", &server);
        assert_eq!(line, "ssh -t -p 2222 play.example play KQRZX");
    }
}
