//! One function of the theory applied to values.
//!
//! Every function that the theory has is named here, so that a new one does not compile before it has a
//! meaning. An operand of another sort than the function takes breaks an invariant of terms, and panics.

use std::ops::Range;
use std::sync::Arc;

use harness_model::int::Int;
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use harness_theory::lower::{Case, Definition, Primitive};
use harness_theory::{ArithOp, CoreOp, JavaOp, Op, ReOp, Sort, StrOp, Value};

use crate::failure::{Failure, Limit, Limits};
use crate::matcher::matches;
use crate::words;

/// Expressions nested more deeply than this are not compared, for parts that they share would be compared
/// again and again.
const COMPARED_LEVELS: u32 = 20;

/// A part of a shared string.
#[derive(Clone, Debug)]
pub struct Text {
    whole: Arc<[Char]>,
    part: Range<usize>,
}

impl Text {
    /// Its characters.
    pub fn chars(&self) -> &[Char] {
        &self.whole[self.part.clone()]
    }

    fn part(&self, part: Range<usize>) -> Self {
        let start = self.part.start;
        Self { whole: Arc::clone(&self.whole), part: start + part.start..start + part.end }
    }
}

impl<T: Into<Arc<[Char]>>> From<T> for Text {
    fn from(whole: T) -> Self {
        let whole = whole.into();
        Self { part: 0..whole.len(), whole }
    }
}

/// A value of any sort.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A string.
    String(Text),
    /// A regular language, as an expression, with the levels that it is nested.
    Language(Arc<Regex>, u32),
}

impl Operand {
    /// The value, which a regular language does not have.
    pub fn value(&self) -> Option<Value> {
        match self {
            Self::Bool(b) => Some(Value::Bool(*b)),
            Self::Int(i) => Some(Value::Int(i.clone())),
            Self::String(text) => Some(Value::String(SmtString::from(text.chars().to_vec()))),
            Self::Language(..) => None,
        }
    }

    /// Its sort.
    pub const fn sort(&self) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            Self::Int(_) => Sort::Int,
            Self::String(_) => Sort::String,
            Self::Language(..) => Sort::RegLan,
        }
    }
}

impl From<&Value> for Operand {
    fn from(value: &Value) -> Self {
        match value {
            Value::Bool(b) => Self::Bool(*b),
            Value::Int(i) => Self::Int(i.clone()),
            Value::String(s) => Self::String(Text::from(s.chars())),
        }
    }
}

/// The operands of one application.
struct Operands<'a>(&'a [&'a Operand]);

#[expect(
    clippy::panic,
    reason = "terms are well-sorted, so another sort is a defect that must not become a value"
)]
impl<'a> Operands<'a> {
    fn wrong(&self, place: usize, wanted: Sort) -> ! {
        match self.0.get(place).copied() {
            Some(found) => panic!("operand {place} is of sort {}, not {wanted}", found.sort()),
            None => panic!("there is no operand {place}"),
        }
    }

    fn bool(&self, place: usize) -> bool {
        match self.0.get(place).copied() {
            Some(Operand::Bool(b)) => *b,
            _ => self.wrong(place, Sort::Bool),
        }
    }

    fn int(&self, place: usize) -> &'a Int {
        match self.0.get(place).copied() {
            Some(Operand::Int(i)) => i,
            _ => self.wrong(place, Sort::Int),
        }
    }

    fn text(&self, place: usize) -> &'a Text {
        match self.0.get(place).copied() {
            Some(Operand::String(text)) => text,
            _ => self.wrong(place, Sort::String),
        }
    }

    fn chars(&self, place: usize) -> &'a [Char] {
        self.text(place).chars()
    }

    fn language(&self, place: usize) -> (&'a Arc<Regex>, u32) {
        match self.0.get(place).copied() {
            Some(Operand::Language(regex, levels)) => (regex, *levels),
            _ => self.wrong(place, Sort::RegLan),
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        (1..self.0.len()).map(|later| (later - 1, later))
    }

    fn equal(&self, a: usize, b: usize) -> Result<bool, Failure> {
        match self.0[a] {
            Operand::Bool(x) => Ok(*x == self.bool(b)),
            Operand::Int(x) => Ok(x == self.int(b)),
            Operand::String(x) => Ok(x.chars() == self.chars(b)),
            Operand::Language(x, levels) => {
                let (y, _) = self.language(b);
                let same = Arc::ptr_eq(x, y) || *levels <= COMPARED_LEVELS && x == y;
                if same { Ok(true) } else { Err(Failure::LanguageEquality) }
            }
        }
    }
}

