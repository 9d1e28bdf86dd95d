//! Graphs, rules and the interchange against brute force.

use backends_api::{BackendError, Budget, Probe, Strategy, StrategyInfo};
use harness_model::{Alphabet, Answer, Question, SmtString, Verdict, Witness};
use harness_theory::Value;

use crate::edge::{Relation, Vertex};
use crate::evaluate::GraphEvaluator;
use crate::graph::StringGraph;
use crate::interchange::{Solution, prepare, prepare_for_guesses, solve};
use crate::options::{EdgeOrder, Options, RuleSet};
use crate::rules::Counts;
use crate::strategy::GraphStrategy;
use crate::testkit::random::{ABOUT_PARTS, KINDS, complete, each_assignment, random_graph, random_graph_of};
use crate::testkit::{Draw, EnumeratedIntegers, EnumeratedWords, brute_force};

fn text(graph: &StringGraph) -> String {
    let edges: Vec<String> = graph.edges().iter().map(|e| graph.edge_text(e)).collect();
    let formulas: Vec<String> = graph.formulas().iter().map(ToString::to_string).collect();
    let ints: Vec<String> =
        graph.int_vertices().map(|i| format!("i{}={}", i.index(), graph.int_name(i))).collect();
    let chars = graph.characters().ranges();
    format!(
        "{}\n{}\n{}\n{:?}\n{chars:?}",
        edges.join("\n"),
        formulas.join("\n"),
        ints.join(" "),
        graph.definitions()
    )
}

#[test]
fn to_a_problem_and_back_without_loss() {
    for seed in 0..800 {
        let mut draw = Draw::new(seed);
        let edges = 1 + draw.below(5);
        let graph = random_graph(&mut draw, edges);
        let problem = graph.to_problem();
        let again = StringGraph::of_problem(&problem, graph.alphabet()).unwrap();
        assert_eq!(
            problem.variables.len(),
            graph.declarations().len(),
            "fresh variables in {}",
            text(&graph)
        );
        let second = again.to_problem();
        let mut evaluator = GraphEvaluator::new(&second, graph.alphabet());
        each_assignment(&graph, 2, &mut |values, holds| {
            assert_eq!(evaluator.holds(values), Ok(holds), "seed {seed} {values:?}\n{}", text(&graph));
        });
    }
}

