//! Boolean structure that the assertions decide themselves.
//!
//! A string graph is a conjunction, and predicates over strings fit under no other connective. Often the
//! structure is there only in writing: `(=> a P)` beside `a`, `(ite a P Q)` beside `(not a)`, `(or P P)`.
//! Here every unit, which is a Boolean term that is asserted to hold or not to hold, is put into all other
//! units, until nothing changes; what has no variables takes part with its value. So is a constant put in the
//! place of a variable that is asserted to equal it. Nothing is guessed.
//!
//! Why this loses nothing: in one round, a unit is rewritten only with units that are proper parts of it, and
//! with equations of variables with constants, of which the first of each variable stays as it is. So
//! the smallest units stay as they are, and by induction on size the new units imply each old one. The old
//! ones imply each new one, because equals stand in for equals. A rewritten unit holds because of what it
//! held because of before and of all that was put into it.
//!
//! Cost: linear in the terms for each round; as many rounds as units follow one after the other, for a chain
//! of implications its length.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use backends_api::Reasons;
use backends_fold::Evaluator;
use harness_model::Alphabet;
use harness_theory::op::{CoreOp, Op};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms};
use harness_theory::{Assignment, Problem, Value};

/// The problem with its units put into all other assertions, and for each new assertion what it holds because
/// of; `None` where that changes nothing. The variables are the same.
pub fn propagate(
    problem: &Problem,
    origins: &[Reasons],
    alphabet: Alphabet,
) -> Option<(Problem, Vec<Reasons>)> {
    let mut guards = Guards { terms: (*problem.terms).clone(), alphabet };
    let whole = problem.assertions.iter().zip(origins);
    let mut units: Vec<Unit> =
        whole.map(|(&term, because)| Unit { term, holds: true, because: because.clone() }).collect();
    let mut changed = false;
    // A round that changes something has decided a part of a unit or dropped a connective; the bound is only
    // there so that no oversight can make this endless.
    for _ in 0..=problem.terms.len() {
        match guards.round(mem::take(&mut units)) {
            Ok((next, again)) => {
                units = next;
                if !again {
                    break;
                }
                changed = true;
            }
            Err(because) => {
                let term = guards.terms.bool(false);
                units = vec![Unit { term, holds: true, because }];
                changed = true;
                break;
            }
        }
    }
    if !changed {
        return None;
    }
    let mut assertions = Vec::with_capacity(units.len());
    let mut because = Vec::with_capacity(units.len());
    for unit in units {
        assertions.push(if unit.holds { unit.term } else { guards.not(unit.term) });
        because.push(unit.because);
    }
    let variables = problem.variables.clone();
    Some((Problem { terms: Arc::new(guards.terms), variables, assertions }, because))
}

/// A Boolean term that is asserted.
struct Unit {
    term: TermId,
    /// Whether it holds; else its opposite does.
    holds: bool,
    /// What that follows from.
    because: Reasons,
}

struct Guards {
    terms: Terms,
    alphabet: Alphabet,
}

/// The units whose conjunction a unit is, if it is one.
pub(crate) fn parts(terms: &Terms, term: TermId, holds: bool) -> Option<Vec<(TermId, bool)>> {
    let Term::App(Op::Core(op), arguments) = terms.get(term) else { return None };
    match op {
        CoreOp::Not => Some(vec![(arguments[0], !holds)]),
        CoreOp::And if holds => Some(arguments.iter().map(|&a| (a, true)).collect()),
        CoreOp::Or if !holds => Some(arguments.iter().map(|&a| (a, false)).collect()),
        CoreOp::Implies if !holds => {
            let last = arguments.len() - 1;
            Some(arguments.iter().enumerate().map(|(i, &a)| (a, i != last)).collect())
        }
        CoreOp::And
        | CoreOp::Or
        | CoreOp::Implies
        | CoreOp::Xor
        | CoreOp::Eq
        | CoreOp::Distinct
        | CoreOp::Ite => None,
    }
}

