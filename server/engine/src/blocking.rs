//! Proofs that a side cannot win, because the other side can block every line: by pairs of cells
//! ([`pairing`]), or by a search of the maker-breaker game ([`BlockingSearch`]).
//!
//! In the maker-breaker game one side, the maker, wants a line; the other side, the breaker, only
//! blocks, and its own lines do not count. It is far quicker to search than the game itself: many
//! marks make no difference, and the winner of most positions shows without a search.
//!
//! The search is by proof numbers, depth first (df-pn: Nagai, "Df-pn algorithm for searching
//! AND/OR trees", 2002). A win needs only some cells. A reply on any other cell changes nothing and
//! is not tried.

mod open_lines;
pub(crate) mod pairing;

use std::cmp::Reverse;
use std::collections::HashMap;

use open_lines::{BoardLines, CellSet, OpenLines, Winner};

use crate::bits::bits;
use crate::board::{Geometry, inverse};
use crate::deadline::{Budget, Interrupted};

/// The most positions that are stored, about 130 MiB. A search of a second meets some ten
/// thousand.
const MAX_STORED: usize = 3_600_000;
/// The proof number of a side that cannot win.
const NEVER: u32 = 1 << 30;

#[derive(Debug, Clone, Copy)]
struct StoredProof {
    proof: Proof,
    /// The positions that were searched for it.
    work: u32,
}

/// How far a position is from a proof for each side: its proof numbers.
#[derive(Debug, Clone, Copy)]
struct Proof {
    /// About how many positions must still be proven for a win of the maker; 0 where it wins.
    maker: u32,
    /// The same for a win of the breaker.
    breaker: u32,
    /// Where a side wins: the cells that its win needs.
    needed: CellSet,
}

/// A move and the position after it.
#[derive(Debug, Clone, Copy)]
struct Child {
    cell: usize,
    lines: OpenLines,
    makers_turn: bool,
    /// The breaker's forced reply. A win of either side needs it.
    forced: CellSet,
    /// The pairs that were dropped. A win of the breaker needs them.
    paired: CellSet,
    proof: Proof,
}

/// A search of the maker-breaker game on one board. It keeps its proofs from call to call.
#[derive(Debug)]
pub(crate) struct BlockingSearch {
    board: BoardLines,
    proofs: HashMap<u64, StoredProof>,
}

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

impl BlockingSearch {
    /// `None` for a board of more than 64 cells, which is too large for this search.
    pub(crate) fn new(geometry: &Geometry) -> Option<Self> {
        Some(Self { board: BoardLines::new(geometry)?, proofs: HashMap::new() })
    }

