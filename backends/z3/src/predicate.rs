//! Sets of characters as predicates over bit-vectors, decided by Z3.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.2.1, "Character sets as
//! bitvector predicates". A set is a Z3 term with the one free variable `chi`; union, intersection and
//! complement are the solver's `or`, `and` and `not` and cost nothing until somebody asks whether a set is
//! empty: that is one satisfiability check. The constants are recognised without a check. Terms being
//! hash-consed, the answer for a term is kept until [`BooleanAlgebra::forget`], as a decision diagram keeps
//! its results: the study's times for `A6` and `A8`, the same for predicates as for diagrams although their
//! products ask for millions of pairs of labels, show that its implementation did.
//!
//! Minterms by [`MintermMethod::RankOrder`] are enumerated as cubes: the solver finds a character in no
//! minterm found so far, evaluation tells which sets it is in, and the conjunction of these and the others'
//! negations, the cube, is one minterm and is excluded for the next check. One check for each minterm and one
//! more; no combination that is empty is ever made. They are then sorted into rank order.
//! [`MintermMethod::Refinement`] is the shared algorithm.
//!
//! Where the alphabet ends before the bits do (`unicode`), the solver holds that `chi` is in it, so that
//! complement is plain negation; what a term says of other bit-vectors has no meaning.
//!
//! Z3 ends a check by itself, there being 2^18 characters at most; between checks the budget is looked at.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;

use backends_algebra::counts::OpCounts;
use backends_algebra::minterm::{self, Distinct};
use backends_algebra::{BooleanAlgebra, Minterm, MintermMethod, MintermWay};
use backends_api::{Budget, Probe, Stop};
use harness_model::{Alphabet, Char};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool};
use z3::{Model, Params, SatResult, Solver};

use crate::context::{self, OwnContext};
use crate::term::Terms;

/// A set of characters: a term. Equal values are the same term; different terms may denote the same set.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Predicate(Bool);

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The algebra of [`Predicate`]s over one alphabet. It has a Z3 context of its own, made by the first
/// operation.
#[derive(Debug)]
pub struct PredicateAlgebra {
    alphabet: Alphabet,
    session: OnceCell<Session>,
    counts: OpCounts,
    solver_calls: Cell<u64>,
}

/// Everything that lives in the context.
#[derive(Debug)]
struct Session {
    terms: Terms,
    /// Holds nothing, between operations, but that the variable is in the alphabet.
    solver: RefCell<Solver>,
    /// Whether a set is empty, where it was asked.
    emptiness: RefCell<FxHashMap<Predicate, bool>>,
    context: OwnContext,
}

impl Session {
    fn new(alphabet: Alphabet) -> Self {
        let context = OwnContext::new();
        let (terms, solver) = context.inside(|| {
            let terms = Terms::new(alphabet);
            let solver = new_solver(&terms);
            (terms, solver)
        });
        Self { terms, solver: RefCell::new(solver), emptiness: RefCell::default(), context }
    }
}

/// A solver that leaves the interrupt signal to the program.
///
/// The general one: used with scopes, its incremental core decides these small questions faster than the
/// solvers for `QF_BV` and `QF_FD`, which translate every question into clauses first
/// (`benches/predicate.rs`: two to ten times in the wide alphabets).
fn new_solver(terms: &Terms) -> Solver {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
    if let Some(alphabet) = terms.alphabet() {
        solver.assert(alphabet);
    }
    solver
}

const UNKNOWN: Stop = Stop::Solver("whether a predicate on characters is satisfiable is unknown");
const NO_MODEL: Stop = Stop::Solver("a satisfiable predicate on characters has no model");
const NO_VALUE: Stop = Stop::Solver("a predicate on characters has no truth value in a model");

impl PredicateAlgebra {
    /// Over the characters of `alphabet`. Does not touch Z3 yet.
    pub fn new(alphabet: Alphabet) -> Self {
        Self { alphabet, session: OnceCell::new(), counts: OpCounts::default(), solver_calls: Cell::new(0) }
    }

    /// The session, and what `work` makes inside its context.
    fn inside<R>(&self, work: impl FnOnce(&Session) -> R) -> R {
        let session = self.session.get_or_init(|| Session::new(self.alphabet));
        session.context.inside(|| work(session))
    }

    /// Counts an operation and makes its term.
    fn operate(&self, term: impl FnOnce(&Session) -> Bool) -> Predicate {
        self.counts.set_op();
        Predicate(self.inside(term))
    }

    /// One check of what the solver holds: a model, or none if there is none.
    fn check(&self, solver: &Solver) -> Result<Option<Model>, Stop> {
        self.solver_calls.set(self.solver_calls.get() + 1);
        match solver.check() {
            SatResult::Unsat => Ok(None),
            SatResult::Sat => solver.get_model().map(Some).ok_or(NO_MODEL),
            SatResult::Unknown => Err(UNKNOWN),
        }
    }

