//! Narrowed case splitting: which values to try after the string solver refused some.
//!
//! Of refused values `a = 5, b = -7, c = 0` the next ones differ in at least one place. Where the numeric
//! solver gives values closest to zero, values further from zero come next, and so the paper tries `a > 5`,
//! `b < -7` and `c != 0`, with all three together before them, and says that this searches the same space. It
//! does not. Of `a != 0` two values are closest to zero; when 1 is proposed and refused, `a > 1` has lost -1.
//! Of several variables the values closest to zero together need not be closest one by one, and a refusal may
//! be about some of them only. So here the cases are only a way to choose the next guess. What is known is
//! the plain clause, which is asserted too: it alone can make the numeric solver say that nothing is left,
//! and every few guesses the plain question is asked without any case, so that each assignment gets its turn.
//!
//! Source: JST, section IV-C, the last paragraph.

use backends_graph::{IntFormula, IntVertex, Sum};
use harness_model::int::Int;

/// How many cases deep the search remembers; what is above is forgotten, for each case implies most of what
/// was chosen before.
const MAX_DEPTH: usize = 32;

/// The narrower cases for refused values, the one to try first in front: all together, then each alone.
pub fn cases(refused: &[(IntVertex, Int)]) -> Vec<IntFormula> {
    let single: Vec<IntFormula> = refused.iter().map(|(vertex, value)| away_from(*vertex, value)).collect();
    let mut all = Vec::with_capacity(single.len() + 1);
    if single.len() > 1 {
        all.push(IntFormula::and(single.clone()));
    }
    all.extend(single);
    all
}

/// Further from zero than `value`, on its side.
fn away_from(vertex: IntVertex, value: &Int) -> IntFormula {
    let (vertex, refused) = (Sum::from(vertex), Sum::from(value.clone()));
    if *value == Int::ZERO {
        vertex.ne(&refused)
    } else if value.is_negative() {
        vertex.lt(&refused)
    } else {
        refused.lt(&vertex)
    }
}

/// The plain clause for refused values: not all of them again.
pub fn clause(refused: &[(IntVertex, Int)]) -> IntFormula {
    IntFormula::or(refused.iter().map(|(vertex, value)| Sum::from(*vertex).ne(&Sum::from(value.clone()))))
}

/// The cases that are still to be tried, depth first.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// The case that is tried at each depth, and those after it, the next one last.
    levels: Vec<(IntFormula, Vec<IntFormula>)>,
}

impl Cases {
    /// Goes deeper: the present case was possible, and its values were refused.
    pub fn refine(&mut self, refused: &[(IntVertex, Int)]) {
        let mut cases = cases(refused);
        cases.reverse();
        if let Some(first) = cases.pop() {
            if self.levels.len() == MAX_DEPTH {
                self.levels.remove(0);
            }
            self.levels.push((first, cases));
        }
    }

    /// What the next guess should satisfy besides everything known; `None` when no case is left.
    pub fn present(&self) -> Option<IntFormula> {
        (!self.levels.is_empty()).then(|| IntFormula::and(self.levels.iter().map(|(case, _)| case.clone())))
    }

    /// The present case is impossible: on to the next.
    pub fn next(&mut self) {
        while let Some((case, rest)) = self.levels.last_mut() {
            if let Some(next) = rest.pop() {
                *case = next;
                return;
            }
            self.levels.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(values: &[i64]) -> Vec<(IntVertex, Int)> {
        values.iter().enumerate().map(|(i, v)| (IntVertex::at(i), Int::from(*v))).collect()
    }

    #[test]
    fn the_papers_example() {
        let cases = cases(&refused(&[5, -7, 0]));
        let holds = |case: &IntFormula, values: [i64; 3]| case.eval(&|v| Int::from(values[v.index()]));
        assert_eq!(cases.len(), 4);
        assert!(holds(&cases[0], [6, -8, 1]) && !holds(&cases[0], [6, -7, 1]));
        assert!(holds(&cases[1], [6, 0, 0]) && !holds(&cases[1], [4, -8, 0]));
        assert!(holds(&cases[2], [0, -8, 0]) && !holds(&cases[2], [0, -6, 0]));
        assert!(holds(&cases[3], [0, 0, -1]) && !holds(&cases[3], [9, -9, 0]));
    }

    /// Every case implies the clause, so guesses under a case never come twice; but not the other way round,
    /// which is why the clause is what is known.
    #[test]
    fn cases_are_narrower_than_the_clause() {
        let mut lost = 0;
        for a in -2_i64..=2 {
            for b in -2_i64..=2 {
                let refused = refused(&[a, b]);
                let (clause, cases) = (clause(&refused), cases(&refused));
                for x in -3_i64..=3 {
                    for y in -3_i64..=3 {
                        let value = |v: IntVertex| Int::from([x, y][v.index()]);
                        let narrow = cases.iter().any(|case| case.eval(&value));
                        assert_eq!(clause.eval(&value), (x, y) != (a, b));
                        assert!(clause.eval(&value) || !narrow);
                        lost += usize::from(clause.eval(&value) && !narrow);
                    }
                }
            }
        }
        assert!(lost > 0);
    }

    #[test]
    fn cases_are_gone_through_depth_first() {
        let mut all = Cases::default();
        assert_eq!(all.present(), None);
        all.refine(&refused(&[1, 1]));
        let mut seen = Vec::new();
        all.next();
        all.refine(&refused(&[2]));
        while let Some(case) = all.present() {
            seen.push(case);
            all.next();
        }
        let at = |i: usize, n: i64| Sum::from(n).lt(&Sum::from(IntVertex::at(i)));
        assert_eq!(seen, [IntFormula::and([at(0, 1), at(0, 2)]), at(1, 1)]);
        for _ in 0..200 {
            all.refine(&refused(&[3, 4]));
        }
        assert_eq!(all.levels.len(), MAX_DEPTH);
    }
}
