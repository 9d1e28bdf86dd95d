//! Index sets: for each array the indices at which unquantified constraints read it, and the inverses of the
//! linear functions through which quantified constraints read it.
//!
//! Source: PASS, section 3.1.

use backends_graph::{IntVertex, StringVertex, Sum};
use harness_model::int::Int;
use rustc_hash::FxHashSet;

use crate::formula::{Body, Forall, each_cell};

/// An index set for each array. Grows only.
#[derive(Clone, Debug, Default)]
pub struct IndexSets {
    /// By array, in order of arrival.
    lists: Vec<Vec<Sum>>,
    all: FxHashSet<(StringVertex, Sum)>,
}

impl IndexSets {
    /// Adds an index; whether it is new.
    pub fn add(&mut self, array: StringVertex, index: &Sum) -> bool {
        let new = self.all.insert((array, index.clone()));
        if new {
            if self.lists.len() <= array.index() {
                self.lists.resize(array.index() + 1, Vec::new());
            }
            self.lists[array.index()].push(index.clone());
        }
        new
    }

    /// The array's indices.
    pub fn of(&self, array: StringVertex) -> &[Sum] {
        self.lists.get(array.index()).map_or(&[], Vec::as_slice)
    }

    /// How many indices there are in all.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// How a quantified constraint reads an array: at `factor * n + rest`, `factor` not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The array.
    pub array: StringVertex,
    /// The factor of the bound variable.
    pub factor: Int,
    /// What is added.
    pub rest: Sum,
}

impl Access {
    /// Every access of `forall` that depends on its variable, each once. An inner variable stands at the
    /// start of its range: the index for which an outer one is wanted is that of the first character
    /// compared.
    pub fn all(forall: &Forall) -> Vec<Self> {
        let mut found = Vec::new();
        let inner = match &forall.body {
            Body::Plain(_) => None,
            Body::Exists { variable, low, .. } => Some((*variable, low.clone())),
        };
        let put = |v: IntVertex| match &inner {
            Some((variable, low)) if *variable == v => low.clone(),
            _ => Sum::from(v),
        };
        each_cell(forall.body.formula(), &mut |cell| {
            let index = cell.index.substitute(put);
            let factor = index.terms().iter().find(|(v, _)| *v == forall.variable).map(|(_, f)| f.clone());
            if let Some(factor) = factor {
                let rest = index.plus(&Sum::from(forall.variable), &factor.neg());
                let access = Self { array: cell.array, factor, rest };
                if !found.contains(&access) {
                    found.push(access);
                }
            }
        });
        found
    }

    /// The index that is read for `n`.
    pub fn at(&self, n: &Sum) -> Sum {
        self.rest.plus(n, &self.factor)
    }

    /// The `n` for which `index` is read, if that is a sum: the factor is 1 or -1, or divides everything.
    pub fn inverse(&self, index: &Sum) -> Option<Sum> {
        let wanted = index.sub(&self.rest);
        if self.factor.abs() == Int::from(1_i64) {
            return Some(wanted.times(&self.factor));
        }
        let divide = |value: &Int| {
            let whole = value.modulo(&self.factor)? == Int::ZERO;
            if whole { value.div(&self.factor) } else { None }
        };
        let mut quotient = Sum::from(divide(wanted.constant())?);
        for (vertex, factor) in wanted.terms() {
            quotient = quotient.plus(&Sum::from(*vertex), &divide(factor)?);
        }
        Some(quotient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_inverse() {
        let (v, array) = (Sum::from(IntVertex::at(3)), StringVertex::at(0));
        let rest = Sum::from(IntVertex::at(4)).add(&Sum::from(7_i64));
        let index = v.times(&Int::from(6_i64)).add(&rest).add(&Sum::from(12_i64));
        for factor in [1_i64, -1, 2, -3, 6] {
            let access = Access { array, factor: Int::from(factor), rest: rest.clone() };
            assert_eq!(access.at(&access.inverse(&index).unwrap()), index);
        }
        let access = Access { array, factor: Int::from(5_i64), rest };
        assert_eq!(access.inverse(&index), None);
    }

    #[test]
    fn an_index_is_added_once() {
        let (mut sets, array) = (IndexSets::default(), StringVertex::at(2));
        let index = Sum::from(IntVertex::at(1));
        assert!(sets.add(array, &index) && !sets.add(array, &index.add(&Sum::default())));
        assert_eq!((sets.of(array).len(), sets.of(StringVertex::at(0)).len(), sets.len()), (1, 0, 1));
    }
}
