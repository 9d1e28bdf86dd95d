//! Every operation means what it says: held against the trusted matcher on all short words, for random
//! expressions over three letters, in every representation, by every method and in every order.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::cell::Cell;
use std::fmt::Debug;
use std::sync::Arc;

use backends_algebra::{
    BddAlgebra, BooleanAlgebra, EqualSets, HashSetAlgebra, MintermMethod, MintermWay, PairAlgebra,
    RangeAlgebra,
};
use backends_api::{Budget, Stop};
use backends_automata::{
    EpsilonSfa, Order, Search, Sfa, Tally, accepts, complement, construct, determinize, difference,
    difference_witness, eliminate, intersection, intersection_witness, is_empty, make_total, minimize,
    shortest_word, trim,
};
use harness_check::matcher;
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const METHODS: [MintermMethod; 2] = [MintermMethod::RankOrder, MintermMethod::Refinement];
/// Exponential in the number of equal labels: tried with a budget, which is used up now and then; see
/// [`Ended`].
const SEPARATE: MintermWay = MintermWay { method: MintermMethod::RankOrder, equal_sets: EqualSets::Separate };
const SEARCHES: [Search; 4] = [
    Search { order: Order::DepthFirst, once: false },
    Search { order: Order::BreadthFirst, once: false },
    Search { order: Order::DepthFirst, once: true },
    Search { order: Order::BreadthFirst, once: true },
];

/// All words over three letters and one more that few expressions have, up to `length`, shortest first.
fn words(length: usize) -> Vec<SmtString> {
    let mut all: Vec<Vec<Char>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length {
        let upto = all.len();
        for i in from..upto {
            for letter in *b"abcz" {
                let mut word = all[i].clone();
                word.push(letter.into());
                all.push(word);
            }
        }
        from = upto;
    }
    all.into_iter().map(SmtString::from).collect()
}

fn sets() -> impl Strategy<Value = CharSet> {
    prop_oneof![
        8 => prop::sample::subsequence(vec![97u32, 98, 99], 1..=3)
            .prop_map(|chars| CharSet::from_ranges(chars.into_iter().map(|c| (c, c)))),
        1 => Just(CharSet::single(Char(97)).complement(Alphabet::Ascii)),
        1 => Just(CharSet::empty()),
    ]
}

fn regexes() -> impl Strategy<Value = Regex> {
    let leaf = prop_oneof![
        12 => sets().prop_map(Regex::set),
        1 => Just(Regex::Epsilon),
        1 => Just(Regex::Empty),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        let parts = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            5 => parts.clone().prop_map(Regex::concat),
            5 => parts.prop_map(Regex::union),
            4 => (inner.clone(), 0u32..3, prop::option::of(0u32..4))
                .prop_map(|(r, min, more)| r.repeat(min, more.map(|more| min + more))),
            2 => (inner.clone(), 0u32..2, 0u32..3).prop_map(|(r, min, more)| Regex::concat([r]).repeat(min, Some(min + more))),
            1 => prop::collection::vec(inner.clone(), 0..3).prop_map(|parts| Regex::Inter(parts.into())),
            1 => inner.prop_map(|r| Regex::Complement(Arc::new(r))),
        ]
    })
}

/// How many of the operations with [`SEPARATE`] came to an end, and how many were tried.
#[derive(Debug, Default)]
struct Ended {
    ended: Cell<u32>,
    tried: Cell<u32>,
}

impl Ended {
    fn note<T>(&self, result: Result<T, Stop>) -> Option<T> {
        self.tried.set(self.tried.get() + 1);
        self.ended.set(self.ended.get() + u32::from(result.is_ok()));
        result.ok()
    }

    /// Nearly all of small expressions do.
    fn assert_most(&self) {
        assert!(self.tried.get() > 0 && self.ended.get() * 10 >= self.tried.get() * 9, "{self:?}");
    }
}

struct Bench<'e, A> {
    algebra: A,
    budget: Budget,
    separate: &'e Ended,
}

impl<'e, A: BooleanAlgebra> Bench<'e, A> {
    fn new(algebra: A, separate: &'e Ended) -> Self {
        Self { algebra, budget: Budget::with_steps(20_000_000), separate }
    }

    fn epsilon(&self, regex: &Regex) -> EpsilonSfa<A::Set> {
        construct(&self.algebra, regex, &self.budget).unwrap()
    }

    fn free(&self, regex: &Regex) -> Sfa<A::Set> {
        eliminate(&self.algebra, &self.epsilon(regex), &self.budget).unwrap()
    }

