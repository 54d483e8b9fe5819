//! Who is let in, and as whom: the answers to `hello`.

use std::sync::Arc;

use noughts_protocol::{
    JoinPassword, Limits, MAX_CLIENT_FRAME, PROTOCOL_VERSION, PassCode, PlayerId, PlayerName,
    PlayerToken, Refusal, RefusalCode, ServerInfo, ServerMessage,
};
use tokio::time::Instant;

use crate::Shared;
use crate::connection::session::Session;
use crate::connection::{Connection, End};
use crate::room::{Client, ConnectionId};

impl Connection {
    /// Why somebody is not let in, if so. An address that has said too many wrong passwords is not
    /// told whether one is right: unlike a token, a password can be guessed.
    pub(crate) fn keep_out(&self, said: Option<&JoinPassword>) -> Option<Refusal> {
        let (passwords, address) = (&self.shared.passwords, self.address());
        let password = self.shared.config.password.as_ref()?;
        let Some(said) = said else {
            let message = "this server asks for a password";
            return Some(Refusal::new(RefusalCode::PasswordRequired, message));
        };
        let now = Instant::now();
        if passwords.are_spent(address, now) {
            passwords.wrong(address, now);
            let message =
                "too many wrong passwords came from your address: wait a minute and try again";
            return Some(Refusal::new(RefusalCode::RateLimited, message));
        }
        if password.is(said) {
            return None;
        }
        passwords.wrong(address, now);
        let message = "that is not the password of this server: ask its host for it";
        Some(Refusal::new(RefusalCode::WrongPassword, message))
    }

    pub(crate) fn greet(
        &mut self,
        connection: ConnectionId,
        name: PlayerName,
        token: Option<PlayerToken>,
    ) {
        let secret = &self.shared.secret;
        let (player, token) = match token.map(|token| (secret.verify(&token), token)) {
            Some((Some(player), token)) => (player, token),
            Some((None, _)) if self.is_guessing() => return,
            Some((None, _)) | None => secret.issue(),
        };
        self.welcome(connection, player, name, token);
    }

    /// Greets another device of a player, or refuses a pass that is none: a few times.
    pub(crate) fn greet_with_pass(
        &mut self,
        connection: ConnectionId,
        pass: &PassCode,
    ) -> Result<(), End> {
        let Shared { passes, secret, .. } = &*self.shared;
        if let Some((player, name)) = passes.redeem(secret, pass, Instant::now()) {
            let token = secret.token(player);
            self.welcome(connection, player, name, token);
            return Ok(());
        }
        if self.is_guessing() {
            return Ok(());
        }
        let message = "this pass was used or is too old: ask for a new one on your first device";
        self.outbox.refuse(None, Refusal::new(RefusalCode::BadPass, message));
        self.count_garbage()
    }

    fn welcome(
        &mut self,
        connection: ConnectionId,
        player: PlayerId,
        name: PlayerName,
        token: PlayerToken,
    ) {
        let config = &self.shared.config;
        self.outbox.send(&ServerMessage::Welcome {
            protocol: PROTOCOL_VERSION,
            player,
            name: name.clone(),
            token,
            server: ServerInfo {
                name: config.name.clone(),
                version: env!("CARGO_PKG_VERSION").into(),
                url: self.shared.url.get().cloned(),
                public: config.public_url.is_some(),
            },
            limits: Limits {
                frame_bytes: MAX_CLIENT_FRAME as u32,
                intent_burst: config.intent_burst,
                intents_per_second: config.intents_per_second,
                waiting_rooms: config.rooms.waiting,
                rooms: config.rooms.per_player,
                rooms_per_minute: config.rooms.new_per_player,
                absence_ms: u32::try_from(config.times.absence_grace.as_millis())
                    .unwrap_or(u32::MAX),
            },
            features: config.features,
        });
        let (shared, outbox) = (Arc::clone(&self.shared), self.outbox.clone());
        let client = Client { connection, player, name, outbox };
        self.session = Some(Session::new(shared, self.address(), client));
    }

    /// Counts a token that is not ours. Usually it is an old one, and there is a new identity for
    /// it; an address that goes on and on gets none. A right token is let in all the same: it has
    /// 256 bits that nobody guesses, and who guesses shall not keep others from their seats.
    fn is_guessing(&self) -> bool {
        let (tokens, now) = (&self.shared.tokens, Instant::now());
        let spent = tokens.are_spent(self.address(), now);
        tokens.wrong(self.address(), now);
        if spent {
            let message = "too many unknown tokens came from your address: wait a minute, or say \
                           hello without one";
            self.outbox.refuse(None, Refusal::new(RefusalCode::RateLimited, message));
        }
        spent
    }
}
