//! Problems without Java's operations, for solvers that know SMT-LIB only.
//!
//! Each application becomes a fresh variable and constraints that fix its value. Every operation is a total function, so
//! for each value of its arguments there is exactly one value of the fresh variable (and at least one of the helpers that
//! describe it): the lowered problem is satisfiable exactly when the problem is, with the same values for the old variables.
//!
//! In a task over a smaller alphabet than `unicode` only the old variables are restricted to it: what is computed may have
//! characters of a literal that the alphabet does not have.

use std::collections::HashMap;
use std::sync::Arc;

use harness_model::Char;
use harness_theory::op::{ArithOp, CoreOp, JavaOp, Op, ReOp, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{SortError, Term, TermId, Terms, VarId};

use harness_theory::Problem;

/// The same problem in SMT-LIB's functions alone. Fresh variables are named `java!N` and come after the old ones.
pub fn lower(problem: &Problem) -> Problem {
    let mut lowering = Lowering {
        terms: (*problem.terms).clone(),
        variables: problem.variables.clone(),
        assertions: Vec::new(),
    };
    // The terms were well-sorted, and every function is replaced by a term of its own sort.
    match lowering.all(problem) {
        Ok(()) => Problem {
            terms: Arc::new(lowering.terms),
            variables: lowering.variables,
            assertions: lowering.assertions,
        },
        Err(_) => problem.clone(),
    }
}

/// Whether `problem` has any of Java's operations.
pub fn is_needed(problem: &Problem) -> bool {
    let java = |id: &TermId| matches!(problem.terms.get(*id), Term::App(op, _) if op.is_java());
    problem.terms.cone(&problem.assertions).iter().any(java)
}

struct Lowering {
    terms: Terms,
    variables: Vec<VarId>,
    assertions: Vec<TermId>,
}

type Made = Result<TermId, SortError>;

impl Lowering {
    fn all(&mut self, problem: &Problem) -> Result<(), SortError> {
        let mut new: HashMap<TermId, TermId> = HashMap::new();
        for id in problem.terms.cone(&problem.assertions) {
            let lowered = match problem.terms.get(id) {
                Term::App(op, arguments) => {
                    let arguments: Vec<TermId> = arguments.iter().map(|a| new[a]).collect();
                    match (op, arguments.as_slice()) {
                        (Op::Java(JavaOp::LastIndexOf), &[s, t, from]) => self.last_index_of(s, t, from)?,
                        (Op::Java(JavaOp::Trim), &[s]) => self.trim(s)?,
                        (Op::Java(JavaOp::ToLowerCase), &[s]) => self.map_letters(s, b'A', b'a')?,
                        (Op::Java(JavaOp::ToUpperCase), &[s]) => self.map_letters(s, b'a', b'A')?,
                        (Op::Java(JavaOp::CompareTo), &[s, t]) => self.compare_to(s, t)?,
                        _ => self.app(*op, &arguments)?,
                    }
                }
                _ => id,
            };
            new.insert(id, lowered);
        }
        self.assertions.extend(problem.assertions.iter().map(|a| new[a]));
        Ok(())
    }

    fn app(&mut self, op: Op, arguments: &[TermId]) -> Made {
        self.terms.app(op, arguments)
    }

    fn fresh(&mut self, sort: Sort) -> TermId {
        let taken = |terms: &Terms, name: &str| terms.variables().iter().any(|v| v.name == name);
        let name = (self.terms.variables().len()..)
            .map(|n| format!("java!{n}"))
            .find(|name| !taken(&self.terms, name))
            .unwrap_or_default();
        let variable = self.terms.variable(name, sort);
        self.variables.push(variable);
        self.terms.var(variable)
    }

    fn smaller(&mut self, a: TermId, b: TermId) -> Made {
        let less = self.app(Op::Arith(ArithOp::Le), &[a, b])?;
        self.app(Op::Core(CoreOp::Ite), &[less, a, b])
    }

    /// k is the last place: with `high` the smaller of `from` and |s|-|t|, either `high` is negative and k is -1, or t
    /// occurs at k and nowhere after it up to `high`, or it does not occur up to `high` and k is -1.
    fn last_index_of(&mut self, s: TermId, t: TermId, from: TermId) -> Made {
        let k = self.fresh(Sort::Int);
        let (zero, one, minus_one) = (self.terms.int(0_i64), self.terms.int(1_i64), self.terms.int(-1_i64));
        let (s_length, t_length) =
            (self.app(Op::Str(StrOp::Len), &[s])?, self.app(Op::Str(StrOp::Len), &[t])?);
        let last = self.app(Op::Arith(ArithOp::Sub), &[s_length, t_length])?;
        let high = self.smaller(from, last)?;
        // The part of s in which a start up to `high` lies: `high + |t|` characters.
        let reach = self.app(Op::Arith(ArithOp::Add), &[high, t_length])?;
        let part = self.app(Op::Str(StrOp::Substr), &[s, zero, reach])?;
        let is_none = self.app(Op::Core(CoreOp::Eq), &[k, minus_one])?;
        let negative = self.app(Op::Arith(ArithOp::Lt), &[high, zero])?;
        let occurs = self.app(Op::Str(StrOp::Contains), &[part, t])?;
        let absent = self.app(Op::Core(CoreOp::Not), &[occurs])?;
        let nowhere = self.app(Op::Core(CoreOp::Or), &[negative, absent])?;
        let none = self.app(Op::Core(CoreOp::And), &[is_none, nowhere])?;

        let inside = self.app(Op::Arith(ArithOp::Le), &[zero, k, high])?;
        let here = self.app(Op::Str(StrOp::Substr), &[s, k, t_length])?;
        let matches = self.app(Op::Core(CoreOp::Eq), &[here, t])?;
        let after = self.app(Op::Arith(ArithOp::Add), &[k, one])?;
        let rest_length = self.app(Op::Arith(ArithOp::Sub), &[reach, after])?;
        let rest = self.app(Op::Str(StrOp::Substr), &[s, after, rest_length])?;
        let again = self.app(Op::Str(StrOp::Contains), &[rest, t])?;
        let never_again = self.app(Op::Core(CoreOp::Not), &[again])?;
        // The empty string is at every place, so the last one is `high` itself.
        let is_high = self.app(Op::Core(CoreOp::Eq), &[k, high])?;
        let last_one = self.app(Op::Core(CoreOp::Or), &[is_high, never_again])?;
        let found = self.app(Op::Core(CoreOp::And), &[inside, matches, last_one])?;
        let either = self.app(Op::Core(CoreOp::Or), &[none, found])?;
        self.assertions.push(either);
        Ok(k)
    }

    fn class(&mut self, low: u32, high: u32) -> Made {
        let (low, high) = (self.terms.string(vec![Char(low)]), self.terms.string(vec![Char(high)]));
        self.app(Op::Re(ReOp::Range), &[low, high])
    }

    /// s = a t b, a and b of characters up to U+0020 only, t empty or with other characters at both ends.
    fn trim(&mut self, s: TermId) -> Made {
        let (a, t, b) = (self.fresh(Sort::String), self.fresh(Sort::String), self.fresh(Sort::String));
        let whole = self.app(Op::Str(StrOp::Concat), &[a, t, b])?;
        let equal = self.app(Op::Core(CoreOp::Eq), &[s, whole])?;
        let space = self.class(0, 0x20)?;
        let spaces = self.app(Op::Re(ReOp::Star), &[space])?;
        let (left, right) =
            (self.app(Op::Str(StrOp::InRe), &[a, spaces])?, self.app(Op::Str(StrOp::InRe), &[b, spaces])?);
        // Not in terms of `re.allchar` or `re.all`: over a smaller alphabet these do not have the characters of literals that
        // are not of it, which may be part of s.
        let none = self.app(Op::Re(ReOp::None), &[])?;
        let all = self.app(Op::Re(ReOp::Comp), &[none])?;
        let dark = self.class(0x21, Char::MAX.0)?;
        let longer = self.app(Op::Re(ReOp::Concat), &[dark, all, dark])?;
        let body = self.app(Op::Re(ReOp::Union), &[dark, longer])?;
        let body = self.app(Op::Re(ReOp::Opt), &[body])?;
        let middle = self.app(Op::Str(StrOp::InRe), &[t, body])?;
        self.assertions.extend([equal, left, right, middle]);
        Ok(t)
    }

    /// One `str.replace_all` for each letter. No replacement makes a letter that a later one replaces.
    fn map_letters(&mut self, s: TermId, from: u8, to: u8) -> Made {
        (0..26).try_fold(s, |s, letter| {
            let old = self.terms.string(vec![Char::from(from + letter)]);
            let new = self.terms.string(vec![Char::from(to + letter)]);
            self.app(Op::Str(StrOp::ReplaceAll), &[s, old, new])
        })
    }

    /// With p the longest common prefix: one of the strings is p and the result is the difference of the lengths, or both
    /// go on with different characters and the result is their difference.
    fn compare_to(&mut self, s: TermId, t: TermId) -> Made {
        let (p, result) = (self.fresh(Sort::String), self.fresh(Sort::Int));
        let (s_length, t_length) =
            (self.app(Op::Str(StrOp::Len), &[s])?, self.app(Op::Str(StrOp::Len), &[t])?);
        let length = self.app(Op::Str(StrOp::Len), &[p])?;
        let (in_s, in_t) =
            (self.app(Op::Str(StrOp::PrefixOf), &[p, s])?, self.app(Op::Str(StrOp::PrefixOf), &[p, t])?);
        let (s_ends, t_ends) =
            (self.app(Op::Core(CoreOp::Eq), &[p, s])?, self.app(Op::Core(CoreOp::Eq), &[p, t])?);
        let ends = self.app(Op::Core(CoreOp::Or), &[s_ends, t_ends])?;
        let difference = self.app(Op::Arith(ArithOp::Sub), &[s_length, t_length])?;
        let (s_char, t_char) =
            (self.app(Op::Str(StrOp::At), &[s, length])?, self.app(Op::Str(StrOp::At), &[t, length])?);
        let same = self.app(Op::Core(CoreOp::Eq), &[s_char, t_char])?;
        let differ = self.app(Op::Core(CoreOp::Not), &[same])?;
        let (s_code, t_code) =
            (self.app(Op::Str(StrOp::ToCode), &[s_char])?, self.app(Op::Str(StrOp::ToCode), &[t_char])?);
        let codes = self.app(Op::Arith(ArithOp::Sub), &[s_code, t_code])?;
        let value = self.app(Op::Core(CoreOp::Ite), &[ends, difference, codes])?;
        let is_value = self.app(Op::Core(CoreOp::Eq), &[result, value])?;
        let maximal = self.app(Op::Core(CoreOp::Or), &[ends, differ])?;
        self.assertions.extend([in_s, in_t, maximal, is_value]);
        Ok(result)
    }
}
