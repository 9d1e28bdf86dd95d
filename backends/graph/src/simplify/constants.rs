//! Edges whose words are constants: rules `merge_equal`, `opposed_equal`, `fold_constants`, `fold_concat` and
//! `fold_empty`.

use harness_model::SmtString;
use harness_model::int::Int;

use super::{RuleName, Work};
use crate::edge::{Edge, Relation, StringVertex, Vertex};
use crate::evaluate::{constant_result, edge_holds};
use crate::options::RuleSet;
use crate::rules::Counts;

impl Work {
    /// Rule `merge_equal`: the ends of a positive `equal` have one word, so they may be one vertex. Rule
    /// `opposed_equal`: no word differs from itself.
    pub(super) fn equal(
        &mut self,
        edge: &Edge,
        a: StringVertex,
        b: StringVertex,
        counts: &mut Counts,
    ) -> Result<bool, RuleName> {
        if edge.positive {
            counts.add("rule_merge_equal");
            return self.unite_strings(a, b).map(|()| false).map_err(|()| "rule_merge_equal");
        }
        if a == b {
            return Err("rule_opposed_equal");
        }
        if self.graph.word(a).is_some() && self.graph.word(b).is_some() {
            counts.add("rule_fold_constants");
            return Ok(false);
        }
        Ok(true)
    }

    /// Rules `fold_constants`, `fold_concat` and `fold_empty`.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "functions of which no argument alone says more stay as they are"
    )]
    pub(super) fn fold(&mut self, edge: &Edge, counts: &mut Counts) -> Result<bool, RuleName> {
        let relation = &edge.relation;
        let is_constant = |v: &Vertex| match *v {
            Vertex::String(s) => self.graph.word(s).is_some(),
            Vertex::Int(i) => self.graph.number(i).is_some(),
        };
        let vertices: Vec<Vertex> = relation.vertices().collect();
        if vertices.iter().all(is_constant) {
            // An edge between constants is true or false.
            let word = |s| self.graph.word(s).cloned().unwrap_or_default();
            let number = |i| self.graph.number(i).cloned().unwrap_or(Int::ZERO);
            return match edge_holds(&self.graph, edge, word, number) {
                Ok(true) => {
                    counts.add("rule_fold_constants");
                    Ok(false)
                }
                Ok(false) => Err("rule_fold_constants"),
                // Cannot be decided here; a string solver will see it.
                Err(_) => Ok(true),
            };
        }
        let Some((result, arguments)) = vertices.split_last().filter(|_| relation.result().is_some()) else {
            return Ok(true);
        };
        if arguments.iter().all(is_constant) {
            // A function has one result.
            return match constant_result(&self.graph, relation) {
                Some(value) => {
                    counts.add("rule_fold_constants");
                    self.unite(*result, value).map(|merged| !merged).map_err(|()| "rule_fold_constants")
                }
                None if matches!(relation, Relation::CharAt { .. }) => Err("rule_fold_constants"),
                None => Ok(true),
            };
        }
        match *relation {
            Relation::Concat { a, b, r } => self.concat(a, b, r, counts),
            _ => Ok(true),
        }
    }

    /// `a b = r` with `r` and one of `a`, `b` constant leaves one word for the other, or none. With an empty
    /// part the other part is the whole (sound rules only: the study has no empty words).
    pub(super) fn concat(
        &mut self,
        a: StringVertex,
        b: StringVertex,
        r: StringVertex,
        counts: &mut Counts,
    ) -> Result<bool, RuleName> {
        let words = (self.graph.word(a), self.graph.word(b), self.graph.word(r));
        let (open, rest) = match words {
            (Some(a), None, Some(r)) => (b, r.chars().strip_prefix(a.chars())),
            (None, Some(b), Some(r)) => (a, r.chars().strip_suffix(b.chars())),
            (Some(word), None, None) if self.rules == RuleSet::Sound && word.is_empty() => {
                counts.add("rule_fold_empty");
                return self.unite_strings(b, r).map(|()| false).map_err(|()| "rule_fold_empty");
            }
            (None, Some(word), None) if self.rules == RuleSet::Sound && word.is_empty() => {
                counts.add("rule_fold_empty");
                return self.unite_strings(a, r).map(|()| false).map_err(|()| "rule_fold_empty");
            }
            _ => return Ok(true),
        };
        let Some(rest) = rest else { return Err("rule_fold_concat") };
        let rest = SmtString::from(rest.to_vec());
        counts.add("rule_fold_concat");
        let constant = self.constant(rest);
        self.unite_strings(open, constant).map(|()| false).map_err(|()| "rule_fold_concat")
    }
}
