//! The languages of all vertices, narrowed to a fixed point, with the reasons of each.
//!
//! Invariants: a language only ever becomes smaller, and never empty: instead there is a *conflict*. The
//! reasons of a vertex are a set of facts (edges by place; a backend may number other facts after them) that
//! imply, by the rules alone, that the vertex has no word outside its language; those of a conflict imply
//! that there is no solution. Once there is a conflict nothing changes any more.

use std::borrow::Borrow;

use backends_api::Stop;
use backends_graph::StringVertex;
use backends_graph::reasons::Reasons;

use crate::lattice::LanguageLattice;
use crate::worklist::{Next, Worklist};

/// The languages at one moment, by place of the vertex, and what each depends on. Cheap to clone.
#[derive(Clone, Debug)]
pub struct State<L> {
    /// The languages.
    pub languages: Vec<L>,
    /// What each depends on.
    pub reasons: Vec<Reasons>,
}

impl<L> State<L> {
    /// These languages, which depend on nothing.
    pub fn new(languages: Vec<L>) -> Self {
        let reasons = vec![Reasons::new(); languages.len()];
        Self { languages, reasons }
    }
}

impl<L> Default for State<L> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

/// What an operation did to the language of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Change {
    /// Nothing: it is no larger already, or there is a conflict.
    None,
    /// It became smaller.
    Narrowed,
    /// No word would be left: there is a conflict now.
    Refuted,
    /// What is left is too large to be kept: nothing changed.
    LeftOut,
}

/// Languages over one lattice, and the edges that wait.
#[derive(Debug)]
pub struct Engine<L: LanguageLattice> {
    /// What languages are.
    pub lattice: L,
    /// The languages.
    pub state: State<L::Language>,
    /// The edges that wait.
    pub worklist: Worklist,
    /// What the present step depends on besides the languages that it names.
    pub present: Reasons,
    /// How many rules were left out, wholly or in part, because a limit was reached.
    pub left_out: u64,
    conflict: Option<Reasons>,
    /// Whether the present rule met a language that is too large to be kept.
    is_oversize: bool,
}

impl<L: LanguageLattice> Engine<L> {
    /// With these languages, which depend on nothing.
    pub fn new(lattice: L, languages: Vec<L::Language>, worklist: Worklist) -> Self {
        Self {
            lattice,
            state: State::new(languages),
            worklist,
            present: Reasons::new(),
            left_out: 0,
            conflict: None,
            is_oversize: false,
        }
    }

    /// The language of the vertex.
    pub fn language(&self, vertex: StringVertex) -> L::Language {
        self.state.languages[vertex.index()].clone()
    }

    /// Whether there is a conflict.
    pub const fn is_refuted(&self) -> bool {
        self.conflict.is_some()
    }

    /// What the conflict depends on, if there is one.
    pub const fn conflict(&self) -> Option<&Reasons> {
        self.conflict.as_ref()
    }

    /// Takes the conflict away, to start again from another state.
    pub const fn take_conflict(&mut self) -> Option<Reasons> {
        self.conflict.take()
    }

    /// Leaves the vertex only words of `by`, which was made from the languages of `from`.
    pub fn narrow(
        &mut self,
        vertex: StringVertex,
        by: &L::Value,
        from: &[StringVertex],
    ) -> Result<Change, Stop> {
        if self.is_refuted() {
            return Ok(Change::None);
        }
        let old = self.language(vertex);
        match self.lattice.intersection(old.borrow(), by)? {
            Some(new) => self.store(vertex, &new, from),
            None => Ok(Change::None),
        }
    }

    /// Takes the words of `what`, which was made from the languages of `from`, from the vertex.
    pub fn remove(
        &mut self,
        vertex: StringVertex,
        what: &L::Value,
        from: &[StringVertex],
    ) -> Result<Change, Stop> {
        if self.is_refuted() {
            return Ok(Change::None);
        }
        let old = self.language(vertex);
        match self.lattice.difference(old.borrow(), what)? {
            Some(new) => self.store(vertex, &new, from),
            None => Ok(Change::None),
        }
    }

