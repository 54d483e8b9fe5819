//! The heir of a shard: the node with the highest hash of shard and node (rendezvous hashing) among those
//! that do not yet have their share (bounded loads, after Mirrokni, Thorup and Zadimoghaddam, 2017: without
//! the bound one of three nodes has half of sixteen shards in every third cluster). All shares are equal, or
//! differ by one, so that a node that stops has its rooms in small portions. If a node comes or goes, few
//! shards move but those that it gets or had: half a shard more on average if a third one comes, one and a
//! half if a ninth does. Pure, and the same on every node, of every version.

use sha2::{Digest, Sha256};

use super::directory::NodeName;
use crate::shard::{SHARDS, Shard};

/// The heirs of every shard among some nodes.
#[derive(Debug, Default)]
pub(super) struct Heirs {
    nodes: Vec<NodeName>,
    /// The nodes by their place in `nodes`, the first heir first, for each shard.
    ranks: Vec<Vec<usize>>,
}

impl Heirs {
    /// The heirs among these nodes.
    pub(super) fn among(nodes: Vec<NodeName>) -> Self {
        let shards = usize::from(SHARDS);
        let share = shards / nodes.len().max(1);
        // Nodes that may have one more.
        let mut more = shards % nodes.len().max(1);
        let mut loads = vec![0; nodes.len()];
        let rank = |shard| {
            let mut ranks = ranked(shard, &nodes);
            let most = share + usize::from(more > 0);
            if let Some(first) = ranks.iter().position(|place| loads[*place] < most) {
                // The others keep their order: they are asked if the first does not claim.
                ranks[..=first].rotate_right(1);
                let load = &mut loads[ranks[0]];
                more -= usize::from(*load == share);
                *load += 1;
            }
            ranks
        };
        let ranks = Shard::all().map(rank).collect();
        Self { nodes, ranks }
    }

    /// The nodes among which they are.
    pub(super) fn nodes(&self) -> &[NodeName] {
        &self.nodes
    }

    /// The node that is to own a shard.
    pub(super) fn first(&self, shard: Shard) -> Option<&NodeName> {
        self.ranks.get(shard.index())?.first().map(|place| &self.nodes[*place])
    }

    /// How many heirs of a shard come before a node; `None` if it is no heir.
    pub(super) fn rank(&self, shard: Shard, node: &NodeName) -> Option<u32> {
        let ranks = self.ranks.get(shard.index())?;
        (0..).zip(ranks).find(|(_, place)| self.nodes[**place] == *node).map(|(rank, _)| rank)
    }
}

fn ranked(shard: Shard, nodes: &[NodeName]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..nodes.len()).collect();
    places.sort_by_cached_key(|place| std::cmp::Reverse(hash(shard, &nodes[*place])));
    places
}

/// Nodes of different versions must agree: this never changes.
fn hash(shard: Shard, node: &NodeName) -> [u8; 32] {
    let hash = Sha256::new().chain_update([u8::from(shard)]).chain_update(node.as_str());
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn nodes(numbers: impl IntoIterator<Item = u64>) -> Vec<NodeName> {
        numbers.into_iter().map(NodeName::of).collect()
    }

    #[test]
    fn the_heirs_never_change() {
        let heirs = Heirs::among(nodes(1..=3));
        let firsts: String = Shard::all()
            .map(|shard| heirs.first(shard).unwrap().as_str().chars().last().unwrap())
            .collect();
        assert_eq!(firsts, FIRSTS);
    }

    /// The heir of each shard among the nodes 1, 2 and 3.
    const FIRSTS: &str = "3233321332211211";

    #[test]
    fn all_nodes_have_the_same_share_or_one_more() {
        for set in 0..100 {
            let count = 1 + set % 20;
            let names = nodes((0..count).map(|number| set * 1000 + number));
            let heirs = Heirs::among(names.clone());
            for name in names {
                let load = Shard::all().filter(|shard| heirs.first(*shard) == Some(&name)).count();
                let share = 16 / usize::try_from(count).unwrap();
                assert!((share..=share + 1).contains(&load), "{load} of 16 at {count} nodes");
            }
        }
    }

    #[test]
    fn without_nodes_there_is_no_heir() {
        let heirs = Heirs::among(Vec::new());
        let shard = Shard::all().next().unwrap();
        assert_eq!((heirs.first(shard), heirs.rank(shard, &NodeName::of(1))), (None, None));
        assert_eq!(Heirs::default().first(shard), None);
    }

    proptest! {
        /// Every node of a view has another rank, in whatever order the view lists them; and if one goes,
        /// few shards move that were not its own.
        #[test]
        fn a_view_has_one_heir_of_a_shard(
            (names, shuffled) in proptest::collection::btree_set(any::<u64>(), 1..12)
                .prop_map(nodes)
                .prop_flat_map(|names| (Just(names.clone()), Just(names).prop_shuffle()))
        ) {
            let (heirs, same) = (Heirs::among(names.clone()), Heirs::among(shuffled));
            let gone = names[0].clone();
            let rest = Heirs::among(names[1..].to_vec());
            let mut moved = 0;
            for shard in Shard::all() {
                let mut ranks: Vec<_> = names.iter().map(|name| heirs.rank(shard, name)).collect();
                ranks.sort();
                prop_assert_eq!(ranks, (0..).take(names.len()).map(Some).collect::<Vec<_>>());
                prop_assert_eq!(heirs.first(shard), same.first(shard));
                let (before, after) = (heirs.first(shard), rest.first(shard));
                moved += usize::from(before != Some(&gone) && before != after);
            }
            prop_assert!(moved <= 8, "{} moved", moved);
        }
    }
}
