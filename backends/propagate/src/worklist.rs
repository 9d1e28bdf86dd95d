//! Which edge is looked at next.
//!
//! An edge waits from the start, and again whenever the language of one of its vertices has become smaller.
//! Where a fixed point may be out of reach, each edge is looked at a limited number of times.

use std::collections::VecDeque;

use backends_graph::StringVertex;
use backends_graph::reasons::Reasons;

/// In which order waiting edges are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// The edge that has waited longest first.
    Queue,
    /// In sweeps over all edges: each waiting edge once a sweep, in their order.
    Sweeps,
}

/// What is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This edge.
    Edge(usize),
    /// A sweep starts.
    Sweep,
    /// Nothing: no edge waits that may still be looked at.
    Nothing,
}

/// The edges that wait.
#[derive(Debug)]
pub struct Worklist {
    schedule: Schedule,
    /// How often an edge is looked at in one run, if that is limited.
    limit: Option<usize>,
    /// By place of the string vertex: the edges at it.
    edges_by_string: Vec<Vec<usize>>,
    waiting: Vec<bool>,
    looks: Vec<usize>,
    queue: VecDeque<usize>,
    /// If given, all other edges are left alone.
    only: Option<Reasons>,
    /// Where the present sweep is.
    position: usize,
    /// Whether the present sweep has found a waiting edge.
    found: bool,
}

impl Worklist {
    /// For a graph of `strings` string vertices, without edges.
    pub fn new(strings: usize, schedule: Schedule, limit: Option<usize>) -> Self {
        Self {
            schedule,
            limit,
            edges_by_string: vec![Vec::new(); strings],
            waiting: Vec::new(),
            looks: Vec::new(),
            queue: VecDeque::new(),
            only: None,
            position: 0,
            found: false,
        }
    }

    /// Another edge at these vertices. It waits at the next start of a run of sweeps; a queue is filled by
    /// its caller.
    pub fn add_edge(&mut self, strings: impl Iterator<Item = StringVertex>) {
        let edge = self.waiting.len();
        for s in strings {
            let edges = &mut self.edges_by_string[s.index()];
            if edges.last() != Some(&edge) {
                edges.push(edge);
            }
        }
        self.waiting.push(self.schedule == Schedule::Sweeps);
        self.looks.push(0);
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.waiting.len()
    }

    /// Starts a run of a queue: these edges wait, and no edge outside `only`, if that is given, ever does.
    pub fn start(&mut self, edges: impl IntoIterator<Item = usize>, only: Option<Reasons>) {
        self.waiting.fill(false);
        self.looks.fill(0);
        self.queue.clear();
        self.only = only;
        for edge in edges {
            self.wake(edge);
        }
    }

    /// Starts a run of sweeps: the edges that wait still do.
    pub fn start_sweeps(&mut self) {
        self.looks.fill(0);
        self.position = self.waiting.len();
        self.found = true;
    }

    /// No edge waits.
    pub fn clear(&mut self) {
        self.waiting.fill(false);
        self.queue.clear();
    }

    /// The edge waits, unless it may not be looked at again.
    pub fn wake(&mut self, edge: usize) {
        match self.schedule {
            Schedule::Sweeps => self.waiting[edge] = true,
            Schedule::Queue => {
                let may = self.limit.is_none_or(|limit| self.looks[edge] < limit)
                    && self.only.as_ref().is_none_or(|only| only.contains(edge));
                if may && !std::mem::replace(&mut self.waiting[edge], true) {
                    self.queue.push_back(edge);
                }
            }
        }
    }

    /// All edges at the vertex wait.
    pub fn wake_string(&mut self, vertex: StringVertex) {
        let edges = std::mem::take(&mut self.edges_by_string[vertex.index()]);
        edges.iter().for_each(|&edge| self.wake(edge));
        self.edges_by_string[vertex.index()] = edges;
    }

    /// The edges at the vertex.
    pub fn edges_at(&self, vertex: StringVertex) -> &[usize] {
        &self.edges_by_string[vertex.index()]
    }

    /// What to do next. An edge that is given does not wait any more.
    pub fn take(&mut self) -> Next {
        match self.schedule {
            Schedule::Queue => match self.queue.pop_front() {
                Some(edge) => self.look(edge),
                None => Next::Nothing,
            },
            Schedule::Sweeps => {
                while self.position < self.waiting.len() {
                    let edge = self.position;
                    self.position += 1;
                    if self.waiting[edge] && self.limit.is_none_or(|limit| self.looks[edge] < limit) {
                        self.found = true;
                        return self.look(edge);
                    }
                }
                if !std::mem::take(&mut self.found) {
                    return Next::Nothing;
                }
                self.position = 0;
                Next::Sweep
            }
        }
    }

    fn look(&mut self, edge: usize) -> Next {
        self.waiting[edge] = false;
        self.looks[edge] += 1;
        Next::Edge(edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(schedule: Schedule, limit: Option<usize>) -> Worklist {
        let mut list = Worklist::new(2, schedule, limit);
        list.add_edge([StringVertex::at(0), StringVertex::at(0)].into_iter());
        list.add_edge([StringVertex::at(0), StringVertex::at(1)].into_iter());
        list.add_edge([StringVertex::at(1)].into_iter());
        list
    }

    #[test]
    fn a_queue_gives_the_oldest_edge_and_none_twice() {
        let mut list = list(Schedule::Queue, Some(2));
        list.start([2, 0], None);
        assert_eq!(list.take(), Next::Edge(2));
        list.wake_string(StringVertex::at(1));
        list.wake_string(StringVertex::at(0));
        assert_eq!([list.take(), list.take(), list.take()], [0, 1, 2].map(Next::Edge));
        // Edge 2 was looked at twice.
        list.wake_string(StringVertex::at(1));
        assert_eq!([list.take(), list.take()], [Next::Edge(1), Next::Nothing]);
    }

    #[test]
    fn a_queue_leaves_other_edges_alone() {
        let mut list = list(Schedule::Queue, None);
        let mut only = Reasons::new();
        only.insert(1);
        list.start([1], Some(only));
        assert_eq!(list.take(), Next::Edge(1));
        list.wake_string(StringVertex::at(0));
        assert_eq!([list.take(), list.take()], [Next::Edge(1), Next::Nothing]);
    }

    #[test]
    fn sweeps_go_on_while_one_finds_an_edge() {
        let mut list = list(Schedule::Sweeps, Some(2));
        list.start_sweeps();
        assert_eq!([list.take(), list.take()], [Next::Sweep, Next::Edge(0)]);
        list.wake(0);
        let rest: Vec<Next> = (0..6).map(|_| list.take()).collect();
        let expected = [Next::Edge(1), Next::Edge(2), Next::Sweep, Next::Edge(0), Next::Sweep, Next::Nothing];
        assert_eq!(rest, expected);
        list.wake(0);
        // The limit is that of one run.
        assert_eq!(list.take(), Next::Nothing);
        list.start_sweeps();
        assert_eq!([list.take(), list.take()], [Next::Sweep, Next::Edge(0)]);
    }
}
