//! The terms that ranges of characters become: disjunctions for narrow alphabets, Shannon expansions for wide
//! ones.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.2.1, "Character sets as
//! bitvector predicates". All terms have the one free variable `chi`, a bit-vector as wide as the alphabet.
//!
//! Everything here is called inside the owner's context.

use std::cell::RefCell;

use backends_algebra::bdd::{Bdd, Branch};
use backends_algebra::{BddAlgebra, BooleanAlgebra};
use backends_api::Stop;
use harness_model::Alphabet;
use rustc_hash::FxHashMap;
use z3::ast::{BV, Bool};

/// Makes terms over one variable.
#[derive(Debug)]
pub(crate) struct Terms {
    /// The variable.
    pub(crate) chi: BV,
    /// The constant true.
    pub(crate) yes: Bool,
    /// The constant false.
    pub(crate) no: Bool,
    bits: u32,
    max: u32,
    /// Only for wide alphabets.
    shannon: Option<Shannon>,
}

/// The diagrams whose expansions are the terms, and the terms of the nodes made so far.
#[derive(Debug)]
struct Shannon {
    diagrams: BddAlgebra,
    /// The chapter's `BitIs0`, by position of the bit.
    bit_is_zero: Vec<Bool>,
    terms: RefCell<FxHashMap<Bdd, Bool>>,
}

impl Terms {
    /// For the characters of `alphabet`.
    pub(crate) fn new(alphabet: Alphabet) -> Self {
        let bits = alphabet.bits();
        let chi = BV::new_const("chi", bits);
        let shannon = (bits > 8).then(|| {
            let zero = BV::from_u64(0, 1);
            Shannon {
                diagrams: BddAlgebra::new(alphabet),
                bit_is_zero: (0..bits).map(|bit| chi.extract(bit, bit).eq(&zero)).collect(),
                terms: RefCell::default(),
            }
        });
        let (yes, no) = (Bool::from_bool(true), Bool::from_bool(false));
        Self { chi, yes, no, bits, max: alphabet.max().0, shannon }
    }

    /// A character as a bit-vector.
    pub(crate) fn character(&self, c: u32) -> BV {
        BV::from_u64(u64::from(c), self.bits)
    }

    /// That `chi` is in the alphabet; `None` where every bit-vector is.
    pub(crate) fn alphabet(&self) -> Option<Bool> {
        (self.max + 1 != 1 << self.bits).then(|| self.chi.bvule(self.character(self.max)))
    }

    /// That `chi` is in one of the ranges: sorted, disjoint; what is outside the alphabet is cut off.
    pub(crate) fn of_ranges(&self, ranges: &[(u32, u32)]) -> Result<Bool, Stop> {
        let max = self.max;
        let ranges: Vec<(u32, u32)> = ranges
            .iter()
            .filter(|&&(low, high)| low <= high && low <= max)
            .map(|&(low, high)| (low, high.min(max)))
            .collect();
        match (ranges.as_slice(), &self.shannon) {
            ([], _) => Ok(self.no.clone()),
            ([(0, high)], _) if *high == max => Ok(self.yes.clone()),
            ([range], None) => Ok(self.range(*range)),
            (ranges, None) => {
                Ok(Bool::or(&ranges.iter().map(|&range| self.range(range)).collect::<Vec<Bool>>()))
            }
            (ranges, Some(shannon)) => {
                let diagram = shannon.diagrams.of_ranges(ranges)?;
                Ok(self.expansion(shannon, diagram))
            }
        }
    }

    /// `low <= chi <= high`, or `chi = low` when that is all.
    fn range(&self, (low, high): (u32, u32)) -> Bool {
        if low == high {
            return self.chi.eq(self.character(low));
        }
        Bool::and(&[self.character(low).bvule(&self.chi), self.chi.bvule(self.character(high))])
    }

    /// The chapter's `Ite`; the term of each node is made once. As deep as there are bits.
    fn expansion(&self, shannon: &Shannon, diagram: Bdd) -> Bool {
        let (bit, low, high) = match shannon.diagrams.branch(diagram) {
            Branch::Constant(true) => return self.yes.clone(),
            Branch::Constant(false) => return self.no.clone(),
            Branch::Decision { bit, low, high } => (bit, low, high),
        };
        if let Some(term) = shannon.terms.borrow().get(&diagram) {
            return term.clone();
        }
        let (low, high) = (self.expansion(shannon, low), self.expansion(shannon, high));
        let term = shannon.bit_is_zero[bit as usize].ite(&low, &high);
        shannon.terms.borrow_mut().insert(diagram, term.clone());
        term
    }

    /// Forgets the terms of diagrams.
    pub(crate) fn forget(&self) {
        if let Some(shannon) = &self.shannon {
            shannon.terms.borrow_mut().clear();
            shannon.diagrams.forget();
        }
    }

    /// Nodes of the diagrams made so far.
    pub(crate) fn diagram_nodes(&self) -> Option<u64> {
        let shannon = self.shannon.as_ref()?;
        shannon.diagrams.counters().into_iter().find(|(name, _)| *name == "bdd_nodes").map(|(_, nodes)| nodes)
    }
}
