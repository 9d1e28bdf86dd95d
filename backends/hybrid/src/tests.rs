//! Rules, both ways of solving and path trees against brute force.

use std::collections::BTreeMap;

use backends_algebra::{Algebras, RangeAlgebra};
use backends_api::{BackendError, Budget, Family as _, Probe, Strategy};
use backends_bounded::{Bounds as Reach, BruteForce};
use backends_graph::testkit::random::{ABOUT_PARTS, KINDS, complete, each_assignment, random_graph_of};
use backends_graph::testkit::{Draw, brute_force};
use backends_graph::{IntFormula, IntVertex, Solution, StringGraph};
use backends_graph_automata::AutomataSolvers;
use backends_z3::Z3Integers;
use harness_check::matcher::Matcher;
use harness_model::{Alphabet, Answer, CharSet, Question, Verdict, Witness};

use crate::bounds::Bounds;
use crate::facts::{Facts, parsed};
use crate::family::HybridFamily;
use crate::options::{Mode, Options, Split};
use crate::relaxed::Relaxed;
use crate::rules::{RULES, languages_of, numbers_of};
use crate::strategy::TENTATIVE;

fn strings() -> AutomataSolvers<fn(Alphabet) -> RangeAlgebra> {
    AutomataSolvers::free(RangeAlgebra::new)
}

fn strategy(name: &str) -> Box<dyn Strategy> {
    HybridFamily::new(Algebras, Z3Integers::default()).named(name).unwrap()
}

fn question(script: &str, alphabet: Alphabet) -> Question {
    Question::of_script(alphabet, script, script.matches("(check-sat)").count())
}

type Counters = BTreeMap<String, u64>;

fn run(strategy: &dyn Strategy, script: &str) -> Result<(Vec<Answer>, Counters), BackendError> {
    let (question, budget, probe) = (question(script, Alphabet::Ascii), Budget::unlimited(), Probe::new());
    let answers = strategy.prepare(&question, &budget, &probe)?.run(&probe)?.answers;
    Ok((answers, probe.into_parts().1))
}

fn verdicts(strategy_name: &str, script: &str) -> Vec<Verdict> {
    run(&*strategy(strategy_name), script).unwrap().0.iter().map(|answer| answer.verdict).collect()
}

/// Every rule on every solution of `graph` among small assignments: what it derives holds there. How often
/// each rule was applied to a graph with a solution is added to `applied`.
fn try_rules(graph: &StringGraph, length: usize, applied: &mut BTreeMap<&'static str, u64>) {
    let mut graph = graph.clone();
    graph.add_lengths();
    let mut known = graph.definition_formulas();
    known.extend(graph.formulas().iter().cloned());
    let bounds = Bounds::of(&graph, &known);
    let parsed = parsed(&graph);
    let facts = Facts::new(&graph, &bounds, &parsed);
    let mut formulas: Vec<(&str, IntFormula)> = Vec::new();
    let mut languages = Vec::new();
    for rule in RULES {
        numbers_of(rule, &facts, &mut |formula| {
            if formula != IntFormula::Bool(true) {
                formulas.push((rule.number, formula));
            }
        });
        languages_of(rule, &facts, &mut |s, regex| languages.push((rule.number, s, regex)));
    }
    let mut solutions = 0;
    each_assignment(&graph, length, &mut |values, holds| {
        if !holds || solutions >= 40 {
            return;
        }
        let Some((words, numbers)) = complete(&graph, values) else { return };
        solutions += 1;
        let text = || graph.edges().iter().map(|e| graph.edge_text(e)).collect::<Vec<_>>().join("; ");
        for (number, formula) in &formulas {
            let value = |v: IntVertex| numbers[v.index()].clone();
            assert!(formula.eval(&value), "rule {number} fails for {values:?} in {}", text());
        }
        for (number, s, regex) in &languages {
            let word = &words[s.index()];
            let inside = Matcher::new(word.chars()).matches(&regex.clone());
            assert!(inside, "rule {number} excludes {word} for {values:?} in {}", text());
        }
    });
    if solutions > 0 {
        for number in formulas.iter().map(|(n, _)| n).chain(languages.iter().map(|(n, ..)| n)) {
            *applied.entry(number).or_default() += 1;
        }
    }
}

