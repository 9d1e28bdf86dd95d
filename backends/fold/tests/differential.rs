//! The strategies' own meanings against the judge's, which share no code: random expressions on random words,
//! and random terms of every function of the theory on random values.
//!
//! A term is drawn from a list of numbers, each choice taking the next one, and zeros give the simplest term;
//! so shorter lists and smaller numbers are simpler terms, and what fails shrinks.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::sync::Arc;

use backends_fold::{Evaluator, Failure, Limits};
use harness_check::eval::{EvalError, Evaluator as Judge};
use harness_check::matcher;
use harness_model::int::Int;
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use harness_theory::lower::{self, Definition};
use harness_theory::rounding::RoundingMode;
use harness_theory::{
    Assignment, CoreOp, JavaOp, Op, Problem, ReOp, Shape, Sort, StrOp, Term, TermId, Terms, Value, VarId,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Letters whose order, case, value as digits and place in the alphabets differ.
const CODES: [u32; 12] = [0x61, 0x62, 0x41, 0x30, 0x39, 0x20, 0x2D, 0, 0x7F, 0xD800, 0xDC00, 0x2_FFFF];

struct Draw<'a> {
    terms: &'a mut Terms,
    choices: std::slice::Iter<'a, u16>,
    alphabet: Alphabet,
    variables: Vec<(VarId, Sort)>,
}

impl Draw<'_> {
    fn choose(&mut self, among: usize) -> usize {
        usize::from(self.choices.next().copied().unwrap_or(0)) % among
    }

    fn index(&mut self) -> u32 {
        u32::try_from(self.choose(5)).unwrap()
    }

    fn word(&mut self) -> SmtString {
        let known: Vec<u32> = CODES.into_iter().filter(|&c| self.alphabet.contains(Char(c))).collect();
        // Few letters make words in which others occur; surrogates side by side make pairs.
        let letters = match self.choose(4) {
            0 | 1 => &known[..2],
            2 => known.as_slice(),
            _ if self.alphabet == Alphabet::Utf16 => &[0xD800, 0xDC00],
            _ => &known[..2],
        };
        let length = self.choose(7);
        (0..length).map(|_| Char(letters[self.choose(letters.len())])).collect()
    }

    fn int(&mut self) -> Int {
        const NUMBERS: [i64; 15] = [0, 1, 2, 3, -1, -2, 4, 7, 12, 48, 97, 127, 0x1_0000, 196_608, i64::MAX];
        Int::from(NUMBERS[self.choose(NUMBERS.len())])
    }

    fn leaf(&mut self, sort: Sort) -> TermId {
        let known: Vec<VarId> = self.variables.iter().filter(|(_, s)| *s == sort).map(|(v, _)| *v).collect();
        if !known.is_empty() && self.choose(2) == 1 {
            let variable = known[self.choose(known.len())];
            return self.terms.var(variable);
        }
        match sort {
            Sort::Bool => {
                let value = self.choose(2) == 1;
                self.terms.bool(value)
            }
            Sort::Int => {
                let value = self.int();
                self.terms.int(value)
            }
            Sort::String => {
                let word = self.word();
                self.terms.string(word)
            }
            Sort::RegLan => {
                let word = self.leaf(Sort::String);
                self.terms.app(ReOp::ToRe, &[word]).unwrap()
            }
        }
    }

    fn term(&mut self, sort: Sort, depth: u32) -> TermId {
        if depth == 0 || self.choose(4) == 0 {
            return self.leaf(sort);
        }
        let ops: Vec<Op> = Op::all().filter(|op| op.result().is_none_or(|made| made == sort)).collect();
        let op = ops[self.choose(ops.len())];
        self.application(op, sort, depth)
    }

    fn application(&mut self, op: Op, sort: Sort, depth: u32) -> TermId {
        let op = op.with_indices(|| self.index());
        let sorts: Vec<Sort> = match op.shape() {
            Shape::Fixed(sorts) | Shape::AtLeast(_, sorts) => sorts.to_vec(),
            Shape::Many(sort) | Shape::Chain(sort) => vec![sort; 2 + self.choose(2)],
            Shape::Equality => {
                let sort = [Sort::String, Sort::Int, Sort::Bool, Sort::RegLan][self.choose(4)];
                vec![sort; 2 + self.choose(2)]
            }
            Shape::Choice => vec![Sort::Bool, sort, sort],
        };
        let mut arguments: Vec<TermId> = sorts.into_iter().map(|sort| self.term(sort, depth - 1)).collect();
        if let Op::Java(op) = op {
            self.literals(op, &mut arguments);
        }
        self.terms.app(op, &arguments).unwrap()
    }

    /// Puts literals where the operation wants some, and leaves out an argument now and then.
    fn literals(&mut self, op: JavaOp, arguments: &mut Vec<TermId>) {
        if matches!(op.shape(), Shape::AtLeast(..)) && self.choose(2) == 1 {
            arguments.pop();
        }
        if op.check_literals(self.terms, arguments).is_ok() {
            return;
        }
        for argument in arguments.iter_mut().skip(1) {
            let number = i64::from(self.index());
            match self.terms.sort(*argument) {
                Sort::Int => *argument = self.terms.int(number),
                Sort::Bool => *argument = self.terms.bool(number % 2 == 1),
                Sort::String | Sort::RegLan => {}
            }
        }
        if op == JavaOp::Decimal {
            let text = ["12", "-0.5", "+7"][self.choose(3)];
            arguments[0] = self.terms.string(text);
            arguments[1] = self.terms.int(3_i64);
        }
        if let Some(mode) = arguments.get_mut(3).filter(|_| op == JavaOp::SetScale) {
            *mode = self.terms.string(RoundingMode::ALL[self.choices.len() % 9].name());
        }
    }
}

