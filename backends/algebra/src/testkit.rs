//! The laws of Boolean algebras over characters, as one battery of properties for every implementation.
//!
//! A crate that adds an algebra adds one line to its tests, [`law_battery!`](crate::law_battery). The
//! reference is [`CharSet`] of the vocabulary, which shares no code with any algebra, and for minterms a
//! sweep over the alphabet.
//!
//! Seeds are fixed, so that a run can be repeated; set `PROPTEST_RNG_SEED` for others.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::hash::BuildHasher;

use backends_api::{Budget, Stop};
use harness_model::{Alphabet, Char, CharSet};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestCaseResult, TestRunner};
use rustc_hash::FxBuildHasher;

use crate::{BooleanAlgebra, EqualSets, MintermMethod, MintermWay};

/// A module of tests, four alphabets of each law, for the algebra that `$new` makes of an alphabet. `$cases`
/// gives the number of cases for `ascii`, `latin1`, `utf16` and `unicode`.
#[macro_export]
macro_rules! law_battery {
    ($name:ident, $new:expr, $cases:expr) => {
        mod $name {
            use super::*;

            $crate::law_battery!(@alphabet ascii, Ascii, 0, $new, $cases);
            $crate::law_battery!(@alphabet latin1, Latin1, 1, $new, $cases);
            $crate::law_battery!(@alphabet utf16, Utf16, 2, $new, $cases);
            $crate::law_battery!(@alphabet unicode, Unicode, 3, $new, $cases);
        }
    };
    (@alphabet $name:ident, $alphabet:ident, $place:literal, $new:expr, $cases:expr) => {
        mod $name {
            use super::*;

            fn check<A: $crate::BooleanAlgebra>(law: impl Fn(&A, u32) -> Result<(), String>, new: impl Fn(harness_model::Alphabet) -> A) {
                let cases: [u32; 4] = $cases;
                if let Err(broken) = law(&new(harness_model::Alphabet::$alphabet), cases[$place]) {
                    panic!("{broken}");
                }
            }

            #[test]
            fn membership() {
                check($crate::testkit::membership, $new);
            }

            #[test]
            fn laws() {
                check($crate::testkit::laws, $new);
            }

            #[test]
            fn minterms() {
                check($crate::testkit::minterms, $new);
            }
        }
    };
}

/// Every operation gives the characters that the reference gives; emptiness, equality, a member and, where
/// the algebra is canonical, the value follow from them. The error is the shrunk case.
pub fn membership<A: BooleanAlgebra>(algebra: &A, cases: u32) -> Result<(), String> {
    let alphabet = algebra.alphabet();
    run(cases, (sets(alphabet), sets(alphabet)), |(a, b)| {
        let points = points(alphabet, [&a, &b]);
        let (x, y) = (built(algebra, &a)?, built(algebra, &b)?);
        agree(algebra, &x, &a, &points)?;
        agree(algebra, &algebra.empty(), &CharSet::empty(), &points)?;
        agree(algebra, &algebra.full(), &CharSet::full(alphabet), &points)?;
        agree(algebra, &go(algebra.union(&x, &y))?, &a.union(&b), &points)?;
        agree(algebra, &go(algebra.intersection(&x, &y))?, &a.intersection(&b), &points)?;
        agree(algebra, &go(algebra.difference(&x, &y))?, &a.difference(&b), &points)?;
        agree(algebra, &go(algebra.complement(&x))?, &a.complement(alphabet), &points)?;
        prop_assert_eq!(go(algebra.equal(&x, &y))?, a == b);
        if x == y {
            prop_assert_eq!(&a, &b, "equal values that are not equal sets");
        }

        // What lies outside the alphabet is cut off, from one range and as a range of its own.
        let beyond = a.union(&CharSet::from_ranges([(alphabet.max().0, u32::MAX)]));
        let cut = built(algebra, &beyond)?;
        agree(algebra, &cut, &beyond.cut_to(alphabet), &points)
    })
}