/// Every solution of a random graph satisfies what the sound rules derive, and no graph with a solution is
/// refuted.
#[test]
fn sound_rules_hold_in_every_solution() {
    let mut applied = Counts::default();
    let mut solutions = 0;
    // Every kind, then the kinds that pair rules are about.
    let about_index = [1, 2, 3, 9, 9, 11, 12, 12, 13, 13];
    let about_characters = [1, 2, 3, 9];
    let about_forms = [14, 14, 14, 19, 20];
    let about_order = [1, 4, 4, 5, 5];
    let about_ends = [1, 2, 2, 12, 13, 13];
    for seed in 0..7200 {
        let mut draw = Draw::new(seed);
        let edges = if seed < 6500 { 1 + draw.below(3) } else { 3 };
        let all: Vec<usize> = (0..KINDS).collect();
        let kinds = if seed < 6000 {
            [&all[..], &about_index[..], &about_characters[..], &about_forms[..], &ABOUT_PARTS[..]]
                [draw.below(5)]
        } else if seed < 6500 {
            &about_order[..]
        } else {
            &about_ends[..]
        };
        let mut graph = random_graph_of(&mut draw, edges, kinds);
        if draw.rarely(2) {
            // Codes that only positions and bounds concern become characters, which leaves nothing to the
            // rules about codes.
            let codes = graph.edges().iter().filter_map(|e| match e.relation {
                Relation::CharAt { i, c, .. } => Some((i, c)),
                _ => None,
            });
            for (i, c) in codes.collect::<Vec<_>>() {
                graph.add_formula(graph.sum_of(i).ne(&graph.sum_of(c)));
            }
        }
        let prepared =
            prepare_for_guesses(&graph, &Options::default(), &mut applied, &Budget::unlimited()).unwrap();
        let length = if graph.declarations().len() == 1 { 4 } else { 2 };
        each_assignment(&graph, length, &mut |values, holds| {
            if !holds {
                return;
            }
            solutions += 1;
            let prepared = match &prepared {
                Ok(prepared) => prepared,
                Err(refuted) => {
                    panic!(
                        "{} refutes seed {seed}, which {values:?} satisfies:\n{}",
                        refuted.rule,
                        text(&graph)
                    )
                }
            };
            if solutions % 7 != 0 {
                return;
            }
            let Some((words, numbers)) = complete(&graph, values) else { return };
            let new = &prepared.simplified;
            // The values of the new graph's vertices, read from the old ones through the same map.
            let mut new_numbers = vec![None; new.graph.ints().len()];
            for s in graph.string_vertices() {
                if let Some(n) = new.strings[s.index()]
                    && let Some(length) = new.graph.length_of(n)
                {
                    new_numbers[length.index()] = Some(words[s.index()].len().into());
                }
            }
            for i in graph.int_vertices() {
                if let Some(n) = new.ints[i.index()].as_ref().and_then(crate::Sum::vertex) {
                    new_numbers[n.index()] = Some(numbers[i.index()].clone());
                }
            }
            // A word that the original does not have is the one character of a code.
            for n in new.graph.string_vertices().filter(|n| !new.strings.contains(&Some(*n))) {
                if let Some(length) = new.graph.length_of(n) {
                    new_numbers[length.index()] = Some(1_i64.into());
                }
            }
            for (vertex, definition) in new.graph.definitions() {
                let value = definition.eval(&|v: crate::IntVertex| {
                    new_numbers[v.index()]
                        .clone()
                        .or_else(|| new.graph.number(v).cloned())
                        .unwrap_or(0_i64.into())
                });
                new_numbers[vertex.index()].get_or_insert(value);
            }
            let number = |v: crate::IntVertex| {
                let known = new_numbers[v.index()].clone().or_else(|| new.graph.number(v).cloned());
                known.unwrap_or_else(|| panic!("no value for {} in seed {seed}", new.graph.int_name(v)))
            };
            for formula in
                prepared.derived.iter().chain(new.graph.formulas()).chain(&new.graph.definition_formulas())
            {
                assert!(
                    formula.eval(&number),
                    "seed {seed}: {formula} is false for {values:?} of\n{}\nsimplified to\n{}",
                    text(&graph),
                    text(&new.graph)
                );
            }
        });
    }
    for rule in crate::rules::single::RULES
        .iter()
        .map(|r| r.name)
        .chain(crate::rules::pairs::RULES.iter().map(|r| r.name))
        .chain([crate::rules::parts::NAME, crate::rules::order::NAME])
        .chain(["rule_code_as_character", "rule_idempotent"])
    {
        assert!(applied.get(rule) > 0, "{rule} was never applied");
    }
    assert!(solutions > 5_000, "{solutions}");
}

fn run(graph: &StringGraph, options: &Options) -> Solution {
    solve(graph, options, &EnumeratedIntegers, &EnumeratedWords, &Budget::with_steps(400_000), &Probe::new())
        .unwrap_or_else(|error| match error {
            BackendError::Stopped(_) => Solution::Unknown("steps".to_owned()),
            other => panic!("{other} for\n{}", text(graph)),
        })
}

#[test]
fn the_interchange_agrees_with_brute_force() {
    let (mut sat, mut unsat, mut open) = (0, 0, 0);
    for seed in 0..400_u64 {
        let mut draw = Draw::new(seed.wrapping_mul(77_777));
        let edges = 1 + draw.below(4);
        let graph = random_graph(&mut draw, edges);
        let order = [EdgeOrder::AsGiven, EdgeOrder::PositiveFirst, EdgeOrder::CheapestFirst][draw.below(3)];
        let options = Options { order, max_length: Some(3), ..Options::default() };
        let wanted = brute_force(&graph, 3);
        match run(&graph, &options) {
            Solution::Sat(values) => {
                // Auxiliary words are bounded here and not there, so a solution is always found there too.
                let short = |v: &Option<Value>| !matches!(v, Some(Value::String(s)) if s.len() > 3);
                assert!(!values.iter().all(short) || wanted, "seed {seed}: {values:?} for\n{}", text(&graph));
                sat += 1;
            }
            Solution::Unsat(_) => {
                assert!(!brute_force(&graph, 4), "seed {seed}\n{}", text(&graph));
                unsat += 1;
            }
            Solution::UnsatWithinBound => {
                // A solution must need an auxiliary word of more than three letters.
                each_assignment(&graph, 3, &mut |values, holds| {
                    if holds && let Some((words, _)) = complete(&graph, values) {
                        assert!(
                            words.iter().any(|w| w.len() > 3),
                            "seed {seed} {values:?}\n{}",
                            text(&graph)
                        );
                    }
                });
                unsat += 1;
            }
            Solution::Unknown(_) => open += 1,
        }
    }
    assert!(sat > 100 && unsat > 50 && open < 50, "{sat} {unsat} {open}");
}

