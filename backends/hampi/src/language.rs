//! Languages as Hampi unrolls them: a graph of nodes, each of which is there once, so that what occurs in
//! several places is unrolled once for each place of the word and each length.
//!
//! A concatenation has two parts, and a repetition is its first word and the rest, so the words of a node and
//! a length are a disjunction over one place where the word is cut. Rules of grammars and states of automata
//! are nodes too. Each node knows between which lengths its words are.

use std::rc::Rc;

use harness_grammar::NormalForm;
use harness_model::{CharSet, Regex, SmtString};
use harness_systems::{Automaton, Language};
use rustc_hash::FxHashMap;

/// A node: an index into [`Languages`].
pub type NodeId = u32;

/// No greatest length, or no word at all as a least one.
pub const ANY: u32 = u32::MAX;

/// A language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// No word.
    Nothing,
    /// The empty word.
    Empty,
    /// One character of a set, which is not empty.
    Set(Rc<CharSet>),
    /// Two after each other.
    Then(NodeId, NodeId),
    /// Any of these.
    Or(Rc<[NodeId]>),
    /// All of these.
    And(Rc<[NodeId]>),
    /// All other words.
    Not(NodeId),
    /// From so many times to so many times.
    Repeat(NodeId, u32, Option<u32>),
    /// The words of this length.
    Long(NodeId, u32),
    /// What a symbol of a grammar derives.
    Symbol(u32, u32),
    /// What the rules of that symbol itself derive, without those of symbols that it may become, and not the
    /// empty word.
    Own(u32, u32),
    /// The words from a state of an automaton to its end.
    State(u32, u32),
}

/// A grammar that is unrolled.
#[derive(Clone)]
pub struct Rules {
    /// Characters and pairs.
    pub normal: NormalForm,
    /// By symbol, whether it has a word of each length.
    pub lengths: Vec<Vec<bool>>,
    /// By symbol, the characters that it has as rules.
    pub sets: Vec<Option<NodeId>>,
}

/// An automaton without moves that read nothing.
#[derive(Clone)]
pub struct Machine {
    /// By state, sets and targets.
    pub moves: Vec<Vec<(NodeId, NodeId)>>,
    /// By state, whether words may end.
    pub ends: Vec<bool>,
}

/// All nodes of a question.
#[derive(Clone, Default)]
pub struct Languages {
    nodes: Vec<Node>,
    /// The least and the greatest length of each one's words, as far as that is known.
    bounds: Vec<(u32, u32)>,
    numbers: FxHashMap<Node, NodeId>,
    /// Grammars by number.
    pub rules: Vec<Rules>,
    /// Automata by number.
    pub machines: Vec<Machine>,
}

impl Languages {
    /// What a node is.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Between which lengths the words of a node are; there may be none.
    pub fn bounds(&self, id: NodeId) -> (u32, u32) {
        self.bounds[id as usize]
    }