/// Conditions on a string that is parsed, and on what else rules look at.
const CONDITIONS: &[&str] = &[
    "(< (java.parseInt s) 0)",
    "(> (java.parseInt s) 4)",
    "(< (java.parseInt s) 5)",
    "(= (java.parseInt s) 5)",
    "(= (java.parseInt s) (- 5))",
    "(= (java.parseInt s) 0)",
    "(<= (- 50) (java.parseInt s) (- 5))",
    "(>= (java.parseInt s) 10)",
    "(= (java.charAt s 0) 45)",
    "(= (java.charAt s 0) 43)",
    "(>= (java.charAt s 1) 48)",
    "(java.startsWith s \"-\")",
    "(java.startsWith s \"+\")",
    "(java.startsWith s \"0\")",
    "(= (str.at s 0) \"-\")",
    "(= (java.length s) 2)",
    "(> (java.length s) 1)",
    "(= (java.lastIndexOf s \"5\") 1)",
    "(= (java.lastIndexOf s \"0\") (- 1))",
    "(= (java.lastIndexOf s \"5\" 1) 1)",
    "(java.startsWith s \"05\")",
    "(java.startsWith s \"5\")",
    "(= (java.indexOf s \"5\") 2)",
    "(= (java.indexOf s \"-\") (- 1))",
    "(>= (java.indexOf s \"0\") 1)",
    "(>= (java.lastIndexOf s \"05\") 1)",
    "(= (str.to_int s) 5)",
    "(>= (str.to_int s) 10)",
    "(= (str.to_int s) (- 1))",
    "(= (java.substring s 1) \"5\")",
    "(>= (java.parseInt (java.substring s 1)) 5)",
    "(= (java.length (java.trim s)) 1)",
    "(= (str.from_int (java.length s)) \"2\")",
    "(= (str.++ s \"5\") (str.++ \"5\" s))",
    "(= (java.substring s 0 2) \"-0\")",
    "(= (str.len (str.from_int (- (java.length s) 2))) 0)",
];

#[test]
fn every_rule_holds_in_every_solution() {
    let mut applied = BTreeMap::new();
    let all: Vec<usize> = (0..KINDS).collect();
    for seed in 0..1800 {
        let mut draw = Draw::new(seed);
        let edges = 1 + draw.below(4);
        let kinds = if seed < 1500 { &all[..] } else { &ABOUT_PARTS };
        let graph = random_graph_of(&mut draw, edges, kinds);
        let length = if graph.declarations().len() == 1 { 3 } else { 2 };
        try_rules(&graph, length, &mut applied);
    }
    for first in CONDITIONS {
        for second in CONDITIONS {
            let script = format!("(declare-const s String)(assert {first})(assert {second})(check-sat)");
            let script = harness_smtlib::read(script.as_bytes()).unwrap();
            let mut graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
            let letters = "-+05 ".bytes().map(|c| (u32::from(c), u32::from(c)));
            graph.restrict_characters(&CharSet::from_ranges(letters));
            try_rules(&graph, 3, &mut applied);
        }
    }
    for rule in RULES {
        let count = applied.get(rule.number).copied().unwrap_or(0);
        assert!(count >= 3, "rule {} was applied {count} times", rule.number);
    }
}

#[test]
fn the_table_is_complete() {
    let mut numbers: Vec<&str> = RULES.iter().map(|rule| rule.number).collect();
    for wanted in ["a.1", "a.2", "a.3", "b.1", "b.2", "b.3", "b.4", "b.5", "b.6", "b.7", "b.8"] {
        assert!(numbers.contains(&wanted), "{wanted}");
    }
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
    for rule in RULES {
        assert!(
            !rule.observed.is_empty() && !rule.derived.is_empty() && !rule.proof.is_empty(),
            "{}",
            rule.number
        );
    }
}

/// The table as a document: `RULES.md`. To make it anew: `UPDATE_RULES=1 cargo test -p backends-hybrid
/// the_table_is_documented`.
#[test]
fn the_table_is_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/RULES.md");
    let cell = |text: &str| text.replace('|', "\\|").replace('<', "&lt;");
    let mut text = String::from(
        "# The rule library of `hybrid`\n\n\
         What one domain derives for the other. Made from the table in [src/rules/mod.rs](src/rules/mod.rs) by a test; another test tries \
         every rule on all small assignments of random graphs against the evaluator. Rules `a.*` and `b.*` are those of JST's table I, \
         corrected where the last column says so; all others are ours, after its section IV-C. `VOF` is Java's `valueOf` and `parseInt`, \
         which take a sign; `L` is the length.\n\n\
         | rule | counter | derives for | where | what | why | the paper, and why not |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for rule in RULES {
        let domain = if rule.apply.is_to_numbers() { "numbers" } else { "strings" };
        let columns = [rule.observed, rule.derived, rule.proof, rule.correction].map(cell);
        let (number, name) = (rule.number, rule.name);
        text.push_str(&format!("| {number} | `{name}` | {domain} | {} |\n", columns.join(" | ")));
    }
    if std::env::var_os("UPDATE_RULES").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}