fn question(script: &str, queries: usize) -> Question {
    Question::of_script(Alphabet::Ascii, script.to_owned(), queries)
}

fn answers(script: &str, queries: usize, options: Options) -> Result<Vec<Answer>, BackendError> {
    let info = StrategyInfo {
        name: "graph-enumerated".to_owned(),
        backend: "graph",
        version: "0".to_owned(),
        summary: "Words and integers by enumeration".to_owned(),
        source: "",
    };
    let strategy = GraphStrategy::new(info, options, EnumeratedWords, EnumeratedIntegers);
    let question = question(script, queries);
    let (budget, probe) = (Budget::unlimited(), Probe::new());
    let mut run = strategy.prepare(&question, &budget, &probe)?;
    Ok(run.run(&probe)?.answers)
}

#[test]
fn each_query_of_a_script_is_answered_with_a_model() {
    let script = "(declare-const s String)(declare-const b Bool)(declare-const i Int)
        (assert (= b (> i 1)))(assert (not b))(assert (= (str.at s i) \"q\"))
        (check-sat)
        (push)(assert (= (str.len s) 0))(check-sat)(pop)
        (assert (str.prefixof \"w\" s))(assert (str.suffixof \"q\" s))(check-sat)
        (assert (= i 0))(check-sat)";
    let all = answers(script, 4, Options::default()).unwrap();
    let verdicts: Vec<Verdict> = all.iter().map(|a| a.verdict).collect();
    assert_eq!(verdicts, [Verdict::Sat, Verdict::Unsat, Verdict::Sat, Verdict::Unsat]);
    let Some(Witness::Model(model)) = &all[2].witness else { panic!("no model") };
    assert!(model.contains("(define-fun s () String \"wq\")"), "{model}");
    assert!(model.contains("(define-fun b () Bool false)"), "{model}");
}

#[test]
fn a_bound_that_loses_something_is_named() {
    let long = "(declare-const s String)(assert (= (str.len s) 5))(check-sat)";
    let bounded = Options { max_length: Some(3), ..Options::default() };
    assert_eq!(answers(long, 1, bounded).unwrap()[0].verdict, Verdict::UnsatWithinBound);
    // Here it loses nothing, and the integers alone show it.
    let never =
        "(declare-const s String)(assert (= (str.len s) 5))(assert (str.prefixof s \"abc\"))(check-sat)";
    assert_eq!(answers(never, 1, bounded).unwrap()[0].verdict, Verdict::Unsat);
    // The study's rules exclude the empty word.
    let empty =
        "(declare-const s String)(declare-const t String)(assert (= (str.len (str.++ s t)) 0))(check-sat)";
    let thesis = Options { rules: RuleSet::Thesis, ..Options::default() };
    assert_eq!(answers(empty, 1, thesis).unwrap()[0].verdict, Verdict::UnsatWithinBound);
    assert_eq!(answers(empty, 1, Options::default()).unwrap()[0].verdict, Verdict::Sat);
}

#[test]
fn what_is_no_graph_is_refused_by_name() {
    let refusal = |constraint: &str| {
        let declarations =
            "(declare-const s String)(declare-const t String)(declare-const n Int)(declare-const r RegLan)";
        let script = format!("{declarations}(assert {constraint})(check-sat)");
        match answers(&script, 1, Options::default()) {
            Err(BackendError::Unsupported(what)) => what,
            other => panic!("{constraint}: {other:?}"),
        }
    };
    assert_eq!(
        refusal("(str.in_re s (re.* r))"),
        "str.in_re with a regular language that depends on a variable"
    );
    assert_eq!(refusal("(= (div n 0) 4)"), "div by zero");
}

/// What is no conjunction of edges is taken apart before it is refused.
#[test]
fn boolean_structure_is_taken_apart() {
    let declarations = "(declare-const s String)(declare-const t String)(declare-const n Int)";
    for constraint in [
        "(or (= s t) (= n 0))",
        "(=> (str.contains s t) (str.prefixof t s))",
        "(str.in_re s (str.to_re t))",
        "(not (= s t s))",
    ] {
        let script = format!("{declarations}(assert {constraint})(check-sat)");
        let all = answers(&script, 1, Options::default()).unwrap();
        assert_eq!(all[0].verdict, Verdict::Sat, "{constraint}");
    }
}

#[test]
fn choices_and_javas_numbers_are_graphs() {
    let script = "(declare-const s String)(declare-const n Int)
        (assert (= (java.parseInt s) n))(assert (<= (- 7) n (- 7)))(assert (= (str.len s) 2))
        (assert (= s (java.valueOf n)))(check-sat)";
    let all = answers(script, 1, Options::default()).unwrap();
    let Some(Witness::Model(model)) = &all[0].witness else { panic!("no model") };
    assert!(model.contains("\"-7\""), "{model}");
}

#[test]
fn deep_terms_do_not_overflow() {
    let depth = 100_000;
    let deep =
        |open: &str, core: &str, close: &str| format!("{}{core}{}", open.repeat(depth), close.repeat(depth));
    let strings = deep("(str.++ s ", "t", ")");
    let sums = deep("(ite (< n 3) 1 ", "n", ")");
    let truths = deep("(and (< n 9) (or (> n 5) ", "(= n 7)", "))");
    for assertion in [format!("(= t {strings})"), format!("(= n {sums})"), truths] {
        let script = format!(
            "(declare-const s String)(declare-const t String)(declare-const n Int)(assert {assertion})(check-sat)"
        );
        let script = harness_smtlib::read(script.as_bytes()).unwrap();
        let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
        assert!(graph.formulas().iter().all(|f| f.depth() < 100));
        let again = graph.to_problem();
        assert_eq!(again.variables.len(), 3);
    }
}

#[test]
fn many_parts_are_put_together_in_halves_and_in_order() {
    for parts in [2, 16, 17, 100, 1000] {
        let names: Vec<String> = (0..parts).map(|i| format!("v{i}")).collect();
        let word = |i: usize| char::from(b'a' + u8::try_from(i % 26).unwrap()).to_string();
        let whole: String = (0..parts).map(word).collect();
        let declared: String = names.iter().map(|name| format!("(declare-const {name} String)")).collect();
        let script = format!("{declared}(assert (= \"{whole}\" (str.++ {})))(check-sat)", names.join(" "));
        let script = harness_smtlib::read(script.as_bytes()).unwrap();
        let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
        let problem = graph.to_problem();
        let mut evaluator = GraphEvaluator::new(&problem, Alphabet::Ascii);
        let mut values: Vec<Value> = (0..parts).map(|i| Value::String(word(i).as_str().into())).collect();
        assert_eq!(evaluator.holds(&values), Ok(true), "{parts} parts");
        values.swap(0, 1);
        assert_eq!(evaluator.holds(&values), Ok(false), "{parts} parts");
        // How many concatenations stand above each other.
        let mut heights = std::collections::HashMap::new();
        for edge in graph.edges() {
            if let Relation::Concat { a, b, r } = edge.relation {
                let of = |v| heights.get(&v).copied().unwrap_or(0);
                let height = 1 + usize::max(of(a), of(b));
                heights.insert(r, height);
            }
        }
        let highest = heights.into_values().max().unwrap();
        assert!(highest < parts.min(16), "{parts} parts: {highest}");
    }
}

/// A graph of the script's assertions, which the preprocessing alone refutes by the rule named, or does not.
fn refuted_by(assertions: &str) -> Option<&'static str> {
    let script = format!(
        "(declare-const s String)(declare-const t String)(declare-const u String)(declare-const v String)
        (declare-const i Int)(declare-const c Int){assertions}(check-sat)"
    );
    let script = harness_smtlib::read(script.as_bytes()).unwrap();
    let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
    prepare(&graph, &Options::default(), &mut Counts::default(), &Budget::unlimited())
        .unwrap()
        .err()
        .map(|refuted| refuted.rule)
}

#[test]
fn equations_of_words_are_cut_and_counted() {
    let long = "(assert (= (str.len s) (str.len t)))(assert (> (str.len s) 16000))";
    for unsatisfiable in [
        "(assert (= (str.++ s \"aa\" t) (str.++ t \"ba\" s)))",
        "(assert (= s (str.++ \"a\" s)))",
        "(assert (= (str.++ s \"ab\" u) (str.++ u s \"aa\")))",
        "(assert (= (str.++ s t \"a\") (str.++ t u \"a\" s \"b\")))",
        &format!("{long}(assert (= (str.++ s \"abc\" u t) (str.++ t \"a\" s \"ba\")))"),
        &format!(
            "{long}(assert (= (str.++ \"ab\" u s \"abdc\" t v) (str.++ u \"ba\" t \"dcbb\" s \"bc\" v)))"
        ),
        // Cut from the end.
        &format!("{long}(assert (= (str.++ u \"x\" s \"ab\") (str.++ v \"y\" t \"ab\")))"),
    ] {
        assert!(refuted_by(unsatisfiable).is_some(), "{unsatisfiable}");
    }
    for satisfiable in [
        "(assert (= (str.++ s \"ab\" t) (str.++ t \"ba\" s)))",
        "(assert (= (str.++ s \"a\") (str.++ \"a\" s)))",
        "(assert (= (str.++ s \"ab\" u) (str.++ u s \"ba\")))",
        "(assert (= (str.++ s u \"a\") (str.++ s \"a\" v)))",
        "(assert (= s (str.++ s t)))",
        "(assert (= (str.++ s t) (str.++ t s)))(assert (= (str.len s) (str.len t)))",
        "(assert (= (str.++ s \"b\" t) (str.++ \"a\" u \"b\")))(assert (= (str.len s) 1))",
    ] {
        assert_eq!(refuted_by(satisfiable), None, "{satisfiable}");
    }
}

#[test]
fn functions_of_equal_and_of_empty_words() {
    for unsatisfiable in [
        "(assert (not (= (str.replace s s t) t)))",
        "(assert (not (= (str.replace s t t) s)))",
        "(assert (not (= (str.replace s \"\" t) (str.++ t s))))",
        "(assert (not (= (str.replace \"A\" \"B\" t) \"A\")))",
        "(assert (not (= (str.replace_all s \"\" t) s)))",
        "(assert (not (= (str.replace_all s \"B\" (str.replace_all \"A\" \"B\" t)) (str.replace_all s \"B\" \"A\"))))",
        "(assert (not (= (str.substr s (str.indexof t \"\" 0) i) (str.substr s 0 i))))",
        "(assert (not (= (str.indexof s s 0) 0)))",
        "(assert (not (= (str.at s (str.len s)) \"\")))",
        "(assert (not (= (str.substr s 0 (str.len s)) s)))",
        "(assert (not (= (str.substr s (str.len s) 3) \"\")))",
        "(assert (not (str.contains s s)))",
        "(assert (str.< s s))",
        "(assert (str.< s \"\"))",
        "(assert (not (str.<= \"\" s)))",
        "(assert (= (str.len s) 1))(assert (not (= (str.from_code (str.to_code s)) s)))",
    ] {
        assert!(refuted_by(unsatisfiable).is_some(), "{unsatisfiable}");
    }
    for satisfiable in [
        "(assert (not (= (str.replace_all s s t) t)))",
        "(assert (not (= (str.replace s t s) s)))",
        "(assert (not (= (str.from_code (str.to_code s)) s)))",
        "(assert (not (= (str.indexof s s i) 0)))",
        "(assert (str.<= s \"\"))",
        "(assert (str.contains \"\" s))",
    ] {
        assert_eq!(refuted_by(satisfiable), None, "{satisfiable}");
    }
}

#[test]
fn a_part_of_a_part_is_a_part() {
    let rule = Some(crate::rules::parts::NAME);
    for unsatisfiable in [
        "(assert (= t (java.trim s)))(assert (not (str.contains s t)))",
        "(assert (= s (str.++ t u)))(assert (not (str.prefixof t s)))",
        "(assert (= s (str.++ t u)))(assert (not (str.suffixof u s)))",
        "(assert (= s (str.++ t u)))(assert (not (str.contains s t)))",
        "(assert (= t (java.substring s i)))(assert (not (str.suffixof t s)))",
        "(assert (= t (str.substr s 0 i)))(assert (not (str.prefixof t s)))",
        "(assert (str.prefixof t s))(assert (str.contains t u))(assert (not (str.contains s u)))",
        "(assert (str.prefixof t s))(assert (str.prefixof u t))(assert (str.< s u))",
        "(assert (str.prefixof \"abc\" s))(assert (= t (str.++ s u)))(assert (not (str.prefixof \"ab\" t)))",
    ] {
        assert_eq!(refuted_by(unsatisfiable), rule, "{unsatisfiable}");
    }
    for satisfiable in [
        "(assert (= t (java.substring s i)))(assert (not (str.prefixof t s)))",
        "(assert (= t (str.substr s i 2)))(assert (not (str.suffixof t s)))",
        "(assert (= s (str.++ t u)))(assert (not (str.suffixof t s)))",
        "(assert (str.suffixof t s))(assert (str.prefixof u t))(assert (not (str.prefixof u s)))",
        "(assert (= s (str.replace t \"a\" u)))(assert (not (str.contains s u)))",
    ] {
        assert_eq!(refuted_by(satisfiable), None, "{satisfiable}");
    }
}

#[test]
fn heads_of_equal_lengths_are_equal() {
    for unsatisfiable in [
        "(assert (= (str.len s) (str.len t)))(assert (= (str.++ s u) (str.++ t v)))(assert (not (= s t)))",
        "(assert (= (str.len u) (str.len v)))(assert (= (str.++ s u) (str.++ t v)))(assert (not (= s t)))",
        "(assert (= (str.len s) 3))(assert (= (str.len t) 3))(assert (= (str.++ s u) (str.++ t v)))(assert (not (= u v)))",
        "(assert (= (str.len s) i))(assert (= (str.len t) i))(assert (str.prefixof s u))(assert (str.prefixof t u))
         (assert (not (= s t)))",
        "(assert (= (str.len s) (str.len t)))(assert (= (str.++ s u v) (str.++ t v u)))(assert (str.< t s))",
        "(assert (= (str.++ s u) (str.++ s v)))(assert (not (= u v)))",
        "(assert (= (str.len s) (str.len t)))(assert (str.prefixof s t))(assert (not (= s t)))",
    ] {
        assert!(refuted_by(unsatisfiable).is_some(), "{unsatisfiable}");
    }
    for satisfiable in [
        "(assert (= (str.len s) (str.len v)))(assert (= (str.++ s u) (str.++ t v)))(assert (not (= s t)))",
        "(assert (= (str.len s) (str.len t)))(assert (str.prefixof s u))(assert (str.suffixof t u))(assert (not (= s t)))",
    ] {
        assert_eq!(refuted_by(satisfiable), None, "{satisfiable}");
    }
}

/// Random conditions on what three words begin and end with, against all words of up to two letters.
#[test]
fn what_equal_ends_merge_is_equal_in_every_solution() {
    let mut counts = Counts::default();
    let (mut solved, mut refuted) = (0, 0);
    let words: Vec<SmtString> = ["", "a", "b", "aa", "ab", "ba", "bb"].map(SmtString::from).to_vec();
    for seed in 0..1200 {
        let mut draw = Draw::new(seed);
        let mut assertions = String::new();
        for _ in 0..2 + draw.below(3) {
            let [v, w, x, y] = [(); 4].map(|()| draw.one(&["s", "t", "u", "\"a\"", "\"ba\""]));
            let [m, n] = [(); 2].map(|()| draw.one(&["s", "t", "u"]));
            assertions += &match draw.below(7) {
                0 | 1 => format!("(assert (= (str.++ {v} {w}) (str.++ {x} {y})))"),
                2 => format!("(assert (str.prefixof {v} {m}))"),
                3 => format!("(assert (str.suffixof {v} {m}))"),
                4 => format!("(assert (= (str.len {m}) (str.len {n})))"),
                5 => format!("(assert (= (str.len {m}) {}))", draw.below(3)),
                _ => format!("(assert (not (= {m} {v})))"),
            };
        }
        let declared: String = ["s", "t", "u"].map(|name| format!("(declare-const {name} String)")).concat();
        let script = harness_smtlib::read(format!("{declared}{assertions}(check-sat)").as_bytes()).unwrap();
        let problem = &script.queries[0].problem;
        let graph = StringGraph::of_problem(problem, Alphabet::Ascii).unwrap();
        let prepared = prepare(&graph, &Options::default(), &mut counts, &Budget::unlimited()).unwrap();
        refuted += usize::from(prepared.is_err());
        let mut evaluator = GraphEvaluator::new(problem, Alphabet::Ascii);
        let count = words.len();
        for place in 0..count * count * count {
            let values = [place / (count * count), place / count % count, place % count].map(|i| &words[i]);
            let model: Vec<Value> = values.iter().map(|&word| Value::String(word.clone())).collect();
            if evaluator.holds(&model) != Ok(true) {
                continue;
            }
            solved += 1;
            let Ok(prepared) = &prepared else { panic!("{model:?} satisfies {assertions}") };
            let vertex = |place: usize| {
                let Some(Vertex::String(s)) = graph.declarations()[place].vertex else { return None };
                prepared.simplified.strings[s.index()]
            };
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                if vertex(i).is_some() && vertex(i) == vertex(j) {
                    assert_eq!(values[i], values[j], "{assertions}");
                }
            }
        }
    }
    let merged = counts.get("rule_equal_ends");
    assert!(merged > 100 && solved > 1000 && refuted > 100, "{merged} {solved} {refuted}");
}

#[test]
fn a_part_that_differs_is_shorter() {
    let applied = |assertions: &str| {
        let script = format!(
            "(declare-const s String)(declare-const t String)(declare-const u String)(declare-const i Int)
            {assertions}(assert (not (= s t)))(check-sat)"
        );
        let script = harness_smtlib::read(script.as_bytes()).unwrap();
        let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
        let mut counts = Counts::default();
        prepare(&graph, &Options::default(), &mut counts, &Budget::unlimited()).unwrap().unwrap();
        counts.get("rule_length_proper_part")
    };
    for part in [
        "(assert (= t (java.trim s)))",
        "(assert (= s (java.substring t i)))",
        "(assert (= s (str.++ t u)))",
        "(assert (str.suffixof t s))",
        "(assert (= u (java.trim s)))(assert (str.contains u t))",
    ] {
        assert_eq!(applied(part), 1, "{part}");
    }
    for no_part in [
        "(assert (= t (java.toLowerCase s)))",
        "(assert (= t (str.replace s \"a\" u)))",
        "(assert (not (str.contains s t)))",
        "(assert (= u (java.trim s)))(assert (= u (java.trim t)))",
    ] {
        assert_eq!(applied(no_part), 0, "{no_part}");
    }
}

#[test]
fn what_is_trimmed_is_trimmed() {
    for (unsatisfiable, rule) in [
        (
            "(assert (= t (java.trim s)))(assert (= u (java.trim t)))(assert (not (= u t)))",
            "rule_opposed_equal",
        ),
        (
            "(assert (= t (java.trim s)))(assert (= u (java.trim t)))(assert (not (str.prefixof t u)))",
            "rule_identity",
        ),
        (
            "(assert (= t (java.toLowerCase s)))(assert (= u (java.toLowerCase t)))(assert (not (= u t)))",
            "rule_opposed_equal",
        ),
    ] {
        assert_eq!(refuted_by(unsatisfiable), Some(rule), "{unsatisfiable}");
    }
    for satisfiable in [
        // A word that is its own trimmed form still has to be one.
        "(assert (= s (java.trim s)))(assert (= i (str.len s)))",
        "(assert (= t (java.trim s)))(assert (= s (java.trim t)))",
        "(assert (= t (java.trim s)))(assert (= u (java.toLowerCase t)))(assert (not (= u t)))",
        "(assert (= t (java.toUpperCase s)))(assert (= u (java.toLowerCase t)))(assert (not (= u t)))",
    ] {
        assert_eq!(refuted_by(satisfiable), None, "{satisfiable}");
    }
    // Of edges in a ring one stays.
    for ring in [
        "(assert (= s (java.trim s)))",
        "(assert (= t (java.trim s)))(assert (= s (java.trim t)))",
        "(assert (= t (java.trim s)))(assert (= u (java.trim t)))(assert (= s (java.trim u)))",
    ] {
        let script = format!(
            "(declare-const s String)(declare-const t String)(declare-const u String){ring}(assert (= s \" a\"))(check-sat)"
        );
        assert_eq!(answers(&script, 1, Options::default()).unwrap()[0].verdict, Verdict::Unsat, "{ring}");
    }
}

/// A code that only bounds and positions concern is not guessed: one interchange, and the model has it.
#[test]
fn codes_are_read_off_the_words() {
    for (assertions, code) in [
        ("(assert (= c (java.charAt s i)))(assert (= s \"b\"))(assert (= i 0))", 98),
        ("(assert (= c (java.charAt s 1)))(assert (= t (str.++ s s)))(assert (= t \"abab\"))", 98),
        (
            "(assert (= c (java.charAt s 0)))(assert (= c (java.charAt t 0)))(assert (str.prefixof \"z\" t))",
            122,
        ),
        (
            "(assert (= c (java.charAt s 0)))(assert (<= 120 c 121))(assert (not (= s \"x\")))(assert (= 1 (str.len s)))",
            121,
        ),
    ] {
        let script = format!(
            "(declare-const s String)(declare-const t String)(declare-const i Int)(declare-const c Int)
            {assertions}(check-sat)"
        );
        let script = harness_smtlib::read(script.as_bytes()).unwrap();
        let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
        match run(&graph, &Options::default()) {
            Solution::Sat(values) => {
                assert_eq!(values[3], Some(Value::Int(i64::from(code).into())), "{assertions}");
            }
            other => panic!("{other:?} for {assertions}"),
        }
    }
}

#[test]
fn full_names_are_what_scripts_say() {
    let script = "(declare-const s String)(declare-const t String)(declare-const i Int)\
        (assert (= (java.trim s) t))(assert (str.prefixof s t))(assert (str.suffixof s t))(assert (str.contains s t))\
        (assert (str.< s t))(assert (str.<= s t))(assert (str.in_re s re.all))(assert (str.is_digit s))\
        (assert (= (str.++ s t) t))(assert (= (java.charAt s i) 9))(assert (= (str.at s i) t))\
        (assert (= (str.substr s i 2) t))(assert (= (str.indexof s t i) 1))(assert (= (java.lastIndexOf s t i) 1))\
        (assert (= (str.replace s t s) t))(assert (= (str.replace_all s t s) t))\
        (assert (= (str.replace_re s re.all t) t))(assert (= (str.replace_re_all s re.all t) t))\
        (assert (= (java.toLowerCase s) t))(assert (= (java.toUpperCase s) t))(assert (= (str.to_code s) i))\
        (assert (= (str.from_code i) s))(assert (= (str.to_int s) i))(assert (= (str.from_int i) s))\
        (assert (= (java.compareTo s t) i))(check-sat)";
    let queries = harness_smtlib::read(script.as_bytes()).unwrap().queries;
    let graph = StringGraph::of_problem(&queries[0].problem, Alphabet::Unicode).unwrap();
    let kinds: std::collections::BTreeMap<_, _> =
        graph.edges().iter().map(|e| (e.relation.name(), e.relation.full_name())).collect();
    assert!(kinds.len() >= 25, "{kinds:?}");
    for (name, full) in kinds {
        let smt = full.strip_prefix(name).and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'));
        let smt = smt.unwrap_or_else(|| panic!("{name} {full}"));
        assert!(script.contains(&format!("({smt} ")), "{name} {full}");
    }
}
