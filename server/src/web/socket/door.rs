//! Who is let in where the server has a password.

use std::net::IpAddr;

use noughts_protocol::{JoinPassword, Refusal, RefusalCode};
use tokio::time::Instant;

use crate::Shared;

/// Why somebody is not let in, if so. An address that has said too many wrong passwords is not
/// told whether one is right: unlike a token, a password can be guessed.
pub(super) fn keep(
    shared: &Shared,
    address: IpAddr,
    said: Option<&JoinPassword>,
) -> Option<Refusal> {
    let password = shared.config.password.as_ref()?;
    let Some(said) = said else {
        let message = "this server asks for a password";
        return Some(Refusal::new(RefusalCode::PasswordRequired, message));
    };
    let now = Instant::now();
    if shared.passwords.are_spent(address, now) {
        shared.passwords.wrong(address, now);
        let message =
            "too many wrong passwords came from your address: wait a minute and try again";
        return Some(Refusal::new(RefusalCode::RateLimited, message));
    }
    if password.is(said) {
        return None;
    }
    shared.passwords.wrong(address, now);
    let message = "that is not the password of this server: ask its host for it";
    Some(Refusal::new(RefusalCode::WrongPassword, message))
}
