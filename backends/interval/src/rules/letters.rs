//! Rules of expressions and of kinds of characters: digits, blanks at the ends, case, codes.

use backends_algebra::ranges::Ranges;
use backends_algebra::{BooleanAlgebra, RangeAlgebra};
use backends_api::Stop;
use backends_graph::{IntVertex, StringVertex};
use harness_model::{Char, CharSet, Regex};

use crate::bounds::Interval;
use crate::refine::Refiner;

impl Refiner<'_> {
    /// `L(s) ∩ L(regex)`, or what is not in it. Exact.
    pub(super) fn in_re(&mut self, s: StringVertex, regex: &Regex, positive: bool) -> Result<(), Stop> {
        let language = self.context.regex(regex)?;
        if positive { self.narrow(s, &language) } else { self.remove(s, &language) }
    }

    /// One digit. Exact.
    pub(super) fn is_digit(&mut self, s: StringVertex, positive: bool) -> Result<(), Stop> {
        let digit = self.context.codes(0x30, 0x39)?;
        if positive { self.narrow(s, &digit) } else { self.remove(s, &digit) }
    }

    /// `L(s) ∩ blanks L(r) blanks`; `r` is what is left between blanks of words of `s`, and neither starts
    /// nor ends with one. Blanks are the characters up to U+0020.
    pub(super) fn trim(&mut self, s: StringVertex, r: StringVertex) -> Result<(), Stop> {
        let blank = CharSet::range(Char(0), Char(0x20));
        let dark = Regex::set(blank.complement(self.graph.alphabet()));
        let blanks = self.context.regex(&Regex::set(blank).star())?;
        let rest = Regex::concat([self.context.letter().star(), dark.clone()]).repeat(0, Some(1));
        let trimmed = self.context.regex(&Regex::concat([dark, rest]).repeat(0, Some(1)))?;
        self.narrow(r, &trimmed)?;
        let around = self.context.concat_all([&blanks, &*self.language(r), &blanks])?;
        self.narrow(s, &around)?;
        let front = self.context.right_quotient(&self.language(s), &blanks)?;
        let inner = self.context.left_quotient(&front, &blanks)?;
        self.narrow(r, &inner)
    }

    /// `r` is `s` with the letters from `first` on become those from `becomes` on: images of labels. Exact
    /// for each side.
    pub(super) fn case(
        &mut self,
        s: StringVertex,
        r: StringVertex,
        first: u32,
        becomes: u32,
    ) -> Result<(), Stop> {
        let after = self
            .context
            .map_labels(&self.language(s), &mut |algebra, set| image(algebra, set, first, becomes))?;
        self.narrow(r, &after)?;
        let before = self
            .context
            .map_labels(&self.language(r), &mut |algebra, set| origin(algebra, set, first, becomes))?;
        self.narrow(s, &before)
    }

    /// `c` is the code of the one character of `s`; -1 when it has not just one.
    pub(super) fn code_of(&mut self, s: StringVertex, c: IntVertex) -> Result<(), Stop> {
        self.bound(c, Interval { low: Some(-1), high: Some(i64::from(self.graph.alphabet().max().0)) });
        if self.state.conflict {
            return Ok(());
        }
        let code = self.int(c);
        if code.at_least(0) {
            let one = self.context.codes(code.low.unwrap_or(0), code.high.unwrap_or(i64::MAX))?;
            self.narrow(s, &one)?;
        } else if code.at_most(-1) {
            let one = self.context.regex(&self.context.letter())?;
            self.remove(s, &one)?;
        }
        if self.state.conflict {
            return Ok(());
        }
        let (least, greatest) = self.lengths(s);
        if least == 1 && greatest == Some(1) {
            let set = self.context.characters(&self.language(s), 0, Some(0))?;
            self.bound(c, ends(&set));
        } else if least > 1 || greatest == Some(0) {
            self.bound(c, Interval::one(-1));
        }
        Ok(())
    }

    /// `r` is the one character of code `c`; empty when the alphabet has none.
    pub(super) fn word_of_code(&mut self, c: IntVertex, r: StringVertex) -> Result<(), Stop> {
        let max = i64::from(self.graph.alphabet().max().0);
        let code = self.int(c);
        let mut words = self.context.codes(code.low.unwrap_or(0), code.high.unwrap_or(max))?;
        if !(code.at_least(0) && code.at_most(max)) {
            words = self.context.union(&words, &self.context.only_empty_word()?)?;
        }
        self.narrow(r, &words)?;
        if !self.state.conflict && self.lengths(r).0 == 1 {
            let set = self.context.characters(&self.language(r), 0, Some(0))?;
            self.bound(c, ends(&set));
        }
        Ok(())
    }
}

/// From the least to the greatest character.
fn ends(set: &Ranges) -> Interval {
    Interval {
        low: set.as_slice().first().map(|&(low, _)| i64::from(low)),
        high: set.as_slice().last().map(|&(_, high)| i64::from(high)),
    }
}

/// The characters that those of `set` become.
fn image(algebra: &RangeAlgebra, set: &Ranges, first: u32, becomes: u32) -> Result<Ranges, Stop> {
    let letters = algebra.of_ranges(&[(first, first + 25)])?;
    let moved = moved(algebra, set, first, becomes)?;
    algebra.union(&algebra.difference(set, &letters)?, &moved)
}

/// The characters that become one of `set`.
fn origin(algebra: &RangeAlgebra, set: &Ranges, first: u32, becomes: u32) -> Result<Ranges, Stop> {
    let letters = algebra.of_ranges(&[(first, first + 25)])?;
    let moved = moved(algebra, set, becomes, first)?;
    algebra.union(&algebra.difference(set, &letters)?, &moved)
}

/// The 26 letters from `first` on that are in `set`, as the letters from `becomes` on.
fn moved(algebra: &RangeAlgebra, set: &Ranges, first: u32, becomes: u32) -> Result<Ranges, Stop> {
    let ranges: Vec<(u32, u32)> = set
        .as_slice()
        .iter()
        .map(|&(low, high)| (low.max(first), high.min(first + 25)))
        .filter(|(low, high)| low <= high)
        .map(|(low, high)| (low - first + becomes, high - first + becomes))
        .collect();
    algebra.of_ranges(&ranges)
}