    /// Runs `work` with a solver whose assertions are taken back afterwards, however it ends.
    fn scoped<R>(&self, session: &Session, work: impl FnOnce(&Solver) -> Result<R, Stop>) -> Result<R, Stop> {
        let solver = session.solver.borrow();
        solver.push();
        let result = work(&solver);
        solver.pop(1);
        result
    }

    /// A character that satisfies `term`, by one check unless it is a constant.
    fn satisfy(&self, session: &Session, term: &Bool) -> Result<Option<Char>, Stop> {
        let terms = &session.terms;
        if *term == terms.no {
            return Ok(None);
        }
        if *term == terms.yes {
            return Ok(Some(Char(0)));
        }
        self.scoped(session, |solver| {
            solver.assert(term);
            let Some(model) = self.check(solver)? else { return Ok(None) };
            let value = model.eval(&terms.chi, true).and_then(|value| value.as_u64()).ok_or(NO_VALUE)?;
            u32::try_from(value).map(|c| Some(Char(c))).map_err(|_| NO_VALUE)
        })
    }

    /// Whether `term` holds for what `model` says of the variable.
    fn holds(model: &Model, term: &Bool) -> Result<bool, Stop> {
        model.eval(term, true).and_then(|value| value.as_bool()).ok_or(NO_VALUE)
    }

    /// Cube enumeration, over terms: the indices inside, ascending, and the cube, in rank order.
    fn cubes(&self, terms: &[Predicate], budget: &Budget) -> Result<Vec<Minterm<Predicate>>, Stop> {
        self.inside(|session| {
            let negations: Vec<Bool> = terms.iter().map(|term| term.0.not()).collect();
            let mut cubes: Vec<Minterm<Predicate>> = Vec::new();
            self.scoped(session, |solver| {
                loop {
                    budget.tick()?;
                    budget.look()?;
                    let Some(model) = self.check(solver)? else { break };
                    let mut inside = Vec::new();
                    let mut literals = Vec::with_capacity(terms.len());
                    for (i, (term, negation)) in terms.iter().zip(&negations).enumerate() {
                        budget.tick()?;
                        if Self::holds(&model, &term.0)? {
                            inside.push(i);
                            literals.push(&term.0);
                        } else {
                            literals.push(negation);
                        }
                    }
                    let cube = match literals.as_slice() {
                        [] => session.terms.yes.clone(),
                        [literal] => (*literal).clone(),
                        literals => Bool::and(literals),
                    };
                    solver.assert(cube.not());
                    cubes.push((inside, Predicate(cube)));
                }
                Ok(())
            })?;
            cubes.sort_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
            Ok(cubes)
        })
    }
}

impl BooleanAlgebra for PredicateAlgebra {
    type Set = Predicate;

    const CANONICAL: bool = false;
    const NAME: &'static str = "predicate";

    fn start(probe: &Probe) {
        context::start(probe);
    }

    fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    fn empty(&self) -> Predicate {
        Predicate(self.inside(|session| session.terms.no.clone()))
    }

    fn full(&self) -> Predicate {
        Predicate(self.inside(|session| session.terms.yes.clone()))
    }

    fn of_ranges(&self, ranges: &[(u32, u32)]) -> Result<Predicate, Stop> {
        self.inside(|session| session.terms.of_ranges(ranges)).map(Predicate)
    }

    fn union(&self, a: &Predicate, b: &Predicate) -> Result<Predicate, Stop> {
        Ok(self.operate(|session| {
            let Terms { yes, no, .. } = &session.terms;
            match (&a.0, &b.0) {
                (a, b) if a == no || a == b => b.clone(),
                (a, b) if b == no => a.clone(),
                (a, b) if a == yes || b == yes => yes.clone(),
                (a, b) => Bool::or(&[a, b]),
            }
        }))
    }

    fn intersection(&self, a: &Predicate, b: &Predicate) -> Result<Predicate, Stop> {
        Ok(self.operate(|session| {
            let Terms { yes, no, .. } = &session.terms;
            match (&a.0, &b.0) {
                (a, b) if a == yes || a == b => b.clone(),
                (a, b) if b == yes => a.clone(),
                (a, b) if a == no || b == no => no.clone(),
                (a, b) => Bool::and(&[a, b]),
            }
        }))
    }

    fn complement(&self, a: &Predicate) -> Result<Predicate, Stop> {
        Ok(self.operate(|session| {
            let Terms { yes, no, .. } = &session.terms;
            match &a.0 {
                a if a == yes => no.clone(),
                a if a == no => yes.clone(),
                a => a.not(),
            }
        }))
    }

    /// One satisfiability check, the first time that it is asked of a term.
    fn is_empty(&self, a: &Predicate) -> Result<bool, Stop> {
        self.counts.check();
        self.inside(|session| {
            if let Some(&known) = session.emptiness.borrow().get(a) {
                return Ok(known);
            }
            let empty = self.satisfy(session, &a.0)?.is_none();
            session.emptiness.borrow_mut().insert(a.clone(), empty);
            Ok(empty)
        })
    }