/// The value of `op` on `operands`.
///
/// # Errors
///
/// Where the standard gives no value, or one of the limits is met.
///
/// # Panics
///
/// When the operands are not what the function takes.
pub fn apply(op: Op, operands: &[&Operand], alphabet: Alphabet, limits: &Limits) -> Result<Operand, Failure> {
    let these = Operands(operands);
    match op {
        Op::Core(op) => core(op, &these),
        Op::Arith(op) => arith(op, &these, limits),
        Op::Str(op) => string(op, &these, alphabet, limits),
        Op::Re(op) => language(op, &these, alphabet, limits),
        Op::Java(op) => java(op, &these),
    }
}

fn core(op: CoreOp, these: &Operands<'_>) -> Result<Operand, Failure> {
    let last = these.0.len() - 1;
    Ok(Operand::Bool(match op {
        CoreOp::Not => !these.bool(0),
        CoreOp::And => (0..=last).all(|i| these.bool(i)),
        CoreOp::Or => (0..=last).any(|i| these.bool(i)),
        CoreOp::Xor => (0..=last).filter(|&i| these.bool(i)).count() % 2 == 1,
        CoreOp::Implies => these.bool(last) || !(0..last).all(|i| these.bool(i)),
        CoreOp::Eq => {
            let mut all = true;
            for (a, b) in these.pairs() {
                all &= these.equal(a, b)?;
            }
            all
        }
        CoreOp::Distinct => {
            let mut all = true;
            for a in 0..=last {
                for b in a + 1..=last {
                    all &= !these.equal(a, b)?;
                }
            }
            all
        }
        CoreOp::Ite => return Ok(these.0[if these.bool(0) { 1 } else { 2 }].clone()),
    }))
}

fn arith(op: ArithOp, these: &Operands<'_>, limits: &Limits) -> Result<Operand, Failure> {
    let others = 1..these.0.len();
    let chain = |holds: fn(&Int, &Int) -> bool| {
        Ok(Operand::Bool(these.pairs().all(|(a, b)| holds(these.int(a), these.int(b)))))
    };
    let first = these.int(0).clone();
    Ok(Operand::Int(match op {
        ArithOp::Neg => Int::ZERO.sub(&first),
        ArithOp::Abs if first.is_negative() => first.neg(),
        ArithOp::Abs => first,
        ArithOp::Add => others.fold(first, |sum, i| sum.add(these.int(i))),
        ArithOp::Sub => others.fold(first, |rest, i| rest.sub(these.int(i))),
        ArithOp::Mul => {
            let mut product = first;
            for i in others {
                if product.bits().saturating_add(these.int(i).bits()) > limits.bits {
                    return Err(Failure::Limit(Limit::Bits));
                }
                product = product.mul(these.int(i));
            }
            product
        }
        ArithOp::Div => {
            let mut quotient = first;
            for i in others {
                quotient = quotient.div(these.int(i)).ok_or(Failure::DivisionByZero)?;
            }
            quotient
        }
        ArithOp::Mod => {
            // The remainder is what the quotient leaves.
            let divisor = these.int(1);
            let quotient = first.div(divisor).ok_or(Failure::DivisionByZero)?;
            first.sub(&quotient.mul(divisor))
        }
        ArithOp::Le => return chain(|a, b| a <= b),
        ArithOp::Lt => return chain(|a, b| a < b),
        ArithOp::Ge => return chain(|a, b| b <= a),
        ArithOp::Gt => return chain(|a, b| b < a),
    }))
}

