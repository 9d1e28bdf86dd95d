//! A skeleton as clauses, each formula once, in the directions in which it is used (Plaisted and Greenbaum);
//! and the SAT solver that has them.
//!
//! Source of the translation: D. A. Plaisted, S. Greenbaum, A Structure-preserving Clause Form Translation.

use std::time::Instant;

use backends_api::{Budget, Stop};
use batsat::{BasicSolver, Lit, SolverInterface, lbool};

use crate::skeleton::{Formula, Literal, Node, Skeleton};

/// What the SAT solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The truth of each atom; `None` for one that no clause is about.
    Assignment(Vec<Option<bool>>),
    /// None is left; the roots, by number, that show it.
    Nothing(Vec<usize>),
}

/// Clauses in a SAT solver.
pub struct Clauses<'s> {
    skeleton: &'s Skeleton,
    solver: BasicSolver,
    /// By node, its literal in the solver and whether clauses for a true and for a false one are there.
    nodes: Vec<Option<(Lit, [bool; 2])>>,
    /// Each is true where its root is asserted.
    roots: Vec<Lit>,
}

impl<'s> Clauses<'s> {
    /// No clauses yet.
    pub fn new(skeleton: &'s Skeleton, budget: &Budget) -> Self {
        let mut solver = BasicSolver::default();
        if let Some(deadline) = budget.remaining().and_then(|left| Instant::now().checked_add(left)) {
            solver.cb_mut().set_stop(move || Instant::now() >= deadline);
        }
        Self { skeleton, solver, nodes: vec![None; skeleton.nodes().len()], roots: Vec::new() }
    }

    /// The formula holds, unless this root, the next by number, is left out.
    pub fn assert_root(&mut self, formula: Formula) {
        let root = self.variable();
        self.roots.push(root);
        let literal = self.formula(formula);
        self.clause(&[!root, literal]);
    }

    /// The formula holds whatever is asserted.
    pub fn assert(&mut self, formula: Formula) {
        let literal = self.formula(formula);
        self.clause(&[literal]);
    }

    /// These literals do not hold together.
    pub fn exclude(&mut self, literals: &[Literal]) {
        let clause: Vec<Lit> = literals.iter().map(|literal| !self.literal(*literal)).collect();
        self.clause(&clause);
    }

    /// Some assignment of all atoms.
    pub fn solve(&mut self, budget: &Budget) -> Result<Found, Stop> {
        let said = self.solver.solve_limited(&self.roots);
        if said == lbool::TRUE {
            let mut atoms = Vec::new();
            for (node, known) in self.skeleton.nodes().iter().zip(&self.nodes) {
                let Node::Atom(atom) = node else { continue };
                atoms.resize(atoms.len().max(atom + 1), None);
                atoms[*atom] = known.map(|(literal, _)| self.solver.value_lit(literal) == lbool::TRUE);
            }
            return Ok(Found::Assignment(atoms));
        }
        if said == lbool::FALSE {
            let solver = &self.solver;
            let named = |(_, root): &(usize, &Lit)| {
                solver.unsat_core_contains_lit(**root) || solver.unsat_core_contains_lit(!**root)
            };
            return Ok(Found::Nothing(
                self.roots.iter().enumerate().filter(named).map(|(place, _)| place).collect(),
            ));
        }
        budget.look()?;
        Err(Stop::Solver("the SAT solver stopped"))
    }

    fn variable(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, literals: &[Lit]) {
        // Whether the clauses still can hold is asked by `solve`.
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    fn node(&mut self, place: usize) -> Lit {
        if let Some((literal, _)) = self.nodes[place] {
            return literal;
        }
        let literal = self.variable();
        self.nodes[place] = Some((literal, [false; 2]));
        literal
    }

    fn known(&mut self, formula: Formula) -> Lit {
        self.node(formula.node).apply_sign(formula.positive)
    }

    /// The literal of an atom. Atoms are the nodes of their own.
    fn literal(&mut self, literal: Literal) -> Lit {
        let place = self.skeleton.place(literal.atom);
        self.node(place).apply_sign(literal.positive)
    }

    /// The literal of a formula that is to be true where the literal is, with the clauses for that.
    fn formula(&mut self, formula: Formula) -> Lit {
        let mut todo = vec![formula];
        while let Some(Formula { node: place, positive }) = todo.pop() {
            let this = self.node(place);
            let Some((_, done)) = &mut self.nodes[place] else { continue };
            if std::mem::replace(&mut done[usize::from(positive)], true) {
                continue;
            }
            let premise = this.apply_sign(!positive);
            let skeleton = self.skeleton;
            match &skeleton.nodes()[place] {
                Node::True => self.clause(&[this]),
                Node::Atom(_) => {}
                Node::And(parts) if positive => {
                    for &part in parts {
                        let part_literal = self.known(part);
                        self.clause(&[premise, part_literal]);
                        todo.push(part);
                    }
                }
                Node::And(parts) => {
                    let mut clause = vec![premise];
                    for &part in parts {
                        clause.push(!self.known(part));
                        todo.push(!part);
                    }
                    self.clause(&clause);
                }
                Node::Choice(condition, yes, no) => {
                    let (yes, no) = if positive { (*yes, *no) } else { (!*yes, !*no) };
                    let [c, y, n] = [*condition, yes, no].map(|part| self.known(part));
                    self.clause(&[premise, !c, y]);
                    self.clause(&[premise, c, n]);
                    // Where both hold, the condition need not be known.
                    todo.extend([*condition, !*condition, yes, no]);
                }
                Node::Same(a, b) => {
                    let b = if positive { *b } else { !*b };
                    let [x, y] = [*a, b].map(|part| self.known(part));
                    self.clause(&[premise, !x, y]);
                    self.clause(&[premise, x, !y]);
                    todo.extend([*a, !*a, b, !b]);
                }
            }
        }
        self.known(formula)
    }
}
