//! Mathematical integers: unbounded, and cheap while they are small.
//!
//! Invariant: a value that fits an `i64` is `Small`, so equal integers are equal values.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;

/// An integer of SMT-LIB's sort `Int`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    /// Never fits an `i64`.
    Big(Box<BigInt>),
}

impl Int {
    /// Zero.
    pub const ZERO: Self = Self(Repr::Small(0));
    /// Minus one, the "not found" of the theory of strings.
    pub const MINUS_ONE: Self = Self(Repr::Small(-1));

    fn of_big(value: BigInt) -> Self {
        match i64::try_from(&value) {
            Ok(small) => Self(Repr::Small(small)),
            Err(_) => Self(Repr::Big(Box::new(value))),
        }
    }

    fn big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(v) => BigInt::from(*v),
            Repr::Big(v) => (**v).clone(),
        }
    }

    fn with(
        &self,
        other: &Self,
        small: fn(i64, i64) -> Option<i64>,
        big: fn(BigInt, BigInt) -> BigInt,
    ) -> Self {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(value) = small(*a, *b)
        {
            return Self(Repr::Small(value));
        }
        Self::of_big(big(self.big(), other.big()))
    }

    /// Sum.
    pub fn add(&self, other: &Self) -> Self {
        self.with(other, i64::checked_add, |a, b| a + b)
    }

    /// Difference.
    pub fn sub(&self, other: &Self) -> Self {
        self.with(other, i64::checked_sub, |a, b| a - b)
    }

    /// Product.
    pub fn mul(&self, other: &Self) -> Self {
        self.with(other, i64::checked_mul, |a, b| a * b)
    }

    /// The opposite.
    pub fn neg(&self) -> Self {
        Self::ZERO.sub(self)
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Quotient as SMT-LIB defines it: the remainder is never negative. `None` for a zero divisor, which the
    /// standard leaves uninterpreted.
    pub fn div(&self, divisor: &Self) -> Option<Self> {
        let remainder = self.modulo(divisor)?;
        let exact = self.sub(&remainder);
        Some(exact.with(divisor, i64::checked_div, |a, b| a / b))
    }

    /// Remainder as SMT-LIB defines it: from zero up to the absolute value of the divisor, exclusive. `None`
    /// for a zero divisor.
    pub fn modulo(&self, divisor: &Self) -> Option<Self> {
        if *divisor == Self::ZERO {
            return None;
        }
        Some(self.with(divisor, i64::checked_rem_euclid, |a, b| {
            let size = if b < BigInt::ZERO { -b } else { b };
            let rest = a % &size;
            if rest < BigInt::ZERO { rest + size } else { rest }
        }))
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(v) => *v < 0,
            Repr::Big(v) => **v < BigInt::ZERO,
        }
    }

    /// How many bits its absolute value takes; at most 64 for one that fits an `i64`.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small(v) => u64::from(u64::BITS - v.unsigned_abs().leading_zeros()),
            Repr::Big(v) => v.bits(),
        }
    }

    /// As a position in a string of `length` characters or just after it, if it is one.
    pub fn position(&self, length: usize) -> Option<usize> {
        usize::try_from(self.small()?).ok().filter(|&p| p <= length)
    }

    /// Its value, if it fits.
    pub fn small(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(v) => Some(v),
            Repr::Big(_) => None,
        }
    }

    /// The value of a non-empty word of the digits `0` to `9`; `None` for anything else.
    pub fn of_digits(digits: impl ExactSizeIterator<Item = u32>) -> Option<Self> {
        if digits.len() == 0 {
            return None;
        }
        let mut text = Vec::with_capacity(digits.len());
        for digit in digits {
            text.push(u8::try_from(digit).ok().filter(u8::is_ascii_digit)?);
        }
        if let [first, rest @ ..] = text.as_slice()
            && rest.len() < 18
        {
            let value = rest.iter().fold(i64::from(first - b'0'), |v, d| v * 10 + i64::from(d - b'0'));
            return Some(Self(Repr::Small(value)));
        }
        BigInt::parse_bytes(&text, 10).map(Self::of_big)
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Self(Repr::Small(value))
    }
}

impl From<u32> for Int {
    fn from(value: u32) -> Self {
        Self(Repr::Small(i64::from(value)))
    }
}

impl From<usize> for Int {
    fn from(value: usize) -> Self {
        i64::try_from(value).map_or_else(|_| Self::of_big(BigInt::from(value)), Self::from)
    }
}

impl FromStr for Int {
    type Err = num_bigint::ParseBigIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse::<i64>() {
            Ok(value) => Ok(Self::from(value)),
            Err(_) => text.parse().map(Self::of_big),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(v) => v.fmt(f),
            Repr::Big(v) => v.fmt(f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Int {
        text.parse().unwrap()
    }

    #[test]
    fn growing_and_shrinking_again_gives_equal_values() {
        let max = Int::from(i64::MAX);
        let beyond = max.add(&Int::from(1_i64));
        assert_eq!(beyond.to_string(), "9223372036854775808");
        assert_eq!(beyond.sub(&Int::from(1_i64)), max);
        assert!(beyond > max && beyond.neg() < max.neg());
        assert_eq!(Int::from(i64::MIN).neg(), beyond);
        assert_eq!(Int::from(i64::MIN).abs(), beyond);
        assert_eq!(max.mul(&max).div(&max), Some(max));
    }

    #[test]
    fn division_leaves_no_negative_rest() {
        for a in -20_i64..=20 {
            for b in (-6_i64..=6).filter(|&b| b != 0) {
                let (a, b) = (Int::from(a), Int::from(b));
                let (q, r) = (a.div(&b).unwrap(), a.modulo(&b).unwrap());
                assert_eq!(q.mul(&b).add(&r), a);
                assert!(!r.is_negative() && r < b.abs());
                // The same beyond 64 bits.
                let far = int("36893488147419103232");
                let shifted = a.add(&far.mul(&b));
                assert_eq!(shifted.modulo(&b), Some(r));
                assert_eq!(shifted.div(&b), Some(q.add(&far)));
            }
        }
        assert_eq!(Int::from(i64::MIN).div(&Int::MINUS_ONE), Some(int("9223372036854775808")));
        assert_eq!(Int::from(1_i64).div(&Int::ZERO), None);
        assert_eq!(Int::from(1_i64).modulo(&Int::ZERO), None);
    }

    #[test]
    fn digits() {
        let of = |text: &str| Int::of_digits(text.chars().map(u32::from).collect::<Vec<_>>().into_iter());
        assert_eq!(of(""), None);
        assert_eq!(of("-1"), None);
        assert_eq!(of("12a"), None);
        assert_eq!(of("\u{661}"), None);
        assert_eq!(of("007"), Some(Int::from(7_i64)));
        for text in [
            "999999999999999999",
            "9223372036854775807",
            "9223372036854775808",
            "123456789012345678901234567890",
        ] {
            assert_eq!(of(text), Some(int(text)));
        }
    }
}