/// Whether both give no value for the same reason.
fn same_failure(ours: &Failure, theirs: &EvalError) -> bool {
    match ours {
        Failure::DivisionByZero => *theirs == EvalError::DivisionByZero,
        Failure::LanguageEquality => *theirs == EvalError::LanguageEquality,
        Failure::LanguageVariable(_) => matches!(theirs, EvalError::LanguageVariable(_)),
        Failure::Sort { .. } => matches!(theirs, EvalError::Sort { .. }),
        Failure::Foreign { .. } => matches!(theirs, EvalError::Foreign { .. }),
        Failure::NotWrittenOut(_) => false,
        Failure::Limit(_) => matches!(theirs, EvalError::Limit(_)),
    }
}

/// Compares the two on one application of `op`; whether there was a value.
fn compare(op: Op, choices: &[u16]) -> Result<bool, TestCaseError> {
    let alphabet = Alphabet::ALL[usize::from(choices.first().copied().unwrap_or(0)) % 4];
    let mut terms = Terms::new();
    let variables: Vec<(VarId, Sort)> = [Sort::String, Sort::String, Sort::Int, Sort::Bool]
        .into_iter()
        .enumerate()
        .map(|(i, sort)| (terms.variable(format!("x{i}"), sort), sort))
        .collect();
    let mut draw =
        Draw { terms: &mut terms, choices: choices.iter(), alphabet, variables: variables.clone() };
    draw.choose(1);
    let mut assignment = Assignment::new();
    for (variable, sort) in variables {
        let value = match sort {
            Sort::String => Value::String(draw.word()),
            Sort::Int => Value::Int(draw.int()),
            Sort::Bool | Sort::RegLan => Value::Bool(draw.choose(2) == 1),
        };
        assignment.insert(variable, value);
    }
    let sort = op.result().unwrap_or(Sort::String);
    let mut term = draw.application(op, sort, 3);
    if sort == Sort::RegLan {
        let word = draw.term(Sort::String, 1);
        term = draw.terms.app(StrOp::InRe, &[word, term]).unwrap();
    }
    let mut theirs = Judge::new(&terms, &[term], alphabet);
    theirs.run(&assignment).unwrap();
    if terms.cone(&[term]).iter().any(|&id| matches!(terms.get(id), Term::App(Op::Java(_), _))) {
        let theirs = theirs.value(0);
        return compare_written_out(terms, term, &theirs, &assignment, alphabet);
    }
    let mut ours = Evaluator::new(&terms, &[term], alphabet);
    ours.run(&assignment).unwrap();
    match (ours.value(0), theirs.value(0)) {
        (Ok(ours), Ok(theirs)) => {
            prop_assert_eq!(ours, theirs, "{:?} under {:?}", terms, assignment);
            Ok(true)
        }
        (Err(ours), Err(theirs)) if same_failure(&ours, &theirs) => Ok(false),
        (ours, theirs) => {
            prop_assert!(false, "{:?} is not {:?}: {:?} under {:?}", ours, theirs, terms, assignment);
            Ok(false)
        }
    }
}