    /// The node, which is added where it is new.
    pub fn add(&mut self, node: Node) -> NodeId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let bounds = self.bounds_of(&node);
        let number = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(node.clone());
        self.bounds.push(bounds);
        self.numbers.insert(node, number);
        number
    }

    fn bounds_of(&self, node: &Node) -> (u32, u32) {
        let of = |id: &NodeId| self.bounds(*id);
        match node {
            Node::Nothing => (ANY, 0),
            Node::Empty => (0, 0),
            Node::Set(_) => (1, 1),
            Node::Then(first, second) => {
                let ((a, b), (c, d)) = (of(first), of(second));
                (a.saturating_add(c), b.saturating_add(d))
            }
            Node::Or(parts) => parts
                .iter()
                .map(of)
                .fold((ANY, 0), |(low, high), (least, most)| (low.min(least), high.max(most))),
            Node::And(parts) => parts
                .iter()
                .map(of)
                .fold((0, ANY), |(low, high), (least, most)| (low.max(least), high.min(most))),
            Node::Not(_) => (0, ANY),
            Node::Repeat(inner, min, max) => {
                let (low, high) = of(inner);
                let least = if *min == 0 { 0 } else { low.saturating_mul(*min) };
                let most = match max {
                    Some(max) => high.saturating_mul(*max),
                    None if high == 0 => 0,
                    None => ANY,
                };
                (least, most)
            }
            Node::Long(inner, length) => {
                let (low, high) = of(inner);
                if (low..=high).contains(length) { (*length, *length) } else { (ANY, 0) }
            }
            Node::Symbol(grammar, symbol) => {
                let row = &self.rules[*grammar as usize].lengths[*symbol as usize];
                let place = |found: Option<usize>| found.and_then(|place| u32::try_from(place).ok());
                let low = place(row.iter().position(|&has| has)).unwrap_or(ANY);
                (low, place(row.iter().rposition(|&has| has)).unwrap_or(0))
            }
            Node::Own(..) => (1, ANY),
            // Told when the automaton is made.
            Node::State(..) => (0, ANY),
        }
    }

    /// One after the other.
    pub fn concat(&mut self, parts: impl DoubleEndedIterator<Item = NodeId>) -> NodeId {
        let empty = self.add(Node::Empty);
        parts.rev().fold(empty, |rest, part| {
            if rest == empty {
                part
            } else if part == empty {
                rest
            } else {
                self.add(Node::Then(part, rest))
            }
        })
    }

    /// Any of these.
    pub fn or(&mut self, mut parts: Vec<NodeId>) -> NodeId {
        parts.sort_unstable();
        parts.dedup();
        match parts.as_slice() {
            [] => self.add(Node::Nothing),
            [only] => *only,
            _ => self.add(Node::Or(parts.into())),
        }
    }

    /// One character of a set.
    pub fn set(&mut self, set: &CharSet) -> NodeId {
        if set.is_empty() { self.add(Node::Nothing) } else { self.add(Node::Set(Rc::new(set.clone()))) }
    }

    /// A word.
    pub fn word(&mut self, word: &SmtString) -> NodeId {
        let letters: Vec<NodeId> = word.chars().iter().map(|&c| self.set(&CharSet::single(c))).collect();
        self.concat(letters.into_iter())
    }

    /// A repetition.
    pub fn repeat(&mut self, inner: NodeId, min: u32, max: Option<u32>) -> NodeId {
        match (min, max) {
            (_, Some(max)) if max < min => self.add(Node::Nothing),
            (_, Some(0)) => self.add(Node::Empty),
            (1, Some(1)) => inner,
            _ => self.add(Node::Repeat(inner, min, max)),
        }
    }

    /// An expression, its parts first.
    pub fn regex(&mut self, regex: &Regex) -> NodeId {
        enum Task<'r> {
            Visit(&'r Regex),
            Make(&'r Regex),
        }
        let mut todo = vec![Task::Visit(regex)];
        let mut done: Vec<NodeId> = Vec::new();
        while let Some(task) = todo.pop() {
            match task {
                Task::Visit(regex) => {
                    todo.push(Task::Make(regex));
                    match regex {
                        Regex::Empty | Regex::Epsilon | Regex::Set(_) => {}
                        Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => {
                            todo.extend(parts.iter().rev().map(Task::Visit));
                        }
                        Regex::Complement(inner) | Regex::Repeat { inner, .. } => {
                            todo.push(Task::Visit(inner));
                        }
                    }
                }
                Task::Make(regex) => {
                    let count = match regex {
                        Regex::Empty | Regex::Epsilon | Regex::Set(_) => 0,
                        Regex::Concat(parts) | Regex::Union(parts) | Regex::Inter(parts) => parts.len(),
                        Regex::Complement(_) | Regex::Repeat { .. } => 1,
                    };
                    let parts = done.split_off(done.len() - count);
                    done.push(match regex {
                        Regex::Empty => self.add(Node::Nothing),
                        Regex::Epsilon => self.add(Node::Empty),
                        Regex::Set(set) => self.set(set),
                        Regex::Concat(_) => self.concat(parts.into_iter()),
                        Regex::Union(_) => self.or(parts),
                        Regex::Inter(_) => self.add(Node::And(parts.into())),
                        Regex::Complement(_) => self.add(Node::Not(parts[0])),
                        Regex::Repeat { min, max, .. } => self.repeat(parts[0], *min, *max),
                    });
                }
            }
        }
        done[0]
    }

    /// What a grammar derives, for words of up to `longest` characters.
    pub fn grammar(&mut self, normal: NormalForm, longest: usize) -> NodeId {
        let number = u32::try_from(self.rules.len()).unwrap_or(u32::MAX);
        let sets = (0..normal.len())
            .map(|symbol| {
                let characters = normal.characters(symbol);
                (!characters.is_empty())
                    .then(|| self.set(&CharSet::from_ranges(characters.iter().map(|c| (c.0, c.0)))))
            })
            .collect();
        let lengths = normal.lengths(longest);
        self.rules.push(Rules { normal, lengths, sets });
        self.add(Node::Symbol(number, 0))
    }

    /// The language of a constraint.
    pub fn language(&mut self, language: &Language) -> NodeId {
        match language {
            Language::Regex(regex) => self.regex(regex),
            Language::Automaton(automaton) => self.automaton(automaton),
        }
    }

    fn automaton(&mut self, automaton: &Automaton) -> NodeId {
        let number = u32::try_from(self.machines.len()).unwrap_or(u32::MAX);
        let state = |state: usize| Node::State(number, u32::try_from(state).unwrap_or(u32::MAX));
        let closures: Vec<Vec<usize>> = closures(automaton);
        let mut direct: Vec<Vec<(NodeId, NodeId)>> = vec![Vec::new(); automaton.states];
        for step in &automaton.moves {
            if let Some(set) = step.reads.as_ref().filter(|set| !set.is_empty()) {
                let (set, to) = (self.set(set), self.add(state(step.to)));
                direct[step.from].push((set, to));
            }
        }
        let start = self.add(state(automaton.start));
        let moves = closures
            .iter()
            .map(|reached| {
                let mut all: Vec<_> = reached.iter().flat_map(|&other| direct[other].clone()).collect();
                all.sort_unstable();
                all.dedup();
                all
            })
            .collect();
        let ends = closures.iter().map(|reached| reached.contains(&automaton.end)).collect();
        self.machines.push(Machine { moves, ends });
        self.narrow(number);
        start
    }

    /// The least lengths from states of the automaton of this number.
    fn narrow(&mut self, number: u32) {
        let machine = &self.machines[number as usize];
        let count = machine.ends.len();
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); count];
        let target = |nodes: &[Node], to: NodeId| match nodes[to as usize] {
            Node::State(_, state) => Some(state as usize),
            _ => None,
        };
        for (from, row) in machine.moves.iter().enumerate() {
            for &(_, to) in row {
                if let Some(to) = target(&self.nodes, to) {
                    sources[to].push(from);
                }
            }
        }
        let mut least = vec![ANY; count];
        let mut queue: Vec<usize> = (0..count).filter(|&state| machine.ends[state]).collect();
        queue.iter().for_each(|&state| least[state] = 0);
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            for &source in &sources[state] {
                if least[source] == ANY {
                    least[source] = least[state] + 1;
                    queue.push(source);
                }
            }
        }
        for (place, node) in self.nodes.iter().enumerate() {
            if let Node::State(machine, state) = node
                && *machine == number
            {
                let low = least[*state as usize];
                self.bounds[place] = if low == ANY { (ANY, 0) } else { (low, ANY) };
            }
        }
    }
}

/// For each state those that are reached without reading, itself included.
fn closures(automaton: &Automaton) -> Vec<Vec<usize>> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); automaton.states];
    for step in automaton.moves.iter().filter(|step| step.reads.is_none()) {
        next[step.from].push(step.to);
    }
    (0..automaton.states)
        .map(|start| {
            let mut seen = vec![start];
            let mut done = 0;
            while let Some(&state) = seen.get(done) {
                done += 1;
                for &to in &next[state] {
                    if !seen.contains(&to) {
                        seen.push(to);
                    }
                }
            }
            seen
        })
        .collect()
}
