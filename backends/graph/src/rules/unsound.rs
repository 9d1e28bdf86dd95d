//! Every rule of the study marked `[U]` refutes a graph that has a solution; the sound rules do not.

use std::collections::HashMap;

use backends_api::Budget;
use harness_model::{Alphabet, SmtString};
use harness_theory::Value;

use crate::evaluate::GraphEvaluator;
use crate::formula::IntFormula;
use crate::graph::StringGraph;
use crate::interchange::prepare;
use crate::options::{Options, RuleSet};
use crate::rules::{Counts, View, edge_rules, pair_rules, spf};
use crate::simplify::{Simplified, simplify};
use crate::solver::{IntAnswer, IntegerSolvers};
use crate::testkit::EnumeratedIntegers;

/// What one rule says of a graph.
fn by_rule(graph: &StringGraph, name: &str) -> Vec<IntFormula> {
    let view = View::new(graph);
    let mut all = Vec::new();
    let study = [RuleSet::Thesis, RuleSet::Spf];
    let one = study.iter().flat_map(|set| edge_rules(*set)).chain([&spf::TRIM_RULE]).find(|r| r.name == name);
    let two = study.iter().flat_map(|set| pair_rules(*set)).find(|r| r.name == name);
    let cross = spf::parts::CROSS_RULE;
    assert!(one.is_some() || two.is_some() || name == cross.name, "there is no rule {name}");
    for (i, first) in graph.edges().iter().enumerate() {
        all.extend(one.map(|rule| (rule.apply)(&view, first)));
        for (j, second) in graph.edges().iter().enumerate() {
            if i != j && View::source(first) == View::source(second) {
                all.extend(two.map(|rule| (rule.apply)(&view, first, second)));
            }
            if name == cross.name {
                all.push((cross.apply)(&view, first, second));
            }
        }
    }
    all
}

/// Whether the rule alone refutes the graph, with what the formulas say.
fn refutes(graph: &StringGraph, name: &str) -> bool {
    let mut counts = Counts::default();
    let simplified = simplify(graph, RuleSet::Spf, &mut counts, &Budget::unlimited()).unwrap();
    let Simplified { graph, .. } = simplified.unwrap();
    let solvers = EnumeratedIntegers;
    let mut solver = solvers.solver().unwrap();
    graph.int_vertices().for_each(|v| solver.declare(v));
    for formula in graph.definition_formulas().iter().chain(graph.formulas()).chain(&by_rule(&graph, name)) {
        solver.assert(formula);
    }
    solver.solve(&[], &Budget::unlimited()).unwrap() == IntAnswer::Unsat
}

const DECLARATIONS: &str =
    "(declare-const s String)(declare-const t String)(declare-const m Int)(declare-const k Int)";

/// The rule, the constraints, and words for `s` and `t` and numbers for `m` and `k` that satisfy them.
type Case = (&'static str, &'static str, &'static str, &'static str, i64, i64);

const UNSOUND: &[Case] = &[
    (
        "rule_spf_index_of",
        "(assert (= (str.indexof s \"abc\" 0) (- 1)))(assert (= (str.len s) 1))",
        "x",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_of_from",
        "(assert (= (str.indexof s \"abc\" m) (- 1)))(assert (= (str.len s) 1))(assert (= m 0))(assert (= k m))",
        "x",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_of_char_from",
        "(assert (= (str.indexof s \"a\" m) (- 1)))(assert (>= m 1))(assert (<= m 1))",
        "xx",
        "x",
        1,
        0,
    ),
    ("rule_spf_trim_two", "(assert (= (java.trim s) t))(assert (= (str.len t) 1))", " x", "x", 0, 0),
    (
        "rule_spf_part_not_prefix",
        "(assert (str.contains s \"a\"))(assert (not (str.prefixof \"a\" s)))",
        "xa",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_part_not_suffix",
        "(assert (str.contains s \"a\"))(assert (not (str.suffixof \"a\" s)))",
        "ax",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_char_suffix",
        "(assert (str.suffixof \"ab\" s))(assert (= (java.charAt s k) 98))(assert (= (str.len s) (+ k 1)))(assert (<= 4 k 4))",
        "xyzab",
        "x",
        0,
        4,
    ),
    (
        "rule_spf_char_any_suffix",
        "(assert (str.suffixof \"ab\" s))(assert (= (java.charAt t 0) 120))(assert (= (str.len t) 1))",
        "ab",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_index",
        // "ab" at 1 and "bc" at 2, in "xabc": the offsets of b in both are exchanged for those of a and c.
        "(assert (= (str.indexof s \"ab\" 0) 1))(assert (= (str.indexof s \"bc\" 0) 2))",
        "xabc",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_index_from",
        "(assert (= (str.indexof s \"ab\" 0) 1))(assert (= (str.indexof s \"bc\" m) 2))(assert (<= 0 m 0))",
        "xabc",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_char_index",
        // "abc" is absent, as if it stood at -1, where its b would be at 0.
        "(assert (= (str.indexof s \"abc\" 0) (- 1)))(assert (= (str.indexof s \"x\" 0) 0))",
        "x",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_substring",
        "(assert (= (str.indexof s \"ab\" 0) 1))(assert (= (java.substring s 0 2) \"xa\"))",
        "xab",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_from_index_from",
        "(assert (= (str.indexof s \"ab\" m) 2))(assert (= (str.indexof s \"ab\" k) 2))(assert (distinct m k))(assert (<= 1 m k 2))",
        "xxab",
        "x",
        1,
        2,
    ),
    (
        "rule_spf_index_absent",
        "(assert (>= (str.indexof s \"ab\" 0) 0))(assert (not (str.contains s \"abc\")))",
        "ab",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_not_prefix",
        "(assert (= (str.indexof s \"ab\" 0) 1))(assert (not (str.prefixof \"ab\" s)))",
        "xab",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_index_char_at",
        "(assert (= (str.indexof s \"abc\" 0) (- 1)))(assert (= (java.charAt s 0) 120))",
        "xyz",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_two_char_indices",
        "(assert (= (str.indexof s \"a\" 0) (- 1)))(assert (= (str.indexof s \"b\" 0) (- 1)))",
        "x",
        "x",
        0,
        0,
    ),
    (
        "rule_spf_last_char_index_suffix",
        "(assert (str.suffixof \"a\" s))(assert (= (java.lastIndexOf s \"a\" m) 1))(assert (= (str.len s) 3))(assert (<= 1 m 1))",
        "aaa",
        "x",
        1,
        0,
    ),
    (
        "rule_spf_last_char_index_char_at",
        "(assert (= (java.lastIndexOf s \"a\" m) 1))(assert (= (java.charAt s 0) 97))(assert (>= m 1))",
        "aa",
        "x",
        1,
        0,
    ),
    (
        "rule_thesis_two_prefixes",
        "(assert (str.prefixof \"a\" s))(assert (str.prefixof \"ab\" s))",
        "ab",
        "x",
        0,
        0,
    ),
    (
        "rule_thesis_two_suffixes",
        "(assert (str.suffixof \"b\" s))(assert (str.suffixof \"ab\" s))",
        "ab",
        "x",
        0,
        0,
    ),
    ("rule_thesis_substring", "(assert (= (str.substr s 5 2) t))(assert (= (str.len s) 1))", "x", "", 0, 0),
    (
        "rule_thesis_index_index_from",
        "(assert (= (str.indexof s \"a\" 0) 1))(assert (= (str.indexof s \"a\" m) (- 1)))(assert (<= 2 m 2))",
        "xa",
        "x",
        2,
        0,
    ),
];

