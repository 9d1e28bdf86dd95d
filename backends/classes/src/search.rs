//! Searches of a graph that is built while it is searched, for a state that proves non-emptiness.
//!
//! Depth first holds only the current path and may take a short cut where a graph knows one; breadth first
//! finds a shortest witness; eager builds the whole reachable automaton and only then looks for an accepting
//! state in it.

use backends_api::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::automaton::NEVER;
use crate::pairs::{Pair, PairSet};
use crate::partition::index;

/// In what order, and how much of it, an automaton is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Lazily, depth first.
    DepthFirst,
    /// Lazily, breadth first: the witness is a shortest one.
    BreadthFirst,
    /// The whole automaton first. The witness is a shortest one.
    Eager,
}

impl Order {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::DepthFirst, Self::BreadthFirst, Self::Eager];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DepthFirst => "depth-first",
            Self::BreadthFirst => "breadth-first",
            Self::Eager => "eager",
        }
    }
}

/// A move of the graph.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where to.
    pub pair: Pair,
    /// A class under which one gets there.
    pub class: u32,
}

/// An automaton over classes whose states are pairs.
pub trait Graph {
    /// Where one is in the list of a state's moves.
    type Cursor: Copy;

    /// The initial state.
    fn initial(&self) -> Pair;

    /// Before the first move of a state.
    fn cursor(&self, pair: Pair) -> Self::Cursor;

    /// The next move of a state, in the order in which depth first should try them.
    fn next(&mut self, pair: Pair, cursor: &mut Self::Cursor) -> Result<Option<Step>, Stop>;

    /// Whether a word may end here.
    fn is_accepting(&self, pair: Pair) -> bool;

    /// If it is plain that a word leads from here to acceptance, appends its classes and says so. Must hold
    /// wherever [`Self::is_accepting`] does.
    fn short_cut(&self, pair: Pair, classes: &mut Vec<u32>) -> bool;

    /// Whether a visited state makes it needless to go on from this one, which was not visited before and is
    /// `depth` moves from the initial state (0 where the search does not care for shortest words).
    fn is_subsumed(&mut self, pair: Pair, depth: u32) -> Result<bool, Stop>;

    /// Whether a state that was visited after this one, and is no further from the initial state, has made it
    /// needless to go on from here after all.
    fn is_outdated(&self, pair: Pair) -> bool;
}

/// How much a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Distinct states met.
    pub states: u64,
    /// Moves looked at.
    pub transitions: u64,
    /// States that were not gone on from because another one subsumed them.
    pub pruned: u64,
}

/// Searches `graph`, whose left automaton has `left_states` states and whose right one about `right_states`.
/// Gives the classes of a word that it accepts, if there is one.
pub fn search<G: Graph>(
    graph: &mut G,
    order: Order,
    (left_states, right_states): (u32, u32),
    budget: &Budget,
    effort: &mut Effort,
) -> Result<Option<Vec<u32>>, Stop> {
    let mut seen = PairSet::new(left_states, right_states);
    match order {
        Order::DepthFirst => depth_first(graph, &mut seen, budget, effort),
        Order::BreadthFirst => breadth_first(graph, &mut seen, budget, effort),
        Order::Eager => eager(graph, budget, effort),
    }
}

fn depth_first<G: Graph>(
    graph: &mut G,
    seen: &mut PairSet,
    budget: &Budget,
    effort: &mut Effort,
) -> Result<Option<Vec<u32>>, Stop> {
    let initial = graph.initial();
    let mut word = Vec::new();
    effort.states += 1;
    if graph.short_cut(initial, &mut word) {
        return Ok(Some(word));
    }
    seen.insert(initial)?;
    if graph.is_subsumed(initial, 0)? {
        effort.pruned += 1;
        return Ok(None);
    }
    // The path: a state, the class that led to it, and which of its moves is next.
    let mut path = vec![(initial, 0, graph.cursor(initial))];
    while let Some((pair, _, cursor)) = path.last_mut() {
        let Some(step) = graph.next(*pair, cursor)? else {
            path.pop();
            continue;
        };
        effort.transitions += 1;
        if !seen.insert(step.pair)? {
            continue;
        }
        budget.tick()?;
        effort.states += 1;
        let mut rest = Vec::new();
        if graph.short_cut(step.pair, &mut rest) {
            word.extend(path.iter().skip(1).map(|&(_, class, _)| class));
            word.push(step.class);
            word.append(&mut rest);
            return Ok(Some(word));
        }
        if graph.is_subsumed(step.pair, 0)? {
            effort.pruned += 1;
            continue;
        }
        path.push((step.pair, step.class, graph.cursor(step.pair)));
    }
    Ok(None)
}

