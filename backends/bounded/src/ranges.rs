//! Bounds of integers and of lengths that the conjuncts imply.
//!
//! Intervals go up through terms and are pushed down into variables, round by round. A bound is never too
//! tight: every model of the problem is within it, which is what lets an exhausted search say `unsat`.

use std::collections::HashMap;
use std::sync::Arc;

use harness_check::eval::Evaluator;
use harness_theory::Assignment;
use harness_theory::lower::{Definition, Primitive};
use harness_theory::op::{ArithOp, CoreOp, Op, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId};

use crate::interval::Interval;
use crate::language::Words;
use crate::problem::Parts;

/// Bounds mostly settle in two or three rounds; those that creep up step by step are left where they are.
const ROUNDS: usize = 12;

/// The languages of the problem's regular expressions without variables.
pub(crate) type Languages = HashMap<TermId, Words>;

/// Reads off the words of every expression that a conjunct `str.in_re` names and that has no variable.
pub(crate) fn languages(parts: &Parts<'_>) -> Languages {
    let mut found = Languages::new();
    for &conjunct in &parts.conjuncts {
        let Term::App(Op::Str(StrOp::InRe), arguments) = parts.terms.get(conjunct) else { continue };
        let regex = arguments[1];
        if parts.set(regex) != 0 || found.contains_key(&regex) {
            continue;
        }
        let mut evaluator = Evaluator::new(parts.terms, &[regex], parts.alphabet);
        let language = evaluator.run(&Assignment::new()).and_then(|()| evaluator.language(0));
        if let Ok(Some(language)) = language {
            found.insert(regex, Words::of(&Arc::unwrap_or_clone(language), parts.alphabet));
        }
    }
    found
}

/// For each variable, the integer that it may be or the length that it may have.
pub(crate) fn ranges(parts: &Parts<'_>, languages: &Languages) -> Vec<Interval> {
    let start = |place| if parts.sort(place) == Sort::String { Interval::NATURAL } else { Interval::ALL };
    let mut this = Ranges {
        parts,
        places: parts.cone.iter().enumerate().map(|(place, &id)| (id, place)).collect(),
        of_term: vec![Interval::ALL; parts.cone.len()],
        of_variable: (0..parts.variables.len()).map(start).collect(),
    };
    for _ in 0..ROUNDS {
        let before = this.of_variable.clone();
        this.go_up();
        for &conjunct in &parts.conjuncts {
            this.learn(conjunct, languages);
        }
        if this.of_variable == before || this.of_variable.iter().any(|r| r.is_empty()) {
            break;
        }
    }
    this.of_variable
}

struct Ranges<'p> {
    parts: &'p Parts<'p>,
    /// Places of terms in the cone.
    places: HashMap<TermId, usize>,
    /// The integer that a term may be or the length that it may have.
    of_term: Vec<Interval>,
    of_variable: Vec<Interval>,
}

