//! The search (figure 4.3): one variable after the other is given a word, whose paths through the automata of
//! the constraints say where the words of those that follow begin.
//!
//! What matters of a path is where it ends, so the search chooses among the states that some word leads to,
//! of which there are finitely many, and ends. A variable whose predecessor has no word yet, in a cycle of
//! the follow graph, is given each state to begin in, one after the other; the predecessor then has to end
//! there. What the variables that are left have failed with is remembered: where they begin and have to end.

use std::cell::RefCell;
use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::acceptor::Acceptor;
use crate::explore::{Exploration, Manner, Part, Trace};
use crate::graph::FollowGraph;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// States of products that were found.
    pub visited: u64,
    /// How often the search went back to an earlier variable.
    pub backtracks: u64,
    /// States that were guessed for a variable to begin in.
    pub guesses: u64,
    /// States of products that were tried as the ends of a word.
    pub advances: u64,
    /// What is left was known to fail.
    pub remembered: u64,
}

/// A product that several look at, each from its own place on.
type Shared<A> = Rc<RefCell<Exploration<A>>>;

/// A search among nodes that constraints connect.
pub struct Search<'s, A: BooleanAlgebra> {
    graph: &'s FollowGraph,
    /// One for each constraint.
    acceptors: &'s [Rc<Acceptor<A>>],
    manner: Manner,
    algebra: &'s A,
    budget: &'s Budget,
    /// For each constraint: in which state its automaton is before each place of its path, and after the last
    /// one.
    bounds: Vec<Vec<Option<u32>>>,
    parts: FxHashMap<usize, Rc<[Part<A>]>>,
    explorations: FxHashMap<(usize, Vec<u32>), Shared<A>>,
    failed: FxHashSet<(usize, Vec<u32>)>,
    /// What was done.
    pub work: Work,
}

/// A variable that is given a word.
struct Frame<A: BooleanAlgebra> {
    node: usize,
    /// What is known of all that is left, when the variable's turn comes.
    key: Vec<u32>,
    /// Where the variable begins and nobody knows: constraint and place, and what may be guessed.
    guesses: Vec<(usize, usize, Rc<Vec<u32>>)>,
    /// The number of each guess that is tried now.
    guessed: Vec<usize>,
    exploration: Option<Shared<A>>,
    /// The number of the next state to be tried.
    next: usize,
    /// The number of the state that is tried now.
    chosen: usize,
    /// What it says about where others begin.
    set: Vec<(usize, usize)>,
}

/// Nothing is known.
const OPEN: u32 = u32::MAX;

impl<'s, A: BooleanAlgebra> Search<'s, A> {
    /// Of the constraints with these automata.
    pub fn new(
        graph: &'s FollowGraph,
        acceptors: &'s [Rc<Acceptor<A>>],
        manner: Manner,
        algebra: &'s A,
        budget: &'s Budget,
    ) -> Self {
        let bounds = graph.paths.iter().zip(acceptors).map(|(path, acceptor)| {
            let mut bounds = vec![None; path.len() + 1];
            bounds[0] = Some(acceptor.initial());
            bounds
        });
        Self {
            graph,
            acceptors,
            manner,
            algebra,
            budget,
            bounds: bounds.collect(),
            parts: FxHashMap::default(),
            explorations: FxHashMap::default(),
            failed: FxHashSet::default(),
            work: Work::default(),
        }
    }

    /// Words for the nodes of a group, in this order, with their ways through the automata at the nodes'
    /// occurrences; `None` when there are none.
    pub fn run(&mut self, order: &[usize]) -> Result<Option<Vec<Trace>>, Stop> {
        let found = self.find(order);
        self.work.visited += self.explorations.values().map(|one| one.borrow().len() as u64).sum::<u64>();
        self.explorations.clear();
        self.failed.clear();
        found
    }

    fn find(&mut self, order: &[usize]) -> Result<Option<Vec<Trace>>, Stop> {
        if order.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut stack = vec![self.frame(0, order)?];
        loop {
            self.budget.tick()?;
            let Some(frame) = stack.last_mut() else { return Ok(None) };
            for (constraint, place) in frame.set.drain(..) {
                self.bounds[constraint][place] = None;
            }
            if !self.advance(frame)? {
                self.work.backtracks += 1;
                let depth = stack.len() - 1;
                if let Some(frame) = stack.pop() {
                    self.forget_guesses(&frame);
                    self.failed.insert((depth, frame.key));
                }
                continue;
            }
            if stack.len() == order.len() {
                return self.traces(&stack).map(Some);
            }
            let next = self.frame(stack.len(), order)?;
            if self.failed.contains(&(stack.len(), next.key.clone())) {
                self.work.remembered += 1;
                continue;
            }
            stack.push(next);
        }
    }

