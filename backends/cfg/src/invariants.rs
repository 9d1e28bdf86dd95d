//! The table of a parser as clauses: a variable for each symbol and part of the word says that the symbol
//! derives that part.
//!
//! Only one direction is needed, since nobody asks for parts that are not derived: where the variable holds,
//! so does one of the rules, for one of the places where the part can be cut. A part is a start and a length,
//! so what is said of short words holds of longer ones too, and clauses are only added.
//!
//! As published: these invariants, a letter for each place, and lengths that grow in one solver. Ours: parts
//! are looked at from the whole word on, so that those which no rule needs have no variable; lengths that a
//! symbol has no word of are left out; and so are letters that not all grammars have.

use std::time::Instant;

use backends_api::{Budget, Stop};
use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use harness_grammar::NormalForm;
use harness_model::{Char, SmtString};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most literals in clauses.
const LITERALS: u64 = 100_000_000;

/// That a symbol, or the rules that it has itself, derives a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Part {
    grammar: usize,
    symbol: usize,
    start: usize,
    length: usize,
    /// Without what the symbol may become.
    is_own: bool,
}

/// Clauses for words up to some length.
pub struct Invariants<'g> {
    normals: &'g [NormalForm],
    /// By grammar and symbol, which lengths its words have.
    lengths: Vec<Vec<Vec<bool>>>,
    letters: Vec<Char>,
    solver: BasicSolver,
    /// By place, a literal for each letter.
    places: Vec<Vec<Lit>>,
    parts: FxHashMap<Part, Lit>,
    /// How many literals clauses have.
    pub literals: u64,
}

impl<'g> Invariants<'g> {
    /// For words of up to `longest` characters in all grammars.
    pub fn new(normals: &'g [NormalForm], longest: usize) -> Self {
        let characters = |normal: &NormalForm| -> FxHashSet<Char> {
            (0..normal.len()).flat_map(|symbol| normal.characters(symbol).iter().copied()).collect()
        };
        let mut common: Option<FxHashSet<Char>> = None;
        for normal in normals {
            let own = characters(normal);
            common = Some(match common {
                None => own,
                Some(before) => before.intersection(&own).copied().collect(),
            });
        }
        let mut letters: Vec<Char> = common.unwrap_or_default().into_iter().collect();
        letters.sort_unstable();
        Self {
            normals,
            lengths: normals.iter().map(|normal| normal.lengths(longest)).collect(),
            letters,
            solver: BasicSolver::default(),
            places: Vec::new(),
            parts: FxHashMap::default(),
            literals: 0,
        }
    }

    /// How many variables there are.
    pub fn variables(&self) -> u64 {
        self.solver.num_vars().into()
    }

    /// Whether every grammar has words of this length.
    pub fn is_possible(&self, length: usize) -> bool {
        self.lengths.iter().all(|lengths| lengths[0][length])
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.literals += literals.len() as u64;
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    /// The literal of a part, with its clauses to come where it is new.
    fn part(&mut self, part: Part, todo: &mut Vec<Part>) -> Lit {
        if let Some(&known) = self.parts.get(&part) {
            return known;
        }
        let literal = self.fresh();
        self.parts.insert(part, literal);
        todo.push(part);
        literal
    }

    /// Letters up to some place, of which each has one at most.
    fn letters_to(&mut self, places: usize) {
        while self.places.len() < places {
            let place: Vec<Lit> = (0..self.letters.len()).map(|_| self.fresh()).collect();
            for (number, &one) in place.iter().enumerate() {
                for &other in &place[..number] {
                    self.clause(&[!one, !other]);
                }
            }
            self.places.push(place);
        }
    }

    /// A literal that is only true where all grammars derive the first `length` characters; not for the empty
    /// word.
    ///
    /// # Errors
    ///
    /// When there would be too many clauses, or the budget is used up.
    pub fn whole(&mut self, length: usize, budget: &Budget) -> Result<Lit, Stop> {
        self.letters_to(length);
        let whole = self.fresh();
        let mut todo = Vec::new();
        for grammar in 0..self.normals.len() {
            let part = Part { grammar, symbol: 0, start: 0, length, is_own: false };
            let derived = self.part(part, &mut todo);
            self.clause(&[!whole, derived]);
        }
        while let Some(part) = todo.pop() {
            budget.tick()?;
            if self.literals > LITERALS {
                return Err(Stop::Size { what: "the clauses", limit: LITERALS, unit: "literals" });
            }
            self.invariant(part, &mut todo);
        }
        Ok(whole)
    }

    /// Where a part is derived, so is one of those that a rule makes of it.
    fn invariant(&mut self, part: Part, todo: &mut Vec<Part>) {
        let normals = self.normals;
        let normal = &normals[part.grammar];
        let Part { grammar, symbol, start, length, is_own } = part;
        let mut clause = vec![!self.parts[&part]];
        if !is_own {
            for &other in normal.becomes(symbol) {
                if self.lengths[grammar][other][length] {
                    clause.push(self.part(Part { symbol: other, is_own: true, ..part }, todo));
                }
            }
            self.clause(&clause);
            return;
        }
        if length == 1 {
            for c in normal.characters(symbol) {
                if let Ok(letter) = self.letters.binary_search(c) {
                    clause.push(self.places[start][letter]);
                }
            }
        }
        for &(first, second) in normal.pairs(symbol) {
            for cut in 1..length {
                if !(self.lengths[grammar][first][cut] && self.lengths[grammar][second][length - cut]) {
                    continue;
                }
                let one = Part { grammar, symbol: first, start, length: cut, is_own: false };
                let two =
                    Part { grammar, symbol: second, start: start + cut, length: length - cut, is_own: false };
                let (one, two) = (self.part(one, todo), self.part(two, todo));
                let both = self.fresh();
                self.clause(&[!both, one]);
                self.clause(&[!both, two]);
                clause.push(both);
            }
        }
        self.clause(&clause);
    }

    /// A word of one of some lengths, each given with its literal of [`Invariants::whole`].
    ///
    /// # Errors
    ///
    /// When the budget is used up, or the solver gives up.
    pub fn word(&mut self, wholes: &[(usize, Lit)], budget: &Budget) -> Result<Option<SmtString>, Stop> {
        match budget.remaining().and_then(|left| Instant::now().checked_add(left)) {
            Some(deadline) => self.solver.cb_mut().set_stop(move || Instant::now() >= deadline),
            None => self.solver.cb_mut().set_stop(|| false),
        }
        let any = self.fresh();
        let mut clause: Vec<Lit> = wholes.iter().map(|&(_, whole)| whole).collect();
        clause.push(!any);
        self.clause(&clause);
        let said = self.solver.solve_limited(&[any]);
        if said == lbool::FALSE {
            return Ok(None);
        }
        if said != lbool::TRUE {
            budget.look()?;
            return Err(Stop::Solver("the SAT solver stopped"));
        }
        let is_true = |literal: &Lit| self.solver.value_lit(*literal) == lbool::TRUE;
        let chosen = wholes.iter().find(|(_, whole)| is_true(whole));
        let Some(&(length, _)) = chosen else { return Err(Stop::Solver("the SAT solver has no model")) };
        let letter = |place: &Vec<Lit>| {
            let number = place.iter().position(is_true)?;
            Some(self.letters[number])
        };
        let word: Option<Vec<Char>> = self.places[..length].iter().map(letter).collect();
        word.map(|word| Some(SmtString::from(word))).ok_or(Stop::Solver("the SAT solver has no model"))
    }
}