impl Ranges<'_> {
    fn at(&self, id: TermId) -> Interval {
        self.places.get(&id).map_or(Interval::ALL, |&place| self.of_term[place])
    }

    fn go_up(&mut self) {
        for (place, &id) in self.parts.cone.iter().enumerate() {
            self.of_term[place] = self.bound(id);
        }
    }

    /// The interval of a term from those of its arguments.
    #[allow(clippy::wildcard_enum_match_arm, reason = "a term of which nothing is said has no bound")]
    fn bound(&self, id: TermId) -> Interval {
        let terms = self.parts.terms;
        let (op, arguments) = match terms.get(id) {
            Term::Var(_) => return self.parts.variable(id).map_or(Interval::ALL, |v| self.of_variable[v]),
            Term::Int(value) => return value.small().map_or(Interval::ALL, Interval::single),
            Term::String(text) => {
                return i64::try_from(text.len()).map_or(Interval::NATURAL, Interval::single);
            }
            Term::Bool(_) => return Interval::ALL,
            Term::App(op, arguments) => (*op, &**arguments),
        };
        let at = |i: usize| self.at(arguments[i]);
        let fold = |f: fn(Interval, Interval) -> Interval| {
            arguments.iter().map(|&a| self.at(a)).reduce(f).unwrap_or(Interval::ALL)
        };
        let up_to = |high: Option<i64>| Interval { low: Some(0), high };
        let position = |length: Interval| Interval { low: Some(-1), high: length.high };
        let unbounded = if terms.sort(id) == Sort::String { Interval::NATURAL } else { Interval::ALL };
        match op {
            Op::Core(CoreOp::Ite) => at(1).hull(at(2)),
            Op::Arith(ArithOp::Neg) => at(0).neg(),
            Op::Arith(ArithOp::Add) => fold(Interval::add),
            Op::Arith(ArithOp::Sub) => fold(Interval::sub),
            Op::Arith(ArithOp::Mul) => fold(Interval::mul),
            Op::Arith(ArithOp::Mod) => match at(1) {
                Interval { low: Some(low), high: Some(high) } if low > 0 => Interval::new(0, high - 1),
                _ => Interval::ALL,
            },
            Op::Arith(ArithOp::Abs) => Interval { low: Some(0), high: at(0).hull(at(0).neg()).high },
            Op::Str(StrOp::Len) => at(0),
            Op::Str(StrOp::IndexOf) => position(at(0)),
            Op::Str(StrOp::ToCode) => Interval::new(-1, i64::from(self.parts.alphabet.max().0)),
            Op::Str(StrOp::ToInt) => Interval { low: Some(-1), high: None },
            Op::Str(StrOp::Concat) => fold(Interval::add),
            Op::Str(StrOp::At | StrOp::FromCode) => Interval::new(0, 1),
            Op::Str(StrOp::Substr) => {
                let count = at(2).high.map(|high| high.max(0));
                up_to(at(0).high).intersect(up_to(count))
            }
            Op::Str(StrOp::Replace | StrOp::ReplaceRe) => up_to(at(0).add(at(2)).high),
            Op::Str(StrOp::ReplaceAll | StrOp::ReplaceReAll) => {
                // Each character goes into at most one match, which is not empty.
                let by = at(2).high.map(|high| high.max(1));
                up_to(at(0).high.zip(by).and_then(|(length, by)| length.checked_mul(by)))
            }
            Op::Java(java) => match java.definition() {
                Definition::Constraints(Primitive::LastIndexOf) => position(at(0)),
                Definition::Constraints(Primitive::Trim(_)) => up_to(at(0).high),
                Definition::Constraints(Primitive::Letters(_)) => at(0),
                Definition::Constraints(Primitive::CompareTo) | Definition::Term(_) => unbounded,
            },
            _ => unbounded,
        }
    }

    /// Pushes what `conjunct` says into the variables.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing is learned from other conjuncts")]
    fn learn(&mut self, conjunct: TermId, languages: &Languages) {
        let terms = self.parts.terms;
        let Term::App(op, arguments) = terms.get(conjunct) else { return };
        match (op, &**arguments) {
            (Op::Arith(ArithOp::Le), all) => {
                all.windows(2).for_each(|pair| self.at_most(pair[0], pair[1], 0));
            }
            (Op::Arith(ArithOp::Lt), all) => {
                all.windows(2).for_each(|pair| self.at_most(pair[0], pair[1], -1));
            }
            (Op::Arith(ArithOp::Ge), all) => {
                all.windows(2).for_each(|pair| self.at_most(pair[1], pair[0], 0));
            }
            (Op::Arith(ArithOp::Gt), all) => {
                all.windows(2).for_each(|pair| self.at_most(pair[1], pair[0], -1));
            }
            (Op::Core(CoreOp::Eq), all) => {
                for pair in all.windows(2) {
                    self.push(pair[0], self.at(pair[1]));
                    self.push(pair[1], self.at(pair[0]));
                }
            }
            (Op::Str(StrOp::PrefixOf | StrOp::SuffixOf), &[short, long]) => self.at_most(short, long, 0),
            (Op::Str(StrOp::Contains), &[long, short]) => self.at_most(short, long, 0),
            (Op::Str(StrOp::InRe), &[s, regex]) => {
                if let Some(words) = languages.get(&regex) {
                    self.push(s, words.length);
                }
            }
            (Op::Core(CoreOp::Not), &[inner]) => match (terms.get(inner), terms.arguments(inner)) {
                (Term::App(Op::Arith(ArithOp::Le), _), &[a, b]) => self.at_most(b, a, -1),
                (Term::App(Op::Arith(ArithOp::Lt), _), &[a, b]) => self.at_most(b, a, 0),
                (Term::App(Op::Arith(ArithOp::Ge), _), &[a, b]) => self.at_most(a, b, -1),
                (Term::App(Op::Arith(ArithOp::Gt), _), &[a, b]) => self.at_most(a, b, 0),
                _ => {}
            },
            _ => {}
        }
    }

    /// `a <= b + more`, of integers or of lengths.
    fn at_most(&mut self, a: TermId, b: TermId, more: i64) {
        let (of_a, of_b) = (self.at(a), self.at(b));
        self.push(a, of_b.and_below().add(Interval::single(more)));
        self.push(b, of_a.and_above().sub(Interval::single(more)));
    }

    /// The value or the length of `term` is within `range`.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing is passed on to the arguments of others")]
    fn push(&mut self, term: TermId, range: Interval) {
        let parts = self.parts;
        let mut todo = vec![(term, range)];
        while let Some((id, range)) = todo.pop() {
            if range == Interval::ALL {
                continue;
            }
            let arguments = parts.terms.arguments(id);
            match parts.terms.get(id) {
                Term::Var(_) => {
                    if let Some(v) = parts.variable(id) {
                        self.of_variable[v] = self.of_variable[v].intersect(range);
                    }
                }
                Term::App(Op::Str(StrOp::Len) | Op::Arith(ArithOp::Neg), _) => {
                    let negated = matches!(parts.terms.get(id), Term::App(Op::Arith(ArithOp::Neg), _));
                    todo.push((arguments[0], if negated { range.neg() } else { range }));
                }
                // Quadratic in the arguments: a long sum tells little about one of them.
                Term::App(Op::Arith(ArithOp::Add) | Op::Str(StrOp::Concat), _) if arguments.len() <= 16 => {
                    for (i, &argument) in arguments.iter().enumerate() {
                        let others = arguments.iter().enumerate().filter(|(j, _)| *j != i);
                        let sum =
                            others.fold(Interval::single(0), |sum, (_, &other)| sum.add(self.at(other)));
                        todo.push((argument, range.sub(sum)));
                    }
                }
                Term::App(Op::Arith(ArithOp::Sub), _) => {
                    if let &[a, b] = arguments {
                        todo.push((a, range.add(self.at(b))));
                        todo.push((b, self.at(a).sub(range)));
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use harness_model::Alphabet;

    use super::*;

    /// The intervals of the variables of a script, in the order of their declaration.
    fn of(text: &str) -> Vec<Interval> {
        let problem = harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0).problem;
        let problem = harness_theory::lower::lower(&problem, Alphabet::Ascii, crate::strategy::native);
        let parts = Parts::of(&problem, Alphabet::Ascii).unwrap();
        ranges(&parts, &languages(&parts))
    }

    const DECLARED: &str = "(declare-const s String)(declare-const t String)(declare-const i Int)";

    fn closed(low: i64, high: i64) -> Interval {
        Interval::new(low, high)
    }

    #[test]
    fn lengths_and_indices() {
        let got = of(&format!(
            "{DECLARED}(assert (<= (str.len s) 4))(assert (= 64 (java.charAt s i)))
             (assert (str.prefixof t s))(assert (not (< (str.len t) 2)))(check-sat)"
        ));
        assert_eq!(got, [closed(2, 4), closed(2, 4), closed(0, 3)]);
    }

    #[test]
    fn languages_and_concatenations() {
        let got = of(&format!(
            "{DECLARED}(assert (str.in_re s ((_ re.loop 1 3) (re.range \"a\" \"c\"))))
             (assert (= s (str.++ t \"b\")))(check-sat)"
        ));
        assert_eq!(got, [closed(1, 3), closed(0, 2)]);
    }

    #[test]
    fn sums_are_solved_for_each_part() {
        let got = of(&format!(
            "{DECLARED}(assert (= (+ i 3) (str.len s)))(assert (<= (str.len s) 5))(assert (>= (- 7 i) 6))(check-sat)"
        ));
        assert_eq!(got, [closed(0, 4), closed(-3, 1)]);
    }

    #[test]
    fn contradictions_leave_nothing() {
        assert!(of(&format!("{DECLARED}(assert (< i 3))(assert (> i 2))(check-sat)"))[0].is_empty());
    }
}