    /// The variable at this place of the order.
    fn frame(&self, depth: usize, order: &[usize]) -> Result<Frame<A>, Stop> {
        let node = order[depth];
        let mut key = Vec::new();
        for &left in &order[depth..] {
            for &(constraint, place) in &self.graph.occurrences[left] {
                let bounds = &self.bounds[constraint];
                key.extend([bounds[place], bounds[place + 1]].map(|bound| bound.unwrap_or(OPEN)));
            }
        }
        let mut guesses = Vec::new();
        for &(constraint, place) in &self.graph.occurrences[node] {
            if self.bounds[constraint][place].is_none() {
                let states = self.acceptors[constraint].states(self.algebra, self.budget)?;
                guesses.push((constraint, place, Rc::new(states)));
            }
        }
        let guessed = vec![0; guesses.len()];
        Ok(Frame { node, key, guesses, guessed, exploration: None, next: 0, chosen: 0, set: Vec::new() })
    }

    /// The next way for the variable of a frame to go; false when there is none.
    fn advance(&mut self, frame: &mut Frame<A>) -> Result<bool, Stop> {
        loop {
            let exploration = match &frame.exploration {
                Some(known) => Rc::clone(known),
                None => {
                    for ((constraint, place, states), &number) in frame.guesses.iter().zip(&frame.guessed) {
                        let Some(&state) = states.get(number) else { return Ok(false) };
                        self.bounds[*constraint][*place] = Some(state);
                    }
                    self.work.guesses += u64::from(!frame.guesses.is_empty());
                    let made = self.exploration(frame.node);
                    frame.exploration = Some(Rc::clone(&made));
                    frame.next = 0;
                    made
                }
            };
            if self.next_end(frame, &exploration)? {
                return Ok(true);
            }
            // The next guess, as numbers are counted up.
            let more = |place: &usize| frame.guessed[*place] + 1 < frame.guesses[*place].2.len();
            let Some(place) = (0..frame.guesses.len()).find(more) else { return Ok(false) };
            frame.guessed[place] += 1;
            frame.guessed[..place].fill(0);
            frame.exploration = None;
        }
    }

    fn forget_guesses(&mut self, frame: &Frame<A>) {
        for (constraint, place, _) in &frame.guesses {
            self.bounds[*constraint][*place] = None;
        }
    }

    fn exploration(&mut self, node: usize) -> Shared<A> {
        let occurrences = &self.graph.occurrences[node];
        let starts: Vec<u32> = occurrences
            .iter()
            .map(|&(constraint, place)| self.bounds[constraint][place].unwrap_or(OPEN))
            .collect();
        let (graph, acceptors) = (self.graph, self.acceptors);
        let parts = self.parts.entry(node).or_insert_with(|| {
            let part = |&(constraint, place): &(usize, usize)| Part {
                acceptor: Rc::clone(&acceptors[constraint]),
                is_last: place + 1 == graph.paths[constraint].len(),
            };
            occurrences.iter().map(part).collect()
        });
        let (parts, manner) = (Rc::clone(parts), self.manner);
        let made = self
            .explorations
            .entry((node, starts))
            .or_insert_with_key(|(_, starts)| Rc::new(RefCell::new(Exploration::new(parts, starts, manner))));
        Rc::clone(made)
    }

    /// The next state in which the words of the variable may end.
    fn next_end(&mut self, frame: &mut Frame<A>, exploration: &Shared<A>) -> Result<bool, Stop> {
        let occurrences = &self.graph.occurrences[frame.node];
        let mut exploration = exploration.borrow_mut();
        loop {
            let number = frame.next;
            let Some(states) = exploration.get(number, self.algebra, self.budget)? else { return Ok(false) };
            self.budget.tick()?;
            frame.next += 1;
            self.work.advances += 1;
            let fits = occurrences.iter().zip(states).all(|(&(constraint, place), &state)| {
                if place + 1 == self.graph.paths[constraint].len() {
                    self.acceptors[constraint].is_final(state)
                } else {
                    self.bounds[constraint][place + 1].is_none_or(|bound| bound == state)
                }
            });
            if !fits {
                continue;
            }
            for (&(constraint, place), &state) in occurrences.iter().zip(states) {
                let bound = &mut self.bounds[constraint][place + 1];
                if place + 1 < self.graph.paths[constraint].len() && bound.is_none() {
                    *bound = Some(state);
                    frame.set.push((constraint, place + 1));
                }
            }
            frame.chosen = number;
            return Ok(true);
        }
    }

    fn traces(&self, stack: &[Frame<A>]) -> Result<Vec<Trace>, Stop> {
        // Every variable on the stack was advanced, so it has a product.
        let explored = stack.iter().filter_map(|frame| Some((frame.exploration.as_ref()?, frame.chosen)));
        explored.map(|(exploration, chosen)| exploration.borrow().trace(chosen, self.algebra)).collect()
    }
}
