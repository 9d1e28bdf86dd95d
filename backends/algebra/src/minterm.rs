//! Minterms of a sequence of sets (definition 3.2), computed by an algebra's own operations.
//!
//! | algebra | `RankOrder` | `Refinement` | duplicates that are eliminated first, if any are |
//! | --- | --- | --- | --- |
//! | `ranges`, `hashset` | [`rank_order`] | [`refinement`] | all (equal sets are equal values) |
//! | `bdd` | [`rank_order`] | [`refinement`] | all (isomorphic diagrams are one node) |
//! | `pairs` | [`rank_order`] | [`refinement`] | the same pairs; not other pairs for the same set |
//! | `predicate` | cube enumeration, in `backends-z3` | [`refinement`] | the same term; not equivalent terms |
//!
//! Duplicates are eliminated where the caller wants equal sets merged ([`EqualSets::Merged`]).
//!
//! Orders, where merged sets count once. Rank order and cubes: ascending number of sets, then
//! lexicographic by indices; first the characters in no set. [`refinement`]: each set splits every part into
//! what is inside of it, then what is outside, so that the minterms come in descending lexicographic order of
//! their membership vectors.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, figure 3.4. The figure starts to output
//! at rank 1 and so leaves out the characters in none of the sets; the definition, and we, count them as a
//! minterm.

use std::collections::hash_map::Entry;

use backends_api::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{BooleanAlgebra, EqualSets, Minterm, MintermMethod, MintermWay};

/// The minterms of `sets` in that way. One tick of the budget for each combination looked at.
pub fn compute<A: BooleanAlgebra + ?Sized>(
    algebra: &A,
    sets: &[A::Set],
    way: MintermWay,
    budget: &Budget,
) -> Result<Vec<Minterm<A::Set>>, Stop> {
    match way.method {
        MintermMethod::RankOrder => rank_order(algebra, sets, way.equal_sets, budget),
        MintermMethod::Refinement => refinement(algebra, sets, way.equal_sets, budget),
    }
}

/// The sets that enter the computation, and for each the indices where it stands in the sequence: without
/// repeated values, if equal sets are merged.
pub struct Distinct<S> {
    sets: Vec<S>,
    indices: Vec<Vec<usize>>,
}

impl<S: Clone + Eq + std::hash::Hash> Distinct<S> {
    /// Of equal values keeps the first one, or all of them.
    pub fn of(sets: &[S], equal_sets: EqualSets) -> Self {
        if equal_sets == EqualSets::Separate {
            return Self { sets: sets.to_vec(), indices: (0..sets.len()).map(|i| vec![i]).collect() };
        }
        let mut distinct = Self { sets: Vec::new(), indices: Vec::new() };
        let mut seen: FxHashMap<&S, usize> = FxHashMap::default();
        for (i, set) in sets.iter().enumerate() {
            match seen.entry(set) {
                Entry::Occupied(place) => distinct.indices[*place.get()].push(i),
                Entry::Vacant(place) => {
                    place.insert(distinct.sets.len());
                    distinct.sets.push(set.clone());
                    distinct.indices.push(vec![i]);
                }
            }
        }
        distinct
    }

    /// The sets, in the order of their first occurrence.
    pub fn sets(&self) -> &[S] {
        &self.sets
    }

    /// Indices into the sequence, ascending, for indices into [`Self::sets`].
    pub fn originals(&self, of: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut all: Vec<usize> = of.into_iter().flat_map(|i| self.indices[i].iter().copied()).collect();
        all.sort_unstable();
        all
    }
}

/// An element of the figure's `S_r`: the index set `J`, ascending, and the intersection of its sets, not
/// empty.
struct Combination<S> {
    inside: Vec<usize>,
    common: S,
}

