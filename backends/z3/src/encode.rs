//! Terms of ours as terms of Z3's theory of sequences.
//!
//! The arena is walked in order, so nothing recurses and each shared term is made once. Two things differ
//! between the theories and are evened out here:
//!
//! - Z3's characters are those of `unicode`. For a smaller alphabet, every string variable of a problem is
//!   restricted to words over it ([`Encoding::side`]), `re.allchar` and `re.all` range over it, and
//!   `str.from_code` of a code beyond it is empty. Complement needs nothing: a string that is built from such
//!   variables has no other characters. Literals stay what they are, so one with foreign characters equals no
//!   variable, as in the evaluator.
//! - `re.loop` with an upper bound of zero means "no bound" in Z3's API: it is written out.
//!
//! Everything here is called inside the owner's context.

use backends_api::{BackendError, Budget};
use harness_model::{Alphabet, Char};
use harness_theory::op::{ArithOp, CoreOp, Op, ReOp, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, Terms, VarId};
use z3::ast::{Bool, Dynamic, Int};

use crate::raw::{self, Function, Refusal};

/// Terms made in Z3, and what must hold beside them.
#[derive(Debug, Default)]
pub(crate) struct Encoding {
    /// By [`TermId::index`]; only the cone of the roots.
    made: Vec<Option<Dynamic>>,
    /// The constants of the variables in the cone.
    pub(crate) variables: Vec<(VarId, Dynamic)>,
    /// That every string variable of the problem is a word over the alphabet.
    pub(crate) side: Vec<Bool>,
}

impl From<Refusal> for BackendError {
    fn from(Refusal(message): Refusal) -> Self {
        Self::Internal(format!("Z3 refused a term: {message}"))
    }
}

/// Makes `roots` and everything below. Variables from `computed` on are helpers that stand for results, not
/// the problem's own: they are not restricted to the alphabet, for a result may have characters of a literal.
/// Java's operations and variables of sort `RegLan` are unsupported. Cost: linear in the number of terms.
pub(crate) fn encode(
    terms: &Terms,
    roots: &[TermId],
    computed: usize,
    alphabet: Alphabet,
    budget: &Budget,
) -> Result<Encoding, BackendError> {
    let mut encoder = Encoder {
        alphabet,
        computed,
        all_characters: None,
        encoding: Encoding { made: vec![None; terms.len()], ..Encoding::default() },
    };
    for id in terms.cone(roots) {
        budget.tick()?;
        let made = match terms.get(id) {
            Term::Bool(value) => Dynamic::from_ast(&Bool::from_bool(*value)),
            Term::Int(value) => int(&value.to_string())?,
            Term::String(value) => literal(value.chars())?,
            Term::Var(variable) => encoder.variable(terms, *variable)?,
            Term::App(op, arguments) => {
                let arguments: Vec<Dynamic> =
                    arguments.iter().map(|&a| encoder.encoding.term(a)).collect::<Result<_, _>>()?;
                encoder.application(*op, &arguments.iter().collect::<Vec<_>>())?
            }
        };
        encoder.encoding.made[id.index()] = Some(made);
    }
    Ok(encoder.encoding)
}

impl Encoding {
    /// How many terms were made.
    pub(crate) fn len(&self) -> usize {
        self.made.iter().flatten().count()
    }

    /// The term that `id` became.
    pub(crate) fn term(&self, id: TermId) -> Result<Dynamic, BackendError> {
        let made = self.made.get(id.index()).cloned().flatten();
        made.ok_or_else(|| BackendError::Internal(format!("term {} was not made for Z3", id.index())))
    }

    /// The truth value that `id` became.
    pub(crate) fn bool(&self, id: TermId) -> Result<Bool, BackendError> {
        let made = self.term(id)?.as_bool();
        made.ok_or_else(|| BackendError::Internal(format!("term {} is no truth value in Z3", id.index())))
    }
}

/// Whether Z3 may mean something else by the function than the standard does: it evaluates neither of the
/// two, so nothing here could confirm its reading.
pub(crate) fn has_own_reading(op: Op) -> bool {
    [Op::Str(StrOp::ReplaceRe), Op::Str(StrOp::ReplaceReAll)].contains(&op)
}

/// An integer literal.
fn int(digits: &str) -> Result<Dynamic, BackendError> {
    let literal = digits.parse::<Int>().map_err(|()| Refusal(format!("the integer {digits}")))?;
    Ok(Dynamic::from_ast(&literal))
}

/// A string literal.
pub(crate) fn literal(chars: &[Char]) -> Result<Dynamic, Refusal> {
    raw::string(&chars.iter().map(|c| c.0).collect::<Vec<_>>())
}