fn string(op: StrOp, these: &Operands<'_>, alphabet: Alphabet, limits: &Limits) -> Result<Operand, Failure> {
    let truth = |holds: bool| Ok(Operand::Bool(holds));
    let number = |value: Int| Ok(Operand::Int(value));
    let word = |chars: Vec<Char>| Ok(Operand::String(Text::from(chars)));
    let chars = |place: usize| these.chars(place);
    match op {
        StrOp::Concat => {
            let length = (0..these.0.len()).fold(0_usize, |sum, i| sum.saturating_add(chars(i).len()));
            if length > limits.characters {
                return Err(Failure::Limit(Limit::Characters));
            }
            let mut all = Vec::with_capacity(length);
            (0..these.0.len()).for_each(|i| all.extend_from_slice(chars(i)));
            word(all)
        }
        StrOp::Len => number(Int::from(chars(0).len())),
        StrOp::Lt => truth(these.pairs().all(|(a, b)| words::order(chars(a), chars(b)).is_lt())),
        StrOp::Le => truth(these.pairs().all(|(a, b)| words::order(chars(a), chars(b)).is_le())),
        StrOp::At => {
            let part = words::part(chars(0), these.int(1), &Int::from(1_i64));
            Ok(Operand::String(these.text(0).part(part)))
        }
        StrOp::Substr => {
            let part = words::part(chars(0), these.int(1), these.int(2));
            Ok(Operand::String(these.text(0).part(part)))
        }
        StrOp::PrefixOf => truth(words::has_prefix(chars(1), chars(0))),
        StrOp::SuffixOf => truth(words::has_suffix(chars(1), chars(0))),
        StrOp::Contains => truth(words::contains(chars(0), chars(1))),
        StrOp::IndexOf => number(words::index_of(chars(0), chars(1), these.int(2))),
        StrOp::Replace => word(words::replace(chars(0), chars(1), chars(2))),
        StrOp::ReplaceAll => word(words::replace_all(chars(0), chars(1), chars(2), limits)?),
        StrOp::ReplaceRe => word(words::replace_re(chars(0), these.language(1).0, chars(2), limits)?),
        StrOp::ReplaceReAll => word(words::replace_re_all(chars(0), these.language(1).0, chars(2), limits)?),
        StrOp::IsDigit => truth(words::is_digit(chars(0))),
        StrOp::ToCode => number(words::to_code(chars(0))),
        StrOp::FromCode => word(words::from_code(these.int(0), alphabet)),
        StrOp::ToInt => number(words::to_int(chars(0))),
        StrOp::FromInt => word(words::from_int(these.int(0))),
        StrOp::InRe => truth(matches(these.language(1).0, chars(0), limits.steps)?),
    }
}

fn language(op: ReOp, these: &Operands<'_>, alphabet: Alphabet, limits: &Limits) -> Result<Operand, Failure> {
    let any = || Regex::set(CharSet::full(alphabet));
    let inner = || Arc::clone(these.language(0).0);
    let repeat = |min: u32, max: Option<u32>| Regex::Repeat { inner: inner(), min, max };
    let parts = || (0..these.0.len()).map(|i| these.language(i).0.as_ref().clone());
    let single = |place: usize| match these.chars(place) {
        [c] => Some(*c),
        _ => None,
    };
    let mut extra = 1;
    let made = match op {
        ReOp::ToRe => Regex::concat(these.chars(0).iter().map(|&c| Regex::set(CharSet::single(c)))),
        ReOp::None => Regex::Empty,
        ReOp::All => any().star(),
        ReOp::AllChar => any(),
        ReOp::Concat => Regex::concat(parts()),
        ReOp::Union => Regex::union(parts()),
        ReOp::Inter => Regex::Inter(parts().collect()),
        ReOp::Star => repeat(0, None),
        ReOp::Plus => repeat(1, None),
        ReOp::Opt => repeat(0, Some(1)),
        ReOp::Comp => Regex::Complement(inner()),
        ReOp::Diff => {
            // The first, and none of the others.
            extra = 2;
            let others = parts().skip(1).map(|part| Regex::Complement(Arc::new(part)));
            Regex::Inter(parts().take(1).chain(others).collect())
        }
        ReOp::Range => match (single(0), single(1)) {
            (Some(low), Some(high)) => Regex::set(CharSet::range(low, high)),
            _ => Regex::Empty,
        },
        ReOp::Power(count) => repeat(count, Some(count)),
        ReOp::Loop(least, most) if least <= most => repeat(least, Some(most)),
        ReOp::Loop(..) => Regex::Empty,
    };
    let below = these.0.iter().map(|operand| match operand {
        Operand::Language(_, levels) => *levels,
        Operand::Bool(_) | Operand::Int(_) | Operand::String(_) => 0,
    });
    let levels = below.max().unwrap_or(0) + extra;
    if levels > limits.nesting {
        return Err(Failure::Limit(Limit::Nesting));
    }
    Ok(Operand::Language(Arc::new(made), levels))
}

/// An operation that is a primitive; all others are written out before anything is evaluated.
fn java(op: JavaOp, these: &Operands<'_>) -> Result<Operand, Failure> {
    let chars = |place: usize| these.chars(place);
    let primitive = match op.definition() {
        Definition::Constraints(primitive) => primitive,
        Definition::Term(_) => return Err(Failure::NotWrittenOut(op.name())),
    };
    Ok(match primitive {
        Primitive::CompareTo => Operand::Int(words::compare_to(chars(0), chars(1))),
        Primitive::LastIndexOf => Operand::Int(words::last_index_of(chars(0), chars(1), these.int(2))),
        Primitive::Letters(Case::Lower) => Operand::String(Text::from(words::to_lower_case(chars(0)))),
        Primitive::Letters(Case::Upper) => Operand::String(Text::from(words::to_upper_case(chars(0)))),
        Primitive::Trim(ranges) => Operand::String(these.text(0).part(words::trimmed(chars(0), ranges))),
    })
}
