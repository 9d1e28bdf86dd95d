//! Linear integers by interval propagation and search: complete where propagation bounds every vertex.

use backends_api::{BackendError, Budget, Stop};
use harness_model::int::Int;

use crate::edge::IntVertex;
use crate::formula::IntFormula;
use crate::graph::IntDefinition;
use crate::linear::{Comparison, Sum};
use crate::solver::{IntAnswer, IntValues, IntegerSolver, IntegerSolvers};

/// Makes [`BoxSolver`]s.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnumeratedIntegers;

impl IntegerSolvers for EnumeratedIntegers {
    fn solver(&self) -> Result<Box<dyn IntegerSolver + '_>, BackendError> {
        Ok(Box::new(BoxSolver::default()))
    }
}

/// Beyond this nothing is distinguished from infinity.
const FAR: i128 = 1 << 60;
/// How many values of a vertex without bounds are tried.
const TRIED: i128 = 24;

/// The possible values of a vertex, by place: from, to.
type Boxes = Vec<(i128, i128)>;

/// A solver that splits boxes.
#[derive(Clone, Debug, Default)]
pub struct BoxSolver {
    vertices: Vec<IntVertex>,
    levels: Vec<usize>,
    formulas: Vec<IntFormula>,
    definitions: Vec<(IntVertex, IntDefinition)>,
}

impl IntegerSolver for BoxSolver {
    fn declare(&mut self, vertex: IntVertex) {
        self.vertices.push(vertex);
    }

    fn assert(&mut self, formula: &IntFormula) {
        self.formulas.push(formula.clone());
    }

    fn define(&mut self, vertex: IntVertex, definition: &IntDefinition) {
        self.definitions.push((vertex, definition.clone()));
    }

    fn push(&mut self) {
        self.levels.push(self.formulas.len());
    }

    fn pop(&mut self) {
        if let Some(count) = self.levels.pop() {
            self.formulas.truncate(count);
        }
    }

    fn solve(&mut self, small: &[IntVertex], budget: &Budget) -> Result<IntAnswer, Stop> {
        let places = self.vertices.iter().map(|v| v.index() + 1).max().unwrap_or(0);
        let mut order: Vec<IntVertex> = small.to_vec();
        for &vertex in &self.vertices {
            if !order.contains(&vertex) {
                order.push(vertex);
            }
        }
        let mut cut = false;
        let found = self.search(vec![(-FAR, FAR); places], &order, &mut cut, budget)?;
        Ok(match found {
            Some(boxes) => {
                let value = |(low, _): (i128, i128)| Int::from(i64::try_from(low).unwrap_or(0));
                IntAnswer::Sat(IntValues::new(boxes.into_iter().map(value).collect()))
            }
            None if cut => IntAnswer::Unknown("some integers have no bounds".to_owned()),
            None => IntAnswer::Unsat,
        })
    }
}

impl BoxSolver {
    fn search(
        &self,
        mut boxes: Boxes,
        order: &[IntVertex],
        cut: &mut bool,
        budget: &Budget,
    ) -> Result<Option<Boxes>, Stop> {
        budget.tick()?;
        if !self.narrow(&mut boxes) {
            return Ok(None);
        }
        let open = order.iter().position(|v| boxes[v.index()].0 < boxes[v.index()].1);
        let Some(place) = open else {
            let value = |v: IntVertex| Int::from(i64::try_from(boxes[v.index()].0).unwrap_or(0));
            let holds = self.formulas.iter().all(|f| f.eval(&value))
                && self.definitions.iter().all(|(v, definition)| definition.eval(&value) == value(*v));
            return Ok(holds.then(|| boxes.clone()));
        };
        let (low, high) = boxes[order[place].index()];
        let start = if low <= -FAR { high.min(TRIED / 2) - TRIED } else { low };
        let end = if high >= FAR || low <= -FAR { high.min(start + TRIED) } else { high };
        *cut |= start > low || end < high;
        for value in start..=end {
            let mut next = boxes.clone();
            next[order[place].index()] = (value, value);
            if let Some(found) = self.search(next, &order[place..], cut, budget)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Narrows the boxes by every formula until little changes; `false` when one is empty.
    fn narrow(&self, boxes: &mut Boxes) -> bool {
        for _ in 0..12 {
            let before = boxes.clone();
            if !self.formulas.iter().all(|formula| narrow_by(formula, boxes)) {
                return false;
            }
            if *boxes == before {
                break;
            }
        }
        true
    }
}

fn narrow_by(formula: &IntFormula, boxes: &mut Boxes) -> bool {
    match formula {
        IntFormula::Bool(b) => *b,
        IntFormula::And(parts) => parts.iter().all(|part| narrow_by(part, boxes)),
        IntFormula::Or(parts) => {
            let mut hull: Option<Boxes> = None;
            for part in parts {
                let mut inside = boxes.clone();
                if narrow_by(part, &mut inside) {
                    hull = Some(match hull {
                        None => inside,
                        Some(old) => {
                            old.iter().zip(&inside).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))).collect()
                        }
                    });
                }
            }
            match hull {
                Some(hull) => {
                    *boxes = hull;
                    true
                }
                None => false,
            }
        }
        IntFormula::Atom(sum, Comparison::AtMostZero) => at_most_zero(sum, boxes),
        IntFormula::Atom(sum, Comparison::Zero) => {
            at_most_zero(sum, boxes) && at_most_zero(&sum.times(&Int::MINUS_ONE), boxes)
        }
        IntFormula::Atom(sum, Comparison::NotZero) => match sum.terms() {
            [(vertex, factor)] => {
                let opposite = sum.constant().neg();
                if opposite.modulo(factor) != Some(Int::ZERO) {
                    return true;
                }
                let Some(value) = opposite.div(factor).and_then(|v| v.small()).map(i128::from) else {
                    return true;
                };
                let (low, high) = &mut boxes[vertex.index()];
                if *low == value {
                    *low += 1;
                } else if *high == value {
                    *high -= 1;
                }
                low <= high
            }
            terms => {
                let fixed = terms.iter().all(|(v, _)| boxes[v.index()].0 == boxes[v.index()].1);
                let value = |v: IntVertex| Int::from(i64::try_from(boxes[v.index()].0).unwrap_or(0));
                !fixed || sum.eval(value) != Int::ZERO
            }
        },
    }
}

