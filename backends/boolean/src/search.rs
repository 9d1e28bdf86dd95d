//! The loop: the SAT solver proposes, the structure needs some of that, the strategy decides it.
//!
//! Invariants: what the SAT solver is told to exclude is refuted by the strategy, or remembered as open,
//! refused or bounded. So when nothing is left, and nothing was remembered, the problem is unsatisfiable; and
//! an implicant that the strategy satisfies makes every assertion true, whatever the other atoms are.
//!
//! Where a refutation names no assertions, and where those that it names are many, it is made smaller: see
//! `shrink`. Parts of an implicant that share no variable are decided apart, the smallest first, and answers
//! are remembered by part.

use backends_api::{BackendError, Budget, Probe, Reasons};
use harness_model::Alphabet;
use harness_theory::term::{Term, VarId};
use harness_theory::{Assignment, Problem, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abstraction::Abstraction;
use crate::clauses::{Clauses, Found};
use crate::shrink::Effort;
use crate::skeleton::{Formula, Literal};
use crate::{constants, guards, parts};

/// Why it is not known whether two languages are equal.
const DIFFERENCE: &str = "two regular languages differ in no word up to a bound";

/// What is said of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It has these values, unchecked; a variable that is missing may have any.
    Sat(Assignment),
    /// It has none; the assertions that show it, by place, where that is known.
    Unsat(Option<Reasons>),
    /// It has none up to bounds.
    UnsatWithinBound,
    /// It cannot be told, and why.
    Unknown(String),
}

/// Decides conjunctions.
pub trait Conjunctions {
    /// Decides a problem whose assertions are literals.
    ///
    /// # Errors
    ///
    /// [`BackendError::Unsupported`] where it does not take the problem; limits and faults.
    fn decide(&mut self, problem: &Problem, budget: &Budget, probe: &Probe)
    -> Result<Decision, BackendError>;
}

/// What becomes of a problem one of whose implicants is neither refuted nor satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknowns {
    /// Another implicant may be satisfiable.
    GoOn,
    /// It is unknown: the strategy does not look for values.
    Stop,
}

/// What is known of literals that share variables.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    Sat(Assignment),
    /// These of them are refuted.
    Unsat(Vec<Literal>),
    UnsatWithinBound,
    Unknown(String),
    Refused(String),
}

/// Decides `problem` by the conjunctions that make it true. Its time without that of `conjunctions` is the
/// phase `boolean`; counters: `boolean_atoms`, `boolean_assignments` (implicants), `boolean_conflicts` (what
/// was learnt from refutations), `boolean_core_literals` (how many literals these had together),
/// `boolean_calls` (conjunctions decided) and `boolean_trials` (those among them that were to make a
/// refutation smaller).
///
/// # Errors
///
/// [`BackendError::Unsupported`] with the name of what is refused, where nothing else satisfies the problem.
pub fn solve(
    problem: &Problem,
    alphabet: Alphabet,
    unknowns: Unknowns,
    conjunctions: &mut dyn Conjunctions,
    budget: &Budget,
    probe: &Probe,
) -> Result<Decision, BackendError> {
    let abstraction = probe.phase("boolean", || abstraction(problem, alphabet))?;
    let mut clauses = probe.phase("boolean", || {
        let mut clauses = Clauses::new(&abstraction.skeleton, budget);
        abstraction.roots.iter().for_each(|(root, _)| clauses.assert_root(*root));
        let mut defined: Vec<(&VarId, &Formula)> = abstraction.definitions.iter().collect();
        defined.sort_unstable();
        defined.into_iter().for_each(|(_, definition)| clauses.assert(*definition));
        constants::exclusions(&abstraction, alphabet).iter().for_each(|pair| clauses.exclude(pair));
        clauses
    });
    probe.count("boolean_atoms", abstraction.atoms.len() as u64);
    let mut search = Search {
        abstraction: &abstraction,
        conjunctions,
        budget,
        probe,
        known: FxHashMap::default(),
        effort: Effort::default(),
        left_open: None,
        refused: None,
        bounded: false,
    };
    let declared: FxHashSet<VarId> = problem.variables.iter().copied().collect();
    for &atom in &abstraction.differences {
        let formula = Formula { node: abstraction.skeleton.place(atom), positive: true };
        match search.decide(&[Literal { atom, positive: true }])? {
            Known::Sat(_) => clauses.assert(formula),
            Known::Unsat(_) => clauses.assert(!formula),
            Known::UnsatWithinBound => return Ok(Decision::Unknown(DIFFERENCE.to_owned())),
            Known::Unknown(why) => return Ok(Decision::Unknown(why)),
            Known::Refused(what) => return Err(BackendError::Unsupported(what)),
        }
    }
    loop {
        budget.look()?;
        let values = match probe.phase("boolean", || clauses.solve(budget))? {
            Found::Assignment(values) => values,
            Found::Nothing(roots) => return search.nothing_left(&roots),
        };
        let (literals, booleans) = probe.phase("boolean", || search.implicant(&values));
        probe.count("boolean_assignments", 1);
        match search.try_implicant(&literals, unknowns)? {
            Tried::Model(mut model) => {
                model.extend(booleans);
                model.retain(|variable, _| declared.contains(variable));
                return Ok(Decision::Sat(model));
            }
            Tried::Exclude(excluded) => excluded.iter().for_each(|literals| clauses.exclude(literals)),
            Tried::Open(why) => return Ok(Decision::Unknown(why)),
        }
    }
}