/// The words of one character from `low` to `high`.
pub(crate) fn range(low: Char, high: Char) -> Result<Dynamic, Refusal> {
    raw::apply(Function::RE_RANGE, &[&literal(&[low])?, &literal(&[high])?])
}

/// `regex` from `low` to `high` times, for any bounds: none of them is special, and `low > high` is the empty
/// language.
pub(crate) fn repeat(regex: &Dynamic, low: u32, high: Option<u32>) -> Result<Dynamic, Refusal> {
    match high {
        Some(high) if low > high => raw::language(false),
        Some(0) => raw::apply(Function::TO_RE, &[&literal(&[])?]),
        _ => raw::repeat(regex, low, high),
    }
}

/// That `string` is a word over an alphabet that is smaller than Z3's.
pub(crate) fn over(alphabet: Alphabet, string: &Dynamic) -> Result<Option<Bool>, Refusal> {
    if alphabet.max() == Char::MAX {
        return Ok(None);
    }
    let all = raw::apply(Function::RE_STAR, &[&range(Char(0), alphabet.max())?])?;
    Ok(raw::apply(Function::IN_RE, &[string, &all])?.as_bool())
}

struct Encoder {
    alphabet: Alphabet,
    /// The place of the first variable that is not restricted.
    computed: usize,
    /// `re.allchar`, once it was needed.
    all_characters: Option<Dynamic>,
    encoding: Encoding,
}

impl Encoder {
    fn variable(&mut self, terms: &Terms, variable: VarId) -> Result<Dynamic, BackendError> {
        let declared = &terms.variables()[variable.index()];
        let sort = match declared.sort {
            Sort::Bool => z3::Sort::bool(),
            Sort::Int => z3::Sort::int(),
            Sort::String => z3::Sort::string(),
            Sort::RegLan => return Err(BackendError::Unsupported("a variable of sort RegLan".to_owned())),
        };
        let number = u32::try_from(variable.index()).map_err(|_| Refusal("too many variables".to_owned()))?;
        let constant = raw::constant(number, &sort);
        if declared.sort == Sort::String && variable.index() < self.computed {
            self.encoding.side.extend(over(self.alphabet, &constant)?);
        }
        self.encoding.variables.push((variable, constant.clone()));
        Ok(constant)
    }

    fn all_characters(&mut self) -> Result<Dynamic, Refusal> {
        if let Some(made) = &self.all_characters {
            return Ok(made.clone());
        }
        let made = range(Char(0), self.alphabet.max())?;
        self.all_characters = Some(made.clone());
        Ok(made)
    }

    fn all_strings(&mut self) -> Result<Dynamic, Refusal> {
        if self.alphabet.max() == Char::MAX {
            return raw::language(true);
        }
        raw::apply(Function::RE_STAR, &[&self.all_characters()?])
    }

