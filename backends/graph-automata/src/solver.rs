//! Automata as the string solver of the interchange.

use std::collections::BTreeMap;

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Probe, Stop, Taken};
use backends_automata::layered::MAX_LENGTH;
use backends_automata::{AutomataContext, Node};
use backends_graph::evaluate::edge_holds;
use backends_graph::{
    EdgeId, FixedAnswer, FixedSolver, FixedSolvers, IntAssignment, IntFormula, IntVertex, Refutation,
    Relation, StringGraph, StringVertex, Sum,
};
use harness_model::{Alphabet, SmtString};

use crate::cases;
use crate::cells;
use crate::equations::{self, Said};
use crate::first_words::FirstWords;
use crate::free::{Free, FreeState};
use crate::limits::{ExplainLimits, FreeLimits, PartLimits};
use crate::numerals;
use crate::propagator::{Propagator, State};
use crate::search::Effort;
use crate::thin;
use backends_graph::reasons::Reasons;
use backends_propagate::lengths::{has_length, lengths_beside};

/// What is done about negative edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Negatives {
    /// They narrow languages as positive edges do, and a complete search follows.
    #[default]
    Search,
    /// Positive edges alone narrow languages; then the first words of each language are tried together: the
    /// study's figures 3.12 and 3.13.
    FirstWords,
}

impl Negatives {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Search, Self::FirstWords];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::FirstWords => "first-words",
        }
    }
}

/// What is refused with a guess that the transfer functions refute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Refusals {
    /// The integers of few edges that are refuted by themselves, and of further such sets of edges.
    #[default]
    Minimised,
    /// The integers of all edges that are connected with the refuted ones.
    Connected,
    /// The integers of all edges that were taken so far: what the study tells of its two extreme graphs
    /// (section 4.2).
    Taken,
}

impl Refusals {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Minimised, Self::Connected, Self::Taken];

    /// The name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimised => "minimised",
            Self::Connected => "connected",
            Self::Taken => "taken",
        }
    }
}

/// Makes string solvers that work on automata over one algebra of labels: `make` gives a fresh one for an
/// alphabet.
#[derive(Clone, Copy, Debug)]
pub struct AutomataSolvers<F> {
    make: F,
    free: bool,
    negatives: Negatives,
    refusals: Refusals,
    free_limits: FreeLimits,
    part_limits: PartLimits,
    explain_limits: ExplainLimits,
}

impl<A: BooleanAlgebra, F: Fn(Alphabet) -> A + Send + Sync> AutomataSolvers<F> {
    /// Every length is guessed, and a refutation names all integers that its edges touch.
    pub fn new(make: F) -> Self {
        Self {
            make,
            free: false,
            negatives: Negatives::Search,
            refusals: Refusals::Minimised,
            free_limits: FreeLimits::default(),
            part_limits: PartLimits::default(),
            explain_limits: ExplainLimits::default(),
        }
    }

    /// Languages of words of every length first: what they refute needs no guess. Then lengths are guessed,
    /// but within these languages, and each refutation is tried again with fewer integers known.
    pub fn free(make: F) -> Self {
        Self { free: true, ..Self::new(make) }
    }

    /// The same with other ways to treat negative edges and to refuse guesses.
    #[must_use]
    pub fn with(self, negatives: Negatives, refusals: Refusals) -> Self {
        Self { negatives, refusals, ..self }
    }

    /// The same within these limits. Those of parts are for a search; as published there are none.
    #[must_use]
    pub fn within(
        self,
        free_limits: FreeLimits,
        part_limits: PartLimits,
        explain_limits: ExplainLimits,
    ) -> Self {
        Self { free_limits, part_limits, explain_limits, ..self }
    }

    /// The limits of languages of words of every length.
    pub(crate) const fn free_limits(&self) -> FreeLimits {
        self.free_limits
    }

    /// A fresh algebra.
    pub(crate) fn algebra(&self, alphabet: Alphabet) -> A {
        (self.make)(alphabet)
    }
}