/// The literals that a strategy for conjunctions may be asked about where it is asked to decide `problem`,
/// each as a problem.
///
/// # Errors
///
/// The name of what has no place in Boolean structure.
pub fn literals(problem: &Problem, alphabet: Alphabet) -> Result<Vec<Problem>, String> {
    let origins: Vec<Reasons> = (0..problem.assertions.len()).map(Reasons::of).collect();
    let abstraction = Abstraction::new(problem, &origins, alphabet)?;
    let values = (0..abstraction.atoms.len()).filter(|&atom| abstraction.atoms[atom].boolean.is_none());
    let both = values.flat_map(|atom| [true, false].map(|positive| Literal { atom, positive }));
    Ok(both.map(|literal| parts::problem(&abstraction, &[literal])).collect())
}

/// The structure of the problem that its assertions do not decide themselves.
fn abstraction(problem: &Problem, alphabet: Alphabet) -> Result<Abstraction, BackendError> {
    for id in problem.terms.cone(&problem.assertions) {
        if let Term::String(word) = problem.terms.get(id)
            && let Some(c) = word.foreign_to(alphabet)
        {
            return Err(BackendError::Unsupported(format!("{c:?} in a task over {alphabet}")));
        }
    }
    let origins: Vec<Reasons> = (0..problem.assertions.len()).map(Reasons::of).collect();
    let made = match guards::propagate(problem, &origins, alphabet) {
        Some((problem, origins)) => Abstraction::new(&problem, &origins, alphabet),
        None => Abstraction::new(problem, &origins, alphabet),
    };
    made.map_err(BackendError::Unsupported)
}

/// What became of an implicant.
enum Tried {
    Model(Assignment),
    /// None of these sets of literals holds, or is to be looked at again.
    Exclude(Vec<Vec<Literal>>),
    Open(String),
}

pub(crate) struct Search<'s> {
    abstraction: &'s Abstraction,
    conjunctions: &'s mut dyn Conjunctions,
    pub(crate) budget: &'s Budget,
    pub(crate) probe: &'s Probe,
    /// By literals that share variables, ascending.
    pub(crate) known: FxHashMap<Vec<Literal>, Known>,
    pub(crate) effort: Effort,
    /// Why some implicant is neither refuted nor satisfied.
    left_open: Option<String>,
    /// Why some was not looked at.
    refused: Option<String>,
    /// Whether some was refuted up to bounds only.
    bounded: bool,
}

