//! What is drawn keeps its promises: bounds, shares, characters, the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use harness_check::eval::Evaluator;
use harness_model::{Alphabet, Char, SmtString, Task};
use harness_theory::op::{ArithOp, CoreOp, JavaOp, Op, ReOp, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::Term;
use harness_theory::{Assignment, Value};

use crate::random::Random;
use crate::{GeneratorError, ParamValue, generate};

fn made(list: &[(&str, ParamValue)], seed: u64) -> Result<Vec<Task>, GeneratorError> {
    let params = list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    generate("hybrid", &params, seed, &[Alphabet::Ascii])
}

fn int(value: i64) -> ParamValue {
    ParamValue::Int(value)
}

fn text(value: &str) -> ParamValue {
    ParamValue::Text(value.to_owned())
}

fn script(task: &Task) -> &str {
    &task.question.as_script().unwrap().text
}

/// The constraints of a script, without declarations and bounds: two assertions for each string, one for each
/// integer.
fn constraints(task: &Task, strings: usize, ints: usize) -> Vec<&str> {
    let asserted = script(task).lines().filter(|line| line.starts_with("(assert"));
    asserted.skip(2 * strings + ints).collect()
}

#[test]
fn every_script_reads_and_has_what_was_asked_for() {
    let sizes = ParamValue::List(vec![int(1), int(4), int(9)]);
    let list = [
        ("count", int(600)),
        ("constraints", sizes),
        ("string_variables", int(3)),
        ("int_variables", int(2)),
        ("characters", text("-01a\"")),
        ("max_length", int(4)),
        ("constant_max_length", int(2)),
        ("max_int", int(50)),
    ];
    for (number, task) in made(&list, 3).unwrap().iter().enumerate() {
        let query = harness_smtlib::read(script(task).as_bytes()).unwrap().queries.remove(0);
        let problem = query.problem;
        let problem = &problem;
        let of = |sort| {
            problem.variables.iter().filter(move |v| problem.terms.variables()[v.index()].sort == sort)
        };
        assert_eq!((of(Sort::String).count(), of(Sort::Int).count()), (3, 2));
        assert_eq!(constraints(task, 3, 2).len(), [1, 4, 9][number % 3], "{}", script(task));
        let allowed: BTreeSet<Char> = "-01a\"".chars().map(|c| Char(u32::from(c))).collect();
        for id in problem.terms.cone(&problem.assertions) {
            // Java's own operations bring characters of theirs: a digit, a sign, the ends of ASCII.
            if let Term::String(word) = problem.terms.get(id)
                && !script(task).contains("java.")
            {
                assert!(word.len() <= 2 && word.chars().iter().all(|c| allowed.contains(c)), "{word:?}");
            }
        }
    }
}

#[test]
fn structure_is_over_all_groups_and_none_changes_no_byte() {
    let plain = [("count", int(40)), ("constraints", int(3))];
    let none = [plain[0].clone(), plain[1].clone(), ("structure", int(0)), ("bool_variables", int(0))];
    assert_eq!(digest(&made(&plain, 5).unwrap()), digest(&made(&none, 5).unwrap()));
    let list = [("count", int(300)), ("structure", int(2)), ("bool_variables", int(2))];
    let tasks = made(&list, 5).unwrap();
    let mut operations = BTreeSet::new();
    let mut booleans = 0;
    for task in &tasks {
        let query = harness_smtlib::read(script(task).as_bytes()).unwrap().queries.remove(0);
        let terms = &query.problem.terms;
        for id in terms.cone(&query.problem.assertions) {
            match terms.get(id) {
                Term::App(Op::Core(op), _) => {
                    operations.insert(op.name());
                }
                Term::Var(_) => booleans += usize::from(terms.sort(id) == Sort::Bool),
                Term::App(..) | Term::Bool(_) | Term::Int(_) | Term::String(_) => {}
            }
        }
    }
    let all = ["not", "and", "or", "xor", "=>", "=", "distinct", "ite"];
    assert!(all.iter().all(|op| operations.contains(op)), "{operations:?}");
    assert!(booleans > 200, "{booleans}");
}

/// Applications have the bounds of variables, products are of unknowns, and without either no byte changes.
#[test]
fn functions_are_bounded_and_products_are_of_unknowns() {
    let plain = [("count", int(40))];
    let none = [plain[0].clone(), ("functions", int(0)), ("products", int(0))];
    assert_eq!(digest(&made(&plain, 5).unwrap()), digest(&made(&none, 5).unwrap()));
    let list = [
        ("count", int(200)),
        ("functions", int(2)),
        ("products", int(40)),
        ("max_length", int(4)),
        ("max_int", int(9)),
    ];
    let (mut applied, mut nested, mut unknowns) = (0, 0, BTreeSet::new());
    for task in made(&list, 8).unwrap() {
        let text = script(&task);
        let problem = harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0).problem;
        applied +=
            usize::from(text.contains("(assert (<= 0 (str.len (f")) + usize::from(text.contains("(g1 "));
        nested += usize::from(text.contains("(f0 (f") || text.contains("(g1 (f"));
        for id in problem.terms.cone(&problem.assertions) {
            if let Term::App(Op::Arith(op @ (ArithOp::Mul | ArithOp::Div | ArithOp::Mod)), arguments) =
                problem.terms.get(id)
                && arguments.iter().all(|&a| !matches!(problem.terms.get(a), Term::Int(_)))
            {
                unknowns.insert(op.name());
            }
        }
        for letter in ["f", "g"] {
            let bound = if letter == "f" { "(assert (<= 0 (str.len (f" } else { "(assert (<= (- 9) (g" };
            let bounded = text.lines().filter(|line| line.starts_with(bound)).count();
            let names: BTreeSet<&str> = applications(text, letter);
            assert_eq!(bounded, names.len(), "{text}");
        }
    }
    assert!(applied > 80 && nested > 10, "{applied} {nested}");
    assert_eq!(unknowns, BTreeSet::from(["*", "div", "mod"]));
}

