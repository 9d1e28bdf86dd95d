//! Functions of equal arguments: rule `congruent`.

use std::collections::HashMap;

use super::{RuleName, Work};
use crate::edge::{IntVertex, Relation, StringVertex, Vertex};
use crate::reasons::Reasons;
use crate::rules::Counts;

impl Work {
    /// Rule `congruent`: a function of equal arguments has equal results, so the second edge may go when the
    /// results are merged.
    pub(super) fn congruent(&mut self, counts: &mut Counts) -> Result<(), RuleName> {
        let mut results: HashMap<Relation, (Vertex, Reasons)> = HashMap::new();
        let mut kept = Vec::with_capacity(self.edges.len());
        for edge in std::mem::take(&mut self.edges) {
            let edge = self.edge(&edge);
            let relation = &edge.value.relation;
            let Some(result) = relation.result() else {
                kept.push(edge);
                continue;
            };
            // The relation without its result: the result replaced by one fixed vertex of its sort, which
            // stands last.
            let places = relation.vertices().count();
            let key = without_result(relation, places);
            match results.get(&key) {
                None => {
                    results.insert(key, (result, edge.from.clone()));
                    kept.push(edge);
                }
                Some((first, _)) if *first == result => {}
                Some((first, from)) => {
                    self.present = edge.from.clone();
                    self.present.extend(from);
                    let merged = match (*first, result) {
                        (Vertex::String(x), Vertex::String(y)) => self.unite_strings(x, y).map(|()| true),
                        (Vertex::Int(x), Vertex::Int(y)) => self.unite_ints(x, y),
                        _ => Ok(false),
                    };
                    match merged {
                        Ok(true) => counts.add("rule_congruent"),
                        Ok(false) => kept.push(edge),
                        Err(()) => return Err("rule_congruent"),
                    }
                }
            }
        }
        self.edges = kept;
        Ok(())
    }
}

/// The relation with vertex 0 for its result: a key for functions of the same arguments.
fn without_result(relation: &Relation, places: usize) -> Relation {
    let at = std::cell::Cell::new(0);
    let count_strings = relation.strings().count();
    let string_result = matches!(relation.result(), Some(Vertex::String(_)));
    let last = if string_result { count_strings } else { places - count_strings };
    let next = || {
        at.set(at.get() + 1);
        at.get()
    };
    if string_result {
        relation.map(|s| if next() == last { StringVertex(0) } else { s }, |i| i)
    } else {
        relation.map(|s| s, |i| if next() == last { IntVertex(0) } else { i })
    }
}
