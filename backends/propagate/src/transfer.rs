//! Transfer functions on automata that no paper claims as its own: what equality, parts, concatenation,
//! expressions, trimming and the case of letters say of languages. Backends whose languages are automata
//! share them.
//!
//! Each narrows the languages of its vertices by each other's, and never takes a word that is part of a
//! solution of the edge. In the notation of the comments, `L(s)` is the language of `s`, and `*` stands for
//! every word.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::{AutomataContext, Sfa};
use backends_graph::StringVertex;
use harness_model::{Char, CharSet, Regex};

/// The characters that Java's `trim` takes away.
pub const BLANKS: (u32, u32) = (0, 0x20);

type Language<A> = Sfa<<A as BooleanAlgebra>::Set>;

/// A propagator whose languages are automata, as these functions see it.
pub trait AutomataPropagator {
    /// The algebra of the labels.
    type Algebra: BooleanAlgebra;

    /// What makes and combines automata.
    fn context(&self) -> &AutomataContext<Self::Algebra>;

    /// The language of the vertex.
    fn language(&self, vertex: StringVertex) -> Rc<Language<Self::Algebra>>;

    /// Whether the vertex is known to have one word and no more.
    fn is_single(&self, vertex: StringVertex) -> bool;

    /// Leaves the vertex only words of `by`, which was made from the languages of `from`.
    fn narrow(
        &mut self,
        vertex: StringVertex,
        by: &Language<Self::Algebra>,
        from: &[StringVertex],
    ) -> Result<(), Stop>;

    /// Takes the words of `what`, which was made from the languages of `from`, from the vertex.
    fn remove(
        &mut self,
        vertex: StringVertex,
        what: &Language<Self::Algebra>,
        from: &[StringVertex],
    ) -> Result<(), Stop>;

    /// The edge cannot hold.
    fn refute(&mut self);

    /// `a = b`: both have the words that both have. Negative: the single word of one side is taken from the
    /// other.
    fn equal(&mut self, a: StringVertex, b: StringVertex, positive: bool) -> Result<(), Stop> {
        if a == b {
            if !positive {
                self.refute();
            }
            return Ok(());
        }
        for (a, b) in [(a, b), (b, a)] {
            if positive {
                self.narrow(a, &self.language(b), &[b])?;
            } else if self.is_single(b) {
                self.remove(a, &self.language(b), &[b])?;
            }
        }
        Ok(())
    }

    /// `t` is a part of `s`, or not: with something before it, and something after it, as allowed. `L(s) ∩ *
    /// L(t) *` for `s`, and the parts of words of `s` for `t`. Negative: the single word of one side decides
    /// for the other.
    fn part_of(
        &mut self,
        s: StringVertex,
        t: StringVertex,
        positive: bool,
        before: bool,
        after: bool,
    ) -> Result<(), Stop> {
        if s == t {
            if !positive {
                self.refute();
            }
            return Ok(());
        }
        let any = self.context().all_words()?;
        if positive || self.is_single(t) {
            let mut with = (*self.language(t)).clone();
            if before {
                with = self.context().concat(&any, &with)?;
            }
            if after {
                with = self.context().concat(&with, &any)?;
            }
            if positive { self.narrow(s, &with, &[t])? } else { self.remove(s, &with, &[t])? }
        }
        if positive || self.is_single(s) {
            let mut parts = (*self.language(s)).clone();
            if after {
                parts = self.context().right_quotient(&parts, &any)?;
            }
            if before {
                parts = self.context().left_quotient(&parts, &any)?;
            }
            if positive { self.narrow(t, &parts, &[s])? } else { self.remove(t, &parts, &[s])? }
        }
        Ok(())
    }

    /// `r = a + b`: `L(r) ∩ L(a) L(b)`; the quotient of `L(r)` by `L(b)` for `a`, and by `L(a)` for `b`.
    fn concatenation(&mut self, a: StringVertex, b: StringVertex, r: StringVertex) -> Result<(), Stop> {
        let both = self.context().concat(&self.language(a), &self.language(b))?;
        self.narrow(r, &both, &[a, b])?;
        let front = self.context().right_quotient(&self.language(r), &self.language(b))?;
        self.narrow(a, &front, &[r, b])?;
        let back = self.context().left_quotient(&self.language(r), &self.language(a))?;
        self.narrow(b, &back, &[r, a])
    }

