//! Transfer functions of single characters and their kinds: expressions, digits, blanks at the ends, case.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::Node;
use backends_graph::StringVertex;
use harness_model::Regex;

use crate::context::PropagationContext;

/// The characters that `trim` takes away.
pub(crate) const BLANKS: (u32, u32) = (0, 0x20);

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
        let after = self.propagator.layers.map(self.state.languages[s.index()], image, budget)?;
        self.narrow(r, after, &[s])?;
        let origin = &mut |algebra: &A, set: &A::Set| case_origin(algebra, set, first, becomes);
        let before = self.propagator.layers.map(self.state.languages[r.index()], origin, budget)?;
        self.narrow(s, before, &[r])
    }
}

/// The characters that those of `set` become when the letters from `first` on become those from `becomes` on.
pub(crate) fn case_image<A: BooleanAlgebra>(
    algebra: &A,
    set: &A::Set,
    first: u32,
    becomes: u32,
) -> Result<A::Set, Stop> {
    let letters = algebra.of_ranges(&[(first, first + 25)])?;
    let moved = moved(algebra, &algebra.intersection(set, &letters)?, first, becomes)?;
    algebra.union(&algebra.difference(set, &letters)?, &moved)
}

/// The characters that become one of `set`: those that stay, and the letters from `first` on of those from
/// `becomes` on.
pub(crate) fn case_origin<A: BooleanAlgebra>(
    algebra: &A,
    set: &A::Set,
    first: u32,
    becomes: u32,
) -> Result<A::Set, Stop> {
    let letters = algebra.of_ranges(&[(first, first + 25)])?;
    let targets = algebra.of_ranges(&[(becomes, becomes + 25)])?;
    let moved = moved(algebra, &algebra.intersection(set, &targets)?, becomes, first)?;
    algebra.union(&algebra.difference(set, &letters)?, &moved)
}

/// The letters of `set`, from `first` on, as the letters from `becomes` on.
fn moved<A: BooleanAlgebra>(algebra: &A, set: &A::Set, first: u32, becomes: u32) -> Result<A::Set, Stop> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for i in 0..26 {
        if algebra.contains(set, harness_model::Char(first + i))? {
            match ranges.last_mut() {
                Some(last) if last.1 + 1 == becomes + i => last.1 += 1,
                _ => ranges.push((becomes + i, becomes + i)),
            }
        }
    }
    algebra.of_ranges(&ranges)
}
