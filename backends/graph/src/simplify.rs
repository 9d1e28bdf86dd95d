//! The first half of preprocessing: merging vertices and folding constants, to a fixed point.
//!
//! Each step replaces the graph by one with the same solutions: what is merged has equal values in every
//! solution, what is dropped holds in every solution of the rest. Or it finds an edge that no values satisfy.
//!
//! Source: the study's section 3.4.2, "Simplifying" and "Detecting unsatisfiability" 1 and 2.

use std::collections::HashMap;

use backends_api::{Budget, Stop};
use harness_model::SmtString;
use harness_model::int::Int;
use harness_theory::Value;

use crate::edge::{Edge, IntVertex, Relation, StringVertex, Vertex};
use crate::evaluate::{constant_result, edge_holds};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, IntKind, StringGraph, StringKind};
use crate::linear::{Comparison, Sum};
use crate::options::RuleSet;
use crate::reasons::Reasons;
use crate::rules::Counts;

mod codes;
mod idempotent;

pub use codes::code_at;

/// A simpler graph and how to read its solutions.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// Every string vertex has a length vertex; every vertex is a declared variable or occurs in an edge or a
    /// formula.
    pub graph: StringGraph,
    /// For each string vertex of the original: the vertex with its word. `None`: any word will do.
    pub strings: Vec<Option<StringVertex>>,
    /// For each integer vertex of the original: its value. `None`: any number will do.
    pub ints: Vec<Option<Sum>>,
}

/// For integer vertices of the original that are codes: the word and the position whose character they are
/// the code of ([`code_at`]). Goes before [`Simplified::ints`].
pub type Codes = HashMap<IntVertex, (StringVertex, Sum)>;

/// Why preprocessing says that there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The rule that refutes the graph.
    pub rule: &'static str,
    /// The assertions that it needs for that; `None` for a graph that was not made of assertions.
    pub core: Option<Reasons>,
}