impl Guards {
    /// Takes the units apart and puts each into the others; and whether anything changed. The reasons where
    /// two clash.
    fn round(&mut self, units: Vec<Unit>) -> Result<(Vec<Unit>, bool), Reasons> {
        let roots: Vec<TermId> = units.iter().map(|unit| unit.term).collect();
        let ground = self.ground(&roots);
        let (units, known) = self.take_apart(units, &ground)?;
        let roots: Vec<TermId> = units.iter().map(|unit| unit.term).collect();
        let constants = self.constants(&units);
        let definitions: HashSet<usize> = constants.values().map(|(_, place)| *place).collect();
        // How terms read inside of others, where that is not as before.
        let mut inside: HashMap<TermId, (TermId, Reasons)> = HashMap::new();
        let mut outside: HashMap<TermId, (TermId, Reasons)> = HashMap::new();
        for id in self.terms.cone(&roots) {
            let Term::App(op, arguments) = self.terms.get(id) else {
                if let Some(&place) = known.get(&id) {
                    let value = self.terms.bool(units[place].holds);
                    inside.insert(id, (value, units[place].because.clone()));
                } else if let Some(&(value, place)) = constants.get(&id) {
                    inside.insert(id, (value, units[place].because.clone()));
                }
                continue;
            };
            let (op, mut arguments) = (*op, arguments.clone());
            let mut because = Reasons::new();
            let mut differs = false;
            for argument in arguments.iter_mut() {
                if let Some((new, reasons)) = inside.get(argument) {
                    *argument = *new;
                    because.extend(reasons);
                    differs = true;
                }
            }
            let new = if differs || matches!(op, Op::Core(_)) { self.rebuilt(op, &arguments) } else { id };
            match (known.get(&id), ground.get(&id)) {
                (Some(&place), _) => {
                    let value = self.terms.bool(units[place].holds);
                    inside.insert(id, (value, units[place].because.clone()));
                    let defines = definitions.contains(&place);
                    if new != id && !defines {
                        outside.insert(id, (new, because));
                    }
                }
                (None, Some(&value)) => {
                    inside.insert(id, (self.terms.bool(value), Reasons::new()));
                }
                (None, None) if new != id => {
                    inside.insert(id, (new, because));
                }
                (None, None) => {}
            }
        }
        let changed = !outside.is_empty();
        let rewritten = units.into_iter().map(|unit| match outside.get(&unit.term) {
            None => unit,
            Some((term, because)) => {
                let mut all = unit.because;
                all.extend(because);
                Unit { term: *term, holds: unit.holds, because: all }
            }
        });
        Ok((rewritten.collect(), changed))
    }

    /// The variables that are constants, with these and the places of the units that say so.
    fn constants(&self, units: &[Unit]) -> HashMap<TermId, (TermId, usize)> {
        let is_constant = |id| matches!(self.terms.get(id), Term::Int(_) | Term::String(_));
        let mut constants = HashMap::new();
        for (place, unit) in units.iter().enumerate().filter(|(_, unit)| unit.holds) {
            let Term::App(Op::Core(CoreOp::Eq), sides) = self.terms.get(unit.term) else { continue };
            let (variable, constant) = match **sides {
                [a, b] if is_constant(b) => (a, b),
                [a, b] if is_constant(a) => (b, a),
                _ => continue,
            };
            if matches!(self.terms.get(variable), Term::Var(_)) {
                constants.entry(variable).or_insert((constant, place));
            }
        }
        constants
    }

    /// The Boolean terms without variables that can be evaluated.
    fn ground(&self, roots: &[TermId]) -> HashMap<TermId, bool> {
        let mut varies: HashSet<TermId> = HashSet::new();
        let mut ground = Vec::new();
        for id in self.terms.cone(roots) {
            match self.terms.get(id) {
                Term::Var(_) => {
                    varies.insert(id);
                }
                Term::App(_, arguments) if arguments.iter().any(|a| varies.contains(a)) => {
                    varies.insert(id);
                }
                Term::App(..) if self.terms.sort(id) == Sort::Bool => ground.push(id),
                Term::App(..) | Term::Bool(_) | Term::Int(_) | Term::String(_) => {}
            }
        }
        let mut evaluator = Evaluator::new(&self.terms, &ground, self.alphabet);
        // What cannot be evaluated is refused where it is used.
        if ground.is_empty() || evaluator.run(&Assignment::new()).is_err() {
            return HashMap::new();
        }
        let value = |(place, id): (usize, TermId)| match evaluator.value(place) {
            Ok(Some(Value::Bool(value))) => Some((id, value)),
            Ok(_) | Err(_) => None,
        };
        ground.into_iter().enumerate().filter_map(value).collect()
    }