/// The applications `(fN …)` in a text, each once.
fn applications<'t>(text: &'t str, letter: &str) -> BTreeSet<&'t str> {
    let mut all = BTreeSet::new();
    for number in 0..2 {
        let head = format!("({letter}{number} ");
        for (start, _) in text.match_indices(&head) {
            let mut open = 0_i32;
            let mut quoted = false;
            let end = text[start..].char_indices().find(|&(_, c)| {
                match c {
                    '"' => quoted = !quoted,
                    '(' if !quoted => open += 1,
                    ')' if !quoted => open -= 1,
                    _ => {}
                }
                open == 0
            });
            if let Some((length, _)) = end
                && !text[..start].ends_with("declare-fun ")
            {
                all.insert(&text[start..=start + length]);
            }
        }
    }
    all
}

/// The bounds hold for exactly the words and numbers that were promised.
#[test]
fn bounds_are_the_ones_that_were_asked_for() {
    for (bound, lines, foreign) in [("regex", 3, false), ("positions", 4, false), ("none", 2, true)] {
        let list = [
            ("count", int(1)),
            ("string_variables", int(1)),
            ("int_variables", int(1)),
            ("characters", text("bad")),
            ("bound_characters", text(bound)),
            ("max_length", int(2)),
            ("max_int", int(7)),
        ];
        let tasks = made(&list, 0).unwrap();
        let mut left = lines;
        let bounds: String = script(&tasks[0])
            .lines()
            .filter(|line| {
                let keep = !line.starts_with("(assert") || left > 0;
                left -= u8::from(line.starts_with("(assert") && keep);
                keep
            })
            .map(|line| format!("{line}\n"))
            .collect();
        let problem = harness_smtlib::read(bounds.as_bytes()).unwrap().queries.remove(0).problem;
        let mut evaluator = Evaluator::new(&problem.terms, &problem.assertions, Alphabet::Ascii);
        let mut holds = |word: &str, number: i64| {
            let values = [Value::String(SmtString::from(word)), Value::Int(number.into())];
            let assignment: Assignment = problem.variables.iter().copied().zip(values).collect();
            evaluator.all_true(&assignment).unwrap()
        };
        for (word, right) in
            [("", true), ("ab", true), ("dd", true), ("abd", false), ("c", foreign), ("bc", foreign)]
        {
            assert_eq!(holds(word, 0), right, "{bound}: {word}");
        }
        for (number, right) in [(7, true), (-7, true), (8, false), (-8, false)] {
            assert_eq!(holds("", number), right, "{bound}: {number}");
        }
    }
}

/// In which group a constraint is, by its operations.
fn group(constraint: &str) -> &'static str {
    let has = |names: &[&str]| names.iter().any(|name| constraint.contains(name));
    if has(&["str.in_re"]) {
        "memberships"
    } else if has(&["to_int", "parseInt", "from_int", "valueOf", "charAt", "to_code", "from_code"]) {
        "conversions"
    } else if has(&["str.len", "mod", "(* "]) || !has(&["str.", "java.", " s"]) {
        "arithmetic"
    } else {
        "strings"
    }
}

