//! The table of operations and strategies against what the strategies do: scripts are made of each form of
//! each operation, and every strategy with a column of its own runs them.
//!
//! Which verdict is right is known by construction: an application has the value that the trusted evaluator
//! gives it for some arguments, and once its arguments are confined to these, no other one.

#![cfg(feature = "z3")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use backends_api::{BackendError, Budget, Probe, Strategy, Treatment};
use backends_input::expressions;
use harness_check::eval::Evaluator;
use harness_model::{Alphabet, Question, Verdict};
use harness_smtlib::print;
use harness_theory::lower::lower;
use harness_theory::{ArithOp, Assignment, CoreOp, Form, JavaOp, Op, Problem, ReOp, Sort, StrOp, Term};
use harness_theory::{TermId, Terms, Value, VarId};

/// What a strategy may take for one small script.
const TIME: Duration = Duration::from_millis(30);
/// What it may take where its claim is not borne out before.
const MORE_TIME: Duration = Duration::from_secs(10);

/// Operations that a strategy takes natively, but refutes in no script here: it guesses the number that
/// `compareTo` gives, of which there are infinitely many, and rules out one at a time. An entry that is
/// refuted after all fails.
const UNREFUTED: [(&str, Op); 1] = [("hybrid", Op::Java(JavaOp::CompareTo))];

/// A script with its right verdict.
struct Instance {
    text: String,
    satisfiable: bool,
    /// The operations in it, and those that they are written out in.
    operations: BTreeSet<Op>,
}

/// Values to try for a variable, those that say most first.
fn values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::String => ["ab", "a", "7", "b", "", "aa", " A"].map(|w| Value::String(w.into())).to_vec(),
        Sort::Int => [1, 0, 2, -1, 97].map(|i: i64| Value::Int(i.into())).to_vec(),
        Sort::Bool => [true, false].map(Value::Bool).to_vec(),
        Sort::RegLan => Vec::new(),
    }
}