impl Search<'_> {
    /// The literals that a strategy has to satisfy for the assertions to be true, and the Boolean variables'
    /// values.
    fn implicant(&self, values: &[Option<bool>]) -> (Vec<Literal>, Vec<(VarId, Value)>) {
        let Abstraction { skeleton, atoms, roots, definitions, .. } = self.abstraction;
        let truth = |atom: usize| values.get(atom).copied().flatten().unwrap_or(false);
        let nodes = skeleton.evaluate(|atom| Some(truth(atom)));
        let cost = |atom: usize| u32::from(atoms[atom].boolean.is_none());
        let asserted: Vec<Formula> = roots.iter().map(|(root, _)| *root).collect();
        let needed = skeleton.implicant(&asserted, &nodes, cost);
        let is_value = |literal: &Literal| atoms[literal.atom].boolean.is_none();
        let mut chosen: Vec<Literal> = needed.into_iter().filter(is_value).collect();
        self.drop_needless(&asserted, &mut chosen, &truth);
        // The definitions of fresh variables that occur, and of those in them.
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        let mut next = 0;
        while next < chosen.len() {
            for variable in &atoms[chosen[next].atom].variables {
                if let Some(definition) = definitions.get(variable)
                    && seen.insert(*variable)
                {
                    let more = skeleton.implicant(&[*definition], &nodes, cost);
                    let new = more.into_iter().filter(is_value).filter(|l| !chosen.contains(l));
                    let new: Vec<Literal> = new.collect();
                    chosen.extend(new);
                }
            }
            next += 1;
        }
        let booleans = atoms
            .iter()
            .enumerate()
            .filter_map(|(place, atom)| atom.boolean.map(|variable| (variable, Value::Bool(truth(place)))));
        (chosen, booleans.collect())
    }

    /// Drops literals without which the assertions are still true, the Boolean variables being what they are.
    fn drop_needless(&self, asserted: &[Formula], chosen: &mut Vec<Literal>, truth: &impl Fn(usize) -> bool) {
        /// Nodes that are evaluated for one implicant, at most.
        const MOST: usize = 200_000;
        let Abstraction { skeleton, atoms, .. } = self.abstraction;
        if chosen.len() * skeleton.nodes().len() > MOST {
            return;
        }
        let mut known: Vec<Option<bool>> =
            atoms.iter().enumerate().map(|(place, atom)| atom.boolean.map(|_| truth(place))).collect();
        chosen.iter().for_each(|literal| known[literal.atom] = Some(literal.positive));
        chosen.retain(|literal| {
            known[literal.atom] = None;
            let nodes = skeleton.evaluate(|atom| known[atom]);
            let enough = asserted.iter().all(|root| nodes[root.node] == Some(root.positive));
            if !enough {
                known[literal.atom] = Some(literal.positive);
            }
            !enough
        });
    }

    fn try_implicant(&mut self, literals: &[Literal], unknowns: Unknowns) -> Result<Tried, BackendError> {
        let mut model = Assignment::new();
        let mut excluded: Vec<Vec<Literal>> = Vec::new();
        let mut open: Vec<Vec<Literal>> = Vec::new();
        let mut why = None;
        for part in parts::parts(self.abstraction, literals) {
            match self.decide(&part)? {
                Known::Sat(values) => model.extend(values),
                Known::Unsat(core) => {
                    let core = self.shrink(core, part.len())?;
                    self.probe.count("boolean_conflicts", 1);
                    self.probe.count("boolean_core_literals", core.len() as u64);
                    excluded.push(core);
                    break;
                }
                Known::UnsatWithinBound => {
                    self.bounded = true;
                    excluded.push(part);
                    break;
                }
                Known::Refused(reason) => {
                    excluded.push(self.refused_of(&part)?);
                    self.refused.get_or_insert(reason);
                    break;
                }
                Known::Unknown(reason) => {
                    why.get_or_insert(reason);
                    open.push(part);
                }
            }
        }
        match (why, excluded.is_empty()) {
            (None, true) => Ok(Tried::Model(model)),
            (_, false) => Ok(Tried::Exclude(excluded)),
            (Some(why), true) => {
                if unknowns == Unknowns::Stop {
                    return Ok(Tried::Open(why));
                }
                self.left_open.get_or_insert(why);
                // One of them is enough to leave the implicant open.
                open.truncate(1);
                Ok(Tried::Exclude(open))
            }
        }
    }

    /// The literal that is refused by itself, if one is; else all.
    fn refused_of(&mut self, literals: &[Literal]) -> Result<Vec<Literal>, BackendError> {
        for &literal in literals {
            if literals.len() > 1 && matches!(self.decide(&[literal])?, Known::Refused(_)) {
                return Ok(vec![literal]);
            }
        }
        Ok(literals.to_vec())
    }

    /// Decides literals that share variables, ascending.
    fn decide(&mut self, literals: &[Literal]) -> Result<Known, BackendError> {
        if let Some(known) = self.known.get(literals) {
            return Ok(known.clone());
        }
        let known = self.ask(literals, self.budget)?;
        self.known.insert(literals.to_vec(), known.clone());
        Ok(known)
    }

    /// Asks the strategy, and remembers nothing.
    pub(crate) fn ask(&mut self, literals: &[Literal], budget: &Budget) -> Result<Known, BackendError> {
        let problem = self.probe.phase("boolean", || parts::problem(self.abstraction, literals));
        self.probe.count("boolean_calls", 1);
        let decided = self.effort.timed(|| self.conjunctions.decide(&problem, budget, self.probe));
        Ok(match decided {
            Ok(Decision::Sat(values)) => Known::Sat(values),
            Ok(Decision::Unsat(Some(core))) if !core.is_empty() => {
                Known::Unsat(core.iter().filter_map(|place| literals.get(place)).copied().collect())
            }
            Ok(Decision::Unsat(_)) => Known::Unsat(literals.to_vec()),
            Ok(Decision::UnsatWithinBound) => Known::UnsatWithinBound,
            Ok(Decision::Unknown(why)) => Known::Unknown(why),
            Err(BackendError::Unsupported(what)) => Known::Refused(what),
            Err(error) => {
                Known::Unknown(error.into_answer()?.reason.unwrap_or_else(|| "no reason".to_owned()))
            }
        })
    }

    pub(crate) fn parts(&self, literals: &[Literal]) -> Vec<Vec<Literal>> {
        parts::parts(self.abstraction, literals)
    }

    /// What follows from it that no assignment is left, because of these roots.
    fn nothing_left(self, roots: &[usize]) -> Result<Decision, BackendError> {
        if let Some(what) = self.refused {
            return Err(BackendError::Unsupported(what));
        }
        if let Some(why) = self.left_open {
            return Ok(Decision::Unknown(why));
        }
        if self.bounded {
            return Ok(Decision::UnsatWithinBound);
        }
        let mut core = Reasons::new();
        roots.iter().for_each(|&root| core.extend(&self.abstraction.roots[root].1));
        Ok(Decision::Unsat(Some(core)))
    }
}
