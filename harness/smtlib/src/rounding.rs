//! Rounding as linear integer arithmetic over scaled decimals.
//!
//! A decimal of scale `k` is the integer `u` that stands for `u / 10^k`, as in Java's `BigDecimal`. Rounding it is a division
//! by a power of ten in which the remainder decides, so with the scales known each way of rounding is a term of `div`, `mod`,
//! `ite` and multiplication by constants: piecewise linear, and decided by any solver of linear integers. (SMT-LIB's
//! `div` by a positive number rounds down, which all of the terms below are made of.)
//!
//! Source: *JST: An Automatic Test Generation Tool for Industrial Java Applications with Strings*, section IV-E. Its formula
//! for `round` says `e - 0.5 <= x2 < e + 0.5` of a negative `e`, which makes -3 of -2.5; Java's `Math.round`, and
//! the sentence before that formula, give -2, the greater of the two nearest integers. Here it is -2.

use std::str::FromStr;

use harness_model::int::Int;
use harness_theory::op::{ArithOp, CoreOp, Op};
use harness_theory::term::{SortError, TermId, Terms};

/// The ways of rounding of `java.math.RoundingMode`, and that of `Math.round`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundingMode {
    /// Away from zero.
    Up,
    /// Towards zero.
    Down,
    /// Towards positive infinity: `Math.ceil`.
    Ceiling,
    /// Towards negative infinity: `Math.floor`.
    Floor,
    /// To the nearest, away from zero when two are equally near.
    HalfUp,
    /// To the nearest, towards zero when two are equally near.
    HalfDown,
    /// To the nearest, to the even one when two are equally near.
    HalfEven,
    /// Nothing may be lost: undefined where rounding would be needed.
    Unnecessary,
    /// To the nearest, to the greater one when two are equally near: `Math.round`.
    HalfCeiling,
}

impl RoundingMode {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Up,
        Self::Down,
        Self::Ceiling,
        Self::Floor,
        Self::HalfUp,
        Self::HalfDown,
        Self::HalfEven,
        Self::Unnecessary,
        Self::HalfCeiling,
    ];

    /// Java's name; `HALF_CEILING` is ours.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "UP",
            Self::Down => "DOWN",
            Self::Ceiling => "CEILING",
            Self::Floor => "FLOOR",
            Self::HalfUp => "HALF_UP",
            Self::HalfDown => "HALF_DOWN",
            Self::HalfEven => "HALF_EVEN",
            Self::Unnecessary => "UNNECESSARY",
            Self::HalfCeiling => "HALF_CEILING",
        }
    }
}

impl FromStr for RoundingMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|mode| mode.name()).collect();
            format!("'{name}' is no way of rounding: there are {}", names.join(", "))
        })
    }
}

/// The largest scale that is taken: more digits than any sum of money has.
pub const MAX_SCALE: u32 = 100;

/// `10^scale`.
pub fn power_of_ten(scale: u32) -> Int {
    let ten = Int::from(10_i64);
    (0..scale).fold(Int::from(1_i64), |power, _| power.mul(&ten))
}

/// What [`rescale`] makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounded {
    /// The decimal of the new scale.
    pub term: TermId,
    /// When it is defined; `None` for always.
    pub defined: Option<TermId>,
}

