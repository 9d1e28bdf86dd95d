//! Rules of lexicographic order: each side keeps exactly the words with a partner on the other side.

use backends_api::Stop;
use backends_graph::{IntVertex, StringVertex};
use backends_propagate::transfer::AutomataPropagator;

use crate::bounds::Interval;
use crate::refine::Refiner;

impl Refiner<'_> {
    /// `s` is before `t`, or equal to it where `or_equal`.
    pub(super) fn less(&mut self, s: StringVertex, t: StringVertex, or_equal: bool) -> Result<(), Stop> {
        if s == t {
            self.require(or_equal);
            return Ok(());
        }
        let before = self.context().beside(&self.language(t), false, or_equal)?;
        self.narrow(s, &before)?;
        let after = self.context().beside(&self.language(s), true, or_equal)?;
        self.narrow(t, &after)
    }

    /// The sign of `i` is the order of `s` and `t`: what is known of one narrows the other. Between
    /// characters no difference is larger than the greatest code.
    pub(super) fn compare_to(&mut self, s: StringVertex, t: StringVertex, i: IntVertex) -> Result<(), Stop> {
        if s == t {
            self.bound(i, Interval::one(0));
            return Ok(());
        }
        let (left, right) = (self.language(s), self.language(t));
        if self.context().is_disjoint(&left, &self.context().beside(&right, true, true)?)? {
            self.bound(i, Interval { low: None, high: Some(-1) });
        } else if self.context().is_disjoint(&left, &self.context().beside(&right, true, false)?)? {
            self.bound(i, Interval { low: None, high: Some(0) });
        }
        if self.context().is_disjoint(&left, &self.context().beside(&right, false, true)?)? {
            self.bound(i, Interval { low: Some(1), high: None });
        } else if self.context().is_disjoint(&left, &self.context().beside(&right, false, false)?)? {
            self.bound(i, Interval { low: Some(0), high: None });
        }
        if self.is_refuted() {
            return Ok(());
        }
        let sign = self.int(i);
        if sign.only() == Some(0) {
            return self.equal(s, t, true);
        }
        if !sign.has(0) {
            self.equal(s, t, false)?;
        }
        if sign.at_least(0) {
            self.less(t, s, !sign.at_least(1))?;
        }
        if sign.at_most(0) {
            self.less(s, t, !sign.at_most(-1))?;
        }
        Ok(())
    }
}
