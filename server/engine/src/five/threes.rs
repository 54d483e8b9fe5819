//! Wins by continuous threats: fours, and threes that would become open fours. The opponent's
//! replies are few, and all of them are tried, so that a win that is found is proven. The search is
//! df-pn (Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002). Threats
//! can be made in any order and then lead to the same positions, which a sum would count again and
//! again: so the numbers of moves that must all be settled are not added. The largest one counts,
//! and one for each other move (Ueda et al., "Weak proof-number search", 2008).

use super::fours::{Effort, Fours};
use super::grid::{Grid, Place, Places, answers, join, places};
use super::shape::Threat;
use crate::board::Side;
use crate::deadline::{Budget, Interrupted};

/// The proof number of what cannot be proven.
const NEVER: u32 = 1 << 30;
/// Entries of the table.
const KNOWN: usize = 1 << 16;
/// The longest win, in moves of both sides.
const LONGEST: usize = 60;
/// The fours that are tried in each position.
const FOURS: Effort = Effort { longest: 10, fours: 32, plain: false };
/// The moves of an attack.
const ATTACK: [Threat; 6] = [
    Threat::FourAndThree,
    Threat::TwoThrees,
    Threat::BetterThree,
    Threat::BetterFour,
    Threat::Three,
    Threat::Four,
];

/// How much is left to prove that the attacker wins, and that he does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ProofNumbers {
    win: u32,
    fail: u32,
}

const WON: ProofNumbers = ProofNumbers { win: 0, fail: NEVER };
const FAILED: ProofNumbers = ProofNumbers { win: NEVER, fail: 0 };

/// The first numbers of a position that the search has not seen. A double threat makes a win likelier.
const PROMISING: ProofNumbers = ProofNumbers { win: 1, fail: 1 };
const UNKNOWN: ProofNumbers = ProofNumbers { win: 3, fail: 1 };

/// The search for such a win of one side.
pub(super) struct Threes<'a, 'b> {
    attacker: Side,
    fours: &'a mut Fours,
    budget: &'a mut Budget<'b>,
    known: Vec<(u64, ProofNumbers)>,
}

/// The first move of a win of the side to move, if one is found within the budget.
pub(super) fn win_by_threes(
    grid: &mut Grid,
    fours: &mut Fours,
    budget: &mut Budget<'_>,
) -> Option<Place> {
    let attacker = grid.to_move;
    let known = vec![(0, FAILED); KNOWN];
    let mut search = Threes { attacker, fours, budget, known };
    let proof = search.prove(grid, (NEVER, NEVER), 0).ok()?;
    if proof != WON {
        return None;
    }
    if let Some((place, _)) = search.fours.search(grid, FOURS) {
        return Some(place);
    }
    let moves = search.moves(grid)?;
    moves.into_iter().find(|place| search.after(grid, *place) == WON)
}

impl Threes<'_, '_> {
    /// Searches until a number reaches its limit: that of the side to move comes first.
    fn prove(
        &mut self,
        grid: &mut Grid,
        limits: (u32, u32),
        ply: usize,
    ) -> Result<ProofNumbers, Interrupted> {
        self.budget.spend().ok_or(Interrupted)?;
        let Some(moves) = self.moves(grid).filter(|moves| !moves.is_empty() && ply < LONGEST)
        else {
            self.keep(grid, FAILED);
            return Ok(FAILED);
        };
        let attacks = grid.to_move == self.attacker;
        let mut children: Vec<(Place, ProofNumbers)> =
            moves.into_iter().map(|place| (place, self.after(grid, place))).collect();
        let own = |proof: &ProofNumbers| if attacks { proof.win } else { proof.fail };
        let other = |proof: &ProofNumbers| if attacks { proof.fail } else { proof.win };
        loop {
            children.sort_by_key(|(_, proof)| own(proof));
            let best = own(&children[0].1);
            let most = children.iter().map(|(_, proof)| other(proof)).max().unwrap_or_default();
            let unsettled = children.iter().filter(|(_, proof)| other(proof) > 0).count() as u32;
            let others = unsettled.saturating_sub(1);
            let all = if best == 0 { NEVER } else { most.saturating_add(others).min(NEVER) };
            if best >= limits.0 || all >= limits.1 || best == 0 || all == 0 {
                let (win, fail) = if attacks { (best, all) } else { (all, best) };
                let proof = ProofNumbers { win, fail };
                self.keep(grid, proof);
                return Ok(proof);
            }
            let second = children.get(1).map_or(NEVER, |(_, proof)| own(proof));
            let for_own = limits.0.min(second.saturating_add(1 + second / 4));
            let for_other = limits.1 - others;
            let place = children[0].0;
            grid.put(place);
            let proof = self.prove(grid, (for_other, for_own), ply + 1);
            grid.take_back();
            children[0].1 = proof?;
        }
    }

    /// The proof numbers of the position after a move.
    fn after(&mut self, grid: &mut Grid, place: Place) -> ProofNumbers {
        grid.put(place);
        let proof = self.at_once(grid).unwrap_or_else(|| {
            let entry = self.known[index(grid)];
            let is_known = entry.0 == grid.key_to_move();
            if is_known { entry.1 } else { self.guess(grid) }
        });
        grid.take_back();
        proof
    }

    fn guess(&self, grid: &Grid) -> ProofNumbers {
        let doubles = [Threat::FourAndThree, Threat::TwoThrees];
        let has_double = doubles.iter().any(|threat| grid.count(self.attacker, *threat) > 0);
        if grid.to_move == self.attacker && !has_double { UNKNOWN } else { PROMISING }
    }

    /// The proof, where it shows without a search of threes.
    fn at_once(&mut self, grid: &mut Grid) -> Option<ProofNumbers> {
        let attacker = self.attacker;
        let defender = 1 - attacker;
        if grid.to_move == defender {
            let fives = grid.count(attacker, Threat::Five);
            return match () {
                () if grid.count(defender, Threat::Five) > 0 => Some(FAILED),
                () if fives > 1 => Some(WON),
                () if fives == 1 => None,
                () if grid.count(attacker, Threat::TwoFours) == 0 => Some(FAILED),
                () if grid.count(defender, Threat::TwoFours) > 0 => Some(FAILED),
                () => None,
            };
        }
        if grid.count(attacker, Threat::Five) == 0 && grid.count(defender, Threat::Five) > 1 {
            return Some(FAILED);
        }
        self.fours.search(grid, FOURS).map(|_| WON)
    }

    /// The moves to try; `None` where the attack is over.
    fn moves(&self, grid: &Grid) -> Option<Vec<Place>> {
        let side = grid.to_move;
        if let Some(must) = grid.five(1 - side) {
            return Some(vec![must]);
        }
        let mut set = Places::default();
        if side == self.attacker {
            for threat in ATTACK {
                join(&mut set, grid.with(side, threat));
            }
            if grid.count(1 - side, Threat::TwoFours) > 0 {
                let answers = answers(grid);
                set.iter_mut().zip(&answers).for_each(|(row, answers)| *row &= answers);
            }
        } else if grid.count(1 - side, Threat::TwoFours) > 0 {
            set = answers(grid);
            if set.iter().all(|row| *row == 0) {
                // Nothing stops the threats: any move shows it.
                return places(&grid.empty).next().map(|place| vec![place]);
            }
        } else {
            return None;
        }
        Some(places(&set).collect())
    }

    fn keep(&mut self, grid: &Grid, proof: ProofNumbers) {
        self.known[index(grid)] = (grid.key_to_move(), proof);
    }
}

fn index(grid: &Grid) -> usize {
    grid.key_to_move() as usize >> 1 & (KNOWN - 1)
}
