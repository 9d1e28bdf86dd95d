//! The study of systems of regular constraints (Hooimeijer, chapters 2 and 4): [`figure_2_11`], and the
//! experiments [`experiment_1`] to [`experiment_4`] of section 4.2.

pub mod experiment_1;
pub mod experiment_2;
pub mod experiment_3;
pub mod experiment_4;
pub mod figure_2_11;

use harness_model::Verdict;

use crate::claim::measure::{Side, Value};
use crate::dataset::{Dataset, Row};
use crate::strategy::Kind;

/// The eager prototype as published, but for the algebra.
const DPRLE: Kind = Kind::new("dprle", &[("minimise", "false")]);

/// The same with minimised automata on the way.
const MINIMISED: Kind = Kind::new("dprle", &[("minimise", "true")]);

/// The lazy search.
const STRSOLVE: Kind = Kind::new("strsolve", &[]);

/// Hampi on a SAT solver that is given each bit, as STP does it for the prototype.
const HAMPI: Kind = Kind::new("hampi", &[("engine", "sat")]);

/// What the study ran as Rex: automata with predicates, lazily (section 4.2). The family `rex` is the tool's
/// first encoding, as axioms.
const REX: Kind = Kind::new("sfa", &[("algebra", "predicate"), ("mode", "lazy")]);

/// The first strategy of a kind on the tasks that `keep` keeps, with its own time.
fn times(dataset: &Dataset, kind: Kind, keep: impl Fn(&Row) -> bool) -> Side {
    side(dataset, kind, keep, |row| dataset.own_s(row))
}

/// The same, with the states that it made.
fn states(dataset: &Dataset, kind: Kind, keep: impl Fn(&Row) -> bool) -> Side {
    side(dataset, kind, keep, |row| {
        let states = *row.record.counters.get("states")?;
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let states = states as f64;
        Some(states)
    })
}

fn side(
    dataset: &Dataset,
    kind: Kind,
    keep: impl Fn(&Row) -> bool,
    number: impl Fn(&Row) -> Option<f64>,
) -> Side {
    let name = kind.all(dataset).next().unwrap_or_default();
    Side::of(dataset, name, keep, "without a number", number)
}

/// Whether a row's task is expected to have a solution.
fn is_yes(dataset: &Dataset, row: &Row) -> bool {
    let expected = dataset.task(row.task()).and_then(|task| task.expected.as_ref());
    expected.is_some_and(|expected| expected.verdicts == [Verdict::Sat])
}

/// The numbers of a side.
fn numbers(side: &Side) -> Vec<f64> {
    side.values
        .values()
        .filter_map(|value| match value {
            Value::Number(number) => Some(*number),
            Value::Lost(_) | Value::Unfit(_) => None,
        })
        .collect()
}
