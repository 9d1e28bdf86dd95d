//! The characters that a string variable may have, as the conjuncts imply.
//!
//! Bounds from above, like [`crate::ranges`]: no model has another character there.

use std::collections::HashMap;

use harness_model::CharSet;
use harness_theory::lower::{Definition, Primitive};
use harness_theory::op::{CoreOp, Op, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId};

use crate::problem::Parts;
use crate::ranges::Languages;

const ROUNDS: usize = 12;

/// For each variable its characters; for one that is no string, nothing of meaning.
pub(crate) fn characters(parts: &Parts<'_>, languages: &Languages) -> Vec<CharSet> {
    let full = CharSet::full(parts.alphabet);
    let mut this = Characters {
        parts,
        of_term: HashMap::with_capacity(parts.cone.len()),
        of_variable: vec![full; parts.variables.len()],
    };
    for _ in 0..ROUNDS {
        let before = this.of_variable.clone();
        for &id in &parts.cone {
            if parts.terms.sort(id) == Sort::String {
                let set = this.bound(id);
                this.of_term.insert(id, set);
            }
        }
        for &conjunct in &parts.conjuncts {
            this.learn(conjunct, languages);
        }
        if this.of_variable == before {
            break;
        }
    }
    this.of_variable
}

struct Characters<'p> {
    parts: &'p Parts<'p>,
    of_term: HashMap<TermId, CharSet>,
    of_variable: Vec<CharSet>,
}

impl Characters<'_> {
    fn at(&self, id: TermId) -> CharSet {
        self.of_term.get(&id).cloned().unwrap_or_else(|| CharSet::full(self.parts.alphabet))
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "a term of which nothing is said has no bound")]
    fn bound(&self, id: TermId) -> CharSet {
        let full = || CharSet::full(self.parts.alphabet);
        match self.parts.terms.get(id) {
            Term::Var(_) => self.parts.variable(id).map_or_else(full, |v| self.of_variable[v].clone()),
            Term::String(text) => CharSet::from_ranges(text.chars().iter().map(|c| (c.0, c.0))),
            Term::App(op, arguments) => match op {
                Op::Str(StrOp::Concat) => {
                    arguments.iter().fold(CharSet::empty(), |all, &a| all.union(&self.at(a)))
                }
                Op::Str(StrOp::At | StrOp::Substr) => self.at(arguments[0]),
                Op::Java(java)
                    if matches!(java.definition(), Definition::Constraints(Primitive::Trim(_))) =>
                {
                    self.at(arguments[0])
                }
                Op::Str(StrOp::Replace | StrOp::ReplaceAll | StrOp::ReplaceRe | StrOp::ReplaceReAll) => {
                    self.at(arguments[0]).union(&self.at(arguments[2]))
                }
                Op::Str(StrOp::FromInt) => CharSet::from_ranges([(u32::from(b'0'), u32::from(b'9'))]),
                Op::Core(CoreOp::Ite) => self.at(arguments[1]).union(&self.at(arguments[2])),
                _ => full(),
            },
            _ => full(),
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing is learned from other conjuncts")]
    fn learn(&mut self, conjunct: TermId, languages: &Languages) {
        let Term::App(op, arguments) = self.parts.terms.get(conjunct) else { return };
        match (op, &**arguments) {
            (Op::Core(CoreOp::Eq), all) if self.parts.terms.sort(all[0]) == Sort::String => {
                for pair in all.windows(2) {
                    self.push(pair[0], &self.at(pair[1]));
                    self.push(pair[1], &self.at(pair[0]));
                }
            }
            (Op::Str(StrOp::PrefixOf | StrOp::SuffixOf), &[part, whole])
            | (Op::Str(StrOp::Contains), &[whole, part]) => {
                self.push(part, &self.at(whole));
            }
            (Op::Str(StrOp::InRe), &[s, regex]) => {
                if let Some(words) = languages.get(&regex) {
                    self.push(s, &words.characters);
                }
            }
            _ => {}
        }
    }

    /// Every character of `term` is in `set`.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing is passed on to the arguments of others")]
    fn push(&mut self, term: TermId, set: &CharSet) {
        let mut todo = vec![term];
        while let Some(id) = todo.pop() {
            match self.parts.terms.get(id) {
                Term::Var(_) => {
                    if let Some(v) = self.parts.variable(id) {
                        self.of_variable[v] = self.of_variable[v].intersection(set);
                    }
                }
                Term::App(Op::Str(StrOp::Concat), arguments) => todo.extend(arguments.iter()),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use harness_model::Alphabet;

    use super::*;
    use crate::ranges::languages;

    fn of(text: &str) -> Vec<CharSet> {
        let problem = harness_smtlib::read(text.as_bytes()).unwrap().queries.remove(0).problem;
        let parts = Parts::of(&problem, Alphabet::Ascii).unwrap();
        characters(&parts, &languages(&parts))
    }

    #[test]
    fn characters_flow_into_parts() {
        let got = of("(declare-const s String)(declare-const t String)(declare-const u String)
             (assert (= s (str.++ t \"a\" u)))(assert (str.in_re s (re.* (re.range \"a\" \"c\"))))
             (assert (str.contains \"xya\" u))(check-sat)");
        assert_eq!(got[0].len(), 3);
        assert_eq!(got[1].len(), 3);
        assert_eq!(got[2].ranges(), [(0x61, 0x61)]);
    }

    #[test]
    fn without_a_bound_there_are_all() {
        assert_eq!(of("(declare-const s String)(assert (not (= s \"a\")))(check-sat)")[0].len(), 128);
    }
}