    /// Fails unless `automaton` accepts, of the short words, exactly those that `wanted` says.
    fn check(&self, what: impl Debug, automaton: &Sfa<A::Set>, wanted: impl Fn(&SmtString) -> bool) {
        for word in words(4) {
            let said = accepts(&self.algebra, automaton, &word, &self.budget).unwrap();
            assert_eq!(said, wanted(&word), "{what:?} on {word:?} with {}", A::NAME);
        }
    }

    /// Construction and the operations on one automaton.
    fn single(&self, regex: &Regex) {
        let (algebra, budget) = (&self.algebra, &self.budget);
        let inside = |word: &SmtString| matcher::matches(regex, word);
        let free = self.free(regex);
        self.check(("construct", regex), &free, inside);
        self.check(("trim", regex), &trim(&free, budget).unwrap(), inside);
        let total = make_total(algebra, &free, budget).unwrap();
        self.check(("total", regex), &total, inside);
        let mut sizes = Vec::new();
        for method in METHODS {
            let tally = &mut Tally::default();
            let det = determinize(algebra, &free, method, budget, tally).unwrap();
            self.check(("determinize", regex), &det, inside);
            self.assert_deterministic_and_total(&det);
            let not = complement(algebra, &free, method, budget, tally).unwrap();
            self.check(("complement", regex), &not, |w| !inside(w));
            let minimal = minimize(algebra, &free, method, budget, tally).unwrap();
            self.check(("minimize", regex), &minimal, inside);
            self.assert_deterministic_and_total(&minimal);
            let again = complement(algebra, &not, method, budget, tally).unwrap();
            let again = minimize(algebra, &again, method, budget, tally).unwrap();
            assert_eq!(again.states(), minimal.states(), "{regex:?}");
            assert!(minimal.states() <= det.states());
            sizes.push(minimal.states());
        }
        assert_eq!(sizes[0], sizes[1], "{regex:?}");
        let (few, tally) = (Budget::with_steps(20_000), &mut Tally::default());
        if let Some(det) = self.separate.note(determinize(algebra, &free, SEPARATE, &few, tally)) {
            self.check(("determinize, equal labels apart", regex), &det, inside);
            self.assert_deterministic_and_total(&det);
        }
    }

    fn assert_deterministic_and_total(&self, automaton: &Sfa<A::Set>) {
        let algebra = &self.algebra;
        for state in automaton.state_ids() {
            let mut covered = algebra.empty();
            for m in automaton.moves_from(state) {
                let label = automaton.label(m.label);
                assert!(algebra.is_empty(&algebra.intersection(&covered, label).unwrap()).unwrap());
                covered = algebra.union(&covered, label).unwrap();
            }
            assert!(algebra.equal(&covered, &algebra.full()).unwrap());
        }
    }

    /// Products and differences, whole and lazy.
    fn pair(&self, left: &Regex, right: &Regex) {
        let (algebra, budget) = (&self.algebra, &self.budget);
        let (a, b) = (self.free(left), self.free(right));
        let both = |w: &SmtString| matcher::matches(left, w) && matcher::matches(right, w);
        let only = |w: &SmtString| matcher::matches(left, w) && !matcher::matches(right, w);

        let tally = &mut Tally::default();
        let whole = intersection(algebra, &a, &b, budget, tally).unwrap();
        assert_eq!((tally.states, tally.moves), (whole.states() as u64, whole.moves() as u64));
        self.check(("product", left, right), &whole, both);
        let shortest = self.shortest(&whole, both);
        for search in SEARCHES {
            let word = intersection_witness(algebra, &a, &b, search, budget, tally).unwrap();
            self.check_witness((search, left, right), word, shortest, search.order, both);
        }
        for method in METHODS {
            let whole = difference(algebra, &a, &b, method, budget, tally).unwrap();
            self.check(("difference", left, right), &whole, only);
            let shortest = self.shortest(&whole, only);
            for search in SEARCHES {
                let word = difference_witness(algebra, &a, &b, method, search, budget, tally).unwrap();
                self.check_witness((method, search, left, right), word, shortest, search.order, only);
            }
        }
        let few = Budget::with_steps(20_000);
        if let Some(whole) = self.separate.note(difference(algebra, &a, &b, SEPARATE, &few, tally)) {
            self.check(("difference, equal labels apart", left, right), &whole, only);
        }
    }

    /// The length of a shortest word of an automaton, which must agree with the search through all short
    /// words.
    fn shortest(&self, whole: &Sfa<A::Set>, wanted: impl Fn(&SmtString) -> bool) -> Option<usize> {
        let word = shortest_word(&self.algebra, whole, &self.budget).unwrap();
        assert_eq!(is_empty(whole, &self.budget).unwrap(), word.is_none());
        let length = word.map(|word| {
            assert!(wanted(&word), "{word:?}");
            word.len()
        });
        if let Some(first) = words(4).iter().find(|w| wanted(w)) {
            assert_eq!(length, Some(first.len()));
        }
        length
    }

