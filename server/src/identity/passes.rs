//! Passes: a player's other device sends a pass, so that the token need not be shown. A pass is good
//! once and for two minutes, and a player has one at a time. The connection that asked for a pass is
//! told when it is used. The time is an argument.

use std::collections::HashMap;
use std::time::Duration;

use hmac::Mac;
use noughts_protocol::{
    PASS_MS, PassCode, PlayerId, PlayerName, Refusal, RefusalCode, ServerMessage,
};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::identity::Secret;
use crate::outbox::Outbox;

/// How long a pass is good.
const LIFE: Duration = Duration::from_millis(PASS_MS as u64);

/// Passes at once. A player costs one entry for two minutes at most. If all passes in the table are
/// still good, further ones are refused.
const MOST: usize = 10_000;

/// The passes that may still be used, at most one for each player.
#[derive(Debug, Default)]
pub(crate) struct Passes(Mutex<HashMap<PlayerId, Live>>);

#[derive(Debug)]
struct Live {
    /// Tells this pass from the player's earlier ones.
    nonce: u64,
    name: PlayerName,
    until: Instant,
    /// The outbox of the connection that asked for the pass.
    outbox: Outbox,
}

impl Passes {
    /// A new pass for a player, asked for by the connection with this outbox. The previous one is void.
    ///
    /// # Errors
    /// If too many are in use.
    pub(crate) fn issue(
        &self,
        secret: &Secret,
        player: PlayerId,
        name: &PlayerName,
        outbox: &Outbox,
        now: Instant,
    ) -> Result<PassCode, Refusal> {
        let nonce = rand::random();
        let live = Live { nonce, name: name.clone(), until: now + LIFE, outbox: outbox.clone() };
        let mut passes = self.0.lock();
        if passes.len() >= MOST {
            passes.retain(|_, live| now < live.until);
        }
        if passes.len() >= MOST && !passes.contains_key(&player) {
            let message = "too many passes are in use: try again in two minutes";
            return Err(Refusal::new(RefusalCode::Full, message));
        }
        passes.insert(player, live);
        drop(passes);
        let code = hex::encode(secret.pass(player, nonce).finalize().into_bytes());
        Ok(format!("{player}.{code}").parse().expect("81 hexadecimal digits and a dot are a pass"))
    }

    /// Uses a pass up, tells the connection that asked for it, and returns its player. Compared in
    /// constant time.
    pub(crate) fn redeem(
        &self,
        secret: &Secret,
        pass: &PassCode,
        now: Instant,
    ) -> Option<(PlayerId, PlayerName)> {
        let (player, code) = pass.reveal().split_once('.')?;
        let player: PlayerId = player.parse().ok()?;
        let digits = hex::decode(code).ok()?;
        let mut passes = self.0.lock();
        let live = passes.get(&player)?;
        secret.pass(player, live.nonce).verify_slice(&digits).ok()?;
        let used = passes.remove(&player)?;
        drop(passes);
        if now >= used.until {
            return None;
        }
        used.outbox.send(&ServerMessage::Pass { code: pass.clone(), expires_in_ms: 0 });
        Some((player, used.name))
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use super::*;
    use crate::metrics::Metrics;
    use crate::outbox::{ConnectionId, OutboxReader, outbox};

    /// A table without passes, on a server, at a moment.
    fn begin() -> (Passes, Secret, Instant) {
        (Passes::default(), Secret::random(), Instant::now())
    }

    /// A pass, and what the connection that asked for it reads.
    fn ask(
        passes: &Passes,
        secret: &Secret,
        player: u64,
        now: Instant,
    ) -> Result<(PassCode, OutboxReader), Refusal> {
        let name = "Ada".parse().unwrap();
        let (outbox, reader) =
            outbox(ConnectionId(1), Ipv4Addr::LOCALHOST.into(), Arc::new(Metrics::new()));
        Ok((passes.issue(secret, PlayerId(player), &name, &outbox, now)?, reader))
    }

    fn issue(passes: &Passes, secret: &Secret, player: u64, now: Instant) -> PassCode {
        ask(passes, secret, player, now).unwrap().0
    }

    #[test]
    fn a_pass_is_good_once_for_its_player_and_server() {
        let (passes, secret, now) = begin();
        let pass = issue(&passes, &secret, 1, now);
        assert_eq!(passes.redeem(&Secret::random(), &pass, now), None);
        let another: PassCode = pass.reveal().replace("0001.", "0002.").parse().unwrap();
        assert_eq!(passes.redeem(&secret, &another, now), None);
        let whose = passes.redeem(&secret, &pass, now);
        assert_eq!(whose, Some((PlayerId(1), "Ada".parse().unwrap())));
        assert_eq!(passes.redeem(&secret, &pass, now), None);
    }

    #[test]
    fn the_connection_that_asked_is_told_when_the_pass_is_used() {
        let (passes, secret, now) = begin();
        let (first, told_first) = ask(&passes, &secret, 1, now).unwrap();
        let (second, told_second) = ask(&passes, &secret, 1, now).unwrap();
        assert_eq!(passes.redeem(&secret, &first, now), None);
        assert!(passes.redeem(&secret, &second, now).is_some());
        let count = |mut reader: OutboxReader| reader.take().len();
        assert_eq!((count(told_first), count(told_second)), (0, 1));
    }

    #[test]
    fn a_pass_ends_after_two_minutes_or_with_the_next_one() {
        let (passes, secret, now) = begin();
        let pass = issue(&passes, &secret, 1, now);
        assert_eq!(passes.redeem(&secret, &pass, now + LIFE), None);
        let before = issue(&passes, &secret, 1, now);
        let last = issue(&passes, &secret, 1, now);
        assert_eq!(passes.redeem(&secret, &before, now), None);
        assert!(passes.redeem(&secret, &last, now + LIFE / 2).is_some());
    }

    #[test]
    fn a_wrong_pass_lets_nobody_in() {
        let (passes, secret, now) = begin();
        let pass = issue(&passes, &secret, 1, now);
        let player = pass.reveal().split_once('.').unwrap().0;
        for wrong in ["x", "x.y", player, &format!("{player}."), &format!("{player}.00")] {
            assert_eq!(passes.redeem(&secret, &wrong.parse().unwrap(), now), None, "{wrong}");
        }
        assert!(passes.redeem(&secret, &pass, now).is_some(), "guesses do not use it up");
    }

    #[test]
    fn the_table_is_bounded_and_old_passes_make_room() {
        let (passes, secret, now) = begin();
        for player in 0..MOST as u64 {
            issue(&passes, &secret, player, now);
        }
        let one_more = |now| ask(&passes, &secret, u64::MAX, now).map_err(|refusal| refusal.code);
        assert_eq!(one_more(now).unwrap_err(), RefusalCode::Full);
        issue(&passes, &secret, 7, now);
        assert!(one_more(now + LIFE).is_ok());
    }
}
