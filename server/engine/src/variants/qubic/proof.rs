//! Proofs that a side wins on a cube. [`Threats`] finds wins in which each move makes three of a
//! line, so that the other side has one reply. [`ThreatProof`] adds moves without a threat:
//! proof-number search, in which all replies that do not lose to threats are tried. Both are sound:
//! what they find is won.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::bits::Bits;
use crate::board::mix;
use crate::deadline::Budget;
use crate::variants::duel::{Field, Marks};

/// The moves that a win by threats may cost.
pub(super) const THREATS: u32 = 2_000;
/// The positions without such a win that are remembered: two to the power of so many.
const FAILURES: u32 = 18;
/// The attacker's moves that are tried in a position.
const WIDTH: usize = 14;
/// The most positions.
const NODES: usize = 1 << 20;
/// About what a position takes.
const NODE_BYTES: usize = 512;
/// The proof number of what cannot be proven.
const NEVER: u32 = 1 << 30;

/// A search for wins by threats.
#[derive(Debug)]
pub(super) struct Threats<'a> {
    field: &'a Field<u64>,
    /// Positions that the side to move does not win by threats; a newer one replaces an older one.
    failures: Vec<[u64; 2]>,
}

impl<'a> Threats<'a> {
    pub(super) fn new(field: &'a Field<u64>) -> Self {
        Self { field, failures: vec![[0; 2]; 1 << FAILURES] }
    }

    /// A move of the side to move that wins by threats, if one is found.
    pub(super) fn win(&mut self, marks: &Marks<u64>, budget: &mut Budget<'_>) -> Option<u32> {
        let mut left = THREATS;
        self.attack(marks, &mut left, budget)
    }

    fn attack(
        &mut self,
        marks: &Marks<u64>,
        left: &mut u32,
        budget: &mut Budget<'_>,
    ) -> Option<u32> {
        let empty = self.field.cells & !marks.taken();
        let wins = marks.own_wins & empty;
        if !wins.is_empty() {
            return Some(wins.lowest());
        }
        let blocks = marks.other_wins & empty;
        let lacks_two = usize::from(self.field.lines.line) - 2;
        let mut cells = self.field.lines.cells_with(lacks_two, marks.own, marks.other) & empty;
        if !blocks.is_empty() {
            cells &= blocks;
        }
        let at = mix(marks.own ^ mix(marks.other)) as usize & (self.failures.len() - 1);
        if blocks.has_two() || self.failures[at] == [marks.own, marks.other] {
            return None;
        }
        let threats = |next: &Marks<u64>| next.other_wins & empty & !next.taken();
        let moves = cells.each().map(|cell| (cell, marks.after(self.field, cell)));
        let moves: Vec<_> = moves.collect();
        if let Some((cell, _)) = moves.iter().find(|(_, next)| threats(next).has_two()) {
            return Some(*cell);
        }
        for (cell, next) in moves {
            *left = left.checked_sub(1)?;
            budget.spend()?;
            let next = next.after(self.field, threats(&next).lowest());
            if self.attack(&next, left, budget).is_some() {
                return Some(cell);
            }
        }
        if *left > 0 {
            self.failures[at] = [marks.own, marks.other];
        }
        None
    }
}

/// A position of a proof.
#[derive(Debug)]
struct Node {
    marks: Marks<u64>,
    /// Whether the attacker is to move.
    attacks: bool,
    /// How many positions at least must be proven to prove this one; how many disproven to disprove it.
    proof: u32,
    disproof: u32,
    parents: Vec<u32>,
    children: Vec<u32>,
}

/// A search for the proof that the player to move wins.
#[derive(Debug)]
pub(super) struct ThreatProof<'a> {
    field: &'a Field<u64>,
    threats: Threats<'a>,
    nodes: Vec<Node>,
    /// The positions by the marks of the side to move and of the other: moves in another order lead to the same.
    numbers: HashMap<[u64; 2], u32>,
    max_nodes: usize,
}

impl<'a> ThreatProof<'a> {
    /// A search that remembers at most so many bytes.
    pub(super) fn new(field: &'a Field<u64>, memory: Option<usize>) -> Self {
        let max_nodes = memory.map_or(NODES, |bytes| bytes / NODE_BYTES).min(NODES);
        let threats = Threats::new(field);
        Self { field, threats, nodes: Vec::new(), numbers: HashMap::new(), max_nodes }
    }

    /// The move that is proven to win, if one is.
    pub(super) fn winning_move(
        &mut self,
        marks: &Marks<u64>,
        budget: &mut Budget<'_>,
    ) -> Option<u32> {
        if let Some(cell) = self.threats.win(marks, budget) {
            return Some(cell);
        }
        self.nodes.clear();
        self.numbers.clear();
        self.add(*marks, true, None);
        while self.nodes.len() < self.max_nodes {
            let root = &self.nodes[0];
            if root.proof == 0 {
                let proven = self.children(0).find(|node| node.proof == 0)?;
                return Some((proven.marks.other & !marks.own).lowest());
            }
            if root.disproof == 0 {
                return None;
            }
            let leaf = self.most_proving();
            self.expand(leaf, budget)?;
            self.update(leaf);
        }
        None
    }

