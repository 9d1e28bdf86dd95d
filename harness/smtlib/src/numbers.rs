//! Bit-vectors and floating-point numbers as integers.
//!
//! A bit-vector of `n` bits is the integer from 0 to `2^n - 1` that its bits spell. A floating-point number
//! is the integer that its encoding spells, as IEEE 754 has it; of the many encodings of NaN only the one
//! whose significand is `10…0`, for SMT-LIB has one NaN. So `=` means the same for both, and their order,
//! their signs and their classes are comparisons of integers.

use harness_model::int::Int;
use harness_theory::op::{ArithOp, CoreOp, Op, StrOp};
use harness_theory::term::{Term, TermId, Terms};

use crate::sorts::Foreign;

/// The value of an integer that is written out.
#[allow(clippy::wildcard_enum_match_arm, reason = "no other application is a number that is written out")]
pub fn literal(terms: &Terms, id: TermId) -> Option<Int> {
    match terms.get(id) {
        Term::Int(value) => Some(value.clone()),
        Term::App(Op::Arith(ArithOp::Neg), arguments) => match terms.get(arguments[0]) {
            Term::Int(value) => Some(value.neg()),
            Term::Var(_) | Term::Bool(_) | Term::String(_) | Term::App(..) => None,
        },
        Term::Var(_) | Term::Bool(_) | Term::String(_) | Term::App(..) => None,
    }
}

/// `2^exponent`.
pub fn power(exponent: u32) -> Int {
    let two = Int::from(2_i64);
    let (mut result, mut square, mut left) = (Int::from(1_i64), two, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = result.mul(&square);
        }
        square = square.mul(&square);
        left /= 2;
    }
    result
}

/// Makes terms over integers. What is over literals alone is computed.
pub struct Numbers<'t> {
    terms: &'t mut Terms,
}

/// What a function of two bits gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bitwise {
    /// Both.
    And,
    /// At least one.
    Or,
    /// Exactly one.
    Xor,
}

/// Two bit-vectors that are both unknown are taken apart bit by bit up to this width.
pub const MOST_SINGLE_BITS: u32 = 64;

impl<'t> Numbers<'t> {
    /// Over these terms.
    pub fn new(terms: &'t mut Terms) -> Self {
        Self { terms }
    }

    /// `op` applied to arguments that suit it.
    #[expect(clippy::expect_used, reason = "the callers below give arguments of the right sorts")]
    pub fn app(&mut self, op: impl Into<Op>, arguments: &[TermId]) -> TermId {
        self.terms.app(op, arguments).expect("the arguments are of the sorts of the function")
    }

    /// An integer that is written out.
    pub fn int(&mut self, value: Int) -> TermId {
        self.terms.int(value)
    }

    fn small(&mut self, value: i64) -> TermId {
        self.terms.int(value)
    }

    /// The value of a term that is written out.
    pub fn literal(&self, id: TermId) -> Option<Int> {
        literal(self.terms, id)
    }

    fn fold(
        &mut self,
        op: ArithOp,
        a: TermId,
        b: TermId,
        value: impl Fn(&Int, &Int) -> Option<Int>,
    ) -> TermId {
        let folded = match (self.literal(a), self.literal(b)) {
            (Some(a), Some(b)) => value(&a, &b),
            (Some(_) | None, _) => None,
        };
        match folded {
            Some(value) => self.int(value),
            None => self.app(op, &[a, b]),
        }
    }

