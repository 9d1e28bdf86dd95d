//! Between which values each integer is, as far as propagation of intervals tells: the numeric facts that are
//! passed to the string domain.
//!
//! Invariant: every solution of the formulas has its values inside. The converse is not true, and nothing
//! here solves.

use backends_graph::{Comparison, IntFormula, IntVertex, StringGraph, Sum};
use harness_model::int::Int;

/// Beyond this nothing is told from infinity: products with factors of 64 bits still fit 128.
const FAR: i128 = 1 << 60;
/// How often the formulas are gone through.
const ROUNDS: usize = 8;

/// The values from `low` to `high`; an end is missing where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    low: i128,
    high: i128,
}

impl Range {
    /// All integers.
    pub const ALL: Self = Self { low: -FAR, high: FAR };

    const fn point(value: i128) -> Self {
        Self { low: value, high: value }
    }

    /// The least value.
    pub fn low(self) -> Option<i64> {
        if self.low <= -FAR { None } else { i64::try_from(self.low).ok() }
    }

    /// The greatest value.
    pub fn high(self) -> Option<i64> {
        if self.high >= FAR { None } else { i64::try_from(self.high).ok() }
    }

    /// The only value.
    pub fn only(self) -> Option<i64> {
        self.low().filter(|low| self.high() == Some(*low))
    }

    fn add(self, other: Self) -> Self {
        let end = |a: i128, b: i128, far: i128| if a == far || b == far { far } else { a.saturating_add(b) };
        Self { low: end(self.low, other.low, -FAR), high: end(self.high, other.high, FAR) }.clamp()
    }

    fn times(self, factor: i64) -> Self {
        let factor = i128::from(factor);
        let end = |a: i128| {
            if a.abs() >= FAR { a.signum() * factor.signum() * FAR } else { a.saturating_mul(factor) }
        };
        let (a, b) = (end(self.low), end(self.high));
        Self { low: a.min(b), high: a.max(b) }.clamp()
    }

    fn clamp(self) -> Self {
        Self { low: self.low.clamp(-FAR, FAR), high: self.high.clamp(-FAR, FAR) }
    }
}

/// A range for each integer vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds(Vec<Range>);

impl Bounds {
    /// What `formulas` and the kinds of the vertices of `graph` say. When they contradict each other nothing
    /// is said: that is for the numeric solver to find. Cost: linear in the formulas.
    pub fn of(graph: &StringGraph, formulas: &[IntFormula]) -> Self {
        let unknown = Self(vec![Range::ALL; graph.ints().len()]);
        let mut this = unknown.clone();
        for vertex in graph.int_vertices() {
            if let Some(number) = graph.number(vertex).and_then(Int::small) {
                this.0[vertex.index()] = Range::point(i128::from(number)).clamp();
            }
        }
        for _ in 0..ROUNDS {
            let before = this.clone();
            for formula in formulas {
                if !this.narrow(formula) {
                    return unknown;
                }
            }
            if this == before {
                break;
            }
        }
        this
    }

    /// The range of the vertex.
    pub fn get(&self, vertex: IntVertex) -> Range {
        self.0.get(vertex.index()).copied().unwrap_or(Range::ALL)
    }

    /// The range of the sum.
    pub fn sum(&self, sum: &Sum) -> Range {
        self.partial(sum, None)
    }

    /// The range of the sum without the term at place `except`.
    fn partial(&self, sum: &Sum, except: Option<usize>) -> Range {
        let Some(constant) = sum.constant().small() else { return Range::ALL };
        let mut total = Range::point(i128::from(constant)).clamp();
        for (place, (vertex, factor)) in sum.terms().iter().enumerate() {
            if Some(place) == except {
                continue;
            }
            let Some(factor) = factor.small() else { return Range::ALL };
            total = total.add(self.get(*vertex).times(factor));
        }
        total
    }

    /// Leaves only values that the formula allows; `false` when there are none.
    fn narrow(&mut self, formula: &IntFormula) -> bool {
        match formula {
            IntFormula::Bool(holds) => *holds,
            IntFormula::And(parts) => parts.iter().all(|part| self.narrow(part)),
            IntFormula::Or(parts) => {
                let mut hull: Option<Self> = None;
                for part in parts {
                    let mut inside = self.clone();
                    if inside.narrow(part) {
                        hull = Some(match hull {
                            None => inside,
                            Some(old) => old.hull(&inside),
                        });
                    }
                }
                match hull {
                    Some(hull) => {
                        *self = hull;
                        true
                    }
                    None => false,
                }
            }
            IntFormula::Atom(sum, comparison) => self.narrow_atom(sum, *comparison),
        }
    }

    fn hull(&self, other: &Self) -> Self {
        let both = self.0.iter().zip(&other.0);
        Self(both.map(|(a, b)| Range { low: a.low.min(b.low), high: a.high.max(b.high) }).collect())
    }

