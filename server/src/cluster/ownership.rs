//! Decides which shards a node is to claim, and which to hand over, by what the log and the beats say. Pure: the
//! caller brings the time. Nothing here makes anybody an owner: that is the log's.

use std::time::Duration;

use super::beats::Beats;
use super::directory::NodeName;
use super::heirs::Heirs;
use crate::shard::{SHARDS, Shard};

/// If nobody has claimed a shard for this long, the next heir tries.
const NEXT_HEIR: Duration = Duration::from_millis(500);

/// An owner hands a shard over that another node has been the heir of for this long: not to one that
/// comes and goes.
const STEADY: Duration = Duration::from_secs(3);

/// Shards that a node hands over at a time, so that few people come back together. One that stops hands over
/// the next when another node has claimed the one before.
const RELEASES: usize = 1;

/// The least time between two, in which some hundred people come back. A node that stops has ten seconds for
/// sixteen shards.
const BREATH: Duration = Duration::from_millis(300);

/// How a shard stands with this node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// This node has nothing to do with it.
    Away,
    /// This node claims it, takes it or leaves it.
    Changing,
    /// Its rooms are here.
    Held,
}

/// The next step of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Claim the shard.
    Claim(Shard),
    /// Hand the shard over.
    Release(Shard),
}

/// The state of a shard as a node sees it.
#[derive(Debug, Clone)]
pub(super) struct Sight {
    /// The owner by the log.
    pub(super) owner: Option<NodeName>,
    pub(super) stand: Stand,
}

/// The memory that a node has of a shard between two decisions.
#[derive(Debug, Clone, Copy, Default)]
struct Memory {
    /// Since when it could be claimed.
    free: Option<Duration>,
    /// Since when another node has been its heir.
    others: Option<Duration>,
}

/// Decides what a node claims and releases.
#[derive(Debug)]
pub(super) struct Ownership {
    me: NodeName,
    heirs: Heirs,
    shards: [Memory; SHARDS as usize],
    /// When this node handed a shard over last.
    released: Option<Duration>,
}

impl Ownership {
    pub(super) fn new(me: NodeName) -> Self {
        let shards = [Memory::default(); SHARDS as usize];
        Self { me, heirs: Heirs::default(), shards, released: None }
    }

    /// The steps to take now, with a sight of every shard. A node that leaves claims nothing and hands everything
    /// over.
    pub(super) fn decide(&mut self, now: Duration, beats: &Beats, sights: &[Sight]) -> Vec<Step> {
        let candidates = beats.candidates();
        if candidates != self.heirs.nodes() {
            self.heirs = Heirs::among(candidates);
        }
        let is_leaving = !self.heirs.nodes().contains(&self.me);
        let is_changing = |sight: &&Sight| match sight.stand {
            Stand::Changing => true,
            Stand::Away => is_leaving && sight.owner.is_none(),
            Stand::Held => false,
        };
        let mut releases = match self.heirs.nodes() {
            // Nobody is there who could claim anything.
            [] => sights.len(),
            _ if self.released.is_some_and(|last| now.saturating_sub(last) < BREATH) => 0,
            _ => RELEASES.saturating_sub(sights.iter().filter(is_changing).count()),
        };
        let mut steps = Vec::new();
        for (shard, Sight { owner, stand }) in Shard::all().zip(sights) {
            let is_free = *stand == Stand::Away && self.may_be_claimed(owner.as_ref(), beats);
            let others = *stand == Stand::Held && self.heirs.first(shard) != Some(&self.me);
            let memory = &mut self.shards[shard.index()];
            memory.free = is_free.then(|| memory.free.unwrap_or(now));
            memory.others = others.then(|| memory.others.unwrap_or(now));
            if let Some(since) = memory.free
                && let Some(rank) = self.heirs.rank(shard, &self.me)
                && now.saturating_sub(since) >= NEXT_HEIR * rank
            {
                steps.push(Step::Claim(shard));
            }
            if let Some(since) = memory.others
                && (is_leaving || now.saturating_sub(since) >= STEADY)
                && releases > 0
            {
                releases -= 1;
                self.released = Some(now);
                steps.push(Step::Release(shard));
            }
        }
        steps
    }

    /// Whether a shard with this owner by the log, which is not held here, may be claimed. If this node is
    /// the owner, it could not take what it had claimed, and claims it again.
    fn may_be_claimed(&self, owner: Option<&NodeName>, beats: &Beats) -> bool {
        beats.has_listened() && owner.is_none_or(|owner| *owner == self.me || beats.suspects(owner))
    }
}

#[cfg(test)]
mod tests;