/// Every assignment of these values.
fn assignments(terms: &Terms, variables: &[VarId]) -> Vec<Assignment> {
    variables.iter().fold(vec![Assignment::new()], |all, &variable| {
        let values = values(terms.variables()[variable.index()].sort);
        let longer = |assignment: &Assignment| {
            let with = |value: &Value| {
                let mut longer = assignment.clone();
                longer.insert(variable, value.clone());
                longer
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        all.iter().flat_map(longer).collect()
    })
}

fn app(terms: &mut Terms, op: impl Into<Op>, arguments: &[TermId]) -> TermId {
    terms.app(op, arguments).unwrap()
}

fn literal(terms: &mut Terms, value: &Value) -> TermId {
    match value {
        Value::String(word) => terms.string(word.clone()),
        Value::Int(number) => terms.int(number.clone()),
        Value::Bool(truth) => terms.bool(*truth),
    }
}

/// That the variables have these values, in words from which a solver has to find it.
fn confined(terms: &mut Terms, assignment: &Assignment) -> Vec<TermId> {
    let mut all = Vec::new();
    for (&variable, value) in assignment {
        let x = terms.var(variable);
        let is = literal(terms, value);
        match value {
            Value::String(word) => {
                let (length, most) = (app(terms, StrOp::Len, &[x]), terms.int(word.len() as i64));
                all.push(app(terms, StrOp::PrefixOf, &[is, x]));
                all.push(app(terms, ArithOp::Le, &[length, most]));
            }
            Value::Int(_) => {
                all.push(app(terms, ArithOp::Le, &[is, x]));
                all.push(app(terms, ArithOp::Le, &[x, is]));
            }
            Value::Bool(true) => all.push(x),
            Value::Bool(false) => all.push(app(terms, CoreOp::Not, &[x])),
        }
    }
    all
}

impl Instance {
    fn new(terms: &Terms, variables: &[VarId], assertions: Vec<TermId>, satisfiable: bool) -> Self {
        let problem = Problem { terms: Arc::new(terms.clone()), variables: variables.to_vec(), assertions };
        let operations = [&problem, &lower(&problem, Alphabet::Ascii, |_| false)]
            .into_iter()
            .flat_map(|problem| {
                let cone = problem.terms.cone(&problem.assertions);
                cone.into_iter().filter_map(|id| match problem.terms.get(id) {
                    Term::App(op, _) => Some(*op),
                    Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => None,
                })
            })
            .collect();
        Self { text: print::problem(&problem, "ALL", None), satisfiable, operations }
    }

    /// A satisfiable and an unsatisfiable script for each thing that a form can say.
    fn of(form: &Form) -> Vec<Self> {
        let mut terms = form.terms.clone();
        let mut variables = form.variables.clone();
        let mut made = form.application;
        if terms.sort(made) == Sort::RegLan {
            variables.push(terms.variable("word", Sort::String));
            let word = terms.var(variables[variables.len() - 1]);
            made = app(&mut terms, StrOp::InRe, &[word, made]);
        }
        let mut all = Vec::new();
        let mut seen: BTreeMap<bool, Assignment> = BTreeMap::new();
        for assignment in assignments(&terms, &variables) {
            let mut evaluator = Evaluator::new(&terms, &[made], Alphabet::Ascii);
            evaluator.run(&assignment).unwrap();
            let Ok(Some(value)) = evaluator.value(0) else { continue };
            if let Value::Bool(truth) = value {
                seen.entry(truth).or_insert(assignment);
                continue;
            }
            let value = literal(&mut terms, &value);
            let equal = app(&mut terms, CoreOp::Eq, &[made, value]);
            all.push(Self::new(&terms, &variables, vec![equal], true));
            let mut assertions = confined(&mut terms, &assignment);
            assertions.push(app(&mut terms, CoreOp::Not, &[equal]));
            all.push(Self::new(&terms, &variables, assertions, false));
            return all;
        }
        let negation = app(&mut terms, CoreOp::Not, &[made]);
        let claims =
            if form.may_be_negated() { vec![(true, made), (false, negation)] } else { vec![(true, made)] };
        for (truth, claim) in claims {
            if seen.contains_key(&truth) {
                all.push(Self::new(&terms, &variables, vec![claim], true));
            }
            if let Some(assignment) = seen.get(&!truth) {
                let mut assertions = confined(&mut terms, assignment);
                assertions.push(claim);
                all.push(Self::new(&terms, &variables, assertions, false));
            }
        }
        all
    }
}

/// What a strategy made of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Right,
    Open,
    /// A refutation that is wrong, by rules of which the strategy says so.
    Unsound,
    Unsupported,
}

fn ask(strategy: &dyn Strategy, question: &Question, time: Duration) -> Result<Vec<Verdict>, BackendError> {
    let (budget, probe) = (Budget::with_time(time), Probe::new());
    let outcome = strategy.prepare(question, &budget, &probe)?.run(&probe)?;
    Ok(outcome.answers.into_iter().map(|answer| answer.verdict).collect())
}

fn fate(strategy: &dyn Strategy, instance: &Instance, time: Duration) -> Fate {
    let Instance { text, satisfiable, operations } = instance;
    let question = Question::of_script(Alphabet::Ascii, text.as_str(), 1);
    let name = strategy.info().name;
    match ask(strategy, &question, time).as_deref() {
        Ok([Verdict::Sat]) if *satisfiable => Fate::Right,
        Ok([Verdict::Unsat]) if *satisfiable && strategy.info().summary.contains("unsound") => Fate::Unsound,
        Ok([Verdict::Unsat | Verdict::UnsatWithinBound]) if !satisfiable => Fate::Right,
        Ok([Verdict::Unknown | Verdict::UnsatWithinBound]) | Err(BackendError::Stopped(_)) => Fate::Open,
        Err(BackendError::Unsupported(what)) => {
            assert!(
                operations.iter().any(|op| what.contains(op.name())),
                "{name}: '{what}' names nothing of {text}"
            );
            Fate::Unsupported
        }
        other => panic!("{name}: {other:?}, satisfiable: {satisfiable}: {text}"),
    }
}

/// One strategy for each column that differs from others of its family, of those that can run on this
/// machine.
fn strategies() -> Vec<Box<dyn Strategy>> {
    let registry = backends::registry();
    let mut all = Vec::new();
    for family in registry.families() {
        let mut seen = BTreeSet::new();
        for preset in &family.spec().presets {
            let strategy = family.build(&preset.options);
            let column: Vec<Option<Treatment>> = Op::all().map(|op| strategy.operation(op)).collect();
            if column.iter().any(Option::is_some) && seen.insert(column) && strategy.found().is_ok() {
                all.push(strategy);
            }
        }
    }
    all
}

/// Why the claim does not fit what was seen, if it does not.
fn objection(claim: Treatment, refutes: bool, fates: &[(bool, Fate)]) -> Option<&'static str> {
    let some = |fate| fates.iter().any(|(_, seen)| *seen == fate);
    let refused = some(Fate::Unsupported);
    let taken = some(Fate::Right) || some(Fate::Open) || some(Fate::Unsound);
    match claim {
        Treatment::Refused if taken => Some("it is not refused"),
        Treatment::Partial if !refused || !taken => Some("it is not in some forms only"),
        Treatment::Native | Treatment::Lowered | Treatment::Weakened if refused => Some("it is refused"),
        Treatment::Native | Treatment::Lowered if some(Fate::Unsound) => Some("it is unsound"),
        Treatment::Native | Treatment::Lowered => {
            let right = |wanted: bool| fates.contains(&(wanted, Fate::Right));
            let asked = |wanted: bool| fates.iter().any(|(satisfiable, _)| *satisfiable == wanted);
            if !refutes && right(false) {
                return Some("it is in the list of what is not refuted");
            }
            let missing = |wanted| asked(wanted) && !right(wanted);
            (missing(true) || refutes && missing(false)).then_some("no verdict, or only one of the two")
        }
        Treatment::Refused | Treatment::Partial | Treatment::Weakened => None,
    }
}

