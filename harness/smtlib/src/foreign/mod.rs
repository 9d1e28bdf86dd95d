//! Functions of other theories: arrays that are read, bit-vectors, floating-point numbers, and what solvers
//! add to integers.
//!
//! What is here is exact. A function whose results nobody computes here (division of two numbers that are not
//! written out, say) is one without a meaning, which [`crate::functions`] refuses where its result matters.

mod bits;
mod floats;

use harness_model::Char;
use harness_model::int::Int;
use harness_theory::Sort;
use harness_theory::term::{TermId, Terms};

use crate::ReadError;
use crate::functions::{Functions, Typed};
use crate::lex::{Kind, Tokens};
use crate::numbers::{Float, Numbers, literal, power};
use crate::recursion;
use crate::sorts::{Foreign, ForeignSort, MOST_BITS, ScriptSort, SortNames};

/// Where an application is made.
pub struct Place<'r, 'a> {
    /// The text.
    pub tokens: &'r Tokens<'a>,
    /// Where terms are made.
    pub terms: &'r mut Terms,
    /// The sorts of the script.
    pub sorts: &'r mut SortNames,
    /// Its functions.
    pub functions: &'r mut Functions,
    /// The token at which the application stands.
    pub at: usize,
}

/// The ways to round, by their codes.
const ROUNDING: [[&str; 2]; 5] = [
    ["RNE", "roundNearestTiesToEven"],
    ["RNA", "roundNearestTiesToAway"],
    ["RTP", "roundTowardPositive"],
    ["RTN", "roundTowardNegative"],
    ["RTZ", "roundTowardZero"],
];

/// The way to round that the number stands for.
pub fn rounding_mode(number: usize) -> &'static str {
    ROUNDING[number.min(ROUNDING.len() - 1)][0]
}

/// Functions of these theories that take no index.
const PLAIN: [&str; 69] = [
    "str.update",
    "str.rev",
    "str.to_lower",
    "str.to_upper",
    "str.tolower",
    "str.toupper",
    "select",
    "^",
    "to_int",
    "bv2nat",
    "bv2int",
    "ubv_to_int",
    "sbv_to_int",
    "bvnot",
    "bvneg",
    "bvand",
    "bvor",
    "bvxor",
    "bvnand",
    "bvnor",
    "bvxnor",
    "bvadd",
    "bvsub",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvsdiv",
    "bvsrem",
    "bvsmod",
    "bvshl",
    "bvlshr",
    "bvashr",
    "bvult",
    "bvule",
    "bvugt",
    "bvuge",
    "bvslt",
    "bvsle",
    "bvsgt",
    "bvsge",
    "bvcomp",
    "concat",
    "fp",
    "fp.abs",
    "fp.neg",
    "fp.add",
    "fp.sub",
    "fp.mul",
    "fp.div",
    "fp.fma",
    "fp.sqrt",
    "fp.rem",
    "fp.roundToIntegral",
    "fp.min",
    "fp.max",
    "fp.leq",
    "fp.lt",
    "fp.geq",
    "fp.gt",
    "fp.eq",
    "fp.isNormal",
    "fp.isSubnormal",
    "fp.isZero",
    "fp.isInfinite",
    "fp.isNaN",
    "fp.isNegative",
    "fp.isPositive",
    "fp.to_ieee_bv",
    "store",
];

/// Functions of these theories that take indices.
const INDEXED: [&str; 14] = [
    "int2bv",
    "nat2bv",
    "int_to_bv",
    "extract",
    "repeat",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "to_fp",
    "to_fp_unsigned",
    "fp.to_ubv",
    "fp.to_sbv",
    "divisible",
];

/// Whether `name`, with indices or without, is a function of these theories.
pub fn is_function(name: &str, indexed: bool) -> bool {
    if indexed { INDEXED.contains(&name) } else { PLAIN.contains(&name) }
}

/// A constant of these theories: a way to round.
pub fn constant(terms: &mut Terms, sorts: &mut SortNames, name: &str) -> Option<Typed> {
    let code = ROUNDING.iter().position(|names| names.contains(&name))?;
    Some(Typed { term: terms.int(code), sort: sorts.intern(Foreign::RoundingMode) })
}

