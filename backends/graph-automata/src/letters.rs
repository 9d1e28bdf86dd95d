//! Transfer functions of single characters and their kinds: expressions, digits, blanks at the ends, case.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::Node;
use backends_graph::StringVertex;
use backends_propagate::transfer::{BLANKS, case_image, case_origin};
use harness_model::Regex;

use crate::context::PropagationContext;

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// `M(s) :∩ M(regex)`, or what is not in it. Exact.
    pub fn in_re(&mut self, s: StringVertex, regex: &Regex, positive: bool) -> Result<(), Stop> {
        let pattern = self.propagator.pattern(self.edge, regex)?;
        let new = self.restrict(self.language(s), &pattern.whole, positive)?;
        self.set(s, new, &[])
    }

    /// One digit. Exact.
    pub fn is_digit(&mut self, s: StringVertex, positive: bool) -> Result<(), Stop> {
        if self.length(s) != 1 {
            self.require(!positive);
            return Ok(());
        }
        let digits = self.digits(1)?;
        if positive { self.narrow(s, digits, &[]) } else { self.remove(s, digits, &[]) }
    }

    /// Words of `length` digits.
    pub fn digits(&mut self, length: usize) -> Result<Node, Stop> {
        let digits = self.layers().algebra().of_ranges(&[(0x30, 0x39)])?;
        self.layers().power(&digits, length)
    }

    /// `r` is `s` without blanks at both ends.
    ///
    /// Table 3.2 has `M(a) :∩ [␣,*] M(x) [␣,*]`, `M(b) := trim(M(a))`, with `b` for `x`. It must say too that
    /// `x` neither starts nor ends with a blank. The blanks are Java's: every character up to U+0020. For
    /// each number `k` of blanks in front: exact.
    pub fn trim(&mut self, s: StringVertex, r: StringVertex) -> Result<(), Stop> {
        let (n, m) = (self.length(s), self.length(r));
        if !self.require(m <= n) {
            return Ok(());
        }
        let blank = self.layers().algebra().of_ranges(&[BLANKS])?;
        if m == 0 {
            let blanks = self.layers().power(&blank, n)?;
            return self.narrow(s, blanks, &[]);
        }
        let dark = self.layers().algebra().complement(&blank)?;
        let budget = self.propagator.budget;
        let language = self.language(r);
        let mut core = self.layers().with_char(language, 0, &dark, budget)?;
        core = self.layers().with_char(core, m - 1, &dark, budget)?;
        let mut around = Node::EMPTY;
        let mut inner = Node::EMPTY;
        for before in 0..=n - m {
            let front = self.layers().power(&blank, before)?;
            let back = self.layers().power(&blank, n - m - before)?;
            let rest = self.concat(core, back)?;
            let with = self.concat(front, rest)?;
            let with = self.intersection(self.language(s), with)?;
            around = self.union(around, with)?;
            let part = self.slice(with, before, m)?;
            inner = self.union(inner, part)?;
        }
        self.set(s, around, &[r])?;
        self.narrow(r, inner, &[s])
    }

    /// `r` is `s` with the letters from `first` on, 26 of ASCII, become those from `becomes` on: images of
    /// labels. Exact.
    pub fn case(&mut self, s: StringVertex, r: StringVertex, first: u8, becomes: u8) -> Result<(), Stop> {
        if !self.require(self.length(s) == self.length(r)) {
            return Ok(());
        }
        let (first, becomes, budget) = (u32::from(first), u32::from(becomes), self.propagator.budget);
        let image = &mut |algebra: &A, set: &A::Set| case_image(algebra, set, first, becomes);
        let language = self.language(s);
        let after = self.layers().map(language, image, budget)?;
        self.narrow(r, after, &[s])?;
        let origin = &mut |algebra: &A, set: &A::Set| case_origin(algebra, set, first, becomes);
        let language = self.language(r);
        let before = self.layers().map(language, origin, budget)?;
        self.narrow(s, before, &[r])
    }
}
