//! The tokens of hosts who come over HTTP: how they are given, stored and compared. The limit for wrong ones is in
//! `limits/failed_attempts`.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use noughts_protocol::{DisplayText, JoinPassword};

use super::ConfigError;
use super::args::Args;
use super::password::Password;
use super::validate;

/// The least characters of a token: nobody guesses 32 random ones.
const LEAST: usize = 32;

/// Tokens in a file.
const MOST: usize = 100;

/// The tokens, and the name of each.
#[derive(Debug, Clone, Default)]
pub(crate) struct AdminTokens(Vec<(DisplayText, Password)>);

impl AdminTokens {
    /// The tokens of the file that `--admin` needs; none without `--admin`.
    ///
    /// # Errors
    /// If there is no such file, or if others could learn a token or guess it.
    pub(super) fn of(args: &Args) -> Result<Self, ConfigError> {
        let problem = |problem: &str| Err(ConfigError::new("admin", problem));
        let Some(address) = args.admin else {
            return match args.admin_tokens {
                Some(_) => {
                    problem("--admin-tokens is for it: name its address and port, such as 7335")
                }
                None => Ok(Self::default()),
            };
        };
        if args.ephemeral {
            return problem("what hosts do is kept in the data folder: leave out --ephemeral");
        }
        for (other, whose) in others(args) {
            validate::beside("admin", address, other, whose)?;
        }
        let Some(file) = &args.admin_tokens else {
            return problem(
                "name a file with --admin-tokens: a line of it is a name and a token, and \
                 `openssl rand -hex 24` makes a token",
            );
        };
        let unusable = |problem: String| {
            ConfigError::new("admin-tokens", format!("{}: {problem}", file.display()))
        };
        read(file).map_err(|error| unusable(error.to_string())).and_then(|text| {
            let text = text.trim_start_matches('\u{feff}');
            Self::parse(text).map_err(unusable)
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut tokens: Vec<(DisplayText, Password)> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, token) = line
                .split_once(char::is_whitespace)
                .ok_or_else(|| format!("line {number}: write a name and a token"))?;
            let token = token.trim_start().parse::<JoinPassword>().ok().filter(is_good);
            let token = token.ok_or_else(|| {
                format!(
                    "line {number}: a token has {LEAST} to 256 letters and digits: \
                     `openssl rand -hex 24` makes one"
                )
            })?;
            tokens.push((name.into(), Password::new(&token)));
        }
        match tokens.len() {
            1..=MOST => Ok(Self(tokens)),
            count => Err(format!("it has {count} tokens: write 1 to {MOST}")),
        }
    }

    /// The name of a token, if it is a right one.
    pub(crate) fn name_of(&self, token: &str) -> Option<&DisplayText> {
        let token = token.parse().ok()?;
        let (name, _) = self.0.iter().find(|(_, known)| known.is(&token))?;
        Some(name)
    }
}

/// A header has no other characters, and a token no spaces.
fn is_good(token: &JoinPassword) -> bool {
    let token = token.reveal();
    token.len() >= LEAST && token.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The other addresses that the server listens on, and whose they are.
fn others(args: &Args) -> impl Iterator<Item = (SocketAddr, &'static str)> {
    let metrics = args.metrics_bind.map(|bind| (bind, "metrics are there (--metrics-bind)"));
    std::iter::once((args.bind, "players are there (--bind)")).chain(metrics)
}

/// The file, if other users may not read it.
fn read(file: &Path) -> io::Result<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The group may read it: under systemd that is how a service's credentials are given.
        if fs::metadata(file)?.permissions().mode() & 0o007 != 0 {
            let text = "every user of this machine may use it: chmod 600 it";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
        }
    }
    fs::read_to_string(file)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::Parser;

    use super::AdminTokens;
    use crate::config::args::Args;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    #[cfg(unix)]
    fn set_mode(file: &Path, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[cfg(not(unix))]
    fn set_mode(_: &Path, _: u32) {}

    /// The tokens of these options, or what is wrong with them. `{}` is a file with this text and mode.
    fn tokens(text: &str, mode: u32, options: &str) -> Result<AdminTokens, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens");
        fs::write(&file, text).unwrap();
        set_mode(&file, mode);
        let options = options.replace("{}", file.to_str().unwrap());
        let args = ["noughts-server"].into_iter().chain(options.split(' '));
        AdminTokens::of(&Args::parse_from(args)).map_err(|error| error.to_string())
    }

    #[test]
    fn each_token_has_its_name_and_no_other_text_has_one() {
        let other = TOKEN.to_uppercase();
        let text = format!("\u{feff}# hosts\r\n\r\nada {TOKEN}\r\nbob  {other}\r\n");
        let tokens = tokens(&text, 0o600, "--admin 7335 --admin-tokens {}").unwrap();
        let name = |token: &str| tokens.name_of(token).map(ToString::to_string);
        assert_eq!(name(TOKEN).as_deref(), Some("ada"));
        assert_eq!(name(&other).as_deref(), Some("bob"));
        for wrong in ["", "ada", &TOKEN[1..], &format!("{TOKEN}0"), &format!(" {TOKEN}")] {
            assert_eq!(name(wrong), None, "{wrong:?}");
        }
        assert!(!format!("{tokens:?}").contains(TOKEN));
    }

    #[test]
    fn a_door_that_is_not_safe_stays_shut_and_says_why() {
        let right = format!("ada {TOKEN}");
        let with = "--admin 7335 --admin-tokens {}";
        for (text, mode, options, says) in [
            (right.as_str(), 0o600, "--admin 7335", "`openssl rand -hex 24` makes a token"),
            (right.as_str(), 0o600, "--admin 7333 --admin-tokens {}", "players are there (--bind)"),
            (right.as_str(), 0o600, "--ephemeral --admin 7335", "leave out --ephemeral"),
            (right.as_str(), 0o600, "--admin-tokens {}", "name its address and port"),
            ("ada short", 0o600, with, "line 1: a token has 32 to 256 letters"),
            (&format!("ada  Lovelace {TOKEN}"), 0o600, with, "line 1: a token has"),
            (TOKEN, 0o600, with, "line 1: write a name and a token"),
            ("# nobody", 0o600, with, "it has 0 tokens"),
            #[cfg(unix)]
            (right.as_str(), 0o604, with, "chmod 600 it"),
        ] {
            let said = tokens(text, mode, options).unwrap_err();
            assert!(said.contains(says), "{said}");
        }
    }
}