/// A bit-vector in the text: `#b0101` or `#x5`.
pub fn bits(place: &mut Place<'_, '_>) -> Result<Typed, ReadError> {
    let tokens = place.tokens;
    let (radix, each) = if tokens.kind(place.at) == Kind::Binary { (2, 1) } else { (16, 4) };
    let digits = &tokens.text(place.at)?[2..];
    let width = u32::try_from(digits.len()).unwrap_or(u32::MAX).saturating_mul(each);
    if width > MOST_BITS {
        return Err(tokens.unsupported(place.at, format!("more than {MOST_BITS} bits are not supported")));
    }
    let mut value = Int::ZERO;
    for digit in digits.chars() {
        value = value.mul(&Int::from(radix)).add(&Int::from(digit.to_digit(radix).unwrap_or(0)));
    }
    let sort = place.sorts.intern(Foreign::BitVec(width));
    Ok(Typed { term: place.terms.int(value), sort })
}

/// `(_ bvN n)`, `(_ +oo e s)` and other constants with indices; `None` for a name that is none of them.
pub fn indexed_constant(
    place: &mut Place<'_, '_>,
    name: &str,
    indices: &[u32],
) -> Result<Option<Typed>, ReadError> {
    if let (Some(digits), [width]) = (name.strip_prefix("bv"), indices)
        && let Ok(value) = digits.parse::<Int>()
    {
        if *width == 0 || *width > MOST_BITS || value >= power(*width) {
            return Err(place.tokens.error(place.at, format!("{digits} does not fit into {width} bits")));
        }
        let sort = place.sorts.intern(Foreign::BitVec(*width));
        return Ok(Some(Typed { term: place.terms.int(value), sort }));
    }
    let [exponent, significand] = *indices else { return Ok(None) };
    let float = Float { exponent, significand };
    if !["+oo", "-oo", "NaN", "+zero", "-zero"].contains(&name) {
        return Ok(None);
    }
    if !(2..=MOST_BITS).contains(&exponent) || !(2..=MOST_BITS).contains(&significand) {
        return Err(place.tokens.error(place.at, "a floating-point sort has two widths of at least 2"));
    }
    let value = match name {
        "+oo" => float.infinity(),
        "-oo" => float.infinity().add(&float.half()),
        "NaN" => float.nan(),
        "-zero" => float.half(),
        _ => Int::ZERO,
    };
    let sort = place.sorts.intern(Foreign::Float { exponent, significand });
    Ok(Some(Typed { term: place.terms.int(value), sort }))
}

impl Place<'_, '_> {
    fn error(&self, message: impl Into<String>) -> ReadError {
        self.tokens.error(self.at, message)
    }