    /// Conjunctions as their parts, each once; and the place of the unit that a term is.
    fn take_apart(
        &self,
        units: Vec<Unit>,
        ground: &HashMap<TermId, bool>,
    ) -> Result<(Vec<Unit>, HashMap<TermId, usize>), Reasons> {
        let mut apart: Vec<Unit> = Vec::with_capacity(units.len());
        let mut known: HashMap<TermId, usize> = HashMap::new();
        // Conjunctions that share parts would be walked once for each way to them.
        let mut walked: HashSet<(TermId, bool)> = HashSet::new();
        let mut todo: Vec<Unit> = units.into_iter().rev().collect();
        while let Some(Unit { term, holds, because }) = todo.pop() {
            let value = match self.terms.get(term) {
                Term::Bool(value) => Some(*value),
                Term::App(..) | Term::Var(_) | Term::Int(_) | Term::String(_) => ground.get(&term).copied(),
            };
            if let Some(value) = value {
                if value == holds {
                    continue;
                }
                return Err(because);
            }
            if let Some(parts) = parts(&self.terms, term, holds) {
                if !walked.insert((term, holds)) {
                    continue;
                }
                let part = |(term, holds)| Unit { term, holds, because: because.clone() };
                todo.extend(parts.into_iter().rev().map(part));
                continue;
            }
            match known.get(&term) {
                None => {
                    known.insert(term, apart.len());
                    apart.push(Unit { term, holds, because });
                }
                Some(&place) if apart[place].holds == holds => {}
                Some(&place) => {
                    let mut clash = because;
                    clash.extend(&apart[place].because);
                    return Err(clash);
                }
            }
        }
        Ok((apart, known))
    }

    #[expect(clippy::expect_used, reason = "arguments are replaced by others of the same sort")]
    fn app(&mut self, op: impl Into<Op>, arguments: &[TermId]) -> TermId {
        self.terms.app(op, arguments).expect("the new term has the sorts of the old one")
    }

    fn value(&self, id: TermId) -> Option<bool> {
        match self.terms.get(id) {
            Term::Bool(value) => Some(*value),
            Term::App(..) | Term::Var(_) | Term::Int(_) | Term::String(_) => None,
        }
    }

    /// What `not` stands before, if it does.
    fn denied(&self, id: TermId) -> Option<TermId> {
        let Term::App(Op::Core(CoreOp::Not), arguments) = self.terms.get(id) else { return None };
        Some(arguments[0])
    }

    fn opposite(&self, a: TermId, b: TermId) -> bool {
        self.denied(a) == Some(b) || self.denied(b) == Some(a)
    }

    fn not(&mut self, id: TermId) -> TermId {
        match (self.value(id), self.denied(id)) {
            (Some(value), _) => self.terms.bool(!value),
            (None, Some(inner)) => inner,
            (None, None) => self.app(CoreOp::Not, &[id]),
        }
    }

    /// `op` applied to `arguments`, simplified where constants and repeated arguments allow it.
    fn rebuilt(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        let boolean = arguments.first().is_some_and(|&a| self.terms.sort(a) == Sort::Bool);
        match op {
            Op::Core(CoreOp::Not) => self.not(arguments[0]),
            Op::Core(CoreOp::And) => self.junction(true, arguments),
            Op::Core(CoreOp::Or) => self.junction(false, arguments),
            Op::Core(CoreOp::Implies) => self.implication(arguments),
            Op::Core(CoreOp::Xor) => self.parity(arguments),
            Op::Core(CoreOp::Eq) if boolean => self.equal(arguments),
            Op::Core(CoreOp::Distinct) if boolean => self.distinct(arguments),
            Op::Core(CoreOp::Ite) => self.choice(arguments[0], arguments[1], arguments[2]),
            Op::Core(CoreOp::Eq | CoreOp::Distinct) | Op::Arith(_) | Op::Str(_) | Op::Re(_) | Op::Java(_) => {
                self.app(op, arguments)
            }
        }
    }

    /// The conjunction (`all`) or the disjunction.
    fn junction(&mut self, all: bool, arguments: &[TermId]) -> TermId {
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut left: Vec<TermId> = Vec::new();
        for &argument in arguments {
            match self.value(argument) {
                Some(value) if value == all => {}
                Some(value) => return self.terms.bool(value),
                None if seen.insert(argument) => left.push(argument),
                None => {}
            }
        }
        if left.iter().any(|&a| self.denied(a).is_some_and(|inner| seen.contains(&inner))) {
            return self.terms.bool(!all);
        }
        match *left {
            [] => self.terms.bool(all),
            [only] => only,
            _ => self.app(if all { CoreOp::And } else { CoreOp::Or }, &left),
        }
    }

