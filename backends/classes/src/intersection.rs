//! The intersection of two position automata, by their product: the words in both languages.
//!
//! A state is a pair of positions that one word leads to. A pair is left out where its two sides cannot end
//! together: the lengths that still lead to acceptance on the left, from `shortest` to `longest`, have none
//! in common with those on the right. That finds dead ends at once instead of at the end of a long chain.

use backends_api::{Budget, Stop};

use crate::automaton::{Automaton, NEVER};
use crate::pairs::Pair;
use crate::search::{Effort, Graph, Order, Step, search};

/// Whether `left` and `right` share a word: its classes, if so.
pub fn intersection(
    left: &Automaton,
    right: &Automaton,
    order: Order,
    budget: &Budget,
    effort: &mut Effort,
) -> Result<Option<Vec<u32>>, Stop> {
    let mut graph = Product { left, right, budget };
    if !graph.may_end_together(0, 0) {
        effort.states += 1;
        return Ok(None);
    }
    search(&mut graph, order, (left.states(), right.states()), budget, effort)
}

struct Product<'a> {
    left: &'a Automaton,
    right: &'a Automaton,
    budget: &'a Budget,
}

impl Product<'_> {
    #[inline]
    fn may_end_together(&self, p: u32, q: u32) -> bool {
        let shortest = self.left.shortest(p).max(self.right.shortest(q));
        shortest != NEVER && shortest <= self.left.longest(p).min(self.right.longest(q))
    }
}

impl Graph for Product<'_> {
    /// Places of the left and of the right target.
    type Cursor = (u32, u32);

    fn initial(&self) -> Pair {
        Pair { left: 0, right: 0 }
    }

    fn cursor(&self, pair: Pair) -> (u32, u32) {
        (self.left.row(pair.left).0, self.right.row(pair.right).0)
    }

    #[inline]
    fn next(&mut self, pair: Pair, (i, j): &mut (u32, u32)) -> Result<Option<Step>, Stop> {
        let (_, left_end) = self.left.row(pair.left);
        let (right_start, right_end) = self.right.row(pair.right);
        while *i < left_end {
            let p = self.left.target(*i);
            let label = self.left.label(p);
            while *j < right_end {
                let q = self.right.target(*j);
                *j += 1;
                let common = self.left.labels.common(label, &self.right.labels, self.right.label(q));
                if let Some(class) = common
                    && self.may_end_together(p, q)
                {
                    return Ok(Some(Step { pair: Pair { left: p, right: q }, class }));
                }
            }
            self.budget.tick()?;
            *i += 1;
            *j = right_start;
        }
        Ok(None)
    }

    #[inline]
    fn is_accepting(&self, pair: Pair) -> bool {
        self.left.is_accepting(pair.left) && self.right.is_accepting(pair.right)
    }

    #[inline]
    fn short_cut(&self, pair: Pair, _classes: &mut Vec<u32>) -> bool {
        self.is_accepting(pair)
    }

    #[inline]
    fn is_subsumed(&mut self, _pair: Pair, _depth: u32) -> Result<bool, Stop> {
        Ok(false)
    }

    #[inline]
    fn is_outdated(&self, _pair: Pair) -> bool {
        false
    }
}