    fn numbers(&mut self) -> Numbers<'_> {
        Numbers::new(self.terms)
    }

    fn count(&self, name: &str, arguments: &[Typed], wanted: usize) -> Result<(), ReadError> {
        if arguments.len() == wanted {
            return Ok(());
        }
        let (s, found) = (if wanted == 1 { "" } else { "s" }, arguments.len());
        Err(self.error(format!("'{name}' takes {wanted} argument{s}, not {found}")))
    }

    fn wrong(&self, name: &str, number: usize, wanted: &str, found: ScriptSort) -> ReadError {
        let found = self.sorts.name(found);
        self.error(format!("argument {} of '{name}' must be {wanted}, not of sort {found}", number + 1))
    }

    /// The width of the argument, a bit-vector.
    fn width(&self, name: &str, arguments: &[Typed], number: usize) -> Result<u32, ReadError> {
        let sort = arguments[number].sort;
        match sort {
            ScriptSort::Foreign(place) => match *self.sorts.get(place) {
                Foreign::BitVec(width) => Some(width),
                Foreign::Declared(..)
                | Foreign::Array { .. }
                | Foreign::Float { .. }
                | Foreign::RoundingMode
                | Foreign::Hole(_) => None,
            },
            ScriptSort::Plain(_) => None,
        }
        .ok_or_else(|| self.wrong(name, number, "a bit-vector", sort))
    }

    /// The one width of all arguments, bit-vectors.
    fn widths(&self, name: &str, arguments: &[Typed]) -> Result<u32, ReadError> {
        let width = self.width(name, arguments, 0)?;
        for (number, argument) in arguments.iter().enumerate().skip(1) {
            if self.width(name, arguments, number)? != width {
                let wanted = format!("of {width} bits, as the first");
                return Err(self.wrong(name, number, &wanted, argument.sort));
            }
        }
        Ok(width)
    }

    /// The encoding of the argument, a floating-point number.
    fn float(&self, name: &str, arguments: &[Typed], number: usize) -> Result<Float, ReadError> {
        let sort = arguments[number].sort;
        match sort {
            ScriptSort::Foreign(place) => match *self.sorts.get(place) {
                Foreign::Float { exponent, significand } => Some(Float { exponent, significand }),
                Foreign::Declared(..)
                | Foreign::Array { .. }
                | Foreign::BitVec(_)
                | Foreign::RoundingMode
                | Foreign::Hole(_) => None,
            },
            ScriptSort::Plain(_) => None,
        }
        .ok_or_else(|| self.wrong(name, number, "a floating-point number", sort))
    }

    /// Whether the first argument is a way to round.
    fn rounding(&mut self, name: &str, arguments: &[Typed]) -> Result<(), ReadError> {
        if arguments[0].sort == self.sorts.intern(Foreign::RoundingMode) {
            return Ok(());
        }
        Err(self.wrong(name, 0, "a rounding mode", arguments[0].sort))
    }

    /// The one encoding of the arguments from `first`.
    fn floats(&self, name: &str, arguments: &[Typed], first: usize) -> Result<Float, ReadError> {
        let float = self.float(name, arguments, first)?;
        for (number, argument) in arguments.iter().enumerate().skip(first + 1) {
            if self.float(name, arguments, number)? != float {
                return Err(self.wrong(name, number, "of the sort of the others", argument.sort));
            }
        }
        Ok(float)
    }

    fn integer(&self, name: &str, arguments: &[Typed], number: usize) -> Result<TermId, ReadError> {
        let Typed { term, sort } = arguments[number];
        if sort == ScriptSort::Plain(Sort::Int) {
            return Ok(term);
        }
        Err(self.wrong(name, number, "an integer", sort))
    }

    /// A result that nobody computes here.
    fn missing(&mut self, name: &str, arguments: &[Typed], result: ScriptSort) -> Typed {
        self.missing_because(name, &format!("'{name}' is not supported"), arguments, result)
    }

    fn missing_because(
        &mut self,
        name: &str,
        message: &str,
        arguments: &[Typed],
        result: ScriptSort,
    ) -> Typed {
        let parameters = arguments.iter().map(|argument| argument.sort).collect();
        let function = self.functions.missing(name, message, parameters, result);
        let arguments: Vec<TermId> = arguments.iter().map(|argument| argument.term).collect();
        self.functions.apply(self.tokens, self.terms, self.sorts, function, &arguments, self.at)
    }

    /// `name` with its indices applied to `arguments`, of which there is at least one.
    pub fn apply(&mut self, name: &str, indices: &[u32], arguments: &[Typed]) -> Result<Typed, ReadError> {
        match name {
            "select" => self.select(arguments),
            "store" => self.store(arguments),
            "^" | "to_int" | "divisible" => self.arithmetic(name, indices, arguments),
            _ if name.starts_with("str.") => self.string(name, arguments),
            _ if name == "fp" || name.starts_with("fp.") || name.starts_with("to_fp") => {
                self.floating(name, indices, arguments)
            }
            _ => self.bit_vector(name, indices, arguments),
        }
    }

    /// The sort of the first argument, an array that has the second as an index, with its index and element.
    fn array(
        &self,
        name: &str,
        arguments: &[Typed],
    ) -> Result<(ForeignSort, ScriptSort, ScriptSort), ReadError> {
        let [array, index] = [arguments[0], arguments[1]];
        let ScriptSort::Foreign(sort) = array.sort else {
            return Err(self.wrong(name, 0, "an array", array.sort));
        };
        let &Foreign::Array { index: wanted, element } = self.sorts.get(sort) else {
            return Err(self.wrong(name, 0, "an array", array.sort));
        };
        if index.sort != wanted {
            let wanted = format!("of sort {}", self.sorts.name(wanted));
            return Err(self.wrong(name, 1, &wanted, index.sort));
        }
        Ok((sort, wanted, element))
    }

    fn select(&mut self, arguments: &[Typed]) -> Result<Typed, ReadError> {
        self.count("select", arguments, 2)?;
        let (array, index, element) = self.array("select", arguments)?;
        let function = self.functions.select(array, index, element);
        let arguments = [arguments[0].term, arguments[1].term];
        Ok(self.functions.apply(self.tokens, self.terms, self.sorts, function, &arguments, self.at))
    }

    fn store(&mut self, arguments: &[Typed]) -> Result<Typed, ReadError> {
        self.count("store", arguments, 3)?;
        let (array, index, element) = self.array("store", arguments)?;
        if arguments[2].sort != element {
            let wanted = format!("of sort {}", self.sorts.name(element));
            return Err(self.wrong("store", 2, &wanted, arguments[2].sort));
        }
        let function = self.functions.store(array, index, element);
        let arguments: Vec<TermId> = arguments.iter().map(|argument| argument.term).collect();
        Ok(self.functions.apply(self.tokens, self.terms, self.sorts, function, &arguments, self.at))
    }

    /// What solvers add to strings: parts replaced, and letters of ASCII in the other case.
    fn string(&mut self, name: &str, arguments: &[Typed]) -> Result<Typed, ReadError> {
        let sorts: &[Sort] =
            if name == "str.update" { &[Sort::String, Sort::Int, Sort::String] } else { &[Sort::String] };
        self.count(name, arguments, sorts.len())?;
        for (number, (argument, &sort)) in arguments.iter().zip(sorts).enumerate() {
            if argument.sort != ScriptSort::Plain(sort) {
                return Err(self.wrong(name, number, &format!("of sort {sort}"), argument.sort));
            }
        }
        let source = arguments[0].term;
        let term = match name {
            "str.update" => self.numbers().updated([source, arguments[1].term, arguments[2].term]),
            "str.rev" => return Ok(self.missing(name, arguments, Sort::String.into())),
            _ => {
                let (first, last, by) = match name {
                    "str.to_lower" | "str.tolower" => ('A', 'Z', 32),
                    _ => ('a', 'z', -32),
                };
                let [first, last] = [first, last].map(|c| Char(u32::from(c)));
                let mapped = recursion::mapped(self.terms, source, first, last, by);
                mapped.ok_or_else(|| self.error(format!("'{name}' cannot be applied here")))?
            }
        };
        Ok(Typed { term, sort: Sort::String.into() })
    }

    /// What solvers add to integers.
    fn arithmetic(&mut self, name: &str, indices: &[u32], arguments: &[Typed]) -> Result<Typed, ReadError> {
        self.count(name, arguments, if name == "^" { 2 } else { 1 })?;
        let base = self.integer(name, arguments, 0)?;
        let typed = |term, sort: Sort| Typed { term, sort: sort.into() };
        match (name, indices) {
            // An integer is rounded to itself.
            ("to_int", []) => Ok(typed(base, Sort::Int)),
            ("divisible", &[divisor]) if divisor > 0 => {
                let mut numbers = self.numbers();
                let (divisor, zero) = (numbers.int(Int::from(divisor)), numbers.int(Int::ZERO));
                let rest = numbers.modulo(base, divisor);
                Ok(typed(numbers.equal(rest, zero), Sort::Bool))
            }
            ("divisible", _) => Err(self.error("'divisible' has one index, a positive number")),
            _ => {
                let exponent = self.integer(name, arguments, 1)?;
                let exponents = literal(self.terms, exponent).and_then(|e| e.small());
                match (literal(self.terms, base), exponents) {
                    // More bits than this no script means.
                    (Some(base), Some(exponent @ 0..=4096)) if base.bits() <= 64 => {
                        let power = (0..exponent).fold(Int::from(1_i64), |power, _| power.mul(&base));
                        Ok(typed(self.terms.int(power), Sort::Int))
                    }
                    (Some(_) | None, _) => {
                        let message =
                            "'^' is supported between numbers that are written out, up to the exponent 4096";
                        Ok(self.missing_because(name, message, arguments, Sort::Int.into()))
                    }
                }
            }
        }
    }
}