/// A state of a breadth-first search: itself, where it was come from, and under which class.
type Node = (Pair, u32, u32);

fn word_to(nodes: &[Node], mut at: u32) -> Vec<u32> {
    let mut word = Vec::new();
    while let Some(&(_, parent, class)) = nodes.get(at as usize).filter(|n| n.1 != NEVER) {
        word.push(class);
        at = parent;
    }
    word.reverse();
    word
}

fn breadth_first<G: Graph>(
    graph: &mut G,
    seen: &mut PairSet,
    budget: &Budget,
    effort: &mut Effort,
) -> Result<Option<Vec<u32>>, Stop> {
    let initial = graph.initial();
    effort.states += 1;
    if graph.is_accepting(initial) {
        return Ok(Some(Vec::new()));
    }
    seen.insert(initial)?;
    if graph.is_subsumed(initial, 0)? {
        effort.pruned += 1;
        return Ok(None);
    }
    let mut nodes: Vec<Node> = vec![(initial, NEVER, 0)];
    let mut next = 0;
    // How far the nodes before `level_end` are from the initial one.
    let (mut depth, mut level_end) = (0, 1);
    while let Some(&(pair, _, _)) = nodes.get(next) {
        if next == level_end {
            depth += 1;
            level_end = nodes.len();
        }
        if graph.is_outdated(pair) {
            effort.pruned += 1;
            next += 1;
            continue;
        }
        let mut cursor = graph.cursor(pair);
        while let Some(step) = graph.next(pair, &mut cursor)? {
            effort.transitions += 1;
            if !seen.insert(step.pair)? {
                continue;
            }
            budget.tick()?;
            effort.states += 1;
            if graph.is_accepting(step.pair) {
                nodes.push((step.pair, index(next), step.class));
                return Ok(Some(word_to(&nodes, index(nodes.len() - 1))));
            }
            if graph.is_subsumed(step.pair, depth + 1)? {
                effort.pruned += 1;
                continue;
            }
            nodes.push((step.pair, index(next), step.class));
        }
        next += 1;
    }
    Ok(None)
}

/// States and moves of a whole automaton; more are refused.
const EAGER_LIMIT: usize = 1 << 26;

fn eager<G: Graph>(graph: &mut G, budget: &Budget, effort: &mut Effort) -> Result<Option<Vec<u32>>, Stop> {
    // Build: states in order of discovery, and for each the moves out of it.
    let initial = graph.initial();
    let mut number_of = FxHashMap::default();
    number_of.insert(initial, 0u32);
    let mut pairs = vec![initial];
    let mut moves: Vec<(u32, u32)> = Vec::new();
    let mut starts = vec![0u32];
    while let Some(&pair) = pairs.get(starts.len() - 1) {
        let mut cursor = graph.cursor(pair);
        while let Some(step) = graph.next(pair, &mut cursor)? {
            budget.tick()?;
            let next = index(pairs.len());
            let number = *number_of.entry(step.pair).or_insert(next);
            if number == next {
                pairs.push(step.pair);
            }
            moves.push((number, step.class));
        }
        if moves.len() + pairs.len() > EAGER_LIMIT {
            let limit = EAGER_LIMIT as u64;
            return Err(Stop::Size { what: "the whole automaton", limit, unit: "states and moves" });
        }
        starts.push(index(moves.len()));
    }
    effort.states += pairs.len() as u64;
    effort.transitions += moves.len() as u64;

    // Search what was built, breadth first.
    let mut reached = vec![false; pairs.len()];
    reached[0] = true;
    let mut nodes: Vec<Node> = vec![(initial, NEVER, 0)];
    let mut numbers = vec![0u32];
    let mut next = 0;
    while let Some(&number) = numbers.get(next) {
        budget.tick()?;
        if graph.is_accepting(pairs[number as usize]) {
            return Ok(Some(word_to(&nodes, index(next))));
        }
        for &(target, class) in &moves[starts[number as usize] as usize..starts[number as usize + 1] as usize]
        {
            if !std::mem::replace(&mut reached[target as usize], true) {
                nodes.push((pairs[target as usize], index(next), class));
                numbers.push(target);
            }
        }
        next += 1;
    }
    Ok(None)
}