/// The axioms of Boolean algebras and what is usually derived from them; memoised results do not matter.
pub fn laws<A: BooleanAlgebra>(algebra: &A, cases: u32) -> Result<(), String> {
    let alphabet = algebra.alphabet();
    run(cases, (sets(alphabet), sets(alphabet), sets(alphabet)), |(a, b, c)| {
        let (a, b, c) = (built(algebra, &a)?, built(algebra, &b)?, built(algebra, &c)?);
        let (empty, full) = (algebra.empty(), algebra.full());
        let or = |x: &A::Set, y: &A::Set| go(algebra.union(x, y));
        let and = |x: &A::Set, y: &A::Set| go(algebra.intersection(x, y));
        let not = |x: &A::Set| go(algebra.complement(x));
        let same = |law, x: &A::Set, y: &A::Set| same(algebra, law, x, y);

        same("a | b = b | a", &or(&a, &b)?, &or(&b, &a)?)?;
        same("a & b = b & a", &and(&a, &b)?, &and(&b, &a)?)?;
        same("a | (b | c) = (a | b) | c", &or(&a, &or(&b, &c)?)?, &or(&or(&a, &b)?, &c)?)?;
        same("a & (b & c) = (a & b) & c", &and(&a, &and(&b, &c)?)?, &and(&and(&a, &b)?, &c)?)?;
        same("a & (b | c) = a & b | a & c", &and(&a, &or(&b, &c)?)?, &or(&and(&a, &b)?, &and(&a, &c)?)?)?;
        same("a | b & c = (a | b) & (a | c)", &or(&a, &and(&b, &c)?)?, &and(&or(&a, &b)?, &or(&a, &c)?)?)?;
        same("a | a & b = a", &or(&a, &and(&a, &b)?)?, &a)?;
        same("a & (a | b) = a", &and(&a, &or(&a, &b)?)?, &a)?;
        same("!(a | b) = !a & !b", &not(&or(&a, &b)?)?, &and(&not(&a)?, &not(&b)?)?)?;
        same("!(a & b) = !a | !b", &not(&and(&a, &b)?)?, &or(&not(&a)?, &not(&b)?)?)?;
        same("!!a = a", &not(&not(&a)?)?, &a)?;
        same("a | !a = full", &or(&a, &not(&a)?)?, &full)?;
        same("a & !a = empty", &and(&a, &not(&a)?)?, &empty)?;
        same("a | empty = a", &or(&a, &empty)?, &a)?;
        same("a & full = a", &and(&a, &full)?, &a)?;
        same("a | full = full", &or(&a, &full)?, &full)?;
        same("a & empty = empty", &and(&a, &empty)?, &empty)?;
        same("a | a = a", &or(&a, &a)?, &a)?;
        same("a & a = a", &and(&a, &a)?, &a)?;
        same("!empty = full", &not(&empty)?, &full)?;
        same("!full = empty", &not(&full)?, &empty)?;
        same("a - b = a & !b", &go(algebra.difference(&a, &b))?, &and(&a, &not(&b)?)?)?;

        let before = (or(&a, &b)?, and(&a, &b)?, not(&c)?);
        algebra.forget();
        same("a | b after forget", &or(&a, &b)?, &before.0)?;
        same("a & b after forget", &and(&a, &b)?, &before.1)?;
        same("!c after forget", &not(&c)?, &before.2)?;

        let some = go(algebra.pick(&a))?;
        prop_assert_eq!(some.is_none(), go(algebra.is_empty(&a))?);
        prop_assert!(
            !some.map_or(Ok(false), |some| go(algebra.contains(&not(&a)?, some)))?,
            "the picked member is also in the complement"
        );
        Ok(())
    })
}

