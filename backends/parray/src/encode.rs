//! Every operation of a string graph as array constraints over symbolic lengths, without recursion.
//!
//! The meaning is SMT-LIB's and Java's, total functions included. That is where the
//! constraints differ from the printed ones of figures 2 and 3 of PASS:
//!
//! | printed | what is wrong with it | the case |
//! | --- | --- | --- |
//! | `i = s.indexOf(s1)`: `∃m. m < abs(s1) ⇒ s1[n] != s[m+n]` | an implication under ∃ holds for any `m` that is too large, so no occurrence is ever forbidden; and the index of the needle is the outer variable | `"aab".indexOf("ab") = 0` would not be excluded by the first line alone, nor `"abab".indexOf("ab") = 2` at all |
//! | `s1 = s.substring(n1, n2)`: `n1 < n2` | the empty substring is excluded | `"ab".substring(1, 1) = ""` |
//! | `s1 = s.trim()`: `s[m] != ' ' ∧ s[m + abs(s1) - 1] != ' '` | nothing is left of a word that is all blank, and then there is no such character; only U+0020 is blank, where Java has all up to it | `"  ".trim() = ""`, `"\t".trim() = ""` |
//! | trim: `m + abs(s1) <= n <= abs(s)` | one past the end | `" a".trim()` reads the character after the `a` |
//! | `s >= s1` | the brackets are lost; `abs(s) = abs(s1) = m` or the rest | `"ab" >= "a"` |
//! | `s > s1`: `abs(s) > m ∧ (abs(s1) = m ∨ …)` | right | |
//! | `¬s.contains(s1)`: `∃n` under `∀m` | right; for the empty `s1` it is false, as it should be | `¬"a".contains("")` |
//! | `s.indexOf(c)`: `∀n. n < i ⇒ s[n] != c` | for `i = -1` nothing is said of any index | `"a".indexOf('a') = -1` |
//! | `i = parseInt(s)`, `i >= 0` | says nothing of characters that are no digits, of a sign, or of leading zeros beyond the tenth digit | `parseInt("0000000000012") = 12`, `parseInt("1x")` |
//! | `s.lastIndexOf(s1)` | only for one character | `"aaa".lastIndexOf("aa") = 1` |
//!
//! The tests of this module show each case.
//!
//! Numbers have no bound: the digits after the leading zeros are counted, and up to [`DIGITS`] of them, as
//! many as PASS has, the number is their weighted sum. Beyond that only its magnitude is said, which
//! [`ArrayProblem::weakened`] tells: a refutation is still one, a candidate need not be a solution. A
//! constant number, however long, is its digits.
//!
//! What cannot be said without recursion is refused by name: `replaceAll` of anything but one character by
//! one character, replacement of regular matches, and regular languages that are not finitely many words of
//! fixed lengths over sets of characters (PASS hands those to its automata, which do it through the hook of
//! [`encode`]). The only languages with a loop that are said here are those in which Java's operations are
//! defined: a sign and digits for `parseInt`, ASCII for case mapping. Both are operations of the arrays in
//! PASS.

use backends_api::{BackendError, Budget};
use backends_graph::{Edge, IntVertex, Relation, StringGraph, StringVertex, Sum};
use harness_model::int::Int;
use harness_model::{CharSet, Regex};

use crate::formula::{Body, Case, Formula, Term};
use crate::problem::ArrayProblem;
use crate::shapes::{Tailed, domain, shapes};

/// A range of a constant number of indices, up to this many, is written out instead of quantified.
pub const WRITTEN_OUT: usize = 128;

/// Up to so many significant digits a number is the sum of its digits.
pub const DIGITS: usize = 10;

/// What says an edge in its own way: `true` when it did.
pub type Hook<'h> = dyn FnMut(&mut ArrayProblem, &Edge) -> Result<bool, BackendError> + 'h;

