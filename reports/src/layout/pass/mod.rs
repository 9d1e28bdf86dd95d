//! The tables of PASS, on parameterised arrays and interval automata: [`table_1`], [`figure_4`] and the
//! [`comparison`] with concrete lengths and with automata.

pub mod comparison;
pub mod figure_4;
pub mod table_1;

use crate::claim::measure::Side;
use crate::dataset::{Dataset, Row};
use crate::strategy::Kind;

/// The paper's methods and the strategies that follow them.
const METHODS: [(&str, Kind); 5] = [
    ("parray", Kind::new("parray", &[("method", "mbqi"), ("simplify", "true")])),
    ("parray+qelim", Kind::new("parray", &[("method", "qelim-iterative"), ("simplify", "true")])),
    ("automaton", AUTOMATON),
    ("parray+automaton", Kind::new("parray+automata", &[("method", "mbqi")])),
    ("parray+automaton+qelim", PASS),
];

/// PASS as a whole.
const PASS: Kind = Kind::new("parray+automata", &[("method", "qelim-iterative")]);

/// Automata alone.
const AUTOMATON: Kind = Kind::new("automata-only", &[]);

/// The kind of strategy that follows one of the paper's methods; `None` of a name that is none.
fn kind_of(method: &str) -> Option<Kind> {
    METHODS.iter().find(|(name, _)| *name == method).map(|(_, kind)| *kind)
}

/// One of the paper's methods on the tasks that `keep` keeps: the first strategy of its kind, with its own
/// time.
fn side(dataset: &Dataset, kind: Kind, keep: impl Fn(&Row) -> bool) -> Side {
    let name = kind.all(dataset).next().unwrap_or_default();
    Side::of(dataset, name, keep, "without a time", |row| dataset.own_s(row))
}

/// The place of the method that a strategy follows; `None` for one that the paper does not have.
fn place(dataset: &Dataset, strategy: &str) -> Option<usize> {
    let row = dataset.strategy(strategy)?;
    METHODS.iter().position(|(_, kind)| kind.has(row))
}

/// The method that a strategy follows; empty for one that the paper does not have.
fn method(dataset: &Dataset, strategy: &str) -> &'static str {
    place(dataset, strategy).map_or("", |place| METHODS[place].0)
}

/// The run's strategies, the paper's methods first, in its order.
fn strategies(dataset: &Dataset) -> Vec<&str> {
    let mut names = dataset.strategies();
    names.sort_by_key(|name| place(dataset, name).unwrap_or(METHODS.len()));
    names
}