    /// Sum.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(ArithOp::Add, a, b, |a, b| Some(a.add(b)))
    }

    /// Difference.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(ArithOp::Sub, a, b, |a, b| Some(a.sub(b)))
    }

    /// Product.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(ArithOp::Mul, a, b, |a, b| Some(a.mul(b)))
    }

    /// Quotient, rounded as SMT-LIB has it: down, for a positive divisor.
    pub fn div(&mut self, a: TermId, b: TermId) -> TermId {
        match self.literal(b) {
            Some(one) if one == Int::from(1_i64) => a,
            Some(_) | None => self.fold(ArithOp::Div, a, b, Int::div),
        }
    }

    /// Remainder, never negative.
    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        self.fold(ArithOp::Mod, a, b, Int::modulo)
    }

    /// `a mod 2^bits`.
    pub fn low(&mut self, a: TermId, bits: u32) -> TermId {
        let size = self.int(power(bits));
        self.modulo(a, size)
    }

    /// `a div 2^bits`.
    pub fn high(&mut self, a: TermId, bits: u32) -> TermId {
        let size = self.int(power(bits));
        self.div(a, size)
    }

    /// `a * 2^bits`.
    pub fn raise(&mut self, a: TermId, bits: u32) -> TermId {
        let size = self.int(power(bits));
        self.mul(a, size)
    }

    fn compare(&mut self, op: ArithOp, a: TermId, b: TermId, holds: impl Fn(&Int, &Int) -> bool) -> TermId {
        match (self.literal(a), self.literal(b)) {
            (Some(a), Some(b)) => {
                let holds = holds(&a, &b);
                self.terms.bool(holds)
            }
            (Some(_) | None, _) => self.app(op, &[a, b]),
        }
    }

    /// `a < b`.
    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(ArithOp::Lt, a, b, |a, b| a < b)
    }

    /// `a <= b`.
    pub fn at_most(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(ArithOp::Le, a, b, |a, b| a <= b)
    }

    /// Whether two terms of one sort are equal.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.literal(a), self.literal(b)) {
            (Some(a), Some(b)) => {
                let same = a == b;
                self.terms.bool(same)
            }
            (Some(_) | None, _) if a == b => self.terms.bool(true),
            (Some(_) | None, _) => self.app(CoreOp::Eq, &[a, b]),
        }
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match *self.terms.get(a) {
            Term::Bool(value) => self.terms.bool(!value),
            Term::Var(_) | Term::Int(_) | Term::String(_) | Term::App(..) => self.app(CoreOp::Not, &[a]),
        }
    }

    /// All of them; `neutral` ones are left out, and the opposite decides.
    fn joined(&mut self, op: CoreOp, parts: &[TermId], neutral: bool) -> TermId {
        let (empty, decided) = (self.terms.bool(neutral), self.terms.bool(!neutral));
        if parts.contains(&decided) {
            return decided;
        }
        let left: Vec<TermId> = parts.iter().copied().filter(|&part| part != empty).collect();
        match left.as_slice() {
            [] => empty,
            [one] => *one,
            all => self.app(op, all),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, parts: &[TermId]) -> TermId {
        self.joined(CoreOp::And, parts, true)
    }

    /// Disjunction.
    pub fn or(&mut self, parts: &[TermId]) -> TermId {
        self.joined(CoreOp::Or, parts, false)
    }

    /// `yes` where `condition` holds, else `no`.
    pub fn choose(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        match *self.terms.get(condition) {
            Term::Bool(true) => yes,
            Term::Bool(false) => no,
            Term::Var(_) | Term::Int(_) | Term::String(_) | Term::App(..) if yes == no => yes,
            Term::Var(_) | Term::Int(_) | Term::String(_) | Term::App(..) => {
                self.app(CoreOp::Ite, &[condition, yes, no])
            }
        }
    }

    /// What a bit-vector of so many bits is as a signed number.
    pub fn signed(&mut self, a: TermId, bits: u32) -> TermId {
        let half = self.int(power(bits - 1));
        let size = self.int(power(bits));
        let (positive, negative) = (self.less(a, half), self.sub(a, size));
        self.choose(positive, a, negative)
    }

    /// A function bit by bit. A mask that is written out costs a division for each run of ones in it; two
    /// unknowns cost one choice for each bit. `None` for two unknowns of more than [`MOST_SINGLE_BITS`].
    pub fn bitwise(&mut self, function: Bitwise, a: TermId, b: TermId, bits: u32) -> Option<TermId> {
        let both = match (self.literal(a), self.literal(b)) {
            (_, Some(mask)) => self.masked(a, &mask, bits),
            (Some(mask), None) => self.masked(b, &mask, bits),
            (None, None) if a == b => a,
            (None, None) if bits <= MOST_SINGLE_BITS => {
                let (one, zero) = (self.small(1), self.small(0));
                let mut sum = zero;
                for bit in 0..bits {
                    let [a, b] = [a, b].map(|x| {
                        let high = self.high(x, bit);
                        let bit = self.low(high, 1);
                        self.equal(bit, one)
                    });
                    let both = self.and(&[a, b]);
                    let weight = self.int(power(bit));
                    let weight = self.choose(both, weight, zero);
                    sum = if bit == 0 { weight } else { self.add(sum, weight) };
                }
                sum
            }
            (None, None) => return None,
        };
        let sum = match function {
            Bitwise::And => return Some(both),
            Bitwise::Or | Bitwise::Xor => self.add(a, b),
        };
        let rest = self.sub(sum, both);
        Some(if function == Bitwise::Or { rest } else { self.sub(rest, both) })
    }

    /// The bits of `a` at which `mask` has a one.
    fn masked(&mut self, a: TermId, mask: &Int, bits: u32) -> TermId {
        let one = Int::from(1_i64);
        let is_set = |bit: u32| {
            let high = mask.div(&power(bit)).unwrap_or(Int::ZERO);
            high.modulo(&Int::from(2_i64)) == Some(one.clone())
        };
        let mut parts = Vec::new();
        let mut bit = 0;
        while bit < bits {
            if !is_set(bit) {
                bit += 1;
                continue;
            }
            let first = bit;
            while bit < bits && is_set(bit) {
                bit += 1;
            }
            let high = self.high(a, first);
            // Above the last bit there is nothing to cut off.
            let run = if bit == bits { high } else { self.low(high, bit - first) };
            parts.push(if first == 0 { run } else { self.raise(run, first) });
        }
        let zero = self.small(0);
        parts.into_iter().reduce(|sum, part| self.add(sum, part)).unwrap_or(zero)
    }

    /// `s` with `t` from the place `i` on instead of what stands there, as long as `s` is; where `i` is no
    /// place of `s`, `s` itself.
    pub fn updated(&mut self, [s, i, t]: [TermId; 3]) -> TermId {
        let zero = self.small(0);
        let [length, replaced] = [s, t].map(|word| self.app(StrOp::Len, &[word]));
        let inside = [self.at_most(zero, i), self.less(i, length)];
        let inside = self.and(&inside);
        let (left, after) = (self.sub(length, i), self.add(i, replaced));
        let before = self.app(StrOp::Substr, &[s, zero, i]);
        let middle = self.app(StrOp::Substr, &[t, zero, left]);
        let end = self.app(StrOp::Substr, &[s, after, length]);
        let whole = self.app(StrOp::Concat, &[before, middle, end]);
        self.choose(inside, whole, s)
    }

    /// What holds of the integer that stands for a value of the sort; `None` where each does.
    pub fn bounds(&mut self, sort: &Foreign, value: TermId) -> Option<TermId> {
        let zero = self.small(0);
        let bounds = match sort {
            Foreign::Declared(..) | Foreign::Array { .. } | Foreign::Hole(_) => return None,
            Foreign::BitVec(bits) => {
                let size = self.int(power(*bits));
                vec![self.at_most(zero, value), self.less(value, size)]
            }
            Foreign::RoundingMode => {
                let last = self.small(4);
                vec![self.at_most(zero, value), self.at_most(value, last)]
            }
            Foreign::Float { exponent, significand } => {
                let float = Float { exponent: *exponent, significand: *significand };
                let (infinity, half) = (self.int(float.infinity()), self.int(float.half()));
                let (nan, negative) = (self.int(float.nan()), self.int(float.half().add(&float.infinity())));
                let positive = [self.at_most(zero, value), self.at_most(value, infinity)];
                let negative = [self.at_most(half, value), self.at_most(value, negative)];
                let parts = [self.and(&positive), self.equal(value, nan), self.and(&negative)];
                vec![self.or(&parts)]
            }
        };
        Some(self.and(&bounds))
    }
}