    /// `s` is in the language of the expression, or not. Exact.
    fn in_re(&mut self, s: StringVertex, regex: &Regex, positive: bool) -> Result<(), Stop> {
        let language = self.context().regex(regex)?;
        if positive { self.narrow(s, &language, &[]) } else { self.remove(s, &language, &[]) }
    }

    /// `s` is one digit, or not. Exact.
    fn is_digit(&mut self, s: StringVertex, positive: bool) -> Result<(), Stop> {
        self.in_re(s, &Regex::set(CharSet::range(Char(0x30), Char(0x39))), positive)
    }

    /// `L(s) ∩ blanks L(r) blanks`; `r` is what is left between blanks of words of `s`, and neither starts
    /// nor ends with one.
    fn trim(&mut self, s: StringVertex, r: StringVertex) -> Result<(), Stop> {
        let context = self.context();
        let blank = CharSet::range(Char(BLANKS.0), Char(BLANKS.1));
        let dark = Regex::set(blank.complement(context.alphabet()));
        let blanks = context.regex(&Regex::set(blank).star())?;
        let rest = Regex::concat([context.letter().star(), dark.clone()]).repeat(0, Some(1));
        let trimmed = context.regex(&Regex::concat([dark, rest]).repeat(0, Some(1)))?;
        self.narrow(r, &trimmed, &[])?;
        let around = self.context().concat_all([&blanks, &*self.language(r), &blanks])?;
        self.narrow(s, &around, &[r])?;
        let front = self.context().right_quotient(&self.language(s), &blanks)?;
        let inner = self.context().left_quotient(&front, &blanks)?;
        self.narrow(r, &inner, &[s])
    }

    /// `r` is `s` with the letters from `first` on become those from `becomes` on: images of labels. Exact
    /// for each side.
    fn case(&mut self, s: StringVertex, r: StringVertex, first: u32, becomes: u32) -> Result<(), Stop> {
        let image = &mut |algebra: &Self::Algebra, set: &<Self::Algebra as BooleanAlgebra>::Set| {
            case_image(algebra, set, first, becomes)
        };
        let after = self.context().map_labels(&self.language(s), image)?;
        self.narrow(r, &after, &[s])?;
        let origin = &mut |algebra: &Self::Algebra, set: &<Self::Algebra as BooleanAlgebra>::Set| {
            case_origin(algebra, set, first, becomes)
        };
        let before = self.context().map_labels(&self.language(r), origin)?;
        self.narrow(s, &before, &[r])
    }

    /// `r` is `s` with every character `old` become `new`, because of `words`: images of labels. Exact for
    /// each side.
    fn exchange(
        &mut self,
        s: StringVertex,
        r: StringVertex,
        [old, new]: [Char; 2],
        words: [StringVertex; 2],
    ) -> Result<(), Stop> {
        let [old_set, new_set] = [old, new].map(|c| self.context().algebra().of_ranges(&[(c.0, c.0)]));
        let (old_set, new_set) = (old_set?, new_set?);
        let image = &mut |algebra: &Self::Algebra, set: &<Self::Algebra as BooleanAlgebra>::Set| match algebra
            .contains(set, old)?
        {
            true => algebra.union(&algebra.difference(set, &old_set)?, &new_set),
            false => Ok(set.clone()),
        };
        let after = self.context().map_labels(&self.language(s), image)?;
        self.narrow(r, &after, &[s, words[0], words[1]])?;
        let origin = &mut |algebra: &Self::Algebra, set: &<Self::Algebra as BooleanAlgebra>::Set| {
            let stays = algebra.difference(set, &old_set)?;
            match algebra.contains(set, new)? {
                true => algebra.union(&stays, &old_set),
                false => Ok(stays),
            }
        };
        let before = self.context().map_labels(&self.language(r), origin)?;
        self.narrow(s, &before, &[r, words[0], words[1]])
    }
}

/// The characters that those of `set` become when the letters from `first` on become those from `becomes` on.
pub fn case_image<A: BooleanAlgebra>(
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
pub fn case_origin<A: BooleanAlgebra>(
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
        if algebra.contains(set, Char(first + i))? {
            match ranges.last_mut() {
                Some(last) if last.1 + 1 == becomes + i => last.1 += 1,
                _ => ranges.push((becomes + i, becomes + i)),
            }
        }
    }
    algebra.of_ranges(&ranges)
}