/// Figure 3.4: combinations in rank order. A combination whose common part is empty is dropped, and with it
/// all that contain it.
///
/// The figure makes `J ∪ {i}` once for every way to leave out one element. All subsets of an index set in
/// `S_r` are in the earlier `S`, so it is enough to extend each `J` by the indices greater than its greatest:
/// the same sets, each made once. Complements are computed once a set; a combination's concrete part (the
/// figure's `concrete`) stops at the first empty intermediate result.
///
/// The number of combinations is exponential in the number of sets that share a character, whatever the
/// number of minterms: that is the algorithm. Equal sets that are not merged all share theirs. The budget
/// ends it.
pub fn rank_order<A: BooleanAlgebra + ?Sized>(
    algebra: &A,
    sets: &[A::Set],
    equal_sets: EqualSets,
    budget: &Budget,
) -> Result<Vec<Minterm<A::Set>>, Stop> {
    let distinct = Distinct::of(sets, equal_sets);
    let sets = distinct.sets();
    let mut complements = Vec::with_capacity(sets.len());
    for set in sets {
        budget.tick()?;
        complements.push(algebra.complement(set)?);
    }

    let mut minterms = Vec::new();
    let mut rank = vec![Combination { inside: Vec::new(), common: algebra.full() }];
    while !rank.is_empty() {
        let mut next_rank = Vec::new();
        for Combination { inside, common } in rank {
            if let Some(concrete) = concrete(algebra, &complements, &inside, &common, budget)? {
                minterms.push((distinct.originals(inside.iter().copied()), concrete));
            }
            for (i, set) in sets.iter().enumerate().skip(inside.last().map_or(0, |last| last + 1)) {
                budget.tick()?;
                let common = algebra.intersection(set, &common)?;
                if !algebra.is_empty(&common)? {
                    let mut inside = inside.clone();
                    inside.push(i);
                    next_rank.push(Combination { inside, common });
                }
            }
        }
        rank = next_rank;
    }
    Ok(minterms)
}

/// What of `common` is outside every set that is not in `inside`; `None` when that is empty.
fn concrete<A: BooleanAlgebra + ?Sized>(
    algebra: &A,
    complements: &[A::Set],
    inside: &[usize],
    common: &A::Set,
    budget: &Budget,
) -> Result<Option<A::Set>, Stop> {
    let mut rest = common.clone();
    let mut inside = inside.iter().copied().peekable();
    for (i, complement) in complements.iter().enumerate() {
        if inside.next_if_eq(&i).is_some() {
            continue;
        }
        budget.tick()?;
        rest = algebra.intersection(&rest, complement)?;
        if algebra.is_empty(&rest)? {
            return Ok(None);
        }
    }
    Ok(Some(rest))
}

/// A part of the alphabet, and the indices of the sets that it is inside of.
struct Part<S> {
    inside: Vec<usize>,
    characters: S,
}

/// Partition refinement: starts with the alphabet as the only part, and lets each set split every part into
/// what is inside and what is outside of it. At most one intersection and one difference for each set and
/// part, so polynomial in the number of minterms.
pub fn refinement<A: BooleanAlgebra + ?Sized>(
    algebra: &A,
    sets: &[A::Set],
    equal_sets: EqualSets,
    budget: &Budget,
) -> Result<Vec<Minterm<A::Set>>, Stop> {
    let distinct = Distinct::of(sets, equal_sets);
    let mut parts = vec![Part { inside: Vec::new(), characters: algebra.full() }];
    for (i, set) in distinct.sets().iter().enumerate() {
        let mut split = Vec::with_capacity(parts.len() + 1);
        for mut part in parts {
            budget.tick()?;
            let within = algebra.intersection(&part.characters, set)?;
            if algebra.is_empty(&within)? {
                split.push(part);
                continue;
            }
            // Equal values are equal sets in every algebra; where they are not canonical this only misses
            // some.
            let outside = if within == part.characters {
                None
            } else {
                Some(algebra.difference(&part.characters, set)?)
            };
            match outside {
                Some(outside) if A::CANONICAL || !algebra.is_empty(&outside)? => {
                    let mut inside = part.inside.clone();
                    inside.push(i);
                    split.push(Part { inside, characters: within });
                    split.push(Part { inside: part.inside, characters: outside });
                }
                _ => {
                    part.inside.push(i);
                    split.push(part);
                }
            }
        }
        parts = split;
    }
    Ok(parts.into_iter().map(|part| (distinct.originals(part.inside), part.characters)).collect())
}

