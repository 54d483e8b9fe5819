//! The answers to `hello`: the identity that a token or a pass proves.

use std::sync::Arc;

use noughts_protocol::{
    CloseCode, PassCode, PlayerId, PlayerName, PlayerToken, Refusal, RefusalCode, ServerMessage,
};
use tokio::time::Instant;

use crate::actor::Client;
use crate::connection::session::Session;
use crate::connection::welcome::welcome;
use crate::connection::{Connection, End};

impl Connection {
    /// Welcomes the player that a token proves, or a new one.
    pub(crate) fn greet(&mut self, name: PlayerName, token: Option<PlayerToken>) {
        let secret = &self.shared.secret;
        let (player, token) = match token.map(|token| (secret.verify(&token), token)) {
            // Nobody is that person any more.
            Some((Some(player), _)) if self.shared.is_forgotten(player) => secret.issue(),
            Some((Some(player), token)) => (player, token),
            Some((None, _)) if self.is_guessing() => return,
            Some((None, _)) | None => secret.issue(),
        };
        self.welcome(player, name, token);
    }

    /// Welcomes another device of a player. Refuses a wrong pass, and closes after some of them.
    pub(crate) async fn greet_with_pass(
        &mut self,
        name: PlayerName,
        pass: &PassCode,
    ) -> Result<(), End> {
        let player = self.shared.secret.issue().0;
        let client = Client { player, name, outbox: self.outbox.clone() };
        if let Some((player, name)) = self.shared.redeem(pass, client, self.address()).await {
            let token = self.shared.secret.token(player);
            self.welcome(player, name, token);
            return Ok(());
        }
        if self.is_guessing() {
            return Ok(());
        }
        let message = "this pass was used or is too old: ask for a new one on your first device";
        self.outbox.reject(None, Refusal::new(RefusalCode::BadPass, message));
        self.count_garbage()
    }

    /// Whether the host keeps a player out, who is told so.
    fn is_banned(&self, player: PlayerId) -> bool {
        let Some(refusal) = self.shared.ban_of(player, self.address()) else { return false };
        self.outbox.reject(None, refusal);
        self.outbox.close(CloseCode::Banned);
        true
    }

    fn welcome(&mut self, player: PlayerId, name: PlayerName, token: PlayerToken) {
        if self.is_banned(player) {
            return;
        }
        let name = self.shared.name_of(player, name);
        let features = self.shared.lobby.features();
        self.outbox.send(&welcome(&self.shared, features, player, name.clone(), token));
        let shared = Arc::clone(&self.shared);
        let outbox = self.outbox.clone();
        let client = Client { player, name, outbox };
        self.session = Some(Session::new(shared, self.address(), client));
        // They may have been switched before this client was known.
        let now = self.shared.lobby.features();
        if now != features {
            self.outbox.send(&ServerMessage::Features { features: now });
        }
    }

    /// Counts a token that this server did not make, and refuses it if the address has sent too many.
    /// Usually it is an old token, and its client gets a new identity. A right token is always
    /// accepted: nobody guesses its 256 bits, and guessing must not keep others from their seats.
    fn is_guessing(&self) -> bool {
        let is_blocked = self.shared.wrong_tokens.record(self.address(), Instant::now());
        if is_blocked {
            let message = "too many unknown tokens came from your address: wait a minute, or say \
                           hello without one";
            self.outbox.reject(None, Refusal::new(RefusalCode::RateLimited, message));
        }
        is_blocked
    }
}