/// Minterms in every way are exactly the non-empty regions of the Venn diagram that a sweep over the
/// alphabet finds, with the right indices, each once; so they are disjoint and cover it. A budget of no steps
/// stops each method.
pub fn minterms<A: BooleanAlgebra>(algebra: &A, cases: u32) -> Result<(), String> {
    let alphabet = algebra.alphabet();
    // Some of the sets again, either the same value or one computed on another way.
    let input = (vec(sets(alphabet), 0..5), vec((any::<Index>(), any::<bool>()), 0..3));
    run(cases, input, |(mut models, again)| {
        let mut values = models.iter().map(|model| built(algebra, model)).collect::<Result<Vec<_>, _>>()?;
        for (index, computed) in again {
            if models.is_empty() {
                break;
            }
            let index = index.index(models.len());
            let value = values[index].clone();
            values.push(if computed {
                go(algebra.complement(&go(algebra.complement(&value))?))?
            } else {
                value
            });
            models.push(models[index].clone());
        }

        let expected = regions(alphabet, &models);
        let points = points(alphabet, &models);
        let equal = |method| EqualSets::ALL.map(|equal_sets| MintermWay { method, equal_sets });
        for way in MintermMethod::ALL.into_iter().flat_map(equal) {
            let found = go(algebra.minterms(&values, way, &Budget::unlimited()))?;
            prop_assert_eq!(found.len(), expected.len(), "number of minterms by {:?}", way);
            let mut cover = algebra.empty();
            for (indices, set) in &found {
                let Some(region) = expected.get(indices) else {
                    return Err(TestCaseError::fail(format!("{indices:?} is no minterm, says {way:?}")));
                };
                agree(algebra, set, region, &points)?;
                prop_assert!(go(algebra.is_empty(&go(algebra.intersection(&cover, set))?))?, "disjoint");
                cover = go(algebra.union(&cover, set))?;
            }
            same(algebra, "minterms cover the alphabet", &cover, &algebra.full())?;

            if !values.is_empty() {
                let stopped = algebra.minterms(&values, way, &Budget::with_steps(0));
                prop_assert_eq!(stopped.err(), Some(Stop::Steps(0)));
            }
        }
        Ok(())
    })
}

/// Sets with edges where something may go wrong: the ends of the alphabet, powers of two, the classes' edges.
fn sets(alphabet: Alphabet) -> impl Strategy<Value = CharSet> {
    let max = alphabet.max().0;
    let mut edges: Vec<u32> = (0..alphabet.bits()).flat_map(|bit| [(1 << bit) - 1, 1 << bit]).collect();
    edges.extend(b"09AZ_az".map(u32::from));
    edges.extend([max / 2, max - 1, max]);
    let length = prop_oneof![3 => Just(0), 3 => 0..30_u32, 1 => 0..=max];
    let range = (prop_oneof![select(edges), 0..=max], length)
        .prop_map(move |(low, length)| (low, low.saturating_add(length).min(max)));
    let word = CharSet::from_ranges([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]);
    prop_oneof![
        1 => Just(CharSet::empty()),
        1 => Just(CharSet::full(alphabet)),
        1 => Just(word),
        9 => vec(range, 1..6).prop_map(CharSet::from_ranges),
    ]
}

/// The characters to ask about: all of a small alphabet, else both sides of every edge; and one beyond it.
fn points<'a>(alphabet: Alphabet, sets: impl IntoIterator<Item = &'a CharSet>) -> Vec<Char> {
    let max = alphabet.max().0;
    let mut points: Vec<u32> = if max <= 0xFF { (0..=max).collect() } else { vec![0, max] };
    for set in sets {
        for &(low, high) in set.ranges() {
            points.extend([low.saturating_sub(1), low, high, high.saturating_add(1)]);
        }
    }
    points.push(max + 1);
    points.sort_unstable();
    points.dedup();
    points.into_iter().map(Char).collect()
}