#[test]
fn groups_are_drawn_as_often_as_their_weights_say() {
    let weights = [("strings", 5), ("memberships", 1), ("conversions", 3), ("arithmetic", 1)];
    let mut list = vec![("count", int(1000)), ("constraints", int(10))];
    list.extend(weights.map(|(name, weight)| (name, int(weight))));
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let tasks = made(&list, 8).unwrap();
    for constraint in tasks.iter().flat_map(|task| constraints(task, 2, 2)) {
        *counts.entry(group(constraint)).or_default() += 1;
    }
    for (name, weight) in weights {
        let expected = 10_000.0 * f64::from(u8::try_from(weight).unwrap()) / 10.0;
        let found = f64::from(counts[name]);
        // Six standard deviations, at least.
        assert!((found - expected).abs() <= 6.0 * expected.sqrt(), "{name}: {found}, expected {expected}");
    }
    let none = [("memberships", int(0)), ("conversions", int(0)), ("arithmetic", int(0))];
    let tasks = made(&none, 8).unwrap();
    assert!(tasks.iter().flat_map(|task| constraints(task, 2, 2)).all(|c| group(c) == "strings"));
}

/// Every operation that is drawn occurs, and no other one; a constraint with it is neither always true nor
/// always false.
#[test]
fn operations_occur_true_and_false() {
    let list = [
        ("count", int(1500)),
        ("constraints", int(1)),
        ("characters", text(" -01aA")),
        ("max_length", int(3)),
        ("constant_max_length", int(2)),
        ("max_int", int(120)),
    ];
    let mut random = Random::new(1, 1);
    let mut seen: BTreeMap<Op, [u32; 2]> = BTreeMap::new();
    for task in made(&list, 21).unwrap() {
        let problem = harness_smtlib::read(script(&task).as_bytes()).unwrap().queries.remove(0).problem;
        let own = &problem.assertions[6..];
        let operations: BTreeSet<Op> = problem
            .terms
            .cone(own)
            .into_iter()
            .filter_map(|id| {
                if let Term::App(op, _) = problem.terms.get(id) { Some(without_indices(*op)) } else { None }
            })
            .collect();
        let mut evaluator = Evaluator::new(&problem.terms, own, Alphabet::Ascii);
        for _ in 0..40 {
            let assignment: Assignment = problem
                .variables
                .iter()
                .map(|&v| {
                    let value = match problem.terms.variables()[v.index()].sort {
                        Sort::String => {
                            let length = random.below(4);
                            let letters = [b' ', b'-', b'0', b'1', b'a', b'A'];
                            let word: SmtString =
                                (0..length).map(|_| Char::from(letters[random.below(6) as usize])).collect();
                            Value::String(word)
                        }
                        // A position or a number, or the code of one of the letters.
                        _ => match random.below(18) {
                            small @ 0..14 => Value::Int((i64::from(small) - 2).into()),
                            code => {
                                Value::Int(i64::from([b' ', b'0', b'a', b'A'][code as usize - 14]).into())
                            }
                        },
                    };
                    (v, value)
                })
                .collect();
            let holds = evaluator.all_true(&assignment).unwrap();
            for op in &operations {
                seen.entry(*op).or_default()[usize::from(holds)] += 1;
            }
        }
    }
    for op in Op::all() {
        let [untrue, holds] = seen.get(&op).copied().unwrap_or_default();
        if is_drawn(op) {
            assert!(untrue > 0 && holds > 0, "{op:?}: {untrue} false, {holds} true");
        } else {
            assert_eq!((untrue, holds), (0, 0), "{op:?} is drawn");
        }
    }
}