impl<A: BooleanAlgebra + 'static, F: Fn(Alphabet) -> A + Send + Sync> FixedSolvers for AutomataSolvers<F> {
    /// The first words of languages may not be the ones that satisfy the edges.
    fn takes(&self, graph: &StringGraph) -> Taken {
        match self.negatives {
            Negatives::Search => Taken::Exactly,
            Negatives::FirstWords if graph.edges().is_empty() => Taken::Exactly,
            Negatives::FirstWords => Taken::Roughly,
        }
    }

    fn solver<'a>(
        &'a self,
        graph: &'a StringGraph,
        order: &'a [EdgeId],
        budget: &'a Budget,
    ) -> Result<Box<dyn FixedSolver + 'a>, BackendError> {
        graph.refuse_foreign()?;
        let mut propagator = Propagator::new(graph, order, budget, (self.make)(graph.alphabet()));
        let whole = if self.free { Whole::Unknown } else { Whole::Unused };
        let Self { negatives, refusals, free_limits, part_limits, explain_limits, .. } = *self;
        propagator.parts = match negatives {
            Negatives::Search => Some(part_limits),
            Negatives::FirstWords => None,
        };
        let long_guesses = 0;
        let solver = AutomataSolver {
            propagator,
            whole,
            negatives,
            refusals,
            free_limits,
            explain_limits,
            long_guesses,
            facts: Vec::new(),
            suggested: BTreeMap::new(),
        };
        Ok(Box::new(solver))
    }
}

/// Words of more characters than this are looked for in [`MOST_LONG_GUESSES`] guesses alone: that lengths are
/// asked for is one thing, that they grow from one guess to the next another.
const MANY_CHARACTERS: usize = 1024;
const MOST_LONG_GUESSES: u32 = 32;

/// Steps for the question whether languages have one word of each length at most.
const THIN_STEPS: u64 = 100_000;

/// Steps for equations of words of every length.
const EQUATION_STEPS: u64 = 1_000_000;

/// Once there are so many nodes, those of earlier guesses are forgotten.
const MAX_NODES: usize = 1 << 21;

/// What is known of words of every length.
enum Whole<S> {
    /// That is not asked for.
    Unused,
    /// Not computed yet.
    Unknown,
    /// The languages, which no edge refutes.
    Languages(FreeState<S>),
}

struct AutomataSolver<'a, A: BooleanAlgebra> {
    propagator: Propagator<'a, A>,
    whole: Whole<A::Set>,
    negatives: Negatives,
    refusals: Refusals,
    free_limits: FreeLimits,
    explain_limits: ExplainLimits,
    /// How many guesses had words of many characters.
    long_guesses: u32,
    /// What the present guess has shown to hold of integers in every solution.
    facts: Vec<IntFormula>,
    /// Words that solve equations, each by itself.
    suggested: BTreeMap<StringVertex, SmtString>,
}

impl<A: BooleanAlgebra> FixedSolver for AutomataSolver<'_, A> {
    /// Phases: `free`, `recipes`, `minimise`, `search`; counters: `states` (peak), `recipes`, `words_tried`,
    /// `search_nodes`.
    fn solve(&mut self, guess: &IntAssignment<'_>, probe: &Probe) -> Result<FixedAnswer, BackendError> {
        let graph = self.propagator.graph;
        // A constant that no edge is about costs nothing.
        let about = graph.edges().iter().flat_map(|edge| edge.relation.strings());
        let open = graph.string_vertices().filter(|&v| graph.word(v).is_none());
        let long = |v: &StringVertex| graph.word(*v).is_none() && guess.length(*v) > MANY_CHARACTERS;
        let too_long = |v: &StringVertex| guess.length(*v) > MAX_LENGTH;
        let words: Vec<StringVertex> = about.chain(open).collect();
        let first = |is: &dyn Fn(&StringVertex) -> bool| words.iter().copied().find(is);
        let longest = first(&too_long).map(|vertex| (vertex, MAX_LENGTH)).or_else(|| {
            let vertex = first(&long)?;
            self.long_guesses += 1;
            (self.long_guesses > MOST_LONG_GUESSES).then_some((vertex, MANY_CHARACTERS))
        });
        if let Some((vertex, most)) = longest {
            return Ok(FixedAnswer::Unknown(format!(
                "'{}' would have {} characters, more than {most}",
                graph.string_name(vertex),
                guess.length(vertex)
            )));
        }
        if self.propagator.engine.lattice.layers.len() > MAX_NODES {
            self.propagator.engine.lattice.layers.forget();
        }
        let applications = self.propagator.applications;
        let mut effort = Effort::default();
        self.facts.clear();
        let mut answer = self.answer(guess, probe, &mut effort);
        if let Ok(FixedAnswer::Unsat(refutation)) = &mut answer {
            refutation.learned.append(&mut self.facts);
        }
        probe.count("recipes", self.propagator.applications - applications);
        probe.count("words_tried", effort.words);
        probe.count("search_nodes", effort.nodes);
        probe.peak("states", self.propagator.engine.lattice.layers.len() as u64);
        answer
    }

    fn suggestion(&mut self) -> Vec<(StringVertex, usize)> {
        let words = std::mem::take(&mut self.suggested);
        words.into_iter().map(|(vertex, word)| (vertex, word.len())).collect()
    }
}