/// The non-empty regions of the Venn diagram: by the indices of the sets that they are inside of.
fn regions(alphabet: Alphabet, sets: &[CharSet]) -> BTreeMap<Vec<usize>, CharSet> {
    let end = alphabet.size();
    let mut edges: Vec<u32> = sets.iter().flat_map(CharSet::ranges).flat_map(|r| [r.0, r.1 + 1]).collect();
    edges.extend([0, end]);
    edges.sort_unstable();
    edges.dedup();
    let mut regions: BTreeMap<Vec<usize>, Vec<(u32, u32)>> = BTreeMap::new();
    for pair in edges.windows(2) {
        // Between two neighbouring edges nothing changes, so the first character speaks for all.
        let inside = (0..sets.len()).filter(|&i| sets[i].contains(Char(pair[0]))).collect();
        regions.entry(inside).or_default().push((pair[0], pair[1] - 1));
    }
    regions.into_iter().map(|(inside, ranges)| (inside, CharSet::from_ranges(ranges))).collect()
}

/// The algebra's set of the reference's ranges.
fn built<A: BooleanAlgebra>(algebra: &A, model: &CharSet) -> Result<A::Set, TestCaseError> {
    go(algebra.of_ranges(model.ranges()))
}

/// `set` has the characters of `model`, by everything that can be asked.
fn agree<A: BooleanAlgebra>(algebra: &A, set: &A::Set, model: &CharSet, points: &[Char]) -> TestCaseResult {
    for &c in points {
        prop_assert_eq!(go(algebra.contains(set, c))?, model.contains(c), "whether {:?} is in it", c);
    }
    prop_assert_eq!(go(algebra.is_empty(set))?, model.is_empty());
    match go(algebra.pick(set))? {
        Some(c) => prop_assert!(model.contains(c), "{:?} was picked and is not in it", c),
        None => prop_assert!(model.is_empty(), "nothing was picked"),
    }
    same(algebra, "computed = built from ranges", set, &built(algebra, model)?)
}

/// Two values are the same set, whichever way it is asked.
fn same<A: BooleanAlgebra>(algebra: &A, law: &str, x: &A::Set, y: &A::Set) -> TestCaseResult {
    prop_assert!(go(algebra.equal(x, y))?, "{}", law);
    prop_assert!(go(algebra.equal(y, x))?, "{}, the other way round", law);
    if A::CANONICAL {
        prop_assert!(x == y, "{}: equal sets that are not equal values", law);
    }
    if x == y {
        let hash = |set| FxBuildHasher.hash_one(set);
        prop_assert_eq!(hash(x), hash(y), "{}: hashes of equal values", law);
    }
    Ok(())
}

/// A result, or a failed case.
fn go<T, E: Display>(result: Result<T, E>) -> Result<T, TestCaseError> {
    result.map_err(|error| TestCaseError::fail(error.to_string()))
}

/// Runs a property on values of a strategy.
fn run<S: Strategy>(
    cases: u32,
    values: S,
    property: impl Fn(S::Value) -> TestCaseResult,
) -> Result<(), String> {
    let mut config = Config { cases, failure_persistence: None, ..Config::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x5EED);
    }
    TestRunner::new(config).run(&values, property).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BddAlgebra, HashSetAlgebra, PairAlgebra, RangeAlgebra};

    law_battery!(ranges, RangeAlgebra::new, [256; 4]);
    law_battery!(bdd, BddAlgebra::new, [256; 4]);
    law_battery!(hashset, HashSetAlgebra::new, [128, 128, 12, 6]);
    law_battery!(pairs, PairAlgebra::new, [256; 4]);

    #[test]
    fn the_sweep_finds_figure_3_3() {
        let sets = [CharSet::from_ranges([(10, 20)]), CharSet::from_ranges([(15, 30)])];
        let found: Vec<_> = regions(Alphabet::Ascii, &sets).into_iter().collect();
        let region = |ranges: &[(u32, u32)]| CharSet::from_ranges(ranges.iter().copied());
        assert_eq!(
            found,
            [
                (vec![], region(&[(0, 9), (31, 127)])),
                (vec![0], region(&[(10, 14)])),
                (vec![0, 1], region(&[(15, 20)])),
                (vec![1], region(&[(21, 30)])),
            ]
        );
    }
}