    /// Whether the breaker blocks every line of the maker, in a position without a full line.
    /// `None` if the budget is spent before it is known.
    pub(crate) fn breaker_wins(
        &mut self,
        maker: CellSet,
        breaker: CellSet,
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
                return self.breaker_wins(maker, breaker | 1 << forced, true, budget);
            }
        }
        lines.drop_paired(&self.board);
        let proof = match lines.winner(&self.board, makers_turn) {
            Some(winner) => Proof::of(winner),
            None => self.search(&lines, makers_turn, (NEVER, NEVER), budget).ok()?,
        };
        Some(proof.breaker == 0)
    }

    /// Searches until a proof number reaches its limit. The limit of the side to move comes first.
    fn search(
        &mut self,
        lines: &OpenLines,
        maker: bool,
        limits: (u32, u32),
        budget: &mut Budget<'_>,
    ) -> Result<Proof, Interrupted> {
        let before = budget.spent();
        budget.spend().ok_or(Interrupted)?;
        let (candidates, left_out) = lines.candidates(&self.board);
        let mut decided = DecidedMoves { maker, must_play: lines.free(), needed: 0, won: None };
        let mut children = self.children(lines, candidates, &mut decided);
        let proof = loop {
            children.retain(|child| decided.must_play >> child.cell & 1 == 1);
            if let Some(winner) = decided.winner(children.is_empty(), &left_out) {
                break Proof::of(winner);
            }
            let own = |child: &Child| child.proof.seen_by(maker).0;
            children.sort_by_key(own);
            let others = children.iter().map(|child| child.proof.seen_by(maker).1);
            let siblings = children.len() as u32 - 1;
            // Not the sum: children often need the same proofs.
            let other = (others.max().unwrap_or(0) + siblings).min(NEVER - 1);
            if own(&children[0]) >= limits.0 || other >= limits.1 {
                break Proof::new((own(&children[0]), other), maker);
            }
            // A quarter more than the second best, so that the search does not switch all the time.
            let second = children.get(1).map_or(NEVER, |child| own(child) + own(child) / 4 + 1);
            let limits = (limits.0.min(second), limits.1 - siblings);
            let child = &mut children[0];
            let turned = if child.makers_turn == maker { limits } else { (limits.1, limits.0) };
            child.proof = self.search(&child.lines, child.makers_turn, turned, budget)?;
            decided.add(child);
        };
        let price = u32::try_from(budget.spent() - before).unwrap_or(u32::MAX);
        self.store(lines, maker, proof, price);
        Ok(proof)
    }

    /// The undecided moves, those with the highest potential first. Decided moves go to `decided`.
    fn children(
        &self,
        lines: &OpenLines,
        candidates: CellSet,
        decided: &mut DecidedMoves,
    ) -> Vec<Child> {
        let potentials = lines.potentials(&self.board);
        let mut order: Vec<usize> = bits(candidates).collect();
        order.sort_unstable_by_key(|cell| Reverse(potentials[*cell]));
        let mut children = Vec::with_capacity(order.len());
        for cell in order {
            if decided.must_play >> cell & 1 == 1 {
                let child = self.play(*lines, cell, decided.maker);
                decided.add(&child);
                children.push(child);
            }
            if decided.won.is_some() {
                break;
            }
        }
        children
    }

    /// A move of the maker or the breaker, with the reply to it where that is forced.
    fn play(&self, mut lines: OpenLines, cell: usize, maker: bool) -> Child {
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
        let proof = winner.map_or_else(|| self.stored_proof(&lines, makers_turn), Proof::of);
        Child { cell, lines, makers_turn, forced, paired, proof }
    }

    /// The stored proof of a position, or a guess of its proof numbers.
    fn stored_proof(&self, lines: &OpenLines, makers_turn: bool) -> Proof {
        let (key, symmetry) = lines.key(&self.board);
        let Some(known) = self.proofs.get(&(key ^ u64::from(makers_turn))) else {
            // With the maker to move the potential counts twice. This factor and the square led to
            // the fewest positions on 7,6,5 and 7,7,5.
            let full = 1 << self.board.line();
            let potential = u64::from(lines.potential(&self.board)) << u32::from(makers_turn);
            let breaker = 1 + 32 * potential * potential / (full * full);
            return Proof { maker: 1, breaker: breaker as u32, needed: 0 };
        };
        Proof { needed: self.board.image(known.proof.needed, inverse(symmetry)), ..known.proof }
    }

    fn store(&mut self, lines: &OpenLines, makers_turn: bool, proof: Proof, work: u32) {
        let mut least = 1;
        while self.proofs.len() >= MAX_STORED {
            // The proofs that took the least work are the least loss.
            self.proofs.retain(|_, known| known.work > least);
            least *= 2;
        }
        let (key, symmetry) = lines.key(&self.board);
        let known = self.proofs.entry(key ^ u64::from(makers_turn));
        let known = known.or_insert(StoredProof { proof, work: 0 });
        known.proof = Proof { needed: self.board.image(proof.needed, symmetry), ..proof };
        known.work = known.work.saturating_add(work);
    }
}

/// The decided moves of a position, and what they say about it.
struct DecidedMoves {
    /// Whether the maker is to move.
    maker: bool,
    /// The must-play region: against a move elsewhere the other side wins as against one of the
    /// decided moves.
    must_play: CellSet,
    /// The cells that the other side needs against all decided moves.
    needed: CellSet,
    /// The cells that a winning move needs, where there is one.
    won: Option<CellSet>,
}

impl DecidedMoves {
    fn add(&mut self, child: &Child) {
        let proof = child.proof;
        if proof.maker > 0 && proof.breaker > 0 {
            return;
        }
        let breaker_wins = proof.breaker == 0;
        let needed = proof.needed | child.forced | if breaker_wins { child.paired } else { 0 };
        if breaker_wins == self.maker {
            self.must_play &= needed;
            self.needed |= needed;
        } else {
            self.won = Some(needed | 1 << child.cell);
        }
    }

    /// The winner, if a move wins or no move is left.
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
        // The answer to a mark on a cell that was left out is the answer to one on the better cell,
        // with the two cells exchanged.
        let matters = left_out.iter().filter(|(cell, _)| self.must_play >> cell & 1 == 1);
        let better = matters.fold(0, |cells, (_, better)| cells | 1 << better);
        Some(Winner::Breaker(self.needed | better))
    }
}

#[cfg(test)]
mod tests;