#[cfg(test)]
mod tests {
    use harness_model::Alphabet;

    use super::*;
    use crate::RangeAlgebra;
    use crate::ranges::Ranges;

    fn sets(algebra: &RangeAlgebra, sets: &[&[(u32, u32)]]) -> Vec<Ranges> {
        sets.iter().map(|ranges| algebra.of_ranges(ranges).unwrap()).collect()
    }

    /// Three sets that overlap in a row, the second one twice, and one that is empty.
    const ROW: [&[(u32, u32)]; 5] = [&[(0, 9)], &[(5, 14)], &[], &[(5, 14)], &[(10, 19)]];

    fn indices(minterms: Vec<Minterm<Ranges>>) -> Vec<Vec<usize>> {
        minterms.into_iter().map(|(inside, _)| inside).collect()
    }

    #[test]
    fn rank_order_is_by_number_then_by_index() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let merged =
            rank_order(&algebra, &sets(&algebra, &ROW), EqualSets::Merged, &Budget::unlimited()).unwrap();
        assert_eq!(indices(merged), [vec![], vec![0], vec![4], vec![0, 1, 3], vec![1, 3, 4]]);
    }

    #[test]
    fn refinement_is_by_membership_descending() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let minterms =
            refinement(&algebra, &sets(&algebra, &ROW), EqualSets::Merged, &Budget::unlimited()).unwrap();
        assert_eq!(indices(minterms), [vec![0, 1, 3], vec![0], vec![1, 3, 4], vec![4], vec![]]);
    }

    #[test]
    fn no_sets_have_one_minterm() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        for method in [MintermMethod::RankOrder, MintermMethod::Refinement] {
            let minterms = compute(&algebra, &[], method.into(), &Budget::unlimited());
            assert_eq!(minterms, Ok(vec![(vec![], algebra.full())]));
        }
    }

    #[test]
    fn pruned_combinations_are_not_looked_at() {
        // Of pairwise disjoint sets no combination of three is ever made: 40 sets, 780 pairs.
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let disjoint: Vec<Ranges> =
            (0..40).map(|i| algebra.of_ranges(&[(3 * i, 3 * i + 1)]).unwrap()).collect();
        let budget = Budget::unlimited();
        assert_eq!(rank_order(&algebra, &disjoint, EqualSets::Merged, &budget).map(|m| m.len()), Ok(41));
        assert!(budget.steps() < 40 + 40 + 780 + 41 * 40, "{}", budget.steps());
    }

    #[test]
    fn the_budget_ends_what_is_exponential() {
        // Nested sets share a character: every combination of them has a common part.
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let nested: Vec<Ranges> = (0..40).map(|i| algebra.of_ranges(&[(0, i)]).unwrap()).collect();
        let few = || Budget::with_steps(10_000);
        assert_eq!(rank_order(&algebra, &nested, EqualSets::Merged, &few()), Err(Stop::Steps(10_000)));
        assert_eq!(refinement(&algebra, &nested, EqualSets::Merged, &few()).map(|m| m.len()), Ok(41));
    }

    #[test]
    fn equal_sets_double_the_work_each_unless_they_are_merged() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let steps = |equal_sets, copies: usize| {
            let (budget, sets) = (Budget::unlimited(), vec![algebra.of_ranges(&[(3, 9)]).unwrap(); copies]);
            let minterms = rank_order(&algebra, &sets, equal_sets, &budget).unwrap();
            assert_eq!(indices(minterms), [vec![], (0..copies).collect()]);
            budget.steps()
        };
        assert_eq!(steps(EqualSets::Merged, 4), steps(EqualSets::Merged, 12));
        assert!(steps(EqualSets::Separate, 12) > 200 * steps(EqualSets::Separate, 4));
    }
}
