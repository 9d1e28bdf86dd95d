//! Functions of floating-point numbers.

use harness_model::int::Int;
use harness_theory::Sort;
use harness_theory::term::TermId;

use super::Place;
use crate::ReadError;
use crate::functions::Typed;
use crate::numbers::{Float, literal, power};
use crate::sorts::{Foreign, MOST_BITS};

impl Place<'_, '_> {
    pub(super) fn floating(
        &mut self,
        name: &str,
        indices: &[u32],
        arguments: &[Typed],
    ) -> Result<Typed, ReadError> {
        let rounded = ["fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fma", "fp.sqrt", "fp.roundToIntegral"];
        let first = usize::from(rounded.contains(&name));
        match name {
            "fp" => return self.assembled(arguments),
            "to_fp" | "to_fp_unsigned" => return self.float_of(name, indices, arguments),
            "fp.to_ubv" | "fp.to_sbv" => {
                let &[bits] = indices else { return Err(self.error(format!("'{name}' has one index"))) };
                self.count(name, arguments, 2)?;
                self.rounding(name, arguments)?;
                self.float(name, arguments, 1)?;
                let sort = self.bits_sort(bits)?;
                return Ok(self.missing(name, arguments, sort));
            }
            _ => {}
        }
        if arguments.len() <= first {
            return self.count(name, arguments, first + 1).map(|()| arguments[0]);
        }
        if first == 1 {
            self.rounding(name, arguments)?;
        }
        let float = self.floats(name, arguments, first)?;
        let sort = arguments[first].sort;
        let wanted = match name {
            "fp.fma" => 4,
            "fp.add" | "fp.sub" | "fp.mul" | "fp.div" => 3,
            "fp.sqrt" | "fp.roundToIntegral" | "fp.rem" | "fp.min" | "fp.max" => 2,
            "fp.leq" | "fp.lt" | "fp.geq" | "fp.gt" | "fp.eq" if arguments.len() >= 2 => arguments.len(),
            "fp.leq" | "fp.lt" | "fp.geq" | "fp.gt" | "fp.eq" => 2,
            _ => 1,
        };
        self.count(name, arguments, wanted)?;
        let a = arguments[first].term;
        let bool = |term| Typed { term, sort: Sort::Bool.into() };
        let mut n = self.numbers();
        Ok(match name {
            "fp.abs" => Typed { term: n.magnitude(float, a), sort },
            "fp.neg" => Typed { term: n.opposite(float, a), sort },
            "fp.isNaN" => bool(n.is_nan(float, a)),
            "fp.isNegative" => bool(n.is_negative(float, a)),
            "fp.isPositive" => {
                let (nan, negative) = (n.is_nan(float, a), n.is_negative(float, a));
                let parts = [n.not(nan), n.not(negative)];
                bool(n.and(&parts))
            }
            "fp.isZero" | "fp.isInfinite" | "fp.isNormal" | "fp.isSubnormal" => {
                let size = n.magnitude(float, a);
                let (zero, least) = (n.int(Int::ZERO), n.int(power(float.significand - 1)));
                let infinity = n.int(float.infinity());
                let parts = match name {
                    "fp.isZero" => vec![n.equal(size, zero)],
                    "fp.isInfinite" => vec![n.equal(size, infinity)],
                    "fp.isNormal" => vec![n.at_most(least, size), n.less(size, infinity)],
                    _ => vec![n.less(zero, size), n.less(size, least)],
                };
                bool(n.and(&parts))
            }
            "fp.leq" | "fp.lt" | "fp.geq" | "fp.gt" | "fp.eq" => {
                let pairs = arguments.windows(2).map(|pair| {
                    let (a, b) = (pair[0].term, pair[1].term);
                    match name {
                        "fp.lt" => n.ordered(float, a, b, |n, a, b| n.less(a, b)),
                        "fp.leq" => n.ordered(float, a, b, |n, a, b| n.at_most(a, b)),
                        "fp.gt" => n.ordered(float, b, a, |n, a, b| n.less(a, b)),
                        "fp.geq" => n.ordered(float, b, a, |n, a, b| n.at_most(a, b)),
                        _ => n.ordered(float, a, b, |n, a, b| n.equal(a, b)),
                    }
                });
                let pairs: Vec<TermId> = pairs.collect();
                bool(n.and(&pairs))
            }
            "fp.to_ieee_bv" => {
                let sort = self.bits_sort(float.bits())?;
                Typed { term: a, sort }
            }
            _ => match self.computed(name, float, arguments) {
                Some(value) => Typed { term: self.terms.int(value), sort },
                None => self.missing(name, arguments, sort),
            },
        })
    }