fn graph_of(constraints: &str) -> StringGraph {
    let script = harness_smtlib::read(format!("{DECLARATIONS}{constraints}(check-sat)").as_bytes()).unwrap();
    StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap()
}

fn holds(graph: &StringGraph, s: &str, t: &str, m: i64, k: i64) -> bool {
    let values = [
        Value::String(SmtString::from(s)),
        Value::String(SmtString::from(t)),
        Value::Int(m.into()),
        Value::Int(k.into()),
    ];
    let problem = graph.to_problem();
    GraphEvaluator::new(&problem, Alphabet::Ascii).holds(&values).unwrap()
}

#[test]
fn unsound_rules_refute_what_has_a_solution() {
    for &(rule, constraints, s, t, m, k) in UNSOUND {
        let graph = graph_of(constraints);
        assert!(holds(&graph, s, t, m, k), "{rule}: no solution");
        assert!(refutes(&graph, rule), "{rule} does not refute {constraints}");
    }
}

/// The sound rules refute none of these graphs.
#[test]
fn sound_rules_let_them_pass() {
    for &(rule, constraints, ..) in UNSOUND {
        let prepared = prepare(
            &graph_of(constraints),
            &Options::default(),
            &mut Counts::default(),
            &Budget::unlimited(),
        );
        let prepared =
            prepared.unwrap().unwrap_or_else(|sound| panic!("{} refutes the case of {rule}", sound.rule));
        let graph = &prepared.simplified.graph;
        let solvers = EnumeratedIntegers;
        let mut solver = solvers.solver().unwrap();
        graph.int_vertices().for_each(|v| solver.declare(v));
        for formula in graph.definition_formulas().iter().chain(graph.formulas()).chain(&prepared.derived) {
            solver.assert(formula);
        }
        assert_ne!(solver.solve(&[], &Budget::unlimited()).unwrap(), IntAnswer::Unsat, "{rule}");
    }
}

/// The functions whose comment has the mark, by way of the tables of each set, are those that have a case.
#[test]
fn the_marked_rules_are_those_with_a_case() {
    let spf =
        [include_str!("spf/mod.rs"), include_str!("spf/parts.rs"), include_str!("spf/index.rs")].concat();
    let mut marked = [marked_rules(&spf), marked_rules(include_str!("thesis.rs"))].concat();
    let mut cases: Vec<&str> = UNSOUND.iter().map(|case| case.0).collect();
    marked.sort_unstable();
    cases.sort_unstable();
    assert_eq!(marked, cases);
}

/// The names of the rules of a set whose functions have the mark in their comment.
fn marked_rules(source: &str) -> Vec<&str> {
    let (mut marked, mut rule_of) = (Vec::new(), HashMap::new());
    let mut mark = false;
    for line in source.lines() {
        if let Some(name) = line.split("name: \"").nth(1).and_then(|rest| rest.split('"').next())
            && let Some(function) = line.split("apply: ").nth(1).and_then(|rest| rest.split(' ').next())
        {
            rule_of.insert(function.trim_end_matches(','), name);
        }
        if line.starts_with("///") {
            mark |= line.contains("`[U]`");
        } else {
            let function = line.strip_prefix("pub(in crate::rules) ").unwrap_or(line).strip_prefix("fn ");
            marked.extend(function.and_then(|rest| rest.split('(').next()).filter(|_| mark));
            mark = false;
        }
    }
    marked.into_iter().map(|function| rule_of[function]).collect()
}