fn at_most_zero(sum: &Sum, boxes: &mut Boxes) -> bool {
    let Some(constant) = sum.constant().small().map(i128::from) else { return true };
    let mut factors = Vec::new();
    for (vertex, factor) in sum.terms() {
        let Some(factor) = factor.small().map(i128::from) else { return true };
        factors.push((vertex.index(), factor));
    }
    // The least value of each term; infinite ones are counted apart.
    let least = |boxes: &Boxes, (v, f): (usize, i128)| {
        let end = if f > 0 { boxes[v].0 } else { boxes[v].1 };
        (end.abs() < FAR).then_some(end * f)
    };
    for &(v, f) in &factors {
        let others: Option<i128> = factors
            .iter()
            .filter(|(w, _)| *w != v)
            .try_fold(constant, |all, &other| Some(all + least(boxes, other)?));
        let Some(others) = others else { continue };
        // f * x <= -others
        let limit = -others;
        if f > 0 {
            boxes[v].1 = boxes[v].1.min(limit.div_euclid(f));
        } else {
            boxes[v].0 = boxes[v].0.max(-(limit.div_euclid(-f)));
        }
        if boxes[v].0 > boxes[v].1 {
            return false;
        }
    }
    !factors.is_empty() || constant <= 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_counting() {
        // 2x + 3y = n and x != y, 0 <= x, y <= 9
        for n in -3_i64..60 {
            let mut solver = BoxSolver::default();
            let (x, y) = (IntVertex::at(0), IntVertex::at(1));
            for v in [x, y] {
                solver.declare(v);
                solver.assert(&Sum::from(0_i64).le(&Sum::from(v)));
                solver.assert(&Sum::from(v).le(&Sum::from(9_i64)));
            }
            let sum = Sum::from(x).times(&Int::from(2_i64)).plus(&Sum::from(y), &Int::from(3_i64));
            solver.assert(&sum.eq(&Sum::from(n)));
            solver.assert(&Sum::from(x).ne(&Sum::from(y)));
            let wanted = (0..10).any(|x| (0..10).any(|y| 2 * x + 3 * y == n && x != y));
            let answer = solver.solve(&[x, y], &Budget::unlimited()).unwrap();
            assert_eq!(matches!(answer, IntAnswer::Sat(_)), wanted, "{n}");
            assert_eq!(answer == IntAnswer::Unsat, !wanted, "{n}");
        }
    }

    #[test]
    fn a_vertex_without_bounds_is_not_refuted() {
        let mut solver = BoxSolver::default();
        let (x, y) = (IntVertex::at(0), IntVertex::at(1));
        solver.declare(x);
        solver.declare(y);
        solver.assert(&Sum::from(x).eq(&Sum::from(y).times(&Int::from(2_i64))));
        solver.assert(&Sum::from(1000_i64).le(&Sum::from(x)));
        let mut odd = Sum::from(x).add(&Sum::from(1_i64));
        odd = odd.sub(&Sum::from(y).times(&Int::from(2_i64)));
        solver.assert(&odd.eq(&Sum::from(0_i64)));
        assert!(!matches!(solver.solve(&[x, y], &Budget::unlimited()), Ok(IntAnswer::Sat(_))));
    }
}