/// Simplifies `original`. `Ok(Err(_))` when a rule refutes it.
pub fn simplify(
    original: &StringGraph,
    rules: RuleSet,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Simplified, Refuted>, Stop> {
    let work = match settle(original, rules, counts, budget)? {
        Ok(work) => work,
        Err(refuted) => return Ok(Err(refuted)),
    };
    Ok(Ok(work.compact(original, &[]).0))
}

/// As [`simplify`], for a solver that guesses integers: codes that only positions and bounds concern become
/// characters, which need no guess.
pub fn simplify_for_guesses(
    original: &StringGraph,
    rules: RuleSet,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<(Simplified, Codes), Refuted>, Stop> {
    let mut work = match settle(original, rules, counts, budget)? {
        Ok(work) => work,
        Err(refuted) => return Ok(Err(refuted)),
    };
    let codes = if rules == RuleSet::Sound { codes::as_characters(&mut work, counts) } else { Vec::new() };
    Ok(Ok(work.compact(original, &codes)))
}

/// Merges and folds until nothing changes.
fn settle(
    original: &StringGraph,
    rules: RuleSet,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<Work, Refuted>, Stop> {
    let mut work = Work {
        graph: original.clone(),
        edges: original
            .edge_ids()
            .map(|id| Sourced { value: original.edge(id).clone(), from: original.edge_sources(id).clone() })
            .collect(),
        string_of: original.string_vertices().collect(),
        int_of: original.int_vertices().collect(),
        formulas: original
            .formulas()
            .iter()
            .enumerate()
            .map(|(i, formula)| Sourced { value: formula.clone(), from: original.formula_sources(i).clone() })
            .collect(),
        string_links: vec![Reasons::new(); original.strings().len()],
        int_links: vec![Reasons::new(); original.ints().len()],
        present: Reasons::new(),
        rules,
        changed: true,
    };
    while std::mem::take(&mut work.changed) {
        budget.tick()?;
        if let Err(rule) = work.round(counts, budget)? {
            counts.add(rule);
            let core = (original.has_sources() && rules == RuleSet::Sound).then(|| work.present.clone());
            return Ok(Err(Refuted { rule, core }));
        }
    }
    Ok(Ok(work))
}

/// Something that holds because of assertions.
#[derive(Clone, Debug)]
struct Sourced<T> {
    value: T,
    from: Reasons,
}

struct Work {
    /// The original, with constants that folding made.
    graph: StringGraph,
    edges: Vec<Sourced<Edge>>,
    /// Union-find: what each vertex was merged into, or itself.
    string_of: Vec<StringVertex>,
    int_of: Vec<IntVertex>,
    /// Why each vertex equals what it was merged into.
    string_links: Vec<Reasons>,
    int_links: Vec<Reasons>,
    formulas: Vec<Sourced<IntFormula>>,
    /// What the present step holds because of: where it refutes the graph, the core.
    present: Reasons,
    rules: RuleSet,
    changed: bool,
}

/// The name of the rule that refutes.
type RuleName = &'static str;

impl Work {
    fn string(&self, mut vertex: StringVertex) -> StringVertex {
        while let Some(&next) = self.string_of.get(vertex.index()).filter(|n| **n != vertex) {
            vertex = next;
        }
        vertex
    }

    fn int(&self, mut vertex: IntVertex) -> IntVertex {
        while let Some(&next) = self.int_of.get(vertex.index()).filter(|n| **n != vertex) {
            vertex = next;
        }
        if let IntKind::Length(s) = self.graph.int(vertex) {
            let s = self.string(*s);
            if let Some(length) = self.graph.length_of(s) {
                return length;
            }
        }
        vertex
    }

    /// As [`Self::string`]; why the two are equal is added to `from`.
    fn trace_string(&self, mut vertex: StringVertex, from: &mut Reasons) -> StringVertex {
        while let Some(&next) = self.string_of.get(vertex.index()).filter(|n| **n != vertex) {
            from.extend(&self.string_links[vertex.index()]);
            vertex = next;
        }
        vertex
    }

    /// As [`Self::int`]; why the two are equal is added to `from`.
    fn trace_int(&self, mut vertex: IntVertex, from: &mut Reasons) -> IntVertex {
        while let Some(&next) = self.int_of.get(vertex.index()).filter(|n| **n != vertex) {
            from.extend(&self.int_links[vertex.index()]);
            vertex = next;
        }
        if let IntKind::Length(s) = self.graph.int(vertex) {
            self.trace_string(*s, from);
        }
        self.int(vertex)
    }

    /// The edge over the merged vertices.
    fn edge(&self, edge: &Sourced<Edge>) -> Sourced<Edge> {
        let mut from = edge.from.clone();
        edge.value.relation.strings().for_each(|s| {
            self.trace_string(s, &mut from);
        });
        edge.value.relation.ints().for_each(|i| {
            self.trace_int(i, &mut from);
        });
        let relation = self.relation(&edge.value.relation);
        Sourced { value: Edge { relation, positive: edge.value.positive }, from }
    }

    /// The formula over the merged vertices.
    fn formula(&self, formula: &Sourced<IntFormula>) -> Sourced<IntFormula> {
        let mut from = formula.from.clone();
        formula.value.each_vertex(&mut |v| {
            self.trace_int(v, &mut from);
        });
        Sourced { value: formula.value.substitute(&|v| self.graph.sum_of(self.int(v))), from }
    }

    /// Why the definition of the vertex, over the merged vertices, is what it is.
    fn definition_sources(&self, vertex: IntVertex, definition: &IntDefinition) -> Reasons {
        let mut from = Reasons::new();
        definition.formula(vertex).each_vertex(&mut |v| {
            self.trace_int(v, &mut from);
        });
        from
    }

    fn sum(&self, sum: &Sum) -> Sum {
        sum.substitute(|v| self.graph.sum_of(self.int(v)))
    }

    fn relation(&self, relation: &Relation) -> Relation {
        relation.map(|s| self.string(s), |i| self.int(i))
    }

    fn grow(&mut self) {
        for i in self.string_of.len()..self.graph.strings().len() {
            self.string_of.push(StringVertex::at(i));
            self.string_links.push(Reasons::new());
        }
        for i in self.int_of.len()..self.graph.ints().len() {
            self.int_of.push(IntVertex::at(i));
            self.int_links.push(Reasons::new());
        }
    }

    fn constant(&mut self, word: SmtString) -> StringVertex {
        let vertex = self.graph.constant(word);
        self.graph.length(vertex);
        self.grow();
        vertex
    }

    fn constant_int(&mut self, number: Int) -> IntVertex {
        let vertex = self.graph.constant_int(number);
        self.grow();
        vertex
    }

    /// Makes `a` and `b` one vertex: a constant, else a declared variable, else the one that came first.
    /// Fails for two constants.
    fn unite_strings(&mut self, a: StringVertex, b: StringVertex) -> Result<(), ()> {
        let mut from = self.present.clone();
        let (a, b) = (self.trace_string(a, &mut from), self.trace_string(b, &mut from));
        if a == b {
            return Ok(());
        }
        let rank = |v: StringVertex| match self.graph.string(v) {
            StringKind::Constant(_) => (0, v),
            StringKind::Declared(_) => (1, v),
            StringKind::Auxiliary => (2, v),
        };
        let (keep, drop) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
        if self.graph.word(drop).is_some() {
            self.present = from;
            return Err(());
        }
        // What becomes a constant was made of the graph's characters.
        let foreign = |word: &SmtString| word.chars().iter().any(|&c| !self.graph.characters().contains(c));
        if self.graph.word(keep).is_some_and(foreign) {
            self.present = from;
            return Err(());
        }
        // The length of what goes becomes the length of what stays, which must be there then.
        self.graph.length(keep);
        self.grow();
        self.string_of[drop.index()] = keep;
        self.string_links[drop.index()] = from;
        self.changed = true;
        Ok(())
    }

    /// As [`Self::unite_strings`]. A length is never merged into anything but a constant's length by way of
    /// its string: two lengths, or a length and a number, stay an equation.
    fn unite_ints(&mut self, a: IntVertex, b: IntVertex) -> Result<bool, ()> {
        let mut from = self.present.clone();
        let (a, b) = (self.trace_int(a, &mut from), self.trace_int(b, &mut from));
        if a == b {
            return Ok(true);
        }
        let rank = |v: IntVertex| match self.graph.int(v) {
            IntKind::Constant(_) => (0, v),
            IntKind::Length(_) => (1, v),
            IntKind::Declared(_) | IntKind::Truth(_) => (2, v),
            IntKind::Result | IntKind::Auxiliary => (3, v),
        };
        let (keep, drop) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
        let merges = match (self.graph.int(drop), self.graph.int(keep)) {
            (IntKind::Constant(_), _) => None,
            (IntKind::Length(_), _) => Some(false),
            (IntKind::Truth(_), IntKind::Constant(n)) if !matches!(n.small(), Some(0 | 1)) => None,
            (IntKind::Truth(_), IntKind::Constant(_) | IntKind::Truth(_)) => Some(true),
            (IntKind::Truth(_), _) => Some(false),
            _ => Some(true),
        };
        match merges {
            None => {
                self.present = from;
                return Err(());
            }
            Some(false) => return Ok(false),
            Some(true) => {}
        }
        self.int_of[drop.index()] = keep;
        self.int_links[drop.index()] = from;
        self.changed = true;
        Ok(true)
    }

    fn unite(&mut self, result: Vertex, value: Value) -> Result<bool, ()> {
        match (result, value) {
            (Vertex::String(s), Value::String(word)) => {
                let constant = self.constant(word);
                self.unite_strings(s, constant).map(|()| true)
            }
            (Vertex::Int(i), Value::Int(number)) => {
                let constant = self.constant_int(number);
                self.unite_ints(i, constant)
            }
            _ => Ok(false),
        }
    }

    fn round(&mut self, counts: &mut Counts, budget: &Budget) -> Result<Result<(), RuleName>, Stop> {
        let mut kept = Vec::with_capacity(self.edges.len());
        let mut known: HashMap<Edge, ()> = HashMap::new();
        for edge in std::mem::take(&mut self.edges) {
            budget.tick()?;
            let edge = self.edge(&edge);
            self.present = edge.from.clone();
            match self.step(&edge.value, counts) {
                Ok(true) => {
                    if known.insert(edge.value.clone(), ()).is_none() {
                        kept.push(edge);
                    }
                }
                Ok(false) => {}
                Err(refuted) => return Ok(Err(refuted)),
            }
        }
        self.edges = kept;
        if self.rules == RuleSet::Sound {
            if let Err(rule) = self.congruent(counts) {
                return Ok(Err(rule));
            }
            if let Err(rule) = idempotent::merge(self, counts) {
                return Ok(Err(rule));
            }
            if let Err(rule) = self.equations(counts) {
                return Ok(Err(rule));
            }
        }
        Ok(Ok(()))
    }

    /// One edge; whether it stays.
    fn step(&mut self, edge: &Edge, counts: &mut Counts) -> Result<bool, RuleName> {
        if let Relation::Equal { a, b } = edge.relation {
            return self.equal(edge, a, b, counts);
        }
        self.fold(edge, counts)
    }

    /// Rule `merge_equal`: the ends of a positive `equal` have one word, so they may be one vertex. Rule
    /// `opposed_equal`: no word differs from itself.
    fn equal(
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
    fn fold(&mut self, edge: &Edge, counts: &mut Counts) -> Result<bool, RuleName> {
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
    fn concat(
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

    /// Rule `congruent`: a function of equal arguments has equal results, so the second edge may go when the
    /// results are merged.
    fn congruent(&mut self, counts: &mut Counts) -> Result<(), RuleName> {
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

    /// Rule `merge_integers`: a formula that says that a vertex is a number, or another vertex, makes them
    /// one.
    fn equations(&mut self, counts: &mut Counts) -> Result<(), RuleName> {
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
    fn equation(&mut self, formula: &IntFormula) -> Result<bool, ()> {
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
    fn definition(&self, definition: &IntDefinition) -> IntDefinition {
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
        }
    }

    /// A new graph of what is left.
    fn compact(mut self, original: &StringGraph, codes: &[codes::Code]) -> (Simplified, Codes) {
        self.graph.add_lengths();
        self.grow();
        let mut new = Compaction {
            graph: StringGraph::new(original.alphabet()),
            strings: vec![None; self.graph.strings().len()],
            ints: vec![None; self.graph.ints().len()],
        };
        new.graph.restrict_characters(original.characters());
        for declaration in self.graph.declarations() {
            let stays = match declaration.vertex {
                Some(Vertex::String(s)) => self.string(s) == s,
                Some(Vertex::Int(i)) => self.int(i) == i,
                None => false,
            };
            if !stays {
                new.graph.declare_without_vertex(declaration.name.as_str(), declaration.sort);
                continue;
            }
            match (declaration.vertex, new.graph.declare(declaration.name.as_str(), declaration.sort)) {
                (Some(Vertex::String(s)), Some(Vertex::String(n))) => new.strings[s.index()] = Some(n),
                (Some(Vertex::Int(i)), Some(Vertex::Int(n))) => new.ints[i.index()] = Some(n),
                _ => {}
            }
        }
        let edges: Vec<Sourced<Edge>> = self.edges.iter().map(|e| self.edge(e)).collect();
        let formulas: Vec<Sourced<IntFormula>> = self.formulas.iter().map(|f| self.formula(f)).collect();
        let hold_because = |graph: &mut StringGraph, from: &Reasons| {
            if original.has_sources() {
                graph.hold_because(from.clone());
            }
        };
        let mut defined = Reasons::new();
        for (vertex, definition) in self.graph.definitions() {
            defined.extend(&self.definition_sources(*vertex, definition));
        }
        new.graph.define_because(&defined);
        let definitions: Vec<(IntVertex, IntDefinition)> =
            self.graph.definitions().iter().map(|(v, d)| (self.int(*v), self.definition(d))).collect();
        // Auxiliaries that stay, in the order of their definitions, which are in terms of earlier ones.
        for (vertex, definition) in &definitions {
            let is_own =
                matches!(self.graph.int(*vertex), IntKind::Auxiliary) && new.ints[vertex.index()].is_none();
            let definition = new.definition(&self, definition);
            if is_own {
                let made = match &definition {
                    IntDefinition::Sum(sum) => new.graph.int_of(sum),
                    _ => new.graph.defined_int(definition),
                };
                new.ints[vertex.index()] = Some(made);
            } else {
                // Merged with something else: what was a definition is now a constraint.
                let vertex = new.sum_of(&self, *vertex);
                let result = new.graph.int_of(&vertex);
                let formula = definition.formula(result).substitute(&|v| new.graph.sum_of(v));
                hold_because(&mut new.graph, &defined);
                new.graph.add_formula(formula);
            }
        }
        for Sourced { value: edge, from } in &edges {
            edge.relation.strings().for_each(|s| {
                new.string(&self, s);
            });
            edge.relation.ints().for_each(|i| {
                new.int(&self, i);
            });
            let relation = edge
                .relation
                .map(|s| new.strings[s.index()].unwrap_or(s), |i| new.ints[i.index()].unwrap_or(i));
            hold_because(&mut new.graph, from);
            new.graph.add_edge(Edge { relation, positive: edge.positive });
        }
        for Sourced { value: formula, from } in &formulas {
            formula.each_vertex(&mut |v| {
                new.int(&self, v);
            });
            let formula = formula
                .substitute(&|v| new.ints[v.index()].map_or_else(Sum::default, |n| new.graph.sum_of(n)));
            hold_because(&mut new.graph, from);
            new.graph.add_formula(formula);
        }
        // Whatever a user adds may depend on anything.
        let mut all = defined;
        edges.iter().for_each(|edge| all.extend(&edge.from));
        formulas.iter().for_each(|formula| all.extend(&formula.from));
        self.string_links.iter().chain(&self.int_links).for_each(|from| all.extend(from));
        hold_because(&mut new.graph, &all);
        let recovered: Codes = codes
            .iter()
            .map(|code| (code.code, (new.string(&self, code.s), new.sum_of(&self, code.i))))
            .collect();
        let recovered = original
            .int_vertices()
            .filter_map(|v| recovered.get(&self.int(v)).map(|code| (v, code.clone())))
            .collect();
        let strings = original.string_vertices().map(|v| self.string(v));
        let strings: Vec<Option<StringVertex>> = strings
            .map(|v| {
                new.strings[v.index()].or_else(|| self.graph.word(v).map(|w| new.graph.constant(w.clone())))
            })
            .collect();
        let ints = original.int_vertices().map(|v| self.int(v)).map(|v| match self.graph.int(v) {
            IntKind::Constant(number) => Some(Sum::from(number.clone())),
            IntKind::Length(s) => {
                let s = self.string(*s);
                self.graph
                    .word(s)
                    .map(|w| Sum::from(w.len()))
                    .or_else(|| new.strings[s.index()].map(|n| Sum::from(new.graph.length(n))))
            }
            _ => new.ints[v.index()].map(|n| new.graph.sum_of(n)),
        });
        let ints = ints.collect();
        new.graph.add_lengths();
        (Simplified { graph: new.graph, strings, ints }, recovered)
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

/// A graph in the making, and where the old graph's vertices are in it.
struct Compaction {
    graph: StringGraph,
    strings: Vec<Option<StringVertex>>,
    ints: Vec<Option<IntVertex>>,
}

impl Compaction {
    /// The new vertex of an old one that was not merged away.
    fn string(&mut self, work: &Work, vertex: StringVertex) -> StringVertex {
        if let Some(new) = self.strings[vertex.index()] {
            return new;
        }
        let new = match work.graph.word(vertex) {
            Some(word) => self.graph.constant(word.clone()),
            None => self.graph.auxiliary(),
        };
        self.strings[vertex.index()] = Some(new);
        new
    }

    /// The new vertex of an old one that was not merged away.
    fn int(&mut self, work: &Work, vertex: IntVertex) -> IntVertex {
        if let Some(new) = self.ints[vertex.index()] {
            return new;
        }
        let new = match work.graph.int(vertex) {
            IntKind::Constant(number) => self.graph.constant_int(number.clone()),
            IntKind::Length(s) => {
                let s = self.string(work, work.string(*s));
                self.graph.length(s)
            }
            _ => self.graph.result_int(),
        };
        self.ints[vertex.index()] = Some(new);
        new
    }

    fn sum_of(&mut self, work: &Work, vertex: IntVertex) -> Sum {
        let new = self.int(work, vertex);
        self.graph.sum_of(new)
    }

    fn sum(&mut self, work: &Work, sum: &Sum) -> Sum {
        sum.terms()
            .iter()
            .fold(Sum::from(sum.constant().clone()), |all, (v, f)| all.plus(&self.sum_of(work, *v), f))
    }

    fn definition(&mut self, work: &Work, definition: &IntDefinition) -> IntDefinition {
        match definition {
            IntDefinition::Sum(sum) => IntDefinition::Sum(self.sum(work, sum)),
            IntDefinition::Choice(condition, yes, no) => {
                condition.each_vertex(&mut |v| {
                    self.int(work, v);
                });
                let condition = condition.substitute(&|v| {
                    self.ints[v.index()].map_or_else(Sum::default, |n| self.graph.sum_of(n))
                });
                IntDefinition::Choice(condition, self.sum(work, yes), self.sum(work, no))
            }
            IntDefinition::Quotient(sum, divisor) => {
                IntDefinition::Quotient(self.sum(work, sum), divisor.clone())
            }
        }
    }
}