    /// Makes `new`, a part of the vertex' language that was made from it and the languages of `from`, its
    /// language.
    pub fn replace(
        &mut self,
        vertex: StringVertex,
        new: &L::Value,
        from: &[StringVertex],
    ) -> Result<Change, Stop> {
        if self.is_refuted() {
            return Ok(Change::None);
        }
        let old = self.language(vertex);
        if self.lattice.is_smaller(new, old.borrow())? {
            self.store(vertex, new, from)
        } else {
            Ok(Change::None)
        }
    }

    /// Makes `new`, which is smaller than the vertex' language, its language.
    fn store(&mut self, vertex: StringVertex, new: &L::Value, from: &[StringVertex]) -> Result<Change, Stop> {
        let place = vertex.index();
        let is_empty = self.lattice.is_empty(new)?;
        let kept = if is_empty { None } else { self.lattice.keep(new)? };
        if kept.is_none() && !is_empty {
            self.is_oversize = true;
            return Ok(Change::LeftOut);
        }
        let mut reasons = self.state.reasons[place].clone();
        reasons.extend(&self.present);
        for u in from {
            reasons.extend(&self.state.reasons[u.index()]);
        }
        let Some(kept) = kept else {
            self.conflict = Some(reasons);
            return Ok(Change::Refuted);
        };
        self.state.languages[place] = kept;
        self.state.reasons[place] = reasons;
        self.worklist.wake_string(vertex);
        Ok(Change::Narrowed)
    }

    /// The present step alone shows that there is no solution.
    pub fn refute(&mut self) {
        if self.conflict.is_none() {
            self.conflict = Some(self.present.clone());
        }
    }

    /// These facts show that there is no solution.
    pub fn refute_by(&mut self, reasons: Reasons) {
        self.conflict.get_or_insert(reasons);
    }

    /// Refutes unless `holds`; whether it does.
    pub fn require(&mut self, holds: bool) -> bool {
        if !holds {
            self.refute();
        }
        holds
    }
}

/// The rules of a backend, as the engine runs them.
pub trait Rules {
    /// What languages are.
    type Lattice: LanguageLattice;

    /// The engine that runs them.
    fn engine(&mut self) -> &mut Engine<Self::Lattice>;

    /// Before each sweep over all edges, where the worklist makes sweeps.
    fn before_sweep(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    /// Before the rule of an edge is applied: looks at limits of the whole run, and says what the edge
    /// depends on ([`Engine::present`]).
    fn begin(&mut self, edge: usize) -> Result<(), Stop>;

    /// Applies the rule of the edge.
    fn apply(&mut self, edge: usize) -> Result<(), Stop>;

    /// After the rule was applied: wholly, or only in part because a limit was reached. What was narrowed so
    /// far is right in any case.
    fn end(&mut self, edge: usize, wholly: bool) {
        let _ = (edge, wholly);
    }

    /// Whether each rule has an allowance of its own: a rule that uses it up is left out. Otherwise limits
    /// are those of the whole run, and reaching one ends it.
    fn has_allowance(&self) -> bool;
}

/// Applies the rules of waiting edges until none waits, there is a conflict, or a limit is reached. Whether
/// there is a conflict.
pub fn settle<R: Rules>(rules: &mut R) -> Result<bool, Stop> {
    while !rules.engine().is_refuted() {
        let edge = match rules.engine().worklist.take() {
            Next::Edge(edge) => edge,
            Next::Sweep => {
                rules.before_sweep()?;
                continue;
            }
            Next::Nothing => return Ok(false),
        };
        rules.begin(edge)?;
        rules.engine().is_oversize = false;
        let wholly = match rules.apply(edge) {
            Ok(()) => !rules.engine().is_oversize,
            Err(Stop::Steps(_) | Stop::Size { .. }) if rules.has_allowance() => false,
            Err(stop) => return Err(stop),
        };
        if !wholly {
            rules.engine().left_out += 1;
        }
        rules.end(edge, wholly);
    }
    Ok(true)
}
