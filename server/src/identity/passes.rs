//! Passes: a player's other device sends a pass, so that the token need not be shown. A pass is good
//! once and for two minutes, and a player has one at a time. The time is an argument.

use std::collections::HashMap;
use std::time::Duration;

use hmac::Mac;
use noughts_protocol::{PASS_MS, PassCode, PlayerId, PlayerName, Refusal, RefusalCode};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::identity::{Secret, decode_hex, encode_hex};

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
}

impl Passes {
    /// A new pass for a player. The previous one is void.
    ///
    /// # Errors
    /// If too many are in use.
    pub(crate) fn issue(
        &self,
        secret: &Secret,
        player: PlayerId,
        name: &PlayerName,
        now: Instant,
    ) -> Result<PassCode, Refusal> {
        let live = Live { nonce: rand::random(), name: name.clone(), until: now + LIFE };
        let nonce = live.nonce;
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
        let code = encode_hex(&secret.pass(player, nonce).finalize().into_bytes());
        Ok(format!("{player}.{code}").parse().expect("81 hexadecimal digits and a dot are a pass"))
    }

    /// Uses a pass up and returns its player. Compared in constant time.
    pub(crate) fn redeem(
        &self,
        secret: &Secret,
        pass: &PassCode,
        now: Instant,
    ) -> Option<(PlayerId, PlayerName)> {
        let (player, code) = pass.reveal().split_once('.')?;
        let player: PlayerId = player.parse().ok()?;
        let code = decode_hex(code)?;
        let mut passes = self.0.lock();
        let live = passes.get(&player)?;
        secret.pass(player, live.nonce).verify_slice(&code).ok()?;
        let used = passes.remove(&player)?;
        (now < used.until).then_some((player, used.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue(passes: &Passes, secret: &Secret, player: u64, now: Instant) -> PassCode {
        let name = "Ada".parse().unwrap();
        passes.issue(secret, PlayerId(player), &name, now).unwrap()
    }

    #[test]
    fn a_pass_is_good_once_for_its_player_and_server() {
        let (passes, secret, now) = (Passes::default(), Secret::random(), Instant::now());
        let pass = issue(&passes, &secret, 1, now);
        assert_eq!(passes.redeem(&Secret::random(), &pass, now), None);
        let another: PassCode = pass.reveal().replace("0001.", "0002.").parse().unwrap();
        assert_eq!(passes.redeem(&secret, &another, now), None);
        let whose = passes.redeem(&secret, &pass, now);
        assert_eq!(whose, Some((PlayerId(1), "Ada".parse().unwrap())));
        assert_eq!(passes.redeem(&secret, &pass, now), None);
    }

    #[test]
    fn a_pass_ends_after_two_minutes_or_with_the_next_one() {
        let (passes, secret, now) = (Passes::default(), Secret::random(), Instant::now());
        let pass = issue(&passes, &secret, 1, now);
        assert_eq!(passes.redeem(&secret, &pass, now + LIFE), None);
        let before = issue(&passes, &secret, 1, now);
        let last = issue(&passes, &secret, 1, now);
        assert_eq!(passes.redeem(&secret, &before, now), None);
        assert!(passes.redeem(&secret, &last, now + LIFE / 2).is_some());
    }

    #[test]
    fn a_wrong_pass_lets_nobody_in() {
        let (passes, secret, now) = (Passes::default(), Secret::random(), Instant::now());
        let pass = issue(&passes, &secret, 1, now);
        let player = pass.reveal().split_once('.').unwrap().0;
        for wrong in ["x", "x.y", player, &format!("{player}."), &format!("{player}.00")] {
            assert_eq!(passes.redeem(&secret, &wrong.parse().unwrap(), now), None, "{wrong}");
        }
        assert!(passes.redeem(&secret, &pass, now).is_some(), "guesses do not use it up");
    }

    #[test]
    fn the_table_is_bounded_and_old_passes_make_room() {
        let (passes, secret, now) = (Passes::default(), Secret::random(), Instant::now());
        for player in 0..MOST as u64 {
            issue(&passes, &secret, player, now);
        }
        let name = "Ada".parse().unwrap();
        let one_more = |now| passes.issue(&secret, PlayerId(u64::MAX), &name, now);
        assert_eq!(one_more(now).unwrap_err().code, RefusalCode::Full);
        issue(&passes, &secret, 7, now);
        assert!(one_more(now + LIFE).is_ok());
    }
}
