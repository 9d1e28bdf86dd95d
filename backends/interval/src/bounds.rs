//! What is known of each integer vertex: a least and a greatest value.
//!
//! The paper narrows automata by lengths "only when n is constant" (section 4); here *constant* is what a
//! bound on one vertex says, and formulas carry bounds from one vertex to the next: each atom in turn bounds
//! each of its vertices by the others. An alternative of a disjunction is used once all others are refuted.
//! Sound: a value that some solution has is never cut off.
//!
//! Invariant: bounds only get closer. A vertex whose bounds cross has no value, and the graph no solution.

use backends_api::{Budget, Stop};
use backends_graph::{Comparison, IntFormula, IntKind, IntVertex, StringGraph, Sum};

/// No bound is kept beyond this; the difference to 64 bits leaves room for sums.
const FAR: i64 = 1 << 60;

/// Least and greatest value, where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Interval {
    /// Nothing below.
    pub low: Option<i64>,
    /// Nothing above.
    pub high: Option<i64>,
}

impl Interval {
    /// Every number.
    pub const ALL: Self = Self { low: None, high: None };

    /// One number.
    pub const fn one(value: i64) -> Self {
        Self { low: Some(value), high: Some(value) }
    }

    /// Whether no number is inside.
    pub fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }

    /// The only number inside.
    pub fn only(self) -> Option<i64> {
        self.low.filter(|_| self.low == self.high)
    }

    /// Whether all numbers inside are at least `value`.
    pub fn at_least(self, value: i64) -> bool {
        self.low.is_some_and(|low| low >= value)
    }

    /// Whether all numbers inside are at most `value`.
    pub fn at_most(self, value: i64) -> bool {
        self.high.is_some_and(|high| high <= value)
    }

    /// Whether the number may be inside.
    pub fn has(self, value: i64) -> bool {
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }
}

/// The intervals of all integer vertices of one graph.
#[derive(Clone, Debug)]
pub struct Bounds {
    intervals: Vec<Interval>,
    /// A vertex has no value left.
    pub conflict: bool,
    /// How often a bound got closer.
    pub changes: u64,
    /// The vertices whose bounds the present formula or rule brought closer.
    touched: Vec<IntVertex>,
}

impl Bounds {
    /// Constants have their number, lengths are not negative, truth values 0 or 1.
    pub fn new(graph: &StringGraph) -> Self {
        let mut this = Self {
            intervals: vec![Interval::ALL; graph.ints().len()],
            conflict: false,
            changes: 0,
            touched: Vec::new(),
        };
        for vertex in graph.int_vertices() {
            this.intervals[vertex.index()] = match graph.int(vertex) {
                IntKind::Constant(number) => {
                    match number.small().filter(|n| n.unsigned_abs() <= FAR.unsigned_abs()) {
                        Some(value) => Interval::one(value),
                        None if number.is_negative() => Interval { low: None, high: Some(-FAR) },
                        None => Interval { low: Some(FAR), high: None },
                    }
                }
                IntKind::Truth(_) => Interval { low: Some(0), high: Some(1) },
                IntKind::Length(_) => Interval { low: Some(0), high: None },
                _ => Interval::ALL,
            };
        }
        this
    }

    /// What is known of the vertex.
    pub fn get(&self, vertex: IntVertex) -> Interval {
        self.intervals[vertex.index()]
    }

    /// The vertex is at least `low`. Bounds too far out to count with are not kept.
    pub fn raise(&mut self, vertex: IntVertex, low: i64) {
        let now = &mut self.intervals[vertex.index()];
        if low.unsigned_abs() <= FAR.unsigned_abs() && now.low.is_none_or(|old| old < low) {
            now.low = Some(low);
            self.changed(vertex);
        }
    }

    /// The vertex is at most `high`.
    pub fn cut(&mut self, vertex: IntVertex, high: i64) {
        let now = &mut self.intervals[vertex.index()];
        if high.unsigned_abs() <= FAR.unsigned_abs() && now.high.is_none_or(|old| old > high) {
            now.high = Some(high);
            self.changed(vertex);
        }
    }

    /// The vertex is inside.
    pub fn narrow(&mut self, vertex: IntVertex, to: Interval) {
        if let Some(low) = to.low {
            self.raise(vertex, low);
        }
        if let Some(high) = to.high {
            self.cut(vertex, high);
        }
    }

    /// The vertices whose bounds came closer since this was last asked, or [`Self::settle`] last looked at a
    /// formula.
    pub fn take_touched(&mut self) -> Vec<IntVertex> {
        std::mem::take(&mut self.touched)
    }

    fn changed(&mut self, vertex: IntVertex) {
        self.changes += 1;
        self.touched.push(vertex);
        self.conflict |= self.get(vertex).is_empty();
    }