/// What the paper's table has and the corrected rules do not: each with an assignment for which it is wrong.
#[test]
fn corrections_are_needed() {
    let sat = |script: &str| {
        let script = format!("(declare-const s String){script}(check-sat)");
        assert_eq!(verdicts("hybrid", &script), [Verdict::Sat], "{script}");
    };
    sat("(assert (> 3 (str.len (java.substring s 2 3))))");
    sat("(assert (= (java.lastIndexOf s \"b\") (- 1)))");
    sat("(assert (= (java.charAt s 0) 45))(assert (= (java.parseInt s) 0))");
    sat("(assert (= (java.charAt s 0) 43))(assert (= (java.parseInt s) 0))");
    sat("(assert (= (java.parseInt s) 5))(assert (not (= s \"5\")))");
    sat(
        "(assert (< (java.parseInt s) 5))(assert (>= (java.length s) 4))(assert (not (= (java.charAt s 0) 45)))",
    );
}

const MODES: [(bool, Split); 3] = [(true, Split::Narrow), (true, Split::Plain), (false, Split::Narrow)];

#[test]
fn random_graphs_against_brute_force() {
    let budget = Budget::unlimited();
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..260 {
        let mut draw = Draw::new(seed + 9_000);
        let edges = 2 + draw.below(4);
        let kinds: Vec<usize> = (0..KINDS).collect();
        let graph = random_graph_of(&mut draw, edges, &kinds);
        let length = if graph.declarations().len() == 1 { 4 } else { 3 };
        let possible = brute_force(&graph, length);
        let (rules, split) = MODES[draw.below(MODES.len())];
        let options = Options { rules, split, mode: Mode::Full, iterations: 40 };
        let probe = Probe::new();
        let relaxed =
            crate::relaxed::solve(&graph, &options, &Z3Integers::default(), &strings(), &budget, &probe)
                .unwrap();
        let exchanged = match relaxed {
            Relaxed::Unsat => {
                assert!(!possible, "seed {seed} is refuted in relaxed mode and has a solution");
                *seen.entry("relaxed").or_default() += 1;
                continue;
            }
            Relaxed::Tentative(exchanged) => exchanged,
            Relaxed::Unknown(why) => panic!("seed {seed}: {why}"),
        };
        let solution = crate::full::solve(
            &graph,
            *exchanged,
            &options,
            &Z3Integers::default(),
            &strings(),
            &budget,
            &probe,
        )
        .unwrap();
        match solution.0 {
            // A model was checked by the evaluator before it was answered.
            Solution::Sat(_) => *seen.entry("sat").or_default() += 1,
            Solution::Unsat(_) => {
                assert!(!possible, "seed {seed} is refuted and has a solution");
                *seen.entry("unsat").or_default() += 1;
            }
            Solution::UnsatWithinBound => panic!("seed {seed} claims a bound"),
            Solution::Unknown(why) => {
                assert!(why.contains("limit of 40"), "seed {seed}: {why}");
                *seen.entry("limit").or_default() += 1;
            }
        }
    }
    let count = |what: &str| seen.get(what).copied().unwrap_or(0);
    assert!(count("relaxed") > 20 && count("sat") > 60 && count("relaxed") + count("sat") > 150, "{seen:?}");
}

