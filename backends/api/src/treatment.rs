//! What a strategy does with an operation: the cells of the table of operations and strategies.
//!
//! A strategy does not state it. It is asked what becomes of each form of the operation ([`Form`]) and lets
//! its own code answer, that which lowers, encodes or refuses; [`Treatment::of`] makes one word of the
//! answers.

use std::fmt;

use harness_theory::{Form, Op, Problem};

/// What becomes of a problem before it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Taken {
    /// It is solved as it is meant.
    Exactly,
    /// Something that is weaker or stronger stands for a part of it.
    Roughly,
    /// It is refused, by name.
    NotAtAll,
}

/// What a strategy does with an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Treatment {
    /// The operation itself is solved.
    Native,
    /// It is written out in other operations first, which are solved.
    Lowered,
    /// Something weaker or stronger stands for some form of it: there the strategy may have only one of the
    /// two verdicts, or one within bounds, and else says `unknown`. With rules that are unsound as published,
    /// which a strategy says of itself, its `unsat` may be wrong.
    Weakened,
    /// Some forms of it are solved, the others refused.
    Partial,
    /// It is refused: `unsupported`, with a name.
    Refused,
}

impl Treatment {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Native, Self::Lowered, Self::Weakened, Self::Partial, Self::Refused];

    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Lowered => "lowered",
            Self::Weakened => "weakened",
            Self::Partial => "partial",
            Self::Refused => "refused",
        }
    }

    /// For people: what it means.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Native => "solved as it stands",
            Self::Lowered => "written out in other operations first",
            Self::Weakened => {
                "approximated in some forms: it may say unknown, hold within bounds only, or follow unsound rules"
            }
            Self::Partial => "some forms only; the others are unsupported",
            Self::Refused => "unsupported",
        }
    }

    /// Of what becomes of the problems that the forms of `op` make. `lowered` says whether the operation is
    /// written out.
    pub fn of(op: Op, lowered: bool, mut take: impl FnMut(&Problem) -> Taken) -> Self {
        let problems = Form::of(op).into_iter().flat_map(|form| form.problems());
        let taken: Vec<Taken> = problems.map(|problem| take(&problem)).collect();
        let some = |what| taken.contains(&what);
        match (some(Taken::NotAtAll), some(Taken::Roughly), some(Taken::Exactly)) {
            (true, false, false) => Self::Refused,
            (true, ..) => Self::Partial,
            (false, true, _) => Self::Weakened,
            (false, false, _) if lowered => Self::Lowered,
            (false, false, _) => Self::Native,
        }
    }
}

impl fmt::Display for Treatment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use harness_theory::{CoreOp, Op, StrOp};

    use super::*;

    #[test]
    fn one_word_for_all_forms() {
        let op = Op::Str(StrOp::Contains);
        let of = |lowered, first: Taken, others: Taken| {
            let mut all = std::iter::once(first).chain(std::iter::repeat(others));
            Treatment::of(op, lowered, |_| all.next().unwrap_or(others))
        };
        use Taken::{Exactly, NotAtAll, Roughly};
        assert_eq!(of(false, Exactly, Exactly), Treatment::Native);
        assert_eq!(of(true, Exactly, Exactly), Treatment::Lowered);
        assert_eq!(of(true, Exactly, Roughly), Treatment::Weakened);
        assert_eq!(of(false, Roughly, NotAtAll), Treatment::Partial);
        assert_eq!(of(true, Exactly, NotAtAll), Treatment::Partial);
        assert_eq!(of(true, NotAtAll, NotAtAll), Treatment::Refused);
        assert_eq!(Treatment::of(Op::Core(CoreOp::Ite), false, |_| Exactly), Treatment::Native);
    }
}