    /// The result of arithmetic on two numbers that are written out, rounded to nearest, in the two sorts
    /// that machines have.
    fn computed(&self, name: &str, float: Float, arguments: &[Typed]) -> Option<Int> {
        let [mode, a, b] = arguments else { return None };
        if literal(self.terms, mode.term)? != Int::ZERO {
            return None;
        }
        let [a, b] = [a, b].map(|x| literal(self.terms, x.term)?.to_string().parse::<u64>().ok());
        let (a, b) = (a?, b?);
        let code: u64 = match (float.exponent, float.significand) {
            (11, 53) => arithmetic(name, f64::from_bits(a), f64::from_bits(b))?.to_bits(),
            (8, 24) => {
                let [a, b] = [a, b].map(|x| u32::try_from(x).ok().map(f32::from_bits));
                u64::from(arithmetic(name, a?, b?)?.to_bits())
            }
            _ => return None,
        };
        let value: Int = code.to_string().parse().ok()?;
        let nan =
            value > float.infinity() && value < float.half() || value > float.infinity().add(&float.half());
        Some(if nan { float.nan() } else { value })
    }

    /// `(fp sign exponent significand)`
    fn assembled(&mut self, arguments: &[Typed]) -> Result<Typed, ReadError> {
        self.count("fp", arguments, 3)?;
        let [sign, exponent, significand] = [0, 1, 2].map(|number| self.width("fp", arguments, number));
        let (exponent, significand) = (exponent?, significand?);
        if sign? != 1 || exponent < 2 {
            return Err(self.error("'fp' takes one bit, at least two bits of exponent, and the significand"));
        }
        let joined = self.apply("concat", &[], arguments)?;
        let float = Float { exponent, significand: significand + 1 };
        let sort = self.sorts.intern(Foreign::Float { exponent, significand: significand + 1 });
        Ok(Typed { term: self.numbers().of_bits(float, joined.term), sort })
    }

    /// `((_ to_fp e s) …)`: exact for the bits of a number and for a number of the same sort.
    fn float_of(&mut self, name: &str, indices: &[u32], arguments: &[Typed]) -> Result<Typed, ReadError> {
        let &[exponent, significand] = indices else {
            return Err(self.error(format!("'{name}' has two indices")));
        };
        if !(2..=MOST_BITS).contains(&exponent) || !(2..=MOST_BITS).contains(&significand) {
            return Err(self.error("a floating-point sort has two widths of at least 2"));
        }
        let float = Float { exponent, significand };
        let sort = self.sorts.intern(Foreign::Float { exponent, significand });
        match arguments {
            [bits] if name == "to_fp" => {
                let found = self.width(name, arguments, 0)?;
                if found != float.bits() {
                    let wanted = format!("of {} bits", float.bits());
                    return Err(self.wrong(name, 0, &wanted, bits.sort));
                }
                Ok(Typed { term: self.numbers().of_bits(float, bits.term), sort })
            }
            [_, other] => {
                self.rounding(name, arguments)?;
                match name {
                    "to_fp" if other.sort == sort => Ok(*other),
                    "to_fp" => Ok(self.missing(name, arguments, sort)),
                    _ => self.width(name, arguments, 1).map(|_| self.missing(name, arguments, sort)),
                }
            }
            _ => self.count(name, arguments, 2).map(|()| arguments[0]),
        }
    }
}

/// Arithmetic of the machine, which rounds to nearest.
fn arithmetic<F>(name: &str, a: F, b: F) -> Option<F>
where
    F: std::ops::Add<Output = F>
        + std::ops::Sub<Output = F>
        + std::ops::Mul<Output = F>
        + std::ops::Div<Output = F>,
{
    Some(match name {
        "fp.add" => a + b,
        "fp.sub" => a - b,
        "fp.mul" => a * b,
        "fp.div" => a / b,
        _ => return None,
    })
}