/// Holds the columns to what is done with these operations.
fn check(operations: impl Iterator<Item = Op>) {
    let strategies = strategies();
    let mut wrong = Vec::new();
    for op in operations {
        let instances: Vec<Instance> = Form::of(op).iter().flat_map(Instance::of).collect();
        assert!(instances.iter().any(|i| i.satisfiable), "{}", op.name());
        for strategy in &strategies {
            let name = strategy.info().name;
            let Some(claim) = strategy.operation(op) else { continue };
            if strategy.operation(Op::Str(StrOp::InRe)).is_none() {
                continue; // It takes expressions: see below.
            }
            let refutes = !UNREFUTED.contains(&(name.as_str(), op));
            let mut fates: Vec<(bool, Fate)> =
                instances.iter().map(|i| (i.satisfiable, fate(&**strategy, i, TIME))).collect();
            // A machine that is busy gets another chance, one script after the other.
            for (place, instance) in instances.iter().enumerate() {
                if fates[place].1 == Fate::Open && objection(claim, refutes, &fates).is_some() {
                    fates[place].1 = fate(&**strategy, instance, MORE_TIME);
                }
            }
            if let Some(objection) = objection(claim, refutes, &fates) {
                wrong.push(format!("{name}, {}: {claim}, but {objection}: {fates:?}", op.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn core_and_arithmetic() {
    check(Op::all().filter(|op| matches!(op, Op::Core(_) | Op::Arith(_))));
}

#[test]
fn strings() {
    check(Op::all().filter(|op| matches!(op, Op::Str(_))));
}

#[test]
fn languages() {
    check(Op::all().filter(|op| matches!(op, Op::Re(_))));
}

#[test]
fn java() {
    check(Op::all().filter(|op| matches!(op, Op::Java(_))));
}

#[test]
fn expressions() {
    let mut asked = 0;
    for op in Op::all() {
        let Some(question) = expressions::sample(op) else { continue };
        let first = if op == Op::Re(ReOp::None) { Verdict::Empty } else { Verdict::Nonempty };
        for strategy in strategies() {
            let takes_scripts = strategy.operation(Op::Str(StrOp::InRe)).is_some();
            if takes_scripts || strategy.operation(op).is_none() {
                continue;
            }
            let name = strategy.info().name;
            let mut answers = ask(&*strategy, &question, MORE_TIME);
            if strategy.operation(op) == Some(Treatment::Weakened) {
                // It finds words, and need not find that there is none.
                assert_eq!(name, "rex");
                if let Ok(answers) = &mut answers
                    && answers[1] == Verdict::Unknown
                {
                    answers[1] = Verdict::Empty;
                }
            } else {
                assert_eq!(strategy.operation(op), Some(Treatment::Native));
            }
            assert_eq!(answers, Ok(vec![first, Verdict::Empty]), "{name}, {}", op.name());
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked}");
}

/// A column without its marks would hold nothing.
#[test]
fn every_way_to_treat_an_operation_occurs() {
    let cells: BTreeSet<Treatment> =
        strategies().iter().flat_map(|s| Op::all().filter_map(|op| s.operation(op))).collect();
    assert_eq!(cells.into_iter().collect::<Vec<_>>(), Treatment::ALL);
}