#[test]
fn random_conditions_against_brute_force() {
    let brute = BruteForce::new(Reach { length: 3, ..Reach::DEFAULT });
    let narrow = strategy("hybrid");
    let mut seen: BTreeMap<Verdict, u64> = BTreeMap::new();
    let mut draw = Draw::new(77);
    for round in 0..150 {
        let conditions: Vec<String> =
            (0..2 + draw.below(2)).map(|_| format!("(assert {})", draw.one(CONDITIONS))).collect();
        let script = format!(
            "(declare-const s String)(assert (str.in_re s ((_ re.loop 0 3) (re.union (re.range \"0\" \"9\") (str.to_re \"-\") (str.to_re \"+\")))))\
             {}(check-sat)",
            conditions.concat()
        );
        let (answers, _) = run(&*narrow, &script).unwrap();
        let (wanted, _) = run(&brute, &script).unwrap();
        let verdict = answers[0].verdict;
        *seen.entry(verdict).or_default() += 1;
        let agreed = match wanted[0].verdict {
            Verdict::Sat => verdict == Verdict::Sat,
            _ => verdict == Verdict::Unsat,
        };
        assert!(agreed, "{round}: {:?} against {:?} on {script}", answers[0], wanted[0]);
    }
    assert!(seen[&Verdict::Sat] > 15 && seen[&Verdict::Unsat] > 15, "{seen:?}");
}

#[test]
fn a_cycle_of_strings_is_refuted_by_numbers() {
    let script = "(declare-const a String)(declare-const b String)(declare-const c String)
        (assert (str.< a b))(assert (str.< b c))(assert (str.< c a))(check-sat)";
    let (answers, counters) = run(&*strategy("hybrid-relaxed"), script).unwrap();
    assert_eq!(answers[0].verdict, Verdict::Unsat);
    assert_eq!((counters["refuted_numeric"], counters["order_constraints"]), (1, 3));
    let open = script.replace("(assert (str.< c a))", "(assert (str.<= b c))");
    assert_eq!(verdicts("hybrid", &open), [Verdict::Sat]);
}

