//! What is printed means what the graph means; weights count; slips are where they are asked for.

use harness_check::eval::Evaluator;
use harness_model::{Alphabet, Char, SmtString};
use harness_theory::{Assignment, Value};

use super::draw::tally;
use super::graph::{Number, Side, Text};
use super::kind::{Kind, named_set};
use super::meaning::Values;
use super::*;
use crate::generate;

fn profile() -> Profile {
    Profile {
        edges: 5,
        weights: [1; Kind::ALL.len()],
        string_variables: 2,
        string_constants: 5,
        constant_length: [1, 5],
        int_variables: 2,
        int_constants: 2,
        length: [1, 30],
        characters: (32_u8..=126).map(Char::from).collect(),
        slips: false,
    }
}

fn small() -> Profile {
    let characters = vec![Char::from(b' '), Char::from(b'a'), Char::from(b'b')];
    Profile { length: [0, 4], constant_length: [0, 3], characters, ..profile() }
}

fn draw(profile: &Profile, count: u64) -> Vec<Graph> {
    (0..count).map(|stream| profile.draw(&mut Random::new(11, stream))).collect()
}

/// Values that are in bounds mostly, and often equal to something in the graph.
fn values(graph: &Graph, random: &mut Random) -> Values {
    let constants: Vec<Vec<u32>> = graph
        .edges
        .iter()
        .flat_map(|e| &e.strings)
        .filter_map(|t| match t {
            Text::Const(text) => Some(text.chars().iter().map(|c| c.0).collect()),
            Text::Var(_) => None,
        })
        .collect();
    let below = |random: &mut Random, n: usize| random.below(u32::try_from(n).unwrap()) as usize;
    let word = |random: &mut Random| {
        let mut word: Vec<u32> = match constants.len() {
            0 => Vec::new(),
            n if random.below(2) == 0 => constants[below(random, n)].clone(),
            _ => Vec::new(),
        };
        for _ in 0..random.below(4) {
            let letters = [32, 97, 98, 99, 32];
            let letter = letters[below(random, letters.len())];
            let place = below(random, word.len() + 1);
            word.insert(place, letter);
        }
        word
    };
    let strings = (0..graph.strings).map(|_| word(random)).collect();
    let ints = graph
        .ints
        .iter()
        .map(|var| match random.below(4) {
            0 => var.low + i64::from(random.below(6)),
            1 => var.high - i64::from(random.below(3)),
            2 => [32, 97, 98][below(random, 3)],
            _ => i64::from(random.below(7)) - 2,
        })
        .collect();
    Values { strings, ints }
}

/// Whether the script, read by `harness-smtlib`, is true under `values`; whether the graph is by its own
/// account.
fn both(graph: &Graph, values: &Values) -> (bool, bool) {
    let script = graph.script();
    let problem = harness_smtlib::read(script.as_bytes()).unwrap().queries.remove(0).problem;
    let strings = values.strings.iter().map(|s| {
        let text: SmtString = s.iter().map(|&c| Char(c)).collect();
        Value::String(text)
    });
    let ints = values.ints.iter().map(|&i| Value::Int(i.into()));
    let assignment: Assignment = problem.variables.iter().copied().zip(strings.chain(ints)).collect();
    let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, Alphabet::Ascii);
    (evaluator.all_true(&assignment).unwrap(), graph.holds(values, Alphabet::Ascii.max().0))
}

#[test]
fn the_script_of_a_graph_means_the_graph() {
    let mut random = Random::new(5, 0);
    let mut seen: BTreeMap<Kind, [u32; 2]> = BTreeMap::new();
    // Single edges, so that each kind is seen true and false.
    let single = Profile { edges: 1, ..small() };
    let wide = Profile { edges: 1, length: [0, 30], ..profile() };
    let slips = Profile { slips: true, edges: 2, ..small() };
    for (profile, count) in [(single, 1500), (wide, 600), (slips, 300), (small(), 100), (profile(), 100)] {
        for graph in draw(&profile, count) {
            for _ in 0..12 {
                let values = values(&graph, &mut random);
                let (read, own) = both(&graph, &values);
                assert_eq!(read, own, "{}\n{values:?}", graph.script());
                if let [edge] = graph.edges.as_slice() {
                    seen.entry(edge.kind).or_default()[usize::from(own)] += 1;
                }
            }
        }
    }
    assert_eq!(seen.len(), Kind::ALL.len());
    for (kind, [untrue, holds]) in seen {
        assert!(untrue > 0 && holds > 0, "{kind:?}: {untrue} false, {holds} true");
    }
}

