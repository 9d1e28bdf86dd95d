//! Boolean structure that its own assertions decide is no reason to refuse a problem: what string graphs say
//! of such problems is what Z3 says, and what a refutation names is unsatisfiable.

#![cfg(feature = "z3")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::time::Duration;

use backends_api::{BackendError, Budget, Probe, Strategy};
use backends_graph::StringGraph;
use backends_graph::interchange::Solution;
use backends_graph::strategy::GraphSolver;
use backends_graph::testkit::Draw;
use backends_interval::AutomataOnly;
use backends_z3::NativeStrategy;
use harness_model::{Alphabet, Question, Verdict};

const DECLARATIONS: &str = "(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)(declare-const d Bool)\
    (declare-const s String)(declare-const t String)(declare-const i Int)";
const GUARDS: [&str; 4] = ["a", "b", "c", "d"];
/// Many exclude each other.
const PREDICATES: [&str; 12] = [
    "(= s t)",
    "(= s \"ab\")",
    "(= t \"b\")",
    "(= t (str.++ s \"c\"))",
    "(str.prefixof \"a\" s)",
    "(str.suffixof \"b\" t)",
    "(str.contains s \"b\")",
    "(str.in_re t (re.+ (str.to_re \"ab\")))",
    "(= (str.len s) 2)",
    "(= (str.indexof s \"b\" 0) i)",
    "(= i 1)",
    "(= (str.replace s \"a\" \"c\") t)",
];
const STRATEGIES: [&str; 4] = ["graph-automata-ranges", "automata-only", "parray+automata", "hybrid"];

/// A Boolean term of guards and predicates.
fn formula(draw: &mut Draw, depth: usize) -> String {
    if depth == 0 || draw.below(4) == 0 {
        let all = [GUARDS.as_slice(), PREDICATES.as_slice()].concat();
        let atom = if draw.below(2) == 0 { GUARDS[draw.below(4)] } else { all[draw.below(all.len())] };
        return if draw.below(3) == 0 { format!("(not {atom})") } else { atom.to_owned() };
    }
    let mut next = || formula(draw, depth - 1);
    let (x, y, z) = (next(), next(), next());
    match draw.below(9) {
        0 => format!("(=> {x} {y})"),
        1 => format!("(=> {x} {y} {z})"),
        2 => format!("(or {x} {y} {z})"),
        3 => format!("(and {x} {y})"),
        4 => format!("(xor {x} {y} {z})"),
        5 => format!("(= {x} {y})"),
        6 => format!("(distinct {x} {y})"),
        7 => format!("(= s (ite {x} t \"ab\"))"),
        _ => format!("(ite {x} {y} {z})"),
    }
}

/// Formulas, and the values of the guards, or of all but one of them; in any order.
fn assertions(draw: &mut Draw) -> Vec<String> {
    let count = 1 + draw.below(4);
    let mut all: Vec<String> = (0..count).map(|_| formula(draw, 2)).collect();
    let open = draw.below(8);
    for (place, guard) in GUARDS.iter().enumerate() {
        if place != open {
            let value = if draw.below(2) == 0 { (*guard).to_owned() } else { format!("(not {guard})") };
            all.insert(draw.below(all.len() + 1), value);
        }
    }
    all
}

fn script(assertions: &[String]) -> String {
    let assertions: String = assertions.iter().map(|a| format!("(assert {a})")).collect();
    format!("{DECLARATIONS}{assertions}(check-sat)")
}

/// What a strategy says; `None` where it takes too long or refuses.
fn verdict(strategy: &dyn Strategy, text: String) -> Option<Verdict> {
    let question = Question::of_script(Alphabet::Ascii, text, 1);
    let (budget, probe) = (Budget::with_time(Duration::from_secs(1)), Probe::new());
    match strategy.prepare(&question, &budget, &probe).unwrap().run(&probe) {
        Ok(outcome) => Some(outcome.answers[0].verdict),
        Err(BackendError::Stopped(_) | BackendError::Unsupported(_)) => None,
        Err(error) => panic!("{error}: {question:?}"),
    }
}

#[test]
fn decided_guards_are_answered_as_z3_answers_them() {
    let registry = backends::registry();
    let strategies = STRATEGIES.map(|name| registry.resolve(name).unwrap().build());
    let (mut sat, mut unsat, mut refused) = ([0; STRATEGIES.len()], [0; STRATEGIES.len()], 0);
    for seed in 0..120 {
        let drawn = assertions(&mut Draw::new(seed));
        let Some(right @ (Verdict::Sat | Verdict::Unsat)) = verdict(&NativeStrategy, script(&drawn)) else {
            continue;
        };
        for (place, strategy) in strategies.iter().enumerate() {
            match verdict(strategy.as_ref(), script(&drawn)) {
                Some(said @ (Verdict::Sat | Verdict::Unsat)) => {
                    assert_eq!(said, right, "{}, seed {seed}: {drawn:?}", STRATEGIES[place]);
                    (if said == Verdict::Sat { &mut sat } else { &mut unsat })[place] += 1;
                }
                Some(_) => {}
                None => refused += 1,
            }
        }
    }
    // Few are open where a guard is: the others are conjunctions.
    for (place, name) in STRATEGIES.iter().enumerate() {
        assert!(sat[place] > 20 && unsat[place] > 20, "{name}: {sat:?} {unsat:?}, refused {refused}");
    }
}

#[test]
fn refutations_name_guards_that_they_need() {
    let (mut cores, mut smaller) = (0, 0);
    for seed in 1000..1200 {
        let drawn = assertions(&mut Draw::new(seed));
        let read = harness_smtlib::read(script(&drawn).as_bytes()).unwrap();
        let problem = &read.queries[0].problem;
        let Ok(graph) = StringGraph::of_problem(problem, Alphabet::Ascii) else { continue };
        let budget = Budget::with_time(Duration::from_secs(1));
        let solved = AutomataOnly::default().solve(&graph, &budget, &Probe::new());
        let Ok(Solution::Unsat(Some(core))) = solved else { continue };
        let named: Vec<String> = core.iter().map(|assertion| drawn[assertion].clone()).collect();
        assert_ne!(
            verdict(&NativeStrategy, script(&named)),
            Some(Verdict::Sat),
            "{seed}: {named:?} of {drawn:?}"
        );
        cores += 1;
        smaller += u32::from(named.len() < drawn.len());
    }
    assert!(cores > 40 && smaller > 30, "{cores} cores, {smaller} of them smaller than the problem");
}