    /// One check of whether something is in one of them only; none for the same term.
    fn equal(&self, a: &Predicate, b: &Predicate) -> Result<bool, Stop> {
        self.counts.check();
        if a == b {
            return Ok(true);
        }
        Ok(self.inside(|session| self.satisfy(session, &a.0.xor(&b.0)))?.is_none())
    }

    /// Evaluates the term, without a check.
    fn contains(&self, a: &Predicate, c: Char) -> Result<bool, Stop> {
        if !self.alphabet.contains(c) {
            return Ok(false);
        }
        self.inside(|session| {
            let model = Model::new();
            let terms = &session.terms;
            model.add_const_interp(&terms.chi.decl(), &terms.character(c.0));
            Self::holds(&model, &a.0)
        })
    }

    /// The one that the solver finds: the same for the same set only after the same operations.
    fn pick(&self, a: &Predicate) -> Result<Option<Char>, Stop> {
        self.inside(|session| self.satisfy(session, &a.0))
    }

    fn minterms(
        &self,
        sets: &[Predicate],
        way: MintermWay,
        budget: &Budget,
    ) -> Result<Vec<Minterm<Predicate>>, Stop> {
        let minterms = match way.method {
            MintermMethod::RankOrder => {
                let distinct = Distinct::of(sets, way.equal_sets);
                let cubes = self.cubes(distinct.sets(), budget)?;
                cubes.into_iter().map(|(inside, cube)| (distinct.originals(inside), cube)).collect()
            }
            MintermMethod::Refinement => minterm::refinement(self, sets, way.equal_sets, budget)?,
        };
        self.counts.minterms(minterms.len());
        Ok(minterms)
    }

    /// Forgets what the solver has learnt and the terms of diagrams. Terms that a set holds stay, in Z3's
    /// table of terms.
    fn forget(&self) {
        if let Some(session) = self.session.get() {
            session.terms.forget();
            session.emptiness.borrow_mut().clear();
            let solver = session.context.inside(|| new_solver(&session.terms));
            session.solver.replace(solver);
        }
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut counters = self.counts.list();
        counters.push(("solver_calls", self.solver_calls.get()));
        if let Some(nodes) = self.session.get().and_then(|session| session.terms.diagram_nodes()) {
            counters.push(("bdd_nodes", nodes));
        }
        counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(algebra: &PredicateAlgebra, ranges: &[(u32, u32)]) -> Predicate {
        algebra.of_ranges(ranges).unwrap()
    }

    #[test]
    fn ranges_become_the_chapters_disjunction() {
        let algebra = PredicateAlgebra::new(Alphabet::Ascii);
        let word = set(&algebra, &[(0x30, 0x39), (0x5F, 0x5F)]);
        assert_eq!(
            format!("{word:?}"),
            "(or (and (bvule #b0110000 chi) (bvule chi #b0111001)) (= chi #b1011111))"
        );
    }

    #[test]
    fn wide_ranges_become_an_expansion() {
        let algebra = PredicateAlgebra::new(Alphabet::Utf16);
        let upper_half = set(&algebra, &[(0x8000, 0xFFFF)]);
        assert_eq!(format!("{upper_half:?}"), "(ite (= ((_ extract 15 15) chi) #b0) false true)");
    }

    #[test]
    fn one_call_a_minterm_and_one_more() {
        let algebra = PredicateAlgebra::new(Alphabet::Latin1);
        let sets: Vec<Predicate> = (0..20).map(|i| set(&algebra, &[(0, 3 * i)])).collect();
        let minterms =
            algebra.minterms(&sets, MintermMethod::RankOrder.into(), &Budget::unlimited()).unwrap();
        assert_eq!(minterms.len(), 21);
        assert!(algebra.counters().contains(&("solver_calls", 22)));
    }

    #[test]
    fn a_stopped_enumeration_leaves_nothing_behind() {
        let algebra = PredicateAlgebra::new(Alphabet::Ascii);
        let sets = [set(&algebra, &[(3, 9)]), set(&algebra, &[(5, 20)])];
        let stopped = algebra.minterms(&sets, MintermMethod::RankOrder.into(), &Budget::with_steps(4));
        assert_eq!(stopped, Err(Stop::Steps(4)));
        let all = algebra.minterms(&sets, MintermMethod::RankOrder.into(), &Budget::unlimited()).unwrap();
        let inside: Vec<Vec<usize>> = all.into_iter().map(|(inside, _)| inside).collect();
        assert_eq!(inside, [vec![], vec![0], vec![1], vec![0, 1]]);
    }

    #[test]
    fn nothing_is_made_before_the_first_operation() {
        let algebra = PredicateAlgebra::new(Alphabet::Unicode);
        algebra.forget();
        assert!(algebra.counters().iter().all(|&(_, count)| count == 0));
        assert!(algebra.session.get().is_none());
    }
}
