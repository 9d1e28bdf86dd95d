//! The Boolean structure of a problem: a graph of connectives over atoms.
//!
//! Invariants: the arguments of a node stand before it; equal nodes are one; a constant is an argument of no
//! node; no conjunction has the same argument twice, or one and its opposite. Only conjunction, choice and
//! equivalence are nodes: a disjunction is a negated conjunction of negations.
//!
//! [`Skeleton::implicant`] reads from a whole assignment the literals that make some formulas hold.

use rustc_hash::FxHashMap;

/// A node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula {
    /// The place of the node.
    pub node: usize,
    /// Whether it is the node itself.
    pub positive: bool,
}

impl std::ops::Not for Formula {
    type Output = Self;

    fn not(self) -> Self {
        Self { positive: !self.positive, ..self }
    }
}

impl Formula {
    /// What always holds.
    pub const TRUE: Self = Self { node: 0, positive: true };
    /// What never holds.
    pub const FALSE: Self = Self { node: 0, positive: false };

    /// [`Self::TRUE`] or [`Self::FALSE`].
    pub const fn of(truth: bool) -> Self {
        if truth { Self::TRUE } else { Self::FALSE }
    }

    /// Its truth, if it is a constant.
    pub const fn truth(self) -> Option<bool> {
        if self.node == 0 { Some(self.positive) } else { None }
    }
}

/// An atom with its truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The place of the atom.
    pub atom: usize,
    /// Whether it holds.
    pub positive: bool,
}

/// A connective with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The constant, the first node.
    True,
    /// The atom at a place.
    Atom(usize),
    /// All of two or more.
    And(Box<[Formula]>),
    /// The second where the first holds, else the third.
    Choice(Formula, Formula, Formula),
    /// Both or neither.
    Same(Formula, Formula),
}

/// Connectives over atoms.
#[derive(Clone, Debug)]
pub struct Skeleton {
    nodes: Vec<Node>,
    places: FxHashMap<Node, usize>,
    /// The node of each atom.
    atoms: Vec<usize>,
}

impl Default for Skeleton {
    fn default() -> Self {
        Self { nodes: vec![Node::True], places: [(Node::True, 0)].into_iter().collect(), atoms: Vec::new() }
    }
}

