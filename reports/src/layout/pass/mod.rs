//! The tables of PASS, on parameterised arrays and interval automata: [`table_1`], [`figure_4`] and the
//! [`comparison`] with concrete lengths and with automata.

pub mod comparison;
pub mod figure_4;
pub mod table_1;

use crate::dataset::Dataset;

/// The paper's methods and the strategies that follow them.
const METHODS: [(&str, &str); 5] = [
    ("parray", "parray-mbqi"),
    ("parray+qelim", "parray-qelim-iterative"),
    ("automaton", "automata-only"),
    ("parray+automaton", "parray+automata"),
    ("parray+automaton+qelim", "parray+automata+qelim"),
];

/// The method that a strategy follows; empty for one that the paper does not have.
fn method(strategy: &str) -> &'static str {
    METHODS.iter().find(|(_, name)| *name == strategy).map_or("", |(method, _)| method)
}

/// The run's strategies, the paper's methods first, in its order.
fn strategies(dataset: &Dataset) -> Vec<&str> {
    let mut names = dataset.strategies();
    names.sort_by_key(|name| METHODS.iter().position(|(_, s)| s == name).unwrap_or(METHODS.len()));
    names
}