    fn check_witness(
        &self,
        what: impl Debug,
        word: Option<SmtString>,
        shortest: Option<usize>,
        order: Order,
        wanted: impl Fn(&SmtString) -> bool,
    ) {
        assert_eq!(word.is_some(), shortest.is_some(), "{what:?}");
        if let Some(word) = word {
            assert!(wanted(&word), "{what:?} gave {word:?}");
            assert!(order == Order::DepthFirst || Some(word.len()) == shortest, "{what:?}");
        }
    }
}

/// Runs `test` on 96 drawn values.
fn each<S: Strategy>(values: &S, test: impl Fn(S::Value, &Ended)) {
    let config = ProptestConfig { source_file: Some(file!()), ..ProptestConfig::with_cases(96) };
    let ended = Ended::default();
    let test = |value| {
        test(value, &ended);
        Ok(())
    };
    TestRunner::new(config).run(values, test).unwrap();
    ended.assert_most();
}

#[test]
fn one_expression() {
    each(&regexes(), |regex, ended| {
        Bench::new(RangeAlgebra::new(Alphabet::Ascii), ended).single(&regex);
        Bench::new(BddAlgebra::new(Alphabet::Ascii), ended).single(&regex);
    });
}

#[test]
fn two_expressions() {
    each(&(regexes(), regexes()), |(left, right), ended| {
        Bench::new(RangeAlgebra::new(Alphabet::Ascii), ended).pair(&left, &right);
        Bench::new(BddAlgebra::new(Alphabet::Ascii), ended).pair(&left, &right);
        Bench::new(HashSetAlgebra::new(Alphabet::Ascii), ended).pair(&left, &right);
        Bench::new(PairAlgebra::new(Alphabet::Ascii), ended).pair(&left, &right);
    });
}

fn lit(text: &str) -> Regex {
    Regex::literal(&SmtString::from(text))
}

/// An intersection can be the empty word alone, an automaton of one state.
#[test]
fn a_union_with_an_intersection_that_is_the_empty_word() {
    let inter = |a: Regex, b: Regex| Regex::Inter([a.star(), b.star()].into());
    let empty_word = || inter(lit("a"), lit("b"));
    let ended = Ended::default();
    let bench = Bench::new(RangeAlgebra::new(Alphabet::Ascii), &ended);
    bench.single(&Regex::union([lit("c"), empty_word()]));
    bench.single(&Regex::union([empty_word(), lit("c"), lit("ab")]));
    bench.single(&Regex::union([empty_word(), inter(lit("c"), lit("b"))]));
    bench.single(&Regex::union([lit("c"), empty_word()]).star());
}

/// An optional counter around something that starts with a loop: making its initial state final would be
/// wrong.
#[test]
fn a_counter_from_zero_around_a_leading_loop() {
    let regex = Regex::concat([lit("a").star(), lit("b")]).repeat(0, Some(2));
    let ended = Ended::default();
    Bench::new(RangeAlgebra::new(Alphabet::Ascii), &ended).single(&regex);
    ended.assert_most();
}

#[test]
fn the_minimal_automaton_has_the_known_size() {
    // The second last letter is an a: four states for the last two letters, one for words with other
    // characters.
    let ab = Regex::set(CharSet::range(Char(97), Char(98)));
    let regex = Regex::concat([ab.clone().star(), lit("a"), ab]);
    let ended = Ended::default();
    let bench = Bench::new(BddAlgebra::new(Alphabet::Utf16), &ended);
    let free = bench.free(&regex);
    let tally = &mut Tally::default();
    let minimal = minimize(&bench.algebra, &free, MintermMethod::RankOrder, &bench.budget, tally).unwrap();
    assert_eq!(minimal.states(), 5);
}

#[test]
fn operations_stop_when_the_budget_is_used_up() {
    let ended = Ended::default();
    let bench = Bench::new(RangeAlgebra::new(Alphabet::Ascii), &ended);
    let free = bench.free(&Regex::concat([lit("a").star(), lit("ab")]).star());
    let few = Budget::with_steps(3);
    let tally = &mut Tally::default();
    assert!(intersection(&bench.algebra, &free, &free, &few, tally).is_err());
    assert!(difference(&bench.algebra, &free, &free, METHODS[1], &few, tally).is_err());
    assert!(minimize(&bench.algebra, &free, METHODS[1], &few, tally).is_err());
}
