//! The difference of two automata: the words of the left language that are not in the right one.
//!
//! A state is a position p of the left automaton and a set S of positions of the right one, all that the same
//! word leads to. Depth first takes a short cut: where p is nearer to acceptance than any position of S, a
//! shortest word from p is a witness, and no search is needed any more. That includes the empty S.
//!
//! With antichains (De Wulf, Doyen, Henzinger and Raskin, CAV 2006) a state (p, S) is not gone on from when
//! (p, T) with T inside of S was visited: whatever word proves (p, S) proves (p, T) too.

use backends_api::{Budget, Stop};
use rustc_hash::FxHashSet;

use crate::automaton::{Automaton, NEVER};
use crate::pairs::Pair;
use crate::search::{Effort, Graph, Order, Step, search};
use crate::subset::{Meets, SubsetAutomaton};

/// Whether `left` has a word that `right` has not: its classes, if so.
pub fn difference(
    left: &Automaton,
    right: &mut SubsetAutomaton<'_>,
    order: Order,
    antichain: bool,
    budget: &Budget,
    effort: &mut Effort,
) -> Result<Option<Vec<u32>>, Stop> {
    if left.shortest(0) == NEVER {
        effort.states += 1;
        return Ok(None);
    }
    let meets = right.meet(&left.labels);
    let antichains = antichain.then(|| Antichains::new(left.states()));
    let sizes = (left.states(), right.states());
    let mut graph = Difference { left, right, meets, antichains, budget };
    search(&mut graph, order, sizes, budget, effort)
}

struct Difference<'a, 'b> {
    left: &'a Automaton,
    right: &'a mut SubsetAutomaton<'b>,
    meets: Meets,
    antichains: Option<Antichains>,
    budget: &'a Budget,
}

struct Antichains {
    /// For each left state, visited right states and their depths. One is inside of another only if it is
    /// deeper.
    smallest: Vec<Vec<(u32, u32)>>,
    /// What was visited and is needless by now.
    outdated: FxHashSet<Pair>,
}

impl Antichains {
    fn new(left_states: u32) -> Self {
        Self { smallest: vec![Vec::new(); left_states as usize], outdated: FxHashSet::default() }
    }
}

impl Graph for Difference<'_, '_> {
    /// Places of the left target and of a class that its label meets; the second is `NEVER` before the first
    /// class.
    type Cursor = (u32, u32);

    fn initial(&self) -> Pair {
        Pair { left: 0, right: SubsetAutomaton::INITIAL }
    }

    fn cursor(&self, pair: Pair) -> (u32, u32) {
        (self.left.row(pair.left).0, NEVER)
    }

    #[inline]
    fn next(&mut self, pair: Pair, (i, k): &mut (u32, u32)) -> Result<Option<Step>, Stop> {
        let (_, left_end) = self.left.row(pair.left);
        while *i < left_end {
            let p = self.left.target(*i);
            if self.left.shortest(p) != NEVER {
                let (start, end) = self.meets.row(self.left.label(p));
                if *k == NEVER {
                    *k = start;
                }
                if *k < end {
                    let (local, class) = self.meets.at(*k);
                    *k += 1;
                    let right = self.right.step(pair.right, local, self.budget)?;
                    return Ok(Some(Step { pair: Pair { left: p, right }, class }));
                }
            }
            self.budget.tick()?;
            *i += 1;
            *k = NEVER;
        }
        Ok(None)
    }

    #[inline]
    fn is_accepting(&self, pair: Pair) -> bool {
        self.left.is_accepting(pair.left) && !self.right.is_accepting(pair.right)
    }

    #[inline]
    fn short_cut(&self, pair: Pair, classes: &mut Vec<u32>) -> bool {
        let nearer = self.left.shortest(pair.left) < self.right.shortest(pair.right);
        if nearer {
            self.left.finish(pair.left, classes);
        }
        nearer
    }

    #[inline]
    fn is_subsumed(&mut self, pair: Pair, depth: u32) -> Result<bool, Stop> {
        let Some(Antichains { smallest, outdated }) = &mut self.antichains else { return Ok(false) };
        let visited = &mut smallest[pair.left as usize];
        let right = &*self.right;
        let new = right.members(pair.right);
        for &(old, _) in visited.iter() {
            self.budget.tick()?;
            if is_inside(right.members(old), new) {
                return Ok(true);
            }
        }
        visited.retain(|&(old, old_depth)| {
            let is_needless = old_depth >= depth && is_inside(new, right.members(old));
            if is_needless {
                outdated.insert(Pair { left: pair.left, right: old });
            }
            !is_needless
        });
        visited.push((pair.right, depth));
        Ok(false)
    }

    #[inline]
    fn is_outdated(&self, pair: Pair) -> bool {
        self.antichains.as_ref().is_some_and(|a| a.outdated.contains(&pair))
    }
}

/// Whether every element of `a` is in `b`; both ascend.
fn is_inside(a: &[u32], b: &[u32]) -> bool {
    if a.len() > b.len() {
        return false;
    }
    let mut rest = b.iter();
    a.iter().all(|x| rest.by_ref().find(|y| *y >= x) == Some(x))
}

#[cfg(test)]
mod tests {
    use super::is_inside;

    #[test]
    fn inside() {
        assert!(is_inside(&[], &[]) && is_inside(&[], &[1]) && is_inside(&[2, 5], &[1, 2, 3, 5]));
        assert!(!is_inside(&[4], &[1, 2, 5]) && !is_inside(&[1, 1], &[1]) && !is_inside(&[6], &[1, 5]));
    }
}