    fn narrow_atom(&mut self, sum: &Sum, comparison: Comparison) -> bool {
        let whole = self.sum(sum);
        match comparison {
            Comparison::AtMostZero if whole.low > 0 => return false,
            Comparison::Zero if whole.low > 0 || whole.high < 0 => return false,
            Comparison::NotZero if whole == Range::point(0) => return false,
            _ => {}
        }
        for (place, (vertex, factor)) in sum.terms().iter().enumerate() {
            let Some(factor) = factor.small().map(i128::from) else { continue };
            let rest = self.partial(sum, Some(place));
            let old = self.get(*vertex);
            let mut new = old;
            // factor * v <= -(least rest), and for an equation also factor * v >= -(greatest rest).
            if comparison != Comparison::NotZero && rest.low > -FAR {
                let most = -rest.low;
                if factor > 0 {
                    new.high = new.high.min(most.div_euclid(factor));
                } else {
                    new.low = new.low.max(-most.div_euclid(-factor));
                }
            }
            if comparison == Comparison::Zero && rest.high < FAR {
                let least = -rest.high;
                if factor > 0 {
                    new.low = new.low.max(-(-least).div_euclid(factor));
                } else {
                    new.high = new.high.min((-least).div_euclid(-factor));
                }
            }
            if comparison == Comparison::NotZero && rest.low == rest.high && rest.low.abs() < FAR {
                let excluded = -rest.low;
                if excluded % factor == 0 {
                    let value = excluded / factor;
                    new.low += i128::from(new.low == value);
                    new.high -= i128::from(new.high == value);
                }
            }
            if new.low > new.high {
                return false;
            }
            if let Some(range) = self.0.get_mut(vertex.index()) {
                *range = new;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backends_graph::testkit::Draw;
    use harness_model::Alphabet;

    fn graph() -> (StringGraph, Vec<IntVertex>) {
        let mut graph = StringGraph::new(Alphabet::Ascii);
        let vertices = ["x", "y", "z"].iter().map(|name| graph.declare_int(*name)).collect();
        (graph, vertices)
    }

    #[test]
    fn ends_are_found() {
        let (g, v) = graph();
        let (x, y, z) = (Sum::from(v[0]), Sum::from(v[1]), Sum::from(v[2]));
        let n = Sum::from;
        let two = Int::from(2_i64);
        let all = [
            n(3_i64).le(&x.times(&two)),
            x.add(&y).eq(&n(10_i64)),
            y.times(&two).ne(&n(16_i64)),
            IntFormula::or([z.eq(&n(4_i64)), z.eq(&n(-6_i64)), n(1_i64).le(&n(0_i64))]),
        ];
        let bounds = Bounds::of(&g, &all);
        let ends = |i: usize| (bounds.get(v[i]).low(), bounds.get(v[i]).high());
        assert_eq!([ends(0), ends(1), ends(2)], [(Some(3), None), (None, Some(7)), (Some(-6), Some(4))]);
        let none = [x.le(&n(0_i64)), n(1_i64).le(&x)];
        assert_eq!(Bounds::of(&g, &none).get(v[0]), Range::ALL);
    }

    #[test]
    fn no_solution_is_outside() {
        let (g, v) = graph();
        let mut draw = Draw::new(7);
        let mut told = 0;
        for _ in 0..600 {
            let mut atom = || {
                let mut sum = Sum::from(i64::try_from(draw.below(9)).unwrap_or(0) - 4);
                for &vertex in &v {
                    let factor = Int::from(i64::try_from(draw.below(5)).unwrap_or(0) - 2);
                    sum = sum.plus(&Sum::from(vertex), &factor);
                }
                let zero = Sum::from(0_i64);
                match draw.below(3) {
                    0 => sum.le(&zero),
                    1 => sum.eq(&zero),
                    _ => sum.ne(&zero),
                }
            };
            let ends = [Sum::from(v[0]).le(&Sum::from(3_i64)), Sum::from(-2_i64).le(&Sum::from(v[1]))];
            let mut all = vec![atom(), atom(), IntFormula::or([atom(), IntFormula::and([atom(), atom()])])];
            all.extend(ends);
            let bounds = Bounds::of(&g, &all);
            told += v.iter().filter(|&&x| bounds.get(x) != Range::ALL).count();
            for x in -5_i64..=5 {
                for y in -5_i64..=5 {
                    for z in -5_i64..=5 {
                        let values = [x, y, z];
                        let value = |vertex: IntVertex| Int::from(values[vertex.index()]);
                        if all.iter().all(|f| f.eval(&value)) {
                            for (i, value) in values.iter().enumerate() {
                                let range = bounds.get(v[i]);
                                let inside = range.low().is_none_or(|low| low <= *value)
                                    && range.high().is_none_or(|high| *value <= high);
                                assert!(inside, "{value} outside {range:?} of {all:?}");
                            }
                        }
                    }
                }
            }
        }
        assert!(told > 1300, "{told}");
    }
}
