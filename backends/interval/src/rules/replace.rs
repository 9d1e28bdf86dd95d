//! Rules of replacing. The paper has none; what comes of a word is described by its parts before and after
//! the replaced one, which forgets that the two belong together: sound, and exact only for single characters.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::{SfaBuilder, StateId, eliminate};
use backends_graph::StringVertex;
use backends_propagate::transfer::AutomataPropagator;
use harness_model::{Char, Regex, SmtString};

use crate::language::{Automaton, IntervalContext};
use crate::refine::Refiner;

impl Refiner<'_> {
    /// `r` is `s` with the first occurrence of `t` become `by`; an empty `t` occurs at the front.
    pub(super) fn replace(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let any = self.context().all_words()?;
        let inside = self.context().concat_all([&any, &*self.language(t), &any])?;
        if self.context().is_disjoint(&self.language(s), &inside)? {
            return self.equal(s, r, true);
        }
        let single = self.only(t);
        let (before, until) = match &single {
            Some(word) if !word.is_empty() => {
                let until = self.until(&self.language(t))?;
                (self.context().right_quotient(&until, &self.language(t))?, until)
            }
            // Any prefix may be before it.
            _ => (any.clone(), self.context().concat(&any, &self.language(t))?),
        };
        // What was not replaced holds no single `t`.
        let unchanged = |this: &Self, language: &Automaton| match &single {
            Some(_) => this.context().difference(language, &inside),
            None => Ok(language.clone()),
        };
        let tail = self.context().concat(&self.language(t), &any)?;
        let front = self
            .context()
            .intersection(&self.context().right_quotient(&self.language(s), &tail)?, &before)?;
        let back = self.context().left_quotient(&self.language(s), &until)?;
        let changed = self.context().concat_all([&front, &*self.language(by), &back])?;
        let after = self.context().union(&unchanged(self, &self.language(s))?, &changed)?;
        self.narrow(r, &after)?;
        if single.is_some() && self.context().is_subset(&self.language(s), &inside)? {
            let middle = self
                .context()
                .right_quotient(&self.context().left_quotient(&self.language(r), &front)?, &back)?;
            self.narrow(by, &middle)?;
        }
        let tail = self.context().concat(&self.language(by), &any)?;
        let front = self
            .context()
            .intersection(&self.context().right_quotient(&self.language(r), &tail)?, &before)?;
        let back = self
            .context()
            .left_quotient(&self.language(r), &self.context().concat(&before, &self.language(by))?)?;
        let origin = self.context().concat_all([&front, &*self.language(t), &back])?;
        let origin = self.context().union(&unchanged(self, &self.language(r))?, &origin)?;
        self.narrow(s, &origin)
    }

    /// `r` is `s` with every occurrence of a non-empty `t` become `by`. Where `t` is one character, each
    /// label that reads it is replaced; else `r` has only characters of `s` and `by`.
    pub(super) fn replace_all(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        by: StringVertex,
        r: StringVertex,
    ) -> Result<(), Stop> {
        let any = self.context().all_words()?;
        let inside = self.context().concat_all([&any, &*self.language(t), &any])?;
        if self.lengths(t).1 == Some(0) || self.context().is_disjoint(&self.language(s), &inside)? {
            return self.equal(s, r, true);
        }
        let Some(&[c]) = self.only(t).as_ref().map(SmtString::chars) else {
            return self.mixed(s, by, r);
        };
        let after = substitute(self.context(), &self.language(s), c, &self.language(by))?;
        self.narrow(r, &after)?;
        if let Some(word) = self.only(by) {
            let before = restore(self.context(), &self.language(r), c, &word)?;
            self.narrow(s, &before)?;
        }
        Ok(())
    }

    /// `r` is `s` with the shortest leftmost match, or every one that is not empty, become `by`.
    pub(super) fn replace_re(
        &mut self,
        s: StringVertex,
        regex: &Regex,
        by: StringVertex,
        r: StringVertex,
        all: bool,
    ) -> Result<(), Stop> {
        let any = self.context().all_words()?;
        let mut pattern = self.context().regex(regex)?;
        if all {
            pattern = self.context().intersection(&pattern, &self.context().nonempty_words()?)?;
        }
        let inside = self.context().concat_all([&any, &pattern, &any])?;
        if self.context().is_disjoint(&self.language(s), &inside)? {
            return self.equal(s, r, true);
        }
        if all {
            return self.mixed(s, by, r);
        }
        // Before the match, the match, and what is after it.
        let front =
            self.context().right_quotient(&self.language(s), &self.context().concat(&pattern, &any)?)?;
        let back =
            self.context().left_quotient(&self.language(s), &self.context().concat(&any, &pattern)?)?;
        let changed = self.context().concat_all([&front, &*self.language(by), &back])?;
        let unchanged = self.context().difference(&self.language(s), &inside)?;
        let after = self.context().union(&unchanged, &changed)?;
        self.narrow(r, &after)
    }

    /// `r` is made of characters of `s` and of `by`.
    fn mixed(&mut self, s: StringVertex, by: StringVertex, r: StringVertex) -> Result<(), Stop> {
        let algebra = self.context().algebra();
        let mut set = algebra.empty();
        for language in [self.language(s), self.language(by)] {
            for label in language.labels() {
                set = algebra.union(&set, label)?;
            }
        }
        let set = harness_model::CharSet::from_ranges(set.as_slice().iter().copied());
        let made = self.context().regex(&Regex::set(set).star())?;
        self.narrow(r, &made)
    }
}

