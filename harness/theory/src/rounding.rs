//! Rounding as linear integer arithmetic over scaled decimals.
//!
//! A decimal of scale `k` is the integer `u` that stands for `u / 10^k`, as in Java's `BigDecimal`. Rounding
//! it is a division by a power of ten in which the remainder decides, so with the scales known each way of
//! rounding is a term of `div`, `mod`, `ite` and multiplication by constants: piecewise linear, and decided
//! by any solver of linear integers. (SMT-LIB's `div` by a positive number rounds down, which all of the
//! terms below are made of.)
//!
//! Source: *JST: An Automatic Test Generation Tool for Industrial Java Applications with Strings*, section
//! IV-E. Its formula for `round` says `e - 0.5 <= x2 < e + 0.5` of a negative `e`, which makes -3 of -2.5;
//! Java's `Math.round`, and the sentence before that formula, give -2, the greater of the two nearest
//! integers. Here it is -2.

use std::str::FromStr;

use harness_model::int::Int;

use crate::lower::Maker;
use crate::op::{ArithOp, CoreOp};
use crate::term::TermId;

/// The modes of `java.math.RoundingMode`, and that of `Math.round`.
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
            format!("'{name}' is no rounding mode; there are {}", names.join(", "))
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

/// The decimal `unscaled` of scale `from` at scale `to`, rounded: `BigDecimal.setScale(to, mode)`. Scales up
/// to [`MAX_SCALE`]; the term has the number of nodes of a small constant. Rounding to an integer is
/// `to` = 0. With [`RoundingMode::Unnecessary`] it is defined where nothing is lost.
pub fn rescale(m: &mut Maker<'_>, unscaled: TermId, from: u32, to: u32, mode: RoundingMode) -> TermId {
    if to >= from {
        return times(m, &power_of_ten(to - from), unscaled);
    }
    let d = power_of_ten(from - to);
    let (u, zero) = (unscaled, m.terms.int(0_i64));
    match mode {
        RoundingMode::Floor | RoundingMode::Unnecessary => floor(m, u, &d),
        RoundingMode::Ceiling => ceiling(m, u, &d),
        RoundingMode::Down | RoundingMode::Up => {
            let (floor, ceiling) = (floor(m, u, &d), ceiling(m, u, &d));
            let positive = m.app(ArithOp::Le, &[zero, u]);
            let (yes, no) = if mode == RoundingMode::Down { (floor, ceiling) } else { (ceiling, floor) };
            m.app(CoreOp::Ite, &[positive, yes, no])
        }
        // The floor of x + 1/2, and the ceiling of x - 1/2, differ for ties only.
        RoundingMode::HalfCeiling => half_up(m, u, &d),
        RoundingMode::HalfUp | RoundingMode::HalfDown => {
            let (up, down) = (half_up(m, u, &d), half_down(m, u, &d));
            let positive = m.app(ArithOp::Le, &[zero, u]);
            let (yes, no) = if mode == RoundingMode::HalfUp { (up, down) } else { (down, up) };
            m.app(CoreOp::Ite, &[positive, yes, no])
        }
        RoundingMode::HalfEven => {
            let (up, down, two) = (half_up(m, u, &d), half_down(m, u, &d), m.terms.int(2_i64));
            // Both are the nearest one, or neighbours: then one of them is even.
            let odd = m.app(ArithOp::Mod, &[up, two]);
            let even = m.app(CoreOp::Eq, &[odd, zero]);
            m.app(CoreOp::Ite, &[even, up, down])
        }
    }
}

fn times(m: &mut Maker<'_>, factor: &Int, u: TermId) -> TermId {
    if factor.small() == Some(1) {
        return u;
    }
    let factor = m.terms.int(factor.clone());
    m.app(ArithOp::Mul, &[factor, u])
}

fn floor(m: &mut Maker<'_>, u: TermId, d: &Int) -> TermId {
    let d = m.terms.int(d.clone());
    m.app(ArithOp::Div, &[u, d])
}

fn ceiling(m: &mut Maker<'_>, u: TermId, d: &Int) -> TermId {
    let opposite = m.app(ArithOp::Neg, &[u]);
    let floor = floor(m, opposite, d);
    m.app(ArithOp::Neg, &[floor])
}

/// `2u + d` or `2u - d`.
fn twice(m: &mut Maker<'_>, u: TermId, d: &Int, op: ArithOp) -> TermId {
    let (double, d) = (times(m, &Int::from(2_i64), u), m.terms.int(d.clone()));
    m.app(op, &[double, d])
}

/// The floor of `u/d + 1/2`.
fn half_up(m: &mut Maker<'_>, u: TermId, d: &Int) -> TermId {
    let twice = twice(m, u, d, ArithOp::Add);
    floor(m, twice, &d.add(d))
}

/// The ceiling of `u/d - 1/2`.
fn half_down(m: &mut Maker<'_>, u: TermId, d: &Int) -> TermId {
    let twice = twice(m, u, d, ArithOp::Sub);
    ceiling(m, twice, &d.add(d))
}

/// The decimal that `text` writes (`[+-]?[0-9]+(.[0-9]+)?`), as an integer of the scale. An error when it is
/// not written so, or does not fit: when it has more digits other than zero behind the point than the scale.
///
/// ```
/// use harness_theory::rounding::decimal;
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