    /// Carries bounds along the formulas, up to `rounds` times each. `changed` is told the place of a formula
    /// that changed something, the vertices whose bounds it brought closer, and whether it refuted
    /// everything.
    pub fn settle(
        &mut self,
        formulas: &[IntFormula],
        rounds: usize,
        budget: &Budget,
        changed: &mut dyn FnMut(usize, &[IntVertex], bool),
    ) -> Result<(), Stop> {
        for _ in 0..rounds {
            let before = self.changes;
            for (place, formula) in formulas.iter().enumerate() {
                budget.tick()?;
                self.touched.clear();
                let was_refuted = self.conflict;
                self.apply(formula);
                if !self.touched.is_empty() || self.conflict != was_refuted {
                    changed(place, &self.touched, self.conflict);
                }
            }
            if self.conflict || self.changes == before {
                break;
            }
        }
        Ok(())
    }

    fn apply(&mut self, formula: &IntFormula) {
        match formula {
            IntFormula::Bool(true) => {}
            IntFormula::Bool(false) => self.conflict = true,
            IntFormula::And(parts) => parts.iter().for_each(|part| self.apply(part)),
            IntFormula::Or(parts) => {
                let mut open = parts.iter().filter(|part| !self.refutes(part));
                match (open.next(), open.next()) {
                    (None, _) => self.conflict = true,
                    (Some(only), None) => {
                        let only = only.clone();
                        self.apply(&only);
                    }
                    _ => {}
                }
            }
            IntFormula::Atom(sum, Comparison::AtMostZero) => self.at_most_zero(sum, 1),
            IntFormula::Atom(sum, Comparison::Zero) => {
                self.at_most_zero(sum, 1);
                self.at_most_zero(sum, -1);
            }
            IntFormula::Atom(sum, Comparison::NotZero) => self.not_zero(sum),
        }
    }

    /// `sign * sum <= 0` bounds each vertex by the least that all others add up to.
    fn at_most_zero(&mut self, sum: &Sum, sign: i64) {
        let Some(terms) = Terms::of(sum, sign) else { return };
        for (place, &(vertex, factor)) in terms.list.iter().enumerate() {
            let mut rest = terms.constant;
            let mut known = true;
            for (other, &(v, f)) in terms.list.iter().enumerate() {
                if other != place {
                    match self.least(v, f) {
                        Some(value) => rest += value,
                        None => known = false,
                    }
                }
            }
            if !known {
                continue;
            }
            // factor * v <= -rest
            let bound = (-rest).div_euclid(factor.abs());
            let Ok(bound) = i64::try_from(bound) else { continue };
            if factor > 0 {
                self.cut(vertex, bound);
            } else {
                self.raise(vertex, bound.saturating_neg());
            }
        }
        if terms.list.is_empty() && terms.constant > 0 {
            self.conflict = true;
        }
    }

    /// A bound that is the one forbidden value moves on.
    fn not_zero(&mut self, sum: &Sum) {
        let Some(terms) = Terms::of(sum, 1) else { return };
        let mut open = terms.list.iter().filter(|(v, _)| self.get(*v).only().is_none());
        let (Some(&(vertex, factor)), None) = (open.next(), open.next()) else {
            if self.range(sum) == Some((Some(0), Some(0))) {
                self.conflict = true;
            }
            return;
        };
        let fixed: i128 = terms
            .list
            .iter()
            .filter(|(v, _)| *v != vertex)
            .map(|(v, f)| f * i128::from(self.get(*v).only().unwrap_or(0)))
            .sum::<i128>()
            + terms.constant;
        if fixed % factor != 0 {
            return;
        }
        let Ok(forbidden) = i64::try_from(-fixed / factor) else { return };
        let now = self.get(vertex);
        if now.low == Some(forbidden) {
            self.raise(vertex, forbidden + 1);
        }
        if now.high == Some(forbidden) {
            self.cut(vertex, forbidden - 1);
        }
    }

    /// The least value of `factor * vertex`.
    fn least(&self, vertex: IntVertex, factor: i128) -> Option<i128> {
        let Interval { low, high } = self.get(vertex);
        if factor > 0 { low } else { high }.map(|bound| factor * i128::from(bound))
    }

    /// Least and greatest value of the sum; `None` when its numbers are too large to count with.
    pub fn range(&self, sum: &Sum) -> Option<(Option<i128>, Option<i128>)> {
        let terms = Terms::of(sum, 1)?;
        let total = |sign: i128| {
            terms
                .list
                .iter()
                .try_fold(sign * terms.constant, |all, &(v, f)| Some(all + self.least(v, sign * f)?))
        };
        Some((total(1), total(-1).map(|greatest| -greatest)))
    }

