//! Membership in a language that depends on terms, as structure over equations and memberships in constant
//! languages.
//!
//! Unions, intersections, complements and differences are connectives; a word is an equation. In a
//! concatenation one part at most may be more than a word: the words before it are a prefix, those after it a
//! suffix, and what is between them is a member. So each rewriting says the same as what it stands for, in
//! either polarity. Loops over such languages, and two open parts, are taken apart where the member is a
//! constant, by the parts of it that a word in the language may be, and else refused by name.

use harness_model::SmtString;
use harness_theory::op::{ArithOp, CoreOp, Op, ReOp, StrOp};
use harness_theory::term::{Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abstraction::Builder;
use crate::skeleton::Formula;

/// The most parts that a power is written out in.
const MOST_PARTS: u32 = 64;
/// The most languages that one membership may be taken apart into.
const MOST_LANGUAGES: usize = 256;

fn refusal() -> String {
    format!("{} with a regular language that depends on a variable", StrOp::InRe.name())
}

/// That `word` is in `language`, in which a variable is. An `ite` in it comes back here for each of its two
/// languages, so that [`MOST_LANGUAGES`] bounds time and recursion for the outermost membership.
pub(crate) fn membership(builder: &mut Builder, word: TermId, language: TermId) -> Result<Formula, String> {
    let outermost = builder.languages_left.is_none();
    builder.languages_left.get_or_insert(MOST_LANGUAGES);
    let formula = Membership { builder }.of(word, language);
    if outermost {
        builder.languages_left = None;
    }
    formula
}

struct Membership<'b> {
    builder: &'b mut Builder,
}

