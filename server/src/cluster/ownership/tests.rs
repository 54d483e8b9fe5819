//! Tests of what a node claims and hands over.

use super::*;
use crate::cluster::beats::Beat;

/// A node, what it hears, and how the first shard stands.
struct Node {
    ownership: Ownership,
    beats: Beats,
    now: Duration,
    sights: Vec<Sight>,
}

/// The first shard, and the nodes 1, 2 and 3 in the order in which they are its heirs.
fn heirs() -> (Shard, Vec<NodeName>) {
    let shard = Shard::all().next().unwrap();
    let mut names: Vec<_> = (1..=3).map(NodeName::of).collect();
    let heirs = Heirs::among(names.clone());
    names.sort_by_key(|name| heirs.rank(shard, name));
    (shard, names)
}

impl Node {
    /// A node that hears itself, and has for a second; other shards are not its concern.
    fn new(me: &NodeName) -> Self {
        let elsewhere = Sight { owner: Some(NodeName::of(9)), stand: Stand::Changing };
        let mut node = Self {
            ownership: Ownership::new(me.clone()),
            beats: Beats::new(me.clone(), None),
            now: Duration::ZERO,
            sights: vec![elsewhere; usize::from(SHARDS)],
        };
        node.see(None, Stand::Away);
        node.pass(&[me], 10);
        node
    }

    fn see(&mut self, owner: Option<&NodeName>, stand: Stand) {
        self.sights[0] = Sight { owner: owner.cloned(), stand };
        for sight in &mut self.sights[1..] {
            sight.stand = Stand::Away;
        }
    }

    fn hear(&mut self, node: &NodeName, leaving: bool) {
        let (node, sent) = (node.clone(), self.now);
        let beat = Beat { node, address: None, sent, leaving, format: 1 };
        self.beats.hear(self.now, beat);
    }

    /// Lets tenths of a second pass in which some nodes are heard, and returns what is to be done at the
    /// end.
    fn pass(&mut self, heard: &[&NodeName], tenths: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        for _ in 0..tenths {
            heard.iter().for_each(|node| self.hear(node, false));
            self.now += Duration::from_millis(100);
            self.beats.tick(self.now);
            // The other shards' owner lives.
            self.hear(&NodeName::of(9), true);
            steps = self.ownership.decide(self.now, &self.beats, &self.sights);
        }
        steps
    }
}

#[test]
fn the_first_heir_claims_what_nobody_owns_at_once() {
    let (shard, names) = heirs();
    let mut first = Node::new(&names[0]);
    assert_eq!(first.pass(&[&names[0], &names[1], &names[2]], 1), [Step::Claim(shard)]);
}

#[test]
fn a_node_that_has_not_listened_claims_nothing() {
    let (shard, names) = heirs();
    let mut first = Node::new(&names[0]);
    // It does not hear itself.
    assert_eq!(first.pass(&[&names[1]], 30), []);
    assert_eq!(first.pass(&[&names[0], &names[1]], 9), []);
    assert_eq!(first.pass(&[&names[0], &names[1]], 2), [Step::Claim(shard)]);
}

#[test]
fn the_next_heir_claims_after_half_a_second() {
    let (shard, names) = heirs();
    let all = [&names[0], &names[1], &names[2]];
    for (rank, tenths) in [(1, 5), (2, 10)] {
        let mut node = Node::new(&names[rank]);
        node.see(Some(&names[rank]), Stand::Held);
        node.pass(&all, 1);
        node.see(None, Stand::Away);
        assert_eq!(node.pass(&all, tenths), [], "heir {rank}");
        assert_eq!(node.pass(&all, 1), [Step::Claim(shard)], "heir {rank}");
        // Somebody was first.
        node.see(Some(&names[0]), Stand::Away);
        assert_eq!(node.pass(&all, 20), [], "heir {rank}");
    }
}

#[test]
fn the_shard_of_a_node_that_lives_is_left_alone() {
    let (shard, names) = heirs();
    let mut first = Node::new(&names[0]);
    first.see(Some(&names[1]), Stand::Away);
    assert_eq!(first.pass(&[&names[0], &names[1]], 100), []);
    // It falls silent, and the engine stands still too: nobody suspects it.
    assert_eq!(first.pass(&[], 100), []);
    assert_eq!(first.pass(&[&names[0]], 9), []);
    assert_eq!(first.pass(&[&names[0]], 2), [Step::Claim(shard)]);
}

