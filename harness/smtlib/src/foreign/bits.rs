//! Functions of bit-vectors.

use harness_model::int::Int;
use harness_theory::Sort;
use harness_theory::term::TermId;

use super::Place;
use crate::ReadError;
use crate::functions::Typed;
use crate::numbers::{Bitwise, MOST_SINGLE_BITS, Numbers, power};
use crate::sorts::{Foreign, MOST_BITS, ScriptSort};

impl Place<'_, '_> {
    pub(super) fn bits_sort(&mut self, bits: u32) -> Result<ScriptSort, ReadError> {
        if bits == 0 || bits > MOST_BITS {
            let message = format!("bit-vectors of {bits} bits are not supported: from 1 to {MOST_BITS}");
            return Err(self.tokens.unsupported(self.at, message));
        }
        Ok(self.sorts.intern(Foreign::BitVec(bits)))
    }

    pub(super) fn bit_vector(
        &mut self,
        name: &str,
        indices: &[u32],
        arguments: &[Typed],
    ) -> Result<Typed, ReadError> {
        let int = |term| Ok(Typed { term, sort: Sort::Int.into() });
        let first = arguments[0];
        match (name, indices) {
            ("int2bv" | "nat2bv" | "int_to_bv", &[bits]) => {
                self.count(name, arguments, 1)?;
                let (value, sort) = (self.integer(name, arguments, 0)?, self.bits_sort(bits)?);
                return Ok(Typed { term: self.numbers().low(value, bits), sort });
            }
            ("bv2nat" | "bv2int" | "ubv_to_int", []) => {
                self.count(name, arguments, 1)?;
                self.width(name, arguments, 0)?;
                return int(first.term);
            }
            ("sbv_to_int", []) => {
                self.count(name, arguments, 1)?;
                let bits = self.width(name, arguments, 0)?;
                return int(self.numbers().signed(first.term, bits));
            }
            _ => {}
        }
        if !indices.is_empty() {
            return self.reshaped(name, indices, arguments);
        }
        if name == "concat" {
            let mut bits = self.width(name, arguments, 0)?;
            let mut term = first.term;
            for (number, argument) in arguments.iter().enumerate().skip(1) {
                let low = self.width(name, arguments, number)?;
                bits = bits.saturating_add(low);
                let mut numbers = self.numbers();
                let raised = numbers.raise(term, low);
                term = numbers.add(raised, argument.term);
            }
            return Ok(Typed { term, sort: self.bits_sort(bits)? });
        }
        let bits = self.widths(name, arguments)?;
        let many = ["bvand", "bvor", "bvxor", "bvadd", "bvmul"].contains(&name);
        match name {
            "bvnot" | "bvneg" => self.count(name, arguments, 1)?,
            _ if many && arguments.len() >= 2 => {}
            _ => self.count(name, arguments, 2)?,
        }
        let mut term = first.term;
        if ["bvnot", "bvneg"].contains(&name) {
            let mut numbers = self.numbers();
            let whole = numbers.int(power(bits).sub(&Int::from(u32::from(name == "bvnot"))));
            let less = numbers.sub(whole, term);
            // Zero is its own negative.
            term = if name == "bvnot" { less } else { numbers.low(less, bits) };
            return Ok(Typed { term, sort: first.sort });
        }
        for argument in &arguments[1..] {
            match self.binary(name, term, argument.term, bits) {
                Some((result, Sort::Int)) => term = result,
                Some((term, sort)) => return Ok(Typed { term, sort: sort.into() }),
                None => {
                    let result = Typed { term, sort: first.sort };
                    let mut missing = self.missing(name, &[result, *argument], first.sort);
                    if name == "bvcomp" {
                        missing.sort = self.bits_sort(1)?;
                    }
                    term = missing.term;
                }
            }
        }
        let sort = if name == "bvcomp" { self.bits_sort(1)? } else { first.sort };
        Ok(Typed { term, sort })
    }