impl Skeleton {
    /// All nodes, arguments first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn add(&mut self, node: Node) -> Formula {
        let place = *self.places.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            self.nodes.len() - 1
        });
        Formula { node: place, positive: true }
    }

    /// A new atom.
    pub fn atom(&mut self) -> (usize, Formula) {
        let atom = self.atoms.len();
        let formula = self.add(Node::Atom(atom));
        self.atoms.push(formula.node);
        (atom, formula)
    }

    /// The node of an atom.
    pub fn place(&self, atom: usize) -> usize {
        self.atoms[atom]
    }

    /// The conjunction.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all: Vec<Formula> = Vec::new();
        for part in parts {
            match (part.truth(), &self.nodes[part.node]) {
                (Some(true), _) => {}
                (Some(false), _) => return Formula::FALSE,
                (None, Node::And(inner)) if part.positive => all.extend(inner),
                (None, Node::True | Node::Atom(_) | Node::And(_) | Node::Choice(..) | Node::Same(..)) => {
                    all.push(part);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        // Opposites are neighbours.
        if all.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Formula::FALSE;
        }
        match *all {
            [] => Formula::TRUE,
            [only] => only,
            _ => self.add(Node::And(all.into())),
        }
    }

    /// The disjunction.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        !self.and(parts.into_iter().map(|part| !part))
    }

    /// Both or neither.
    pub fn same(&mut self, a: Formula, b: Formula) -> Formula {
        match (a.truth(), b.truth()) {
            (Some(truth), _) => return if truth { b } else { !b },
            (_, Some(truth)) => return if truth { a } else { !a },
            (None, None) if a.node == b.node => return Formula::of(a == b),
            (None, None) => {}
        }
        let plain = |formula: Formula| Formula { positive: true, ..formula };
        let (low, high) = (plain(a).min(plain(b)), plain(a).max(plain(b)));
        let same = self.add(Node::Same(low, high));
        if a.positive == b.positive { same } else { !same }
    }

    /// `yes` where the condition holds, else `no`.
    pub fn choice(&mut self, condition: Formula, yes: Formula, no: Formula) -> Formula {
        let (condition, yes, no) =
            if condition.positive { (condition, yes, no) } else { (!condition, no, yes) };
        match (condition.truth(), yes.truth(), no.truth()) {
            (Some(_), ..) => return yes,
            _ if yes == no => return yes,
            _ if yes == !no => return self.same(condition, yes),
            (None, Some(true), _) => return self.or([condition, no]),
            (None, Some(false), _) => return self.and([!condition, no]),
            (None, None, Some(true)) => return self.or([!condition, yes]),
            (None, None, Some(false)) => return self.and([condition, yes]),
            (None, None, None) => {}
        }
        self.add(Node::Choice(condition, yes, no))
    }

    /// The truth of every node, as far as that of the atoms decides it. Linear.
    pub fn evaluate(&self, atom: impl Fn(usize) -> Option<bool>) -> Vec<Option<bool>> {
        let mut values: Vec<Option<bool>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |formula: Formula| values[formula.node].map(|truth| truth == formula.positive);
            let value = match node {
                Node::True => Some(true),
                Node::Atom(place) => atom(*place),
                Node::And(parts) if parts.iter().any(|&part| of(part) == Some(false)) => Some(false),
                Node::And(parts) => parts.iter().all(|&part| of(part).is_some()).then_some(true),
                Node::Choice(condition, yes, no) => match of(*condition) {
                    Some(truth) => of(if truth { *yes } else { *no }),
                    None => of(*yes).filter(|_| of(*yes) == of(*no)),
                },
                Node::Same(a, b) => of(*a).zip(of(*b)).map(|(a, b)| a == b),
            };
            values.push(value);
        }
        values
    }

    /// Literals of a whole assignment, under which `roots` hold, that make them hold whatever the other atoms
    /// are; few of those that cost something. Linear.
    pub fn implicant(
        &self,
        roots: &[Formula],
        values: &[Option<bool>],
        cost: impl Fn(usize) -> u32,
    ) -> Vec<Literal> {
        let costs = self.costs(values, cost);
        let holds = |formula: Formula| values[formula.node] == Some(formula.positive);
        let mut wanted = vec![false; self.nodes.len()];
        let mut literals = Vec::new();
        let mut todo: Vec<usize> = roots.iter().rev().map(|root| root.node).collect();
        while let Some(place) = todo.pop() {
            if std::mem::replace(&mut wanted[place], true) {
                continue;
            }
            match &self.nodes[place] {
                Node::True => {}
                Node::Atom(atom) => {
                    literals.push(Literal { atom: *atom, positive: values[place] == Some(true) });
                }
                Node::And(parts) if values[place] == Some(true) => {
                    todo.extend(parts.iter().map(|part| part.node));
                }
                Node::And(parts) => {
                    let false_ones = parts.iter().filter(|part| !holds(**part));
                    let best = false_ones.min_by_key(|part| (!wanted[part.node], costs[part.node]));
                    todo.extend(best.map(|part| part.node));
                }
                Node::Choice(condition, yes, no) => {
                    let branch = if holds(*condition) { yes } else { no };
                    let by_condition = costs[condition.node].saturating_add(costs[branch.node]);
                    let agree = holds(*yes) == holds(*no);
                    let by_both = costs[yes.node].saturating_add(costs[no.node]);
                    if agree && by_both < by_condition {
                        todo.extend([yes.node, no.node]);
                    } else {
                        todo.extend([condition.node, branch.node]);
                    }
                }
                Node::Same(a, b) => todo.extend([a.node, b.node]),
            }
        }
        literals
    }

    /// What it costs, at least and no more than is counted twice, to make each node what it is.
    fn costs(&self, values: &[Option<bool>], cost: impl Fn(usize) -> u32) -> Vec<u32> {
        let holds = |formula: Formula| values[formula.node] == Some(formula.positive);
        let mut costs: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for (place, node) in self.nodes.iter().enumerate() {
            let of = |formula: &Formula| costs[formula.node];
            let sum = |all: &[Formula]| all.iter().map(of).fold(0, u32::saturating_add);
            costs.push(match node {
                Node::True => 0,
                Node::Atom(atom) => cost(*atom),
                Node::And(parts) if values[place] == Some(true) => sum(parts),
                Node::And(parts) => {
                    parts.iter().filter(|part| !holds(**part)).map(of).min().unwrap_or(u32::MAX)
                }
                Node::Choice(condition, yes, no) => {
                    let branch = if holds(*condition) { *yes } else { *no };
                    let by_condition = sum(&[*condition, branch]);
                    if holds(*yes) == holds(*no) { by_condition.min(sum(&[*yes, *no])) } else { by_condition }
                }
                Node::Same(a, b) => sum(&[*a, *b]),
            });
        }
        costs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A formula over atoms, by a small language of numbers.
    fn draw(
        skeleton: &mut Skeleton,
        atoms: &[Formula],
        next: &mut impl FnMut(usize) -> usize,
        depth: usize,
    ) -> Formula {
        if depth == 0 {
            let atom = atoms[next(atoms.len())];
            return if next(2) == 0 { atom } else { !atom };
        }
        let part = |next: &mut _, skeleton: &mut _| draw(skeleton, atoms, next, depth - 1);
        let (a, b, c) = (part(next, skeleton), part(next, skeleton), part(next, skeleton));
        match next(5) {
            0 => skeleton.and([a, b, c]),
            1 => skeleton.or([a, b, c]),
            2 => skeleton.same(a, b),
            3 => skeleton.choice(a, b, c),
            _ => !skeleton.and([a, b]),
        }
    }

    #[test]
    fn an_implicant_is_enough() {
        let mut number = 12_345_usize;
        let mut next = |below: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) % below
        };
        let (mut checked, mut smaller) = (0, 0);
        for _ in 0..300 {
            let mut skeleton = Skeleton::default();
            let atoms: Vec<Formula> = (0..6).map(|_| skeleton.atom().1).collect();
            let root = draw(&mut skeleton, &atoms, &mut next, 3);
            for assignment in 0..64_u32 {
                let values = skeleton.evaluate(|atom| Some(assignment >> atom & 1 == 1));
                if values[root.node] != Some(root.positive) {
                    continue;
                }
                let literals = skeleton.implicant(&[root], &values, |_| 1);
                let known = |atom| literals.iter().find(|l| l.atom == atom).map(|l| l.positive);
                let again = skeleton.evaluate(known);
                assert_eq!(again[root.node], Some(root.positive), "{skeleton:?} {assignment} {literals:?}");
                checked += 1;
                smaller += u32::from(literals.len() < 6);
            }
        }
        assert!(checked > 1000 && smaller > 500, "{checked} {smaller}");
    }

    #[test]
    fn constants_and_opposites_vanish() {
        let mut skeleton = Skeleton::default();
        let (a, b) = (skeleton.atom().1, skeleton.atom().1);
        assert_eq!(skeleton.and([a, !a]), Formula::FALSE);
        assert_eq!(skeleton.or([a, b, !b]), Formula::TRUE);
        assert_eq!(skeleton.and([a, Formula::TRUE, a]), a);
        assert_eq!(skeleton.same(a, Formula::FALSE), !a);
        assert_eq!(skeleton.same(a, !b), !skeleton.same(b, a));
        assert_eq!(skeleton.choice(a, b, !b), skeleton.same(a, b));
        assert_eq!(skeleton.choice(!a, b, Formula::TRUE), skeleton.or([a, b]));
        let both = skeleton.and([a, b]);
        let c = skeleton.atom().1;
        assert_eq!(skeleton.and([both, c]), skeleton.and([a, b, c]));
    }
}