    /// Whether no values within the bounds satisfy the formula.
    pub fn refutes(&self, formula: &IntFormula) -> bool {
        match formula {
            IntFormula::Bool(b) => !b,
            IntFormula::And(parts) => parts.iter().any(|part| self.refutes(part)),
            IntFormula::Or(parts) => parts.iter().all(|part| self.refutes(part)),
            IntFormula::Atom(sum, comparison) => {
                let Some((low, high)) = self.range(sum) else { return false };
                match comparison {
                    Comparison::AtMostZero => low.is_some_and(|low| low > 0),
                    Comparison::Zero => low.is_some_and(|low| low > 0) || high.is_some_and(|high| high < 0),
                    Comparison::NotZero => low == Some(0) && high == Some(0),
                }
            }
        }
    }
}

/// A sum in machine numbers.
struct Terms {
    list: Vec<(IntVertex, i128)>,
    constant: i128,
}

impl Terms {
    /// `sign * sum`; `None` when a factor is so large that products might not fit.
    fn of(sum: &Sum, sign: i64) -> Option<Self> {
        let number = |n: &harness_model::int::Int| {
            n.small()
                .filter(|n| n.unsigned_abs() <= FAR.unsigned_abs())
                .map(|n| i128::from(n) * i128::from(sign))
        };
        if sum.terms().len() > 64 {
            return None;
        }
        let list = sum.terms().iter().map(|(v, f)| Some((*v, number(f)?))).collect::<Option<_>>()?;
        Some(Self { list, constant: number(sum.constant())? })
    }
}

#[cfg(test)]
mod tests {
    use backends_graph::testkit::Draw;
    use backends_graph::testkit::random::{each_assignment, random_graph};
    use harness_model::Alphabet;
    use harness_model::int::Int;
    use harness_theory::Value;

    use super::*;

    #[test]
    fn bounds_travel() {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (x, y) = (g.declare_int("x"), g.declare_int("y"));
        let (sx, sy) = (Sum::from(x), Sum::from(y));
        // x >= 3, 2 y <= 11, x < y, y != 5: y is 4, x is 3.
        let formulas = [
            Sum::from(3_i64).le(&sx),
            sy.times(&Int::from(2_i64)).le(&Sum::from(11_i64)),
            sx.lt(&sy),
            sy.ne(&Sum::from(5_i64)),
        ];
        let mut bounds = Bounds::new(&g);
        bounds.settle(&formulas, 10, &Budget::unlimited(), &mut |_, _, _| {}).unwrap();
        assert_eq!((bounds.get(x), bounds.get(y)), (Interval::one(3), Interval::one(4)));
        let either = IntFormula::or([sx.eq(&Sum::from(9_i64)), sy.eq(&Sum::from(2_i64))]);
        bounds.settle(&[either], 1, &Budget::unlimited(), &mut |_, _, _| {}).unwrap();
        assert!(bounds.conflict);
    }

    /// Bounds that chase each other end after the rounds that they are given.
    #[test]
    fn a_chase_without_end_ends() {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (x, y) = (g.declare_int("x"), g.declare_int("y"));
        let (sx, sy) = (Sum::from(x), Sum::from(y));
        let formulas = [Sum::from(0_i64).le(&sx), sx.lt(&sy), sy.lt(&sx)];
        let mut bounds = Bounds::new(&g);
        bounds.settle(&formulas, 10, &Budget::unlimited(), &mut |_, _, _| {}).unwrap();
        assert!(!bounds.conflict && bounds.get(x).at_least(10));
    }

    #[test]
    fn no_value_of_a_solution_is_cut_off() {
        let mut narrowed = 0;
        for seed in 0..300 {
            let mut draw = Draw::new(seed);
            let graph = random_graph(&mut draw, 2);
            let mut formulas = graph.definition_formulas();
            formulas.extend(graph.formulas().iter().cloned());
            let mut bounds = Bounds::new(&graph);
            bounds.settle(&formulas, 8, &Budget::unlimited(), &mut |_, _, _| {}).unwrap();
            narrowed += bounds.changes;
            each_assignment(&graph, 2, &mut |values, holds| {
                assert!(!(holds && bounds.conflict), "{values:?}");
                for (declaration, value) in graph.declarations().iter().zip(values) {
                    if let (true, Some(backends_graph::Vertex::Int(i)), Value::Int(n)) =
                        (holds, declaration.vertex, value)
                    {
                        assert!(bounds.get(i).has(n.small().unwrap()), "seed {seed}: {values:?}");
                    }
                }
            });
        }
        assert!(narrowed > 300);
    }
}
