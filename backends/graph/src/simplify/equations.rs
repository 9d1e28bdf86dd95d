//! Formulas and definitions that say what an integer is: rule `merge_integers`.

use harness_model::int::Int;

use super::{RuleName, Sourced, Work};
use crate::formula::IntFormula;
use crate::graph::IntDefinition;
use crate::linear::{Comparison, Sum};
use crate::rules::Counts;

impl Work {
    /// Rule `merge_integers`: a formula that says that a vertex is a number, or another vertex, makes them
    /// one.
    pub(super) fn equations(&mut self, counts: &mut Counts) -> Result<(), RuleName> {
        let mut kept = Vec::new();
        let mut equations = std::mem::take(&mut self.formulas);
        equations.reverse();
        while let Some(formula) = equations.pop() {
            let Sourced { value: formula, from } = self.formula(&formula);
            self.present = from.clone();
            match self.equation(&formula) {
                Ok(true) => counts.add("rule_merge_integers"),
                Ok(false) => match formula {
                    IntFormula::Bool(true) => {}
                    IntFormula::Bool(false) => return Err("rule_integers"),
                    IntFormula::And(parts) => {
                        let parts = parts.into_iter().rev();
                        equations.extend(parts.map(|value| Sourced { value, from: from.clone() }));
                    }
                    value => kept.push(Sourced { value, from }),
                },
                Err(()) => return Err("rule_merge_integers"),
            }
        }
        self.formulas = kept;
        // A definition whose value is known is an equation too.
        for (vertex, definition) in self.graph.definitions().to_vec() {
            let value = match self.definition(&definition) {
                IntDefinition::Sum(sum) => sum.value().cloned(),
                _ => None,
            };
            if let Some(value) = value
                && self.graph.number(self.int(vertex)).is_none()
            {
                let constant = self.constant_int(value);
                self.present = self.definition_sources(vertex, &definition);
                match self.unite_ints(vertex, constant) {
                    Ok(true) => counts.add("rule_merge_integers"),
                    Ok(false) => {}
                    Err(()) => return Err("rule_merge_integers"),
                }
            }
        }
        Ok(())
    }

    /// Merges what the formula says is equal; `false` if it says something else.
    pub(super) fn equation(&mut self, formula: &IntFormula) -> Result<bool, ()> {
        let IntFormula::Atom(sum, Comparison::Zero) = formula else { return Ok(false) };
        match sum.terms() {
            [(v, factor)] => {
                let opposite = sum.constant().neg();
                match (opposite.div(factor), opposite.modulo(factor)) {
                    (Some(value), Some(Int::ZERO)) => {
                        let constant = self.constant_int(value);
                        self.unite_ints(*v, constant)
                    }
                    _ => Err(()),
                }
            }
            [(v, f), (w, g)] if *sum.constant() == Int::ZERO && f.add(g) == Int::ZERO => {
                self.unite_ints(*v, *w)
            }
            _ => Ok(false),
        }
    }

    /// The definition over the merged vertices, as a sum where it has become one.
    pub(super) fn definition(&self, definition: &IntDefinition) -> IntDefinition {
        match definition {
            IntDefinition::Sum(sum) => IntDefinition::Sum(self.sum(sum)),
            IntDefinition::Choice(condition, yes, no) => {
                match condition.substitute(&|v| self.graph.sum_of(self.int(v))) {
                    IntFormula::Bool(true) => IntDefinition::Sum(self.sum(yes)),
                    IntFormula::Bool(false) => IntDefinition::Sum(self.sum(no)),
                    condition => IntDefinition::Choice(condition, self.sum(yes), self.sum(no)),
                }
            }
            IntDefinition::Quotient(sum, divisor) => {
                let sum = self.sum(sum);
                match sum.value().and_then(|value| value.div(divisor)) {
                    Some(value) => IntDefinition::Sum(Sum::from(value)),
                    None => IntDefinition::Quotient(sum, divisor.clone()),
                }
            }
            IntDefinition::Product(x, y) => {
                let (x, y) = (self.sum(x), self.sum(y));
                match (x.value(), y.value()) {
                    (_, Some(value)) => IntDefinition::Sum(x.times(value)),
                    (Some(value), _) => IntDefinition::Sum(y.times(value)),
                    _ => IntDefinition::Product(x, y),
                }
            }
            IntDefinition::Ratio(x, y) => {
                let (x, y) = (self.sum(x), self.sum(y));
                match y.value() {
                    Some(divisor) if *divisor != Int::ZERO => match x.value().and_then(|x| x.div(divisor)) {
                        Some(value) => IntDefinition::Sum(Sum::from(value)),
                        None => IntDefinition::Quotient(x, divisor.clone()),
                    },
                    _ => IntDefinition::Ratio(x, y),
                }
            }
        }
    }
}