/// Compares the judge's value of a term with operations of Java with the term when these are written out;
/// whether there was a value.
fn compare_written_out(
    mut terms: Terms,
    term: TermId,
    theirs: &Result<Option<Value>, EvalError>,
    assignment: &Assignment,
    alphabet: Alphabet,
) -> Result<bool, TestCaseError> {
    let value = match theirs {
        Ok(Some(Value::Bool(value))) => terms.bool(*value),
        Ok(Some(Value::Int(value))) => terms.int(value.clone()),
        Ok(Some(Value::String(value))) => terms.string(value.clone()),
        Err(EvalError::Undefined) => term,
        Ok(None) | Err(_) => return Ok(false),
    };
    let equal = terms.app(CoreOp::Eq, &[term, value]).unwrap();
    let problem = Problem { terms: Arc::new(terms), variables: Vec::new(), assertions: vec![equal] };
    let native = |op| matches!(op, Op::Java(op) if matches!(op.definition(), Definition::Constraints(_)));
    let written_out = lower::unfold(&problem, alphabet, native).unwrap();
    let mut ours = Evaluator::new(&written_out.terms, &written_out.assertions, alphabet);
    ours.run(assignment).unwrap();
    let holds: Vec<_> = (0..written_out.assertions.len()).map(|root| ours.bool(root)).collect();
    // The judge passes over a term without a value in a branch that is not taken; written out, the condition
    // under which an operation on that term is defined has no value either.
    let has_no_value = |holds: &Result<_, Failure>| {
        matches!(holds, Err(Failure::DivisionByZero | Failure::LanguageEquality | Failure::Limit(_)))
    };
    if holds.iter().any(has_no_value) {
        return Ok(false);
    }
    if theirs.is_ok() {
        prop_assert!(holds.iter().all(|h| *h == Ok(true)), "{:?} {:?} {:?}", holds, problem, assignment);
    } else {
        prop_assert!(holds.contains(&Ok(false)), "{:?} {:?} {:?}", holds, problem, assignment);
    }
    Ok(true)
}

#[test]
fn every_function_means_the_same_on_both_sides() {
    let mut valued: BTreeMap<&str, u32> = BTreeMap::new();
    for op in Op::all() {
        let mut runner =
            TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
        let count = std::cell::Cell::new(0);
        let result = runner.run(&prop::collection::vec(any::<u16>(), 0..80), |choices| {
            count.set(count.get() + u32::from(compare(op, &choices)?));
            Ok(())
        });
        if let Err(error) = result {
            panic!("{}: {error}", op.name());
        }
        *valued.entry(op.name()).or_default() += count.get();
    }
    // A function that hardly ever had a value would not be tested.
    assert!(valued.values().all(|&count| count >= 100), "{valued:?}");
}