    /// The number of a position, which is new or was reached by other moves.
    fn add(&mut self, marks: Marks<u64>, attacks: bool, parent: Option<u32>) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry([marks.own, marks.other]).or_insert(next);
        if number == next {
            let parents = Vec::new();
            let children = Vec::new();
            self.nodes.push(Node { marks, attacks, proof: 1, disproof: 1, parents, children });
        }
        self.nodes[number as usize].parents.extend(parent);
        number
    }

    fn children(&self, at: u32) -> impl Iterator<Item = &Node> {
        self.nodes[at as usize].children.iter().map(|child| &self.nodes[*child as usize])
    }

    /// The leaf that helps most, whether the root can be proven or not.
    fn most_proving(&self) -> u32 {
        let mut at = 0;
        loop {
            let Node { attacks, children, .. } = &self.nodes[at as usize];
            let number = |child: &u32| {
                let node = &self.nodes[*child as usize];
                if *attacks { node.proof } else { node.disproof }
            };
            let Some(next) = children.iter().copied().min_by_key(number) else { return at };
            at = next;
        }
    }

    /// Adds the positions after the moves of a leaf, or settles it; `None` if the budget is spent.
    fn expand(&mut self, at: u32, budget: &mut Budget<'_>) -> Option<()> {
        let Node { marks, attacks, .. } = self.nodes[at as usize];
        if attacks && self.threats.win(&marks, budget).is_some() {
            return self.settle(at, true);
        }
        let moves = match self.replies(&marks, attacks, budget) {
            None => return self.settle(at, false),
            Some(moves) if moves.is_empty() => return self.settle(at, true),
            Some(moves) => moves,
        };
        let after = |cell: u32| marks.after(self.field, cell);
        let after: Vec<Marks<u64>> = moves.into_iter().map(after).collect();
        let children: Vec<u32> =
            after.into_iter().map(|marks| self.add(marks, !attacks, Some(at))).collect();
        self.nodes[at as usize].children.clone_from(&children);
        for child in children.into_iter().filter(|_| attacks) {
            // The number of replies tells which of the attacker's moves is promising.
            let node = &self.nodes[child as usize];
            if node.children.is_empty() && node.proof > 0 && node.disproof > 0 {
                self.expand(child, budget)?;
                self.update(child);
            }
        }
        budget.spend()
    }

    fn settle(&mut self, at: u32, is_proven: bool) -> Option<()> {
        let node = &mut self.nodes[at as usize];
        (node.proof, node.disproof) = if is_proven { (0, NEVER) } else { (NEVER, 0) };
        Some(())
    }

    /// The moves to try. Of the defender: those that do not lose to threats; `None` where the defender wins.
    fn replies(
        &mut self,
        marks: &Marks<u64>,
        attacks: bool,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<u32>> {
        let empty = self.field.cells & !marks.taken();
        let blocks = marks.other_wins & empty;
        if attacks {
            return (!blocks.has_two()).then(|| self.promising(marks, blocks, empty));
        }
        if !(marks.own_wins & empty).is_empty() {
            return None;
        }
        if blocks.has_two() {
            return Some(Vec::new());
        }
        if !blocks.is_empty() {
            return Some(vec![blocks.lowest()]);
        }
        if self.threats.win(marks, budget).is_some() {
            return None;
        }
        let mut replies: Vec<u32> = empty.each().collect();
        if self.threats.win(&marks.passed(), budget).is_some() {
            replies.retain(|cell| {
                let next = marks.after(self.field, *cell);
                self.threats.win(&next, budget).is_none()
            });
        }
        Some(replies)
    }

    /// The attacker's moves that leave the best lines.
    fn promising(&self, marks: &Marks<u64>, blocks: u64, empty: u64) -> Vec<u32> {
        if !blocks.is_empty() {
            return vec![blocks.lowest()];
        }
        let value = |cell: &u32| {
            let own = marks.own | u64::one(*cell);
            let lines = &self.field.lines;
            2 * lines.value(own, marks.other) - lines.value(marks.other, own)
        };
        let mut cells: Vec<u32> = empty.each().collect();
        cells.sort_by_cached_key(|cell| Reverse(value(cell)));
        cells.truncate(WIDTH);
        cells
    }

    /// The numbers of a position by those after its moves; whether they have changed.
    fn sum(&mut self, at: u32) -> bool {
        let Node { attacks, proof, disproof, .. } = self.nodes[at as usize];
        if self.nodes[at as usize].children.is_empty() {
            return false;
        }
        let mut least = NEVER;
        let mut sum = 0;
        for node in self.children(at) {
            let (one, all) =
                if attacks { (node.proof, node.disproof) } else { (node.disproof, node.proof) };
            least = least.min(one);
            sum = NEVER.min(sum + all);
        }
        let (new_proof, new_disproof) = if attacks { (least, sum) } else { (sum, least) };
        let node = &mut self.nodes[at as usize];
        node.proof = new_proof;
        node.disproof = new_disproof;
        (new_proof, new_disproof) != (proof, disproof)
    }

    /// Carries what was found at a leaf to all positions before it.
    fn update(&mut self, leaf: u32) {
        self.sum(leaf);
        let mut open = self.nodes[leaf as usize].parents.clone();
        while let Some(at) = open.pop() {
            if self.sum(at) {
                open.extend(&self.nodes[at as usize].parents);
            }
        }
    }
}