/// The words of `a` with each `c` become a word of `by`.
fn substitute(context: &IntervalContext, a: &Automaton, c: Char, by: &Automaton) -> Result<Automaton, Stop> {
    let algebra = context.algebra();
    let single = algebra.of_ranges(&[(c.0, c.0)])?;
    let mut builder = SfaBuilder::new();
    for state in a.state_ids() {
        builder.add_state(a.is_final(state))?;
    }
    for state in a.state_ids() {
        for m in a.moves_from(state) {
            context.budget.tick()?;
            let label = a.label(m.label);
            let other = algebra.difference(label, &single)?;
            if !algebra.is_empty(&other)? {
                builder.add_move(state, other, m.target)?;
            }
            if !algebra.contains(label, c)? {
                continue;
            }
            let offset = u32::try_from(builder.states()).unwrap_or(u32::MAX);
            let placed = |q: StateId| StateId(q.0.saturating_add(offset));
            for _ in by.state_ids() {
                builder.add_state(false)?;
            }
            for q in by.state_ids() {
                for inner in by.moves_from(q) {
                    context.budget.tick()?;
                    builder.add_move(placed(q), by.label(inner.label).clone(), placed(inner.target))?;
                }
                if by.is_final(q) {
                    builder.add_epsilon(placed(q), m.target)?;
                }
            }
            builder.add_epsilon(state, placed(by.initial()))?;
        }
    }
    eliminate(algebra, &builder.freeze_with_epsilons(a.initial()), &context.budget)
}

/// The words that become words of `a` when each `c` becomes `by`.
fn restore(context: &IntervalContext, a: &Automaton, c: Char, by: &SmtString) -> Result<Automaton, Stop> {
    let algebra = context.algebra();
    let single = algebra.of_ranges(&[(c.0, c.0)])?;
    let mut builder = SfaBuilder::new();
    for state in a.state_ids() {
        builder.add_state(a.is_final(state))?;
    }
    for state in a.state_ids() {
        for m in a.moves_from(state) {
            let other = algebra.difference(a.label(m.label), &single)?;
            if !algebra.is_empty(&other)? {
                builder.add_move(state, other, m.target)?;
            }
        }
        let mut reached = vec![state];
        for &x in by.chars() {
            let mut next = Vec::new();
            for &q in &reached {
                for m in a.moves_from(q) {
                    context.budget.tick()?;
                    if algebra.contains(a.label(m.label), x)? {
                        next.push(m.target);
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            reached = next;
        }
        for target in reached {
            builder.add_move(state, single.clone(), target)?;
        }
    }
    Ok(builder.freeze(a.initial()))
}