/// Whether constraints have the operation, bounds left aside. A new operation has to be placed here.
const fn is_drawn(op: Op) -> bool {
    match op {
        Op::Core(op) => match op {
            CoreOp::Not | CoreOp::Eq | CoreOp::Distinct => true,
            CoreOp::And | CoreOp::Or | CoreOp::Xor | CoreOp::Implies | CoreOp::Ite => false,
        },
        Op::Arith(op) => match op {
            ArithOp::Neg | ArithOp::Add | ArithOp::Sub | ArithOp::Mul | ArithOp::Mod => true,
            ArithOp::Le | ArithOp::Lt | ArithOp::Ge | ArithOp::Gt => true,
            ArithOp::Div | ArithOp::Abs => false,
        },
        Op::Str(op) => match op {
            StrOp::Concat
            | StrOp::Len
            | StrOp::Lt
            | StrOp::Le
            | StrOp::At
            | StrOp::Substr
            | StrOp::PrefixOf
            | StrOp::SuffixOf
            | StrOp::Contains
            | StrOp::IndexOf
            | StrOp::Replace
            | StrOp::ReplaceAll
            | StrOp::ToCode
            | StrOp::FromCode
            | StrOp::ToInt
            | StrOp::FromInt
            | StrOp::InRe => true,
            StrOp::ReplaceRe | StrOp::ReplaceReAll | StrOp::IsDigit => false,
        },
        Op::Re(op) => match op {
            ReOp::ToRe
            | ReOp::AllChar
            | ReOp::Concat
            | ReOp::Union
            | ReOp::Star
            | ReOp::Plus
            | ReOp::Opt
            | ReOp::Range
            | ReOp::Loop(..) => true,
            ReOp::None | ReOp::All | ReOp::Inter | ReOp::Comp | ReOp::Diff | ReOp::Power(_) => false,
        },
        Op::Java(op) => match op {
            JavaOp::CharAt
            | JavaOp::CompareTo
            | JavaOp::LastIndexOf
            | JavaOp::ParseInt
            | JavaOp::Substring
            | JavaOp::ToLowerCase
            | JavaOp::ToUpperCase
            | JavaOp::Trim
            | JavaOp::ValueOf => true,
            JavaOp::Ceil
            | JavaOp::CodePointAt
            | JavaOp::Concat
            | JavaOp::Contains
            | JavaOp::Decimal
            | JavaOp::Divide
            | JavaOp::EndsWith
            | JavaOp::Equals
            | JavaOp::EqualsIgnoreCase
            | JavaOp::Floor
            | JavaOp::FloorDiv
            | JavaOp::FloorMod
            | JavaOp::IndexOf
            | JavaOp::IndexOfChar
            | JavaOp::IsEmpty
            | JavaOp::LastIndexOfChar
            | JavaOp::Length
            | JavaOp::RegionMatches
            | JavaOp::Remainder
            | JavaOp::Repeat
            | JavaOp::Replace
            | JavaOp::ReplaceChar
            | JavaOp::Round
            | JavaOp::SetScale
            | JavaOp::StartsWith
            | JavaOp::Strip => false,
        },
    }
}

/// The operation as the table of its group has it, with indices 0.
const fn without_indices(op: Op) -> Op {
    match op {
        Op::Re(ReOp::Loop(..)) => Op::Re(ReOp::Loop(0, 0)),
        Op::Re(ReOp::Power(_)) => Op::Re(ReOp::Power(0)),
        Op::Core(_) | Op::Arith(_) | Op::Str(_) | Op::Re(_) | Op::Java(_) => op,
    }
}

/// Of the 64-bit FNV-1a kind; enough to notice a changed byte.
fn digest(tasks: &[Task]) -> u64 {
    let bytes = tasks.iter().flat_map(|t| t.id.bytes().chain(script(t).bytes()));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

#[test]
fn bytes_are_pinned() {
    let tasks = made(&[("count", int(300))], 7).unwrap();
    assert_eq!(digest(&tasks), PINNED);
    assert_eq!(made(&[("count", int(900))], 7).unwrap()[..300], tasks[..]);
}

const PINNED: u64 = 12_856_968_598_314_568_445;

#[test]
fn mistakes_are_named() {
    let fail = |list: &[(&str, ParamValue)]| made(list, 0).unwrap_err().to_string();
    assert!(fail(&[("constraint", int(1))]).contains("did you mean 'constraints'"));
    assert!(fail(&[("characters", text("é"))]).contains("not in the alphabet ascii"));
    assert!(fail(&[("characters", text(""))]).contains("at least one"));
    assert!(fail(&[("bound_characters", text("all"))]).contains("not one of regex"));
    assert!(fail(&[("int_variables", int(0))]).contains("a whole number from 1"));
    assert!(fail(&[("name", text("a/b"))]).contains("letters, digits"));
    let none = ["strings", "memberships", "conversions", "arithmetic"].map(|name| (name, int(0)));
    assert!(fail(&none).contains("may not all be 0"));
}
