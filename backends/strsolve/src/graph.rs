//! The follow graph (figure 4.2): which variable follows which in a concatenation, and the order in which
//! variables are given words.

/// A system as the search sees it: constraints on nodes. Nodes are the variables, in their order, and after
/// them the words that occur in concatenations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FollowGraph {
    /// For each constraint the nodes of its concatenation, one after the other.
    pub paths: Vec<Vec<usize>>,
    /// For each node where it occurs: constraint, and place in its path.
    pub occurrences: Vec<Vec<(usize, usize)>>,
}

/// Which variable is given a word next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// One all of whose predecessors have a word; in a cycle, one with the fewest that have none.
    Follow,
    /// In the order of the system.
    Declared,
}

impl Pick {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Follow, Self::Declared];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Follow => "follow",
            Self::Declared => "declared",
        }
    }
}

impl FollowGraph {
    /// Of the paths of all constraints.
    pub fn new(nodes: usize, paths: Vec<Vec<usize>>) -> Self {
        let mut occurrences = vec![Vec::new(); nodes];
        for (constraint, path) in paths.iter().enumerate() {
            for (place, &node) in path.iter().enumerate() {
                occurrences[node].push((constraint, place));
            }
        }
        Self { paths, occurrences }
    }

    /// The nodes that follow `node`, as often as they do.
    pub fn followers(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let next = |&(constraint, place): &(usize, usize)| self.paths[constraint].get(place + 1).copied();
        self.occurrences[node].iter().filter_map(next)
    }

    /// The nodes in groups that no constraint connects, each in the order in which it is searched.
    pub fn order(&self, pick: Pick) -> Vec<Vec<usize>> {
        let nodes = self.occurrences.len();
        let mut group = vec![usize::MAX; nodes];
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for start in 0..nodes {
            if group[start] != usize::MAX {
                continue;
            }
            let mut members = Vec::new();
            let mut todo = vec![start];
            group[start] = groups.len();
            while let Some(node) = todo.pop() {
                members.push(node);
                for &(constraint, _) in &self.occurrences[node] {
                    for &other in &self.paths[constraint] {
                        if group[other] == usize::MAX {
                            group[other] = groups.len();
                            todo.push(other);
                        }
                    }
                }
            }
            members.sort_unstable();
            groups.push(members);
        }
        match pick {
            Pick::Declared => groups,
            Pick::Follow => groups.into_iter().map(|members| self.followed(&members)).collect(),
        }
    }

    /// Of a group: how many occurrences begin where nobody knows yet decides; then the order of the system.
    fn followed(&self, members: &[usize]) -> Vec<usize> {
        let nodes = self.occurrences.len();
        let mut unknown = vec![0usize; nodes];
        let mut waiting = std::collections::BTreeSet::new();
        for &node in members {
            unknown[node] = self.occurrences[node].iter().filter(|(_, place)| *place > 0).count();
            waiting.insert((unknown[node], node));
        }
        let mut order = Vec::with_capacity(members.len());
        let mut done = vec![false; nodes];
        while let Some((_, node)) = waiting.pop_first() {
            done[node] = true;
            order.push(node);
            for follower in self.followers(node).collect::<Vec<_>>() {
                if !done[follower] {
                    waiting.remove(&(unknown[follower], follower));
                    unknown[follower] -= 1;
                    waiting.insert((unknown[follower], follower));
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predecessors_come_first_and_cycles_are_cut_where_little_is_unknown() {
        // v1 · v0, v2 · v1: v2 first; v3 by itself.
        let graph = FollowGraph::new(4, vec![vec![1, 0], vec![2, 1], vec![3]]);
        assert_eq!(graph.order(Pick::Follow), [vec![2, 1, 0], vec![3]]);
        assert_eq!(graph.order(Pick::Declared), [vec![0, 1, 2], vec![3]]);
        // A cycle through three, one of which follows twice.
        let graph = FollowGraph::new(3, vec![vec![0, 1], vec![1, 2], vec![2, 0], vec![2, 0]]);
        assert_eq!(graph.order(Pick::Follow), [vec![1, 2, 0]]);
        assert_eq!(graph.followers(2).collect::<Vec<_>>(), [0, 0]);
    }
}