#[test]
fn what_could_not_be_taken_is_claimed_again() {
    let (shard, names) = heirs();
    let mut first = Node::new(&names[0]);
    first.see(Some(&names[0]), Stand::Away);
    assert_eq!(first.pass(&[&names[0]], 1), [Step::Claim(shard)]);
    first.see(Some(&names[0]), Stand::Changing);
    assert_eq!(first.pass(&[&names[0]], 1), []);
}

#[test]
fn an_owner_hands_a_shard_to_a_better_heir_that_stays() {
    let (shard, names) = heirs();
    let mut second = Node::new(&names[1]);
    second.see(Some(&names[1]), Stand::Held);
    assert_eq!(second.pass(&[&names[0], &names[1]], 29), []);
    // It comes and goes.
    assert_eq!(second.pass(&[&names[1]], 20), []);
    assert_eq!(second.pass(&[&names[0], &names[1]], 30), []);
    assert_eq!(second.pass(&[&names[0], &names[1]], 1), [Step::Release(shard)]);
    // One that leaves gets nothing.
    second.hear(&names[0], true);
    assert_eq!(second.pass(&[&names[1]], 1), []);
}

#[test]
fn a_node_that_leaves_hands_over_everything_and_claims_nothing() {
    let (shard, names) = heirs();
    let mut first = Node::new(&names[0]);
    first.beats.set_leaving();
    assert_eq!(first.pass(&[&names[0], &names[1]], 20), []);
    first.see(Some(&names[0]), Stand::Held);
    assert_eq!(first.pass(&[&names[0]], 1), [Step::Release(shard)], "also if nobody is there");
}

#[test]
fn one_shard_is_handed_over_after_the_other() {
    let me = NodeName::of(1);
    for is_leaving in [false, true] {
        let mut node = Node::new(&me);
        let others: Vec<_> = (2..20).map(NodeName::of).collect();
        let mut heard: Vec<_> = others.iter().collect();
        heard.push(&me);
        if is_leaving {
            node.beats.set_leaving();
        }
        let held = Sight { owner: Some(me.clone()), stand: Stand::Held };
        node.sights = vec![held; usize::from(SHARDS)];
        let [Step::Release(shard)] = node.pass(&heard, 40)[..] else { panic!("not one") };
        node.sights[shard.index()].stand = Stand::Changing;
        assert_eq!(node.pass(&heard, 1), [], "this one first");
        let released = &mut node.sights[shard.index()];
        *released = Sight { owner: Some(others[0].clone()), stand: Stand::Away };
        assert_eq!(node.pass(&heard, 1), [], "its people come back");
        assert!(matches!(node.pass(&heard, 1)[..], [Step::Release(_)]), "then the next");
        node.sights[shard.index()].owner = None;
        let waits = node.pass(&heard, 3).is_empty();
        assert_eq!(waits, is_leaving, "who stops waits until it has an owner");
    }
}

/// Nodes that see the same never claim the same shard at the same time.
#[test]
fn in_one_view_there_is_one_claim_at_a_time() {
    let names: Vec<_> = (1..=5).map(NodeName::of).collect();
    let heard: Vec<_> = names.iter().collect();
    let mut claims = vec![Vec::new(); usize::from(SHARDS)];
    for name in &names {
        let mut node = Node::new(name);
        node.see(Some(name), Stand::Held);
        node.pass(&heard, 1);
        node.sights = vec![Sight { owner: None, stand: Stand::Away }; usize::from(SHARDS)];
        for tenth in 0..30 {
            for step in node.pass(&heard, 1) {
                let Step::Claim(shard) = step else { panic!("{step:?}") };
                claims[shard.index()].push(tenth);
                node.sights[shard.index()].stand = Stand::Changing;
            }
        }
    }
    for mut times in claims {
        times.sort_unstable();
        assert_eq!(times, [0, 5, 10, 15, 20]);
    }
}
