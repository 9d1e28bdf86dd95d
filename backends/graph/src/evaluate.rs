//! What is true of a graph under given words and numbers.
//!
//! One edge is decided by a direct call of the function that it stands for; a whole graph is written as a
//! problem and evaluated, as often as there are assignments. The meanings are the strategies' own
//! ([`backends_fold`]), not those of the judge.

use std::sync::Arc;

use backends_fold::{Evaluator, Failure, Limits, Operand, Text, apply};
use harness_model::int::Int;
use harness_model::{Alphabet, SmtString};
use harness_theory::{Assignment, Problem, Value};

use crate::edge::{Edge, IntVertex, StringVertex, Vertex};
use crate::graph::StringGraph;
use crate::relation::{Argument, Relation};

/// Evaluates one graph under many assignments of its declared variables.
///
/// ```
/// use backends_graph::{Edge, Relation, StringGraph, evaluate::GraphEvaluator};
/// use harness_model::{Alphabet, SmtString};
/// use harness_theory::Value;
///
/// let mut graph = StringGraph::new(Alphabet::Ascii);
/// let (s, t) = (graph.declare_string("s"), graph.constant("b"));
/// graph.add_edge(Edge::positive(Relation::Contains { s, t }));
/// let problem = graph.to_problem();
/// let mut evaluator = GraphEvaluator::new(&problem, Alphabet::Ascii);
/// let holds = |e: &mut GraphEvaluator<'_>, w: &str| e.holds(&[Value::String(SmtString::from(w))]);
/// assert_eq!(holds(&mut evaluator, "abc"), Ok(true));
/// assert_eq!(holds(&mut evaluator, "ac"), Ok(false));
/// ```
#[derive(Debug)]
pub struct GraphEvaluator<'p> {
    evaluator: Evaluator<'p>,
    /// By place of the variable in its arena: its place among the problem's variables.
    place: Vec<usize>,
}

impl<'p> GraphEvaluator<'p> {
    /// For the problem that [`StringGraph::to_problem`] made of the graph.
    pub fn new(problem: &'p Problem, alphabet: Alphabet) -> Self {
        let mut place = vec![usize::MAX; problem.terms.variables().len()];
        for (i, variable) in problem.variables.iter().enumerate() {
            place[variable.index()] = i;
        }
        Self { evaluator: Evaluator::new(&problem.terms, &problem.assertions, alphabet), place }
    }

    /// Whether the graph holds when its declared variables have these values, in order. Variables without a
    /// value have their sort's default. Cost: about a microsecond for a graph of ten edges over short words.
    ///
    /// # Errors
    ///
    /// Where an edge has no truth value that is computed.
    pub fn holds(&mut self, values: &[Value]) -> Result<bool, Failure> {
        let place = &self.place;
        self.evaluator.all_true_with(|variable| values.get(*place.get(variable.index())?))
    }

    /// Whether the graph holds under `assignment`.
    ///
    /// # Errors
    ///
    /// As for [`Self::holds`].
    pub fn all_true(&mut self, assignment: &Assignment) -> Result<bool, Failure> {
        self.evaluator.all_true(assignment)
    }
}

/// What the function or predicate of a relation gives for the words and numbers of its arguments; `None` for
/// [`Relation::CharAt`] outside its string.
#[expect(clippy::expect_used, reason = "the one relation that is more than a function is dealt with first")]
fn value_of(
    relation: &Relation,
    alphabet: Alphabet,
    word: &impl Fn(StringVertex) -> SmtString,
    number: &impl Fn(IntVertex) -> Int,
) -> Result<Option<Operand>, Failure> {
    if let Relation::CharAt { s, i, .. } = *relation {
        let word = word(s);
        let character = number(i).position(word.len()).and_then(|at| word.chars().get(at));
        return Ok(character.map(|character| Operand::Int(Int::from(character.0))));
    }
    let operands: Vec<Operand> = relation
        .arguments()
        .map(|argument| match argument {
            Argument::String(s) => Operand::String(Text::from(word(s).chars())),
            Argument::Int(i) => Operand::Int(number(i)),
            Argument::Language(regex) => Operand::Language(Arc::clone(regex), 0),
        })
        .collect();
    let op = relation.op().expect("all relations but charAt stand for a function");
    apply(op, &operands.iter().collect::<Vec<_>>(), alphabet, &Limits::default()).map(Some)
}

/// Whether the edge of `graph` holds when `word` and `number` give the values of its vertices.
///
/// # Errors
///
/// Where it has no truth value that is computed.
pub fn edge_holds(
    graph: &StringGraph,
    edge: &Edge,
    word: impl Fn(StringVertex) -> SmtString,
    number: impl Fn(IntVertex) -> Int,
) -> Result<bool, Failure> {
    let value = value_of(&edge.relation, graph.alphabet(), &word, &number)?;
    Ok(match (edge.relation.result(), value) {
        (None, Some(Operand::Bool(truth))) => truth == edge.positive,
        (Some(Vertex::String(r)), Some(Operand::String(text))) => text.chars() == word(r).chars(),
        (Some(Vertex::Int(i)), Some(Operand::Int(value))) => value == number(i),
        // A character outside its string.
        _ => false,
    })
}

/// The value of a function's result when `word` and `number` give those of its arguments; `None` for a
/// predicate, for [`Relation::CharAt`] outside its string, and where the value is not computed.
pub fn function_value(
    graph: &StringGraph,
    relation: &Relation,
    word: impl Fn(StringVertex) -> SmtString,
    number: impl Fn(IntVertex) -> Int,
) -> Option<Value> {
    relation.result()?;
    value_of(relation, graph.alphabet(), &word, &number).ok()??.value()
}

/// The value of a function's result when all its arguments are constants of `graph`; else as
/// [`function_value`].
pub fn constant_result(graph: &StringGraph, relation: &Relation) -> Option<Value> {
    let constant = |argument: Argument<'_>| match argument {
        Argument::String(s) => graph.word(s).is_some(),
        Argument::Int(i) => graph.number(i).is_some(),
        Argument::Language(_) => true,
    };
    if !relation.arguments().all(constant) {
        return None;
    }
    let word = |s| graph.word(s).cloned().unwrap_or_default();
    let number = |i| graph.number(i).cloned().unwrap_or(Int::ZERO);
    function_value(graph, relation, word, number)
}