/// The decimal `unscaled` of scale `from` at scale `to`, rounded: `BigDecimal.setScale(to, mode)`. Scales up to
/// [`MAX_SCALE`]; the term has the number of nodes of a small constant. Rounding to an integer is `to` = 0.
pub fn rescale(
    terms: &mut Terms,
    unscaled: TermId,
    from: u32,
    to: u32,
    mode: RoundingMode,
) -> Result<Rounded, SortError> {
    let mut m = Maker { terms };
    if to >= from {
        let term = m.times(&power_of_ten(to - from), unscaled)?;
        return Ok(Rounded { term, defined: None });
    }
    let d = power_of_ten(from - to);
    let (u, zero) = (unscaled, m.terms.int(0_i64));
    let mut defined = None;
    let term = match mode {
        RoundingMode::Floor => m.floor(u, &d)?,
        RoundingMode::Ceiling => m.ceiling(u, &d)?,
        RoundingMode::Down | RoundingMode::Up => {
            let (floor, ceiling) = (m.floor(u, &d)?, m.ceiling(u, &d)?);
            let positive = m.app(Op::Arith(ArithOp::Le), &[zero, u])?;
            let (yes, no) = if mode == RoundingMode::Down { (floor, ceiling) } else { (ceiling, floor) };
            m.app(Op::Core(CoreOp::Ite), &[positive, yes, no])?
        }
        // The floor of x + 1/2, and the ceiling of x - 1/2, differ for ties only.
        RoundingMode::HalfCeiling => m.half_up(u, &d)?,
        RoundingMode::HalfUp | RoundingMode::HalfDown => {
            let (up, down) = (m.half_up(u, &d)?, m.half_down(u, &d)?);
            let positive = m.app(Op::Arith(ArithOp::Le), &[zero, u])?;
            let (yes, no) = if mode == RoundingMode::HalfUp { (up, down) } else { (down, up) };
            m.app(Op::Core(CoreOp::Ite), &[positive, yes, no])?
        }
        RoundingMode::HalfEven => {
            let (up, down, two) = (m.half_up(u, &d)?, m.half_down(u, &d)?, m.terms.int(2_i64));
            // Both are the nearest one, or neighbours: then one of them is even.
            let odd = m.app(Op::Arith(ArithOp::Mod), &[up, two])?;
            let even = m.app(Op::Core(CoreOp::Eq), &[odd, zero])?;
            m.app(Op::Core(CoreOp::Ite), &[even, up, down])?
        }
        RoundingMode::Unnecessary => {
            let divisor = m.terms.int(d.clone());
            let rest = m.app(Op::Arith(ArithOp::Mod), &[u, divisor])?;
            defined = Some(m.app(Op::Core(CoreOp::Eq), &[rest, zero])?);
            m.floor(u, &d)?
        }
    };
    Ok(Rounded { term, defined })
}

/// Makes the terms of one rounding.
struct Maker<'t> {
    terms: &'t mut Terms,
}

type Made = Result<TermId, SortError>;

impl Maker<'_> {
    fn app(&mut self, op: Op, arguments: &[TermId]) -> Made {
        self.terms.app(op, arguments)
    }

    fn times(&mut self, factor: &Int, u: TermId) -> Made {
        if factor.small() == Some(1) {
            return Ok(u);
        }
        let factor = self.terms.int(factor.clone());
        self.app(Op::Arith(ArithOp::Mul), &[factor, u])
    }

    fn floor(&mut self, u: TermId, d: &Int) -> Made {
        let d = self.terms.int(d.clone());
        self.app(Op::Arith(ArithOp::Div), &[u, d])
    }

    fn ceiling(&mut self, u: TermId, d: &Int) -> Made {
        let opposite = self.app(Op::Arith(ArithOp::Neg), &[u])?;
        let floor = self.floor(opposite, d)?;
        self.app(Op::Arith(ArithOp::Neg), &[floor])
    }

    /// `2u + d` or `2u - d`.
    fn twice(&mut self, u: TermId, d: &Int, op: Op) -> Made {
        let (double, d) = (self.times(&Int::from(2_i64), u)?, self.terms.int(d.clone()));
        self.app(op, &[double, d])
    }

    /// The floor of `u/d + 1/2`.
    fn half_up(&mut self, u: TermId, d: &Int) -> Made {
        let twice = self.twice(u, d, Op::Arith(ArithOp::Add))?;
        self.floor(twice, &d.add(d))
    }

    /// The ceiling of `u/d - 1/2`.
    fn half_down(&mut self, u: TermId, d: &Int) -> Made {
        let twice = self.twice(u, d, Op::Arith(ArithOp::Sub))?;
        self.ceiling(twice, &d.add(d))
    }
}

