//! Proof that a side cannot win, however it plays: the other, the breaker, can put a mark into
//! every line, its own lines not counting. That is less than what a draw takes, and so far
//! quicker to search: many marks make no difference, and of most positions it shows who wins.
//!
//! The search is by proof numbers, depth first (df-pn: Nagai, "Df-pn algorithm for searching
//! AND/OR trees", 2002). Whoever wins a position needs only some cells for it; a reply elsewhere
//! changes nothing and is not tried.

mod lines;

use std::cmp::Reverse;
use std::collections::HashMap;

use lines::{Board, Cells, Lines, Winner, bits};

use super::geometry::{Geometry, inverse};
use super::threats::Budget;

/// Positions remembered at most, about 130 MiB of them. A search of a second meets some ten
/// thousand.
const MEMORY: usize = 3_600_000;
/// A proof number that says it cannot be.
const NEVER: u32 = 1 << 30;

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
struct Known {
    proof: Proof,
    /// Positions looked at to find out.
    work: u32,
}

/// How far a position is from being proven for either side.
#[derive(Debug, Clone, Copy)]
struct Proof {
    /// Positions that have yet to be shown to win for the maker, about; 0 once it does.
    maker: u32,
    /// The same for the breaker.
    breaker: u32,
    /// Once either wins: the cells that it takes.
    needed: Cells,
}

/// A move, and what it leads to.
#[derive(Debug, Clone, Copy)]
struct Child {
    cell: usize,
    lines: Lines,
    makers_turn: bool,
    /// The breaker's forced reply, which whoever wins needs, and the pairs left out, which the
    /// breaker does.
    forced: Cells,
    paired: Cells,
    proof: Proof,
}

/// A search on one board, which remembers from one question to the next.
#[derive(Debug)]
pub(super) struct Breaker {
    board: Board,
    known: HashMap<u64, Known>,
}

/// The budget is spent.
struct Spent;

impl Proof {
    const fn of(winner: Winner) -> Self {
        match winner {
            Winner::Maker(needed) => Self { maker: 0, breaker: NEVER, needed },
            Winner::Breaker(needed) => Self { maker: NEVER, breaker: 0, needed },
        }
    }

    /// The number of the side to move, and that of the other.
    const fn seen_by(self, maker: bool) -> (u32, u32) {
        if maker { (self.maker, self.breaker) } else { (self.breaker, self.maker) }
    }

    const fn new((own, other): (u32, u32), maker: bool) -> Self {
        let (maker, breaker) = if maker { (own, other) } else { (other, own) };
        Self { maker, breaker, needed: 0 }
    }
}

impl Breaker {
    /// `None` for a board of more than 64 cells, which would be too large to search anyway.
    pub(super) fn new(geometry: &Geometry) -> Option<Self> {
        Some(Self { board: Board::new(geometry)?, known: HashMap::new() })
    }

    /// Whether the breaker keeps the maker from every line, where each has these cells and no line
    /// is full. `None` if the budget is spent before it is known.
    pub(super) fn holds(
        &mut self,
        maker: Cells,
        breaker: Cells,
        makers_turn: bool,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let mut lines = self.board.position(maker, breaker);
        if !makers_turn {
            let wins = lines.wins(&self.board);
            if wins.count_ones() > 1 {
                return Some(false);
            }
            if let Some(forced) = bits(wins).next() {
                return self.holds(maker, breaker | 1 << forced, true, budget);
            }
        }
        lines.drop_paired(&self.board);
        let proof = match lines.winner(&self.board, makers_turn) {
            Some(winner) => Proof::of(winner),
            None => self.search(&lines, makers_turn, (NEVER, NEVER), budget).ok()?,
        };
        Some(proof.breaker == 0)
    }

    /// Searches until a proof number reaches its limit, the one of the side to move first.
    fn search(
        &mut self,
        lines: &Lines,
        maker: bool,
        limits: (u32, u32),
        budget: &mut Budget<'_>,
    ) -> Result<Proof, Spent> {
        let before = budget.moves;
        budget.spend().ok_or(Spent)?;
        let (candidates, left_out) = lines.candidates(&self.board);
        let mut tried = Tried { maker, must: lines.free(), needed: 0, won: None };
        let mut children = self.children(lines, candidates, &mut tried);
        let proof = loop {
            children.retain(|child| tried.must >> child.cell & 1 == 1);
            if let Some(winner) = tried.winner(children.is_empty(), &left_out) {
                break Proof::of(winner);
            }
            let own = |child: &Child| child.proof.seen_by(maker).0;
            children.sort_by_key(own);
            let others = children.iter().map(|child| child.proof.seen_by(maker).1);
            let siblings = children.len() as u32 - 1;
            // Not their sum: children often need the same proofs.
            let other = (others.max().unwrap_or(0) + siblings).min(NEVER - 1);
            if own(&children[0]) >= limits.0 || other >= limits.1 {
                break Proof::new((own(&children[0]), other), maker);
            }
            // A quarter more than the second best, so as not to change between them all the time.
            let second = children.get(1).map_or(NEVER, |child| own(child) + own(child) / 4 + 1);
            let limits = (limits.0.min(second), limits.1 - siblings);
            let child = &mut children[0];
            let turned = if child.makers_turn == maker { limits } else { (limits.1, limits.0) };
            child.proof = self.search(&child.lines, child.makers_turn, turned, budget)?;
            tried.add(child);
        };
        self.remember(lines, maker, proof, before - budget.moves);
        Ok(proof)
    }

