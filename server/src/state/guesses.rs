//! Checks the password and the codes of parties. An address that has sent too many wrong ones is refused.

use std::net::IpAddr;

use noughts_protocol::{PartyCode, PartySnapshot, Refusal, RefusalCode};
use tokio::time::Instant;

use crate::party::no_such_party;
use crate::state::Shared;

impl Shared {
    /// Checks what was sent as the password, on a server that has one. An address that has sent too many wrong ones
    /// is refused with the right one too: a password can be guessed, unlike a token.
    ///
    /// # Errors
    /// If it is not the password, or is not looked at.
    pub(crate) fn check_password(
        &self,
        sent: Option<&str>,
        address: IpAddr,
    ) -> Result<(), Refusal> {
        let password = self.config.password.get();
        let Some(password) = Option::as_ref(&password) else { return Ok(()) };
        let Some(sent) = sent else {
            let message = "this server asks for a password: ask its host for it";
            return Err(Refusal::new(RefusalCode::PasswordRequired, message));
        };
        let wrong = &self.wrong_passwords;
        let now = Instant::now();
        let is_right = sent.parse().is_ok_and(|sent| password.is(&sent));
        let is_blocked =
            if is_right { wrong.is_blocked(address, now) } else { wrong.record(address, now) };
        if is_blocked {
            return Err(too_many("wrong passwords"));
        }
        if is_right {
            return Ok(());
        }
        let message = "that is not the password of this server: ask its host for it";
        Err(Refusal::new(RefusalCode::WrongPassword, message))
    }

    /// Refuses an address that has tried too many unknown codes.
    ///
    /// # Errors
    /// If it has.
    pub(crate) fn check_codes(&self, address: IpAddr) -> Result<(), Refusal> {
        let is_blocked = self.unknown_codes.is_blocked(address, Instant::now());
        if is_blocked { Err(too_many("unknown codes")) } else { Ok(()) }
    }

    /// The party with a code that somebody at an address knows, as [`Shared::party`] finds it.
    ///
    /// # Errors
    /// If there is none, the address has tried too many, or nobody can say.
    pub(crate) async fn find_party(
        &self,
        code: PartyCode,
        address: IpAddr,
    ) -> Result<PartySnapshot, Refusal> {
        self.check_codes(address)?;
        self.party(code).await?.ok_or_else(|| {
            self.unknown_codes.record(address, Instant::now());
            no_such_party(code)
        })
    }
}

fn too_many(what: &str) -> Refusal {
    let message = format!("too many {what} came from your address: wait a minute and try again");
    Refusal::new(RefusalCode::RateLimited, message)
}