    /// `(=> a … b)`.
    fn implication(&mut self, arguments: &[TermId]) -> TermId {
        let (premises, last) = (&arguments[..arguments.len() - 1], arguments[arguments.len() - 1]);
        let premise = self.junction(true, premises);
        match (self.value(premise), self.value(last)) {
            (Some(true), _) => last,
            (Some(false), _) | (_, Some(true)) => self.terms.bool(true),
            (None, Some(false)) => self.not(premise),
            (None, None) if premises.contains(&last) => self.terms.bool(true),
            (None, None) if self.terms.arguments(premise) == premises => self.app(CoreOp::Implies, arguments),
            (None, None) => self.app(CoreOp::Implies, &[premise, last]),
        }
    }

    /// `xor` of any number of terms: whether an odd number of them hold.
    fn parity(&mut self, arguments: &[TermId]) -> TermId {
        let mut odd = false;
        let mut left: Vec<TermId> = Vec::new();
        for &argument in arguments {
            match self.value(argument) {
                Some(value) => odd ^= value,
                None => match left.iter().position(|&other| other == argument) {
                    Some(place) => {
                        left.remove(place);
                    }
                    None => left.push(argument),
                },
            }
        }
        let rest = match *left {
            [] => return self.terms.bool(odd),
            [only] => only,
            _ => self.app(CoreOp::Xor, &left),
        };
        if odd { self.not(rest) } else { rest }
    }

    /// `=` of truth values.
    fn equal(&mut self, arguments: &[TermId]) -> TermId {
        let mut constant: Option<bool> = None;
        let mut left: Vec<TermId> = Vec::new();
        for &argument in arguments {
            match (self.value(argument), constant) {
                (Some(value), Some(other)) if value != other => return self.terms.bool(false),
                (Some(value), _) => constant = Some(value),
                (None, _) if !left.contains(&argument) => left.push(argument),
                (None, _) => {}
            }
        }
        match (constant, left.as_slice()) {
            (Some(true), _) => self.junction(true, &left),
            (Some(false), _) => {
                let opposites: Vec<TermId> = left.iter().map(|&a| self.not(a)).collect();
                self.junction(true, &opposites)
            }
            (None, [] | [_]) => self.terms.bool(true),
            (None, [a, b]) if self.opposite(*a, *b) => self.terms.bool(false),
            (None, _) => self.app(CoreOp::Eq, &left),
        }
    }

    /// `distinct` of truth values: no three of them are.
    fn distinct(&mut self, arguments: &[TermId]) -> TermId {
        let [a, b] = *arguments else { return self.terms.bool(false) };
        let equal = self.equal(&[a, b]);
        if self.terms.arguments(equal) == [a, b] {
            // Nothing is known: the term stays as it is written.
            return self.app(CoreOp::Distinct, arguments);
        }
        self.not(equal)
    }

    fn choice(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        match self.value(condition) {
            Some(true) => return yes,
            Some(false) => return no,
            None if yes == no => return yes,
            None => {}
        }
        match (self.value(yes), self.value(no)) {
            // Both are the same constant only where they are the same term.
            (Some(true), Some(_)) => condition,
            (Some(false), Some(_)) => self.not(condition),
            (Some(true), None) => self.junction(false, &[condition, no]),
            (Some(false), None) => {
                let other = self.not(condition);
                self.junction(true, &[other, no])
            }
            (None, Some(true)) => {
                let other = self.not(condition);
                self.junction(false, &[other, yes])
            }
            (None, Some(false)) => self.junction(true, &[condition, yes]),
            (None, None) => self.app(CoreOp::Ite, &[condition, yes, no]),
        }
    }
}

#[cfg(test)]
mod tests {
    use harness_smtlib::print;

    use super::*;

    const DECLARED: &str = "(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)(declare-const s String)\
        (define-fun p () Bool (str.contains s \"x\"))(define-fun q () Bool (str.prefixof \"y\" s))";

