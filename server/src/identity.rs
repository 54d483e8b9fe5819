//! Identity: a token proves a player id, with a code that only this server can make. Nothing is
//! stored for it. [`passes`] let in a player's other devices, [`ticket`]s the pipes of other nodes.

pub(crate) mod passes;
pub(crate) mod ticket;

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use noughts_protocol::{PlayerId, PlayerToken};
use sha2::Sha256;

/// The server's secret. With it anybody's token can be made.
///
/// It is kept with its two blocks hashed already, which are half of the four of a token.
#[derive(Clone)]
pub(crate) struct Secret(Hmac<Sha256>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// A new secret, from the operating system's random source.
    pub(crate) fn random() -> Self {
        Self::kept(rand::random())
    }

    /// The secret that the store keeps.
    pub(crate) fn kept(secret: [u8; 32]) -> Self {
        let keyed = Hmac::new_from_slice(&secret);
        Self(keyed.expect("HMAC takes a key of any length"))
    }

    /// A new player and the token that proves it.
    pub(crate) fn issue(&self) -> (PlayerId, PlayerToken) {
        let player = PlayerId(rand::random());
        (player, self.token(player))
    }

    /// The player that a token proves, if this server made it. Compared in constant time.
    pub(crate) fn verify(&self, token: &PlayerToken) -> Option<PlayerId> {
        let (id, code) = token.reveal().split_once('.')?;
        let player: PlayerId = id.parse().ok()?;
        let code = hex::decode(code).ok()?;
        self.code(player).verify_slice(&code).ok()?;
        Some(player)
    }

    /// The token of a player: the id, a dot, and HMAC-SHA-256 of the id, in hexadecimal.
    pub(crate) fn token(&self, player: PlayerId) -> PlayerToken {
        let hex = hex::encode(self.code(player).finalize().into_bytes());
        let token = format!("{player}.{hex}").parse();
        token.expect("81 hexadecimal digits and a dot are a token")
    }

    fn code(&self, player: PlayerId) -> Hmac<Sha256> {
        self.mac("noughts player ", &[player.0])
    }

    /// The code of a pass.
    fn pass(&self, player: PlayerId, nonce: u64) -> Hmac<Sha256> {
        self.mac("noughts pass ", &[player.0, nonce])
    }

    /// The code of some numbers. The purpose keeps a token's code from being a pass's.
    fn mac(&self, purpose: &str, numbers: &[u64]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(purpose.as_bytes());
        for number in numbers {
            mac.update(&number.to_be_bytes());
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_token_proves_its_player_to_its_server_only() {
        let secret = Secret::random();
        let (player, token) = secret.issue();
        assert_eq!(secret.verify(&token), Some(player));
        assert_eq!(Secret::random().verify(&token), None);
    }

    #[test]
    fn a_token_for_another_player_is_refused() {
        let secret = Secret::random();
        let (_, token) = secret.issue();
        let (other, _) = secret.issue();
        let code = token.reveal().split_once('.').unwrap().1;
        for forged in
            [format!("{other}.{code}"), format!("{other}."), format!("{other}.{}", "é".repeat(32))]
        {
            if let Ok(forged) = forged.parse() {
                assert_eq!(secret.verify(&forged), None);
            }
        }
    }
}