/// Says every edge of `graph`, whose string vertices have lengths, in `problem`, which was made for it.
/// `hook` is asked first for each edge. `Unsupported` with the operation's name for what has no such
/// encoding, and for products and quotients of unknowns.
pub fn encode(
    graph: &StringGraph,
    problem: &mut ArrayProblem,
    hook: &mut Hook<'_>,
    budget: &Budget,
) -> Result<(), BackendError> {
    graph.refuse_nonlinear()?;
    // Numbers last: what is said of lengths before bounds their digits.
    let number = |edge: &&Edge| matches!(edge.relation, Relation::ToInt { .. } | Relation::FromInt { .. });
    let (numbers, others): (Vec<&Edge>, Vec<&Edge>) = graph.edges().iter().partition(number);
    for edge in others.into_iter().chain(numbers) {
        budget.tick()?;
        if !hook(problem, edge)? {
            encode_edge(graph, problem, edge)?;
        }
    }
    Ok(())
}

/// Says one edge.
pub fn encode_edge(graph: &StringGraph, problem: &mut ArrayProblem, edge: &Edge) -> Result<(), BackendError> {
    let unsupported = || BackendError::Unsupported(edge.relation.full_name().to_owned());
    let mut encoder = EdgeEncoder { graph, problem };
    match edge.relation {
        Relation::Equal { a, b } if edge.positive => encoder.equal(yes(), a, b),
        Relation::Equal { a, b } => {
            let (x, y) = (encoder.length(a), encoder.length(b));
            let differ = encoder.some_mismatch(a, &zero(), b);
            encoder.require(Formula::or([x.ne(&y).widen(), Formula::and([x.eq(&y).widen(), differ])]));
        }
        Relation::StartsWith { s, t } => encoder.affix(edge.positive, s, &zero(), t),
        Relation::EndsWith { s, t } => {
            let offset = encoder.length(s).sub(&encoder.length(t));
            encoder.affix(edge.positive, s, &offset, t);
        }
        Relation::Contains { s, t } if edge.positive => {
            let m = encoder.problem.natural();
            encoder.occurs(yes(), s, &m, t);
        }
        Relation::Contains { s, t } => {
            let high = encoder.length(s).sub(&encoder.length(t)).add(&one());
            encoder.nowhere(yes(), s, t, zero(), high);
        }
        Relation::Less { s, t } if edge.positive => encoder.before(s, t, true),
        Relation::Less { s, t } => encoder.before(t, s, false),
        Relation::LessEqual { s, t } if edge.positive => encoder.before(s, t, false),
        Relation::LessEqual { s, t } => encoder.before(t, s, true),
        Relation::InRe { s, ref regex } => encoder.in_re(edge.positive, s, regex).ok_or_else(unsupported)?,
        Relation::IsDigit { s } => {
            let one_digit = Formula::and([
                encoder.length(s).eq(&one()).widen(),
                encoder.at(s, &zero()).within(&CharSet::from_ranges([(48, 57)])),
            ]);
            encoder.require(if edge.positive { one_digit } else { one_digit.negate() });
        }
        Relation::Concat { a, b, r } => {
            let (x, y) = (encoder.length(a), encoder.length(b));
            encoder.require(encoder.length(r).eq(&x.add(&y)).widen());
            encoder.copy(yes(), r, &zero(), a, &zero(), &x);
            encoder.copy(yes(), r, &x, b, &zero(), &y);
        }
        Relation::CharAt { s, i, c } => {
            let (i, c) = (encoder.int(i), encoder.int(c));
            encoder.require(Formula::and([zero().le(&i).widen(), i.lt(&encoder.length(s)).widen()]));
            encoder.require(encoder.at(s, &i).eq(&c.into()));
        }
        Relation::At { s, i, r } => {
            let (i, length) = (encoder.int(i), encoder.length(r));
            let inside = Formula::and([zero().le(&i).widen(), i.lt(&encoder.length(s)).widen()]);
            let same =
                Formula::and([length.eq(&one()).widen(), encoder.at(r, &zero()).eq(&encoder.at(s, &i))]);
            encoder.choose(&inside, same, length.eq(&zero()).widen());
        }
        Relation::Substr { s, from, count, r } => encoder.substr(s, from, count, r),
        Relation::IndexOf { s, t, from, i } => {
            let (from, i) = (encoder.int(from), encoder.int(i));
            encoder.index_of(s, t, &from, &i);
        }
        Relation::LastIndexOf { s, t, from, i } => {
            let (from, i) = (encoder.int(from), encoder.int(i));
            encoder.last_index_of(s, t, &from, &i);
        }
        Relation::Trim { s, r } => encoder.trim(s, r),
        Relation::Replace { s, t, by, r } => encoder.replace(s, t, by, r),
        Relation::ReplaceAll { s, t, by, r } => encoder.replace_all(s, t, by, r).ok_or_else(unsupported)?,
        Relation::ReplaceRe { .. } | Relation::ReplaceReAll { .. } => return Err(unsupported()),
        Relation::ToLower { s, r } => encoder.mapped(s, r, Case::Lower),
        Relation::ToUpper { s, r } => encoder.mapped(s, r, Case::Upper),
        Relation::ToCode { s, c } => {
            let (c, single) = (encoder.int(c), encoder.length(s).eq(&one()).widen());
            let is = encoder.at(s, &zero()).eq(&c.clone().into());
            encoder.choose(&single, is, c.eq(&minus_one()).widen());
        }
        Relation::FromCode { c, r } => {
            let (c, length) = (encoder.int(c), encoder.length(r));
            let most = Sum::from(Int::from(graph.alphabet().max().0));
            let inside = Formula::and([zero().le(&c).widen(), c.le(&most).widen()]);
            let is = Formula::and([length.eq(&one()).widen(), encoder.at(r, &zero()).eq(&c.into())]);
            encoder.choose(&inside, is, length.eq(&zero()).widen());
        }
        Relation::ToInt { s, i } => encoder.number_of(s, i),
        Relation::FromInt { i, r } => encoder.digits_of(i, r),
        Relation::CompareTo { s, t, i } => encoder.compare_to(s, t, i),
    }
    Ok(())
}