/// The decimal that `text` writes (`[+-]?[0-9]+(.[0-9]+)?`), as an integer of the scale. An error when it is not written so,
/// or does not fit: when it has more digits other than zero behind the point than the scale.
///
/// ```
/// use harness_smtlib::rounding::decimal;
/// assert_eq!(decimal("-12.5", 2).map(|u| u.to_string()), Ok("-1250".to_owned()));
/// assert!(decimal("0.125", 2).unwrap_err().contains("does not fit"));
/// ```
pub fn decimal(text: &str, scale: u32) -> Result<Int, String> {
    let malformed = || format!("'{text}' is no decimal: digits, and behind a point more digits");
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, fraction) = match digits.split_once('.') {
        Some((_, "")) => return Err(malformed()),
        Some(parts) => parts,
        None => (digits, ""),
    };
    if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return Err(malformed());
    }
    let fraction = fraction.trim_end_matches('0');
    let missing = (scale as usize).checked_sub(fraction.len()).ok_or_else(|| {
        format!("the decimal {text} does not fit: it has {} places, the scale is {scale}", fraction.len())
    })?;
    let written = format!("{whole}{fraction}{}", "0".repeat(missing));
    let value: Int = written.parse().map_err(|_| malformed())?;
    Ok(if negative { value.neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness_check::eval::Evaluator;
    use harness_model::Alphabet;
    use harness_theory::sort::Sort;
    use harness_theory::{Assignment, Value};

    /// `u / d` rounded by comparing twice the distances to the two neighbours: no division rounds here but Rust's
    /// towards zero.
    fn exact(u: i128, d: i128, mode: RoundingMode) -> Option<i128> {
        let toward_zero = u / d;
        let below = if u % d < 0 { toward_zero - 1 } else { toward_zero };
        let above = if u % d == 0 { below } else { below + 1 };
        let (to_below, to_above) = (2 * (u - below * d), 2 * (above * d - u));
        let nearest = |tie: i128| match to_below.cmp(&to_above) {
            std::cmp::Ordering::Less => below,
            std::cmp::Ordering::Greater => above,
            std::cmp::Ordering::Equal => tie,
        };
        let (outward, inward) = if u < 0 { (below, above) } else { (above, below) };
        Some(match mode {
            RoundingMode::Up => outward,
            RoundingMode::Down => inward,
            RoundingMode::Ceiling => above,
            RoundingMode::Floor => below,
            RoundingMode::HalfUp => nearest(outward),
            RoundingMode::HalfDown => nearest(inward),
            RoundingMode::HalfEven => nearest(if below % 2 == 0 { below } else { above }),
            RoundingMode::HalfCeiling => nearest(above),
            RoundingMode::Unnecessary if below == above => below,
            RoundingMode::Unnecessary => return None,
        })
    }

    #[test]
    fn every_mode_is_exact_rational_arithmetic() {
        for mode in RoundingMode::ALL {
            for (from, to) in [(1, 0), (2, 0), (2, 1), (3, 1), (0, 0), (1, 3)] {
                let mut terms = Terms::new();
                let variable = terms.variable("u", Sort::Int);
                let u = terms.var(variable);
                let made = rescale(&mut terms, u, from, to, mode).unwrap();
                let defined = made.defined.unwrap_or_else(|| terms.bool(true));
                let roots = [made.term, defined];
                let mut evaluator = Evaluator::new(&terms, &roots, Alphabet::Ascii);
                for value in (-260_i64..=260).chain([-99_995, 99_995, 123_456_789, i64::MAX / 2]) {
                    let assignment: Assignment = [(variable, Value::Int(Int::from(value)))].into();
                    evaluator.run(&assignment).unwrap();
                    let found = evaluator.value(0).unwrap();
                    let holds = evaluator.value(1).unwrap() == Some(Value::Bool(true));
                    let wanted = match from.checked_sub(to) {
                        Some(places) => exact(i128::from(value), 10_i128.pow(places), mode),
                        None => Some(i128::from(value) * 10_i128.pow(to - from)),
                    };
                    let shown = format!("{value} from {from} to {to} {}", mode.name());
                    assert_eq!(holds, wanted.is_some(), "{shown}");
                    if let Some(wanted) = wanted {
                        let wanted: Int = wanted.to_string().parse().unwrap();
                        assert_eq!(found, Some(Value::Int(wanted)), "{shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_corrected_case_of_the_paper() {
        assert_eq!(exact(-25, 10, RoundingMode::HalfCeiling), Some(-2));
        assert_eq!(exact(25, 10, RoundingMode::HalfCeiling), Some(3));
        assert_eq!(exact(16, 10, RoundingMode::HalfCeiling), Some(2));
    }

    #[test]
    fn names_are_read_back() {
        for mode in RoundingMode::ALL {
            assert_eq!(mode.name().parse(), Ok(mode));
        }
        assert!("half_up".parse::<RoundingMode>().unwrap_err().contains("HALF_UP"));
    }

    #[test]
    fn decimals() {
        let good =
            [("0", 0, "0"), ("12", 2, "1200"), ("-0.50", 1, "-5"), ("+7.25", 2, "725"), ("-0", 3, "0")];
        for (text, scale, wanted) in good {
            assert_eq!(decimal(text, scale).map(|u| u.to_string()), Ok(wanted.to_owned()), "{text}");
        }
        for text in ["", "-", ".", "1.", ".5", "1e3", "0x1", "1.2.3", "--1", "1,5", "\u{661}"] {
            assert!(decimal(text, 4).unwrap_err().contains("is no decimal"), "{text}");
        }
        assert!(decimal("3.14159", 2).unwrap_err().contains("has 5 places, the scale is 2"));
    }
}