#[test]
fn all_kinds_are_drawn_as_often_as_their_weights_say() {
    let mut weights = [2; Kind::ALL.len()];
    weights[0] = 6;
    weights[3] = 0;
    let graphs = draw(&Profile { weights, edges: 10, ..profile() }, 2000);
    let counts = tally(&graphs);
    let total: u32 = weights.iter().sum();
    for (kind, weight) in Kind::ALL.into_iter().zip(weights) {
        let expected = 20_000.0 * f64::from(weight) / f64::from(total);
        let found = f64::from(u32::try_from(*counts.get(&kind).unwrap_or(&0)).unwrap());
        // Six standard deviations, at least.
        assert!((found - expected).abs() <= 6.0 * expected.sqrt(), "{kind:?}: {found}, expected {expected}");
    }
}

#[test]
fn graphs_are_within_their_bounds() {
    for graph in draw(&profile(), 500) {
        for edge in &graph.edges {
            assert_eq!((edge.strings.len(), edge.ints.len()), (edge.kind.strings(), edge.kind.ints().len()));
            assert!(edge.strings.iter().any(|t| matches!(t, Text::Var(_))), "{edge:?}");
            for (role, number) in edge.kind.ints().iter().zip(&edge.ints) {
                match (role, number) {
                    (kind::Role::Code, Number::Const(c)) => assert!((32..=126).contains(c)),
                    (kind::Role::Code, Number::Var(v)) => assert!(graph.ints[*v].name.starts_with('c')),
                    (_, Number::Const(i)) => assert!((0..=30).contains(i)),
                    (_, Number::Var(v)) => assert!(graph.ints[*v].name.starts_with('i')),
                }
            }
            for text in &edge.strings {
                if let Text::Const(text) = text {
                    assert!((1..=5).contains(&text.len()));
                }
            }
        }
        assert!(graph.sides.is_empty());
    }
    let tildes = draw(&profile(), 500).iter().filter(|g| g.script().contains("~\"))")).count();
    assert_eq!(tildes, 500, "the class of characters ends with it");
}

#[test]
fn slips_are_the_published_ones() {
    let weights = named_set("good").unwrap();
    let graphs = draw(&Profile { weights, slips: true, edges: 10, ..profile() }, 3000);
    let counts = tally(&graphs);
    assert!(!counts.contains_key(&Kind::Trim));
    let share = |kind| f64::from(u32::try_from(counts[&kind]).unwrap()) / 2000.0;
    assert!((0.4..0.6).contains(&share(Kind::CharAt)), "half a share: {}", share(Kind::CharAt));
    assert!((0.9..1.1).contains(&share(Kind::Concat)), "a share: {}", share(Kind::Concat));
    let constants = graphs.iter().flat_map(|g| &g.edges).flat_map(|e| &e.strings);
    let constants = constants.filter_map(|t| if let Text::Const(text) = t { Some(text) } else { None });
    assert!(constants.flat_map(|t| t.chars()).all(|c| (32..=125).contains(&c.0)));
    let integers = graphs.iter().flat_map(|g| &g.edges).flat_map(|e| &e.ints);
    let large = integers.filter(|n| matches!(n, Number::Const(31..200))).count();
    assert!(large > 1000);
    let longer = graphs.iter().flat_map(|g| &g.sides).filter(|s| matches!(s, Side::NoShorter(..)));
    assert!(longer.count() > 1000);
    // The last kind of the set is trim, whose share and a half is missing.
    let edges: usize = counts.values().sum();
    assert!((26_600..27_400).contains(&edges), "{edges}");
}

fn made(list: &[(&str, ParamValue)], seed: u64) -> Result<Vec<Task>, GeneratorError> {
    let params = list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    generate("random-graphs", &params, seed, &[Alphabet::Ascii])
}

fn text(value: &str) -> ParamValue {
    ParamValue::Text(value.to_owned())
}