fn zero() -> Sum {
    Sum::from(0_i64)
}

fn one() -> Sum {
    Sum::from(1_i64)
}

fn minus_one() -> Sum {
    Sum::from(-1_i64)
}

const fn yes() -> Formula {
    Formula::Bool(true)
}

struct EdgeEncoder<'a> {
    graph: &'a StringGraph,
    problem: &'a mut ArrayProblem,
}

impl EdgeEncoder<'_> {
    fn length(&self, s: StringVertex) -> Sum {
        self.problem.length(s).clone()
    }

    fn int(&self, i: IntVertex) -> Sum {
        self.graph.sum_of(i)
    }

    fn at(&self, s: StringVertex, index: &Sum) -> Term {
        self.problem.at(s, index)
    }

    fn require(&mut self, formula: Formula) {
        self.problem.require(formula);
    }

    /// `condition ? yes : no`.
    fn choose(&mut self, condition: &Formula, yes: Formula, no: Formula) {
        self.require(condition.implies(yes));
        self.require(condition.negate().implies(no));
    }

    /// `∀n. guard ∧ low <= n < high ⇒ body(n)`, written out where both ends are constant and near.
    fn each(&mut self, guard: Formula, low: Sum, high: Sum, body: impl Fn(&ArrayProblem, &Sum) -> Formula) {
        if let (Some(first), Some(count)) = (low.value(), high.sub(&low).value())
            && let Some(count) = count.small().and_then(|c| usize::try_from(c.max(0)).ok())
            && count <= WRITTEN_OUT
        {
            let all = (0..count).map(|k| body(self.problem, &Sum::from(first.add(&Int::from(k)))));
            let all = Formula::and(all.collect::<Vec<_>>());
            self.require(guard.implies(all));
        } else {
            self.problem.for_all(guard, low, high, |problem, n| Body::Plain(body(problem, n)));
        }
    }

    /// That `i` is a position, not -1: true or false, if a bound that is stated says so.
    fn is_position(&self, i: &Sum) -> Formula {
        if self.problem.lower_bound(i).is_some_and(|low| low >= Int::ZERO) {
            Formula::Bool(true)
        } else if self.problem.upper_bound(i).is_some_and(|high| high < Int::ZERO) {
            Formula::Bool(false)
        } else {
            zero().le(i).widen()
        }
    }

    /// Under `guard`, `r[to ..]` is `s[from ..]` for `count` characters.
    fn copy(&mut self, guard: Formula, r: StringVertex, to: &Sum, s: StringVertex, from: &Sum, count: &Sum) {
        self.each(guard, zero(), count.clone(), |problem, n| {
            problem.at(r, &to.add(n)).eq(&problem.at(s, &from.add(n)))
        });
    }

    fn equal(&mut self, guard: Formula, a: StringVertex, b: StringVertex) {
        let (x, y) = (self.length(a), self.length(b));
        self.require(guard.implies(x.eq(&y).widen()));
        let shorter = if y.value().is_some() { y } else { x };
        self.copy(guard, a, &zero(), b, &zero(), &shorter);
    }

    /// Under `guard`, `t` occurs in `s` at `offset`, which is not negative.
    fn occurs(&mut self, guard: Formula, s: StringVertex, offset: &Sum, t: StringVertex) {
        let length = self.length(t);
        self.require(guard.implies(offset.add(&length).le(&self.length(s)).widen()));
        self.copy(guard, s, offset, t, &zero(), &length);
    }

    /// `t` does not occur in `s` at `offset`, where it would fit.
    fn mismatch(problem: &mut ArrayProblem, s: StringVertex, offset: &Sum, t: StringVertex) -> Body {
        let high = problem.length(t).clone();
        // No more characters than this can differ, if one of the words is known.
        let most = [t, s].into_iter().filter_map(|v| problem.word(v).map(|word| word.len())).min();
        let variable = problem.fresh();
        let n = Sum::from(variable);
        let body = problem.at(t, &n).ne(&problem.at(s, &offset.add(&n)));
        Body::Exists { variable, low: zero(), high, most: most.filter(|most| *most <= WRITTEN_OUT), body }
    }

    /// The same for one offset: the witness is a fresh integer, if it must be.
    fn some_mismatch(&mut self, s: StringVertex, offset: &Sum, t: StringVertex) -> Formula {
        let body = Self::mismatch(self.problem, s, offset, t);
        match (body.written_out(&|cell| self.problem.known(cell)), body) {
            (Some(formula), _) | (None, Body::Plain(formula)) => formula,
            (None, Body::Exists { variable, low, high, body, .. }) => {
                let n = Sum::from(variable);
                Formula::and([low.le(&n).widen(), n.lt(&high).widen(), body])
            }
        }
    }

    /// Under `guard`, `t` occurs in `s` at no offset from `low` up to but not `high`.
    fn nowhere(&mut self, guard: Formula, s: StringVertex, t: StringVertex, low: Sum, high: Sum) {
        self.problem.for_all(guard, low, high, |problem, m| Self::mismatch(problem, s, m, t));
    }

    fn affix(&mut self, positive: bool, s: StringVertex, offset: &Sum, t: StringVertex) {
        let (whole, part) = (self.length(s), self.length(t));
        if positive {
            self.require(part.le(&whole).widen());
            self.copy(yes(), s, offset, t, &zero(), &part);
        } else {
            let differ = self.some_mismatch(s, offset, t);
            self.require(Formula::or([
                whole.lt(&part).widen(),
                Formula::and([part.le(&whole).widen(), differ]),
            ]));
        }
    }

    /// A position up to which `s` and `t` agree, not beyond either of them.
    fn common_prefix(&mut self, s: StringVertex, t: StringVertex) -> Sum {
        let m = self.problem.natural();
        self.require(m.le(&self.length(s)).widen());
        self.require(m.le(&self.length(t)).widen());
        self.copy(yes(), s, &zero(), t, &zero(), &m);
        m
    }

    /// `s` is before `t`, or may also be equal to it.
    fn before(&mut self, s: StringVertex, t: StringVertex, strictly: bool) {
        let m = self.common_prefix(s, t);
        let (x, y) = (self.length(s), self.length(t));
        let ends =
            if strictly { Formula::and([m.eq(&x).widen(), m.lt(&y).widen()]) } else { m.eq(&x).widen() };
        let less = Formula::and([m.lt(&x).widen(), m.lt(&y).widen(), self.at(s, &m).lt(&self.at(t, &m))]);
        self.require(Formula::or([ends, less]));
    }

    fn compare_to(&mut self, s: StringVertex, t: StringVertex, i: IntVertex) {
        let m = self.common_prefix(s, t);
        let (x, y, i) = (self.length(s), self.length(t), self.int(i));
        let ended = Formula::or([m.eq(&x).widen(), m.eq(&y).widen()]);
        let (a, b) = (self.at(s, &m), self.at(t, &m));
        let differ = Formula::and([a.ne(&b), a.sub(&b).eq(&i.clone().into())]);
        self.choose(&ended, i.eq(&x.sub(&y)).widen(), differ);
    }

    fn substr(&mut self, s: StringVertex, from: IntVertex, count: IntVertex, r: StringVertex) {
        let (from, count) = (self.int(from), self.int(count));
        let (whole, part) = (self.length(s), self.length(r));
        let some =
            Formula::and([zero().le(&from).widen(), from.lt(&whole).widen(), one().le(&count).widen()]);
        let rest = whole.sub(&from);
        let fits: Formula = count.le(&rest).widen();
        let cut = Formula::and([
            fits.implies(part.eq(&count).widen()),
            fits.negate().implies(part.eq(&rest).widen()),
        ]);
        self.choose(&some, cut, part.eq(&zero()).widen());
        if let Some(most) = count.value() {
            // Follows, and bounds what is read of `r`.
            self.require(part.le(&Sum::from(most.clone().max(Int::ZERO))).widen());
        }
        self.copy(yes(), r, &zero(), s, &from, &part);
    }

    fn index_of(&mut self, s: StringVertex, t: StringVertex, from: &Sum, i: &Sum) {
        let (whole, part) = (self.length(s), self.length(t));
        let found = self.is_position(i);
        let none = if found == Formula::Bool(true) { found.negate() } else { i.eq(&minus_one()).widen() };
        self.require(Formula::or([none.clone(), found.clone()]));
        let possible = Formula::and([zero().le(from).widen(), from.le(&whole).widen()]);
        self.require(Formula::or([possible.clone(), none.clone()]));
        self.require(found.implies(from.le(i).widen()));
        self.occurs(found.clone(), s, i, t);
        self.nowhere(found, s, t, from.clone(), i.clone());
        self.nowhere(Formula::and([none, possible]), s, t, from.clone(), whole.sub(&part).add(&one()));
    }

    fn last_index_of(&mut self, s: StringVertex, t: StringVertex, from: &Sum, i: &Sum) {
        let fits = self.length(s).sub(&self.length(t));
        // The last place to look at.
        let last = Sum::from(self.problem.fresh());
        let is = Formula::or([last.eq(from).widen(), last.eq(&fits).widen()]);
        self.require(Formula::and([last.le(from).widen(), last.le(&fits).widen(), is]));
        let found = self.is_position(i);
        self.require(Formula::or([i.eq(&minus_one()).widen(), found.clone()]));
        self.require(found.implies(i.le(&last).widen()));
        self.occurs(found, s, i, t);
        self.nowhere(yes(), s, t, i.add(&one()), last.add(&one()));
    }

    fn trim(&mut self, s: StringVertex, r: StringVertex) {
        let m = self.problem.natural();
        let (whole, part) = (self.length(s), self.length(r));
        let (end, blank) = (m.add(&part), Term::from(0x20));
        self.require(end.le(&whole).widen());
        let is_blank = |problem: &ArrayProblem, n: &Sum| problem.at(s, n).le(&blank);
        self.each(yes(), zero(), m.clone(), is_blank);
        self.each(yes(), end.clone(), whole, is_blank);
        self.copy(yes(), r, &zero(), s, &m, &part);
        let dark = |index: &Sum| blank.lt(&self.at(s, index));
        let ends = Formula::and([dark(&m), dark(&end.sub(&one()))]);
        self.require(Formula::or([part.eq(&zero()).widen(), Formula::and([one().le(&part).widen(), ends])]));
    }

    fn replace(&mut self, s: StringVertex, t: StringVertex, by: StringVertex, r: StringVertex) {
        let p = Sum::from(self.problem.fresh());
        self.index_of(s, t, &zero(), &p);
        let (whole, part) = (self.length(s), self.length(t));
        let (new, length) = (self.length(by), self.length(r));
        let found: Formula = zero().le(&p).widen();
        self.equal(found.negate(), s, r);
        self.require(found.implies(length.eq(&whole.sub(&part).add(&new)).widen()));
        self.copy(found.clone(), r, &zero(), s, &zero(), &p);
        self.copy(found.clone(), r, &p, by, &zero(), &new);
        let (after, rest) = (p.add(&part), whole.sub(&p).sub(&part));
        self.copy(found, r, &p.add(&new), s, &after, &rest);
    }

    /// `None` for anything but an empty word or one character, replaced by one character.
    fn replace_all(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        by: StringVertex,
        r: StringVertex,
    ) -> Option<()> {
        let single = |v: StringVertex| match self.problem.word(v).map(|w| w.chars()) {
            Some([c]) => Some(Term::from(*c)),
            _ => None,
        };
        if self.problem.word(t).is_some_and(|word| word.is_empty()) {
            self.equal(yes(), s, r);
            return Some(());
        }
        let (old, new) = (single(t)?, single(by)?);
        let length = self.length(s);
        self.require(self.length(r).eq(&length).widen());
        self.each(yes(), zero(), length, |problem, n| {
            let (a, b) = (problem.at(s, n), problem.at(r, n));
            Formula::or([Formula::and([a.eq(&old), b.eq(&new)]), Formula::and([a.ne(&old), b.eq(&a)])])
        });
        Some(())
    }

    fn mapped(&mut self, s: StringVertex, r: StringVertex, case: Case) {
        let length = self.length(s);
        self.require(self.length(r).eq(&length).widen());
        let count = if length.value().is_some() { length } else { self.length(r) };
        self.each(yes(), zero(), count, |problem, n| problem.at(r, n).eq(&problem.mapped(s, n, case)));
    }

    /// Under `guard` the characters from `start` on to the end of `s`, all of them digits and the first of
    /// them not zero, are the digits of `i`.
    fn digits(&mut self, guard: &Formula, s: StringVertex, start: &Sum, i: &Sum) {
        let count = self.length(s).sub(start);
        if let Some(number) = i.value() {
            // The digits are known, so nothing is added up.
            let digits = if *number <= Int::ZERO { String::new() } else { number.to_string() };
            let mut says = vec![count.eq(&Sum::from(digits.len())).widen()];
            for (k, digit) in digits.bytes().enumerate() {
                says.push(self.at(s, &start.add(&Sum::from(k))).eq(&Term::from(i64::from(digit))));
            }
            self.require(guard.implies(Formula::and(says)));
            return;
        }
        // No more digits than the number or the word can have, if that is stated.
        let of_number = self.problem.upper_bound(i).map(|most| most.to_string().len());
        let of_word =
            self.problem.upper_bound(&self.length(s)).map(|most| most.position(DIGITS).unwrap_or(DIGITS + 1));
        let most = of_number.into_iter().chain(of_word).min().unwrap_or(DIGITS + 1);
        let mut least = Int::from(1_i64);
        for k in 0..=most.min(DIGITS) {
            let mut value = Term::default();
            for j in 0..k {
                let digit = self.at(s, &start.add(&Sum::from(j))).sub(&Term::from(48));
                value = value.times(&Int::from(10_i64)).add(&digit);
            }
            let mut says = vec![value.eq(&i.clone().into())];
            if k > 0 {
                let next = least.mul(&Int::from(10_i64));
                says.push(Sum::from(least.clone()).le(i).widen());
                says.push(i.lt(&Sum::from(next.clone())).widen());
                least = next;
            }
            let this_many: Formula = count.eq(&Sum::from(k)).widen();
            self.require(Formula::and([guard.clone(), this_many]).implies(Formula::and(says)));
        }
        if most <= DIGITS {
            self.require(guard.implies(count.le(&Sum::from(most)).widen()));
        } else {
            let few = guard.implies(count.le(&Sum::from(DIGITS)).widen());
            self.problem.weaken_unless("numerals of more than 10 digits", few);
            // With more digits the number is at least 10^DIGITS times their excess: weak, but linear.
            let excess = count.sub(&Sum::from(DIGITS));
            let more: Formula = one().le(&excess).widen();
            self.require(Formula::and([guard.clone(), more]).implies(excess.times(&least).le(i).widen()));
        }
    }

    fn number_of(&mut self, s: StringVertex, i: IntVertex) {
        let (i, length) = (self.int(i), self.length(s));
        let digit = CharSet::from_ranges([(48, 57)]);
        let number: Formula = zero().le(&i).widen();
        // No number: it is empty, or some character is not a digit.
        let n = self.problem.natural();
        let other = Formula::and([n.lt(&length).widen(), self.at(s, &n).outside(&digit)]);
        let none = Formula::or([length.eq(&zero()).widen(), other]);
        self.require(Formula::or([number.clone(), Formula::and([i.eq(&minus_one()).widen(), none])]));
        self.require(number.implies(one().le(&length).widen()));
        self.each(number.clone(), zero(), length.clone(), |problem, n| problem.at(s, n).within(&digit));
        // Leading zeros, then the digits that count.
        let start = self.problem.natural();
        self.require(start.le(&length).widen());
        self.each(number.clone(), zero(), start.clone(), |problem, n| problem.at(s, n).eq(&Term::from(48)));
        let some = Formula::and([number.clone(), start.lt(&length).widen()]);
        self.require(some.implies(self.at(s, &start).ne(&Term::from(48))));
        self.digits(&number, s, &start, &i);
    }

    fn digits_of(&mut self, i: IntVertex, r: StringVertex) {
        let (i, length) = (self.int(i), self.length(r));
        let digit = CharSet::from_ranges([(48, 57)]);
        let number: Formula = zero().le(&i).widen();
        self.choose(&number, one().le(&length).widen(), length.eq(&zero()).widen());
        self.each(number.clone(), zero(), length.clone(), |problem, n| problem.at(r, n).within(&digit));
        let is_zero: Formula = i.eq(&zero()).widen();
        let alone = Formula::and([length.eq(&one()).widen(), self.at(r, &zero()).eq(&Term::from(48))]);
        self.require(is_zero.implies(alone));
        let positive: Formula = one().le(&i).widen();
        self.require(positive.implies(self.at(r, &zero()).ne(&Term::from(48))));
        self.digits(&positive, r, &zero(), &i);
    }

    /// `None` for a language that is neither finitely many fixed shapes nor one in which an operation of Java
    /// is defined.
    fn in_re(&mut self, positive: bool, s: StringVertex, regex: &Regex) -> Option<()> {
        if let Some(tailed) = domain(regex, self.graph.alphabet()) {
            self.tailed(positive, s, &tailed);
            return Some(());
        }
        let shapes = shapes(regex, self.graph.alphabet())?;
        let length = self.length(s);
        let any = Formula::or(shapes.iter().map(|shape| {
            let long: Formula = length.eq(&Sum::from(shape.len())).widen();
            Formula::and([long, self.begins(s, shape)])
        }));
        self.require(if positive { any } else { any.negate() });
        Some(())
    }

    fn begins(&self, s: StringVertex, shape: &[CharSet]) -> Formula {
        Formula::and(shape.iter().enumerate().map(|(k, set)| self.at(s, &Sum::from(k)).within(set)))
    }

    /// One of the starts, and then characters of the set to the end.
    fn tailed(&mut self, positive: bool, s: StringVertex, language: &Tailed) {
        let Tailed { starts, tail } = language;
        let length = self.length(s);
        // Which of the starts it is.
        let which = self.problem.natural();
        let mut any = Vec::new();
        for (k, start) in starts.iter().enumerate() {
            let end = Sum::from(start.len());
            let fits = Formula::and([end.le(&length).widen(), self.begins(s, start)]);
            if positive {
                let here: Formula = which.eq(&Sum::from(k)).widen();
                any.push(Formula::and([here.clone(), fits]));
                self.each(here, end, length.clone(), |problem, n| problem.at(s, n).within(tail));
            } else {
                let n = self.problem.natural();
                let other =
                    Formula::and([end.le(&n).widen(), n.lt(&length).widen(), self.at(s, &n).outside(tail)]);
                self.require(Formula::or([fits.negate(), other]));
            }
        }
        if positive {
            self.require(Formula::or(any));
        }
    }
}