    /// What becomes of these assertions, each with the places of those that it follows from.
    fn propagated(assertions: &[&str]) -> Option<Vec<String>> {
        let asserted: String = assertions.iter().map(|a| format!("(assert {a})")).collect();
        let script = harness_smtlib::read(format!("{DECLARED}{asserted}(check-sat)").as_bytes()).unwrap();
        let problem = &script.queries[0].problem;
        let origins: Vec<Reasons> = (0..assertions.len()).map(Reasons::of).collect();
        let (new, because) = propagate(problem, &origins, Alphabet::Ascii)?;
        assert_eq!(new.variables, problem.variables);
        let shown = new.assertions.iter().zip(&because).map(|(&id, because)| {
            let because: Vec<usize> = because.iter().collect();
            format!("{} {because:?}", print::term(&new.terms, id))
        });
        Some(shown.collect())
    }

    #[test]
    fn what_is_asserted_decides_its_guards() {
        let p = "(str.contains s \"x\")";
        let q = "(str.prefixof \"y\" s)";
        for (assertions, left) in [
            (&["(=> a p)", "a"][..], vec![format!("{p} [0, 1]"), "a [1]".to_owned()]),
            (
                &["(=> a b p)", "(and a b)"],
                vec![format!("{p} [0, 1]"), "a [1]".to_owned(), "b [1]".to_owned()],
            ),
            (&["(= a p)", "(not a)"], vec![format!("(not {p}) [0, 1]"), "(not a) [1]".to_owned()]),
            (&["(ite a p q)", "a"], vec![format!("{p} [0, 1]"), "a [1]".to_owned()]),
            (&["(ite a p q)", "(not a)"], vec![format!("{q} [0, 1]"), "(not a) [1]".to_owned()]),
            (&["(ite a p false)"], vec!["a [0]".to_owned(), format!("{p} [0]")]),
            (&["(distinct p false)"], vec![format!("{p} [0]")]),
            (&["(distinct a p)", "a"], vec![format!("(not {p}) [0, 1]"), "a [1]".to_owned()]),
            (&["(distinct p q a)"], vec!["false [0]".to_owned()]),
            (&["(or p p)"], vec![format!("{p} [0]")]),
            (&["(not (and p q))", "p"], vec![format!("(not {q}) [0, 1]"), format!("{p} [1]")]),
            (&["(xor a p)", "a"], vec![format!("(not {p}) [0, 1]"), "a [1]".to_owned()]),
            (&["(xor a p a)"], vec![format!("{p} [0]")]),
            (
                &["(= p q a)", "(not a)"],
                vec![format!("(not {p}) [0, 1]"), format!("(not {q}) [0, 1]"), "(not a) [1]".to_owned()],
            ),
            (&["(let ((g (or a b))) (=> g p))", "b"], vec![format!("{p} [0, 1]"), "b [1]".to_owned()]),
            (&["(= s (ite a \"x\" \"z\"))", "a"], vec!["(= s \"x\") [0, 1]".to_owned(), "a [1]".to_owned()]),
            // One after the other, against the order in which they stand.
            (
                &["(or (not c) p)", "(=> b c)", "(xor a b)", "(not a)"],
                vec![
                    format!("{p} [0, 1, 2, 3]"),
                    "c [1, 2, 3]".to_owned(),
                    "b [2, 3]".to_owned(),
                    "(not a) [3]".to_owned(),
                ],
            ),
            // An assertion is no reason for itself.
            (&["(or p q)", "(= (or p q) a)"], vec![format!("(or {p} {q}) [0]"), "a [0, 1]".to_owned()]),
            // Without variables.
            (&["(or (= \"u\" \"v\") (and (str.contains \"u\" \"\") p))"], vec![format!("{p} [0]")]),
            // Constants.
            (
                &["(or (str.prefixof s \"yz\") a)", "(= \"u\" s)"],
                vec!["a [0, 1]".to_owned(), "(= \"u\" s) [1]".to_owned()],
            ),
            (&["(= s \"u\")", "(=> a p)", "(= s \"xu\")"], vec!["false [0, 2]".to_owned()]),
            // Clashes name those that clash.
            (&["(= a p)", "b", "a", "(not p)"], vec!["false [0, 2, 3]".to_owned()]),
            (&["(xor a a)"], vec!["false [0]".to_owned()]),
            (&["(and p (not p))"], vec!["false [0]".to_owned()]),
        ] {
            assert_eq!(propagated(assertions), Some(left), "{assertions:?}");
        }
        for undecided in
            [&["(=> a p)"][..], &["(or p q)", "(or (not p) a)"], &["p", "q"], &["(distinct a p)"]]
        {
            assert_eq!(propagated(undecided), None, "{undecided:?}");
        }
    }
}