    /// The moves that may matter, the most promising first; those that are decided are only in
    /// `tried`.
    fn children(&self, lines: &Lines, candidates: Cells, tried: &mut Tried) -> Vec<Child> {
        let worth = lines.potentials(&self.board);
        let mut order: Vec<usize> = bits(candidates).collect();
        order.sort_unstable_by_key(|cell| Reverse(worth[*cell]));
        let mut children = Vec::with_capacity(order.len());
        for cell in order {
            if tried.must >> cell & 1 == 1 {
                let child = self.play(*lines, cell, tried.maker);
                tried.add(&child);
                children.push(child);
            }
            if tried.won.is_some() {
                break;
            }
        }
        children
    }

    /// A move of the maker or the breaker, with the reply to it where there is but one.
    fn play(&self, mut lines: Lines, cell: usize, maker: bool) -> Child {
        let board = &self.board;
        let mut forced = 0;
        if maker {
            lines.make(board, cell);
            forced = lines.wins(board);
        } else {
            lines.block(board, cell);
        }
        let lost = forced.count_ones() > 1;
        let makers_turn = !maker || forced != 0;
        if let Some(reply) = bits(forced).next().filter(|_| !lost) {
            lines.block(board, reply);
        }
        let paired = lines.drop_paired(board);
        let winner = if lost { Some(Winner::Maker(0)) } else { lines.winner(board, makers_turn) };
        let proof = winner.map_or_else(|| self.recall(&lines, makers_turn), Proof::of);
        Child { cell, lines, makers_turn, forced, paired, proof }
    }

    /// What is known of a position, or a guess.
    fn recall(&self, lines: &Lines, makers_turn: bool) -> Proof {
        let (key, symmetry) = lines.key(&self.board);
        let Some(known) = self.known.get(&(key ^ u64::from(makers_turn))) else {
            // With the maker on the move the potential is worth twice as much. The factor
            // and the square made for the fewest positions on 7,6,5 and 7,7,5.
            let full = 1 << self.board.line();
            let potential = u64::from(lines.potential(&self.board)) << u32::from(makers_turn);
            let breaker = 1 + 32 * potential * potential / (full * full);
            return Proof { maker: 1, breaker: breaker as u32, needed: 0 };
        };
        Proof { needed: self.board.image(known.proof.needed, inverse(symmetry)), ..known.proof }
    }

    fn remember(&mut self, lines: &Lines, makers_turn: bool, proof: Proof, work: u32) {
        let mut least = 1;
        while self.known.len() >= MEMORY {
            // What took least to find out is the least loss.
            self.known.retain(|_, known| known.work > least);
            least *= 2;
        }
        let (key, symmetry) = lines.key(&self.board);
        let known = self.known.entry(key ^ u64::from(makers_turn));
        let known = known.or_insert(Known { proof, work: 0 });
        known.proof = Proof { needed: self.board.image(proof.needed, symmetry), ..proof };
        known.work = known.work.saturating_add(work);
    }
}

/// What the decided moves of a position say about it.
struct Tried {
    /// Whose moves they are.
    maker: bool,
    /// Where a move must be: elsewhere the other side wins as it does against one of those tried.
    must: Cells,
    /// The cells that the other side needs against all of them.
    needed: Cells,
    /// The cells that a move needs that wins.
    won: Option<Cells>,
}

impl Tried {
    fn add(&mut self, child: &Child) {
        let proof = child.proof;
        if proof.maker > 0 && proof.breaker > 0 {
            return;
        }
        let breaker_wins = proof.breaker == 0;
        let needed = proof.needed | child.forced | if breaker_wins { child.paired } else { 0 };
        if breaker_wins == self.maker {
            self.must &= needed;
            self.needed |= needed;
        } else {
            self.won = Some(needed | 1 << child.cell);
        }
    }

    /// Who wins, if a move does or none is left.
    fn winner(&self, none_left: bool, left_out: &[(usize, usize)]) -> Option<Winner> {
        if let Some(needed) = self.won {
            return Some(if self.maker { Winner::Maker(needed) } else { Winner::Breaker(needed) });
        }
        if !none_left {
            return None;
        }
        if !self.maker {
            return Some(Winner::Maker(self.needed));
        }
        // A mark on a cell that was left out is answered as one on the better cell would have
        // been, but for the two changing places.
        let matters = left_out.iter().filter(|(cell, _)| self.must >> cell & 1 == 1);
        let better = matters.fold(0, |cells, (_, better)| cells | 1 << better);
        Some(Winner::Breaker(self.needed | better))
    }
}