impl<A: BooleanAlgebra> AutomataSolver<'_, A> {
    fn answer(
        &mut self,
        guess: &IntAssignment<'_>,
        probe: &Probe,
        effort: &mut Effort,
    ) -> Result<FixedAnswer, BackendError> {
        if matches!(self.whole, Whole::Unknown)
            && let Some(edges) = probe.phase("free", || self.refute_whole())?
        {
            return Ok(FixedAnswer::Unsat(Refutation { edges, ..Refutation::default() }));
        }
        if self.negatives == Negatives::Search
            && let Some(decided) = cells::decided(self.propagator.graph, guess, self.propagator.budget)?
        {
            return Ok(match decided {
                Ok(words) => FixedAnswer::Sat(words),
                Err(core) => FixedAnswer::Unsat(self.refutation_of(guess, &[core])?),
            });
        }
        let mut state = self.propagator.start(guess)?;
        let empty = state.languages.iter().any(|language| language.is_empty());
        if empty {
            // No characters at all, and a length that is not zero: the edges are not to blame.
            return Ok(FixedAnswer::Unsat(self.lengths_alone()));
        }
        if let Some(refutation) = probe.phase("free", || self.start_within_whole(guess, &mut state))? {
            return Ok(FixedAnswer::Unsat(refutation));
        }
        let (propagator, negatives) = (&mut self.propagator, self.negatives);
        let conflict = probe.phase("recipes", || match negatives {
            Negatives::Search => propagator.settle(guess, &mut state),
            Negatives::FirstWords => propagator.settle_positive(guess, &mut state),
        })?;
        if let Some(core) = conflict {
            let cores = match self.refusals {
                Refusals::Minimised => probe.phase("minimise", || self.explain(guess, core))?,
                Refusals::Connected => return Ok(FixedAnswer::Unsat(self.refused_plainly(&core))),
                Refusals::Taken => return Ok(FixedAnswer::Unsat(self.refused_as_published(&core))),
            };
            return probe.phase("free", || self.refutation_of(guess, &cores)).map(FixedAnswer::Unsat);
        }
        let words = match negatives {
            Negatives::Search => match probe.phase("search", || propagator.search(guess, state, effort))? {
                Err(core) => {
                    return match self.refusals {
                        Refusals::Minimised => self.refutation_of(guess, &[core]),
                        Refusals::Connected => Ok(self.refused_plainly(&core)),
                        Refusals::Taken => Ok(self.refused_as_published(&core)),
                    }
                    .map(FixedAnswer::Unsat);
                }
                Ok(found) => propagator.words(&found)?,
            },
            Negatives::FirstWords => {
                match probe.phase("search", || propagator.first_words(guess, &state, effort))? {
                    FirstWords::Found(words) => words,
                    FirstWords::Exhausted { assumed } => {
                        let graph = propagator.graph;
                        let all = match self.refusals {
                            Refusals::Taken => Refutation::taken(graph, &[], graph.edge_ids()),
                            Refusals::Minimised | Refusals::Connected => {
                                Refutation::touching(graph, graph.edge_ids())
                            }
                        };
                        return Ok(FixedAnswer::Unsat(Refutation { assumed, ..all }));
                    }
                }
            }
        };
        if cfg!(debug_assertions) {
            self.check(guess, &words)?;
        }
        Ok(FixedAnswer::Sat(words))
    }

    /// The refutation by all positive edges that are connected with these.
    fn refused_plainly(&self, core: &Reasons) -> Refutation {
        let graph = self.propagator.graph;
        let core: Vec<EdgeId> = core.below(graph.edges().len()).map(EdgeId::at).collect();
        let others = graph.edge_ids().filter(|id| !core.contains(id));
        let used = others.filter(|&id| graph.edge(id).positive || self.negatives == Negatives::Search);
        Refutation::connected(graph, &core, used)
    }

    /// The refutation by all edges that were taken, connected with these or not.
    fn refused_as_published(&self, core: &Reasons) -> Refutation {
        let graph = self.propagator.graph;
        let ids = |reasons: &Reasons| reasons.below(graph.edges().len()).map(EdgeId::at).collect::<Vec<_>>();
        Refutation::taken(graph, &ids(core), ids(&self.propagator.taken))
    }

    /// Computes the languages of words of every length; the edges that leave one of them empty, or that have no
    /// solution within them, if any.
    fn refute_whole(&mut self) -> Result<Option<Vec<EdgeId>>, BackendError> {
        let propagator = &self.propagator;
        let edges = propagator.graph.edges().len();
        let run = || -> Result<_, Stop> {
            let mut free = Free::new(
                propagator.graph,
                propagator.engine.lattice.layers.algebra(),
                self.free_limits,
                propagator.budget,
                None,
            )?;
            Ok((free.settle(None)?, free.engine.state))
        };
        match run() {
            Ok((None, state)) => {
                let context =
                    AutomataContext::new(propagator.engine.lattice.layers.algebra(), EQUATION_STEPS);
                let (languages, reasons) = (&state.languages, &state.reasons);
                let budget = propagator.budget;
                match equations::look_at(propagator.graph, &context, languages, reasons, budget)? {
                    Said::Refuted(core) => {
                        return Ok(Some(core.below(edges).map(EdgeId::at).collect()));
                    }
                    Said::Suggested(words) => self.suggested = words,
                }
                let algebra = propagator.engine.lattice.layers.algebra();
                if cases::refuted(propagator.graph, algebra, self.free_limits, budget)? {
                    // Which edges the cases need is not kept.
                    return Ok(Some(propagator.graph.edge_ids().collect()));
                }
                self.whole = Whole::Languages(state);
            }
            Ok((Some(core), _)) => return Ok(Some(core.below(edges).map(EdgeId::at).collect())),
            // The first automata are too large already.
            Err(Stop::Steps(_) | Stop::Size { .. }) => self.whole = Whole::Unused,
            Err(stop) => return Err(stop.into()),
        }
        Ok(None)
    }

    /// Leaves each vertex only words of its whole language. If there is none of the guessed length, that
    /// length alone is refuted, and those next to it up to the nearest that there is.
    fn start_within_whole(
        &mut self,
        guess: &IntAssignment<'_>,
        state: &mut State,
    ) -> Result<Option<Refutation>, BackendError> {
        let Whole::Languages(whole) = &self.whole else { return Ok(None) };
        let (graph, budget) = (self.propagator.graph, self.propagator.budget);
        let mut refutation: Option<Refutation> = None;
        for vertex in graph.string_vertices().filter(|&v| graph.word(v).is_none()) {
            let place = vertex.index();
            // Whether there are words of the length is known long before they are.
            let node = if has_length(&whole.languages[place], guess.length(vertex), budget)? {
                let layers = &mut self.propagator.engine.lattice.layers;
                layers.restrict(state.languages[place], &whole.languages[place], true, budget)?
            } else {
                Node::EMPTY
            };
            state.languages[place] = node;
            state.reasons[place] = whole.reasons[place].clone();
            let Some(length) = graph.length_of(vertex).filter(|_| node.is_empty()) else { continue };
            let (below, above) = lengths_beside(&whole.languages[place], guess.length(vertex), budget)?;
            let below = below.map(|n| Sum::from(length).le(&Sum::from(n)));
            let above = above.map(|n| Sum::from(n).le(&Sum::from(length)));
            let learned = IntFormula::or(below.into_iter().chain(above));
            let edges = whole.reasons[place].below(graph.edges().len()).map(EdgeId::at);
            let found =
                refutation.get_or_insert_with(|| Refutation { ints: vec![length], ..Refutation::default() });
            if found.edges.is_empty() {
                found.edges = edges.collect();
            }
            found.learned.push(learned);
        }
        if refutation.is_some() {
            return Ok(refutation);
        }
        let refutation = self.equal_by_length(guess, whole)?;
        if refutation.is_none() {
            self.numerals_beside(guess, state)?;
        }
        Ok(refutation)
    }

    /// Where numbers are guessed that no word of the guessed length writes: what numbers words of that length
    /// may write instead. The guess is refuted as all are, for what refutes it may say more; this is told
    /// beside it.
    fn numerals_beside(&mut self, guess: &IntAssignment<'_>, state: &State) -> Result<(), BackendError> {
        let (graph, budget) = (self.propagator.graph, self.propagator.budget);
        for id in graph.edge_ids() {
            let Relation::ToInt { s, i } = graph.edge(id).relation else { continue };
            let (value, place) = (guess.int(i), s.index());
            let Some(length) = graph.length_of(s) else { continue };
            let known = graph.word(s).is_some() || guess.length(s) == 0;
            if known || !graph.edge(id).positive || value.is_negative() {
                continue;
            }
            let layers = &mut self.propagator.engine.lattice.layers;
            let Some(beside) = numerals::beside(layers, state.languages[place], value, budget)? else {
                continue;
            };
            let (value, length) = (graph.sum_of(i), Sum::from(length));
            let mut others = vec![length.ne(&Sum::from(guess.length(s)))];
            if beside.others {
                others.push(value.lt(&Sum::from(0_i64)));
            }
            others.extend(beside.below.map(|below| value.le(&Sum::from(below))));
            others.extend(beside.above.map(|above| Sum::from(above).le(&value)));
            self.facts.push(IntFormula::or(others));
        }
        Ok(())
    }

    /// Words that are to differ, of equal lengths, though their languages have one word of each length at
    /// most: then lengths have to differ.
    fn equal_by_length(
        &self,
        guess: &IntAssignment<'_>,
        whole: &FreeState<A::Set>,
    ) -> Result<Option<Refutation>, BackendError> {
        let graph = self.propagator.graph;
        for id in graph.edge_ids() {
            let Relation::Equal { a, b } = graph.edge(id).relation else { continue };
            let (Some(one), Some(other)) = (graph.length_of(a), graph.length_of(b)) else { continue };
            if graph.edge(id).positive || guess.length(a) != guess.length(b) {
                continue;
            }
            let context = AutomataContext::new(self.propagator.engine.lattice.layers.algebra(), THIN_STEPS);
            let languages = [&*whole.languages[a.index()], &*whole.languages[b.index()]];
            match thin::is_thin(&context, languages) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Steps(_) | Stop::Size { .. }) => continue,
                Err(stop) => return Err(stop.into()),
            }
            let mut core = Reasons::of(id.index());
            core.extend(&whole.reasons[a.index()]);
            core.extend(&whole.reasons[b.index()]);
            return Ok(Some(Refutation {
                edges: core.below(graph.edges().len()).map(EdgeId::at).collect(),
                ints: vec![one, other],
                learned: vec![Sum::from(one).ne(&Sum::from(other))],
                ..Refutation::default()
            }));
        }
        Ok(None)
    }

    /// The refutation by the first of these sets of edges, the others as clauses beside it.
    fn refutation_of(
        &self,
        guess: &IntAssignment<'_>,
        cores: &[Reasons],
    ) -> Result<Refutation, BackendError> {
        let mut all = Vec::with_capacity(cores.len());
        for core in cores {
            let mut refutation = self.refutation(core);
            refutation.ints = self.fewer_ints(guess, core, refutation.ints)?;
            all.push(refutation);
        }
        let mut all = all.into_iter();
        let mut first = all.next().unwrap_or_default();
        for other in all {
            let differs = other.ints.iter().map(|&i| Sum::from(i).ne(&Sum::from(guess.int(i).clone())));
            first.learned.push(IntFormula::or(differs));
        }
        Ok(first)
    }

    /// Those of `ints` that languages of words of every length need to be known to refute the edges; all of
    /// them if that is not asked for, or does not refute them.
    fn fewer_ints(
        &self,
        guess: &IntAssignment<'_>,
        core: &Reasons,
        ints: Vec<IntVertex>,
    ) -> Result<Vec<IntVertex>, BackendError> {
        if matches!(self.whole, Whole::Unused) {
            return Ok(ints);
        }
        let propagator = &self.propagator;
        let refutes = |pins: &[IntVertex]| -> Result<bool, BackendError> {
            let run = || {
                let known = Some((guess, pins));
                Free::new(
                    propagator.graph,
                    propagator.engine.lattice.layers.algebra(),
                    self.free_limits,
                    propagator.budget,
                    known,
                )?
                .settle(Some(core))
            };
            match run() {
                Ok(conflict) => Ok(conflict.is_some()),
                Err(Stop::Steps(_) | Stop::Size { .. }) => Ok(false),
                Err(stop) => Err(stop.into()),
            }
        };
        if !refutes(&ints)? {
            return Ok(ints);
        }
        let mut pins = ints.clone();
        for int in ints {
            let fewer: Vec<IntVertex> = pins.iter().copied().filter(|&i| i != int).collect();
            if refutes(&fewer)? {
                pins = fewer;
            }
        }
        Ok(pins)
    }

    fn refutation(&self, core: &Reasons) -> Refutation {
        let graph = self.propagator.graph;
        Refutation::touching(graph, core.below(graph.edges().len()).map(EdgeId::at))
    }

    /// Every length matters.
    fn lengths_alone(&self) -> Refutation {
        let graph = self.propagator.graph;
        let ints = graph.string_vertices().filter_map(|s| graph.length_of(s));
        let ints = ints.filter(|&i| graph.number(i).is_none()).collect();
        Refutation { ints, ..Refutation::default() }
    }

    /// From edges that the transfer functions alone refute to few edges that touch few integers; and further
    /// sets of edges that are refuted too, apart from these. All of this is queries of the languages, which
    /// cost little beside another guess (the study's section 3.7).
    fn explain(&mut self, guess: &IntAssignment<'_>, core: Reasons) -> Result<Vec<Reasons>, BackendError> {
        let graph = self.propagator.graph;
        let edges = graph.edges().len();
        if edges > self.explain_limits.edges {
            return Ok(vec![core]);
        }
        // Edges that touch many integers are left out first.
        let mut order: Vec<(usize, usize)> =
            (0..edges).map(|e| (Refutation::touching(graph, [EdgeId::at(e)]).ints.len(), e)).collect();
        order.sort_by_key(|&(ints, e)| (std::cmp::Reverse(ints), e));
        let mut rest = Reasons::new();
        (0..edges).for_each(|e| rest.insert(e));
        let mut cores: Vec<Reasons> = Vec::new();
        while cores.len() <= self.explain_limits.further
            && let Some(next) = self.minimise(guess, &rest, &order)?
        {
            next.below(edges).for_each(|edge| {
                rest.remove(edge);
            });
            cores.push(next);
        }
        // Within languages of every length the transfer functions may refute more than alone.
        Ok(if cores.is_empty() { vec![core] } else { cores })
    }

    /// Edges among `all` that the transfer functions refute, and all of which that takes: each in turn is
    /// left out, to see whether it was needed. `None` if the transfer functions do not refute all of them
    /// together.
    fn minimise(
        &mut self,
        guess: &IntAssignment<'_>,
        all: &Reasons,
        order: &[(usize, usize)],
    ) -> Result<Option<Reasons>, BackendError> {
        let mut state = self.propagator.start(guess)?;
        if self.propagator.settle_only(guess, &mut state, all)?.is_none() {
            return Ok(None);
        }
        let mut core = all.clone();
        for &(_, edge) in order {
            let mut fewer = core.clone();
            if !fewer.remove(edge) {
                continue;
            }
            let mut state = self.propagator.start(guess)?;
            if let Some(conflict) = self.propagator.settle_only(guess, &mut state, &fewer)? {
                core = conflict;
            }
        }
        Ok(Some(core))
    }

    /// Evaluates what was found, edge by edge: only in builds with debug assertions, for the strategy checks
    /// its model itself.
    fn check(&self, guess: &IntAssignment<'_>, words: &[SmtString]) -> Result<(), BackendError> {
        let graph = self.propagator.graph;
        for edge in graph.edges() {
            let word = |s: StringVertex| words[s.index()].clone();
            let number = |i| guess.int(i).clone();
            match edge_holds(graph, edge, word, number) {
                Ok(true) => {}
                Ok(false) => {
                    let text = graph.edge_text(edge);
                    return Err(BackendError::Internal(format!("the words found violate {text}")));
                }
                Err(error) => return Err(BackendError::Internal(error.to_string())),
            }
        }
        Ok(())
    }
}