/// The encoding of a floating-point sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the significand, the hidden one included.
    pub significand: u32,
}

impl Float {
    /// How many bits a number has.
    pub const fn bits(self) -> u32 {
        self.exponent + self.significand
    }

    /// The bit of the sign: minus zero.
    pub fn half(self) -> Int {
        power(self.bits() - 1)
    }

    /// Plus infinity.
    pub fn infinity(self) -> Int {
        self.half().sub(&power(self.significand - 1))
    }

    /// The one NaN.
    pub fn nan(self) -> Int {
        self.infinity().add(&power(self.significand - 2))
    }
}

/// Functions of floating-point numbers, as [`Numbers`] has those of bit-vectors.
impl Numbers<'_> {
    /// The number whose encoding these bits are.
    pub fn of_bits(&mut self, float: Float, bits: TermId) -> TermId {
        let (infinity, half) = (self.int(float.infinity()), self.int(float.half()));
        let (nan, negative) = (self.int(float.nan()), self.int(float.half().add(&float.infinity())));
        let above = [self.less(infinity, bits), self.less(bits, half)];
        let strange = [self.and(&above), self.less(negative, bits)];
        let strange = self.or(&strange);
        self.choose(strange, nan, bits)
    }

    /// Whether it is NaN.
    pub fn is_nan(&mut self, float: Float, a: TermId) -> TermId {
        let nan = self.int(float.nan());
        self.equal(a, nan)
    }

    /// Whether its sign is minus; of NaN, nothing.
    pub fn is_negative(&mut self, float: Float, a: TermId) -> TermId {
        let half = self.int(float.half());
        self.at_most(half, a)
    }

    /// The encoding without its sign; NaN has none.
    pub fn magnitude(&mut self, float: Float, a: TermId) -> TermId {
        let half = self.int(float.half());
        let (positive, without) = (self.less(a, half), self.sub(a, half));
        self.choose(positive, a, without)
    }

    /// The number with the other sign.
    pub fn opposite(&mut self, float: Float, a: TermId) -> TermId {
        let half = self.int(float.half());
        let (positive, less, more) = (self.less(a, half), self.sub(a, half), self.add(a, half));
        let (nan, other) = (self.is_nan(float, a), self.choose(positive, more, less));
        self.choose(nan, a, other)
    }

    /// An integer by which numbers that are not NaN are ordered; both zeros have the same.
    fn rank(&mut self, float: Float, a: TermId) -> TermId {
        let half = self.int(float.half());
        let (positive, negative) = (self.less(a, half), self.sub(half, a));
        self.choose(positive, a, negative)
    }

    /// `a < b`, `a <= b` or `a = b` as numbers, by a comparison of integers; false for NaN.
    pub fn ordered(
        &mut self,
        float: Float,
        a: TermId,
        b: TermId,
        compare: impl Fn(&mut Self, TermId, TermId) -> TermId,
    ) -> TermId {
        let [one, other] = [a, b].map(|x| self.rank(float, x));
        let holds = compare(self, one, other);
        let [a, b] = [a, b].map(|x| {
            let nan = self.is_nan(float, x);
            self.not(nan)
        });
        self.and(&[a, b, holds])
    }
}
