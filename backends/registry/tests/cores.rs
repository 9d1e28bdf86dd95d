//! The assertions that a refutation names are unsatisfiable by themselves, as Z3 says.

#![cfg(feature = "z3")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::time::Duration;

use backends_algebra::RangeAlgebra;
use backends_api::{BackendError, Budget, Probe, Strategy};
use backends_graph::interchange::{Solution, solve};
use backends_graph::strategy::GraphSolver;
use backends_graph::testkit::Draw;
use backends_graph::{Options, StringGraph};
use backends_graph_automata::AutomataSolvers;
use backends_interval::AutomataOnly;
use backends_z3::{NativeStrategy, Z3Integers};
use harness_model::{Alphabet, Question, Verdict};

const DECLARATIONS: &str = "(declare-const s String)(declare-const t String)(declare-const u String)\
    (declare-const i Int)(declare-const j Int)";

/// What assertions are drawn from: many contradict each other, through strings, lengths, places or merged
/// variables.
const ASSERTIONS: &[&str] = &[
    "(= s t)",
    "(= t u)",
    "(= s \"abc\")",
    "(= u \"xyz\")",
    "(not (= s u))",
    "(= i 2)",
    "(= j i)",
    "(= (str.len s) i)",
    "(= (str.len t) 4)",
    "(> (str.len u) 5)",
    "(< (str.len u) j)",
    "(str.prefixof \"ab\" s)",
    "(str.prefixof \"b\" t)",
    "(str.suffixof \"c\" u)",
    "(str.contains s t)",
    "(not (str.contains u \"c\"))",
    "(not (str.contains s \"b\"))",
    "(= u (str.++ s t))",
    "(= (str.++ t \"q\") s)",
    "(str.in_re s (re.* (str.to_re \"ab\")))",
    "(str.in_re t (re.+ (re.range \"0\" \"9\")))",
    "(str.in_re u ((_ re.loop 1 3) (re.range \"a\" \"c\")))",
    "(= (str.at s i) \"z\")",
    "(= (str.substr u 1 j) \"qq\")",
    "(= (str.indexof s \"b\" 0) j)",
    "(= (str.indexof u \"a\" 0) (- 1))",
    "(= (str.to_int t) i)",
    "(= (str.from_int j) u)",
    "(str.< s \"a\")",
    "(and (<= 0 i) (< i (str.len s)) (= (str.to_code (str.at s i)) 120))",
    "(= (java.charAt s i) 120)",
    "(= (java.trim u) t)",
    "(= (java.parseInt t) j)",
    "(= (java.lastIndexOf u \"c\") 1)",
    "(>= j 7)",
    "(or (= i 0) (= i 5))",
    "(and (= t \"a1\") (not (= j 3)))",
];

fn script(assertions: &[&str]) -> String {
    let assertions: String = assertions.iter().map(|a| format!("(assert {a})")).collect();
    format!("{DECLARATIONS}{assertions}(check-sat)")
}

/// What Z3 says; `None` where it takes too long.
fn verdict(text: String) -> Option<Verdict> {
    let question = Question::of_script(Alphabet::Ascii, text, 1);
    let (budget, probe) = (Budget::with_time(Duration::from_secs(1)), Probe::new());
    match NativeStrategy.prepare(&question, &budget, &probe).unwrap().run(&probe) {
        Ok(outcome) => Some(outcome.answers[0].verdict),
        Err(BackendError::Stopped(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// How many cores Z3 confirmed, and how many of these leave assertions out.
fn check(
    solver: &dyn Fn(&StringGraph, &Budget) -> Option<Solution>,
    seeds: std::ops::Range<u64>,
) -> (u32, u32) {
    let (mut cores, mut smaller) = (0, 0);
    for seed in seeds {
        let mut draw = Draw::new(seed);
        let count = 3 + draw.below(6);
        let drawn: Vec<&str> = (0..count).map(|_| ASSERTIONS[draw.below(ASSERTIONS.len())]).collect();
        let script_of = harness_smtlib::read(script(&drawn).as_bytes()).unwrap();
        let problem = &script_of.queries[0].problem;
        let Ok(graph) = StringGraph::of_problem(problem, Alphabet::Ascii) else { continue };
        let budget = Budget::with_time(Duration::from_secs(2));
        let Some(Solution::Unsat(Some(core))) = solver(&graph, &budget) else { continue };
        assert_eq!(problem.assertions.len(), drawn.len(), "one for each");
        let named: Vec<&str> = core.iter().map(|assertion| drawn[assertion]).collect();
        let verdict = verdict(script(&named));
        assert_ne!(verdict, Some(Verdict::Sat), "seed {seed}: {named:?} of {drawn:?}");
        if verdict == Some(Verdict::Unsat) {
            cores += 1;
            smaller += u32::from(named.len() < drawn.len());
        }
    }
    (cores, smaller)
}

#[test]
fn automata_of_every_length_name_assertions_that_clash() {
    let solver = |graph: &StringGraph, budget: &Budget| {
        let strings = AutomataSolvers::free(RangeAlgebra::new);
        solve(graph, &Options::default(), &Z3Integers::default(), &strings, budget, &Probe::new()).ok()
    };
    let (cores, smaller) = check(&solver, 0..200);
    assert!(cores > 50 && smaller > 40, "{cores} cores, {smaller} of them smaller than the problem");
}

#[test]
fn interval_automata_name_assertions_that_clash() {
    let solver = |graph: &StringGraph, budget: &Budget| {
        AutomataOnly::default().solve(graph, budget, &Probe::new()).ok()
    };
    let (cores, smaller) = check(&solver, 0..200);
    assert!(cores > 50 && smaller > 40, "{cores} cores, {smaller} of them smaller than the problem");
}
