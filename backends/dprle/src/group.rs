//! Variables that concatenations connect, solved together: the generalised concat-intersect of figure 2.7.
//!
//! Each concatenation of the group is a product that is cut at its seams; a combination of cuts is a solution
//! when each variable has a word in the cuts of all its occurrences. Combinations are tried one piece after
//! the other, so that one that has failed is not completed.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Probe, Stop};
use backends_automata::is_empty;

use crate::graph::Group;
use crate::machine::{Lang, Machine, Tools};
use crate::product::{End, Product};

/// Languages of all nodes; those that are not of the group are as they were.
pub type Assignment<A> = Vec<Rc<Lang<A>>>;

/// The solutions of a group, one after the other.
pub struct Solutions<A: BooleanAlgebra> {
    products: Vec<Product<A>>,
    /// For each place of a combination: product, piece, node.
    places: Vec<(usize, usize, usize)>,
    languages: Assignment<A>,
    /// What was chosen, as far as the combination goes.
    chosen: Vec<Choice<A>>,
    started: bool,
}

/// A choice for one place of a combination.
struct Choice<A: BooleanAlgebra> {
    /// What may be chosen here, the last one first.
    ends: Vec<End>,
    /// What was chosen.
    end: Option<End>,
    /// The node's language before.
    before: Rc<Lang<A>>,
}

impl<A: BooleanAlgebra> Solutions<A> {
    /// Of a group, given the languages that its nodes have so far.
    pub fn new(
        group: &Group,
        machine: &Machine<A>,
        languages: Assignment<A>,
        tools: &Tools<'_, A>,
    ) -> Result<Self, Stop> {
        let mut products = Vec::with_capacity(group.inclusions.len());
        let mut places = Vec::new();
        for &number in &group.inclusions {
            let inclusion = &machine.inclusions[number];
            let pieces = inclusion.nodes.iter().map(|&node| Rc::clone(&languages[node])).collect();
            let right = Rc::new(inclusion.right.clone());
            let product = Product::new(pieces, &right, tools)?;
            places.extend(
                inclusion.nodes.iter().enumerate().map(|(piece, &node)| (products.len(), piece, node)),
            );
            products.push(product);
        }
        Ok(Self { products, places, languages, chosen: Vec::new(), started: false })
    }

    /// The next solution: languages with at least one word for each node of the group.
    pub fn next(&mut self, tools: &Tools<'_, A>, probe: &Probe) -> Result<Option<Assignment<A>>, Stop> {
        if !std::mem::replace(&mut self.started, true) {
            self.open();
        }
        loop {
            tools.budget.tick()?;
            if !self.step(tools, probe)? {
                self.chosen.pop();
                if self.chosen.is_empty() {
                    return Ok(None);
                }
                continue;
            }
            if self.chosen.len() == self.places.len() {
                return Ok(Some(self.languages.clone()));
            }
            self.open();
        }
    }

    /// Begins to choose for the next place.
    fn open(&mut self) {
        let Some(&(product, piece, node)) = self.places.get(self.chosen.len()) else { return };
        let mut ends = self.products[product].ends(piece);
        ends.reverse();
        self.chosen.push(Choice { ends, end: None, before: Rc::clone(&self.languages[node]) });
    }

    /// The next choice for the last place that leaves its node a word; false when there is none.
    fn step(&mut self, tools: &Tools<'_, A>, probe: &Probe) -> Result<bool, Stop> {
        let depth = self.chosen.len();
        let Some(&(product, piece, node)) = depth.checked_sub(1).and_then(|last| self.places.get(last))
        else {
            return Ok(false);
        };
        // Where this piece begins is where the piece before it ends.
        let from = match (piece, depth.checked_sub(2).and_then(|before| self.chosen[before].end)) {
            (0, _) | (_, None | Some(End::Final)) => self.products[product].start(),
            (_, Some(End::At(state))) => state,
        };
        let before = Rc::clone(&self.chosen[depth - 1].before);
        self.languages[node] = Rc::clone(&before);
        while let Some(end) = self.chosen[depth - 1].ends.pop() {
            probe.count("candidates", 1);
            let Some(slice) = self.products[product].slice(piece, from, end, tools)? else { continue };
            // The product is made of the node's language itself, so of the first slice nothing is taken away.
            let occurs_before = self.places[..depth - 1].iter().any(|&(_, _, other)| other == node);
            let language = if occurs_before { Rc::new(tools.intersection(&before, &slice)?) } else { slice };
            if is_empty(&language, tools.budget)? {
                continue;
            }
            self.languages[node] = language;
            self.chosen[depth - 1].end = Some(end);
            return Ok(true);
        }
        Ok(false)
    }
}