/// Of the 64-bit FNV-1a kind; enough to notice a changed byte.
fn digest(tasks: &[Task]) -> u64 {
    let bytes = tasks
        .iter()
        .flat_map(|t| t.id.bytes().chain(t.question.as_script().into_iter().flat_map(|s| s.text.bytes())));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

#[test]
fn bytes_are_pinned() {
    let good = made(&[("count", ParamValue::Int(200))], 7).unwrap();
    let thesis = made(
        &[
            ("count", ParamValue::Int(200)),
            ("kinds", text("thesis-4.2")),
            ("edges", ParamValue::Int(10)),
            ("string_variables", ParamValue::Int(4)),
        ],
        7,
    )
    .unwrap();
    let slips =
        made(&[("count", ParamValue::Int(200)), ("published_slips", ParamValue::Bool(true))], 7).unwrap();
    assert_eq!([digest(&good), digest(&thesis), digest(&slips)], PINNED);
    let count = [("count".to_owned(), ParamValue::Int(200))].into();
    let graphs = graphs(&count, 7, Alphabet::Ascii).unwrap();
    assert!(graphs.iter().zip(&good).all(|(g, t)| t.question.as_script().unwrap().text == g.script()));
    assert_eq!(good[0].question.as_script().unwrap().text, FIRST);
}

const PINNED: [u64; 3] = [2_032_973_702_646_361_614, 15_124_579_932_716_176_425, 3_418_783_153_447_662_810];

const FIRST: &str = r#"(set-logic QF_SLIA)
(declare-const s0 String)
(declare-const s1 String)
(assert (<= 1 (str.len s0) 30))
(assert (str.in_re s0 (re.* (re.range " " "~"))))
(assert (<= 1 (str.len s1) 30))
(assert (str.in_re s1 (re.* (re.range " " "~"))))
(assert (= s1 (java.trim "/")))
(assert (str.prefixof "." s1))
(assert (= 11 (java.indexOfChar s1 66)))
(assert (= s0 (str.++ "b#" ".")))
(assert (str.suffixof "&YmB" s1))
(check-sat)
"#;

#[test]
fn a_large_batch_has_unique_ids_and_sizes_take_turns() {
    let sizes = ParamValue::List(vec![ParamValue::Int(5), ParamValue::Int(10)]);
    let tasks =
        made(&[("count", ParamValue::Int(30_328)), ("edges", sizes), ("kinds", text("thesis-4.2"))], 1)
            .unwrap();
    let ids: std::collections::BTreeSet<&str> = tasks.iter().map(|t| t.id.as_str()).collect();
    assert_eq!(ids.len(), 30_328);
    assert_eq!(tasks[0].id, "random-graphs/ascii/graphs/000001");
    // Two bounds for each string, one for each integer, and the edges.
    let edges = |t: &Task| {
        let text = &t.question.as_script().unwrap().text;
        text.matches("(assert ").count()
            - 2 * text.matches(" String)").count()
            - text.matches(" Int)").count()
    };
    assert_eq!([edges(&tasks[0]), edges(&tasks[1]), edges(&tasks[30_327])], [5, 10, 10]);
}

#[test]
fn mistakes_are_named() {
    let fail = |list: &[(&str, ParamValue)]| made(list, 0).unwrap_err().to_string();
    assert!(fail(&[("kinds", text("thesis"))]).contains("there is no 'thesis'"));
    assert!(fail(&[("kinds", text("conatins"))]).contains("did you mean 'contains'?"));
    assert!(fail(&[("kinds", text("trim:x"))]).contains("a number up to 1000"));
    assert!(fail(&[("kinds", text("trim:0"))]).contains("above 0"));
    let twice = ParamValue::List(vec![text("trim"), text("trim:2")]);
    assert!(fail(&[("kinds", twice)]).contains("'trim' is there twice"));
    assert!(fail(&[("characters", text("é"))]).contains("not in the alphabet ascii"));
    assert!(fail(&[("characters", text(""))]).contains("at least one"));
    assert!(fail(&[("min_length", ParamValue::Int(31))]).contains("'max_length', which is 30"));
    assert!(fail(&[("name", text("a b"))]).contains("letters, digits"));
    let few = [("string_variables", ParamValue::Int(1)), ("string_constants", ParamValue::Int(1))];
    assert!(fail(&few).contains("3 different strings"));
    let none = [("int_variables", ParamValue::Int(0)), ("int_constants", ParamValue::Int(0))];
    assert!(fail(&none).contains("some kinds need an integer"));
    assert!(fail(&[("published_slips", text("yes"))]).contains("true or false"));
}