impl Membership<'_> {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "what is no language of an operation is refused by name"
    )]
    fn of(&mut self, word: TermId, language: TermId) -> Result<Formula, String> {
        let left = self.builder.languages_left.unwrap_or(MOST_LANGUAGES);
        self.builder.languages_left = Some(left.checked_sub(1).ok_or_else(refusal)?);
        if !self.builder.has_variable(language) {
            return self.builder.predicate(StrOp::InRe.into(), &[word, language]);
        }
        let (op, a) = match self.builder.terms.get(language) {
            Term::App(Op::Re(op), arguments) => (*op, arguments.to_vec()),
            // An `ite` of languages; any other variable is one that is declared.
            Term::Var(_) if self.builder.is_choice(language) => {
                return self.builder.predicate(StrOp::InRe.into(), &[word, language]);
            }
            Term::Var(_) | Term::App(..) | Term::Bool(_) | Term::Int(_) | Term::String(_) => {
                return Err(refusal());
            }
        };
        if matches!(self.builder.terms.get(word), Term::String(_))
            && self.depends(op, &a)
            && let Some(formula) = self.by_factors(word, language)?
        {
            return Ok(formula);
        }
        match op {
            ReOp::ToRe => self.builder.predicate(CoreOp::Eq.into(), &[word, a[0]]),
            ReOp::Union => {
                let parts = self.each(word, &a)?;
                Ok(self.builder.skeleton.or(parts))
            }
            ReOp::Inter => {
                let parts = self.each(word, &a)?;
                Ok(self.builder.skeleton.and(parts))
            }
            ReOp::Diff => {
                let parts = self.each(word, &a)?;
                let signed = parts.into_iter().enumerate().map(|(i, part)| if i == 0 { part } else { !part });
                Ok(self.builder.skeleton.and(signed.collect::<Vec<_>>()))
            }
            ReOp::Comp => Ok(!self.of(word, a[0])?),
            ReOp::Opt => {
                let empty = self.builder.terms.string("");
                let is_empty = self.builder.predicate(CoreOp::Eq.into(), &[word, empty])?;
                let inside = self.of(word, a[0])?;
                Ok(self.builder.skeleton.or([is_empty, inside]))
            }
            ReOp::Range => self.range(word, a[0], a[1]),
            ReOp::Concat => self.concatenation(word, &a),
            ReOp::Power(count) if (1..=MOST_PARTS).contains(&count) => {
                self.concatenation(word, &vec![a[0]; count as usize])
            }
            ReOp::None
            | ReOp::All
            | ReOp::AllChar
            | ReOp::Star
            | ReOp::Plus
            | ReOp::Power(_)
            | ReOp::Loop(..) => Err(refusal()),
        }
    }

    /// Whether a constant's membership in it is no connective over other memberships.
    fn depends(&self, op: ReOp, arguments: &[TermId]) -> bool {
        match op {
            ReOp::Star | ReOp::Plus | ReOp::Power(_) | ReOp::Loop(..) => true,
            ReOp::Concat => {
                let open = |part: &&TermId| self.word(**part).is_none() && self.builder.has_variable(**part);
                arguments.iter().any(|part| open(&part))
            }
            ReOp::ToRe
            | ReOp::Union
            | ReOp::Inter
            | ReOp::Diff
            | ReOp::Comp
            | ReOp::Opt
            | ReOp::Range
            | ReOp::None
            | ReOp::All
            | ReOp::AllChar => false,
        }
    }

    /// A constant in a language of which a word `t` is not known: `t` is one of the constant's factors, or it
    /// is none, and then as good as no word at all. For whether a factor of the constant is in a language is
    /// decided by factors of it alone, by induction over the language, complements included. `None` where
    /// something else of it is not known.
    fn by_factors(&mut self, word: TermId, language: TermId) -> Result<Option<Formula>, String> {
        let Some(unknown) = self.unknown_word(language) else { return Ok(None) };
        let Term::String(text) = self.builder.terms.get(word).clone() else { return Ok(None) };
        let mut factors: Vec<SmtString> = vec![SmtString::default()];
        for start in 0..text.len() {
            for end in start + 1..=text.len() {
                let factor = SmtString::from_iter(text.chars()[start..end].iter().copied());
                if factors.len() > MOST_LANGUAGES {
                    return Ok(None);
                }
                factors.push(factor);
            }
        }
        factors.sort_unstable();
        factors.dedup();
        let mut cases = Vec::with_capacity(factors.len() + 1);
        let mut is_none = Vec::with_capacity(factors.len() + 1);
        for factor in factors {
            let factor = self.builder.terms.string(factor);
            let is_it = self.builder.predicate(CoreOp::Eq.into(), &[unknown, factor])?;
            let only = self.builder.app(ReOp::ToRe, &[factor]);
            let with = self.with_word(language, unknown, only);
            let inside = self.of(word, with)?;
            cases.push(self.builder.skeleton.and([is_it, inside]));
            is_none.push(!is_it);
        }
        let nothing = self.builder.app(ReOp::None, &[]);
        let without = self.with_word(language, unknown, nothing);
        is_none.push(self.of(word, without)?);
        cases.push(self.builder.skeleton.and(is_none));
        Ok(Some(self.builder.skeleton.or(cases)))
    }

    /// The first term that is a word of the language and depends on a variable; `None` if something else of
    /// the language does, too.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no other language has parts that are words")]
    fn unknown_word(&self, language: TermId) -> Option<TermId> {
        let mut found = None;
        let mut seen = FxHashSet::default();
        let mut todo = vec![language];
        while let Some(part) = todo.pop() {
            if !seen.insert(part) || !self.builder.has_variable(part) {
                continue;
            }
            match self.builder.terms.get(part) {
                Term::App(Op::Re(ReOp::ToRe), word) => found = Some(word[0]),
                Term::App(Op::Re(ReOp::Range), _) => return None,
                Term::App(Op::Re(_), parts) => todo.extend(parts.iter()),
                _ => return None,
            }
        }
        found
    }

    /// The language with another one in the place of the word `unknown`.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all else stays what it is")]
    fn with_word(&mut self, language: TermId, unknown: TermId, instead: TermId) -> TermId {
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        for old in self.builder.terms.cone(&[language]) {
            let term = match self.builder.terms.get(old) {
                Term::App(Op::Re(ReOp::ToRe), word) if word[0] == unknown => instead,
                Term::App(Op::Re(op), parts) => {
                    let op = *op;
                    let parts: Vec<TermId> =
                        parts.iter().map(|part| *new.get(part).unwrap_or(part)).collect();
                    self.builder.app(op, &parts)
                }
                _ => old,
            };
            new.insert(old, term);
        }
        new[&language]
    }

    fn each(&mut self, word: TermId, languages: &[TermId]) -> Result<Vec<Formula>, String> {
        languages.iter().map(|&language| self.of(word, language)).collect()
    }

    /// A range is empty unless both ends are characters.
    fn range(&mut self, word: TermId, low: TermId, high: TermId) -> Result<Formula, String> {
        let one = self.builder.terms.int(1_i64);
        let mut all = Vec::new();
        for string in [word, low, high] {
            let length = self.builder.app(StrOp::Len, &[string]);
            all.push(self.builder.predicate(CoreOp::Eq.into(), &[length, one])?);
        }
        all.push(self.builder.predicate(StrOp::Le.into(), &[low, word])?);
        all.push(self.builder.predicate(StrOp::Le.into(), &[word, high])?);
        Ok(self.builder.skeleton.and(all))
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "what is no concatenation is one part")]
    fn concatenation(&mut self, word: TermId, parts: &[TermId]) -> Result<Formula, String> {
        let mut flat: Vec<TermId> = Vec::new();
        let mut todo: Vec<TermId> = parts.iter().rev().copied().collect();
        while let Some(part) = todo.pop() {
            match self.builder.terms.get(part) {
                Term::App(Op::Re(ReOp::Concat), inner) => todo.extend(inner.iter().rev()),
                Term::App(..) | Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => {
                    flat.push(part);
                }
            }
        }
        let words: Vec<Option<TermId>> = flat.iter().map(|&part| self.word(part)).collect();
        let before: Vec<TermId> = words.iter().map_while(|word| *word).collect();
        if before.len() == flat.len() {
            let whole = self.joined(&before);
            return self.builder.predicate(CoreOp::Eq.into(), &[word, whole]);
        }
        let mut after: Vec<TermId> = words.iter().rev().map_while(|word| *word).collect();
        after.reverse();
        let open = &flat[before.len()..flat.len() - after.len()];
        let middle = match *open {
            [only] => only,
            _ if open.iter().any(|&part| self.builder.has_variable(part)) => return Err(refusal()),
            _ => self.builder.app(ReOp::Concat, open),
        };
        let (before, after) = (self.joined(&before), self.joined(&after));
        let [start, tail, length] =
            [before, after, word].map(|string| self.builder.app(StrOp::Len, &[string]));
        let around = self.builder.app(ArithOp::Add, &[start, tail]);
        let count = self.builder.app(ArithOp::Sub, &[length, around]);
        let between = self.builder.app(StrOp::Substr, &[word, start, count]);
        let fits = self.builder.predicate(ArithOp::Le.into(), &[around, length])?;
        let begins = self.builder.predicate(StrOp::PrefixOf.into(), &[before, word])?;
        let ends = self.builder.predicate(StrOp::SuffixOf.into(), &[after, word])?;
        let inside = self.of(between, middle)?;
        Ok(self.builder.skeleton.and([fits, begins, ends, inside]))
    }

    /// The word that a language consists of, where it is written as one.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no other language is written as a word")]
    fn word(&self, language: TermId) -> Option<TermId> {
        match self.builder.terms.get(language) {
            Term::App(Op::Re(ReOp::ToRe), word) => Some(word[0]),
            Term::App(..) | Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::String(_) => None,
        }
    }

    fn joined(&mut self, words: &[TermId]) -> TermId {
        match *words {
            [] => self.builder.terms.string(""),
            [only] => only,
            _ => self.builder.app(StrOp::Concat, words),
        }
    }
}