fn regexes() -> impl Strategy<Value = Regex> {
    let set = prop::collection::vec((96_u32..99, 0_u32..2), 0..3).prop_map(|ranges| {
        Regex::set(CharSet::from_ranges(ranges.into_iter().map(|(low, length)| (low, low + length))))
    });
    let leaf = prop_oneof![4 => set, 1 => Just(Regex::Epsilon), 1 => Just(Regex::Empty)];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let several = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            3 => several.clone().prop_map(Regex::concat),
            2 => several.clone().prop_map(Regex::union),
            1 => several.prop_map(|parts| Regex::Inter(parts.into())),
            1 => inner.clone().prop_map(|inner| Regex::Complement(inner.into())),
            3 => (inner, 0_u32..4, prop::option::of(0_u32..5))
                .prop_map(|(inner, min, max)| inner.repeat(min, max)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn a_word_is_in_the_same_languages_on_both_sides(
        regex in regexes(),
        words in prop::collection::vec(prop::collection::vec(96_u32..100, 0..9), 12),
    ) {
        for word in words {
            let word: SmtString = word.into_iter().map(Char).collect();
            let ours = backends_fold::matches(&regex, word.chars(), Limits::default().steps);
            prop_assert_eq!(ours, Ok(matcher::matches(&regex, &word)), "{:?}", word);
        }
    }
}

/// Repeats of one expression side by side, with something before and behind: what the derivatives join.
fn repeats_side_by_side() -> impl Strategy<Value = Regex> {
    let lit = |text: &str| Regex::literal(&SmtString::from(text));
    let inner = prop_oneof![
        Just(lit("a")),
        Just(lit("ab")),
        Just(Regex::union([lit("a"), lit("aa")])),
        Just(Regex::union([lit("a"), Regex::Epsilon])),
    ];
    let counts = prop::collection::vec((0_u32..6, prop::option::of(0_u32..7)), 2..4);
    let around = || prop::sample::select(vec!["", "a", "b"]);
    (inner, counts, around(), around()).prop_map(move |(inner, counts, before, behind)| {
        let member = |(min, max)| Regex::concat([lit(before), inner.clone().repeat(min, max), lit(behind)]);
        Regex::union(counts.into_iter().map(member))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn repeats_are_joined_only_where_no_count_lies_between(
        regex in repeats_side_by_side(),
        words in prop::collection::vec("a{0,9}|(ab){0,6}|[ab]{0,8}", 12),
    ) {
        for word in words {
            let word = SmtString::from(word.as_str());
            let ours = backends_fold::matches(&regex, word.chars(), Limits::default().steps);
            prop_assert_eq!(ours, Ok(matcher::matches(&regex, &word)), "{:?}", word);
        }
    }
}

/// What once differed, or could easily differ.
#[test]
fn cases() {
    let lit = |text: &str| Regex::literal(&SmtString::from(text));
    let any = Regex::set(CharSet::full(Alphabet::Ascii)).star();
    let no_aa = Regex::Complement(Regex::concat([any.clone(), lit("aa"), any]).into());
    let cases = [
        (Regex::concat([no_aa, lit("c")]), vec!["c", "abac", "aac", "", "aabc"]),
        (Regex::Inter([].into()), vec!["", "a"]),
        (Regex::union([lit("aa"), lit("aaaaa")]).repeat(4, Some(4)), vec!["aaaaaaaa", "aaaaaaaaa", ""]),
        (Regex::union([lit("a"), Regex::Epsilon]).repeat(3, Some(2)), vec!["", "a"]),
        (lit("ab").repeat(2, Some(3)).repeat(0, Some(2)), vec!["", "ab", "abab", "ababababababab"]),
        (Regex::union([lit("a").repeat(1, Some(2)), lit("a").repeat(4, Some(5))]), vec!["a", "aaa", "aaaa"]),
        (
            Regex::concat([lit("a").repeat(0, Some(3)), lit("a").repeat(2, None), lit("b")]),
            vec!["aab", "ab", "aaaaaab"],
        ),
    ];
    for (regex, words) in cases {
        for word in words {
            let word = SmtString::from(word);
            let ours = backends_fold::matches(&regex, word.chars(), Limits::default().steps);
            assert_eq!(ours, Ok(matcher::matches(&regex, &word)), "{word:?} {regex:?}");
        }
    }
}