    /// A function of two bit-vectors: its result and, where that is no bit-vector, its sort.
    fn binary(&mut self, name: &str, a: TermId, b: TermId, bits: u32) -> Option<(TermId, Sort)> {
        let mut n = self.numbers();
        let size = n.int(power(bits));
        let zero = n.int(Int::ZERO);
        let term = match name {
            "bvand" => n.bitwise(Bitwise::And, a, b, bits)?,
            "bvor" => n.bitwise(Bitwise::Or, a, b, bits)?,
            "bvxor" => n.bitwise(Bitwise::Xor, a, b, bits)?,
            "bvnand" | "bvnor" | "bvxnor" => {
                let function = match name {
                    "bvnand" => Bitwise::And,
                    "bvnor" => Bitwise::Or,
                    _ => Bitwise::Xor,
                };
                let (ones, term) =
                    (n.int(power(bits).sub(&Int::from(1_i64))), n.bitwise(function, a, b, bits)?);
                n.sub(ones, term)
            }
            "bvadd" => {
                let sum = n.add(a, b);
                n.modulo(sum, size)
            }
            "bvsub" => {
                let difference = n.sub(a, b);
                n.modulo(difference, size)
            }
            "bvmul" => {
                let product = n.mul(a, b);
                n.modulo(product, size)
            }
            "bvudiv" | "bvurem" => {
                let none = n.equal(b, zero);
                let (by_zero, result) = match name {
                    "bvudiv" => (n.int(power(bits).sub(&Int::from(1_i64))), n.div(a, b)),
                    _ => (a, n.modulo(a, b)),
                };
                n.choose(none, by_zero, result)
            }
            "bvshl" | "bvlshr" | "bvashr" => return n.shifted(name, a, b, bits).map(|t| (t, Sort::Int)),
            "bvcomp" => {
                let (same, one) = (n.equal(a, b), n.int(Int::from(1_i64)));
                n.choose(same, one, zero)
            }
            "bvult" => return Some((n.less(a, b), Sort::Bool)),
            "bvule" => return Some((n.at_most(a, b), Sort::Bool)),
            "bvugt" => return Some((n.less(b, a), Sort::Bool)),
            "bvuge" => return Some((n.at_most(b, a), Sort::Bool)),
            "bvslt" | "bvsle" | "bvsgt" | "bvsge" => {
                let [a, b] = [a, b].map(|x| n.signed(x, bits));
                let term = match name {
                    "bvslt" => n.less(a, b),
                    "bvsle" => n.at_most(a, b),
                    "bvsgt" => n.less(b, a),
                    _ => n.at_most(b, a),
                };
                return Some((term, Sort::Bool));
            }
            _ => return None,
        };
        Some((term, Sort::Int))
    }

    /// `extract`, `repeat`, extensions and rotations.
    fn reshaped(&mut self, name: &str, indices: &[u32], arguments: &[Typed]) -> Result<Typed, ReadError> {
        self.count(name, arguments, 1)?;
        let (bits, term) = (self.width(name, arguments, 0)?, arguments[0].term);
        let (term, width) = match (name, indices) {
            ("extract", &[last, first]) if first <= last && last < bits => {
                let mut n = self.numbers();
                let high = n.high(term, first);
                let width = last - first + 1;
                (if last + 1 == bits { high } else { n.low(high, width) }, width)
            }
            ("zero_extend", &[more]) => (term, bits.saturating_add(more)),
            ("sign_extend", &[more]) => {
                let width = bits.saturating_add(more);
                self.bits_sort(width)?;
                let mut n = self.numbers();
                let signed = n.signed(term, bits);
                (n.low(signed, width), width)
            }
            ("repeat", &[times]) if times > 0 => {
                let width = bits.saturating_mul(times);
                self.bits_sort(width)?;
                let mut n = self.numbers();
                let mut all = term;
                for _ in 1..times {
                    let raised = n.raise(all, bits);
                    all = n.add(raised, term);
                }
                (all, width)
            }
            ("rotate_left" | "rotate_right", &[by]) => {
                let by = by % bits;
                let left = if name == "rotate_left" { by } else { (bits - by) % bits };
                if left == 0 {
                    (term, bits)
                } else {
                    let mut n = self.numbers();
                    let (high, low) = (n.high(term, bits - left), n.low(term, bits - left));
                    let low = n.raise(low, left);
                    (n.add(low, high), bits)
                }
            }
            _ => {
                return Err(self.error(format!("'{name}' cannot have these indices for {bits} bits")));
            }
        };
        Ok(Typed { term, sort: self.bits_sort(width)? })
    }
}

impl Numbers<'_> {
    /// A shift; by a number that is not written out, as a choice among all. `None` above
    /// [`MOST_SINGLE_BITS`].
    fn shifted(&mut self, name: &str, a: TermId, by: TermId, bits: u32) -> Option<TermId> {
        let source = if name == "bvashr" { self.signed(a, bits) } else { a };
        let all_out = match name {
            // What is shifted in is the sign.
            "bvashr" => {
                let high = self.high(source, bits);
                self.low(high, bits)
            }
            _ => self.int(Int::ZERO),
        };
        let one = |this: &mut Self, by: u32| match name {
            "bvshl" => {
                let raised = this.raise(source, by);
                this.low(raised, bits)
            }
            "bvlshr" => this.high(source, by),
            _ => {
                let high = this.high(source, by);
                this.low(high, bits)
            }
        };
        if let Some(by) = self.literal(by) {
            let by = by.small().and_then(|by| u32::try_from(by).ok()).filter(|&by| by < bits);
            return Some(by.map_or(all_out, |by| one(self, by)));
        }
        if bits > MOST_SINGLE_BITS {
            return None;
        }
        let mut result = all_out;
        for amount in (0..bits).rev() {
            let number = self.int(Int::from(amount));
            let (this, shifted) = (self.equal(by, number), one(self, amount));
            result = self.choose(this, shifted, result);
        }
        Some(result)
    }
}
