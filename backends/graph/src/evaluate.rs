//! What is true of a graph under given words and numbers, by the trusted evaluator.

use std::cell::Cell;

use harness_check::eval::{EvalError, Evaluator};
use harness_model::int::Int;
use harness_model::{Alphabet, SmtString};
use harness_theory::Problem;
use harness_theory::sort::Sort;
use harness_theory::{Assignment, Value};

use crate::edge::{Edge, IntVertex, Relation, StringVertex, Vertex};
use crate::graph::StringGraph;

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

    /// Whether the graph holds when its declared variables have these values, in order. Variables without a value have
    /// their sort's default. Cost: under a microsecond for a graph of ten edges over short words.
    pub fn holds(&mut self, values: &[Value]) -> Result<bool, EvalError> {
        let place = &self.place;
        self.evaluator.all_true_with(|variable| values.get(*place.get(variable.index())?))
    }

    /// Whether the graph holds under `assignment`.
    pub fn all_true(&mut self, assignment: &Assignment) -> Result<bool, EvalError> {
        self.evaluator.all_true(assignment)
    }
}

/// Whether the edge of `graph` holds when `word` and `number` give the values of its vertices.
pub fn edge_holds(
    graph: &StringGraph,
    edge: &Edge,
    word: impl Fn(StringVertex) -> SmtString,
    number: impl Fn(IntVertex) -> Int,
) -> Result<bool, EvalError> {
    // The edge alone, between declared variables.
    let mut alone = StringGraph::new(graph.alphabet());
    let mut values = Vec::new();
    let mut fresh = Vec::new();
    for vertex in edge.relation.vertices() {
        if fresh.iter().any(|(old, _)| *old == vertex) {
            continue;
        }
        let (sort, value) = match vertex {
            Vertex::String(s) => (Sort::String, Value::String(word(s))),
            Vertex::Int(i) => (Sort::Int, Value::Int(number(i))),
        };
        values.push(value);
        fresh.push((vertex, alone.declare(format!("v{}", fresh.len()), sort)));
    }
    let find = |vertex: Vertex| fresh.iter().find(|(old, _)| *old == vertex).and_then(|(_, new)| *new);
    let relation = edge.relation.map(
        |s| if let Some(Vertex::String(new)) = find(Vertex::String(s)) { new } else { s },
        |i| if let Some(Vertex::Int(new)) = find(Vertex::Int(i)) { new } else { i },
    );
    alone.add_edge(Edge { relation, positive: edge.positive });
    let problem = alone.to_problem();
    GraphEvaluator::new(&problem, graph.alphabet()).holds(&values)
}

/// The value of a function's result when all its arguments are constants of `graph`; `None` when one is not, for a
/// predicate, or for [`Relation::CharAt`] outside its string.
pub fn constant_result(graph: &StringGraph, relation: &Relation) -> Option<Value> {
    let result = relation.result()?;
    let mut alone = StringGraph::new(graph.alphabet());
    let out = match result {
        Vertex::String(_) => alone.declare("r", Sort::String),
        Vertex::Int(_) => alone.declare("r", Sort::Int),
    }?;
    let arguments: Vec<Vertex> = relation.vertices().collect();
    let mut made = Vec::new();
    for &vertex in &arguments[..arguments.len() - 1] {
        let new = match vertex {
            Vertex::String(s) => Vertex::String(alone.constant(graph.word(s)?.clone())),
            Vertex::Int(i) => Vertex::Int(alone.constant_int(graph.number(i)?.clone())),
        };
        made.push(new);
    }
    // The result may be one of the arguments too, so places are told apart, not vertices.
    made.push(out);
    let made = made.into_iter();
    let strings: Vec<StringVertex> =
        made.clone().filter_map(|v| if let Vertex::String(s) = v { Some(s) } else { None }).collect();
    let ints: Vec<IntVertex> =
        made.filter_map(|v| if let Vertex::Int(i) = v { Some(i) } else { None }).collect();
    let (next_string, next_int) = (Cell::new(0), Cell::new(0));
    let relation = relation.map(
        |s| strings.get(next_string.replace(next_string.get() + 1)).copied().unwrap_or(s),
        |i| ints.get(next_int.replace(next_int.get() + 1)).copied().unwrap_or(i),
    );
    alone.add_edge(Edge::positive(relation));
    let problem = alone.to_problem();
    let (last, conditions) = problem.assertions.split_last()?;
    let mut evaluator = Evaluator::new(&problem.terms, conditions, graph.alphabet());
    if !evaluator.all_true(&Assignment::new()).ok()? {
        return None;
    }
    // The last assertion says that the variable is the application.
    let term = *problem.terms.arguments(*last).last()?;
    let mut evaluator = Evaluator::new(&problem.terms, &[term], graph.alphabet());
    evaluator.run(&Assignment::new()).ok()?;
    evaluator.value(0).ok()?
}
