//! Proofs that a side wins on a cube. [`Threats`] finds wins in which each move makes three of a line, so that the
//! other side has one reply. [`ThreatProof`] adds moves without a threat: proof-number search, in which all replies that
//! do not lose to threats are tried. Both are sound: what they find is won.

use std::cmp::Reverse;

use crate::deadline::Budget;
use crate::variants::bits::Bits;
use crate::variants::duel::{Field, Marks, mix};

/// The moves that a win by threats may cost.
pub(super) const THREATS: u32 = 2_000;
/// The positions without such a win that are remembered: two to the power of so many.
const FAILURES: u32 = 16;
/// The attacker's moves that are tried in a position.
const WIDTH: usize = 14;
/// The largest tree, in nodes.
const NODES: usize = 1 << 20;
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
#[derive(Debug, Clone, Copy)]
struct Node {
    marks: Marks<u64>,
    /// The move that led here.
    cell: u8,
    /// Whether the attacker is to move.
    attacks: bool,
    /// How many positions at least must be proven to prove this one; how many disproven to disprove it.
    proof: u32,
    disproof: u32,
    parent: u32,
    /// The positions after the moves, which are together.
    first: u32,
    children: u32,
}

/// A search for the proof that the player to move wins.
#[derive(Debug)]
pub(super) struct ThreatProof<'a> {
    field: &'a Field<u64>,
    threats: Threats<'a>,
    nodes: Vec<Node>,
    max_nodes: usize,
}

impl<'a> ThreatProof<'a> {
    /// A search that remembers at most so many bytes.
    pub(super) fn new(field: &'a Field<u64>, memory: Option<usize>) -> Self {
        let max_nodes = memory.map_or(NODES, |bytes| bytes / (2 * size_of::<Node>())).min(NODES);
        Self { field, threats: Threats::new(field), nodes: Vec::new(), max_nodes }
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
        self.add(*marks, 0, true, 0);
        while self.nodes.len() < self.max_nodes {
            let root = self.nodes[0];
            if root.proof == 0 {
                return self.children(0).find(|c| c.proof == 0).map(|node| node.cell.into());
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

    fn add(&mut self, marks: Marks<u64>, cell: u32, attacks: bool, parent: usize) {
        let parent = parent as u32;
        let cell = cell as u8;
        let node =
            Node { marks, cell, attacks, proof: 1, disproof: 1, parent, first: 0, children: 0 };
        self.nodes.push(node);
    }

    fn range(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        node.first as usize..(node.first + node.children) as usize
    }

    fn children(&self, at: usize) -> impl Iterator<Item = &Node> {
        self.nodes[self.range(at)].iter()
    }

    /// The leaf that helps most, whether the root can be proven or not.
    fn most_proving(&self) -> usize {
        let mut at = 0;
        while self.nodes[at].children > 0 {
            let attacks = self.nodes[at].attacks;
            let number = |at: &usize| {
                let node = &self.nodes[*at];
                if attacks { node.proof } else { node.disproof }
            };
            at = self.range(at).min_by_key(number).unwrap_or(at);
        }
        at
    }

    /// Adds the positions after the moves of a leaf, or settles it; `None` if the budget is spent.
    fn expand(&mut self, at: usize, budget: &mut Budget<'_>) -> Option<()> {
        let Node { marks, attacks, .. } = self.nodes[at];
        if attacks && self.threats.win(&marks, budget).is_some() {
            return self.settle(at, true);
        }
        let moves = match self.replies(&marks, attacks, budget) {
            None => return self.settle(at, false),
            Some(moves) if moves.is_empty() => return self.settle(at, true),
            Some(moves) => moves,
        };
        let first = self.nodes.len();
        self.nodes[at].first = first as u32;
        self.nodes[at].children = moves.len() as u32;
        for cell in &moves {
            self.add(marks.after(self.field, *cell), *cell, !attacks, at);
        }
        if !attacks {
            return budget.spend();
        }
        for child in first..first + moves.len() {
            // The number of replies tells which of the attacker's moves is promising.
            self.expand(child, budget)?;
            self.sum(child);
        }
        budget.spend()
    }

    fn settle(&mut self, at: usize, is_proven: bool) -> Option<()> {
        let node = &mut self.nodes[at];
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
    fn sum(&mut self, at: usize) -> bool {
        let Node { attacks, children, proof, disproof, .. } = self.nodes[at];
        if children == 0 {
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
        self.nodes[at].proof = new_proof;
        self.nodes[at].disproof = new_disproof;
        (new_proof, new_disproof) != (proof, disproof)
    }

    /// Carries what was found at a leaf to the root.
    fn update(&mut self, leaf: usize) {
        let mut at = leaf;
        self.sum(at);
        while at != 0 {
            at = self.nodes[at].parent as usize;
            if !self.sum(at) {
                return;
            }
        }
    }
}