/// Path 4 of the paper's figure 1: "-1,000,200" is a solution.
const PATH_4: &str = "(declare-const s String)
    (assert (= (java.charAt s 0) 45))
    (assert (not (str.in_re s (re.++ (str.to_re \"-\") (re.+ (re.range \"0\" \"9\")) (str.to_re \",\") ((_ re.^ 3) (re.range \"0\" \"9\"))))))
    (assert (not (= (java.lastIndexOf s \",\") (- 1))))
    (assert (>= (java.parseInt (java.substring s (+ (java.lastIndexOf s \",\") 1))) 100))
    (check-sat)";

#[test]
fn the_papers_example_is_solved() {
    for name in ["hybrid", "hybrid-plain-split"] {
        let (answers, counters) = run(&*strategy(name), PATH_4).unwrap();
        assert_eq!(answers[0].verdict, Verdict::Sat, "{name}");
        assert!(matches!(answers[0].witness, Some(Witness::Model(_))));
        assert!(counters["iterations"] <= 30, "{name}: {counters:?}");
    }
}

#[test]
fn a_limit_is_unknown_and_says_so() {
    // Without rules nothing tells the numbers that nine digits are needed: the first length that they try is
    // wrong.
    let script = "(declare-const s String)(assert (= (java.parseInt s) 12345))(assert (= (java.length s) 9))(check-sat)";
    for limit in [0, 1] {
        let options = Options { rules: false, mode: Mode::Full, iterations: limit, ..Options::default() };
        let hybrid =
            crate::Hybrid::new(strategy("hybrid-no-rules").info(), options, strings(), Z3Integers::default());
        let (answers, _) = run(&hybrid, script).unwrap();
        assert_eq!(answers[0].verdict, Verdict::Unknown);
        let wanted = format!("iterations: the limit of {limit} is reached");
        assert_eq!(answers[0].reason.as_deref(), Some(wanted.as_str()));
    }
}

const TREE: &str = r#"(set-info :path-tree "sign and size")
(declare-const s String)
(push 1)(set-info :path-name "minus")(assert (java.startsWith s "-"))(check-sat)
  (push 1)(assert (< (java.parseInt s) (- 99)))(check-sat)(pop 1)
  (push 1)(assert (> (java.parseInt s) 0))(check-sat)
    (push 1)(set-info :path-kind leaf)(assert (> (java.length s) 3))(check-sat)(pop 1)
  (pop 1)
  (push 1)(set-info :path-kind exception)(assert (= s "-"))(check-sat)(pop 1)
(pop 1)
(push 1)(assert (not (java.startsWith s "-")))(check-sat)
  (push 1)(assert (not (= (java.indexOf s "a") (java.lastIndexOf s "a"))))(assert (= (java.length s) 1))(check-sat)(pop 1)
(pop 1)
"#;

#[test]
fn a_path_tree_is_relaxed_inside_and_full_at_its_ends() {
    use Verdict::{Sat, Unsat};
    let (answers, counters) = run(&*strategy("hybrid"), TREE).unwrap();
    let found: Vec<Verdict> = answers.iter().map(|a| a.verdict).collect();
    assert_eq!(found, [Sat, Sat, Unsat, Unsat, Sat, Verdict::Unknown, Unsat]);
    assert_eq!(answers[5].reason.as_deref(), Some(TENTATIVE));
    let of = |name: &str| counters.get(name).copied().unwrap_or(0);
    assert_eq!((of("nodes_relaxed"), of("nodes_full"), of("nodes_pruned")), (3, 3, 1));
    assert_eq!((of("paths_true"), of("paths_exception")), (1, 1));
    assert!(of("paths_tentative") >= 1);

    let (answers, counters) = run(&*strategy("hybrid-full"), TREE).unwrap();
    let found: Vec<Verdict> = answers.iter().map(|a| a.verdict).collect();
    assert_eq!(found, [Sat, Sat, Unsat, Unsat, Sat, Sat, Unsat]);
    assert_eq!((counters["nodes_full"], counters["nodes_pruned"]), (6, 1));
    // What is said of each node adds up to what is said of the tree; a pruned node has no iterations.
    let each: Vec<Option<u64>> = answers.iter().map(|a| a.counters.get("iterations").copied()).collect();
    assert_eq!(each.iter().flatten().sum::<u64>(), counters["iterations"]);
    assert_eq!(each.iter().flatten().max(), Some(&counters["iterations_max"]));
    // The third node is refuted in relaxed mode, the fourth one below it.
    let counted: Vec<bool> = each.iter().map(Option::is_some).collect();
    assert_eq!(counted, [true, true, false, false, true, true, true]);

    let (answers, _) = run(&*strategy("hybrid-relaxed"), TREE).unwrap();
    assert!(answers.iter().all(|a| a.counters.is_empty()));
    assert!(answers.iter().all(|a| matches!(a.verdict, Unsat | Verdict::Unknown)));
}

#[test]
fn a_broken_tree_is_refused_with_its_line() {
    let broken = "(set-info :path-tree t)\n(declare-const s String)\n(push 1)(check-sat)";
    match run(&*strategy("hybrid"), broken) {
        Err(BackendError::Input(message)) => {
            assert!(message.contains("line 3") && message.contains("never popped"));
        }
        other => panic!("{other:?}"),
    }
    let foreign = "(declare-const s String)(declare-const t String)(assert (str.in_re s (re.* (str.to_re t))))(check-sat)";
    match run(&*strategy("hybrid"), foreign) {
        Err(BackendError::Unsupported(what)) => assert!(what.contains("depends on a variable"), "{what}"),
        other => panic!("{other:?}"),
    }
}

/// Nodes with Boolean structure: refuted inside where every implicant is, else as open as one implicant is.
#[test]
fn a_path_tree_may_have_boolean_structure() {
    use Verdict::{Sat, Unknown, Unsat};
    let tree = "(set-info :path-tree t)(declare-const s String)(declare-const b Bool)
        (push 1)(assert (or (= s \"a\") (and b (str.prefixof \"b\" s))))(check-sat)
        (push 1)(assert (not b))(assert (= (str.len s) 2))(check-sat)(pop 1)
        (push 1)(assert (= (str.len s) 2))(check-sat)(pop 1)(pop 1)";
    for (name, right) in [
        ("hybrid", [Sat, Unsat, Sat]),
        ("hybrid-full", [Sat, Unsat, Sat]),
        ("hybrid-relaxed", [Unknown, Unsat, Unknown]),
    ] {
        let (answers, _) = run(&*strategy(name), tree).unwrap();
        assert_eq!(answers.iter().map(|a| a.verdict).collect::<Vec<_>>(), right, "{name}");
    }
}

#[test]
fn rounding_is_solved_with_strings() {
    // 12.345 rounded half up to cents is more than 12.34.
    let script = "(declare-const s String)(declare-const u Int)
        (assert (= u (java.parseInt s)))
        (assert (= (java.setScale u 3 2 \"HALF_UP\") (java.decimal \"12.35\" 2)))
        (assert (not (= (java.setScale u 3 2 \"DOWN\") (java.setScale u 3 2 \"HALF_UP\"))))
        (assert (java.endsWith s \"9\"))(check-sat)";
    assert_eq!(verdicts("hybrid", script), [Verdict::Sat]);
}