    fn application(&mut self, op: Op, arguments: &[&Dynamic]) -> Result<Dynamic, BackendError> {
        let argument = |i: usize| {
            let found: Option<&&Dynamic> = arguments.get(i);
            found.copied().ok_or_else(|| Refusal(format!("'{}' without argument {i}", op.name())))
        };
        let simple = match op {
            Op::Core(CoreOp::Not) => Function::NOT,
            Op::Core(CoreOp::And) => Function::AND,
            Op::Core(CoreOp::Or) => Function::OR,
            Op::Core(CoreOp::Distinct) => Function::DISTINCT,
            Op::Core(CoreOp::Ite) => Function::ITE,
            Op::Arith(ArithOp::Neg) => Function::NEG,
            Op::Arith(ArithOp::Add) => Function::ADD,
            Op::Arith(ArithOp::Sub) => Function::SUB,
            Op::Arith(ArithOp::Mul) => Function::MUL,
            Op::Arith(ArithOp::Mod) => Function::MOD,
            Op::Str(StrOp::Concat) => Function::CONCAT,
            Op::Str(StrOp::Len) => Function::LEN,
            Op::Str(StrOp::At) => Function::AT,
            Op::Str(StrOp::Substr) => Function::SUBSTR,
            Op::Str(StrOp::PrefixOf) => Function::PREFIX_OF,
            Op::Str(StrOp::SuffixOf) => Function::SUFFIX_OF,
            Op::Str(StrOp::Contains) => Function::CONTAINS,
            Op::Str(StrOp::IndexOf) => Function::INDEX_OF,
            Op::Str(StrOp::Replace) => Function::REPLACE,
            Op::Str(StrOp::ReplaceAll) => Function::REPLACE_ALL,
            Op::Str(StrOp::ReplaceRe) => Function::REPLACE_RE,
            Op::Str(StrOp::ReplaceReAll) => Function::REPLACE_RE_ALL,
            Op::Str(StrOp::ToCode) => Function::TO_CODE,
            Op::Str(StrOp::ToInt) => Function::TO_INT,
            Op::Str(StrOp::FromInt) => Function::FROM_INT,
            Op::Str(StrOp::InRe) => Function::IN_RE,
            Op::Re(ReOp::ToRe) => Function::TO_RE,
            Op::Re(ReOp::Concat) => Function::RE_CONCAT,
            Op::Re(ReOp::Union) => Function::RE_UNION,
            Op::Re(ReOp::Inter) => Function::RE_INTER,
            Op::Re(ReOp::Star) => Function::RE_STAR,
            Op::Re(ReOp::Comp) => Function::RE_COMP,
            Op::Re(ReOp::Plus) => Function::RE_PLUS,
            Op::Re(ReOp::Opt) => Function::RE_OPT,
            Op::Re(ReOp::Range) => Function::RE_RANGE,

            Op::Core(CoreOp::Eq) => return Ok(chain(Function::EQ, arguments)?),
            Op::Arith(ArithOp::Le) => return Ok(chain(Function::LE, arguments)?),
            Op::Arith(ArithOp::Lt) => return Ok(chain(Function::LT, arguments)?),
            Op::Arith(ArithOp::Ge) => return Ok(chain(Function::GE, arguments)?),
            Op::Arith(ArithOp::Gt) => return Ok(chain(Function::GT, arguments)?),
            Op::Str(StrOp::Lt) => return Ok(chain(Function::STR_LT, arguments)?),
            Op::Str(StrOp::Le) => return Ok(chain(Function::STR_LE, arguments)?),
            Op::Core(CoreOp::Xor) => return Ok(from_left(Function::XOR, arguments)?),
            Op::Arith(ArithOp::Div) => return Ok(from_left(Function::DIV, arguments)?),
            Op::Re(ReOp::Diff) => return Ok(from_left(Function::RE_DIFF, arguments)?),
            Op::Core(CoreOp::Implies) => {
                let (last, premises) =
                    arguments.split_last().ok_or_else(|| Refusal("'=>' without arguments".to_owned()))?;
                return premises.iter().rev().try_fold((*last).clone(), |conclusion, premise| {
                    Ok(raw::apply(Function::IMPLIES, &[premise, &conclusion])?)
                });
            }
            Op::Arith(ArithOp::Abs) => {
                let opposite = raw::apply(Function::NEG, arguments)?;
                let negative = raw::apply(Function::LT, &[argument(0)?, &int("0")?])?;
                return Ok(raw::apply(Function::ITE, &[&negative, &opposite, argument(0)?])?);
            }
            Op::Str(StrOp::IsDigit) => {
                let digit = range(Char(0x30), Char(0x39))?;
                return Ok(raw::apply(Function::IN_RE, &[argument(0)?, &digit])?);
            }
            Op::Str(StrOp::FromCode) => {
                let made = raw::apply(Function::FROM_CODE, arguments)?;
                if self.alphabet.max() == Char::MAX {
                    return Ok(made);
                }
                let inside =
                    raw::apply(Function::LE, &[argument(0)?, &int(&self.alphabet.max().0.to_string())?])?;
                return Ok(raw::apply(Function::ITE, &[&inside, &made, &literal(&[])?])?);
            }
            Op::Re(ReOp::None) => return Ok(raw::language(false)?),
            Op::Re(ReOp::All) => return Ok(self.all_strings()?),
            Op::Re(ReOp::AllChar) => return Ok(self.all_characters()?),
            Op::Re(ReOp::Power(times)) => return Ok(repeat(argument(0)?, times, Some(times))?),
            Op::Re(ReOp::Loop(low, high)) => return Ok(repeat(argument(0)?, low, Some(high))?),
            Op::Java(java) => return Err(BackendError::Unsupported(java.name().to_owned())),
        };
        Ok(raw::apply(simple, arguments)?)
    }
}

/// Every neighbouring pair is related.
fn chain(relation: Function, arguments: &[&Dynamic]) -> Result<Dynamic, Refusal> {
    let links: Vec<Dynamic> =
        arguments.windows(2).map(|pair| raw::apply(relation, pair)).collect::<Result<_, _>>()?;
    match links.as_slice() {
        [link] => Ok(link.clone()),
        links => raw::apply(Function::AND, &links.iter().collect::<Vec<_>>()),
    }
}

/// Grouped from the left.
fn from_left(function: Function, arguments: &[&Dynamic]) -> Result<Dynamic, Refusal> {
    let (first, rest) =
        arguments.split_first().ok_or_else(|| Refusal("a function without arguments".to_owned()))?;
    rest.iter().try_fold((*first).clone(), |left, right| raw::apply(function, &[&left, right]))
}
