//! Rules of expressions and of kinds of characters: digits, blanks at the ends, case, codes.

use backends_algebra::ranges::Ranges;
use backends_api::Stop;
use backends_graph::{IntVertex, StringVertex};

use crate::bounds::Interval;
use crate::refine::Refiner;

impl Refiner<'_> {
    /// `c` is the code of the one character of `s`; -1 when it has not just one.
    pub(super) fn code_of(&mut self, s: StringVertex, c: IntVertex) -> Result<(), Stop> {
        self.bound(c, Interval { low: Some(-1), high: Some(i64::from(self.graph.alphabet().max().0)) });
        if self.is_refuted() {
            return Ok(());
        }
        let code = self.int(c);
        if code.at_least(0) {
            let one = self.context().codes(code.low.unwrap_or(0), code.high.unwrap_or(i64::MAX))?;
            self.narrow(s, &one)?;
        } else if code.at_most(-1) {
            let one = self.context().regex(&self.context().letter())?;
            self.remove(s, &one)?;
        }
        if self.is_refuted() {
            return Ok(());
        }
        let (least, greatest) = self.lengths(s);
        if least == 1 && greatest == Some(1) {
            let set = self.context().characters(&self.language(s), 0, Some(0))?;
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
        let mut words = self.context().codes(code.low.unwrap_or(0), code.high.unwrap_or(max))?;
        if !(code.at_least(0) && code.at_most(max)) {
            words = self.context().union(&words, &self.context().only_empty_word()?)?;
        }
        self.narrow(r, &words)?;
        if !self.is_refuted() && self.lengths(r).0 == 1 {
            let set = self.context().characters(&self.language(r), 0, Some(0))?;
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
