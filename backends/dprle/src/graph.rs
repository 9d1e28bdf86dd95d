//! The dependency graph of a system (figure 2.4): nodes for variables, words and the results of
//! concatenations; an edge from each language to the node that is within it, and a pair of edges for each
//! concatenation.

use crate::machine::Machine;
use backends_algebra::BooleanAlgebra;

/// The language of inclusion `language` bounds `node`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubsetEdge {
    /// Number of the inclusion.
    pub language: usize,
    /// The node.
    pub node: usize,
}

/// `result` is a word of `left` and then one of `right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConcatEdgePair {
    /// The first part.
    pub left: usize,
    /// The second part.
    pub right: usize,
    /// Both together: a node of its own.
    pub result: usize,
}

/// The graph. Nodes of the machine keep their numbers; results of concatenations come after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DependencyGraph {
    /// How many nodes.
    pub nodes: usize,
    /// One for each inclusion that is about a node.
    pub subsets: Vec<SubsetEdge>,
    /// One for each piece of an inclusion but its first.
    pub concats: Vec<ConcatEdgePair>,
}

/// Nodes that concatenations connect, and the inclusions on these concatenations: a CI-group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Numbers of inclusions of at least two pieces.
    pub inclusions: Vec<usize>,
}

impl DependencyGraph {
    /// Of a machine.
    pub fn of<A: BooleanAlgebra>(machine: &Machine<A>) -> Self {
        let mut graph = Self { nodes: machine.nodes(), ..Self::default() };
        for (language, inclusion) in machine.inclusions.iter().enumerate() {
            let mut pieces = inclusion.nodes.iter().copied();
            let Some(mut node) = pieces.next() else { continue };
            for right in pieces {
                let result = graph.nodes;
                graph.nodes += 1;
                graph.concats.push(ConcatEdgePair { left: node, right, result });
                node = result;
            }
            graph.subsets.push(SubsetEdge { language, node });
        }
        graph
    }

    /// The groups, in the order of their first inclusion.
    pub fn groups(&self) -> Vec<Group> {
        let mut parent: Vec<usize> = (0..self.nodes).collect();
        let root = |parent: &mut Vec<usize>, mut node: usize| {
            while parent[node] != node {
                parent[node] = parent[parent[node]];
                node = parent[node];
            }
            node
        };
        let mut connected = vec![false; self.nodes];
        for ConcatEdgePair { left, right, result } in &self.concats {
            let target = root(&mut parent, *result);
            for node in [left, right] {
                let other = root(&mut parent, *node);
                parent[other] = target;
            }
            for node in [left, right, result] {
                connected[*node] = true;
            }
        }
        let mut groups: Vec<(usize, Group)> = Vec::new();
        let mut places: rustc_hash::FxHashMap<usize, usize> = Default::default();
        for SubsetEdge { language, node } in &self.subsets {
            // A bound of a variable is taken into account before any group is solved.
            let is_result = self.concats.first().is_some_and(|first| *node >= first.result);
            if !connected[*node] || !is_result {
                continue;
            }
            let key = root(&mut parent, *node);
            let place = *places.entry(key).or_insert_with(|| {
                groups.push((key, Group::default()));
                groups.len() - 1
            });
            groups[place].1.inclusions.push(*language);
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }
}
